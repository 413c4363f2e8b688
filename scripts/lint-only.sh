#!/usr/bin/env bash
# A RUSTC_WORKSPACE_WRAPPER for `cargo build` that lints our crates and generates no code. Unlike `cargo check`, it uses the
# dependencies that were built for the tests.
set -euo pipefail
arguments=()
for argument; do
  case $argument in
    --emit=*) argument=--emit=dep-info,metadata ;;
    *=*/libverdigraph_*.rlib) argument=${argument%.rlib}.rmeta ;;
  esac
  arguments+=("$argument")
done
case " $* " in
  # The compiler runs these.
  *' --crate-name build_script_'* | *' --crate-type proc-macro '*) arguments=("$@") ;;
esac
exec clippy-driver "${arguments[@]}"
