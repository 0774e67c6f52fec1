//! Puts a program in WebAssembly together from its parts, which pack a tenth smaller than it does.
//!
//! ```text
//! header      the bytes of each part, as numbers of 32 bits, the highest byte first
//! constants   of 32 bits
//! offsets     of loads and stores, of 32 bits
//! calls       the numbers of the functions that are called, of 32 bits
//! operations  of each function, behind the types of its local variables; operands without a part
//! locals      local variables: how many others of the function were used since
//! branches    how many blocks they leave
//! others      all sections, of that of functions its size and how many there are
//! ```
//!
//! What follows an operation decides which part is read next. The alignment of a load or store is
//! left out if it is the size of what is loaded, and the size of a function always. `web/parts.py`
//! sorts so. Damaged parts give other bytes, and end. The header and the three parts of numbers of 32
//! bits are packed together, and before them is of how many bytes to how many; then all others.

use crate::{Literals, unpacked};

const CODE: u8 = 10;
const END: u8 = 0x0b;
/// The first load, and the alignment of each load and store as a power of two.
const LOAD: u8 = 0x28;
const ALIGNMENTS: &[u8; 23] =
    b"\x02\x03\x02\x03\0\0\x01\x01\0\0\x01\x01\x02\x02\x02\x03\x02\x03\0\x01\0\x01\x02";
/// The most local variables of a function: those of browsers are fewer.
const LOCALS: usize = 1 << 16;
/// What is added to the number of a load or store whose alignment follows.
const UNALIGNED: u8 = 0xb8;

/// What is left of a part; behind its end are zeros.
struct Part<'a>(&'a [u8]);

impl<'a> Part<'a> {
    fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (bytes, left) = self.0.split_at(count.min(self.0.len()));
        self.0 = left;
        bytes
    }

    fn byte(&mut self) -> u8 {
        self.bytes(1).first().copied().unwrap_or(0)
    }

    /// A number of 32 bits.
    #[inline(never)]
    fn value(&mut self) -> u32 {
        (0..4).fold(0, |value, _| value << 8 | u32::from(self.byte()))
    }

    /// Copies a number as WebAssembly writes it, and returns its low 32 bits.
    #[inline(never)]
    fn number(&mut self, to: &mut Vec<u8>) -> u32 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let byte = self.byte();
            to.push(byte);
            value |= u32::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte < 0x80 {
                break;
            }
        }
        value
    }

    /// Copies how many numbers follow, and returns it: at most as many as there are bytes.
    fn count(&mut self, to: &mut Vec<u8>) -> usize {
        (self.number(to) as usize).min(self.0.len())
    }
}

/// Writes a number as WebAssembly does: seven bits a byte, the lowest first.
fn write(mut value: u32, to: &mut Vec<u8>) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

/// The same of a number with a sign.
fn write_signed(mut value: i32, to: &mut Vec<u8>) {
    while !(-0x40..0x40).contains(&value) {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8 & 0x7f);
}

struct Parts<'a> {
    constants: Part<'a>,
    offsets: Part<'a>,
    calls: Part<'a>,
    operations: Part<'a>,
    locals: Part<'a>,
    branches: Part<'a>,
    others: Part<'a>,
    /// The local variables of the function, the one that was used last first.
    recent: Vec<u32>,
}

impl<'a> Parts<'a> {
    fn new(parts: &'a [u8]) -> Self {
        let mut rest = Part(parts);
        let mut header = Part(rest.bytes(4 * 7));
        let mut part = || Part(rest.bytes(header.value() as usize));
        Self {
            constants: part(),
            offsets: part(),
            calls: part(),
            operations: part(),
            locals: part(),
            branches: part(),
            others: part(),
            recent: Vec::new(),
        }
    }

    /// Writes a function without its size, up to `most` bytes.
    fn function(&mut self, to: &mut Vec<u8>, most: usize) {
        for _ in 0..self.operations.count(to) {
            self.operations.number(to);
            to.push(self.operations.byte());
        }
        self.recent.clear();
        let mut depth = 1;
        while depth > 0 && to.len() < most {
            let operation = self.operations.byte();
            self.operation(operation, to);
            depth += match operation {
                0x02..=0x04 => 1,
                END => -1,
                _ => 0,
            };
        }
    }

