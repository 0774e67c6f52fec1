#!/usr/bin/env bash
# Core's views, indices and slices under Miri: every access that is not checked, on this machine's
# pointers and on 32-bit ones (Miri interprets, so that nothing of that target is needed).
# Needs a nightly compiler with the component `miri` and `rust-src`.
set -euo pipefail
cd "$(dirname "$0")/.."
export MIRIFLAGS="${MIRIFLAGS:-} -Zmiri-disable-isolation" PROPTEST_CASES=4

for target in x86_64-unknown-linux-gnu i686-unknown-linux-gnu; do
    run() { cargo +nightly miri test --quiet --target "$target" "$@"; }
    run -p xlayout-core --lib axis
    # The examples of the documentation run every method of a view.
    run -p xlayout-core --doc -- view:: index:: axis:: iter:: array_layout:: dynamic:: rearrange:: bitcast::view
    run -p xlayout --test other_values --test views --test parts
done
