"""What the tests of other projects compute, as lines that `conformance` compares with xlayout-algebra.

    python3 record.py --tensor-layouts FOLDER --layout-categories FOLDER OUT/algebra.jsonl

The folders are checkouts of facebookresearch/tensor-layouts and ColfaxResearch/layout-categories; each may be left out.
The tests of the first one run, and each call of the algebra is recorded. The second one's tests need CUTLASS; its generators of
random morphisms do not: its operations are called for the pairs that they give.

The offsets of a line are counted here, from the definition of the operation and with no function of either project. `cute_is`
says whether the project's answer has these offsets.
"""

import argparse
import collections
import importlib
import json
import math
import random
import sys
import types
from pathlib import Path

LARGEST = 4096  # indices of a line


def flat(tree):
    return [tree] if isinstance(tree, int) else [leaf for branch in tree for leaf in flat(branch)]


class Modes:
    """Sizes and strides, the first mode fastest; the last one goes on beyond its size."""

    def __init__(self, shape, stride):
        self.shape, self.stride = flat(shape), flat(stride)
        if len(self.shape) != len(self.stride):
            raise ValueError("no stride for each size")
        self.size = math.prod(self.shape)
        self.cosize = 1 + sum((n - 1) * abs(d) for n, d in zip(self.shape, self.stride))

    def __call__(self, index):
        offset = 0
        for size, stride in list(zip(self.shape, self.stride))[:-1]:
            offset += index % size * stride
            index //= size
        return offset + index * (self.stride[-1] if self.stride else 0)

    def offsets(self):
        return [self(index) for index in range(self.size)]

    def text(self):
        if not self.shape:
            return "1:0"
        if len(self.shape) == 1:
            return f"{self.shape[0]}:{self.stride[0]}"
        return "({}):({})".format(*(",".join(map(str, numbers)) for numbers in (self.shape, self.stride)))


def translations(offsets, end):
    """The offsets by which copies of `offsets` fill 0 to `end`: each is the first place that is free. None if copies overlap."""
    image, filled, found = set(offsets), set(), []
    for place in range(end):
        if place not in filled:
            moved = {place + offset for offset in image}
            if moved & filled:
                return None
            filled |= moved
            found.append(place)
    return found


def composition(a, b, answer):
    return {"b": b.text(), "offsets": [a(offset) for offset in b.offsets()]}


def coalesce(a, answer):
    return {"offsets": a.offsets()}


def complement(a, end, answer):
    found = translations(a.offsets(), end)
    line = {"cotarget": end, "exact": found is not None, "offsets": found}
    # The answer may reach beyond the end.
    right = found is not None and [offset for offset in answer.offsets() if offset < end] == found
    return line | {"right": right}


def logical_divide(a, b, answer):
    rest = translations(b.offsets(), a.size) if len(set(b.offsets())) == b.size else None
    line = {"b": b.text(), "tile_size": b.size}
    return line | {"offsets": rest and [a(begin + offset) for begin in rest for offset in b.offsets()]}


def logical_product(a, b, answer):
    copies = translations(a.offsets(), a.size * b.cosize)
    if copies is None:
        return {"b": b.text(), "offsets": None}
    return {"b": b.text(), "offsets": [copies[copy] + offset for copy in b.offsets() for offset in a.offsets()]}


def right_inverse(a, answer):
    image = {}
    for index, offset in enumerate(a.offsets()):
        image.setdefault(offset, index)
    largest = next(offset for offset in range(a.size + 1) if offset not in image)
    values = [image[offset] for offset in range(largest)]
    # A shorter answer is right as far as it goes, and of indices with one offset each is right.
    right = answer.size <= largest and [a(index) for index in answer.offsets()] == list(range(answer.size))
    return {"largest": largest, "values": values, "right": right}


def left_inverse(a, answer):
    if len(set(a.offsets())) < a.size:
        return None
    pairs = [[offset, index] for index, offset in enumerate(a.offsets())]
    return {"pairs": pairs, "right": all(answer(offset) == index for offset, index in pairs)}


OPERATIONS = {
    function.__name__: function
    for function in (composition, coalesce, complement, logical_divide, logical_product, right_inverse, left_inverse)
}


