"""Parts of neural networks, against jnp."""

import jax
import jax.numpy as jnp
import numpy as np
from common import Table, check, kernels, normal

random = np.random.default_rng(2)
EPSILON = 1e-5


def group_norm(x, scale, bias):
    return kernels.group_norm(x, scale, bias, groups=8, epsilon=EPSILON)


def group_norm_by_reference(x, scale, bias):
    return kernels.group_norm_by_reference(x, scale, bias, groups=8, epsilon=EPSILON)


def group_norm_in_jax(x, scale, bias):
    b, c, p = x.shape
    groups = x.reshape(b, 8, -1)
    mean = groups.mean(axis=-1, keepdims=True)
    variance = ((groups - mean) ** 2).mean(axis=-1, keepdims=True)
    y = ((groups - mean) * jax.lax.rsqrt(variance + EPSILON)).reshape(b, c, p)
    return y * scale[:, None] + bias[:, None]


def convolution(x, weight):
    return jax.lax.conv_general_dilated(
        x, weight[:, :, None, :], (1, 1), "SAME",
        dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=x.shape[-1],
    )


def shifted(x, weight):
    """The same convolution as nine products, which XLA fuses."""
    _, h, w, _ = x.shape
    padded = jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    return sum(padded[:, i : i + h, j : j + w] * weight[i, j] for i in range(3) for j in range(3))


def top2_gate(logits):
    weight, index = jax.lax.top_k(logits, 2)
    return index, jax.nn.softmax(weight, axis=-1)


def top2_by_argmax(logits):
    """The same by two argmax, which XLA computes faster than `top_k`."""
    first = jnp.argmax(logits, axis=-1)
    rest = jnp.where(jnp.arange(logits.shape[-1]) == first[:, None], -jnp.inf, logits)
    index = jnp.stack([first, jnp.argmax(rest, axis=-1)], axis=-1).astype(jnp.int32)
    weight = jnp.stack([logits.max(axis=-1), rest.max(axis=-1)], axis=-1)
    return index, jax.nn.softmax(weight, axis=-1)


def log_sum_exp(axis):
    return lambda x: jax.nn.logsumexp(x, axis=axis)


def embedding(table, index):
    return table.at[index].get(mode="promise_in_bounds")


def quantize(x):
    largest = jnp.abs(x).max(axis=-1)
    factor = jnp.where(largest > 0, 127 / largest, 0)
    return jnp.round(x * factor[:, None]).astype(jnp.int8), largest / 127


def labels(m, n):
    return jnp.asarray(random.integers(0, n, m, dtype=np.int32))


def refused(words, function, *arrays, **attributes):
    try:
        function(*arrays, **attributes)
    except (ValueError, RuntimeError) as error:
        assert words in str(error), error
    else:
        raise SystemExit(f"accepted, and not refused: {words}")


x, scale, bias = normal(3, 24, 77), normal(24), normal(24)
for f in (group_norm, group_norm_by_reference):
    check("group norm", f(x, scale, bias), group_norm_in_jax(x, scale, bias), within=1e-6)
refused("24 channels are not 7 groups", kernels.group_norm, x, scale, bias, groups=7, epsilon=EPSILON)
x, weight = normal(2, 5, 7, 33), normal(3, 3, 33)
for expected in (convolution(x, weight), shifted(x, weight)):
    check("depthwise convolution", kernels.depthwise_convolution(x, weight), expected, within=1e-6)
logits = normal(37, 65)
for expected in (top2_gate(logits), top2_by_argmax(logits)):
    for name, found, expected in zip(("places", "weights"), kernels.top2_gate(logits), expected):
        check(f"top-2 gate, {name}", found, expected, within=1e-6)
x = 10 * normal(37, 1001)
for f in (kernels.log_sum_exp_of_rows, kernels.log_sum_exp_scalar):
    check("logarithm of sums, rows", f(x), log_sum_exp(1)(x), within=1e-6)
check("logarithm of sums, columns", kernels.log_sum_exp_of_columns(x), log_sum_exp(0)(x), within=1e-6)
table, index = normal(100, 33), labels(37, 100)
check("embedding", kernels.embedding(table, index), embedding(table, index))
refused("index 100 at 5 is no row", kernels.embedding, table, index.at[5].set(100))
x = normal(37, 1001).at[3].set(0)
for name, found, expected in zip(("bytes", "scales"), kernels.quantize(x), quantize(x)):
    check(f"quantize, {name}", found, expected, within=1e-6)
# `f32::round` rounds a half away from 0, and `jnp.round` to the even number.
for found, expected in zip(kernels.quantize_scalar(x), quantize(x)):
    check("quantize with f32::round", found, expected, within=1 / 127)

table = Table("parts of networks")
x, scale, bias = normal(8, 64, 56 * 56), normal(64), normal(64)
table.row("group norm of f32[8,64,3136], 8 groups", group_norm, group_norm_in_jax, x, scale, bias)
row = "the same, scale and bias by reference"
table.row(row, group_norm_by_reference, group_norm_in_jax, x, scale, bias)
x, weight = normal(4, 56, 56, 64), normal(3, 3, 64)
table.row("depthwise convolution of f32[4,56,56,64]", kernels.depthwise_convolution, convolution, x, weight)
table.row("the same, XLA's as nine products", kernels.depthwise_convolution, shifted, x, weight)
for m, n in [(4096, 8), (4096, 64)]:
    table.row(f"top-2 gate of f32[{m},{n}]", lambda x: tuple(kernels.top2_gate(x)), top2_gate, normal(m, n))
    table.row("the same, XLA's by two argmax", lambda x: tuple(kernels.top2_gate(x)), top2_by_argmax, normal(m, n))
for m, n in [(1024, 1024), (4096, 64)]:
    x = normal(m, n)
    table.row(f"log-sum-exp of rows, f32[{m},{n}]", kernels.log_sum_exp_of_rows, log_sum_exp(1), x)
    table.row("the same with f32::max, exp and ln", kernels.log_sum_exp_scalar, log_sum_exp(1), x)
for m, n in [(1024, 1024), (64, 4096)]:
    table.row(f"log-sum-exp of columns, f32[{m},{n}]", kernels.log_sum_exp_of_columns, log_sum_exp(0), normal(m, n))
for v, d, m in [(50_000, 256, 4096), (1000, 768, 2048)]:
    table.row(f"{m} rows of f32[{v},{d}]", kernels.embedding, embedding, normal(v, d), labels(m, v))
for m, n in [(256, 1024), (2048, 1000)]:
    x = normal(m, n)
    table.row(f"f32[{m},{n}] to s8 and scales", lambda x: tuple(kernels.quantize(x)), quantize, x)
    table.row("the same with f32::max, round and as", lambda x: tuple(kernels.quantize_scalar(x)), quantize, x)
