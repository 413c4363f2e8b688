#!/usr/bin/env bash
# Runs 500 clients of Comfy API v2 at once with 20 jobs each, and one client alone: the official Python SDK, unchanged,
# against a private server with scripted workers and the shipped limits. Then ten clients of the JavaScript SDK run three
# jobs each. No job may be lost, and a job may cost at most 1.5 times the requests of a client that is alone. CLIENTS and
# JOBS change the numbers. QUICK=1 uses the debug builds.
set -uo pipefail
. "$(dirname "$0")/common.sh"
cd "$ROOT" || exit 1

ensure_node
ensure_comfy_sdk || fail "the Python SDK could not be installed"
ensure_comfy_sdk_js || fail "the JavaScript SDK could not be installed"
set -- ${CLIENTS:+--clients "$CLIENTS"} ${JOBS:+--jobs "$JOBS"}
if [ -z "${QUICK:-}" ]; then
  ensure_compiler
  ensure_rust
  find_postgres || fail "PostgreSQL is missing: install it, or name its programs in PG_BIN"
  ensure_web
  step "building the program of load scenarios" cargo build --release --locked -p verdigraph-load || exit 1
  exec "$TARGET/release/verdigraph-load" sdk "$@"
fi
[ -x "$TARGET/debug/verdigraph-load" ] ||
  step "building the program of load scenarios" cargo build --locked -p verdigraph-load || exit 1
exec "$TARGET/debug/verdigraph-load" sdk --quick --debug "$@"
