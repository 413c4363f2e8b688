#!/usr/bin/env bash
# Takes screenshots of every page in every size and language, into screenshots/. Uses the server at VERDIGRAPH_URL, or
# starts one with demo content. SHOTS=home,login selects pages.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
cd "$ROOT"
ensure_browser_setup
ensure_served screenshots
(cd web && npm run --silent screenshots)
