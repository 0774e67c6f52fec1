//! Registers as rows of 16-byte lanes: the operations that a transpose needs.
//!
//! Zips do not cross lanes on any processor, so one network serves all widths: a register of four
//! lanes transposes four blocks of 16 bytes at once, side by side.

use super::blocks::blocks;
use super::finish::finish;
use super::interleave::interleave;
use super::lines::lines;
use super::panel::panel;
use super::rows::rows;
use super::stage::Next;
use crate::kernels::cost::{Choice, Strategy};
use crate::kernels::task::Task;

/// A register of [`LANES`](Self::LANES) lanes of 16 bytes. The default methods are those of a
/// register of one lane, of a processor without stores past the cache and without prefetches.
///
/// # Safety
/// Every method must only be called where the processor has the instructions that the
/// implementation names; the callers are compiled for them.
pub(super) trait Lanes: Copy {
    /// The number of lanes.
    const LANES: usize;

    /// Whether only [`ROWS`], [`PANEL`] and [`BLOCKS`] are compiled for these registers: most
    /// processors that have them also have wider ones.
    const FEW: bool = false;

    /// A register of zeros.
    unsafe fn zero() -> Self;

    /// Loads lane `j` from `from + j * step`.
    ///
    /// # Safety
    /// 16 bytes can be read at each of these.
    #[inline(always)]
    unsafe fn gather(from: *const u8, _step: isize) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::load(from) }
    }

    /// Interleaves elements of `W` bytes of the low halves of each lane, and of the high halves.
    unsafe fn zip<const W: usize>(self, other: Self) -> (Self, Self);

    /// Interleaves the lanes of the first halves of both registers, and of the last halves.
    #[inline(always)]
    unsafe fn zip_lanes(self, other: Self) -> (Self, Self) {
        (self, other)
    }

    /// Returns the lanes of even number of both registers, and those of odd number: the inverse of
    /// [`zip_lanes`](Self::zip_lanes).
    #[inline(always)]
    unsafe fn unzip_lanes(self, other: Self) -> (Self, Self) {
        (self, other)
    }

    /// Stores lane `j` at `to + j * step`.
    ///
    /// # Safety
    /// 16 bytes can be written at each of these.
    #[inline(always)]
    unsafe fn scatter(self, to: *mut u8, _step: isize) {
        // SAFETY: the caller's promise.
        unsafe { self.store(to) }
    }

    /// Sets byte `k` of each lane to byte `bytes[k]` of that lane, or to zero for 0x80.
    unsafe fn shuffle(self, bytes: &[u8; 16]) -> Self;

    /// The bitwise or of both registers.
    unsafe fn or(self, other: Self) -> Self;

    /// Reads all lanes.
    ///
    /// # Safety
    /// They can be read.
    unsafe fn load(from: *const u8) -> Self;

    /// Writes all lanes.
    ///
    /// # Safety
    /// They can be written.
    unsafe fn store(self, to: *mut u8);

    /// Writes all lanes past the cache.
    ///
    /// # Safety
    /// They can be written, and `to` is a multiple of the register's bytes. Call
    /// [`fence`](Self::fence) before another thread reads it.
    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.store(to) }
    }

    /// [`stream`](Self::stream) if `past`, otherwise [`store`](Self::store).
    ///
    /// # Safety
    /// As those of the two.
    #[inline(always)]
    unsafe fn write(self, to: *mut u8, past: bool) {
        // SAFETY: the caller's promise.
        unsafe {
            if past {
                self.stream(to)
            } else {
                self.store(to)
            }
        }
    }

    /// Ends a sequence of [`stream`](Self::stream).
    #[inline(always)]
    unsafe fn fence() {}

    /// Prefetches the line of a byte into the first cache, or into the second one only. Any address
    /// is valid: nothing is read.
    #[inline(always)]
    unsafe fn prefetch<const CACHE: usize>(_line: *const u8) {}

    /// Transposes a block of a line by a line: `stage::block`, compiled for these registers.
    ///
    /// # Safety
    /// As `stage::block`.
    unsafe fn block<const W: usize>(
        from: *const u8,
        pitch: isize,
        to: *mut u8,
        at: &[isize],
        past: bool,
        next: Next<'_>,
    );

    /// Runs a task: [`kernel`], compiled for these registers.
    ///
    /// # Safety
    /// As [`kernel`].
    unsafe fn run<const W: usize, const KERNEL: usize>(
        task: &Task,
        src: *const u8,
        dst: *mut u8,
        choice: Choice,
    );

    /// Whether blocks are loaded as whole registers: `square`. Registers have four lanes then.
    #[inline(always)]
    fn whole() -> bool {
        false
    }

    /// Whether [`permuted`](Self::permuted) may be called.
    #[inline(always)]
    fn permutes() -> bool {
        false
    }

    /// `interleave::all` by permutations of whole registers, for `K` rows of elements of `W` bytes.
    ///
    /// # Safety
    /// As `interleave::all`; and [`permutes`](Self::permutes).
    unsafe fn permuted<const W: usize, const K: usize>(
        _: (*const u8, isize),
        _: (*mut u8, isize),
        _: usize,
        _: bool,
        _: bool,
    ) {
        unreachable!("`permutes` is false for these registers")
    }

    /// The bytes of a register.
    const BYTES: usize = 16 * Self::LANES;
}

