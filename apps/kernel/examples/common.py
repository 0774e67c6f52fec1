"""What the drivers share: the kernels, arrays to pass, and rivals timed by turns."""

import os
import statistics
import time

import jax
import jax.numpy as jnp
import numpy as np

import xlayout.jax

kernels = xlayout.jax.load(os.environ["XLAYOUT_EXAMPLES"])
_random = np.random.default_rng(0)


def normal(*shape):
    return jnp.asarray(_random.standard_normal(shape, dtype=np.float32))


def pixels(*shape):
    return jnp.asarray(_random.integers(0, 256, shape, dtype=np.uint8))


def check(what, found, expected, within=0.0):
    """Fails unless the largest difference is within so many times the largest value."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, f"{what}: {found.shape} is not {expected.shape}"
    scale = np.max(np.abs(expected), initial=0.0)
    off = np.max(np.abs(found.astype(np.float64) - expected), initial=0.0)
    assert off <= within * scale, f"{what}: off by {off:.3g} of {scale:.3g}"
    print(f"{what}: as expected, {'exactly' if off == 0 else f'within {off / scale:.1e}'}")


class Table:
    """Times of a kernel and of its rival, XLA's own, by turns: medians of many rounds, in microseconds."""

    def __init__(self, title, rival="XLA", own="kernel"):
        self._on = "XLAYOUT_CHECK" not in os.environ
        if self._on:
            print(f"\n| {title} | {rival}, us | {own}, us | {rival} / {own} |\n|---|---|---|---|")

    def row(self, name, ours, theirs, *arrays, seconds=float(os.environ.get("XLAYOUT_SECONDS", "3"))):
        if not self._on:
            return
        functions = [jax.jit(theirs), jax.jit(ours)]
        times = [[], []]
        for function in functions:
            for _ in range(3):
                jax.block_until_ready(function(*arrays))
        start = time.perf_counter()
        while len(times[0]) < 9 or (time.perf_counter() - start < seconds and len(times[0]) < 2000):
            for function, spent in zip(functions, times):
                begun = time.perf_counter()
                jax.block_until_ready(function(*arrays))
                spent.append(time.perf_counter() - begun)
        theirs, ours = (1e6 * statistics.median(spent) for spent in times)
        print(f"| {name} | {theirs:.0f} | {ours:.0f} | {theirs / ours:.2f} |", flush=True)
