"""A wrong call: as the helper refuses it while JAX traces, and as the kernel does when it runs."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

X = np.ones((3, 128), "f4")
SCALE = "scale(x: f32[?,128]{1,0}, *, a: f32) -> f32[?,128]{1,0}"


# What is called, the exception, and its text.
BY_THE_HELPER = {
    "no array": (lambda k: k.scale(a=1), TypeError, f"kernel `scale`: missing a required argument: 'x'; call {SCALE}"),
    "no attribute": (lambda k: k.scale(X), TypeError, f"kernel `scale`: missing a required argument: 'a'; call {SCALE}"),
    "unknown attribute": (
        lambda k: k.scale(X, a=1, aa=2), TypeError,
        f"kernel `scale`: it has no argument or attribute `aa`; did you mean `a`? call {SCALE}",
    ),
    "unknown attribute, like none": (
        lambda k: k.scale(X, a=1, factor=2), TypeError,
        f"kernel `scale`: it has no argument or attribute `factor`; call {SCALE}",
    ),
    "out_shapes misspelt": (
        lambda k: k.fill(a=1, out_shape=(1, 2)), TypeError,
        "kernel `fill`: it has no argument or attribute `out_shape`; did you mean `out_shapes`? "
        "call fill(a: f32, *, out_shapes) -> f32[?,?]{1,0}",
    ),
    "two arrays": (
        lambda k: k.scale(X, X, a=1), TypeError,
        f"kernel `scale`: too many positional arguments; call {SCALE} (behind `*`: attributes, by name)",
    ),
    "twice": (lambda k: k.scale(X, x=X, a=1), TypeError, f"kernel `scale`: multiple values for argument 'x'; call {SCALE}"),
    "element type": (
        lambda k: k.scale(X.astype(int), a=1), TypeError,
        "kernel `scale`: argument `x` is declared as f32[?,128]{1,0}, and the call has s32[3,128]; pass f32, as with `.astype('float32')`",
    ),
    "element type of JAX's": (
        lambda k: k.scale(jnp.asarray(X, jnp.bfloat16), a=1), TypeError,
        "kernel `scale`: argument `x` is declared as f32[?,128]{1,0}, and the call has bf16[3,128]; pass f32, as with `.astype('float32')`",
    ),
    "rank": (
        lambda k: k.scale(X[0], a=1), ValueError,
        "kernel `scale`: argument `x` is declared as f32[?,128]{1,0}, and the call has f32[128]; pass 2 dimensions, not 1",
    ),
    "higher rank": (
        lambda k: k.scale(X[None], a=1), ValueError,
        "kernel `scale`: argument `x` is declared as f32[?,128]{1,0}, and the call has f32[1,3,128]; pass 2 dimensions, not 3, or "
        "map the call (`jax.vmap`)",
    ),
    "size": (
        lambda k: k.scale(X[:, :64], a=1), ValueError,
        "kernel `scale`: argument `x` is declared as f32[?,128]{1,0}, and the call has f32[3,64]; pass 128 as dimension 1, not 64",
    ),
    "sizes of one `?`": (
        lambda k: k.add(X[0], X[0, :3]), ValueError,
        "kernel `add`: argument `y` is declared as f32[?]{0}, and the call has f32[3]; dimension 0 is 3, and "
        "dimension 0 of `x` is 128: `?` there is one size",
    ),
    "sizes of one name": (
        lambda k: k.matmul(X, X), ValueError,
        "kernel `matmul`: argument `w` is declared as f32[?K,?N]{0,1}, and the call has f32[3,128]; dimension 0 is 3, and "
        "dimension 1 of `x` is 128: `?K` is one size",
    ),
    "no array at all": (
        lambda k: k.double([1.0]), TypeError,
        "kernel `double`: argument `x` is declared as f32[], and the call has a value of type list; pass an array, as with `jnp.asarray(…)`",
    ),
    "None": (
        lambda k: k.double(None), TypeError,
        "kernel `double`: argument `x` is declared as f32[], and the call has None; pass an array, as with `jnp.asarray(…)`",
    ),
    "a key": (
        lambda k: k.double(jax.random.key(0)), TypeError,
        "kernel `double`: argument `x` is declared as f32[], and the call has a key of jax.random; "
        "draw numbers with it, as with `jax.random.normal(key, shape)`",
    ),
    "a key for its bits": (
        lambda k: k.turn_u32(jax.random.key(0)), TypeError,
        "kernel `turn_u32`: argument `x` is declared as u32[?,?]{0,1}, and the call has a key of jax.random; "
        "pass `jax.random.key_data(key)`, which is its u32[2]",
    ),
    "a shape instead of an array": (
        lambda k: k.double(jax.ShapeDtypeStruct((), "float32")), TypeError,
        "kernel `double`: argument `x` is declared as f32[], and the call has a jax.ShapeDtypeStruct; pass an array, or pass "
        "this to `jax.eval_shape(f, …)` or `jax.jit(f).lower(…)`",
    ),
    "a result of too many bytes": (
        lambda k: k.fill(a=1, out_shapes=(2**61, 1)), ValueError,
        f"kernel `fill`: result `y` is declared as f32[?,?]{{1,0}}, and the call has f32[{2**61},1]; it would have 2**63 bytes or more; "
        "pass smaller sizes",
    ),
    "no elements, and too many bytes": (
        lambda k: k.fill(a=1, out_shapes=(0, 2**62)), ValueError,
        f"kernel `fill`: result `y` is declared as f32[?,?]{{1,0}}, and the call has f32[0,{2**62}]; it would have 2**63 bytes or more; "
        "pass smaller sizes",
    ),
    "a complex number": (
        lambda k: k.double(1j), TypeError, "kernel `double`: argument `x` is declared as f32[], and the call has 1j; pass a number",
    ),
    "a shape that nothing tells": (
        lambda k: k.fill(a=1), TypeError,
        "kernel `fill` cannot tell the shape of `y`, f32[?,?]{1,0}, from its inputs; add `out_shapes=(…, …)`",
    ),
    "one size that nothing tells": (
        lambda k: k.tile(X), TypeError,
        "kernel `tile` cannot tell the shape of `y`, f32[?_,?C]{1,0}, from its inputs; add `out_shapes=(…, 128)`",
    ),
    "one of several shapes": (
        lambda k: k.from_01(X), TypeError,
        "kernel `from_01` cannot tell the shape of `memory`, f32[?_]{0}, from its inputs; "
        "add `out_shapes={'memory': (…,)}`",
    ),
    "a shape of another rank": (
        lambda k: k.fill(a=1, out_shapes=(1, 2, 3)), ValueError,
        "kernel `fill`: result `y` is declared as f32[?,?]{1,0}, and the call has f32[1,2,3]; pass 2 dimensions, not 3",
    ),
    "a shape that contradicts": (
        lambda k: k.tile(X, out_shapes=(4, 64)), ValueError,
        "kernel `tile`: result `y` is declared as f32[?_,?C]{1,0}, and the call has f32[4,64]; dimension 1 is 64, and "
        "dimension 1 of `x` is 128: `?C` is one size",
    ),
    "a size of more digits than Python writes": (
        lambda k: k.fill(a=1, out_shapes=(2, 10**5000)), ValueError,
        "kernel `fill`: out_shapes has the size an integer of 16610 bits; pass sizes below 2**63",
    ),
    "a negative size of more digits than Python writes": (
        lambda k: k.from_01(X, out_shapes={"memory": (-(10**5000),)}), ValueError,
        "kernel `from_01`: out_shapes has the size an integer of 16610 bits; pass sizes below 2**63",
    ),
    "a size above 64 bits": (
        lambda k: k.fill(a=1, out_shapes=(2, 2**63)), ValueError,
        f"kernel `fill`: out_shapes has the size {2**63}; pass sizes below 2**63",
    ),
    "an array with a mask": (
        lambda k: k.scale(np.ma.masked_array(X), a=1), TypeError,
        "kernel `scale`: argument `x` is declared as f32[?,128]{1,0}, and the call has an array with a mask; pass `x.filled(number)`",
    ),
    "an array of another order of bytes": (
        lambda k: k.scale(X.astype(">f4"), a=1), TypeError,
        "kernel `scale`: argument `x` is declared as f32[?,128]{1,0}, and the call has an array of >f4; pass f32, as with "
        "`.astype('float32')`",
    ),
    "an array of texts": (
        lambda k: k.scale(np.full((3, 128), "a"), a=1), TypeError,
        "kernel `scale`: argument `x` is declared as f32[?,128]{1,0}, and the call has an array of <U1; pass f32, as with "
        "`.astype('float32')`",
    ),
    "what has the type of an array": (
        lambda k: k.scale(np.finfo("f4"), a=1), TypeError,
        "kernel `scale`: argument `x` is declared as f32[?,128]{1,0}, and the call has a value of type finfo; pass an array, as with "
        "`jnp.asarray(…)`",
    ),
    "lists in a list": (
        lambda k: k.array_s8(a=[[1, 2], [3, 4]], out_shapes=(2,)), TypeError,
        "kernel `array_s8`: attribute `a` is declared as an array of s8, and the call has a value of type list; pass an integer for "
        "each element",
    ),
    "half of a pair of UTF-16": (
        lambda k: k.text(s="a\ud800", out_shapes=(2,)), ValueError,
        "kernel `text`: attribute `s` is declared as a string, and the call has 'a\\ud800'; character 1 is half of a pair of "
        "UTF-16, which no text in UTF-8 has; leave it out",
    ),
    "no layout": (lambda k: k.scale.layouts["x"], TypeError, "kernel `scale` has `layouts[0]`, and no `layouts['x']`"),
    "no such type": (lambda k: k.axpy.types[3], IndexError, "kernel `axpy` has `types[0]` to `types[2]`, and no `types[3]`"),
    "no shape": (
        lambda k: k.fill(a=1, out_shapes=3), TypeError,
        "kernel `fill`: out_shapes takes a shape, as `(3, 4)`, and got 3",
    ),
    "no shapes": (
        lambda k: k.from_01(X, out_shapes=[(3,)]), TypeError,
        "kernel `from_01`: out_shapes takes a dictionary of shapes by name, as `{'y': (…,), 'memory': (…,)}`, and got [(3,)]",
    ),
    "a negative size": (
        lambda k: k.fill(a=1, out_shapes=(-1, 3)), ValueError,
        "kernel `fill`: result `y` is declared as f32[?,?]{1,0}, and the call has f32[-1,3]; dimension 0 is negative",
    ),
    "a size that is no integer": (
        lambda k: k.fill(a=1, out_shapes=(1.5, 3)), TypeError,
        "kernel `fill`: out_shapes takes a shape, as `(3, 4)`, and got (1.5, 3)",
    ),
    "a shape of an input": (
        lambda k: k.scale(X, a=1, out_shapes={"x": (3, 128)}), TypeError,
        "kernel `scale`: out_shapes names `x`, which is no output; it has `y`",
    ),
}


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "jit"])
@pytest.mark.parametrize("call, kind, text", BY_THE_HELPER.values(), ids=BY_THE_HELPER)
def test_by_the_helper(k, call, kind, text, compiled):
    with pytest.raises(kind) as caught:
        jax.jit(lambda: call(k))() if compiled else call(k)
    # Python 3.12 says so, 3.11 does not.
    assert str(caught.value).replace("required keyword-only", "required") == text


def test_what_is_nested_deep(k):
    """Lists are nested as deep as there is memory, and Python's stack is not."""
    deep = []
    for _ in range(100_000):
        deep = [deep]
    calls = {
        "argument `x` is declared as f32[], and the call has a value of type list": lambda: k.double(deep),
        "attribute `a` is declared as one f32, and the call has a value of type list": lambda: k.fill(a=deep),
        "attribute `a` is declared as an array of s8, and the call has a value of type list":
            lambda: k.array_s8(a=deep),
        "out_shapes takes a shape, as `(3, 4)`, and got [[[[[[[...]]]]]]]": lambda: k.fill(a=1, out_shapes=deep),
        "out_shapes takes a dictionary of shapes by name, as `{'y': (…,), 'memory': (…,)}`, and got {'y': [[[[[[...]]]]]]}":
            lambda: k.from_01(X, out_shapes={"y": deep}),
    }
    for text, call in calls.items():
        with pytest.raises(TypeError, match=re.escape(text)):
            call()


