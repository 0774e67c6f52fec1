"""A batch of arrays that a kernel declares in another layout than the row-major one."""

import jax
import jax.experimental.layout
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import NamedSharding, PartitionSpec


def numbers(*shape):
    return np.random.default_rng(3).normal(size=shape).astype(np.float32)


def columns(k):
    return lambda x: k.plain_columns(x, out_shapes={"memory": (x.shape[-2] * x.shape[-1],)})


def in_columns(x):
    layout = jax.experimental.layout.Layout(major_to_minor=(0, 2, 1))
    device = jax.sharding.SingleDeviceSharding(jax.devices()[0])
    return jax.device_put(x, jax.experimental.layout.Format(layout, device))


def compiled(f, *arrays):
    return jax.jit(f).lower(*arrays).compile().as_text()


@pytest.mark.parametrize("how", [lambda f: f, jax.jit], ids=["eager", "jit"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_kernel_has_its_layout(k, how, axis):
    x = numbers(4, 2, 3)
    y, memory = how(jax.vmap(columns(k), in_axes=axis))(np.moveaxis(x, 0, axis))
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(memory, x.transpose(0, 2, 1).reshape(4, 6))


def test_no_batch_is_transposed(k):
    """XLA passes the batch as it is, in one call; alone, an item is passed in the declared layout."""
    x = numbers(4, 2, 3)
    for f in (jax.vmap(columns(k)), columns(k)):
        text = compiled(f, x)
        assert "f32[4,2,3]{2,1,0}" in text and "{1,2,0}" not in text
        assert "copy(" not in text and "transpose(" not in text and "while(" not in text
    assert "f32[2,3]{0,1}" in compiled(columns(k), x[0])


def test_dimensions_in_front_and_vmap_of_vmap(k):
    x = numbers(2, 4, 5, 3)
    for f in (columns(k), jax.vmap(columns(k)), jax.vmap(jax.vmap(columns(k)))):
        y, memory = jax.jit(f)(x)
        np.testing.assert_array_equal(y, x)
        np.testing.assert_array_equal(memory, x.transpose(0, 1, 3, 2).reshape(2, 4, 15))
        assert "{2,3,1,0}" not in compiled(f, x)


def test_a_batch_in_the_declared_layout_is_passed_in_it(k):
    """Outside of jit it is known that the array has the layout already."""
    x = numbers(4, 2, 3)
    array = in_columns(x)
    assert array.format.layout.major_to_minor == (0, 2, 1)
    assert not k.plain_columns._converts_items([array], [(0, 2, 1)])
    assert k.plain_columns._converts_items([array], [(0, 1, 2)])
    y, memory = columns(k)(array)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(memory, x.transpose(0, 2, 1).reshape(4, 6))


def test_vmap_of_a_batch_in_the_declared_layout(k):
    """The results are right. JAX calls a vmap rule inside of jit, where the layout is not known: XLA passes
    the batch row-major."""
    x = numbers(4, 2, 3)
    y, memory = jax.vmap(columns(k))(in_columns(x))
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(memory, x.transpose(0, 2, 1).reshape(4, 6))


@pytest.mark.parametrize("axes", [(0, 0), (0, None), (None, 0)])
def test_one_array_for_all_items_and_one_in_place(k, axes):
    x, y = numbers(4, 5, 3), -2 * numbers(4, 5, 3)
    x, y = (v if axis == 0 else v[0] for v, axis in zip((x, y), axes))
    np.testing.assert_array_equal(jax.vmap(k.add_columns, axes)(x, y), jnp.broadcast_to(x + y, (4, 5, 3)))


def test_under_shard_map_and_divided_among_devices(k):
    auto = (jax.sharding.AxisType.Auto,)
    mesh = jax.make_mesh((4,), ("a",), auto, devices=jax.devices()[:4])
    x = numbers(8, 6, 5)
    spec = PartitionSpec("a")
    f = jax.shard_map(jax.vmap(k.sums_of_columns), mesh=mesh, in_specs=spec, out_specs=spec)
    np.testing.assert_allclose(jax.jit(f)(x), x.sum(axis=1), rtol=1e-5)
    put = jax.device_put(x, NamedSharding(mesh, spec))
    for f in (jax.vmap(k.sums_of_columns), k.sums_of_columns):
        np.testing.assert_allclose(jax.jit(f)(put), x.sum(axis=1), rtol=1e-5)
        text = compiled(f, put)
        assert "all-gather" not in text and "{1,2,0}" not in text
        assert "f32[2,6,5]{2,1,0}" in text


def test_a_derivative(k):
    """The kernel's own is refused by name; `jax.custom_vjp` gives one, also under vmap."""
    x = numbers(4, 2, 3)

    @jax.custom_vjp
    def f(x):
        return columns(k)(x)[0]

    f.defvjp(lambda x: (f(x), None), lambda _, g: (3 * g,))
    g = jax.vmap(jax.grad(lambda x: f(x).sum()))(x)
    np.testing.assert_array_equal(g, np.full_like(x, 3))
    with pytest.raises(Exception, match="plain_columns"):
        jax.grad(lambda x: columns(k)(x)[0].sum())(x[0])


def test_export_and_empty(k):
    from jax import export

    x = numbers(4, 2, 3)
    f = jax.jit(jax.vmap(lambda x: columns(k)(x).y))
    exported = export.export(f, disabled_checks=k.plain_columns.export_checks)(x)
    np.testing.assert_array_equal(export.deserialize(exported.serialize()).call(x), x)
    assert jax.vmap(columns(k))(x[:0]).y.shape == (0, 2, 3)
