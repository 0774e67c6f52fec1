#!/usr/bin/env bash
# Calls of kernels under Miri: XLA's structures, good and bad ones, and the arrays that they lead to. Kernels need pointers
# of 64 bits; Miri interprets, so no compiler and no library of the target is needed.
#
# The library's `core/miri.sh` installs Miri where it is missing, and says so where it cannot be had.
set -euo pipefail
cd "$(dirname "$0")/.."
nightly="${XLAYOUT_NIGHTLY:-nightly}"
cargo "+$nightly" miri --version >/dev/null 2>&1 || exit 0
export MIRIFLAGS="${MIRIFLAGS:-} -Zmiri-disable-isolation" RUST_BACKTRACE=0
cargo "+$nightly" miri test --quiet --target x86_64-unknown-linux-gnu -p xlayout-kernel --test main -- --skip a_thousand_calls \
    frames:: contract::accepted:: batch:: tasks_that_begin_late without_xla::
