#!/usr/bin/env bash
# Builds the extension module, and calls it from NumPy, JAX and PyTorch. `XLAYOUT_PYTHON` is a Python with the packages
# of apps/kernel/python/requirements.txt.
#
# PyTorch is used where `XLAYOUT_PYTHON` can import it, or `XLAYOUT_TORCH_PYTHON`, a Python of its own with numpy and torch.
# CI does not install it: from PyPI it is 5 GB with the libraries of CUDA, without which it does not load.
set -euo pipefail
cd "$(dirname "$0")"
python="${XLAYOUT_PYTHON:-python3}"
torch_python="${XLAYOUT_TORCH_PYTHON:-$python}"
export PYO3_PYTHON="$python"
target="${CARGO_TARGET_DIR:-$PWD/target}"
cargo build -q --target-dir "$target"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cp "$target/debug/libdlpack_test.so" "$folder/dlpack_test.so"
export PYTHONPATH="$folder" PYTHONDONTWRITEBYTECODE=1
JAX_PLATFORMS=cpu "$python" -m pytest -q -p no:cacheprovider test_dlpack.py

if "$torch_python" -c 'import torch' 2>/dev/null; then
    "$torch_python" test_torch.py
elif [ -n "${XLAYOUT_TORCH_PYTHON:-}" ]; then
    echo "$torch_python cannot import torch:" >&2
    "$torch_python" -c 'import torch'
else
    echo "LEFT OUT: PyTorch; $torch_python has no torch. Set XLAYOUT_TORCH_PYTHON to a Python with torch and numpy."
fi
