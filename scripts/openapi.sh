#!/usr/bin/env bash
# Generates http/openapi.json from the code, and the web client's types from it.
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$ROOT"
ensure_compiler
ensure_rust
cargo run --quiet --locked -p verdigraph-http --features describe --bin verdigraph -- openapi >"$TARGET/openapi.json"
mv "$TARGET/openapi.json" http/openapi.json
ensure_node
ensure_node_modules
(cd web && npm run --silent api)
