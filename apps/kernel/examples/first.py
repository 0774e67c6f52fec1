"""Kernels as a new user writes them first, after "Make it fast" (`kernel/FAST.md`), against jnp."""

import sys

import jax
import jax.numpy as jnp
import numpy as np
from common import Table, check, kernels, normal

random = np.random.default_rng(2)


def integers(low, high, shape, dtype=np.int32):
    return jnp.asarray(random.integers(low, high, shape, dtype=dtype))


def top2(x):
    value, index = jax.lax.top_k(x, 2)
    return value, index


def upsample(x):
    return jnp.repeat(jnp.repeat(x, 2, axis=2), 2, axis=3)


def edit_distance(a, b):
    """Line by line; in a line, the smallest sum of insertions is a running minimum."""

    def one(a, b):
        places = jnp.arange(b.shape[0] + 1, dtype=jnp.int32)

        def step(costs, a):
            changed = jnp.minimum(costs[1:] + 1, costs[:-1] + (a != b))
            new = jnp.concatenate([costs[:1] + 1, changed])
            return jax.lax.cummin(new - places) + places, None

        return jax.lax.scan(step, places, a)[0][-1]

    return jax.vmap(one)(a, b)


def pairwise_l1(x, y):
    return jnp.abs(x[:, None] - y).sum(-1)


def dilated_convolution(x, weight):
    return jax.lax.conv_general_dilated(
        x, weight, (1,), "VALID", rhs_dilation=(2,), dimension_numbers=("NWC", "WIO", "NWC")
    )


def mixture(x, weight, mean, deviation):
    distance = (x[:, None] - mean) / deviation
    density = -0.5 * (distance * distance).sum(-1) - jnp.log(deviation).sum(-1)
    return jax.nn.logsumexp(density + jnp.log(weight) - 0.5 * x.shape[1] * jnp.log(2 * jnp.pi), axis=-1)


def selective_scan(x, step, decay, input, output):
    def of_time(state, at):
        x, step, input, output = at
        state = jnp.exp(step[:, :, None] * decay) * state + (step * x)[:, :, None] * input[:, None]
        return state, (state * output[:, None]).sum(-1)

    at = [jnp.moveaxis(a, 1, 0) for a in (x, step, input, output)]
    start = jnp.zeros((x.shape[0], *decay.shape))
    return jnp.moveaxis(jax.lax.scan(of_time, start, at)[1], 0, 1)


def residual_layer_norm(x, residual, scale, bias):
    x = x + residual
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + bias


def masked_softmax(x, mask):
    return jax.nn.softmax(x, axis=-1, where=mask)


def max_pooling(x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def max_of_slices(x):
    return jnp.maximum(
        jnp.maximum(x[:, ::2, ::2], x[:, ::2, 1::2]), jnp.maximum(x[:, 1::2, ::2], x[:, 1::2, 1::2])
    )


def segment_sum(segments):
    return lambda x, segment: jax.ops.segment_sum(x, segment, segments, indices_are_sorted=True)


def s4_product(weight, x):
    return weight.astype(jnp.float32) @ x


def histogram(bins):
    def count(x):
        bin = jnp.floor((x - -3.0) * (bins / 6.0)).astype(jnp.int32)
        bin = jnp.where((bin >= 0) & (bin < bins), bin, bins)
        return jnp.bincount(bin, length=bins).astype(jnp.int32)

    return count


def rotate(x, cosine, sine):
    a, b = jnp.split(x, 2, axis=-1)
    cosine, sine = cosine[:, None], sine[:, None]
    return jnp.concatenate([a * cosine - b * sine, b * cosine + a * sine], axis=-1)


def neighbours(x, y):
    distances = (x * x).sum(-1)[:, None] - 2 * x @ y.T + (y * y).sum(-1)
    value, index = jax.lax.top_k(-distances, 8)
    return -value, index


def viterbi(cost, step):
    """Forwards with the best state before each, and back along these."""

    def one(cost):
        def forward(best, cost):
            new = best[:, None] + step
            return new.max(0) + cost, new.argmax(0).astype(jnp.int32)

        best, before = jax.lax.scan(forward, cost[0], cost[1:])
        back = lambda state, before: (before[state], state)
        first, states = jax.lax.scan(back, best.argmax().astype(jnp.int32), before, reverse=True)
        return jnp.concatenate([first[None], states])

    return jax.vmap(one)(cost)


def solve_triangular(a, b):
    return jax.scipy.linalg.solve_triangular(a, b, lower=True)


def scaled_product(a, b, row_scale, column_scale):
    product = jax.lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)
    return product.astype(jnp.float32) * row_scale[:, None] * column_scale


def triangular(*shape):
    n = shape[-1]
    return jnp.tril(normal(*shape) / n) + jnp.eye(n)


def words(m, n, letters=4):
    return integers(0, letters, (m, n)), integers(0, letters, (m, n))


def scan_arguments(b, t, d, n):
    step, decay = jax.nn.softplus(normal(b, t, d)), -jnp.exp(normal(d, n))
    return normal(b, t, d), step, decay, normal(b, t, n), normal(b, t, n)


def mixture_arguments(m, d, k):
    return normal(m, d), jnp.full(k, 1 / k), normal(k, d), jnp.exp(0.1 * normal(k, d))


