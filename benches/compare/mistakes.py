#!/usr/bin/env python3
"""The same ten mistakes with each library: what the compiler or the program says of each.

    python3 benches/compare/mistakes.py [--mdspan FOLDER] [--pycute FOLDER]

The folders have `mdspan/mdspan.hpp` (`include` of github.com/kokkos/mdspan) and `pycute` (of NVIDIA's wheel nvidia-cutlass).
A library whose folder is not given is left out. Printed is a table of kinds, and below it the first line of each message.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
COMMON = "fn main() { let v: Vec<f32> = (0..6).map(|n| n as f32).collect(); let mut w = v.clone();\n"
# What stands before the mistake; `%s` is the mistake.
PROGRAMS = {
    "hand": COMMON + "let show = |x: f32| println!(\"{x}\"); %s }",
    "xlayout": "use xlayout::prelude::*; type A = layout!(f32[2,3]); type B = layout!(f32[2,3]{0,1});" + COMMON
    + "let a = SliceView::new(A::NEW, &v[..]).unwrap(); let show = |x: f32| println!(\"{x}\"); %s }",
    "ndarray": "use ndarray::*;" + COMMON
    + "let a = ArrayView2::from_shape((2, 3), &v).unwrap(); let show = |x: f32| println!(\"{x}\"); %s }",
    "mdarray": "use mdarray::{*, View}; type A = Array<f32, (Const<2>, Const<3>)>;" + COMMON
    + "let a = A::from_elem((Const::<2>, Const::<3>), 0.0); let show = |x: f32| println!(\"{x}\"); %s }",
    "mdspan": "#include <mdspan/mdspan.hpp>\n#include <cstdio>\n#include <vector>\nnamespace md = Kokkos;\n"
    "using A = md::mdspan<float, md::extents<size_t, 2, 3>>;\n"
    "using B = md::mdspan<float, md::extents<size_t, 2, 3>, md::layout_left>;\n"
    "void f(B b) { std::printf(\"%g\\n\", b[0, 1]); }\n"
    "int main() { std::vector<float> v{0, 1, 2, 3, 4, 5}; A a(v.data()); %s }",
    "pycute": "from pycute import *\na = Layout((2, 3), (3, 1))\n%s",
}
def cxx(expression: str) -> str:
    return f'std::printf("%g\\n", {expression});'


# Each mistake: its name, and the code of each library. Where there is no code, the library has no such thing.
MISTAKES = {
    "an index of another rank": {
        "hand": "show(v[1]);", "xlayout": "show(a[[1]]);", "ndarray": "show(a[[1]]);", "mdarray": "show(a[[1]]);",
        "mdspan": cxx("a[1]"), "pycute": "print(a(1))",
    },
    "a constant index out of bounds": {
        "hand": "show(v[0 * 3 + 3]);", "xlayout": "show(a[index!(A[0, 3])]);", "ndarray": "show(a[[0, 3]]);",
        "mdarray": "show(a[[0, 3]]);", "mdspan": cxx("(a[0, 3])"), "pycute": "print(a(0, 3))",
    },
    "a loop that runs too far": {
        "hand": "for j in 0..=3 { show(v[j]); }", "xlayout": "for j in 0..=3 { show(a[[0, j]]); }",
        "ndarray": "for j in 0..=3 { show(a[[0, j]]); }", "mdarray": "for j in 0..=3 { show(a[[0, j]]); }",
        "mdspan": "for (int j = 0; j <= 3; j++) " + cxx("(a[0, j])"), "pycute": "for j in range(4): print(a(0, j))",
    },
    "memory that is too short": {
        "hand": "let a: &[f32; 6] = v[1..].try_into().unwrap(); show(a[5]);",
        "xlayout": "let a = SliceView::new(A::NEW, &v[1..]).unwrap(); show(a[[1, 2]]);",
        "ndarray": "let a = ArrayView2::from_shape((2, 3), &v[1..]).unwrap(); show(a[[1, 2]]);",
        "mdarray": "let a = View::from(&v[1..]); let a = a.reshape([2, 3]); show(a[[1, 2]]);",
        "mdspan": "A a2(v.data() + 1); " + cxx("(a2[1, 2])"),
    },
    "elements of another type": {
        "hand": "let v: Vec<i32> = vec![0; 6]; show(v[1]);",
        "xlayout": "let v: Vec<i32> = vec![0; 6]; let a = SliceView::new(A::NEW, &v[..]).unwrap();",
        "ndarray": "let v: Vec<i32> = vec![0; 6]; let a: ArrayView2<'_, f32> = ArrayView2::from_shape((2, 3), &v).unwrap();",
        "mdarray": "let v: Vec<i32> = vec![0; 6]; let a: View<'_, f32, (Dyn,)> = View::from(&v[..]);",
        "mdspan": "std::vector<int> i(6); A a2(i.data());",
    },
    "rows where a kernel expects columns": {
        "hand": "let f = |columns: &[f32]| show(columns[1 * 2 + 0]); f(&v);",
        "xlayout": "let f = |columns: SliceView<'_, f32, B>| show(columns[[0, 1]]); f(a);",
        "ndarray": "let f = |columns: ArrayView2<'_, f32>| show(columns[[0, 1]]); f(a);",
        "mdarray": "fn f(columns: &Slice<f32, (Const<3>, Const<2>)>) {} f(&a);",
        "mdspan": "f(a);",
    },
    "a reshape to more elements": {
        "xlayout": "let b = a.reshape(layout!(f32[2,4]));", "ndarray": "let b = a.into_shape_with_order((2, 4)).unwrap();",
        "mdarray": "let b = a.reshape([2, 4]);", "mdspan": "md::mdspan<float, md::extents<size_t, 2, 4>> b(a.data_handle()); "
        + cxx("(b[1, 3])"), "pycute": "print(composition(a, Layout((2, 4))))",
    },
    "two parts to write that overlap": {
        "hand": "let a = &mut w[..4]; let b = &mut w[3..]; a[3] = 1.0; b[0] = 2.0;",
        "xlayout": "let mut a = Array::<f32, A>::zeros(A::NEW).unwrap(); let mut b = a.region_mut([0, 0], [2, 2]).unwrap(); "
        "let mut c = a.region_mut([0, 1], [2, 2]).unwrap(); b[[0, 1]] = 1.0; c[[0, 0]] = 2.0;",
        "ndarray": "let mut a = Array2::<f32>::zeros((2, 3)); let mut b = a.slice_mut(s![.., ..2]); "
        "let mut c = a.slice_mut(s![.., 1..]); b[[0, 1]] = 1.0; c[[0, 0]] = 2.0;",
        "mdarray": "let mut a = a; let mut b = a.view_mut(.., ..2); let mut c = a.view_mut(.., 1..); b[[0, 1]] = 1.0; c[[0, 0]] = 2.0;",
        "mdspan": "md::mdspan<float, md::extents<size_t, 4>> b(v.data()), c(v.data() + 3); b[3] = 1; c[0] = 2; " + cxx("b[3]"),
    },
    "a dimension that is not there": {
        "xlayout": "for k in a.axis::<2>() {}", "ndarray": "let s = a.sum_axis(Axis(2));",
        "mdarray": "let n = a.dim(2); println!(\"{n}\");", "mdspan": 'std::printf("%zu\\n", a.extent(2));', "pycute": "print(a[2])",
    },
    "a product of sizes that do not fit": {
        "hand": "for i in 0..2 { for k in 0..3 { for j in 0..3 { show(v[i * 3 + k] * v[k * 3 + j]); } } }",
        "xlayout": "for i in a.axis::<0>() { for k in a.axis::<1>() { for j in a.axis::<1>() { show(a[(i, k)] * a[(k, j)]); } } }",
        "ndarray": "let p = a.dot(&a);",
        "mdarray": "for i in 0..2 { for k in 0..3 { for j in 0..3 { show(a[[i, k]] * a[[k, j]]); } } }",
        "mdspan": "for (int k = 0; k < 3; k++) " + cxx("(a[0, k] * a[k, 0])"),
    },
}


def rust_flags() -> list[str]:
    """Where the libraries are that cargo has built."""
    out = subprocess.run(["cargo", "build", "-q", "--release", "--message-format=json"], cwd=HERE, check=True, capture_output=True, text=True).stdout
    flags = []
    for line in out.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact" and message["target"]["name"] in ("xlayout", "ndarray", "mdarray"):
            library = next(file for file in message["filenames"] if file.endswith(".rlib"))
            flags += ["--extern", f"{message['target']['name']}={library}", "-L", f"dependency={pathlib.Path(library).parent}"]
    return flags


def of_compiler(text: str) -> str:
    found = re.findall(r"error(?:\[E\d+\])?: (.*)", text) + re.findall(r"(?:evaluation panicked|help): (.*)", text)
    return "; ".join(said for said in found if not said.startswith("aborting"))[:200] or text.strip()


def outcome(library: str, code: str, folder: pathlib.Path, options: argparse.Namespace, flags: list[str]) -> tuple[str, str]:
    """When the mistake is found, and what is said."""
    program = folder / "mistake"
    source = PROGRAMS[library].replace("%s", code)
    if library == "pycute":
        command = [sys.executable, "-c", source]
    else:
        file = program.with_suffix(".cpp" if library == "mdspan" else ".rs")
        file.write_text(source)
        if library == "mdspan":
            build = [os.environ.get("CXX", "g++"), "-std=c++23", "-O1", "-Wall", f"-I{options.mdspan}", str(file), "-o", str(program)]
        else:
            build = ["rustc", "--edition=2024", "-O", "-Awarnings", *flags, str(file), "-o", str(program)]
        built = subprocess.run(build, capture_output=True, text=True)
        if built.returncode != 0:
            return "compiler", of_compiler(built.stderr)
        command = [str(program)]
    environment = dict(os.environ, PYTHONPATH=str(options.pycute or ""), RUST_BACKTRACE="0")
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    if run.returncode == 0:
        return "silent", "prints " + ", ".join(run.stdout.split())
    said = [line for line in run.stderr.splitlines() if line and not line.startswith(("thread", "note:", "Traceback"))]
    return "run time", said[-1] if library == "pycute" else said[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mdspan", help="the folder that has mdspan/mdspan.hpp")
    parser.add_argument("--pycute", help="the folder that has pycute")
    options = parser.parse_args()
    libraries = ["hand", "xlayout", "ndarray", "mdarray"] + [name for name in ("mdspan", "pycute") if getattr(options, name)]
    flags = rust_flags()
    print("| mistake |", " | ".join(libraries), "|")
    print("|---|" + "---|" * len(libraries))
    told = []
    with tempfile.TemporaryDirectory() as folder:
        for library in libraries:
            when, said = outcome(library, "", pathlib.Path(folder), options, flags)
            if when != "silent":
                sys.exit(f"error: {library} refuses the program without a mistake: {said}")
        for name, codes in MISTAKES.items():
            row = []
            for library in libraries:
                when, said = outcome(library, codes[library], pathlib.Path(folder), options, flags) if library in codes else ("none", "")
                row.append(when)
                told.append(f"{name} | {library} | {when} | {said}")
            print(f"| {name} |", " | ".join(row), "|")
    print("\n" + "\n".join(told))


if __name__ == "__main__":
    main()
