#!/usr/bin/env bash
# Runs the official SDKs of Comfy API v2, unchanged, against a server: upload, submit, wait, events, list by label, cancel,
# outputs and typed errors. VERDIGRAPH_URL with VERDIGRAPH_ACCOUNTS name a running server with demo content; without them
# one is started. The last line is "contract: N passed, N failed".
set -uo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
cd "$ROOT" || exit 1

ensure_node
ensure_comfy_sdk || fail "the Python SDK could not be installed"
ensure_comfy_sdk_js || fail "the JavaScript SDK could not be installed"
ensure_built_served sdk
# The names by which the SDKs find server and key.
export COMFY_BASE_URL=$VERDIGRAPH_URL
COMFY_API_KEY=$(customer_key)
export COMFY_API_KEY

passed=0 failed=0
# run NAME COMMAND…
run() {
  local name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    say "the $name SDK runs"
  else
    failed=$((failed + 1))
    say "the $name SDK fails"
  fi
}
run Python "$TOOLS/comfy-sdk/bin/python" http/tests/sdk/comfy_sdk_drive.py
run JavaScript node http/tests/sdk/comfy-sdk-drive.mjs "$TOOLS/comfy-sdk-js/node_modules/@comfyorg/sdk/dist/index.js"
echo "contract: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
