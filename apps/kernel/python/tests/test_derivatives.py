"""Kernels that name the kernel of their derivatives (`vjp = …`), and those that have none."""

import functools
import re
import shutil

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import xlayout.jax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
from xlayout.kernels import _library

RANDOM = np.random.default_rng(7)
TRANSFORMS = pytest.mark.parametrize(
    "transform", [lambda f: f, jax.jit, jax.checkpoint], ids=["eager", "jit", "checkpoint"]
)
close = functools.partial(jax.tree.map, functools.partial(np.testing.assert_allclose, rtol=1e-4, atol=1e-5))


def normal(*shape):
    return jnp.asarray(RANDOM.normal(size=shape), "f4")


def weigh(x, index, w, a):
    return a * x[index] ** 2 * w


@TRANSFORMS
def test_grad(k, transform):
    x, w, index = normal(3, 5), normal(5), jnp.int32(1)
    loss = lambda f: lambda x, w: jnp.sin(f(x, w)).sum()
    found = transform(jax.grad(loss(lambda x, w: k.weigh(x, index, w, a=2.5).y), (0, 1)))(x, w)
    expected = jax.grad(loss(lambda x, w: weigh(x, index, w, 2.5)), (0, 1))(x, w)
    close(found, expected)
    # By one argument only, by name, with a number of NumPy's as the attribute.
    found = transform(jax.grad(loss(lambda x, w: k.weigh(w=w, index=index, x=x, a=np.float32(2.5)).y), 1))(x, w)
    close(found, expected[1])


def test_vjp_of_a_result_that_is_an_integer(k):
    x, w, index = normal(3, 5), normal(5), jnp.int32(2)
    (y, count), back = jax.vjp(lambda x, index, w: k.weigh(x, index, w, a=1.0), x, index, w)
    assert count == 5
    dx, dindex, dw = back(k.weigh(x, index, w, a=1.0)._replace(y=y, count=np.zeros((), jax.dtypes.float0)))
    assert dindex.dtype == jax.dtypes.float0
    close((dx[2], dw), (2 * x[2] * w * y, x[2] ** 2 * y))


@TRANSFORMS
def test_every_layout_has_the_derivative(k, transform):
    x, w = normal(3, 5), normal(5)
    expected = jax.grad(lambda x: weigh(x, 0, w, 1.0).sum())(x)
    for kernel in k.weigh.layouts:
        close(transform(jax.grad(lambda x: kernel(x, jnp.int32(0), w, a=1.0).y.sum()))(x), expected)


@TRANSFORMS
def test_vmap(k, transform):
    x, w, index = normal(4, 3, 5), normal(5), jnp.asarray([0, 1, 2, 1], "i4")
    kernel = lambda x, index, w: k.weigh(x, index, w, a=2.0).y
    for axes in ((0, 0, None), (None, 0, None), (0, None, None)):
        args = [v if axis == 0 or v is w else v[0] for v, axis in zip((x, index, w), axes)]
        of_one = lambda f: jax.vmap(lambda x, i, w: jax.grad(lambda x, w: f(x, i, w).sum(), (0, 1))(x, w), axes)
        of_all = lambda f: lambda x, i, w: jax.grad(lambda x, w: (jax.vmap(f, axes)(x, i, w) ** 2).sum(), (0, 1))(x, w)
        for grad in (of_one, of_all):
            close(transform(grad(kernel))(*args), grad(lambda x, i, w: weigh(x, i, w, 2.0))(*args))


@TRANSFORMS
def test_a_call_with_a_batch(k, transform):
    """Leading dimensions without `vmap`; a size of 1 repeats its item, and its derivative is a sum."""
    x, w, index = normal(2, 4, 3, 5), normal(2, 1, 5), jnp.asarray([[0, 1, 2, 1]], "i4")
    f = lambda x, w: (k.weigh(x, index, w, a=2.0).y ** 2).sum()
    rows = lambda x: jnp.take_along_axis(x, index[..., None, None], axis=2)[:, :, 0]
    g = lambda x, w: ((2.0 * rows(x) ** 2 * w) ** 2).sum()
    close(f(x, w), g(x, w))
    close(transform(jax.grad(f, (0, 1)))(x, w), jax.grad(g, (0, 1))(x, w))
    empty = transform(jax.grad(lambda w: k.weigh(x[:0], index, w[:1], a=2.0).y.sum()))(w)
    np.testing.assert_array_equal(empty, np.zeros_like(w))


