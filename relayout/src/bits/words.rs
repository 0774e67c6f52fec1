//! Unpacks contiguous packed elements to a byte each, and packs them again. The loops are simple,
//! so that the compiler makes vectors of them.
//!
//! ```text
//! 16 words of eight elements:  packing joins the two halves of each word of 16 bits, again and
//!                              again; unpacking parts them
//! a word of eight elements:    by shifts and masks of the word
//! ```

use crate::cells::Cells;

/// Spreads eight numbers of `B` bits to eight bytes.
#[inline(always)]
const fn spread<const B: usize>(packed: u64) -> u64 {
    let mut x = packed;
    x = (x | x << (32 - 4 * B)) & (every(32) * ((1 << (4 * B)) - 1));
    x = (x | x << (16 - 2 * B)) & (every(16) * ((1 << (2 * B)) - 1));
    (x | x << (8 - B)) & (every(8) * ((1 << B) - 1))
}

/// Gathers the low `B` bits of each of eight bytes.
#[inline(always)]
const fn gather<const B: usize>(bytes: u64) -> u64 {
    let mut x = bytes & (every(8) * ((1 << B) - 1));
    x = (x | x >> (8 - B)) & (every(16) * ((1 << (2 * B)) - 1));
    x = (x | x >> (16 - 2 * B)) & (every(32) * ((1 << (4 * B)) - 1));
    (x | x >> (32 - 4 * B)) & ((1 << (8 * B)) - 1)
}

/// A word in which every `bits`-th bit is 1, bit 0 first.
const fn every(bits: usize) -> u64 {
    match bits {
        8 => 0x0101_0101_0101_0101,
        16 => 0x0001_0001_0001_0001,
        _ => 0x0000_0001_0000_0001,
    }
}

