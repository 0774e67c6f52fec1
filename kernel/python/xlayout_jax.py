"""Kernels written in Rust with `#[xlayout::kernel]`, as functions of JAX.

    import xlayout_jax

    k = xlayout_jax.load("target/release/libmine.so")
    y = k.scale(x, a=2.0)  # works under jit, vmap and shard_map

The shared object describes its kernels: names, layouts, attributes. `load` registers each of them
with XLA; a call asks XLA for exactly the declared layouts, and checks while JAX traces what the
kernel checks again when it runs. This file needs nothing but JAX 0.10: copy it, or put its folder
on PYTHONPATH.
"""

from __future__ import annotations

import collections
import ctypes
import dataclasses
import difflib
import inspect
import json
import keyword
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
import numpy as np
from jax.interpreters import mlir

__all__ = ["Kernel", "Library", "load"]

_VERSION = 1  # of the description that a shared object gives
_lock = threading.Lock()
_loaded: dict[str, tuple[tuple[int, ...], Library]] = {}
_targets: set[str] = set()


def load(path: str | os.PathLike[str]) -> Library:
    """Loads a shared object and registers its kernels with XLA, for the CPU.

    The same file is loaded once, however often this is called. A file that was built anew since is
    loaded beside the old one: what is returned has the new kernels, and functions that JAX has
    compiled go on with the old ones.

    Raises FileNotFoundError where there is no file, and ImportError where it is no shared object
    made with xlayout-kernel, or one that takes another version of this module.
    """
    path = os.fspath(path)
    real = os.path.realpath(path)
    if not os.path.isfile(real):
        raise FileNotFoundError(
            f"there is no file {path!r}; `cargo build --release` writes target/release/lib<name>.so "
            'of a crate with crate-type = ["cdylib"]'
        )
    with _lock:
        stat = os.stat(real)
        built = (stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_size)
        known = _loaded.get(real)
        if known is None or known[0] != built:
            library = Library(path, _open(real, afresh=known is not None))
            _loaded[real] = known = (built, library)
        return known[1]


def _open(path: str, afresh: bool) -> ctypes.CDLL:
    try:
        if not afresh:
            return ctypes.CDLL(path)
        # The system goes by the path, and would return the object that it has.
        with tempfile.TemporaryDirectory() as folder:
            return ctypes.CDLL(shutil.copy(path, folder))
    except OSError as error:
        raise ImportError(f"{path!r} cannot be loaded as a shared object: {error}") from None


def _describe(path: str, shared: ctypes.CDLL) -> list[dict[str, Any]]:
    """The kernels in the description that a shared object gives of itself."""
    try:
        function = shared.xlayout_kernels
    except AttributeError:
        raise ImportError(
            f"{path!r} has no kernels of xlayout (no symbol `xlayout_kernels`); build it from a "
            'crate with crate-type = ["cdylib"] that depends on xlayout-kernel'
        ) from None
    function.restype = ctypes.c_char_p
    described = json.loads(function().decode())
    if described["version"] != _VERSION:
        age = "older" if described["version"] > _VERSION else "newer"
        raise ImportError(
            f"{path!r} describes its kernels in version {described['version']}, and this "
            f"xlayout_jax is {age} and reads version {_VERSION}; take the xlayout_jax.py that comes "
            "with the xlayout-kernel which it was built with"
        )
    kernels: list[dict[str, Any]] = described["kernels"]
    if not kernels:
        raise ImportError(f"{path!r} has no kernels; put `#[xlayout::kernel]` above a function")
    return kernels


