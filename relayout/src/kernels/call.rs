//! The function that runs a task: the kernel, and the registers of the processor.

use super::lanes::Lanes;
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::portable::Portable;
#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{blocks, compiled, strided, tiny, together};
use crate::kernels::cost::{Choice, Strategy};
use crate::kernels::task::{Kernel, Task};
use crate::machine::LINE;

/// The bytes of a panel of lanes from which on a store that crosses lines matters.
const MANY_LANES: usize = 8192;

/// A function that runs a task, as `kernels::run`: compiled for instructions that the processor
/// has, for the kernel and the width of the task, and for a choice.
type Function = unsafe fn(&Task, *const u8, *mut u8, Choice);

/// How to run a task: found once for each plan, since it takes as long as copying a few elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(super) function: Function,
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
    // A page describes copies and makes none: a tenth of it would be kernels.
    if cfg!(xlayout_describes_only) {
        return strided::strided;
    }
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
    kernel::<Portable, Portable, Portable>(task, aligned, choice)
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
                1 => $lanes::run::<1, { compiled::$kernel }>,
                2 => $lanes::run::<2, { compiled::$kernel }>,
                4 => $lanes::run::<4, { compiled::$kernel }>,
                8 => $lanes::run::<8, { compiled::$kernel }>,
                _ => $lanes::run::<16, { compiled::$kernel }>,
            }
        };
    }
    match (task.kernel, choice.strategy) {
        (Kernel::Runs, _) if task.width == 3 => Wide::run::<4, { compiled::RUNS }>,
        (Kernel::Runs, _) => Wide::run::<1, { compiled::RUNS }>,
        (Kernel::Copy | Kernel::Rows, _) => Wide::run::<1, { compiled::ROWS }>,
        // Registers that the run of a row fills.
        (Kernel::Interleave, _) => match task.columns.get(0).size * task.width {
            run if run >= Wide::BYTES => of!(Wide, INTERLEAVE),
            run if run >= Middle::BYTES => of!(Middle, INTERLEAVE),
            _ => of!(Narrow, INTERLEAVE),
        },
        (Kernel::Deinterleave, _) => match task.rows.get(0).size * task.width {
            run if run >= Wide::BYTES => of!(Wide, DEINTERLEAVE),
            run if run >= Middle::BYTES => of!(Middle, DEINTERLEAVE),
            _ => of!(Narrow, DEINTERLEAVE),
        },
        (Kernel::Strided, _) | (_, Strategy::Elements) => strided::strided,
        // An element of 32 bytes needs a register of 32 bytes.
        _ if task.width == 32 && Middle::BYTES != 32 => strided::strided,
        _ if task.width == 32 => Middle::run::<32, { compiled::PANEL }>,
        // Wide stores to columns that do not begin at lines cross lines, and those of less than a
        // line come back to it. Either costs more than they save, but for what stays in the first
        // cache.
        (_, Strategy::Blocks(_))
            if task.width == 16
                && (!aligned || Wide::BYTES < LINE)
                && task.bytes() > MANY_LANES =>
        {
            Narrow::run::<16, { compiled::BLOCKS }>
        }
        (_, Strategy::Blocks(_)) if long && blocks::fits::<Wide>(task) => of!(Wide, BLOCKS),
        (_, Strategy::Blocks(_)) if blocks::fits::<Middle>(task) => of!(Middle, BLOCKS),
        (_, Strategy::Blocks(_)) => of!(Narrow, BLOCKS),
        (_, Strategy::Lines(_)) if choice.past && !aligned => of!(Wide, FINISH),
        (_, Strategy::Lines(_)) => of!(Wide, LINES),
        // Packing by registers of a line pays only if whole lines are stored.
        (_, Strategy::Pack) if long && aligned => of!(Wide, PANEL),
        // A column that is a whole register is stored at its place at once.
        (_, Strategy::Pack)
            if together::continuing(task).is_some()
                && down <= Wide::BYTES
                && (choice.past || ![Narrow::BYTES, Middle::BYTES].contains(&down)) =>
        {
            if down <= Narrow::BYTES {
                of!(Narrow, TOGETHER)
            } else if down <= Middle::BYTES {
                of!(Middle, TOGETHER)
            } else {
                of!(Wide, TOGETHER)
            }
        }
        (_, Strategy::Pack) if down > Narrow::BYTES => of!(Middle, PANEL),
        (_, Strategy::Pack) => of!(Narrow, PANEL),
    }
}
