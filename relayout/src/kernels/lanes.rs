//! Registers as rows of 16-byte lanes: all that a transpose needs of a processor.
//!
//! Zipping does not cross lanes on any of them, so that one network serves all widths: a register
//! of four lanes transposes four blocks of 16 bytes at once, and leaves them side by side.

use super::stage::Next;
use crate::kernels::cost::{Along, Shape};
use crate::kernels::task::Task;

/// A register of [`LANES`](Self::LANES) lanes of 16 bytes. The methods that have a body are those of a single lane, of a processor
/// without stores past the cache and without prefetches.
///
/// # Safety
/// Every method must only be called where the processor has the instructions that the
/// implementation names; the callers are compiled for them.
pub(super) trait Lanes: Copy {
    /// How many lanes of 16 bytes.
    const LANES: usize;

    /// A register of zeros.
    unsafe fn zero() -> Self;

    /// Lane `j` from `from + j * step`.
    ///
    /// # Safety
    /// 16 bytes can be read at each of these.
    #[inline(always)]
    unsafe fn gather(from: *const u8, _step: isize) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::load(from) }
    }

    /// Elements of `W` bytes of the low, and of the high halves of each lane, one by one from each.
    unsafe fn zip<const W: usize>(self, other: Self) -> (Self, Self);

    /// The lanes of both, one by one from each: of their first halves, and of their last.
    #[inline(always)]
    unsafe fn zip_lanes(self, other: Self) -> (Self, Self) {
        (self, other)
    }

    /// The lanes of even number of both, and those of odd number: [`zip_lanes`](Self::zip_lanes)
    /// undone.
    #[inline(always)]
    unsafe fn unzip_lanes(self, other: Self) -> (Self, Self) {
        (self, other)
    }

    /// Lane `j` to `to + j * step`.
    ///
    /// # Safety
    /// 16 bytes can be written at each of these.
    #[inline(always)]
    unsafe fn scatter(self, to: *mut u8, _step: isize) {
        // SAFETY: the caller's promise.
        unsafe { self.store(to) }
    }

    /// In each lane: byte `k` of the result is the byte of this number, zero for 0x80.
    unsafe fn shuffle(self, bytes: &[u8; 16]) -> Self;

    /// The bits of both.
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

    /// Ends a sequence of [`stream`](Self::stream).
    #[inline(always)]
    unsafe fn fence() {}

    /// Asks for the line that holds a byte. The address may be any: nothing is read.
    #[inline(always)]
    unsafe fn prefetch(_line: *const u8) {}

    /// As [`prefetch`](Self::prefetch), into the second cache only.
    #[inline(always)]
    unsafe fn prefetch_second(_line: *const u8) {}

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

    /// Runs a task of the kind `Panel`: `panel::panel`, compiled for these registers.
    ///
    /// # Safety
    /// As `kernels::run`.
    unsafe fn panel<const W: usize>(task: &Task, src: *const u8, dst: *mut u8, past: bool);

    /// Runs a task of the kind `Panel`: `blocks::blocks`, compiled for these registers.
    ///
    /// # Safety
    /// As `kernels::run`, and `blocks::fits`.
    unsafe fn blocks<const W: usize>(task: &Task, src: *const u8, dst: *mut u8, along: Along);

    /// Runs a task of the kind `Panel`: `lines::lines`, compiled for these registers; by default
    /// [`panel`](Self::panel).
    ///
    /// # Safety
    /// As `kernels::run`; with `past` every column begins at a line of the destination.
    unsafe fn lines<const W: usize>(
        task: &Task,
        src: *const u8,
        dst: *mut u8,
        _: Shape,
        past: bool,
    ) {
        // SAFETY: the caller's promise.
        unsafe { Self::panel::<W>(task, src, dst, past) }
    }

    /// Runs a task of the kind `Panel`: `finish::finish`, compiled for these registers; by default
    /// [`panel`](Self::panel).
    ///
    /// # Safety
    /// As `kernels::run`, and a column has at least the bytes of a line.
    unsafe fn finish<const W: usize>(task: &Task, src: *const u8, dst: *mut u8, _: Shape) {
        // SAFETY: the caller's promise.
        unsafe { Self::panel::<W>(task, src, dst, true) }
    }

    /// Runs a task of the kind `Interleave`: `interleave::interleave`, compiled for these registers; by
    /// default [`panel`](Self::panel).
    ///
    /// # Safety
    /// As `kernels::run`.
    unsafe fn interleave<const W: usize>(task: &Task, src: *const u8, dst: *mut u8, past: bool) {
        // SAFETY: the caller's promise.
        unsafe { Self::panel::<W>(task, src, dst, past) }
    }

    /// Runs a task of the kind `Deinterleave`: `interleave::deinterleave`, compiled for these registers;
    /// by default [`panel`](Self::panel).
    ///
    /// # Safety
    /// As `kernels::run`.
    unsafe fn deinterleave<const W: usize>(task: &Task, src: *const u8, dst: *mut u8, past: bool) {
        // SAFETY: the caller's promise.
        unsafe { Self::panel::<W>(task, src, dst, past) }
    }

    /// Runs a task of the kind `Rows`: `rows::rows`, compiled for these registers.
    ///
    /// # Safety
    /// As `kernels::run`.
    unsafe fn rows<const W: usize>(task: &Task, src: *const u8, dst: *mut u8, past: bool);

    /// Whether blocks are loaded as whole registers: `square`. Registers have four lanes then.
    #[inline(always)]
    fn whole() -> bool {
        false
    }

    /// Whether [`permuted`](Self::permuted) can be called.
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

