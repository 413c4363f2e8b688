#!/usr/bin/env bash
# Every check and test of the project. The last line is `N passed, N failed`.
set -uo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
cd "$ROOT" || exit 1
# A build from nothing is quicker where it need not be prepared for the next one.
[ -z "${CI:-}" ] || export CARGO_INCREMENTAL=0
export NO_COLOR=1 CARGO_TERM_COLOR=never

PASSED=0
FAILED=0
FAILURES=
LOGS=$TARGET/test-logs
rm -rf "$LOGS"
mkdir -p "$LOGS"

count() { # PASSED FAILED NAME [LOG]
  PASSED=$((PASSED + $1))
  FAILED=$((FAILED + $2))
  [ "$2" -eq 0 ] || FAILURES="$FAILURES
  $3: $2 failed${4:+
$(excerpt "$4" | sed 's/^/    /')}"
}
# What failed, for the end of the run: the failed tests of a log with the first lines of each, else its last lines.
excerpt() { # LOG
  awk '/^ *(FAIL|TIMEOUT|SIGABRT|SIGSEGV) / || /^ +[0-9]+\) [^ ]+\.spec\.ts/ { left = 14 }
    left > 0 && !seen[$0]++ && NF { print; left--; n++ }
    { last[NR % 20] = $0 }
    END { if (n == 0) for (i = NR + 1; i <= NR + 20; i++) if (last[i % 20] != "") print last[i % 20] }' "$1" | head -n 150
}
log_of() { printf '%s' "$LOGS/$(printf '%s' "$1" | tr ' /' '--').log"; }

# check NAME COMMAND…: one check that passes or fails as a whole.
check() {
  local name=$1 log
  shift
  log=$(log_of "$name")
  if step "$name" logged "$log" "$@"; then
    count 1 0 "$name"
  else
    count 0 1 "$name" "$log"
    return 1
  fi
}

# suite NAME COUNTER COMMAND…: a runner that counts its own tests; COUNTER prints "PASSED FAILED" from its log.
suite() {
  local name=$1 counter=$2 log status=0 counts
  shift 2
  log=$(log_of "$name")
  step "$name" logged "$log" "$@" || status=$?
  counts=$($counter "$log")
  set -- $counts
  # A runner that fails without a failed test (it did not compile, it was killed) counts as one failure.
  if [ "$status" -ne 0 ] && [ "${2:-0}" -eq 0 ]; then set -- "${1:-0}" 1; fi
  # A runner that ran nothing proves nothing.
  if [ "$status" -eq 0 ] && [ "$((${1:-0} + ${2:-0}))" -eq 0 ]; then set -- 0 1; fi
  count "$1" "$2" "$name" "$log"
}
logged() {
  local log=$1
  shift
  "$@" 2>&1 | tee "$log"
  return "${PIPESTATUS[0]}"
}

nextest_counts() { # "Summary [ 12.3s] 120 tests run: 118 passed (1 slow), 2 failed, 0 skipped"
  awk '/Summary \[/ { p = f = 0
    for (i = 1; i < NF; i++) {
      if ($(i + 1) ~ /^passed/) p = $i
      if ($(i + 1) ~ /^failed/) f += $i
      if ($(i + 1) ~ /^timed/) f += $i
    } } END { print p + 0, f + 0 }' "$1"
}
cargo_counts() { # "test result: ok. 12 passed; 0 failed; …", once for each target
  awk '/^test result:/ { for (i = 1; i < NF; i++) { if ($(i + 1) ~ /^passed/) p += $i; if ($(i + 1) ~ /^failed/) f += $i } }
    END { print p + 0, f + 0 }' "$1"
}
vitest_counts() { # "Tests  2 failed | 45 passed (47)"
  awk '$1 == "Tests" { for (i = 1; i < NF; i++) { if ($(i + 1) ~ /^passed/) p = $i; if ($(i + 1) ~ /^failed/) f = $i } }
    END { print p + 0, f + 0 }' "$1"
}
playwright_counts() { # "  1 failed", "  12 passed (1.2m)", "  1 flaky", "  3 did not run"
  awk '$1 ~ /^[0-9]+$/ && $2 == "passed" { p = $1 }
    $1 ~ /^[0-9]+$/ && ($2 == "failed" || $2 == "flaky" || $2 == "interrupted" || ($2 == "did" && $3 == "not")) { f += $1 }
    END { print p + 0, f + 0 }' "$1"
}

