"""Sizes that are computed from others: `2*?H`, `?H - ?K + 1`."""

import inspect

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import pytest
from conftest import raw
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

X = np.arange(24, dtype="f4").reshape(4, 6)
HALVES = X[:, :3] * X[:, 3:]
TWICE = np.concatenate([X, X, np.full((4, 1), 7, "f4")], axis=1)


@pytest.mark.parametrize("call", [lambda f: f, jax.jit], ids=["eager", "jit"])
def test_the_results_need_no_shapes(k, call):
    np.testing.assert_array_equal(call(k.halves)(X), HALVES)
    np.testing.assert_array_equal(call(lambda x: k.twice(x, a=7))(X), TWICE)
    np.testing.assert_array_equal(call(lambda x: k.twice.layouts[1](x, a=7))(X), TWICE)
    x, w = np.arange(7, dtype="f4"), np.array([1, -2, 3], "f4")
    np.testing.assert_array_equal(call(k.correlate)(x, w), np.correlate(x, w, "valid"))
    for kernel in (k.halves, k.twice, k.correlate):
        assert "out_shapes" not in inspect.signature(kernel).parameters


@pytest.mark.parametrize("call", [lambda f: f, jax.jit], ids=["eager", "jit"])
def test_a_name_that_is_no_size_alone(k, call):
    x = np.array([1, 4, 9, 16], "f4")
    np.testing.assert_array_equal(call(k.differences)(x), [3, 5, 7])
    np.testing.assert_array_equal(call(k.differences)(x[:1]), [])
    bounds = np.arange(5, dtype="i4")
    np.testing.assert_array_equal(call(k.last_of_bounds)(bounds, bounds[:3]), [3, 4])
    np.testing.assert_array_equal(call(k.last_of_bounds)(bounds, bounds[:0]), bounds)
    np.testing.assert_array_equal(call(k.last_of_bounds)(bounds, bounds[:4]), [4])


def test_sizes_of_0(k):
    assert k.halves(np.ones((3, 0), "f4")).shape == (3, 0)
    assert k.halves(np.ones((0, 4), "f4")).shape == (0, 2)
    np.testing.assert_array_equal(k.twice(np.ones((2, 0), "f4"), a=5), [[5], [5]])
    np.testing.assert_array_equal(k.correlate(np.ones(2, "f4"), np.ones(0, "f4")), [0, 0, 0])
    assert k.correlate(np.ones(2, "f4"), np.ones(3, "f4")).shape == (0,)


def test_mapped_and_with_a_batch(k):
    x = np.stack([X, X + 1, X - 1])
    halves = x[..., :3] * x[..., 3:]
    np.testing.assert_array_equal(k.halves(x), halves)
    np.testing.assert_array_equal(jax.vmap(k.halves)(x), halves)
    np.testing.assert_array_equal(jax.jit(jax.vmap(lambda x: k.twice(x, a=7)))(x)[0], TWICE)
    rows = jax.vmap(k.correlate, (0, None))(X, np.ones(2, "f4"))
    np.testing.assert_array_equal(rows, X[:, 1:] + X[:, :-1])


def test_derivatives(k):
    x = np.concatenate([X, X])
    for f in (k.halves, jax.jit(k.halves)):
        found = jax.grad(lambda x: f(x).sum())(x)
        np.testing.assert_array_equal(found, np.concatenate([x[:, 3:], x[:, :3]], axis=1))


@pytest.mark.parametrize("types", [AxisType.Auto, AxisType.Explicit])
def test_each_device_has_its_rows(k, types):
    mesh = jax.make_mesh((4,), ("a",), axis_types=(types,))
    x = jax.device_put(X, NamedSharding(mesh, P("a", None)))
    for f, expected in [(k.halves, HALVES), (lambda x: k.twice(x, a=7), TWICE)]:
        compiled = jax.jit(f).lower(x).compile()
        assert "all-gather" not in compiled.as_text()
        y = compiled(x)
        np.testing.assert_array_equal(y, expected)
        assert y.addressable_shards[0].data.shape == (1, expected.shape[1])


def export(k, f, *shapes):
    exported = jax.export.export(jax.jit(f), disabled_checks=k.export_checks)
    return jax.export.deserialize(exported(*shapes).serialize()).call


