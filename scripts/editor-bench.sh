#!/usr/bin/env bash
# Measures the start of the node editor beside the same front end on a static file server with recorded answers, and the
# memory that 50 open editors cost the server. Run it on an idle machine. BINARY is a server to measure; without it, the
# release build. Needs Linux, which tells the memory of a process.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
cd "$ROOT"
ensure_browser_setup
ensure_editor || fail "the node editor could not be fetched"
start_release editor-bench
# Node 20 has WebSockets behind this option.
node --experimental-websocket --disable-warning=ExperimentalWarning web/scripts/editor-bench/measure.mjs \
  "$SERVER_URL" "$SERVER_PID" "$VERDIGRAPH_FILES_EDITOR"
