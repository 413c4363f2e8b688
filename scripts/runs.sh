# Runs programs, counts how they end, and tells at the end which failed. Shared by sdk.sh, mcp.sh and contract.sh.
# shellcheck shell=bash

RUNS_PASSED=0
RUNS_FAILED=0
FAILED_RUNS=
RUN_LOGS=$TARGET/run-logs/$(basename "$0" .sh)
rm -rf "${RUN_LOGS:?}"
mkdir -p "$RUN_LOGS"

# run NAME COMMAND…: shows what a program prints, and counts how it ends.
run() {
  local name=$1 log
  shift
  log=$RUN_LOGS/$((RUNS_PASSED + RUNS_FAILED + 1)).log
  "$@" 2>&1 | tee "$log"
  count_run "$name" "${PIPESTATUS[0]}" "$log"
}
count_run() { # NAME STATUS LOG
  if [ "$2" = 0 ]; then
    RUNS_PASSED=$((RUNS_PASSED + 1))
    say "$1: passed"
    return
  fi
  RUNS_FAILED=$((RUNS_FAILED + 1))
  say "$1: failed"
  FAILED_RUNS="$FAILED_RUNS
failed run: $1, status ${2:-unknown}
$(LC_ALL=C awk 'NF { print "> " substr($0, 1, 1000) }' "$3" | tail -n 20)"
}

# tell_runs: the ends of failed runs, which excerpt (checks.sh) shows, and the counts. Its status is that of the script.
tell_runs() {
  [ -z "$FAILED_RUNS" ] || printf '%s\n' "$FAILED_RUNS"
  echo "contract: $RUNS_PASSED passed, $RUNS_FAILED failed"
  [ "$RUNS_FAILED" -eq 0 ]
}
