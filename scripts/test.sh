#!/usr/bin/env bash
# Every check and test of the project. The last line is `N passed, N failed`.
#
# What is drawn at random (properties, requests of the API contract, drills) is drawn with one fixed seed: SEED=7 make test
# takes another, and make fuzz draws fresh ones.
set -uo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/checks.sh"
cd "$ROOT" || exit 1

# Loads the rules and the example configuration, and evaluates each alert on made-up series.
alert_rules() {
  promtool check config config/prometheus/prometheus.yml && promtool test rules config/prometheus/alerts_test.yml
}

# Two servers, because what a test does to everybody's lists another that runs beside it must not see.
browser_tests() {
  local one servers='' comma=''
  STARTED=
  trap 'for SERVER_PID in $STARTED ${SERVER_PID:-}; do stop_server; done' EXIT
  rm -rf "$TARGET/e2e"
  # One person says four hundred attacks.
  export VERDIGRAPH_LIMITS_COMMENTS_PER_ACCOUNT_PER_HOUR=100000
  # The tests answer for YouTube there.
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

# The web's checks and tests beside the compiler, which leaves a core idle for minutes: its largest crates wait for each
# other. They count by themselves, into a file.
web_lane() {
  PASSED=0 FAILED=0 FAILURES=
  check "web checks" bash -c "cd web && npm run --silent check:built"
  suite "web tests" vitest_counts limited 900 bash -c "cd web && npm run --silent test"
  printf '%s %s\n%s' "$PASSED" "$FAILED" "$FAILURES" >"$LOGS/web-lane.counts"
}
# Waits for the lane, prints what it said, and takes over what it counted.
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
# Before any compiler: the server is built again whenever the web app was.
ensure_web || fail "the web app could not be built"
web_lane >"$LOGS/web-lane.out" 2>&1 &
WEB_LANE=$!
check "format" cargo fmt --all --check
# As they are shipped: without what only tests and the API's description need.
check "clippy of the programs" cargo clippy -p verdigraph-http -p verdigraph-load --bins --locked -- -D warnings
check "alert rules" alert_rules
check "packaging" bash scripts/packaging.sh
# Built before anything is timed.
if ! build_with_lints; then
  # What does not even compile fails below, where tests are counted.
  without_lints
  step "building the tests" cargo test --workspace --locked --no-run --quiet
fi
join_web_lane || count 0 2 "web checks, web tests"
# What properties are tried with.
export PROPTEST_RNG_SEED=$SEED
if cargo nextest --version >/dev/null 2>&1; then
  # Tests wait for disks, sockets and limits a third of their time.
  suite "rust tests" nextest_counts cargo nextest run --workspace --locked --no-fail-fast \
    --test-threads "$(($(getconf _NPROCESSORS_ONLN) + 1))"
else
  suite "rust tests" cargo_counts cargo test --workspace --locked --no-fail-fast --lib --bins --tests
fi
# The server was built with the tests; built alone it would be built with other features, all over again.
if [ -x "$TARGET/debug/verdigraph" ] && [ -f web/dist/index.html ]; then
  (step "making demo content" make_demo) && export VERDIGRAPH_DEMO=$TARGET/demo
  suite "browser tests" playwright_counts browser_tests
  suite "API contract" contract_counts limited 600 env CONTRACT_SECONDS="${CONTRACT_SECONDS:-60}" bash scripts/contract.sh
  # The one-minute forms, with the debug builds that are there: behaviour and not speed.
  for drill in $DRILLS; do
    check "$drill drill" drill "$drill" "$SEED"
  done
else
  count 0 6 "browser tests, API contract, drills"
fi

[ -z "$FAILURES" ] || say "failures:$FAILURES"
say "tested in $((SECONDS - began)) s"
echo "$PASSED passed, $FAILED failed"
[ "$FAILED" -eq 0 ]
