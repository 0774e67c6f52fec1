"""Runs the units of a plan of `xlayout reshard` on a cluster.

    python -m xlayout.reshard plan.json --engine dask --address tcp://scheduler:8786
    python -m xlayout.reshard plan.json --engine ray --address auto

Each unit is one task: `xlayout reshard run PLAN --unit K --json` on a machine of the cluster, which sees the
plan and both folders. A task whose worker is lost is run again elsewhere; what the unit had finished stays. A unit
that fails by itself (exit code 2 or 3) is not run again.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

Report = dict[str, Any]


class UnitFailed(Exception):
    """A unit that cannot be done: the words of the program."""


def run_unit(program: str, plan: str, unit: int, threads: int | None) -> Report:
    """Runs one unit here, and returns its report."""
    command = [program, "reshard", "run", plan, "--unit", str(unit), "--json"]
    if threads is not None:
        command += ["--threads", str(threads)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise UnitFailed(f"unit {unit}: cannot run `{program}`: {error}") from None
    if done.returncode != 0:
        raise UnitFailed(f"unit {unit}: {done.stderr.strip()}")
    report: Report = json.loads(done.stdout)
    return report


def count_units(plan: str) -> int:
    """How many units a plan has: its first value says it, a line unless another program wrote the text again."""
    with open(plan, encoding="utf-8") as text:
        begin = text.readline()
        try:
            head: Any = json.loads(begin)
        except ValueError:
            try:
                head, _ = json.JSONDecoder().raw_decode(begin + text.read())
            except ValueError:
                return 0
    units = head.get("units") if isinstance(head, dict) else None
    return units if isinstance(units, int) else 0


def with_dask(task: Callable[[int], Report], units: Iterable[int], address: str | None, retries: int) -> Iterator[Report]:
    """Runs the units on the workers of dask.distributed; without an address on this machine."""
    distributed: Any = importlib.import_module("distributed")

    with distributed.Client(address) as client:
        # A worker that is lost gives its task back to the scheduler; `retries` are for those that fail.
        tasks = client.map(task, list(units), pure=False, retries=retries)
        for done in distributed.as_completed(tasks):
            yield done.result()


def with_ray(task: Callable[[int], Report], units: Iterable[int], address: str | None, retries: int) -> Iterator[Report]:
    """Runs the units as tasks of ray; without an address on this machine."""
    ray: Any = importlib.import_module("ray")

    ray.init(address=address, log_to_driver=False)
    try:
        def call(unit: int) -> Report:
            return task(unit)

        # A task whose worker is lost is run again, also without `retries`, which are for those that fail.
        remote = ray.remote(max_retries=max(retries, 3), retry_exceptions=retries > 0)(call)
        waiting = [remote.remote(unit) for unit in units]
        while waiting:
            done, waiting = ray.wait(waiting)
            yield from ray.get(done)
    finally:
        ray.shutdown()


ENGINES = {"dask": with_dask, "ray": with_ray}


class Task:
    """What a worker runs. It is sent there: it names nothing of this module that a worker would have to import."""

    def __init__(self, program: str, plan: str, threads: int | None) -> None:
        self.arguments = (program, plan, threads)

    def __call__(self, unit: int) -> Report:
        program, plan, threads = self.arguments
        return run_unit(program, plan, unit, threads)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m xlayout.reshard", description="Run the units of a plan of `xlayout reshard` on a cluster."
    )
    parser.add_argument("plan", help="the plan, under a path that all machines have")
    parser.add_argument("--engine", choices=sorted(ENGINES), required=True)
    parser.add_argument("--address", help="of the scheduler; without it the engine runs on this machine")
    parser.add_argument("--program", default="xlayout", help="the program, as the workers find it")
    parser.add_argument("--threads", type=int, help="of each unit")
    parser.add_argument("--retries", type=int, default=0, help="how often a unit that failed is run again")
    parsed = parser.parse_args(arguments)
    plan = os.path.abspath(parsed.plan)
    try:
        units = count_units(plan)
    except OSError as error:
        print(f"error: cannot read `{plan}`: {error.strerror}", file=sys.stderr)
        return 3
    if units == 0:
        print(f"error: `{plan}` has no units: make it with `xlayout reshard plan`", file=sys.stderr)
        return 3
    task = Task(parsed.program, plan, parsed.threads)
    done = 0
    try:
        for report in ENGINES[parsed.engine](task, range(units), parsed.address, parsed.retries):
            done += 1
            print(f"[{done}/{units}] unit {report['unit']}: wrote {report['objects']} files, {report['written']:,} bytes; "
                  f"read {report['read']:,}", flush=True)
    except UnitFailed as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    except ImportError as error:
        print(f"error: {error}; install it: `pip install {'distributed' if parsed.engine == 'dask' else 'ray'}`", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
