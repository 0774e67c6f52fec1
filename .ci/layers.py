#!/usr/bin/env python3
"""Checks that imports go one way: between crates, between the modules of each crate, and between files.

`LAYERS` is the one list of layers. A crate may use only the crates listed beside it. A module at the
root of a crate may import only from modules in the lines above its own line. In a crate no files
import each other in a circle, and each name is imported by one path. Unit tests (`mod tests`, modules behind `cfg(test)`) may import anything.

The check reads `use` lines and written paths. A name counts as imported from the file that has it,
behind all re-exports. A re-export of what a module has inside of it (`pub use`) is no import.
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
            "codes library lists",
            "error",
            "described element_types layout read",
            "strides",
            "blocked cute jax numpy_types",
            "given memref",
            "affine dlpack tags",
            "memref_read numpy verbose",
            "fields",
            "mosaic numpy_read pack tensor torch",
            "notation",
        ],
    ),
    "xlayout_conversions": (
        "conversions/src",
        ["xlayout_core"],
        [
            "error",
            "memory source",
            "candle faer nalgebra ndarray",
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
            "describe emit sharding",
            "read",
            "arms items",
        ],
    ),
    "xlayout_relayout": (
        "relayout/src",
        ["xlayout_shape", "xlayout_core", "xlayout_algebra"],
        [
            "bytes error machine nest",
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
            "checks copy_strided describe threads",
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
    "xlayout_words": ("apps/words/src", [], ["callers error numbers"]),
    "xlayout_proto": (
        "apps/hlo/proto/src",
        ["xlayout_shape", "xlayout_core", "xlayout_sharding"],
        [
            "error message",
            "proto",
            "layout program sharding",
            "shape",
        ],
    ),
    "xlayout_hlo": (
        "apps/hlo/src",
        ["xlayout_proto", "xlayout_command", "xlayout_view", "xlayout_words"],
        [
            "device marks size",
            "wrong",
            "error opcode source tally",
            "advice",
            "arrays kind mistake oom quoted unpack",
            "graph log modules",
            "whole",
            "findings",
            "group scan",
            "proto",
            "memory read",
            "copies",
            "diff page",
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
        ["xlayout_emit", "xlayout_relayout", "xlayout_words"],
        [
            "error words",
            "index json memory table",
            "section session",
            "maps",
            "read",
            "tiles",
            "explain picture",
            "algebra any_map code difference shard",
        ],
    ),
    "xlayout_command": (
        "apps/command/src",
        ["xlayout_view", "xlayout_words"],
        [
            "failure",
            "files help json shape table",
        ],
    ),
    "xlayout_cli": (
        "apps/cli/src",
        ["xlayout_emit", "xlayout_hlo", "xlayout_checkpoints", "xlayout_command", "xlayout_view", "xlayout_words"],
        [
            "arguments picture shape",
            "shard",
            "algebra diff draw emit explain",
            "embedded fuzzing manual meant",
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


# Circles that are left: the folder, and the files, each of which imports the next one. In core, the
# trait of layouts has methods that give indices, coordinates and axes of a layout, which name it; and
# a type's arithmetic is in a file of its own beside the type.
KNOWN_CIRCLES = [
    "core/src: array_layout.rs array_layout/axis.rs",
    "core/src: array_layout/const_layout.rs array_layout/axis.rs",
    "core/src: array_layout/coordinate.rs array_layout/axis.rs",
    "core/src: array_layout/index.rs array_layout.rs",
    "core/src: array_layout/indices.rs array_layout.rs",
    "core/src: array_layout/into_coordinates.rs array_layout.rs",
    "core/src: layouts/types/mixed_layout.rs layouts/types/mixed_layout/terms.rs",
    "core/src: layouts/types/rearrange/change.rs layouts/types/rearrange/same.rs",
    "core/src: layouts/types/static_layout.rs layouts/types/static_layout/terms.rs",
    "apps/hlo/src: oom/headline.rs oom/parser.rs",
    "apps/hlo/src: oom/mod.rs oom/parser.rs",
    "apps/hlo/src: oom/open.rs oom/parser.rs",
    "apps/hlo/src: oom/sections.rs oom/mod.rs",
]
# Folders in which names are still imported by several paths.
SEVERAL_ROADS = ["core/src", "apps/checkpoints/src", "apps/hlo/src"]

LITERAL = re.compile(r"""//[^\n]*|'(?:\\.|[^'\\])'|"(?:\\.|[^"\\])*\"""", re.S)
USE = re.compile(r"(\bpub(?:\([^)]*\))?\s+)?\buse\s+([^;]+);")
DECLARED = re.compile(USE.pattern + r"|\bmod \w+;")
PATH = re.compile(r"\b(?<!::)\w+(?:::\w+)+")
DEFINED = re.compile(r"^(?:pub(?:\([^)]*\))? )?(?:unsafe |const |async )*(?:fn|struct|enum|trait|type|const|static|union) (\w+)", re.M)
EXPORTED_MACRO = re.compile(r"#\[macro_export\]\s*macro_rules! (\w+)")
TEST_FILE = re.compile(r"#\[cfg\((?:all\()?test\b[^\]]*\]\s*(?:pub(?:\([^)]*\))? )?mod (\w+);")


