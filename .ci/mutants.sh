#!/usr/bin/env bash
# Mutation tests of the code that unchecked access and data movement rely on: cargo-mutants changes
# one place of it at a time, and the fast tests have to fail.
#
#   .ci/mutants.sh                     every mutant (hours)
#   .ci/mutants.sh --sample N          every Nth mutant
#   .ci/mutants.sh --changed REVISION  the mutants of lines changed since then
#   … --seconds S                      stops after so many seconds, and reports what was done
#
# It exits with 1 when fewer than 95 of 100 viable mutants are caught. Mutants that change no
# behaviour are listed, with the reason, in .ci/mutants-equivalent.txt.
set -euo pipefail
cd "$(dirname "$0")/.."

sample=1 since="" seconds=100000
while [ $# -gt 0 ]; do
    case "$1" in
        --sample) sample="$2" ;;
        --changed) since="$2" ;;
        --seconds) seconds="$2" ;;
        *) sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2 ;;
    esac
    shift 2
done
command -v cargo-mutants >/dev/null || cargo install --quiet --locked cargo-mutants

work="${CARGO_TARGET_DIR:-$PWD/target}/mutants"
rm -rf "$work"; mkdir -p "$work"
# A mutant is compiled once and tested once: no debugging information, and quick tests.
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_INCREMENTAL=1
deadline=$((SECONDS + seconds))

# The equivalent mutants: one regular expression a line, behind its reason in a comment.
exclude=()
while IFS= read -r line; do
    case "$line" in ''|\#*) ;; *) exclude+=(--exclude-re "$line") ;; esac
done < .ci/mutants-equivalent.txt

# group NAME TEST-PACKAGES -- GLOBS
group() {
    local name="$1" packages=() files=() left
    shift
    while [ "$1" != -- ]; do packages+=(--test-package "$1"); shift; done
    shift
    while [ $# -gt 0 ]; do files+=(-f "$1"); shift; done
    left=$((deadline - SECONDS))
    [ "$left" -gt 60 ] || { echo "  $name: no time left"; return; }
    local options=(--workspace --no-config "${packages[@]}" "${files[@]}" "${exclude[@]}")
    options+=(-e '**/tests.rs' -e '**/tests/**' --output "$work/$name" --no-times --colors never)
    [ "$sample" = 1 ] || options+=(--shard "0/$sample" --sharding round-robin)
    if [ -n "$since" ]; then
        git diff "$since" -- '*.rs' > "$work/$name.diff"
        options+=(--in-diff "$work/$name.diff")
    fi
    echo "  $name"
    # Missed mutants are counted below; a time-out ends the run early, which is no failure.
    timeout "$left" cargo mutants "${options[@]}" --timeout 300 -- --lib --tests \
        > "$work/$name.log" 2>&1 || true
    # What went wrong before the first mutant is no figure.
    if grep -q 'baseline.*failed\|^error' "$work/$name.log"; then
        tail -40 "$work/$name.log"
        exit 1
    fi
}

group lowering xlayout-shape xlayout-core xlayout -- 'shape/src/modes/**' 'shape/src/validate*' 'shape/src/validate/**'
group layouts xlayout-core xlayout -- 'core/src/modes/**' 'core/src/fixed/**' 'core/src/view/**' 'core/src/bitcast/**'
group relayout xlayout-relayout -- 'relayout/src/plan*' 'relayout/src/plan/**' 'relayout/src/cache*'
group kernel xlayout-kernel -- 'kernel/src/frame*' 'kernel/src/frame/**'

count() { cat "$work"/*/mutants.out/"$1".txt 2>/dev/null | wc -l; }
caught=$(count caught) missed=$(count missed) slow=$(count timeout) unviable=$(count unviable)
all=$((caught + missed + slow))
cat "$work"/*/mutants.out/missed.txt 2>/dev/null | sed 's/^/  missed: /' || true
if [ "$all" = 0 ]; then
    echo "  no mutant of these files to test"
    exit 0
fi
# A mutant that never ends is caught: the tests do not pass.
echo "  $all mutants: $((caught + slow)) caught ($(( (caught + slow) * 1000 / all )) of 1000), $missed missed, $unviable do not compile"
[ $(( (caught + slow) * 100 )) -ge $((all * 95)) ]
