#!/usr/bin/env python3
"""Checks the wall between the library and what is built on it.

No package of the library depends on one of `apps`. No code of `apps` and of the book names an item of the library that its documentation
does not show (`#[doc(hidden)]`, `__private`): what an app needs is documented, or is the app's own.

Items are found by their names: a path that begins with a crate of the library, and names in `use` lists. A hidden method
is found where no method that is shown has its name.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HIDDEN = re.compile(
    r"#\[doc\(hidden\)\]\s*(?:#\[[^\]]*\]\s*|//[^\n]*\n\s*)*(?P<visible>pub )?(?:const |unsafe )*"
    r"(?:(?P<kind>fn|struct|enum|mod|trait|type|const|macro_rules!)\s+(?P<name>\w+)|use\s+(?P<used>[^;]+);)"
)
ITEM = re.compile(r"^\s*pub (?:const |unsafe )*(?:fn|struct|enum|mod|trait|type|const|static)\s+(\w+)", re.M)
PATH = re.compile(r"\bxlayout(?:_\w+)?(?:::\w+)*(?:::\{[^;]*?\}(?=;)|!)?", re.S)
METHOD = re.compile(r"\.(\w+)\(")
FUNCTION = re.compile(r"\bfn (\w+)")
LIBRARY_DEPENDENCY = re.compile(r"path\s*=\s*\"[^\"]*apps/")


def tracked(*patterns: str) -> list[pathlib.Path]:
    names = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.split() if (ROOT / name).exists()]


def is_of_apps(path: pathlib.Path) -> bool:
    # The book shows both.
    return path.relative_to(ROOT).parts[0] in ("apps", "book")


def hidden_names() -> set[str]:
    """Names of the library that the documentation does not show anywhere."""
    hidden, shown = {"__private"}, set()
    for path in tracked("*.rs"):
        parts = path.relative_to(ROOT).parts
        if is_of_apps(path) or "src" not in parts or "tests" in parts:
            continue
        text = path.read_text()
        of_hidden = set()
        for item in HIDDEN.finditer(text):
            if item["visible"] or item["kind"] == "macro_rules!":
                of_hidden.update([item["name"]] if item["name"] else re.findall(r"\w+", item["used"])[1:])
        hidden |= of_hidden
        shown |= set(ITEM.findall(HIDDEN.sub("", text)))
    return hidden - shown - {"self"}


def names(path: str) -> list[str]:
    return re.findall(r"\w+", path)[1:]


def place(path: pathlib.Path, text: str, found: re.Match[str], name: str) -> str:
    line = text.count("\n", 0, found.start()) + 1
    return f"{path.relative_to(ROOT)}:{line}: `{name}` of the library is hidden"


def main() -> int:
    mistakes = []
    for manifest in tracked("*Cargo.toml"):
        if not is_of_apps(manifest) and LIBRARY_DEPENDENCY.search(manifest.read_text()):
            mistakes.append(f"{manifest.relative_to(ROOT)}: the library depends on an app")
    hidden = hidden_names()
    of_apps = {name for path in tracked("apps/*.rs") for name in FUNCTION.findall(path.read_text())}
    for path in tracked("apps/*.rs", "book/src/*.md"):
        text = re.sub(r"//[^\n]*", "", path.read_text())
        for found in PATH.finditer(text):
            if found[0].startswith(OWN):
                continue
            mistakes += [place(path, text, found, name) for name in names(found[0]) if name in hidden]
        for found in METHOD.finditer(text):
            if found[1] in hidden - of_apps:
                mistakes.append(place(path, text, found, found[1]))
    for mistake in sorted(set(mistakes)):
        print(f"error: {mistake}")
    if mistakes:
        print("help: use what the library documents, document what is missing there, or write it in the app")
    return 1 if mistakes else 0


# The crates of the apps.
OWN = (
    "xlayout_kernel", "xlayout_hlo", "xlayout_proto", "xlayout_checkpoints", "xlayout_view", "xlayout_cli", "xlayout_python",
    "xlayout_command", "xlayout_test_kernels", "xlayout_words",
)

if __name__ == "__main__":
    sys.exit(main())
