//! The kernels: how the innermost loops of a copy are run, by pointers. What leads to them from
//! safe code (`plan`, `way`, `chunks`, …) compares lengths first.
//!
//! Every function here is `unsafe` by the same contract: what the nest of loops that it is given reads and writes
//! are elements at `src` and at `dst`, which have no byte in common, and nothing else is touched. Plans are made
//! of layouts, whose elements are at the offsets of a nest by the invariant `SIDE` (`side.rs`). Before a plan is
//! run, the lengths of slices are compared with the layouts', or the layouts of views with those of the plan.
#![allow(unsafe_code)]

/// Whether some instructions are allowed. Only unit tests forbid any.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! allowed {
    ($name:ident) => {{
        #[cfg(test)]
        {
            crate::instructions::allowed(crate::instructions::Instructions::$name)
        }
        #[cfg(not(test))]
        {
            true
        }
    }};
}

/// Whether the processor has some instructions, and they are allowed.
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
#[cfg(target_arch = "x86_64")]
pub(crate) use allowed;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
pub(crate) use has;

mod block;
pub(crate) mod blocks;
pub(crate) mod cost;
mod finish;
pub(crate) mod interleave;
mod lanes;
mod lines;
#[cfg(target_arch = "aarch64")]
mod neon;
mod odometer;
mod panel;
#[cfg(target_arch = "x86_64")]
mod permute;
mod plane;
mod rows;
mod runs;
mod square;
mod stage;
mod strided;
pub(crate) mod task;
pub(crate) mod tiny;
mod write;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::kernels::cost::{Choice, Run, Strategy};
use crate::kernels::task::{Kernel, Task};
use lanes::Lanes;
pub(crate) use write::LINE;

/// Runs one nest of loops.
///
/// # Safety
/// At every offset that the task reaches, as many bytes as the task's width can be read at `src` and written at `dst`.
/// The former have no byte in common with the latter. Nothing else is read or written: of a part of an array,
/// other parts lie between the elements. `tests/parts.rs` makes the memory between them inaccessible.
pub(crate) unsafe fn run(task: &Task, src: *const u8, dst: *mut u8, by: &Run) {
    // SAFETY: the first element of a nest is one of them.
    let (src, dst) = unsafe { (src.offset(task.src), dst.offset(task.dst)) };
    if !task.tiny.is_empty() {
        #[cfg(target_arch = "x86_64")]
        if task.tiny.is_two_lines() && has!(Vbmi: "avx512bw", "avx512vbmi") {
            // SAFETY: the caller's promise; the instructions were asked for.
            return unsafe {
                if task.tiny.is_line() {
                    tiny::line(&task.tiny, src, dst);
                } else {
                    tiny::two_lines(&task.tiny, src, dst);
                }
            };
        }
        // Whole blocks in registers take less time than a table.
        if !task.holds_block() {
            // SAFETY: the caller's promise.
            return unsafe {
                match task.width {
                    1 => tiny::tiny::<u8>(&task.tiny, src, dst),
                    2 => tiny::tiny::<u16>(&task.tiny, src, dst),
                    4 => tiny::tiny::<u32>(&task.tiny, src, dst),
                    8 => tiny::tiny::<u64>(&task.tiny, src, dst),
                    _ => tiny::tiny::<u128>(&task.tiny, src, dst),
                }
            };
        }
    }
    let choice = by.choice(task, dst);
    // SAFETY: the caller's promise; the instructions are asked for before they are used.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        {
            if has!(Avx512: "avx512f", "avx512bw") {
                return kernel::<x86::Avx512, x86::Avx2, x86::Ssse3>(task, src, dst, choice);
            }
            if has!(Avx2: "avx2") {
                return kernel::<x86::Avx2, x86::Avx2, x86::Ssse3>(task, src, dst, choice);
            }
            if has!(Ssse3: "ssse3") {
                return kernel::<x86::Ssse3, x86::Ssse3, x86::Ssse3>(task, src, dst, choice);
            }
        }
        #[cfg(target_arch = "aarch64")]
        if allowed!(Ssse3) {
            return kernel::<neon::Neon, neon::Neon, neon::Neon>(task, src, dst, choice);
        }
        kernel::<lanes::Portable, lanes::Portable, lanes::Portable>(task, src, dst, choice);
    }
}

