"""Runs `xlayout advise` for the CPU: python check.py XLAYOUT. This Python has jax.

With `model.py` the whole program; with the programs of `programs.py` its driver, whose modules are compared with what the `jit`
of each program compiles itself.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

# The programs are for four devices. The processes that are started have the same ones.
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
from jax import export
from jax.experimental.layout import Format, Layout
from jax.sharding import SingleDeviceSharding

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here))
import by_name
import programs

warnings.filterwarnings("ignore", message="Some donated buffers were not usable")
DRIVER = (here.parents[2] / "hlo/src/command/advise/driver.py").read_text()


class Driver:
    """The process that `advise` asks."""

    def __init__(self, folder, file, name=None, platform="cpu", device=""):
        words = [file, name or "f", f"{name}_args" if name else "args", platform, device]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        self.process = subprocess.Popen([sys.executable, "-c", DRIVER, *words], **pipes)
        self.module = folder / "module.hlo"
        self.start = json.loads(self.process.stdout.readline())

    def ask(self, ins, outs, **more):
        print(json.dumps({"to": str(self.module), "in": ins, "out": outs, **more}), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def compiled(self, ins={}, outs={}, **more):
        found = self.ask(ins, outs, **more)
        assert found == {}, found
        return plain(self.module.read_text())

    def pasted(self, ins, outs):
        lines = self.ask(ins, outs, paste=True)["paste"]
        words = {"Format": Format, "Layout": Layout, "s": SingleDeviceSharding(jax.devices()[0])}
        return eval(f"dict({', '.join(lines)})", words)

    def __enter__(self):
        assert self.start == {}, self.start
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def plain(text):
    """The module without the names and lines of Python, which are those of the program that calls the compiler."""
    text = re.sub(r",? metadata=\{[^}]*\}", "", text)
    return re.sub(r"\n(FileNames|FunctionNames|FileLocations|StackFrames)\n(\d.*\n)*", "\n", text)


def own(jitted, *given, **named):
    return plain(jitted.lower(*given, **named).compile().as_text())


def example(name):
    call, given = getattr(programs, name), getattr(programs, f"{name}_args")
    return call, given() if callable(given) else given


def check_model(xlayout):
    model = here / "model.py"
    command = [xlayout, "advise", str(model), "--cpu", "--python", sys.executable]
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


def check_programs(folder):
    """The program as it is: the same module, with the same memory."""
    aliased = set()
    file = str(here / "programs.py")
    names = [
        "donated", "donated_by_name", "static", "weak", "fsdp", "shardings_of_the_jit", "layouts_of_the_jit", "constrained",
        "options", "unused_are_kept", "unused_are_dropped", "kinds_of_memory", "no_jit", "method",
    ]
    for name in names:
        call, given = example(name)
        jitted = call if hasattr(call, "lower") else jax.jit(call)
        # `lower` of a bound method is that of the function.
        given = (call.__self__, *given) if hasattr(call, "__self__") else given
        module = own(getattr(call, "__func__", jitted), *given)
        aliased |= {name} if "input_output_alias" in module else set()
        with Driver(folder, file, name) as driver:
            assert driver.compiled() == module, name
            chosen = driver.ask({}, {}, auto=True)
            assert chosen == {}, (name, chosen)
            # What was compiled in between changes nothing.
            assert driver.compiled() == module, name
    assert aliased == {"donated", "donated_by_name", "static"}, aliased
    with Driver(folder, str(here / "by_name.py")) as driver:
        module = own(by_name.f, *by_name.args, **by_name.kwargs)
        assert driver.compiled() == module and "input_output_alias" in module
        (line,) = driver.ask({"1": [1, 0]}, {}, paste=True)["paste"]
        assert line == "in_shardings: of 2, [1]['state']: Format(Layout(major_to_minor=(1, 0)), s)", line


def check_layouts(folder):
    """The program with layouts: the same module as with the lines that are pasted, or with what a user writes."""
    file = str(here / "programs.py")
    first = SingleDeviceSharding(jax.devices()[0])
    turned = Format(Layout((1, 0)), first)
    cases = [
        ("donated", {"donate_argnums": 0}, {"0": [1, 0]}, {"0": [1, 0]}),
        ("donated", {"donate_argnums": 0}, {"1": [1, 0]}, {}),
        ("donated_by_name", {"donate_argnames": "state"}, {"1": [1, 0]}, {"0": [1, 0]}),
        ("donated_by_name", {"donate_argnames": "state"}, {}, {"1": [1, 0]}),
        ("static", {"static_argnums": 1, "static_argnames": "power", "donate_argnums": 0}, {"0": [1, 0]}, {"0": [1, 0]}),
        ("weak", {}, {"0": [1, 0]}, {}),
        # The module has one parameter, which is the second argument.
        ("unused_are_dropped", {}, {"0": [1, 0]}, {}),
        ("unused_are_kept", {"keep_unused": True}, {"1": [1, 0]}, {"0": [1, 0]}),
        ("options", {"compiler_options": {"xla_cpu_enable_fast_math": True}}, {"0": [1, 0]}, {}),
    ]
    for name, settings, ins, outs in cases:
        call, given = example(name)
        with Driver(folder, file, name) as driver:
            before = driver.compiled()
            pasted = driver.pasted(ins, outs)
            module = driver.compiled(ins, outs)
        assert module != before, name
        # An argument of the example in memory has a layout of its own, which is another one.
        given = jax.tree.map(lambda one: jax.ShapeDtypeStruct(one.shape, one.dtype) if hasattr(one, "shape") else one, given)
        assert module == own(jax.jit(call.__wrapped__, **settings, **pasted), *given), (name, pasted)
    call, given = example("layouts_of_the_jit")
    with Driver(folder, file, "layouts_of_the_jit") as driver:
        driver.compiled()
        module = driver.compiled({"0": [0, 1]}, {"0": [1, 0]})
    row_major = Format(Layout((0, 1)), first)
    assert module == own(jax.jit(call.__wrapped__, in_shardings=row_major, out_shardings=turned), *given)
    call, given = example("fsdp")
    with Driver(folder, file, "fsdp") as driver:
        driver.compiled()
        module = driver.compiled({"1": [1, 0]}, {"1": [1, 0]})
    shardings = [one.sharding for one in given]
    wanted = (shardings[0], Format(Layout((1, 0)), shardings[1]), shardings[2])
    results = call.lower(*given).compile().output_shardings
    wanted_results = (results[0], Format(Layout((1, 0)), results[1]))
    assert module == own(jax.jit(call.__wrapped__, in_shardings=wanted, out_shardings=wanted_results), *given)


def check_exports(folder):
    """An exported program donates and is sharded as before."""
    for name in ["donated", "fsdp"]:
        call, given = example(name)
        path = folder / f"{name}.bin"
        path.write_bytes(export.export(call)(*given).serialize())
        exported = export.deserialize(bytearray(path.read_bytes()))
        donate = {"donate_argnums": 0} if name == "donated" else {}
        with Driver(folder, str(path)) as driver:
            module = driver.compiled()
        direct = jax.jit(exported.call, **donate).lower(*given).compile()
        found = lambda text, pattern: re.findall(pattern, text.split("\n", 1)[0])
        for pattern in [r"input_output_alias=\{.*?\) \}", r"entry_computation_layout=.*?\)\}?,", r"num_partitions=\d+"]:
            assert found(module, pattern) == found(direct.as_text(), pattern), (name, pattern, module[:500])
        assert ("input_output_alias" in module) == (name == "donated")
        assert ("num_partitions=4" in module) == (name == "fsdp")


def check_refusals(folder):
    """What would be lost is refused, with the reason."""
    file = str(here / "programs.py")
    for name, platform, words in [
        ("calls_a_jit", "cpu", "`calls_a_jit` calls a `jit` that donates arguments, and is none itself"),
        ("wrapper", "cpu", "Wrapper, whose settings cannot be read"),
        ("ordered", "cpu", "ordered effects"),
        ("fsdp", "tpu", "the program names 4 devices of cpu, and `--device v5e:2x2` asks for tpu"),
        ("no_jit", "tpu", "the program names 1 device of cpu"),
    ]:
        start = Driver(folder, file, name, platform).start
        assert words in start.get("error", ""), (name, start)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    check_programs(folder)
    check_layouts(folder)
    check_exports(folder)
    check_refusals(folder)
if len(sys.argv) > 1:
    check_model(sys.argv[1])
