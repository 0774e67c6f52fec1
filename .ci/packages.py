#!/usr/bin/env python3
"""Publishes every crate of all workspaces but for the upload: packages it, and builds it from its package, in the sequence in which
they depend on each other (`cargo publish --dry-run`). Before, it checks what cargo's registry and docs.rs read of a manifest.

Cargo finds packages that are packaged at the same time, but only those of one workspace. So this works on a copy, in
which the packages of `apps` and `conversions` belong to the workspace of the library.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
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


def of_manifest(package: dict) -> list[str]:
    """What is missing in a manifest. (That a category is one of the registry's, only the registry checks.)"""
    folder = pathlib.Path(package["manifest_path"]).parent
    fields = ("description", "license", "repository", "readme", "rust_version", "keywords", "categories")
    mistakes = [f"no `{field}`; help: write it in the manifest" for field in fields if not package[field]]
    for text in ("LICENSE-MIT", "LICENSE-APACHE"):
        if not (folder / text).exists():
            mistakes.append(f"no file {text}; help: copy that of the root")
    if len(package["keywords"]) > 5 or any(len(word) > 20 for word in package["keywords"]):
        mistakes.append("the registry takes 5 keywords of 20 letters")
    has_library = any({"lib", "proc-macro", "cdylib", "rlib"} & set(target["kind"]) for target in package["targets"])
    docs_rs = ((package["metadata"] or {}).get("docs") or {}).get("rs") or {}
    if has_library and package["features"] and not (docs_rs.get("all-features") or "features" in docs_rs):
        mistakes.append("docs.rs would not show its features; help: write `[package.metadata.docs.rs]` with `all-features = true`")
    return mistakes


with tempfile.TemporaryDirectory() as copy, tempfile.TemporaryDirectory() as target:
    one_workspace(pathlib.Path(copy))
    # A package of the same version is the same package for cargo, also in its cache, whose key is the path of the target
    # folder: a new one, so that nothing of an earlier run is used. Nothing runs: no debugging information, and no parts
    # of a build that a later one could use.
    environment = {**os.environ, "CARGO_TARGET_DIR": target, "CARGO_INCREMENTAL": "0", "CARGO_PROFILE_DEV_DEBUG": "0"}
    metadata = subprocess.run(["cargo", "metadata", "--no-deps", "--format-version", "1"], cwd=copy, stdout=subprocess.PIPE, check=True).stdout
    published = [package for package in json.loads(metadata)["packages"] if package["publish"] is None]
    mistakes = [f"error: {package['name']}: {mistake}" for package in published for mistake in of_manifest(package)]
    if mistakes:
        sys.exit("\n".join(mistakes))
    words = [word for package in published for word in ("-p", package["name"])]
    subprocess.run(["cargo", "publish", "--dry-run", "--quiet", "--allow-dirty", *words], cwd=copy, env=environment, check=True)
    print(f"  {len(published)} packages")
