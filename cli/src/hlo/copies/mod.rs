//! `xlayout hlo copies`: the operations that move data without computing, why, and what removes them.
//!
//! | part | what it does |
//! |---|---|
//! | `context` | shapes, users, callers, and how often each computation runs |
//! | `trips` | how often a loop runs |
//! | `find` | the operations that move data, with their bytes |
//! | `relation` | which dimensions of an operand are which of a result |
//! | `spread` | carries another layout on as far as it must go |
//! | `ties` | which values take over the layout of each other |
//! | `cause` | what fixes the layouts before and after a copy |
//! | `cure` | layouts of parameters and results that remove copies |
//! | `constraint` | layouts of values inside of the module that remove copies |
//! | `relayout` | what a copy does, as a plan |
//! | `report`, `json` | the answer |

mod arguments;
mod cause;
mod constraint;
mod context;
mod cure;
mod find;
pub(super) mod json;
mod relation;
mod relayout;
pub(super) mod report;
mod spread;
#[cfg(test)]
mod tests;
mod ties;
mod trips;

use std::io::{self, Write};
use std::path::Path;

pub(crate) use arguments::{ABOUT, Arguments};

use super::graph::Module;
use super::tally::Tally;
use crate::failure::Outcome;
pub(super) use context::{Context, Value};
pub(super) use find::{Kind, Move};

/// A move, with everything that is reported about it.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    pub(super) instruction: String,
    pub(super) computation: String,
    pub(super) opcode: String,
    /// Shapes with layouts, as XLA prints them.
    pub(super) from: String,
    pub(super) to: String,
    pub(super) read: u128,
    pub(super) written: u128,
    /// `None` if a loop runs an unknown number of times.
    pub(super) executions: Option<u64>,
    /// Whether a branch may be left out.
    pub(super) at_most: bool,
    pub(super) kind: find::Kind,
    pub(super) cause: String,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    pub(super) producer: String,
    pub(super) consumers: Vec<String>,
    /// Whether it is the result of its computation.
    pub(super) is_result: bool,
    pub(super) op_name: String,
    /// The line of the text of the module; none behind line 2^32.
    pub(super) line: Option<u32>,
    /// File and line of the program.
    pub(super) source: Option<String>,
}

impl Copy {
    /// Bytes that all executions read and write; those of one, if their number is unknown.
    pub(super) fn total(&self) -> u128 {
        (self.read + self.written) * u128::from(self.executions.unwrap_or(1))
    }
}

/// Advice in words.
#[derive(Clone, Debug)]
pub(super) struct Cure {
    pub(super) changes: Vec<Change>,
    /// Names of instructions.
    pub(super) removes: Vec<String>,
    /// Copies that may not be needed either.
    pub(super) may_remove: Vec<String>,
    /// Those of both that are inside of fusions.
    pub(super) fused: Vec<String>,
    pub(super) saved: u128,
    /// What to write, a line for each of `in_shardings` and `out_shardings`.
    pub(super) paste: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) entry: cure::Entry,
    /// The name of the argument, if it is known.
    pub(super) name: String,
    pub(super) now: String,
    pub(super) then: String,
    pub(super) order: Vec<usize>,
    pub(super) bytes: (u128, u128),
    pub(super) padding: (u128, u128),
}

/// Advice about a value inside of the module, in words.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    /// The copy that is not needed then.
    pub(super) removes: String,
    /// What fixes the layout.
    pub(super) by: String,
    pub(super) values: Vec<Constrained>,
    pub(super) saved: u128,
    /// The most that copies of the values read and write instead.
    pub(super) added: u128,
}

/// A value that should have another layout.
#[derive(Clone, Debug)]
pub(super) struct Constrained {
    pub(super) instruction: String,
    pub(super) then: String,
    pub(super) order: Vec<usize>,
    pub(super) op_name: String,
    pub(super) source: Option<String>,
    pub(super) paste: String,
}

/// What is found in a module.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) file: String,
    pub(super) module: String,
    /// Those that were asked for, of most bytes first. None for `--json`, which describes each when it is written.
    pub(super) copies: Vec<Copy>,
    /// How many there are.
    pub(super) count: usize,
    /// Bytes that all of them read and write.
    pub(super) bytes: u128,
    /// Whether a copy is in a loop of unknown length.
    pub(super) in_unknown_loop: bool,
    /// Whether a copy changes a layout.
    pub(super) changes_layout: bool,
    pub(super) cures: Vec<Cure>,
    pub(super) constraints: Vec<Constraint>,
    /// What to write for all cures together.
    pub(super) paste: Vec<String>,
    pub(super) without_layout: u64,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    match arguments.common.json {
        true => answer(
            arguments,
            out,
            &mut |path, module, tally| json::Every::new(path, module, tally),
            &|out, all| json::write(out, all),
        ),
        false => answer(
            arguments,
            out,
            &mut |path, module, tally| examine(path, &module, tally, arguments.rows()),
            &|out, all| report::write(out, arguments, all),
        ),
    }
}

