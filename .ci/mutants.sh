#!/usr/bin/env bash
# Mutation tests of the code that unchecked access and data movement rely on: cargo-mutants changes
# one place of it at a time, and the fast tests have to fail.
#
#   .ci/mutants.sh                     every mutant (hours)
#   .ci/mutants.sh --sample N          every Nth mutant
#   .ci/mutants.sh --changed REVISION  the mutants of lines changed since then
#   … --seconds S                      stops after so many seconds, and reports what was done
#   … --group NAME                     one group only: lowering, layouts, bitcasts, shardings,
#                                      relayout, kernel
#
# It exits with 1 when fewer than 95 of 100 tested mutants are caught, of at least 20: of a handful,
# one missed mutant says little. It exits with 0 when there is nothing to test or no time is left,
# and with 2 when it cannot test. Mutants that change no behaviour are listed, with the reason, in
# .ci/mutants-equivalent.txt.
set -euo pipefail
cd "$(dirname "$0")/.."

sample=1 since="" seconds=100000 only=""
while [ $# -gt 0 ]; do
    case "$1" in
        --sample) sample="${2-}" ;;
        --changed) since="${2-}" ;;
        --seconds) seconds="${2-}" ;;
        --group) only="${2-}" ;;
        *) sed -n '2,15s/^# \{0,1\}//p' "$0"; exit 2 ;;
    esac
    # An empty value is a command that found nothing, such as `git rev-list` in a shallow copy.
    [ -n "${2-}" ] || { echo "  $1 needs a value"; exit 2; }
    shift 2
done
command -v cargo-mutants >/dev/null || cargo install --quiet --locked cargo-mutants

ran=0
work="${CARGO_TARGET_DIR:-$PWD/target}/mutants"
rm -rf "$work"; mkdir -p "$work"
# A mutant is compiled once and tested once: no debugging information, no optimisation.
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=1
# Each group copies the sources to a new folder. With one target folder, which stays, the crates of
# others are compiled once.
export CARGO_TARGET_DIR="$work-target"
deadline=$((SECONDS + seconds))
if [ -n "$since" ]; then
    git diff "$since" -- '*.rs' > "$work/changed.diff"
fi

# The equivalent mutants: one regular expression a line, behind its reason in a comment.
exclude=()
while IFS= read -r line; do
    case "$line" in ''|\#*) ;; *) exclude+=(--exclude-re "$line") ;; esac
done < .ci/mutants-equivalent.txt

# mutants NAME OPTIONS … : runs cargo-mutants until the time is over.
mutants() {
    local name="$1" left=$((deadline - SECONDS)) rc=0
    shift
    [ "$left" -gt 30 ] || { echo "  $name: no time left"; return 0; }
    echo "  $name"
    # What `--cargo-arg` says is for the build, too: other tests are not even compiled. An
    # interrupt lets cargo-mutants write down what it has done.
    timeout -s INT "$left" cargo mutants --workspace --no-config --colors never --no-times \
        --timeout 120 "$@" >> "$work/$name.log" 2>&1 || rc=$?
    # 0: all caught. 2: some missed. 3: some never ended. 124, 130: the time was over.
    case "$rc" in
        0|2|3|124|130) ;;
        *) tail -40 "$work/$name.log"; echo "  $name: cargo mutants answers $rc"; exit 2 ;;
    esac
}

# group NAME TEST-PACKAGES -- GLOBS -- CARGO-ARGUMENTS: the mutants of these files, by these tests
group() {
    local name="$1" options=()
    [ -z "$only" ] || [ "$only" = "$name" ] || return 0
    ran=1
    shift
    while [ "$1" != -- ]; do
        # A crate that is not there (yet) has no tests.
        [ "$1" != xlayout ] && [ ! -d "${1#xlayout-}" ] || options+=(--test-package "$1")
        shift
    done
    shift
    while [ "$1" != -- ]; do options+=(-f "$1"); shift; done
    shift
    while [ $# -gt 0 ]; do options+=("--cargo-arg=$1"); shift; done
    options+=(-e '**/tests.rs' -e '**/tests/**' -e '**/*_tests.rs' "${exclude[@]}" --output "$work/$name")
    [ "$sample" = 1 ] || options+=(--shard "0/$sample" --sharding round-robin)
    [ -z "$since" ] || options+=(--in-diff "$work/changed.diff")
    mutants "$name" "${options[@]}"
}

group lowering xlayout-shape xlayout-core -- \
    'shape/src/modes/**' 'shape/src/lowering.rs' 'shape/src/validate*' 'shape/src/validate/**' -- --lib
group layouts xlayout-core -- \
    'core/src/modes/**' 'core/src/types/**' 'core/src/view/**' \
    'core/src/array_layout*' 'core/src/array_layout/**' 'core/src/part/**' 'core/src/region/**' -- --lib
# Two layouts are compared by the tests of the whole library.
group bitcasts xlayout -- 'core/src/bitcast/**' -- --test bitcast
group shardings xlayout-sharding -- 'sharding/src/types/**' -- --lib --all-features
# Few random cases: they run unoptimised, for each mutant.
RELAYOUT_CASES=20 RELAYOUT_SMALL=1 group relayout xlayout-relayout -- \
    'relayout/src/plan*' 'relayout/src/plan/**' 'relayout/src/cache*' -- --lib --test api
group kernel xlayout-kernel -- \
    'kernel/src/frame*' 'kernel/src/frame/**' -- --lib --test frames --test attribute --test pool

[ "$ran" = 1 ] || { echo "  there is no group $only"; exit 2; }

# What the lists of both runs say, without the times.
outcome() { cat "$work/$1/mutants.out/$2.txt" 2>/dev/null || true; }

# What the crates' own tests miss, the tests of typed layouts and views may catch.
missed_once=$(outcome lowering missed; outcome layouts missed)
if [ -n "$missed_once" ]; then
    options=(-f 'core/src/**' -f 'shape/src/**' --test-package xlayout --output "$work/again")
    for test in laws type_level views layouts parts; do
        options+=(--cargo-arg=--test "--cargo-arg=$test")
    done
    while IFS= read -r line; do
        options+=(-F "^$(sed 's/[][\.*^$()+?{}|]/\\&/g' <<< "$line")\$")
    done <<< "$missed_once"
    mutants again "${options[@]}"
fi

lines() { if [ -n "$1" ]; then wc -l <<< "$1"; else echo 0; fi; }
# A mutant that never ends is caught: the tests do not pass. One that the first run missed and for
# which there was no time again is not decided.
caught=$(for g in lowering layouts bitcasts shardings relayout kernel again; do
    outcome "$g" caught; outcome "$g" timeout; done)
missed=$(for g in bitcasts shardings relayout kernel again; do outcome "$g" missed; done)
unviable=$(for g in lowering layouts bitcasts shardings relayout kernel; do outcome "$g" unviable; done)
again=$(for o in caught timeout missed unviable; do outcome again "$o"; done)
[ -z "$missed" ] || sed 's/^/  missed: /' <<< "$missed"
c=$(lines "$caught") m=$(lines "$missed") all=$(($(lines "$caught") + $(lines "$missed")))
undecided=$(($(lines "$missed_once") - $(lines "$again")))
[ "$undecided" = 0 ] || echo "  $undecided mutants are not decided: no time was left for all tests"
if [ "$all" = 0 ]; then
    echo "  no mutant of these files was tested"
    exit 0
fi
echo "  $all mutants: $c caught ($((c * 1000 / all)) of 1000), $m missed; $(lines "$unviable") do not compile"
[ "$all" -lt 20 ] || [ $((c * 100)) -ge $((all * 95)) ]
