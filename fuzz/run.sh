#!/usr/bin/env bash
# Runs the fuzz targets, each for some seconds, as many at once as there are processors:
#
#     bash fuzz/run.sh [SECONDS [TARGET ...]]
#
# Five seconds for all targets unless others are named. It prints how many inputs each target has run,
# and fails when one of them fails. The input lies in fuzz/artifacts then; `TARGET FILE` runs it again.
# What was found to reach new code is kept in fuzz/corpus, and the next run begins with it.
#
# The compiler that is there builds them: no nightly one and no cargo-fuzz is needed, but a compiler
# of C++ for libFuzzer.
# XLAYOUT_FUZZ is the folder of the targets, this one unless it is set.
set -euo pipefail
cd "${XLAYOUT_FUZZ:-$(dirname "$0")}"

seconds="${1:-5}"
targets=("${@:2}")
if [ ${#targets[@]} -eq 0 ]; then
    for file in fuzz_targets/*.rs; do
        targets+=("$(basename "$file" .rs)")
    done
fi

host="$(rustc -vV | sed -n 's/^host: //p')"
# What cargo-fuzz passes, too: each edge counts, and so does what numbers are compared with.
flags=(--cfg fuzzing -Cpasses=sancov-module
    -Cllvm-args=-sanitizer-coverage-level=4
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
    -Cllvm-args=-sanitizer-coverage-pc-table
    -Cllvm-args=-sanitizer-coverage-trace-compares)
runtime=$(find "$(rustc --print sysroot)/lib/rustlib/$host/lib" -name 'librustc-*_rt.asan.a' -print -quit)
if [ -n "$runtime" ]; then
    # Every compiler has AddressSanitizer; only nightly ones take the option without being told so.
    export RUSTC_BOOTSTRAP=1
    flags+=(-Zsanitizer=address)
else
    echo "  AddressSanitizer is left out: the compiler brings none for $host"
fi
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}/fuzz"
bins=()
for target in "${targets[@]}"; do
    bins+=(--bin "$target")
done
begin=$SECONDS
RUSTFLAGS="${flags[*]}" cargo build -q --release --target "$host" "${bins[@]}"
echo "  built in $((SECONDS - begin)) s"
export BINARIES="$CARGO_TARGET_DIR/$host/release" SECONDS_EACH="$seconds"

# One target: its last line says how many inputs it ran.
run() {
    local target="$1" log executions seeds=() options=() longest=4096
    mkdir -p "corpus/$target" "artifacts/$target"
    case "$target" in
    convert) seeds=(../cli/tests/convert/data) ;;
    # Small ones: a module of a TPU takes as long as a hundred of those. The weights of inputs by rare edges, which
    # libFuzzer computes anew for each input, take three quarters of the time: this target reaches many edges.
    hlo) seeds=("seeds/$target" ../cli/tests/data/oom) options=(-entropic=0) longest=1024 ;;
    text | notations | reshard) seeds=("seeds/$target") ;;
    # A few numbers for each dimension: longer inputs are no other arrays.
    relayout | strided | kernels) longest=256 ;;
    esac
    log="$(mktemp)"
    # Memory is limited by libFuzzer: an allocation that a short input asks for is a failure.
    if "$BINARIES/$target" "corpus/$target" "${seeds[@]}" \
        -artifact_prefix="artifacts/$target/" -max_total_time="$SECONDS_EACH" \
        -max_len="$longest" -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=256 \
        -print_final_stats=1 -verbosity=0 "${options[@]}" >"$log" 2>&1; then
        executions="$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
        rm "$log"
        [ "${executions:-0}" -gt 0 ] || { echo "  $target: ran no input"; return 1; }
        printf '  %-12s %10s inputs\n' "$target" "$executions"
    else
        tail -n 40 "$log"
        rm "$log"
        echo "  $target: FAILED; the input lies in fuzz/artifacts/$target"
        return 1
    fi
}
export -f run
printf '%s\0' "${targets[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'set -euo pipefail; run "$1"' bash
