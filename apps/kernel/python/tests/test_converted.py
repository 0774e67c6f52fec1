"""Arrays that XLA passes row-major, and that the kernels have in other layouts."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest


def numbers(*shape):
    return np.random.default_rng(7).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "jit"])
@pytest.mark.parametrize("shape", [(2, 3), (1, 1), (0, 4), (300, 500)])
def test_there_and_back(k, shape, compiled):
    x = numbers(*shape)
    call = lambda x: k.columns(x, out_shapes={"memory": (x.size,)})
    y, memory = (jax.jit(call) if compiled else call)(x)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(memory, x.T.ravel())


def test_xla_passes_row_major_and_copies_nothing(k):
    call = lambda x: k.columns(x, out_shapes={"memory": (6,)})
    text = jax.jit(call).lower(numbers(2, 3)).compile().as_text()
    assert "f32[2,3]{1,0}" in text and "{0,1}" not in text
    assert "copy(" not in text and "transpose(" not in text


def test_each_item_of_a_batch_is_converted(k):
    x = numbers(4, 2, 3)
    y, memory = jax.vmap(lambda x: k.columns(x, out_shapes={"memory": (6,)}))(x)
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(memory, x.transpose(0, 2, 1).reshape(4, 6))


def test_no_batch_is_transposed(k):
    """XLA passes the whole batch as it is: it makes no copy in another layout."""
    call = jax.vmap(lambda x: k.columns(x, out_shapes={"memory": (6,)}))
    text = jax.jit(call).lower(numbers(4, 2, 3)).compile().as_text()
    assert "copy(" not in text and "transpose(" not in text and "while(" not in text


def test_tiles_have_zeros_as_padding(k):
    x = np.arange(1, 16, dtype=np.int32).reshape(3, 5)
    for _ in range(3):  # later calls use memory that an earlier one has filled
        y, memory = k.tiles(x)
        np.testing.assert_array_equal(y, 2 * x)
        padded = np.zeros((4, 8), np.int32)
        padded[:3, :5] = x
        tiled = padded.reshape(2, 2, 2, 4).transpose(0, 2, 1, 3)
        np.testing.assert_array_equal(memory, tiled.ravel())


def test_in_place(k):
    x = jnp.asarray(np.arange(6, dtype=np.int8).reshape(2, 3))
    np.testing.assert_array_equal(k.increase(x), [[0, 2, 4], [3, 5, 7]])


def test_bools(k):
    x = numbers(3, 4, 5)
    np.testing.assert_array_equal(k.positive(x), x > 0)


@pytest.mark.parametrize("panics", [False, True])
def test_an_error_of_the_kernel_is_passed_on(k, panics):
    with pytest.raises(Exception, match="on purpose"):
        jax.block_until_ready(k.converted_and_failed(panics=panics))


def test_the_signature_shows_both_layouts(k):
    assert "x: f32[?,?]{1,0} as {0,1}" in repr(k.columns)
    assert "x: s32[3,5]{1,0} as {1,0:T(2,4)}" in repr(k.tiles)
    assert "`x` is declared as f32[?,?]{1,0}, and" in refusal(lambda: k.columns(numbers(2)))


def refusal(call):
    with pytest.raises((TypeError, ValueError)) as error:
        call()
    return str(error.value)
