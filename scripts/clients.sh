#!/usr/bin/env bash
# Generates typed clients from the OpenAPI documents of published mini apps of a running server, as docs/api.md shows, and
# checks that they compile: for TypeScript with openapi-typescript, for Python with openapi-python-client.
#
# clients.sh URL FOLDER
set -euo pipefail
. "$(dirname "$0")/common.sh"

URL=$1
FOLDER=$2
# The most apps to generate clients for; one takes about two seconds.
MOST=8

ensure_node
ensure_node_modules
ensure_clients || fail "the generator of Python clients could not be installed"
rm -rf "$FOLDER"
mkdir -p "$FOLDER"
cd "$FOLDER"
export PATH=$TOOLS/clients/bin:$PATH PYTHONPATH=$FOLDER PYTHONDONTWRITEBYTECODE=1
printf 'literal_enums: true\n' >config.yml
cat >use.ts <<'END'
import type { components, operations } from './app.js'

type Run = operations['run']
export type Form = Run['requestBody']['content']['application/json']
export const idOf = (job: Run['responses'][201]['content']['application/json']): string => job._id
export const pictures = (nodes: components['schemas']['AppOutputView'][]): string[] =>
  nodes.flatMap(({ outputs }) => outputs.images ?? []).map(({ url }) => url)
END
cat >use.py <<'END'
from client import AuthenticatedClient
from client.api.jobs import cancel, job, outputs, run, status
from client.models import AppOutputView, RunBody

assert all(callable(call.sync) for call in (cancel, job, outputs, run, status))
assert AuthenticatedClient(base_url="http://localhost", token="key") and AppOutputView and RunBody
END

# Prints a field of the JSON on standard input.
field() { node -e 'console.log(JSON.parse(require("fs").readFileSync(0))[process.argv[1]])' "$1"; }

apps=$(curl -sf "$URL/api/public/mini-app?limit=$MOST" | node -e '
  const { items } = JSON.parse(require("fs").readFileSync(0))
  console.log(items.map(({ workflowApi }) => workflowApi).join("\n"))')
count=0
for app in $apps; do
  version=$(curl -sf "$URL/api/public/workflow-api/$app" | field version)
  curl -sf "$URL/api/public/workflow-api/$app/version/$version/openapi" -o app.json
  "$ROOT/web/node_modules/.bin/openapi-typescript" app.json --output app.d.ts >/dev/null
  node "$ROOT/web/node_modules/typescript-native/bin/tsc" --noEmit --strict --target es2022 --module esnext \
    --moduleResolution bundler --types '' use.ts app.d.ts
  openapi-python-client generate --path app.json --meta none --config config.yml --output-path client \
    --overwrite --fail-on-warning
  python use.py
  count=$((count + 1))
done
[ "$count" -gt 0 ] || fail "the server has no published mini app"
say "clients of $count mini apps compile"
