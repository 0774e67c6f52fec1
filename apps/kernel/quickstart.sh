#!/usr/bin/env bash
# Runs the sections "First kernel", "Without JAX" and "Derivatives" of the book's chapter on kernels in a new folder, with its own lines.
# It fails if they do not work, or if those of the first kernel are too many.
#
# Needs JAX: `XLAYOUT_PYTHON` names the interpreter that has it; else it is that of `target/python`, or `python3`. The
# crates come from this repository.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
python=${XLAYOUT_PYTHON:-}
if [ -z "$python" ]; then
    python="$target/python/bin/python"
    [ -x "$python" ] || python=python3
fi
mine=$(mktemp -d)
trap 'rm -rf "$mine"' EXIT

# The first block of this language in a section.
block() {
    awk -v fence='^```'"$1"'(,|$)' -v title="## ${2:-First kernel}" '
        /^## / { section = $0 == title }
        section && inside && /^```$/ { exit }
        section && inside { print }
        section && $0 ~ fence { inside = 1 }' ../book/src/kernels.md
}
fail() { echo "book/src/kernels.md, \"First kernel\", \"Without JAX\" and \"Derivatives\": $1" >&2; exit 1; }

cargo new --quiet --lib --vcs none --name mine "$mine/mine"
cd "$mine/mine"
cp "$root/../rust-toolchain.toml" .
(cd "$root" && block toml) |
    sed -e "s|^xlayout = .*|xlayout = { path = \"$root/..\" }|" \
        -e "s|^xlayout-kernel = .*|xlayout-kernel = { path = \"$root/kernel\" }|" >manifest
grep -q '^xlayout-kernel = { path' manifest || fail "its lines for Cargo.toml were not found"
sed -i '/^\[dependencies\]$/d' Cargo.toml
cat manifest >>Cargo.toml
(cd "$root" && block rust) >src/lib.rs
(cd "$root" && block python) >use.py

rust=$(grep -vc '^ *$' src/lib.rs)
((rust < 20)) || fail "it has $rust lines of Rust; the limit is 19"
lines=$(wc -l <use.py)
((lines >= 1 && lines <= 5)) || fail "it has $lines lines of Python; the limit is 5"

# What it needs is built once for all packages outside of the workspace (`template/check.sh`). The chapter's line in
# Python names the folder `target`.
cp "$root/Cargo.lock" .
shared="$target/packages"
mkdir -p "$shared"
ln -s "$shared" target
run() {
    CARGO_TARGET_DIR="$shared" cargo build --quiet --release
    found=$(PYTHONPATH="$root/python" PYTHONDONTWRITEBYTECODE=1 "$python" use.py)
    expected=$(sed -n 's/^print(.*)  # //p' use.py)
    [ "$found" = "$expected" ] || fail "the comments say \`$expected\`; the program printed \`$found\`"
}
run
cp use.py first.py
(cd "$root" && block python "Without JAX") >use.py
! grep -q jax use.py || fail "a section without JAX imports it"
run
mv first.py use.py
(cd "$root" && block rust Derivatives) >src/lib.rs
(cd "$root" && block python Derivatives) >>use.py
run
echo "the book's first kernel: $rust lines of Rust, $lines of Python; with its derivative it printed $found"
