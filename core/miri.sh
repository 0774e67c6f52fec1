#!/usr/bin/env bash
# Core's views, indices and slices under Miri: unchecked access by indices, linear indices and axes,
# of dense, tiled, packed, branded and run-time layouts, of parts that threads write to, of tensors of DLPack, and
# copies of parts by relayout.
# It runs with 64-bit and with 32-bit pointers, or with those of the targets that are named: `bash core/miri.sh
# i686-unknown-linux-gnu`. Miri interprets, so the other target needs no compiler and no library.
#
# A nightly compiler with `miri` and `rust-src` is installed where it is missing. Where it cannot be
# downloaded, the script says so and ends with 0; with XLAYOUT_REQUIRE_MIRI=1 it ends with 1.
set -euo pipefail
cd "$(dirname "$0")/.."
nightly="${XLAYOUT_NIGHTLY:-nightly}"

if ! cargo "+$nightly" miri --version >/dev/null 2>&1 &&
    ! rustup toolchain install "$nightly" --profile minimal -c miri -c rust-src >/dev/null 2>&1; then
    echo "LEFT OUT: Miri; rustup cannot install \`$nightly\` with the components miri and rust-src"
    [ "${XLAYOUT_REQUIRE_MIRI:-0}" != 1 ]
    exit 0
fi

# The tests catch panics, and Miri takes half a second for each backtrace. cargo-miri takes the
# variables from the time of the build, so they are set before it.
export MIRIFLAGS="${MIRIFLAGS:-} -Zmiri-disable-isolation" RUST_BACKTRACE=0
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(x86_64-unknown-linux-gnu i686-unknown-linux-gnu)
for target in "${targets[@]}"; do
    echo "  $target"
    run() { cargo "+$nightly" miri test --quiet --target "$target" "$@"; }
    run -p xlayout-core --lib -- axis in_logical_sequence packed_numbers_in_loops block_at_the_edge
    # `typed_tiles` takes minutes; `tiles_are_the_whole` makes the same accesses. Of 32 bits are the tests that take least: the
    # others make the same accesses in more layouts, and `tests/thirty-two-bit.sh` runs them with their arithmetic.
    skipped=(--skip typed_tiles) tensors=()
    if [ "$target" = x86_64-unknown-linux-gnu ]; then
        # The examples in the documentation call every method of a view.
        run -p xlayout-core --doc -- view:: array_layout:: dynamic:: rearrange:: specialize part:: region::
    else
        skipped+=(--skip dynamic_layouts --skip copies_to_other_layouts --skip a_size_that_the_run_time_knows
            --skip packed_steps::steps_of_either_sign --skip lending::operations)
        tensors=(--skip layouts_of_parts)
    fi
    run -p xlayout --test main -- "${skipped[@]}" \
        other_values:: views:: parts:: signed_strides:: packed:: packed_steps:: lending:: hostile_closures::
    # Memory that is freed twice, or never, is an error of Miri.
    run -p xlayout-dlpack --test tensors -- "${tensors[@]}"
done
# Copies of parts, on threads while other threads use the elements between them. One width of pointers: the
# arithmetic is core's.
if [[ " ${targets[*]} " = *" x86_64-unknown-linux-gnu "* ]]; then
    cargo "+$nightly" miri test --quiet --target x86_64-unknown-linux-gnu -p xlayout-relayout --lib tests::parts
fi
