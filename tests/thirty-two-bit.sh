#!/usr/bin/env bash
# Runs the tests of core and of what it is made of, of relayout, of tensors and of the laws on a target with 32-bit
# pointers. musl's start files and C library come with the target, and rust-lld with the toolchain: nothing of the
# system is needed. The processor must run 32-bit programs, as x86-64 does.
set -euo pipefail
cd "$(dirname "$0")/.."
target=i686-unknown-linux-musl
if ! rustup target list --installed | grep -qx "$target"; then
    rustup target add "$target"
fi
export CARGO_TARGET_I686_UNKNOWN_LINUX_MUSL_RUSTFLAGS="-C linker=rust-lld -C linker-flavor=ld.lld -C link-self-contained=yes"

# All packages at once, so that what they need is built once. What each one runs is said by the runner.
runner=$(mktemp)
trap 'rm -f "$runner"' EXIT
cat >"$runner" <<"RUNNER"
#!/usr/bin/env bash
cases=()
[ "$CARGO_PKG_NAME" != xlayout ] || cases=(laws:: limits:: other_values:: views:: layouts:: parts:: packed:: packed_steps::)
exec "$@" "${cases[@]}"
RUNNER
chmod +x "$runner"
export CARGO_TARGET_I686_UNKNOWN_LINUX_MUSL_RUNNER="$runner"
# Not the examples of relayout: their arrays are larger than the address space.
cargo test --quiet --target "$target" --features xlayout-sharding/types,xlayout/half,xlayout/float8,xlayout/num-complex --lib --test '*' \
    -p xlayout-shape -p xlayout-core -p xlayout-typenum -p xlayout-sharding -p xlayout-xla -p xlayout-interop \
    -p xlayout -p xlayout-relayout -p xlayout-dlpack
