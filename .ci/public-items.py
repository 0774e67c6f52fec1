#!/usr/bin/env python3
"""Records the public items of each published crate, and counts those of the facade.

    python3 .ci/public-items.py                      the library, after the step `documentation` of .ci/run
    python3 .ci/public-items.py apps                 the apps, after the step `apps_documentation`
    python3 .ci/public-items.py conversions          after the step `conversions`
    python3 .ci/public-items.py --list CRATE         each item of a crate, with its signature

An item is what `pub` declares and the documentation shows: modules, types, traits, functions, macros and constants, and the
functions and constants in `impl` blocks of types. The source is what rustdoc writes: the list `all.html`, and the page of each item.

A record, `.ci/public-items/GROUP.txt`, has a line for each type, trait, function, macro and constant: a number that is made of its
declaration and the signatures of its methods, its path, and the names of its methods. A change of it is a change of what users
compile against: CHANGELOG.md says it, `UPDATE_EXPECT=1` renews the record, and a version that is not compatible has another
number. rustdoc of another version may write signatures in other words, so the record names its version, and others compare names.

The facade with its default features has at most a number of items.
"""
import hashlib
import html
import os
import pathlib
import re
import subprocess
import sys

# Raise it for a reason only, which DESIGN.md states.
MOST = 385
ROOT = pathlib.Path(__file__).resolve().parent.parent
# The workspace of a group, and its crates that are published and have a library.
GROUPS = {
    "library": (".", "shape algebra core macros typenum xla sharding interop dlpack relayout emit"),
    "apps": ("apps", "kernel kernel_macros hlo proto checkpoints view command words"),
    "conversions": ("conversions", "conversions"),
}
SECTION = r'<section id="(?:method|associatedconstant)\.(?P<name>[^"]+)"'


def folder_of_documentation(workspace: str) -> pathlib.Path:
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / workspace / "target")) / "doc"


def text_of(page: str) -> str:
    """What a reader sees, in one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", page)).split())


def items_of(crate: pathlib.Path) -> list[tuple[str, str, list[str], str]]:
    """The path, the kind, the methods and the text of declaration and signatures of each item."""
    items = []
    for page in re.findall(r'<li><a href="([^"]+)">', (crate / "all.html").read_text()):
        text = (crate / page).read_text()
        declared = re.search(r'<pre class="rust item-decl">(.*?)</pre>', text, re.S)
        own = re.search(r'id="implementations-list">(.*?)(?:<h2 id="(?:deref|trait|synthetic|blanket)|$)', text, re.S)
        methods = re.findall(SECTION, own[1]) if own else []
        signatures = re.findall(SECTION + r'.*?<h4 class="code-header">(.*?)</h4>', own[1], re.S) if own else []
        parts = [text_of(declared[1]) if declared else page, *sorted(text_of(signature) for _, signature in signatures)]
        kind = page.rsplit("/", 1)[-1].split(".", 1)[0]
        path = re.sub(rf"{kind}\.(\w+)\.html$", r"\1", page).replace("/", "::")
        items.append((path, kind, methods, "\n".join(parts)))
    return items


def record_of(crate: str, folder: pathlib.Path) -> list[str]:
    lines = []
    for path, kind, methods, text in sorted(items_of(folder / f"xlayout_{crate}")):
        number = hashlib.sha256(text.encode()).hexdigest()[:6]
        lines.append(" ".join([f"{number} {crate}::{path}", kind, *methods]))
    return lines


def differences(seen: list[str], recorded: list[str], same_version: bool) -> list[str]:
    def keyed(lines: list[str]) -> dict[str, tuple[str, str]]:
        entries = [line.split(" ", 3) for line in lines]
        return {f"{entry[2]} {entry[1]}": (entry[0] if same_version else "", "".join(entry[3:])) for entry in entries}

    new, old = keyed(seen), keyed(recorded)
    found = [f"new: {name}" for name in new.keys() - old.keys()] + [f"gone: {name}" for name in old.keys() - new.keys()]
    for name in new.keys() & old.keys():
        now, before = (set(entry[name][1].split()) for entry in (new, old))
        changes = [f"new {', '.join(sorted(now - before))}"] * bool(now - before) + [f"gone {', '.join(sorted(before - now))}"] * bool(before - now)
        if not changes and new[name][0] != old[name][0]:
            changes = ["its declaration or a signature"]
        found += [f"changed: {name}: {change}" for change in changes]
    return sorted(found)


def check_record(group: str) -> int:
    workspace, crates = GROUPS[group]
    folder = folder_of_documentation(workspace)
    seen = [line for crate in crates.split() for line in record_of(crate, folder)]
    version = subprocess.run(["rustdoc", "--version"], capture_output=True, text=True, check=True).stdout.split()[1].rsplit(".", 1)[0]
    file = ROOT / f".ci/public-items/{group}.txt"
    if "UPDATE_EXPECT" in os.environ:
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join([f"rustdoc {version}", *seen]) + "\n")
    of_version, *recorded = file.read_text().splitlines()
    found = differences(seen, recorded, of_version == f"rustdoc {version}")
    for difference in found:
        print(f"error: {difference}")
    if found:
        print("help: if this is meant, say it in CHANGELOG.md and renew the record with UPDATE_EXPECT=1")
    return 1 if found else 0


def count_of_facade() -> int:
    facade = folder_of_documentation(".") / "xlayout"
    # Two modules show one item with one declaration.
    names: dict[tuple[str, str], list[str]] = {}
    for path, kind, methods, text in items_of(facade):
        name = f"{kind} {path}"
        place = (kind, path.rsplit("::", 1)[-1], text.split("\n", 1)[0])
        names.setdefault(place, [name, *(f"{name}::{method}" for method in methods)])
    pages = re.findall(r'<li><a href="([^"]+)">', (facade / "all.html").read_text())
    modules = {page.rsplit("/", 1)[0] for page in pages if "/" in page}
    items = modules | {name for group in names.values() for name in group}
    methods_of_types = sum(len(group) - 1 for group in names.values())
    print(f"default facade: {len(items)} public items, at most {MOST}; {methods_of_types} of them are methods and constants of types")
    if len(items) > MOST:
        print("help: make new items private, or export them with a feature; `--list xlayout` shows all of them")
        return 1
    return 0


def main() -> int:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--list"]:
        crate = arguments[1]
        workspace = next((of for of, crates in GROUPS.values() if crate.removeprefix("xlayout_") in crates.split()), ".")
        for path, kind, _, text in sorted(items_of(folder_of_documentation(workspace) / crate)):
            print(f"{kind} {path}\n    " + text.replace("\n", "\n    "))
        return 0
    group = arguments[0] if arguments else "library"
    if group not in GROUPS:
        print(f"error: there is no group {group}; help: the groups are {', '.join(GROUPS)}")
        return 1
    counted = count_of_facade() if group == "library" else 0
    return check_record(group) | counted


if __name__ == "__main__":
    sys.exit(main())
