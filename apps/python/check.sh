#!/usr/bin/env bash
# Builds the wheel, installs it into an empty environment, measures the time from `pip install` to a named copy of a JAX
# program, and runs the tests, the examples of the documentation, mypy, pyright and the notebook.
#
# Needs Python 3.11 with `venv`, and from PyPI the packages of kernel/python/requirements.txt and python/requirements.txt.
# `bash python/check.sh --keep FOLDER` leaves the wheel in the folder.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wheels=$work/wheels
if [ "${1-}" = --keep ]; then wheels=$(realpath -m "$2"); fi
# What it needs is built once for all packages outside of the workspace (`kernel/quickstart.sh`).
export CARGO_TARGET_DIR="$(realpath -m "${CARGO_TARGET_DIR:-target}")/packages"
export PYTHONDONTWRITEBYTECODE=1 JAX_PLATFORMS=cpu

pip() { "$1/bin/python" -m pip install -q --disable-pip-version-check "${@:2}"; }

echo "== format and clippy"
cargo fmt --manifest-path python/Cargo.toml --check
python3 -m venv "$work/tools"
PYO3_PYTHON="$work/tools/bin/python" cargo clippy -q --manifest-path python/Cargo.toml -- -D warnings

echo "== the wheel"
pip "$work/tools" -r python/requirements.txt
(cd python && PATH="$work/tools/bin:$PATH" maturin build --quiet --release --locked --out "$wheels")
wheel=$(ls "$wheels"/xlayout-*-cp310-abi3-*.whl)
"$work/tools/bin/python" -c '
import os, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
files = wheel.infolist()
size, packed = sum(file.file_size for file in files), sum(file.compress_size for file in files)
print(f"  {len(files)} files of {size / 1e6:.1f} MB, {packed / 1e6:.1f} MB packed")
names = [file.filename for file in files]
missing = [name for name in ("xlayout/py.typed", "xlayout/_native.pyi", "xlayout/kernels/_abi.py") if name not in names]
assert not missing, f"the wheel lacks {missing}"
assert not [name for name in names if "tests/" in name], "the wheel has the tests"
metadata = wheel.read(next(name for name in names if name.endswith(".dist-info/METADATA"))).decode()
fields = ("Version", "Summary", "Keywords", "License-Expression", "License-File", "Requires-Python", "Project-URL", "Description-Content-Type")
missing = [field for field in fields if f"\n{field}: " not in metadata]
assert not missing, f"the metadata of the wheel lack {missing}"
assert size <= 11_000_000 or "CARGO_PROFILE_RELEASE_LTO" in os.environ, "more than 11 MB"' "$wheel"

echo "== from pip install to a named copy"
python3 -m venv "$work/new"
# The packages are in the cache of pip then; the goal is 60 seconds with a warm cache.
pip "$work/tools" -r kernel/python/requirements.txt "$wheel"
begin=$(date +%s.%N)
pip "$work/new" "$wheel" "$(grep '^jax==' kernel/python/requirements.txt)"
installed=$(date +%s.%N)
(cd "$work" && "$work/new/bin/python" "$root/python/tests/first_copy.py") >"$work/copy"
end=$(date +%s.%N)
cat "$work/copy"
grep -q 'first_copy.py:' "$work/copy" || { echo "the copy has no line of the program" >&2; exit 1; }
awk "BEGIN { printf \"  %.1f s to install with a warm cache, %.1f s to the copy\\n\", $installed - $begin, $end - $installed }"

echo "== the program"
[ "$("$work/new/bin/xlayout" --version)" = "xlayout 0.1.0" ]
[ "$("$work/new/bin/python" -m xlayout explain 'f32[2,3]{0,1}' --json | grep allocated_bytes)" = '  "allocated_bytes": 24,' ]
code=0
"$work/new/bin/xlayout" explain 'f32[2,3]{1,2}' 2>"$work/error" || code=$?
[ "$code" = 2 ] && grep -q '\^' "$work/error" || { echo "the program answered $code" >&2; exit 1; }
# What is read no further ends the program without an error.
"$work/new/bin/xlayout" explain --help | head -n 1 >/dev/null

echo "== the files of GitHub"
# The action, by its own script: nothing is worse, and something is.
export PATH="$work/new/bin:$PATH"
pairs=cli/tests/data/pairs
compare() { BEFORE=$1 AFTER=$2 FAIL_ON=worse GITHUB_STEP_SUMMARY="$work/summary" bash ../.github/actions/hlo-diff/compare.sh >"$work/compared"; }
compare "$pairs/gather_cols.default.v5e.hlo" "$pairs/gather_cols.default.v5e.hlo"
compare "$pairs/gather_cols.auto.v5e.hlo" "$pairs/gather_cols.default.v5e.hlo" && { echo "what is worse passes" >&2; exit 1; }
grep -q 'copy' "$work/summary"
# The archive, by the name and the place that `cli/Cargo.toml` tells cargo-binstall.
bash ../.github/archive.sh x86_64-unknown-linux-gnu "$work/new/bin/xlayout" "$work/dist"
url=$(sed -n 's/^pkg-url = "\(.*\)"/\1/p' cli/Cargo.toml)
url=${url//'{ target }'/x86_64-unknown-linux-gnu}
url=${url//'{ archive-suffix }'/.tgz}
tar -tzf "$work/dist/${url##*/}" | grep -qx ./xlayout
# What is written in the workflows is YAML, and every script that they name exists.
"$work/tools/bin/python" python/tests/workflows.py

echo "== tests, of the installed package"
cd "$work"
python() { "$work/tools/bin/python" "$@"; }
python -m pytest -q -p no:cacheprovider "$root/python/tests"
installed=$(python -c 'import pathlib, xlayout; print(pathlib.Path(xlayout.__file__).parent)')
python -m pytest -q -p no:cacheprovider --doctest-modules "$installed"
python -m doctest "$root/python/README.md"

echo "== types"
# A program that uses the installed package, and the sources themselves.
python -m mypy --strict --cache-dir "$work/mypy" "$root/python/tests/typed.py"
(cd "$root/python" && python -m mypy --strict --cache-dir "$work/mypy" xlayout)
(cd "$root/python" && python -m pyright --project pyproject.toml --pythonpath "$work/tools/bin/python")

echo "== the notebook"
python "$root/python/tests/notebook.py" "$root/python/audit.ipynb" "$work/page.html"
. "$root/cli/chromium.sh"
if [ "$chromium" != none ]; then
    browse --window-size=1000,4000 --screenshot="$work/page.png" "file://$work/page.html" >/dev/null
    size=$(wc -c <"$work/page.png")
    [ "$size" -gt 60000 ] || { echo "  the page is blank: $size bytes as PNG" >&2; exit 1; }
    echo "  $size bytes as PNG"
fi
