#!/usr/bin/env bash
# The kernels' tests under valgrind, which sees every byte, and every leak.
set -euo pipefail
cd "$(dirname "$0")/.."

# Bytes that are only still reachable are the threads' own and the standard library's; what a panic
# of a test allocates for its message is given back.
KERNEL_CASES="${KERNEL_CASES:-200}" RUST_BACKTRACE=0 \
CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible" \
    cargo test -q -p xlayout-kernel --all-features --tests
