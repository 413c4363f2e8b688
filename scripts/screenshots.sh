#!/usr/bin/env bash
# Pictures of every page in every size and language, into screenshots/. Uses the server at VERDIGRAPH_URL, else
# starts one of its own with demo content.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
cd "$ROOT"
ensure_compiler
ensure_rust
ensure_node
ensure_node_modules
ensure_browser
if [ -z "${VERDIGRAPH_URL:-}" ]; then
  mkdir -p "$TARGET/screenshots"
  ensure_postgres "$TARGET/screenshots/data"
  ensure_web
  step "building the server" cargo build --locked -p verdigraph-http --bin verdigraph
  trap stop_server EXIT
  step "starting a server with demo content" start_server "$TARGET/debug/verdigraph" "$TARGET/screenshots" 300
fi
(cd web && npm run --silent screenshots)
