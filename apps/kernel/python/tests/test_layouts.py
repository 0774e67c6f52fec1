"""Parameters that XLA may pass in several layouts."""

import copy
import pickle

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental.layout import Format, Layout


def matrix(order, shape=(2, 3)):
    """A matrix in this major_to_minor."""
    x = jnp.asarray(np.random.default_rng(3).normal(size=shape).astype(np.float32))
    return jax.device_put(x, Format(Layout(order), x.sharding))


def call(kernel, x):
    return kernel(x, out_shapes={"memory": (x.size,)})


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_call_takes_the_layout_that_the_array_has(k, order):
    x = matrix(order)
    y, memory = call(k.any_order, x)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(memory, np.asarray(x).transpose(order).ravel())


def test_nothing_is_copied_before_the_call(k):
    for kernel, order in zip(k.any_order.layouts, [(0, 1), (1, 0)]):
        text = jax.jit(lambda x: call(kernel, x)).lower(matrix(order)).compile().as_text()
        assert "copy(" not in text and "transpose(" not in text


def test_a_transposed_array_under_jit(k):
    """JAX does not know the layout there. The caller does, and XLA makes the transposition nothing."""
    x = matrix((0, 1))
    transposed = jax.jit(lambda x: call(k.any_order.layouts[1], x.T))
    y, memory = transposed(x)
    np.testing.assert_array_equal(y, x.T)
    np.testing.assert_array_equal(memory, np.asarray(x).ravel())
    text = transposed.lower(x).compile().as_text()
    assert "copy(" not in text and "transpose(" not in text
    first = jax.jit(lambda x: call(k.any_order, x.T))(x)
    np.testing.assert_array_equal(first.memory, np.asarray(x).T.ravel())


def test_every_combination(k):
    orders = [(0, 1), (1, 0)]
    assert len(k.sum_of_any.layouts) == 4
    for a in map(matrix, orders):
        for b in map(matrix, orders):
            with jax.enable_x64(True):
                total, found = k.sum_of_any(a, b)
            np.testing.assert_array_equal(total, a + b)
            layouts = [x.format.layout.major_to_minor[::-1] for x in (a, b)]
            np.testing.assert_array_equal(found, layouts)


def test_batch_and_vmap(k):
    x = matrix((0, 1, 2), (4, 2, 3))
    y, memory = jax.vmap(lambda x: call(k.any_order, x))(x)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(memory, np.asarray(x).reshape(4, 6))
    x = matrix((0, 2, 1), (4, 2, 3))  # each item column-major
    y, memory = k.any_order(x, out_shapes={"memory": (6,)})
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(memory, np.asarray(x).transpose(0, 2, 1).reshape(4, 6))


def test_a_layout_may_be_one_that_the_kernel_makes(k):
    x = np.arange(16, dtype=np.float32).reshape(4, 4)
    tiled = x.reshape(2, 2, 2, 2).transpose(0, 2, 1, 3).ravel()
    np.testing.assert_array_equal(k.tiled_or_columns(x), tiled)
    columns = jax.device_put(jnp.asarray(x), Format(Layout((1, 0)), jnp.asarray(x).sharding))
    np.testing.assert_array_equal(k.tiled_or_columns(columns), x.T.ravel())


def test_signatures_show_every_layout(k):
    assert "any_order(x: f32[?M,?N]{1,0} | {0,1}, *, out_shapes)" in repr(k.any_order)
    assert "x: f32[4,4]{1,0} as {1,0:T(2,2)} | {0,1}" in repr(k.tiled_or_columns)
    shown = [repr(one).partition(", *")[0] for one in k.any_order.layouts]
    assert shown == ["any_order(x: f32[?M,?N]{1,0}", "any_order(x: f32[?M,?N]{0,1}"]
    assert k.columns.layouts == (k.columns,)


def test_pickles(k):
    for kernel in (k.any_order, k.any_order.layouts[1]):
        again = pickle.loads(pickle.dumps(kernel))
        assert again.target == kernel.target and len(again.layouts) == len(kernel.layouts)
    assert copy.copy(k.any_order) is k.any_order


def test_a_combination_of_layouts_that_is_not_there(k):
    with pytest.raises(IndexError) as caught:
        k.weigh.layouts[2]
    assert str(caught.value) == "kernel `weigh` has `layouts[0]` to `layouts[1]`, and no `layouts[2]`"
    with pytest.raises(IndexError) as caught:
        k.scale.layouts[1]
    assert str(caught.value) == "kernel `scale` has `layouts[0]`, and no `layouts[1]`"
    assert k.weigh.layouts[-1] is k.weigh.layouts[1] and len(k.weigh.layouts[:1]) == 1
