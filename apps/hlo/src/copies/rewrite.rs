//! Copies that another program avoids, where the pattern is certain.
//!
//! All of these were compiled for v5e:
//!
//! - `q, k, v = (x @ w).reshape(…, 3, heads, d)[…]`: one product whose parts are used one by one is
//!   copied to separate the parts. Three products of 4 MiB: 0 instead of 18 MiB of copies, and a
//!   peak of 72 instead of 95 MiB.
//! - Patches of an image, as a reshape, a transpose and a product. A convolution with strides: 62
//!   instead of 209 MiB of copies, and a peak of 68 instead of 110 MiB.
//! - Reshapes between `[16, 197, 768]` and `[3152, 768]`: tiles have 8 rows, and 197 is not a
//!   multiple of 8. With 200 instead of 197, four programs made 0 instead of 37 to 47 MiB of
//!   copies; the peaks were 4.4, 18 and 9.1 MiB lower, and 0.5 MiB higher.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use xlayout::shape::TileDim;

use super::constraint::slices_of;
use super::context::Context;
use super::find::{Found, Kind, MOST_COPIES, Move};
use super::relation::{bytes, order, sizes, with_sizes};
use super::value::{Side, Value};
use crate::opcode::Opcode;
use xlayout_words::{number, sum};

/// The largest number of parts of a product.
const MOST_PARTS: i64 = 8;
/// A dimension grows by at most this fraction of its size (1 / 16).
const SMALLEST_PART: i64 = 16;
/// The largest number of copies between an image and the product of its patches.
const MOST_STEPS: usize = 8;

/// A rewrite of operations of the program that then need no copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rewrite {
    /// The names of the copies.
    pub removes: Vec<String>,
    /// Bytes that the copies read and write.
    #[serde(rename = "removed_bytes", serialize_with = "number")]
    pub saved: u128,
    /// What the program does, and what to do instead.
    #[serde(rename = "because")]
    pub words: String,
    /// What to write.
    pub paste: String,
}

/// Returns rewrites for copies that no advice removes, those that save most first.
pub(super) fn rewrites(
    context: &Context<'_>,
    found: &Found,
    removed: &HashSet<Value>,
) -> Vec<Rewrite> {
    let moves: Vec<&Move> = found
        .moves
        .iter()
        .filter(|copy| copy.kind == Kind::Layout && !removed.contains(&copy.at))
        .take(MOST_COPIES)
        .collect();
    let mut all: Vec<Rewrite> = moves
        .iter()
        .filter_map(|copy| match context.opcode(copy.at) {
            Opcode::Copy => parts(context, copy),
            Opcode::Reshape => patches(context, copy, &moves),
            _ => None,
        })
        .collect();
    all.extend(rows(context, &moves));
    all.sort_by_cached_key(|rewrite| Reverse(rewrite.saved));
    all
}

/// Finds a product whose parts, along a dimension that the copy makes the most major one, are used
/// one by one.
fn parts(context: &Context<'_>, copy: &Move) -> Option<Rewrite> {
    let before = context.fixed(copy.source, true).strongest();
    let Some(Side::Operation("convolution" | "dot", product)) = before else {
        return None;
    };
    let whole = sizes(context, copy.target)?;
    let from = order(context, copy.source)?;
    let to = order(context, copy.target)?;
    let dim = *to.first()?;
    let count = *whole.get(dim)?;
    if from.first() == Some(&dim) || !(2..=MOST_PARTS).contains(&count) {
        return None;
    }
    // The parts are consecutive groups of columns of the weights.
    let columns = whole[dim..]
        .iter()
        .try_fold(1_i64, |all, &size| all.checked_mul(size))?;
    if !sizes(context, product)?.contains(&columns) {
        return None;
    }
    let slices = slices_of(context, copy.target)?;
    let is_part = |slice: &Value| {
        let mut part = whole.clone();
        part[dim] = 1;
        sizes(context, *slice).as_ref() == Some(&part)
    };
    let words = format!(
        "{} makes {count} arrays at once, and each is used by itself. A product for each needs no copy",
        context.name(product)
    );
    let paste = format!("parts = [x @ w for w in jnp.split(weights, {count}, axis=-1)]");
    let is_sure = slices.len() >= count as usize && slices.iter().all(is_part);
    is_sure.then(|| rewrite(context, &[copy], words, paste))
}

