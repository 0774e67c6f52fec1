"""Every minor_to_major of rank 2 to 4 against NumPy: values, and the bytes that the kernel saw."""

import itertools

import jax
import numpy as np
import pytest

ORDERS = [order for rank in (2, 3, 4) for order in itertools.permutations(range(rank))]
SIZES = (2, 3, 5, 7)


def name(order):
    return "".join(map(str, order))


def numbers(order):
    shape = SIZES[: len(order)]
    return np.random.default_rng(5).normal(size=shape).astype(np.float32)


def in_memory(x, order):
    """The elements in the sequence in which they lie: the last of `order` is the most major."""
    return x.transpose(order[::-1]).ravel()


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "jit"])
@pytest.mark.parametrize("order", ORDERS, ids=name)
@pytest.mark.parametrize("way", ["from", "to"])
def test_copy(k, way, order, compiled):
    x = numbers(order)
    call = lambda x: k[f"{way}_{name(order)}"](x, out_shapes={"memory": (x.size,)})
    y, memory = (jax.jit(call) if compiled else call)(x)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(memory, in_memory(x, order))


@pytest.mark.parametrize("order", ORDERS, ids=name)
def test_there_and_back_in_one_program(k, order):
    """XLA itself copies between the layouts of two kernels, and computes with what they return."""
    x = numbers(order)

    @jax.jit
    def program(x):
        size = {"memory": (x.size,)}
        there = k[f"to_{name(order)}"](x, out_shapes=size).y
        return k[f"from_{name(order)}"](there * 2, out_shapes=size).y.T + 1

    np.testing.assert_array_equal(program(x), x.T * 2 + 1)


@pytest.mark.parametrize("order", ORDERS, ids=name)
def test_vmap_keeps_the_layout_of_each_part(k, order):
    parts = np.stack([numbers(order), -numbers(order)], axis=1)  # mapped over axis 1
    size = {"memory": (parts[:, 0].size,)}
    call = lambda x: k[f"from_{name(order)}"](x, out_shapes=size)
    y, memory = jax.vmap(call, in_axes=1)(parts)
    for part in (0, 1):
        np.testing.assert_array_equal(y[part], parts[:, part])
        np.testing.assert_array_equal(memory[part], in_memory(parts[:, part], order))


def test_all_orders_are_there(k):
    assert len(ORDERS) == 2 + 6 + 24
    for order in ORDERS:
        text = "{" + ",".join(map(str, order)) + "}"
        assert f"{text}" in str(k[f"from_{name(order)}"]).split("->")[0]
