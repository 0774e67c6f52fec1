"""`xlayout.copy` and `xlayout.relayout`."""

import doctest
import inspect
import itertools
import math
import random
import sys
import threading
import time

import numpy as np
import pytest

import xlayout
import xlayout._copy
from xlayout import Layout

TYPES = ["?", "i1", "u2", "f2", "i4", "f4", "f8", "c8", "c16", "S3", "U5", "M8[s]", "V7", "f4,i2", "f16"]


def filled(shape, dtype):
    """An array of which most bytes differ."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape)) * dtype.itemsize
    raw = (np.arange(count) % 251).astype(np.uint8)
    if dtype.kind == "b":
        raw &= 1
    if dtype.kind == "U":
        raw = (np.arange(count // 4) % 60 + 65).astype(np.uint32).view(np.uint8)
    return raw.view(dtype).reshape(shape)


def same(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def by_native(monkeypatch):
    """`xlayout.copy` that hands no array to NumPy."""
    monkeypatch.setattr(xlayout._copy, "_is_small", lambda *_: False)
    return lambda a, order="C", threads=0: xlayout._copy._copy_any(a, order, threads)


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("dtype", TYPES)
def test_every_order_and_type(dtype, native, monkeypatch):
    copy = by_native(monkeypatch) if native else xlayout.copy
    a = filled((3, 4, 5), dtype)
    for order in [*itertools.permutations(range(3)), "C", "F"]:
        for view in (a, a.T, a[::-1, ::2], a[:, ::-2, 1:3], a[:1], a[:, :, :0], a[1, 2], a[1, 2, 3, ...]):
            own = order if isinstance(order, str) else [dim for dim in order if dim < view.ndim]
            found = copy(view, own)
            assert same(found, view)
            if isinstance(order, str):
                assert found.flags.c_contiguous if order == "C" else found.flags.f_contiguous
            elif view.size:
                assert found.transpose(own).flags.c_contiguous
            assert not np.shares_memory(found, view) and found.flags.writeable


@pytest.mark.parametrize("native", [True, False])
def test_views_whose_elements_overlap_or_are_read_only(native, monkeypatch):
    copy = by_native(monkeypatch) if native else xlayout.copy
    a = np.arange(10, dtype=np.int16)
    windows = np.lib.stride_tricks.sliding_window_view(a, 4)
    assert not windows.flags.writeable
    assert same(copy(windows, "F"), windows)
    repeated = np.broadcast_to(a, (3, 10))
    assert same(copy(repeated.T), repeated.T)
    unaligned = np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(np.int16)
    assert same(copy(unaligned), a)
    assert same(copy(np.asfortranarray(np.ones((3, 1))).astype(">f8")), np.ones((3, 1), ">f8"))


@pytest.mark.parametrize("native", [True, False])
def test_arrays_of_many_dimensions(native, monkeypatch):
    copy = by_native(monkeypatch) if native else xlayout.copy
    a = filled((2,) * 20, "u1")
    assert same(copy(a.T), a.T)
    order = list(range(20))[::-3] + [d for d in range(20) if d not in list(range(20))[::-3]]
    assert same(copy(a, order), a)


def test_examples_of_copy():
    # pytest finds no examples in functions of a native module.
    examples = doctest.DocTestParser().get_doctest(xlayout.copy.__doc__, {}, "copy", None, None)
    assert len(examples.examples) > 5
    assert doctest.DocTestRunner().run(examples).failed == 0
    assert str(inspect.signature(xlayout.copy)) == "(a, order='C', *, threads=0)"


def test_small_arrays_take_no_step_of_python():
    # NumPy's copy of 64 bytes takes no longer than one call of a function of Python.
    small = [np.ones((4, 4), np.float32).T, np.ones(1 << 21, np.uint8), np.ones((100, 100)).T, np.float32([])]
    large = [np.ones((200, 200), np.float32).T, np.ones(1 << 24, np.uint8), np.ones((128, 128), np.uint8).T]
    code = xlayout._copy._copy_any.__code__
    calls = []
    sys.setprofile(lambda frame, event, _: calls.append(frame.f_code) if event == "call" else None)
    try:
        copies = [xlayout.copy(a, order) for a in small for order in ("C", "F")]
        of_small = calls.count(code)
        larger = [xlayout.copy(a, "C") for a in large]
        of_large = calls.count(code) - of_small
    finally:
        sys.setprofile(None)
    assert of_small == 0 and of_large == len(large)
    assert all(same(copied, a) for copied, a in zip(copies, [a for a in small for _ in "CF"], strict=True))
    assert all(same(copied, a) for copied, a in zip(larger, large, strict=True))


@pytest.mark.parametrize("threads", [0, 1, 2, 7])
def test_large_arrays_on_threads(threads):
    a = filled((1031, 517), "f4")
    assert same(xlayout.copy(a.T, threads=threads), a.T)
    assert same(xlayout.copy(a[::-1, ::-1], "F", threads=threads), a[::-1, ::-1])
    tiles = xlayout.relayout(a, "{0,1:T(8,128)}", threads=threads)
    assert same(xlayout.relayout(tiles, "{1,0}", source="f32[1031,517]{0,1:T(8,128)}", threads=threads), a)


def test_other_threads_of_python_run_meanwhile():
    a = filled((1024, 1024), "f4")
    done, ticks, meanwhile = threading.Event(), [0], []

    def work():
        # A thread is not stopped for another one: the other one runs only where the copy leaves the interpreter.
        for _ in range(1000):
            before = ticks[0]
            xlayout.copy(a.T, threads=1)
            meanwhile.append(ticks[0] - before)
            if meanwhile[-1]:
                break
        done.set()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        worker = threading.Thread(target=work)
        worker.start()
        while not done.is_set():
            ticks[0] += 1
            time.sleep(0)
        worker.join()
    finally:
        sys.setswitchinterval(interval)
    assert meanwhile[-1]


@pytest.mark.parametrize(
    "text", ["f32[5,6]{1,0:T(4,4)}", "f32[5,6]{0,1}", "f32[5,6]{1,0:T(2,3)(1,2)}", "f32[5,6]{1,0:L(64)}", "f32[5,6]"]
)
def test_every_element_is_at_its_place(text):
    a = filled((5, 6), "f4")
    layout = Layout(text)
    memory = xlayout.relayout(a, layout)
    if layout.strides is not None and not layout.padding_bytes:
        assert memory.shape == (5, 6) and memory.strides == layout.byte_strides and same(memory, a)
        return
    assert memory.shape == (layout.places,) and memory.dtype == a.dtype
    places = layout.linear_index(*np.ix_(range(5), range(6)))
    assert same(memory[places], a)
    padding = np.ones(layout.places, bool)
    padding[places] = False
    assert not memory[padding].any()
    assert same(xlayout.relayout(memory, "{1,0}", source=layout), a)
    with pytest.raises(ValueError):
        xlayout.relayout(memory[:-1], "{1,0}", source=layout)


# XLA's types, but those that this version of `ml_dtypes` lacks, with their bits.
BITS = {
    "pred": 1, "s2": 2, "s4": 4, "s8": 8, "s16": 16, "s32": 32, "s64": 64, "u2": 2, "u4": 4, "u8": 8, "u16": 16, "u32": 32,
    "u64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "c64": 64, "c128": 128, "f8e5m2": 8, "f8e4m3fn": 8, "f8e4m3": 8,
    "f8e3m4": 8, "f8e4m3b11fnuz": 8, "f8e5m2fnuz": 8, "f8e4m3fnuz": 8, "f8e8m0fnu": 8, "f6e2m3fn": 6, "f6e3m2fn": 6,
    "f4e2m1fn": 4,
}


def place(index, shape, major_to_minor, tiles):
    """XLA's definition: each tile splits the most minor dimensions into tiles and what is inside of one."""
    at, size = [index[dim] for dim in major_to_minor], [shape[dim] for dim in major_to_minor]
    for tile in tiles:
        first = len(at) - len(tile)
        inner = list(zip(at[first:], size[first:], tile, strict=True))
        at[first:] = [i // t for i, _, t in inner] + [i % t for i, _, t in inner]
        size[first:] = [-(-n // t) for _, n, t in inner] + list(tile)
    found = 0
    for i, n in zip(at, size, strict=True):
        found = found * n + i
    return found


def random_layout(rng):
    """XLA's text, with the dimensions from major to minor and the tiles."""
    element_type = rng.choice(list(BITS))
    rank = rng.randint(0, 5)
    shape = [rng.choice([0, 1, 2, 3, 3, 4, 5]) if rng.random() < 0.1 else rng.randint(1, 5) for _ in range(rank)]
    order = rng.sample(range(rank), rank)
    tiles = []
    while rank and len(tiles) < 3 and rng.random() < 0.5:
        tiles.append([rng.randint(1, 4) for _ in range(rng.randint(1, rank))])
    attributes = "".join(f"({','.join(map(str, tile))})" for tile in tiles)
    attributes = f"T{attributes}" if tiles else ""
    if rng.random() < 0.2:
        attributes += f"L({rng.randint(1, 9)})"
    if BITS[element_type] in (1, 2, 4) and element_type != "pred" and rng.random() < 0.6:
        attributes += f"E({BITS[element_type]})"
    layout = ",".join(map(str, reversed(order)))
    layout = f"{{{layout}{':' if attributes else ''}{attributes}}}" if rank else ""
    return f"{element_type}[{','.join(map(str, shape))}]{layout}", order, tiles if rank else []


def random_view(rng, shape, layout):
    """An array of random elements of the layout's type, with any strides."""
    ml_dtypes = pytest.importorskip("ml_dtypes")
    width = layout._native.element_bytes
    steps = [rng.choice([1, 1, 1, 2, 3, -1, -2]) for _ in shape]
    order = rng.sample(range(len(shape)), len(shape))
    sizes = [shape[dim] * abs(steps[dim]) for dim in order]
    raw = np.frombuffer(rng.randbytes(math.prod(sizes) * width), np.uint8)
    if BITS[layout.element_type] < 8:
        raw = raw & ((1 << BITS[layout.element_type]) - 1)
    name = layout.dtype
    a = raw.view(name if name in np.sctypeDict else getattr(ml_dtypes, name)).reshape(sizes)
    if shape:
        a = a.transpose(np.argsort(order))[tuple(slice(None, None, step) for step in steps)]
    assert a.shape == tuple(shape)
    return a


def bits(a):
    """The bytes of the elements, one dimension more."""
    return np.ascontiguousarray(a)[..., np.newaxis].view(np.uint8)


@pytest.mark.parametrize("seed", range(8))
def test_random_layouts_are_as_xla_defines_them(seed):
    rng = random.Random(seed)
    kinds = set()
    for _ in range(150):
        text, order, tiles = random_layout(rng)
        layout = Layout(text)
        a = random_view(rng, layout.shape, layout)
        memory = xlayout.relayout(a, rng.choice([text, layout]))
        index = list(np.ndindex(*layout.shape))
        places = np.array([place(at, layout.shape, order, tiles) for at in index], np.int64)
        assert [layout.linear_index(*at) for at in index] == places.tolist(), text
        if "E(" in text:
            kinds.add("packed")
            assert memory.dtype == np.uint8 and memory.shape == (layout.nbytes,)
            flat, width = memory, BITS[layout.element_type]
            spread = (flat[:, np.newaxis] >> (width * np.arange(8 // width))) & ((1 << width) - 1)
            found = spread.reshape(-1, 1)
        else:
            assert memory.dtype == a.dtype
            if layout.byte_strides is None or layout.padding_bytes:
                kinds.add("flat")
                assert memory.shape == (layout.places,), text
                flat = memory
            else:
                kinds.add("at strides of tiles" if tiles else "at strides")
                assert memory.strides == layout.byte_strides and (bits(memory) == bits(a)).all(), text
                assert isinstance(memory.base, np.ndarray)
                flat = memory.base
            found = bits(flat)
            padding = np.ones(layout.places, bool)
            padding[places] = False
            assert not found[padding].any(), text
        expected = bits(a)
        assert (found[places] == expected.reshape(len(index), expected.shape[-1])).all(), text
        dense = f"{{{','.join(map(str, reversed(range(a.ndim))))}}}" if a.ndim else f"{layout.element_type}[]"
        back = xlayout.relayout(flat, dense, source=layout)
        assert back.shape == a.shape and (bits(back) == expected).all(), text
    assert {"packed", "flat", "at strides", "at strides of tiles"} <= kinds


def test_tiles_that_change_the_sequence():
    a = filled((4, 3), "f4")
    for text in ["f32[4,3]{1,0:T(4,1)}", "f32[4,3]{0,1:T(3,1)}", "f32[4,3]{1,0:T(1,3)(1,1)}"]:
        assert same(xlayout.relayout(a, text), a), text
        assert same(xlayout.relayout(a, text.removeprefix("f32[4,3]")), a), text


def test_elements_are_not_converted():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for dtype, other in [
        ("f4", "s32"), ("f4", "f64"), ("i1", "u8"), ("u1", "pred"), ("f2", "bf16"), (ml_dtypes.bfloat16, "f16"), ("u1", "s4"),
        (ml_dtypes.int4, "u4"), ("i8", "c64"), ("M8[s]", "s64"),
    ]:
        a = np.zeros(6, dtype)
        with pytest.raises(ValueError, match="elements of type"):
            xlayout.relayout(a.reshape(2, 3), f"{other}[2,3]{{0,1}}")
        with pytest.raises(ValueError, match="elements of type"):
            xlayout.relayout(a, f"{other}[2,3]{{0,1}}", source=f"{other}[2,3]")
    a = np.arange(6, dtype="f4").reshape(2, 3)
    with pytest.raises(ValueError, match=r"are int32; convert them, `a.astype\('int32'\)`, or take the bits, `a.view\('int32'\)`"):
        xlayout.relayout(a, "s32[2,3]{0,1}")
    assert same(xlayout.relayout(a.view("int32"), "s32[2,3]{0,1}"), a.view("int32"))


def test_packed_elements():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a = (np.arange(35) % 8).astype(ml_dtypes.int4).reshape(5, 7)
    packed = xlayout.relayout(a, "s4[5,7]{1,0:E(4)}")
    assert packed.dtype == np.uint8 and packed.shape == (18,)
    back = xlayout.relayout(packed, "s4[5,7]{1,0}", source="s4[5,7]{1,0:E(4)}")
    assert back.tolist() == (np.arange(35) % 8).reshape(5, 7).tolist()
    again = xlayout.relayout(packed, "{0,1:E(4)}", source="s4[5,7]{1,0:E(4)}")
    assert again.dtype == np.uint8 and again.shape == (18,)


def test_tensors_of_torch():
    torch = pytest.importorskip("torch")
    x = torch.arange(60000, dtype=torch.float32).reshape(200, 300)
    assert (xlayout.copy(x, "F") == x.numpy()).all()
    assert (xlayout.copy(x.t()[::2, ::3]) == x.numpy().T[::2, ::3]).all()
    tiles = torch.from_numpy(xlayout.relayout(x, "{1,0:T(8,128)}"))
    assert str(xlayout.Layout(x.bfloat16().t())) == "bf16[300,200]{0,1}"
    back = xlayout.relayout(tiles, "f32[200,300]{0,1}", source="f32[200,300]{1,0:T(8,128)}")
    assert torch.from_dlpack(back).stride() == (1, 200) and (back == x.numpy()).all()
    for wrong, help in [
        (x.clone().requires_grad_(), "detach"),
        (x.to(torch.complex64).conj(), "resolve_conj"),
        (x.to(torch.complex64).conj().imag, "resolve_neg"),
        (x.to_sparse(), "to_dense"),
        (torch.empty(3, 3, device="meta"), "memory of the processor"),
    ]:
        with pytest.raises(TypeError, match=help):
            xlayout.copy(wrong)
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for name in ["bfloat16", "float8_e4m3fn", "float8_e5m2"]:
        y = (x % 64).to(getattr(torch, name)).t()
        found = xlayout.copy(y)
        assert found.dtype == getattr(ml_dtypes, name)
        assert (found.astype(np.float32) == y.float().numpy()).all()
    assert xlayout.relayout(x.bfloat16(), "{1,0:T(8,128)(2,1)}").dtype == ml_dtypes.bfloat16


def test_arrays_of_jax_and_its_types():
    jnp = pytest.importorskip("jax.numpy")
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = jnp.arange(12, dtype=jnp.bfloat16).reshape(3, 4)
    found = xlayout.copy(x, "F")
    assert found.dtype == ml_dtypes.bfloat16 and found.flags.f_contiguous and found.tolist() == x.tolist()
    assert xlayout.relayout(x, "{1,0:T(8,128)(2,1)}").shape == (1024,)
    assert xlayout.copy(x.astype(jnp.float32).T).tolist() == x.T.tolist()


def test_arrays_of_other_devices_are_refused():
    class OnDevice:
        def __init__(self, device):
            self.device = device

        def __dlpack__(self, **_):
            raise AssertionError("the device is asked for first")

        def __dlpack_device__(self):
            if isinstance(self.device, Exception):
                raise self.device
            return self.device, 0

    with pytest.raises(TypeError, match="device type 2 of DLPack.*copy it first"):
        xlayout.copy(OnDevice(2))
    with pytest.raises(TypeError, match="not in the memory of the processor .no way.; copy it first"):
        xlayout.copy(OnDevice(BufferError("no way")))


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda a: xlayout.copy(a, "K"), ValueError, "expected `C` or `F`, found `K`"),
        (lambda a: xlayout.copy(a, (0, 0)), ValueError, "does not list each of the 2 dimensions once"),
        (lambda a: xlayout.copy(a, (0,)), ValueError, "does not list each"),
        (lambda a: xlayout.copy(a, threads=-1), ValueError, "there are no -1 threads"),
        (lambda a: xlayout.copy([1, 2]), TypeError, "an array is copied, and a list was found"),
        (lambda a: xlayout.copy(np.array([None])), TypeError, "objects of Python"),
        (lambda a: xlayout.relayout(a, "f32[3,2]"), ValueError, r"the array has the sizes \(2, 3\), and the layout"),
        (lambda a: xlayout.relayout(a, "f64[2,3]"), ValueError, "are float64; convert them"),
        (lambda a: xlayout.relayout(a, "{0}"), ValueError, "dimension"),
        (lambda a: xlayout.relayout(a, "f32[2,3]", source="f32[2,3]{0,1}"), ValueError, "flat buffer"),
        (lambda a: xlayout.relayout(a.reshape(-1)[:5], "{0,1}", source="f32[2,3]{1,0}"), ValueError, "pass memory of exactly that length"),
        (lambda a: xlayout.relayout(a.reshape(-1), "f32[3,2]", source="f32[2,3]{0,1}"), ValueError, "3"),
        (lambda a: xlayout.relayout(a.reshape(-1), "s32[2,3]", source="f32[2,3]{0,1}"), ValueError, "the source holds f32, the destination s32"),
    ],
)
def test_wrong_arguments(call, error, words):
    with pytest.raises(error, match=words):
        call(np.zeros((2, 3), np.float32))
