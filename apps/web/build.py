#!/usr/bin/env python3
"""Builds the playground: one file, playground.html, which needs no server.

    python3 web/build.py [FOLDER] [--wasm FILE]

In the folder `apps`. FOLDER is `target/web` by default. It compiles the program for WebAssembly with cargo, packs it, and puts it with
the script and the style into the page. `--wasm` takes a program that is compiled already. Prints the sizes in bytes.
"""

import base64
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path

WEB = Path(__file__).resolve().parent
APPS = WEB.parent
EXAMPLE = APPS / "cli/tests/data/copies/conv_nchw.default.v5e.hlo"
TARGET = "wasm32-unknown-unknown"
# The most bytes of the file as a server sends it.
LIMIT = 450_000


def target_folder():
    return Path(os.environ.get("CARGO_TARGET_DIR") or APPS / "target")


def compiled():
    """Compiles the program, and returns its file."""
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    # The page is the same wherever it is built.
    flags = [f"--remap-path-prefix={APPS.parent}=xlayout", f"--remap-path-prefix={home}=cargo"]
    environment = os.environ | {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags)}
    words = ["cargo", "rustc", "--quiet", "--package=xlayout-web", "--lib", "--crate-type=cdylib", "--profile=web", f"--target={TARGET}"]
    subprocess.run(words, cwd=APPS, env=environment, check=True)
    return target_folder() / TARGET / "web/xlayout_web.wasm"


def shortened(text):
    """A script or a style without comments on lines of their own and without indentation."""
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def page(program):
    """The page with this program."""
    pictures = APPS / "view/src/picture"
    read = lambda path: path.read_text(encoding="utf-8")
    parts = {
        "style": shortened(read(pictures / "page.css") + read(pictures / "dark.css") + read(WEB / "page/style.css")),
        "script": shortened(read(pictures / "page.js") + read(WEB / "page/page.js")),
        "engine": shortened(read(WEB / "page/engine.js")),
        "example": read(EXAMPLE),
        "program": base64.b64encode(zlib.compress(program, 9)).decode(),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], read(WEB / "page/index.html"))


def main(words):
    wasm = None
    if "--wasm" in words:
        at = words.index("--wasm")
        wasm = Path(words[at + 1])
        del words[at : at + 2]
    folder = Path(words[0]) if words else target_folder() / "web"
    program = (wasm or compiled()).read_bytes()
    text = page(program)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "playground.html"
    file.write_text(text, encoding="utf-8")
    sent = len(zlib.compress(text.encode(), 9))
    print(f"{file}: {len(text.encode()):,} bytes, {sent:,} as a server sends it; the program {len(program):,} bytes")
    if sent > LIMIT:
        sys.exit(f"the page has more than {LIMIT:,} bytes: see web/DESIGN.md for what makes it small")


if __name__ == "__main__":
    main(sys.argv[1:])
