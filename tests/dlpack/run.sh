#!/usr/bin/env bash
# Builds the extension module, and calls it from NumPy and JAX. `XLAYOUT_PYTHON` is a Python with the packages of
# kernel/python/requirements.txt.
set -euo pipefail
cd "$(dirname "$0")"
python="${XLAYOUT_PYTHON:-python3}"
export PYO3_PYTHON="$python"
target="${CARGO_TARGET_DIR:-$PWD/target}"
cargo build -q --target-dir "$target"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cp "$target/debug/libdlpack_test.so" "$folder/dlpack_test.so"
JAX_PLATFORMS=cpu PYTHONPATH="$folder" "$python" -m pytest -q -p no:cacheprovider test_dlpack.py
