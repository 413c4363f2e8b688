#!/usr/bin/env bash
# Generates .sqlx: applies the migrations to an empty database and compiles every query against it.
# Uses DATABASE_URL if it is set, or else a temporary server (needs psql).
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$ROOT"
ensure_rust

as_server_user() {
  if [ "$(id -u)" -eq 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else "$@"; fi
}
cleanup() {
  [ -z "${cluster:-}" ] || as_server_user "$bin/pg_ctl" -D "$cluster/data" -m immediate stop >/dev/null 2>&1 || true
  [ -z "${cluster:-}" ] || rm -rf "$cluster"
}
trap cleanup EXIT

if [ -z "${DATABASE_URL:-}" ]; then
  have psql || fail "psql is needed here, or DATABASE_URL of a migrated database"
  bin=$(dirname "$(command -v initdb 2>/dev/null || ls -d /usr/lib/postgresql/*/bin/initdb /opt/homebrew/opt/postgresql@*/bin/initdb 2>/dev/null | tail -n 1)")
  cluster=$(mktemp -d)
  [ "$(id -u)" -ne 0 ] || chown postgres "$cluster"
  as_server_user "$bin/initdb" -D "$cluster/data" -U vg --auth=trust -E UTF8 --no-sync >/dev/null
  as_server_user "$bin/pg_ctl" -D "$cluster/data" -w -l "$cluster/log" \
    -o "-c listen_addresses= -c unix_socket_directories=$cluster -c fsync=off" start >/dev/null
  DATABASE_URL="postgres:///postgres?host=$cluster&user=vg"
  for migration in core/migrations/*.sql; do
    psql -q -v ON_ERROR_STOP=1 "$DATABASE_URL" -f "$migration"
  done
fi
export DATABASE_URL
rm -rf .sqlx
mkdir .sqlx
touch core/src/lib.rs
SQLX_OFFLINE=false SQLX_OFFLINE_DIR=$ROOT/.sqlx cargo check --workspace --all-targets
say "$(find .sqlx -name 'query-*.json' | wc -l | tr -d ' ') queries in .sqlx"
