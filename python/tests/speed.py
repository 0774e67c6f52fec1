"""The table of README: the time of numpy divided by that of xlayout. `speed.py` prints it.

The rounds alternate, so that both meet the same machine; the figures are medians, the ratio that of the ratios of rounds.
"""

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
    ("`a.T`, float32, 16 x 16", lambda: np.ones((16, 16), np.float32).T),
]


def timed(call, repeat):
    begin = time.perf_counter()
    for _ in range(repeat):
        call()
    return (time.perf_counter() - begin) / repeat


def main():
    print("| `a` | `np.ascontiguousarray(a)` | `xlayout.copy(a, threads=1)` | ratio |\n|---|---|---|---|")
    for name, make in CASES:
        a = make()
        calls = [lambda: np.ascontiguousarray(a), lambda: xlayout.copy(a, threads=1)]
        repeat = max(1, 200_000 // a.nbytes)
        # The first runs of a copy try strategies.
        for _ in range(20):
            for call in calls:
                call()
        rounds = [[timed(call, repeat) for call in calls] for _ in range(ROUNDS)]
        numpy, ours = (statistics.median(each) for each in zip(*rounds, strict=True))
        ratio = statistics.median(numpy / ours for numpy, ours in rounds)
        show = lambda seconds: f"{seconds * 1e3:.2f} ms" if seconds > 1e-4 else f"{seconds * 1e6:.1f} us"
        print(f"| {name} | {show(numpy)} | {show(ours)} | {ratio:.1f} |")


if __name__ == "__main__":
    main()
