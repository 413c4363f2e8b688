#!/usr/bin/env bash
# Stops the server of a data folder, and an embedded PostgreSQL that a killed server left running.
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$ROOT"
file=${DATA:-.data}/verdigraph.pid
if [ ! -f "$file" ]; then
  say "nothing runs on ${DATA:-.data}"
  exit 0
fi
# Line 1: the server's process id. Line 2: the folder of its embedded PostgreSQL, if any.
pid=$(sed -n 1p "$file")
postgres=$(sed -n 2p "$file")

is_named() { ps -p "$1" -o comm= 2>/dev/null | grep -q "$2"; }
# stop PID SIGNAL NAME
stop() {
  local waited=0
  case $1 in '' | *[!0-9]*) return 0 ;; esac
  is_named "$1" "$3" || return 0
  kill "-$2" "$1" 2>/dev/null || as_root kill "-$2" "$1"
  while is_named "$1" "$3"; do
    waited=$((waited + 1))
    [ "$waited" -lt 600 ] || fail "process $1 ($3) does not stop"
    sleep 0.1
  done
  say "stopped $3 ($1)"
}

stop "$pid" TERM verdigraph
if [ -n "$postgres" ] && [ -r "$postgres/cluster/postmaster.pid" ]; then
  stop "$(sed -n 1p "$postgres/cluster/postmaster.pid")" INT postgres
fi
rm -f "$file"
