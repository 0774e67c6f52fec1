"""`xlayout.Layout`."""

import copy
import itertools
import pickle
import xml.etree.ElementTree

import numpy as np
import pytest

import xlayout
from xlayout import Layout

TILED = "bf16[1000,3000]{1,0:T(8,128)(2,1)}"


def test_what_a_layout_says():
    layout = Layout(TILED)
    assert str(layout) == TILED
    assert repr(layout) == f"Layout({TILED!r})"
    assert layout.shape == (1000, 3000) and layout.ndim == 2 and layout.size == 3_000_000
    assert (layout.element_type, layout.dtype) == ("bf16", "bfloat16")
    assert layout.minor_to_major == (1, 0) and layout.major_to_minor == (0, 1)
    assert layout.tiles == ((8, 128), (2, 1))
    assert layout.memory_space == 0
    assert layout.nbytes == 1000 * 3072 * 2 and layout.logical_bytes == 6_000_000
    assert layout.padding_bytes == 144_000 and layout.padding == pytest.approx(144_000 / 6_144_000)
    assert layout.strides is None and layout.byte_strides is None
    assert layout.places == 3_072_000
    assert Layout("f32[2,0]").padding == 0.0
    assert Layout("f32[2,3]{1,0:S(5)}").memory_space == 5


def test_equality_is_that_of_the_text_and_maps_are_compared_by_name():
    assert Layout("f32[2,3]") == Layout("f32[2,3]{1,0}")
    assert Layout("f32[2,3]{0,1}") != Layout("f32[2,3]{1,0}") and Layout("f32[2]") != "f32[2]"
    assert len({Layout("f32[2,3]"), Layout("f32[2,3]{1,0}")}) == 1
    assert Layout("f32[1,3]{1,0}").same_map("f32[1,3]{0,1}")
    assert not Layout("f32[2,3]{1,0}").same_map(Layout("f32[3,2]{1,0}"))
    assert not Layout("f32[2,3]{1,0}").same_map("s32[2,3]{1,0}")
    assert Layout("f32[8,128]{1,0:T(8,128)}").same_map("{1,0}")


def test_a_layout_is_copied_and_pickled():
    layout = Layout(TILED)
    assert pickle.loads(pickle.dumps(layout)) == layout == copy.deepcopy(layout) == Layout(layout)


@pytest.mark.parametrize("text", [TILED, "f32[5,6]{0,1:T(4,4)}", "s4[3,5]{1,0:E(4)}", "f32[2,3,4]{1,2,0}", "f32[]"])
def test_linear_indices_of_arrays_are_those_of_each_element(text):
    layout = Layout(text)
    shape = [min(size, 7) for size in layout.shape]
    index = list(itertools.product(*map(range, shape)))
    each = [layout.linear_index(*at) for at in index]
    assert [layout.index_at(place) for place in each] == index
    if layout.ndim:
        columns = [np.array(column) for column in zip(*index, strict=True)]
        assert layout.linear_index(*columns).tolist() == each
        sparse = np.ix_(*map(range, shape))
        assert layout.linear_index(*sparse).reshape(-1).tolist() == each


def test_linear_index_takes_what_numpy_takes():
    layout = Layout("f32[4,6]{0,1}")
    assert layout.linear_index(-1, np.int8(-1)) == layout.linear_index(3, 5) == 23
    assert layout.linear_index([[0], [-1]], np.array([1, 2], np.uint8)).tolist() == [[4, 8], [7, 11]]
    assert layout.linear_index([], []).tolist() == []
    # Strided and read-only columns.
    columns = np.arange(8)[::2]
    columns.setflags(write=False)
    assert layout.linear_index(0, columns[:3]).tolist() == [0, 8, 16]


