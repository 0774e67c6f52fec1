#!/usr/bin/env bash
# Addresses of arrays of ndarray, nalgebra and faer under Miri: reads, writes, round trips. (`candle` has no unsafe code
# here.) `.ci/miri.sh` says where Miri comes from.
set -euo pipefail
cd "$(dirname "$0")"
source ../.ci/miri.sh
cargo "+$nightly" miri test --quiet --features ndarray,nalgebra,faer --test main -- ndarray:: nalgebra:: faer::
