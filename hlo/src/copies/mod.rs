//! The operations that move data without computing, why, and what removes them.
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
//! | `doubt` | why they may not pay |
//! | `time` | what hides a copy, and the bytes that it waits for |
//! | `rewrite` | copies that another program does not make |
//! | `constraint` | layouts of values inside of the module that remove copies |

mod cause;
mod constraint;
mod context;
mod cure;
mod doubt;
mod find;
mod relation;
mod rewrite;
mod spread;
#[cfg(test)]
mod tests;
mod ties;
mod time;
mod trips;

use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;

use super::graph::{Instruction, Module};
use super::tally::{Leaf, Tally, layout as layout_of};
use super::words::{number, sum};
pub(super) use context::{Context, Value};
pub use cure::Entry;
pub use doubt::Doubt;
pub use find::Kind;
pub(super) use find::Move;
pub use rewrite::Rewrite;
pub use time::{Overlap, Traffic};

/// A copy, with everything that is reported about it.
#[derive(Clone, Debug, Serialize)]
pub struct Copy {
    /// The file of the module.
    pub file: String,
    /// The name of the module.
    pub module: String,
    /// The name of the instruction.
    pub instruction: String,
    /// The computation of this instruction.
    pub computation: String,
    /// Its operation.
    pub opcode: String,
    /// The layout before, and the one after it.
    pub from: String,
    /// The layout after it.
    pub to: String,
    /// The array that is copied, with its layout, as XLA prints it.
    pub from_shape: String,
    /// The array that is made of it.
    pub to_shape: String,
    /// Bytes that one execution reads, with padding.
    #[serde(rename = "bytes_read", serialize_with = "number")]
    pub read: u128,
    /// Bytes that one execution writes, with padding.
    #[serde(rename = "bytes_written", serialize_with = "number")]
    pub written: u128,
    /// `None` if a loop runs an unknown number of times.
    pub executions: Option<u64>,
    /// Whether a branch may be left out.
    #[serde(rename = "executions_at_most")]
    pub at_most: bool,
    /// Whether operations that compute run at the same time.
    pub overlap: Overlap,
    /// The bytes of all executions that a bandwidth makes a time of.
    pub traffic: Traffic,
    /// What is changed.
    pub kind: Kind,
    /// Why it is there, in words.
    pub cause: String,
    /// What fixes the layout before it.
    pub before: Option<String>,
    /// What fixes the layout after it.
    pub after: Option<String>,
    /// The instruction whose result is copied.
    pub producer: String,
    /// The instructions that use the copy.
    pub consumers: Vec<String>,
    /// Whether it is the result of its computation.
    #[serde(skip)]
    pub is_result: bool,
    /// The name that the program gives to the operation.
    pub op_name: String,
    /// File and line of the program.
    pub source: Option<String>,
    /// The line of the text of the module; none behind line 2^32, and in a binary module.
    pub line: Option<u32>,
}

impl Copy {
    /// Bytes that all executions read and write; those of one, if their number is unknown.
    pub fn total(&self) -> u128 {
        (self.read + self.written).saturating_mul(self.executions.unwrap_or(1).into())
    }
}

/// Advice in words.
#[derive(Clone, Debug)]
pub struct Cure {
    /// The parameters and results that change.
    pub changes: Vec<Change>,
    /// Names of instructions.
    pub removes: Vec<String>,
    /// Copies that may not be needed either.
    pub may_remove: Vec<String>,
    /// Those of both that are inside of fusions.
    pub fused: Vec<String>,
    /// Bytes that the removed copies read and write, those inside of fusions left out.
    pub saved: u128,
    /// Bytes that fetches of parameters into fast memory may read and write in their place.
    pub fetched: u128,
    /// Why it may not pay; `None` if it is known to.
    pub doubt: Option<Doubt>,
    /// What to write, a line for each of `in_shardings` and `out_shardings`.
    pub paste: Vec<String>,
}

/// A parameter or a result in another layout.
#[derive(Clone, Debug)]
pub struct Change {
    /// Which one it is.
    pub entry: cure::Entry,
    /// The name of the argument, if it is known.
    pub name: String,
    /// The shape with its layout now.
    pub now: String,
    /// The shape with the layout that it should have.
    pub then: String,
    /// The dimensions in this layout, the most major first.
    pub order: Vec<usize>,
    /// Bytes now and then, with padding.
    pub bytes: (u128, u128),
    /// The bytes of these that are padding.
    pub padding: (u128, u128),
}

