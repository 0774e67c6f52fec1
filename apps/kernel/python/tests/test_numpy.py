"""`xlayout.kernels`, which calls kernels with arrays of NumPy, against `xlayout.jax`. `../numpy` has its tests without JAX."""

import ctypes
import pathlib
import pickle

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import xlayout.jax
import xlayout.kernels
from xlayout.kernels import _abi


@pytest.fixture(scope="session")
def n(path):
    return xlayout.kernels.load(path)


def same(found, expected):
    found, expected = jax.tree.leaves(found), jax.tree.leaves(expected)
    assert len(found) == len(expected)
    for own, of_jax in zip(found, expected):
        assert type(own) is np.ndarray and own.dtype == of_jax.dtype and own.shape == of_jax.shape
        assert own.tobytes() == np.asarray(of_jax).tobytes()


def test_every_type_and_order(k, n, x64):
    rng = np.random.default_rng(5)
    names = [name for name in n if name.startswith("turn_")]
    assert len(names) > 25
    for name in names:
        dtype = n[name]._inputs[0].dtype
        for shape in ((0, 3), (1, 1), (3, 5), (4, 6)):
            # Every element is one of its type.
            x = rng.integers(0, 2 if dtype == bool or "e8m0" in dtype.name else 4, shape)
            x = (x - (2 if dtype.name[0] == "i" else 0)).astype("i4").astype(dtype)
            for of in (x, np.asfortranarray(x)):
                same(n[name](of), k[name](jnp.asarray(of)))


def test_packed_bytes(k, n):
    x = np.arange(-8, 8).astype(ml_dtypes.int4)
    same(n.bytes_of_s4(x, out_shapes=(8,)), k.bytes_of_s4(jnp.asarray(x), out_shapes=(8,)))
    x = np.resize(x, (3, 2, 4))
    same(n.batch_turn_s4(x), k.batch_turn_s4(jnp.asarray(x)))


def test_batches_conversions_and_places(k, n):
    x = np.random.default_rng(3).normal(size=(4, 2, 3)).astype("f4")
    for kernel, size in (("plain_columns", 6), ("columns", 6)):
        shapes = {"memory": (size,)}
        for of in (x, x[:, ::-1], x[0]):
            same(n[kernel](of, out_shapes=shapes), k[kernel](jnp.asarray(of), out_shapes=shapes))
    same(n.sums_of_columns(x[0]), k.sums_of_columns(jnp.asarray(x[0])))
    x = np.arange(12, dtype="i1").reshape(3, 4)
    same(n.increase(x), k.increase(jnp.asarray(x)))
    x = np.arange(15, dtype="i4").reshape(3, 5)
    same(n.tiles(x), k.tiles(jnp.asarray(x)))
    # A size of 1 repeats its item.
    a, b = np.ones((5, 1, 3), "f4"), np.arange(10, dtype="f4").reshape(5, 2)[:, :1]
    same(n.batch_add(a[:, 0], np.ones((1, 3), "f4")), k.batch_add(jnp.asarray(a[:, 0]), jnp.ones((1, 3))))
    assert b.shape == (5, 1)


def test_the_messages_are_those_of_jax(k, n):
    x = np.ones((3, 128), "f4")
    for call in (
        lambda k: k.scale(x[0], a=1.0),
        lambda k: k.scale(x, a="1"),
        lambda k: k.scale(x, a=10**400),
        lambda k: k.scale(x, a=10**5000),
        lambda k: k.optional(w=[1, -(10**5000)]),
        lambda k: k.fill(a=1.0, out_shapes=10**5000),
        lambda k: k.scale(x, b=1),
        lambda k: k.scale(x.astype("i4"), a=1),
        lambda k: k.scalar_u8(a=300),
        lambda k: k.fill(a=1.0, out_shapes="ab"),
        lambda k: k.fill(a=1.0, out_shapes=(2**62, 2**62)),
        lambda k: k.pooled(x[0], pooling="most"),
        lambda k: k.no_such_kernel,
        lambda k: k.scale.layouts[2],
    ):
        texts = []
        for of in (k, n):
            with pytest.raises(Exception) as caught:
                call(of)
            texts.append((type(caught.value), str(caught.value)))
        assert texts[0] == texts[1]
    for call in (lambda k: k.fails(-x[0]), lambda k: k.panics(-x[0])):
        texts = []
        for of in (k, n):
            with pytest.raises(RuntimeError) as caught:
                jax.block_until_ready(call(of))
            texts.append(str(caught.value))
        assert texts[1] in texts[0]


