#!/usr/bin/env bash
# 1,000 calls of JAX into kernels that AddressSanitizer watches: accesses beyond an array, and memory
# that the kernels' library never frees.
set -euo pipefail
cd "$(dirname "$0")/../.."

target="${CARGO_TARGET_DIR:-$PWD/target}/sanitizer"
# `LD_PRELOAD` takes no path with a space.
mine=$(mktemp -d)
trap 'rm -rf "$mine"' EXIT
python="${XLAYOUT_PYTHON:-${CARGO_TARGET_DIR:-$PWD/target}/python/bin/python}"
host="$(rustc -vV | sed -n 's/^host: //p')"
runtime=$(find "$(rustc --print sysroot)/lib/rustlib/$host/lib" -name 'librustc-*_rt.asan.a' -print -quit)
if [ -z "$runtime" ]; then
    echo "    left out: the compiler brings no AddressSanitizer for $host"
    exit 0
fi
# Every compiler has the sanitizer; only nightly ones take the option without being told so.
# In a folder of its own: build scripts see the variable, and all other builds would begin anew.
RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address" cargo build -q \
    --target "$host" --target-dir "$target" -p xlayout-test-kernels

# Python is not built with the sanitizer, so its runtime has to be loaded before the kernels. Rust
# brings it for programs only: without the part that such a one starts with it is a shared object.
cp "$runtime" "$mine/runtime.a"
ar d "$mine/runtime.a" asan_preinit.cpp.o
cc -shared -o "$mine/libasan-runtime.so" \
    -Wl,--whole-archive "$mine/runtime.a" -Wl,--no-whole-archive -lpthread -ldl -lm -lrt

# It looks for C++'s exceptions when it starts, and Python has none.
preload="$mine/libasan-runtime.so $(cc -print-file-name=libstdc++.so.6)"
run() {
    RUST_BACKTRACE=0 LD_PRELOAD="$preload" PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1 \
        ASAN_OPTIONS="$1" "$python" kernel/python/tests/thousand_calls.py \
        "$target/$host/debug/libxlayout_test_kernels.so" >"$mine/log" 2>&1
}
if ! run detect_leaks=0; then
    cat "$mine/log"
    exit 1
fi
# Python and JAX leave memory behind on purpose. A leak of ours has a function or the library of ours in its stack;
# every path may have a folder of our name.
run detect_leaks=1 || true
grep -q "^SUMMARY: AddressSanitizer: .* leaked" "$mine/log" || { tail "$mine/log"; exit 1; }
if grep -E '^ +#[0-9]+ 0x[0-9a-f]+ (in [^(/]*xlayout|.*/libxlayout_test_kernels\.so)' "$mine/log"; then
    echo "    the kernels' library leaks"
    exit 1
fi
grep calls "$mine/log"