/// Finds something in each module, and writes all of it.
fn answer<T>(
    arguments: &Arguments,
    out: &mut dyn Write,
    find: &mut dyn FnMut(&Path, Module, &Tally) -> T,
    write: &dyn Fn(&mut dyn Write, &[T]) -> io::Result<()>,
) -> Outcome {
    let common = &arguments.common;
    let found = super::modules(&arguments.files, common.all_mistakes, &common.html, find);
    if !(found.all.is_empty() && found.failures.is_some()) {
        if !common.html.is_stdout() {
            write(out, &found.all)?;
        }
        common.html.write(found.page, out)?;
        out.flush()?;
    }
    super::ended(found.mistakes, found.failures)
}

/// The copies of a module, and what removes them. So many are described, those of most bytes; the others are counted.
pub(super) fn examine(path: &Path, module: &Module, tally: &Tally, described: usize) -> Found {
    let context = Context::new(module, tally);
    let (mut found, moves) = summed(path, &context);
    let largest = moves.iter().take(described);
    found.copies = largest.map(|one| copy(&context, one, true)).collect();
    found
}

/// The copies of a module, those of most bytes first.
pub(super) fn moves(context: &Context<'_>) -> Vec<Move> {
    sorted(find::find(context).moves)
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    // Equal ones stay in the sequence of the text.
    moves.sort_by_cached_key(|one| std::cmp::Reverse(one.total()));
    moves
}

/// What removes the copies of a module, and all copies, those of most bytes first. None is described.
fn summed(path: &Path, context: &Context<'_>) -> (Found, Vec<Move>) {
    let found = find::find(context);
    let cures = cure::cures(context, &found);
    let constraints = constraint::constraints(context, &found, &cures);
    let constraints = constraints.iter().map(|one| constrained(context, one));
    let constraints = constraints.collect();
    let cures: Vec<Cure> = cures.iter().map(|one| cure(context, one)).collect();
    let changes = cures.iter().flat_map(|cure| cure.changes.iter().cloned());
    let changes: Vec<Change> = changes.collect();
    let moves = sorted(found.moves);
    let summary = Found {
        paste: paste(context, &changes),
        file: path.display().to_string(),
        module: context.module.name.clone(),
        copies: Vec::new(),
        count: moves.len(),
        bytes: moves.iter().map(|one| one.total()).sum(),
        in_unknown_loop: moves.iter().any(|one| one.times.count.is_none()),
        changes_layout: moves.iter().any(|one| one.kind == Kind::Layout),
        cures,
        constraints,
        without_layout: found.without_layout,
    };
    (summary, moves)
}

/// A copy in words; `explained` says why it is there, which takes longer than to find it.
pub(super) fn copy(context: &Context<'_>, one: &Move, explained: bool) -> Copy {
    let module = context.module;
    let instruction = context.instruction(one.at);
    let cause = match explained {
        true => cause::cause(context, one),
        false => cause::Cause::default(),
    };
    let shape = |array: u32| context.tally.arrays[array as usize].shape.to_string();
    let place = module.source(instruction);
    // Users of the end of an asynchronous copy.
    let (mut last, mut consumers) = (one.at, context.users(one.at));
    if context.opcode(one.at).ends_with("-start")
        && let [done] = consumers[..]
    {
        (last, consumers) = (done, context.users(done));
    }
    Copy {
        instruction: module.name(instruction).to_owned(),
        computation: context.computation(one.at.computation).name.clone(),
        opcode: module.opcode(instruction).to_owned(),
        from: shape(one.from),
        to: shape(one.to),
        read: one.read,
        written: one.written,
        executions: one.times.count,
        at_most: one.times.at_most,
        kind: one.kind,
        cause: cause.words,
        before: cause.before.map(|side| side.words(context)),
        after: cause.after.map(|side| side.words(context)),
        producer: context.text(one.source).to_owned(),
        consumers: consumers
            .iter()
            .map(|&user| context.text(user).to_owned())
            .collect(),
        is_result: context.is_root(last),
        op_name: module.op_name(instruction).to_owned(),
        line: (instruction.line > 0).then_some(instruction.line),
        source: place.map(|place| format!("{}:{}", place.file, place.line)),
    }
}

