# Runs checks and counted test suites, and installs what tests need. Shared by test.sh and fuzz.sh.
# shellcheck shell=bash

# Without incremental compilation and debug information a clean build is faster; panics name their lines all the same.
[ -z "${CI:-}" ] || export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0
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
$(excerpt "$4" | LC_ALL=C sed 's/^/    /')}"
}
# The failures at the end of a run: each failed test of a log with its message, the ends of failed runs (runs.sh), or the
# log's last lines, without the runners' decoration. Missed bars of a drill are among its last lines. Bytes that are not
# UTF-8, as those of a cut line, end awk and sed of macOS in its usual locale.
excerpt() { # LOG
  LC_ALL=C awk '
    /^ *(FAIL|TIMEOUT|TERMINATING|SIGABRT|SIGSEGV|SIGKILL) / || /^ +[0-9]+\) [^ ]+\.spec\.ts/ || /^_+ .* _+$/ { left = 14 }
    /panicked at / && !/^> / { left = 8 }
    /^failed run: / { left = 21 }
    n > 0 && /^missed: / { left = 1 }
    /^ *(stdout|stderr) ───/ || /^ *running [0-9]+ tests?$/ || /^ *failures:$/ || /^ *test result:/ { next }
    /^ *(PASS|SLOW) / || / \.\.\. FAILED$/ || /stack backtrace:$/ || /^ +[0-9]+: / || /^ +at / { next }
    left > 0 && !seen[$0]++ && NF { print; left--; n++ }
    { last[++kept % 20] = $0 }
    END { if (n == 0) for (i = kept + 1; i <= kept + 20; i++) if (last[i % 20] != "") print last[i % 20] }' "$1" |
    head -n 150
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

# suite NAME COUNTER COMMAND…: a runner with several tests; COUNTER prints "PASSED FAILED" from its log.
suite() {
  local name=$1 counter=$2 log status=0 counts
  shift 2
  log=$(log_of "$name")
  step "$name" logged "$log" "$@" || status=$?
  counts=$($counter "$log")
  set -- $counts
  # A runner that fails without a failed test (a build error or a signal) counts as one failure.
  if [ "$status" -ne 0 ] && [ "${2:-0}" -eq 0 ]; then set -- "${1:-0}" 1; fi
  # A runner without tests is a failure.
  if [ "$status" -eq 0 ] && [ "$((${1:-0} + ${2:-0}))" -eq 0 ]; then set -- 0 1; fi
  count "$1" "$2" "$name" "$log"
}
logged() {
  local log=$1
  shift
  "$@" 2>&1 | tee "$log"
  return "${PIPESTATUS[0]}"
}

# start_lane FUNCTION: runs its checks and suites beside what follows. join_lane FUNCTION waits for it, prints its output,
# adds its counts and returns the function's status. A lane that ends without its counts is one failure.
start_lane() {
  (
    PASSED=0 FAILED=0 FAILURES= status=0
    "$1" || status=$?
    printf '%s %s %s\n%s' "$status" "$PASSED" "$FAILED" "$FAILURES" >"$LOGS/$1.counts"
  ) >"$LOGS/$1.out" 2>&1 &
  LANES="$LANES $1=$!"
}
LANES=
join_lane() {
  local one status=1 passed=0 failed=1
  for one in $LANES; do
    [ "${one%=*}" = "$1" ] || continue
    show_growing "$LOGS/$1.out" "${one#*=}"
    wait "${one#*=}"
  done
  if [ -f "$LOGS/$1.counts" ]; then
    read -r status passed failed <"$LOGS/$1.counts"
    FAILURES="$FAILURES$(tail -n +2 "$LOGS/$1.counts")"
  else
    FAILURES="$FAILURES
  $1: ended without counts"
  fi
  PASSED=$((PASSED + passed))
  FAILED=$((FAILED + failed))
  return "$status"
}
# Prints a file while a process writes it, so that a slow download says what is waited for.
show_growing() { # FILE PROCESS
  local shown=0 lines is_running=yes
  while [ -n "$is_running" ]; do
    kill -0 "$2" 2>/dev/null || is_running=
    lines=$(wc -l <"$1")
    if [ -n "$is_running" ]; then
      tail -n "+$((shown + 1))" "$1" | head -n "$((lines - shown))"
      sleep 0.5
    else
      tail -n "+$((shown + 1))" "$1"
    fi
    shown=$lines
  done
}

