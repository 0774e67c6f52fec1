//! Copies by each kind of instructions and by each strategy. These are unit tests because neither
//! choice is public.

mod copy_strided;
mod edges;
pub(crate) mod instructions;
#[cfg(feature = "std")]
mod machines;
mod pairs;
mod parts;
mod strided;
#[path = "../../tests/support/mod.rs"]
mod support;
#[cfg(feature = "std")]
mod threads;

use std::prelude::v1::*;

pub(crate) use support::left_out;

use self::instructions::{Instructions, available, use_at_most};
use crate::Plan;
use crate::kernels::cost::{Along, Choice, Shape, Strategy};
use crate::way::Way;

/// Runs a check with each kind of instructions that the processor has.
fn with_all_instructions(mut check: impl FnMut(Instructions)) {
    for most in available() {
        use_at_most(most);
        check(most);
    }
    use_at_most(Instructions::Whole);
}

/// The strategies that a plan may copy by. Elements that are unpacked or packed are copied in one
/// way, and so are those of tiles that do not divide each other: one strategy is enough.
fn choices_of(plan: &Plan) -> Vec<Choice> {
    let mut choices = choices();
    let is_one_way = match &plan.way {
        Way::Nothing | Way::General(_) => true,
        Way::Bits(boxed) => boxed.cells.src_bits != boxed.cells.dst_bits,
        Way::Task(..) | Way::Boxes(_) => false,
    };
    if is_one_way {
        choices.truncate(1);
    }
    choices
}

/// Every strategy, in shapes that small arrays have several tiles of. Where one does not fit an
/// array the estimated one copies it.
fn choices() -> Vec<Choice> {
    let lines = |down, across, direct| {
        Strategy::Lines(Shape {
            down,
            across,
            direct,
        })
    };
    let strategies = [
        Strategy::Elements,
        Strategy::Blocks(Along::Rows),
        Strategy::Blocks(Along::Columns),
        Strategy::Pack,
        lines(1, 1, true),
        lines(1, 2, false),
        lines(u16::MAX, u16::MAX, true),
        lines(u16::MAX, u16::MAX, false),
        lines(2, 3, true),
        lines(3, 1, true),
        lines(u16::MAX, 2, false),
    ];
    let both = |strategy| [false, true].map(|past| Choice { strategy, past });
    strategies.into_iter().flat_map(both).collect()
}