/// Compiles a loop for elements of 1, 2 and 4 bits, with and without AVX2, and calls the one that
/// the processor can run.
macro_rules! widest {
    ($($(#[doc = $doc:literal])* $name:ident = $loop:ident($($argument:ident: $type:ty),*);)*) => {$(
        $(#[doc = $doc])*
        #[inline]
        pub(super) unsafe fn $name(bits: usize, $($argument: $type),*) {
            unsafe fn of<const B: usize>($($argument: $type),*) {
                #[cfg(all(target_arch = "x86_64", feature = "std"))]
                if crate::kernels::has!(Avx2: "avx2") {
                    #[target_feature(enable = "avx2")]
                    unsafe fn compiled<const B: usize>($($argument: $type),*) {
                        // SAFETY: the caller's promise.
                        unsafe { $loop::<B>($($argument),*) }
                    }
                    // SAFETY: the caller's promise, and the processor has the instructions.
                    return unsafe { compiled::<B>($($argument),*) };
                }
                // SAFETY: the caller's promise.
                unsafe { $loop::<B>($($argument),*) }
            }
            // SAFETY: the caller's promise.
            unsafe {
                match bits {
                    1 => of::<1>($($argument),*),
                    2 => of::<2>($($argument),*),
                    _ => of::<4>($($argument),*),
                }
            }
        }
    )*};
}

/// Reads `len` bytes into the low bytes of a word; the others are 0.
///
/// # Safety
/// They can be read.
#[inline(always)]
unsafe fn load(from: *const u8, len: usize) -> u64 {
    let mut word = [0; 8];
    // SAFETY: the caller's promise.
    unsafe { from.copy_to_nonoverlapping(word.as_mut_ptr(), len) };
    u64::from_le_bytes(word)
}

/// The words that are packed or unpacked together.
const CHUNK: usize = 16;

/// Joins the low `B` bits of each of two neighbours to a byte, `len` times.
///
/// # Safety
/// `2 * len` bytes can be read, and `len` bytes written.
#[inline(always)]
unsafe fn join<const B: usize>(from: *const u8, to: *mut u8, len: usize) {
    for k in 0..len {
        // SAFETY: the caller's promise; nothing is assumed of the alignment.
        unsafe {
            let pair = u16::from_le(from.cast::<u16>().add(k).read_unaligned());
            let pair = pair & low_of_both(B);
            to.add(k).write((pair | pair >> (8 - B)) as u8);
        }
    }
}

/// Parts each of `len` bytes into two, of `B` bits each.
///
/// # Safety
/// `len` bytes can be read, and `2 * len` bytes written.
#[inline(always)]
unsafe fn part<const B: usize>(from: *const u8, to: *mut u8, len: usize) {
    for k in 0..len {
        // SAFETY: the caller's promise; nothing is assumed of the alignment.
        unsafe {
            let both = u16::from(from.add(k).read());
            let pair = (both | both << (8 - B)) & low_of_both(B);
            to.cast::<u16>().add(k).write_unaligned(pair.to_le());
        }
    }
}

/// The low `bits` bits of both bytes of a word.
const fn low_of_both(bits: usize) -> u16 {
    0x0101 * ((1 << bits) - 1)
}

#[inline(always)]
unsafe fn unpack_rows<const B: usize>(
    (src, src_step): Rows<*const u8>,
    shift: usize,
    (dst, dst_step): Rows<*mut u8>,
    [rows, words]: [usize; 2],
) {
    for row in 0..rows {
        let mut k = 0;
        while k < words {
            // SAFETY: the caller's promise: `B` bytes, and one more if elements begin inside of
            // them, and eight for each word.
            unsafe {
                let from = src.offset(row as isize * src_step).add(k * B);
                let to = dst.offset(row as isize * dst_step).add(k * 8);
                if B > 1 && shift == 0 && words - k >= CHUNK {
                    if B == 4 {
                        part::<4>(from, to, 4 * CHUNK);
                    } else {
                        let mut pairs = [0; 4 * CHUNK];
                        part::<4>(from, pairs.as_mut_ptr(), 2 * CHUNK);
                        part::<2>(pairs.as_ptr(), to, 4 * CHUNK);
                    }
                    k += CHUNK;
                    continue;
                }
                let packed = match shift {
                    0 => load(from, B),
                    _ => load(from, B + 1) >> shift & ((1 << (8 * B)) - 1),
                };
                let bytes = spread::<B>(packed);
                to.cast::<[u8; 8]>().write(bytes.to_le_bytes());
                k += 1;
            }
        }
    }
}

#[inline(always)]
unsafe fn pack_rows<const B: usize>(
    (src, src_step): Rows<*const u8>,
    (dst, dst_step): Rows<*mut u8>,
    [rows, words]: [usize; 2],
) {
    for row in 0..rows {
        let mut k = 0;
        while k < words {
            // SAFETY: the caller's promise: eight bytes and `B` for each word.
            unsafe {
                let from = src.offset(row as isize * src_step).add(k * 8);
                let to = dst.offset(row as isize * dst_step).add(k * B);
                if words - k >= CHUNK && chunk::<B>(from, to) {
                    k += CHUNK;
                    continue;
                }
                let packed = gather::<B>(u64::from_le_bytes(from.cast::<[u8; 8]>().read()));
                to.copy_from_nonoverlapping(packed.to_le_bytes().as_ptr(), B);
                k += 1;
            }
        }
    }
}

/// Packs `CHUNK` words, where that is faster than word by word. Returns whether it did.
///
/// # Safety
/// Eight bytes for each word can be read, and `B` bytes for each word written.
#[inline(always)]
unsafe fn chunk<const B: usize>(from: *const u8, to: *mut u8) -> bool {
    // SAFETY: the caller's promise. Every x86-64 has SSE2.
    unsafe {
        match B {
            4 => join::<4>(from, to, 4 * CHUNK),
            2 => {
                let mut pairs = [0; 4 * CHUNK];
                join::<2>(from, pairs.as_mut_ptr(), 4 * CHUNK);
                join::<4>(pairs.as_ptr(), to, 2 * CHUNK);
            }
            #[cfg(target_arch = "x86_64")]
            _ => {
                use core::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8, _mm_slli_epi16};
                for k in (0..8 * CHUNK).step_by(16) {
                    // The lowest bit of each byte becomes the highest one.
                    let bytes = _mm_slli_epi16::<7>(_mm_loadu_si128(from.add(k).cast()));
                    let bits = (_mm_movemask_epi8(bytes) as u16).to_le_bytes();
                    to.add(k / 8).cast::<[u8; 2]>().write(bits);
                }
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => return false,
        }
    }
    true
}

/// The first row, and the bytes from one row to the next.
type Rows<P> = (P, isize);

widest! {
    /// Unpacks rows of words that begin at bit `shift` of `src`. `size` is the number of rows, and
    /// of words in a row.
    ///
    /// # Safety
    /// Each word takes as many bytes as an element has bits, and one more if there is a shift. They
    /// can be read at `src`, and eight bytes for each word can be written at `dst`.
    unpack_all = unpack_rows(src: Rows<*const u8>, shift: usize, dst: Rows<*mut u8>, size: [usize; 2]);
    /// Packs rows of words. `size` is the number of rows, and of words in a row.
    ///
    /// # Safety
    /// For each word, eight bytes can be read at `src`, and as many bytes as an element has bits
    /// can be written at `dst`.
    pack_all = pack_rows(src: Rows<*const u8>, dst: Rows<*mut u8>, size: [usize; 2]);
    /// Combines rows into one row of bytes, as many rows as a byte has elements: the first elements
    /// of all bytes, then the second ones. `size` is the number of such parts, and the `len` bytes
    /// of each. The first `count` elements of each byte are written. The others do not change.
    ///
    /// # Safety
    /// Each row has `len` bytes, 8 at least, which can be read at `src`, and the one at `dst` has
    /// room for all parts. If not all elements of a byte are written, it can be read.
    combine = combine_rows(src: Rows<*const u8>, dst: *mut u8, size: (usize, usize), count: usize);
    /// Separates one row of bytes into rows, one for each of the first `count` elements of a byte.
    ///
    /// # Safety
    /// Each row has `len` bytes, 8 at least, which can be read at `src` and written at `dst`.
    separate = separate_rows(src: *const u8, dst: Rows<*mut u8>, len: usize, count: usize);
}

/// Unpacks contiguous packed elements to bytes, or packs bytes to elements that begin at a whole
/// byte. Returns the number of elements that were copied: a multiple of eight, of which fewer than
/// eight are left at the end, or 0 for other elements.
///
/// # Safety
/// As `run_of`.
pub(super) unsafe fn run(
    cells: Cells,
    (src, from): (*const u8, isize),
    (dst, to): (*mut u8, isize),
    len: usize,
) -> usize {
    let size = [1, len / 8];
    // SAFETY: eight elements take as many bytes as one has bits, and one more if they begin inside
    // a byte. Each of these bytes has bits of elements of the run, so it is in the buffer.
    unsafe {
        match (cells.src_bits, cells.dst_bits) {
            (8, bits @ (1 | 2 | 4)) => {
                let bit = to as usize * bits;
                debug_assert!(bit.is_multiple_of(8));
                pack_all(bits, (src.offset(from), 0), (dst.add(bit / 8), 0), size);
            }
            (bits @ (1 | 2 | 4), 8) => {
                let bit = from as usize * bits;
                let src = (src.add(bit / 8), 0);
                unpack_all(bits, src, bit % 8, (dst.offset(to), 0), size);
            }
            _ => return 0,
        }
    }
    len / 8 * 8
}

/// Calls `visit` with the beginning of each part of four words, or of one word if there are fewer.
/// The last part overlaps the part before it. If all elements of a byte are copied, their `count`
/// is a constant.
macro_rules! in_words {
    (of $count:expr, $len:expr, $begin:ident, $visit:ident::<$bits:ident>($($argument:expr),*)) => {
        if $len < 32 {
            for $begin in (0..$len).step_by(8) {
                let $begin = $begin.min($len - 8);
                $visit::<$bits, 1>($($argument,)* $count);
            }
        } else {
            for $begin in (0..$len).step_by(32) {
                let $begin = $begin.min($len - 32);
                $visit::<$bits, 4>($($argument,)* $count);
            }
        }
    };
    ($len:expr, $count:expr, $begin:ident, $visit:ident::<$bits:ident>($($argument:expr),*)) => {
        match $count {
            count if count == 8 / $bits => {
                in_words!(of 8 / $bits, $len, $begin, $visit::<$bits>($($argument),*));
            }
            count => in_words!(of count, $len, $begin, $visit::<$bits>($($argument),*)),
        }
    };
}

/// Combines `N` words of each row, from the same place on. Whole words are shifted, and the bits
/// that cross bytes are masked off.
#[inline(always)]
unsafe fn combine_words<const B: usize, const N: usize>(
    (src, step): Rows<*const u8>,
    dst: *mut u8,
    (parts, len): (usize, usize),
    count: usize,
) {
    let low = every(8) * ((1 << B) - 1);
    let mut rows = [[0_u64; N]; 8];
    // SAFETY: the caller's promise, of all reads and writes.
    unsafe {
        for (row, words) in rows[..count].iter_mut().enumerate() {
            let from = src.offset(row as isize * step);
            *words = from.cast::<[u64; N]>().read_unaligned();
        }
        for part in 0..8 / B {
            if part < parts {
                let to = dst.add(part * len).cast::<[u64; N]>();
                let mut words = [0; N];
                if count < 8 / B {
                    let written = every(8) * ((1 << (count * B)) - 1);
                    words = to.read_unaligned().map(|word| word & !written);
                }
                for (row, from) in rows[..8 / B].iter().enumerate() {
                    for k in 0..N {
                        words[k] |= (from[k] >> (part * B) & low) << (row * B);
                    }
                }
                to.write_unaligned(words);
            }
        }
    }
}

#[inline(always)]
unsafe fn separate_words<const B: usize, const N: usize>(
    src: *const u8,
    (dst, step): Rows<*mut u8>,
    count: usize,
) {
    let low = every(8) * ((1 << B) - 1);
    // SAFETY: the caller's promise, of the read and all writes.
    unsafe {
        let words = src.cast::<[u64; N]>().read_unaligned();
        for row in 0..count {
            let mut elements = [0; N];
            for k in 0..N {
                elements[k] = words[k] >> (row * B) & low;
            }
            let to = dst.offset(row as isize * step);
            to.cast::<[u64; N]>().write_unaligned(elements);
        }
    }
}

#[inline(always)]
unsafe fn combine_rows<const B: usize>(
    (src, step): Rows<*const u8>,
    dst: *mut u8,
    (parts, len): (usize, usize),
    count: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        in_words!(
            len,
            count,
            k,
            combine_words::<B>((src.add(k), step), dst.add(k), (parts, len))
        );
    }
}

#[inline(always)]
unsafe fn separate_rows<const B: usize>(
    src: *const u8,
    (dst, step): Rows<*mut u8>,
    len: usize,
    count: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        in_words!(
            len,
            count,
            k,
            separate_words::<B>(src.add(k), (dst.add(k), step))
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{gather, spread};

    fn check<const B: usize>() {
        let mask = (1_u64 << (8 * B)) - 1;
        let mut packed = 0x1234_5678_9abc_def1_u64;
        for _ in 0..1000 {
            packed = packed.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let expected: [u8; 8] =
                core::array::from_fn(|k| (packed >> (k * B)) as u8 & ((1 << B) - 1));
            let bytes = spread::<B>(packed & mask);
            assert_eq!(bytes.to_le_bytes(), expected);
            assert_eq!(
                gather::<B>(bytes | !(0x0101_0101_0101_0101 * ((1 << B) - 1))),
                packed & mask
            );
        }
    }

    #[test]
    fn bits_to_bytes_and_back() {
        check::<1>();
        check::<2>();
        check::<4>();
    }
}
