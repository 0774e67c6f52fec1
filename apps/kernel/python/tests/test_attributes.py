"""Attributes: what arrives, and what is refused before XLA is called."""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import xlayout.jax
from conftest import raw

INTEGERS = {f"{kind[0].replace('i', 's')}{n}": f"{kind}{n}" for kind in ("int", "uint") for n in (8, 16, 32, 64)}
FLOATS = {"f32": "float32", "f64": "float64"}


def extremes(dtype):
    if dtype.startswith("f"):
        info = np.finfo(dtype)
        return [0.0, -0.0, 0.1, info.max, info.min, info.smallest_subnormal, np.inf, -np.inf, np.nan]
    info = np.iinfo(dtype)
    return [0, 1, info.min, info.max]


def same_bits(got, expected):
    got = np.asarray(got)
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    assert got.tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", {**INTEGERS, **FLOATS})
def test_every_number(k, x64, name):
    dtype = {**INTEGERS, **FLOATS}[name]
    scalar, array = k[f"scalar_{name}"], k[f"array_{name}"]
    numbers = np.array(extremes(dtype), dtype)
    for number in numbers:
        # Of NumPy, of Python, an array without dimensions, one of JAX.
        for a in (number, number.item(), np.array(number), jnp.array(number)):
            same_bits(scalar(a=a), number)
            same_bits(jax.jit(lambda: scalar(a=a))(), number)
    for a in (numbers, numbers.tolist(), tuple(numbers), jnp.array(numbers), numbers[::-1][::-1]):
        same_bits(array(a=a, out_shapes=numbers.shape), numbers)
    same_bits(array(a=[], out_shapes=(0,)), numbers[:0])
    same_bits(array(a=[1] * 9, out_shapes=(9,)), np.ones(9, dtype))
    same_bits(array(a=np.broadcast_to(numbers[1], 9), out_shapes=(9,)), np.full(9, numbers[1]))


def test_truth_values(k):
    for a in (True, False, np.True_, np.False_, jnp.array(True)):
        assert k.scalar_pred(a=a) == bool(a)


def test_values_that_are_equal_to_python(k, x64):
    """JAX keeps what it compiled by the values of attributes."""
    for a in (0.0, -0.0, 0.0):
        assert np.signbit(k.scalar_f32(a=a)) == np.signbit(a)
        assert np.signbit(k.array_f32(a=[a], out_shapes=(1,))[0]) == np.signbit(a)


def test_a_nan_is_compiled_once(k):
    k.scalar_f32(a=np.nan)
    events = []
    jax.monitoring.register_event_duration_secs_listener(lambda name, *_, **__: events.append(name))
    try:
        k.scalar_f32(a=np.nan)
        assert not [name for name in events if "compile" in name]
    finally:
        jax.monitoring.clear_event_listeners()


def test_numbers_of_other_types(k):
    """Integers exactly or not at all; floats are rounded, since 0.1 is in no type."""
    assert k.scalar_s8(a=np.int64(100)) == 100
    assert k.scalar_f32(a=np.float64(0.1)) == np.float32(0.1)
    assert k.scalar_f32(a=ml_dtypes.bfloat16(0.1)) == np.float32(ml_dtypes.bfloat16(0.1))
    assert k.scalar_f32(a=2) == 2
    assert k.scalar_f32(a=2**24) == 2**24
    same_bits(k.array_s8(a=np.array([1, -2]), out_shapes=(2,)), np.array([1, -2], "int8"))
    same_bits(k.array_s8(a=np.array([1, -2], ml_dtypes.int4), out_shapes=(2,)), np.array([1, -2], "int8"))


@pytest.mark.parametrize("s", ["", "a", "two words", "naïve ☃", "nul \0 inside", "x" * 100_000])
def test_text(k, s):
    expected = np.frombuffer(s.encode(), np.uint8)
    same_bits(k.text(s=s, out_shapes=expected.shape), expected)


def test_optional(k):
    got = lambda **attributes: k.optional(**attributes).tolist()
    assert got() == [-1, -1, -1]
    assert got(a=None, w=None, lambda_=None) == [-1, -1, -1]
    assert got(a=0, w=[], lambda_="") == [0, 0, 0]
    assert got(w=[1, 2], lambda_="abc") == [-1, 3, 3]


