"""A plan on a local cluster of dask with two worker processes, one of which is killed in the middle.

    python reshard/python/test_reshard.py PROGRAM

PROGRAM is the built `xlayout`. Needs `distributed`.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from distributed import LocalCluster

SCRIPT = Path(__file__).with_name("reshard.py")
UNITS = 40


def checkpoint(folder: Path) -> None:
    """40 tensors of 1 MiB each."""
    folder.mkdir()
    header, data = {}, b""
    for k in range(UNITS):
        tensor = os.urandom(1 << 20)
        header[f"w{k}"] = {"dtype": "F32", "shape": [512, 512], "data_offsets": [len(data), len(data) + len(tensor)]}
        data += tensor
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


def main() -> None:
    program = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name, LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        folder = Path(name)
        checkpoint(folder / "src")
        spec = folder / "spec.toml"
        spec.write_text("[[tensor]]\nname = '*'\nsharding = '{devices=[1,4]<=[4]}'\n")
        plan = folder / "plan.json"

        def reshard(*words: object) -> str:
            done = subprocess.run([program, "reshard", *map(str, words)], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            return done.stdout

        reshard("plan", folder / "src", folder / "out", "--to", spec, "--units", UNITS, "-o", plan)
        command = [sys.executable, str(SCRIPT), str(plan), "--engine", "dask", "--program", program]
        with subprocess.Popen(
            [*command, "--address", cluster.scheduler_address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as run:
            assert run.stdout is not None and run.stderr is not None
            lines = [run.stdout.readline()]
            # It has a unit to do now.
            os.kill(cluster.workers[0].pid, signal.SIGKILL)
            lines += run.stdout.readlines()
            error = run.stderr.read()
        assert run.returncode == 0, error
        units = {line.split("unit ")[1].split(":")[0] for line in lines}
        assert len(lines) == UNITS and len(units) == UNITS, lines
        reshard("verify", plan)
        reshard("verify", plan, "--checksums")
        # What cannot be done is an error with the words of the program, on dask, too.
        (folder / "src" / "model.safetensors").write_bytes(b"")
        for record in (folder / "out" / ".xlayout").iterdir():
            record.unlink()
        failed = subprocess.run([*command, "--address", cluster.scheduler_address], capture_output=True, text=True, check=False)
        assert failed.returncode == 3 and "is not the file that was planned" in failed.stderr, failed
        print("a worker was killed, and all units are done")


if __name__ == "__main__":
    main()
