#!/usr/bin/env bash
# The copies under tools that see every byte: valgrind, and AddressSanitizer. The tests themselves run
# each case by all kernels, the portable ones too.
set -euo pipefail
cd "$(dirname "$0")/.."

# Both make everything slow: fewer random cases than a plain run has.
tests=(--lib --test main -- --skip slices:: --skip pages::)

echo "  valgrind"
# It knows no AVX-512, and says so to a program that asks for it.
RELAYOUT_CASES="${RELAYOUT_CASES:-8}" RELAYOUT_SMALL=1 \
CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="valgrind --quiet --error-exitcode=9" \
    cargo test -q --release -p xlayout-relayout "${tests[@]}"

echo "  AddressSanitizer"
host="$(rustc -vV | sed -n 's/^host: //p')"
runtime=$(find "$(rustc --print sysroot)/lib/rustlib/$host/lib" -name 'librustc-*_rt.asan.a' -print -quit)
if [ -z "$runtime" ]; then
    echo "    left out: the compiler brings no AddressSanitizer for $host"
    exit 0
fi
# Every compiler has the sanitizer; only nightly ones take the option without being told so.
# A test asks for more memory than there is: as without the sanitizer, the allocation fails and the program goes on.
ASAN_OPTIONS=allocator_may_return_null=1 RELAYOUT_CASES="${RELAYOUT_CASES:-30}" RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address" \
    cargo test -q --release --target "$host" \
    --target-dir "${CARGO_TARGET_DIR:-target}/sanitizer" -p xlayout-relayout "${tests[@]}"
