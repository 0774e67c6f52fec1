#!/usr/bin/env bash
# Addresses of arrays of ndarray, nalgebra and faer under Miri: reads, writes, round trips. (`candle` has no unsafe code
# here.) A nightly compiler is found or left out as `core/miri.sh` says.
set -euo pipefail
cd "$(dirname "$0")"
nightly="${XLAYOUT_NIGHTLY:-nightly}"

if ! cargo "+$nightly" miri --version >/dev/null 2>&1 &&
    ! rustup toolchain install "$nightly" --profile minimal -c miri -c rust-src >/dev/null 2>&1; then
    echo "LEFT OUT: Miri; rustup cannot install \`$nightly\` with the components miri and rust-src"
    [ "${XLAYOUT_REQUIRE_MIRI:-0}" != 1 ]
    exit 0
fi
MIRIFLAGS="${MIRIFLAGS:-} -Zmiri-disable-isolation" RUST_BACKTRACE=0 \
    cargo "+$nightly" miri test --quiet --features ndarray,nalgebra,faer --test main -- ndarray:: nalgebra:: faer::
