"""What a call of either handler takes within a program of XLA's, and from JAX: medians, by turns."""

import ctypes
import itertools
import statistics
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
import xlayout.jax
import xlayout.kernels

ROUNDS, CALLS = 300, 2000

kernel = xlayout.jax.load(sys.argv[1]).scaled_sum
handler = ctypes.CDLL(sys.argv[2]).scaled_sum_cpp
jax.ffi.register_ffi_target("cpp", jax.ffi.pycapsule(handler), platform="cpu")
x, y = jnp.arange(8.0), jnp.ones(8)
result = jax.ShapeDtypeStruct(x.shape, x.dtype)
# The same options for both, so that the two programs differ by the target's name only.
calls = [
    jax.ffi.ffi_call(
        target, [result], input_layouts=[(0,), (0,)], output_layouts=[(0,)], vmap_method="sequential"
    )
    for target in (kernel.target, "cpp")
]
a = 0.5
attributes = {"a": np.float32(a)}


def many(call):
    def step(_, z):
        return call(x, z, **attributes)[0]

    return jax.jit(lambda z: jax.lax.fori_loop(0, CALLS, step, z))


def nanoseconds(function, count):
    begun = time.perf_counter_ns()
    jax.block_until_ready(function(y))
    return (time.perf_counter_ns() - begun) / count


def row(what, functions, count, unit, rounds=ROUNDS):
    times = [[], []]
    for function in functions:
        jax.block_until_ready(function(y))
    for _ in range(rounds):
        for function, spent in zip(functions, times):
            spent.append(nanoseconds(function, count) / unit)
    rust, cpp = (statistics.median(spent) for spent in times)
    print(f"| {what} | {cpp:.1f} | {rust:.1f} | {rust / cpp:.2f} |")


assert (kernel(x, y, a=a) == a * x + y).all()
row("in a loop of XLA's, ns", [many(call) for call in calls], CALLS, 1)
dispatched = [jax.jit(lambda z, call=call: call(x, z, **attributes)[0]) for call in calls]
row("from JAX, jitted, us", dispatched, 1, 1000)
outside = [lambda z: kernel(x, z, a=a), lambda z: calls[1](x, z, **attributes)[0]]
row("from JAX, not jitted, us", outside, 1, 1000)
new = (np.float32(n) for n in itertools.count())
values = [lambda z: kernel(x, z, a=next(new)), lambda z: calls[1](x, z, a=next(new))[0]]
row("the same, a new value of the attribute, us", values, 1, 1000, rounds=30)

without_jax, of_numpy = xlayout.kernels.load(sys.argv[1]).scaled_sum, np.asarray(x)
times = []
for _ in range(10 * ROUNDS):
    begun = time.perf_counter_ns()
    without_jax(of_numpy, of_numpy, a=a)
    times.append((time.perf_counter_ns() - begun) / 1000)
print(f"| from NumPy, by `xlayout.kernels`, us | | {statistics.median(times):.1f} | |")
