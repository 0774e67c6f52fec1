#!/usr/bin/env python3
"""Builds the playground: one file, playground.html, which needs no server.

    python3 web/build.py [FOLDER]

In the folder `apps`. FOLDER is `target/web` by default. It compiles the program for WebAssembly with cargo, packs it, and puts it with
the script and the style into the page. Prints the sizes in bytes.
"""

import base64
import lzma
import os
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import parts

WEB = Path(__file__).resolve().parent
APPS = WEB.parent
EXAMPLE = APPS / "cli/tests/data/copies/conv_nchw.default.v5e.hlo"
REPORT = APPS / "cli/tests/data/oom/gpu.txt"
TARGET = "wasm32-unknown-unknown"
# The most bytes of the file as a server sends it. The folder in which it is built changes about 150 of them.
LIMIT = 643_500


def target_folder():
    return APPS / (os.environ.get("CARGO_TARGET_DIR") or "target")


def compiled(package):
    """Compiles a package for WebAssembly, and returns the program."""
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    # The page is the same wherever it is built.
    flags = [f"--remap-path-prefix={APPS.parent}=xlayout", f"--remap-path-prefix={home}=cargo", "--cfg=xlayout_describes_only"]
    # No number is longer than it is, which web/parts.py needs.
    flags.append("-Clink-arg=--compress-relocations")
    environment = os.environ | {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags)}
    words = ["--quiet", f"--package={package}", "--lib", "--crate-type=cdylib", "--profile=web", f"--target={TARGET}", f"--target-dir={target_folder()}"]
    subprocess.run(["cargo", "rustc", *words], cwd=APPS, env=environment, check=True)
    return (target_folder() / TARGET / "web" / f"{package.replace('-', '_')}.wasm").read_bytes()


def packed(sorted_program):
    """The parts of a program as `web/unpack` reads them: those of numbers of 32 bits, behind of how many bytes to how many they are packed, and the others."""
    numbers = parts.length_of_numbers(sorted_program)
    filters = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 23, "nice_len": 273, "pb": 2}
    pack = lambda some, **literals: lzma.compress(some, format=lzma.FORMAT_RAW, filters=[filters | literals])
    first = pack(sorted_program[:numbers], lc=1, lp=2)
    return struct.pack(">2I", len(first), numbers) + first + pack(sorted_program[numbers:], lc=3, lp=0)


def shortened(text):
    """A script or a style without comments on lines of their own and without indentation."""
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def page(unpacker, program):
    """The page with these programs."""
    pictures = APPS / "view/src/picture"
    read = lambda path: path.read_text(encoding="utf-8")
    digits = lambda some: base64.b64encode(some).decode()
    sorted_program = parts.of_program(program)
    texts = {
        "style": shortened(read(pictures / "page.css") + read(pictures / "dark.css") + read(WEB / "page/style.css")),
        "script": shortened(read(pictures / "page.js") + read(WEB / "page/page.js")),
        "engine": shortened(read(WEB / "page/engine.js")),
        "example": read(EXAMPLE),
        "report": read(REPORT),
        "unpacker": digits(zlib.compress(unpacker, 9)),
        "program": digits(packed(sorted_program)),
        "parts": str(len(sorted_program)),
        "size": str(len(program)),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: texts[found[1]], read(WEB / "page/index.html"))


def main(words):
    folder = Path(words[0]) if words else target_folder() / "web"
    unpacker, program = compiled("xlayout-web-unpack"), compiled("xlayout-web")
    text = page(unpacker, program).encode()
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "playground.html"
    file.write_bytes(text)
    sent = len(zlib.compress(text, 9))
    print(f"{file}: {len(text):,} bytes, {sent:,} as a server sends it; the program has {len(program):,} bytes, unpacked")
    if sent > LIMIT:
        sys.exit(f"as a server sends it, it has more than {LIMIT:,} bytes: see web/DESIGN.md for what makes it small")


if __name__ == "__main__":
    main(sys.argv[1:])
