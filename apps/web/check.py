#!/usr/bin/env python3
"""Uses the playground in Chromium as a person does, at three widths, dark and light.

    python3 web/check.py PAGE [FOLDER]

In the folder `apps`. PAGE is what web/build.py wrote; pictures of what is seen go to FOLDER. Prints times, which decide nothing.
"""

import gzip
import json
import sys
import tempfile
import urllib.parse
from pathlib import Path

from browser import Browser, Failed, is_here

APPS = Path(__file__).resolve().parent.parent
DATA = APPS / "cli/tests/data"
MODULE = DATA / "copies/conv_nchw.default.v5e.hlo"
REPORT = DATA / "oom/tpu.txt"
# What is pasted, the fields that it needs, and how it is read.
NOTATIONS = [
    ("f32[2,3]{0,1}", {}, "the notation of XLA"),
    ("memref<2x3xf32, strided<[1, 2]>>", {}, "the notation of MLIR"),
    ("tensor<2x3xbf16>", {}, "the notation of MLIR, tensor"),
    ("(2,3):(1,2)", {"type": "f32"}, "the notation of CuTe"),
    ("Layout((1, 0), ((8, 128),))", {"sizes": "2,3", "type": "bf16"}, "the notation of JAX"),
    ("src_s8::blocked:AB8b64a2b::f0 64x13", {}, "the notation of oneDNN, verbose log"),
    ("nChw16c", {"sizes": "2,17,5,7", "type": "f32"}, "the notation of oneDNN"),
    ("NHWC8c", {"sizes": "2,17,5,7", "type": "f32", "axes": "NCHW"}, "the notation of TVM"),
    ("FRACTAL_NZ", {"sizes": "20,20", "type": "f16"}, "the name of a layout"),
    ("shape=(2, 3), strides=(4, 8), dtype='float32', order='F'", {}, "the notation of NumPy"),
    ("#tpu.tiled<(8,128)(2,1),[2,1]>", {"sizes": "16,256", "type": "bf16"}, "the notation of Mosaic"),
    ("torch.Size([2, 3]), stride=(1, 2), dtype=torch.bfloat16", {}, "the notation of PyTorch"),
    ("%0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [8] into %b : tensor<20x3xf32> -> tensor<3x3x8xf32>", {}, "the notation of linalg.pack"),
    ("dtype={kDLFloat, 32, 1}, shape={2, 3}, strides={1, 2}, byte_offset=0", {}, "the notation of DLPack"),
    ("shape=[2, 3], strides=[1, 2], layout=F (0x2), const ndim=2", {"type": "f32"}, "the notation of ndarray"),
    ("{0,1:T(8,128)}", {"sizes": "2,3", "type": "f32"}, "the notation of XLA"),
    ("Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)", {}, "the notation of CuTe"),
    ("#ttg.linear<{register=[[0,1]], lane=[[0,2],[1,0]], warp=[[2,0]], block=[]}>", {}, "the notation of Triton"),
    ("f32[4,6], sharding={devices=[2,1]<=[2]}", {}, "a sharding"),
]
# A mistake, what it says, what is marked, and the text that its first button writes.
MISTAKES = [
    ("f33[2,3]", "unknown element type f33", "f33", "f32[2,3]"),
    ("f32(2,3)", "dimensions are written in square brackets, found (", "(", "f32[2,3]"),
    ("f32[2x3]", "2x3 is not one number", "2x3", "f32[2,3]"),
    ("f32[2,3]{0,1", "this { is never closed", "{", "f32[2,3]{0,1}"),
    ("f32[2,3]{1,2}", "minor_to_major counts dimensions from 1", "{1,2}", "f32[2,3]{0,1}"),
    ("f32[2,3]{0}", "minor_to_major lists 1 dimension, but the shape has 2", "{0}", "f32[2,3]{1,0}"),
]
# Texts that are pasted where they do not belong.
OTHERS = ["", " ", "hello", "\u0000\u0001", "ä" * 300, "(" * 5000, "[" * 100 + "]" * 100, "f32[" + "9," * 3000 + "9]", "<script>alert(1)</script>", "%", "#layout&text=",
          "f32[99999999,99999999,99999999]", "HloModule m\n\nENTRY %e { ROOT %p = f32[8]{0} parameter(0) }", "s4[3]{0:E(4)}", "f32[]", "token[]", "f32[0,3]", "f32[<=8,3]", "🦀"]


