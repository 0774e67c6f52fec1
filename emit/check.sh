#!/usr/bin/env bash
# Compiles and runs what is emitted for all layouts of `tests/layouts.rs`: every element, in both directions. Then counts
# instructions of emitted C and of C that was written by hand.
set -euo pipefail
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cargo run -q --manifest-path tests/check/Cargo.toml -- "$out"
warnings=(-Wall -Wextra -Werror -Wno-unused-function)
cc -std=c99 -O1 "${warnings[@]}" "$out/check64.c" -o "$out/check64" && "$out/check64"
cc -std=c99 -O1 "${warnings[@]}" "$out/check32.c" -o "$out/check32" && "$out/check32"
c++ -O1 "${warnings[@]}" -D__host__= -D__device__= "$out/cuda.cc" -o "$out/cuda" && "$out/cuda"
for bits in 64 32; do
    rustc -D warnings --edition 2024 -A unused -A overlapping-range-endpoints "$out/check$bits.rs" -o "$out/check_rust" && "$out/check_rust"
done
"${XLAYOUT_PYTHON:-python3}" "$out/check.py"
echo "C with 64 and 32 bits, CUDA as C++, Rust and Python: every element is right, and no place of padding overflows in Rust"

# Instructions: straight code, so those in the object file are those that run.
count() { objdump -d --no-show-raw-insn "$1" | awk -v name="<$2>:" '$2 == name { inside = 1; next } /^$/ { inside = 0 } inside && $2 !~ /^(nop|data16|cs)/ { n++ } END { print n + 0 }'; }
printf '%-34s %8s %8s\n' "instructions, cc -O2" "by hand" emitted
compare() {
    local name="$1"
    cc -O2 -fno-asynchronous-unwind-tables -c "$out/$name.c" -o "$out/emitted.o"
    cc -O2 -fno-asynchronous-unwind-tables -c tests/check/hand.c -o "$out/hand.o"
    local direction hand emitted
    for direction in linear_index multi_index; do
        hand=$(count "$out/hand.o" "${name}_$direction")
        emitted=$(count "$out/emitted.o" "${name}_$direction")
        printf '%-34s %8s %8s\n' "${name}_$direction" "$hand" "$emitted"
        # Compilers choose registers in different ways: one instruction more says nothing.
        if [ "$hand" = 0 ] || [ "$emitted" = 0 ] || [ "$emitted" -gt "$((hand + 1))" ]; then
            echo "error: the emitted function takes more instructions, or none was found" >&2
            exit 1
        fi
    done
}
for name in dense column_major tiled two_levels swizzled; do compare "$name"; done
