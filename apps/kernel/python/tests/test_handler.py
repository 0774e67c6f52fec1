"""What the kernels themselves refuse when XLA calls them past the helper, and what they survive."""

import concurrent.futures
import gc
import resource
import tracemalloc

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from conftest import raw

X = np.ones((3, 128), "f4")


def f32(*shape):
    return jax.ShapeDtypeStruct(shape, np.float32)


def status(caught):
    """The words of the error, without JAX's frame around them."""
    return str(caught.value).split("\n")[0]


# The call, and what the message must hold besides the kernel's name.
WRONG = {
    "element type": (
        lambda k: raw(k.scale, f32(3, 128), X.astype(np.int32), a=np.float32(1)),
        "`x` is declared as f32[?,128]{1,0}, and the call has s32[3,128]",
    ),
    "element type of a result": (
        lambda k: raw(k.scale, jax.ShapeDtypeStruct((3, 128), np.int32), X, a=np.float32(1)),
        "`y` is declared as f32[?,128]{1,0}, and the call has s32[3,128]",
    ),
    "rank": (
        lambda k: raw(k.scale, f32(3, 128), X[0], a=np.float32(1)),
        "`x` is declared as f32[?,128]{1,0}, and the call has f32[128]",
    ),
    "size": (
        lambda k: raw(k.scale, f32(3, 64), X[:, :64], a=np.float32(1)),
        "`x` is declared as f32[?,128]{1,0}, and the call has f32[3,64]",
    ),
    "sizes of one `?`": (
        lambda k: raw(k.scale, f32(4, 128), X, a=np.float32(1)),
        "`y` is declared as f32[?,128]{1,0}, and the call has f32[4,128]",
    ),
    "sizes of one name": (
        lambda k: raw(k.matmul, f32(3, 128), X, X),
        "`w` is declared as f32[?,?]{0,1}, and the call has f32[3,128]",
    ),
    "arguments": (lambda k: raw(k.scale, f32(3, 128), X, X, a=np.float32(1)), "it has 1 argument (`x` f32[?,128]{1,0}), and the call has 2"),
    "no arguments": (lambda k: raw(k.scale, f32(3, 128), a=np.float32(1)), "it has 1 argument (`x` f32[?,128]{1,0}), and the call has 0"),
    "results": (
        lambda k: raw(k.scale, [f32(3, 128)] * 2, X, a=np.float32(1)), "it has 1 result (`y` f32[?,128]{1,0}), and the call has 2",
    ),
    "missing attribute": (
        lambda k: raw(k.scale, f32(3, 128), X), "attribute `a` is declared as one f32, and the call does not have it; pass `a=np.float32(…)`",
    ),
    "unknown attribute": (
        lambda k: raw(k.scale, f32(3, 128), X, a=np.float32(1), b=np.float32(1)), "has an attribute `b`, which it does not take; it takes `a`",
    ),
    "attribute of another type": (
        lambda k: raw(k.scale, f32(3, 128), X, a=np.float64(7)), "`a` is declared as one f32, and the call has one f64; pass `a=np.float32(…)`",
    ),
    "attribute of another kind": (
        lambda k: raw(k.scale, f32(3, 128), X, a=np.array([1, 2], "f4")), "`a` is declared as one f32, and the call has an array of f32; pass",
    ),
    "text for a number": (
        lambda k: raw(k.scale, f32(3, 128), X, a="1"), "`a` is declared as one f32, and the call has a string; pass",
    ),
    "a number for text": (
        lambda k: raw(k.text, jax.ShapeDtypeStruct((1,), np.uint8), s=np.int32(1)), "`s` is declared as a string, and the call has one s32; pass",
    ),
    "text that is no UTF-8": (
        lambda k: raw(k.text, jax.ShapeDtypeStruct((1,), np.uint8), s=b"ab\xff"), "`s` is declared as a string, and that of the call is not UTF-8 from byte 2 on",
    ),
    "a dictionary": (
        lambda k: raw(k.scale, f32(3, 128), X, a={"a": np.float32(1)}), "`a` is declared as one f32, and the call has a dictionary; pass",
    ),
    "no alias": (lambda k: raw(k.add, f32(128), X[0], X[0]), "`x` is declared as f32[?]{0}, and the call has f32[128]"),
}


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "jit"])
@pytest.mark.parametrize("call, text", WRONG.values(), ids=WRONG)
def test_refused_by_the_kernel(k, call, text, compiled):
    with pytest.raises(jax.errors.JaxRuntimeError) as caught:
        jax.block_until_ready(jax.jit(lambda: call(k))()) if compiled else call(k)
    assert status(caught).startswith("INVALID_ARGUMENT: kernel `")
    assert f" {text}" in status(caught)