/// Advice about a value inside of the module, in words.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// The copy that is not needed then.
    pub removes: String,
    /// What fixes the layout.
    pub by: String,
    /// The values that should have another layout.
    pub values: Vec<Constrained>,
    /// Bytes that the copy reads and writes.
    pub saved: u128,
    /// The most that copies of the values read and write instead.
    pub added: u128,
}

/// A value that should have another layout.
#[derive(Clone, Debug)]
pub struct Constrained {
    /// The name of the instruction.
    pub instruction: String,
    /// The shape with the layout that it should have.
    pub then: String,
    /// The dimensions in this layout, the most major first.
    pub order: Vec<usize>,
    /// The name that the program gives to the operation.
    pub op_name: String,
    /// File and line of the program.
    pub source: Option<String>,
    /// What to write.
    pub paste: String,
}

/// What is found in a module.
#[derive(Clone, Debug)]
pub struct Found {
    /// The file of the module.
    pub file: String,
    /// The name of the module.
    pub module: String,
    /// Those that were asked for, of most bytes first. None for `--json`, which describes each when it is written.
    pub copies: Vec<Copy>,
    /// How many there are.
    pub count: usize,
    /// Bytes that all of them read and write.
    pub bytes: u128,
    /// How many of them move an array to another memory space and change nothing else, such as prefetches.
    pub moved: usize,
    /// Bytes that these read and write.
    pub moved_bytes: u128,
    /// Whether the module is of a compiler for which the advice was verified: that for TPUs, which gives tiles to arrays.
    pub is_verified: bool,
    /// The bytes that a bandwidth makes a time of.
    pub traffic: Traffic,
    /// How many copies run beside operations that compute.
    pub hidden: usize,
    /// Whether a copy is in a loop of unknown length.
    pub in_unknown_loop: bool,
    /// Whether a copy changes a layout.
    pub changes_layout: bool,
    /// Layouts of parameters and results that remove copies: those that save most first, and last those that may not pay.
    pub cures: Vec<Cure>,
    /// Layouts of values inside of the module that remove copies.
    pub constraints: Vec<Constraint>,
    /// Operations of the program that need no copy, where the pattern is sure.
    pub rewrites: Vec<Rewrite>,
    /// What to write for all cures together that pay.
    pub paste: Vec<String>,
    /// How many operations cannot be told, because the text gives no layout to their arrays.
    pub without_layout: u64,
}

impl Found {
    /// How many of the cures pay.
    #[must_use]
    pub fn paying(&self) -> usize {
        let paying = self.cures.iter().filter(|cure| cure.doubt.is_none());
        paying.count()
    }
}

/// The copies of a module, and what removes them. So many are described, those of most bytes; the others are counted.
pub fn examine(path: &Path, module: &Module, tally: &Tally, described: usize) -> Found {
    let context = Context::new(module, tally);
    let (mut found, moves) = summed(path, &context);
    let largest = moves.iter().take(described);
    let file = &found.file;
    found.copies = largest.map(|one| copy(&context, file, one, true)).collect();
    found
}

/// A module of which every copy is described on demand, so that a million copies take no more memory than their module.
pub struct Every {
    module: Module,
    tally: Tally,
    moves: Vec<Move>,
    /// What removes the copies, without the copies.
    pub found: Found,
}

impl Every {
    /// Looks for the copies of a module.
    #[must_use]
    pub fn new(path: &Path, module: Module, tally: &Tally) -> Self {
        let tally = tally.shapes();
        let (found, moves) = summed(path, &Context::new(&module, &tally));
        Self {
            module,
            tally,
            moves,
            found,
        }
    }

    /// The copies, those of most bytes first. Each is described when it is asked for.
    pub fn copies(&self) -> impl Iterator<Item = Copy> {
        let context = Context::new(&self.module, &self.tally);
        let moves = self.moves.iter();
        moves.map(move |one| copy(&context, &self.found.file, one, true))
    }
}

