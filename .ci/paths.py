#!/usr/bin/env python3
"""Checks that the files and sections exist that the documents name, and that every test file is compiled.

Checked are, in all documents of the repository:
- names in backquotes that contain `/` and end like a source file: from the root (in `apps` also from there), from the folder
  of the document, or from the `src` of a crate. Not those of the documentation of items, which name files of its readers;
- links to files, from the folder of the document, and to sections of them; also by the address of the repository, which
  the book and the documentation of items use, whose pages are read elsewhere, too.

The tests of a package are one program, `tests/main.rs`. Cargo would not notice a file that no `mod` names, nor a filter in a
script that matches no test any more, because a module or a test has another name.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = re.compile(r"`([\w./-]+/[\w.-]+\.(?:rs|sh|py|md|toml))`")
LINK = re.compile(r"(?:\]\(|^\[\w+\]: )(?!https?:)([^)\s#]*)(?:#([^)\s]+))?(?:\)|$)")
REPOSITORY = re.compile(r"https://github\.com/xlayout/xlayout/(?:blob|tree)/main/")


def tracked_documents() -> list[pathlib.Path]:
    names = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.splitlines() if (ROOT / name).exists()]


def outside_of_code(document: pathlib.Path) -> list[str]:
    """The lines of a document; those of blocks of code are empty."""
    lines, code = [], False
    for line in document.read_text().splitlines():
        fence = line.startswith("```")
        code ^= fence
        lines.append("" if code or fence else line)
    return lines


def sections(document: pathlib.Path) -> set[str]:
    """The names that links give to the headings, as GitHub makes them."""
    titles = [line.lstrip("#").strip() for line in outside_of_code(document) if re.match("#+ ", line)]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def missing_names(document: pathlib.Path) -> list[tuple[int, str]]:
    if document.parent.name == "src":
        return []
    folders = [ROOT, document.parent, *ROOT.glob("*/src")]
    if document.relative_to(ROOT).parts[0] == "apps":
        folders += [ROOT / "apps", *ROOT.glob("apps/*/src")]
    return [
        (number, f"`{name}`")
        for number, line in enumerate(document.read_text().splitlines(), 1)
        for name in NAME.findall(line)
        if not any((folder / name).exists() for folder in folders)
    ]


def missing_links(document: pathlib.Path) -> list[tuple[int, str]]:
    missing = []
    for number, line in enumerate(outside_of_code(document), 1):
        for name, section in LINK.findall(REPOSITORY.sub("/", re.sub(r"`[^`]*`", "", line))):
            # An item, which rustdoc checks.
            if name and not re.search("[./]", name) or "::" in name:
                continue
            # The root's path may have a space.
            target = ROOT / name[1:] if name.startswith("/") else document.parent / name if name else document
            if not target.exists():
                missing.append((number, name))
            elif section and target.suffix == ".md" and section not in sections(target):
                missing.append((number, f"{name}#{section}"))
    return missing


def unnamed_modules(program: pathlib.Path) -> list[str]:
    """The files beside a `main.rs` or `mod.rs` of tests that it does not name, nor another file by `#[path = …]`."""
    named = set(re.findall(r"^(?:pub(?:\(crate\))? )?mod (\w+);", program.read_text(), re.MULTILINE))
    for file in [*program.parent.glob("*.rs"), *program.parent.parent.glob("examples/*.rs")]:
        named |= set(re.findall(r'#\[path = "(?:\.\./tests/)?(\w+)(?:/mod)?\.rs"\]', file.read_text()))
    modules = {file.stem for file in program.parent.glob("*.rs")} - {"main", "mod"}
    modules |= {file.parent.name for file in program.parent.glob("*/mod.rs")}
    return sorted(modules - named)


# A filter in a script: a module of tests, as `parts::`, or what is skipped.
FILTER = re.compile(r"(?:(?<=--skip )|(?<![\w:./\-$]))((?:\w+::)+\w*)(?![\w:*{<])|(?<=--skip )(\w+)")


def unknown_filters(script: pathlib.Path, modules: set[str], functions: set[str]) -> list[tuple[int, str]]:
    unknown = []
    for number, line in enumerate(script.read_text().splitlines(), 1):
        for found in FILTER.finditer("" if line.lstrip().startswith("#") else line):
            *path, last = found[0].split("::")
            if not modules.issuperset(path) or not any(last in name for name in modules | functions):
                unknown.append((number, found[0]))
    return unknown


def main() -> int:
    mistakes = 0
    for document in tracked_documents():
        for number, name in missing_names(document) + missing_links(document):
            print(f"{document.relative_to(ROOT)}:{number}: there is no {name}")
            mistakes += 1
    if mistakes:
        print("help: name a file by its path from the root, or in `apps` from there; link it from the folder of the document")
    sources = [file for file in ROOT.glob("**/*.rs") if "target" not in file.relative_to(ROOT).parts]
    functions, modules = set(), set()
    for file in sources:
        modules |= {file.stem, file.parent.name}
        for kind, name in re.findall(r"\b(fn|mod) (\w+)", file.read_text()):
            (functions if kind == "fn" else modules).add(name)
    for script in [*ROOT.glob("**/*.sh"), ROOT / ".ci/run"]:
        if "target" in script.relative_to(ROOT).parts:
            continue
        for number, name in unknown_filters(script, modules, functions):
            print(f"{script.relative_to(ROOT)}:{number}: no test has `{name}` in its name")
            mistakes += 1
    places = ("tests/main.rs", "tests/*/mod.rs", "*/tests/main.rs", "*/tests/*/main.rs", "apps/**/tests/main.rs")
    for program in (program for place in places for program in sorted(ROOT.glob(place))):
        for module in unnamed_modules(program):
            print(f"{program.relative_to(ROOT)}: help: write `mod {module};`, or its tests do not run")
            mistakes += 1
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
