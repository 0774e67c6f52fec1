#!/usr/bin/env python3
"""Checks that the files exist that the documents name.

Checked are names in backquotes that contain `/` and end like a source file, in the documents at the
root and in the READMEs: from the root, from the folder of the document, or from the `src` of a crate.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENDINGS = "rs|sh|py|md|toml"


def main() -> int:
    documents = [ROOT / name for name in ("DESIGN.md", "CONTRIBUTING.md", "README.md")]
    documents += sorted(ROOT.glob("*/README.md"))
    missing = 0
    for document in documents:
        for number, line in enumerate(document.read_text().splitlines(), 1):
            for name in re.findall(rf"`([\w./-]+/[\w.-]+\.(?:{ENDINGS}))`", line):
                folders = [ROOT, document.parent, *(ROOT.glob("*/src"))]
                if not any((folder / name).exists() for folder in folders):
                    print(f"{document.relative_to(ROOT)}:{number}: there is no file `{name}`")
                    missing += 1
    if missing:
        print("help: name the file by its path from the root")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
