#!/usr/bin/env bash
# Records what a C compiler says of XLA's header, for `c_api.rs` to compare with. The argument is what
# `python -c 'import jax; print(jax.ffi.include_dir())'` prints.
set -euo pipefail
cd "$(dirname "$0")"
include="${1:?the folder that has xla/ffi/api/c_api.h}"
work="$(mktemp -d)"
trap 'rm -r "$work"' EXIT
cc -std=c11 -I "$include" print.c -o "$work/print" 2>/dev/null || c++ -I "$include" -x c++ print.c -o "$work/print"
"$work/print" >recorded.txt
