# Verdigraph. `make run` and `make test` are all that a fresh machine needs; see README.md.

PORT ?= 8080
DATA ?= .data
PROFILE ?= quick
export PORT DATA PROFILE

.PHONY: help run test fuzz contract sdk sdk-crowd mcp cluster stop editor clean screenshots lighthouse editor-bench mask-bench sqlx openapi

help:
	@echo "make run [PORT=8080] [DATA=.data]   set up what is missing, build, and serve in the foreground"
	@echo "make run PROFILE=release            the same, built as for many people: twice the time"
	@echo "make stop [DATA=.data]              stop the server of that data folder"
	@echo "make editor                         fetch the node editor, which make run does too"
	@echo "make test                           every check and test; the last line counts them"
	@echo "make fuzz [SECONDS=600]             what tests draw at random, with fresh seeds for that long"
	@echo "make contract                       answers of a server against its description, with made-up requests"
	@echo "make sdk                            the official clients of Comfy Cloud against a server"
	@echo "make sdk-crowd [CLIENTS=500]        that many SDK clients at once: no lost job, no storm of requests"
	@echo "make mcp                            the official client of the Model Context Protocol against a server"
	@echo "make cluster                        three nodes behind a load balancer; one is killed, all are restarted"
	@echo "make clean                          remove what was built; asks before it deletes data"
	@echo "make screenshots                    pictures of every page into screenshots/"
	@echo "make lighthouse                     speed and accessibility of the main pages, against their bars"
	@echo "make editor-bench                   start and memory of the node editor, against their bars"
	@echo "make mask-bench                     frames, fill and memory of the mask editor, against their bars"
	@echo "make sqlx                           renew .sqlx after a change of SQL or migrations"
	@echo "make openapi                        renew http/openapi.json and the web client's types"

run:
	@bash scripts/run.sh

test:
	@bash scripts/test.sh

fuzz:
	@LASTS="$(SECONDS)" bash scripts/fuzz.sh

contract:
	@bash scripts/contract.sh

sdk:
	@bash scripts/sdk.sh

sdk-crowd:
	@CLIENTS="$(CLIENTS)" JOBS="$(JOBS)" bash scripts/crowd.sh

mcp:
	@bash scripts/mcp.sh

cluster:
	@bash scripts/cluster.sh

stop:
	@bash scripts/stop.sh

editor:
	@bash scripts/editor.sh

clean:
	@bash scripts/clean.sh

screenshots:
	@bash scripts/screenshots.sh

lighthouse:
	@bash scripts/lighthouse.sh

editor-bench:
	@bash scripts/editor-bench.sh

mask-bench:
	@bash scripts/mask-bench.sh

sqlx:
	@bash scripts/sqlx.sh

openapi:
	@bash scripts/openapi.sh
