#!/usr/bin/env python3
"""Checks the dependencies of all published packages by the rules of deny.toml: their licences, where they come from, and that a
version is named. cargo-deny checks the same and more, and takes minutes to install.

    python3 .ci/dependencies.py            all three workspaces
    python3 .ci/dependencies.py --list     each licence and the packages that have it
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = tomllib.loads((ROOT / "deny.toml").read_text())


def allowed(expression: str) -> bool:
    """Whether a licence expression of SPDX holds with the licences that are allowed. `/` is the older `OR`."""
    words = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))
    # `X WITH Y` is one licence.
    while "WITH" in words:
        at = words.index("WITH")
        words[at - 1 : at + 2] = [" ".join(words[at - 1 : at + 2])]
    python = {"OR": "or", "AND": "and", "(": "(", ")": ")"}
    return bool(eval(" ".join(python.get(word, str(word in RULES["licenses"]["allow"])) for word in words)))


def dependencies(workspace: str) -> tuple[list[dict], list[dict]]:
    """The published packages of a workspace, and all packages that they need, without those for tests only."""
    metadata = json.loads(subprocess.run(
        ["cargo", "metadata", "--all-features", "--format-version=1"], cwd=ROOT / workspace, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    published = [package for package in packages.values() if package["source"] is None and package["publish"] is None]
    needed: set[str] = set()
    rest = [package["id"] for package in published]
    while rest:
        package = rest.pop()
        if package not in needed:
            needed.add(package)
            kinds = ((of["pkg"], {kind["kind"] for kind in of["dep_kinds"]}) for of in nodes[package]["deps"])
            rest += [name for name, kind in kinds if kind != {"dev"}]
    return published, [packages[name] for name in sorted(needed)]


def main() -> int:
    mistakes = set()
    licences = collections.defaultdict(set)
    for workspace in (".", "apps", "conversions"):
        published, needed = dependencies(workspace)
        for package in published:
            for of in package["dependencies"]:
                if of["kind"] != "dev" and of["req"] == "*":
                    mistakes.add(f"{package['name']}: its dependency {of['name']} has no version; help: name one, with a path beside it")
        for package in needed:
            name = f"{package['name']} {package['version']}"
            licence = package["license"] or "none"
            licences[licence].add(name)
            if not allowed(licence):
                mistakes.add(f"{name} ({workspace}): its licence is {licence}; help: use another crate, or allow the licence in deny.toml and say why")
            source = package["source"]
            # Cargo's own registry, under whichever address this cargo reaches it.
            if source and not source.startswith("registry+https://github.com/rust-lang/"):
                mistakes.add(f"{name} ({workspace}): it comes from {source}; help: use a version that cargo's own registry has")
    if "--list" in sys.argv:
        for licence, names in sorted(licences.items()):
            print(f"{licence}: {len(names)}: {', '.join(sorted(names)[:4])}")
    for mistake in sorted(mistakes):
        print(f"error: {mistake}")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
