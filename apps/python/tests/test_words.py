"""Errors say what to write in Python, though most of their words are those of a library for Rust with a program."""

import pathlib
import re

import numpy as np
import pytest

import xlayout
from xlayout import Layout

ROOT = pathlib.Path(__file__).parents[2]

# Words of Rust and of the command line.
FOREIGN = re.compile(
    r"layout!|\b[A-Z]\w*::|\.parse\b|\w\(&|Budget|Map<|StridedArray|StridedLayout|DynLayout|ElementType|`Plan|run_bytes|"
    r"fill_padding|\b[iu]size\b|\ba slice of exactly|\bcrate\b|feature `|xlayout-\w|to_shape_of|wisdom|`line::|\bRust\b|(?<![\w-])--(?!xla_)[a-z]"
)

TILED = "f32[5,6]{1,0:T(4,4)}"
ROWS = np.zeros((4, 6), np.float32)


def interface(**more):
    return str({"shape": (2, 3), "typestr": "<f4", "strides": (4, 8), "version": 3} | more)


# What is wrong, and what its error says to write.
WRONG = [
    (lambda: Layout("foo"), "a layout that has a name needs `dtype` and `shape`"),
    (lambda: Layout("f32[?M]"), "write `\\?` alone$"),
    (lambda: Layout("f32[?]"), "write the number in place of `\\?`"),
    (lambda: Layout("memref<2x?xf32>"), "write the number in place of `\\?`"),
    (lambda: Layout(interface(typestr="|V2")), 'name the type, `dtype="bfloat16"`'),
    (lambda: Layout(interface(typestr="|V1")), 'name the type, `dtype="int4"`'),
    (lambda: Layout(interface(strides=(-12, 4))), "the other way round, `np.flip\\(a, dimension\\)`"),
    (lambda: Layout(ROWS[:, ::-1]), "take the layout of a copy, `xlayout.copy\\(a\\)`"),
    (lambda: Layout(interface(strides=(0, 4))), "the array before the broadcast"),
    (lambda: Layout(np.broadcast_to(ROWS[:1], (4, 6))), "`xlayout.copy\\(a\\)`, or of the array before the broadcast"),
    (lambda: Layout("#ttg.linear<{}>"), "write the layout of the array in memory$"),
    (lambda: Layout(np.array(["text"])), "XLA has no elements of type str128 .* convert them"),
    (lambda: Layout(TILED).svg(slice="0"), 'such as `slice=":,:"`'),
    (lambda: Layout(TILED).svg(slice=""), 'such as `slice=":,:"`'),
    (lambda: Layout("f32[2,3,4]").svg(slice=":,:,:"), "^`slice` leaves 3 dimensions open"),
    (lambda: Layout(TILED).svg(dims=(1, 9)), "`dims=\\(0, 2\\)`"),
    (lambda: Layout(TILED).svg(dims=(0, 0)), "`dims=\\(0, 2\\)`"),
    (lambda: Layout("f32[2,3,4]").svg(slice="1,:,:", dims=(0, 1)), "^`dims` names a dimension that `slice` holds at one index"),
    (lambda: xlayout.relayout(ROWS, "s32[4,6]"), "`a.astype\\('int32'\\)`"),
    (lambda: xlayout.relayout(np.zeros(63, np.float32), "{1,0}", source=TILED), "pass memory of exactly that length"),
    (lambda: xlayout.relayout(np.zeros(15, np.float16), "{0}", source="s4[30]{0:E(4)}"), "type float16, .*`a.view\\('uint8'\\)`"),
    (lambda: xlayout.relayout(ROWS, "f32[6,4]"), "the array has the sizes"),
    (lambda: Layout("f32[2,3]", shape=(3, 2)), "leave `shape` out"),
    (lambda: Layout("f32[2,3]", axes="NC"), "`axes` says NC, .*`f32\\[2,3\\]` is XLA's; leave `axes` out"),
    (lambda: Layout("{1,0}", dtype="f32", shape=(2, 3), axes="NCHW"), "`axes` says NCHW, .*; leave `axes` out"),
    (lambda: Layout("nhwc", dtype="f32", shape=(1, 2, 3, 4), axes="NCHW"), "`nhwc` is oneDNN; leave `axes` out"),
    (lambda: Layout(ROWS, axes="NC"), "a ndarray was found; leave `axes` out"),
    (lambda: Layout(Layout(TILED), axes="NC"), "a Layout was found; leave `axes` out"),
    (lambda: Layout("NCHW16c", dtype="f32", shape=(2, 17, 5, 7), axes="NCH"), "every dimension once"),
    (lambda: Layout("NCHW16c", dtype="f32", shape=(2, 17, 5, 7), axes="NCWD"), "every dimension once"),
    (lambda: Layout("torch.Size([1, 3, 2, 2]), stride=(12, 1, 6, 3)"), '`dtype="float32"`'),
    (lambda: Layout("nChw16c", dtype="f32"), "`shape=\\(2, 17, 5, 7\\)`"),
    (lambda: Layout("NCHW16c", dtype="f32", shape=(2, 17, 5, 7)), '`axes="NCHW"`'),
    (lambda: Layout("{1,0}", dtype="f32"), "`shape=\\(1000, 3000\\)`"),
    (lambda: xlayout.audit(b"no HLO"), "holds no HLO"),
]


