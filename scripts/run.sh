#!/usr/bin/env bash
# Installs what is missing, builds what changed, and serves in the foreground. Needs a network the first time; the
# second start builds nothing.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/editor.sh"
PORT=${PORT:-8080}
DATA=${DATA:-.data}
# `quick` builds in half the time of `release`, which is for production.
PROFILE=${PROFILE:-quick}
cd "$ROOT"
mkdir -p "$DATA"

ensure_compiler
ensure_rust
ensure_node
ensure_postgres "$DATA"
ensure_node_modules
ensure_web
ensure_editor || say "going on without the node editor: /comfyui tells how to get it"
began=$SECONDS
[ -x "$TARGET/$PROFILE/verdigraph" ] || say "building the server for the first time: several minutes on two cores"
cargo build --profile "$PROFILE" --locked -p verdigraph-http --bin verdigraph
[ $((SECONDS - began)) -lt 3 ] || say "building the server: done in $((SECONDS - began)) s"

# Purchases can be tried: a page of our own stands for the payment provider. A public server refuses it.
case ${VERDIGRAPH_SERVER_BASE_URL:-} in
  https://*) ;;
  *) export VERDIGRAPH_PAYMENTS_TEST_PROVIDER=${VERDIGRAPH_PAYMENTS_TEST_PROVIDER:-true} ;;
esac
"$TARGET/$PROFILE/verdigraph" serve --port "$PORT" --data "$DATA" --demo &
server=$!
trap 'kill -INT "$server" 2>/dev/null' INT
trap 'kill -TERM "$server" 2>/dev/null' TERM HUP

# GNU make blocks an interrupt that was sent to it alone, and waits for us. /proc shows this, and the signal is passed
# on.
interrupted_above() {
  local blocked
  blocked=$(awk '/^SigBlk:/ {print $2}' "/proc/$PPID/status" 2>/dev/null) || return 1
  [ -n "$blocked" ] && [ $((16#${blocked#????????} & 2)) -ne 0 ]
}
if [ -r "/proc/$PPID/status" ] && ! interrupted_above; then
  while kill -0 "$server" 2>/dev/null; do
    if interrupted_above; then
      kill -INT "$server" 2>/dev/null
      break
    fi
    sleep 1
  done &
  watcher=$!
fi

# A trapped signal interrupts `wait`; the loop waits for the server's end.
status=0
while kill -0 "$server" 2>/dev/null; do
  wait "$server" && status=0 || status=$?
done
[ -z "${watcher:-}" ] || kill "$watcher" 2>/dev/null || true
exit "$status"
