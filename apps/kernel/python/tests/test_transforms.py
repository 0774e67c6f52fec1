"""jit, vmap, grad, shard_map, aliases."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

X = np.random.default_rng(1).normal(size=(3, 128)).astype(np.float32)


def test_called_twice_compiles_once(k):
    traced = []

    @jax.jit
    def f(x):
        traced.append(x)
        return k.scale(x, a=2)

    for _ in range(3):
        np.testing.assert_array_equal(f(X), 2 * X)
    assert len(traced) == 1 and f._cache_size() == 1
    f(X[:2])
    assert len(traced) == 2


def test_calls_without_jit_compile_once(k):
    events = []
    k.scale(X, a=2.5)
    jax.monitoring.register_event_duration_secs_listener(lambda name, *_, **__: events.append(name))
    try:
        k.scale(X, a=2.5)
        assert not [name for name in events if "compile" in name]
        k.scale(X, a=2.75)
        assert [name for name in events if "compile" in name]
    finally:
        jax.monitoring.clear_event_listeners()


def test_calls_without_jit_are_told_apart_by_the_bits_of_attributes(k):
    one, zero, minus, nan = 1.0, 0.0, -0.0, float("nan")
    for a in (zero, minus, one, nan, True, 1, np.float32(2), minus):
        bits = np.asarray(k.scalar_f32(a=a) if a is not True else k.scalar_pred(a=a)).tobytes()
        assert bits == np.asarray(a, np.bool_ if a is True else "f4").tobytes()
    with pytest.raises(TypeError, match="pass a number"):
        k.scalar_f32(a=True)
    for w in ([1.0, 0.0], [1.0, -0.0], (1.0, -0.0), np.float32([2, 3])):
        got = k.array_f32(a=w, out_shapes=(2,))
        assert np.asarray(got).tobytes() == np.asarray(w, "f4").tobytes()


def test_calls_without_jit_take_what_traced_calls_take(k):
    x, w = jnp.asarray(X), jnp.ones(128)
    index, want = jnp.int32(2), 2 * X[2] ** 2
    for args, named in [((x, index, w), {}), ((X, 2, w), {}), ((x,), {"index": 2, "w": w}), ((X, np.int32(2), w), {})]:
        np.testing.assert_array_equal(k.weigh(*args, **named, a=2.0).y, want)
    # An array of the other layout takes the kernel that is compiled for it; here it is not compiled again.
    columns = jax.jit(lambda x: x.T, out_shardings=None)(jnp.asarray(X.T))
    for _ in range(2):
        np.testing.assert_array_equal(k.weigh(columns, index, w, a=2.0).y, want)
    with pytest.raises(ValueError, match="pass 128 as dimension 1, not 64"):
        k.scale(x[:, :64], a=2.0)
    with jax.disable_jit():
        np.testing.assert_array_equal(k.scale(x, a=2.0), 2 * X)
    assert k.min_max(x[:, :4]).max.shape == (3,)


def test_vmap_runs_a_kernel_for_each_part(k):
    x = np.stack([X, 2 * X, -X])
    np.testing.assert_array_equal(jax.vmap(functools.partial(k.scale, a=3))(x), 3 * x)
    moved = np.moveaxis(x, 0, 2)
    for jit in (lambda f: f, jax.jit):
        got = jit(jax.vmap(functools.partial(k.scale, a=3), in_axes=2, out_axes=1))(moved)
        np.testing.assert_array_equal(got, 3 * np.moveaxis(x, 0, 1))
    twice = jax.vmap(jax.vmap(functools.partial(k.scale, a=3)))(x[None])
    np.testing.assert_array_equal(twice, 3 * x[None])


def test_vmap_with_some_operands_unbatched(k):
    x = np.random.default_rng(2).normal(size=(4, 2, 3)).astype(np.float32)
    w = np.random.default_rng(3).normal(size=(5, 3, 6)).astype(np.float32)
    got = jax.vmap(k.matmul, (0, None))(x, w[0])
    np.testing.assert_allclose(got, x @ w[0], rtol=1e-5)
    got = jax.vmap(jax.vmap(k.matmul, (None, 0)), (0, None))(x, w)
    np.testing.assert_allclose(got, x[:, None] @ w, rtol=1e-5)


class TestBatch:
    """Kernels with the option `batch` get all parts in one call."""

    x = np.random.default_rng(2).normal(size=(4, 2, 3)).astype(np.float32)
    w = np.random.default_rng(3).normal(size=(5, 3, 6)).astype(np.float32)

    def calls(self, k, f, *args):
        """The result, and how often XLA calls the kernel: as often as it is in a loop, or once."""
        text = jax.jit(f).lower(*args).as_text()
        assert "while" not in text
        return f(*args)

    @pytest.mark.parametrize("axis", [0, 1, 2])
    def test_all_batched(self, k, axis):
        w = np.moveaxis(self.w[:4], 0, axis)
        got = self.calls(k, jax.vmap(k.batch_matmul, (0, axis)), self.x, w)
        np.testing.assert_allclose(got, self.x @ self.w[:4], rtol=1e-5)

    def test_one_batched(self, k):
        got = self.calls(k, jax.vmap(k.batch_matmul, (0, None)), self.x, self.w[0])
        np.testing.assert_allclose(got, self.x @ self.w[0], rtol=1e-5)
        got = self.calls(k, jax.vmap(k.batch_matmul, (None, 0)), self.x[0], self.w)
        np.testing.assert_allclose(got, self.x[0] @ self.w, rtol=1e-5)

    def test_nested(self, k):
        f = jax.vmap(jax.vmap(k.batch_matmul, (None, 0)), (0, None))
        got = self.calls(k, f, self.x, self.w)
        np.testing.assert_allclose(got, self.x[:, None] @ self.w, rtol=1e-5)
        f = jax.vmap(jax.vmap(k.batch_matmul, (0, None)), (None, 0), out_axes=1)
        got = self.calls(k, f, self.x, self.w)
        np.testing.assert_allclose(got, self.x[:, None] @ self.w, rtol=1e-5)

    def test_without_vmap(self, k):
        w = self.w[:4]
        np.testing.assert_allclose(k.batch_matmul(self.x, w), self.x @ w, rtol=1e-5)
        np.testing.assert_allclose(k.batch_matmul(self.x, w[:1]), self.x @ w[:1], rtol=1e-5)
        np.testing.assert_allclose(k.batch_matmul(self.x[0], w[0]), self.x[0] @ w[0], rtol=1e-5)

    def test_empty(self, k):
        assert k.batch_matmul(self.x[:0], self.w[:0]).shape == (0, 2, 6)
        assert k.batch_matmul(self.x[:0], self.w[:1]).shape == (0, 2, 6)

    def test_in_place(self, k):
        x, y = self.x[:, :, 0], self.x[:, :, 1]
        for args, axes in (((x, y), (0, 0)), ((x, y[0]), (0, None)), ((x[0], y), (None, 0))):
            got = self.calls(k, jax.vmap(k.batch_add, axes), *args)
            np.testing.assert_array_equal(got, args[0] + args[1])
        got = jax.vmap(jax.vmap(k.batch_add, (None, 0)), (0, None))(x, y)
        np.testing.assert_array_equal(got, x[:, None] + y)

    def test_packed(self, k):
        """Three s4 are a byte and a half: such parts cannot lie side by side, four can."""
        for columns, loops in ((3, True), (4, False)):
            x = np.arange(5 * columns).reshape(5, 1, columns).astype("int4")
            f = jax.jit(jax.vmap(k.batch_turn_s4))
            np.testing.assert_array_equal(np.asarray(f(x)), x)
            assert ("while" in f.lower(x).as_text()) == loops

    def test_wrong_batches(self, k):
        with pytest.raises(ValueError) as caught:
            k.batch_matmul(self.x, self.w)
        assert str(caught.value).endswith(
            "the call has f32[5,3,6]; leading dimension 0 is 5, and that of the batch is 4"
        )
        with pytest.raises(ValueError) as caught:
            k.batch_matmul(self.x, self.w[0])
        assert str(caught.value).endswith(
            "the call has f32[4,2,3]; pass 2 dimensions, and before them as many as the other arrays "
            "have"
        )
        with pytest.raises(ValueError, match="leading dimension 0 is 1, and that of the batch is 4"):
            k.batch_add(self.x[:1, :, 0], self.x[:, :, 1])


def test_grad_through_custom_vjp(k):
    """The gradient of a product is two products, by the same kernel."""

    @jax.custom_vjp
    def product(x, w):
        return k.matmul(x, w)

    def forward(x, w):
        return product(x, w), (x, w)

    def backward(saved, g):
        x, w = saved
        return k.matmul(g, w.T), k.matmul(x.T, g)

    product.defvjp(forward, backward)
    rng = np.random.default_rng(4)
    x, w = rng.normal(size=(2, 3)).astype("f4"), rng.normal(size=(3, 4)).astype("f4")
    loss = lambda f: lambda x, w: (f(x, w) ** 2).sum()
    for transform in (lambda f: f, jax.jit):
        got = transform(jax.grad(loss(product), (0, 1)))(x, w)
        expected = jax.grad(loss(jnp.matmul), (0, 1))(x, w)
        jax.tree.map(functools.partial(np.testing.assert_allclose, rtol=1e-5), got, expected)


def test_grad_without_a_rule_says_so(k):
    with pytest.raises(ValueError, match="kernel `scale` has no derivative"):
        jax.grad(lambda x: k.scale(x, a=2).sum())(X)


class TestInPlace:
    x, y = np.arange(4, dtype="f4"), np.full(4, 10, "f4")

    def test_not_donated(self, k):
        x = jnp.asarray(self.x)
        for call in (k.add, jax.jit(k.add)):
            np.testing.assert_array_equal(call(x, self.y), self.x + 10)
            np.testing.assert_array_equal(x, self.x)

    def test_donated(self, k):
        x = jnp.asarray(self.x).copy()
        place = x.unsafe_buffer_pointer()
        got = jax.jit(k.add, donate_argnums=0)(x, jnp.asarray(self.y))
        np.testing.assert_array_equal(got, self.x + 10)
        assert x.is_deleted()
        assert got.unsafe_buffer_pointer() == place

    def test_the_same_array_twice(self, k):
        x = jnp.asarray(self.x)
        np.testing.assert_array_equal(jax.jit(lambda x: k.add(x, x))(x), 2 * self.x)

    def test_in_a_loop(self, k):
        got = jax.lax.fori_loop(0, 100, lambda _, x: k.add(x, self.y), self.x)
        np.testing.assert_array_equal(got, self.x + 1000)


@pytest.fixture(scope="module")
def mesh():
    assert len(jax.devices()) == 8
    return jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))


class TestShardMap:
    x = np.arange(16 * 128, dtype=np.float32).reshape(16, 128)

    @pytest.mark.parametrize("check", [True, False])
    def test_each_device_has_its_rows(self, k, mesh, check):
        def part(x):
            assert x.shape == (2, 128)
            return k.scale(x, a=2)

        f = jax.shard_map(part, mesh=mesh, in_specs=P("d"), out_specs=P("d"), check_vma=check)
        x = jax.device_put(self.x, NamedSharding(mesh, P("d")))
        for call in (f, jax.jit(f)):
            y = call(x)
            np.testing.assert_array_equal(y, 2 * self.x)
            assert y.sharding.spec[0] == "d"
            assert {s.data.shape for s in y.addressable_shards} == {(2, 128)}

    def test_a_mesh_that_does_not_fit(self, k, mesh):
        f = jax.shard_map(
            functools.partial(k.scale, a=2), mesh=mesh, in_specs=P(None, "d"), out_specs=P(None, "d")
        )
        with pytest.raises(ValueError) as caught:
            f(self.x)
        assert str(caught.value) == (
            "kernel `scale`: argument `x` is declared as f32[?,128]{1,0}, and the call has f32[16,16]; "
            "pass 128 as dimension 1, not 16"
        )

    def test_jax_knows_that_results_differ_between_devices(self, k, mesh):
        f = functools.partial(jax.shard_map, functools.partial(k.scale, a=2), mesh=mesh)
        with pytest.raises(ValueError, match="out_specs which require replication"):
            f(in_specs=P("d"), out_specs=P())(self.x)
        np.testing.assert_array_equal(f(in_specs=P(), out_specs=P())(self.x), 2 * self.x)

    def test_some_operands_on_all_devices(self, k, mesh):
        w = np.random.default_rng(3).normal(size=(128, 4)).astype(np.float32)
        f = jax.shard_map(k.matmul, mesh=mesh, in_specs=(P("d"), P()), out_specs=P("d"))
        np.testing.assert_allclose(f(self.x, w), self.x @ w, rtol=1e-4)

    def test_a_sum_over_devices(self, k, mesh):
        """Each device has some columns of x and some rows of w."""
        rng = np.random.default_rng(3)
        x, w = rng.normal(size=(4, 16)).astype("f4"), rng.normal(size=(16, 3)).astype("f4")
        f = jax.shard_map(
            lambda x, w: jax.lax.psum(k.matmul(x, w), "d"),
            mesh=mesh, in_specs=(P(None, "d"), P("d")), out_specs=P(),
        )
        np.testing.assert_allclose(jax.jit(f)(x, w), x @ w, rtol=1e-4, atol=1e-5)

    def test_explicit_axes(self, k):
        mesh = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Explicit,))
        with jax.set_mesh(mesh):
            x = jax.device_put(self.x, P("d"))
            f = jax.jit(jax.shard_map(functools.partial(k.scale, a=2), out_specs=P("d")))
            np.testing.assert_array_equal(f(x), 2 * self.x)

    def test_without_shard_map_every_device_has_all(self, k, mesh):
        x = jax.device_put(self.x, NamedSharding(mesh, P("d")))
        np.testing.assert_array_equal(jax.jit(functools.partial(k.scale, a=2))(x), 2 * self.x)

    def test_vmap_inside(self, k, mesh):
        f = jax.shard_map(jax.vmap(lambda x: k.scale(x[None], a=2)[0]), mesh=mesh,
                          in_specs=P("d"), out_specs=P("d"))
        np.testing.assert_array_equal(f(self.x), 2 * self.x)


class TestDeclaredShardings:
    """Layouts with `sharding = {…}`: the kernel is declared for the whole, and runs on parts."""

    x = np.arange(16 * 6, dtype=np.float32).reshape(16, 6)

    @pytest.mark.parametrize("names", [("a", "b"), ("b", "a")], ids="".join)
    @pytest.mark.parametrize("kernel", ["double_part", "double_columns"])
    def test_specs(self, k, kernel, names):
        mesh = jax.make_mesh((4, 2), names, axis_types=(AxisType.Auto,) * 2)
        in_specs, out_specs = k[kernel].partition_specs(mesh)
        row, column = names
        expected = {"double_part": P(row, column), "double_columns": P(None, column)}[kernel]
        assert in_specs == (expected,) and out_specs == expected
        f = jax.shard_map(k[kernel], mesh=mesh, in_specs=in_specs, out_specs=out_specs)
        for call in (f, jax.jit(f)):
            np.testing.assert_array_equal(call(self.x), 2 * self.x)

    def test_a_mesh_of_another_shape(self, k, mesh):
        with pytest.raises(ValueError) as caught:
            k.double_part.partition_specs(mesh)
        assert str(caught.value) == (
            "kernel `double_part`: argument `x` has the sharding {devices=[4,2]<=[8]}, which no "
            "PartitionSpec over the mesh {'d': 8} gives"
        )

    def test_no_mesh(self, k):
        for mesh, found in ((None, "None"), ("d", "a value of type str")):
            with pytest.raises(TypeError) as caught:
                k.double_part.partition_specs(mesh)
            assert str(caught.value) == (
                'kernel `double_part`: partition_specs takes a mesh, as `jax.make_mesh((8,), ("d",))`, '
                f"and got {found}"
            )
        mesh = jax.sharding.AbstractMesh((8,), ("d",))
        assert k.scale.partition_specs(mesh) == ((P(None, None),), P(None, None))

    def test_the_whole_is_no_part(self, k):
        with pytest.raises(ValueError) as caught:
            k.double_part(self.x)
        assert str(caught.value) == (
            "kernel `double_part`: argument `x` is declared as f32[4,3]{1,0}, and the call has "
            "f32[16,6]; pass 4 as dimension 0, not 16 (one device's part of f32[16,6]{1,0}: "
            "`jax.shard_map` makes them)"
        )

    def test_layouts_without_a_sharding_are_on_every_device(self, k, mesh):
        assert k.scale.partition_specs(mesh) == ((P(None, None),), P(None, None))
        assert k.min_max.partition_specs(mesh)[1] == (P(None), P(None))


def test_export_of_sizes_that_are_not_known_yet(k):
    rows = jax.export.symbolic_shape("rows, 128")
    exported = jax.export.export(
        jax.jit(functools.partial(k.scale, a=2)),
        disabled_checks=[jax.export.DisabledSafetyCheck.custom_call(k.scale.target)],
    )(jax.ShapeDtypeStruct(rows, np.float32))
    np.testing.assert_array_equal(exported.call(X), 2 * X)


def test_a_kernel_is_a_function_to_jax(k):
    assert jax.jit(k.scale, static_argnames="a")(X, a=2.0).tolist() == (2 * X).tolist()
    assert jax.eval_shape(functools.partial(k.scale, a=2), X).shape == X.shape
    assert jax.tree.map(k.double, [1.0, 2.0]) == [2, 4]
