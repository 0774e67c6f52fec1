"""Runs `xlayout advise` on `model.py` for the CPU: python check.py XLAYOUT. This Python has jax."""

import json
import pathlib
import subprocess
import sys

model = pathlib.Path(__file__).with_name("model.py")
command = [sys.argv[1], "advise", str(model), "--cpu", "--python", sys.executable]
told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
print(told)
answer = json.loads(subprocess.run([*command, "--json"], check=True, capture_output=True, text=True).stdout)
before, after, trials = answer["before"], answer["after"], answer["trials"]
kept = [trial for trial in trials if trial["kept"]]
assert trials and all(trial["error"] is None for trial in trials), trials
assert all(after[name] <= before[name] for name in before), (before, after)
# What was kept last is what is pasted.
assert bool(answer["paste"]) == bool(kept)
assert not kept or after == kept[-1]["figures"], (after, kept)
assert all(line.strip() in told for line in answer["paste"])

missing = subprocess.run([*command, "--function", "g"], capture_output=True, text=True)
assert missing.returncode == 3 and "the file does not define `g`" in missing.stderr, missing.stderr
