#!/usr/bin/env python3
"""What xlayout costs to compile, as ratios within one run.

    python3 benches/compile/run.py            all tables
    python3 benches/compile/run.py --check    fails where a ratio is more than 10% above recorded.json
    python3 benches/compile/run.py --record   writes recorded.json

Cold build: the facade beside syn (parsing, printing), quote and proc-macro2, from an empty folder.
The builds alternate, and the least time of each counts. Times vary by 10% on a shared machine, so
--check and --record look at none of them: they count the instructions of rustc in one cold build
of the facade, and divide by those for syn, quote, proc-macro2 and unicode-ident in that build. This
ratio is larger than the one of the times, because rustc builds what a macro needs without debug
information.
One more use of `layout!`: rustc on crates with 60 and 120 uses; the difference, for each use. By hand
is a const-generic type with the same constants. Instructions, counted by valgrind: they are the same
within 1% on a busy machine, where times are not.
Many uses: processor time and peak memory of rustc for 5,000 and 10,000 uses.
"""
import argparse, concurrent.futures, json, os, pathlib, platform, re, resource, shutil, statistics
import subprocess, sys, tempfile, time, tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDED = pathlib.Path(__file__).with_name("recorded.json")
TOLERANCE = 1.10
FEW, MORE = 60, 120
# What every procedural macro needs.
STACK = ("syn", "quote", "proc-macro2", "unicode-ident")
HAND = """
pub struct Mode { pub dim: usize, pub divisor: usize, pub size: usize, pub stride: usize }
pub struct Hand<T, const M: usize, const N: usize>(std::marker::PhantomData<T>);
impl<T, const M: usize, const N: usize> Hand<T, M, N> {
    pub const BUFFER_LEN: usize = M * N;
    pub const BYTES: usize = Self::BUFFER_LEN * size_of::<T>();
    pub const MODES: &'static [Mode] = &[
        Mode { dim: 0, divisor: 1, size: M, stride: 1 },
        Mode { dim: 1, divisor: 1, size: N, stride: M },
    ];
}
"""
# The type, and whether LEN, BYTES and MODES are evaluated.
KINDS = {
    "by hand": ("Hand<f32, {m}, {n}>", True),
    "alias": ("xlayout::layout!(f32[{m},{n}]{{0,1}})", False),
    "evaluated": ("xlayout::layout!(f32[{m},{n}]{{0,1}})", True),
    "tiled": ("xlayout::layout!(bf16[{m},{n}]{{1,0:T(8,128)(2,1)}})", True),
}


def uses(kind, count):
    """A crate with so many different layouts."""
    text, evaluated = KINDS[kind]
    lines = [HAND if kind == "by hand" else ""]
    for k in range(count):
        lines.append(f"pub type A{k} = {text.format(m=3 + k % 61, n=5 + k // 61)};\n")
        if evaluated:
            lines.append(f"pub const C{k}: usize = A{k}::BUFFER_LEN + A{k}::BYTES + A{k}::MODES.len();\n")
    return "".join(lines)


def package(folder, name, dependencies):
    (folder / name / "src").mkdir(parents=True)
    (folder / name / "src/lib.rs").touch()
    (folder / name / "Cargo.toml").write_text(
        f'[workspace]\n[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2024"\n'
        f"[dependencies]\n{dependencies}\n")


