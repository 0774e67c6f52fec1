#!/usr/bin/env python3
"""Checks that the files exist that the documents name, and that every test file is compiled.

Checked are names in backquotes that contain `/` and end like a source file, in the documents at the
root, in the READMEs, and in those of `apps`: from the root (or `apps`), from the folder of the document, or from the `src`
of a crate.

The tests of a package are one program, `tests/main.rs`. Cargo would not notice a file that no `mod` names.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENDINGS = "rs|sh|py|md|toml"


def main() -> int:
    documents = [ROOT / name for name in ("DESIGN.md", "CONTRIBUTING.md", "README.md")]
    documents += sorted(ROOT.glob("*/README.md"))
    documents += sorted(ROOT.glob("apps/*/*.md"))
    missing = 0
    for document in documents:
        for number, line in enumerate(document.read_text().splitlines(), 1):
            for name in re.findall(rf"`([\w./-]+/[\w.-]+\.(?:{ENDINGS}))`", line):
                folders = [ROOT, document.parent, *ROOT.glob("*/src")]
                if "apps" in document.parts:
                    folders += [ROOT / "apps", *ROOT.glob("apps/*/src")]
                if not any((folder / name).exists() for folder in folders):
                    print(f"{document.relative_to(ROOT)}:{number}: there is no file `{name}`")
                    missing += 1
    if missing:
        print("help: name the file by its path from the root")
    unnamed = 0
    programs = [ROOT / "tests/main.rs", *sorted(ROOT.glob("*/tests/main.rs")), *sorted(ROOT.glob("*/tests/*/main.rs")), *sorted(ROOT.glob("apps/**/tests/main.rs"))]
    for program in programs:
        named = set(re.findall(r"^(?:pub(?:\(crate\))? )?mod (\w+);", program.read_text(), re.MULTILINE))
        modules = {file.stem for file in program.parent.glob("*.rs")} - {"main"}
        modules |= {file.parent.name for file in program.parent.glob("*/mod.rs")}
        for module in sorted(modules - named):
            print(f"{program.relative_to(ROOT)}: help: write `mod {module};`, or its tests do not run")
            unnamed += 1
    return 1 if missing or unnamed else 0


if __name__ == "__main__":
    sys.exit(main())