def bytes_(m, k, n):
    scales = jnp.abs(normal(m)), jnp.abs(normal(n))
    return integers(-128, 128, (m, k), np.int8), integers(-128, 128, (k, n), np.int8), *scales


def segment_sum_kernel(segments):
    return lambda x, segment: kernels.segment_sum(x, segment, out_shapes=(segments, x.shape[1]))


def histogram_kernel(bins):
    return lambda x: kernels.histogram(x, low=-3.0, high=3.0, out_shapes=(bins,))


k = kernels
# Name, kernel, jnp's, the tolerance, the arguments of a check, and those of a small, a medium and a large call.
CASES = [
    ("top-2", k.top2, top2, 0, lambda m, n: (normal(m, n),), (7, 33), (64, 64), (4096, 64), (1024, 4096)),
    ("upsampling", k.upsample, upsample, 0, lambda *s: (normal(*s),), (2, 3, 5, 7), (1, 3, 16, 16), (4, 16, 64, 64), (8, 64, 128, 128)),
    ("edit distance", k.edit_distance, edit_distance, 0, words, (5, 13), (4, 16), (64, 64), (256, 256)),
    ("pairwise L1", k.pairwise_l1, pairwise_l1, 1e-6, lambda m, n, d: (normal(m, d), normal(n, d)), (13, 41, 7), (16, 16, 8), (256, 256, 32), (1024, 2048, 64)),
    ("dilated convolution", k.dilated_convolution, dilated_convolution, 1e-5, lambda b, t, c, o: (normal(b, t, c), normal(3, c, o)), (2, 19, 5, 37), (1, 64, 16, 16), (4, 512, 64, 64), (4, 2048, 256, 256)),
    ("mixture", k.mixture, mixture, 1e-5, mixture_arguments, (13, 5, 11), (64, 4, 8), (4096, 16, 32), (32768, 32, 64)),
    ("selective scan", k.selective_scan, selective_scan, 1e-5, scan_arguments, (2, 9, 21, 5), (1, 16, 32, 8), (2, 128, 256, 16), (2, 512, 1024, 16)),
    ("residual layer norm", k.residual_layer_norm, residual_layer_norm, 1e-5, lambda m, n: (normal(m, n), normal(m, n), normal(n), normal(n)), (5, 37), (16, 64), (256, 1024), (2048, 4096)),
    ("masked softmax", k.masked_softmax, masked_softmax, 1e-5, lambda m, n: (normal(m, n), normal(m, n) > -0.5), (5, 37), (16, 64), (256, 1024), (4096, 1024)),
    ("max pooling", k.max_pooling, max_pooling, 0, lambda *s: (normal(*s),), (2, 6, 4, 5), (1, 16, 16, 8), (4, 56, 56, 64), (16, 112, 112, 64)),
    ("max pooling by slices", k.max_pooling, max_of_slices, 0, lambda *s: (normal(*s),), (2, 6, 4, 5), (1, 16, 16, 8), (4, 56, 56, 64), (16, 112, 112, 64)),
    ("segment sum", segment_sum_kernel(100), segment_sum(100), 1e-6, lambda n, c: (normal(n, c), jnp.sort(integers(0, 100, n))), (203, 7), (256, 16), (10_000, 64), (200_000, 128)),
    ("s4 times vector", k.s4_product, s4_product, 1e-5, lambda m, n: (integers(-8, 8, (m, n), np.int8).astype(jnp.int4), normal(n)), (7, 38), (64, 64), (1024, 1024), (4096, 4096)),
    ("histogram", histogram_kernel(64), histogram(64), 0, lambda n: (normal(n),), (1001,), (1000,), (100_000,), (10_000_000,)),
    ("rotary embedding", k.rotate, rotate, 1e-6, lambda b, s, h, d: (normal(b, s, h, d), normal(s, d // 2), normal(s, d // 2)), (2, 5, 3, 14), (1, 16, 4, 64), (1, 512, 16, 64), (4, 2048, 16, 64)),
    ("neighbours", k.neighbours, neighbours, 1e-4, lambda m, n, d: (normal(m, d), normal(n, d)), (13, 41, 7), (16, 64, 8), (256, 1024, 32), (2048, 8192, 64)),
    ("triangular solve", k.solve_triangular, solve_triangular, 1e-5, lambda b, n, k: (triangular(b, n, n), normal(b, n, k)), (3, 13, 5), (4, 8, 8), (64, 32, 32), (64, 256, 64)),
    ("Viterbi", k.viterbi, viterbi, 0, lambda b, t, s: (normal(b, t, s), normal(s, s)), (3, 7, 5), (1, 16, 8), (4, 128, 32), (8, 512, 128)),
    ("product of bytes", k.int8_product_blocks, scaled_product, 1e-6, bytes_, (13, 33, 41), (16, 64, 64), (256, 1024, 1024), (1024, 2048, 2048)),
]

chosen = [case for case in CASES if not sys.argv[1:] or any(name in case[0] for name in sys.argv[1:])]
for name, kernel, theirs, within, make, small, *_ in chosen:
    arguments = make(*small)
    pairs = zip(jax.tree.leaves(kernel(*arguments)), jax.tree.leaves(theirs(*arguments)))
    for found, expected in pairs:
        check(name, found, expected, within=within)

table = Table("first attempts", rival="jnp", own="kernel")
for name, kernel, theirs, _, make, _, *sizes in chosen:
    for size in sizes:
        table.row(f"{name} {size}", kernel, theirs, *make(*size))