def test_sizes_without_a_number_are_exported(k):
    b, h = jax.export.symbolic_shape("b, h")
    shape = lambda *sizes: jax.ShapeDtypeStruct(sizes, jnp.float32)
    np.testing.assert_array_equal(export(k, k.halves, shape(b, 2 * h))(X), HALVES)
    np.testing.assert_array_equal(export(k, lambda x: k.twice(x, a=7), shape(b, h))(X), TWICE)
    n, w = jax.export.symbolic_shape("n, w", constraints=["n >= w"])
    call = export(k, k.correlate, shape(n), shape(w))
    np.testing.assert_array_equal(call(X[0], np.ones(2, "f4")), [1, 3, 5, 7, 9])
    with pytest.raises(ValueError, match=r"no size `\?H` makes `2\*\?H` that"):
        export(k, k.halves, shape(b, h))


REFUSED = {
    "no half": (
        lambda k: k.halves(np.ones((2, 5), "f4")),
        "kernel `halves`: argument `x` is declared as f32[?B,2*?H]{1,0}, and the call has f32[2,5]; dimension 1 "
        "is 5, and no size `?H` makes `2*?H` that",
    ),
    "another sum": (
        lambda k: k.halves_grad(X, np.ones((4, 2), "f4")),
        "kernel `halves_grad`: argument `x` is declared as f32[?B,2*?H]{1,0}, and the call has f32[4,6]; "
        "dimension 1 is 6, and `2*?H` is 4",
    ),
    "a negative size": (
        lambda k: k.correlate(np.ones(2, "f4"), np.ones(4, "f4")),
        "kernel `correlate`: result `y` is declared as f32[?H-?K+1]{0}, and the call has f32[-1]; "
        "dimension 0 is negative",
    ),
    "less than nothing": (
        lambda k: k.differences(X[0, :0]),
        "kernel `differences`: argument `x` is declared as f32[?R+1]{0}, and the call has f32[0]; dimension 0 is 0, "
        "and no size `?R` makes `?R+1` that",
    ),
    "less than nothing, by another sum": (
        lambda k: k.last_of_bounds(np.zeros(3, "i4"), np.zeros(3, "i4")),
        "kernel `last_of_bounds`: argument `of` is declared as s32[?R-?K]{0}, and the call has s32[3]; dimension 0 "
        "is 3, and no size `?K` makes `?R-?K` that",
    ),
    "another result": (
        lambda k: k.twice(X, a=1, out_shapes=(4, 12)),
        "kernel `twice`: result `y` is declared as f32[?B,1+2*?H]{1,0}, and the call has f32[4,12]; "
        "dimension 1 is 12, and `1+2*?H` is 13",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_before_the_call(k, name):
    call, expected = REFUSED[name]
    with pytest.raises(ValueError) as error:
        call(k)
    assert str(error.value) == expected


def test_refused_by_the_kernel(k):
    result = [jax.ShapeDtypeStruct((4, 12), jnp.float32)]
    with pytest.raises(Exception, match=r"dimension 1 is 12, and `1\+2\*\?H` is 13"):
        raw(k.twice, result, X, a=np.float32(1))
    result = [jax.ShapeDtypeStruct((0,), jnp.float32)]
    with pytest.raises(Exception, match=r"`x` .*dimension 0 is 0, and `\?R\+1` is 1"):
        raw(k.differences, result, X[0, :0])
    result = [jax.ShapeDtypeStruct((1,), jnp.int32)]
    bounds = np.zeros(3, "i4")
    with pytest.raises(Exception, match=r"`bounds` .*dimension 0 is 0, and no size `\?R` makes `\?R\+1` that"):
        raw(k.last_of_bounds, result, bounds[:0], bounds)
    with pytest.raises(Exception, match=r"`of` .*dimension 0 is 3, and no size `\?K` makes `\?R-\?K` that"):
        raw(k.last_of_bounds, result, bounds, bounds)
    with pytest.raises(Exception, match=r"result `y` .*dimension 0 is 1, and `\?K\+1` is 3"):
        raw(k.last_of_bounds, result, bounds, bounds[:0])
    result = [jax.ShapeDtypeStruct((4, 2), jnp.float32)]
    with pytest.raises(Exception, match=r"argument `x` .*dimension 1 is 6, and `2\*\?H` is 4"):
        raw(k.halves, result, X)
