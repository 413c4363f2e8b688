#!/usr/bin/env bash
# Runs the official client of the Model Context Protocol, in both of its eras, against a server with demo content.
# VERDIGRAPH_URL with VERDIGRAPH_ACCOUNTS name a running one; without them one is started. The last line is
# "contract: N passed, N failed".
set -uo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/runs.sh"
cd "$ROOT" || exit 1

ensure_node
ensure_mcp_client || fail "the client of the Model Context Protocol could not be installed"
ensure_built_served mcp
patient_node
export MCP_URL=$VERDIGRAPH_URL/mcp
MCP_KEY=$(customer_key)
export MCP_KEY

run "the client of the Model Context Protocol" \
  node http/tests/mcp/mcp-drive.mjs "$TOOLS/mcp-client/node_modules/@modelcontextprotocol/client/dist/index.mjs"
tell_runs
