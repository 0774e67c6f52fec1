#!/usr/bin/env bash
# Copies of parts under Miri, on threads while other threads use the elements between them. `.ci/miri.sh` says where Miri
# comes from. One width of pointers: the arithmetic is core's.
set -euo pipefail
cd "$(dirname "$0")/.."
source .ci/miri.sh
cargo "+$nightly" miri test --quiet --target x86_64-unknown-linux-gnu -p xlayout-relayout --lib tests::parts
