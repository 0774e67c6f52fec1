#!/usr/bin/env bash
# Compiles and runs a C program with the static and with the dynamic library, and includes the header from C++.
set -euo pipefail
cd "$(dirname "$0")"
cargo build -q --release -p xlayout-relayout-c
libraries="${CARGO_TARGET_DIR:-$PWD/../../target}/release"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
flags=(-std=c11 -Wall -Wextra -Werror -O1)
cc "${flags[@]}" check.c "$libraries/libxlayout_relayout_c.a" -lpthread -ldl -lm -o "$out/static"
"$out/static"
cc "${flags[@]}" check.c -L"$libraries" -lxlayout_relayout_c -Wl,-rpath,"$libraries" -o "$out/dynamic"
"$out/dynamic"
echo '#include "xlayout_relayout.h"' | c++ -Wall -Wextra -Werror -fsyntax-only -x c++ -I. -
