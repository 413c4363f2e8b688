# Python packages that tests need, each list in a virtual environment of its own. Sourced by common.sh.
# shellcheck shell=bash

# ensure_python NAME TEXT: installs scripts/NAME.txt into .tools/NAME.
ensure_python() {
  local place=$TOOLS/$1 mark wanted
  mark=$place/.installed
  wanted=$(cksum <"$ROOT/scripts/$1.txt")
  [ "$(cat "$mark" 2>/dev/null)" = "$wanted" ] && return
  download "installing $2" install_python "$place" "$ROOT/scripts/$1.txt" || return 1
  printf '%s' "$wanted" >"$mark"
}
install_python() { # PLACE LIST
  # Debian has a separate package for virtual environments.
  if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
    install_package "python3 python3-venv" python3 || return 1
  fi
  [ -n "$PYTHON_BY_PIP" ] || ensure_uv || PYTHON_BY_PIP=yes
  [ -n "$PYTHON_BY_PIP" ] || ! install_by_uv "$1" "$2" || return 0
  install_by_pip "$1" "$2"
}
install_by_pip() { # PLACE LIST
  rm -rf "$1"
  mkdir -p "$TOOLS"
  python3 -m venv "$1" && "$1/bin/pip" install --quiet --no-input --no-deps --requirement "$2"
}

# uv installs a list with a tenth of pip's processor time: 0.7 s instead of 8.8 s for comfy-cli. Where it does not run,
# or cannot reach the index by pip's settings, pip is used.
UV_WANTED=0.13.9
# Set once uv could not be installed, so that the other lists do not wait for it again.
PYTHON_BY_PIP=
ensure_uv() {
  [ "$("$TOOLS/uv/bin/uv" --version 2>/dev/null | awk '{ print $2 }')" = "$UV_WANTED" ] && return
  printf 'uv==%s\n' "$UV_WANTED" >"$TOOLS/uv.txt" && install_by_pip "$TOOLS/uv" "$TOOLS/uv.txt"
}
install_by_uv() { # PLACE LIST
  local place=$1 list=$2 value
  rm -rf "$place"
  set -- --quiet --no-config --cache-dir "$TOOLS/uv/cache"
  "$TOOLS/uv/bin/uv" venv "$@" --no-python-downloads --python "$(command -v python3)" "$place" || return 1
  value=$(pip_setting index-url)
  [ -z "$value" ] || set -- "$@" --default-index "$value"
  for value in $(pip_setting extra-index-url); do set -- "$@" --index "$value"; done
  for value in $(pip_setting find-links); do set -- "$@" --find-links "$value"; done
  for value in $(pip_setting trusted-host); do set -- "$@" --allow-insecure-host "$value"; done
  value=$(pip_setting cert)
  env ${value:+SSL_CERT_FILE="$value"} UV_HTTP_TIMEOUT=60 \
    "$TOOLS/uv/bin/uv" pip install "$@" --no-deps --python "$place/bin/python" --requirement "$list"
}

# pip_setting NAME: pip's setting from the environment or its configuration files, where pip searches for them. Empty if
# it is not set.
pip_setting() {
  local variable file found
  variable=PIP_$(printf '%s' "$1" | tr 'a-z-' 'A-Z_')
  if [ -n "${!variable:-}" ]; then
    printf '%s' "${!variable}"
    return
  fi
  for file in "${PIP_CONFIG_FILE:-}" "${VIRTUAL_ENV:+$VIRTUAL_ENV/pip.conf}" "${XDG_CONFIG_HOME:-$HOME/.config}/pip/pip.conf" \
    "$HOME/Library/Application Support/pip/pip.conf" "$HOME/.pip/pip.conf" /etc/xdg/pip/pip.conf /etc/pip.conf; do
    [ -f "$file" ] || continue
    found=$(awk -v name="$1" '
      /^[ \t]*\[/ { section = $0 }
      section ~ /\[(global|install|download)\]/ && /^[^#;=]*=/ {
        key = $0
        sub(/[ \t]*=.*/, "", key); sub(/^[ \t]*/, "", key)
        if (key == name) { sub(/^[^=]*=[ \t]*/, ""); sub(/[ \t\r]*$/, ""); print; exit }
      }' "$file")
    if [ -n "$found" ]; then
      printf '%s' "$found"
      return
    fi
  done
}
