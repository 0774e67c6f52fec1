#!/usr/bin/env python3
"""Counts the tokens of product code of each crate, now and at an earlier revision.

A token is a name, a number, a literal, or punctuation. Splitting a line is free: a budget of lines would reward wide ones. Not
counted are comments, tests, examples, benchmarks, fuzz targets, items behind `#[cfg(test)]`, and the files of such modules.

    python3 .ci/tokens.py [REVISION]     the revision is the last one of yesterday, unless it is named
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUNTED = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|->|=>|::|\.\.=?|&&|\|\||[<>=!+\-*/%&|^]=|[^\s\w]")
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
        or any(folder in folders for folder in ("ui-tests", "fuzz", "benches", "test-kernels", "overhead"))
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
    """The same lines with one word in the place of a literal, and nothing but spaces for comments."""
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


def crate(path: pathlib.PurePosixPath) -> str:
    folders = path.parts[: path.parts.index("src")] if "src" in path.parts else path.parts[:1]
    return "/".join(folders) or "xlayout"


def count(root: pathlib.Path, files: list[pathlib.PurePosixPath]) -> dict[str, int]:
    """The tokens of each crate."""
    tokens, test_modules = {}, []
    for path in files:
        source = (root / path).read_text()
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
            kept = "\n".join(line for n, line in enumerate(code.split("\n")) if n not in tests)
            tokens[path] = len(COUNTED.findall(kept))
    found: dict[str, int] = collections.Counter()
    for path, number in tokens.items():
        if path not in test_modules and not any(module in path.parents for module in test_modules):
            found[crate(path)] += number
    return found


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def rust_files(names: str) -> list[pathlib.PurePosixPath]:
    return [pathlib.PurePosixPath(name) for name in names.splitlines() if name.endswith(".rs")]


def main() -> int:
    now = count(ROOT, [path for path in rust_files(git("ls-files")) if (ROOT / path).exists()])
    revision = (sys.argv[1:] or git("rev-list", "-1", "--before=24 hours ago", "HEAD").split() or ["HEAD"])[0]
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", revision], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-xf", "-"], cwd=folder, input=archive, check=True)
        before = count(pathlib.Path(folder), rust_files(git("ls-tree", "-r", "--name-only", revision)))
    print(f"{'tokens':<18}{'now':>9}{revision[:8]:>10}")
    for name in sorted(now.keys() | before.keys(), key=lambda name: -now.get(name, 0)):
        print(f"{name:<18}{now.get(name, 0):>9}{before.get(name, 0):>10}")
    of_apps = sum(number for name, number in now.items() if name.startswith("apps/"))
    everything = sum(now.values())
    print(f"library {everything - of_apps}, apps {of_apps}, sum {everything}; before {sum(before.values())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
