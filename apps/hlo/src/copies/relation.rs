//! How the dimensions of an operand correspond to those of a result, and how an order of one side
//! gives an order of the other.

use smallvec::{SmallVec, smallvec};
use xlayout::shape::{Dim, List};
use xlayout::{ArrayLayout, ArrayShape, DynLayout};

use super::context::Context;
use super::value::Value;

/// How the dimensions of the operand correspond to those of the result.
pub(super) enum Relation {
    /// Each dimension corresponds to the one with the same number.
    Same,
    /// Groups of dimensions that hold the same elements, the most major first. A dimension of size
    /// 1 may be in no group.
    Groups(Vec<(Order, Order)>),
}

/// The numbers of the dimensions, the most major first. No heap is needed for it: a search for
/// advice makes millions.
pub(super) type Order = SmallVec<[usize; 6]>;

/// The side whose order is known.
#[derive(Clone, Copy)]
pub(super) enum From {
    Operand,
    Result,
}

impl Relation {
    /// Returns the order of one side that corresponds to `order` of the other; `None` if that order
    /// splits a group.
    ///
    /// `sizes` are those of the side that is returned. With `tiles`, the two most minor dimensions,
    /// which tiles cut, cannot belong to a group of several dimensions.
    pub(super) fn carry(
        &self,
        order: &[usize],
        from: From,
        sizes: &[i64],
        tiled: bool,
    ) -> Option<Order> {
        let groups = match self {
            Self::Same => return (order.len() == sizes.len()).then(|| Order::from_slice(order)),
            Self::Groups(groups) => groups,
        };
        let mut carried = Order::new();
        let mut at = 0;
        // The ends, in `carried` and in `order`, of the last group of several dimensions.
        let mut several = None;
        while at < order.len() {
            let dim = order[at];
            let mut sides = groups.iter().map(|(operand, result)| match from {
                From::Operand => (operand, result),
                From::Result => (result, operand),
            });
            let Some((known, asked)) = sides.find(|(known, _)| known.contains(&dim)) else {
                // A dimension of size 1, or one that the other side lacks.
                at += 1;
                continue;
            };
            if order.get(at..at + known.len())? != known.as_slice() {
                return None;
            }
            at += known.len();
            carried.extend_from_slice(asked);
            if known.len() > 1 || asked.len() > 1 {
                several = Some((at, carried.len()));
            }
        }
        if let (true, Some((in_order, in_carried))) = (tiled, several)
            && (order.len() - in_order < 2 || carried.len() - in_carried < 2)
        {
            return None;
        }
        // Dimensions of size 1 do not affect the layout: they become the most major ones.
        let mut rest: Order = (0..sizes.len())
            .filter(|dim| !carried.contains(dim))
            .collect();
        let is_free = rest.iter().all(|&dim| sizes[dim] == 1);
        rest.extend(carried);
        is_free.then_some(rest)
    }
}

/// The groups of dimensions of two lists whose products of sizes are equal; `None` if the numbers
/// of elements differ.
pub(super) fn groups(
    a: &[usize],
    a_sizes: &[i64],
    b: &[usize],
    b_sizes: &[i64],
) -> Option<Relation> {
    let without_ones = |list: &[usize], sizes: &[i64]| -> Order {
        list.iter()
            .copied()
            .filter(|&dim| sizes[dim] != 1)
            .collect()
    };
    let a = without_ones(a, a_sizes);
    let b = without_ones(b, b_sizes);
    let mut i = 0;
    let mut j = 0;
    let mut groups = Vec::new();
    while i < a.len() && j < b.len() {
        let mut left: Order = smallvec![a[i]];
        let mut right: Order = smallvec![b[j]];
        let mut x = i128::from(a_sizes[a[i]]);
        let mut y = i128::from(b_sizes[b[j]]);
        (i, j) = (i + 1, j + 1);
        while x != y {
            if x < y {
                x = x.checked_mul(i128::from(a_sizes[*a.get(i)?]))?;
                left.push(a[i]);
                i += 1;
            } else {
                y = y.checked_mul(i128::from(b_sizes[*b.get(j)?]))?;
                right.push(b[j]);
                j += 1;
            }
            // With a size of 0 the products never become equal.
            if x == 0 || y == 0 {
                return None;
            }
        }
        groups.push((left, right));
    }
    (i == a.len() && j == b.len()).then_some(Relation::Groups(groups))
}

/// The sizes of an array's dimensions.
pub(super) fn sizes(context: &Context<'_>, value: Value) -> Option<SmallVec<[i64; 6]>> {
    context
        .value_shape(value)?
        .dims
        .iter()
        .map(|dim| dim.bound())
        .collect()
}

/// The present order of a value's dimensions, the most major first.
pub(super) fn order(context: &Context<'_>, value: Value) -> Option<Order> {
    context
        .value_shape(value)?
        .layout
        .as_ref()?
        .minor_to_major
        .iter()
        .rev()
        .map(|&dim| usize::try_from(dim).ok())
        .collect()
}

/// The bytes of an array with its padding, if they can be computed.
pub(super) fn bytes(shape: &ArrayShape) -> Option<u128> {
    Some(DynLayout::new(shape.clone()).ok()?.bytes() as u128)
}

/// The array with other sizes of its dimensions.
pub(super) fn with_sizes(shape: &ArrayShape, sizes: &[i64]) -> Option<ArrayShape> {
    let mut resized = shape.clone();
    resized.dims = List::try_from_iter(sizes.iter().copied().map(Dim::Static)).ok()?;
    Some(resized)
}