def code(text: str) -> str:
    """The text without comments, strings and unit tests."""
    text = LITERAL.sub(lambda found: '""' if found.group(0)[0] == '"' else " ", text)
    text = re.sub(r"#\[cfg\(test\)\]\s*(?:pub(?:\([^)]*\))? )?use [^;]+;", "", text)
    tests = re.search(r"#\[cfg\((all\()?test\b[^\]]*\]\s*mod \w+ \{", text)
    return text[: tests.start()] if tests else text


def expand(path: str) -> list[str]:
    """`a::{b, c::{d as e}}` as `a::b` and `a::c::d as e`."""
    start = path.find("{")
    if start < 0:
        return [" ".join(path.split())]
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


class File:
    """A file of a crate: its module, what it imports, and the paths that it writes out."""

    def __init__(self, name: str, module: list[str], text: str) -> None:
        self.name = name
        self.module = module
        self.inline = inline_modules(text)
        self.text = DECLARED.sub(lambda found: " " * len(found.group(0)), text)
        self.defined = set(DEFINED.findall(self.text))
        # Each import: the name that it gives, its path, whether it is `pub`.
        self.uses: list[tuple[str, list[str], bool]] = []
        for use in USE.finditer(text):
            for path in expand(use.group(2)):
                path, _, alias = path.partition(" as ")
                parts = self.from_root(path.removesuffix("::self").split("::"), use.start())
                self.uses.append((alias or parts[-1], parts, bool(use.group(1))))
        self.names = {name: path for name, path, _ in self.uses if name != "*"}
        self.written = [self.from_root(path.group(0).split("::"), path.start()) for path in PATH.finditer(self.text)]

    def from_root(self, parts: list[str], at: int) -> list[str]:
        """A path that is written here, from the root of the crate if it says how."""
        here = self.module + ["_"] * sum(start <= at < end for start, end in self.inline)
        if parts[0] == "self":
            return ["crate", *here, *parts[1:]]
        if parts[0] != "super":
            return parts
        while parts and parts[0] == "super":
            here, parts = here[:-1], parts[1:]
        return ["crate", *here, *parts]