@TRANSFORMS
def test_second_derivatives(k, transform):
    x = normal(6)
    second = lambda f: lambda x: jax.grad(lambda x: (jax.grad(lambda x: f(x).sum())(x) ** 2).sum())(x)
    close(transform(second(k.cube))(x), second(lambda x: x**3)(x))
    batch = normal(3, 6)
    close(transform(jax.vmap(second(k.cube)))(batch), jax.vmap(second(lambda x: x**3))(batch))
    with pytest.raises(ValueError, match="kernel `cube_grad_grad` has no derivative"):
        transform(jax.grad(lambda x: second(k.cube)(x).sum()))(x)


@TRANSFORMS
def test_in_place(k, transform):
    x = normal(4)
    f = lambda x: (k.times(jnp.sin(x), a=3.0) ** 2).sum()
    close(transform(jax.grad(f))(x), jax.grad(lambda x: ((3 * jnp.sin(x)) ** 2).sum())(x))


def test_the_result_is_kept_and_attributes_are_passed(k):
    x = normal(3, 4)
    for given in ({}, {"lambda_": 2.5}):
        y, back = jax.vjp(lambda x: k.exp(x, **given), x)
        close(back(x)[0], x * y)


def test_loops(k):
    x = normal(5)
    f = lambda cube: lambda x: jax.lax.scan(lambda c, _: (0.5 * cube(c), None), x, length=3)[0].sum()
    close(jax.jit(jax.grad(f(k.cube)))(x), jax.grad(f(lambda x: x**3))(x))


@pytest.mark.parametrize("types", [AxisType.Auto, AxisType.Explicit])
def test_arrays_on_several_devices(k, types):
    mesh = jax.make_mesh((8,), ("d",), axis_types=(types,))
    x = RANDOM.normal(size=(16, 3)).astype("f4")
    with jax.set_mesh(mesh):
        spread = jax.device_put(x, NamedSharding(mesh, P("d", None)))
        grad = jax.jit(jax.grad(lambda x: (k.exp(x) ** 2).sum()))
        found = grad(spread)
        close(found, 2 * np.exp(2 * x))
        assert found.sharding.spec[0] == "d"
        assert "all-gather" not in grad.lower(spread).compile().as_text()
        # In a batch, mapped, and twice; the columns are divided, too.
        second = lambda x: jax.grad(lambda x: k.cube(x).sum())(x)
        x = RANDOM.normal(size=(16, 8)).astype("f4")
        for spec in (P("d", None), P(None, "d")):
            spread = jax.device_put(x, NamedSharding(mesh, spec))
            for f, expected in ((k.cube, 3 * x**2), (jax.vmap(k.cube), 3 * x**2), (second, 6 * x)):
                found = jax.jit(jax.grad(lambda x: f(x).sum()))(spread)
                close(found, expected)
                assert found.sharding.spec == spec
        # A kernel that does not say what XLA may divide.
        spread = jax.device_put(x, NamedSharding(mesh, P("d", None)))
        w, index = jnp.ones(8), jnp.int32(5)
        found = jax.jit(jax.grad(lambda x: k.weigh(x, index, w, a=1.0).y.sum()))(spread)
        close(found, jax.grad(lambda x: weigh(x, 5, np.ones(8, "f4"), 1.0).sum())(jnp.asarray(x)))


@pytest.mark.parametrize("check", [True, False])
def test_shard_map(k, check):
    """Each device has rows of `x`, and all have `w`: its derivative is the sum over the devices."""
    mesh = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))
    x, w = normal(16, 5), normal(5)

    def part(x, w):
        return jax.vmap(lambda x: k.weigh(x[None], jnp.int32(0), w, a=2.0).y)(x)

    f = jax.shard_map(part, mesh=mesh, in_specs=(P("d"), P()), out_specs=P("d"), check_vma=check)
    loss = lambda f: lambda x, w: (f(x, w) ** 2).sum()
    found = jax.jit(jax.grad(loss(f), (0, 1)))(x, w)
    close(found, jax.grad(loss(lambda x, w: 2.0 * x**2 * w), (0, 1))(x, w))


