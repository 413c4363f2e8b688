# Starts a server for a script on a free port with its own data folder, and stops it at the end.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/editor.sh"

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# start_server BINARY FOLDER SECONDS: sets SERVER_URL and SERVER_PID; waits until it is ready and has demo content.
# VERDIGRAPH_DEMO is the folder of a stopped server to copy.
start_server() {
  local binary=$1 folder=$2 limit=$3 waited=0 ports=3
  mkdir -p "$folder"
  if [ -n "${VERDIGRAPH_DEMO:-}" ] && [ ! -e "$folder/data" ]; then
    cp -a "$VERDIGRAPH_DEMO/data" "$folder/data" || return 1
  fi
  SERVER_LOG=$folder/server.log
  launch_server "$binary" "$folder"
  until grep -q '^demo content is complete' "$SERVER_LOG"; do
    # Another program may take the port before the server.
    if [ "$ports" -gt 1 ] && grep -q 'is used by another program' "$SERVER_LOG"; then
      ports=$((ports - 1))
      stop_server
      launch_server "$binary" "$folder"
    elif ! kill -0 "$SERVER_PID" 2>/dev/null || [ "$waited" -ge $((limit * 5)) ]; then
      tail -n 40 "$SERVER_LOG" >&2
      return 1
    fi
    waited=$((waited + 1))
    sleep 0.2
  done
  export VERDIGRAPH_URL=$SERVER_URL VERDIGRAPH_ACCOUNTS=$folder/data/demo-accounts.json
}

launch_server() { # BINARY FOLDER
  local port
  port=$(free_port)
  # The new process empties it later, and what it has is read at once.
  : >"$SERVER_LOG"
  VERDIGRAPH_PAYMENTS_TEST_PROVIDER=true "$1" serve --port "$port" --data "$2/data" --demo >"$SERVER_LOG" 2>&1 &
  SERVER_PID=$!
  SERVER_URL=http://localhost:$port
}

stop_server() {
  [ -n "${SERVER_PID:-}" ] || return 0
  kill -TERM "$SERVER_PID" 2>/dev/null || true
  wait "$SERVER_PID" 2>/dev/null || true
  SERVER_PID=
}

# ensure_served NAME: a server with demo content: the one at VERDIGRAPH_URL, or a new one.
ensure_served() {
  [ -z "${VERDIGRAPH_URL:-}" ] || return 0
  mkdir -p "$TARGET/$1"
  ensure_postgres "$TARGET/$1/data"
  ensure_web
  ensure_editor || say "going on without the node editor"
  step "building the server" cargo build --locked -p verdigraph-http --bin verdigraph
  trap stop_server EXIT
  step "starting a server with demo content" start_server "$TARGET/debug/verdigraph" "$TARGET/$1" 300
}

# ensure_built_served NAME: a server with demo content: the one at VERDIGRAPH_URL, or a new one of the binary that is built.
ensure_built_served() {
  [ -z "${VERDIGRAPH_URL:-}" ] || return 0
  rm -rf "${TARGET:?}/$1"
  mkdir -p "$TARGET/$1"
  trap stop_server EXIT
  step "starting a server with demo content" start_server "${VERDIGRAPH_BINARY:-$TARGET/debug/verdigraph}" "$TARGET/$1" 600 ||
    fail "the server did not start"
}

# patient_node: lets Node.js connect on a busy machine. Where a name has several addresses, as localhost may have, it gives
# each attempt but the last one 250 ms.
patient_node() {
  export NODE_OPTIONS="${NODE_OPTIONS:+$NODE_OPTIONS }--network-family-autoselection-attempt-timeout=60000"
}

# customer_key: the API key of a customer of the demo.
customer_key() {
  node -e 'const all = JSON.parse(require("fs").readFileSync(process.argv[1]));
    console.log(all.find((one) => one.role === "Customer").apiKey)' "$VERDIGRAPH_ACCOUNTS"
}

# start_release NAME: a new server with demo content, to measure: BINARY, or the release build.
start_release() {
  ensure_postgres "$TARGET/$1/data"
  ensure_web
  if [ -z "${BINARY:-}" ]; then
    step "building the server" cargo build --release --locked -p verdigraph-http --bin verdigraph
    BINARY=$TARGET/release/verdigraph
  fi
  trap stop_server EXIT
  step "starting a server with demo content" start_server "$BINARY" "$TARGET/$1" 300
}

# What a script needs to build the server and to open its pages in a browser.
ensure_browser_setup() {
  ensure_compiler
  ensure_rust
  ensure_node
  ensure_node_modules
  ensure_browser
}

# The browser for tests: Debian's headless Chromium, Chrome on macOS, or Playwright's own.
ensure_browser() {
  [ -n "${CHROMIUM:-}" ] && return
  local browser
  for browser in /usr/bin/chromium-headless-shell /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
    if [ -x "$browser" ]; then
      export CHROMIUM=$browser
      return
    fi
  done
  if have apt-get; then
    if download "installing Chromium without windows" install_package "chromium-headless-shell fonts-noto-cjk"; then
      export CHROMIUM=/usr/bin/chromium-headless-shell
    else
      download "installing Chromium" install_package "chromium fonts-noto-cjk"
      export CHROMIUM=/usr/bin/chromium
    fi
  else
    download "fetching a browser" bash -c "cd '$ROOT/web' && npx playwright install chromium"
  fi
}
