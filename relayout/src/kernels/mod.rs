//! The kernels, which run the innermost loops of a copy by pointers. The safe code that calls them
//! (`plan`, `way`, `chunks`, …) compares lengths first.
//!
//! Every function here is `unsafe` by the same contract: the offsets that its nest of loops reads
//! at `src` and writes at `dst` are those of elements. The elements of both sides have no byte in
//! common, and nothing else is read or written. Plans are made of layouts, whose elements are at
//! the offsets of a nest by the invariant `SIDE` (`side.rs`). Before a plan runs, the lengths of
//! slices are compared with those of the layouts, or the layouts of views with those of the plan.
#![allow(unsafe_code)]

/// Whether some instructions are allowed. Only unit tests forbid them.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! allowed {
    ($name:ident) => {{
        #[cfg(test)]
        {
            crate::tests::instructions::allowed(crate::tests::instructions::Instructions::$name)
        }
        #[cfg(not(test))]
        {
            true
        }
    }};
}

/// Whether the processor has some instructions and they are allowed.
#[cfg(target_arch = "x86_64")]
macro_rules! has {
    ($name:ident: $($feature:tt),+) => {{
        #[cfg(feature = "std")]
        let has = $(std::arch::is_x86_feature_detected!($feature))&&+;
        #[cfg(not(feature = "std"))]
        let has = cfg!(all($(target_feature = $feature),+));
        has && $crate::kernels::allowed!($name)
    }};
}
/// Calls a function for words of `$width` bytes; `$other` if there is no word of that width.
macro_rules! by_word {
    ($width:expr, $function:ident $arguments:tt, $other:expr) => {
        match $width {
            1 => $function::<u8> $arguments,
            2 => $function::<u16> $arguments,
            4 => $function::<u32> $arguments,
            8 => $function::<u64> $arguments,
            16 => $function::<u128> $arguments,
            _ => $other,
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use allowed;
pub(crate) use by_word;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(crate) use has;

mod block;
mod blocks;
mod call;
mod compiled;
pub(crate) mod cost;
mod finish;
mod interleave;
mod lanes;
mod lines;
#[cfg(target_arch = "aarch64")]
mod neon;
mod odometer;
mod panel;
#[cfg(target_arch = "x86_64")]
mod permute;
mod portable;
mod rows;
mod run;
mod runs;
mod square;
mod stage;
mod strided;
pub(crate) mod table;
pub(crate) mod task;
mod tiny;
mod together;
mod write;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use run::{Run, run};
