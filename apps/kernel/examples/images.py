"""Images of bytes as normalised floats, against the same in JAX."""

import jax.numpy as jnp
import numpy as np
from common import Table, check, kernels, pixels

# Of ImageNet's red, green and blue.
MEAN = [0.485, 0.456, 0.406]
STD = [0.229, 0.224, 0.225]


def nhwc(x):
    return kernels.normalize(x, mean=MEAN, std=STD)


def nchw(x):
    return kernels.normalize_to_nchw(x, mean=MEAN, std=STD)


def nhwc_in_jax(x):
    return (x.astype(jnp.float32) / 255 - jnp.float32(MEAN)) / jnp.float32(STD)


def nchw_in_jax(x):
    return jnp.transpose(nhwc_in_jax(x), (0, 3, 1, 2))


x = pixels(3, 37, 53, 3)
exact = (np.asarray(x) / 255 - np.array(MEAN)) / np.array(STD)
check("NHWC to NHWC", nhwc(x), exact, within=1e-6)
check("NHWC to NCHW", nchw(x), exact.transpose(0, 3, 1, 2), within=1e-6)

table = Table("u8 NHWC to f32")
for shape in [(1, 224, 224, 3), (32, 224, 224, 3), (1, 2160, 3840, 3)]:
    name = f"u8[{','.join(map(str, shape))}]"
    table.row(f"{name} to NHWC", nhwc, nhwc_in_jax, pixels(*shape))
    table.row(f"{name} to NCHW", nchw, nchw_in_jax, pixels(*shape))
