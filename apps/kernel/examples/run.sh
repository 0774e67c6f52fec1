#!/usr/bin/env bash
# Builds the kernels, and runs the drivers: all of them, or those that are named.
#
#   bash kernel/examples/run.sh                  every driver: results checked, tables of times
#   bash kernel/examples/run.sh softmax rope     these
#   bash kernel/examples/run.sh --check          every driver: results only, over poisoned memory, no times
#   XLAYOUT_SECONDS=1 bash kernel/examples/run.sh    one second for each row of a table; else three
#
# Needs JAX: `XLAYOUT_PYTHON` names the interpreter that has it; else it is that of `target/python`, or `python3`.
set -euo pipefail
cd "$(dirname "$0")/../.."
cargo build --quiet --release -p xlayout-kernel-examples
python=${XLAYOUT_PYTHON:-}
if [ -z "$python" ]; then
    python="${CARGO_TARGET_DIR:-$PWD/target}/python/bin/python"
    [ -x "$python" ] || python=python3
fi
export XLAYOUT_EXAMPLES="${CARGO_TARGET_DIR:-target}/release/libxlayout_kernel_examples.so"
export PYTHONPATH="python${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1

drivers=()
for argument; do
    case $argument in
        --check) export XLAYOUT_CHECK=1 XLAYOUT_POISON=1 ;;
        *) drivers+=("$argument") ;;
    esac
done
[ ${#drivers[@]} -gt 0 ] || drivers=(plain columns batch fast gemv images rms_norm softmax rope small transpose various networks first transforms)
if [ -z "${XLAYOUT_CHECK:-}" ]; then
    # Memory that is freed stays with the process. Else each call's output is fresh memory, and a table
    # of large arrays compares how the system clears pages, the same for both.
    export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=100000000000 MALLOC_TOP_PAD_=268435456 MALLOC_ARENA_MAX=1
fi
for driver in "${drivers[@]}"; do
    printf '\n== %s\n' "$driver"
    "$python" "kernel/examples/$driver.py"
done
