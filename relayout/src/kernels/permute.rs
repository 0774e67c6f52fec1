//! Interleaves and separates rows with AVX-512 VBMI, which has an instruction that takes any 64
//! bytes of two registers. For three rows it takes two instructions for each register that is
//! written, in place of three shuffles, two ORs and the loads or stores of single lanes:
//! `interleave::all`.

use core::arch::x86_64::*;

use super::interleave::place;
use crate::machine::LINE;

/// The pairs of registers that hold a step of `MOST_INTERLEAVED` rows.
const PAIRS: usize = 4;

/// For each of the `K` registers that a step writes, and for each pair of registers that it reads:
/// the byte of the pair that becomes byte `k`, and a mask of the bytes that come from this pair.
struct Places<const K: usize> {
    bytes: [[[u8; LINE]; PAIRS]; K],
    taken: [[u64; PAIRS]; K],
}

/// The places for elements of `width` bytes.
const fn places<const K: usize>(width: usize, apart: bool) -> Places<K> {
    let mut places = Places {
        bytes: [[[0; LINE]; PAIRS]; K],
        taken: [[0; PAIRS]; K],
    };
    each!(at, 0..K * LINE, {
        // A byte of the run, and its place in the rows.
        let element = at / width;
        let byte = at % width;
        let row = element % K;
        let in_row = element / K * width + byte;
        let (from, (register, to)) = if apart {
            (at, (row, in_row))
        } else {
            (row * LINE + in_row, (at / LINE, at % LINE))
        };
        let pair = from / (2 * LINE);
        places.bytes[register][pair][to] = (from % (2 * LINE)) as u8;
        places.taken[register][pair] |= 1 << to;
    });
    places
}

/// Copies `steps` steps of `K` rows of elements of `W` bytes, as `interleave::all`.
///
/// # Safety
/// As `interleave::all`, with registers of a line; the processor has AVX-512 F, BW and VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) unsafe fn permuted<const W: usize, const K: usize>(
    (src, src_row): (*const u8, isize),
    (dst, dst_row): (*mut u8, isize),
    steps: usize,
    apart: bool,
    past: bool,
) {
    let places = if apart {
        const { &places::<K>(W, true) }
    } else {
        const { &places::<K>(W, false) }
    };
    let place = |k, step, in_rows, row| place::<K>((k, step), in_rows, row, LINE);
    for step in 0..steps {
        let mut from = [_mm512_setzero_si512(); K];
        for (k, from) in from.iter_mut().enumerate() {
            let at = place(k, step, !apart, src_row);
            // SAFETY: the caller's promise: a register of a row, or as many bytes of the run.
            *from = unsafe { _mm512_loadu_si512(src.offset(at).cast()) };
        }
        for register in 0..K {
            let bytes = &places.bytes[register];
            let taken = &places.taken[register];
            // SAFETY: these are whole registers.
            let bytes = |pair: usize| unsafe { _mm512_loadu_si512(bytes[pair].as_ptr().cast()) };
            // Later pairs replace the bytes that they hold.
            let mut result = _mm512_permutex2var_epi8(from[0], bytes(0), from[1]);
            for pair in 1..K.div_ceil(2) {
                let first = from[2 * pair];
                let taken = taken[pair];
                result = if 2 * pair + 1 == K {
                    _mm512_mask_permutexvar_epi8(result, taken, bytes(pair), first)
                } else {
                    let of_pair = _mm512_permutex2var_epi8(first, bytes(pair), from[2 * pair + 1]);
                    _mm512_mask_blend_epi8(taken, result, of_pair)
                };
            }
            let at = place(register, step, apart, dst_row);
            // SAFETY: as above. Rows that are written past the cache begin at lines.
            unsafe {
                let to = dst.offset(at);
                if past {
                    _mm512_stream_si512(to.cast(), result);
                } else {
                    _mm512_storeu_si512(to.cast(), result);
                }
            }
        }
    }
}
