//! Copies of a few elements by a table of their offsets, since setting up loops would take longer
//! than the copy.

use crate::kernels::cost::Choice;
use crate::kernels::task::Task;
use crate::nest::Nest;

/// The most elements that a table is made for.
const MOST: usize = 64;

/// The offsets of a few elements on either side, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Table {
    len: u8,
    pub(crate) src: [u16; MOST],
    pub(crate) dst: [u16; MOST],
    /// If both sides fit into two lines: for each byte of the destination the byte of the source,
    /// and masks of the bytes of each line that are read and written.
    lines: [u8; 128],
    read: [u64; 2],
    pub(super) written: [u64; 2],
    /// The bytes of either side where registers of 32 bytes permute them in less time than elements
    /// are copied one by one.
    pub(super) permuted: u8,
}

impl Table {
    pub(crate) const NONE: Self = Self {
        len: 0,
        src: [0; MOST],
        dst: [0; MOST],
        lines: [0; 128],
        read: [0; 2],
        written: [0; 2],
        permuted: 0,
    };

    /// Returns the table of a nest. It is empty if there are too many elements, or if they are too
    /// far apart.
    pub(crate) const fn new(nest: &Nest) -> Self {
        let mut table = Self::NONE;
        if nest.loops.len() == 0 || nest.loops.count() > MOST {
            return table;
        }
        let mut len = 1;
        each!(level, nest.loops.as_slice(), {
            // Each loop repeats the `len` entries of the table so far, one step further each time.
            each!(to, len..len * level.size, {
                let src = table.src[to - len] as isize + level.src;
                let dst = table.dst[to - len] as isize + level.dst;
                if src as u16 as isize != src || dst as u16 as isize != dst {
                    return Self::NONE;
                }
                (table.src[to], table.dst[to]) = (src as u16, dst as u16);
            });
            len *= level.size;
        });
        table.len = len as u8;
        table.fill_lines(nest.width);
        table
    }

    const fn fill_lines(&mut self, width: usize) {
        let mut read = [0; 2];
        let mut written = [0; 2];
        each!(k, 0..self.len as usize, {
            let src = self.src[k] as usize;
            let dst = self.dst[k] as usize;
            if src + width > 128 || dst + width > 128 {
                return;
            }
            each!(byte, 0..width, {
                let from = src + byte;
                let to = dst + byte;
                self.lines[to] = from as u8;
                read[from / 64] |= 1 << (from % 64);
                written[to / 64] |= 1 << (to % 64);
            });
        });
        (self.read, self.written) = (read, written);
        // Without gaps, each byte once. For each 32 bytes of the destination all lanes of the
        // source are shuffled.
        let bytes = self.len as usize * width;
        if bytes >= 32 && bytes <= 128 && is_run(read, bytes) && is_run(written, bytes) {
            let shuffles = bytes.div_ceil(32) * bytes.div_ceil(16);
            if shuffles + 4 <= self.len as usize {
                self.permuted = bytes as u8;
            }
        }
    }

    /// Whether both sides fit into a line.
    #[cfg(target_arch = "x86_64")]
    pub(crate) const fn is_line(&self) -> bool {
        self.written[0] != 0 && self.written[1] == 0 && self.read[1] == 0
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the elements take less time one by one than as a block.
    pub(crate) const fn is_few(&self) -> bool {
        self.len < 16
    }
}

/// Whether the bits of two lines are those of the first `bytes`.
const fn is_run(lines: [u64; 2], bytes: usize) -> bool {
    let bits = lines[0] as u128 | (lines[1] as u128) << 64;
    bits == u128::MAX >> (128 - bytes)
}

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
