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
  # A test server replaces YouTube.
  export VERDIGRAPH_VIDEOS_BASE_URL VERDIGRAPH_OUTBOUND_PRIVATE_HOSTS='["localhost"]'
  for one in one two; do
    VERDIGRAPH_VIDEOS_BASE_URL=http://localhost:$(free_port)
    step "starting server $one" start_server "$TARGET/debug/verdigraph" "$TARGET/e2e/$one" 300 || return 1
    STARTED="$STARTED $SERVER_PID"
    servers="$servers$comma{\"VERDIGRAPH_URL\":\"$VERDIGRAPH_URL\",\"VERDIGRAPH_ACCOUNTS\":\"$VERDIGRAPH_ACCOUNTS\",
      \"VERDIGRAPH_VIDEOS_BASE_URL\":\"$VERDIGRAPH_VIDEOS_BASE_URL\"}"
    comma=,
  done
  (cd web && VERDIGRAPH_SERVERS="[$servers]" npx playwright test --reporter=list)
}

# The web's checks and tests run beside the compiler, which leaves a core idle while it builds its largest crates. They
# write their counts to a file.
web_lane() {
  PASSED=0 FAILED=0 FAILURES=
  check "web checks" bash -c "cd web && npm run --silent check:built"
  suite "web tests" vitest_counts limited 900 bash -c "cd web && npm run --silent test"
  printf '%s %s\n%s' "$PASSED" "$FAILED" "$FAILURES" >"$LOGS/web-lane.counts"
}
# Waits for the lane, prints its output, and adds its counts.
join_web_lane() {
  local counted passed failed
  wait "$WEB_LANE"
  cat "$LOGS/web-lane.out"
  counted=$LOGS/web-lane.counts
  [ -f "$counted" ] || return 1
  read -r passed failed <"$counted"
  PASSED=$((PASSED + passed))
  FAILED=$((FAILED + failed))
  FAILURES="$FAILURES$(tail -n +2 "$counted")"
}

began=$SECONDS
say "the seed is $SEED"
setup || fail "the machine could not be set up"
# Before any compilation: a changed web app causes a rebuild of the server.
ensure_web || fail "the web app could not be built"
web_lane >"$LOGS/web-lane.out" 2>&1 &
WEB_LANE=$!
check "format" cargo fmt --all --check
# As shipped: without features for tests and the API description.
check "clippy of the programs" cargo clippy -p verdigraph-http -p verdigraph-load --bins --locked -- -D warnings
check "alert rules" alert_rules
check "packaging" bash scripts/packaging.sh
# Built before timed steps.
if ! build_with_lints; then
  # Build errors fail below, where tests are counted.
  without_lints
  step "building the tests" cargo test --workspace --locked --no-run --quiet
fi
join_web_lane || count 0 2 "web checks, web tests"
# The number of cases per property.
export PROPTEST_RNG_SEED=$SEED
if cargo nextest --version >/dev/null 2>&1; then
  # Tests wait for disks, sockets and limits more than half of the time.
  suite "rust tests" nextest_counts cargo nextest run --workspace --locked --no-fail-fast \
    --test-threads "$((2 * $(getconf _NPROCESSORS_ONLN) + 1))"
else
  suite "rust tests" cargo_counts cargo test --workspace --locked --no-fail-fast --lib --bins --tests
fi
# The server was built with the tests; alone it would be rebuilt with other features.
if [ -x "$TARGET/debug/verdigraph" ] && [ -f web/dist/index.html ]; then
  (step "making demo content" make_demo) && export VERDIGRAPH_DEMO=$TARGET/demo
  suite "browser tests" playwright_counts browser_tests
  suite "API contract" contract_counts limited 600 env CONTRACT_SECONDS="${CONTRACT_SECONDS:-60}" bash scripts/contract.sh
  suite "clients of Comfy Cloud" contract_counts limited 600 bash scripts/sdk.sh
  suite "client of the Model Context Protocol" contract_counts limited 300 bash scripts/mcp.sh
  # The one-minute versions, with debug builds: they test behaviour, not speed.
  for drill in $DRILLS; do
    check "$drill drill" drill "$drill" "$SEED"
  done
else
  count 0 10 "browser tests, API contract, SDKs, MCP client, drills"
fi

[ -z "$FAILURES" ] || say "failures:$FAILURES"
say "tested in $((SECONDS - began)) s"
echo "$PASSED passed, $FAILED failed"
[ "$FAILED" -eq 0 ]
