//! Triton's linear layouts, as its compiler prints them:
//! `#ttg.linear<{register = [[0, 1]], lane = [[1, 0]], warp = [], block = []}>`.
//!
//! ```text
//! text  = "#ttg.linear<{" input { "," input } "}>", the inputs register, lane, warp and block in this sequence
//! input = name "=" "[" basis { "," basis } "]"       basis = "[" number { "," number } "]"
//! ```
//!
//! A basis is the tensor coordinates of one bit of the input. Bases are combined by XOR. Source:
//! `include/triton/Tools/LinearLayout.h`.

use std::io::Write;
use std::ops::Range;

use xlayout::ElementType;
use xlayout::algebra::{Bits, Budget, Map};
use xlayout::interop::CuteLayout;

use xlayout_command::table::{pairs, print};
use xlayout_command::{Failure, Outcome, TextSpan};
use xlayout_words::joined;

/// The number of offsets that `explain` shows.
const SHOWN: u64 = 16;

const INPUTS: [&str; 4] = ["register", "lane", "warp", "block"];
const HELP: &str =
    "write `#ttg.linear<{register = [[0, 1]], lane = [[1, 0]], warp = [], block = []}>`";

/// The map from an index to the row-major index in the tensor. The index counts registers first,
/// then lanes, warps and blocks. `None` if the text is no linear layout.
///
/// # Errors
/// Syntax that is not supported, bases of different lengths, and more bits than a map has.
pub(crate) fn read(origin: &str, text: &str) -> Option<Outcome<Map>> {
    Some(linear(origin, text)?.map(|linear| linear.map))
}

/// A linear layout: the basis of each bit of the index, the sizes of the tensor, and the map.
pub(crate) struct Linear {
    bases: Vec<Vec<u64>>,
    sizes: Vec<u64>,
    map: Map,
}

/// As [`read`], but returns the whole layout.
pub(crate) fn linear(origin: &str, text: &str) -> Option<Outcome<Linear>> {
    // `#linear = #ttg.linear<…>`
    let at = text.find("#ttg.linear")?;
    let name = text[..at].trim();
    let is_named = name
        .strip_prefix('#')
        .and_then(|name| name.strip_suffix('='));
    let mut reader = Reader { origin, text, at };
    (name.is_empty() || is_named.is_some()).then(|| reader.linear())
}

impl Linear {
    /// Writes the answer of `xlayout explain`: the map, and the layout if there is one.
    pub(crate) fn explain(&self, out: &mut dyn Write) -> Outcome {
        let map = &self.map;
        let sizes = &self.sizes;
        let offsets = (0..map.size().min(SHOWN)).filter_map(|index| map.at_index(index));
        let offsets = joined(offsets.collect::<Vec<_>>(), ", ");
        let more = if map.size() > SHOWN { ", …" } else { "" };
        let bijection = match map.collision(Budget::DEFAULT)? {
            Some((a, b)) => format!("no: indices {a} and {b} have the same element"),
            None if map.size() < sizes.iter().product() => "no: some elements have no index".into(),
            None => "yes".to_owned(),
        };
        let layout = self.layout().filter(|_| bijection == "yes");
        let none = || "no layout has its elements in the sequence of the index".to_owned();
        let rows = [
            ("tensor", format!("{sizes:?}").into()),
            ("map", map.to_string().into()),
            ("offsets", format!("{offsets}{more}").into()),
            ("bijection", bijection.into()),
            ("XLA", layout.unwrap_or_else(none).into()),
        ];
        Ok(print(out, |out| pairs(out, &rows, 2))?)
    }

    /// The layout whose linear index is the index: each bit of the index is one of a coordinate.
    fn layout(&self) -> Option<String> {
        let mut sizes = Vec::new();
        let mut strides = Vec::new();
        for (dimension, size) in self.sizes.iter().enumerate() {
            let place = |bit| {
                let mut unit = vec![0; self.sizes.len()];
                unit[dimension] = 1_u64 << bit;
                let place = self.bases.iter().position(|basis| *basis == unit)?;
                Some(1_u64 << place)
            };
            let own: Vec<u64> = (0..size.ilog2()).map(place).collect::<Option<_>>()?;
            sizes.push(format!("({})", joined(vec![2; own.len()], ",")));
            strides.push(format!("({})", joined(&own, ",")));
        }
        let [sizes, strides] = [sizes, strides].map(|list| joined(&list, ","));
        let cute: CuteLayout = format!("({sizes}):({strides})").parse().ok()?;
        let shape = cute.to_shape(ElementType::U8).ok()?;
        Some(shape.to_string().trim_start_matches("u8").to_owned())
    }
}