/// The kernel for the task, each compiled by itself: in one function they would share its registers.
///
/// `Wide` holds at least as many lanes as `Middle`, and that as `Narrow`.
///
/// # Safety
/// As [`run`]; the processor has the instructions of all three, and `cost::fits` the choice.
unsafe fn kernel<Wide: Lanes, Middle: Lanes, Narrow: Lanes>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    choice: Choice,
) {
    let past = choice.past;
    // SAFETY: the caller's promise.
    unsafe {
        match task.kernel {
            Kernel::Copy | Kernel::Rows | Kernel::Runs => Wide::rows::<1>(task, src, dst, past),
            Kernel::Interleave => match task.width {
                1 => Wide::interleave::<1>(task, src, dst, past),
                2 => Wide::interleave::<2>(task, src, dst, past),
                4 => Wide::interleave::<4>(task, src, dst, past),
                _ => unreachable!("`is_interleave` takes elements of which two do not fill a lane"),
            },
            Kernel::Deinterleave => match task.width {
                1 => Wide::deinterleave::<1>(task, src, dst, past),
                2 => Wide::deinterleave::<2>(task, src, dst, past),
                4 => Wide::deinterleave::<4>(task, src, dst, past),
                _ => unreachable!("`is_interleave` takes elements of which two do not fill a lane"),
            },
            Kernel::Strided => strided::strided(task, src, dst),
            Kernel::Panel if task.width == 32 => {
                // Only registers of 32 bytes hold one element to a register.
                if Middle::BYTES != 32 || choice.strategy == Strategy::Elements {
                    return strided::strided(task, src, dst);
                }
                Middle::panel::<32>(task, src, dst, past);
            }
            Kernel::Panel => {
                let down = task.row_count * task.width;
                // Without memory to wait for, packing by registers of a line pays only where they
                // are stored to whole lines.
                let long = down >= LINE;
                let lines = long && (past || panel::aligned(task, dst));
                match choice.strategy {
                    Strategy::Elements => strided::strided(task, src, dst),
                    Strategy::Blocks(along) => {
                        if long && blocks::fits::<Wide>(task) {
                            by_width!(task, Wide::blocks(task, src, dst, along));
                        } else if blocks::fits::<Middle>(task) {
                            by_width!(task, Middle::blocks(task, src, dst, along));
                        } else {
                            by_width!(task, Narrow::blocks(task, src, dst, along));
                        }
                    }
                    Strategy::Lines(shape) => {
                        by_width!(task, Wide::lines(task, src, dst, shape, past))
                    }
                    Strategy::Finish(shape) => {
                        by_width!(task, Wide::finish(task, src, dst, shape));
                    }
                    Strategy::Pack if lines => by_width!(task, Wide::panel(task, src, dst, past)),
                    Strategy::Pack if down > Narrow::BYTES => {
                        by_width!(task, Middle::panel(task, src, dst, past));
                    }
                    Strategy::Pack => by_width!(task, Narrow::panel(task, src, dst, past)),
                }
            }
        }
    }
}

/// Calls a method with the task's width as a constant.
macro_rules! by_width {
    ($task:expr, $type:ident::$method:ident $arguments:tt) => {
        match $task.width {
            1 => $type::$method::<1> $arguments,
            2 => $type::$method::<2> $arguments,
            4 => $type::$method::<4> $arguments,
            8 => $type::$method::<8> $arguments,
            _ => $type::$method::<16> $arguments,
        }
    };
}
use by_width;
