"""Loading: what is there, and every way in which a file is no library of kernels."""

import inspect
import os
import pydoc
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import xlayout_jax


def test_a_kernel_describes_itself(k):
    text = "scale(x: f32[?,128]{1,0}, *, a: f32) -> f32[?,128]{1,0}"
    assert repr(k.scale) == text
    assert str(inspect.signature(k.scale)) == text.removeprefix("scale")
    assert k.scale.__doc__ == "y = a * x"
    assert k.scale.__name__ == "scale"
    shown = pydoc.render_doc(k.scale, renderer=pydoc.plaintext)
    assert text in shown and "y = a * x" in shown
    # Without any documentation Python would show that of the class.
    entry = {"name": "f", "doc": "", "source": "src/lib.rs:3", "batch": False, "parameters": [], "declaration": "0"}
    shown = pydoc.render_doc(xlayout_jax.Kernel(entry, "mine."), renderer=pydoc.plaintext)
    assert "f() -> ()" in shown and "The kernel at src/lib.rs:3." in shown


def test_the_library_lists_its_kernels(k):
    assert "scale" in dir(k) and set(dir(k)) == set(k)
    assert k["scale"] is k.scale
    assert "\n  scale(x: f32[?,128]{1,0}, *, a: f32) -> f32[?,128]{1,0}" in repr(k)
    with pytest.raises(AttributeError) as caught:
        k.scales
    assert str(caught.value).endswith("has no kernel `scales`; did you mean `scale`?")
    with pytest.raises(KeyError) as caught:
        k["scales"]
    assert str(caught.value).endswith("libxlayout_test_kernels.so' has no kernel `scales`; did you mean `scale`?")
    with pytest.raises(KeyError) as caught:
        k["nothing like it"]
    assert re.search(r"has no kernel `nothing like it`; it has `\w+`(, `\w+`){7} and \d+ more$", str(caught.value))


def test_signatures(k):
    assert repr(k.min_max) == "min_max(x: f32[?,4]{1,0}) -> (f32[?]{0}, f32[?]{0})"
    assert repr(k.add) == "add(x: f32[?]{0}, y: f32[?]{0}) -> f32[?]{0}"
    assert repr(k.fill) == "fill(*, a: f32, out_shapes) -> f32[?,?]{1,0}"
    assert repr(k.optional) == (
        "optional(*, a: f32 | None = None, w: [s64] | None = None, lambda_: str | None = None)"
        " -> f32[3]{0}"
    )


def test_the_same_file_is_loaded_once(k, path):
    assert xlayout_jax.load(path) is k
    assert xlayout_jax.load(os.path.relpath(path)) is k


def test_a_link_is_the_same_file(k, path, tmp_path):
    os.symlink(os.path.abspath(path), tmp_path / "link.so")
    assert xlayout_jax.load(tmp_path / "link.so") is k


def test_two_libraries_of_one_name(k, path, tmp_path):
    other = xlayout_jax.load(shutil.copy(path, tmp_path))
    assert other.scale.target != k.scale.target
    x = np.ones((1, 128), "f4")
    for library in (other, k):
        np.testing.assert_array_equal(library.scale(x, a=2), 2 * x)


def test_a_file_that_was_built_anew(path, tmp_path):
    place = str(tmp_path / "libbuilt.so")
    shutil.copy(path, place)
    first = xlayout_jax.load(place)
    os.remove(place)
    shutil.copy(path, place)
    os.utime(place, ns=(1, 1))
    second = xlayout_jax.load(place)
    assert second is not first and second is xlayout_jax.load(place)
    name = first.scale.target.removeprefix("xlayout.built.scale.declaration-")
    assert name != first.scale.target and second.scale.target == "xlayout.built@2.scale.declaration-" + name
    x = np.ones((1, 128), "f4")
    for library in (first, second):
        np.testing.assert_array_equal(library.scale(x, a=2), 2 * x)


def test_names_are_the_same_in_every_process(k, path):
    code = f"import xlayout_jax; print(xlayout_jax.load({path!r}).scale.target)"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert run.stdout.strip() == k.scale.target, run.stderr


def refused(kind, path):
    with pytest.raises(kind) as caught:
        xlayout_jax.load(path)
    text = str(caught.value)
    assert "\n" not in text
    return text.replace(repr(str(path)), "PATH")


def test_no_file(tmp_path):
    assert refused(FileNotFoundError, tmp_path / "libmine.so") == (
        "there is no file PATH; `cargo build --release` writes target/release/lib<name>.so of a "
        'crate with crate-type = ["cdylib"]'
    )


def test_a_folder(tmp_path):
    assert refused(IsADirectoryError, tmp_path) == (
        "PATH is a folder; pass the path of a shared object: `cargo build --release` writes "
        'target/release/lib<name>.so of a crate with crate-type = ["cdylib"]'
    )
    release = tmp_path / "target" / "release"
    release.mkdir(parents=True)
    (release / "libmine.so").touch()
    for folder in (tmp_path, tmp_path / "target", release):
        assert refused(IsADirectoryError, folder) == (
            f"PATH is a folder; pass the path of a shared object in it: `load({str(release / 'libmine.so')!r})`"
        )


def test_no_shared_object(tmp_path):
    text = tmp_path / "lib.rs"
    text.write_text("fn main() {}")
    assert re.fullmatch("PATH cannot be loaded as a shared object: .*", refused(ImportError, text))


def test_a_shared_object_of_something_else():
    import jaxlib._jax

    assert refused(ImportError, jaxlib._jax.__file__) == (
        "PATH has no kernels of xlayout (no symbol `xlayout_kernels`); build it from a crate with "
        'crate-type = ["cdylib"] that depends on xlayout-kernel'
    )


@pytest.mark.parametrize("own, age", [(1, "older"), (3, "newer")])
def test_another_version_of_the_description(path, tmp_path, monkeypatch, own, age):
    monkeypatch.setattr(xlayout_jax, "_VERSION", own)
    place = shutil.copy(path, tmp_path)
    assert refused(ImportError, place) == (
        f"PATH describes its kernels in version 2, and this xlayout_jax is {age} and reads version "
        f"{own}; take the xlayout_jax.py of the xlayout-kernel which it was built with"
    )


def test_two_kernels_of_one_name(path, tmp_path, monkeypatch):
    read = xlayout_jax._describe

    def twice(*args):
        kernels = read(*args)[:1]
        return [{**kernels[0], "name": "f", "source": source} for source in ("a.rs:1", "b.rs:2")]

    monkeypatch.setattr(xlayout_jax, "_describe", twice)
    assert refused(ImportError, shutil.copy(path, tmp_path)) == (
        'PATH has 2 kernels called `f` (a.rs:1, b.rs:2); name them apart: '
        '`#[xlayout::kernel(name = "…")]`'
    )
