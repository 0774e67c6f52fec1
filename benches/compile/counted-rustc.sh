#!/usr/bin/env bash
# Cargo's RUSTC_WRAPPER: runs rustc under valgrind. A log with the number of instructions is written
# to the folder $COUNTS; its name begins with the package.
set -euo pipefail
rustc=$1
shift
root=$("$rustc" --print sysroot)
export LD_LIBRARY_PATH="$root/lib"
exec valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null \
    --log-file="$COUNTS/${CARGO_PKG_NAME:-cargo}.%p" "$root/bin/rustc" "$@"
