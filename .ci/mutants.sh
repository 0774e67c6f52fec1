#!/usr/bin/env bash
# Mutation tests of the code that unchecked access and data movement rely on: cargo-mutants changes
# one place of it at a time, and the fast tests have to fail.
#
#   .ci/mutants.sh                     every mutant (hours)
#   .ci/mutants.sh --sample N          every Nth mutant
#   … --seed K                         another sample: it begins with mutant K (0 to N-1)
#   .ci/mutants.sh --changed REVISION  the mutants of lines changed since then
#   … --seconds S                      stops after so many seconds, and reports what was done
#   … --group NAME                     one group only: lowering, layouts, bitcasts, shardings,
#                                      relayout, kernel, hlo
#
# It exits with 1 when fewer than 95 of 100 tested mutants are caught, of at least 20: of a handful,
# one missed mutant says little. It exits with 0 when there is nothing to test or no time is left,
# and with 2 when it cannot test. Mutants that change no behaviour are listed, with the reason, in
# .ci/mutants-equivalent.txt.
set -euo pipefail
cd "$(dirname "$0")/.."

sample=1 seed=0 since="" seconds=100000 only=""
while [ $# -gt 0 ]; do
    case "$1" in
        --sample) sample="${2-}" ;;
        --seed) seed="${2-}" ;;
        --changed) since="${2-}" ;;
        --seconds) seconds="${2-}" ;;
        --group) only="${2-}" ;;
        *) sed -n '2,16s/^# \{0,1\}//p' "$0"; exit 2 ;;
    esac
    # An empty value is a command that found nothing, such as `git rev-list` in a shallow copy.
    [ -n "${2-}" ] || { echo "  $1 needs a value"; exit 2; }
    shift 2
done
command -v cargo-mutants >/dev/null || cargo install --quiet --locked cargo-mutants

ran=0
work="${CARGO_TARGET_DIR:-$PWD/target}/mutants"
rm -rf "$work"; mkdir -p "$work"
# A mutant is compiled once and tested once: no debugging information.
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=1
# One copy of the sources, which stays, is changed in place: a copy at another path would compile
# every crate anew. Only files that differ are written, so that the others keep their time.
source="$work-source"
export CARGO_TARGET_DIR="$work-target"
mkdir -p "$source/.cargo"
git ls-files -z --cached --others --exclude-standard > "$work/files"
python3 - "$work/files" "$source" <<'SYNC'
import pathlib, sys
files = {name for name in open(sys.argv[1]).read().split("\0") if pathlib.Path(name).is_file()}
source = pathlib.Path(sys.argv[2])
for name in files:
    new, old = pathlib.Path(name).read_bytes(), source / name
    # The tests that run here need no kernels, copies and messages, which would be built for each mutant.
    if name == "Cargo.toml":
        needed = [line for line in new.decode().splitlines(keepends=True) if not line.startswith(
            ("xlayout-relayout = { path", "xlayout-dlpack = { path"))]
        new = "".join(needed).encode()
    if not old.is_file() or old.read_bytes() != new:
        old.parent.mkdir(parents=True, exist_ok=True)
        old.write_bytes(new)
# A file that is gone here is gone there.
for old in source.rglob("*"):
    name = str(old.relative_to(source))
    if old.is_file() and name not in files and not name.startswith(".cargo/"):
        old.unlink()
SYNC
# A little optimisation: it costs a second for each mutant, and the tests of relayout take 5 seconds instead of 80.
cat > "$source/.cargo/config.toml" <<'CONFIG'
[profile.dev.package.xlayout-core]
opt-level = 1
[profile.dev.package.xlayout-relayout]
opt-level = 1
# A test that never ends is stopped by its processor time: a busy machine stops no other.
[target.'cfg(unix)']
runner = ["bash", "-c", "ulimit -t 60; exec \"$0\" \"$@\""]
CONFIG
# Fewer cases of the laws and of random copies.
export LAWS_SMALL=1 RELAYOUT_CASES=20 RELAYOUT_SMALL=1 KERNEL_CASES=200
deadline=$((SECONDS + seconds))
if [ -n "$since" ]; then
    git diff "$since" -- '*.rs' > "$work/changed.diff"
    git diff "$since" --relative=apps -- '*.rs' > "$work/changed.apps.diff"
