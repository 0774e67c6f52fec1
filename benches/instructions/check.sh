#!/usr/bin/env bash
# Counts the instructions of one call of each typed access and of the same access written by hand, and fails
# when a typed one needs more. Deterministic: callgrind counts, no clock is looked at.
#
# Needs valgrind. Counted is each function with all that it calls, over 64 calls with different
# indices; both are compiled as functions of their own that the compiler may not inline.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
export CARGO_INCREMENTAL=0 # Incremental builds have other code.
cargo build --quiet --release --bin instructions
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
valgrind --quiet --tool=callgrind --callgrind-out-file="$out/counts" "$target/release/instructions" 2>"$out/log" ||
    { cat "$out/log"; exit 1; }
callgrind_annotate --inclusive=yes --threshold=100 "$out/counts" >"$out/table"
exec awk -f instructions/compare.awk "$out/table"