fn cure(context: &Context<'_>, one: &cure::Cure) -> Cure {
    let changes: Vec<Change> = one
        .changes
        .iter()
        .map(|change| Change {
            entry: change.entry,
            name: argument(context, change.entry),
            now: change.now.to_string(),
            then: change.then.to_string(),
            order: change.order.clone(),
            bytes: change.bytes,
            padding: change.padding,
        })
        .collect();
    let name = |value: &Value| context.text(*value).to_owned();
    Cure {
        removes: one.removes.iter().map(name).collect(),
        may_remove: one.may_remove.iter().map(name).collect(),
        fused: (one.removes.iter().chain(&one.may_remove))
            .filter(|value| context.times[value.computation as usize].count == Some(0))
            .map(name)
            .collect(),
        saved: one.saved,
        paste: paste(context, &changes),
        changes,
    }
}

fn constrained(context: &Context<'_>, one: &constraint::Constraint) -> Constraint {
    let module = context.module;
    let value = |slice: &constraint::Slice| {
        let instruction = context.instruction(slice.at);
        let place = module.source(instruction);
        Constrained {
            instruction: module.name(instruction).to_owned(),
            then: slice.then.to_string(),
            order: slice.order.clone(),
            op_name: module.op_name(instruction).to_owned(),
            source: place.map(|place| format!("{}:{}", place.file, place.line)),
            paste: format!("x = with_layout_constraint(x, {})", layout(&slice.order)),
        }
    };
    Constraint {
        removes: context.text(one.removes).to_owned(),
        by: context.text(one.by).to_owned(),
        values: one.slices.iter().map(value).collect(),
        saved: one.saved,
        added: one.added,
    }
}

/// A layout as JAX writes it.
fn layout(order: &[usize]) -> String {
    let comma = if order.len() == 1 { "," } else { "" };
    let order = crate::words::joined(order, ", ");
    format!("Layout(major_to_minor=({order}{comma}))")
}

/// What the program calls an argument.
fn argument(context: &Context<'_>, entry: cure::Entry) -> String {
    let cure::Entry::Parameter(number) = entry else {
        return String::new();
    };
    let value = context
        .module
        .entry
        .and_then(|entry| context.parameter(entry, number));
    value.map_or(String::new(), |value| {
        let name = context.module.op_name(context.instruction(value));
        name.to_owned()
    })
}

/// Lists of more shardings than this are not written out.
const MOST_SHARDINGS: usize = 8;

/// What to pass to `jax.jit`, as `shared` is the sharding that is there already.
fn paste(context: &Context<'_>, changes: &[Change]) -> Vec<String> {
    let format = |change: &Change| format!("Format({}, s)", layout(&change.order));
    let list = |name: &str, count: usize, of: &dyn Fn(usize) -> Option<String>| {
        let given: Vec<_> = (0..count).map(of).collect();
        if given.iter().all(Option::is_none) {
            return None;
        }
        Some(match count {
            1 => format!("{name}={}", given[0].as_deref().unwrap_or("s")),
            2..=MOST_SHARDINGS => {
                let given = given.iter().map(|one| one.as_deref().unwrap_or("s"));
                format!("{name}=({})", given.collect::<Vec<_>>().join(", "))
            }
            _ => {
                let given = given.iter().enumerate();
                let given = given.filter_map(|(k, one)| Some(format!("{k}: {}", one.as_deref()?)));
                format!(
                    "{name}: of {count}, {}",
                    given.collect::<Vec<_>>().join(", ")
                )
            }
        })
    };
    let Some(entry) = context.module.entry() else {
        return Vec::new();
    };
    let parameters = entry
        .instructions
        .iter()
        .filter(|one| context.module.opcode(one) == "parameter")
        .count();
    let results = context.module.shapes.items(entry.root().shape);
    let results = results.len().max(1);
    let change = |wanted: &dyn Fn(cure::Entry) -> bool| {
        let mut changes = changes.iter();
        changes.find(|change| wanted(change.entry)).map(format)
    };
    let parameter = |k: usize| change(&|entry| entry == cure::Entry::Parameter(k as u32));
    let result = |k: usize| {
        change(&|entry| match entry {
            cure::Entry::Result(None) => k == 0,
            cure::Entry::Result(Some(item)) => item as usize == k,
            cure::Entry::Parameter(_) => false,
        })
    };
    [
        list("in_shardings", parameters, &parameter),
        list("out_shardings", results, &result),
    ]
    .into_iter()
    .flatten()
    .collect()
}
