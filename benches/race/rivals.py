#!/usr/bin/env python3
"""Rivals of the race that are not built in: numpy, torch, and XLA through jax.

    python3 benches/race/rivals.py [OPTIONS] [CASE…]

Takes the cases of the example `race` and prints the same JSON lines, then the ratios to memcpy. Without a
CASE the built-in ones run. What is not installed is left out, and said. One thread.

    numpy             np.copyto into a dense array from a transposed view
    torch             copy_ into a dense tensor from a permuted view
    xla_jit           a compiled jnp.transpose; allocating its result is part of the time
    xla_device_put    jax.device_put of a transposed numpy view, which XLA's TransposePlan copies

oneDNN has no Python interface to its reorders, so it is left out. A call from Python takes half a
microsecond, memcpy's too: below a megabyte the ratios say little.

    --rounds N    rounds of measuring; the medians count (9)
    --only A,B    only these, beside memcpy
    --json        print the JSON lines only; the race reads them with its option --python
"""

import argparse
import ctypes
import json
import mmap
import os
import pathlib
import random
import re
import statistics
import sys
import time

# One thread each. Before the libraries are loaded, which read it once.
for _name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_name] = "1"
os.environ["XLA_FLAGS"] = (
    os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false"
).strip()
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("JAX_ENABLE_X64", "1")

SAMPLE_NS = 200_000

# Bytes of an element: the types that carry it.
TYPES = {
    1: ("uint8", "uint8"),
    2: ("uint16", "int16"),
    4: ("float32", "float32"),
    8: ("float64", "float64"),
    16: ("complex128", "complex128"),
}
WIDTHS = {
    **dict.fromkeys(("pred", "s8", "u8", "f8e5m2", "f8e4m3fn"), 1),
    **dict.fromkeys(("s16", "u16", "f16", "bf16"), 2),
    **dict.fromkeys(("s32", "u32", "f32"), 4),
    **dict.fromkeys(("s64", "u64", "f64", "c64"), 8),
    "c128": 16,
}


class BadCase(Exception):
    """A case that cannot be read."""


class NoPermutation(Exception):
    """A case with padding, or tiles that do not divide each other: these rivals have no form for it."""


# Layouts. A digit is (dimension, divisor, size); the digits of an array are most major first.


def read_shape(text):
    found = re.fullmatch(r"\s*([a-z][a-z0-9]*)\[([0-9, ]*)\]\s*(\{.*\})?\s*", text)
    if not found:
        raise BadCase(f"`{text}` is no shape such as `f32[2,3]{{1,0}}`")
    name, dims, layout = found.groups()
    if name not in WIDTHS:
        raise BadCase(f"`{name}` is no element type of whole bytes")
    dims = [int(n) for n in dims.split(",") if n.strip()]
    default = "{" + ",".join(str(d) for d in reversed(range(len(dims)))) + "}"
    return name, dims, layout or default


