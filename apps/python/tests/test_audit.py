"""`xlayout.audit`."""

import gzip
import json
import pathlib
import re

import pytest

import xlayout

ROOT = pathlib.Path(__file__).parents[2]
DATA = ROOT / "cli" / "tests" / "data" / "hlo"
# What the TPU compiler printed. Of two copies, another layout of the result removes the second one.
CUMSUM = ROOT / "cli/tests/data/pairs/cumsum_mid.default.v5e.hlo"
PASTE = "out_shardings=Format(Layout(major_to_minor=(1, 0, 2)), s)"
MODULE = """HloModule m, is_scheduled=true

ENTRY %e {
  %p = f32[8,100]{1,0:T(8,128)} parameter(0)
  ROOT %c = f32[8,100]{0,1:T(8,128)} copy(%p), metadata={op_name="jit(f)/transpose" source_file="f.py" source_line=7}
}
"""


def test_a_copy_has_its_remedy():
    _, copy = xlayout.audit(CUMSUM).copies
    (remedy,) = copy.remedies
    assert remedy.startswith("Advice  would remove %copy.1, 14.2 MiB read and written") and PASTE in remedy
    assert str(copy).endswith(remedy)


def test_a_copy_has_its_cause():
    found = xlayout.audit(MODULE)
    (copy,) = found.copies
    assert (copy.module, copy.instruction, copy.opcode, copy.kind) == ("m", "c", "copy", "layout")
    assert copy.bytes == 8 * 128 * 4 + 104 * 128 * 4 and copy.executions == 1
    assert (copy.op_name, copy.source) == ("jit(f)/transpose", "f.py:7")
    assert "parameter 0" in copy.cause
    assert copy.remedies == ()
    assert str(copy).startswith("%c  56.0 KiB: layout, copy in e\n")
    (space,) = found.memory
    assert (space.space, space.peak_bytes, space.at) == (0, copy.bytes, "c")
    assert found.memory.space(0) == (space,) and not found.memory.space(1)
    assert [buffer["instruction"] for buffer in space.buffers] == ["c", "p"]
    assert found.padding_bytes == copy.bytes - 2 * 800 * 4
    assert found.mistakes == ()


def test_the_summary_has_copies_memory_and_padding():
    text = str(xlayout.audit(MODULE))
    for words in ("makes 1 copy", "why: ", "memory space", "Worst paddings"):
        assert words in text
    assert "\x1b" not in text and PASTE in str(xlayout.audit(CUMSUM))


@pytest.mark.parametrize("name", ["transformer_grad.v5e.hlo", "int8_matmul.v5e.hlo"])
def test_modules_of_a_tpu(name):
    path = DATA / name
    found = xlayout.audit(path)
    whole = found.to_dict()
    assert json.loads(json.dumps(whole)) == whole
    assert [copy["instruction"] for copy in whole["copies"]] == [copy.instruction for copy in found.copies]
    assert found.copied_bytes == sum(int(module["bytes"]) for module in whole["modules"])
    assert found.memory.peak_bytes == sum(int(module["peak_bytes"]) for module in whole["memory"])
    assert "--top" not in str(found)
    for again in (path.read_text(), gzip.compress(path.read_bytes()), bytearray(path.read_bytes())):
        assert [copy.bytes for copy in xlayout.audit(again).copies] == [copy.bytes for copy in found.copies]


def test_the_page_needs_nothing_else():
    found = xlayout.audit(MODULE)
    page = found.to_html()
    assert page.startswith("<!doctype html>") and "f32[8,100]" in page
    assert not re.findall(r"""(?:src|href)=["']?https?:""", page)
    frame = found._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and frame.count('"') == 8


def test_assertions_show_the_copies():
    with pytest.raises(AssertionError) as error:
        xlayout.audit(CUMSUM).assert_no_copies()
    text = str(error.value)
    assert "makes 2 copies:\n\n%copy  14.2 MiB" in text and "why: " in text and PASTE in text
    found = xlayout.audit(MODULE)
    found.assert_no_copies(min_bytes=found.copies[0].bytes + 1)
    with pytest.raises(AssertionError, match="of 57,344 bytes or more"):
        found.assert_no_copies(min_bytes=found.copies[0].bytes)
    found.assert_no_copies(kinds=["memory_space"])


def test_a_program_of_jax():
    jax = pytest.importorskip("jax")

    def step(x, w):
        h = jax.numpy.tanh(x @ w)
        return h.reshape(8, 16, 64).transpose(1, 0, 2), h.T

    x, w = (jax.ShapeDtypeStruct(shape, "float32") for shape in ((128, 64), (64, 64)))
    lowered = jax.jit(step).lower(x, w)
    compiled = lowered.compile()
    found = xlayout.audit(compiled)
    assert repr(found).startswith("<xlayout.Audit of jit_step: ")
    assert found.memory.peak_bytes >= 4 * (128 * 64 + 64 * 64 + 64 * 128)
    assert any("test_audit.py:" in (copy.source or "") for copy in found.copies)
    (module,) = compiled.runtime_executable().hlo_modules()
    proto = xlayout.audit(module.as_serialized_hlo_module_proto())
    assert [copy.bytes for copy in proto.copies] == [copy.bytes for copy in found.copies]
    with pytest.raises(TypeError, match="the program is not compiled: call `.compile\\(\\)` first"):
        xlayout.audit(lowered)


@pytest.mark.parametrize(
    "input, error, words",
    [
        (b"", ValueError, "`module` is empty"),
        (b"abc", ValueError, "`module` holds no HLO"),
        (b"\x0a\xff\xff\xff", ValueError, "module"),
        ("a\nb", ValueError, "holds no HLO"),
        ("no such file", FileNotFoundError, "no such file"),
        (3, TypeError, "a compiled program, HLO or a path is audited, and a int was found"),
        (None, TypeError, "NoneType"),
        (b"Ran out of memory in memory space hbm. Used 2.00G of 1.00G hbm.", ValueError, "a report of XLA that ran out of memory, and no HLO"),
    ],
)
def test_what_is_no_hlo(input, error, words):
    with pytest.raises(error, match=words):
        xlayout.audit(input)


def test_what_cannot_be_read_is_told():
    found = xlayout.audit(MODULE.replace("ROOT", "%b = f33[2]{0} add(%p, %p)\n  ROOT"))
    assert len(found.copies) == 1
    assert len(found.mistakes) == 1 and "f33" in found.mistakes[0]
    assert str(found).startswith("1 part of m could not be read, so that copies may be missing:") and "f33" in str(found)
    assert repr(found).endswith("; 1 part not read>")
    # A part that could not be read may copy.
    for kinds in (["memory_space"], ["layout", "rearrange"]):
        with pytest.raises(AssertionError, match="1 part of m could not be read") as error:
            found.assert_no_copies(min_bytes=1 << 40, kinds=kinds)
        assert "f33" in str(error.value)
    with pytest.raises(AssertionError, match="(?s)makes 1 copy:.*could not be read"):
        found.assert_no_copies()
    whole = xlayout.audit(MODULE)
    assert "not read" not in repr(whole) and "could not be read" not in str(whole)


def test_half_a_module_is_no_panic():
    text = (DATA / "int8_matmul.v5e.hlo").read_bytes()
    for length in range(0, len(text), max(1, len(text) // 30)):
        try:
            xlayout.audit(text[:length])
        except ValueError:
            pass