def test_a_right_call_past_the_helper(k):
    got = raw(k.scale, f32(3, 128), X, a=np.float32(3))
    np.testing.assert_array_equal(got, 3 * X)


def test_a_panic_is_an_error_and_the_next_call_works(k, capfd):
    for _ in range(3):
        with pytest.raises(jax.errors.JaxRuntimeError) as caught:
            jax.block_until_ready(k.panics(np.array([1, -2], "f4")))
        assert status(caught).startswith("INTERNAL: kernel `panics`")
        assert "-2 is negative" in status(caught)
        assert "outcomes.rs:" in status(caught)
        assert k.panics(np.array([1, 2], "f4")).tolist() == [1, 2]


FAILS = "OUT_OF_RANGE: kernel `fails`: -1 is negative"
USES = {
    "block_until_ready": (jax.block_until_ready, FAILS),
    "NumPy": (np.asarray, FAILS),
    "list": (lambda y: y.tolist(), FAILS),
    "text": (str, FAILS),
    "device_get": (jax.device_get, FAILS),
    "from_dlpack": (np.from_dlpack, FAILS),
    "a number": (lambda y: float(y[0]), "INTERNAL: Error dispatching computation: "),
    "a further operation": (lambda y: jax.block_until_ready(y + 1), "INTERNAL: Error dispatching computation: "),
}


def asynchronous(k):
    """The result of a program that JAX runs asynchronously, because it multiplies matrices.

    The kernel fails, and waits for a product that takes longer than the call."""
    x = np.array([1, -1], "f4")
    zero = lambda a: jnp.minimum(a @ a @ a, 0)[0, 0]
    return jax.jit(lambda x, a: k.fails(x + zero(a)))(x, np.ones((600, 600), "f4"))


@pytest.mark.parametrize("use, text", USES.values(), ids=USES)
def test_an_error_of_an_asynchronous_call(k, use, text):
    try:
        y = asynchronous(k)
    except (jax.errors.JaxRuntimeError, ValueError) as error:
        # The system gave this thread no time before the call had failed.
        assert str(error).startswith(FAILS)
        return
    with pytest.raises(jax.errors.JaxRuntimeError) as caught:
        use(y)
    # Where the call has failed before the use begins, the error is its own.
    assert status(caught).startswith((text, FAILS))
    assert status(caught).endswith("kernel `fails`: -1 is negative")


def test_an_error_of_an_asynchronous_call_as_a_buffer(k):
    with pytest.raises((BufferError, jax.errors.JaxRuntimeError, ValueError), match=FAILS):
        memoryview(asynchronous(k))


def test_an_error_of_a_call_outside_of_jit_has_one_type(k):
    x = np.ones(100_000, "f4")
    x[-1] = -1
    for _ in range(40):
        with pytest.raises(jax.errors.JaxRuntimeError) as caught:
            jax.block_until_ready(k.fails(x))
        assert status(caught) == FAILS


def test_an_error_that_jax_raises_with_another_type(k, monkeypatch):
    def of(text):
        def function():
            raise ValueError(text)

        monkeypatch.setattr(k.fails._compiled, "of", lambda *_: (function, (), {}))

    of(FAILS)
    with pytest.raises(jax.errors.JaxRuntimeError) as caught:
        k.fails(X[0])
    assert str(caught.value) == FAILS and caught.value.__context__ is None
    of("another error of JAX's")
    with pytest.raises(ValueError, match="another error"):
        k.fails(X[0])


