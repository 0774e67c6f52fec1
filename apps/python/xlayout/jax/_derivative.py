"""Derivatives: a kernel names another kernel of its library, which computes them (`vjp = f_grad`).

    y = f(x)              keep those of x and y that f_grad takes
    dx = f_grad(x, dy)    dy is the derivative by y, dx that by x

Parameters are found by name. `f_grad` takes `dy` for each result `y` of `f` with a floating type, and any arguments
and results of `f`. It returns `dx` for each argument `x` of a floating type. Both have the same attributes. In a call
with a batch, `f_grad` is mapped over the batch, and an item that was repeated gets the sum of its derivatives.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import jax
import numpy as np

from ..kernels._parameter import Parameter
from ._untyped import reshard, reverse_only
from ..kernels._words import did_you_mean

if TYPE_CHECKING:
    from ._kernel import Kernel

Function = Callable[..., tuple[Any, ...]]


def _is_floating(p: Parameter) -> bool:
    return p.element_type.startswith(("f", "bf", "c"))


class Derivative:
    """The kernel `by` as the derivative of the kernel `of`. ImportError where they do not fit."""

    def __init__(self, of: Kernel, by: Kernel):
        self.of, self.by = of, by
        # The name of an array in place is that of the argument, as it was before the call.
        self.kept = {p.name: p for p in [*of._outputs, *of._inputs]}
        cotangents = {f"d{p.name}": p for p in of._outputs if _is_floating(p)}
        for name, p in cotangents.items():
            if name in self.kept:
                what = f"and `{name}` is both its own array and the derivative by `{p.name}`"
                self._refuse(f"{what}; give one of them another name")
        results = {f"d{p.name}": p for p in of._inputs if _is_floating(p)}
        self._check("In", by._inputs, self.kept | cotangents, cotangents)
        self._check("Out", by._outputs, results, results)
        wanted, found = (
            ", ".join(sorted(f"`{p.name}: {p.short}`" for p in kernel._attributes)) or "none"
            for kernel in (of, by)
        )
        if wanted != found:
            self._refuse(f"which has other attributes: {found}; declare those of the first: {wanted}")

    def _check(
        self,
        form: str,
        found: Sequence[Parameter],
        known: dict[str, Parameter],
        needed: Mapping[str, Parameter],
    ) -> None:
        """Checks the arguments or the results of the second kernel."""
        for p in found:
            if p.name not in known:
                names = ", ".join(f"`{name}`" for name in known) or "none"
                hint = did_you_mean(p.name, known)
                self._refuse(f"whose `{p.name}: {form}<…>` is none of {names}{hint}")
            of = known[p.name]
            sizes = [*zip(p.dimensions, of.dimensions)]
            fits = len(p.dimensions) == len(of.dimensions) and p.element_type == of.element_type
            if not fits or any(type(own) is int and own != size for own, size in sizes):
                self._refuse(f"whose `{p.name}` is {p.short}, where {of.short} is needed")
        for name, p in needed.items():
            if name not in [other.name for other in found]:
                what = f"the derivative by `{p.name}`: add `{name}: {form}<layout!({p.short})>`"
                self._refuse(f"which lacks {what}")

    def _refuse(self, what: str) -> NoReturn:
        of, by = (f"`{kernel.__name__}` ({kernel.source})" for kernel in (self.of, self.by))
        raise ImportError(f"kernel {of} declares `vjp = {self.by.__name__}`, kernel {by}, {what}")

    def function(
        self,
        run: Function,
        batch: Sequence[Any],
        types: Sequence[Any],
        attributes: Mapping[str, Any],
    ) -> Function:
        """The function `run` of a call's arrays, which have these types, with its derivative."""
        of, by = self.of, self.by
        items = {f"d{p.name}": t.shape[len(batch) :] for p, t in zip(of._inputs, types)}
        out_shapes = {p.name: items[p.name] for p in by._outputs if p.kind == "out"}

        def step(*items: Any) -> tuple[Any, ...]:
            found = by(*items, out_shapes=out_shapes, **attributes)
            return tuple(found) if len(by._outputs) > 1 else (found,)

        def forward(*arrays: Any) -> Any:
            outputs = whole(*arrays)  # which may be differentiated again
            named = [*zip(of._outputs, outputs), *zip(of._inputs, arrays)]
            known = {p.name: array for p, array in named}
            return outputs, {p.name: known[p.name] for p in by._inputs if p.name in self.kept}

        def back(kept: dict[str, Any], cotangents: Any) -> tuple[Any, ...]:
            known = {f"d{p.name}": x for p, x in zip(of._outputs, cotangents)} | kept
            arrays = [known[p.name] for p in by._inputs]
            # A size of 1 beside a larger batch repeats the item, and is not mapped.
            mapped = [[n == size for n, size in zip(x.shape, batch)] for x in arrays]
            items = [
                x.reshape([n for n, own in itertools.zip_longest(x.shape, m, fillvalue=True) if own])
                for x, m in zip(arrays, mapped)
            ]
            steps = step
            for d in reversed(range(len(batch))):
                steps = jax.vmap(steps, [0 if m[d] else None for m in mapped])
            found = dict(zip((p.name for p in by._outputs), steps(*items)))
            return tuple(
                _of_type(found.get(f"d{p.name}"), batch, of_array)
                for p, of_array in zip(of._inputs, types)
            )

        whole: Any = jax.custom_vjp(run)
        whole.defvjp(forward, back)

        def of_arguments(*arrays: Any) -> tuple[Any, ...]:
            marked = [_reverse_only(x, kernel=of.__name__) if _is_floating(p) else x for p, x in zip(of._inputs, arrays)]
            outputs: tuple[Any, ...] = whole(*marked)
            return outputs

        return of_arguments


