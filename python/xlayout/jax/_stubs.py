"""Type stubs of a library's kernels, for editors and type checkers."""

from __future__ import annotations

from ._kernel import Kernel
from ._library import Library
from ..kernels._parameter import Parameter

_HEAD = '''"""The kernels of {path}, written by `python -m xlayout.jax`."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from jax import Array
from jax.typing import ArrayLike
'''


def stubs(library: Library) -> str:
    """The text of a `.pyi` file: a function for each kernel, with its signature and documentation."""
    kernels = [_function(library[name]) for name in library]
    return "\n\n".join([_HEAD.format(path=library.file_name), *kernels]) + "\n"


def _function(kernel: Kernel) -> str:
    lines, parameters = [], []
    for p in kernel.__signature__.parameters.values():
        if p.kind is p.KEYWORD_ONLY and "*" not in parameters:
            parameters.append("*")
        parameters.append(f"{p.name}: {_taken(kernel, p.name)}")
    outputs = kernel._tuple._fields
    returns = "Array" if len(outputs) == 1 else "None"
    if len(outputs) > 1:
        returns = kernel._tuple.__name__
        lines += [f"class {returns}(NamedTuple):", *(f"    {name}: Array" for name in outputs), ""]
    lines.append(f"def {kernel.__name__}({', '.join(parameters)}) -> {returns}:")
    text = f"{kernel!r}\n\n{kernel.__doc__}".replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    first, *rest = text.split("\n")
    lines += [f'    """{first}', *(f"    {line}".rstrip() for line in rest), '    """']
    return "\n".join(lines)


def _taken(kernel: Kernel, name: str) -> str:
    """The type of a parameter."""
    if name == "out_shapes":
        return "Sequence[int] | Mapping[str, Sequence[int]]"
    if any(p.key == name for p in kernel._inputs):
        return "ArrayLike"
    attributes = [p for of in kernel.types for p in of._attributes if p.key == name]
    taken = " | ".join(dict.fromkeys(map(_number, attributes)))
    return taken + (" | None = None" if attributes[0].optional else "")


def _number(p: Parameter) -> str:
    if p.kind == "string":
        return p.short.removesuffix(" | None")
    letters = p.element_type.rstrip("0123456789") if p.element_type != "pred" else "pred"
    number = {"pred": "bool", "s": "int", "u": "int", "c": "complex"}.get(letters, "float")
    return f"Sequence[{number}] | ArrayLike" if p.kind == "array" else number