    /// Writes the number of a local variable.
    fn local(&mut self, to: &mut Vec<u8>) {
        let begin = to.len();
        let others = self.locals.number(to) as usize % LOCALS;
        to.truncate(begin);
        for unused in self.recent.len()..=others {
            self.recent.push(unused as u32);
        }
        self.recent[..=others].rotate_right(1);
        write(self.recent[0], to);
    }

    /// Writes an operation and what follows it.
    fn operation(&mut self, operation: u8, to: &mut Vec<u8>) {
        let aligned = operation.wrapping_sub(UNALIGNED);
        let alignment = |operation: u8| ALIGNMENTS.get(usize::from(operation.wrapping_sub(LOAD)));
        // A constant of more than 32 bits.
        if operation == 0xff {
            to.push(self.operations.byte());
            self.operations.number(to);
            return;
        }
        if alignment(aligned).is_some() {
            to.push(aligned);
            self.operations.number(to);
            return write(self.offsets.value(), to);
        }
        to.push(operation);
        if let Some(&alignment) = alignment(operation) {
            to.push(alignment);
            return write(self.offsets.value(), to);
        }
        let mut numbers = 0;
        match operation {
            0x02..=0x04 | 0x23 | 0x24 | 0x3f | 0x40 | 0xd0 | 0xd2 => numbers = 1,
            0x11 => numbers = 2,
            0x0c | 0x0d => {
                self.branches.number(to);
            }
            0x0e => {
                for _ in 0..=self.branches.count(to) {
                    self.branches.number(to);
                }
            }
            0x10 => write(self.calls.value(), to),
            0x20..=0x22 => self.local(to),
            0x41 | 0x42 => write_signed(self.constants.value().cast_signed(), to),
            0x43 => to.extend(self.operations.bytes(4)),
            0x44 => to.extend(self.operations.bytes(8)),
            0xfc => {
                numbers = match self.operations.number(to) {
                    8 | 10 => 2,
                    9 | 11 => 1,
                    _ => 0,
                }
            }
            _ => {}
        }
        for _ in 0..numbers {
            self.operations.number(to);
        }
    }
}

/// Unpacks the parts of a program, of `size` bytes in all.
#[must_use]
pub fn parts(packed: &[u8], size: usize) -> Vec<u8> {
    let mut packed = Part(packed);
    let length = packed.value() as usize;
    let of_numbers = size.min(packed.value() as usize);
    let numbers = unpacked(packed.bytes(length), of_numbers, Literals::Numbers);
    let others = unpacked(packed.0, size - of_numbers, Literals::Bytes);
    [numbers, others].concat()
}

/// The program of `size` bytes that has these parts.
#[must_use]
pub fn program(parts: &[u8], size: usize) -> Vec<u8> {
    let mut parts = Parts::new(parts);
    let mut program = Vec::with_capacity(size);
    program.extend(parts.others.bytes(8));
    let mut function = Vec::new();
    while program.len() < size {
        let section = parts.others.byte();
        program.push(section);
        let length = parts.others.number(&mut program) as usize;
        if section != CODE {
            program.extend(parts.others.bytes(length));
            continue;
        }
        let mut functions = parts.others.number(&mut program);
        while functions > 0 && program.len() < size {
            function.clear();
            parts.function(&mut function, size);
            write(function.len() as u32, &mut program);
            program.extend(&function);
            functions -= 1;
        }
    }
    program.truncate(size);
    program
}

#[cfg(test)]
mod tests {
    use super::program;

    /// A program with every operation that has operands, and the same as `web/parts.py` sorted it.
    const PROGRAM: &[u8] = include_bytes!("operations.wasm");
    const PARTS: &[u8] = include_bytes!("operations.parts");

    #[test]
    fn the_parts_make_the_program() {
        assert_eq!(program(PARTS, PROGRAM.len()), PROGRAM);
    }

    #[test]
    fn damaged_parts_end() {
        for cut in 0..PARTS.len() {
            assert_eq!(program(&PARTS[..cut], 400).len(), 400);
            let mut damaged = PARTS.to_vec();
            for bits in [0x01, 0x55, 0xff] {
                damaged[cut] = PARTS[cut] ^ bits;
                assert_eq!(program(&damaged, 4000).len(), 4000);
            }
        }
    }
}
