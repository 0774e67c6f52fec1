//! `xlayout hlo diff`: two compilations of a program.
//!
//! | part | what it does |
//! |---|---|
//! | `pair` | which instruction of one module is which of the other |
//! | `layouts` | the arrays that have another layout |
//! | `report`, `json` | the answer |

mod arguments;
pub(super) mod json;
mod layouts;
mod pair;
pub(super) mod report;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use arguments::FailOn;
pub(crate) use arguments::{ABOUT, Arguments};

use super::copies::{self, Context, Copy, Kind, Move};
use super::graph::{Module, Text, Texts};
use super::page::{Html, Page};
use super::tally::{Leaf, Tally};
use crate::failure::{Code, Failure, Outcome};
use crate::words::counted;
use layouts::{Changed, ChangedArray};

/// A module that is compared, and what is asked of it.
///
/// Both sides are held at once: their graphs and their copies, of which none is described yet.
pub(super) struct Side {
    file: String,
    module: Module,
    tally: Tally,
    /// Those of most bytes first.
    moves: Vec<Move>,
    /// Bytes of padding in what ENTRY allocates.
    padding: u128,
    /// The peaks of all memory spaces; none if they are not known.
    peak: Option<u128>,
}

/// What differs.
pub(super) struct Diff {
    layouts: Vec<Changed>,
    added: Vec<Copy>,
    removed: Vec<Copy>,
    a: Side,
    b: Side,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let [a, b] = [&arguments.a, &arguments.b].map(|file| read(file, arguments.common.all_mistakes));
    let ((a, mistakes), (b, more)) = match (a, b) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(a), Err(b)) => return Err(a.and(b)),
        (Err(failure), _) | (_, Err(failure)) => return Err(failure),
    };
    let mut page = Page::of(&arguments.common.html);
    page.add(&arguments.a, &a.module, &a.tally);
    page.add(&arguments.b, &b.module, &b.tally);
    page.end_file(true);
    let diff = Diff::of(a, b, Texts::default())?;
    match arguments.common.json {
        _ if arguments.common.html.is_stdout() => {}
        true => json::write(out, &diff)?,
        false => report::write(out, arguments, &diff)?,
    }
    arguments.common.html.write(page, out)?;
    out.flush()?;
    super::ended(mistakes, more)?;
    let no = match arguments.fail_on {
        FailOn::Any => diff.differs(),
        FailOn::Worse => diff.is_worse(arguments.allow),
        FailOn::Never => false,
    };
    match no {
        true => Err(Failure::answer_is_no()),
        false => Ok(()),
    }
}

/// The only module of a file, and what could not be read in it.
fn read(file: &Path, all_mistakes: bool) -> Outcome<(Side, Option<Failure>)> {
    // The page is made of both sides, when both are read.
    let found = super::modules(
        &[file.to_owned()],
        all_mistakes,
        &Html::default(),
        &mut |path, module, tally| Side::new(path, module, tally),
    );
    if let Some(failure) = found.failures {
        return Err(failure);
    }
    let mut modules = found.all;
    let count = modules.len();
    match (modules.pop(), count) {
        (Some(side), 1) => Ok((side, found.mistakes)),
        _ => {
            let message = format!(
                "`{}` holds {}, and one is compared with one",
                file.display(),
                counted(count as u64, "module")
            );
            Err(Failure::new(Code::Usage, message).help("name files that hold one module each"))
        }
    }
}

/// The padding of what ENTRY allocates: views take no memory of their own.
fn padding(module: &Module, tally: &Tally) -> u128 {
    let Some(entry) = module.entry() else {
        return 0;
    };
    let padding = |leaf: &Leaf| match *leaf {
        Leaf::Array(array) => {
            let array = &tally.arrays[array as usize];
            u128::from(array.allocated.saturating_sub(array.logical))
        }
        _ => 0,
    };
    let of = |instruction| -> u128 {
        let opcode = module.opcode(instruction);
        let leaves = match (opcode, module.shapes.items(instruction.shape)) {
            ("copy-start", [target, ..]) | ("slice-start" | "async-start", [_, target, ..]) => {
                module.shapes.leaves(*target)
            }
            _ if super::scan::is_view(opcode.as_bytes(), true) => Vec::new(),
            _ => module.leaves(instruction),
        };
        leaves.iter().map(padding).sum()
    };
    entry.instructions.iter().map(of).sum()
}

