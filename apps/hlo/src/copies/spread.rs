//! Gives a value another layout, and carries the change to all values that must change with it.
//!
//! ```text
//! orders = the given values with their new orders; queue = these values
//! while the queue has a value:
//!     it is a parameter or a result of the entry:
//!         note the change of the entry's layout; the aliased result or parameter of the same sizes
//!             gets the same order
//!     for each operation that makes or uses the value, and each tie between the value and another
//!         array there:
//!         carried = the order of the other array that the tie demands
//!         the operation is a copy that may absorb the change:  nothing more
//!         carried exists and is not the present order:         orders[other] = carried; queue the
//!             other array
//!         carried exists and contradicts orders[other]:        no cure
//!         nothing can be carried, and the tie does not hold:   no cure
//!     more than 4096 operations: no cure
//! no layout of the entry changed: no cure
//! the cure removes each copy on the way whose two sides have the same order now
//! it is slower where an operation cuts, joins or reverses an array along a dimension that is more
//!     minor now
//! ```

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};

use super::change::{Change, Cure, Entry, change};
use super::context::Context;
use super::find::Move;
use super::relation::{From, Order, Relation, order, sizes};
use super::value::Value;
use crate::opcode::Opcode;
use xlayout_words::sum;

use super::ties::{givers, takers, ties};

/// The largest number of values that one piece of advice may concern.
const MOST: usize = 4096;

/// The relation between the two sides of a move.
pub(super) fn relation(context: &Context<'_>, copy: &Move) -> Option<Relation> {
    let tie = ties(context, copy.at, copy.target)?.into_iter();
    let mut tie = tie.filter(|tie| tie.operand == copy.source && tie.result == copy.target);
    Some(tie.next()?.relation)
}

pub(super) fn is_tiled(context: &Context<'_>, value: Value) -> bool {
    let array = context.array(value);
    array.is_some_and(|array| context.tallied(array).is_tiled())
}

/// Whether an operation cuts, joins or reverses arrays along a dimension that is more minor in the
/// new order: then it splits tiles, or more of them. The compiler was seen to copy more than before
/// (`associative_scan` of an array that is transposed at the end).
fn is_slower(context: &Context<'_>, value: Value, new: &[usize]) -> bool {
    let instruction = context.instruction(value);
    let operand = match context.opcode(value) {
        Opcode::DynamicUpdateSlice => 1,
        opcode if opcode.rearranges() || opcode == Opcode::Pad => 0,
        _ => return false,
    };
    let operand = context.operand(value, operand);
    let operand = operand.and_then(|operand| sizes(context, operand));
    let (Some(own), Some(operand), Some(now)) =
        (sizes(context, value), operand, order(context, value))
    else {
        return false;
    };
    let reversed = match context.opcode(value) {
        Opcode::Reverse => context.module.numbers(instruction, "dimensions"),
        _ => None,
    };
    let is_along = |dim: usize| match &reversed {
        Some(reversed) => reversed.contains(&(dim as i64)),
        None => own.get(dim) != operand.get(dim),
    };
    // Tiles cut the two most minor dimensions; all others are equally good.
    let place = |order: &[usize], dim: usize| {
        let place = order.iter().rev().position(|&other| other == dim);
        place.map(|place| place.min(2))
    };
    (0..own.len()).any(|dim| is_along(dim) && place(new, dim) < place(&now, dim))
}

/// Whether two orders are one layout. Dimensions of size 1 may be anywhere, except that tiles cut
/// the two most minor dimensions, whatever their sizes are.
fn same_order(a: &[usize], b: &[usize], sizes: &[i64], tiled: bool) -> bool {
    let is_large = |dim: &usize| sizes.get(*dim) != Some(&1);
    let cut = |order: &[usize]| -> Vec<Option<usize>> {
        let two = order.iter().rev().take(2);
        two.map(|&dim| Some(dim).filter(is_large)).collect()
    };
    large(a, sizes).eq(large(b, sizes)) && (!tiled || cut(a) == cut(b))
}

