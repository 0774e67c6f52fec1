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

import cmath
import collections
import ctypes
import difflib
import glob
import inspect
import itertools
import json
import keyword
import math
import operator
import os
import re
import reprlib
import shutil
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
from jax.interpreters import mlir

__all__ = ["Kernel", "Library", "load"]

_VERSION = 3  # of the description that a shared object gives
_lock = threading.Lock()
_loaded: dict[str, tuple[tuple[int, ...], Library]] = {}
_targets: set[str] = set()


def load(path: str | os.PathLike[str]) -> Library:
    """Loads a shared object and registers its kernels with XLA, for the CPU.

    The same file is loaded once, however often this is called. A file that was built anew since is
    loaded beside the old one: what is returned has the new kernels, and functions that JAX has
    compiled go on with the old ones.

    Raises FileNotFoundError where there is no file, IsADirectoryError where it is a folder, and
    ImportError where it is no shared object made with xlayout-kernel, or one that takes another
    version of this module.
    """
    path = os.fspath(path)
    real = os.path.realpath(path)
    if os.path.isdir(real):
        raise IsADirectoryError(f"{path!r} is a folder; {_libraries_in(path)}")
    if not os.path.isfile(real):
        raise FileNotFoundError(f"there is no file {path!r}; {_BUILD}")
    with _lock:
        stat = os.stat(real)
        built = (stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_size)
        known = _loaded.get(real)
        if known is None or known[0] != built:
            library = Library(path, _open(real, afresh=known is not None))
            _loaded[real] = known = (built, library)
        return known[1]


_BUILD = (
    "`cargo build --release` writes target/release/lib<name>.so of a crate with "
    'crate-type = ["cdylib"]'
)


def _libraries_in(folder: str) -> str:
    """What to load in place of a folder: a shared object in it, or one that Cargo built there."""
    places = (folder, os.path.join(folder, "release"), os.path.join(folder, "target", "release"))
    found = [path for place in places for path in sorted(glob.glob(os.path.join(place, "*.so")))]
    if not found:
        return f"pass the path of a shared object: {_BUILD}"
    shown = " or ".join(f"`load({path!r})`" for path in found[:3])
    return f"pass the path of a shared object in it: {shown}"


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
            f"xlayout_jax is {age} and reads version {_VERSION}; take the xlayout_jax.py of the "
            "xlayout-kernel which it was built with"
        )
    kernels: list[dict[str, Any]] = described["kernels"]
    if not kernels:
        raise ImportError(f"{path!r} has no kernels; put `#[xlayout::kernel]` above a function")
    return kernels


def _target(prefix: str, entry: Mapping[str, Any]) -> str:
    """XLA's name of a kernel, which compiled programs hold.

    A program that was compiled for another declaration (signature and layouts) must not find the
    kernel. All that XLA says then is the name, so that the advice is a part of it.
    """
    advice = "if-not-found-load-its-library-or-export-again"
    return f"{prefix}{entry['name']}.declaration-{entry['declaration']}.{advice}"


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
        while any(_target(prefix, entry) in _targets for entry in described):
            count += 1
            prefix = f"xlayout.{stem}@{count}."
        self._kernels = {entry["name"]: Kernel(entry, prefix) for entry in described}
        for entry in described:
            target, handler = _target(prefix, entry), jax.ffi.pycapsule(entry["handler"])
            jax.ffi.register_ffi_target(target, handler, platform="cpu")
            _targets.add(target)

    def __getitem__(self, name: str) -> Kernel:
        if name not in self._kernels:
            raise _NoKernel(self._no_kernel(name))
        return self._kernels[name]

    def __getattr__(self, name: str) -> Kernel:
        # While an instance is made, or copied, it has nothing yet.
        if name in ("_kernels", "_path"):
            raise AttributeError(name)
        if name not in self._kernels:
            raise AttributeError(self._no_kernel(name))
        return self._kernels[name]

    def _no_kernel(self, name: object) -> str:
        known = list(self._kernels)
        hint = _did_you_mean(name, known) if isinstance(name, str) else ""
        if not hint:
            more = f" and {len(known) - 8} more" if len(known) > 8 else ""
            hint = f"; it has {', '.join(f'`{kernel}`' for kernel in known[:8])}{more}"
        return f"{self._path!r} has no kernel `{name}`{hint}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __dir__(self) -> list[str]:
        return list(self._kernels)

    def __repr__(self) -> str:
        return "\n  ".join([f"kernels of {self._path}:", *map(repr, self._kernels.values())])