/// The kernels as methods of a register, each a function of its own that is compiled for the
/// instructions that it needs: all of them, or the few that a processor without wide registers
/// needs. Each takes a second or two to compile.
macro_rules! compiled {
    (all $name:ident $(, $feature:literal)?) => {
        compiled!(few $name $(, $feature)?);
        compiled!(@each $name, [$($feature)?],
            lines(task: &Task, src: *const u8, dst: *mut u8, shape: Shape, past: bool) = lines::lines,
            finish(task: &Task, src: *const u8, dst: *mut u8, shape: Shape) = finish::finish,
            interleave(task: &Task, src: *const u8, dst: *mut u8, past: bool) = interleave::interleave,
            deinterleave(task: &Task, src: *const u8, dst: *mut u8, past: bool) = interleave::deinterleave,
        );
    };
    (few $name:ident $(, $feature:literal)?) => {
        compiled!(@each $name, [$($feature)?],
            block(from: *const u8, pitch: isize, to: *mut u8, at: &[isize], past: bool, next: Next<'_>) = stage::block,
            panel(task: &Task, src: *const u8, dst: *mut u8, past: bool) = panel::panel,
            blocks(task: &Task, src: *const u8, dst: *mut u8, along: Along) = blocks::blocks,
            rows(task: &Task, src: *const u8, dst: *mut u8, past: bool) = rows::rows,
        );
    };
    (@each $name:ident, $feature:tt, $($kernel:ident $by:tt = $module:ident::$function:ident,)*) => {
        $(compiled!(@one $name, $feature, $kernel, $by, $module, $function);)*
    };
    (@one $name:ident, [$($feature:literal)?], $kernel:ident, ($($by:ident: $type:ty),*), $module:ident, $function:ident) => {
        unsafe fn $kernel<const W: usize>($($by: $type),*) {
            $(#[target_feature(enable = $feature)])?
            unsafe fn compiled<const W: usize>($($by: $type),*) {
                // SAFETY: the caller's promise.
                unsafe { $crate::kernels::$module::$function::<$name, W>($($by),*) }
            }
            // SAFETY: the caller's promise, and it has the instructions.
            unsafe { compiled::<W>($($by),*) }
        }
    };
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use compiled;

/// What every processor has: two words. Also what the tests of the others compare with.
#[derive(Clone, Copy)]
pub(super) struct Portable([u8; 16]);

impl Lanes for Portable {
    const LANES: usize = 1;

    #[inline(always)]
    unsafe fn zero() -> Self {
        Self([0; 16])
    }

    #[inline(always)]
    unsafe fn zip<const W: usize>(self, other: Self) -> (Self, Self) {
        let (mut low, mut high) = ([0; 16], [0; 16]);
        for k in 0..8 {
            // Byte `k` of the elements in the even places.
            let (element, byte) = (k / W, k % W);
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

    compiled!(few Portable);
}