@pytest.mark.parametrize(
    "index, error, words",
    [
        ((4, 0), IndexError, "coordinate 4 of dimension 0 is out of bounds: the size is 4"),
        ((0, -7), IndexError, "coordinate -7 of dimension 1 is out of bounds: the size is 6"),
        ((0,), IndexError, "the array has 2 dimensions, and the index has 1 coordinates"),
        ((0, [0, 6]), IndexError, "coordinate 6 of dimension 1"),
        (([0], [0], [0]), IndexError, "the array has 2 dimensions"),
        ((0, [-(1 << 63)]), IndexError, "out of bounds"),
        ((0, np.array([1 << 63], np.uint64)), IndexError, "out of bounds"),
        ((1 << 70, 0), OverflowError, "int"),
        ((0, 1.0), TypeError, "float"),
        ((0, [1.0]), TypeError, "coordinates are integers, and those of dimension 1 are of type float64"),
        (([0, 1], [0, 1, 2]), ValueError, "broadcast"),
    ],
)
def test_wrong_indices(index, error, words):
    with pytest.raises(error, match=words):
        Layout("f32[4,6]{0,1}").linear_index(*index)


def test_places_that_are_none():
    layout = Layout("f32[5,6]{1,0:T(4,4)}")
    assert layout.index_at(22) is None
    with pytest.raises(IndexError, match="linear index 64 is beyond the end: the array has 64 places"):
        layout.index_at(64)
    with pytest.raises(IndexError):
        layout.index_at(-1)


def test_other_notations_and_back():
    layout = Layout("f32[2,3]{0,1}")
    assert layout.to("xla") == "f32[2,3]{0,1}"
    assert layout.to("memref") == "memref<2x3xf32, strided<[1, 2]>>"
    for notation in ("memref", "jax", "cute"):
        assert Layout(layout.to(notation), dtype="float32", shape=(2, 3)) == layout
    assert Layout("NCHW16c", dtype="f32", shape=(2, 17, 5, 7), axes="NCHW").to("onednn") == "aBcd16b"
    interface = str({key: value for key, value in np.zeros((2, 3), "f4", "F").__array_interface__.items()})
    assert Layout(interface) == layout
    # A notation has a text, or a reason why it has none.
    found = layout.to_dict()
    for notation in layout.notations[1:]:
        if (text := found["notations"][notation]) is not None:
            assert text and layout.to(notation) == text
            continue
        with pytest.raises(ValueError) as why:
            layout.to(notation)
        assert str(why.value) == found["no_notation"][notation]
    with pytest.raises(ValueError, match="there is no notation `fortran`; there are `xla`, "):
        layout.to("fortran")
    with pytest.raises(ValueError, match="tiled"):
        Layout(TILED).to("numpy")


def test_layouts_of_arrays():
    a = np.zeros((2, 5, 4), np.float32)
    assert str(Layout(a)) == "f32[2,5,4]{2,1,0}"
    assert str(Layout(a.transpose(2, 0, 1))) == "f32[4,2,5]{0,2,1}"
    assert Layout(a[:, :3]).byte_strides == (80, 16, 4)
    padded = Layout(a[:, :3])
    assert Layout(str(padded)) == padded == pickle.loads(pickle.dumps(padded)) and padded.svg().startswith("<svg")
    with pytest.raises(ValueError, match="the other sequence"):
        Layout(a.astype(a.dtype.newbyteorder("S")))
    with pytest.raises(ValueError, match="dimension 0"):
        Layout(a[::-1])
    with pytest.raises(ValueError, match="object"):
        Layout(np.array([None]))


@pytest.mark.parametrize(
    "text, words",
    [
        ("f32[2,3]{1,2}", "minor_to_major counts dimensions from 1 (at byte 8); dimensions count from 0: did you mean `{0,1}`?"),
        ("f33[2]", "unknown element type `f33` (at byte 0); did you mean `f32`?"),
        ("", "expected a shape, found nothing (at byte 0); write one such as `f32[2,3]{1,0}`"),
        ("(f32[2])", "expected one array, found a tuple"),
        ("memref<2x", "found the end of the text"),
        ("f32[?]", "a dimension is `?`"),
        ("f32[9223372036854775807,9223372036854775807]", ""),
        ("\0", ""),
        ("é" * 100, ""),
    ],
)
def test_texts_that_are_no_layout(text, words):
    with pytest.raises(ValueError) as found:
        Layout(text)
    assert words in str(found.value)


