#!/usr/bin/env python3
"""Packages every crate that is published, of both workspaces, and builds each from its package.

Cargo finds packages that are packaged at the same time, but only those of one workspace. So this works on a copy, in
which the packages of `apps` and `conversions` belong to the workspace of the library.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def one_workspace(folder: pathlib.Path) -> None:
    """A copy of what git knows, as one workspace."""
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    archive = subprocess.run(["tar", "--null", "--files-from=-", "-cf", "-"], cwd=ROOT, input=files, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "-xf", "-"], cwd=folder, input=archive, check=True)
    library = folder / "Cargo.toml"
    apps = folder / "apps/Cargo.toml"
    text = apps.read_text()
    # The book is not published.
    members = re.search(r"members = \[(.*?)\]", text, re.S)[1].replace('"../book", ', "")
    members = re.sub(r'"([^"]+)"', r'"apps/\1"', members)
    dependencies = re.search(r"\[workspace\.dependencies\]\n(.*?)\n\n", text, re.S)[1].replace('path = "..', 'path = ".')
    manifest = library.read_text()
    known = set(re.findall(r"^(xlayout[\w-]*) =", re.search(r"\[workspace\.dependencies\]\n(.*?)\n\n", manifest, re.S)[1], re.M))
    further = [line for line in dependencies.splitlines() if line.split(" ")[0] not in known]
    members += '"conversions", '
    manifest = manifest.replace("members = [", f"members = [{members}", 1)
    manifest = manifest.replace('exclude = ["apps", "book", "conversions"]', 'exclude = ["book", "apps/fuzz", "apps/kernel/template", "apps/python"]')
    manifest = manifest.replace("[workspace.dependencies]\n", "[workspace.dependencies]\n" + "\n".join(further) + "\n", 1)
    library.write_text(manifest)
    apps.unlink()
    conversions = folder / "conversions/Cargo.toml"
    conversions.write_text(conversions.read_text().replace("[workspace]\n", "", 1))


with tempfile.TemporaryDirectory() as copy, tempfile.TemporaryDirectory() as target:
    one_workspace(pathlib.Path(copy))
    # A package of the same version is the same package for cargo, also in its cache, whose key is the path of the target
    # folder: a new one, so that nothing of an earlier run is used. Nothing runs: no debugging information, and no parts
    # of a build that a later one could use.
    environment = {**os.environ, "CARGO_TARGET_DIR": target, "CARGO_INCREMENTAL": "0", "CARGO_PROFILE_DEV_DEBUG": "0"}
    metadata = subprocess.run(["cargo", "metadata", "--no-deps", "--format-version", "1"], cwd=copy, stdout=subprocess.PIPE, check=True).stdout
    published = [package["name"] for package in json.loads(metadata)["packages"] if package["publish"] is None]
    words = [word for name in published for word in ("-p", name)]
    subprocess.run(["cargo", "package", "--quiet", "--allow-dirty", *words], cwd=copy, env=environment, check=True)
    print(f"  {len(published)} packages")
