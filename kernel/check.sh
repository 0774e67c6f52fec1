#!/usr/bin/env bash
# The kernels' tests under valgrind, which sees every byte, and every leak. With all features, as `.ci/run` has
# built them before.
set -euo pipefail
cd "$(dirname "$0")/.."

# What the test harness keeps for its threads valgrind calls possibly lost: that is left out.
KERNEL_CASES="${KERNEL_CASES:-200}" RUST_BACKTRACE=0 \
CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect" \
    cargo test -q -p xlayout-kernel --all-features --lib --test main
