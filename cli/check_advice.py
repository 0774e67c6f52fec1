"""Compiles every piece of advice of `xlayout hlo copies` again, and says which kept its promise.

    python3 cli/check_advice.py XLAYOUT COMPILE FOLDER [CHIP]

COMPILE is a script that compiles a model of FOLDER with layouts of its own:
    python COMPILE CHIP OUTDIR MODEL --in 1=0,2,1 --out 0=1,0
and writes OUTDIR/MODEL.given.CHIP.hlo. It needs the packages jax and libtpu, and no TPU. FOLDER holds MODEL.default.CHIP.hlo.
A promise is kept if the new module has one copy less between the same two layouts, for each copy that the advice names.

Two things it does not see. It finds the operations copy, reshape and transpose only: advice that names a copy-start or a
fusion is called BROKEN, even if the new module does not have it. And it does not look at copies that the new module has
elsewhere: `xlayout hlo diff` of the two modules lists them.
"""

import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

xlayout, script, folder = sys.argv[1:4]
chip = sys.argv[4] if len(sys.argv) > 4 else "v5e:2x2"
name = chip.split(":")[0]


def copies(text):
    """Operations that change a layout or a shape: name, arrays before and after, without memory spaces."""
    text = re.sub(r"S\(\d+\)", "", text)
    shapes = dict(re.findall(r"%?([\w.\-]+) = ([a-z]\w*\[[^ ]*) ", text))
    found = re.findall(r"%?([\w.\-]+) = ([a-z][^ ]*) (?:copy|reshape|transpose)\(%?([\w.\-]+)\)", text)
    return [(one, shapes[of], to) for one, to, of in found if shapes.get(of, to) != to]


def order(layout):
    """`{0,2,1:T(8,128)}` as a major_to_minor."""
    return ",".join(reversed(re.match(r"\{([\d,]*)", layout)[1].split(",")))


kept = failed = 0
for file in sorted(glob.glob(f"{folder}/*.default.{name}.hlo")):
    model = os.path.basename(file).split(".")[0]
    answer = subprocess.run([xlayout, "hlo", "copies", "--json", file], capture_output=True, text=True, check=True)
    groups = collections.defaultdict(list)
    for cure in json.loads(answer.stdout)["cures"]:
        groups[tuple(cure["removes"])].append(cure)
    before = copies(open(file).read())
    for removes, cures in groups.items():
        given = []
        for cure in cures:
            side, number = ("--in", cure["parameter"]) if "parameter" in cure else ("--out", cure["result"])
            given += [side, f"{number}={order(cure['layout'])}"]
        with tempfile.TemporaryDirectory() as out:
            subprocess.run([sys.executable, script, chip, out, model, *given], capture_output=True, check=True)
            after = copies(open(f"{out}/{model}.given.{name}.hlo").read())
        was, now = (collections.Counter(one[1:] for one in all_) for all_ in (before, after))
        gone = collections.Counter(one[1:] for one in before if one[0] in removes)
        is_kept = bool(gone) and all(now[one] <= was[one] - count for one, count in gone.items())
        kept, failed = kept + is_kept, failed + (not is_kept)
        print("kept  " if is_kept else "BROKEN", model, " ".join(given), "removes", ", ".join(removes))
print(f"{kept} of {kept + failed} pieces of advice kept their promise")
sys.exit(failed > 0)
