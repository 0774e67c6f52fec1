"""Programs that outlive a library: exported, and run with one that was built anew."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import jax
import jax.export
import numpy as np

import xlayout.jax

# Loads a library, and runs the exported programs of a folder.
RUN = """
import pathlib, sys
import jax, jax.export, numpy as np
import xlayout.jax

folder = pathlib.Path(sys.argv[1])
k = xlayout.jax.load(folder / sys.argv[2], name=sys.argv[3] or None)
for name, x in [("double", np.float32(3)), ("turn_f32", np.arange(6, dtype="f4").reshape(2, 3))]:
    exported = jax.export.deserialize(bytearray((folder / name).read_bytes()))
    try:
        print(name, np.asarray(exported.call(x)).tolist())
    except Exception as error:
        print(name, type(error).__name__, error)
    print(name, np.asarray(getattr(k, name)(x)).tolist())
"""


def export(k, folder):
    """Writes two exported programs into a folder."""
    for kernel, shape in [(k.double, ()), (k.turn_f32, (2, 3))]:
        exported = jax.export.export(jax.jit(kernel), disabled_checks=kernel.export_checks)
        program = exported(jax.ShapeDtypeStruct(shape, np.float32))
        (folder / kernel.__name__).write_bytes(program.serialize())


def run(folder, file, name=""):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", RUN, folder, file, name], env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_program_runs_with_the_layouts_that_it_was_made_with(path, tmp_path):
    shutil.copy(path, tmp_path / "libmine.so")
    export(xlayout.jax.load(tmp_path / "libmine.so", name="mine"), tmp_path)
    double, turned = "double 6.0", "turn_f32 [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]"
    assert run(tmp_path, "libmine.so", "mine") == [double, double, turned, turned]

    # A library in which `double` is the same, and `turn_f32` has other layouts.
    os.remove(tmp_path / "libmine.so")
    rebuilt = pathlib.Path(path).with_name("libxlayout_test_kernels_rebuilt.so")
    shutil.copy(rebuilt, tmp_path / "libmine.so")
    exported, called, stale, new = run(tmp_path, "libmine.so", "mine")
    assert (exported, called, new) == (double, double, turned)
    advice = "if-not-found-load-its-library-or-export-again"
    name = f"xlayout.mine.turn_f32.declaration-[0-9a-f]{{16}}.{advice}"
    found = f"turn_f32 JaxRuntimeError NOT_FOUND: No FFI handler registered for {name} on a platform Host"
    assert re.match(found, stale), stale


def test_a_program_does_not_depend_on_the_name_of_the_file(k, path, tmp_path):
    export(k, tmp_path)
    shutil.copy(path, tmp_path / "renamed.so")
    double, turned = "double 6.0", "turn_f32 [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]"
    assert run(tmp_path, "renamed.so") == [double, double, turned, turned]


def test_a_kernel_with_independent_dimensions_is_exported(k):
    x = np.arange(1, 7, dtype="f4").reshape(2, 3)
    shape = jax.ShapeDtypeStruct((2, 3), np.float32)
    exported = jax.export.export(jax.jit(lambda x: k.shares(x)), disabled_checks=k.export_checks)
    program = jax.export.deserialize(exported(shape).serialize())
    np.testing.assert_array_equal(program.call(x), k.shares(x))


def test_sizes_without_a_number_are_exported(k):
    rows, = jax.export.symbolic_shape("m")
    shape = jax.ShapeDtypeStruct((rows, 3), np.float32)
    exported = jax.export.export(jax.jit(lambda x: k.shares(x)), disabled_checks=k.export_checks)
    program = jax.export.deserialize(exported(shape).serialize())
    x = np.arange(1, 7, dtype="f4").reshape(2, 3)
    np.testing.assert_array_equal(program.call(x), k.shares(x))


def test_compiled_ahead_of_time(k):
    shape = jax.ShapeDtypeStruct((2, 128), np.float32)
    compiled = jax.jit(lambda x: k.scale(x, a=2)).lower(shape).compile()
    x = np.ones((2, 128), "f4")
    np.testing.assert_array_equal(compiled(x), 2 * x)
