//! A parameter that is copied twice: first to split one of its dimensions, then to reorder its
//! dimensions.
//!
//! ```text
//! p = a parameter, the last dimension the most minor one
//! a = a copy of p, of the same elements, behind which bitcasts split dimensions of p
//! b = a copy of that, with a dimension as the most minor one that is a whole dimension of p
//! if this dimension is the most minor one of p, and the split leaves whole tiles: the split is a
//!     bitcast, and b is enough
//! ```
//!
//! Cumulative sums have this form: they split a dimension into blocks of 128. The copy `b` is then
//! mostly not needed either.

use hashbrown::HashMap;

use super::change::Cure;
use super::context::Context;
use super::find::{Kind, Move};
use super::relation::{Order, Relation, groups, order, sizes};
use super::spread::{Through, spread};
use super::value::Value;
use crate::opcode::Opcode;

/// The largest number of rows of a tile.
const MOST_ROWS: i64 = 64;

/// Returns advice for two copies, if `one` is the second of them.
pub(super) fn split(
    context: &Context<'_>,
    second: &Move,
    moves: &HashMap<Value, &Move>,
) -> Option<Cure> {
    let (_, first) = context.names(second.source);
    let first = moves.get(&first).filter(|copy| copy.at != second.at)?;
    let (between, parameter) = context.names(first.source);
    // The user of the parameter.
    let user = *between.iter().rev().nth(1)?;
    let (bitcasts, _) = context.names(second.source);
    let mut copied = bitcasts.iter().chain(&between[..between.len() - 1]);
    let is_pair = first.kind == Kind::Layout
        && context.is_entry(parameter.computation)
        && context.opcode(parameter) == Opcode::Parameter
        && copied.all(|&value| context.users(value).len() == 1);
    let whole = sizes(context, parameter)?;
    let parts = sizes(context, second.target)?;
    let rows = |sizes: &[i64]| (0..sizes.len()).collect::<Order>();
    let is_rows = |value: Value| Some(order(context, value)? == rows(&sizes(context, value)?));
    if !is_pair || !is_rows(parameter)? || !is_rows(first.target)? || !is_rows(second.source)? {
        return None;
    }
    let Relation::Groups(groups) = groups(&rows(&whole), &whole, &rows(&parts), &parts)? else {
        return None;
    };
    let minor = *order(context, second.target)?.last()?;
    let (new_minor, _) = groups.iter().find(|(_, parts)| parts[..] == [minor])?;
    let [new_minor] = new_minor[..] else {
        return None;
    };
    let mut new: Order = rows(&whole);
    new.retain(|dim| *dim != new_minor);
    let second_minor = *new.last()?;
    new.push(new_minor);
    let (_, inner) = groups.iter().find(|group| group.0[..] == [second_minor])?;
    if inner.len() < 2 || parts[*inner.last()?] % MOST_ROWS != 0 || new == rows(&whole) {
        return None;
    }
    // The bitcast of the parameter represents the first copy.
    let own = Move {
        at: user,
        source: parameter,
        target: user,
        owner: Some(first.at),
        ..(*first).clone()
    };
    let mut moves = moves.clone();
    moves.insert(user, &own);
    let start = vec![(parameter, new)];
    let mut cure = spread(context, &own, start, Through::Given, &moves)?;
    cure.may_remove.push(second.at);
    (cure.removes == [first.at]).then_some(cure)
}
