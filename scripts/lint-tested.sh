#!/usr/bin/env bash
# A RUSTC_WORKSPACE_WRAPPER for `cargo test` that lints each of our crates once: a library is linted where its own tests
# are built, and as shipped (lint-only.sh), but not where other crates' tests use it.
set -euo pipefail
case " $* " in
  *' --test '*) ;;
  *' --crate-type lib '*) exec "$@" ;;
esac
exec clippy-driver "$@"