def test_arrays_of_jax_are_jax_s(k, n):
    """The results are of the library of the arguments."""
    x = np.arange(256, dtype="f4").reshape(2, 128)
    assert type(n.scale(x, a=2.0)) is np.ndarray
    assert isinstance(n.scale(jnp.asarray(x), a=2.0), jax.Array)
    np.testing.assert_array_equal(jax.jit(lambda x: n.scale(x, a=2.0))(x), 2 * x)
    np.testing.assert_array_equal(jax.vmap(n.halves)(jnp.asarray(x.reshape(2, 4, 32))), k.halves(x.reshape(8, 32)).reshape(2, 4, 16))
    np.testing.assert_array_equal(jax.grad(lambda x: n.cube(x).sum())(jnp.arange(3.0)), [0, 3, 12])
    one = np.ones((2, 3), "i4")
    assert isinstance(n.axpy(one, jnp.asarray(one), a=1), jax.Array)
    assert isinstance(n.any_order.layouts[1](jnp.asarray(x), out_shapes={"memory": (256,)}).y, jax.Array)


def test_a_library_is_one_for_each_module(path, k, n):
    assert xlayout.kernels.load(path) is n and xlayout.jax.load(path) is k
    assert pickle.loads(pickle.dumps(n)) is n and pickle.loads(pickle.dumps(k)) is k
    assert pickle.loads(pickle.dumps(n.scale)) is n.scale and pickle.loads(pickle.dumps(k.scale)) is k.scale


STRUCTURES = {
    "Api_Version": (_abi.Version, {"major_version": "major", "minor_version": "minor"}),
    "Error_GetMessage_Args": (_abi.ErrorGetMessage, {"error": "error", "message": "message"}),
    "Error_Destroy_Args": (_abi.ErrorDestroy, {"error": "error"}),
    "Api": (
        _abi.Api,
        {"api_version": "api_version", "internal_api": "internal"}
        | {
            f"XLA_FFI_{name}": field
            for name, field in (
                ("Error_Create", "error_create"),
                ("Error_GetMessage", "error_get_message"),
                ("Error_Destroy", "error_destroy"),
                ("Handler_Register", "handler_register"),
                ("ThreadPool_Schedule", "thread_pool_schedule"),
                ("ThreadPool_NumThreads", "thread_pool_num_threads"),
                ("RunId_Get", "run_id_get"),
                ("DeviceOrdinal_Get", "device_ordinal_get"),
            )
        },
    ),
    "Args": (_abi.Operands, {"size": "size", "types": "types", "args": "pointers"}),
    "Rets": (_abi.Operands, {"size": "size", "types": "types", "rets": "pointers"}),
    "Attrs": (_abi.Attributes, {"size": "size", "types": "types", "names": "names", "attrs": "values"}),
    "Buffer": (_abi.Buffer, {name: name for name in ("dtype", "data", "rank", "dims")}),
    "CallFrame": (_abi.CallFrame, {"api": "api", "ctx": "context"} | {x: x for x in ("stage", "args", "rets", "attrs")}),
    "ByteSpan": (_abi.ByteSpan, {"ptr": "data", "len": "len"}),
    "Scalar": (_abi.Scalar, {"dtype": "dtype", "value": "value"}),
    "Array": (_abi.Array, {"dtype": "dtype", "size": "size", "data": "data"}),
}


def test_structures_are_those_of_the_header():
    """What a C compiler says of XLA's header, as `kernel/tests/c_api.rs` has it."""
    recorded = (pathlib.Path(__file__).parents[2] / "tests/c_api/recorded.txt").read_text()
    header = {name: int(number) for name, number in map(str.split, recorded.splitlines())}
    for name, (of, fields) in STRUCTURES.items():
        for c, field in fields.items():
            assert getattr(of, field).offset == header[f"XLA_FFI_{name}.{c}"], (name, c)
        if issubclass(of, _abi.Structure):
            assert of._size() == header[f"XLA_FFI_{name}_STRUCT_SIZE"], name
        else:
            assert ctypes.sizeof(of) == header[f"XLA_FFI_{name}"], name
    assert (_abi.EXECUTE, _abi.BUFFER) == (header["XLA_FFI_ExecutionStage_EXECUTE"], header["XLA_FFI_ArgType_BUFFER"])
    kinds = [header[f"XLA_FFI_AttrType_{name}"] for name in ("ARRAY", "SCALAR", "STRING")]
    assert [_abi.ARRAY, _abi.SCALAR, _abi.STRING] == kinds


def test_the_table_of_a_library(n):
    recorded = (pathlib.Path(__file__).parents[2] / "tests/c_api/recorded.txt").read_text()
    header = {name: int(number) for name, number in map(str.split, recorded.splitlines())}
    api = _abi.Api.from_address(n.scale._api)
    assert api.struct_size == header["XLA_FFI_Api_STRUCT_SIZE"] and api.api_version.struct_size == _abi.Version._size()
    assert (api.api_version.major, api.api_version.minor) == (header["XLA_FFI_API_MAJOR"], header["XLA_FFI_API_MINOR"])

    class Create(_abi.Structure):
        _fields_ = [("message", ctypes.c_char_p), ("code", ctypes.c_int)]

    create = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Create))(api.error_create)
    codes = [name for name in header if name.startswith("XLA_FFI_Error_Code_")]
    assert len(codes) == 16
    for name in codes:
        error = create(Create("ä".encode(), header[name]))
        assert str(_abi.error(n.scale._api, error)) == f"{name.removeprefix('XLA_FFI_Error_Code_')}: ä"