def read_layout(dims, text):
    found = re.fullmatch(r"\{([0-9, ]*)(?::T((?:\([0-9, ]*\))+))?\}", text.strip())
    if not found:
        raise BadCase(f"`{text}` is no layout such as `{{1,0:T(8,128)}}`; other attributes do not race")
    order = [int(d) for d in found.group(1).split(",") if d.strip()]
    if sorted(order) != list(range(len(dims))):
        raise BadCase(f"`{text}` is no layout of {len(dims)} dimensions")
    digits = [(d, 1, dims[d]) for d in reversed(order)]
    for tile in re.findall(r"\(([0-9, ]*)\)", found.group(2) or ""):
        sizes = [int(n) for n in tile.split(",") if n.strip()]
        kept, split = digits[: len(digits) - len(sizes)], digits[len(digits) - len(sizes) :]
        if len(sizes) > len(digits) or any(n == 0 or d[2] % n for d, n in zip(split, sizes)):
            raise NoPermutation(f"the tile ({tile}) does not divide the array")
        outer = [(d, div * n, size // n) for (d, div, size), n in zip(split, sizes)]
        inner = [(d, div, n) for (d, div, _), n in zip(split, sizes)]
        digits = kept + outer + inner
    return digits


def linear_index(digits, index):
    linear = 0
    for d, divisor, size in digits:
        linear = linear * size + index[d] // divisor % size
    return linear


def refine(digits, cuts):
    """Splits the digits so that none spans one of the cuts, which are (dimension, divisor)."""
    refined = []
    for d, divisor, size in digits:
        ends = sorted({divisor, divisor * size} | {c for e, c in cuts if e == d and divisor < c < divisor * size})
        pieces = list(zip(ends, ends[1:]))
        if any(end % begin for begin, end in pieces):
            raise NoPermutation("the tiles of the two sides do not divide each other")
        refined += [(d, begin, end // begin) for begin, end in reversed(pieces)]
    return [digit for digit in refined if digit[2] != 1]


class Case:
    """A permutation `axes` of the dimensions `dims` of a dense row-major array."""

    def __init__(self, text):
        self.text = text.strip()
        left, arrow, right = text.partition("->")
        if not arrow or not right.strip():
            raise BadCase("a case is a shape, `->` and a layout: `f32[4096,4096]{1,0} -> {0,1}`")
        name, self.sizes, layout = read_shape(left)
        found = re.fullmatch(r"\s*([a-z][a-z0-9]*)?\s*(\[[0-9, ]*\])?\s*(\{.*\})\s*", right)
        if not found or (found.group(1) or name) != name:
            raise BadCase(f"`{right.strip()}` is no layout of {name}")
        self.width = WIDTHS[name]
        src, dst = read_layout(self.sizes, layout), read_layout(self.sizes, found.group(3))
        self.src = refine(src, {(d, div) for d, div, _ in dst})
        self.dst = refine(dst, {(d, div) for d, div, _ in src})
        place = {(d, div): k for k, (d, div, _) in enumerate(self.src)}
        axes = [place[d, div] for d, div, _ in self.dst]
        # Neighbours that stay neighbours become one dimension.
        runs = []
        for axis in axes:
            if runs and axis == runs[-1][-1] + 1:
                runs[-1].append(axis)
            else:
                runs.append([axis])
        in_source = sorted(runs)
        size = lambda run: product_of(self.src[axis][2] for axis in run)
        self.dims = [size(run) for run in in_source]
        self.axes = [in_source.index(run) for run in runs]
        self.elements = product_of(self.sizes)
        self.bytes = self.elements * self.width
        if not self.elements:
            raise NoPermutation("there are no elements")

    def check(self, memory):
        """Compares a few elements of the destination with the source's."""
        draw = random.Random(7)
        for _ in range(500):
            index = [draw.randrange(size) for size in self.sizes]
            at = linear_index(self.src, index) * self.width
            to = linear_index(self.dst, index) * self.width
            if memory.src[at : at + self.width] != memory.dst[to : to + self.width]:
                return f"the element at {index} is wrong"
        return None


def product_of(numbers):
    product = 1
    for number in numbers:
        product *= number
    return product


class Memory:
    """Two buffers that begin at a page, written to once."""

    def __init__(self, case):
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        self.src, self.dst = (mmap.mmap(-1, case.bytes, flags=flags) for _ in range(2))
        # Small numbers in every byte: no type takes them for something that is not a number.
        pattern = bytes(k * 37 % 61 for k in range(61 * case.width))
        self.src[:] = (pattern * (case.bytes // len(pattern) + 1))[: case.bytes]
        self.dst[:] = bytes(case.bytes)


# Each maker answers a function that copies once, and one that brings its result into `memory.dst`.


def memcpy(case, memory):
    address = lambda buffer: ctypes.addressof(ctypes.c_char.from_buffer(buffer))
    src, dst, move, count = address(memory.src), address(memory.dst), ctypes.memmove, case.bytes
    return lambda: move(dst, src, count), None


def numpy_copy(case, memory):
    import numpy as np

    dtype = TYPES[case.width][0]
    src = np.frombuffer(memory.src, dtype).reshape(case.dims).transpose(case.axes)
    dst = np.frombuffer(memory.dst, dtype).reshape([case.dims[a] for a in case.axes])
    return lambda: np.copyto(dst, src), lambda: None


def torch_copy(case, memory):
    import torch

    torch.set_num_threads(1)
    dtype = getattr(torch, TYPES[case.width][1])
    src = torch.frombuffer(memory.src, dtype=dtype).view(case.dims).permute(case.axes)
    dst = torch.frombuffer(memory.dst, dtype=dtype).view([case.dims[a] for a in case.axes])
    return lambda: dst.copy_(src), lambda: None


def bring(memory, make):
    """Brings an array of XLA's into the destination."""
    import numpy as np

    memory.dst[:] = np.asarray(make()).tobytes()


def xla_jit(case, memory):
    import jax
    import jax.numpy as jnp
    import numpy as np

    src = np.frombuffer(memory.src, TYPES[case.width][0]).reshape(case.dims)
    src = jax.device_put(src).block_until_ready()
    run = jax.jit(lambda x: jnp.transpose(x, case.axes))
    copy = lambda: run(src).block_until_ready()
    return copy, lambda: bring(memory, copy)


def xla_device_put(case, memory):
    import jax
    import numpy as np

    src = np.frombuffer(memory.src, TYPES[case.width][0]).reshape(case.dims).transpose(case.axes)
    copy = lambda: jax.device_put(src, may_alias=False).block_until_ready()
    return copy, lambda: bring(memory, copy)


RIVALS = {
    "memcpy": memcpy,
    "numpy": numpy_copy,
    "torch": torch_copy,
    "xla_jit": xla_jit,
    "xla_device_put": xla_device_put,
}
MODULES = {"numpy": "numpy", "torch": "torch", "xla_jit": "jax", "xla_device_put": "jax"}


def available(only):
    names = []
    for name in RIVALS:
        if name != "memcpy" and only and name not in only:
            continue
        try:
            if name in MODULES:
                __import__(MODULES[name])
            names.append(name)
        except Exception as error:  # A broken installation is one that is missing.
            print(f"{name} is left out: {error} (pip install {MODULES[name]})", file=sys.stderr)
    return names


def clock(copy, times):
    start = time.perf_counter_ns()
    for _ in range(times):
        copy()
    return time.perf_counter_ns() - start


def race(case, names, rounds):
    memory = Memory(case)
    copies = {}
    for name in names:
        try:
            copy, finish = RIVALS[name](case, memory)
            copy()
            if finish:
                finish()
                wrong = case.check(memory)
                memory.dst[:] = bytes(case.bytes)
                if wrong:
                    raise RuntimeError(wrong)
            times = 1
            while clock(copy, times) < SAMPLE_NS and times < 1 << 20:
                times *= 2
            copies[name] = (copy, times, [])
        except Exception as error:
            print(f"{name} is left out of {case.text}: {error}", file=sys.stderr)
    contestants = list(copies.values())
    for k in range(rounds):
        for turn in range(len(contestants)):
            copy, times, samples = contestants[(k + turn) % len(contestants)]
            samples.append(clock(copy, times) / times)
    return {name: round(statistics.median(copies[name][2]), 1) if name in copies else None for name in RIVALS}


def built_in():
    text = pathlib.Path(__file__).with_name("cases.rs").read_text(encoding="utf-8")
    return re.findall(r'^\s*"(.*->.*)",$', text, re.MULTILINE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", type=lambda names: names.split(","))
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        # Whatever a library starts beside its one thread shares one processor with it.
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    names, rows, bad = available(arguments.only), [], False
    for text in arguments.cases or built_in():
        try:
            case = Case(text)
        except BadCase as error:
            print(f"error: {error}\n  {text}", file=sys.stderr)
            bad = True
            continue
        except NoPermutation as error:
            print(f"left out: {text}: {error}, and these rivals know permutations only", file=sys.stderr)
            continue
        ns = race(case, names, max(arguments.rounds, 1))
        print(json.dumps({"case": case.text, "bytes": case.bytes, "ns": ns}), flush=True)
        rows.append((case, ns))
    if not rows or arguments.json:
        return 2 if bad else 0
    print("\nTime of memcpy of the same bytes / time of the library: higher is better.\n")
    columns = [name for name in names if name != "memcpy"] or ["(none)"]
    width = max((len(case.text) for case, _ in rows), default=4) + 2
    print(f"| {'case':{width}} | " + " | ".join(f"{name:>14}" for name in columns) + " |")
    print(f"|-{'-' * width}-|" + "".join(f"-{'-' * 14}:|" for _ in columns))
    for case, ns in rows:
        cells = [f"{ns['memcpy'] / ns[name]:14.3f}" if ns.get(name) else f"{'-':>14}" for name in columns]
        print(f"| {'`' + case.text + '`':{width}} | " + " | ".join(cells) + " |")
    return 2 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
