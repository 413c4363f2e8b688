#!/usr/bin/env bash
# Runs scripts/cluster.py with its dependencies.
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$ROOT"
ensure_compiler
ensure_rust
ensure_node
{ find_postgres && have psql; } || step "installing PostgreSQL" install_postgres
ensure_redis
ensure_pgbouncer || fail "PgBouncer $PGBOUNCER_WANTED or newer could not be installed"
ensure_haproxy
ensure_s3
ensure_packaging
ensure_node_modules
ensure_web
cargo build --locked -p verdigraph-http --bin verdigraph
"$TOOLS/packaging/bin/python" scripts/cluster.py "$TARGET/debug/verdigraph" "$@"