fi

# The equivalent mutants: one regular expression a line, behind its reason in a comment.
exclude=()
while IFS= read -r line; do
    case "$line" in ''|\#*) ;; *) exclude+=(--exclude-re "$line") ;; esac
done < .ci/mutants-equivalent.txt

# mutants NAME TESTS -- OPTIONS … : runs cargo-mutants until the time is over. TESTS are arguments of
# `cargo test`; `--mod NAME` is a module of the facade's tests. Only these are compiled: the copy of
# `tests/main.rs` has no others.
mutants() {
    local name="$1" left=$((deadline - SECONDS)) rc=0 tests=() options=() modules=()
    shift
    while [ "$1" != -- ]; do
        if [ "$1" = --mod ]; then
            modules+=("$2")
            shift 2
            continue
        fi
        tests+=("$1")
        # What `--cargo-arg` says is for the build, too: other tests are not even compiled.
        case "$1" in
            -p) shift; tests+=("$1"); options+=(--test-package "$1") ;;
            *) options+=("--cargo-arg=$1") ;;
        esac
        shift
    done
    shift
    if [ ${#modules[@]} -gt 0 ]; then
        # Of the checker of XLA's answers, the topics that need no other crate.
        printf 'mod %s;\n' "${modules[@]}" |
            sed 's/^mod conformance;/mod conformance { pub mod cases { pub mod bitcast; pub mod layouts; } }/' > "$source/tests/main.rs"
        tests+=(--test main)
        options+=(--cargo-arg=--test --cargo-arg=main)
    fi
    [ "$left" -gt 30 ] || { echo "  $name: no time left"; return 0; }
    echo "  $name: ${tests[*]}"
    # Without a mutant the tests pass. cargo-mutants runs the tests of the changed package for that, and
    # not those of the packages that it is told to test.
    (cd "$source/$workspace" && timeout "$left" cargo test "${tests[@]}") >> "$work/$name.log" 2>&1 || rc=$?
    case "$rc" in
        0) ;;
        124) echo "  $name: no time left"; return 0 ;;
        *) tail -40 "$work/$name.log"; echo "  $name: the tests fail without a mutant"; exit 2 ;;
    esac
    left=$((deadline - SECONDS))
    [ "$left" -gt 0 ] || return 0
    # An interrupt lets cargo-mutants write down what it has done.
    timeout -s INT "$left" cargo mutants --dir "$source/$workspace" --in-place --baseline skip --workspace \
        --no-config --colors never --no-times --timeout 1200 "${options[@]}" "$@" \
        --output "$work/$name" >> "$work/$name.log" 2>&1 || rc=$?
    # 0: all caught. 2: some missed. 3: some never ended. 124, 130: the time was over.
    case "$rc" in
        0|2|3|124|130) ;;
        *) tail -40 "$work/$name.log"; echo "  $name: cargo mutants answers $rc"; exit 2 ;;
    esac
}

# What a list says.
outcome() { cat "$work/$1/mutants.out/$2.txt" 2>/dev/null || true; }

