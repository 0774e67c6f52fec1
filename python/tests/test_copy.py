"""`xlayout.copy` and `xlayout.relayout`."""

import itertools
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


@pytest.mark.parametrize("small", [0, 1 << 15])
@pytest.mark.parametrize("dtype", TYPES)
def test_every_order_and_type(dtype, small, monkeypatch):
    # Small arrays are copied by NumPy: without a limit, all of them by the native module.
    monkeypatch.setattr(xlayout._copy, "_SMALL", small)
    a = filled((3, 4, 5), dtype)
    for order in [*itertools.permutations(range(3)), "C", "F"]:
        for view in (a, a.T, a[::-1, ::2], a[:, ::-2, 1:3], a[:1], a[:, :, :0], a[1, 2], a[1, 2, 3, ...]):
            own = order if isinstance(order, str) else [dim for dim in order if dim < view.ndim]
            found = xlayout.copy(view, own)
            assert same(found, view)
            if isinstance(order, str):
                assert found.flags.c_contiguous if order == "C" else found.flags.f_contiguous
            elif view.size:
                assert found.transpose(own).flags.c_contiguous
            assert not np.shares_memory(found, view) and found.flags.writeable


def test_views_whose_elements_overlap_or_are_read_only(monkeypatch):
    monkeypatch.setattr(xlayout._copy, "_SMALL", 0)
    a = np.arange(10, dtype=np.int16)
    windows = np.lib.stride_tricks.sliding_window_view(a, 4)
    assert not windows.flags.writeable
    assert same(xlayout.copy(windows, "F"), windows)
    repeated = np.broadcast_to(a, (3, 10))
    assert same(xlayout.copy(repeated.T), repeated.T)
    unaligned = np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(np.int16)
    assert same(xlayout.copy(unaligned), a)
    assert same(xlayout.copy(np.asfortranarray(np.ones((3, 1))).astype(">f8")), np.ones((3, 1), ">f8"))


@pytest.mark.parametrize("small", [0, 1 << 15])
def test_arrays_of_many_dimensions(small, monkeypatch):
    monkeypatch.setattr(xlayout._copy, "_SMALL", small)
    a = filled((2,) * 20, "u1")
    assert same(xlayout.copy(a.T), a.T)
    order = list(range(20))[::-3] + [d for d in range(20) if d not in list(range(20))[::-3]]
    assert same(xlayout.copy(a, order), a)


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
        (lambda a: xlayout.relayout(a, "f64[2,3]"), ValueError, "do not take as many bytes"),
        (lambda a: xlayout.relayout(a, "{0}"), ValueError, "dimension"),
        (lambda a: xlayout.relayout(a, "f32[2,3]", source="f32[2,3]{0,1}"), ValueError, "flat buffer"),
        (lambda a: xlayout.relayout(a.reshape(-1), "f32[3,2]", source="f32[2,3]{0,1}"), ValueError, "3"),
        (lambda a: xlayout.relayout(a.reshape(-1), "s32[2,3]", source="f32[2,3]{0,1}"), ValueError, "the source holds f32, the destination s32"),
    ],
)
def test_wrong_arguments(call, error, words):
    with pytest.raises(error, match=words):
        call(np.zeros((2, 3), np.float32))
