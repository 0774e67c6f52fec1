"""Kernels called with arrays of NumPy, in an environment without JAX (`kernel/python/numpy.sh`)."""

import concurrent.futures
import os
import pathlib
import pickle
import subprocess
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "python"))

import numpy as np
import pytest

import xlayout.kernels


@pytest.fixture(scope="session")
def k():
    return xlayout.kernels.load(os.environ["XLAYOUT_TEST_KERNELS"])


@pytest.fixture(autouse=True, scope="session")
def no_jax():
    with pytest.raises(ModuleNotFoundError):
        import jax  # noqa: F401
    yield
    assert "jax" not in sys.modules


class Tensor:
    """An array that has nothing but DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def refused(kind, call):
    # Twice, since a call that was made before needs no check.
    for _ in range(2):
        with pytest.raises(kind) as caught:
            call()
    assert type(caught.value) is kind
    return str(caught.value)


def equal(found, expected):
    assert type(found) is np.ndarray and found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_the_module_has_no_kernels():
    text = refused(AttributeError, lambda: xlayout.kernels.scale)
    assert text == (
        "module 'xlayout.kernels' has no attribute 'scale'; a kernel is of a library: "
        "`k = xlayout.kernels.load('target/release/libmine.so')`, and then `k.scale`"
    )


def test_every_arrangement(k):
    numbers = np.arange(6 * 256, dtype="f4").reshape(6, 256)
    apart = np.ascontiguousarray(numbers[:, :128].T).T
    unaligned = np.frombuffer(b"x" + numbers[:2, :128].tobytes(), "u1")[1:].view("f4").reshape(2, 128)
    read_only = np.broadcast_to(numbers[:1, :128], (4, 128))
    assert not unaligned.flags.aligned
    for x in (numbers[:, :128], numbers[:, ::2], numbers[::-1, 128:], numbers[:0, :128], apart, unaligned, read_only):
        for _ in range(2):
            equal(k.scale(x, a=2.0), 2 * x)
            equal(k.scale(x=Tensor(x) if x.flags.writeable else x, a=2.0), 2 * x)


# Those that NumPy has without another package.
TYPES = "pred s8 s16 s32 s64 u8 u16 u32 u64 f16 f32 f64 c64 c128"


@pytest.mark.parametrize("name", TYPES.split())
@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (4, 5)])
def test_every_type(k, name, shape):
    kernel = k[f"turn_{name}"]
    x = np.arange(np.prod(shape)).reshape(shape).astype(kernel._inputs[0].numpy_type)
    for of in (x, np.asfortranarray(x)):
        equal(kernel(of), x)


def test_a_type_that_numpy_lacks(k):
    text = "NumPy has no elements of type {}; with ml_dtypes it has more: `pip install ml_dtypes`"
    assert refused(TypeError, lambda: k.turn_bf16(np.zeros((2, 3)))) == text.format("bf16")
    assert refused(TypeError, lambda: k.turn_s4(np.zeros((2, 3), "i1"))) == text.format("s4")


def test_numbers_attributes_and_several_types(k):
    equal(k.double(2.5), np.float32(5))
    equal(k.text(s="ab\0c", out_shapes=(4,)), np.frombuffer(b"ab\0c", "u1"))
    equal(k.optional(w=[1, 2], lambda_="ä"), np.array([-1, 3, 2], "f4"))
    equal(k.optional(a=np.float64(0.5)), np.array([0.5, -1, -1], "f4"))
    x = np.arange(6).reshape(2, 3)
    for dtype in ("f4", "i4", "f8"):
        one = x.astype(dtype)
        equal(k.axpy(one, one, a=2), 3 * one)
        # The copy of the kernel for column-major arrays.
        equal(k.axpy(np.asfortranarray(one), one, a=2), 3 * one)
    assert refused(TypeError, lambda: k.axpy(x.astype("i2"), x.astype("i2"), a=2)) == (
        "kernel `axpy`: argument `x` is declared as f32[?M,?N]{1,0}, and the call has s16[2,3]; pass one of f32, s32, "
        "f64, as with `.astype('float32')`"
    )
    # The values of attributes, not only their kinds; equal numbers with other bits, too.
    for a in (1.0, 2.0, 0.0, -0.0, float("nan"), 2):
        found = k.fill(a=a, out_shapes=(2, 3))
        equal(found, np.full((2, 3), a, "f4"))
        assert (np.signbit(found) == np.signbit(np.float32(a))).all()
    assert k.fill(a=1.0, out_shapes=(4, 0)).shape == (4, 0)


def test_sizes(k):
    x = np.arange(12, dtype="f4").reshape(2, 6)
    assert k.halves(x).shape == (2, 3)
    assert refused(ValueError, lambda: k.halves(x[:, :5])).endswith(
        "f32[2,5]; dimension 1 is 5, and no size `?H` makes `2*?H` that"
    )
    assert refused(TypeError, lambda: k.fill(a=1.0)) == (
        "kernel `fill` cannot tell the shape of `y`, f32[?,?]{1,0}, from its inputs; add `out_shapes=(…, …)`"
    )


def test_in_place(k):
    x, y = np.ones(3, "f4"), np.arange(3, dtype="f4")
    for of in (x, np.ones(6, "f4")[::2]):
        equal(k.add(of, y), of + y)
        np.testing.assert_array_equal(of, 1)
    equal(k.add(y, y), 2 * y)


def test_a_batch(k):
    x = np.arange(24, dtype="f4").reshape(4, 2, 3)
    for of in (x, np.ascontiguousarray(x.transpose(0, 2, 1)).transpose(0, 2, 1)):
        y, memory = k.plain_columns(of, out_shapes={"memory": (6,)})
        equal(y, x)
        equal(memory, x.transpose(0, 2, 1).reshape(4, 6))
    y, memory = k.any_order(np.asfortranarray(x[0]), out_shapes={"memory": (6,)})
    equal(memory, np.ravel(x[0], "F"))


def test_converted(k):
    x = np.arange(12, dtype="f4").reshape(3, 4)
    y, memory = k.columns(x, out_shapes={"memory": (12,)})
    equal(y, x)
    equal(memory, np.ravel(x, "F"))


def test_threads(k):
    x = np.arange(64 * 100, dtype="f4").reshape(64, 100)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda i: k.row_sums(x + i), range(200)):
            assert found.shape == (64,)
        for i, found in enumerate(pool.map(lambda i: k.row_sums(x + i), range(50))):
            np.testing.assert_allclose(found, (x + i).sum(1), rtol=1e-5)
    np.testing.assert_array_equal(k.nested(), np.ones((64, 64)))
    threads, device, has_run = k.context()
    # A group of processes may have less time than its processors have.
    processors = len(os.sched_getaffinity(0))
    assert min(2, processors) <= threads <= processors and device == 0 and has_run


def test_errors_of_kernels(k):
    x = np.array([1, -1], "f4")
    equal(k.fails(-x[1:]), -x[1:])
    text = refused(RuntimeError, lambda: k.fails(x))
    assert text == "OUT_OF_RANGE: kernel `fails`: -1 is negative"
    text = refused(RuntimeError, lambda: k.panics(x))
    assert text.startswith("INTERNAL: kernel `panics`") and "-1 is negative" in text
    text = refused(RuntimeError, lambda: k.row_sums_or_panic(-np.ones((8, 3), "f4")))
    assert "the sum of a row is -3" in text
    assert refused(RuntimeError, lambda: k.turn_pred(np.full((1, 1), 2, "u1").view(bool))).startswith("INVALID_ARGUMENT: ")


def test_refused(k):
    text = "kernel `scale`: argument `x` is declared as f32[?,128]{1,0}, and the call has "
    x = np.ones((3, 128), "f4")
    for wrong, kind, what in (
        (x.astype("f8"), TypeError, "f64[3,128]; pass f32, as with `.astype('float32')`"),
        (x.astype(">f4"), TypeError, "an array of >f4; pass f32, as with `.astype('float32')`"),
        (x.astype(object), TypeError, "an array of object; pass f32, as with `.astype('float32')`"),
        (x[0], ValueError, "f32[128]; pass 2 dimensions, not 1"),
        (x[:, 1:], ValueError, "f32[3,127]; pass 128 as dimension 1, not 127"),
        (x.tolist(), TypeError, "a value of type list; pass an array, as with `np.asarray(…)`"),
        (None, TypeError, "None; pass an array, as with `np.asarray(…)`"),
        (np.ma.masked_array(x), TypeError, "an array with a mask; pass `x.filled(number)`"),
    ):
        assert refused(kind, lambda: k.scale(wrong, a=1.0)) == text + what
    assert refused(TypeError, lambda: k.scale(x)).endswith(
        "missing a required argument: 'a'; call scale(x: f32[?,128]{1,0}, *, a: f32) -> f32[?,128]{1,0}"
    )
    # More digits than Python writes.
    assert refused(ValueError, lambda: k.scale(x, a=10**5000)) == (
        "kernel `scale`: attribute `a` is declared as one f32, and the call has an integer of 16610 bits; f32 ends at 3.402823e+38"
    )


def test_libraries_and_kernels_are_pickled(k):
    assert list(pickle.loads(pickle.dumps(k))) == list(k)
    x = np.ones((3, 128), "f4")
    equal(pickle.loads(pickle.dumps(k.scale))(x, a=2), 2 * x)
    assert "scale" in dir(k) and "file_name" in dir(k)


def test_xlayout_jax_says_what_it_needs():
    text = refused(ModuleNotFoundError, lambda: __import__("xlayout.jax"))
    assert "`xlayout.kernels.load`" in text


def test_a_process_that_forks(k):
    """A child has none of its parent's threads."""
    x = np.ones((64, 10), "f4")
    k.row_sums(x)
    child = os.fork()
    if child == 0:
        os._exit(0 if (k.row_sums(x) == 10).all() else 1)
    assert os.waitpid(child, 0)[1] == 0


