//! Unpacks LZMA, which makes the playground a quarter smaller than what browsers unpack themselves.
//!
//! ```text
//! range coder  each bit has a probability, which the bits at its place before it have made
//! a literal    eight bits, by the byte before it and, behind a match, by the byte with which the
//!              match would have gone on
//! a match      its length, and its distance or one of the last four
//! ```
//!
//! The format is that of the LZMA SDK without a header, with 2 position bits, as numbers of 32 bits
//! have them; `web/build.py` packs so. Damaged input gives other bytes, and ends. What is packed are
//! the parts of a program, which `program` puts together; those of numbers are packed on their own.

mod exports;
mod program;

pub use program::{parts, program};

/// What chooses the probabilities of a literal.
#[derive(Clone, Copy, Debug)]
pub enum Literals {
    /// The place in a number of 32 bits, and one bit of the byte before.
    Numbers,
    /// Three bits of the byte before.
    Bytes,
}

/// How many probabilities both have for each bit.
const CONTEXTS: usize = 8;
/// How many probabilities a bit has that depends on the place of a byte in its number.
const PLACES: usize = 4;

// The places of probabilities.
const MATCH: usize = 0;
const REPEATED: usize = MATCH + 12 * PLACES;
const REPEATED_FIRST: usize = REPEATED + 12;
const REPEATED_SECOND: usize = REPEATED_FIRST + 12;
const REPEATED_THIRD: usize = REPEATED_SECOND + 12;
const REPEATED_BYTE: usize = REPEATED_THIRD + 12;
const SLOT: usize = REPEATED_BYTE + 12 * PLACES;
const SPECIAL: usize = SLOT + 4 * 64;
const ALIGN: usize = SPECIAL + 128;
const LENGTH: usize = ALIGN + 16;
// Of a length: two choices, and the bits of short, of longer and of long ones.
const SHORT: usize = 2;
const LONGER: usize = SHORT + 8 * PLACES;
const LONG: usize = LONGER + 8 * PLACES;
const REPEATED_LENGTH: usize = LENGTH + LONG + 256;
const LITERAL: usize = REPEATED_LENGTH + LONG + 256;
const ALL: usize = LITERAL + 0x300 * CONTEXTS;

struct Decoder<'a> {
    packed: &'a [u8],
    at: usize,
    range: u32,
    code: u32,
    odds: [u16; ALL],
}

impl<'a> Decoder<'a> {
    fn new(packed: &'a [u8]) -> Self {
        let mut decoder = Self {
            packed,
            // The first byte is 0.
            at: 1,
            range: u32::MAX,
            code: 0,
            odds: [1 << 10; ALL],
        };
        for _ in 0..4 {
            decoder.code = decoder.code << 8 | decoder.byte();
        }
        decoder
    }

    /// The next byte; behind the end 0.
    fn byte(&mut self) -> u32 {
        let byte = self.packed.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte.into()
    }

    fn normalize(&mut self) {
        if self.range < 1 << 24 {
            self.range <<= 8;
            self.code = self.code << 8 | self.byte();
        }
    }

    fn bit(&mut self, place: usize) -> usize {
        let odds = self.odds[place];
        let bound = (self.range >> 11) * u32::from(odds);
        let bit = if self.code < bound {
            self.range = bound;
            self.odds[place] = odds + ((2048 - odds) >> 5);
            0
        } else {
            self.range -= bound;
            self.code -= bound;
            self.odds[place] = odds - (odds >> 5);
            1
        };
        self.normalize();
        bit
    }

    /// A number of `count` bits, the highest first.
    fn bits(&mut self, base: usize, count: u32) -> usize {
        let mut node = 1;
        for _ in 0..count {
            node = node << 1 | self.bit(base + node);
        }
        node - (1 << count)
    }

    /// A number of `count` bits, the lowest first.
    fn reversed_bits(&mut self, base: usize, count: u32) -> usize {
        let mut node = 1;
        let mut number = 0;
        for k in 0..count {
            let bit = self.bit(base + node);
            node = node << 1 | bit;
            number |= bit << k;
        }
        number
    }

    /// A number whose bits have no probabilities.
    fn direct_bits(&mut self, count: u32) -> usize {
        let mut number = 0;
        for _ in 0..count {
            self.range >>= 1;
            let is_one = self.code >= self.range;
            if is_one {
                self.code -= self.range;
            }
            number = number << 1 | usize::from(is_one);
            self.normalize();
        }
        number
    }

    fn length(&mut self, base: usize, place: usize) -> usize {
        if self.bit(base) == 0 {
            2 + self.bits(base + SHORT + 8 * place, 3)
        } else if self.bit(base + 1) == 0 {
            10 + self.bits(base + LONGER + 8 * place, 3)
        } else {
            18 + self.bits(base + LONG, 8)
        }
    }

    /// How far behind the end of the output a new match begins, less 1.
    fn distance(&mut self, length: usize) -> usize {
        let slot = self.bits(SLOT + ((length - 2).min(3) << 6), 6);
        if slot < 4 {
            return slot;
        }
        let low = (slot >> 1) as u32 - 1;
        let base = (2 | slot & 1) << low;
        if slot < 14 {
            return base + self.reversed_bits(SPECIAL + base - slot, low);
        }
        base + (self.direct_bits(low - 4) << 4) + self.reversed_bits(ALIGN, 4)
    }

