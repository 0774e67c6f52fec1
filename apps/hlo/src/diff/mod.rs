//! Compares two compilations of a program.
//!
//! | part | what it does |
//! |---|---|
//! | `pair` | which instruction of one module is which of the other |
//! | `layouts` | the arrays that have another layout |

mod layouts;
mod pair;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;

use super::copies::{self, Context, Copy, Kind, Move};
use super::error::Error;
use super::graph::{Module, Text, Texts};
use super::memory;
use super::tally::Tally;
pub use layouts::{Changed, ChangedArray};
use xlayout_words::{number, number_if_any, sum};

/// A module that is compared, with the figures that the comparison needs.
///
/// Both sides are in memory at once: their graphs and their copies, without descriptions of the
/// copies.
pub struct Side {
    /// The name of its file.
    pub file: String,
    /// The module.
    pub module: Module,
    /// The arrays of the module.
    pub tally: Tally,
    /// The copies, those of most bytes first.
    moves: Vec<Move>,
    /// What the module costs.
    pub figures: Figures,
}

/// What a module costs, in bytes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Figures {
    /// What all copies read and write, except moves between memory spaces.
    #[serde(rename = "copied_bytes", serialize_with = "number")]
    pub copied: u128,
    /// What moves between memory spaces read and write; they run while something else is computed.
    #[serde(rename = "moved_bytes", serialize_with = "number")]
    pub moved: u128,
    /// Padding in what ENTRY allocates; `None` if it is unknown.
    #[serde(rename = "padding_bytes", serialize_with = "number_if_any")]
    pub padding: Option<u128>,
    /// The sum of the peaks of all memory spaces; `None` if they are unknown.
    #[serde(rename = "peak_bytes", serialize_with = "number_if_any")]
    pub peak: Option<u128>,
}

/// The differences of two modules.
pub struct Diff {
    /// Arrays with another layout.
    pub layouts: Vec<Changed>,
    /// Copies of B that A does not have.
    pub added: Vec<Copy>,
    /// Copies of A that B does not have.
    pub removed: Vec<Copy>,
    /// The first module.
    pub a: Side,
    /// The second module.
    pub b: Side,
}

/// The padding of what ENTRY allocates; `None` if the module cannot be followed.
fn padding(path: &Path, module: &Module, tally: &Tally) -> Option<u128> {
    let mut sum = 0;
    memory::allocated(path, module, tally, |array, _| {
        sum += tally.arrays[array as usize].times(1).padding();
    })
    .ok()
    .map(|()| sum)
}

impl Side {
    /// Computes what the comparison needs of a module.
    #[must_use]
    pub fn new(path: &Path, module: Module, tally: &Tally) -> Self {
        // First the peak: it needs more memory than the copies do, and leaves only a number.
        let peak = super::memory::peak(path, &module, tally);
        let moves = copies::find(&Context::new(&module, tally)).moves;
        let bytes_of = |is_counted: fn(Kind) -> bool| {
            sum(moves
                .iter()
                .filter(|moved| is_counted(moved.kind))
                .map(Move::total))
        };
        Self {
            file: path.display().to_string(),
            figures: Figures {
                copied: bytes_of(|kind| kind != Kind::MemorySpace),
                moved: bytes_of(|kind| kind == Kind::MemorySpace),
                padding: padding(path, &module, tally),
                peak,
            },
            moves,
            tally: tally.shapes(),
            module,
        }
    }
}

impl Diff {
    /// Returns the differences.
    ///
    /// # Errors
    /// If the modules contain more distinct texts than there are numbers: texts without a number
    /// would be equal.
    pub fn of(a: Side, b: Side) -> Result<Self, Error> {
        Self::by(a, b, Texts::default())
    }

    /// Returns the differences. `texts` collects the texts that are compared.
    fn by(a: Side, b: Side, texts: Texts) -> Result<Self, Error> {
        let texts = RefCell::new(texts);
        let left = Context::new(&a.module, &a.tally);
        let right = Context::new(&b.module, &b.tally);
        let layouts = layouts::changed(&left, &right, &texts);
        let mut texts = texts.into_inner();
        let (removed, added) = changed_copies(
            (&left, &a.moves, &a.file),
            (&right, &b.moves, &b.file),
            &mut texts,
        );
        drop((left, right));
        if texts.is_full() {
            let message = format!(
                "`{}` and `{}` have more than 2^32 distinct operations, arrays and names, and cannot be compared",
                a.file, b.file
            );
            return Err(Error::new(message)
                .help("`xlayout hlo copies` and `xlayout hlo memory` answer for each of them"));
        }
        Ok(Self {
            layouts,
            added,
            removed,
            a,
            b,
        })
    }

    /// Whether layouts, copies, padding or the peak differ.
    #[must_use]
    pub fn differs(&self) -> bool {
        let a = self.a.figures;
        let b = self.b.figures;
        !self.layouts.is_empty()
            || !self.added.is_empty()
            || !self.removed.is_empty()
            || a.padding != b.padding
            || a.peak != b.peak
    }

    /// Whether B copies, pads or takes more than `allowed` bytes more than A.
    pub fn is_worse(&self, allowed: u64) -> bool {
        let a = self.a.figures;
        let b = self.b.figures;
        let more = |before: u128, after: u128| after > before + u128::from(allowed);
        let known = |before: Option<u128>, after: Option<u128>| {
            before
                .zip(after)
                .is_some_and(|(before, after)| more(before, after))
        };
        // Moves between memory spaces run while something else is computed.
        more(a.copied, b.copied) || known(a.padding, b.padding) || known(a.peak, b.peak)
    }
}

/// The properties by which copies are equal: the operation, the arrays before and after, the
/// `op_name`, and how often it runs.
type Key = ([Text; 4], Option<u64>);

/// The copies of each side that the other lacks.
fn changed_copies(
    a: (&Context<'_>, &[Move], &str),
    b: (&Context<'_>, &[Move], &str),
    texts: &mut Texts,
) -> (Vec<Copy>, Vec<Copy>) {
    let [these, those] = [a, b].map(|(context, moves, _)| {
        let key = |moved: &Move| -> Key {
            let instruction = context.instruction(moved.at);
            let shape = |array: u32| &*context.tallied(array).shape;
            let words = [
                context.module.opcode_text(instruction),
                shape(moved.from),
                shape(moved.to),
                context.module.op_name(instruction),
            ];
            (words.map(|text| texts.add(text)), moved.times.count)
        };
        moves.iter().map(key).collect::<Vec<Key>>()
    });
    (without(a, &these, &those), without(b, &those, &these))
}

/// The copies whose keys occur fewer times in `those`.
fn without(
    (context, moves, file): (&Context<'_>, &[Move], &str),
    these: &[Key],
    those: &[Key],
) -> Vec<Copy> {
    let mut there: HashMap<Key, usize> = HashMap::new();
    for key in those {
        *there.entry(*key).or_default() += 1;
    }
    let is_new = |key: &Key| match there.get_mut(key) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    let new: Vec<bool> = these.iter().map(is_new).collect();
    moves
        .iter()
        .zip(new)
        .filter(|(_, new)| *new)
        .map(|(moved, _)| copies::copy(context, file, moved, false))
        .collect()
}
