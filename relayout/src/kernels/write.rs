//! Writes runs of bytes, through the cache or past it.

use super::lanes::Lanes;
use crate::machine::LINE;

/// The buffer of a kernel: bytes that begin at a line.
///
/// A function that uses one declares it as `MaybeUninit<Scratch<N>>`. What made an array of
/// `MaybeUninit` would have it twice on the stack without optimisation.
#[repr(align(64))]
pub(super) struct Scratch<const N: usize>([u8; N]);

/// Copies a run of bytes of any length by registers. The last register overlaps the one before.
///
/// # Safety
/// `len` bytes can be read at `src` and written at `dst`; they do not overlap.
#[inline(always)]
pub(super) unsafe fn copy<L: Lanes>(src: *const u8, dst: *mut u8, len: usize) {
    if len < L::BYTES {
        // SAFETY: the caller's promise.
        return unsafe { short(src, dst, len) };
    }
    let mut k = 0;
    // SAFETY: every register lies inside the run.
    unsafe {
        while k + L::BYTES <= len {
            L::load(src.add(k)).store(dst.add(k));
            k += L::BYTES;
        }
        if k < len {
            let last = len - L::BYTES;
            L::load(src.add(last)).store(dst.add(last));
        }
    }
}

/// Copies a run shorter than the widest register: by two words that overlap.
///
/// # Safety
/// As [`copy`].
#[inline(always)]
pub(super) unsafe fn short(src: *const u8, dst: *mut u8, len: usize) {
    // SAFETY: both words of each pair lie inside the run, whose length is between them.
    unsafe {
        macro_rules! pair {
            ($word:ty) => {{
                let n = size_of::<$word>();
                let first = src.cast::<$word>().read_unaligned();
                let last = src.add(len - n).cast::<$word>().read_unaligned();
                dst.cast::<$word>().write_unaligned(first);
                dst.add(len - n).cast::<$word>().write_unaligned(last);
            }};
        }
        match len {
            0 => {}
            1 => dst.write(src.read()),
            2..4 => pair!(u16),
            4..8 => pair!(u32),
            8..16 => pair!(u64),
            16..32 => pair!(u128),
            32..=64 => pair!([u128; 2]),
            _ => core::ptr::copy_nonoverlapping(src, dst, len),
        }
    }
}

/// Copies a run of bytes past the cache. Whole lines are written past the cache, and the rest at
/// both ends through it.
///
/// # Safety
/// As [`copy`]. Call [`Lanes::fence`] before another thread reads the destination.
#[inline(always)]
pub(super) unsafe fn stream<L: Lanes>(src: *const u8, dst: *mut u8, len: usize) {
    let head = (dst as usize).wrapping_neg() % LINE;
    if len < head + LINE {
        // SAFETY: the caller's promise.
        return unsafe { copy::<L>(src, dst, len) };
    }
    // SAFETY: head, lines and tail are consecutive parts of the run; the lines are aligned, and a
    // line is a whole number of registers.
    unsafe {
        short(src, dst, head);
        let mut k = head;
        while k + LINE <= len {
            stream_line::<L>(src.add(k), dst.add(k));
            k += LINE;
        }
        short(src.add(k), dst.add(k), len - k);
    }
}

/// Writes a line past the cache.
///
/// # Safety
/// A line can be read at `src`, and written at `dst`, which begins at a line.
#[inline(always)]
pub(super) unsafe fn stream_line<L: Lanes>(src: *const u8, dst: *mut u8) {
    let mut part = 0;
    while part < LINE {
        // SAFETY: a part of the line; a line is a whole number of registers.
        unsafe { L::load(src.add(part)).stream(dst.add(part)) };
        part += L::BYTES;
    }
}

/// The first multiples of a step, as many as the bytes of a line.
pub(super) const fn multiples(step: usize) -> [isize; LINE] {
    let mut all = [0; LINE];
    each!(k, 0..LINE, {
        all[k] = (k * step) as isize;
    });
    all
}
