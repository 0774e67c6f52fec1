#!/usr/bin/env bash
# The tests of `numpy/`: kernels are called with arrays of NumPy, in a new environment that has NumPy and no JAX.
#
# Needs Python 3.11 with `venv`, and NumPy and pytest from PyPI. Where `XLAYOUT_TORCH_PYTHON` names a Python with numpy and
# torch, the tests of `torch/` run in it, too.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# CI names the library that it has tested: it takes a minute to compile.
if [ -z "${XLAYOUT_TEST_KERNELS:-}" ]; then
    cargo build -q -p xlayout-test-kernels
    export XLAYOUT_TEST_KERNELS="$target/debug/libxlayout_test_kernels.so"
fi
python3 -m venv "$work"
# shellcheck disable=SC2046 # two words
"$work/bin/python" -m pip install -q --disable-pip-version-check $(grep -E '^(numpy|pytest)==' kernel/python/requirements.txt)
export PYTHONDONTWRITEBYTECODE=1
"$work/bin/python" -m pytest -q --tb=short -p no:cacheprovider kernel/python/numpy

if [ -n "${XLAYOUT_TORCH_PYTHON:-}" ]; then
    "$XLAYOUT_TORCH_PYTHON" kernel/python/torch/test_torch.py
else
    echo "LEFT OUT: PyTorch; set XLAYOUT_TORCH_PYTHON to a Python with torch and numpy."
fi
