//! The operations that move data without computing, their causes, and changes that remove them.
//!
//! | part | what it does |
//! |---|---|
//! | `value` | values, and what fixes their layouts |
//! | `context` | shapes, users, callers |
//! | `times` | how often a computation runs |
//! | `trips` | how often a loop runs |
//! | `find` | the operations that move data, with their bytes |
//! | `relation` | which dimensions of an operand are which of a result |
//! | `spread` | carries another layout on as far as it must go |
//! | `ties` | which values take over the layout of each other |
//! | `sides` | what fixes the layouts before and after a copy |
//! | `cause` | the same in words |
//! | `second` | why an array is copied in the layout that it has |
//! | `change` | a parameter or a result in another layout |
//! | `cure` | layouts of parameters and results that remove copies |
//! | `split` | the same for parameters that are copied twice |
//! | `doubt` | why they may not pay |
//! | `time` | what hides a copy, and the bytes that it waits for |
//! | `rewrite` | copies that another program does not make |
//! | `constraint` | layouts of values inside of the module that remove copies |
//! | `described` | copies and advice, for people and programs |
//! | `groups` | sums of the copies of several modules |
//! | `paste` | the lines to write |

mod cause;
mod change;
mod constraint;
mod context;
mod cure;
mod described;
mod doubt;
mod find;
mod groups;
mod paste;
mod relation;
mod rewrite;
mod second;
mod sides;
mod split;
mod spread;
#[cfg(test)]
mod tests;
mod ties;
mod time;
mod times;
mod trips;
mod value;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::graph::Module;
use super::tally::{Array, Tally};
pub use change::{Change, Entry, Sizes, changes_between};
pub use constraint::{Constrained, Constraint};
pub(super) use context::Context;
pub(super) use described::copy;
pub use described::{Copy, Cure};
pub use doubt::Doubt;
pub use find::Kind;
pub(super) use find::{Move, find};
pub use groups::{Group, Groups};
use paste::paste;
pub use rewrite::Rewrite;
pub use time::{Overlap, Traffic};
pub(super) use value::Value;
use xlayout_words::sum;

/// The copies of a module, and what removes them.
#[derive(Clone, Debug)]
pub struct Found {
    /// The file of the module.
    pub file: String,
    /// The name of the module.
    pub module: String,
    /// Whether no computation is marked as ENTRY, so that the last one is taken for it.
    pub is_entry_assumed: bool,
    /// On how many devices the program runs as parts; 0 if the module does not say it, as a
    /// `.hlo.pb`.
    pub partitions: u64,
    /// The described copies, those of most bytes first. Empty for `--json`, which describes each
    /// copy when it is written.
    pub copies: Vec<Copy>,
    /// The sums over all copies.
    pub sums: Group,
    /// Whether advice was verified for the compiler of the module: that for TPUs, which gives tiles
    /// to arrays, or that for CPUs, which records how it partitions loops for threads. Advice for
    /// other compilers must not be shown.
    pub is_verified: bool,
    /// Whether a copy is in a loop of unknown length.
    pub in_unknown_loop: bool,
    /// Whether a copy changes a layout.
    pub changes_layout: bool,
    /// Layouts of parameters and results that remove copies: those that save most first, those that
    /// may not pay last.
    pub cures: Vec<Cure>,
    /// Layouts of values inside the module that remove copies.
    pub constraints: Vec<Constraint>,
    /// Rewrites of operations of the program that then need no copy, where the pattern is certain.
    pub rewrites: Vec<Rewrite>,
    /// The lines to write for all cures that pay.
    pub paste: Vec<String>,
    /// The number of operations that cannot be classified, because the text gives no layout to
    /// their arrays.
    pub without_layout: u64,
}

impl Found {
    /// What the advice that pays, and another program, save: bytes that copies read and write.
    #[must_use]
    pub fn saved(&self) -> u128 {
        let paying = self.cures.iter().filter(|cure| cure.doubt.is_none());
        let constraints = self
            .constraints
            .iter()
            .map(|constraint| constraint.saved.saturating_sub(constraint.added));
        let rewrites = self.rewrites.iter().map(|rewrite| rewrite.saved);
        sum(paying
            .map(|cure| cure.saved)
            .chain(constraints)
            .chain(rewrites))
    }

