#!/usr/bin/env python3
"""Checks that features are additive: `cargo check` of each crate with sets of its features.

At most two features are on, or at most two are off. Of any five features either at most two are on or at most two
are off, so code that depends on five features or fewer is compiled with each state of them that there can be.
Sets that enable the same features are checked once: `std` and `std,alloc` are one set where `std`
enables `alloc`. `half`, `float8` and `num-complex` implement the traits of elements for the types of
other crates. They are checked one by one, all together, and with everything else. Then it checks
what the macros say about notations whose feature is off.

    python3 .ci/features.py          all crates
    python3 .ci/features.py shape .  the crates in these folders
"""
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["shape", "macros", "core", "xla", "sharding", "interop", "relayout", ".", "apps/kernel"]
MOST = 2
ELEMENTS = {"half", "float8", "num-complex"}

# The feature that is off, code, and the beginning of the message.
MESSAGES = [
    ("typenum", "type A = xlayout::layout!(f32[type N, 3]);",
     "a size that is a type needs the feature `typenum` of xlayout"),
    ("typenum", "type A = xlayout::layout!(f32[<=U2, 3]);",
     "`U2` is a number of typenum, which needs the feature `typenum` of xlayout"),
    ("sharding", "type A = xlayout::layout!(f32[8,4], sharding = {replicated});",
     "a sharding in `layout!` needs the feature `sharding` of xlayout"),
]


def enabled(features, chosen):
    """The features of the crate that a choice enables."""
    found, rest = set(), list(chosen)
    while rest:
        feature = rest.pop()
        if feature in features and feature not in found:
            found.add(feature)
            rest.extend(features[feature])
    return frozenset(found)


def sets(features):
    """At most so many features on, or at most so many off, where sets differ in what they enable."""
    names = sorted(set(features) - {"default"} - ELEMENTS)
    elements = sorted(ELEMENTS & set(features))
    few = [c for n in range(MOST + 1) for c in itertools.combinations(names, n)]
    chosen = few + [[f for f in names if not enabled(features, [f]) & set(off)] for off in few]
    chosen += [(e,) for e in elements] + [elements, elements + names]
    return list(dict.fromkeys(enabled(features, c) for c in chosen))


def check(folder):
    manifest = tomllib.loads((ROOT / folder / "Cargo.toml").read_text())
    name, found = manifest["package"]["name"], sets(manifest.get("features", {}))
    for features in found:
        command = ["cargo", "check", "-q", "-p", name, "--no-default-features", "--features", ",".join(sorted(features))]
        if subprocess.run(command, cwd=ROOT / folder).returncode != 0:
            sys.exit(f"error: {name} does not compile with the features {sorted(features)}")
    print(f"  {name}: {len(found)} sets of features")


def check_messages():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "src").mkdir()
        (folder / "Cargo.toml").write_text(
            '[workspace]\n[package]\nname = "without-features"\nversion = "0.0.0"\nedition = "2024"\n'
            f'[dependencies]\nxlayout = {{ path = {json.dumps(str(ROOT))}, default-features = false }}\n')
        target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").resolve()
        for feature, code, message in MESSAGES:
            (folder / "src/lib.rs").write_text(f"#![allow(dead_code)]\n{code}\n")
            run = subprocess.run(["cargo", "check", "-q"], cwd=folder, capture_output=True, text=True,
                                 env=dict(os.environ, CARGO_TARGET_DIR=str(target)))
            hint = f'features = ["{feature}"]'
            if run.returncode == 0 or f"error: {message}" not in run.stderr or hint not in run.stderr:
                sys.exit(f"error: without the feature `{feature}`, `{code}` must give the error\n"
                         f"    {message}\nand the help `{hint}`; the compiler says\n{run.stderr}")
    print(f"  {len(MESSAGES)} messages about features that are off")


if __name__ == "__main__":
    for folder in sys.argv[1:] or FOLDERS:
        check(folder)
    check_messages()
