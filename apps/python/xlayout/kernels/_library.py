"""Shared objects: found, loaded, and their kernels made functions."""

from __future__ import annotations

import collections
import ctypes
import glob
import json
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from ._kernel import AnyKernel
from ._words import called, did_you_mean

_VERSION = 8  # of the description that a shared object gives
# Sets of instructions; each contains the ones before it.
_SETS = ["baseline", "x86-64-v3", "x86-64-v4"]
_lock = threading.Lock()
_opened: dict[str, tuple[tuple[int, ...], ctypes.CDLL]] = {}
_loaded: dict[tuple[type, str, str | None, str | None], tuple[tuple[int, ...], Any]] = {}

K = TypeVar("K", bound=AnyKernel)
L = TypeVar("L", bound="AnyLibrary[Any]")


def loaded(
    of: type[L], path: str | os.PathLike[str], isa: str | None = None, name: str | None = None
) -> L:
    """The library at a path; what `load` of the public modules says."""
    if name is not None and not (isinstance(name, str) and name.isidentifier()):
        kind = ValueError if isinstance(name, str) else TypeError
        raise kind(f"name is that of the library in compiled programs, as `name=\"mine\"`, and is {called(name)}")
    try:
        path = os.fsdecode(path)
    except TypeError:
        raise TypeError(f"load takes the path of a shared object, and got {called(path)}; {_BUILD}") from None
    real = os.path.realpath(path) if path and "\0" not in path else ""
    if os.path.isdir(real):
        raise IsADirectoryError(f"{path!r} is a folder; {_libraries_in(path)}")
    if not os.path.isfile(real):
        raise FileNotFoundError(f"there is no file {path!r}; {_BUILD}")
    with _lock:
        stat = os.stat(real)
        built = (stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_size)
        known = _loaded.get((of, real, isa, name))
        if known is None or known[0] != built:
            opened = _opened.get(real)
            if opened is None or opened[0] != built:
                opened = _opened[real] = (built, _open(real, afresh=opened is not None))
            library = of(path, opened[1], isa, name)
            _loaded[of, real, isa, name] = known = (built, library)
        found: L = known[1]
        return found


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
            f"package xlayout is {age} and reads version {_VERSION}; take the one of the "
            "xlayout-kernel which it was built with"
        )
    kernels: list[dict[str, Any]] = described["kernels"]
    if not kernels:
        raise ImportError(f"{path!r} has no kernels; put `#[xlayout_kernel::kernel]` above a function")
    return [{**kernel, "api": described["api"]} for kernel in kernels]


def _with_instructions(described: list[dict[str, Any]], isa: str | None, path: str) -> None:
    """Gives each kernel the handler with the most instructions that are in the set `isa`."""
    if isa is None:
        return
    here = [name for name in _SETS if any(name in entry["handlers"] for entry in described)]
    if isa not in here:
        known = ", ".join(f"{name!r}" for name in here)
        raise ValueError(f"isa is {isa!r}, and the kernels of {path!r} run here with {known}")
    for entry in described:
        names = _SETS[: _SETS.index(isa) + 1]
        entry["isa"] = [name for name in names if name in entry["handlers"]][-1]
        entry["handler"] = entry["handlers"][entry["isa"]]


def kernel_of(
    of: type[AnyLibrary[K]], path: str, isa: str | None, library: str | None, name: str, target: str
) -> K:
    """A kernel that was pickled. `library` is the name that the library was given."""
    kernel = loaded(of, path, isa, library)[name]
    declaration = re.compile(r"\.declaration-(\w+)")
    for one in (one for of in kernel.types for one in of.layouts):
        if declaration.findall(one.target) == declaration.findall(target):
            return kernel if one.target == kernel.target else one
    if declaration.findall(kernel.target) != declaration.findall(target):
        raise ImportError(
            f"kernel `{name}` of {path!r} was pickled with another declaration; its signature or its "
            "layouts have changed since: pickle it again"
        )
    return kernel


def _target(entry: Mapping[str, Any], library: str | None, count: int) -> str:
    """XLA's name of a kernel, which compiled programs hold.

    It has the name that the library was given, or that of the kernel's crate, and not that of the
    file, which may be called otherwise where a program is run.

    A program that was compiled for another declaration (signature and layouts) must not find the
    kernel. All that XLA says then is the name, so that the advice is a part of it.
    """
    advice = "if-not-found-load-its-library-or-export-again"
    name: str = library or entry["module"].partition("::")[0]
    number = f"@{count}" if count > 1 else ""
    return f"xlayout.{name}{number}.{entry['name']}.declaration-{entry['declaration']}.{advice}"