def test_export(k):
    exported = jax.export.export(
        jax.jit(jax.grad(lambda x: k.cube(x).sum())), disabled_checks=k.export_checks
    )(jax.ShapeDtypeStruct(jax.export.symbolic_shape("n"), np.float32))
    close(exported.call(np.arange(3, dtype="f4")), 3 * np.arange(3, dtype="f4") ** 2)


X = np.ones((3, 128), "f4")
# What differentiates a kernel without a derivative.
ATTEMPTS = {
    "grad": lambda f: jax.grad(lambda x: f(x).sum())(X),
    "jit of grad": lambda f: jax.jit(jax.grad(lambda x: f(x).sum()))(X),
    "grad of jit": lambda f: jax.grad(lambda x: jax.jit(f)(x).sum())(X),
    "jvp": lambda f: jax.jvp(f, (X,), (X,)),
    "linearize": lambda f: jax.linearize(f, X),
    "jacobian": lambda f: jax.jacobian(f)(X),
    "vmap": lambda f: jax.grad(lambda x: jax.vmap(f)(x).sum())(X[None]),
    "vmap of grad": lambda f: jax.vmap(jax.grad(lambda x: f(x).sum()))(X[None]),
    "scan": lambda f: jax.grad(lambda x: jax.lax.scan(lambda c, _: (f(c), None), x, length=2)[0].sum())(X),
    "shard_map": lambda f: jax.grad(
        lambda x: jax.shard_map(f, mesh=jax.make_mesh((1,), ("d",), axis_types=(AxisType.Auto,)), in_specs=P("d"), out_specs=P("d"))(x).sum()
    )(X),
}


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS.keys())
@pytest.mark.parametrize("name", ["scale", "shares"])
def test_a_kernel_without_a_derivative_says_so(k, attempt, name):
    f = {"scale": functools.partial(k.scale, a=2), "shares": k.shares}[name]
    with pytest.raises(ValueError) as caught:
        attempt(f)
    assert str(caught.value) == (
        f"kernel `{name}` has no derivative: name a kernel of its library that computes it, as "
        f"`#[xlayout_kernel::kernel(vjp = {name}_grad)]`, or write a rule with `jax.custom_vjp`, or pass "
        "`jax.lax.stop_gradient(x)` in place of an argument `x` that is a constant"
    )


FORWARD = {
    "jvp": lambda f: jax.jvp(f, (X,), (X,)),
    "jvp of jit": lambda f: jax.jvp(jax.jit(f), (X,), (X,)),
    "jit of jvp": lambda f: jax.jit(lambda x: jax.jvp(f, (x,), (x,)))(X),
    "jacfwd": lambda f: jax.jacfwd(f)(X[0, :2]),
    "jit of jacfwd": lambda f: jax.jit(jax.jacfwd(f))(X[0, :2]),
    "linearize": lambda f: jax.linearize(f, X)[1](X),
    "hessian": lambda f: jax.hessian(lambda x: f(x).sum())(X[0, :2]),
    "jit of hessian": lambda f: jax.jit(jax.hessian(lambda x: f(x).sum()))(X[0, :2]),
    "jit of jacfwd of jit": lambda f: jax.jit(jax.jacfwd(jax.jit(f)))(X[0, :2]),
    "jvp of vmap": lambda f: jax.jvp(jax.vmap(f), (X,), (X,)),
    "vmap of jvp": lambda f: jax.vmap(lambda x: jax.jvp(f, (x,), (x,)))(X),
    "jvp of grad": lambda f: jax.jvp(jax.grad(lambda x: f(x).sum()), (X,), (X,)),
}


@pytest.mark.parametrize("attempt", FORWARD.values(), ids=FORWARD.keys())
def test_the_forward_mode_says_what_to_call(k, attempt):
    with pytest.raises(TypeError) as caught:
        attempt(lambda x: k.cube(x.reshape(-1)).reshape(x.shape))
    assert str(caught.value) == (
        "kernel `cube` has a derivative in reverse mode (`vjp = …`), and none in forward mode (`jax.jvp`, "
        "`jax.jacfwd`, `jax.hessian`, `jax.linearize`): call `jax.vjp`, `jax.grad` or `jax.jacrev`, and for second "
        "derivatives `jax.jacrev(jax.jacrev(f))`"
    )


