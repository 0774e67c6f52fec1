"""A kernel as a function: what arrays of NumPy and those of JAX have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._arguments import Arguments
from ._declaration import Refused
from ._shapes import Shapes
from ._words import called, shown

if TYPE_CHECKING:
    from typing import Self

Order = tuple[int, ...]


class AnyKernel(Arguments, Shapes):
    """A kernel, called as a function: arrays by position or name, attributes by name, or by position if the kernel
    has them behind its arrays.

    The result is an array, or a named tuple where there are several outputs. `out_shapes` gives the
    shapes that the inputs do not tell: one shape, or a dictionary of them by the outputs' names.
    They are those of one call, without the dimensions that a batch or `vmap` adds in front.
    """

    def __init__(
        self,
        entry: Mapping[str, Any],
        target: str,
        origin: Any = None,
        layouts: Sequence[Self] = (),
        types: Sequence[Self] = (),
    ):
        super().__init__(entry)
        self.target = target
        """XLA's name of the kernel, which `jax.ffi.ffi_call` takes. It has a hash of the declaration:
        a program that was exported with other layouts does not find the kernel."""
        self.isa: str = entry.get("isa", "")
        """The set of instructions that the kernel runs with."""
        self._handler: int = entry.get("handler", 0)
        self._api: int = entry.get("api", 0)
        self._origin = origin
        self.layouts: tuple[Self, ...] = Copies.of("layouts", layouts or [self])
        """The kernel in each combination of the layouts that its parameters may have (`#[also(…)]`),
        the first one as it is declared. A call takes the one for which the fewest bytes are copied;
        under `jit`, where an array's layout is not known yet, the first. Each of these is a kernel that
        takes its own layouts: `k.f.layouts[1](x)`."""
        self.types: tuple[Self, ...] = Copies.of("types", types or [self])
        """The kernel for each of its element types (`types(T = f32, f64)`). A call takes the one of its arrays."""
        if layouts or types:
            self._show(types or layouts)
        self._prepare()

    def _prepare(self) -> None:
        """Makes what a module keeps of a kernel."""

    def _element_type(self, value: Any) -> tuple[Any, bool]:
        """The element type of an array, and whether it is that of a number of Python's."""
        return value.dtype, False

    def _of_type(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Self:
        """The one of `types` that takes the first array whose element type may be another one."""
        of = [[kernel._inputs[i] for kernel in self.types] for i in range(len(self._inputs))]
        number = next(i for i, ps in enumerate(of) if any(p.numpy_type != ps[0].numpy_type for p in ps))
        p = self._inputs[number]
        value = self._of_library(p, args[number] if number < len(args) else kwargs.get(p.key))
        if not hasattr(value, "dtype"):
            return self.types[0]  # a number, or what a check refuses
        found, is_weak = self._element_type(value)
        for kernel, own in zip(self.types, of[number]):
            if own.dtype == found:
                return kernel
        if is_weak:
            return self.types[0]
        names = ", ".join(own.element_type for own in of[number])
        what = f"pass one of {names}, as with `.astype({p.dtype.name!r})`"
        self._misfit(TypeError, p, called(value), what)

    def _chosen(self, arrays: Sequence[Any], orders: Sequence[Order]) -> Self:
        """The one of `layouts` for which the fewest bytes are copied."""
        if len(self.layouts) == 1:
            return self

        def copied(kernel: AnyKernel) -> int:
            wanted = (p.layout(x.ndim - p.rank) for p, x in zip(kernel._inputs, arrays))
            given = zip(arrays, orders, wanted)
            return sum(x.size * x.dtype.itemsize for x, order, want in given if order != want)

        return min(self.layouts, key=copied)

    def _converts_items(self, arrays: Sequence[Any], orders: Sequence[Order]) -> bool:
        """Whether the kernel converts each item of a batch, so that XLA copies no whole batch from
        the row-major layout to the declared one. Arrays that have the declared layout are passed in it."""
        wanted = [p.layout(x.ndim - p.rank) for p, x in zip(self._inputs, arrays) if p.by_items]
        found = [order for p, order in zip(self._inputs, orders) if p.by_items]
        if not wanted:
            return any(p.by_items for p in self._outputs)
        return wanted != found

    def __reduce__(self) -> Any:
        """A kernel is pickled as the path of its library and its name."""
        if self._origin is None:
            raise TypeError(f"kernel `{self.__name__}` is of no library, and cannot be pickled")
        find, *arguments = self._origin
        return find, (*arguments, self.__name__, self.target)

    def __call__(self, *args: Any, out_shapes: Any = None, **kwargs: Any) -> Any:
        if len(args) > len(self._inputs):
            args, kwargs = self._named(args, kwargs)
        try:
            if len(self.types) > 1:
                return self._of_type(args, kwargs)(*args, out_shapes=out_shapes, **kwargs)
            return self._run(args, out_shapes, kwargs)
        except Refused as refused:
            raise refused.args[0] from None

    def _run(self, args: Sequence[Any], out_shapes: Any, kwargs: dict[str, Any]) -> Any:
        """The results of a call of a kernel with one element type."""
        raise NotImplementedError

    def _returned(self, outputs: Sequence[Any]) -> Any:
        """What a call returns."""
        if len(outputs) > 1:
            return self._tuple(*outputs)
        return outputs[0] if outputs else None


class Copies(tuple[Any, ...]):
    """A kernel in each combination of its layouts, or for each of its element types; a wrong number is an error that
    names the kernel."""

    word: str

    @classmethod
    def of(cls, word: str, kernels: Sequence[Any]) -> Copies:
        made = cls(kernels)
        made.word = word
        return made

    def __getitem__(self, index: Any) -> Any:
        try:
            return super().__getitem__(index)
        except (IndexError, TypeError) as error:
            if type(error) not in (IndexError, TypeError):
                raise  # JAX says that it traces the number
            last = f" to `{self.word}[{len(self) - 1}]`" if len(self) > 1 else ""
            what = f"kernel `{self[0].__name__}` has `{self.word}[0]`{last}, and no `{self.word}[{shown(index)}]`"
            raise type(error)(what) from None