def in_another_process(program):
    """What a program prints that has `k` and `np`."""
    begin = "import os, numpy as np, xlayout.kernels\nk = xlayout.kernels.load(os.environ['XLAYOUT_TEST_KERNELS'])\n"
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parents[3] / "python")}
    found = subprocess.run(
        [sys.executable, "-c", begin + textwrap.dedent(program)], env=environment, capture_output=True, text=True, timeout=60
    )
    assert (found.returncode, found.stderr) == (0, "")
    return found.stdout


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="the system does not list threads")
def test_a_child_starts_threads_of_its_own(k):
    program = """
        import warnings
        warnings.simplefilter("ignore")  # Python warns of a fork beside threads
        x = np.ones((64, 10), "f4")
        threads = lambda: len(os.listdir("/proc/self/task"))
        before = threads()
        k.row_sums(x)
        started = threads() - before
        child = os.fork()
        if child == 0:
            k.row_sums(x)
            os._exit(0 if threads() == 1 + started else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    assert in_another_process(program) == "0\n"


def test_a_call_while_the_interpreter_ends(k):
    program = """
        import atexit
        x = np.ones((64, 10), "f4")
        k.row_sums(x)
        atexit.register(lambda: print(k.row_sums(x).sum()))
    """
    assert in_another_process(program) == "640.0\n"


def test_a_call_imports_nothing(k):
    """Python swallows a signal in a callback of an import."""
    program = """
        import sys
        before = set(sys.modules)
        k.row_sums(np.ones((64, 50), "f4"))
        try:
            k.fails(np.array([-1], "f4"))
        except RuntimeError:
            print(sorted(set(sys.modules) - before))
    """
    assert in_another_process(program) == "[]\n"


def test_signals_during_calls(k):
    """A call raises KeyboardInterrupt, or has the right result or error; nothing swallows a signal."""
    program = """
        import itertools, signal, sys, time
        x, bad, text = np.ones((64, 50), "f4"), np.array([-1], "f4"), "OUT_OF_RANGE: kernel `fails`: -1 is negative"
        sent = heard = failed = wrong = ignored = 0

        def unraisable(_):
            global ignored
            ignored += 1

        def interrupt(*_):
            global sent
            sent += 1
            raise KeyboardInterrupt

        def goes_on():
            # Longer where the machine is busy, so that few calls come to an end between two signals.
            return time.monotonic() < end + (40 if min(sent, failed) <= 50 else 0)

        def calls():
            global failed, wrong
            while goes_on():
                wrong += not (k.row_sums(x) == 50).all()
                try:
                    k.fails(bad)
                    wrong += 1
                except RuntimeError as error:
                    wrong += str(error) != text
                    failed += 1

        sys.unraisablehook = unraisable
        # One signal at a time: a second one would be raised where the first is caught.
        signal.signal(signal.SIGALRM, interrupt)
        end = time.monotonic() + 3
        for n in itertools.takewhile(lambda _: goes_on(), itertools.count()):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.001 + n % 97 * 1e-4 + n // 97 * 0.01)
                calls()
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                heard += 1
        assert (wrong, ignored) == (0, 0) and heard == sent, (wrong, ignored, heard, sent)
        assert sent > 50 and failed > 50, (sent, failed)
    """
    assert in_another_process(program) == ""


def test_threads_that_cannot_be_started(k):
    program = """
        import resource
        x = np.ones((64, 10), "f4")
        size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + (4 << 20),) * 2)
        for _ in range(3):
            assert (k.row_sums(x) == 10).all() and k.context()[0] == 1
    """
    assert in_another_process(program) == ""


def test_stubs(k):
    text = xlayout.kernels.stubs(k)
    compile(text, "stubs", "exec")
    assert "def scale(x: ArrayLike, *, a: float) -> NDArray[np.float32]:" in text
    assert "class min_max_outputs(NamedTuple):\n    min: NDArray[np.float32]\n    max: NDArray[np.float32]\n" in text
    # `tuple.count` is a method.
    assert "    y: NDArray[np.float32]\n    count: NDArray[np.int32]  # type: ignore\n" in text
    assert "def turn_pred(x: ArrayLike) -> NDArray[np.bool_]:" in text
    assert "def turn_s4(x: ArrayLike) -> NDArray[Any]:" in text
    assert " -> NDArray[np.float32] | NDArray[np.int32] | NDArray[np.float64]:" in text
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parents[3] / "python")}
    program = [sys.executable, "-m", "xlayout.kernels", os.environ["XLAYOUT_TEST_KERNELS"]]
    found = subprocess.run(program, env=environment, capture_output=True, text=True)
    assert (found.stdout, found.stderr) == (text, "")
