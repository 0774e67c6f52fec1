#!/usr/bin/env python3
"""Counts the public items of the facade with its default features, and fails above a limit.

It counts what `pub` declares and the documentation shows: modules, types, traits, functions, macros
and constants, and the functions and constants in `impl` blocks of types. Fields, variants and the
items of traits are not counted, and an item that two modules export counts once. The source is what
rustdoc writes: the list `all.html`, and the page of each item.

`--list` prints the items. Build the documentation first: `cargo doc -p xlayout --no-deps`.
"""
import os
import pathlib
import re
import sys

# Raise it for a reason only, which DESIGN.md states.
MOST = 392
ROOT = pathlib.Path(__file__).resolve().parent.parent
FACADE = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "doc/xlayout"


def methods(page: str) -> list[str]:
    """The functions and constants in the `impl` blocks of a type that are of no trait."""
    own = re.search(r'id="implementations-list">(.*?)(?:<h2 id="(?:deref|trait|synthetic|blanket)|$)', page, re.S)
    return re.findall(r'<section id="(?:method|associatedconstant)\.([^"]+)"', own.group(1)) if own else []


def main() -> int:
    pages = re.findall(r'<li><a href="([^"]+)">', (FACADE / "all.html").read_text())
    names: dict[tuple[str, str], list[str]] = {}
    for page in pages:
        text = (FACADE / page).read_text()
        # Two modules show one item with one declaration; links in it depend on what else is documented.
        declaration = re.search(r'<pre class="rust item-decl">(.*?)</pre>', text, re.S)
        shown = re.sub(r"<[^>]*>", "", declaration.group(1)) if declaration else page
        place = (page.rsplit("/", 1)[-1], shown)
        name = page.removesuffix(".html").replace("/", "::")
        names.setdefault(place, [name, *(f"{name}::{method}" for method in methods(text))])
    modules = {page.rsplit("/", 1)[0] for page in pages if "/" in page}
    items = sorted(modules | {name for group in names.values() for name in group})
    if "--list" in sys.argv:
        print("\n".join(items))
    methods_of_types = sum(len(group) - 1 for group in names.values())
    print(f"default facade: {len(items)} public items, at most {MOST}; {methods_of_types} of them are methods and constants of types")
    if len(items) > MOST:
        print("help: make new items private, or export them with a feature; `--list` shows all of them")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
