//! The splits of an array that is inside a tuple.
//!
//! XLA's reader checks them there and nowhere else (observed in jaxlib 0.10.2): outside of a tuple
//! the same text is read whatever it says.

use super::{Report, ShapePart};
use crate::dims::Dim;
use crate::error::ErrorKind;
use crate::layout::Layout;
use crate::order::{Times, index_below};

/// Each split names another physical dimension of the array, and its indices rise inside of that
/// dimension: from 1 to the size less 1.
///
/// A physical dimension that minor_to_major does not list is passed over: the rule about
/// minor_to_major reports it.
pub fn splits(dims: &[Dim], layout: &Layout, report: Report<'_>) {
    let rank = dims.len();
    let mut times = Times::new(rank);
    let mut number = 0;
    for (k, split) in layout.split_configs.iter().enumerate() {
        let dimension = split.dimension;
        let first = number;
        number += split.split_indices.len();
        let Some(physical) = index_below(dimension, rank) else {
            report(
                ShapePart::Split(k),
                ErrorKind::SplitDimension { dimension, rank },
            );
            continue;
        };
        // A third time is the same mistake as the second.
        if times.count(physical) == 2 {
            report(ShapePart::Split(k), ErrorKind::SplitTwice { dimension });
        }
        // Physical dimensions count from the most major one.
        let logical = layout.minor_to_major.iter().nth_back(physical);
        let dim = logical.and_then(|d| dims.get(usize::try_from(*d).ok()?));
        let Some(dim) = dim else { continue };
        let mut before = None;
        for (j, &index) in split.split_indices.iter().enumerate() {
            let place = ShapePart::SplitIndex(first + j);
            if index < 1 || dim.bound().is_none_or(|size| index >= size) {
                let size = dim.bound();
                report(place, ErrorKind::SplitIndex { index, size });
            } else if let Some(before) = before.filter(|before| index <= *before) {
                report(place, ErrorKind::SplitSequence { index, before });
            }
            before = Some(index);
        }
    }
}
