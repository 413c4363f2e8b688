#!/usr/bin/env bash
# Removes build output. Data is deleted only after confirmation; without a terminal it is kept.
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$ROOT"
data=${DATA:-.data}
bash scripts/stop.sh
rm -rf "$TARGET" web/node_modules web/lighthouse/node_modules web/dist web/test-results web/playwright-report screenshots "$TOOLS"
say "removed what was built"
[ -d "$data" ] || exit 0
answer=
if [ -t 0 ]; then
  printf 'Delete all data in %s (accounts, jobs, pictures)? [y/N] ' "$data"
  read -r answer || true
fi
case $answer in
  y | Y | yes) ;;
  *)
    say "kept the data in $data"
    exit 0
    ;;
esac
# The embedded PostgreSQL is elsewhere if its user cannot enter the data folder.
elsewhere=$(cat "$data/postgres.folder" 2>/dev/null || true)
case $elsewhere in
  /var/lib/verdigraph/?*) as_root rm -rf "$elsewhere" ;;
esac
rm -rf "$data"
say "deleted $data"
