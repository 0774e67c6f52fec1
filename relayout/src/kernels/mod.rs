//! The kernels, which run the innermost loops of a copy by pointers. The safe code that calls them
//! (`plan`, `way`, `chunks`, …) compares lengths first.
//!
//! Every function here is `unsafe` by the same contract: the offsets that its nest of loops reads at `src` and
//! writes at `dst` are those of elements. The elements of both sides have no byte in common, and nothing else is
//! read or written. Plans are made of layouts, whose elements are at the offsets of a nest by the invariant
//! `SIDE` (`side.rs`). Before a plan runs, the lengths of slices are compared with those of the layouts, or the
//! layouts of views with those of the plan.
#![allow(unsafe_code)]

/// Whether some instructions are allowed. Only unit tests forbid them.
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
use tiny::tiny;
pub(crate) use write::LINE;

/// Runs one nest of loops.
///
/// # Safety
/// At every offset that the task reaches, as many bytes as the task's width can be read at `src` and written at `dst`.
/// The bytes read and the bytes written have none in common. Nothing else is read or written, since elements of other
/// parts of an array may lie in between. `tests/pages.rs` makes the memory in between inaccessible.
pub(crate) unsafe fn run(task: &Task, src: *const u8, dst: *mut u8, by: &Run) {
    // SAFETY: the offsets are those of the first element of the nest.
    let (src, dst) = unsafe { (src.offset(task.src), dst.offset(task.dst)) };
    if !task.tiny.is_empty() {
        #[cfg(target_arch = "x86_64")]
        if task.tiny.is_two_lines() && has!(Vbmi: "avx512bw", "avx512vbmi") {
            // SAFETY: the caller's promise; the processor has the instructions.
            return unsafe {
                if task.tiny.is_line() {
                    tiny::line(&task.tiny, src, dst);
                } else {
                    tiny::two_lines(&task.tiny, src, dst);
                }
            };
        }
        // Blocks take fewer instructions than more than a line that is permuted.
        #[cfg(target_arch = "x86_64")]
        if task.tiny.is_permuted()
            && (task.tiny.is_line() || !task.holds_block())
            && has!(Avx2: "avx2")
        {
            // SAFETY: the caller's promise; the instructions were asked for.
            return unsafe { tiny::permuted(&task.tiny, src, dst) };
        }
        // Whole blocks in registers take less time than a table of many elements.
        if task.tiny.is_few() || !task.holds_block() {
            // SAFETY: the caller's promise.
            return unsafe {
                by_word!(
                    task.width,
                    tiny(&task.tiny, src, dst),
                    unreachable!("a table has words")
                )
            };
        }
    }
    let choice = by.choice(task, dst);
    // SAFETY: the caller's promise; each set of instructions is checked before it is used.
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

/// Runs the kernel for the task. Each kernel is a function of its own: in one function they would
/// share the registers.
///
/// `Wide` has at least as many lanes as `Middle`, and `Middle` as many as `Narrow`.
///
/// # Safety
/// As [`run`]; the processor has the instructions of all three, and `cost::fits` the choice.
// Not inlined: copying a table of a few elements takes less time than saving the registers of this
// function.
#[inline(never)]
unsafe fn kernel<Wide: Lanes, Middle: Lanes, Narrow: Lanes>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    choice: Choice,
) {
    let down = task.row_count * task.width;
    let (long, aligned) = (down >= LINE, panel::aligned(task, dst));
    // SAFETY: the caller's promise.
    unsafe {
        // The task's width as a constant.
        macro_rules! run {
            ($lanes:ident, $kernel:ident) => {
                match task.width {
                    1 => $lanes::run::<1, { lanes::$kernel }>(task, src, dst, choice),
                    2 => $lanes::run::<2, { lanes::$kernel }>(task, src, dst, choice),
                    4 => $lanes::run::<4, { lanes::$kernel }>(task, src, dst, choice),
                    8 => $lanes::run::<8, { lanes::$kernel }>(task, src, dst, choice),
                    _ => $lanes::run::<16, { lanes::$kernel }>(task, src, dst, choice),
                }
            };
        }
        match (task.kernel, choice.strategy) {
            (Kernel::Copy | Kernel::Rows | Kernel::Runs, _) => {
                Wide::run::<1, { lanes::ROWS }>(task, src, dst, choice);
            }
            (Kernel::Interleave, _) => run!(Wide, INTERLEAVE),
            (Kernel::Deinterleave, _) => run!(Wide, DEINTERLEAVE),
            (Kernel::Strided, _) | (_, Strategy::Elements) => strided::strided(task, src, dst),
            // An element of 32 bytes needs a register of 32 bytes.
            _ if task.width == 32 && Middle::BYTES != 32 => strided::strided(task, src, dst),
            _ if task.width == 32 => Middle::run::<32, { lanes::PANEL }>(task, src, dst, choice),
            (_, Strategy::Blocks(_)) if long && blocks::fits::<Wide>(task) => run!(Wide, BLOCKS),
            (_, Strategy::Blocks(_)) if blocks::fits::<Middle>(task) => run!(Middle, BLOCKS),
            (_, Strategy::Blocks(_)) => run!(Narrow, BLOCKS),
            (_, Strategy::Lines(_)) if choice.past && !aligned => run!(Wide, FINISH),
            (_, Strategy::Lines(_)) => run!(Wide, LINES),
            // Packing by registers of a line pays only if whole lines are stored.
            (_, Strategy::Pack) if long && aligned => run!(Wide, PANEL),
            (_, Strategy::Pack) if down > Narrow::BYTES => run!(Middle, PANEL),
            (_, Strategy::Pack) => run!(Narrow, PANEL),
        }
    }
}