class AnyLibrary(Generic[K]):
    """The kernels of a shared object: `k.scale`, or `k["scale"]`; `list(k)` has their names."""

    _KERNEL: ClassVar[type[AnyKernel]]
    _targets: ClassVar[set[str]]
    """The names of the kernels that were loaded."""

    def __init__(self, path: str, shared: ctypes.CDLL | None = None, isa: str | None = None, name: str | None = None):
        if not isinstance(shared, ctypes.CDLL):
            module = type(self).__module__
            raise TypeError(f"a library is opened by a function of its module: `{module}.load({path!r})`")
        self._path, self._isa, self._name = path, isa, name
        described = _describe(path, shared)
        _with_instructions(described, isa, path)
        # A kernel with several layouts has an entry for each combination of them.
        names = collections.Counter(e["name"] for e in described if e["combination"][0] == 0)
        for twice in (kernel for kernel, count in names.items() if count > 1):
            places = [
                entry["source"]
                for entry in described
                if entry["name"] == twice and entry["combination"][0] == 0
            ]
            raise ImportError(
                f"{path!r} has {len(places)} kernels called `{twice}` ({', '.join(places)}); name "
                'them apart: `#[xlayout_kernel::kernel(name = "…")]`'
            )
        # Compiled programs hold the name, so it is the same in every process; the second library
        # of one name gets a number.
        count = 1
        while any(_target(entry, name, count) in self._targets for entry in described):
            count += 1

        def target(entry: Mapping[str, Any]) -> str:
            return _target(entry, name, count)

        origin = (kernel_of, type(self), os.path.abspath(path), isa, name)
        self._kernels: dict[str, K] = {}
        for of_kernel in names:

            def kernel(number: int, layouts: Any = (), types: Any = ()) -> Any:
                return self._KERNEL(entries[number], target(entries[number]), origin, layouts, types)

            # The combinations of layouts are the same for each element type.
            entries = [entry for entry in described if entry["name"] == of_kernel]
            by_types: dict[Any, list[int]] = {}
            for number, entry in enumerate(entries):
                types = tuple(p.get("element_type") for p in entry["parameters"])
                by_types.setdefault(types, []).append(number)
            made = []
            for numbers in by_types.values():
                layouts = [kernel(number) for number in numbers]
                made.append(layouts[0] if len(layouts) == 1 else kernel(numbers[0], layouts))
            first = made[0]
            if len(made) > 1:
                several = len(first.layouts) > 1
                layouts = [kernel(i, (), of) for i, of in enumerate(zip(*(of.layouts for of in made)))]
                first = kernel(0, layouts if several else (), made)
            self._kernels[of_kernel] = first
        self._complete()
        for entry in described:
            self._register(target(entry), entry["handler"])
            self._targets.add(target(entry))

    def _complete(self) -> None:
        """Connects the kernels."""

    def _register(self, target: str, handler: int) -> None:
        """Makes a kernel known by its name."""

    def __reduce__(self) -> Any:
        """A library is pickled as its path."""
        return loaded, (type(self), os.path.abspath(self._path), self._isa, self._name)

    @property
    def file_name(self) -> str:
        """The name of the shared object, without its folder."""
        return os.path.basename(self._path)

    def __getitem__(self, name: str) -> K:
        if name not in self._kernels:
            raise NoKernel(self._no_kernel(name))
        return self._kernels[name]

    def __getattr__(self, name: str) -> K:
        # While an instance is made, or copied, it has nothing yet.
        if name in ("_kernels", "_path", "_isa", "_name"):
            raise AttributeError(name)
        if name not in self._kernels:
            raise AttributeError(self._no_kernel(name))
        return self._kernels[name]

    def _no_kernel(self, name: object) -> str:
        known = list(self._kernels)
        hint = did_you_mean(name, known) if isinstance(name, str) else ""
        if not hint:
            more = f" and {len(known) - 8} more" if len(known) > 8 else ""
            hint = f"; it has {', '.join(f'`{kernel}`' for kernel in known[:8])}{more}"
        return f"{self._path!r} has no kernel `{name}`{hint}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __dir__(self) -> list[str]:
        return [*self._kernels, *(name for name in vars(type(self)) if not name.startswith("_")), "file_name"]

    def __repr__(self) -> str:
        return "\n  ".join([f"kernels of {self._path}:", *map(repr, self._kernels.values())])


class NoKernel(KeyError):
    """A KeyError whose text is shown as it is, and not as a string of Python's."""

    def __str__(self) -> str:
        return str(self.args[0])


def no_attribute(module: str, name: str) -> AttributeError:
    """What a module of kernels raises where it is asked for a kernel, which its library has."""
    path = "target/release/libmine.so"
    hint = "" if name.startswith("_") else f"; a kernel is of a library: `k = {module}.load({path!r})`, and then `k.{name}`"
    return AttributeError(f"module {module!r} has no attribute {name!r}{hint}")