/// Copies that have something in common.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// How many operations they are, without those moved.
    pub copies: usize,
    /// Bytes that these read and write.
    #[serde(serialize_with = "number")]
    pub bytes: u128,
    /// How many more move an array to another memory space and change nothing else, such as prefetches.
    pub moved: usize,
    /// Bytes that these read and write.
    #[serde(serialize_with = "number")]
    pub moved_bytes: u128,
    /// The bytes of both that a bandwidth makes a time of.
    #[serde(flatten)]
    pub traffic: Traffic,
}

/// The copies of several modules, in groups by what their instructions are called.
#[derive(Debug, Default)]
pub struct Groups(HashMap<String, Group>);

impl Groups {
    /// Adds the copies of a module.
    pub fn add(
        &mut self,
        module: &Module,
        tally: &Tally,
        name: impl Fn(&Module, &Instruction) -> String,
    ) {
        let context = Context::new(module, tally);
        for one in find::find(&context).moves {
            let name = name(module, context.instruction(one.at));
            let group = self.0.entry(name).or_default();
            let (count, bytes) = match one.kind {
                Kind::MemorySpace => (&mut group.moved, &mut group.moved_bytes),
                _ => (&mut group.copies, &mut group.bytes),
            };
            *count += 1;
            *bytes = sum([*bytes, one.total()]);
            group.traffic += time::traffic(&context, &one, time::overlap(&context, &one));
        }
    }

    /// The groups, those whose copies have most bytes first; of equal ones, those with most bytes moved.
    #[must_use]
    pub fn sorted(self) -> Vec<Group> {
        let named = |(name, group)| Group { name, ..group };
        let mut groups: Vec<Group> = self.0.into_iter().map(named).collect();
        let rank = |group: &Group| std::cmp::Reverse((group.bytes, group.moved_bytes));
        groups.sort_by(|a, b| (rank(a), &a.name).cmp(&(rank(b), &b.name)));
        groups
    }
}

/// The copies of a module, those of most bytes first.
pub(super) fn moves(context: &Context<'_>) -> Vec<Move> {
    find::find(context).moves
}

/// What removes the copies of a module, and all copies, those of most bytes first. None is described.
fn summed(path: &Path, context: &Context<'_>) -> (Found, Vec<Move>) {
    let found = find::find(context);
    let cures = cure::cures(context, &found);
    let constraints = constraint::constraints(context, &found, &cures);
    let by_instruction: HashMap<Value, &Move> =
        (found.moves.iter().map(|one| (one.at, one))).collect();
    let described = |one| (one, cure(context, one, &by_instruction));
    let pairs: Vec<_> = cures.iter().map(described).collect();
    let paying = pairs.iter().filter(|(_, cure)| cure.doubt.is_none());
    let removed = paying.flat_map(|(one, _)| one.removes.iter().copied());
    let rewrites = rewrite::rewrites(context, &found, &removed.collect());
    let mut cures: Vec<Cure> = pairs.into_iter().map(|(_, cure)| cure).collect();
    cures.sort_by_key(|cure| (cure.doubt.is_some(), std::cmp::Reverse(cure.saved)));
    let paying = cures.iter().filter(|cure| cure.doubt.is_none());
    let changes = paying.flat_map(|cure| cure.changes.iter().cloned());
    let changes: Vec<Change> = changes.collect();
    let moves = found.moves;
    let (mut traffic, mut hidden) = (Traffic::default(), 0);
    let spaces = moves.iter().filter(|one| one.kind == Kind::MemorySpace);
    for one in &moves {
        let overlap = time::overlap(context, one);
        hidden += usize::from(matches!(overlap, Overlap::Hidden(_)));
        traffic += time::traffic(context, one, overlap);
    }
    let summary = Found {
        paste: paste(context, &changes),
        file: path.display().to_string(),
        module: context.module.name.clone(),
        copies: Vec::new(),
        count: moves.len(),
        bytes: sum(moves.iter().map(|one| one.total())),
        moved: spaces.clone().count(),
        moved_bytes: sum(spaces.map(Move::total)),
        is_verified: has_tiles(context),
        traffic,
        hidden,
        in_unknown_loop: moves.iter().any(|one| one.times.count.is_none()),
        changes_layout: moves.iter().any(|one| one.kind == Kind::Layout),
        cures,
        constraints: (constraints.iter().map(|one| constrained(context, one))).collect(),
        rewrites,
        without_layout: found.without_layout,
    };
    (summary, moves)
}

