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
pub(crate) use write::LINE;

/// A function that runs a task, as [`run`]: compiled for instructions that the processor has, for
/// the kernel and the width of the task, and for a choice.
type Function = unsafe fn(&Task, *const u8, *mut u8, Choice);

/// How to run a task: found once for each plan, since it takes as long as copying a few elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    function: Function,
    pub(crate) choice: Choice,
}

impl Call {
    /// The call that copies a task. `aligned`: whether all columns begin at lines of the
    /// destination. The choice is asked for only if it matters.
    pub(crate) fn new(task: &Task, aligned: bool, choice: impl FnOnce() -> Choice) -> Self {
        if let Some(function) = by_table(task) {
            let choice = Choice::ELEMENTS;
            return Self { function, choice };
        }
        let choice = choice();
        let function = by_loops(task, aligned, choice);
        Self { function, choice }
    }
}

/// Runs one nest of loops.
///
/// # Safety
/// At every offset that the task reaches, as many bytes as the task's width can be read at `src`
/// and written at `dst`. The bytes read and the bytes written have none in common. Nothing else is
/// read or written, since elements of other parts of an array may lie in between. `tests/pages.rs`
/// makes the memory in between inaccessible. If `run` has calls, they are of this task.
#[inline]
pub(crate) unsafe fn run(task: &Task, src: *const u8, dst: *mut u8, run: &Run) {
    // SAFETY: the offsets are those of the first element of the nest. The call is of this task and
    // this destination.
    unsafe {
        let src = src.offset(task.src);
        let dst = dst.offset(task.dst);
        let Call { function, choice } = run.call(task, dst);
        function(task, src, dst, choice);
    }
}

/// The function for a task with a table of offsets, unless loops take less time.
fn by_table(task: &Task) -> Option<Function> {
    let table = &task.tiny;
    if table.is_empty() {
        return None;
    }
    #[cfg(target_arch = "x86_64")]
    if table.written[0] > 0 && has!(Vbmi: "avx512bw", "avx512vbmi") {
        return Some(if table.is_line() {
            tiny::lines::<1>
        } else {
            tiny::lines::<2>
        });
    }
    // Blocks take fewer instructions than more than a line that is permuted.
    #[cfg(target_arch = "x86_64")]
    if table.permuted > 0 && (table.is_line() || !task.holds_block()) && has!(Avx2: "avx2") {
        return Some(tiny::permuted);
    }
    // Whole blocks in registers take less time than a table of many elements.
    if !table.is_few() && task.holds_block() {
        return None;
    }
    const fn tiny<T: Copy>() -> Function {
        tiny::tiny::<T>
    }
    Some(by_word!(
        task.width,
        tiny(),
        unreachable!("a table has words")
    ))
}

/// The function for a task without a table.
fn by_loops(task: &Task, aligned: bool, choice: Choice) -> Function {
    #[cfg(target_arch = "x86_64")]
    {
        if has!(Avx512: "avx512f", "avx512bw") {
            return kernel::<x86::Avx512, x86::Avx2, x86::Ssse3>(task, aligned, choice);
        }
        if has!(Avx2: "avx2") {
            return kernel::<x86::Avx2, x86::Avx2, x86::Ssse3>(task, aligned, choice);
        }
        if has!(Ssse3: "ssse3") {
            return kernel::<x86::Ssse3, x86::Ssse3, x86::Ssse3>(task, aligned, choice);
        }
    }
    #[cfg(target_arch = "aarch64")]
    if allowed!(Ssse3) {
        return kernel::<neon::Neon, neon::Neon, neon::Neon>(task, aligned, choice);
    }
    kernel::<lanes::Portable, lanes::Portable, lanes::Portable>(task, aligned, choice)
}

/// Returns the kernel for the task, with registers of the instructions that the processor has. Each
/// kernel is a function of its own: in one function they would share the registers.
///
/// `Wide` has at least as many lanes as `Middle`, and `Middle` as many as `Narrow`. `cost::fits`
/// the choice.
fn kernel<Wide: Lanes, Middle: Lanes, Narrow: Lanes>(
    task: &Task,
    aligned: bool,
    choice: Choice,
) -> Function {
    let down = task.row_count * task.width;
    let long = down >= LINE;
    // The task's width as a constant.
    macro_rules! of {
        ($lanes:ident, $kernel:ident) => {
            match task.width {
                1 => $lanes::run::<1, { lanes::$kernel }>,
                2 => $lanes::run::<2, { lanes::$kernel }>,
                4 => $lanes::run::<4, { lanes::$kernel }>,
                8 => $lanes::run::<8, { lanes::$kernel }>,
                _ => $lanes::run::<16, { lanes::$kernel }>,
            }
        };
    }
    match (task.kernel, choice.strategy) {
        (Kernel::Copy | Kernel::Rows | Kernel::Runs, _) => Wide::run::<1, { lanes::ROWS }>,
        (Kernel::Interleave, _) => of!(Wide, INTERLEAVE),
        (Kernel::Deinterleave, _) => of!(Wide, DEINTERLEAVE),
        (Kernel::Strided, _) | (_, Strategy::Elements) => strided::strided,
        // An element of 32 bytes needs a register of 32 bytes.
        _ if task.width == 32 && Middle::BYTES != 32 => strided::strided,
        _ if task.width == 32 => Middle::run::<32, { lanes::PANEL }>,
        (_, Strategy::Blocks(_)) if long && blocks::fits::<Wide>(task) => of!(Wide, BLOCKS),
        (_, Strategy::Blocks(_)) if blocks::fits::<Middle>(task) => of!(Middle, BLOCKS),
        (_, Strategy::Blocks(_)) => of!(Narrow, BLOCKS),
        (_, Strategy::Lines(_)) if choice.past && !aligned => of!(Wide, FINISH),
        (_, Strategy::Lines(_)) => of!(Wide, LINES),
        // Packing by registers of a line pays only if whole lines are stored.
        (_, Strategy::Pack) if long && aligned => of!(Wide, PANEL),
        (_, Strategy::Pack) if down > Narrow::BYTES => of!(Middle, PANEL),
        (_, Strategy::Pack) => of!(Narrow, PANEL),
    }
}
