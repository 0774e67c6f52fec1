"""The files of GitHub are YAML with the keys that they need, their scripts pass `bash -n`, and the files that they name exist."""

import pathlib
import re
import subprocess

import yaml

# Of the clone.
ROOT = pathlib.Path(__file__).parents[3]

files = sorted((ROOT / ".github").rglob("*.yml"))
assert len(files) >= 3
for file in files:
    text = file.read_text()
    for path in re.findall(r"apps/[\w./-]+", text):
        # What is built is not there yet.
        is_built = {"dist", "target"} & set(path.split("/"))
        assert is_built or (ROOT / path).exists(), f"{file} names {path}"
    content = yaml.safe_load(text)
    # `on` is the word for true in YAML.
    jobs = content.get("jobs") or {"action": content["runs"]}
    assert "runs" in content or (content["name"] and content[True])
    for name, job in jobs.items():
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), f"{file}: {name}: {step}"
            if step.get("uses", "").startswith("./"):
                assert (ROOT / step["uses"] / "action.yml").is_file()
            script = step.get("run", "")
            # What GitHub puts in is a word.
            plain = re.sub(r"\$\{\{.*?\}\}", "word", script)
            subprocess.run(["bash", "-n"], input=plain, text=True, check=True)
            for path in re.findall(r"\.github/[\w./-]+\.sh", script):
                assert (ROOT / path).is_file(), f"{file} names {path}"
print(f"  {len(files)} workflows and actions")
