#!/usr/bin/env bash
# Checks packaging/ without a container engine: each file with its program or schema. `core/tests/packaging.rs` checks
# what they say about this program.
set -euo pipefail
. "$(dirname "$0")/common.sh"
cd "$ROOT"
ensure_packaging
ensure_haproxy
ensure_promtool
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools=$TOOLS/packaging/bin

say "compose.yaml by the specification of Compose"
"$tools/check-jsonschema" --builtin-schema vendor.compose-spec packaging/compose/compose.yaml

say "manifests by Kubernetes' schemas"
for file in packaging/kubernetes/*.yaml; do
  "$tools/kubernetes-validate" --strict --quiet "$file"
done

say "the load balancer's settings by HAProxy"
# Node names resolve only inside their network.
sed -E 's/ node([0-9]):8080/ 127.0.0.1:1808\1/' packaging/haproxy.cfg >"$work/haproxy.cfg"
"$(haproxy_program)" -c -f "$work/haproxy.cfg"

say "Prometheus' settings by promtool"
cp packaging/compose/prometheus.yml config/prometheus/alerts.yml "$work"
promtool check config --syntax-only "$work/prometheus.yml"

if have systemd-analyze; then
  say "the unit by systemd"
  # The program is not installed here.
  sed 's#^ExecStart=/usr/bin/verdigraph#ExecStart=/bin/true#' packaging/systemd/verdigraph@.service >"$work/verdigraph@.service"
  ln -s verdigraph@.service "$work/verdigraph@8081.service"
  SYSTEMD_LOG_LEVEL=warning systemd-analyze verify --man=no "$work/verdigraph@8081.service"
fi
say "packaging: all of it is read without complaint"