# limited SECONDS COMMAND…: a timeout, if the machine has one (macOS does not).
limited() {
  local seconds=$1 status=0
  shift
  if ! have timeout; then
    "$@"
    return
  fi
  timeout --kill-after=15 "$seconds" "$@" || status=$?
  [ "$status" -ne 124 ] || say "ended after $seconds s: $*"
  return "$status"
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

# Tests create the keys with which the test server for Google signs.
ensure_openssl() { have openssl || download "installing OpenSSL" install_package openssl openssl; }
contract_counts() { # "contract: 2 passed, 1 failed"
  awk '$1 == "contract:" && $3 == "passed," { p = $2; f = $4 } END { print p + 0, f + 0 }' "$1"
}

setup() {
  setup_build && setup_programs && setup_packages
}
# What the programs and the web app are built with.
setup_build() {
  ensure_compiler
  ensure_rust
  ensure_node
  ensure_node_modules
}
# The programs that tests start.
setup_programs() {
  # Tests use TEST_DATABASE_URL or DATABASE_URL, or else an embedded server.
  mkdir -p "$TARGET/test-postgres"
  [ -n "${TEST_DATABASE_URL:-}" ] || ensure_postgres "$TARGET/test-postgres"
  ensure_redis
  ensure_openssl
  ensure_ffmpeg
  ensure_promtool
  ensure_pgbouncer || fail "PgBouncer $PGBOUNCER_WANTED or newer could not be installed"
  ensure_haproxy
  ensure_faketime
  # The first Python package, because it may install Python.
  ensure_packaging || fail "the schemas of packaging could not be installed"
  ensure_editor || fail "the node editor could not be fetched"
  ensure_browser
}
# What only tests need, from the registries of Python and npm.
setup_packages() {
  ensure_s3 || fail "the tests' S3 server could not be installed"
  ensure_webhooks || fail "the Python library of webhooks could not be installed"
  ensure_comfy_sdk || fail "the Python SDK of Comfy API v2 could not be installed"
  ensure_comfy_sdk_js || fail "the JavaScript SDK of Comfy API v2 could not be installed"
  ensure_comfy_api_proxy || fail "the proxy of Comfy API v2 could not be installed"
  ensure_comfy_cli || fail "comfy-cli could not be installed"
  ensure_mcp_client || fail "the client of the Model Context Protocol could not be installed"
  ensure_schemathesis || fail "schemathesis could not be installed"
  ensure_clients || fail "the generator of Python clients could not be installed"
}

# Demo content is created once, by running jobs; each server below starts with a copy.
make_demo() {
  trap stop_server EXIT
  rm -rf "$TARGET/demo"
  start_server "$TARGET/debug/verdigraph" "$TARGET/demo" 600
}

# Clippy runs during the build, so that nothing is compiled twice. Its artifacts are kept separate from cargo's others,
# so all later commands need the same settings.
build_with_lints() {
  with_lints "$ROOT/scripts/lint-tested.sh"
  check "clippy, and building the tests" cargo test --workspace --all-targets --locked --no-run --quiet
}
with_lints() { export RUSTC_WORKSPACE_WRAPPER=$1 CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__; } # PROGRAM
without_lints() { unset RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS; }

# The drills, in order, and those that make test runs beside them.
DRILLS="crash nodes mixed"
OTHER_DRILLS="flex webhooks feed money quotes"
drill() { # NAME SEED
  limited 1200 "$TARGET/debug/verdigraph-load" "$1" --quick --debug --seed "$2"
}
