#!/usr/bin/env bash
# Core's views, indices and slices under Miri: unchecked access by indices, linear indices and axes,
# of dense, tiled, packed, branded and run-time layouts, of parts that threads write to, and of tensors of DLPack.
# It runs with 64-bit and with 32-bit pointers, or with those of the targets that are named: `bash core/miri.sh
# i686-unknown-linux-gnu`. Miri interprets, so the other target needs no compiler and no library.
# `.ci/miri.sh` says where Miri comes from.
set -euo pipefail
cd "$(dirname "$0")/.."
source .ci/miri.sh

targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(x86_64-unknown-linux-gnu i686-unknown-linux-gnu)
for target in "${targets[@]}"; do
    echo "  $target"
    run() { cargo "+$nightly" miri test --quiet --target "$target" "$@"; }
    run -p xlayout-core --lib -- axis in_logical_sequence packed_numbers block_at_the_edge
    # `typed_tiles` takes minutes; `tiles_are_the_whole` makes the same accesses. Of 32 bits are the tests that take least: the
    # others make the same accesses in more layouts, and `tests/thirty-two-bit.sh` runs them with their arithmetic.
    skipped=(--skip typed_tiles) tensors=()
    if [ "$target" = x86_64-unknown-linux-gnu ]; then
        # The examples in the documentation call every method of an array.
        run -p xlayout-core --doc -- array:: array_layout:: layouts:: specialize
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