def _refuse_forward(*_: Any, kernel: str, **__: Any) -> NoReturn:
    raise TypeError(
        f"kernel `{kernel}` has a derivative in reverse mode (`vjp = …`), and none in forward mode (`jax.jvp`, "
        "`jax.jacfwd`, `jax.hessian`, `jax.linearize`): call `jax.vjp`, `jax.grad` or `jax.jacrev`, and for second "
        "derivatives `jax.jacrev(jax.jacrev(f))`"
    )


# `jax.custom_vjp` refuses the forward mode, too, and names no kernel.
_reverse_only = reverse_only("xlayout_argument", _refuse_forward)


def _of_type(x: Any, batch: Sequence[Any], of: Any) -> Any:
    """The derivative by an array of this type, from the derivatives by each item of the batch."""
    if x is None:
        return None
    repeated = [d for d, size in enumerate(batch) if of.shape[d] != size]
    if repeated:
        x = x.sum(repeated, keepdims=True)
    # Where the axes of the mesh are explicit, the type says how devices have the array.
    return reshard(x, of.sharding) if of.sharding.mesh.explicit_axes else x


def refused(of: Kernel, run: Function) -> Function:
    """The function `run` of a call's arrays, with an error where it is differentiated."""

    def rule(primals: Any, _: Any) -> Any:
        if any(_is_floating(p) for p in of._outputs):
            raise ValueError(
                f"kernel `{of.__name__}` has no derivative: name a kernel of its library that computes it, as "
                f"`#[xlayout_kernel::kernel(vjp = {of.__name__}_grad)]`, or write a rule with `jax.custom_vjp`, or pass "
                "`jax.lax.stop_gradient(x)` in place of an argument `x` that is a constant"
            )
        outputs = run(*primals)
        return outputs, tuple(np.zeros(x.shape, jax.dtypes.float0) for x in outputs)

    function: Any = jax.custom_jvp(run)
    function.defjvp(rule)
    refusing: Function = function
    return refusing
