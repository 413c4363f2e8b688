#!/usr/bin/env bash
# Runs official clients, unchanged, against a server: the SDKs of Comfy API v2 (upload, submit, wait, events, list by label,
# cancel, outputs and typed errors) and comfy-cli in cloud mode. A script of our own makes the documented calls of Comfy
# Cloud's first API, in its dialect and in that of ComfyUI's server. Another one compares the shapes of our answers to both
# SDKs with those of comfy-api-proxy. At last 60 clients of the Python SDK run at once, and then ten of the JavaScript SDK
# (scripts/crowd.sh). VERDIGRAPH_URL with VERDIGRAPH_ACCOUNTS name a running server with demo content; without them one is
# started. The last lines are the ends of failed drivers, and "contract: N passed, N failed".
set -uo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/runs.sh"
cd "$ROOT" || exit 1

ensure_node
ensure_comfy_sdk || fail "the Python SDK could not be installed"
ensure_comfy_sdk_js || fail "the JavaScript SDK could not be installed"
ensure_comfy_cli || fail "comfy-cli could not be installed"
ensure_comfy_api_proxy || fail "the proxy of Comfy API v2 could not be installed"
ensure_built_served sdk
patient_node
# The names by which the SDKs find server and key.
export COMFY_BASE_URL=$VERDIGRAPH_URL
COMFY_API_KEY=$(customer_key)
export COMFY_API_KEY
# The names by which comfy-cli and the script find the same.
export COMFY_CLOUD_BASE_URL=$VERDIGRAPH_URL/comfyui-editor COMFY_CLOUD_API_KEY=$COMFY_API_KEY
export COMFY_V1_URL=$COMFY_CLOUD_BASE_URL COMFY_V1_KEY=$COMFY_API_KEY
JS_SDK=$TOOLS/comfy-sdk-js/node_modules/@comfyorg/sdk/dist
# Each call of comfy-cli starts Python again, so compiled modules are kept; not beside the drivers.
export PYTHONPYCACHEPREFIX=$TARGET/python-cache

run "the Python SDK" "$TOOLS/comfy-sdk/bin/python" http/tests/sdk/comfy_sdk_drive.py
run "the JavaScript SDK" node http/tests/sdk/comfy-sdk-drive.mjs "$JS_SDK/index.js"
run comfy-cli "$TOOLS/comfy-cli/bin/python" http/tests/sdk/comfy_cli_drive.py
for dialect in cloud local; do
  run "the script of the first API ($dialect)" "$TOOLS/comfy-cli/bin/python" http/tests/sdk/comfy_v1_drive.py "$dialect"
done
run "comfy-api-proxy's shapes" env COMFY_WORKER="${VERDIGRAPH_BINARY:-$TARGET/debug/verdigraph}" \
  COMFY_PROXY="$TOOLS/comfy-api-proxy/bin/comfy-api-proxy" COMFY_LOW_JS="$JS_SDK/low/index.js" \
  "$TOOLS/comfy-sdk/bin/python" http/tests/sdk/comfy_shapes.py
run "a crowd of SDK clients" env QUICK=1 CLIENTS= JOBS= bash scripts/crowd.sh
tell_runs
