//! The kernels as methods of registers: each is compiled for the instructions of each register.

use super::blocks::blocks;
use super::interleave::interleave;
use super::lanes::Lanes;
use super::lines::{finish, lines};
use super::panel::panel;
use super::rows::rows;
use super::runs::runs;
use super::together::together;
use crate::kernels::cost::{Choice, Strategy};
use crate::kernels::task::Task;

/// The kernels that are compiled for registers, each as a function of its own.
pub(super) const ROWS: usize = 0;
pub(super) const PANEL: usize = 1;
pub(super) const BLOCKS: usize = 2;
pub(super) const RUNS: usize = 3;
pub(super) const TOGETHER: usize = 4;
/// [`PANEL`] runs in place of this kernel and the next ones for registers with [`Lanes::FEW`].
pub(super) const LINES: usize = 5;
pub(super) const FINISH: usize = 6;
pub(super) const INTERLEAVE: usize = 7;
pub(super) const DEINTERLEAVE: usize = 8;

/// Runs a task with elements of `W` bytes by the kernel of this number.
///
/// # Safety
/// As `kernels::run`, and as the kernel that is called. The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn kernel<L: Lanes, const W: usize, const KERNEL: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    choice: Choice,
) {
    let past = choice.past;
    // Constant conditions: the compiler leaves the other kernels out, even without optimisation.
    // SAFETY: the caller's promise.
    unsafe {
        match choice.strategy {
            _ if const { KERNEL == ROWS } => rows::<L>(task, src, dst, past),
            _ if const { KERNEL == RUNS } => runs::<L, W>(task, src, dst, past),
            _ if const { KERNEL >= LINES && L::FEW } => {
                L::run::<W, PANEL>(task, src, dst, choice);
            }
            _ if const { KERNEL == PANEL } => panel::<L, W>(task, src, dst, past),
            _ if const { KERNEL == TOGETHER } => together::<L, W>(task, src, dst, past),
            _ if const { KERNEL >= INTERLEAVE } => {
                interleave::<L, W>(task, src, dst, past, KERNEL == DEINTERLEAVE);
            }
            Strategy::Blocks(along) if const { KERNEL == BLOCKS } => {
                blocks::<L, W>(task, src, dst, along);
            }
            Strategy::Lines(shape) if const { KERNEL == LINES } => {
                lines::<L, W>(task, src, dst, shape, past);
            }
            Strategy::Lines(shape) if const { KERNEL == FINISH } => {
                finish::<L, W>(task, src, dst, shape);
            }
            _ => unreachable!("a strategy has its own kernels"),
        }
    }
}

/// Makes functions methods of a register, and compiles each for the instructions that it needs.
/// Each kernel takes a second or two to compile.
macro_rules! compiled {
    ($name:ident $(, $feature:literal)?) => {
        compiled!(@ $name, [$($feature)?], run [W, KERNEL] = compiled::kernel,
            (task: &Task, src: *const u8, dst: *mut u8, choice: Choice));
        compiled!(@ $name, [$($feature)?], block [W] = stage::block,
            (from: *const u8, pitch: isize, to: *mut u8, at: &[isize], past: bool, next: Next<'_>));
    };
    (@ $name:ident, [$($feature:literal)?], $method:ident [$($n:ident),*] = $module:ident::$function:ident, ($($argument:ident: $type:ty),*)) => {
        unsafe fn $method<$(const $n: usize),*>($($argument: $type),*) {
            $(#[target_feature(enable = $feature)])?
            unsafe fn compiled<$(const $n: usize),*>($($argument: $type),*) {
                // SAFETY: the caller's promise.
                unsafe { $crate::kernels::$module::$function::<$name, $($n),*>($($argument),*) }
            }
            // SAFETY: the caller's promise, and it has the instructions.
            unsafe { compiled::<$($n),*>($($argument),*) }
        }
    };
}
pub(super) use compiled;
