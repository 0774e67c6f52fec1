#!/usr/bin/env python3
"""Checks each published package with the oldest compiler that its manifest names (`rust-version`).

    python3 .ci/msrv.py [WORKSPACE …]     the workspaces are `.`, `apps` and `conversions`

clippy's `incompatible_msrv` knows functions of the standard library only. A compiler that is missing is installed; where it cannot be
downloaded, the script says so.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Features beside the default ones: all that need no newer compiler.
FEATURES = {
    ".": [f"xlayout/{name}" for name in ("half", "float8", "num-complex", "serde", "xla", "sharding", "interop", "algebra")],
    "apps": [],
    "conversions": ["ndarray", "faer"],
}


def main() -> int:
    failed = 0
    for workspace in sys.argv[1:] or FEATURES:
        folder = ROOT / workspace
        metadata = subprocess.run(["cargo", "metadata", "--no-deps", "--format-version=1"], cwd=folder, check=True, capture_output=True).stdout
        packages = collections.defaultdict(list)
        for package in json.loads(metadata)["packages"]:
            if package["publish"] is None:
                packages[package["rust_version"]].append(package["name"])
        for version, names in packages.items():
            if version is None:
                print(f"error: {', '.join(names)}: the manifest names no `rust-version`")
                failed = 1
                continue
            known = subprocess.run(["rustup", "run", version, "rustc", "--version"], capture_output=True).returncode == 0
            if not known and subprocess.run(["rustup", "toolchain", "install", version, "--profile=minimal"], capture_output=True).returncode != 0:
                print(f"LEFT OUT: Rust {version}, which rustup cannot install, for {', '.join(names)}")
                continue
            features = [name for name in FEATURES[workspace] if "/" not in name or name.split("/")[0] in names]
            words = [word for name in names for word in ("-p", name)] + [f"--features={','.join(features)}"] * bool(features)
            environment = {**os.environ, "RUSTFLAGS": "--cap-lints=allow"}
            checked = subprocess.run(["cargo", f"+{version}", "check", "--quiet", *words], cwd=folder, env=environment)
            print(f"  Rust {version}: {len(names)} packages of `{workspace}`" + ("" if checked.returncode == 0 else " FAILED"))
            failed |= checked.returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