class Record:
    def __init__(self):
        self.lines, self.left_out = {}, collections.Counter()

    def add(self, project, op, arguments, answer):
        """`arguments` are Modes and numbers, `answer` is Modes."""
        every = [modes for modes in (*arguments, answer) if isinstance(modes, Modes)]
        if any(modes.size > LARGEST or modes.cosize > 16 * LARGEST or min(modes.shape, default=1) < 1 for modes in every):
            self.left_out["an operand is empty or large"] += 1
            return
        line = OPERATIONS[op](*arguments, answer)
        if line is None or any(min(modes.stride, default=0) < 0 for modes in every):
            self.left_out["two indices have one offset, or a stride is negative"] += 1
            return
        right = line.pop("right", None)
        if right is None:
            right = line["offsets"] == answer.offsets()
        if op == "coalesce" and not right:
            self.left_out["a part of the modes is coalesced"] += 1
            return
        is_right = "right" if right else "other"
        line = {"op": op, "a": arguments[0].text(), **line, "cute": answer.text(), "cute_is": is_right}
        self.lines[json.dumps(line, separators=(",", ":"))] = (project, op, is_right)


def of_layout(layout):
    return Modes(layout.shape, layout.stride)


def tensor_layouts(folder, record):
    """Runs the tests, with functions that record what they are called with."""
    sys.path.insert(0, str(folder / "src"))
    module, pytest = importlib.import_module("tensor_layouts"), importlib.import_module("pytest")
    names = {name: name for name in OPERATIONS} | {"composition": "compose"}

    def recording(op, function):
        def call(*arguments, **keywords):
            answer = function(*arguments, **keywords)
            try:
                given = list(map(operand, arguments))
                if op == "complement":
                    end = given[1] if len(given) > 1 else given[0].cosize
                    given = [given[0], end if isinstance(end, int) else end.size]
                elif op in ("composition", "logical_divide", "logical_product"):
                    # A number is the layout of that many contiguous elements.
                    given = [Modes([n], [1]) if isinstance(n, int) else n for n in given]
                if keywords or len(given) != OPERATIONS[op].__code__.co_argcount - 1:
                    raise ValueError("other arguments")
                record.add("tensor-layouts", op, given, of_layout(answer))
            except (AttributeError, TypeError, ValueError):
                record.left_out["an argument is no plain layout"] += 1
            return answer

        def operand(argument):
            if isinstance(argument, int):
                return argument
            if op == "complement" and isinstance(argument, tuple):
                return math.prod(flat(argument))
            return of_layout(argument)

        return call

    for op, name in names.items():
        setattr(module, name, recording(op, getattr(module, name)))
    tests = [str(folder / "tests" / name) for name in ("layouts.py", "external.py", "paper_examples.py")]
    failed = pytest.main(["-q", "-p", "no:cacheprovider", *tests])
    if failed:
        sys.exit("error: the tests of tensor-layouts do not pass with functions that record")


def layout_categories(folder, record, iterations):
    """Operations of random morphisms: a size goes to a place of the codomain, whose stride is the product of the sizes before."""
    package = types.ModuleType("tract")
    package.__path__ = [str(folder / "tract/src/tract")]  # without __init__, which imports CUTLASS
    sys.modules["tract"] = package
    generate, numpy = importlib.import_module("tract.test_utils"), importlib.import_module("numpy")

    def layout(morphism):
        strides = [math.prod(morphism.codomain[: place - 1]) if place else 0 for place in morphism.map]
        return Modes(list(morphism.domain), strides)

    small = {"max_length": 5, "max_value": 5}
    for seed in range(iterations):
        random.seed(seed)
        numpy.random.seed(seed)
        f, g = generate.random_composable_Tuple_morphisms(**small)
        record.add("layout-categories", "composition", [layout(g), layout(f)], layout(f.compose(g)))
        f = generate.random_Tuple_morphism(**small)
        record.add("layout-categories", "coalesce", [layout(f)], layout(f.coalesce()))
        f = generate.random_complementable_Tuple_morphism(**small)
        record.add("layout-categories", "complement", [layout(f), math.prod(f.codomain)], layout(f.complement()))
        f, g = generate.random_divisible_Tuple_morphisms(**small)
        record.add("layout-categories", "logical_divide", [layout(f), layout(g)], layout(f.flat_divide(g)))
        f, g = generate.random_product_admissible_Tuple_morphisms(**small)
        record.add("layout-categories", "logical_product", [layout(f), layout(g)], layout(f.flat_product(g)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tensor-layouts", type=Path)
    parser.add_argument("--layout-categories", type=Path)
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    record = Record()
    if arguments.tensor_layouts:
        tensor_layouts(arguments.tensor_layouts, record)
    if arguments.layout_categories:
        layout_categories(arguments.layout_categories, record, arguments.iterations)
    arguments.out.write_text("".join(f"{line}\n" for line in record.lines))
    for (project, op, is_right), lines in sorted(collections.Counter(record.lines.values()).items()):
        answer = "has these offsets" if is_right == "right" else "has other offsets"
        print(f"{project:18} {op:16} {lines:5} lines whose answer {answer}")
    for reason, calls in record.left_out.items():
        print(f"left out: {calls} calls: {reason}")


if __name__ == "__main__":
    main()
