#!/usr/bin/env bash
# Measures speed and accessibility of landing pages with Lighthouse, and the frame rate of a long gallery. Run it on an
# idle machine. Uses the server at VERDIGRAPH_URL, or starts one with demo content.
set -euo pipefail
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/server.sh"
cd "$ROOT"
ensure_browser_setup
# Lighthouse is large and only needed here, so it is installed here.
installed=$ROOT/web/lighthouse/node_modules/.verdigraph-installed
wanted="$(cksum <"$ROOT/web/lighthouse/package-lock.json") $(node --version)"
if [ "$(cat "$installed" 2>/dev/null)" != "$wanted" ]; then
  step "installing Lighthouse" bash -c "cd '$ROOT/web/lighthouse' && npm ci --no-audit --no-fund --loglevel=error"
  printf '%s' "$wanted" >"$installed"
fi
ensure_served lighthouse
status=0
CHROME_PATH=${CHROMIUM:-} node web/lighthouse/measure.mjs || status=1
node web/lighthouse/lcp.mjs "$VERDIGRAPH_URL" || status=1
(cd web && FRAME_MS=17.5 npx playwright test gallery --grep 'ten thousand' --reporter=list) || status=1
exit $status