# Tests make the keys that a stand-in for Google signs with.
ensure_openssl() { have openssl || step "installing OpenSSL" install_package openssl openssl; }
contract_counts() { # "contract: 2 passed, 1 failed"
  awk '$1 == "contract:" && $3 == "passed," { p = $2; f = $4 } END { print p + 0, f + 0 }' "$1"
}

setup() {
  ensure_compiler
  ensure_rust
  ensure_node
  # Tests use TEST_DATABASE_URL or DATABASE_URL where they are set, else a private server of their own.
  mkdir -p "$TARGET/test-postgres"
  [ -n "${TEST_DATABASE_URL:-}" ] || ensure_postgres "$TARGET/test-postgres"
  ensure_redis
  ensure_openssl
  ensure_ffmpeg
  ensure_promtool
  ensure_pgbouncer || fail "PgBouncer $PGBOUNCER_WANTED or newer could not be installed"
  ensure_s3 || fail "the tests' S3 server could not be installed"
  ensure_packaging || fail "the schemas of packaging could not be installed"
  ensure_haproxy
  ensure_faketime
  ensure_schemathesis || fail "schemathesis could not be installed"
  ensure_node_modules
  ensure_browser
}

# Loads the rules and the example configuration, and evaluates each alert on made-up series.
alert_rules() {
  promtool check config config/prometheus/prometheus.yml && promtool test rules config/prometheus/alerts_test.yml
}

# Demo content is made once, by really running jobs; each server below begins with a copy of it.
make_demo() {
  trap stop_server EXIT
  rm -rf "$TARGET/demo"
  start_server "$TARGET/debug/verdigraph" "$TARGET/demo" 300
}

# Clippy looks while it compiles, so that nothing is compiled once to be looked at and once to be run. What cargo compiles
# so is kept apart from what it compiles otherwise: everything below has to be told the same.
build_with_lints() {
  export RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__
  check "clippy, and building the tests" cargo test --workspace --all-targets --locked --no-run --quiet
}
without_lints() { unset RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS; }

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
  suite "web tests" vitest_counts bash -c "cd web && npm run --silent test"
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
if cargo nextest --version >/dev/null 2>&1; then
  # Tests wait for disks and sockets a third of their time.
  suite "rust tests" nextest_counts cargo nextest run --workspace --locked --no-fail-fast \
    --test-threads "$(($(getconf _NPROCESSORS_ONLN) + 1))"
else
  suite "rust tests" cargo_counts cargo test --workspace --locked --no-fail-fast --lib --bins --tests
fi
# The server was built with the tests; built alone it would be built with other features, all over again.
if [ -x "$TARGET/debug/verdigraph" ] && [ -f web/dist/index.html ]; then
  (step "making demo content" make_demo) && export VERDIGRAPH_DEMO=$TARGET/demo
  suite "browser tests" playwright_counts browser_tests
  # Made-up requests, others each day; the log tells the seed that repeats them.
  suite "API contract" contract_counts bash scripts/contract.sh
  # The one-minute forms, with the debug builds that are there: behaviour and not speed.
  check "crash drill" "$TARGET/debug/verdigraph-load" crash --quick --debug
  check "nodes drill" "$TARGET/debug/verdigraph-load" nodes --quick --debug
  check "webhooks drill" "$TARGET/debug/verdigraph-load" webhooks --quick --debug
  check "mixed load" "$TARGET/debug/verdigraph-load" mixed --quick --debug
else
  count 0 6 "browser tests, API contract, crash drill, nodes drill, webhooks drill, mixed load"
fi

[ -z "$FAILURES" ] || say "failures:$FAILURES"
say "tested in $((SECONDS - began)) s"
echo "$PASSED passed, $FAILED failed"
[ "$FAILED" -eq 0 ]
