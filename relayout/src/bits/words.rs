//! Packed elements that lie together, to a byte each and back: eight at a time, by shifts and masks
//! of a word. The loops are simple, so that the compiler makes vectors of several words.

/// Eight numbers of `B` bits, spread to bytes.
#[inline(always)]
const fn spread<const B: usize>(packed: u64) -> u64 {
    let mut x = packed;
    x = (x | x << (32 - 4 * B)) & (every(32) * ((1 << (4 * B)) - 1));
    x = (x | x << (16 - 2 * B)) & (every(16) * ((1 << (2 * B)) - 1));
    (x | x << (8 - B)) & (every(8) * ((1 << B) - 1))
}

/// Eight bytes, of which `B` bits each are gathered.
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

/// Compiles a loop for AVX2, too, and calls it where the processor has that.
macro_rules! widest {
    ($name:ident<$bits:ident>($($argument:ident: $type:ty),*)) => {{
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if crate::kernels::has!(Avx2: "avx2") {
            #[target_feature(enable = "avx2")]
            unsafe fn compiled<const B: usize>($($argument: $type),*) {
                // SAFETY: the caller's promise.
                unsafe { $name::<B>($($argument),*) }
            }
            // SAFETY: the caller's promise, and the processor has the instructions.
            return unsafe { compiled::<$bits>($($argument),*) };
        }
        // SAFETY: the caller's promise.
        unsafe { $name::<$bits>($($argument),*) }
    }};
}

/// A word whose low `B` bytes are those at an address.
///
/// # Safety
/// `B` bytes can be read.
#[inline(always)]
unsafe fn load<const B: usize>(from: *const u8) -> u64 {
    // SAFETY: the caller's promise; nothing is assumed of the alignment.
    unsafe {
        match B {
            1 => u64::from(from.read()),
            2 => u64::from(u16::from_le_bytes(from.cast::<[u8; 2]>().read())),
            _ => u64::from(u32::from_le_bytes(from.cast::<[u8; 4]>().read())),
        }
    }
}

#[inline(always)]
unsafe fn unpack_words<const B: usize>(src: *const u8, dst: *mut u8, words: usize) {
    for k in 0..words {
        // SAFETY: the caller's promise: `B` bytes and eight for each word.
        unsafe {
            let bytes = spread::<B>(load::<B>(src.add(k * B)));
            dst.add(8 * k).cast::<[u8; 8]>().write(bytes.to_le_bytes());
        }
    }
}

#[inline(always)]
unsafe fn pack_words<const B: usize>(src: *const u8, dst: *mut u8, words: usize) {
    for k in 0..words {
        // SAFETY: the caller's promise: eight bytes and `B` for each word.
        unsafe {
            let bytes = src.add(8 * k).cast::<[u8; 8]>().read();
            let packed = gather::<B>(u64::from_le_bytes(bytes));
            let to = dst.add(k * B);
            match B {
                1 => to.write(packed as u8),
                2 => to.cast::<[u8; 2]>().write((packed as u16).to_le_bytes()),
                _ => to.cast::<[u8; 4]>().write((packed as u32).to_le_bytes()),
            }
        }
    }
}

/// # Safety
/// `words * B` bytes can be read at `src`, and eight times `words` written at `dst`.
unsafe fn unpack_all<const B: usize>(src: *const u8, dst: *mut u8, words: usize) {
    widest!(unpack_words<B>(src: *const u8, dst: *mut u8, words: usize));
}

/// # Safety
/// Eight times `words` bytes can be read at `src`, and `words * B` written at `dst`.
unsafe fn pack_all<const B: usize>(src: *const u8, dst: *mut u8, words: usize) {
    widest!(pack_words<B>(src: *const u8, dst: *mut u8, words: usize));
}