/// The dimensions of other sizes than 1, the most minor first.
fn large(order: &[usize], sizes: &[i64]) -> impl Iterator<Item = usize> {
    let is_large = |dim: &usize| sizes.get(*dim) != Some(&1);
    order.iter().rev().copied().filter(is_large)
}

/// Whether the two most minor dimensions are the same.
pub(super) fn same_minor(a: &[usize], b: &[usize], sizes: &[i64]) -> bool {
    large(a, sizes).take(2).eq(large(b, sizes).take(2))
}

/// The operations through which a change of a layout is carried.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Through {
    /// None: it ends at the next copies.
    Nothing,
    /// Copies.
    Copies,
    /// None. The copy that the change is for is removed, whatever the orders on its two sides are.
    Given,
    /// None, and convolutions may read arrays whose major dimensions have another order. The
    /// layouts that the compiler itself chose for attention whose keys and values are results had
    /// no copy then.
    Majors,
    /// None, and convolutions and products may read donated parameters in any order. `Layout.AUTO`
    /// was seen to choose so for an embedding that is updated in place.
    Any,
}

/// Gives these values these orders, and carries the orders on. Returns `None` if an operation fixes
/// another layout on the way.
pub(super) fn spread(
    context: &Context<'_>,
    copy: &Move,
    start: Vec<(Value, Order)>,
    through: Through,
    moves: &HashMap<Value, &Move>,
) -> Option<Cure> {
    let mut orders: HashMap<Value, Order> = HashMap::new();
    let mut next = VecDeque::new();
    let mut changes: Vec<Change> = Vec::new();
    let mut met: Vec<Value> = Vec::new();
    let mut seen: HashSet<Value> = HashSet::new();
    let set = |orders: &mut HashMap<Value, Order>,
               next: &mut VecDeque<Value>,
               value: Value,
               new: Order|
     -> Option<()> {
        let sizes = sizes(context, value)?;
        if let Some(known) = orders.get(&value) {
            return same_order(known, &new, &sizes, is_tiled(context, value)).then_some(());
        }
        let now = order(context, value)?;
        if !same_order(&now, &new, &sizes, is_tiled(context, value)) {
            orders.insert(value, new);
            next.push_back(value);
        }
        Some(())
    };
    for (value, order) in start {
        set(&mut orders, &mut next, value, order)?;
    }
    let mut readers = Vec::new();
    let mut steps = 0;
    while let Some(value) = next.pop_front() {
        let new = orders[&value].clone();
        if let Some(entry) = entry(context, value) {
            changes.push(change(context, value, entry, &new)?);
            // An array of other sizes may have the memory in any order.
            let own = sizes(context, value);
            let is_same = |alias: &Value| sizes(context, *alias) == own;
            for alias in aliased(context, entry).into_iter().filter(is_same) {
                set(&mut orders, &mut next, alias, new.clone())?;
            }
        }
        let mut next_to = givers(context, value);
        next_to.extend(takers(context, value));
        for user in next_to {
            steps += 1;
            if steps > MOST {
                return None;
            }
            let is_move = moves.contains_key(&user);
            if is_move && seen.insert(user) {
                met.push(user);
            }
            let Some(all) = ties(context, user, value) else {
                // An operation that fixes another layout, or a loop.
                let now = order(context, value)?;
                let sizes = sizes(context, value)?;
                let is_near = match through {
                    Through::Majors => same_minor(&now, &new, &sizes),
                    Through::Any => true,
                    Through::Nothing | Through::Copies | Through::Given => false,
                };
                let may_read = is_near && context.opcode(user).is_product();
                readers.push(may_read.then_some(user)?);
                continue;
            };
            for tie in all {
                let (other, from, back) = match value {
                    _ if tie.operand == value => (tie.result, From::Operand, From::Result),
                    _ if tie.result == value => (tie.operand, From::Result, From::Operand),
                    _ => continue,
                };
                if context.array(other).is_none() {
                    continue;
                }
                let other_sizes = sizes(context, other)?;
                let tiled = is_tiled(context, value) || is_tiled(context, other);
                let carried = tie.relation.carry(&new, from, &other_sizes, tiled);
                if is_move && (through != Through::Copies || carried.is_none()) {
                    // The copy absorbs the change.
                    continue;
                }
                match carried {
                    Some(order) => set(&mut orders, &mut next, other, order)?,
                    None => {
                        let now = orders
                            .get(&other)
                            .cloned()
                            .or_else(|| order(context, other))?;
                        let sizes = sizes(context, value)?;
                        let expected = tie.relation.carry(&now, back, &sizes, tiled)?;
                        if !same_order(&expected, &new, &sizes, is_tiled(context, value)) {
                            return None;
                        }
                    }
                }
            }
        }
    }
    let is_donated = |change: &Change| match change.entry {
        Entry::Parameter(number) => context.module.is_donated(number),
        Entry::Result(_) => false,
    };
    if changes.is_empty() || through == Through::Any && !changes.iter().any(is_donated) {
        return None;
    }
    let now = |value: Value| {
        orders
            .get(&value)
            .cloned()
            .or_else(|| order(context, value))
    };
    let mut removes = Vec::new();
    let mut may_remove = Vec::new();
    let mut saved = 0;
    for at in met {
        let Some(met) = moves.get(&at) else {
            continue;
        };
        let is_free = || {
            let from = now(met.source)?;
            let to = now(met.target)?;
            let to_sizes = sizes(context, met.target)?;
            let tiled = is_tiled(context, met.target);
            let carried = relation(context, met)?.carry(&from, From::Operand, &to_sizes, tiled);
            Some(carried.is_some_and(|carried| same_order(&carried, &to, &to_sizes, tiled)))
        };
        if through == Through::Given && at == copy.at || is_free()? {
            let name = met.owner.unwrap_or(at);
            // The layouts on both of its sides change: the compiler must choose.
            let both = orders.contains_key(&met.source) && orders.contains_key(&met.target);
            if both && at != copy.at {
                may_remove.push(name);
            } else {
                removes.push(name);
                saved = sum([saved, met.total()]);
            }
        }
    }
    changes.sort_by_key(|change| change.entry);
    let slower = orders
        .iter()
        .filter(|(value, new)| is_slower(context, **value, new));
    (!removes.is_empty()).then_some(Cure {
        changes,
        removes,
        may_remove,
        saved,
        slower: slower.map(|(value, _)| *value).chain(readers).min(),
    })
}

/// The parameter or the result of the entry that a value is, if it is one.
fn entry(context: &Context<'_>, value: Value) -> Option<Entry> {
    if !context.is_entry(value.computation) {
        return None;
    }
    if let Some(number) = context.number(value) {
        // Advice cannot name a part of a tuple.
        return value.item.is_none().then_some(Entry::Parameter(number));
    }
    context.is_root(value).then_some(Entry::Result(value.item))
}

/// The values that share their memory with a parameter or a result.
fn aliased(context: &Context<'_>, entry: Entry) -> Vec<Value> {
    let Some(number) = context.module.entry else {
        return Vec::new();
    };
    let root = context.root(number);
    context
        .module
        .aliases
        .iter()
        .filter_map(|alias| {
            let item = match alias.result[..] {
                [] => None,
                [item] => Some(item),
                _ => return None,
            };
            if !alias.index.is_empty() {
                return None;
            }
            match entry {
                Entry::Parameter(number) if number == alias.parameter => {
                    Some(Value { item, ..root })
                }
                Entry::Result(own) if own == item => context.parameter(number, alias.parameter),
                _ => None,
            }
        })
        .collect()
}