struct Reader<'t> {
    origin: &'t str,
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn linear(&mut self) -> Outcome<Linear> {
        let start = self.at;
        let mut bases: Vec<(Vec<u64>, Range<usize>)> = Vec::new();
        self.expect("#ttg.linear")?;
        self.expect("<")?;
        self.expect("{")?;
        for (number, input) in INPUTS.into_iter().enumerate() {
            if number > 0 {
                self.expect(",")?;
            }
            self.expect(input)?;
            self.expect("=")?;
            self.list(&mut |reader| {
                let mut basis = Vec::new();
                let start = reader.at;
                reader.list(&mut |reader| reader.number().map(|number| basis.push(number)))?;
                bases.push((basis, start..reader.at));
                Ok(())
            })?;
        }
        self.expect("}")?;
        self.expect(">")?;
        self.blanks();
        if self.at < self.text.len() {
            return Err(self.unexpected("the end of the text"));
        }
        let rank = bases.first().map_or(0, |(basis, _)| basis.len());
        if let Some((basis, place)) = bases.iter().find(|(basis, _)| basis.len() != rank) {
            let what = format!(
                "a basis of {} coordinates, and the first one has {rank}",
                basis.len()
            );
            return Err(self.failure(
                what,
                place.clone(),
                "write as many coordinates in each basis",
            ));
        }
        // Sizes are powers of two, so the XOR of row-major indices is the row-major index of the
        // XOR.
        let mut columns = vec![0_u64; bases.len()];
        let mut sizes = Vec::new();
        for dimension in 0..rank {
            let coordinates = bases.iter().map(|(basis, _)| basis[dimension]);
            let bits = 64 - coordinates.fold(0, u64::max).leading_zeros();
            sizes.push(1 << bits);
            for (column, (basis, place)) in columns.iter_mut().zip(&bases) {
                if column.leading_zeros() < bits + 2 {
                    let what = "the tensor has 2^62 elements or more";
                    return Err(self.failure(what, place.clone(), "write smaller coordinates"));
                }
                *column = *column << bits | basis[dimension];
            }
        }
        let map = Bits::new(&columns).and_then(|bits| bits.to_map());
        let map = map.map_err(|error| {
            let help = error.help().to_string();
            self.failure(error.message(), start..self.text.len(), &help)
        })?;
        let bases = bases.into_iter().map(|(basis, _)| basis).collect();
        Ok(Linear { bases, sizes, map })
    }

    /// `[`, items with commas between them, and `]`.
    fn list(&mut self, item: &mut dyn FnMut(&mut Self) -> Outcome) -> Outcome {
        self.expect("[")?;
        let mut ended = self.eat("]");
        while !ended {
            item(self)?;
            ended = self.eat("]");
            if !ended {
                self.expect(",")?;
            }
        }
        Ok(())
    }

    fn number(&mut self) -> Outcome<u64> {
        self.blanks();
        let rest = &self.text[self.at..];
        let len = rest.bytes().take_while(u8::is_ascii_digit).count();
        match rest[..len].parse::<u64>() {
            // Coordinates with more bits are refused with the tensor.
            Ok(number) if number >> 62 == 0 => {
                self.at += len;
                Ok(number)
            }
            _ => Err(self.unexpected("a number below 2^62")),
        }
    }

    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, word: &str) -> bool {
        self.blanks();
        let here = self.text[self.at..].starts_with(word);
        if here {
            self.at += word.len();
        }
        here
    }

    fn expect(&mut self, word: &str) -> Outcome {
        if self.eat(word) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{word}`")))
        }
    }

    /// The error for a text that is not the expected one.
    fn unexpected(&self, expected: &str) -> Failure {
        let rest = &self.text[self.at..];
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = rest.find(|c| !word(c)).unwrap_or(rest.len());
        let len = word.max(rest.chars().next().map_or(0, char::len_utf8));
        let found = match &rest[..len] {
            "" => "the end of the text".to_owned(),
            found => format!("`{found}`"),
        };
        let what = format!("expected {expected}, found {found}");
        self.failure(what, self.at..self.at + len, HELP)
    }

    fn failure(&self, what: impl std::fmt::Display, at: Range<usize>, help: &str) -> Failure {
        let failure = Failure::usage(what).help(help);
        failure.at(TextSpan::of_argument(self.origin, self.text, at))
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use xlayout::algebra::Budget;

    /// `blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [1, 0]}>`
    /// of 16 by 16 elements.
    const BLOCKED: &str = "#linear = #ttg.linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], \
         warp = [[0, 8], [8, 0]], block = []}>";

    #[test]
    fn a_blocked_layout() {
        let Some(Ok(map)) = read("A", BLOCKED) else {
            panic!("it is a linear layout")
        };
        for index in 0..256 {
            let register = index % 2;
            let lane = index / 2 % 32;
            let warp = index / 64;
            let row = lane / 4 + 8 * (warp / 2);
            let column = register + 2 * (lane % 4) + 8 * (warp % 2);
            assert_eq!(map.at_index(index), Some((row * 16 + column) as i64));
        }
        assert_eq!(map.is_bijective(Budget::DEFAULT), Ok(true));
    }

    #[test]
    fn what_is_no_linear_layout() {
        assert!(read("A", "(4,8):(8,1)").is_none());
        assert!(read("A", "tensor<16xf32, #ttg.linear<{}>>").is_none());
        for cut in 0..BLOCKED.len() {
            assert!(!matches!(read("A", &BLOCKED[..cut]), Some(Ok(_))), "{cut}");
        }
        for bad in [
            "#ttg.linear<{register = [[1], [1, 2]], lane = [], warp = [], block = []}>",
            "#ttg.linear<{register = [[4611686018427387904]], lane = [], warp = [], block = []}>",
            "#ttg.linear<{register = [[2305843009213693952, 2]], lane = [], warp = [], block = []}>",
            "#ttg.linear<{register = [[-1]], lane = [], warp = [], block = []}>",
            "#ttg.linear<{register = [], lane = [], warp = [], block = []}> x",
            "#ttg.linear<{lane = [], register = [], warp = [], block = []}>",
        ] {
            assert!(matches!(read("A", bad), Some(Err(_))), "{bad}");
        }
    }
}