    /// The number of cures that pay.
    #[must_use]
    pub fn paying(&self) -> usize {
        self.cures
            .iter()
            .filter(|cure| cure.doubt.is_none())
            .count()
    }
}

/// Returns the copies of a module, and what removes them. The `described` copies of most bytes are
/// described; the others are only counted.
pub fn examine(path: &Path, module: &Module, tally: &Tally, described: usize) -> Found {
    let context = Context::new(module, tally);
    let (mut found, moves) = summed(path, &context);
    let largest = moves.iter().take(described);
    let file = &found.file;
    found.copies = largest
        .map(|moved| copy(&context, file, moved, true))
        .collect();
    found
}

/// A module whose copies are described on demand, so that a million copies take no more memory than
/// their module.
pub struct Every {
    module: Module,
    tally: Tally,
    moves: Vec<Move>,
    /// What removes the copies, without descriptions of the copies.
    pub found: Found,
}

impl Every {
    /// Finds the copies of a module.
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

    /// Returns the copies, those of most bytes first. Each is described when the iterator reaches
    /// it.
    pub fn copies(&self) -> impl Iterator<Item = Copy> {
        let context = Context::new(&self.module, &self.tally);
        self.moves
            .iter()
            .map(move |moved| copy(&context, &self.found.file, moved, true))
    }
}

/// Returns what removes the copies of a module, and all copies, those of most bytes first, without
/// descriptions.
fn summed(path: &Path, context: &Context<'_>) -> (Found, Vec<Move>) {
    let found = find(context);
    let is_tpu = has_tiles(context);
    let is_cpu = !is_tpu && context.module.is_of_cpu;
    let cures = if is_cpu {
        cure::cures_for_cpu(context, &found)
    } else {
        cure::cures(context, &found)
    };
    let constraints = (!is_cpu).then(|| constraint::constraints(context, &found, &cures));
    let by_instruction: HashMap<Value, &Move> =
        found.moves.iter().map(|moved| (moved.at, moved)).collect();
    let is_only = cures.len() == 1;
    let mut removed = HashSet::new();
    let mut changes = Vec::new();
    let describe = |found: change::Cure| {
        let cure = described::cure(context, &found, is_only, &by_instruction);
        if cure.doubt.is_none() {
            removed.extend(found.removes);
            changes.extend(found.changes);
        }
        cure
    };
    let mut cures: Vec<Cure> = cures.into_iter().map(describe).collect();
    cures.sort_by_cached_key(|cure| (cure.doubt.is_some(), std::cmp::Reverse(cure.saved)));
    let rewrites = (!is_cpu).then(|| rewrite::rewrites(context, &found, &removed));
    let moves = found.moves;
    let mut sums = Group::default();
    for moved in &moves {
        sums.add(context, moved);
    }
    let summary = Found {
        paste: paste(context, &changes),
        file: path.display().to_string(),
        module: context.module.name.clone(),
        is_entry_assumed: context.module.is_entry_assumed,
        partitions: context.module.partitions,
        copies: Vec::new(),
        sums,
        is_verified: is_tpu || is_cpu,
        in_unknown_loop: moves.iter().any(|moved| moved.times.count.is_none()),
        changes_layout: moves.iter().any(|moved| moved.kind == Kind::Layout),
        cures,
        constraints: constraints.unwrap_or_default(),
        rewrites: rewrites.unwrap_or_default(),
        without_layout: found.without_layout,
    };
    (summary, moves)
}

/// Whether an array of the entry has a tile.
fn has_tiles(context: &Context<'_>) -> bool {
    let mut instructions = context
        .module
        .entry()
        .into_iter()
        .flat_map(|entry| &entry.instructions);
    instructions.any(|instruction| {
        let mut arrays = context
            .module
            .leaves(instruction)
            .into_iter()
            .filter_map(|leaf| context.tally.of(leaf));
        arrays.any(Array::is_tiled)
    })
}