@pytest.mark.parametrize("wrong, words", WRONG, ids=[words for _, words in WRONG])
def test_what_to_write_is_python(wrong, words):
    # What is missing is a `TypeError`, as of any call.
    with pytest.raises((ValueError, TypeError)) as error:
        wrong()
    text = str(error.value)
    assert re.search(words, text, re.DOTALL), text
    assert not FOREIGN.search(text), text


# Helps in foreign words that no call in Python leads to.
ELSEWHERE = {
    "list the Rust type": "elements have no Rust type in Python",
    "`StridedLayout<_, isize>`": "no parts of arrays are taken",
    "`DynLayout`": "layouts are of any rank and size",
    "use a `StridedLayout`": "indices have 64 bits",
    "by `line::": "no lines of arrays are taken",
    "turn on the feature `alloc`": "it is on",
    "`MemRef::physical`": "only a message is shown of a notation that cannot say a layout",
    "`StridedArray::padded`": "the padded layout is taken",
    "the crate xlayout-relayout": "arrays are exported by NumPy",
    "make the plan without `fill_padding`": "padding is zero because the memory is",
    "the bytes to `run_bytes`": "copies are of bytes",
    "`Plan::new`": "a plan runs once, for the arrays that it was made for",
    "`isize`": "NumPy has no array that is so large",
    "of the crate has written": "what was learned is neither written nor read",
    "`wisdom`": "what was learned is neither written nor read",
    "capacity, `Map<128>`": "constants are computed by the compiler",
    "`Map<N>`": "maps have as many terms as the dimensions of a layout",
    "give a greater `Budget`": "the target of a copy is dense, and no other map is searched",
}


# The same for the commands of the program.
NOT_IN_THE_PROGRAM = {
    "`DynLayout::with_sizes": "an error of its own marks the `?`",
    "list the Rust type": "elements have no Rust type in a file",
    "a slice of exactly": "files have their own error for another length",
    "`StridedLayout<_, isize>`": "no parts of arrays are taken",
    "`DynLayout`": "layouts are of any rank and size",
    "use a `StridedLayout`": "indices have 64 bits",
    "by `line::": "no lines of arrays are taken",
    "turn on the feature `alloc`": "it is on",
    "`MemRef::physical`": "only a message is shown of a notation that cannot say a layout",
    "`StridedArray::padded`": "the padded layout is taken",
    "the crate xlayout-relayout": "nothing is exported",
    "make the plan without `fill_padding`": "padding is zero because the memory is",
    "the bytes to `run_bytes`": "copies are of bytes",
    "`Plan::new`": "a plan runs once, for the arrays that it was made for",
    "`isize`": "the error of the memory that such an array needs comes first",
    "of the crate has written": "a file of another machine has its own help",
    "`wisdom`": "a file of another machine has its own help",
    "capacity, `Map<128>`": "constants are computed by the compiler",
}


def strings(text):
    """The strings of a program in Rust, without comments and tests."""
    text = re.sub(r"^\s*//.*$", "", text.split("#[cfg(test)]")[0], flags=re.MULTILINE)
    for found in re.findall(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL):
        yield re.sub(r"\\\n\s*", "", found).replace('\\"', '"').replace("{{", "{").replace("}}", "}")


def phrases():
    """Each phrase of Rust, whether users of the program meet it, and what it is in Python; `None` where it is met by nobody there."""
    table = (ROOT / "words/src/callers.rs").read_text()
    table = re.search(r"const PHRASES.*?\n\];", table, re.DOTALL)[0]
    rows = re.findall(r"rust:(.*?),\s*program:(.*?),\s*python:(.*?),\s*\}", table, re.DOTALL)
    assert len(rows) == table.count("Phrase {")
    for rust, program, python in rows:
        yield next(strings(rust)), "None" not in program, next(strings(python), None)


def test_helps_of_the_library_have_words_of_its_callers():
    known = list(phrases())
    assert len(known) > 8
    tables = [
        path
        for crate in ("shape", "core", "interop", "dlpack", "relayout", "algebra")
        for path in sorted((ROOT.parent / crate / "src").rglob("*.rs"))
        if "error_table!" in path.read_text()
    ]
    assert len(tables) >= 8
    foreign = [text for path in tables for text in strings(path.read_text()) if FOREIGN.search(text)]
    assert foreign
    in_python = [rust for rust, _, python in known if python is not None]
    in_program = [rust for rust, is_met, _ in known if is_met]
    for caller, words, others in [("Python", in_python, ELSEWHERE), ("the program", in_program, NOT_IN_THE_PROGRAM)]:
        unknown = [text for text in foreign if not any(phrase in text for phrase in [*words, *others])]
        assert not unknown, f"these have no words for {caller}: add them to PHRASES of words/src/callers.rs, and a call to its tests"
        unmet = [phrase for phrase in others if not any(phrase in text for text in foreign)]
        assert not unmet, "the library says these no more"


def test_every_phrase_is_met():
    # What is said in Python is that of a test above.
    said = []
    for wrong, _ in WRONG:
        with pytest.raises((ValueError, TypeError)) as error:
            wrong()
        said.append(str(error.value))
    for rust, _, python in phrases():
        assert not python or any(python in text for text in said), f"no test leads to `{rust}`"


def test_the_phrases_are_read_as_rust_does():
    assert list(strings('("a \\\n   b", "{{1}}") // "c"\n// "d"')) == ["a b", "{1}", "c"]
