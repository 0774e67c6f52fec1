"""Arrays of every type that XLA on the CPU and JAX have, of any size."""

import pickle

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental.layout import Format, Layout

import xlayout.jax


WIDE = ["int64", "uint64", "float64", "complex128"]
TYPES = {
    "pred": "bool",
    **{f"s{n}": f"int{n}" for n in (8, 16, 32, 64)},
    **{f"u{n}": f"uint{n}" for n in (8, 16, 32, 64)},
    **{f"f{n}": f"float{n}" for n in (16, 32, 64)},
    **{f"c{n}": f"complex{n}" for n in (64, 128)},
    "bf16": "bfloat16",
    "f8e5m2": "float8_e5m2",
    "f8e4m3fn": "float8_e4m3fn",
    "f8e4m3b11fnuz": "float8_e4m3b11fnuz",
    "f8e5m2fnuz": "float8_e5m2fnuz",
    "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e4m3": "float8_e4m3",
    "f8e3m4": "float8_e3m4",
    "f8e8m0fnu": "float8_e8m0fnu",
    # Packed, 2 or 4 in a byte.
    "s4": "int4",
    "u4": "uint4",
    "s2": "int2",
    "u2": "uint2",
    "f4e2m1fn": "float4_e2m1fn",
}


def values(dtype, shape):
    """Every bit pattern of small types, many of others, but no NaN, of which there are many."""
    dtype = jnp.dtype(dtype)
    rng = np.random.default_rng(7)
    if dtype == bool:
        return rng.integers(0, 2, shape).astype(bool)
    if jnp.issubdtype(dtype, jnp.integer):
        info = jnp.iinfo(dtype)
        kind = np.int64 if info.min < 0 else np.uint64
        return rng.integers(info.min, info.max, shape, kind, endpoint=True).astype(dtype)
    if jnp.issubdtype(dtype, jnp.complexfloating):
        return (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype(dtype)
    return np.abs(rng.normal(size=shape)).astype(dtype)


@pytest.mark.parametrize("shape", [(3, 5), (1, 1), (0, 4), (4, 0), (16, 33), (5, 1)], ids=str)
@pytest.mark.parametrize("name", TYPES)
def test_every_type(k, x64, name, shape):
    x = values(TYPES[name], shape)
    y = jax.jit(k[f"turn_{name}"])(x)
    assert y.dtype == x.dtype and y.shape == x.shape
    np.testing.assert_array_equal(np.asarray(y), x)


@pytest.mark.parametrize("name", TYPES)
def test_every_type_under_vmap(k, x64, name):
    x = values(TYPES[name], (3, 4, 5))
    np.testing.assert_array_equal(np.asarray(jax.vmap(k[f"turn_{name}"], 1, 1)(x)), x)


def test_all_types_that_jax_has_are_tried():
    # 1 bit: JAX 0.10 takes uint1 for int1, and int1 for bool. 6 bits: XLA's FFI has no number for them.
    left_out = {"int1", "uint1", "float6_e2m3fn", "float6_e3m2fn"}
    def is_type(value):
        try:
            return isinstance(jnp.dtype(value), np.dtype) and value is not jnp.ndarray
        except TypeError:
            return False
    stems = ("int", "uint", "float", "bfloat", "complex", "bool")
    names = {n for n in dir(jnp) if n.startswith(stems) and is_type(getattr(jnp, n))}
    names = {jnp.dtype(getattr(jnp, n)).name for n in names if not n.endswith("ing")}
    assert names - left_out == set(TYPES.values())


def test_packed_elements_are_seen_packed(k):
    # Row-major, low bits first: 1 and 2 are the byte 0x21.
    x = np.array([1, 2, 3, -1, -8], "int4")
    np.testing.assert_array_equal(k.bytes_of_s4(x, out_shapes=(3,)), [0x21, 0xF3, 0x08])


def test_rank_0(k):
    assert k.double(1.5) == 3 and k.double(1.5).shape == ()
    assert k.double(np.float32(1.5)) == 3
    assert k.double(jnp.float32(1.5)) == 3
    assert k.double(2) == 4
    assert jax.jit(k.double)(2) == 4  # weakly typed s32 there
    np.testing.assert_array_equal(jax.vmap(k.double)(np.arange(3, dtype="f4")), [0, 2, 4])


def test_weakly_typed_values_take_the_declared_type(k):
    """What comes from a Python number inside of jit: as in JAX, integers become floats, not back."""
    turn = lambda name: jax.jit(lambda a: k[f"turn_{name}"](jnp.broadcast_to(a, (1, 1))))
    for name in ("f32", "bf16", "f8e5m2", "c64"):
        for a in (2.0, 2):
            assert turn(name)(a).dtype == TYPES[name] and turn(name)(a)[0, 0] == 2
    for name in ("s8", "u8", "s4"):
        assert turn(name)(2).dtype == TYPES[name]
        with pytest.raises(TypeError, match=f"the call has f32\\[1,1\\]; pass {name}, as with"):
            turn(name)(2.0)
    for name in ("s8", "f32"):
        with pytest.raises(TypeError, match=f"the call has pred\\[1,1\\]; pass {name}, as with"):
            turn(name)(True)


def test_large_array(k):
    x = np.arange(1 << 24, dtype=np.float32).reshape(1 << 12, 1 << 12)
    np.testing.assert_array_equal(k.turn_f32(x), x)


def test_64_bit_types_that_are_turned_off(k):
    for name in ("s64", "u64", "f64", "c128"):
        with pytest.raises(TypeError) as caught:
            k[f"turn_{name}"](np.zeros((2, 2), TYPES[name]))
        assert str(caught.value) == (
            f"kernel `turn_{name}`: argument `x` is declared as {name}[?,?]{{0,1}}, and JAX has no "
            '64-bit types unless they are turned on; put `jax.config.update("jax_enable_x64", True)` at '
            "the start of the program"
        )


def test_numpy_integers_that_jax_would_cut_off(k):
    x = np.array([[1, 2], [3, 2**31 - 1]])
    np.testing.assert_array_equal(k.turn_s32(x), x)  # int64 becomes s32, as everywhere in JAX
    with pytest.raises(ValueError, match="the call has 2147483648; s32 goes from -2147483648 to 21474"):
        k.turn_s32(x + 1)
    x = np.ones((2, 2))
    assert k.turn_f32(x).dtype == np.float32


def test_several_types_from_one_declaration(k, x64):
    """`types(T = …)`: the kernel of the arrays' element type, with each layout."""
    assert len(k.axpy.types) == 3 and len(k.axpy.layouts) == 2
    assert [kernel.types[0].isa for kernel in k.axpy.layouts] == [k.axpy.isa] * 2
    shapes = [f"{t}[?M,?N]{{1,0}}" for t in ("f32", "s32", "f64")]
    x = " | ".join(f"{shape} | {{0,1}}" for shape in shapes)
    y = " | ".join(shapes)
    assert repr(k.axpy) == f"axpy(x: {x}, y: {y}, *, a: f32 | s32 | f64) -> {y}"
    assert "def axpy(x: ArrayLike, y: ArrayLike, *, a: float | int) -> Array:" in xlayout.jax.stubs(k)
    for dtype in ("float32", "int32", "float64"):
        x, y = np.arange(6).reshape(2, 3).astype(dtype), np.ones((2, 3), dtype)
        for f in (k.axpy, k.axpy.layouts[1], jax.jit(k.axpy, static_argnames="a")):
            for z in (f(x, y, a=2), f(y=y, x=jnp.asarray(x), a=2)):
                assert z.dtype == dtype
                np.testing.assert_array_equal(z, 2 * x + y)
        columns = jax.device_put(x, Format(Layout((1, 0)), jnp.asarray(x).sharding))
        np.testing.assert_array_equal(k.axpy(columns, y, a=3), 3 * x + y)
        np.testing.assert_array_equal(jax.vmap(lambda x: k.axpy(x, x, a=1))(np.stack([x, y])), np.stack([2 * x, 2 * y]))
        again = pickle.loads(pickle.dumps(k.axpy))
        np.testing.assert_array_equal(again(x, y, a=2), 2 * x + y)
    for kernel in k.axpy.types:
        assert pickle.loads(pickle.dumps(kernel)).target == kernel.target
    with pytest.raises(TypeError) as caught:
        k.axpy(np.ones((2, 3), "u1"), y, a=2)
    assert str(caught.value) == (
        f"kernel `axpy`: argument `x` is declared as {k.axpy.types[0]._inputs[0].long}, and the call has u8[2,3]; "
        "pass one of f32, s32, f64, as with `.astype('float32')`"
    )
    with pytest.raises(TypeError, match=r"`y` is declared as s32\[.*, and the call has f64\[2,3\]; pass s32"):
        k.axpy(np.ones((2, 3), "i4"), y, a=2)
    with pytest.raises(TypeError, match="attribute `a` is declared as one s32, and the call has 2.5; pass an integer"):
        k.axpy(np.ones((2, 3), "i4"), np.ones((2, 3), "i4"), a=2.5)
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        k.axpy(a=2)
    exported = jax.export.export(jax.jit(lambda x: k.axpy(x, x, a=1)), disabled_checks=k.axpy.export_checks)
    np.testing.assert_array_equal(exported(jax.typeof(jnp.asarray(y))).call(y), 2 * y)


def test_types_that_only_xla_has(k):
    for dtype in (jnp.bfloat16, jnp.float16):
        x = jnp.arange(4, dtype=dtype)
        y, back = jax.vjp(k.floats16, x)
        np.testing.assert_array_equal(y, x)
        np.testing.assert_array_equal(back(2 * x)[0], 2 * x)
