#!/usr/bin/env bash
# Runs random tests with a new seed per round for LASTS seconds, at least one round: properties, generated API requests,
# and drills. Every seed is printed; SEED=N make test repeats it. The last line is `N passed, N failed`.
set -uo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/checks.sh"
cd "$ROOT" || exit 1
LASTS=${LASTS:-600}
case $LASTS in
  *[!0-9]* | '') fail "SECONDS is a number of seconds, and not $LASTS" ;;
esac

# The modules with property tests.
PROPERTIES='test(/bucket::|flight::state::|check::tests::random|form::tests::random|proof::tests|ledger::state::|html::|ownership::share::|connection::tests::/)'

properties() { # SEED
  if cargo nextest --version >/dev/null 2>&1; then
    PROPTEST_RNG_SEED=$1 limited 900 cargo nextest run --workspace --locked --no-fail-fast --lib -E "$PROPERTIES"
  else
    PROPTEST_RNG_SEED=$1 limited 900 cargo test --workspace --locked --no-fail-fast --lib
  fi
}
properties_counts() {
  if cargo nextest --version >/dev/null 2>&1; then nextest_counts "$1"; else cargo_counts "$1"; fi
}

round() { # SEED
  local seed=$1 drill
  say "the seed is $seed"
  suite "properties, seed $seed" properties_counts properties "$seed"
  suite "API contract, seed $seed" contract_counts env SEED="$seed" CONTRACT_SECONDS="$API_SECONDS" bash scripts/contract.sh
  for drill in $DRILLS $OTHER_DRILLS; do
    check "$drill drill, seed $seed" drill "$drill" "$seed"
  done
}

setup || fail "the machine could not be set up"
ensure_web || fail "the web app could not be built"
build_with_lints || fail "the tests do not compile"
[ -n "${VERDIGRAPH_DEMO:-}" ] || { (step "making demo content" make_demo) && export VERDIGRAPH_DEMO=$TARGET/demo; }
# A third of the time is for the API, which is enough to call each operation once.
API_SECONDS=$((LASTS / 3))
[ "$API_SECONDS" -le 300 ] || API_SECONDS=300
[ "$API_SECONDS" -ge 20 ] || API_SECONDS=20
began=$SECONDS seeds=
while :; do
  fresh=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
  seeds="$seeds $fresh"
  round "$fresh"
  [ $((SECONDS - began)) -lt "$LASTS" ] || break
done

[ -z "$FAILURES" ] || say "failures:$FAILURES"
say "seeds:$seeds"
say "fuzzed for $((SECONDS - began)) s"
echo "$PASSED passed, $FAILED failed"
[ "$FAILED" -eq 0 ]
