"""Which part of an array each device has: XLA's text of a sharding, and a `PartitionSpec`.

JAX has no public function from a `PartitionSpec` to XLA's sharding, so both become the same array of
numbers: dimension `d` counts the parts of dimension `d`, and the last dimension has the devices
with the same part.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

_TILED = re.compile(
    r"\{devices=\[(?P<tiles>[\d,]+)\]"
    r"(?:<=\[(?P<iota>[\d,]+)\](?:T\((?P<order>[\d,]+)\))?|(?P<list>\d+(?:,\d+)*))"
    r"(?P<last> last_tile_dim_replicate)?\}"
)


def declared(text: str, rank: int, devices: int) -> np.ndarray | None:
    """The devices of each part of an array with this sharding; None where it is no sharding by
    dimensions over these devices."""
    if text in ("", "{replicated}"):
        return np.arange(devices).reshape((1,) * rank + (-1,))
    found = _TILED.fullmatch(text)
    if found is None:
        return None
    tiles = _numbers(found["tiles"])
    if found["list"]:
        ids = np.array(_numbers(found["list"]))
    else:
        iota = _numbers(found["iota"])
        ids = np.arange(math.prod(iota)).reshape(iota)
        ids = ids.transpose(_numbers(found["order"]) if found["order"] else None)
    if not found["last"]:
        tiles = (*tiles, 1)
    if len(tiles) != rank + 1 or math.prod(tiles) != devices or ids.size != devices:
        return None
    return _sorted(ids.reshape(tiles))


def of_axes(parts: Sequence[Sequence[int]], mesh: Sequence[int]) -> np.ndarray:
    """The devices of each part where the axes `parts[d]` of the mesh divide dimension `d`."""
    used = [axis for axes in parts for axis in axes]
    rest = [axis for axis in range(len(mesh)) if axis not in used]
    ids = np.arange(math.prod(mesh)).reshape(tuple(mesh)).transpose(*used, *rest)
    return _sorted(ids.reshape([math.prod(mesh[axis] for axis in axes) for axes in parts] + [-1]))


def _sorted(ids: np.ndarray) -> np.ndarray:
    """The sequence of devices with the same part says nothing."""
    return np.sort(ids, axis=-1)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))
