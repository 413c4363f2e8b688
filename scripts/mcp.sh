#!/usr/bin/env bash
# Runs the official client of the Model Context Protocol, in both of its eras, against a server with demo content.
# VERDIGRAPH_URL with VERDIGRAPH_ACCOUNTS name a running one; without them one is started. The last line is
# "contract: N passed, N failed".
set -uo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
cd "$ROOT" || exit 1

ensure_node
ensure_mcp_client || fail "the client of the Model Context Protocol could not be installed"
if [ -z "${VERDIGRAPH_URL:-}" ]; then
  FOLDER=$TARGET/mcp
  rm -rf "$FOLDER"
  mkdir -p "$FOLDER"
  trap stop_server EXIT
  step "starting a server with demo content" start_server "${VERDIGRAPH_BINARY:-$TARGET/debug/verdigraph}" "$FOLDER" 600 ||
    fail "the server did not start"
fi
export MCP_URL=$VERDIGRAPH_URL/mcp
MCP_KEY=$(node -e 'const all = JSON.parse(require("fs").readFileSync(process.argv[1]));
  console.log(all.find((one) => one.role === "Customer").apiKey)' "$VERDIGRAPH_ACCOUNTS")
export MCP_KEY

if node http/tests/mcp/mcp-drive.mjs "$TOOLS/mcp-client/node_modules/@modelcontextprotocol/client/dist/index.mjs"; then
  echo "contract: 1 passed, 0 failed"
else
  echo "contract: 0 passed, 1 failed"
  exit 1
fi
