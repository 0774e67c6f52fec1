#!/usr/bin/env bash
# The copies under tools that see every byte: valgrind, and AddressSanitizer. The tests themselves run
# each case by all kernels, the portable ones too.
#
#     bash relayout/check.sh [WORDS OF CARGO]
#
# The words are a selection of packages in which relayout is, which has been built already (`.ci/run`).
set -euo pipefail
cd "$(dirname "$0")/.."

# Each crate is optimised once, and not its parts again with each other: half the time, and nothing here measures time.
selection=("$@")
once=(--release --config 'profile.release.lto="off"')
[ $# -gt 0 ] || selection=("${once[@]}" -p xlayout-relayout)
# Both tools make everything slow: fewer random cases than a plain run has. Valgrind sees no large arrays: the random ones are
# copied past the cache, and in every other way that large ones are.
tests=(--lib --test main -- --skip slices:: --skip pages::)
# All small cases of a kind take minutes under valgrind. AddressSanitizer runs them.
all_small=(--skip packed_rows_become_columns --skip panels_whose_first_loop_is_short --skip columns_at_lines
    --skip strided::by_name --skip rows_in_turn)
export ONLY=xlayout-relayout

echo "  valgrind"
# It knows no AVX-512, and says so to a program that asks for it.
RELAYOUT_CASES="${RELAYOUT_CASES:-8}" RELAYOUT_SMALL=1 \
    cargo test -q --config "target.\"cfg(all())\".runner=[\"$PWD/.ci/only.sh\", \"valgrind\", \"--quiet\", \"--error-exitcode=9\"]" \
    "${selection[@]}" "${tests[@]}" "${all_small[@]}"

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
    cargo test -q "${once[@]}" --target "$host" \
    --target-dir "${CARGO_TARGET_DIR:-target}/sanitizer" -p xlayout-relayout "${tests[@]}"
