//! Layouts of the entry's parameters and results that remove copies.
//!
//! A copy that changes a layout is not needed in two cases. The values after it can have the layout
//! before it, as far as the entry's results. Or the values before it can have the layout after it,
//! as far as the entry's parameters. The layout is carried through ties only; where an operation
//! fixes another layout, there is no advice. There is also none where nothing shows that the
//! compiler would follow:
//!
//! - a copy that is not named after the value that it copies was made for the operation that uses
//!   it, after layouts had been assigned;
//! - between a parameter and a result with nothing but moves between them, either layout is as
//!   good.
//!
//! These rules were compared with what XLA chose for the models in `tests/data/copies` and others,
//! and with what it made of the advice.

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::change::{Change, Cure, Entry, change, change_of, distance, entries, growth};
use super::context::Context;
use super::find::{Found, Kind, MOST_COPIES, Move};
use super::relation::{From, Order, order, sizes};
use super::split::split;
use super::spread::{Through, is_tiled, relation, same_minor, spread};
use super::ties::beside;
use super::value::Value;
use crate::advice::choices;
use crate::opcode::Opcode;
use xlayout_words::sum;

/// Returns the layouts that remove copies, those that save most first.
pub(super) fn cures<'found>(context: &Context<'_>, found: &'found Found) -> Vec<Cure> {
    // Copies in the body of a fusion show what the fusion does.
    let layout =
        |copy: &&Move| copy.kind == Kind::Layout && context.opcode(copy.at) != Opcode::Fusion;
    let largest = |all: &'found Vec<Move>| all.iter().filter(layout).take(MOST_COPIES);
    let outside: Vec<&Move> = largest(&found.moves).collect();
    let moves: Vec<&Move> = outside
        .iter()
        .copied()
        .chain(largest(&found.fused))
        .collect();
    let by_instruction: HashMap<Value, &Move> = moves.iter().map(|copy| (copy.at, *copy)).collect();
    let mut cures: Vec<Cure> = Vec::new();
    for copy in moves {
        let through = [Through::Nothing, Through::Copies];
        if let Some(best) = best(context, copy, &by_instruction, &through) {
            merge(&mut cures, best);
        }
    }
    for copy in &outside {
        if let Some(cure) = split(context, copy, &by_instruction)
            && !(cures.iter()).any(|known| known.removes.contains(&cure.removes[0]))
        {
            merge(&mut cures, cure);
        }
    }
    let rearranges = |copy: &&Move| copy.kind == Kind::Rearrange;
    for copy in found.moves.iter().filter(rearranges).take(MOST_COPIES) {
        if let Some(cure) = sliced(context, copy, &by_instruction) {
            merge(&mut cures, cure);
        }
    }
    for through in [Through::Majors, Through::Any] {
        for copy in &outside {
            let sides = order(context, copy.source)
                .zip(order(context, copy.target))
                .zip(sizes(context, copy.target));
            let is_near = |((from, to), sizes): ((Order, Order), SmallVec<[i64; 6]>)| {
                through == Through::Any || same_minor(&from, &to, &sizes)
            };
            let owner = copy.owner.unwrap_or(copy.at);
            let is_removed = || cures.iter().any(|known| known.removes.contains(&owner));
            if !sides.is_some_and(is_near) || through == Through::Any && is_removed() {
                continue;
            }
            let known: Vec<Entry> = cures.iter().flat_map(entries_of).collect();
            let read = best(context, copy, &by_instruction, &[through]);
            cures.extend(read.filter(|cure| entries_of(cure).all(|entry| !known.contains(&entry))));
        }
    }
    for cure in &mut cures {
        cure.may_remove.sort_unstable();
        cure.may_remove.dedup();
        cure.may_remove.retain(|at| !cure.removes.contains(at));
    }
    cures.sort_by_cached_key(|cure| std::cmp::Reverse(cure.saved));
    cures
}

