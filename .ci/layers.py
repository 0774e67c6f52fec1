#!/usr/bin/env python3
"""Checks that imports go one way: between crates, and between the modules of each crate.

`LAYERS` is the one list of layers. A crate may use only the crates listed beside it. A module at the
root of a crate may import only from modules in the lines above its own line. The check reads `use`
lines and written paths that begin with `crate::`, `super::` or a crate of this workspace. Unit tests
(`mod tests`, files named `tests.rs`) may import anything.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Each crate, its folder, the crates of this workspace that it may use, and its modules: the lowest
# layer first, one layer in a line.
LAYERS = {
    "xlayout_shape": (
        "shape/src",
        [],
        [
            "constant tables",
            "element_type",
            "words",
            "explain",
            "const_text",
            "error",
            "list",
            "dims split tile",
            "modes order",
            "layout",
            "shape",
            "lowering validate",
            "text",
            "serialized",
        ],
    ),
    "xlayout_algebra": (
        "algebra/src",
        ["xlayout_shape"],
        [
            "error",
            "list number",
            "term",
            "map",
            "rewrite",
            "compose layout show",
            "atoms combine",
            "equal",
            "values",
            "groups",
            "search",
            "bits injective onto parts",
            "divide inverse swizzle",
            "banks",
        ],
    ),
    "xlayout_core": (
        "core/src",
        ["xlayout_shape", "xlayout_algebra"],
        [
            "by_value coordinates",
            "element",
            "modes",
            "layout_error",
            "array_layout",
            "layouts",
            "bitcast",
            "array",
            "dispatch serde specialize",
        ],
    ),
    "xlayout_typenum": (
        "typenum/src",
        ["xlayout_core"],
        [
            "size",
            "arithmetic bits names",
            "attributes",
        ],
    ),
    "xlayout_xla": (
        "xla/src",
        ["xlayout_shape", "xlayout_core"],
        [
            "difference primitive_util",
            "error",
            "walk",
            "any_shape",
            "compare",
            "layout_util",
            "shape_util",
            "index_util",
        ],
    ),
    "xlayout_sharding": (
        "sharding/src",
        ["xlayout_shape", "xlayout_core"],
        [
            "arithmetic error metadata",
            "canonical reader",
            "assignment read_metadata",
            "tiling",
            "sharding",
            "print subgroup tile validate",
            "mesh query read types",
            "named_text",
        ],
    ),
    "xlayout_interop": (
        "interop/src",
        ["xlayout_shape", "xlayout_core"],
        [
            "codes",
            "error",
            "element_types read strides",
            "blocked cute jax numpy_types",
            "given memref",
            "affine dlpack tags",
            "memref_read numpy verbose",
            "mosaic numpy_read pack tensor torch",
            "notation",
        ],
    ),
    "xlayout_dlpack": (
        "dlpack/src",
        ["xlayout_core", "xlayout_interop"],
        [
            "error raw",
            "export import",
            "python",
        ],
    ),
    "xlayout_macros": (
        "macros/src",
        ["xlayout_shape", "xlayout_sharding"],
        [
            "mistake",
            "text",
            "parse path",
            "sizes",
            "array",
            "emit sharding",
            "read",
            "arms items",
        ],
    ),
    "xlayout_relayout": (
        "relayout/src",
        ["xlayout_shape", "xlayout_core", "xlayout_algebra"],
        [
            "bytes error instructions machine nest",
            "kernels piece refine",
            "side",
            "cells strides",
            "bits",
            "general padding",
            "way",
            "static_plan",
            "measurement",
            "learn",
            "in_place kept plan",
            "one_off",
            "checks copy_strided describe measure threads",
            "fresh",
        ],
    ),
    "xlayout_kernel": (
        "apps/kernel/src",
        ["xlayout_shape", "xlayout_core", "xlayout_sharding", "xlayout_interop", "xlayout_relayout", "xlayout_kernel_macros", "xlayout_words"],
        [
            "abi const_text element_storage error fault level lines math poison slots",
            "isa memory xla",
            "frame reduce",
            "kernel number pool without_xla",
            "batch conversion declaration relayout",
            "operand",
            "converted items",
            "describe full_check passed",
            "fast_check refuse",
            "handler",
            "parameter",
            "arrays context scalar",
        ],
    ),
    "xlayout_kernel_macros": (
        "apps/kernel/macros/src",
        # The attribute's own path.
        ["xlayout_shape", "xlayout_kernel"],
        [
            "path tokens",
            "mistake",
            "also layout",
            "parameter",
            "outcome",
            "function",
            "copies types",
            "options",
            "emit",
        ],
    ),
    "xlayout_words": ("apps/words/src", [], ["error numbers"]),
    "xlayout_proto": (
        "apps/hlo/proto/src",
        ["xlayout_shape", "xlayout_core", "xlayout_sharding"],
        [
            "error message",
            "layout program sharding",
            "shape",
        ],
    ),
    "xlayout_hlo": (
        "apps/hlo/src",
        ["xlayout_proto", "xlayout_command", "xlayout_view", "xlayout_words"],
        [
            "device size",
            "wrong",
            "error opcode source tally",
            "advice",
            "arrays kind log mistake oom unpack",
            "graph modules",
            "whole",
            "findings",
            "group scan",
            "proto",
            "memory read",
            "copies",
            "diff",
            "command",
        ],
    ),
    "xlayout_emit": (
        "emit/src",
        ["xlayout_shape", "xlayout_algebra", "xlayout_core"],
        [
            "languages",
            "error",
            "expression index_map",
            "functions",
            "print",
        ],
    ),
    "xlayout_checkpoints": (
        "apps/checkpoints/src",
        ["xlayout_relayout", "xlayout_command", "xlayout_view", "xlayout_words"],
        [
            "error",
            "numbers positioned stop",
            "layout_for",
            "array",
            "blocks",
            "decode pieces",
            "copy",
            "checkpoint checksum names output",
            "spec store",
            "formats",
            "source",
            "plan",
            "unit",
            "command fuzzing",
        ],
    ),
    "xlayout_view": (
        "apps/view/src",
        ["xlayout_relayout", "xlayout_words"],
        [
            "error words",
            "index json memory read table",
            "tiles",
            "explain picture",
            "difference shard",
        ],
    ),
    "xlayout_command": (
        "apps/command/src",
        ["xlayout_view", "xlayout_words"],
        [
            "callers",
            "failure",
            "files help json shape table",
        ],
    ),
    "xlayout_cli": (
        "apps/cli/src",
        ["xlayout_emit", "xlayout_hlo", "xlayout_checkpoints", "xlayout_command", "xlayout_view", "xlayout_words"],
        [
            "algebra_triton arguments picture shape",
            "shard",
            "algebra diff draw emit explain",
            "embedded fuzzing manual",
        ],
    ),
    "xlayout_python": (
        "apps/python/src",
        ["xlayout_relayout", "xlayout_dlpack", "xlayout_hlo", "xlayout_view", "xlayout_cli"],
        [
            "words",
            "indices",
            "layout",
            "copies small",
        ],
    ),
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
        return [re.sub(r"\s", "", re.sub(r"\s+as\s+\w+", "", path))]
    inside = path[start + 1 : path.rfind("}")]
    parts, depth, part = [], 0, ""
    for letter in inside + ",":
        if letter == "," and depth == 0:
            parts.append(part)
            part = ""
            continue
        depth += {"{": 1, "}": -1}.get(letter, 0)
        part += letter
    prefix = re.sub(r"\s", "", path[:start])
    return [prefix + end for part in parts if part.strip() for end in expand(part)]


def inline_modules(text: str) -> list[tuple[int, int]]:
    """Where the modules that are written inside a file begin and end."""
    found = []
    for module in re.finditer(r"\bmod \w+ \{", text):
        depth, at = 1, module.end()
        while depth and at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        found.append((module.end(), at))
    return found


def paths(text: str, module: list[str]) -> set[str]:
    """The imported paths and those that are written out, from the root of the crate."""
    inline = inline_modules(text)
    found = set()
    uses = list(re.finditer(r"\buse\s+([^;]+);", text))
    written = re.finditer(r"\b(?:crate|super|xlayout_\w+)(?:::\w+)+", re.sub(r"\buse\s+[^;]+;", lambda m: " " * len(m.group(0)), text))
    for match, all_paths in [(use, expand(use.group(1))) for use in uses] + [(path, [path.group(0)]) for path in written]:
        inside = ["_"] * sum(start <= match.start() < end for start, end in inline)
        for path in all_paths:
            parts, here = path.split("::"), module + inside
            if parts[0] == "self":
                parts = ["crate", *here, *parts[1:]]
            while parts[0] == "super":
                here, parts = here[:-1], parts[1:]
                if not parts or parts[0] != "super":
                    parts = ["crate", *here, *parts]
            found.add("::".join(parts))
    return found


def modules(folder: pathlib.Path) -> dict[str, set[str]]:
    """The paths that each module at the root of a crate uses; of the root itself under the empty name."""
    found: dict[str, set[str]] = {}
    for file in sorted(folder.rglob("*.rs")):
        parts = list(file.relative_to(folder).with_suffix("").parts)
        if "tests" in parts or parts[-1].endswith("_tests"):
            continue
        module = [part for part in parts if part not in ("lib", "main", "mod")]
        name = module[0] if module else ""
        found.setdefault(name, set()).update(paths(code(file.read_text()), module))
    return found


def exports(used: set[str], names: set[str]) -> dict[str, str]:
    """Which module each name at the root of a crate comes from."""
    found = {}
    for path in used:
        parts = path.removeprefix("crate::").split("::")
        if parts[0] in names and len(parts) > 1:
            found[parts[-1]] = parts[0]
    return found


def graph(folder: str) -> tuple[dict[str, dict[str, str]], set[str]]:
    """For each module the modules that it imports, with a path of each; and all paths used."""
    used = modules(ROOT / folder)
    names = set(used) - {""}
    at_root = exports(used.get("", set()), names)
    edges: dict[str, dict[str, str]] = {name: {} for name in names}
    for name in names:
        for path in sorted(used[name]):
            parts = path.split("::")
            if parts[0] == "crate" and len(parts) > 1:
                target = parts[1] if parts[1] in names else at_root.get(parts[1])
                if target and target != name:
                    edges[name].setdefault(target, path)
    return edges, set().union(*used.values())


def check(crate: str, folder: str, allowed: list[str], layers: list[str]) -> list[str]:
    edges, used = graph(folder)
    mistakes = [
        f"{folder}: `{path}` is not below {crate}"
        for path in sorted(used)
        if (other := path.split("::")[0]) in LAYERS and other != crate and other not in allowed
    ]
    level = {name: k for k, layer in enumerate(layers) for name in layer.split()}
    mistakes += [f"{folder}: `{name}` is in no layer" for name in sorted(set(edges) - set(level))]
    mistakes += [f"{folder}: there is no module `{name}`" for name in sorted(set(level) - set(edges))]
    for name, targets in sorted(edges.items()):
        for target, path in sorted(targets.items()):
            if level.get(target, -1) >= level.get(name, len(layers)):
                mistakes.append(f"{folder}: `{name}` imports `{path}`, which is not in a lower layer")
    return mistakes


def main() -> int:
    mistakes = [mistake for crate, rule in LAYERS.items() for mistake in check(crate, *rule)]
    for mistake in mistakes:
        print(f"error: {mistake}")
    if mistakes:
        print("help: move the item to the lower module, or the import to the higher one")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
