#!/usr/bin/env bash
# What .ci/mutants.sh answers: with a `cargo` that tests nothing and writes the outcomes of a case.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
printf '#!/bin/sh\n' > "$folder/bin/cargo-mutants"
cat > "$folder/bin/cargo" <<'STUB'
#!/usr/bin/env bash
[ "$1" = mutants ] || exit "$(cat "$CASE/tests.rc" 2>/dev/null || echo 0)"
while [ "$1" != --output ]; do shift; done
out="$2/mutants.out" group=$(basename "$2")
mkdir -p "$out"
for list in caught missed timeout unviable; do
    cp "$CASE/$group.$list" "$out/$list.txt" 2>/dev/null || : > "$out/$list.txt"
done
[ ! -e "$CASE/$group.rc" ] || exit "$(cat "$CASE/$group.rc")"
[ ! -s "$out/missed.txt" ] || exit 2
STUB
chmod +x "$folder"/bin/*

# outcome GROUP.LIST COUNT: so many mutants in a list
outcome() {
    local n
    for n in $(seq "$2"); do echo "a.rs:$n:1: replace f -> [u8; 2] with *"; done > "$CASE/$1"
}
# expect STATUS LAST-LINE [ARGUMENT …]
expect() {
    local status="$1" line="$2" rc=0 said
    shift 2
    said=$(CASE="$CASE" CARGO_TARGET_DIR="$folder/target" PATH="$folder/bin:$PATH" \
        .ci/mutants.sh "$@" 2>&1) || rc=$?
    if [ "$rc" != "$status" ] || [ "$(tail -1 <<< "$said")" != "  $line" ]; then
        printf 'case %s: expected status %s and "%s", found %s and:\n%s\n' \
            "$(basename "$CASE")" "$status" "$line" "$rc" "$said"
        exit 1
    fi
}
case_() { CASE="$folder/$1"; mkdir "$CASE"; }

case_ nothing
expect 0 "no mutant of these files was tested"
expect 2 "there is no group nosuch" --group nosuch
case_ all-are-caught
outcome layouts.caught 18; outcome layouts.timeout 2
expect 0 "20 mutants: 20 caught (1000 of 1000), 0 missed; 0 do not compile"
expect 0 "20 mutants: 20 caught (1000 of 1000), 0 missed; 0 do not compile" --group layouts
case_ one-of-twenty-is-missed
outcome lowering.caught 19; outcome lowering.missed 1
expect 0 "20 mutants: 19 caught (950 of 1000), 1 missed; 0 do not compile"
case_ two-of-twenty-are-missed
outcome bitcasts.caught 18; outcome kernel.missed 2; outcome shardings.unviable 3
expect 1 "20 mutants: 18 caught (900 of 1000), 2 missed; 3 do not compile"
# Of three that the first tests missed, the others catch one. A mutant that was not asked for counts nothing.
case_ the-other-tests-catch-one
outcome layouts.caught 27; outcome layouts.missed 3; outcome layouts.others.caught 1
echo "b.rs:1:1: replace g -> bool with true" > "$CASE/layouts.others.unviable"
expect 1 "30 mutants: 28 caught (933 of 1000), 2 missed; 0 do not compile"
# The third tests catch one of the two that are left.
case_ the-third-tests-catch-one
outcome lowering.caught 17; outcome lowering.missed 3
outcome lowering.others.caught 1; outcome lowering.others.missed 3; outcome lowering.others.others.caught 2
expect 0 "20 mutants: 19 caught (950 of 1000), 1 missed; 0 do not compile"
case_ too-few-to-judge
outcome kernel.missed 19
expect 0 "19 mutants: 0 caught (0 of 1000), 19 missed; 0 do not compile"
case_ the-time-is-over
outcome layouts.caught 20; echo 124 > "$CASE/layouts.rc"
expect 0 "20 mutants: 20 caught (1000 of 1000), 0 missed; 0 do not compile"
case_ the-build-fails
echo 4 > "$CASE/relayout.rc"
expect 2 "relayout: cargo mutants answers 4"
case_ the-tests-fail
echo 101 > "$CASE/tests.rc"
expect 2 "lowering: the tests fail without a mutant"
echo "  the answers of .ci/mutants.sh are right"