# group NAME GLOBS -- TESTS [-- TESTS …]: the mutants of these files, by the first tests, which are built
# fast; those that they miss by the next tests, and so on.
group() {
    local name="$1" files=() tests=() again=() stage="$1" list line
    [ -z "$only" ] || [ "$only" = "$name" ] || return 0
    ran=1
    shift
    while [ "$1" != -- ]; do files+=(-f "$1"); shift; done
    files+=(-e '**/tests.rs' -e '**/tests/**' -e '**/*_tests.rs' "${exclude[@]}")
    [ "$sample" = 1 ] || files+=(--shard "$((seed % sample))/$sample" --sharding round-robin)
    [ -z "$since" ] || files+=(--in-diff "$work/changed${workspace:+.$workspace}.diff")
    while [ $# -gt 0 ]; do
        shift
        tests=()
        while [ $# -gt 0 ] && [ "$1" != -- ]; do tests+=("$1"); shift; done
        if [ "$stage" = "$name" ]; then
            mutants "$name" "${tests[@]}" -- "${files[@]}"
            outcome "$name" missed | sort > "$work/$name.missed"
        else
            again=()
            while IFS= read -r line; do
                again+=(-f "${line%%:*}" --re "^$(sed 's/[][(){}.*+?^$|\\]/\\&/g' <<< "$line")\$")
            done < "$work/$name.missed"
            # Mutants that delete a field are tried whatever `--re` says.
            grep -q 'delete field' "$work/$name.missed" || again+=(--exclude-re 'delete field')
            mutants "$stage" "${tests[@]}" -- "${again[@]}"
            # A mutant that the tests before missed, and for which no time was left, counts as missed.
            for list in caught timeout unviable; do
                outcome "$stage" "$list" | sort | comm -12 - "$work/$name.missed" > "$work/$stage.$list"
            done
            sort "$work/$stage."{caught,timeout,unviable} | comm -13 - "$work/$name.missed" > "$work/$name.left"
            mv "$work/$name.left" "$work/$name.missed"
        fi
        [ -s "$work/$name.missed" ] || return 0
        stage="$stage.others"
    done
}

# The folder of the workspace: the library's is the root.
workspace=
typed=(--mod laws --mod type_level --mod views --mod conformance --mod layouts --mod parts --mod other_values --mod arrays
    --mod packed --mod signed_strides)
group lowering \
    'shape/src/modes/**' 'shape/src/lowering.rs' 'shape/src/validate*' 'shape/src/validate/**' -- \
    -p xlayout-shape --lib -- -p xlayout-core --lib -- -p xlayout "${typed[@]}"
group layouts 'core/src/modes/**' 'core/src/layouts/**' 'core/src/array/**' \
    'core/src/array_layout*' 'core/src/array_layout/**' -- \
    -p xlayout-core --lib -- -p xlayout "${typed[@]}"
# Two layouts are compared by the tests of the whole library.
group bitcasts 'core/src/bitcast/**' -- \
    -p xlayout --mod bitcast_brute_force -- -p xlayout --mod conformance --mod bitcast
group shardings 'sharding/src/types/**' -- \
    -p xlayout-sharding --lib --all-features -- \
    -p xlayout --features sharding --mod sharding --mod sharded_types
group relayout 'relayout/src/plan*' 'relayout/src/plan/**' 'relayout/src/cache*' 'relayout/src/checks*' \
    'relayout/src/side*' 'relayout/src/general*' 'relayout/src/way*' 'relayout/src/refine*' \
    'relayout/src/padding*' 'relayout/src/in_place*' -- \
    -p xlayout-relayout --test main -- -p xlayout-relayout --lib
workspace=apps
group kernel 'kernel/src/frame*' 'kernel/src/items.rs' 'kernel/src/conversion.rs' 'kernel/src/converted.rs' \
    'kernel/src/lines.rs' 'kernel/src/poison.rs' -- \
    -p xlayout-kernel --features relayout --lib --test main
group hlo 'hlo/src/copies/**' 'hlo/src/memory/**' -- \
    -p xlayout-hlo --lib -- -p xlayout-cli --lib --test main

[ "$ran" = 1 ] || { echo "  there is no group $only"; exit 2; }

lines() { if [ -n "$1" ]; then wc -l <<< "$1"; else echo 0; fi; }
groups="lowering layouts bitcasts shardings relayout kernel hlo"
all_of() { for g in $groups; do outcome "$g" "$1"; cat "$work/$g.others"*".$1" 2>/dev/null || true; done; }
# A mutant that never ends is caught: the tests do not pass.
caught=$(all_of caught; all_of timeout)
missed=$(for g in $groups; do cat "$work/$g.missed" 2>/dev/null || true; done)
unviable=$(all_of unviable)
[ -z "$missed" ] || sed 's/^/  missed: /' <<< "$missed"
c=$(lines "$caught") m=$(lines "$missed") all=$(($(lines "$caught") + $(lines "$missed")))
if [ "$all" = 0 ]; then
    echo "  no mutant of these files was tested"
    exit 0
fi
echo "  $all mutants: $c caught ($((c * 1000 / all)) of 1000), $m missed; $(lines "$unviable") do not compile"
[ "$all" -lt 20 ] || [ $((c * 100)) -ge $((all * 95)) ]
