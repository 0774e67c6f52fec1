"""The kernels under test, and a JAX of eight devices on the CPU."""

import os
import pathlib
import sys

# Before JAX is imported.
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "python"))

import jax
import pytest

import xlayout.jax


@pytest.fixture(scope="session")
def path():
    """The shared object of the test kernels, which Cargo builds for `kernel/test-kernels/tests/jax.rs`."""
    return os.environ["XLAYOUT_TEST_KERNELS"]


@pytest.fixture(scope="session")
def k(path):
    return xlayout.jax.load(path)


@pytest.fixture
def x64():
    with jax.enable_x64(True):
        yield


def raw(kernel, results, *arrays, in_layouts=None, out_layouts=None, **attributes):
    """A call past the helper's checks, so that the kernel's own are seen."""
    call = jax.ffi.ffi_call(
        kernel.target,
        results,
        input_layouts=in_layouts,
        output_layouts=out_layouts,
        vmap_method="sequential",
        has_side_effect=True,
    )
    return jax.block_until_ready(call(*arrays, **attributes))