class Crate:
    """The files of a crate without its tests, and which file imports which, with a path of each."""

    def __init__(self, folder: str) -> None:
        self.files: dict[tuple[str, ...], File] = {}
        self.macros: dict[str, File] = {}
        tests = {("main",)}
        for path in sorted((ROOT / folder).rglob("*.rs")):
            name = path.relative_to(ROOT / folder)
            module = [part for part in name.with_suffix("").parts if part not in ("lib", "mod")]
            text = code(path.read_text())
            file = File(str(name), module, text)
            self.files[*module] = file
            self.macros |= {macro: file for macro in EXPORTED_MACRO.findall(text)}
            tests |= {(*module, test) for test in ["tests", *TEST_FILE.findall(path.read_text())]}
        files = {
            file.name: file
            for module, file in self.files.items()
            if not any(module[: len(test)] == test for test in tests)
        }
        self.edges = {
            name: {target: path for target, path in self.imports(file).items() if target in files}
            for name, file in files.items()
        }

    def home(self, path: list[str], seen: tuple[tuple[str, str], ...] = ()) -> File | None:
        """The file that has what a path from the root of the crate names, behind all re-exports.

        `seen` has the re-exports on the way here, so that names that name each other end.
        """
        if path[0] != "crate":
            return None
        module: tuple[str, ...] = ()
        for k, part in enumerate(path[1:], 1):
            file = self.files[module]
            is_last = k + 1 == len(path)
            if (*module, part) in self.files and not (is_last and part in file.names):
                module = (*module, part)
                continue
            if (file.name, part) in seen:
                return None
            seen = (*seen, (file.name, part))
            if part in file.names and part not in file.defined:
                return self.home([*self.absolute(file, file.names[part]), *path[k + 1 :]], seen)
            for name, glob, _ in file.uses:
                if name == "*" and part not in file.defined:
                    found = self.home([*self.absolute(file, glob)[:-1], part], seen)
                    if found and part in found.defined:
                        return found
            return self.macros.get(part, file) if not module else file
        return self.files[module]

    def absolute(self, file: File, path: list[str]) -> list[str]:
        """A path that begins with a module inside of the file's own, or with a name it imports."""
        if (*file.module, path[0]) in self.files:
            return ["crate", *file.module, *path]
        return path

    def imports(self, file: File) -> dict[str, str]:
        found: dict[str, str] = {}
        words = set(re.findall(r"\w+", file.text))
        for name, path, is_public in file.uses:
            path = self.absolute(file, path)
            if tuple(path[1:]) in self.files:
                # The paths through this module are found where they are written.
                continue
            target = self.home(path[:-1] if name == "*" else path)
            # A module may say what the files inside of it have, and not use it.
            is_inside = target and target.module[: len(file.module)] == file.module
            is_used = name[0].isupper() and name in words or f"{name}(" in file.text
            if target and not (is_public and is_inside and not is_used):
                found.setdefault(target.name, "::".join(path))
        for path in file.written:
            first = path[0]
            path = [*self.absolute(file, file.names.get(first, [first])), *path[1:]]
            target = None if tuple(path[1:]) in self.files else self.home(path)
            if target:
                found.setdefault(target.name, "::".join(path))
        found.pop(file.name, None)
        return found

    def circles(self) -> list[list[str]]:
        """The shortest circle through each file that is in one."""
        found = {}
        for start in sorted(self.edges):
            ways = {target: [start, target] for target in self.edges[start]}
            for at in (queue := list(ways)):
                for target in self.edges[at]:
                    if target not in ways:
                        ways[target] = [*ways[at], target]
                        queue.append(target)
            if start in ways:
                found.setdefault(frozenset(ways[start]), ways[start])
        return list(found.values())

    def layers(self) -> dict[str, dict[str, str]]:
        """For each module at the root the others that it imports, with a path of each."""
        found: dict[str, dict[str, str]] = {}
        for name, targets in self.edges.items():
            of_module = found.setdefault(root_module(name), {})
            for target, path in targets.items():
                if root_module(target) not in ("lib", root_module(name)):
                    of_module.setdefault(root_module(target), path)
        found.pop("lib", None)
        return found

    def roads(self) -> dict[tuple[str, str], dict[str, str]]:
        """For each name by its file: the paths by which it is imported, with a file of each."""
        found: dict[tuple[str, str], dict[str, str]] = {}
        for file in self.files.values():
            if file.name not in self.edges:
                continue
            # Imports, and what is written out behind a module.
            paths = [self.absolute(file, path) for name, path, is_public in file.uses if not is_public and name != "*"]
            for path in file.written:
                module = self.absolute(file, file.names.get(path[0], [path[0]]))
                if path[0] == "crate" or tuple(module[1:]) in self.files:
                    paths.append([*module, *path[1:]])
            for path in paths:
                length = 1
                while length < len(path) and tuple(path[1 : length + 1]) in self.files:
                    length += 1
                if length < len(path) and (home := self.home(path)) and home is not file:
                    item = path[: length + 1]
                    found.setdefault((home.name, item[-1]), {}).setdefault("::".join(item), file.name)
        return found


def root_module(file: str) -> str:
    return file.split("/")[0].removesuffix(".rs")


def check(crate: str, folder: str, allowed: list[str], layers: list[str]) -> list[str]:
    read = Crate(folder)
    edges = read.layers()
    files = [file for file in read.files.values() if file.name in read.edges]
    used = {"::".join(path) for file in files for path in file.written + [use[1] for use in file.uses]}
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
    circles = read.circles()
    known = {circle for circle in KNOWN_CIRCLES if circle.startswith(f"{folder}: ")}
    for circle in circles:
        steps = [f"{file} imports `{read.edges[file][target]}`" for file, target in zip(circle, circle[1:])]
        if f"{folder}: {' '.join(circle[:-1])}" not in known:
            mistakes.append(f"{folder}: a circle of files: {', '.join(steps)}")
    gone = known - {f"{folder}: {' '.join(circle[:-1])}" for circle in circles}
    for (_, name), paths in sorted(read.roads().items()):
        if len(paths) > 1 and folder not in SEVERAL_ROADS:
            ways = ", ".join(f"`{path}` in {file}" for path, file in sorted(paths.items()))
            mistakes.append(f"{folder}: `{name}` is imported by several paths: {ways}")
    return mistakes + [f"{circle}: there is no such circle any more; remove the line" for circle in sorted(gone)]


def main() -> int:
    mistakes = [mistake for crate, rule in LAYERS.items() for mistake in check(crate, *rule)]
    for mistake in mistakes:
        print(f"error: {mistake}")
    if mistakes:
        print("help: move the item to the lower module, or the import to the higher one; import a name by one path")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
