#!/usr/bin/env python3
"""Processor time of a cold dev build of each crate with its dependencies, beside that of syn, quote and proc-macro2; and how many
packages it builds. The builds take turns, and the least time of each counts.

    python3 benches/compare/compile.py [ROUNDS]
"""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SYN = 'quote = "1"\nproc-macro2 = "1"\nsyn = { version = "3", default-features = false, features = ["parsing", "printing", "proc-macro"] }'
CRATES = {
    "syn, quote, proc-macro2": SYN,
    "xlayout": f'xlayout = {{ path = "{ROOT}" }}',
    "xlayout-core, without macros": f'xlayout-core = {{ path = "{ROOT}/core" }}',
    "ndarray": 'ndarray = "0.17"',
    "mdarray": 'mdarray = "0.8"',
    "nalgebra": 'nalgebra = "0.35"',
}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    least: dict[str, float] = {}
    packages = {}
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "target"
        for number, dependency in enumerate(CRATES.values()):
            package = pathlib.Path(folder) / str(number)
            (package / "src").mkdir(parents=True)
            (package / "src/lib.rs").touch()
            (package / "Cargo.toml").write_text(f'[workspace]\n[package]\nname = "p"\nedition = "2024"\n[dependencies]\n{dependency}\n')
            subprocess.run(["cargo", "fetch", "-q"], cwd=package, check=True)
        for _ in range(rounds):
            for number, name in enumerate(CRATES):
                package = pathlib.Path(folder) / str(number)
                tree = subprocess.run(["cargo", "tree", "--prefix=none"], cwd=package, check=True, capture_output=True, text=True).stdout
                packages[name] = len({line.split(" (")[0] for line in tree.splitlines()} - {"", "p v0.0.0"})
                shutil.rmtree(target, ignore_errors=True)
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                environment = dict(os.environ, CARGO_TARGET_DIR=str(target), CARGO_INCREMENTAL="0", CARGO_PROFILE_DEV_DEBUG="0")
                subprocess.run(["cargo", "build", "-q"], cwd=package, check=True, env=environment)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                least[name] = min(used, least.get(name, used))
    print("| cold dev build | packages | processor, s | ratio |\n|---|---|---|---|")
    for name, seconds in least.items():
        print(f"| {name} | {packages[name]} | {seconds:.1f} | {seconds / least['syn, quote, proc-macro2']:.2f} |")


if __name__ == "__main__":
    main()
