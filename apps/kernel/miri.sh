#!/usr/bin/env bash
# Calls of kernels under Miri: XLA's structures, good and bad ones, and the arrays that they lead to. Kernels need pointers
# of 64 bits; Miri interprets, so no compiler and no library of the target is needed. `.ci/miri.sh` says where Miri comes
# from.
set -euo pipefail
cd "$(dirname "$0")/.."
source ../.ci/miri.sh
cargo "+$nightly" miri test --quiet --target x86_64-unknown-linux-gnu -p xlayout-kernel --test main -- --skip a_thousand_calls \
    frames:: contract::accepted:: batch:: tasks_that_begin_late without_xla::
