"""The kernels of libmine.so, written by `python -m xlayout.jax`."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from jax import Array
from jax.typing import ArrayLike


def scale(x: ArrayLike, *, a: float) -> Array:
    """scale(x: f32[?N]{0}, *, a: f32) -> f32[?N]{0}

    `y = a x`

    Under jit, XLA divides among devices: N.
    """
