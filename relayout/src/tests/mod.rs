//! Copies by each kind of instructions and by each strategy. These are unit tests because neither
//! choice is public.

mod copy_strided;
mod edges;
#[cfg(feature = "std")]
mod machines;
mod pairs;
mod parts;
mod strided;
#[path = "../../tests/support/mod.rs"]
mod support;

use std::prelude::v1::*;

pub(crate) use support::left_out;

use crate::Plan;
use crate::instructions::{Instructions, available, use_at_most};
use crate::kernels::cost::{Along, Choice, MOST_COLUMNS, Shape, Strategy, Walk};

/// Runs a check with each kind of instructions that the processor has.
fn with_all_instructions(mut check: impl FnMut(Instructions)) {
    for most in available() {
        use_at_most(most);
        check(most);
    }
    use_at_most(Instructions::Whole);
}

/// Every strategy, in shapes that small arrays have several tiles of. Where one does not fit an
/// array the estimated one copies it.
fn choices() -> Vec<Choice> {
    let shape = |rows, columns, direct, walk| Shape {
        rows,
        columns,
        direct,
        walk,
    };
    let anywhere = [
        Strategy::Elements,
        Strategy::Blocks(Along::Rows),
        Strategy::Blocks(Along::Columns),
        Strategy::Pack,
        Strategy::Lines(shape(16, 16, true, Walk::Right)),
        Strategy::Lines(shape(24, 40, false, Walk::Down)),
        Strategy::Lines(shape(usize::MAX, usize::MAX, true, Walk::Down)),
        Strategy::Lines(shape(usize::MAX, usize::MAX, false, Walk::Right)),
        Strategy::Lines(shape(24, 40, true, Walk::Right)),
        Strategy::Lines(shape(16, 24, true, Walk::Down)),
        Strategy::Lines(shape(usize::MAX, 40, false, Walk::Down)),
    ];
    let past = [
        Strategy::Finish(Shape::finish(1, 16)),
        Strategy::Finish(Shape::finish(48, 40)),
        Strategy::Finish(Shape::finish(usize::MAX, MOST_COLUMNS)),
    ];
    let both = anywhere
        .into_iter()
        .flat_map(|strategy| [false, true].map(|past| Choice { strategy, past }));
    let past = past.into_iter().map(|strategy| Choice {
        strategy,
        past: true,
    });
    both.chain(past).collect()
}
