#!/usr/bin/env bash
# Fetches the front end of the node editor: a pinned wheel from the package index that pip is configured to use, without
# Python. Run it (make editor), or source it after common.sh for ensure_editor.
# shellcheck shell=bash
declare -F download >/dev/null || . "$(dirname "${BASH_SOURCE[0]}")/common.sh"

EDITOR_PACKAGE=comfyui-frontend-package
EDITOR_WHEEL=comfyui_frontend_package-1.55.18-py3-none-any.whl
EDITOR_SHA256=34c388cdf5236b8bae57fd4d8bde54991e65f13f8247213325a6d7852b252053
# The server finds the files by the setting files.editor.
EDITOR_FOLDER=${EDITOR_FOLDER:-$TOOLS/editor}

# Unpacks the editor unless it is current. If that fails, the one of an earlier run stays in use.
ensure_editor() {
  local status=0
  [ -z "${VERDIGRAPH_FILES_EDITOR:-}" ] || return 0
  install_editor || status=$?
  [ ! -f "$EDITOR_FOLDER/index.html" ] || export VERDIGRAPH_FILES_EDITOR=$EDITOR_FOLDER
  return "$status"
}
install_editor() {
  local mark=$EDITOR_FOLDER/.installed wheel=$TOOLS/$EDITOR_WHEEL wanted
  wanted="$EDITOR_SHA256 $(cat "$ROOT"/scripts/editor.mjs "$ROOT"/web/editor/* | cksum)"
  [ "$(cat "$mark" 2>/dev/null)" = "$wanted" ] && return
  if [ ! -f "$wheel" ]; then
    have curl || download "installing curl" install_package "curl ca-certificates" curl || return 1
    mkdir -p "$TOOLS"
    download "fetching the node editor" fetch_editor "$wheel" || return 1
  fi
  step "unpacking the node editor" node "$ROOT/scripts/editor.mjs" build "$wheel" "$EDITOR_SHA256" "$ROOT/web/editor" \
    "$EDITOR_FOLDER" || return 1
  printf '%s' "$wanted" >"$mark"
}
fetch_editor() { # WHEEL
  local index cert page=$1.page base url
  index=$(pip_setting index-url)
  index=${index:-https://pypi.org/simple}
  cert=$(pip_setting cert)
  set -- "$1" --fail --location --silent --show-error --netrc-optional --connect-timeout 20 --speed-limit 1000 --speed-time 60
  [ -z "$cert" ] || set -- "$@" --cacert "$cert"
  base=$(curl "${@:2}" --header 'Accept: application/vnd.pypi.simple.v1+html, text/html;q=0.9' --output "$page" \
    --write-out '%{url_effective}' "${index%/}/$EDITOR_PACKAGE/") || return 1
  url=$(node "$ROOT/scripts/editor.mjs" link "$page" "$base" "$EDITOR_WHEEL") || return 1
  curl "${@:2}" --output "$1.part" "$url" || return 1
  rm -f "$page"
  if ! node "$ROOT/scripts/editor.mjs" check "$1.part" "$EDITOR_SHA256"; then
    rm -f "$1.part"
    return 1
  fi
  mv "$1.part" "$1"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  set -euo pipefail
  cd "$ROOT"
  ensure_node
  ensure_editor || fail "the node editor could not be fetched"
  say "the node editor is in $EDITOR_FOLDER: set files.editor (VERDIGRAPH_FILES_EDITOR) to this folder"
fi