    /// A literal; `matched` is the byte with which a match before it would have gone on.
    fn literal(&mut self, context: usize, matched: Option<u8>) -> u8 {
        let base = LITERAL + 0x300 * context;
        let mut node = 1;
        if let Some(matched) = matched {
            let mut rest = usize::from(matched);
            while node < 0x100 {
                let expected = rest >> 7 & 1;
                rest <<= 1;
                let bit = self.bit(base + ((1 + expected) << 8) + node);
                node = node << 1 | bit;
                if bit != expected {
                    break;
                }
            }
        }
        while node < 0x100 {
            node = node << 1 | self.bit(base + node);
        }
        node as u8
    }
}

/// What is unpacked so far.
struct Output {
    bytes: Vec<u8>,
    size: usize,
    literals: Literals,
    /// What the last symbols were, as the format counts it.
    state: usize,
    /// The distances of the last four matches, less 1.
    last: [usize; 4],
}

impl Output {
    /// A byte before the end; before the beginning 0.
    fn back(&self, distance: usize) -> u8 {
        let behind = self.bytes.len().checked_sub(distance);
        let at = behind.and_then(|behind| behind.checked_sub(1));
        at.map_or(0, |at| self.bytes[at])
    }

    /// Unpacks the next literal or match.
    ///
    /// A function of its own: a browser compiles a function better after some calls, and a loop
    /// that runs not at all.
    #[inline(never)]
    fn next(&mut self, decoder: &mut Decoder<'_>) {
        let state = self.state;
        let last = self.last;
        let place = self.bytes.len() % PLACES;
        if decoder.bit(MATCH + PLACES * state + place) == 0 {
            let matched = (state >= 7).then(|| self.back(last[0]));
            let before = usize::from(self.back(0));
            let context = match self.literals {
                Literals::Numbers => place << 1 | before >> 7,
                Literals::Bytes => before >> 5,
            };
            let literal = decoder.literal(context, matched);
            self.bytes.push(literal);
            self.state = match state {
                0..4 => 0,
                4..10 => state - 3,
                _ => state - 6,
            };
            return;
        }
        let is_late = state >= 7;
        let length;
        if decoder.bit(REPEATED + state) == 0 {
            length = decoder.length(LENGTH, place);
            self.last = [decoder.distance(length), last[0], last[1], last[2]];
            self.state = if is_late { 10 } else { 7 };
        } else {
            if decoder.bit(REPEATED_FIRST + state) == 0 {
                if decoder.bit(REPEATED_BYTE + PLACES * state + place) == 0 {
                    self.bytes.push(self.back(last[0]));
                    self.state = if is_late { 11 } else { 9 };
                    return;
                }
            } else if decoder.bit(REPEATED_SECOND + state) == 0 {
                self.last = [last[1], last[0], last[2], last[3]];
            } else if decoder.bit(REPEATED_THIRD + state) == 0 {
                self.last = [last[2], last[0], last[1], last[3]];
            } else {
                self.last = [last[3], last[0], last[1], last[2]];
            }
            length = decoder.length(REPEATED_LENGTH, place);
            self.state = if is_late { 11 } else { 8 };
        }
        for _ in 0..length.min(self.size - self.bytes.len()) {
            self.bytes.push(self.back(self.last[0]));
        }
    }
}

/// Unpacks `size` bytes.
#[must_use]
pub fn unpacked(packed: &[u8], size: usize, literals: Literals) -> Vec<u8> {
    let mut decoder = Decoder::new(packed);
    let mut output = Output {
        bytes: Vec::with_capacity(size),
        size,
        literals,
        state: 0,
        last: [0; 4],
    };
    while output.bytes.len() < size {
        output.next(&mut decoder);
    }
    output.bytes
}

#[cfg(test)]
mod tests {
    use super::{Literals, unpacked};

    /// `(b"abracadabra, " * 3 + bytes(range(256)) + b"abracadabra, " * 9)`, packed by xz.
    const PACKED: &[u8] = include_bytes!("abracadabra.lzma");
    /// The same with 1 literal context bit and 2 literal position bits.
    const PACKED_AS_NUMBERS: &[u8] = include_bytes!("numbers.lzma");

    fn expected() -> Vec<u8> {
        let word = b"abracadabra, ";
        let all: Vec<u8> = (0..=255).collect();
        [word.repeat(3), all, word.repeat(9)].concat()
    }

    #[test]
    fn what_another_program_packed() {
        let expected = expected();
        for (packed, literals) in [
            (PACKED, Literals::Bytes),
            (PACKED_AS_NUMBERS, Literals::Numbers),
        ] {
            assert_eq!(unpacked(packed, expected.len(), literals), expected);
            assert_eq!(unpacked(packed, 20, literals), expected[..20]);
            assert_eq!(unpacked(packed, 0, literals), []);
        }
    }

    #[test]
    fn damaged_input_ends() {
        for cut in 0..PACKED.len() {
            let bytes = |packed: &[u8], size| unpacked(packed, size, Literals::Bytes);
            assert_eq!(bytes(&PACKED[..cut], 400).len(), 400);
            let mut damaged = PACKED.to_vec();
            damaged[cut] ^= 0x55;
            assert_eq!(bytes(&damaged, 4000).len(), 4000);
        }
    }
}
