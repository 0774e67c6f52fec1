"""Relayouts as custom calls, against XLA's own transposes of the same arrays."""

import jax.numpy as jnp
import numpy as np
from common import Table, check, kernels, normal

CASES = {
    "matrix_transpose": ((1, 0), [(1024, 1024), (4096, 4096), (1000, 3000)]),
    "nchw_to_nhwc": ((0, 2, 3, 1), [(32, 64, 56, 56), (8, 3, 224, 224)]),
    "swap_heads": ((0, 2, 1, 3), [(8, 512, 12, 64), (4, 2048, 16, 64)]),
}

for name, (axes, _) in CASES.items():
    x = normal(*(5, 6, 7, 8)[: len(axes)])
    check(name, kernels[name](x), np.transpose(x, axes))

table = Table("transpose")
for name, (axes, shapes) in CASES.items():
    for shape in shapes:
        text = f"f32[{','.join(map(str, shape))}] by {axes}"
        table.row(text, kernels[name], lambda x: jnp.transpose(x, axes), normal(*shape))