/// A copy in words; `explained` says why it is there, which takes longer than to find it.
pub(super) fn copy(context: &Context<'_>, file: &str, one: &Move, explained: bool) -> Copy {
    let module = context.module;
    let instruction = context.instruction(one.at);
    let cause = explained.then(|| cause::cause(context, one));
    let cause = cause.unwrap_or_default();
    let shape = |array: u32| context.tally.arrays[array as usize].shape.to_string();
    let place = module.source(instruction);
    // Users of the end of an asynchronous copy.
    let (mut last, mut consumers) = (one.at, context.users(one.at));
    if context.opcode(one.at).ends_with("-start")
        && let [done] = consumers[..]
    {
        (last, consumers) = (done, context.users(done));
    }
    let (from, to) = (shape(one.from), shape(one.to));
    let overlap = time::overlap(context, one);
    Copy {
        file: file.to_owned(),
        module: module.name.clone(),
        instruction: module.name(instruction).to_owned(),
        computation: context.computation(one.at.computation).name.clone(),
        opcode: module.opcode(instruction).to_owned(),
        from: layout_of(&from).to_owned(),
        to: layout_of(&to).to_owned(),
        from_shape: from,
        to_shape: to,
        read: one.read,
        written: one.written,
        executions: one.times.count,
        at_most: one.times.at_most,
        overlap,
        traffic: time::traffic(context, one, overlap),
        kind: one.kind,
        cause: cause.words,
        before: cause.before.map(|side| side.words(context)),
        after: cause.after.map(|side| side.words(context)),
        producer: context.text(one.source).to_owned(),
        consumers: (consumers.iter().map(|&user| context.text(user).to_owned())).collect(),
        is_result: context.is_root(last),
        op_name: module.op_name(instruction).to_owned(),
        line: (instruction.line > 0).then_some(instruction.line),
        source: place.map(|place| place.to_string()),
    }
}

/// Whether an array of the entry has a tile.
fn has_tiles(context: &Context<'_>) -> bool {
    let instructions = context.module.entry().into_iter();
    let mut instructions = instructions.flat_map(|entry| &entry.instructions);
    instructions.any(|instruction| {
        let mut leaves = context.module.leaves(instruction).into_iter();
        leaves.any(|leaf| match leaf {
            Leaf::Array(array) => context.tally.arrays[array as usize].shape.contains("T("),
            _ => false,
        })
    })
}

/// `moves`: the copies outside of fusions.
fn cure(context: &Context<'_>, one: &cure::Cure, moves: &HashMap<Value, &Move>) -> Cure {
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
    let removed = one.removes.iter().filter_map(|at| moves.get(at).copied());
    let removed: Vec<&Move> = removed.collect();
    let saved = sum(removed.iter().map(|one| one.total()));
    let fetched = sum((removed.iter()).map(|copy| doubt::fetched(context, one, copy)));
    Cure {
        removes: one.removes.iter().map(name).collect(),
        may_remove: one.may_remove.iter().map(name).collect(),
        fused: (one.removes.iter().chain(&one.may_remove))
            .filter(|value| context.times[value.computation as usize].count == Some(0))
            .map(name)
            .collect(),
        saved,
        fetched,
        doubt: doubt::doubt(context, one, &removed, (saved, fetched)),
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
            source: place.map(|place| place.to_string()),
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
    let name = value.map(|value| context.module.op_name(context.instruction(value)));
    name.unwrap_or_default().to_owned()
}

/// Lists of more shardings than this are not written out.
const MOST_SHARDINGS: usize = 8;

/// What to pass to `jax.jit` for these changes of a module; `s` is the sharding that is there already.
#[must_use]
pub fn pasted(module: &Module, tally: &Tally, changes: &[Change]) -> Vec<String> {
    paste(&Context::new(module, tally), changes)
}

/// See [`pasted`].
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
    let is_parameter = |one: &&Instruction| context.module.opcode(one) == "parameter";
    let parameters = entry.instructions.iter().filter(is_parameter).count();
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
