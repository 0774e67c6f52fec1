#!/usr/bin/env bash
# The kernels' tests under valgrind, which sees every byte, and every leak.
#
#     bash kernel/check.sh [WORDS OF CARGO]
#
# The words are a selection of packages and features in which the kernels are, which has been built already (`.ci/run`).
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || set -- -p xlayout-kernel --all-features
# What the test harness keeps for its threads valgrind calls possibly lost: that is left out.
valgrind=("$PWD/../.ci/only.sh" valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect
    --errors-for-leak-kinds=definite,indirect)
ONLY=xlayout-kernel KERNEL_CASES="${KERNEL_CASES:-200}" RUST_BACKTRACE=0 \
    cargo test -q --config "target.\"cfg(all())\".runner=[$(printf '"%s", ' "${valgrind[@]}")]" "$@" --lib --test main
