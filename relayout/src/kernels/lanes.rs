//! Registers as rows of 16-byte lanes: the operations that a transpose needs.
//!
//! Zips do not cross lanes on any processor, so one network serves all widths: a register of four
//! lanes transposes four blocks of 16 bytes at once, side by side.

use crate::kernels::cost::Choice;
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

    /// Whether only `ROWS`, `PANEL`, `BLOCKS` and `RUNS` are compiled for these registers: most
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

    /// Runs a task: `compiled::kernel`, compiled for these registers.
    ///
    /// # Safety
    /// As `compiled::kernel`.
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

/// The rows of a later block: an address, and the offset of each row from it. They are only
/// prefetched, into the second cache: a first cache of 32 KiB has no room for them for that long.
#[derive(Clone, Copy)]
pub(super) struct Next<'a> {
    pub(super) src: *const u8,
    pub(super) rows: &'a [isize],
}

impl Next<'_> {
    /// Prefetches `count` rows, from the row `first` on.
    ///
    /// # Safety
    /// The processor has the instructions of `L`.
    #[inline(always)]
    pub(super) unsafe fn prefetch<L: Lanes>(&self, first: usize, count: usize) {
        for offset in self.rows.iter().skip(first).take(count) {
            // SAFETY: the caller's promise.
            unsafe { L::prefetch::<2>(self.src.wrapping_offset(*offset)) };
        }
    }
}
