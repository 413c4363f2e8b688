#!/usr/bin/env bash
# Measures the mask editor in Chromium at 4096 × 4096 pixels against its bars: frames while stroking, fill, and memory of
# 50 undo steps. Run it on an idle machine. BINARY is a server to measure; without it, the release build. Needs Linux,
# which tells the memory of a process.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
cd "$ROOT"
ensure_compiler
ensure_rust
ensure_node
ensure_node_modules
ensure_browser
ensure_postgres "$TARGET/mask-bench/data"
ensure_web
if [ -z "${BINARY:-}" ]; then
  step "building the server" cargo build --release --locked -p verdigraph-http --bin verdigraph
  BINARY=$TARGET/release/verdigraph
fi
trap stop_server EXIT
step "starting a server with demo content" start_server "$BINARY" "$TARGET/mask-bench" 300
node web/scripts/mask-bench/measure.mjs "$SERVER_URL"