def expect(is_true, what):
    if not is_true:
        raise Failed(what)


def address(page, part, **fields):
    return page.as_uri() + "#" + "&".join([part] + [f"{name}={urllib.parse.quote(text, safe='')}" for name, text in fields.items()])


def shown(browser):
    """Waits until the answer to what is in the fields is there."""
    browser.wait("return answer.dataset.number === String(number) && !working.textContent")


def opened(browser, page, part, **fields):
    browser.open("about:blank")
    browser.open(address(page, part, **fields))
    browser.wait("return typeof load === 'function'")
    shown(browser)


def text(browser, query):
    return browser.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent).join('\\n')", query)


def write(browser, query, words):
    """Puts a text into a field at once, as pasting does."""
    browser.run("const field = document.querySelector(arguments[0]); field.value = arguments[1]; field.dispatchEvent(new Event('input', { bubbles: true }));", query, words)
    shown(browser)


def notations(browser, page):
    for words, fields, name in NOTATIONS:
        opened(browser, page, "layout", text=words, **fields)
        expect(text(browser, ".badge") == f"Read as {name}", f"{words}: {text(browser, '.badge')} {text(browser, '#errors')}")
        expect(browser.run("return document.querySelectorAll('figure svg rect').length") > 1, f"{words}: no picture")
    print(f"  {len(NOTATIONS)} notations")


def mistakes(browser, page):
    for words, message, marked, fix in MISTAKES:
        opened(browser, page, "layout", text=words)
        expect(text(browser, ".message").splitlines()[0] == message, f"{words}: {text(browser, '.message')}")
        expect(text(browser, ".mistake mark").splitlines()[0] == marked, f"{words}: {text(browser, '.mistake mark')}")
        expect(browser.run("return field('text').getAttribute('aria-invalid')") == "true", f"{words}: the field is not marked")
        expect(browser.run("return errors.getAttribute('aria-live')") == "polite", "mistakes are not told")
        browser.click(".fixes button")
        shown(browser)
        expect(browser.run("return field('text').value") == fix, f"{words}: {browser.run('return field(`text`).value')}")
        expect(not text(browser, ".message"), f"{fix}: {text(browser, '.message')}")
    opened(browser, page, "layout", text="nChw16c")
    expect("Go to Sizes" in text(browser, ".fixes button"), text(browser, ".fixes"))
    browser.run("[...document.querySelectorAll('.fixes button')].find((one) => one.textContent === 'Go to Sizes').click()")
    expect(browser.run("return document.activeElement.name") == "sizes", "the button does not lead to the field")
    browser.type("#layout [name=sizes]", "2,17,5,7")
    browser.type("#layout [name=type]", "f32")
    shown(browser)
    expect("oneDNN" in text(browser, ".badge"), text(browser, "#errors"))
    print(f"  {len(MISTAKES)} mistakes and what to write")


def others(browser, page):
    """Every text has an answer or an error."""
    opened(browser, page, "layout", text="f32[2]")
    for part, query in [("layout", "#layout [name=text]"), ("compare", "#compare [name=a]"), ("algebra", "#algebra [name=a]"), ("module", "#module [name=module]")]:
        opened(browser, page, part, b="f32[2]")
        for words in OTHERS:
            write(browser, query, words)
            is_there = browser.run("return Boolean(answer.firstChild || errors.firstChild)")
            expect(is_there, f"{part}: {words[:40]!r} has no answer")
            expect("mistake of the page" not in text(browser, "#errors"), text(browser, "#errors"))
    expect(not [one for one in browser.messages() if "SEVERE" in one], "the console has errors")
    print(f"  {4 * len(OTHERS)} texts that do not belong there")


