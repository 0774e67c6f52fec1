#!/usr/bin/env bash
# The instructions of the five tasks, each called once: callgrind counts, and no clock is looked at. Both compilers
# optimise for the same processor (x86-64 without extensions).
#
#     bash benches/compare/run.sh [FOLDER]
#
# The folder has `mdspan/mdspan.hpp` (`include` of github.com/kokkos/mdspan), if the C++ compiler has no <mdspan>. Without
# both, and without a C++ compiler of C++23, the column of mdspan is left out.
set -euo pipefail
cd "$(dirname "$0")"
target="${CARGO_TARGET_DIR:-target}"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

count() {
    valgrind --quiet --tool=callgrind --callgrind-out-file="$out/$1.counts" "$2" >"$out/$1.log" 2>&1 || { cat "$out/$1.log"; exit 1; }
    callgrind_annotate --inclusive=yes --threshold=100 "$out/$1.counts" >"$out/$1.table"
}

CARGO_INCREMENTAL=0 cargo build --quiet --release
count rust "$target/release/xlayout-compare"
if "${CXX:-g++}" -std=c++23 -O3 ${1:+"-I$1"} tasks.cpp -o "$out/tasks" 2>"$out/errors"; then
    count cpp "$out/tasks"
else
    echo "left out: mdspan ($(head -n 1 "$out/errors"))"
    touch "$out/cpp.table"
fi
exec awk '
    match($0, /xlayout_compare::[a-z]+::[a-z]+/) {
        split(substr($0, RSTART, RLENGTH), part, "::"); gsub(",", "", $1); ir[part[2], part[3]] = $1
    }
    match($0, /task_[a-z]+/) {
        task = substr($0, RSTART + 5, RLENGTH - 5); gsub(",", "", $1); ir["mdspan", task] = $1
    }
    END {
        print "| task | hand-written | xlayout | ndarray | mdarray | mdspan |\n|---|---|---|---|---|---|"
        split("transpose product blur sums tiles", tasks, " ")
        split("hand xlayout ndarray mdarray mdspan", libraries, " ")
        for (t = 1; t <= 5; t++) {
            line = "| " tasks[t]
            for (l = 1; l <= 5; l++) {
                n = ir[libraries[l], tasks[t]]
                line = line (n == "" ? " | " : sprintf(" | %d (%.2f)", n, n / ir["hand", tasks[t]]))
            }
            print line " |"
        }
    }
' "$out/rust.table" "$out/cpp.table"