/// Finds the product of patches: `[n, h p, w q, c]` as `[n, h, p, w, q, c]`, then `[n, h, w, p, q,
/// c]`, then `[n, h w, p q c]`.
fn patches(context: &Context<'_>, copy: &Move, moves: &[&Move]) -> Option<Rewrite> {
    let image = sizes(context, copy.source)?;
    let split = sizes(context, copy.target)?;
    let ([n, height, width, c], &[n6, h, p, w, q, c6]) = (&image[..], &split[..]) else {
        return None;
    };
    let is_split = (*n, *c) == (n6, c6)
        && h.checked_mul(p) == Some(*height)
        && w.checked_mul(q) == Some(*width);
    if !is_split || p < 2 || q < 2 {
        return None;
    }
    let mut removed = vec![copy];
    let mut value = copy.target;
    let mut is_swapped = false;
    for _ in 0..MOST_STEPS {
        let [user] = context.users(value)[..] else {
            return None;
        };
        if !matches!(
            context.opcode(user),
            Opcode::Bitcast | Opcode::Copy | Opcode::Reshape | Opcode::Transpose
        ) {
            break;
        }
        removed.extend(moves.iter().copied().find(|copy| copy.at == user));
        value = user;
        is_swapped |= sizes(context, value)?[..] == [n6, h, w, p, q, c6];
    }
    let last = [n6, h.checked_mul(w)?, p.checked_mul(q)?.checked_mul(c6)?];
    let after = context.fixed(value, false).strongest();
    let Some(Side::Operation("convolution" | "dot", product)) = after else {
        return None;
    };
    let words = format!(
        "{} multiplies patches of {p} x {q} of an image. A convolution with strides copies less",
        context.name(product)
    );
    let paste = format!(
        "y = lax.conv_general_dilated(x, weights.reshape({p}, {q}, {c}, -1), ({p}, {q}), 'VALID', \
         dimension_numbers=('NHWC', 'HWIO', 'NHWC')).reshape({n}, {}, -1)",
        last[1]
    );
    let is_sure = is_swapped && sizes(context, value)?[..] == last;
    is_sure.then(|| rewrite(context, &removed, words, paste))
}

/// Finds reshapes that join or split the rows of tiles, because a dimension is not a multiple of
/// that number.
fn rows(context: &Context<'_>, moves: &[&Move]) -> Vec<Rewrite> {
    // Keyed by the sizes of the array that has the dimension.
    let mut groups: BTreeMap<Vec<i64>, ([String; 2], Vec<&Move>)> = BTreeMap::new();
    for &copy in moves {
        if context.opcode(copy.at) == Opcode::Reshape
            && let Some((split, texts)) = joined_rows(context, copy)
        {
            groups
                .entry(split)
                .or_insert((texts, Vec::new()))
                .1
                .push(copy);
        }
    }
    groups
        .into_values()
        .map(|([words, paste], moves)| rewrite(context, &moves, words, paste))
        .collect()
}

/// Matches `[…, n, s, d]` as `[…, n s, d]`, or the reverse, with `s` a little below a multiple of
/// the rows of a tile. Returns the sizes of the first array, the words, and what to write.
fn joined_rows(context: &Context<'_>, copy: &Move) -> Option<(Vec<i64>, [String; 2])> {
    let mut split = copy.source;
    let mut joined = copy.target;
    if sizes(context, split)?.len() < sizes(context, joined)?.len() {
        (split, joined) = (joined, split);
    }
    let from = sizes(context, split)?;
    let to = sizes(context, joined)?;
    let ([before @ .., n, s, d], [same @ .., rows, columns]) = (&from[..], &to[..]) else {
        return None;
    };
    let is_joined = before == same && d == columns && n.checked_mul(*s) == Some(*rows);
    let Some([TileDim::Size(height), _]) =
        context.value_shape(split)?.layout.as_ref()?.tiles.get(0)
    else {
        return None;
    };
    let in_rows = |value| Some(order(context, value)?.is_sorted());
    // The number of rows that fill the last tile.
    let more = match s.checked_rem(*height)? {
        0 => return None,
        rest => height - rest,
    };
    let padded = s.checked_add(more)?;
    if !is_joined || !in_rows(split)? || !in_rows(joined)? || more == 0 || more > s / SMALLEST_PART
    {
        return None;
    }
    let now = context.value_shape(joined)?;
    let mut then = to.clone();
    then[same.len()] = n.checked_mul(padded)?;
    let larger = bytes(&with_sizes(now, &then)?)?;
    let now = bytes(now)?;
    let pad = |k| if k + 2 == from.len() { more } else { 0 };
    let pad: Vec<_> = (0..from.len())
        .map(|k| format!("(0, {})", pad(k)))
        .collect();
    let words = format!(
        "{from:?} as {to:?} is a copy, because {s} is no multiple of the {height} rows of a tile. With {padded} in place of {s}, from the \
         arguments on, nothing is copied: {from:?} takes as much memory as before, and {then:?} {larger} in place of {now} bytes"
    );
    Some((
        from.into_vec(),
        [words, format!("x = jnp.pad(x, ({}))", pad.join(", "))],
    ))
}

fn rewrite(context: &Context<'_>, moves: &[&Move], words: String, paste: String) -> Rewrite {
    let name = |copy: &&Move| context.text(copy.at).to_owned();
    Rewrite {
        removes: moves.iter().map(name).collect(),
        saved: sum(moves.iter().map(|copy| copy.total())),
        words,
        paste,
    }
}
