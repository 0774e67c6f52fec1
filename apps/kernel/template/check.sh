#!/usr/bin/env bash
# Makes a wheel of the template, with the crates of this repository, installs it into a new environment
# and calls its kernel.
#
# Needs Python with `venv`, and the packages of kernel/python/requirements.txt and maturin from PyPI.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
mine=$(mktemp -d)
trap 'rm -rf "$mine"' EXIT

cp -r kernel/template "$mine/crate"
sed -i -e "s|^xlayout = .*|xlayout = { path = \"$root/..\" }|" \
    -e "s|^xlayout-kernel = .*|xlayout-kernel = { path = \"$root/kernel\" }|" "$mine/crate/Cargo.toml"
grep -q '^xlayout-kernel = { path' "$mine/crate/Cargo.toml" || { echo "the template has other dependencies" >&2; exit 1; }
cp ../rust-toolchain.toml Cargo.lock "$mine/crate"
# What it needs is built once for all packages outside of the workspace (`kernel/quickstart.sh`).
export CARGO_TARGET_DIR="$(realpath -m "${CARGO_TARGET_DIR:-target}")/packages"

pip() { "$1/bin/python" -m pip install -q --disable-pip-version-check "${@:2}"; }
python3 -m venv "$mine/tools"
pip "$mine/tools" 'maturin>=1.7,<2' cffi
(cd "$mine/crate" && PATH="$mine/tools/bin:$PATH" maturin build --quiet --release --out "$mine/wheels")

python3 -m venv "$mine/new"
pip "$mine/new" -r kernel/python/requirements.txt cffi
# The package `xlayout` from its sources: `python/check.sh` installs its wheel.
export PYTHONPATH="$root/python" PYTHONDONTWRITEBYTECODE=1
pip "$mine/new" --no-deps "$mine"/wheels/*.whl
"$mine/new/bin/python" -m xlayout.jax "$CARGO_TARGET_DIR/release/libmine.so" |
    diff kernel/template/python/mine/__init__.pyi - || { echo "the stubs of the template are not those of its kernels" >&2; exit 1; }
cd "$mine"
# Of every size 0 and 1, too, over results that are not 0 before.
found=$(XLAYOUT_POISON=1 "$mine/new/bin/python" -c '
import jax.numpy as jnp, mine
for n in (0, 1, 4):
    print(mine.scale(jnp.arange(float(n)), a=2.0))')
[ -f "$mine"/new/lib/python3*/site-packages/mine/py.typed ] || { echo "the wheel has no stubs" >&2; exit 1; }
[ "$found" = $'[]\n[0.]\n[0. 2. 4. 6.]' ] || { echo "the kernel of the wheel answered: $found" >&2; exit 1; }
echo "a wheel of kernels was made, installed and called: $(basename "$mine"/wheels/*.whl)"
