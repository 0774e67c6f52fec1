"""Loading: what is there, and every way in which a file is no library of kernels."""

import copy
import inspect
import os
import pickle
import pydoc
import re
import shutil
import subprocess
import sys

import jax
import numpy as np
import pytest

import xlayout.jax
from xlayout.kernels import _library


def test_a_kernel_describes_itself(k):
    text = "scale(x: f32[?,128]{1,0}, *, a: f32) -> f32[?,128]{1,0}"
    assert repr(k.scale) == text
    assert str(inspect.signature(k.scale)) == text.removeprefix("scale")
    assert k.scale.__doc__ == "y = a * x"
    assert k.scale.__name__ == "scale"
    shown = pydoc.render_doc(k.scale, renderer=pydoc.plaintext)
    assert text in shown and "y = a * x" in shown
    # Without any documentation Python would show that of the class.
    entry = {"name": "f", "doc": "", "source": "src/lib.rs:3", "batch": False, "vjp": "", "parameters": []}
    shown = pydoc.render_doc(xlayout.jax.Kernel(entry, "mine.f"), renderer=pydoc.plaintext)
    assert "f() -> ()" in shown and "The kernel at src/lib.rs:3." in shown


def test_the_library_lists_its_kernels(k):
    assert "scale" in dir(k) and set(dir(k)) == {*k, "export_checks", "file_name"}
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


@pytest.mark.parametrize("module", [xlayout.jax, xlayout.kernels], ids=["jax", "kernels"])
def test_a_module_has_no_kernels(module):
    with pytest.raises(AttributeError) as caught:
        module.scale
    assert str(caught.value) == (
        f"module {module.__name__!r} has no attribute 'scale'; a kernel is of a library: "
        f"`k = {module.__name__}.load('target/release/libmine.so')`, and then `k.scale`"
    )
    assert not hasattr(module, "__path_of_nothing__") and hasattr(module, "load")


def test_signatures(k):
    assert repr(k.min_max) == "min_max(x: f32[?,4]{1,0}) -> (min: f32[?]{0}, max: f32[?]{0})"
    assert repr(k.matmul) == "matmul(x: f32[?M,?K]{1,0}, w: f32[?K,?N]{0,1}) -> f32[?M,?N]{1,0}"
    assert repr(k.add) == "add(x: f32[?]{0}, y: f32[?]{0}) -> f32[?]{0}"
    assert repr(k.fill) == "fill(a: f32, *, out_shapes) -> f32[?,?]{1,0}"
    assert repr(k.optional) == (
        "optional(a: f32 | None = None, w: [s64] | None = None, lambda_: str | None = None)"
        " -> f32[3]{0}"
    )


def test_the_same_file_is_loaded_once(k, path):
    assert xlayout.jax.load(path) is k
    assert xlayout.jax.load(os.path.relpath(path)) is k


def test_a_link_is_the_same_file(k, path, tmp_path):
    os.symlink(os.path.abspath(path), tmp_path / "link.so")
    assert xlayout.jax.load(tmp_path / "link.so") is k


def test_two_libraries_of_one_name(k, path, tmp_path):
    other = xlayout.jax.load(shutil.copy(path, tmp_path))
    assert other.scale.target != k.scale.target
    x = np.ones((1, 128), "f4")
    for library in (other, k):
        np.testing.assert_array_equal(library.scale(x, a=2), 2 * x)


def test_a_file_that_was_built_anew(path, tmp_path):
    place = str(tmp_path / "libbuilt.so")
    shutil.copy(path, place)
    first = xlayout.jax.load(place, name="built")
    os.remove(place)
    shutil.copy(path, place)
    os.utime(place, ns=(1, 1))
    second = xlayout.jax.load(place, name="built")
    assert second is not first and second is xlayout.jax.load(place, name="built")
    name = first.scale.target.removeprefix("xlayout.built.scale.declaration-")
    assert name != first.scale.target and second.scale.target == "xlayout.built@2.scale.declaration-" + name
    x = np.ones((1, 128), "f4")
    for library in (first, second):
        np.testing.assert_array_equal(library.scale(x, a=2), 2 * x)


def test_names_are_the_same_in_every_process(k, path):
    code = f"import xlayout.jax; print(xlayout.jax.load({path!r}).scale.target)"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert run.stdout.strip() == k.scale.target, run.stderr


def test_names_are_those_of_crates(k):
    assert k.scale.target.startswith("xlayout.xlayout_test_kernels.scale.declaration-")


def test_a_name_that_is_given(k, path):
    named = xlayout.jax.load(path, name="given")
    assert named is not k and named is xlayout.jax.load(path, name="given")
    assert named.scale.target.startswith("xlayout.given.scale.declaration-")
    again = pickle.loads(pickle.dumps(named))
    assert again is named and pickle.loads(pickle.dumps(named.scale)) is named.scale
    for name, kind in [("", ValueError), ("a b", ValueError), (3, TypeError)]:
        with pytest.raises(kind, match="name is that of the library in compiled programs"):
            xlayout.jax.load(path, name=name)


def refused(kind, path):
    with pytest.raises(kind) as caught:
        xlayout.jax.load(path)
    text = str(caught.value)
    assert "\n" not in text
    return text.replace(repr(str(path)), "PATH")