def test_an_error_of_the_kernel(k):
    f = jax.jit(k.fails)
    with pytest.raises(jax.errors.JaxRuntimeError) as caught:
        jax.block_until_ready(f(np.array([1, -2], "f4")))
    assert status(caught) == "OUT_OF_RANGE: kernel `fails`: -2 is negative"
    assert f(np.array([1, 2], "f4")).tolist() == [1, 2]
    assert k.parse(s="1.5") == 1.5
    with pytest.raises(jax.errors.JaxRuntimeError) as caught:
        jax.block_until_ready(k.parse(s="x"))
    assert status(caught) == "UNKNOWN: kernel `parse`: invalid float literal"


class TestPool:
    def test_rows(self, k):
        x = np.random.default_rng(6).integers(0, 9, size=(1000, 37)).astype("f4")
        for call in (k.row_sums, jax.jit(k.row_sums)):
            np.testing.assert_array_equal(call(x), x.sum(1))
        np.testing.assert_array_equal(jax.vmap(k.row_sums)(x.reshape(10, 100, 37)).ravel(), x.sum(1))

    def test_a_panic_on_one_of_its_threads(self, k, capfd):
        x = np.ones((1000, 4), "f4")
        for row in (0, 500, 999):
            bad = x.copy()
            bad[row] = -1
            with pytest.raises(jax.errors.JaxRuntimeError) as caught:
                jax.block_until_ready(k.row_sums_or_panic(bad))
            assert status(caught).startswith("INTERNAL: kernel `row_sums_or_panic`")
            assert "the sum of a row is -4" in status(caught)
        np.testing.assert_array_equal(k.row_sums_or_panic(x), np.full(1000, 4))

    def test_work_inside_of_work(self, k):
        f = jax.jit(k.nested)
        for _ in range(20):
            assert int(f().sum()) == 64 * 64

    def test_many_kernels_at_a_time(self, k):
        """More of them than XLA has threads, each waiting for its own work."""
        f = jax.jit(k.nested)
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            for got in pool.map(lambda _: int(f().sum()), range(64)):
                assert got == 64 * 64

    def test_the_call_tells_where_it_runs(self, k):
        for device in (0, 5):
            with jax.default_device(jax.devices()[device]):
                threads, ordinal, run = k.context().tolist()
            assert threads >= 1 and ordinal == device and run == 1


def test_many_threads(k):
    """Each with values of its own, some of which fail."""
    product = jax.jit(k.matmul)

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(50):
            x, w = rng.normal(size=(8, 16)).astype("f4"), rng.normal(size=(16, 8)).astype("f4")
            np.testing.assert_allclose(product(x, w), x @ w, rtol=1e-4, atol=1e-5)
            np.testing.assert_array_equal(k.scale(X, a=seed), seed * X)
            with pytest.raises(jax.errors.JaxRuntimeError, match=f"-{seed + 1} is negative"):
                jax.block_until_ready(k.fails(np.array([-seed - 1], "f4")))
        return True

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_a_thousand_calls_keep_no_memory(k):
    """Neither Python's nor the process's: 1,000 outputs of 256 KB would be 256 MB."""
    x = np.ones((512, 128), "f4")
    scale, bad = jax.jit(lambda x: k.scale(x, a=2)), np.array([-1], "f4")

    def calls(count):
        for n in range(count):
            jax.block_until_ready(scale(x))
            k.optional(w=[1, 2, 3], lambda_="text")
            if n % 10 == 0:
                with pytest.raises(jax.errors.JaxRuntimeError):
                    jax.block_until_ready(k.fails(bad))
        gc.collect()

    calls(100)
    process = resident()
    calls(1000)
    assert resident() - process < 64 << 20
    # It makes Python slow: fewer calls.
    tracemalloc.start()
    try:
        calls(50)
        python = tracemalloc.get_traced_memory()[0]
        calls(100)
        assert tracemalloc.get_traced_memory()[0] - python < 20_000
    finally:
        tracemalloc.stop()


def resident():
    """Bytes of memory that the process has; the most that it had where the system tells no other."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except FileNotFoundError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