/// Returns layouts of results of a module for CPUs. If a copy gives a result and does not copy a
/// parameter, the result gets the layout of the value that is copied.
///
/// 22 copies of this kind in 18 functions were compiled again (jax 0.10.2), and each was gone.
/// Layouts of parameters did not help: the compiler copies them to the layout of the operation that
/// uses them, whatever they are.
pub(super) fn cures_for_cpu(context: &Context<'_>, found: &Found) -> Vec<Cure> {
    entries(context)
        .into_iter()
        .filter_map(|(entry, value)| {
            let Entry::Result(item) = entry else {
                return None;
            };
            let (_, giver) = context.names(context.result(item)?);
            let copy = found
                .moves
                .iter()
                .find(|copy| copy.at == giver && copy.kind == Kind::Layout)?;
            let (_, maker) = context.names(copy.source);
            let is_parameter = context.opcode(maker) == Opcode::Parameter;
            let is_same = sizes(context, copy.source)? == sizes(context, value)?;
            let is_donated = context
                .module
                .aliases
                .iter()
                .any(|alias| alias.result[..] == *item.as_slice());
            let order = order(context, copy.source)?;
            (is_same && !is_parameter && !is_donated).then_some(Cure {
                changes: vec![change(context, value, entry, &order)?],
                removes: vec![copy.at],
                may_remove: Vec::new(),
                saved: copy.total(),
                slower: None,
            })
        })
        .collect()
}

/// The rank of a cure; the largest is best: bytes of copies saved, then bytes of the entry that are
/// saved, then few changes. Among equal ones XLA keeps the layouts of parameters and changes those
/// of results.
fn rank(context: &Context<'_>, cure: &Cure) -> (u128, [i128; 4]) {
    let is_parameter = |change: &&Change| matches!(change.entry, Entry::Parameter(_));
    let distance: usize = cure.changes.iter().map(distance).sum();
    let parameters = cure.changes.iter().filter(is_parameter).count();
    let [changes, distance, parameters] =
        [cure.changes.len(), distance, parameters].map(|count| -(count as i128));
    let growth = growth(context, cure);
    (cure.saved, [-growth, changes, distance, parameters])
}

fn entries_of(cure: &Cure) -> impl Iterator<Item = Entry> {
    cure.changes.iter().map(|change| change.entry)
}

/// Adds a cure, or merges it into one that changes the same entry in the same way.
fn merge(cures: &mut Vec<Cure>, cure: Cure) {
    // For each entry that both change: whether both give it the same layout.
    let shared = |known: &Cure| -> Vec<bool> {
        let same =
            |change: &Change| Some(change_of(&known.changes, change.entry)?.order == change.order);
        cure.changes.iter().filter_map(same).collect()
    };
    // Another copy wants an entry in another layout: the cure that saves more came first.
    if cures.iter().any(|known| shared(known).contains(&false)) {
        return;
    }
    let Some(k) = cures.iter().position(|known| !shared(known).is_empty()) else {
        return cures.push(cure);
    };
    let known = &mut cures[k];
    for change in cure.changes {
        if change_of(&known.changes, change.entry).is_none() {
            known.changes.push(change);
        }
    }
    let count = known.removes.len();
    for at in cure.removes {
        if !known.removes.contains(&at) {
            known.removes.push(at);
        }
    }
    if known.removes.len() > count {
        known.saved = sum([known.saved, cure.saved]);
    }
    known.may_remove.extend(cure.may_remove);
    known.slower = known.slower.or(cure.slower);
}

