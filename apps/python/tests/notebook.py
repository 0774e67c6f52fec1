"""Executes a notebook about copies, and writes what it shows as a page: `notebook.py NOTEBOOK PAGE`."""

import re
import sys

import nbclient
import nbformat

notebook, page = sys.argv[1:]
cells = nbformat.read(notebook, as_version=4)
for cell in cells.cells:
    assert not cell.get("outputs"), f"{notebook} is kept without its output: clear it"
nbclient.NotebookClient(cells, timeout=300, kernel_name="python3").execute()
shown, kinds, texts = [], set(), []
for cell in cells.cells:
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        kinds |= set(data)
        texts.append(output.get("text", "") + data.get("text/plain", ""))
        picture = data.get("image/svg+xml") or data.get("text/html")
        shown.append(picture or f"<pre>{output.get('text', '')}</pre>")
missing = {"image/svg+xml", "text/html"} - kinds
assert not missing, f"{notebook} shows nothing of {missing}"
# The summary, and the failure of a test, tell copies: a program that makes none shows nothing.
told = [text for text in texts if re.search(r"makes [1-9][\d,]* cop(y|ies)", text)]
assert len(told) >= 2, f"{notebook}: {len(told)} of its outputs tell of copies: choose a program that this version of JAX copies for"
with open(page, "w", encoding="utf-8") as file:
    file.write("<!doctype html><meta charset='utf-8'>" + "\n".join(shown))
print(f"  {notebook}: {sum(cell.cell_type == 'code' for cell in cells.cells)} cells, {len(shown)} outputs")
