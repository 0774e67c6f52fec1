#!/usr/bin/env python3
"""Counts the lines of product code of each crate, and fails where they are more than 2% above the recorded numbers.

A line counts if it is neither blank nor comment alone, and outside of tests, examples, benchmarks and fuzz targets. Not
counted are also items behind `#[cfg(test)]`, and the files of such modules.

`--record` writes the numbers to `.ci/lines.json`.
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDED = ROOT / ".ci/lines.json"
MORE = 1.02
# Comments and literals: braces in them are not code.
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*)
      | (?P<text>(?<![\w"])b?c?r(?P<hashes>\#*)".*?"(?P=hashes) | "(?:\\.|[^"\\])*"
        | '(?:\\x[0-9a-fA-F]{2}|\\u\{[^}]*\}|\\.|[^\\'])')""",
    re.X | re.S,
)
TEST = re.compile(r"#\[cfg\((?:test|all\(test[^\]]*\))\)\]")


def of_tests(path: pathlib.PurePosixPath) -> bool:
    folders = path.parts[:-1]
    return (
        "tests" in folders
        or "examples" in folders
        or path.name in ("tests.rs", "test.rs")
        or path.parts[0] in ("ui-tests", "fuzz", "benches")
        or path.parts[:2] in (("kernel", "test-kernels"), ("kernel", "overhead"))
    )


def end_of_comment(source: str, at: int) -> int:
    """The end of the comment that begins at `at`. Comments with `/*` nest."""
    depth = 0
    for mark in re.finditer(r"/\*|\*/", source[at:]):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return at + mark.end()
    return len(source)


def blanked(source: str) -> str:
    """The same lines with `s` for each character of a literal, and nothing but spaces for comments."""
    parts, at = [], 0
    while token := TOKEN.search(source, at):
        end, fill = token.end(), "s"
        if token["comment"]:
            end, fill = (end_of_comment(source, token.start()) if token["comment"] == "/*" else end), " "
        parts += [source[at : token.start()], re.sub(r"[^\n]", fill, source[token.start() : end])]
        at = end
    return "".join([*parts, source[at:]])


def end_of_item(code: str, at: int) -> int:
    """The end of the item whose attributes end at `at`."""
    begin = re.compile("[;{]").search(code, at)
    if not begin or begin.group() == ";":
        return begin.end() if begin else at
    depth = 0
    for brace in re.finditer("[{}]", code[begin.start() :]):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return begin.start() + brace.end()
    return len(code)


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "*.rs"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [pathlib.PurePosixPath(name) for name in listed.stdout.split() if (ROOT / name).exists()]
    lines, test_modules = {}, []
    for path in files:
        source = (ROOT / path).read_text()
        code = blanked(source)
        tests = set()
        for attribute in TEST.finditer(code):
            end = end_of_item(code, attribute.end())
            item = source[attribute.end() : end]
            tests.update(range(code.count("\n", 0, attribute.start()), code.count("\n", 0, end) + 1))
            if module := re.search(r"\bmod\s+(\w+)\s*;", item):
                named = re.search(r'path\s*=\s*"([^"]+)"', item)
                inside = path.parent if path.stem in ("mod", "lib", "main") else path.with_suffix("")
                file = path.parent / named[1] if named else inside / f"{module[1]}.rs"
                test_modules += [file, file.with_suffix(""), inside / module[1]]
        if not of_tests(path):
            lines[path] = sum(bool(line.strip()) and n not in tests for n, line in enumerate(code.split("\n")))
    found: dict[str, int] = {}
    for path, count in lines.items():
        if path not in test_modules and not any(module in path.parents for module in test_modules):
            crate = "xlayout" if path.parts[0] == "src" else path.parts[0]
            found[crate] = found.get(crate, 0) + count
    if "--record" in sys.argv:
        RECORDED.write_text(json.dumps(dict(sorted(found.items())), indent=4) + "\n")
    recorded = json.loads(RECORDED.read_text())
    print(f"{'crate':<12}{'lines':>8}{'recorded':>10}")
    rows = sorted(found.items(), key=lambda row: -row[1])
    rows.append(("sum", sum(found.values())))
    recorded["sum"] = sum(recorded.values())
    for crate, count in rows:
        print(f"{crate:<12}{count:>8}{recorded.get(crate, 0):>10}")
    above = [crate for crate, count in rows if count > MORE * recorded.get(crate, 0)]
    if above:
        print(f"more lines of product code than recorded: {', '.join(above)}")
        print("help: remove lines; or, where an issue says how many lines it adds, `python3 .ci/lines.py --record`")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