/// Packed elements that lie together, to bytes; answers how many were copied: some are left at the
/// end.
///
/// # Safety
/// As `run_of`.
pub(super) unsafe fn unpack<const B: usize>(
    src: *const u8,
    from: isize,
    dst: *mut u8,
    to: isize,
    len: usize,
) -> usize {
    let bit = from as usize * B;
    let (shift, mut done) = (bit % 8, 0);
    // SAFETY: eight elements lie in `B` bytes, or in one more where they begin inside a byte; they
    // are elements of the run, and so is what else the last byte read holds bits of.
    unsafe {
        let (src, dst) = (src.add(bit / 8), dst.offset(to));
        if shift == 0 {
            unpack_all::<B>(src, dst, len / 8);
            return len / 8 * 8;
        }
        while done + 8 <= len {
            let from = src.add(done * B / 8);
            let mut word = [0; 8];
            core::ptr::copy_nonoverlapping(from, word.as_mut_ptr(), B + 1);
            let packed = u64::from_le_bytes(word) >> shift & ((1 << (8 * B)) - 1);
            let bytes = spread::<B>(packed).to_le_bytes();
            dst.add(done).cast::<[u8; 8]>().write(bytes);
            done += 8;
        }
    }
    done
}

/// Bytes to packed elements that lie together; answers how many were copied.
///
/// # Safety
/// As `run_of`.
pub(super) unsafe fn pack<const B: usize>(
    src: *const u8,
    from: isize,
    dst: *mut u8,
    to: isize,
    len: usize,
) -> usize {
    let bit = to as usize * B;
    if !bit.is_multiple_of(8) {
        // The first elements of the run share a byte with what lies before.
        return 0;
    }
    // SAFETY: eight elements lie in `B` bytes, all of them of the run.
    unsafe { pack_all::<B>(src.offset(from), dst.add(bit / 8), len / 8) };
    len / 8 * 8
}

/// A function for elements of 1, 2 or 4 bits.
macro_rules! by_bits {
    ($bits:expr, $name:ident $arguments:tt) => {
        match $bits {
            1 => $name::<1> $arguments,
            2 => $name::<2> $arguments,
            _ => $name::<4> $arguments,
        }
    };
}

#[inline(always)]
unsafe fn combine_rows<const B: usize>(src: *const u8, step: isize, dst: *mut u8, len: usize) {
    // Row by row: the compiler makes vectors of loops with few pointers only.
    for row in 0..8 / B {
        for k in 0..len {
            // SAFETY: the caller's promise.
            unsafe {
                let element = src.offset(row as isize * step).add(k).read() & ((1 << B) - 1);
                let before = if row == 0 { 0 } else { dst.add(k).read() };
                dst.add(k).write(before | element << (row * B));
            }
        }
    }
}

#[inline(always)]
unsafe fn separate_rows<const B: usize>(src: *const u8, dst: *mut u8, step: isize, len: usize) {
    for row in 0..8 / B {
        for k in 0..len {
            // SAFETY: the caller's promise.
            unsafe {
                let element = src.add(k).read() >> (row * B) & ((1 << B) - 1);
                dst.offset(row as isize * step).add(k).write(element);
            }
        }
    }
}

unsafe fn combine_all<const B: usize>(src: *const u8, step: isize, dst: *mut u8, len: usize) {
    widest!(combine_rows<B>(src: *const u8, step: isize, dst: *mut u8, len: usize));
}

unsafe fn separate_all<const B: usize>(src: *const u8, dst: *mut u8, step: isize, len: usize) {
    widest!(separate_rows<B>(src: *const u8, dst: *mut u8, step: isize, len: usize));
}

/// As many rows as a byte has elements of these bits, a step apart, to one row of bytes.
///
/// # Safety
/// Each row has `len` bytes, which can be read at `src` and written at `dst`.
pub(super) unsafe fn combine(
    bits: usize,
    (src, step): (*const u8, isize),
    dst: *mut u8,
    len: usize,
) {
    // SAFETY: the caller's promise.
    unsafe { by_bits!(bits, combine_all(src, step, dst, len)) }
}

/// One row of bytes to as many rows as a byte has elements of these bits, a step apart.
///
/// # Safety
/// As [`combine`].
pub(super) unsafe fn separate(
    bits: usize,
    src: *const u8,
    (dst, step): (*mut u8, isize),
    len: usize,
) {
    // SAFETY: the caller's promise.
    unsafe { by_bits!(bits, separate_all(src, dst, step, len)) }
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