def parts(browser, page):
    """What one layout shows, and the buttons."""
    opened(browser, page, "layout", text="bf16[100,3]{1,0:T(8,128)(2,1)}", at="3,2", offset="261")
    everything = text(browser, "#answer")
    for words in ["97.7% is padding", "Modes", "Where it comes from".lower(), "Index [3,2]", "layout!(bf16[100,3]{1,0:T(8,128)(2,1)})", "NC4n128c2n, axes NC", "i0 % 2"]:
        expect(words in everything, f"the answer lacks {words!r}")
    for language, words in [("Rust", "const fn"), ("C", "static inline"), ("CUDA", "__device__"), ("WGSL", "-> u32"), ("MLIR", "affine_map"), ("Python", "def linear_index")]:
        browser.run("[...document.querySelectorAll('.languages [aria-pressed]')].find((one) => one.textContent === arguments[0]).click()", language)
        expect(words in text(browser, ".languages + pre"), f"{language}: {text(browser, '.languages + pre')[:80]}")
    # A permission that a test gives no browser: what is copied is noted instead.
    browser.run("window.copies = []; Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { copies.push(text); } } });"
                "window.saves = []; save = (name, content) => saves.push([name, content]);")
    count = browser.run("const all = [...document.querySelectorAll('#answer .copy')]; all.forEach((one) => one.click()); return all.length")
    copies = browser.wait("return copies.length === arguments[0] && copies", count)
    for words in ["layout!(bf16[100,3]{1,0:T(8,128)(2,1)})", "AB4a128b2a", browser.run("return location.href")]:
        expect(words in copies, f"{words!r} is not copied")
    browser.run("[...document.querySelectorAll('figcaption button')].forEach((one) => one.click())")
    saves = dict(browser.wait("return saves.length > 1 && saves"))
    expect(saves["layout.svg"].startswith("data:image/svg+xml"), "no SVG")
    expect(saves["layout.png"].startswith("data:image/png;base64,") and len(saves["layout.png"]) > 20000, "no PNG")
    # The element below the pointer, in the grid and in memory.
    browser.point("figure .cell")
    expect(browser.run("return document.querySelectorAll('.cell.same').length") == 2, "hover marks no element")
    expect("linear index" in text(browser, "#words"), text(browser, "#words"))
    browser.run("[...document.querySelectorAll('#answer h2 button')].find((one) => one.textContent === 'Compare').click()")
    browser.wait("return shown === 'compare'")
    expect(browser.run("return [field('a').value, document.activeElement.name].join()") == "bf16[100,3]{1,0:T(8,128)(2,1)},b", "Compare does not take the layout")
    print(f"  a layout: {count} texts to copy, SVG, PNG, six languages")


def compare(browser, page):
    opened(browser, page, "compare", a="f32[4,6]{1,0}", b="f32[4,6]{0,1}")
    for words in ["B needs a copy of A", "the minor_to_major lists differ", "reads 96 bytes, writes 96 bytes", "elements would lie elsewhere"]:
        expect(words in text(browser, "#answer"), f"the answer lacks {words!r}")
    expect(text(browser, ".side mark") == "1,0\n0,1", text(browser, ".side mark"))
    browser.point("figure .cell")
    expect(browser.run("return document.querySelectorAll('.cell.same').length") == 4, "an element is not marked in both arrays and memories")
    browser.click("#swap")
    shown(browser)
    expect(browser.run("return field('a').value") == "f32[4,6]{0,1}", "A and B are not swapped")
    for number in range(1, 1 + browser.run("return document.querySelectorAll('#compare .examples button').length")):
        browser.click(f"#compare .examples button:nth-of-type({number})")
        shown(browser)
        expect(text(browser, "#answer h2") and not text(browser, "#errors"), f"example {number}: {text(browser, '#errors')}")
    print("  two layouts")