def test_no_file(tmp_path):
    assert refused(FileNotFoundError, tmp_path / "libmine.so") == (
        "there is no file PATH; `cargo build --release` writes target/release/lib<name>.so of a "
        'crate with crate-type = ["cdylib"]'
    )


def test_no_path(path):
    build = '; `cargo build --release` writes target/release/lib<name>.so of a crate with crate-type = ["cdylib"]'
    for wrong, found in (("", "''"), ("a\0b", "'a\\x00b'")):
        with pytest.raises(FileNotFoundError) as caught:
            xlayout.jax.load(wrong)
        assert str(caught.value) == f"there is no file {found}{build}"
    for wrong, found in ((None, "None"), (3, "3"), ([path], "a value of type list")):
        with pytest.raises(TypeError) as caught:
            xlayout.jax.load(wrong)
        assert str(caught.value) == f"load takes the path of a shared object, and got {found}{build}"
    assert xlayout.jax.load(os.fsencode(path)) is xlayout.jax.load(path)
    for module in (xlayout.jax, xlayout.kernels):
        with pytest.raises(TypeError) as caught:
            module.Library(path)
        assert str(caught.value) == f"a library is opened by a function of its module: `{module.__name__}.load({path!r})`"


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


@pytest.mark.parametrize("own, age", [(7, "older"), (9, "newer")])
def test_another_version_of_the_description(path, tmp_path, monkeypatch, own, age):
    monkeypatch.setattr(_library, "_VERSION", own)
    place = shutil.copy(path, tmp_path)
    assert refused(ImportError, place) == (
        f"PATH describes its kernels in version 8, and this package xlayout is {age} and reads version "
        f"{own}; take the one of the xlayout-kernel which it was built with"
    )


def test_two_kernels_of_one_name(path, tmp_path, monkeypatch):
    read = _library._describe

    def twice(*args):
        kernels = read(*args)[:1]
        return [{**kernels[0], "name": "f", "source": source} for source in ("a.rs:1", "b.rs:2")]

    monkeypatch.setattr(_library, "_describe", twice)
    assert refused(ImportError, shutil.copy(path, tmp_path)) == (
        'PATH has 2 kernels called `f` (a.rs:1, b.rs:2); name them apart: '
        '`#[xlayout_kernel::kernel(name = "…")]`'
    )


def test_sets_of_instructions(k, path):
    sets = ["baseline", "x86-64-v3", "x86-64-v4"]
    assert k.scale.isa in sets
    x = np.arange(256, dtype="f4").reshape(2, 128)
    for isa in sets[: sets.index(k.scale.isa) + 1]:
        other = xlayout.jax.load(path, isa=isa)
        assert other.scale.isa == isa and other is xlayout.jax.load(path, isa=isa)
        np.testing.assert_array_equal(other.scale(x, a=3), 3 * x)
        # It was compiled once, and has no other instructions.
        assert other.compiled_once.isa == "baseline"
    with pytest.raises(ValueError) as caught:
        xlayout.jax.load(path, isa="avx2")
    assert re.search("isa is 'avx2', and the kernels of '.*' run here with 'baseline'", str(caught.value))


def test_kernels_and_results_can_be_pickled(k, path):
    for value in (k, k.scale):
        assert pickle.loads(pickle.dumps(value)) is value and copy.deepcopy(value) is value
    x = np.arange(8, dtype="f4").reshape(2, 4)
    found = k.min_max(x)
    again = pickle.loads(pickle.dumps(found))
    assert type(again) is type(found) and again._fields == ("min", "max")
    np.testing.assert_array_equal(again.max, found.max)
    moved = jax.tree.map(lambda part: part + 1, found)
    assert type(moved) is type(found)
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for value in (k.min_max, found):
        run = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, input=pickle.dumps(value)
        )
        assert run.stdout.decode().strip() == repr(value), run.stderr.decode()


def test_a_pickled_kernel_with_another_declaration(k):
    find, (*where, target) = k.scale.__reduce__()
    other = re.sub("declaration-[0-9a-f]+", "declaration-0", target)
    with pytest.raises(ImportError) as caught:
        find(*where, other)
    assert "kernel `scale`" in str(caught.value) and "pickle it again" in str(caught.value)


def test_stubs(k, path):
    text = xlayout.jax.stubs(k)
    compile(text, "stubs", "exec")
    assert "def scale(x: ArrayLike, *, a: float) -> Array:" in text
    assert "def fill(a: float, *, out_shapes: Sequence[int] | Mapping[str, Sequence[int]]) -> Array:" in text
    assert (
        "def optional(a: float | None = None, w: Sequence[int] | ArrayLike | None = None, "
        "lambda_: str | None = None) -> Array:"
    ) in text
    assert "class min_max_outputs(NamedTuple):\n    min: Array\n    max: Array\n" in text
    assert ") -> min_max_outputs:" in text
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = lambda *args: subprocess.run(
        [sys.executable, "-m", "xlayout.jax", *args], env=env, capture_output=True, text=True
    )
    assert run(path).stdout == text
    assert run().stderr.startswith("usage: ") and run("nowhere.so").stderr.startswith("there is no file")