impl Side {
    pub(super) fn new(path: &Path, module: Module, tally: &Tally) -> Self {
        Self {
            file: path.display().to_string(),
            padding: padding(&module, tally),
            // The peak takes more memory than the copies do, and is a number.
            peak: super::memory::peak(path, &module, tally),
            moves: copies::moves(&Context::new(&module, tally)),
            tally: tally.shapes(),
            module,
        }
    }
}

impl Diff {
    /// What differs. `texts` gets those that are compared.
    ///
    /// # Errors
    /// If there are more distinct texts than numbers for them: texts without a number would count as equal.
    pub(super) fn of(a: Side, b: Side, texts: Texts) -> Outcome<Self> {
        let texts = RefCell::new(texts);
        let left = Context::new(&a.module, &a.tally);
        let right = Context::new(&b.module, &b.tally);
        let layouts = layouts::changed(&left, &right, &texts);
        let mut texts = texts.into_inner();
        let (removed, added) = changed_copies((&left, &a.moves), (&right, &b.moves), &mut texts);
        drop((left, right));
        if texts.is_full() {
            let message = format!(
                "`{}` and `{}` have more than 2^32 distinct operations, arrays and names, and cannot be compared",
                a.file, b.file
            );
            return Err(Failure::new(Code::File, message)
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

    fn differs(&self) -> bool {
        !self.layouts.is_empty()
            || !self.added.is_empty()
            || !self.removed.is_empty()
            || self.a.padding != self.b.padding
            || self.a.peak != self.b.peak
    }

    /// Whether B copies, pads or takes more than `allowed` bytes more than A.
    fn is_worse(&self, allowed: u64) -> bool {
        let (before, after) = self.copied(false);
        let more = |before: u128, after: u128| after > before + u128::from(allowed);
        let peaks = self.a.peak.zip(self.b.peak);
        more(before, after)
            || more(self.a.padding, self.b.padding)
            || peaks.is_some_and(|(before, after)| more(before, after))
    }

    /// The bytes that the copies of each side read and write: those between memory spaces by themselves, since they
    /// run while something else is computed.
    fn copied(&self, between_spaces: bool) -> (u128, u128) {
        let counts = |one: &&Move| (one.kind == Kind::MemorySpace) == between_spaces;
        let sum = |side: &Side| side.moves.iter().filter(counts).map(Move::total).sum();
        (sum(&self.a), sum(&self.b))
    }
}

/// What equal copies have in common: the operation, the arrays before and after, the `op_name`, and how often it runs.
type Key = ([Text; 4], Option<u64>);

/// The copies of each side that the other one does not have.
fn changed_copies(
    a: (&Context<'_>, &[Move]),
    b: (&Context<'_>, &[Move]),
    texts: &mut Texts,
) -> (Vec<Copy>, Vec<Copy>) {
    let [these, those] = [a, b].map(|(context, moves)| {
        let key = |one: &Move| -> Key {
            let instruction = context.instruction(one.at);
            let shape = |array: u32| &*context.tally.arrays[array as usize].shape;
            let words = [
                context.module.opcode(instruction),
                shape(one.from),
                shape(one.to),
                context.module.op_name(instruction),
            ];
            (words.map(|text| texts.add(text)), one.times.count)
        };
        moves.iter().map(key).collect::<Vec<Key>>()
    });
    (without(a, &these, &those), without(b, &those, &these))
}

/// The copies whose keys `those` does not have so often.
fn without((context, moves): (&Context<'_>, &[Move]), these: &[Key], those: &[Key]) -> Vec<Copy> {
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
    let new = moves.iter().zip(new).filter(|(_, new)| *new);
    new.map(|(one, _)| copies::copy(context, one, false))
        .collect()
}
