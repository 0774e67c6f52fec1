#!/usr/bin/env python3
"""What xlayout costs to compile.

Cold: a clean build of the facade beside one of syn (parsing, printing), quote and proc-macro2.
Uses: 1,000 more uses of `layout!` in a crate with 1,000, beside 1,000 more aliases of a const-generic
type by hand whose associated constants are evaluated: the processor time of one use more.
"""
import os, pathlib, resource, shutil, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HAND = """
pub struct Mode { pub dim: usize, pub divisor: usize, pub size: usize, pub stride: usize }
pub struct Hand<T, const M: usize, const N: usize>(std::marker::PhantomData<T>);
impl<T, const M: usize, const N: usize> Hand<T, M, N> {
    pub const LEN: usize = M * N;
    pub const BYTES: usize = Self::LEN * size_of::<T>();
    pub const MODES: &'static [Mode] = &[
        Mode { dim: 0, divisor: 1, size: M, stride: 1 },
        Mode { dim: 1, divisor: 1, size: N, stride: M },
    ];
}
"""


def use(k, layout):
    m, n = 3 + k % 61, 5 + k // 61  # different for each k
    kind = f"xlayout::layout!(f32[{m},{n}]{{0,1}})" if layout else f"Hand<f32, {m}, {n}>"
    return (f"pub type A{k} = {kind};\n"
            f"pub const C{k}: usize = A{k}::LEN + A{k}::BYTES + A{k}::MODES.len();\n")


def crate(folder, name, dependencies, body=""):
    (folder / name / "src").mkdir(parents=True)
    (folder / name / "Cargo.toml").write_text(
        f'[workspace]\n[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2024"\n'
        f"[dependencies]\n{dependencies}\n")
    (folder / name / "src/lib.rs").write_text(body)


def build(folder, name, target):
    """Wall and processor seconds."""
    env = dict(os.environ, CARGO_INCREMENTAL="0", CARGO_TARGET_DIR=str(target))
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(["cargo", "build", "-q"], cwd=folder / name, env=env, check=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def medians(folder, names, rounds, prepare):
    times = {name: [] for name in names}
    target = folder / "target"
    for name in names:
        build(folder, name, target)
    for _ in range(rounds):  # in turns, so that a busy machine slows all
        for name in names:
            prepare(name, target)
            times[name].append(build(folder, name, target))
    return {name: [statistics.median(t[i] for t in of) for i in (0, 1)] for name, of in times.items()}


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        facade = f'xlayout = {{ path = "{ROOT}" }}'
        crate(folder, "facade", facade)
        crate(folder, "parsers", 'quote = "1"\nproc-macro2 = "1"\nsyn = { version = "3", '
              'default-features = false, features = ["parsing", "printing", "proc-macro"] }')
        cold = medians(folder, ["facade", "parsers"], rounds,
                       lambda name, target: shutil.rmtree(target))
        print("| cold build | wall, s | processor, s |\n|---|---|---|")
        for name, (wall, cpu) in cold.items():
            print(f"| {name} | {wall:.2f} | {cpu:.2f} |")
        ratio = [cold["facade"][i] / cold["parsers"][i] for i in (0, 1)]
        print(f"| ratio | {ratio[0]:.2f} | {ratio[1]:.2f} |\n")

        names = []
        for count in (1000, 2000):
            for layout in (True, False):
                name = f"{'layout' if layout else 'hand'}_{count}"
                body = "".join(use(k, layout) for k in range(count))
                crate(folder, name, facade if layout else "", body if layout else HAND + body)
                names.append(name)
        touch = lambda name, target: os.utime(folder / name / "src/lib.rs")
        uses = medians(folder, names, rounds, touch)
        print("| one use more | processor, ms |\n|---|---|")
        for kind in ("layout", "hand"):
            print(f"| {kind} | {uses[f'{kind}_2000'][1] - uses[f'{kind}_1000'][1]:.3f} |")


main()
