"""Sorts a program in WebAssembly by what its bytes are, so that it packs a tenth smaller.

`unpack/src/program.rs` says which parts there are, and puts the program together again.
"""

import struct
import sys

CODE = 10
BLOCKS, END = (0x02, 0x03, 0x04), 0x0B
BRANCHES, BRANCH_TABLE, CALL = (0x0C, 0x0D), 0x0E, 0x10
LOCALS = (0x20, 0x21, 0x22)
LOADS_AND_STORES = range(0x28, 0x3F)
# As powers of two, of each load and store: what is loaded has this size.
ALIGNMENTS = b"\2\3\2\3\0\0\1\1\0\0\1\1\2\2\2\3\2\3\0\1\0\1\2"
# What is added to the number of a load or store with another alignment; what stands before a constant with more than 32 bits.
UNALIGNED, LONG = 0xB8, 0xFF
CONSTANTS, FLOATS = (0x41, 0x42), {0x43: 4, 0x44: 8}
# How many numbers follow an operation, and how many follow the number of one with this prefix.
NUMBERS = {0x02: 1, 0x03: 1, 0x04: 1, 0x11: 2, 0x23: 1, 0x24: 1, 0x3F: 1, 0x40: 1, 0xD0: 1, 0xD2: 1}
PREFIX, NUMBERS_BEHIND = 0xFC, {8: 2, 9: 1, 10: 2, 11: 1}


class Reader:
    def __init__(self, program):
        self.program, self.at = program, 0

    def bytes(self, count):
        self.at += count
        return self.program[self.at - count:self.at]

    def number(self):
        """A number as it is written: seven bits a byte, the lowest first."""
        count = 1
        while self.program[self.at + count - 1] >= 0x80:
            count += 1
        return self.bytes(count)


def value(written):
    return sum((byte & 0x7F) << 7 * k for k, byte in enumerate(written))


def signed(written):
    bits = 7 * len(written)
    return value(written) - (value(written) >> (bits - 1) << bits)


def shortest(number):
    low = number & 0x7F
    return bytes([low]) if number == low else bytes([low | 0x80]) + shortest(number >> 7)


class Parts:
    def __init__(self):
        self.constants, self.offsets, self.calls = bytearray(), bytearray(), bytearray()
        self.operations, self.locals, self.branches, self.others = bytearray(), bytearray(), bytearray(), bytearray()
        # The local variables of a function, the one that was used last first.
        self.recent = []

    def whole(self):
        parts = [self.constants, self.offsets, self.calls, self.operations, self.locals, self.branches, self.others]
        return struct.pack(">7I", *map(len, parts)) + b"".join(parts)

    def function(self, reader):
        size, begin = value(reader.number()), reader.at
        count = reader.number()
        self.operations += count
        for _ in range(value(count)):
            self.operations += reader.number() + reader.bytes(1)
        self.recent = []
        depth = 1
        while depth:
            depth += self.operation(reader)
        if reader.at - begin != size:
            sys.exit("a function has operations that web/parts.py does not know")

    def operation(self, reader):
        """Sorts an operation and what follows it, and returns by how much it nests deeper."""
        operation, = reader.bytes(1)
        if operation in CONSTANTS:
            written = reader.number()
            number = signed(written)
            if (abs(number) >> 31) == 0:
                self.operations.append(operation)
                self.constants += struct.pack(">i", number)
                is_shortest = len(written) == (number if number >= 0 else ~number).bit_length() // 7 + 1
                expect_shortest(is_shortest)
            else:
                self.operations += bytes([LONG, operation]) + written
        elif operation in LOADS_AND_STORES:
            alignment = reader.number()
            if alignment[0] == ALIGNMENTS[operation - LOADS_AND_STORES[0]]:
                self.operations.append(operation)
            else:
                self.operations += bytes([operation + UNALIGNED]) + alignment
            self.offsets += of_32_bits(reader.number())
        else:
            self.operations.append(operation)
            self.operands(operation, reader)
        return (operation in BLOCKS) - (operation == END)

    def operands(self, operation, reader):
        if operation in LOCALS:
            local = value(reader.number())
            self.recent += range(len(self.recent), local + 1)
            others = self.recent.index(local)
            self.recent.insert(0, self.recent.pop(others))
            self.locals += shortest(others)
        elif operation == CALL:
            self.calls += of_32_bits(reader.number())
        elif operation in BRANCHES:
            self.branches += reader.number()
        elif operation == BRANCH_TABLE:
            count = reader.number()
            self.branches += count + b"".join(reader.number() for _ in range(value(count) + 1))
        else:
            numbers = NUMBERS.get(operation, 0)
            if operation == PREFIX:
                which = reader.number()
                self.operations += which
                numbers = NUMBERS_BEHIND.get(value(which), 0)
            self.operations += b"".join(reader.number() for _ in range(numbers)) + reader.bytes(FLOATS.get(operation, 0))


def of_32_bits(written):
    expect_shortest(len(written) == max(1, -(-value(written).bit_length() // 7)))
    return struct.pack(">I", value(written))


def expect_shortest(is_shortest):
    if not is_shortest:
        sys.exit("the linker writes numbers longer than they are: see the flag `compress-relocations` in web/build.py")


def of_program(program):
    """The parts of a program, behind their lengths."""
    parts, reader = Parts(), Reader(program)
    parts.others += reader.bytes(8)
    while reader.at < len(program):
        section, size = reader.bytes(1), reader.number()
        parts.others += section + size
        if section[0] != CODE:
            parts.others += reader.bytes(value(size))
            continue
        count = reader.number()
        parts.others += count
        for _ in range(value(count)):
            parts.function(reader)
    return parts.whole()


def length_of_numbers(sorted_program):
    """Of the header and the parts of numbers of 32 bits, which are the first ones."""
    return 28 + sum(struct.unpack_from(">3I", sorted_program))
