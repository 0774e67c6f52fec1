"""Calls over arrays that are spread over devices, which XLA divides."""

import functools
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

X = np.random.default_rng(1).uniform(1, 2, size=(16, 6)).astype(np.float32)
V = np.array([2, -1, 3, 1, -2, 1], np.float32)
COLLECTIVES = re.compile(r"all-gather|all-to-all|all-reduce|collective-permute|dynamic-slice")


@pytest.fixture(scope="module", params=[AxisType.Auto, AxisType.Explicit])
def mesh(request):
    """With automatic axes, and with explicit ones, which are the default."""
    return jax.make_mesh((4, 2), ("a", "b"), axis_types=(request.param,) * 2)


def put(mesh, array, *spec):
    return jax.device_put(array, NamedSharding(mesh, P(*spec)))


def divided(f, *arrays, collectives=()):
    """The result of a function that is compiled with these collectives and no others."""
    compiled = jax.jit(f).lower(*arrays).compile()
    text = compiled.as_text()
    assert set(COLLECTIVES.findall(text)) == set(collectives), text
    return compiled(*arrays)


def spec(array):
    return tuple(array.sharding.spec)


def shares(x):
    return x / x.sum(axis=-1, keepdims=True)


def test_each_device_has_its_rows(k, mesh):
    y = divided(k.shares, put(mesh, X, ("a", "b"), None))
    np.testing.assert_allclose(y, shares(X), rtol=1e-6)
    assert spec(y)[0] == ("a", "b") and y.addressable_shards[0].data.shape == (2, 6)


def test_without_a_declaration_the_arrays_are_gathered(k, mesh):
    """What the others are compared with: a kernel without independent dimensions."""
    x = put(mesh, np.stack([X[:, :4]] * 2).reshape(-1, 4), "a", None)
    divided(k.min_max, x, collectives=["all-gather"])
    assert k.min_max.partitioning == ""


def test_vmap_of_a_kernel_without_a_declaration(k, mesh):
    x = np.stack([X[:, :4] + n for n in range(8)])
    least, greatest = jax.jit(jax.vmap(k.min_max))(put(mesh, x, "a", None, None))
    np.testing.assert_array_equal(least, x.min(axis=2))
    np.testing.assert_array_equal(greatest, x.max(axis=2))


def test_the_type_of_a_result_says_how_explicit_axes_divide_it(k, mesh):
    if mesh.axis_types[0] != AxisType.Explicit:
        pytest.skip("the types of arrays have explicit axes only")
    types = []
    f = lambda x: types.append(jax.typeof(k.shares(x))) or x
    jax.jit(f).lower(put(mesh, X, "a", None))
    assert types[0].sharding.spec == P("a", None)


def test_a_dimension_that_is_not_independent_is_gathered(k, mesh):
    y = divided(k.shares, put(mesh, X, "a", "b"), collectives=["all-gather"])
    np.testing.assert_allclose(y, shares(X), rtol=1e-6)


def test_several_results_by_a_rule(k, mesh):
    y, columns = divided(k.rows_product, put(mesh, X, "a", None), put(mesh, V))
    np.testing.assert_allclose(y, X @ V, rtol=1e-5, atol=1e-5)
    assert spec(y) == spec(columns) == ("a",) and columns.tolist() == [6] * 16


def test_in_place_by_two_dimensions(k, mesh):
    y = divided(functools.partial(k.add_number, a=2), put(mesh, X, "a", "b"))
    np.testing.assert_array_equal(y, X + 2)
    assert spec(y) == ("a", "b")


def test_with_an_operation_before_and_after(k, mesh):
    y = divided(lambda x: 2 * k.shares(x + 1), put(mesh, X, "b", None))
    np.testing.assert_allclose(y, 2 * shares(X + 1), rtol=1e-6)


def test_the_batch_of_a_kernel(k, mesh):
    a = np.stack([X, 2 * X, -X, X + 1])
    y = divided(k.batch_product, put(mesh, a, "a", "b", None), put(mesh, V[None]))
    np.testing.assert_allclose(y, a @ V, rtol=1e-5, atol=1e-5)
    assert spec(y) == ("a", "b")


A = np.random.default_rng(2).normal(size=(8, 3, 4)).astype(np.float32)
B = np.random.default_rng(3).normal(size=(4, 5)).astype(np.float32)


def test_the_batch_of_a_kernel_without_a_declaration(k, mesh):
    a = put(mesh, A, ("a", "b"), None, None)
    for f in (lambda a, b: k.batch_matmul(a, b[None]), jax.vmap(k.batch_matmul, (0, None))):
        y = divided(f, a, put(mesh, B))
        np.testing.assert_allclose(y, A @ B, rtol=1e-5, atol=1e-5)
        assert spec(y)[0] == ("a", "b") and y.addressable_shards[0].data.shape == (1, 3, 5)
        y = f(a, put(mesh, B))
        assert y.addressable_shards[0].data.shape == (1, 3, 5)


