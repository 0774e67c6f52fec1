"""The devices of each part, compared with what JAX says of the same sharding."""

import itertools

import jax
import numpy as np
import pytest
from jax.sharding import NamedSharding, PartitionSpec

from xlayout.jax import _sharding


def of_jax(mesh, spec, rank):
    """The same array from JAX's public `devices_indices_map`."""
    numbers = {device: k for k, device in enumerate(mesh.devices.flat)}
    shape = (mesh.size,) * rank
    parts = {}
    for device, indices in NamedSharding(mesh, spec).devices_indices_map(shape).items():
        starts = tuple(index.indices(mesh.size)[0] for index in indices)
        parts.setdefault(starts, []).append(numbers[device])
    return [sorted(parts[starts]) for starts in sorted(parts)]


@pytest.mark.parametrize("sizes", [(8,), (4, 2), (2, 2, 2)])
def test_every_division_is_that_of_jax(sizes):
    names = "abc"[: len(sizes)]
    mesh = jax.make_mesh(sizes, tuple(names))
    for cut in itertools.product([0, 1, None], repeat=len(sizes)):
        for order in itertools.permutations(range(len(sizes))):
            parts = [tuple(axis for axis in order if cut[axis] == d) for d in range(2)]
            spec = PartitionSpec(*(tuple(names[axis] for axis in part) or None for part in parts))
            found = _sharding.of_axes(parts, sizes)
            assert found.reshape(-1, found.shape[-1]).tolist() == of_jax(mesh, spec, 2)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("{devices=[4,2]<=[8]}", [[[0], [1]], [[2], [3]], [[4], [5]], [[6], [7]]]),
        ("{devices=[2,4]<=[4,2]T(1,0)}", [[[0], [2], [4], [6]], [[1], [3], [5], [7]]]),
        ("{devices=[1,2,4]<=[8] last_tile_dim_replicate}", [[[0, 1, 2, 3], [4, 5, 6, 7]]]),
        ("{devices=[2,1,4]7,6,5,4,3,2,1,0 last_tile_dim_replicate}", [[[4, 5, 6, 7]], [[0, 1, 2, 3]]]),
        ("{replicated}", [[[0, 1, 2, 3, 4, 5, 6, 7]]]),
    ],
)
def test_texts_of_xla(text, expected):
    np.testing.assert_array_equal(_sharding.declared(text, 2, 8), expected)


@pytest.mark.parametrize(
    "text",
    ["{maximal device=0}", "{manual}", "{devices=[4,2]<=[16]}", "{devices=[8]<=[8]}", "{devices=[2,2]<=[4]}"],
)
def test_others_are_no_division_of_eight_devices(text):
    assert _sharding.declared(text, 2, 8) is None
