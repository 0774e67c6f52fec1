"""Compiles every piece of advice of `xlayout hlo copies` again, and says whether the new module is worse.

    python3 cli/check_advice.py XLAYOUT COMPILE FOLDER [CHIP [MODEL...]]

COMPILE is a script that compiles a model of FOLDER with layouts of its own:
    python COMPILE CHIP OUTDIR MODEL --in 1=0,2,1 --out 0=1,0
and writes OUTDIR/MODEL.given.CHIP.hlo. It needs the packages jax and libtpu, and no TPU. FOLDER holds MODEL.default.CHIP.hlo.

Each piece is tried alone, and all that pay together. Advice that pays must pass `xlayout hlo diff --fail-on worse`: no more bytes in copies,
no more padding, no higher peak. And it must save something: bytes of copies and moves together, or of the peak. What may not pay is tried, too, and shown; whatever comes of it is no failure.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

xlayout, script, folder = sys.argv[1:4]
chip = sys.argv[4] if len(sys.argv) > 4 else "v5e:2x2"
models = sys.argv[5:]
name = chip.split(":")[0]
MIB = 1 << 20


def ask(*question):
    answer = subprocess.run([xlayout, "hlo", *question, "--json"], capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)


def figures(file):
    """Bytes of copies, of moves between memory spaces, and at the peak."""
    module = ask("copies", file)["modules"][0]
    moved = module["moved_bytes"]
    return module["bytes"] - moved, moved, ask("memory", file)["peak_bytes"]


def order(layout):
    """`{0,2,1:T(8,128)}` as a major_to_minor."""
    return ",".join(reversed(re.match(r"\{([\d,]*)", layout)[1].split(",")))


def options(cures):
    for cure in cures:
        side, number = ("--in", cure["parameter"]) if "parameter" in cure else ("--out", cure["result"])
        yield from [side, f"{number}={order(cure['layout'])}"]


def tried(file, model, cures):
    """Whether the module is better with these layouts, and how the figures change. None if it cannot be compiled so."""
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([sys.executable, script, chip, out, model, *options(cures)], capture_output=True)
        given = f"{out}/{model}.given.{name}.hlo"
        if not os.path.exists(given):
            return None
        diff = subprocess.run([xlayout, "hlo", "diff", file, given, "--fail-on", "worse"], capture_output=True)
        copied, moved, peak = changes = [(b - a) / MIB for a, b in zip(figures(file), figures(given))]
        return diff.returncode == 0 and (copied + moved < 0 or peak < 0), changes


counts = {"pays": 0, "HOLLOW": 0, "not tried": 0, "may pay": 0, "would not pay": 0}
for file in sorted(glob.glob(f"{folder}/*.default.{name}.hlo")):
    model = os.path.basename(file).split(".")[0]
    if models and model not in models:
        continue
    groups = {}
    for cure in ask("copies", file)["cures"]:
        groups.setdefault(tuple(cure["removes"]), []).append(cure)
    paying = [cures for cures in groups.values() if not cures[0]["may_not_pay"]]
    doubtful = [cures for cures in groups.values() if cures[0]["may_not_pay"]]
    if len(paying) > 1:
        paying.append(sum(paying, []))
    for cures, words in [(cures, ("pays", "HOLLOW")) for cures in paying] + [
        (cures, ("may pay", "would not pay")) for cures in doubtful
    ]:
        result = tried(file, model, cures)
        word = "not tried" if result is None else words[not result[0]]
        counts[word] += 1
        change = "the script cannot compile it" if result is None else "copies %+.2f, moves %+.2f, peak %+.2f MiB" % tuple(result[1])
        print(f"{word:14}{model} {' '.join(options(cures))}: {change}", flush=True)
print(", ".join(f"{count} {word}" for word, count in counts.items()))
sys.exit(counts["HOLLOW"] > 0)