def test_vmap_in_vmap_of_a_kernel_without_a_declaration(k, mesh):
    b = np.stack([B, 2 * B])
    f = jax.vmap(jax.vmap(k.batch_matmul, (None, 0)), (0, None))
    y = divided(f, put(mesh, A, "a", None, None), put(mesh, b, "b", None, None))
    np.testing.assert_allclose(y, np.einsum("bmk,nko->bnmo", A, b), rtol=1e-5, atol=1e-5)
    assert spec(y)[:2] == ("a", "b")


def test_the_items_of_a_batch_are_whole_without_a_declaration(k, mesh):
    f = jax.vmap(k.batch_matmul, (0, None))
    y = divided(f, put(mesh, A, "a", None, "b"), put(mesh, B), collectives=["all-gather"])
    np.testing.assert_allclose(y, A @ B, rtol=1e-5, atol=1e-5)
    assert spec(y)[0] == "a"


def test_a_batch_in_place(k, mesh):
    f = jax.vmap(k.batch_add)
    compiled = jax.jit(f, donate_argnums=0).lower(put(mesh, X, "a", None), put(mesh, X, "a", None)).compile()
    assert not COLLECTIVES.findall(compiled.as_text())
    y = compiled(put(mesh, X, "a", None), put(mesh, X, "a", None))
    np.testing.assert_array_equal(y, X + X)
    assert spec(y)[0] == "a"


def test_a_batch_that_is_converted_by_items(k, mesh):
    f = lambda x: jax.vmap(lambda x: k.plain_columns(x, out_shapes={"y": x.shape, "memory": (x.size,)}))(x)
    y, memory = divided(f, put(mesh, A, "a", None, None))
    np.testing.assert_array_equal(y, A)
    np.testing.assert_array_equal(memory, A.transpose(0, 2, 1).reshape(8, -1))
    assert spec(y)[0] == spec(memory)[0] == "a"


@pytest.mark.parametrize("name", ["batch_product", "rows_product"])
def test_vmap(k, mesh, name):
    a = np.stack([X, 2 * X, -X, X + 1])
    f = jax.vmap(getattr(k, name), (0, None))
    y = divided(f, put(mesh, a, "a", "b", None), put(mesh, V))
    y = y if name == "batch_product" else y[0]
    np.testing.assert_allclose(y, a @ V, rtol=1e-5, atol=1e-5)
    assert spec(y) == ("a", "b")


def test_vmap_in_vmap(k, mesh):
    a = np.stack([X, 2 * X, -X, X + 1])
    v = np.stack([V, 2 * V])
    f = jax.vmap(jax.vmap(k.batch_product, (None, 0)), (0, None))
    y = divided(f, put(mesh, a, "a", None, None), put(mesh, v, "b", None))
    np.testing.assert_allclose(y, np.einsum("bmk,nk->bnm", a, v), rtol=1e-5, atol=1e-5)
    assert spec(y)[:2] == ("a", "b")


def test_grad(k, mesh):
    @jax.custom_vjp
    def f(x):
        return k.shares(x)

    f.defvjp(lambda x: (k.shares(x), x), lambda x, dy: (k.shares_grad(x, dy),))
    loss = lambda f: lambda x: (f(x) ** 2).sum()
    # The loss is one number: its sum over devices is the one collective.
    _, got = divided(jax.value_and_grad(loss(f)), put(mesh, X, "a", None), collectives=["all-reduce"])
    np.testing.assert_allclose(got, jax.grad(loss(shares))(X), rtol=1e-4, atol=1e-6)
    mapped = jax.vmap(jax.grad(loss(f)))
    got = divided(mapped, put(mesh, np.stack([X] * 4), "a", "b", None))
    np.testing.assert_allclose(np.asarray(got)[3], jax.grad(loss(shares))(X), rtol=1e-4, atol=1e-6)


def test_inside_shard_map(k, mesh):
    f = jax.shard_map(k.shares, mesh=mesh, in_specs=P("a"), out_specs=P("a"))
    np.testing.assert_allclose(jax.jit(f)(put(mesh, X, "a", None)), shares(X), rtol=1e-6)


def test_without_jit_a_call_is_divided_and_compiled_once(k, mesh):
    x, events = put(mesh, X, "a", None), []
    y = k.shares(x)
    assert spec(y)[0] == "a"
    listen = lambda name, *_, **__: events.append(name)
    jax.monitoring.register_event_duration_secs_listener(listen)
    try:
        k.shares(x)
        assert not [name for name in events if "compile" in name]
    finally:
        jax.monitoring.clear_event_listeners()


def test_a_kernel_says_what_is_divided(k):
    text = (
        "Under jit, XLA divides among devices: M. Whole on every device: dimension 1 of `x`, "
        "dimension 1 of `y`."
    )
    assert k.shares.partitioning == text and text in k.shares.__doc__
    assert k.add_number.partitioning == (
        "Under jit, XLA divides among devices: the dimensions of the batch, M, N."
    )
    assert k.batch_add.partitioning == (
        "Under jit, XLA divides among devices: the dimensions of the batch. Whole on every device: dimension 0 of `x`, "
        "dimension 0 of `y`."
    )
    assert k.rows_product.partitioning.startswith("Under jit, XLA divides among devices: i. Whole")
