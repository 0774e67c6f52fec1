"""Plans on clusters of dask and of ray with two worker processes, one of which is killed while it runs a unit."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

UNITS = 12


@contextmanager
def dask() -> Iterator[str]:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


@contextmanager
def ray() -> Iterator[str]:
    # The token would be written into the folder of the user.
    os.environ["RAY_AUTH_MODE"] = "disabled"
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        yield ray.get_runtime_context().gcs_address
    finally:
        ray.shutdown()


CLUSTERS = {"dask": dask, "ray": ray}


def checkpoint(folder: Path) -> None:
    """As many tensors as units, of 64 KiB each."""
    folder.mkdir()
    header, data = {}, b""
    for k in range(UNITS):
        tensor = os.urandom(1 << 16)
        header[f"w{k}"] = {"dtype": "F32", "shape": [128, 128], "data_offsets": [len(data), len(data) + len(tensor)]}
        data += tensor
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


@pytest.mark.parametrize("engine", sorted(CLUSTERS))
def test_a_worker_is_lost(engine: str, tmp_path: Path) -> None:
    program = shutil.which("xlayout")
    assert program, "the program `xlayout` is not in PATH"
    # The worker process that begins with one of the units is killed, once.
    fatal = tmp_path / "fatal"
    fatal.write_text(
        f"#!/bin/sh\ncase \"$*\" in *'--unit {UNITS // 2} '*) mkdir '{tmp_path}/killed' 2>/dev/null && kill -9 $PPID;; esac\n"
        f"exec '{program}' \"$@\"\n"
    )
    fatal.chmod(0o755)
    checkpoint(tmp_path / "src")
    spec, plan = tmp_path / "spec.toml", tmp_path / "plan.json"
    spec.write_text("[[tensor]]\nname = '*'\nsharding = '{devices=[1,4]<=[4]}'\n")

    def reshard(*words: object) -> None:
        done = subprocess.run([program, "reshard", *map(str, words)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    reshard("plan", tmp_path / "src", tmp_path / "out", "--to", spec, "--units", UNITS, "-o", plan)
    command = [sys.executable, "-m", "xlayout.reshard", str(plan), "--engine", engine, "--program", str(fatal)]
    with CLUSTERS[engine]() as address:
        run = subprocess.run([*command, "--address", address], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        assert (tmp_path / "killed").is_dir()
        # Ray writes lines of its own, too.
        lines = [line for line in run.stdout.splitlines() if line.startswith("[") and "] unit " in line]
        units = sorted(int(line.split("unit ")[1].split(":")[0]) for line in lines)
        assert units == list(range(UNITS)), run.stdout
        reshard("verify", plan)
        reshard("verify", plan, "--checksums")
        # What cannot be done is an error with the words of the program.
        (tmp_path / "src" / "model.safetensors").write_bytes(b"")
        for record in (tmp_path / "out" / ".xlayout").iterdir():
            record.unlink()
        failed = subprocess.run([*command, "--address", address], capture_output=True, text=True, check=False)
        assert failed.returncode == 3 and "is not the file that was planned" in failed.stderr, failed


def test_mistakes(tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    command = [sys.executable, "-m", "xlayout.reshard", str(plan), "--engine", "dask"]
    for text, words in [(None, "cannot read"), ("{}", "has no units")]:
        if text is not None:
            plan.write_text(text)
        failed = subprocess.run(command, capture_output=True, text=True, check=False)
        assert failed.returncode == 3 and words in failed.stderr, failed