@TRANSFORMS
def test_second_derivatives_in_reverse_mode(k, transform):
    x = jnp.asarray([1.0, 2.0])
    found = transform(jax.jacrev(jax.jacrev(lambda x: k.cube(x).sum())))(x)
    close(found, jnp.diag(6 * x))


@TRANSFORMS
def test_constants_need_no_derivative(k, transform):
    f = lambda x, w: (k.scale(jax.lax.stop_gradient(x), a=2) * w).sum()
    close(transform(jax.grad(f, 1))(X, X), 2 * X)
    close(transform(jax.grad(f))(X, X), 0 * X)
    # Integers have no derivative, and need no kernel for it.
    f = lambda x: (x[0] * k.round_down(x[0])).sum()
    close(transform(jax.grad(f))(2.5 * X)[0], 2 * X[0])


# What is changed in the description of a library, and the text of the error behind the kernel's name.
WRONG = {
    "no such kernel": (lambda e: e["exp"].update(vjp="exp_bak"), "declares `vjp = exp_bak`, and PATH has no kernel `exp_bak`; did you mean `exp_back`?"),
    "no cotangent": (
        lambda e: e["exp_back"]["parameters"].pop(1),
        "which lacks the derivative by `y`: add `dy: In<layout!(f32[?M,?N]{1,0})>`",
    ),
    "no derivative": (
        lambda e: e["exp_back"]["parameters"][2].update(name="x", kind="in"),
        "which lacks the derivative by `x`: add `dx: Out<layout!(f32[?M,?N]{1,0})>`",
    ),
    "another argument": (
        lambda e: e["exp_back"]["parameters"][0].update(name="yy"),
        "whose `yy: In<…>` is none of `y`, `x`, `dy`; did you mean `y`?",
    ),
    "another result": (
        lambda e: e["exp_back"]["parameters"][2].update(name="by_x"),
        "whose `by_x: Out<…>` is none of `dx`",
    ),
    "element type": (
        lambda e: e["exp_back"]["parameters"][1].update(element_type="f64", shape="f64[?M,?N]{1,0}"),
        "whose `dy` is f64[?M,?N]{1,0}, where f32[?M,?N]{1,0} is needed",
    ),
    "rank": (
        lambda e: e["exp_back"]["parameters"][1].update(dimensions=["M"], shape="f32[?M]{0}"),
        "whose `dy` is f32[?M]{0}, where f32[?M,?N]{1,0} is needed",
    ),
    "fixed size": (
        lambda e: e["exp_back"]["parameters"][1].update(dimensions=["M", 4], shape="f32[?M,4]{1,0}"),
        "whose `dy` is f32[?M,4]{1,0}, where f32[?M,?N]{1,0} is needed",
    ),
    "attributes": (
        lambda e: e["exp_back"]["parameters"].pop(3),
        "which has other attributes: none; declare those of the first: `lambda: f32 | None`",
    ),
    "two of one name": (
        lambda e: e["exp"]["parameters"][0].update(name="dy"),
        "and `dy` is both its own array and the derivative by `y`; give one of them another name",
    ),
}


@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG.keys())
def test_a_kernel_that_is_no_derivative_is_refused(path, tmp_path, monkeypatch, case):
    change, expected = case
    read = _library._describe

    def changed(*args):
        described = [e for e in read(*args) if e["name"] in ("exp", "exp_back")]
        change({entry["name"]: entry for entry in described})
        return described

    monkeypatch.setattr(_library, "_describe", changed)
    place = shutil.copy(path, tmp_path)
    with pytest.raises(ImportError) as caught:
        xlayout.jax.load(place)
    found = str(caught.value).replace(repr(place), "PATH")
    place = r"\(\S*derivatives\.rs:\d+\)"
    start = rf"kernel `exp` {place} "
    if "declares" not in expected:
        start += rf"declares `vjp = exp_back`, kernel `exp_back` {place}, "
    assert re.fullmatch(start + re.escape(expected), found), found


def test_a_kernel_names_its_derivative(k):
    assert k.exp.vjp == "exp_back" and k.exp_back.vjp == ""
    assert "Its derivatives are those of `exp_back`." in k.exp.__doc__
