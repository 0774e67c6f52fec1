#!/usr/bin/env bash
# What a call of a kernel costs, against the same handler in C++ from jaxlib's own headers.
#
#   bash kernel/overhead/run.sh            the table
#   bash kernel/overhead/run.sh --check    instructions only; fails if Rust takes more
#
# Needs g++, valgrind and JAX: `XLAYOUT_PYTHON` names the interpreter that has it; else it is that of `target/python`, or `python3`.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${XLAYOUT_PYTHON:-}
if [ -z "$python" ]; then
    python="${CARGO_TARGET_DIR:-$PWD/target}/python/bin/python"
    [ -x "$python" ] || python=python3
fi
here=kernel/overhead
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

cargo build --quiet --release -p xlayout-kernel-overhead
rust="${CARGO_TARGET_DIR:-target}/release/libxlayout_kernel_overhead.so"
rust=$(realpath "$rust")
cpp="$out/libhandler.so"
headers=$("$python" -c 'import jax; print(jax.ffi.include_dir())')
g++ -O3 -std=c++17 -w -shared -fPIC -I"$headers" "$here/cpp/handler.cc" -o "$cpp"
g++ -O2 -std=c++17 -I"$headers" "$here/cpp/frame.cc" -ldl -o "$out/frame"

# Instructions of one call: those of 3000 calls less those of 1000, so that loading falls away.
counted() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$out/frame" "$1" "$2" "$3" 2>&1 |
    awk '/Collected/ { print $NF }'; }
instructions() { echo $((($(counted "$1" "$2" 3000) - $(counted "$1" "$2" 1000)) / 2000)); }
row() { awk -v what="$1" -v a="$2" -v b="$3" 'BEGIN { printf "| %s | %s | %s | %.2f |\n", what, b, a, a / b }'; }

a=$(instructions "$rust" rust)
b=$(instructions "$cpp" cpp)
echo "| one call of a handler | C++ | Rust | Rust / C++ |"
echo "|---|---|---|---|"
row "instructions" "$a" "$b"
if [ "${1:-}" = --check ]; then
    ((a <= b)) || { echo "a call of the Rust handler takes more instructions than the C++ handler's" >&2; exit 1; }
    exit
fi
read -r a b < <("$out/frame" "$rust" "$cpp" time)
row "alone, ns" "$a" "$b"
PYTHONPATH="python${PYTHONPATH:+:$PYTHONPATH}" PYTHONDONTWRITEBYTECODE=1 \
    "$python" "$here/calls.py" "$rust" "$cpp"
