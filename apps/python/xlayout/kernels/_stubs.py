"""Type stubs of a library's kernels, for editors and type checkers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from ._kernel import AnyKernel
from ._library import AnyLibrary
from ._parameter import Parameter

_HEAD = '''"""The kernels of {path}, written by `python -m {module}`."""

from collections.abc import Mapping, Sequence
from typing import {typing}

{imports}
'''
_OF_JAX = "Literal, NamedTuple", "from jax import Array\nfrom jax.typing import ArrayLike"
_OF_NUMPY = "Any, Literal, NamedTuple", "import numpy as np\nfrom numpy.typing import ArrayLike, NDArray"


def main(module: str, load: Callable[[str], AnyLibrary[Any]]) -> None:
    """`python -m xlayout.jax target/release/libmine.so` prints type stubs of a library's kernels."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(f"usage: python -m {module} target/release/libmine.so >mine.pyi")
    try:
        library = load(sys.argv[1])
    except (OSError, ImportError) as error:
        sys.exit(str(error))
    print(stubs(library), end="")


def stubs(library: AnyLibrary[Any]) -> str:
    """The text of a `.pyi` file: a function for each kernel, with its signature and documentation."""
    module = type(library).__module__
    is_jax = module == "xlayout.jax"
    typing, imports = _OF_JAX if is_jax else _OF_NUMPY
    head = _HEAD.format(path=library.file_name, module=module, typing=typing, imports=imports)
    return "\n\n".join([head, *(_function(library[name], is_jax) for name in library)]) + "\n"


def _function(kernel: AnyKernel, is_jax: bool) -> str:
    lines, parameters = [], []
    for p in kernel.__signature__.parameters.values():
        if p.kind is p.KEYWORD_ONLY and "*" not in parameters:
            parameters.append("*")
        parameters.append(f"{p.name}: {_taken(kernel, p.name)}")
    names = kernel._tuple._fields
    outputs = ["Array" if is_jax else _result(kernel, number) for number in range(len(names))]
    returns = outputs[0] if len(outputs) == 1 else "None"
    if len(outputs) > 1:
        returns = kernel._tuple.__name__
        # A tuple has methods of these names, which the results take the place of.
        fields = [f"    {name}: {of}" + "  # type: ignore" * hasattr(tuple, name) for name, of in zip(names, outputs)]
        lines += [f"class {returns}(NamedTuple):", *fields, ""]
    lines.append(f"def {kernel.__name__}({', '.join(parameters)}) -> {returns}:")
    text = f"{kernel!r}\n\n{kernel.__doc__}".replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    first, *rest = text.split("\n")
    lines += [f'    """{first}', *(f"    {line}".rstrip() for line in rest), '    """']
    return "\n".join(lines)


def _result(kernel: AnyKernel, number: int) -> str:
    """The type of a result of NumPy, for each element type of the kernel."""
    names = dict.fromkeys(of._outputs[number].numpy_type for of in kernel.types)
    known = [f"NDArray[np.{name}{'_' * (name == 'bool')}]" for name in names if hasattr(np, name)]
    return " | ".join(known) if len(known) == len(names) else "NDArray[Any]"


def _taken(kernel: AnyKernel, name: str) -> str:
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