class _NoKernel(KeyError):
    """A KeyError whose text is shown as it is, and not as a string of Python's."""

    def __str__(self) -> str:
        return str(self.args[0])


class Kernel:
    """A kernel, called as a function: arrays by position or name, attributes by name.

    The result is an array, or a named tuple where there are several outputs. `out_shapes` gives the
    shapes that the inputs do not tell: one shape, or a dictionary of them by the outputs' names.
    They are those of one call, without the dimensions that a batch or `vmap` adds in front.
    """

    def __init__(self, entry: Mapping[str, Any], prefix: str):
        parameters = [_Parameter(parameter) for parameter in entry["parameters"]]
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
        self._together = whole if self._batch else "sequential"
        self.target: str = _target(prefix, entry)
        """XLA's name of the kernel, which `jax.ffi.ffi_call` and `jax.export`'s
        `DisabledSafetyCheck.custom_call` take. It has a hash of the declaration: a program that
        was exported with other layouts does not find the kernel."""
        self.__name__ = self.__qualname__ = entry["name"]
        self.__doc__ = entry["doc"] or f"The kernel at {entry['source']}."
        self._takes, self.__signature__ = self._signatures()
        self._tuple: Any = collections.namedtuple(  # type: ignore[misc]
            f"{entry['name']}_outputs", [p.name for p in self._outputs], rename=True
        )

    def _signatures(self) -> tuple[inspect.Signature, inspect.Signature]:
        """What a call is bound by, and what is shown."""
        empty, by_name = inspect.Parameter.empty, inspect.Parameter.KEYWORD_ONLY
        anyhow = inspect.Parameter.POSITIONAL_OR_KEYWORD
        made = [
            inspect.Parameter(
                p.key,
                anyhow if p in self._inputs else by_name,
                default=None if p.optional else empty,
                annotation=_Text(p.short),
            )
            for p in [*self._inputs, *self._attributes]
        ]
        takes = inspect.Signature(made)
        if self._asks_for_shapes:
            made.append(inspect.Parameter("out_shapes", by_name))
        returns = ", ".join(p.short for p in self._outputs)
        if len(self._outputs) != 1:
            returns = f"({returns})"
        return takes, inspect.Signature(made, return_annotation=_Text(returns))

    def __repr__(self) -> str:
        return f"{self.__name__}{self.__signature__}"

    def __call__(self, *args: Any, out_shapes: Any = None, **kwargs: Any) -> Any:
        try:
            arrays, attributes = self._bind(args, kwargs)
            batch, shapes = self._shapes(arrays, out_shapes)
            results = [
                jax.ShapeDtypeStruct((*batch, *shapes[p.name]), self._dtype(p))
                for p in self._outputs
            ]
        except _Refused as refused:
            raise refused.args[0] from None
        # The items of a batch that share bytes cannot be written one after the other.
        whole_bytes = all(
            p.bits % 8 == 0 or math.prod(shapes[p.name]) * p.bits % 8 == 0
            for p in [*self._inputs, *self._outputs]
        )
        outputs = jax.ffi.ffi_call(
            self.target,
            results,
            has_side_effect=not results,  # what returns nothing is called for something else
            vmap_method=self._together if whole_bytes else "sequential",
            input_layouts=[p.layout(len(batch)) for p in self._inputs],
            output_layouts=[p.layout(len(batch)) for p in self._outputs],
            input_output_aliases=self._aliases,
        )(*arrays, **attributes)
        # In shard_map: what is computed from one device's part differs from device to device, and
        # JAX does not see that by itself.
        axes = frozenset[Any]().union(*(jax.typeof(array).mat.varying for array in arrays))
        if axes:
            outputs = [jax.lax.pcast(output, tuple(axes), to="varying") for output in outputs]
        if len(outputs) > 1:
            return self._tuple(*outputs)
        return outputs[0] if outputs else None

    def _shapes(self, arrays: Sequence[Any], out_shapes: Any) -> tuple[Any, dict[str, Any]]:
        """The dimensions of the batch, and the shape of each array by name, without them."""
        batch = self._leading(arrays)
        sizes: dict[str, tuple[Any, str]] = {}
        shapes = {p.name: np.shape(array)[len(batch) :] for p, array in zip(self._inputs, arrays)}
        for p in self._inputs:
            self._fit(p, shapes[p.name], sizes)
        shapes |= self._given_shapes(out_shapes)
        for p in self._outputs:
            if p.name not in shapes:
                shapes[p.name] = self._known_shape(p, sizes)
            self._fit(p, shapes[p.name], sizes)
        return batch, shapes

    def partition_specs(self, mesh: jax.sharding.Mesh) -> tuple[Any, Any]:
        """What `jax.shard_map` takes as `in_specs` and `out_specs` to call this kernel on whole
        arrays: those of a layout with `sharding = {…}` as it says, others on every device."""
        in_specs = tuple(self._spec(p, mesh) for p in self._inputs)
        out_specs = [self._spec(p, mesh) for p in self._outputs]
        return in_specs, self._tuple(*out_specs) if len(out_specs) > 1 else out_specs[0]

    def _spec(self, p: _Parameter, mesh: jax.sharding.Mesh) -> jax.sharding.PartitionSpec:
        rank, names = len(p.dimensions), mesh.axis_names
        # Each axis of the mesh cuts one dimension, or none; several cut one in any sequence.
        for cut in itertools.product([*range(rank), None], repeat=len(names)):
            for axes in itertools.permutations(zip(names, cut)):
                parts = [tuple(name for name, d in axes if d == k) for k in range(rank)]
                spec = jax.sharding.PartitionSpec(*(part or None for part in parts))
                sharding = jax.sharding.NamedSharding(mesh, spec)._to_xla_hlo_sharding(rank)
                if str(sharding) == (p.sharding or "{replicated}"):
                    return spec
        raise ValueError(
            f"kernel `{self.__name__}`: {p.role} `{p.name}` has the sharding {p.sharding}, which no "
            f"PartitionSpec over the mesh {dict(mesh.shape)} gives"
        )

    def _fail(self, kind: type[Exception], what: str) -> NoReturn:
        raise _Refused(kind(f"kernel `{self.__name__}`{what}"))

    def _misfit(self, kind: type[Exception], p: _Parameter, found: object, what: str) -> NoReturn:
        found = f"and the call has {found}; {what}"
        self._fail(kind, f": {p.role} `{p.name}` is declared as {p.long}, {found}")

    def _bind(self, args: Any, kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arrays in sequence, and the attributes as XLA takes them."""
        for name in kwargs:
            if name not in self._takes.parameters:
                hint = _did_you_mean(name, self.__signature__.parameters)
                what = f": it has no argument or attribute `{name}`{hint or ';'}"
                self._fail(TypeError, f"{what} call {self!r}")
        try:
            given = self._takes.bind(*args, **kwargs).arguments
        except TypeError as error:
            by_name = self._attributes and len(args) > len(self._inputs)
            hint = " (behind `*`: attributes, by name)" if by_name else ""
            self._fail(TypeError, f": {error}; call {self!r}{hint}")
        arrays = [self._array(p, given[p.key]) for p in self._inputs]
        there = [p for p in self._attributes if not p.optional or given.get(p.key) is not None]
        return arrays, {p.name: self._attribute(p, given[p.key]) for p in there}

    def _attribute(self, p: _Parameter, value: Any) -> Any:
        if isinstance(value, jax.core.Tracer):
            what = (
                "an attribute is part of the compiled program; pass its value, name the argument in "
                f"`static_argnames` of jax.jit, or declare an input: `{p.name}: In<layout!({p.array})>`"
            )
            self._misfit(TypeError, p, "a value that JAX traces", what)
        if p.kind == "string":
            if not isinstance(value, str):
                self._misfit(TypeError, p, _called(value), "pass a str")
            value.encode()  # JAX's own words about half of a pair of UTF-16 tell nobody what is wrong
            return value
        if isinstance(value, (jax.Array, np.ndarray)) and value.ndim == (p.kind == "array"):
            value = np.asarray(value)[()]
        if p.kind == "scalar":
            return _Attribute(np.asarray(self._number(p, value)))
        if not isinstance(value, (list, tuple)) and np.ndim(value) != 1:
            self._misfit(TypeError, p, _called(value), "pass a list, or an array of rank 1")
        return _Attribute(np.asarray([self._number(p, number) for number in value], p.dtype))

    def _number(self, p: _Parameter, value: Any) -> Any:
        """One number in the declared element type: integers exactly, floats rounded."""
        dtype, number, kind = p.dtype, value, _kind(p.dtype)
        if isinstance(value, np.generic):
            number = {"b": bool, "i": int, "f": float, "c": complex}[_kind(value.dtype)](value)
        takes = {"b": (bool,), "i": (int,), "f": (int, float), "c": (int, float, complex)}[kind]
        if type(number) not in takes:
            asked = {"b": "True or False", "i": "an integer"}.get(kind, "a number")
            self._misfit(TypeError, p, _called(value), f"pass {asked}")
        if kind == "i" and not jnp.iinfo(dtype).min <= number <= jnp.iinfo(dtype).max:
            what = f"{p.element_type} goes from {jnp.iinfo(dtype).min} to {jnp.iinfo(dtype).max}"
            self._misfit(ValueError, p, _called(number), what)
        try:
            with np.errstate(over="ignore"):
                made = np.asarray(number, dtype)[()]
        except OverflowError:
            made = np.asarray(np.nan, dtype)[()]
        finite = type(number) is int or cmath.isfinite(number)
        if kind in "fc" and finite and not np.isfinite(made):
            what = f"{p.element_type} ends at {float(jnp.finfo(dtype).max):.7g}"
            self._misfit(ValueError, p, _called(number), what)
        if kind in "fc" and type(number) is int and complex(made) != number:
            what = f"{p.element_type} does not have this integer; float(…) rounds it"
            self._misfit(ValueError, p, _called(number), what)
        return made

    def _dtype(self, p: _Parameter) -> np.dtype[Any]:
        if jax.dtypes.canonicalize_dtype(p.dtype) != p.dtype:
            what = (
                "and JAX has no 64-bit types unless it is told to; put "
                '`jax.config.update("jax_enable_x64", True)` at the start of the program'
            )
            self._fail(TypeError, f": {p.role} `{p.name}` is declared as {p.long}, {what}")
        return p.dtype

    def _array(self, p: _Parameter, value: Any) -> Any:
        """An input as JAX takes it, with the declared element type."""
        dtype = self._dtype(p)
        if type(value) in (bool, int, float, complex):
            return jnp.asarray(self._number(p, value))
        try:
            aval = jax.typeof(value)
        except TypeError:
            self._misfit(TypeError, p, _called(value), "pass an array, as with `jnp.asarray(…)`")
        if jax.dtypes.issubdtype(aval.dtype, jax.dtypes.prng_key):
            what = "draw numbers with it, as with `jax.random.normal(key, shape)`"
            if p.element_type == "u32":
                what = "pass `jax.random.key_data(key)`, which is its u32[2]"
            self._misfit(TypeError, p, "a key of jax.random", what)
        if aval.dtype != dtype:
            # As everywhere in JAX: what comes from a Python number takes the type that it meets.
            if aval.weak_type and "bifc".index(_kind(aval.dtype)) <= "bifc".index(_kind(dtype)):
                return jax.lax.convert_element_type(value, dtype)
            what = f"pass {p.element_type}, as with `.astype({dtype.name!r})`"
            self._misfit(TypeError, p, _called(value), what)
        if value.dtype != dtype and _kind(dtype) == "i" and np.size(value):
            # JAX without 64-bit types takes the low 32 bits of NumPy's.
            for number in (np.min(value), np.max(value)):
                self._number(p, number)
        return value

    def _leading(self, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """The dimensions of the batch, which are in front of those of the layouts."""
        ranks = [np.ndim(array) - len(p.dimensions) for p, array in zip(self._inputs, arrays)]
        count = max(min(ranks, default=0), 0) if self._batch else 0
        shapes = [np.shape(array)[:count] for array in arrays]
        batch = tuple(next((n for n in sizes if n != 1), 1) for sizes in zip(*shapes))
        for p, array, rank, shape in zip(self._inputs, arrays, ranks, shapes):
            if rank != count:
                what = _rank(p, np.ndim(array))
                if self._batch and rank > 0:
                    what = f"{_rank(p)}, and before them as many as the other arrays have"
                elif rank > 0:
                    what += ", or map the call (`jax.vmap`)"
                self._misfit(ValueError, p, _called(array), what)
            for d, (size, whole) in enumerate(zip(shape, batch)):
                if size != whole and (size != 1 or p.kind == "in_out"):
                    what = f"leading dimension {d} is {size}, and that of the batch is {whole}"
                    self._misfit(ValueError, p, _called(array), what)
        return batch

    def _fit(self, p: _Parameter, shape: Sequence[Any], sizes: dict[str, tuple[Any, str]]) -> None:
        """Checks the sizes of an array, and notes those that its layout leaves open."""
        found = f"{p.element_type}[{','.join(map(str, shape))}]"
        if len(shape) != len(p.dimensions):
            self._misfit(ValueError, p, found, _rank(p, len(shape)))
        for d, (expected, size) in enumerate(zip(p.dimensions, shape)):
            if isinstance(expected, str):
                known, where = sizes.setdefault(expected, (size, f"dimension {d} of `{p.name}`"))
                if size != known:
                    one = "`?` there" if expected.startswith("?") else f"`?{expected}`"
                    what = f"dimension {d} is {size}, and {where} is {known}: {one} is one size"
                    self._misfit(ValueError, p, found, what)
            elif expected is not None and size != expected:
                what = f"pass {expected} as dimension {d}, not {size}"
                if p.whole:
                    what += f" (one device's part of {p.whole}: `jax.shard_map` makes them)"
                self._misfit(ValueError, p, found, what)
            if type(size) is int and size < 0:
                self._misfit(ValueError, p, found, f"dimension {d} is negative")

    def _given_shapes(self, out_shapes: Any) -> dict[str, tuple[Any, ...]]:
        names, given = [p.name for p in self._outputs if p.kind == "out"], out_shapes
        if out_shapes is None:
            return {}
        if not isinstance(out_shapes, Mapping) and len(names) == 1:
            out_shapes = {names[0]: out_shapes}
        try:
            shapes = {name: tuple(map(_size, shape)) for name, shape in out_shapes.items()}
        except jax.errors.TracerIntegerConversionError:
            what = (
                "out_shapes has a size that JAX traces, and sizes are part of the compiled program; "
                "take it from an array, as `x.shape[0]`, or name the argument that it is made of in "
                "`static_argnames` of jax.jit"
            )
            self._fail(TypeError, f": {what}")
        except (AttributeError, TypeError):
            takes = "a shape, as `(3, 4)`" if len(names) == 1 else "a dictionary of shapes by name"
            self._fail(TypeError, f": out_shapes takes {takes}, and got {given!r}")
        for name in shapes:
            if name not in names:
                hint = _did_you_mean(name, names)
                self._fail(TypeError, f": out_shapes names `{name}`, which is no output{hint}")
        return shapes

    def _known_shape(self, p: _Parameter, sizes: dict[str, tuple[Any, str]]) -> tuple[Any, ...]:
        shape = [sizes[d][0] if d in sizes else d for d in p.dimensions]
        if any(type(d) is str or d is None for d in shape):
            text = ", ".join("…" if type(d) is str or d is None else str(d) for d in shape)
            text = f"({text},)" if len(shape) == 1 else f"({text})"
            text = f"{{{p.name!r}: {text}}}" if len(self._outputs) > 1 else text
            what = f" cannot tell the shape of `{p.name}`, {p.short}, from its inputs"
            self._fail(TypeError, f"{what}; add `out_shapes={text}`")
        return tuple(shape)


class _Parameter:
    """A parameter, as the description has it."""

    def __init__(self, entry: Mapping[str, Any]):
        self.name: str = entry["name"]
        self.kind: str = entry["kind"]
        self.element_type: str = entry.get("element_type", "")
        self.numpy_type: str = entry.get("numpy_type", "")
        self.bits: int = entry.get("bits", 8)
        self.optional: bool = entry.get("optional", False)
        self.sharding: str = entry.get("sharding", "")
        self.whole: str = entry.get("global_shape", "")
        self.dimensions: Sequence[int | str | None] = entry.get("dimensions", ())
        self.major_to_minor: Sequence[int] = entry.get("major_to_minor", ())
        taken = keyword.iskeyword(self.name) or self.name == "out_shapes"
        self.key = self.name + "_" * taken
        """The name in a call."""
        of = self.element_type
        short = {"scalar": of, "array": f"[{of}]", "string": "str"}
        long = {"scalar": f"one {of}", "array": f"an array of {of}", "string": "a string"}
        self.short: str = entry.get("shape") or short.get(self.kind, "")
        self.long: str = entry.get("shape") or long.get(self.kind, "")
        self.array = f"{of}[?]" if self.kind == "array" else f"{of}[]"
        self.short += " | None" * self.optional
        role = {"in": "argument", "in_out": "argument", "out": "result"}
        self.role = role.get(self.kind, "attribute")

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type; where this JAX does not have it, only calls are refused."""
        return jnp.dtype(self.numpy_type)

    def layout(self, leading: int) -> tuple[int, ...]:
        """JAX's major_to_minor, with the dimensions of a batch as the most major."""
        return (*range(leading), *(leading + d for d in self.major_to_minor))


class _Refused(Exception):
    """A call is refused, with the exception that the caller gets: without the frames of checks."""


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
    if value is None or type(value) in (bool, int, float, complex):
        return reprlib.repr(value)
    try:
        aval = jax.typeof(value)
        name = str(aval.dtype).replace("bfloat", "bf").replace("_", "")
    except (TypeError, AttributeError):
        return f"a value of type {type(value).__name__}"
    names = {"bool": "pred", "int": "s", "uint": "u", "float": "f", "complex": "c"}
    letters = re.match("[a-z]*", name)[0]  # type: ignore[index]
    name = names.get(letters, letters) + name[len(letters) :]
    return f"{name}[{','.join(map(str, aval.shape))}]"


def _size(size: Any) -> Any:
    return size if jax.export.is_symbolic_dim(size) else operator.index(size)


def _rank(p: _Parameter, found: int | None = None) -> str:
    rank = len(p.dimensions)
    text = f"pass {rank} dimension" + "s" * (rank != 1)
    return text if found is None else f"{text}, not {found}"


def _did_you_mean(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean `{close[0]}`?" if close else ""