def test_what_a_notation_leaves_out_is_asked_for():
    with pytest.raises(TypeError, match="a layout without its array has no element type; give it"):
        Layout("{1,0}")
    with pytest.raises(TypeError, match="has no sizes; give them"):
        Layout("{1,0}", dtype="f32")
    assert Layout("{0,1}", dtype=np.float32, shape=(2, 3)) == Layout("f32[2,3]{0,1}")
    with pytest.raises(ValueError, match="unknown element type"):
        Layout("{0,1}", dtype="f33", shape=(2, 3))
    for other in (3, None, object(), b"f32[2]"):
        with pytest.raises(TypeError, match="a layout is made of text, an array"):
            Layout(other)


def test_what_contradicts_the_source_is_refused():
    a = np.zeros((2, 3), np.float32)
    for source in ("f32[2,3]{1,0}", Layout("f32[2,3]"), a, "memref<2x3xf32>", str(a.__array_interface__)):
        assert Layout(source, dtype="f32", shape=(2, 3)) == Layout("f32[2,3]")
        assert Layout(source, dtype=np.float32, shape=[2, 3]) == Layout("f32[2,3]")
        for given in ({"shape": (4, 5)}, {"dtype": "bf16"}, {"shape": (3, 2)}, {"shape": ()}, {"dtype": np.int32, "shape": (2, 3)}):
            with pytest.raises(ValueError, match="correct one of them|name the type that the array has"):
                Layout(source, **given)
    jax = pytest.importorskip("jax")
    x = jax.numpy.zeros((4, 5), jax.numpy.bfloat16)
    for given in ({"dtype": "f32"}, {"shape": (5, 4)}):
        with pytest.raises(ValueError, match="leave .* out, or correct one of them"):
            Layout(x, **given)


def test_elements_that_xla_lacks():
    for dtype, words in [("U3", "str96"), ("S3", "bytes24"), ("M8[s]", r"datetime64.*a.view\('uint64'\)"), ("f4,i4", "void64"), ("g", "longdouble|float128")]:
        with pytest.raises(ValueError, match=f"XLA has no elements of type .*{words}"):
            Layout(np.zeros(2, dtype))


def test_pictures():
    picture = Layout("bf16[5,6]{1,0:T(4,4)}")._repr_svg_()
    assert picture is not None and xml.etree.ElementTree.fromstring(picture).tag.endswith("svg")
    layout = Layout("f32[8,3,4,5]")
    assert layout.svg(slice="7,:,:,0") != layout.svg(dims=(1, 2)) != layout.svg(path=False)
    with pytest.raises(ValueError, match="slice"):
        layout.svg(slice="nonsense")
    with pytest.raises(ValueError):
        layout.svg(dims=(1, 9))


def test_layouts_of_jax():
    jax = pytest.importorskip("jax")
    x = jax.numpy.zeros((4, 5), jax.numpy.bfloat16)
    layout = Layout("bf16[4,5]{1,0}")
    assert Layout(x) == layout
    assert Layout(x.format, dtype=x.dtype, shape=x.shape) == layout
    assert Layout(x.format.layout, dtype="bfloat16", shape=x.shape) == layout
    from jax.experimental.layout import Format, Layout as JaxLayout

    of_tpu = JaxLayout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)))
    assert str(Layout(of_tpu, dtype="bf16", shape=(1000, 3000))) == TILED
    column_major = Format(JaxLayout(major_to_minor=(1, 0)), x.sharding)
    y = jax.jit(lambda x: x + 1, out_shardings=column_major)(x)
    assert str(Layout(y)) == "bf16[4,5]{0,1}"
    with pytest.raises(TypeError):
        Layout(x.format)


def test_the_version_is_that_of_the_program(capfd):
    from xlayout import _native

    assert _native.program(["xlayout", "--version"]) == 0
    assert capfd.readouterr().out == f"xlayout {xlayout.__version__}\n"
