"""Makes the recorded files of this folder: pip install numpy==2.4.6 ml_dtypes==0.6.0 safetensors==0.8.0

Every array counts up from 0 in row-major sequence, so that a test knows its elements without NumPy.
"""

import pathlib
import zipfile

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

here = pathlib.Path(__file__).parent


def count(dtype, *shape):
    return np.arange(int(np.prod(shape, dtype=int))).astype(dtype).reshape(shape)


def npy(name, array, version=None):
    with open(here / f"{name}.npy", "wb") as file:
        np.lib.format.write_array(file, array, version=version)


for name in ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
             "float16", "float32", "float64", "complex64", "complex128"]:
    npy(name, count(name, 2, 3))
for name in ["bfloat16", "float8_e4m3fn", "float8_e5m2", "int4"]:
    npy(name, count(getattr(ml_dtypes, name), 2, 3))
npy("fortran", np.asfortranarray(count("float32", 2, 3, 4)))
npy("big_endian", count(">f4", 2, 3))
npy("big_endian_fortran", np.asfortranarray(count(">i2", 2, 3)))
npy("big_endian_complex", count(">c8", 2, 3))
npy("scalar", count("float32"))
npy("vector", count("int32", 5))
npy("empty", count("float64", 0, 3))
npy("ones", np.asfortranarray(count("float32", 1, 5, 1)))
npy("version_2", count("float32", 2, 3), (2, 0))
npy("version_3", count("float32", 2, 3), (3, 0))
npy("records", np.zeros(2, [("a", "<f4"), ("b", "<i2")]))
npy("objects", np.array([1, "a"], dtype=object))
npy("text", np.array(["abc"]))
npy("long_double", np.zeros(2, np.longdouble))
npy("dates", np.zeros(2, "<M8[s]"))
save_file(
    {
        "weight": count("float32", 4, 3),
        "bias": count("int64", 3),
        "scalar": count("float64"),
        "empty": count("float16", 0, 3),
        "mask": count("bool", 2, 3),
        "cube": count("uint8", 2, 3, 4),
    },
    here / "model.safetensors",
    metadata={"format": "np", "by": "\u00e9 \"quoted\""},
)
save_file({"only": count("float32", 2, 3)}, here / "one.safetensors")
np.savez(here / "two.npz", a=count("float32", 2, 3), b=np.asfortranarray(count("int16", 4, 5)))
np.savez_compressed(here / "packed.npz", a=count("float32", 200, 3), b=count("uint8", 3))
# One name twice: the zip has both, and no program says which one is meant.
with zipfile.ZipFile(here / "twice.npz", "w") as twice:
    for value in (1.0, 2.0):
        with twice.open("a.npy", "w") as entry:
            np.save(entry, np.full((2, 2), value, "float32"))
