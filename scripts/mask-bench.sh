#!/usr/bin/env bash
# Measures the mask editor in Chromium at 4096 × 4096 pixels against its bars: frames while stroking, fill, and memory of
# 50 undo steps. Run it on an idle machine. BINARY is a server to measure; without it, the release build. Needs Linux,
# which tells the memory of a process.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
cd "$ROOT"
ensure_browser_setup
start_release mask-bench
node web/scripts/mask-bench/measure.mjs "$SERVER_URL"
