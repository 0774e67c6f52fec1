//! Copies of a few elements by a table of their offsets, since setting up loops would take longer
//! than the copy.

use crate::kernels::cost::Choice;
use crate::kernels::task::Task;

/// Copies the elements of a table, each of the width of `T`.
///
/// # Safety
/// As `kernels::run`.
pub(super) unsafe fn tiny<T: Copy>(task: &Task, src: *const u8, dst: *mut u8, _: Choice) {
    let table = &task.tiny;
    let len = usize::from(table.len);
    for (from, to) in table.src[..len].iter().zip(&table.dst[..len]) {
        // SAFETY: an element on each side; nothing is assumed of the alignment.
        unsafe {
            let element = src.add(usize::from(*from)).cast::<T>().read_unaligned();
            dst.add(usize::from(*to))
                .cast::<T>()
                .write_unaligned(element);
        }
    }
}

/// Copies an array that is a run of bytes on both sides, by registers of 32 bytes of the
/// destination.
///
/// # Safety
/// As `kernels::run`; and the processor has AVX2, and `permuted` of the table is not 0.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn permuted(task: &Task, src: *const u8, dst: *mut u8, _: Choice) {
    use core::arch::x86_64::*;
    let table = &task.tiny;
    let bytes = usize::from(table.permuted);
    // A lane takes the byte of its number's low four bits, or zero where the highest bit is set.
    // This is added to numbers in a lane, so that others get that bit.
    let others = _mm256_set1_epi8(0x70);
    for to in (0..bytes).step_by(32) {
        // The last register of a side overlaps the one before it.
        let to = to.min(bytes - 32);
        // SAFETY: `fill_lines` sets `permuted` to the number of bytes of both sides, at least 32
        // and at most as many as `lines` has, where all of them belong to elements. So all
        // registers lie inside.
        unsafe {
            let from = _mm256_loadu_si256(table.lines.as_ptr().add(to).cast());
            let mut result = _mm256_setzero_si256();
            for lane in (0..bytes).step_by(16) {
                let lane = lane.min(bytes - 16);
                let at = _mm256_sub_epi8(from, _mm256_set1_epi8(lane as i8));
                let lane = _mm256_broadcastsi128_si256(_mm_loadu_si128(src.add(lane).cast()));
                let found = _mm256_shuffle_epi8(lane, _mm256_adds_epu8(at, others));
                result = _mm256_or_si256(result, found);
            }
            _mm256_storeu_si256(dst.add(to).cast(), result);
        }
    }
}

/// Copies an array that fits into `LINES` lines on both sides, one or two.
///
/// # Safety
/// As `kernels::run`; and the processor has AVX-512 VBMI and BW.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) unsafe fn lines<const LINES: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    _: Choice,
) {
    use core::arch::x86_64::*;
    let table = &task.tiny;
    // SAFETY: `fill_lines` sets the bits of elements' bytes only, and a byte whose bit is 0 is
    // neither read nor written. So the second line may begin beyond the buffer. `lines` has 128
    // bytes.
    unsafe {
        let read =
            |k: usize| _mm512_maskz_loadu_epi8(table.read[k], src.wrapping_add(64 * k).cast());
        let first = read(0);
        let last = read(LINES - 1);
        for k in 0..LINES {
            let bytes = _mm512_loadu_si512(table.lines.as_ptr().add(64 * k).cast());
            let result = match LINES {
                1 => _mm512_permutexvar_epi8(bytes, first),
                _ => _mm512_permutex2var_epi8(first, bytes, last),
            };
            let to = dst.wrapping_add(64 * k).cast();
            _mm512_mask_storeu_epi8(to, table.written[k], result);
        }
    }
}
