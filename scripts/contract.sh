#!/usr/bin/env bash
# Holds the answers of a running server against http/openapi.json, with requests that schemathesis makes up: as a guest,
# as a user and as an admin. No 5xx, no answer that the description does not have, none of another shape.
#
# The seed is that of the day, so that a run can be repeated: CONTRACT_SEED=20260131 bash scripts/contract.sh
# CONTRACT_SECONDS bounds each of the three runs. The last line is "contract: N passed, N failed".
set -uo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
cd "$ROOT" || exit 1

SEED=${CONTRACT_SEED:-$(date -u +%Y%m%d)}
SECONDS_EACH=${CONTRACT_SECONDS:-50}
FOLDER=$TARGET/contract

# as WHO [KEY]
as() {
  local who=$1 key=${2:-}
  set -- --report junit --report-junit-path "$FOLDER/$who.xml"
  [ -z "$key" ] || set -- "$@" --header "api-key: $key"
  # Streams of events end when the client has had enough, which is no answer to look at.
  "$TOOLS/schemathesis/bin/st" --config-file scripts/schemathesis.toml run http/openapi.json --url "$SERVER_URL" \
    --phases examples,coverage,fuzzing --max-examples 5 --max-time "$SECONDS_EACH" --workers 1 \
    --seed "$SEED" --request-timeout 20 --exclude-path-regex '/events$' --no-color --continue-on-failure "$@"
}

key_of() { # ROLE
  node -e 'const all = JSON.parse(require("fs").readFileSync(process.argv[1]));
    console.log(all.find((one) => one.role === process.argv[2]).apiKey)' "$VERDIGRAPH_ACCOUNTS" "$1"
}

ensure_node
ensure_schemathesis || fail "schemathesis could not be installed"
rm -rf "$FOLDER"
mkdir -p "$FOLDER"
trap stop_server EXIT
# Made-up requests come by the thousand, and are no visitors.
export VERDIGRAPH_LIMITS_REQUESTS_PER_MINUTE_PER_KEY=1000000 VERDIGRAPH_LIMITS_REQUESTS_PER_MINUTE_PER_ADDRESS=1000000
step "starting a server with demo content" start_server "${VERDIGRAPH_BINARY:-$TARGET/debug/verdigraph}" "$FOLDER" 600 ||
  fail "the server did not start"

say "contract: the seed is $SEED"
passed=0 failed=0
for who in guest user admin; do
  case $who in
    guest) key= ;;
    user) key=$(key_of Customer) ;;
    admin) key=$(key_of Admin) ;;
  esac
  if step "the API as $who" as "$who" "$key"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "contract: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
