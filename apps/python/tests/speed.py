"""The table of README: the time of numpy divided by that of xlayout. `speed.py` prints it, with the processor.

The rounds alternate, so that both meet the same machine; the figures are medians, the ratio that of the ratios of rounds.
"""

import pathlib
import platform
import re
import statistics
import time

import numpy as np

import xlayout

ROUNDS = 40
CASES = [
    ("`a.T`, float32, 4096 x 4096", lambda: np.ones((4096, 4096), np.float32).T),
    ("`a.T`, uint8, 4096 x 4096", lambda: np.ones((4096, 4096), np.uint8).T),
    ("`a.T`, float64, 1000 x 3000", lambda: np.ones((1000, 3000)).T),
    ("`a.transpose(0, 3, 1, 2)`, uint8, 8 x 224 x 224 x 3", lambda: np.ones((8, 224, 224, 3), np.uint8).transpose(0, 3, 1, 2)),
    ("`a.transpose(0, 2, 1, 3)`, float32, 8 x 512 x 12 x 64", lambda: np.ones((8, 512, 12, 64), np.float32).transpose(0, 2, 1, 3)),
    ("`a[::-1, ::2]`, float32, 4096 x 4096", lambda: np.ones((4096, 4096), np.float32)[::-1, ::2]),
    ("`a.T`, float32, 256 x 256", lambda: np.ones((256, 256), np.float32).T),
    ("`a.T`, float32, 128 x 128", lambda: np.ones((128, 128), np.float32).T),
    ("`a.T`, float32, 64 x 64", lambda: np.ones((64, 64), np.float32).T),
    ("`a.T`, float32, 16 x 16", lambda: np.ones((16, 16), np.float32).T),
    ("`a.T`, float32, 4 x 4", lambda: np.ones((4, 4), np.float32).T),
    ("`a.T`, uint8, 512 x 512", lambda: np.ones((512, 512), np.uint8).T),
    ("`a.T`, uint8, 128 x 128", lambda: np.ones((128, 128), np.uint8).T),
    ("`a.T`, uint8, 32 x 32", lambda: np.ones((32, 32), np.uint8).T),
    ("`a`, uint8, 1048576", lambda: np.ones(1 << 20, np.uint8)),
    ("`a`, uint8, 65536", lambda: np.ones(65536, np.uint8)),
    ("`a`, uint8, 4096", lambda: np.ones(4096, np.uint8)),
    ("`a`, uint8, 64", lambda: np.ones(64, np.uint8)),
]


def processor():
    info = pathlib.Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*: (.*)", info.read_text()) if info.exists() else []
    return names[0] if names else platform.processor() or platform.machine()


def timed(call, repeat):
    begin = time.perf_counter()
    for _ in range(repeat):
        call()
    return (time.perf_counter() - begin) / repeat


def main():
    print(f"NumPy {np.__version__}, {processor()}\n")
    print("| `a` | `np.array(a, order='C')` | `xlayout.copy(a)` | ratio |\n|---|---|---|---|")
    for name, make in CASES:
        a = make()
        # Smaller ones are copied on the calling thread anyway.
        ours = (lambda: xlayout.copy(a, threads=1)) if a.nbytes >= 1 << 20 else (lambda: xlayout.copy(a))
        calls = [lambda: np.array(a, order="C"), ours]
        repeat = max(1, 400_000 // (a.nbytes + 400))
        # The first runs of a copy try strategies.
        for _ in range(20):
            for call in calls:
                call()
        rounds = [[timed(call, repeat) for call in calls] for _ in range(ROUNDS)]
        numpy, own = (statistics.median(each) for each in zip(*rounds, strict=True))
        ratio = statistics.median(of_numpy / of_us for of_numpy, of_us in rounds)
        show = lambda seconds: f"{seconds * 1e3:.2f} ms" if seconds > 1e-4 else f"{seconds * 1e6:.1f} us"
        print(f"| {name} | {show(numpy)} | {show(own)} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
