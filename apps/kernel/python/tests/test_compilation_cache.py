"""Programs in JAX's compilation cache, which outlive a library: run with one that was built anew."""

import os
import pathlib
import shutil
import subprocess
import sys

# Runs two kernels, each in a program of its own, and says whether JAX found the program in the cache.
RUN = """
import pathlib, sys
import jax, numpy as np
import xlayout.jax

folder = pathlib.Path(sys.argv[1])
jax.config.update("jax_compilation_cache_dir", str(folder / "cache"))
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
events = []
jax.monitoring.register_event_listener(lambda event, **_: events.append(event))
k = xlayout.jax.load(folder / "libmine.so", name="mine")
for name, x in [("double", np.float32(3)), ("turn_f32", np.arange(6, dtype="f4").reshape(2, 3))]:
    events.clear()
    y = np.asarray(jax.jit(lambda x: getattr(k, name)(x) + 1)(x)).tolist()
    found = "/jax/compilation_cache/cache_hits" in events
    print(name, "from the cache:" if found else "compiled:", y)
"""


def run(folder):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", RUN, folder], env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_cached_program_is_not_run_with_other_layouts(path, tmp_path):
    double, turned = "7.0", "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]"
    shutil.copy(path, tmp_path / "libmine.so")
    assert run(tmp_path) == [f"double compiled: {double}", f"turn_f32 compiled: {turned}"]
    # The cache works: a second process compiles nothing.
    cached = [f"double from the cache: {double}", f"turn_f32 from the cache: {turned}"]
    assert run(tmp_path) == cached

    # A library in which `double` is the same, and `turn_f32` has other layouts.
    os.remove(tmp_path / "libmine.so")
    rebuilt = pathlib.Path(path).with_name("libxlayout_test_kernels_rebuilt.so")
    shutil.copy(rebuilt, tmp_path / "libmine.so")
    assert run(tmp_path) == [cached[0], f"turn_f32 compiled: {turned}"]
    assert run(tmp_path) == cached

    # The first library again: its program is still in the cache.
    shutil.copy(path, tmp_path / "libmine.so")
    assert run(tmp_path) == cached