class Library:
    """The kernels of a shared object: `k.scale`, or `k["scale"]`; `list(k)` has their names."""

    def __init__(self, path: str, shared: ctypes.CDLL):
        self._path = path
        described = _describe(path, shared)
        names = collections.Counter(entry["name"] for entry in described)
        for name in (name for name, count in names.items() if count > 1):
            places = [entry["source"] for entry in described if entry["name"] == name]
            raise ImportError(
                f"{path!r} has {len(places)} kernels called `{name}` ({', '.join(places)}); name "
                'them apart: `#[xlayout::kernel(name = "…")]`'
            )
        # Compiled programs hold the name, so it is the same in every process; the second library
        # of one name gets a number.
        stem, count = os.path.basename(path).split(".")[0].removeprefix("lib"), 1
        prefix = f"xlayout.{stem}."
        while any(prefix + name in _targets for name in names):
            count += 1
            prefix = f"xlayout.{stem}@{count}."
        self._kernels = {entry["name"]: Kernel(entry, prefix) for entry in described}
        for entry in described:
            target, handler = prefix + entry["name"], jax.ffi.pycapsule(entry["handler"])
            jax.ffi.register_ffi_target(target, handler, platform="cpu")
            _targets.add(target)

    def __getitem__(self, name: str) -> Kernel:
        return self._kernels[name]

    def __getattr__(self, name: str) -> Kernel:
        kernels = self.__dict__.get("_kernels", {})
        if name in kernels:
            return kernels[name]
        hint = _did_you_mean(name, kernels)
        raise AttributeError(f"{self.__dict__.get('_path')!r} has no kernel `{name}`{hint}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __dir__(self) -> list[str]:
        return list(self._kernels)

    def __repr__(self) -> str:
        return "\n  ".join([f"kernels of {self._path}:", *map(repr, self._kernels.values())])


class Kernel:
    """A kernel, called as a function: arrays by position or name, attributes by name.

    The result is an array, or a named tuple where there are several outputs. `out_shapes` gives the
    shapes that the inputs do not tell: one shape, or a dictionary of them by the outputs' names.
    They are those of one call, without the dimensions that a batch or `vmap` adds in front.
    """

    def __init__(self, entry: Mapping[str, Any], prefix: str):
        parameters = [_Parameter.read(parameter) for parameter in entry["parameters"]]
        self._inputs = [p for p in parameters if p.kind in ("in", "in_out")]
        self._outputs = [p for p in parameters if p.kind in ("out", "in_out")]
        self._attributes = [p for p in parameters if p.kind in ("scalar", "array", "string")]
        self._aliases = {
            i: self._outputs.index(p) for i, p in enumerate(self._inputs) if p.kind == "in_out"
        }
        known = {size for p in self._inputs for size in p.dimensions if size is not None}
        self._asks_for_shapes = any(
            p.kind == "out" and not known.issuperset(d for d in p.dimensions if type(d) is not int)
            for p in self._outputs
        )
        self._batch: bool = entry["batch"]
        # An array that is written in place cannot stand once for a whole batch.
        whole = "broadcast_all" if self._aliases else "expand_dims"
        self._vmap_method = whole if self._batch else "sequential"
        self.target: str = prefix + entry["name"]
        """XLA's name of the kernel, which `jax.ffi.ffi_call` takes."""
        self.__name__ = self.__qualname__ = entry["name"]
        self.__doc__ = entry["doc"]
        self.__signature__ = self._signature()
        self._tuple: Any = collections.namedtuple(  # type: ignore[misc]
            "Outputs", [p.name for p in self._outputs], rename=True
        )

    def _signature(self) -> inspect.Signature:
        empty, by_name = inspect.Parameter.empty, inspect.Parameter.KEYWORD_ONLY
        anyhow = inspect.Parameter.POSITIONAL_OR_KEYWORD
        made = [
            inspect.Parameter(
                p.key,
                anyhow if p in self._inputs else by_name,
                default=None if p.optional else empty,
                annotation=_Text(p.says),
            )
            for p in [*self._inputs, *self._attributes]
        ]
        if self._asks_for_shapes:
            made.append(inspect.Parameter("out_shapes", by_name))
        returns = ", ".join(p.says for p in self._outputs)
        if len(self._outputs) != 1:
            returns = f"({returns})"
        return inspect.Signature(made, return_annotation=_Text(returns))

    def __repr__(self) -> str:
        return f"{self.__name__}{self.__signature__}"

    def __call__(self, *args: Any, out_shapes: Any = None, **kwargs: Any) -> Any:
        values, attributes = self._bind(args, kwargs)
        arrays = [self._array(p, value) for p, value in zip(self._inputs, values)]
        batch = self._leading(arrays)
        sizes: dict[str, tuple[Any, str]] = {}
        for p, array in zip(self._inputs, arrays):
            self._fit(p, np.shape(array)[len(batch) :], sizes)
        given = self._given_shapes(out_shapes)
        shapes = []
        for p in self._outputs:
            if p.kind == "in_out":
                shapes.append(np.shape(arrays[self._inputs.index(p)])[len(batch) :])
            elif p.name in given:
                self._fit(p, given[p.name], sizes)
                shapes.append(given[p.name])
            else:
                shapes.append(self._known_shape(p, sizes))
        call = jax.ffi.ffi_call(
            self.target,
            [
                jax.ShapeDtypeStruct((*batch, *shape), self._dtype(p))
                for p, shape in zip(self._outputs, shapes)
            ],
            # What returns nothing is called for something else.
            has_side_effect=not self._outputs,
            vmap_method=self._vmap_method,
            input_layouts=[p.layout(len(batch)) for p in self._inputs],
            output_layouts=[p.layout(len(batch)) for p in self._outputs],
            input_output_aliases=self._aliases,
        )
        outputs = call(*arrays, **attributes)
        if len(outputs) > 1:
            return self._tuple(*outputs)
        return outputs[0] if outputs else None

    def _fail(self, kind: type[Exception], what: str) -> NoReturn:
        raise kind(f"kernel `{self.__name__}`{what}") from None

    def _misfit(self, kind: type[Exception], p: _Parameter, found: object, what: str) -> NoReturn:
        self._fail(kind, f", parameter `{p.name}`: expected {p.says}, found {found}; {what}")

    def _bind(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arrays in sequence, and the attributes as XLA takes them."""
        if len(args) > len(self._inputs):
            what = f" takes {len(self._inputs)} by position, and got {len(args)}: {self!r}"
            self._fail(TypeError, what)
        parameters = {p.key: p for p in [*self._inputs, *self._attributes]}
        given = {p.key: value for p, value in zip(self._inputs, args)}
        for name, value in kwargs.items():
            if name not in parameters:
                hint = _did_you_mean(name, parameters)
                self._fail(TypeError, f" has no parameter `{name}`{hint}: {self!r}")
            if name in given:
                self._fail(TypeError, f" got `{name}` by position and by name: {self!r}")
            given[name] = value
        missing = [f"`{key}`" for key, p in parameters.items() if key not in given and not p.optional]
        if missing:
            self._fail(TypeError, f" misses {', '.join(missing)}: {self!r}")
        return [given[p.key] for p in self._inputs], {
            p.name: self._attribute(p, given[p.key])
            for p in self._attributes
            if not p.optional or given.get(p.key) is not None
        }

    def _attribute(self, p: _Parameter, value: Any) -> Any:
        if isinstance(value, jax.core.Tracer):
            what = (
                "an attribute is part of the compiled program: pass a number, or name the argument "
                "in `static_argnames` of jax.jit, or declare it as an input of the kernel"
            )
            self._misfit(TypeError, p, "a value that JAX traces", what)
        if p.kind == "string":
            if not isinstance(value, str):
                self._misfit(TypeError, p, _called(value), "pass a str")
            return value
        rank = 0 if p.kind == "scalar" else 1
        if isinstance(value, (jax.Array, np.ndarray)):
            if value.ndim != rank:
                self._misfit(TypeError, p, _called(value), f"pass one of rank {rank}")
            value = np.asarray(value)[()]
        elif rank == 1 and not isinstance(value, (list, tuple)):
            self._misfit(TypeError, p, _called(value), "pass a list or a NumPy array of rank 1")
        numbers = [self._number(p, v) for v in value] if rank else self._number(p, value)
        return _Attribute(np.asarray(numbers, p.dtype))

    def _number(self, p: _Parameter, value: Any) -> np.generic:
        """One number in the declared element type, exactly; floats are rounded."""
        dtype, number = p.dtype, value
        if isinstance(value, np.generic):
            number = complex(value) if jnp.iscomplexobj(value) else value.item()
        kinds: dict[str, tuple[str, tuple[type, ...]]] = {
            "b": ("True or False", (bool,)),
            "i": ("an integer", (int,)),
            "f": ("a number", (int, float)),
            "c": ("a number", (int, float, complex)),
        }
        kind = _kind(dtype)
        asked, types = kinds[kind]
        if type(number) not in types:
            self._misfit(TypeError, p, _called(value), f"pass {asked}")
        if kind == "i":
            info = jnp.iinfo(dtype)
            if not info.min <= number <= info.max:
                what = f"{p.element_type} goes from {info.min} to {info.max}"
                self._misfit(ValueError, p, number, what)
        with np.errstate(over="ignore"):
            try:
                made = np.asarray(number, dtype)[()]
            except OverflowError:
                made = np.asarray(np.inf, dtype)[()]
        if kind == "f" and type(number) is int and made != number:
            what = f"{p.element_type} does not have this integer: pass float({number}) to round it"
            self._misfit(ValueError, p, number, what)
        if kind in "fc" and np.isfinite(number) and not np.isfinite(made):
            what = f"{p.element_type} goes to {jnp.finfo(dtype).max}"
            self._misfit(ValueError, p, number, what)
        return made

    def _dtype(self, p: _Parameter) -> np.dtype[Any]:
        if jax.dtypes.canonicalize_dtype(p.dtype) != p.dtype:
            what = '`jax.config.update("jax_enable_x64", True)` before the first array turns them on'
            self._misfit(TypeError, p, f"JAX without 64-bit types", what)
        return p.dtype

    def _array(self, p: _Parameter, value: Any) -> Any:
        """An input as a value that JAX knows, of the declared element type."""
        dtype = self._dtype(p)
        if type(value) in (bool, int, float, complex):
            return jnp.asarray(self._number(p, value))
        try:
            aval = jax.typeof(value)
        except TypeError:
            self._misfit(TypeError, p, _called(value), "pass an array: `jnp.asarray(…)`")
        if aval.dtype != dtype:
            # As JAX does: what comes from a Python number has the type of what it meets.
            if aval.weak_type and jnp.result_type(value, dtype) == dtype:
                return jax.lax.convert_element_type(value, dtype)
            what = f"convert it: `{p.name}.astype({dtype.name!r})`"
            self._misfit(TypeError, p, _called(value), what)
        # JAX takes the low 32 bits of NumPy's integers unless 64-bit types are on.
        if getattr(value, "dtype", dtype) != dtype and _kind(dtype) == "i" and np.size(value):
            for number in (int(np.min(value)), int(np.max(value))):
                self._number(p, number)
        return value

    def _leading(self, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """The dimensions of the batch, in front of those that the layouts have; checks ranks."""
        shapes = [np.shape(array) for array in arrays]
        ranks = [len(p.dimensions) for p in self._inputs]
        count = min((len(s) - r for s, r in zip(shapes, ranks)), default=0) if self._batch else 0
        batch: list[Any] = [1] * max(count, 0)
        for p, shape, rank in zip(self._inputs, shapes, ranks):
            if len(shape) != len(batch) + rank:
                what = f"it has {len(shape)} dimensions, the layout {rank}"
                if self._batch and len(shape) > rank:
                    what += f", and {len(batch)} of a batch are in front of every array"
                elif len(shape) > rank:
                    what += "; `jax.vmap` calls the kernel for each part"
                self._misfit(ValueError, p, _called(arrays[self._inputs.index(p)]), what)
            batch = [b if n == 1 else n for b, n in zip(batch, shape)]
        for p, array, shape in zip(self._inputs, arrays, shapes):
            once = (1,) if p.kind == "in" else ()
            for d, size in enumerate(shape[: len(batch)]):
                if size != batch[d] and size not in once:
                    what = f"dimension {d}, of the batch, has {size} here and {batch[d]} elsewhere"
                    self._misfit(ValueError, p, _called(array), what)
        return tuple(batch)

    def _fit(self, p: _Parameter, shape: Sequence[Any], sizes: dict[str, tuple[Any, str]]) -> None:
        """Checks the sizes of an array, and notes those that the layout leaves open."""
        found = f"{p.element_type}[{','.join(map(str, shape))}]"
        if len(shape) != len(p.dimensions):
            what = f"it has {len(shape)} dimensions, the layout {len(p.dimensions)}"
            self._misfit(ValueError, p, found, what)
        for d, (declared, size) in enumerate(zip(p.dimensions, shape)):
            if isinstance(declared, str):
                expected, other = sizes.setdefault(declared, (size, f"dimension {d} of `{p.name}`"))
                because = f" as {other}: `?{declared.removeprefix(f'?')}` is one size"
                if declared.startswith("?"):
                    because = f" as {other}: their `?` are one size"
            else:
                expected, because = declared, ""
            if expected is not None and size != expected:
                what = f"dimension {d} has {size}, and should have {expected}{because}"
                self._misfit(ValueError, p, found, what)

    def _given_shapes(self, out_shapes: Any) -> dict[str, tuple[Any, ...]]:
        if out_shapes is None:
            return {}
        if not isinstance(out_shapes, Mapping):
            if len(self._outputs) != 1:
                names = ", ".join(p.name for p in self._outputs)
                what = f": out_shapes takes a dictionary by the names of the outputs ({names})"
                self._fail(TypeError, what)
            out_shapes = {self._outputs[0].name: out_shapes}
        outputs = [p.name for p in self._outputs if p.kind == "out"]
        for name in out_shapes:
            if name not in outputs:
                hint = _did_you_mean(name, outputs)
                self._fail(TypeError, f": out_shapes names `{name}`, which is no output{hint}")
        try:
            return {name: tuple(shape) for name, shape in out_shapes.items()}
        except TypeError:
            self._fail(TypeError, ": out_shapes takes shapes, which are tuples of integers")

    def _known_shape(self, p: _Parameter, sizes: dict[str, tuple[Any, str]]) -> tuple[Any, ...]:
        shape = [sizes[d][0] if d in sizes else d for d in p.dimensions]
        if any(type(d) is str or d is None for d in shape):
            example = tuple(d if type(d) is not str and d is not None else "…" for d in shape)
            text = str(example).replace("'", "")
            what = f"{{{p.name!r}: {text}}}" if len(self._outputs) > 1 else text
            what = f" cannot tell the shape of `{p.name}`, {p.says}, from its inputs; add out_shapes={what}"
            self._fail(TypeError, what)
        return tuple(shape)


@dataclasses.dataclass(frozen=True)
class _Parameter:
    """A parameter as the description has it."""

    name: str
    kind: str
    element_type: str = ""
    optional: bool = False
    shape: str = ""
    dimensions: Sequence[int | str | None] = ()
    major_to_minor: Sequence[int] = ()

    @classmethod
    def read(cls, entry: dict[str, Any]) -> _Parameter:
        fields = {field.name for field in dataclasses.fields(cls)}
        return cls(**{key: value for key, value in entry.items() if key in fields})

    @property
    def key(self) -> str:
        """The name in a call: with an underscore where Python has the word for itself."""
        taken = keyword.iskeyword(self.name) or self.name == "out_shapes"
        return self.name + "_" * taken

    @property
    def says(self) -> str:
        if self.kind in ("scalar", "array", "string"):
            says = {"scalar": self.element_type, "array": f"[{self.element_type}]"}
            return says.get(self.kind, "str") + " | None" * self.optional
        return self.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        name = self.element_type
        if name in ("pred", "bf16"):
            return jnp.dtype({"pred": "bool", "bf16": "bfloat16"}[name])
        kind = {"s": "int", "u": "uint", "f": "float", "c": "complex"}[name[0]]
        return jnp.dtype(kind + re.sub(r"^(\d)e", r"\1_e", name[1:]))  # f8e5m2: float8_e5m2

    def layout(self, leading: int) -> tuple[int, ...]:
        """JAX's major_to_minor, with a batch's dimensions as the most major."""
        return (*range(leading), *(leading + d for d in self.major_to_minor))


class _Attribute:
    """A value of an attribute by its bits.

    JAX keeps what it compiled by the attributes' values, and to Python 0.0 is -0.0 and no NaN is
    another.
    """

    def __init__(self, value: np.ndarray[Any, Any]):
        self._value = value
        self._key = (value.dtype.name, value.shape, value.tobytes())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Attribute) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return repr(self._value[()])

    def __jax_array__(self) -> Any:
        """What JAX asks for when it writes the attribute down."""
        if self._value.dtype == np.uint64 and not self._value.ndim:
            # JAX's own way ends at 2**63.
            return mlir.ir.Attribute.parse(f"{self._value} : ui64")
        return self._value if self._value.ndim else self._value[()]


class _Text(str):
    """Text that a signature shows without quotes."""

    __repr__ = str.__str__


def _kind(dtype: np.dtype[Any]) -> str:
    kinds = {"b": jnp.bool_, "i": jnp.integer, "f": jnp.floating, "c": jnp.complexfloating}
    return next(kind for kind, of in kinds.items() if jnp.issubdtype(dtype, of))


def _called(value: Any) -> str:
    """What was found, in XLA's words where it is an array."""
    if type(value) in (bool, int, float, complex):
        return f"{type(value).__name__} {value!r}"
    try:
        aval = jax.typeof(value)
        name = str(aval.dtype).replace("bfloat", "bf").replace("_", "")
    except (TypeError, AttributeError):
        return f"a value of type {type(value).__name__}"
    names = {"bool": "pred", "int": "s", "uint": "u", "float": "f", "complex": "c"}
    letters = re.match("[a-z]*", name)[0]  # type: ignore[index]
    name = names.get(letters, letters) + name[len(letters) :]
    return f"{name}[{','.join(map(str, aval.shape))}]"


def _did_you_mean(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean `{close[0]}`?" if close else ""
