#!/usr/bin/env bash
# Runs all checks and tests. The last line is `N passed, N failed`.
#
# Random tests (properties, API requests, drills) use a fixed seed: SEED=7 make test uses another one, and make fuzz
# uses new ones.
set -uo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/checks.sh"
cd "$ROOT" || exit 1

# Checks the alert rules and example configuration, and evaluates each alert on test series.
alert_rules() {
  promtool check config config/prometheus/prometheus.yml && promtool test rules config/prometheus/alerts_test.yml
}

# Two servers, because tests that change shared lists would affect others that run in parallel.
browser_tests() {
  local one servers='' comma=''
  STARTED=
  trap 'for SERVER_PID in $STARTED ${SERVER_PID:-}; do stop_server; done' EXIT
  rm -rf "$TARGET/e2e"
  # One user posts four hundred attacks.
  export VERDIGRAPH_LIMITS_COMMENTS_PER_ACCOUNT_PER_HOUR=100000
  # All users of the tests come from one address.
  export VERDIGRAPH_SIGN_IN_SIGN_UPS_PER_ADDRESS_PER_HOUR=1000 VERDIGRAPH_LIMITS_REQUESTS_PER_MINUTE_PER_ADDRESS=100000
  # A test server replaces YouTube.
  export VERDIGRAPH_VIDEOS_BASE_URL VERDIGRAPH_OUTBOUND_PRIVATE_HOSTS='["localhost"]'
  for one in one two; do
    VERDIGRAPH_VIDEOS_BASE_URL=http://localhost:$(free_port)
    step "starting server $one" start_server "$TARGET/debug/verdigraph" "$TARGET/e2e/$one" 600 || return 1
    STARTED="$STARTED $SERVER_PID"
    servers="$servers$comma{\"VERDIGRAPH_URL\":\"$VERDIGRAPH_URL\",\"VERDIGRAPH_ACCOUNTS\":\"$VERDIGRAPH_ACCOUNTS\",
      \"VERDIGRAPH_VIDEOS_BASE_URL\":\"$VERDIGRAPH_VIDEOS_BASE_URL\"}"
    comma=,
  done
  (cd web && VERDIGRAPH_SERVERS="[$servers]" npx playwright test --reporter=list)
}

# Lanes run beside others, because one of them alone leaves a core idle.

# What tests start is installed beside the compiler, which needs none of it.
setup_lane() {
  setup_programs && setup_packages || return 1
  check "format" cargo fmt --all --check
  check "alert rules" alert_rules
  check "packaging" bash scripts/packaging.sh
  return 0
}
web_lane() {
  suite "web tests" vitest_counts limited 1800 bash -c "cd web && npm run --silent test"
}
# Checks whose time does not matter, and last the programs as shipped: without features for tests and the API description.
# With the lowest priority they delay the tests beside them least. Cargo's lock is free again when they come to clippy.
idle_lane() {
  check "web checks" nice -n 19 bash -c "cd web && npm run --silent check:built"
  with_lints "$ROOT/scripts/lint-only.sh"
  check "clippy of the programs" nice -n 19 cargo build -p verdigraph-http -p verdigraph-load --bins --locked --quiet
}
demo_lane() { step "making demo content" make_demo; }
clients_lane() {
  suite "API contract" contract_counts limited 1800 env CONTRACT_SECONDS="${CONTRACT_SECONDS:-60}" bash scripts/contract.sh
  suite "clients of Comfy Cloud" contract_counts limited 1800 bash scripts/sdk.sh
  suite "client of the Model Context Protocol" contract_counts limited 900 bash scripts/mcp.sh
}
drills_lane() { drills $OTHER_DRILLS; }
# The one-minute versions, with debug builds: they test behaviour, not speed.
drills() { # NAME…
  local name
  for name; do check "$name drill" drill "$name" "$SEED"; done
}

began=$SECONDS
say "the seed is $SEED"
setup_build || fail "the machine could not be set up"
# Before any compilation: a changed web app causes a rebuild of the server.
ensure_web || fail "the web app could not be built"
start_lane setup_lane
start_lane web_lane
# Built before timed steps.
if ! build_with_lints; then
  # Build errors fail below, where tests are counted.
  without_lints
  step "building the tests" cargo test --workspace --locked --no-run --quiet
fi
IS_SET_UP=
# Everything is installed; the second call finds it.
! join_lane setup_lane || ! setup_programs || IS_SET_UP=yes
join_lane web_lane
[ -n "$IS_SET_UP" ] || fail "the machine could not be set up"
# The server was built with the tests; alone it would be rebuilt with other features.
BUILT=
if [ -x "$TARGET/debug/verdigraph" ] && [ -f web/dist/index.html ]; then BUILT=yes; fi
# The number of cases per property.
export PROPTEST_RNG_SEED=$SEED
[ -z "$BUILT" ] || start_lane demo_lane
start_lane idle_lane
if cargo nextest --version >/dev/null 2>&1; then
  # Tests wait for disks, sockets and limits more than half of the time.
  suite "rust tests" nextest_counts cargo nextest run --workspace --locked --no-fail-fast \
    --test-threads "$((2 * $(getconf _NPROCESSORS_ONLN) + 1))"
else
  suite "rust tests" cargo_counts cargo test --workspace --locked --no-fail-fast --lib --bins --tests
fi
if [ -n "$BUILT" ]; then
  ! join_lane demo_lane || export VERDIGRAPH_DEMO=$TARGET/demo
  suite "browser tests" playwright_counts browser_tests
  # Each lane takes about the same time. Three, because drills wait for workers and for killed servers.
  start_lane clients_lane
  start_lane drills_lane
  drills $DRILLS
  join_lane drills_lane
  join_lane clients_lane
else
  count 0 12 "browser tests, API contract, SDKs, MCP client, drills"
fi
join_lane idle_lane

[ -z "$FAILURES" ] || say "failures:$FAILURES"
say "tested in $((SECONDS - began)) s"
echo "$PASSED passed, $FAILED failed"
[ "$FAILED" -eq 0 ]