def algebra(browser, page):
    opened(browser, page, "algebra", operation="compose", a="(6,2):(8,2)", b="(4,3):(3,1)")
    expect("(2,2,3):(24,2,8)" in text(browser, "#answer"), text(browser, "#answer"))
    for number in range(browser.run("return field('operation').options.length")):
        browser.run("field('operation').selectedIndex = arguments[0]; field('operation').dispatchEvent(new Event('input'))", number)
        shown(browser)
        expect(browser.run("return Boolean(answer.firstChild || errors.firstChild)"), f"operation {number} has no answer")
    for number in range(1, 1 + browser.run("return document.querySelectorAll('#algebra .examples button').length")):
        browser.click(f"#algebra .examples button:nth-of-type({number})")
        shown(browser)
        expect(browser.run("return document.querySelectorAll('figure svg').length") == 1 and not text(browser, "#errors"), f"example {number}: {text(browser, '#errors')}")
    expect(browser.run("return document.querySelectorAll('figure svg .cell').length") > 100, "the swizzle has no picture")
    print("  algebra")


def modules(browser, page, folder):
    packed = Path(folder) / "module.hlo.gz"
    packed.write_bytes(gzip.compress(MODULE.read_bytes()))
    large = Path(folder) / "large.hlo"
    for name, file, seen in [("text", MODULE, "Copies"), ("proto", DATA / "dump/cpu/module_0000.jit_f.cpu_after_optimizations.hlo.pb", "Memory"), ("gzip", packed, "Copies")]:
        opened(browser, page, "module")
        browser.type("#module [type=file]", str(file.resolve()))
        shown(browser)
        browser.wait("return document.querySelector('iframe') || errors.firstChild")
        browser.frame("iframe")
        words = browser.wait("return document.documentElement.dataset.ready && document.body.textContent")
        expect(seen in words and "at the peak" in words, f"{name}: {words[:200]}")
        expect(browser.run("return document.querySelectorAll('.plot path').length") > 0, f"{name}: no timeline")
        browser.frame(None)
        expect("sent nowhere" in text(browser, "#answer"), "the page does not say that it sends nothing")
    expect("nothing of it leaves this computer" in text(browser, "#module"), "the page does not say that it sends nothing")
    # Saved, its pictures are packed.
    opened(browser, page, "module", module=MODULE.read_text())
    whole, saved = browser.wait("return document.querySelector('iframe')") and browser.run("const { srcdoc } = document.querySelector('iframe'); return packed(srcdoc).then((saved) => [srcdoc, saved])")
    file = Path(folder) / "module.html"
    file.write_text(saved)
    browser.open(file.as_uri())
    names = browser.run("return pictures.then((all) => Object.keys(all))")
    expect(names and all(f'"{name}":"\\u003csvg' in whole for name in names) and len(saved) * 3 < len(whole), f"{names}: {len(saved)} of {len(whole)} bytes")
    # Dropped onto another part of the page.
    opened(browser, page, "layout", text="f32[2]")
    browser.run("const data = new DataTransfer(); data.items.add(new File([arguments[0]], 'dropped.hlo'));"
                "document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));", MODULE.read_text())
    browser.wait("return shown === 'module' && document.querySelector('iframe')")
    # A report that memory ran out.
    opened(browser, page, "module", module=REPORT.read_text())
    browser.wait("return document.querySelector('iframe')")
    browser.frame("iframe")
    words = browser.wait("return document.readyState === 'complete' && document.body.textContent")
    expect("64.0 GiB of 15.5 GiB, 48.5 GiB too much" in words and "not looked for in a browser" in words, words[:200])
    browser.frame(None)
    browser.click("#module .examples button:nth-of-type(2)")
    browser.wait("return document.querySelector('iframe')?.srcdoc.includes('Largest allocations')")
    # Written as a layout.
    opened(browser, page, "layout", text=MODULE.read_text())
    browser.run("[...document.querySelectorAll('#errors button')].find((one) => one.textContent === 'Read it in Module').click()")
    browser.wait("return shown === 'module' && document.querySelector('iframe')")
    # Pasted, with a part that is not read.
    opened(browser, page, "module")
    write(browser, "#module [name=module]", MODULE.read_text().replace("= f32[", "= f33[", 1).replace("= bf16[", "= bf61[", 1))
    browser.wait("return document.querySelector('iframe')")
    expect("could not be read" in text(browser, "#answer summary"), text(browser, "#answer"))
    for words, said in [("no module", "holds no HLO"), ("\u007fELF\u0002", "")]:
        write(browser, "#module [name=module]", words)
        browser.wait("return errors.firstChild")
        expect(said in text(browser, "#errors"), text(browser, "#errors"))
    # A module of 10 MB, and the time that it takes.
    line = b"  %c.NUMBER = f32[128,256]{1,0:T(8,128)} copy(%p), metadata={op_name=\"jit(f)/step\" source_file=\"a.py\" source_line=7}\n"
    body = b"".join(line.replace(b"NUMBER", str(k).encode()) for k in range(10_000_000 // len(line)))
    large.write_bytes(b"HloModule large, is_scheduled=true\n\nENTRY %e {\n  %p = f32[128,256]{0,1:T(8,128)} parameter(0)\n" + body + b"  ROOT %r = f32[] constant(0)\n}\n")
    opened(browser, page, "module")
    browser.run("window.longest = 0; new PerformanceObserver((list) => list.getEntries().forEach((one) => { longest = Math.max(longest, one.duration); })).observe({ type: 'longtask' });"
                "window.began = undefined; const ask = modules.ask; modules.ask = async (...all) => { began = performance.now(); const found = await ask(...all); window.took = performance.now() - began; return found; };")
    browser.type("#module [type=file]", str(large.resolve()))
    browser.wait("return window.took && document.querySelector('iframe')", seconds=60)
    print(f"  modules; one of 10 MB took {browser.run('return took'):.0f} ms in its worker, the longest task of the page {browser.run('return longest'):.0f} ms")
    # What does not fit into memory.
    opened(browser, page, "module")
    browser.run("const file = new File(['x'], 'huge.pb'); file.arrayBuffer = async () => { throw new RangeError('Array buffer allocation failed'); }; readFile(file)")
    browser.wait("return errors.textContent.includes('too large for the memory of this page')")


def stopping_program():
    """A program in WebAssembly with the functions of ours, of which the one that answers stops."""
    section = lambda number, items: bytes([number]) + sized(bytes([len(items)]) + b"".join(items))
    sized = lambda some: bytes([len(some)]) + some
    types = [b"\x60\x01\x7f\x01\x7f", b"\x60\x00\x00", b"\x60\x00\x01\x7f"]
    names = ["xlayout_input", "xlayout_run", "xlayout_output", "xlayout_length"]
    exports = [sized(b"memory") + b"\x02\x00"] + [sized(name.encode()) + bytes([0, k]) for k, name in enumerate(names)]
    # i32.const 8; unreachable; i32.const 0; i32.const 0
    code = [sized(b"\x00" + body + b"\x0b") for body in [b"\x41\x08", b"\x00", b"\x41\x00", b"\x41\x00"]]
    parts = [section(1, types), section(3, [b"\x00", b"\x01", b"\x02", b"\x02"]), section(5, [b"\x00\x10"]), section(7, exports), section(10, code)]
    return b"\x00asm\x01\x00\x00\x00" + b"".join(parts)


def beginnings(page):
    """While the program is unpacked, and where it cannot be, the page says so."""
    for script, query, words in [
        ("WebAssembly.compile = () => new Promise(() => {})", "#working", "Loading what the page computes with"),
        ("delete globalThis.WebAssembly", "#errors", "this browser has no WebAssembly"),
        ("delete globalThis.DecompressionStream", "#errors", "this browser does not run the page: DecompressionStream is not defined"),
        ("delete globalThis.Worker", "#errors", "this browser does not run the page: Worker is not defined"),
    ]:
        browser = Browser()
        try:
            browser.before(script)
            browser.open(address(page, "layout", text="f32[2]"))
            browser.wait("return document.querySelector(arguments[0]).textContent.includes(arguments[1])", query, words)
            if query == "#errors":
                expect("the program xlayout" in text(browser, query) and not text(browser, "#working"), text(browser, query))
                continue
            expect(browser.run("return getComputedStyle(document.querySelector('#working span')).visibility") == "hidden", "a page that loads is said to be too old")
            browser.run("document.querySelector('#working span').getAnimations()[0].finish()")
            expect(browser.run("return getComputedStyle(document.querySelector('#working span')).visibility") == "visible", "a page that stays is not explained")
        finally:
            browser.close()
    print("  the beginning, also without what the page needs")


def traps(browser, page):
    """A program that stops is told, and replaced."""
    opened(browser, page, "layout", text="f32[2]")
    browser.run("window.right = program; program = WebAssembly.compile(Uint8Array.from(arguments[0])); layouts.stop()", list(stopping_program()))
    write(browser, "#layout [name=text]", "f32[3]")
    expect("this is a mistake of the page" in text(browser, "#errors"), text(browser, "#errors"))
    browser.run("program = window.right; layouts.stop()")
    write(browser, "#layout [name=text]", "f32[4]")
    expect(not text(browser, "#errors") and "f32[4]{0}" in text(browser, "#answer h2"), text(browser, "#errors"))
    print("  a program that stops")


def keyboard(browser, page):
    """All by keys: parts, an example, a text, its picture, a copy."""
    opened(browser, page, "layout", text="f32[2,3]{0,1}")
    browser.run("document.getElementById('tab-layout').focus()")
    browser.press("Right")
    expect(browser.run("return [shown, document.activeElement.id].join()") == "compare,tab-compare", "arrows do not move between parts")
    browser.press("End")
    expect(browser.run("return shown") == "module", "End is not the last part")
    browser.press("Home", "Tab")
    expect(browser.run("return document.activeElement.name") == "text", "Tab does not lead to the text")
    browser.press("Tab", "Enter")
    shown(browser)
    expect("bf16[16,256]" in text(browser, "#answer h2"), "Enter does not take the example")
    # Every control is reached, and each has a name.
    browser.run("document.querySelector('#layout details').open = true; document.body.focus(); field('text').focus()")
    reached = []
    for _ in range(80):
        browser.press("Tab")
        found = browser.run("const one = document.activeElement; return one === document.body ? null : [one.tagName, one.getAttribute('aria-label') || one.labels?.[0]?.textContent.trim() || one.textContent.trim(), one.className.baseVal ?? one.className]")
        if found is None:
            break
        expect(found[1], f"{found[0]} has no name")
        reached.append(found)
    names = [name for _, name, _ in reached]
    for wanted in ["Copy XLA's text", "Save SVG", "Save PNG", "Copy the link", "Copy the text for Rust", "CUDA", "Copy the code", "Slice"]:
        expect(wanted in names, f"Tab does not reach {wanted!r}: {names}")
    browser.run("document.querySelector('.cell[tabindex=\"0\"]').focus()")
    browser.press("Right", "Down")
    expect(browser.run("return document.activeElement.getAttribute('aria-label')").startswith("[1, 1]"), "arrows do not move in the picture")
    print(f"  by keys: {len(reached)} controls")


def links(browser, page):
    opened(browser, page, "layout", text="x")
    write(browser, "#layout [name=text]", "memref<2x3xf32, strided<[1, 2]>> # 100% ä&=?")
    write(browser, "#layout [name=text]", "nChw16c")
    write(browser, "#layout [name=sizes]", "2,17,5,7")
    write(browser, "#layout [name=type]", "f32")
    link, before = browser.run("return location.href"), text(browser, "#answer")
    browser.open("about:blank")
    browser.open(link)
    browser.wait("return typeof load === 'function'")
    shown(browser)
    expect(text(browser, "#answer") == before, "a link shows something else")
    browser.run("location.hash = arguments[0]", "#algebra&operation=conflicts&a=32%3A32&swizzle=5%2C0%2C5")
    browser.wait("return shown === 'algebra'")
    shown(browser)
    expect("no bank conflicts" in text(browser, "#answer"), text(browser, "#answer"))
    for wrong in ["#nothing", "#layout&text", "#layout&text=%E4%", "#&&&=", "#compare&a=1&a=2&__proto__=3"]:
        browser.open("about:blank")
        browser.open(page.as_uri() + wrong)
        browser.wait("return typeof load === 'function'")
        shown(browser)
    # Nothing is sent: the browser refuses each connection.
    browser.run("window.refused = 0; addEventListener('securitypolicyviolation', () => { refused += 1; });"
                "fetch('http://127.0.0.1:9/').catch(() => {}); new Image().src = 'http://127.0.0.1:9/x.png'; navigator.sendBeacon('http://127.0.0.1:9/', 'x');")
    browser.wait("return refused === 3")
    print("  links; no connection")


def contrast(browser, page, pictures, name):
    """The contrast of every text, and no part that is wider than the window."""
    script = (APPS / "cli/contrast.js").read_text()
    states = {
        "layout": ("layout", {"text": "bf16[5,6]{1,0:T(4,4)}", "at": "3,2"}), "maps": ("layout", {"text": "Sw<3,3,3> o smem_ptr[16b](unset) o (8,64):(64,1)"}),
        "mistakes": ("layout", {"text": "float32[2.3]{0,0}"}), "tuple": ("layout", {"text": "(f32[2,3], bf16[100,3]{1,0:T(8,128)})"}), "empty": ("layout", {"text": ""}),
        "compare": ("compare", {"a": "bf16[8,12]{1,0}", "b": "bf16[8,12]{1,0:T(4,4)(2,1)}"}),
        "algebra": ("algebra", {"operation": "conflicts", "a": "32:32", "swizzle": "5,0,5"}), "module": ("module", {"module": MODULE.read_text()}),
        "report": ("module", {"module": REPORT.read_text()}),
    }
    for state, (part, fields) in states.items():
        opened(browser, page, part, **fields)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        browser.picture(pictures / f"{state}-{name}.png")
        wide = browser.run("return document.documentElement.scrollWidth - innerWidth")
        expect(wide <= 0, f"{state} {name}: the page is {wide} pixels wider than the window")
        for frame in [None, "iframe"] if part == "module" else [None]:
            if frame:
                browser.wait("return document.querySelector('iframe')")
                browser.frame(frame)
                browser.wait("return document.documentElement.dataset.ready || document.querySelector('pre.list')")
            found = browser.run(script + "; return { ...document.documentElement.dataset }")
            expect(found["low"] == "" and int(found["texts"]) > 3, f"{state} {name}: contrast below 4.5: {found}")
        browser.frame(None)
    print(f"  {name}: {len(states)} states, no text below 4.5")


def times(browser, page):
    browser.open("about:blank")
    browser.open(page.as_uri())
    # The mark is made in the frame after the picture.
    first = browser.wait("return performance.getEntriesByName('first picture')[0]?.startTime")
    opened(browser, page, "layout", text="f32[64,64]{1,0:T(8,32)}", rows="64", columns="64")
    cells = browser.wait("return document.querySelectorAll('.cell').length")
    browser.run("window.all = []; const seen = show; show = (...given) => { seen(...given); all.push(performance.now() - began); };"
                "window.again = () => { window.began = performance.now(); field('text').dispatchEvent(new Event('input')); }")
    for k in range(7):
        browser.run("again()")
        browser.wait("return all.length > arguments[0] && document.querySelector('.cell')", k)
    print(f"  the first picture {first:.0f} ms after the beginning; an answer of {cells} cells in {sorted(browser.run('return all'))[3]:.0f} ms")


def main():
    page = Path(sys.argv[1]).resolve()
    if not is_here():
        return
    with tempfile.TemporaryDirectory() as folder:
        pictures = Path(sys.argv[2] if len(sys.argv) > 2 else folder)
        pictures.mkdir(parents=True, exist_ok=True)
        browser = Browser()
        try:
            for check in [notations, mistakes, others, parts, compare, algebra, traps, keyboard, links, times]:
                check(browser, page)
            modules(browser, page, folder)
        finally:
            browser.close()
        beginnings(page)
        for width in [360, 768, 1280]:
            for dark in [False, True]:
                browser = Browser(dark, width)
                try:
                    contrast(browser, page, pictures, f"{width}-{'dark' if dark else 'light'}")
                finally:
                    browser.close()


if __name__ == "__main__":
    try:
        main()
    except Failed as error:
        sys.exit(f"  {error}")