def test_a_size_that_is_traced(k):
    text = (
        "kernel `fill`: out_shapes has a size that JAX traces, and sizes are part of the compiled program; "
        "take it from an array, as `x.shape[0]`, or name the argument that it is made of in `static_argnames` of jax.jit"
    )
    for shape in [lambda n: (n, 3), lambda n: {"y": (2, n)}, lambda n: n, lambda n: {"y": n}]:
        with pytest.raises(TypeError) as caught:
            jax.jit(lambda n: k.fill(a=1, out_shapes=shape(n)))(2)
        assert str(caught.value) == text
    call = jax.jit(lambda n: k.fill(a=1, out_shapes=(n, 3)), static_argnums=0)
    assert call(2).shape == (2, 3)


def test_shapes_that_are_given(k):
    assert k.fill(a=2, out_shapes=(2, 3)).tolist() == [[2] * 3] * 2
    assert k.fill(a=2, out_shapes=[2, np.int64(3)]).shape == (2, 3)
    assert k.fill(a=2, out_shapes={"y": (2, 0)}).shape == (2, 0)
    np.testing.assert_array_equal(k.tile(X, out_shapes=(5, 128)), np.ones((5, 128)))
    assert k.scale(X, a=1, out_shapes=(3, 128)).shape == (3, 128)
    assert jax.vmap(lambda x: k.tile(x, out_shapes=(5, 4)))(np.ones((7, 2, 4), "f4")).shape == (7, 5, 4)


def test_several_outputs(k):
    x = np.array([[3, 1, 4, 1], [5, 9, 2, 6]], "f4")
    got = k.min_max(x)
    assert isinstance(got, tuple) and got._fields == ("min", "max")
    assert got.min.tolist() == [1, 2] and got.max.tolist() == [4, 9]
    low, high = jax.jit(k.min_max)(x)
    assert low.tolist() == [1, 2] and high.tolist() == [4, 9]
    assert jax.jit(k.min_max)(x)._fields == ("min", "max")
    assert jax.vmap(k.min_max)(x[None]).max.tolist() == [[4, 9]]


def test_a_traceback_ends_where_the_kernel_is_called(k):
    with pytest.raises(TypeError) as caught:
        k.scale(X)
    assert [frame.name for frame in caught.traceback][1:] == ["__call__"]
