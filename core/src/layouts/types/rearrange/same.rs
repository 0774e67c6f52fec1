//! Whether a change of dimensions leaves every element where it is.

use super::change::ChangeOf;
use crate::ElementType;
use crate::const_text::{ConstText, stop};
use crate::modes::{Mode, RunTimeExtent, Table};

/// Stops the compiler where the changed layout is not the same memory.
#[track_caller]
#[inline]
pub(super) const fn assert_same_memory(
    change: ChangeOf,
    element_type: ElementType,
    sizes: &[usize],
    obstacle: Option<&str>,
    from: &Table,
    to: &Table,
) {
    let rank = sizes.len();
    let (what, rank_after) = match change {
        ChangeOf::Permute(_) => ("permuting the dimensions of ", rank),
        ChangeOf::Insert(_) => ("a dimension of size 1 more in ", rank + 1),
        ChangeOf::Delete(_) => ("a dimension of size 1 less in ", rank - 1),
    };
    let (why, help) = match obstacle {
        Some(why) => (why, "; copy the array"),
        None if !same_memory(change, from, rank, to, rank_after) => (
            "tiles or padding would change",
            "; ask `reshape` for a layout that you name, or copy the array",
        ),
        None => return,
    };
    let text = ConstText::new(what, &[]).text(element_type.name());
    let text = text.list(sizes).text(" is no bitcast: ");
    stop(text.text(why).text(help).as_str());
}

#[inline]
const fn same_memory(change: ChangeOf, a: &Table, rank_a: usize, b: &Table, rank_b: usize) -> bool {
    let mut same = a.filled.modes == b.filled.modes
        && a.filled.terms == b.filled.terms
        && a.filled.run_time == b.filled.run_time
        && a.filled.buffer_len.value() == b.filled.buffer_len.value()
        && a.numbers.buffer_len == b.numbers.buffer_len
        && a.numbers.elements == b.numbers.elements
        && a.numbers.element_bits == b.numbers.element_bits;
    if !same {
        return false;
    }
    each!(k, 0..a.filled.modes, {
        same &= same_mode(change, &a.modes[k], rank_a, &b.modes[k], rank_b);
    });
    each!(k, 0..a.filled.terms, {
        let x = &a.terms[k];
        let y = &b.terms[k];
        same &= x.coordinate - rank_a == y.coordinate - rank_b
            && same_mode(change, &x.digit, rank_a, &y.digit, rank_b);
    });
    each!(k, 0..a.filled.run_time, {
        let RunTimeExtent { dim, divisor } = b.run_time[k];
        same &= same_dim(change, a.run_time[k].dim, rank_a, dim, rank_b)
            && a.run_time[k].divisor == divisor;
    });
    same
}

#[inline]
const fn same_mode(change: ChangeOf, a: &Mode, rank_a: usize, b: &Mode, rank_b: usize) -> bool {
    same_dim(change, a.dim, rank_a, b.dim, rank_b)
        && a.divisor == b.divisor
        && a.size == b.size
        && a.stride == b.stride
        && a.top == b.top
        && a.run_time == b.run_time
}

/// Whether a digit is of the same coordinate: that of a dimension, or one that a `*` merged.
#[inline]
const fn same_dim(change: ChangeOf, a: usize, rank_a: usize, b: usize, rank_b: usize) -> bool {
    if b >= rank_b || a >= rank_a {
        return a >= rank_a && b >= rank_b && a - rank_a == b - rank_b;
    }
    matches!(change.before(b), Some(before) if before == a)
}

#[cfg(test)]
mod tests;
