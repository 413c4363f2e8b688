#!/usr/bin/env bash
# Holds the answers of a running server against http/openapi.json, with requests that schemathesis makes up: as a guest,
# as a user and as an admin, side by side. No 5xx, no answer that the description does not have, none of another shape.
#
# SEED draws other requests, and repeats those of a run. CONTRACT_SECONDS bounds the three runs. The last line is
# "contract: N passed, N failed": of the three.
set -uo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
cd "$ROOT" || exit 1

SECONDS_EACH=${CONTRACT_SECONDS:-100}
EXAMPLES=${CONTRACT_EXAMPLES:-3}
FOLDER=$TARGET/contract

# as WHO [KEY]
as() {
  local who=$1 key=${2:-}
  set -- --report junit --report-junit-path "$FOLDER/$who.xml"
  [ -z "$key" ] || set -- "$@" --header "api-key: $key"
  # Streams of events end when the client has had enough, which is no answer to look at.
  "$TOOLS/schemathesis/bin/st" --config-file scripts/schemathesis.toml run http/openapi.json --url "$SERVER_URL" \
    --max-examples "$EXAMPLES" --max-time "$SECONDS_EACH" --workers 1 --seed "$SEED" --request-timeout 30 \
    --exclude-path-regex '/events$' --no-color --continue-on-failure "$@"
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

say "contract: the seed is $SEED; to repeat it: SEED=$SEED bash scripts/contract.sh"
for who in guest user admin; do
  case $who in
    guest) key= ;;
    user) key=$(key_of Customer) ;;
    admin) key=$(key_of Admin) ;;
  esac
  (
    as "$who" "$key" >"$FOLDER/$who.log" 2>&1
    echo $? >"$FOLDER/$who.status"
  ) &
  runs="${runs:-} $!"
done
# shellcheck disable=SC2086 # a list of process ids; the server is not waited for
wait $runs
passed=0 failed=0
for who in guest user admin; do
  if [ "$(cat "$FOLDER/$who.status" 2>/dev/null)" = 0 ]; then
    passed=$((passed + 1))
    say "the API as $who: $(grep -E '[0-9]+ generated' "$FOLDER/$who.log" | tail -n 1 | sed 's/^ *//')"
  else
    failed=$((failed + 1))
    say "the API as $who is not as described:"
    cat "$FOLDER/$who.log"
  fi
done
echo "contract: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