/// The best advice for one copy.
fn best(
    context: &Context<'_>,
    copy: &Move,
    moves: &HashMap<Value, &Move>,
    through: &[Through],
) -> Option<Cure> {
    let relation = relation(context, copy)?;
    let from = order(context, copy.source)?;
    let to = order(context, copy.target)?;
    let from_sizes = sizes(context, copy.source)?;
    let to_sizes = sizes(context, copy.target)?;
    let tiled = is_tiled(context, copy.target) || is_tiled(context, copy.source);
    let fused = !context.runs(copy.at.computation);
    // A fusion that reads whole tiles in another order moves them at no cost.
    if fused && same_minor(&from, &to, &to_sizes) {
        return None;
    }
    let before = context.fixed(copy.source, true);
    let after = context.fixed(copy.target, false);
    let works = before.works || after.works;
    // If only moves are between a parameter and a result, both layouts are equally good.
    if before.is_entry() && after.is_entry() && !works {
        return None;
    }
    let mut starts: Vec<(Vec<(Value, Order)>, Through)> = Vec::new();
    let mut take_over = |value: Value, order: Option<Order>| {
        for &through in through {
            starts.extend(order.clone().map(|order| (vec![(value, order)], through)));
        }
    };
    // Either the side after the copy takes the layout before it, or the side before takes that
    // after it.
    take_over(
        copy.target,
        relation.carry(&from, From::Operand, &to_sizes, tiled),
    );
    if named_after_source(context, copy) {
        take_over(
            copy.source,
            relation.carry(&to, From::Result, &from_sizes, tiled),
        );
    }
    // A reshape is free if its groups of dimensions stay together and outside of tiles.
    if context.opcode(copy.at) == Opcode::Reshape {
        for (minor, rest) in choices(&to) {
            let order: Order = rest.into_iter().chain(minor.into_iter().rev()).collect();
            if let Some(back) = relation.carry(&order, From::Result, &from_sizes, tiled) {
                let both = vec![(copy.target, order), (copy.source, back)];
                starts.push((both, Through::Copies));
            }
        }
    }
    let found = starts.into_iter().filter_map(|(start, through)| {
        let searched = start.len() > 1;
        let cure = spread(context, copy, start, through, moves)?;
        // A layout that no operation asks for must not take more memory.
        (!searched || growth(context, &cure) <= 0).then_some(cure)
    });
    found
        .filter(|cure| cure.removes.contains(&copy.owner.unwrap_or(copy.at)))
        .max_by_key(|cure| rank(context, cure))
}

/// Returns advice for a slice that a loop takes of an array in each round. Along one of the two
/// most minor dimensions, which tiles cut, each slice is a copy. Along the most major dimension the
/// loop reads it in place.
fn sliced(context: &Context<'_>, copy: &Move, moves: &HashMap<Value, &Move>) -> Option<Cure> {
    let (at, owner) = match context.opcode(copy.at) {
        Opcode::DynamicSlice => (copy.at, None),
        Opcode::Fusion => (
            context
                .names(context.root(context.called(copy.at, "calls")?))
                .1,
            Some(copy.at),
        ),
        _ => return None,
    };
    if copy.times.count == Some(1) || context.opcode(at) != Opcode::DynamicSlice {
        return None;
    }
    let source = context.operand(at, 0)?;
    let whole = sizes(context, source)?;
    let part = sizes(context, at)?;
    let now = order(context, source)?;
    let is_cut = |dim: &usize| whole.get(*dim) != part.get(*dim);
    let minor = now.iter().rev().take(2);
    if !is_tiled(context, source) || !minor.clone().any(is_cut) {
        return None;
    }
    let mut new = now;
    // Those that are cut become the most major ones.
    new.sort_by_key(|dim| !is_cut(dim));
    let own = Move {
        at,
        source,
        target: at,
        owner,
        ..copy.clone()
    };
    let mut moves = moves.clone();
    moves.insert(at, &own);
    let cure = spread(context, &own, vec![(source, new)], Through::Given, &moves)?;
    (cure.removes == [copy.at]).then_some(cure)
}

/// Whether the compiler made this copy while it assigned layouts: then the copy has the name of the
/// value that it copies.
fn named_after_source(context: &Context<'_>, copy: &Move) -> bool {
    let module = context.module;
    let name = module.op_name(context.instruction(copy.at));
    if name.is_empty() {
        return true;
    }
    // A transpose of an argument is a bitcast and a copy, both named after the transpose: in the
    // other layout the bitcast alone is the transpose.
    let is_transpose = name.rsplit('/').next() == Some("transpose");
    let mut value = copy.source;
    // Follow what only passes the value on: bitcasts, and parameters of fusions.
    for _ in 0..16 {
        if module.op_name(context.instruction(value)) == name {
            return true;
        }
        let is_argument =
            context.is_entry(value.computation) && context.opcode(value) == Opcode::Parameter;
        if is_transpose && is_argument && value != copy.source {
            return true;
        }
        let passes = |giver: &Value| {
            let opcode = context.opcode(*giver);
            let is_part = opcode.whole() == Opcode::Copy && opcode != Opcode::Copy;
            is_part
                || matches!(
                    opcode,
                    Opcode::Fusion | Opcode::GetTupleElement | Opcode::Bitcast
                )
        };
        let mut givers = beside(context, value, true).filter(|(giver, _)| passes(giver));
        match givers.find_map(|(_, sources)| sources?.first().copied()) {
            Some(next) => value = next,
            None => return false,
        }
    }
    false
}
