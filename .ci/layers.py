#!/usr/bin/env python3
"""Checks that imports go one way: between crates, and between the modules of each crate.

A crate may use only the crates listed beside it. Within a crate, the modules at its root must
not import each other in a circle. The check reads `use` lines and the paths that begin with
`crate::`; tests (`mod tests`, files named `tests.rs`) may import anything. With `--crates` it
checks the dependencies between crates only.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Each crate, its folder, and the crates of this workspace that it may use.
LAYERS = {
    "xlayout_shape": ("shape/src", []),
    "xlayout_core": ("core/src", ["xlayout_shape"]),
    "xlayout_xla": ("xla/src", ["xlayout_shape", "xlayout_core"]),
    "xlayout_sharding": ("sharding/src", ["xlayout_shape", "xlayout_core"]),
    "xlayout_interop": ("interop/src", ["xlayout_shape", "xlayout_core"]),
    "xlayout_macros": ("macros/src", ["xlayout_shape", "xlayout_sharding"]),
}


def code(text: str) -> str:
    """The text without comments and without unit tests."""
    text = re.sub(r"//[^\n]*", "", text)
    tests = re.search(r"#\[cfg\((all\()?test\b[^\]]*\]\s*mod \w+ \{", text)
    return text[: tests.start()] if tests else text


def expand(path: str) -> list[str]:
    """`a::{b, c::{d}}` as `a::b` and `a::c::d`."""
    start = path.find("{")
    if start < 0:
        return [re.sub(r"\s+as\s+\w+", "", path).strip()]
    inside = path[start + 1 : path.rfind("}")]
    parts, depth, part = [], 0, ""
    for letter in inside + ",":
        if letter == "," and depth == 0:
            parts.append(part)
            part = ""
            continue
        depth += {"{": 1, "}": -1}.get(letter, 0)
        part += letter
    prefix = path[:start].strip()
    return [prefix + end for part in parts if part.strip() for end in expand(part)]


def paths(text: str) -> set[str]:
    """The imported paths, and those that are written out."""
    found = set()
    for use in re.finditer(r"\buse\s+([^;]+);", text):
        found.update(expand(use.group(1)))
    rest = re.sub(r"\buse\s+[^;]+;", "", text)
    found.update(m.group(0) for m in re.finditer(r"\b(?:crate|xlayout_\w+)(?:::\w+)+", rest))
    return {re.sub(r"\s", "", path) for path in found}


def modules(folder: pathlib.Path) -> dict[str, list[str]]:
    """The texts of each module at the root of a crate; of the root itself under the empty name."""
    texts: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("*.rs")):
        parts = file.relative_to(folder).with_suffix("").parts
        if "tests" in parts:
            continue
        name = "" if parts[0] == "lib" else parts[0]
        texts.setdefault(name, []).append(code(file.read_text()))
    return texts


def exports(text: str, names: set[str]) -> dict[str, str]:
    """Which module each name at the root of a crate comes from."""
    found = {}
    for use in re.finditer(r"\bpub(?:\([^)]*\))?\s+use\s+([^;]+);", text):
        for path in expand(use.group(1)):
            path = re.sub(r"\s", "", path).removeprefix("crate::").removeprefix("self::")
            parts = path.split("::")
            if parts[0] in names:
                found[parts[-1]] = parts[0]
    return found


def cycles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The strongly connected components with more than one module (Tarjan)."""
    index, low, on, stack, found = {}, {}, set(), [], []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        on.add(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = []
            while True:
                other = stack.pop()
                on.discard(other)
                component.append(other)
                if other == node:
                    break
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def check(crate: str, folder: str, allowed: list[str], inside_too: bool) -> list[str]:
    texts = modules(ROOT / folder)
    names = set(texts) - {""}
    at_root = exports("\n".join(texts.get("", [])), names)
    mistakes, graph, why = [], {name: set() for name in names}, {}
    for name, files in texts.items():
        for path in sorted(set().union(*(paths(text) for text in files))):
            parts = path.split("::")
            if parts[0].startswith("xlayout_") and parts[0] != crate:
                if parts[0] in LAYERS and parts[0] not in allowed:
                    mistakes.append(f"{folder}/{name or 'lib'}: `{path}` is not below {crate}")
            if parts[0] != "crate" or not name or len(parts) < 2:
                continue
            target = parts[1] if parts[1] in names else at_root.get(parts[1])
            if target and target != name:
                graph[name].add(target)
                why.setdefault((name, target), path)
    for component in cycles(graph) if inside_too else []:
        inside = [
            f"    {a} -> {b} by `{why[a, b]}`"
            for a in component
            for b in sorted(graph[a])
            if b in component
        ]
        mistakes.append(f"{folder}: the modules import each other:\n" + "\n".join(inside))
    return mistakes


def main() -> int:
    mistakes = [
        mistake
        for crate, (folder, allowed) in LAYERS.items()
        for mistake in check(crate, folder, allowed, "--crates" not in sys.argv[1:])
    ]
    for mistake in mistakes:
        print(f"error: {mistake}")
    if mistakes:
        print("help: move what the lower module needs down, or the import up")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
