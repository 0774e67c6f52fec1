#!/usr/bin/env bash
# Builds the test without std, links it into a C program, and runs that.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}
cargo build -q -p xlayout-no-std-test --profile no-std
echo 'long xlayout_no_std_test(void); int main(void) { return (int)xlayout_no_std_test(); }' |
    cc -x c - -x none "$target/no-std/libxlayout_no_std_test.a" -o "$target/no-std/without-std"
"$target/no-std/without-std"
echo "linked and run without std"
