//! `xlayout hlo diff`: two compilations of a program.
//!
//! | part | what it does |
//! |---|---|
//! | `pair` | which instruction of one module is which of the other |
//! | `report`, `json` | the answer |

mod arguments;
mod json;
mod pair;
mod report;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use arguments::FailOn;
pub(crate) use arguments::{ABOUT, Arguments};

use super::copies::{Context, Copy, Found, Kind, Value, Wanted, examine};
use super::graph::Module;
use super::page::Page;
use super::tally::{Leaf, Tally};
use crate::failure::{Code, Failure, Outcome};
use crate::words::counted;

/// A module that is compared, and what is asked of it.
struct Side {
    module: Module,
    tally: Tally,
    found: Found,
    /// Bytes of padding in what ENTRY allocates.
    padding: u128,
    /// The peaks of all memory spaces; none if they are not known.
    peak: Option<u128>,
}

/// An array with another layout.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Changed {
    place: Place,
    /// Shapes with layouts.
    a: String,
    b: String,
}

/// Which array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Parameter(u32),
    /// The item of the result.
    Result(u32),
    /// The result of an instruction, and the number of the array in it.
    Instruction {
        a: String,
        b: String,
        computation: String,
        op_name: String,
        array: u32,
    },
}

struct Diff {
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
    let mut page = Page::default();
    if arguments.common.html.is_wanted() {
        page.add(&arguments.a, &a.module, &a.tally);
        page.add(&arguments.b, &b.module, &b.tally);
    }
    let diff = Diff::of(a, b);
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
    let mut modules = Vec::new();
    let mut take = |path: &Path, module: Module, tally: &Tally| {
        let found = examine(path, &module, tally, Wanted::WithoutCauses);
        modules.push(Side {
            padding: padding(&module, tally),
            peak: super::memory::peak(path, &module, tally),
            tally: tally.shapes(),
            found,
            module,
        });
    };
    let files = [file.to_owned()];
    let (mistakes, failures) = super::modules(&files, all_mistakes, &mut take);
    if let Some(failure) = failures {
        return Err(failure);
    }
    let count = modules.len();
    match (modules.pop(), count) {
        (Some(side), 1) => Ok((side, mistakes)),
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

impl Diff {
    fn of(a: Side, b: Side) -> Self {
        let layouts = {
            let left = Context::new(&a.module, &a.tally);
            let right = Context::new(&b.module, &b.tally);
            layouts(&left, &right)
        };
        let removed = without(&a.found.copies, &b.found.copies);
        let added = without(&b.found.copies, &a.found.copies);
        Self {
            layouts,
            added,
            removed,
            a,
            b,
        }
    }

    fn differs(&self) -> bool {
        !self.layouts.is_empty()
            || !self.added.is_empty()
            || !self.removed.is_empty()
            || self.a.padding != self.b.padding
            || self.a.peak != self.b.peak
    }

    /// Whether B copies, pads or takes so many bytes more than A.
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
        let counts = |copy: &&Copy| (copy.kind == Kind::MemorySpace) == between_spaces;
        let sum = |side: &Side| {
            let copies = side.found.copies.iter().filter(counts);
            copies.map(Copy::total).sum()
        };
        (sum(&self.a), sum(&self.b))
    }
}

/// The copies of one side that the other one does not have: equal ones have equal layouts, bytes and operations.
fn without(these: &[Copy], those: &[Copy]) -> Vec<Copy> {
    let key = |copy: &Copy| {
        (
            copy.opcode.clone(),
            copy.from.clone(),
            copy.to.clone(),
            copy.op_name.clone(),
            copy.executions,
        )
    };
    let mut there: HashMap<_, usize> = HashMap::new();
    for copy in those {
        *there.entry(key(copy)).or_default() += 1;
    }
    let mut rest = Vec::new();
    for copy in these {
        match there.get_mut(&key(copy)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => rest.push(copy.clone()),
        }
    }
    rest
}

/// The arrays that have another layout: parameters and results, then those that instructions allocate.
fn layouts(a: &Context<'_>, b: &Context<'_>) -> Vec<Changed> {
    let mut changed = Vec::new();
    let text = |context: &Context<'_>, leaf: Leaf| match leaf {
        Leaf::Array(array) => Some(context.tally.arrays[array as usize].shape.to_string()),
        _ => None,
    };
    let mut compare = |left: Value, right: Value, place: &dyn Fn(u32) -> Place| {
        let left = a.module.leaves(a.instruction(left)).into_iter();
        let right = b.module.leaves(b.instruction(right)).into_iter();
        for (k, (x, y)) in left.zip(right).enumerate() {
            if let (Some(x), Some(y)) = (text(a, x), text(b, y))
                && x != y
            {
                let place = place(k as u32);
                changed.push(Changed { place, a: x, b: y });
            }
        }
    };
    let pairs = pair::pairs(a, b);
    let parameter = |context: &Context<'_>, at: Value| match context.is_entry(at.computation) {
        true => context.module.parameter(context.instruction(at)),
        false => None,
    };
    for &(left, right) in &pairs {
        if let Some(number) = parameter(a, left) {
            compare(left, right, &|_| Place::Parameter(number));
        }
    }
    if let (Some(x), Some(y)) = (a.module.entry, b.module.entry) {
        let root =
            |context: &Context<'_>, entry| Value::new(entry, context.computation(entry).root);
        compare(root(a, x), root(b, y), &Place::Result);
    }
    for &(left, right) in &pairs {
        let opcode = a.opcode(left);
        let in_entry = a.is_entry(left.computation);
        let is_result = in_entry && a.is_root(left);
        if parameter(a, left).is_some()
            || is_result
            || super::scan::is_view(opcode.as_bytes(), in_entry)
        {
            continue;
        }
        let name = |context: &Context<'_>, at| context.text(at).to_owned();
        let instruction = a.instruction(left);
        compare(left, right, &|array| Place::Instruction {
            a: name(a, left),
            b: name(b, right),
            computation: a.computation(left.computation).name.clone(),
            op_name: a.module.op_name(instruction).to_owned(),
            array,
        });
    }
    changed
}