def test_a_traced_value(k):
    x = np.ones((1, 128), "f4")
    f = lambda x, a: k.scale(x, a=a)
    for call in (
        lambda: jax.jit(f)(x, 2.0),
        lambda: jax.vmap(f, (None, 0))(x, np.ones(3, "f4")),
        lambda: jax.grad(lambda a: f(x, a).sum())(2.0),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == (
            "kernel `scale`: attribute `a` is declared as one f32, and the call has a value that JAX traces; an attribute is "
            "part of the compiled program; pass its value, name the argument in `static_argnames` of "
            "jax.jit, or declare an input: `a: In<layout!(f32[])>`"
        )
    np.testing.assert_array_equal(jax.jit(f, static_argnames="a")(x, a=3.0), 3 * x)


REFUSED = [
    ("scalar_s8", 300, ValueError, "one s8, and the call has 300; s8 goes from -128 to 127"),
    ("scalar_s8", np.int32(-129), ValueError, "one s8, and the call has -129; s8 goes from -128 to 127"),
    ("scalar_u64", -1, ValueError, "one u64, and the call has -1; u64 goes from 0 to 18446744073709551615"),
    ("scalar_u64", 2**64, ValueError, "one u64, and the call has 18446744073709551616; u64 goes from 0 to 18446744073709551615"),
    ("scalar_s8", 1.0, TypeError, "one s8, and the call has 1.0; pass an integer"),
    ("scalar_s8", np.float32(1), TypeError, "one s8, and the call has f32[]; pass an integer"),
    ("scalar_s8", True, TypeError, "one s8, and the call has True; pass an integer"),
    ("scalar_s8", "1", TypeError, "one s8, and the call has a value of type str; pass an integer"),
    ("scalar_s8", None, TypeError, "one s8, and the call has None; pass an integer"),
    ("scalar_s8", [1], TypeError, "one s8, and the call has a value of type list; pass an integer"),
    ("scalar_s8", np.array([1]), TypeError, "one s8, and the call has s64[1]; pass an integer"),
    ("scalar_pred", 1, TypeError, "one pred, and the call has 1; pass True or False"),
    ("scalar_f32", 1j, TypeError, "one f32, and the call has 1j; pass a number"),
    ("scalar_f32", 1e39, ValueError, "one f32, and the call has 1e+39; f32 ends at 3.402823e+38"),
    ("scalar_f32", -1e39, ValueError, "one f32, and the call has -1e+39; f32 ends at 3.402823e+38"),
    ("scalar_f32", 2**24 + 1, ValueError, "one f32, and the call has 16777217; f32 does not have this integer; float(…) rounds it"),
    ("array_s8", [1, 300], ValueError, "an array of s8, and the call has 300; s8 goes from -128 to 127"),
    ("array_s8", [1, 2.0], TypeError, "an array of s8, and the call has 2.0; pass an integer for each element"),
    ("array_s8", 1, TypeError, "an array of s8, and the call has 1; pass a list, or an array of rank 1"),
    ("array_s8", [[1]], TypeError, "an array of s8, and the call has a value of type list; pass an integer for each element"),
    ("array_s8", np.ones((2, 2), int), TypeError, "an array of s8, and the call has s64[2,2]; pass a list, or an array of rank 1"),
    ("array_s8", "12", TypeError, "an array of s8, and the call has a value of type str; pass a list, or an array of rank 1"),
]


@pytest.mark.parametrize("name, value, kind, text", REFUSED, ids=lambda v: repr(v)[:30])
def test_refused(k, x64, name, value, kind, text):
    with pytest.raises(kind) as caught:
        k[name](a=value, **({"out_shapes": (2,)} if "array" in name else {}))
    assert str(caught.value) == f"kernel `{name}`: attribute `a` is declared as {text}"


def test_text_that_is_none(k):
    for s in (b"abc", 1, None, ["a"]):
        with pytest.raises(TypeError, match="`s` is declared as a string, and the call has .*; pass a str"):
            k.text(s=s, out_shapes=(1,))


def test_words(k):
    """An enumeration of Rust's: Python passes one of its words."""
    literal = 'Literal["max", "mean"]'
    assert repr(k.pooled) == f"pooled(x: f32[?]{{0}}, pooling: {literal}, other: {literal} | None = None) -> f32[2]{{0}}"
    assert f"pooling: {literal}, other: {literal} | None = None)" in xlayout.jax.stubs(k)
    x = np.array([1, 5, 3], "f4")
    for f in (k.pooled, jax.jit(k.pooled, static_argnames=("pooling", "other"))):
        assert f(x, "max").tolist() == [5, -1]
        assert f(x, pooling="mean", other="max").tolist() == [3, 5]
    declared = 'kernel `pooled`: attribute `pooling` is declared as one of "max", "mean", and the call has'
    for word, kind, text in (
        ("men", ValueError, "'men'; did you mean `mean`?"),
        ("", ValueError, "''; pass one of them"),
        ("x" * 99, ValueError, "'xxxxxxxxxxxx...xxxxxxxxxxxxx'; pass one of them"),
        (1, TypeError, "1; pass a str"),
    ):
        with pytest.raises(kind) as caught:
            k.pooled(x, word)
        assert str(caught.value) == f"{declared} {text}"
    with pytest.raises(jax.errors.JaxRuntimeError) as caught:
        raw(k.pooled, [jax.ShapeDtypeStruct((2,), "f4")], x, pooling="sum")
    assert f'{declared} "sum"; pass `pooling="max"`' in str(caught.value)


def test_by_position(k):
    """Attributes that the kernel has behind its arrays, up to one that has to be passed and follows an optional one."""
    assert repr(k.behind) == "behind(x: f32[?]{0}, a: f32, b: f32 | None = None, *, n: u8) -> f32[?]{0}"
    x = np.arange(3, dtype="f4")
    expected = [7, 11, 15]
    for f in (k.behind, jax.jit(k.behind, static_argnames=("a", "b", "n"))):
        assert f(x, 2.0, 1.75, n=2).tolist() == [5.25, 9.25, 13.25]
        assert f(x, 2, b=7 / 3, n=2).tolist() == pytest.approx(expected)
        assert f(x, 2.0, n=1).tolist() == [0, 2, 4]
    assert jax.vmap(lambda x: k.behind(x, 3.0, 1.0, n=1))(x[:, None]).tolist() == [[1], [4], [7]]
    for call, what in (
        (lambda: k.behind(x, 2.0, a=1.0, n=1), "multiple values for argument 'a'"),
        (lambda: k.behind(x, 2.0, 1.0, 1), "too many positional arguments"),
        (lambda: k.behind(x, n=1), "missing a required argument: 'a'"),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value).removesuffix(" (behind `*`: attributes, by name)") == (
            f"kernel `behind`: {what}; call {k.behind!r}"
        )
    with pytest.raises(TypeError, match="attribute `a` is declared as one f32, and the call has f32"):
        k.behind(x, x, n=1)
    # One that stands in front of the array would change places with it.
    with pytest.raises(TypeError, match="too many positional arguments; .*behind `[*]`"):
        k.scale(np.ones((1, 128), "f4"), 2.0)