def build(folder, name, *options, **variables):
    """Wall and processor seconds of a build, and what cargo prints."""
    env = dict(os.environ, CARGO_INCREMENTAL="0", CARGO_TARGET_DIR=str(folder / "target" / name), **variables)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = ["cargo", "build", "-q", *options]
    out = subprocess.run(command, cwd=folder / name, env=env, check=True, stdout=subprocess.PIPE, text=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out.stdout


def refs(log):
    """How many instructions valgrind counted, or nothing."""
    found = re.search(r"I\s+refs:\s+([\d,]+)", log)
    return int(found[1].replace(",", "")) if found else None


def cold_instructions(folder):
    """The instructions of rustc in a cold build of the facade, for each package."""
    counts = folder / "counts"
    counts.mkdir()
    wrapper = pathlib.Path(__file__).with_name("counted-rustc.sh")
    build(folder, "facade", COUNTS=str(counts), RUSTC_WRAPPER=str(wrapper))
    packages = {}
    for log in counts.iterdir():
        # A linker that rustc starts has a log of its own, without a count.
        name, count = log.name.rpartition(".")[0], refs(log.read_text())
        packages[name] = packages.get(name, 0) + (count or 0)
    packages.pop("cargo", None)  # cargo asks for rustc's version, however much there is to build
    missing = [name for name in (*STACK, "xlayout") if not packages.get(name)]
    if missing:
        sys.exit(f"error: no instructions were counted for {', '.join(missing)}")
    stack = sum(packages[name] for name in STACK)
    print("| cold build | instructions of rustc, millions | to syn's stack |\n|---|---|---|")
    for name, count in sorted(packages.items(), key=lambda item: -item[1]):
        print(f"| {name} | {count / 1e6:,.0f} | {count / stack:.2f} |")
    whole = sum(packages.values())
    print(f"| all | {whole / 1e6:,.0f} | {whole / stack:.2f} |\n")
    return {"cold build, instructions": whole / stack}


def cold_builds(folder, names, rounds):
    """The least wall and processor seconds of cold builds."""
    times = {}
    for _ in range(rounds):  # in turns, so that other programs slow all of them
        for name in names:
            shutil.rmtree(folder / "target" / name, ignore_errors=True)
            times.setdefault(name, []).append(build(folder, name)[:2])
    return {name: [min(t[i] for t in times[name]) for i in (0, 1)] for name in names}


class Rustc:
    """rustc itself, on one file that uses the facade."""

    def __init__(self, folder):
        self.folder = folder
        out = build(folder, "facade", "--message-format=json")[2]
        messages = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
        artifacts = [m for m in messages if m["reason"] == "compiler-artifact"]
        facade = next(m for m in artifacts if m["target"]["name"] == "xlayout")
        self.library = next(f for f in facade["filenames"] if f.endswith(".rlib"))
        sysroot = subprocess.check_output(["rustc", "--print", "sysroot"], text=True).strip()
        self.program, self.libraries = f"{sysroot}/bin/rustc", f"{sysroot}/lib"

    def command(self, kind, count):
        out = self.folder / f"{kind.replace(' ', '_')}_{count}"
        out.mkdir(exist_ok=True)
        source = out / "uses.rs"
        source.write_text(uses(kind, count))
        # As cargo's profile `dev` does.
        return [self.program, "--edition=2024", "--crate-type=lib", "--crate-name=uses", "--emit=metadata,link",
                "-Cdebuginfo=2", "-Ccodegen-units=256", f"--out-dir={out}", f"--extern=xlayout={self.library}",
                f"-Ldependency={self.folder}/target/facade/debug/deps", str(source)]

    def instructions(self, kind, count):
        tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
        env = dict(os.environ, LD_LIBRARY_PATH=self.libraries)
        run = subprocess.run(tool + self.command(kind, count), env=env, capture_output=True, text=True)
        found = refs(run.stderr)
        if run.returncode != 0 or not found:
            sys.exit(f"error: rustc under valgrind failed:\n{run.stderr}")
        return found

    def one_more(self):
        """The instructions of one more use of each kind. They are counted in parallel."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            runs = {(kind, count): pool.submit(self.instructions, kind, count)
                    for kind in KINDS for count in (FEW, MORE)}
            found = {key: run.result() for key, run in runs.items()}
        return {kind: (found[kind, MORE] - found[kind, FEW]) / (MORE - FEW) for kind in KINDS}

    def cost(self, kind, count):
        """Processor seconds and peak memory in MiB."""
        child = subprocess.Popen(self.command(kind, count))
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit("error: rustc failed")
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def packages(folder):
    """The packages that are built cold, the one to compare with last."""
    facade = f'xlayout = {{ path = "{ROOT}" }}'
    package(folder, "facade", facade)
    names = ["facade"]
    features = tomllib.loads((ROOT / "Cargo.toml").read_text())["features"]
    if "typenum" in features["default"]:
        rest = json.dumps([f for f in features["default"] if f != "typenum"])
        package(folder, "without_typenum",
                f'xlayout = {{ path = "{ROOT}", default-features = false, features = {rest} }}')
        names.append("without_typenum")
    package(folder, "parsers", 'quote = "1"\nproc-macro2 = "1"\nsyn = { version = "3", '
            'default-features = false, features = ["parsing", "printing", "proc-macro"] }')
    return names + ["parsers"]


def one_more_use(rustc):
    one = rustc.one_more()
    print("| one more use | instructions | to by hand |\n|---|---|---|")
    for kind, count in one.items():
        print(f"| {kind} | {count:,.0f} | {count / one['by hand']:.2f} |")
    print()
    return {kind: one[kind] / one["by hand"] for kind in KINDS if kind != "by hand"}


def cold(folder, names, rounds):
    best = cold_builds(folder, names, rounds)
    print("| cold build | wall, s | processor, s | wall, ratio | processor, ratio |\n|---|---|---|---|---|")
    for name, (wall, cpu) in best.items():
        base = best["parsers"]
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {wall / base[0]:.2f} | {cpu / base[1]:.2f} |")
    print()


def many_uses(rustc, rounds):
    print("| uses | kind | processor, s | peak memory of rustc, MiB |\n|---|---|---|---|")
    for kind in ("by hand", "evaluated", "tiled"):
        seconds = {}
        for count in (5_000, 10_000):
            runs = [rustc.cost(kind, count) for _ in range(rounds)]
            seconds[count] = min(t for t, _ in runs)
            print(f"| {count:,} | {kind} | {seconds[count]:.2f} | {statistics.median(m for _, m in runs):.0f} |")
        print(f"| ratio | {kind} | {seconds[10_000] / seconds[5_000]:.2f} | |")


def machine():
    """Where the ratios were recorded."""
    info = pathlib.Path("/proc/cpuinfo")
    model = re.search(r"model name\s*: (.*)", info.read_text() if info.exists() else "")
    rustc = subprocess.check_output(["rustc", "--version"], text=True).split()[1]
    return f"{os.cpu_count()} cores of {model[1] if model else platform.machine()}, Rust {rustc}"


def worse(ratios, recorded):
    return {name: ratio for name, ratio in ratios.items() if ratio > recorded.get(name, 0) * TOLERANCE}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="how often each time is measured; the least counts")
    parser.add_argument("--check", action="store_true", help="compare with recorded.json")
    parser.add_argument("--record", action="store_true", help="write recorded.json")
    options = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        names = packages(folder)
        ratios = cold_instructions(folder) if options.check or options.record else {}
        if not options.check:
            cold(folder, names, options.rounds)
        rustc = Rustc(folder)
        ratios |= one_more_use(rustc)
        if not options.check:
            many_uses(rustc, options.rounds)
        if options.record:
            ratios = {name: round(ratio, 2) for name, ratio in ratios.items()}
            text = json.dumps({"machine": machine(), "ratios": ratios}, indent=4)
            RECORDED.write_text(text + "\n")
        recorded = json.loads(RECORDED.read_text())["ratios"] if options.check else {}
        for name, ratio in (worse(ratios, recorded) if options.check else {}).items():
            print(f"error: {name}: {ratio:.2f}, recorded are {recorded.get(name)}; "
                  f"make it cheaper, or record it with --record and say why in the commit")
        if options.check and worse(ratios, recorded):
            sys.exit(1)


if __name__ == "__main__":
    main()
