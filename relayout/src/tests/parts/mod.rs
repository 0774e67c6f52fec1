//! Parts of every kind of arrays of every kind of layout, as source and as destination: by each way
//! of copying.
//!
//! 1. Each element of the destination gets the value of the source's element at its index.
//! 2. Nothing else changes, in the memory of the whole array.

mod examples;
mod law;
mod layouts;
mod packed;
mod random;

use std::prelude::v1::*;

use proptest::prelude::*;
use xlayout_core::types::{
    MinorToMajor, MixedLayout, Nat, Padded, RunTime, Star, StaticLayout, Tile,
};
use xlayout_core::{
    Array, ArrayLayout, ArrayRef, Coordinates, DynCoordinates, DynLayout, Element, LayoutError,
    SliceView, SliceViewMut, StridedLayout, TileBy, View, ViewMut, branded,
    dtype::{AnyType, StoredAs},
};

use super::choices;
use super::support::{self, layout, naive};
use crate::kernels::cost::Choice;
use crate::tests::instructions::{Instructions, available, use_at_most};
use crate::{Chunks, Plan, RelayoutError, relayout, relayout_in_place};

use law::{Cut, cuts, whole};
use layouts::*;

/// An element that says its number, as far as it has room.
trait Value: Element + Copy + PartialEq + core::fmt::Debug + Send + Sync {
    const NAME: &'static str;
    fn of(number: usize) -> Self;
}

macro_rules! values {
    ($($name:ident)*) => {$(
        impl Value for $name {
            const NAME: &'static str = stringify!($name);
            fn of(number: usize) -> Self {
                (number as u32).wrapping_mul(0x9e37_79b1) as Self
            }
        }
    )*};
}

values!(u8 u16 u32 u64);

/// A way of copying.
#[derive(Clone, Debug)]
enum By {
    Once,
    Plan,
    /// Chunks, the last one first.
    Chunks(usize),
    /// Chunks, each on a thread of its own.
    Threads(usize),
    Strategy(Choice, Instructions),
}

fn ways() -> impl Strategy<Value = By> {
    let instructions = prop::sample::select(available());
    prop_oneof![
        2 => Just(By::Once),
        2 => Just(By::Plan),
        1 => (1..6_usize).prop_map(By::Chunks),
        2 => (2..4_usize).prop_map(By::Threads),
        4 => (prop::sample::select(choices()), instructions).prop_map(|(choice, by)| By::Strategy(choice, by)),
    ]
}

impl By {
    fn copy<T: Value, A, B>(
        &self,
        src: &ArrayRef<T, A>,
        dst: &mut ArrayRef<T, B>,
    ) -> Result<(), RelayoutError>
    where
        A: ArrayLayout,
        B: ArrayLayout,
    {
        // Each generic function is called in one place: this one is compiled for many layouts.
        if let Self::Once = self {
            // The first copy of a kind plans, the second one keeps the plan, the third one uses it.
            for _ in 0..2 {
                relayout(src, dst)?;
            }
            return relayout(src, dst);
        }
        let plan = Plan::new(src.layout(), dst.layout())?;
        if let Self::Chunks(most) | Self::Threads(most) = *self {
            self.run(plan.chunks_views(src, dst, most)?);
            return Ok(());
        }
        let plan = match *self {
            Self::Strategy(choice, by) => {
                use_at_most(by);
                plan.with(choice)
            }
            _ => plan,
        };
        let copied = plan.run_views(src, dst);
        use_at_most(Instructions::Whole);
        copied
    }

    fn run(&self, chunks: Chunks<'_>) {
        if let Self::Chunks(_) = self {
            let chunks: Vec<_> = chunks.collect();
            return chunks.into_iter().rev().for_each(|chunk| chunk.run());
        }
        std::thread::scope(|scope| {
            for chunk in chunks {
                scope.spawn(move || chunk.run());
            }
        });
    }
}