/// The kernels that are compiled for registers, each as a function of its own.
pub(super) const ROWS: usize = 0;
pub(super) const PANEL: usize = 1;
pub(super) const BLOCKS: usize = 2;
/// [`PANEL`] runs in place of this kernel and the next ones for registers with [`Lanes::FEW`].
pub(super) const LINES: usize = 3;
pub(super) const FINISH: usize = 4;
pub(super) const INTERLEAVE: usize = 5;
pub(super) const DEINTERLEAVE: usize = 6;

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
            _ if const { KERNEL >= LINES && L::FEW } => {
                L::run::<W, PANEL>(task, src, dst, choice);
            }
            _ if const { KERNEL == PANEL } => panel::<L, W>(task, src, dst, past),
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
        compiled!(@ $name, [$($feature)?], run [W, KERNEL] = lanes::kernel,
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
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use compiled;

/// The register of any processor: two words. The tests compare other registers with it.
#[derive(Clone, Copy)]
pub(super) struct Portable([u8; 16]);

impl Lanes for Portable {
    const LANES: usize = 1;
    const FEW: bool = true;

    #[inline(always)]
    unsafe fn zero() -> Self {
        Self([0; 16])
    }

    #[inline(always)]
    unsafe fn zip<const W: usize>(self, other: Self) -> (Self, Self) {
        let mut low = [0; 16];
        let mut high = [0; 16];
        for k in 0..8 {
            // Byte `k` of the elements at even places.
            let element = k / W;
            let byte = k % W;
            low[2 * element * W + byte] = self.0[k];
            low[(2 * element + 1) * W + byte] = other.0[k];
            high[2 * element * W + byte] = self.0[8 + k];
            high[(2 * element + 1) * W + byte] = other.0[8 + k];
        }
        (Self(low), Self(high))
    }

    #[inline(always)]
    unsafe fn shuffle(self, bytes: &[u8; 16]) -> Self {
        Self(bytes.map(|k| self.0.get(usize::from(k)).copied().unwrap_or(0)))
    }

    #[inline(always)]
    unsafe fn or(self, other: Self) -> Self {
        Self(core::array::from_fn(|k| self.0[k] | other.0[k]))
    }

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller's promise; bytes need no alignment.
        Self(unsafe { from.cast::<[u8; 16]>().read() })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller's promise; bytes need no alignment.
        unsafe { to.cast::<[u8; 16]>().write(self.0) }
    }

    compiled!(Portable);
}
