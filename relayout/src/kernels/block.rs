//! Blocks: a few rows of 16 bytes, transposed in registers.
//!
//! Functions that hold many registers are not inlined in debug builds. Without optimisation each
//! inlined call adds its own variables to the caller's stack frame: with AVX-512 one frame had 1.3
//! MB.

use super::lanes::Lanes;

/// The columns of a block: the elements that a lane holds.
pub(super) const fn across(width: usize) -> usize {
    if width < 16 { 16 / width } else { 1 }
}

/// Repeats a statement for each number below 16, or below 8, for which a condition holds. The
/// compiler would not unroll such a loop, and would keep an array that the loop indexes in memory.
macro_rules! each_of {
    (16: $k:ident if $condition:expr => $body:block) => {
        each_of!(@ $k $condition, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (8: $k:ident if $condition:expr => $body:block) => {
        each_of!(@ $k $condition, $body, 0 1 2 3 4 5 6 7)
    };
    (@ $k:ident $condition:expr, $body:block, $($number:literal)*) => {$({
        let $k: usize = $number;
        if $condition $body
    })*};
}

pub(super) use each_of;

/// Loads `L::BYTES / W` rows of 16 bytes, a pitch apart, and transposes them to `across(W)`
/// columns, one in each register.
///
/// Each step interleaves the first half of the registers with the second one. On the bits of an
/// element's place, the bits of the row first, it is a rotation by one bit. After as many steps as
/// a row number has bits, rows and columns are exchanged.
///
/// # Safety
/// The rows can be read.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn transposed<L: Lanes, const W: usize>(
    from: *const u8,
    pitch: isize,
) -> [L; 16] {
    let n = across(W);
    // SAFETY: the caller's promise.
    unsafe {
        let mut block = [L::zero(); 16];
        if W > 16 {
            // An element fills the register.
            block[0] = L::load(from);
            return block;
        }
        each_of!(16: k if k < n => {
            block[k] = L::gather(from.offset(k as isize * pitch), pitch * n as isize);
        });
        dealt_all::<L, W>(block)
    }
}

/// Does all steps of [`transposed`] on registers that hold a row in each lane.
///
/// # Safety
/// The processor has the instructions of `L`.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn dealt_all<L: Lanes, const W: usize>(mut block: [L; 16]) -> [L; 16] {
    let n = across(W);
    // SAFETY: the caller has the instructions.
    unsafe {
        // Written out: a loop of four steps would not be unrolled, and keep the block in memory.
        if n >= 2 {
            block = dealt::<L, W>(block, n);
        }
        if n >= 4 {
            block = dealt::<L, W>(block, n);
        }
        if n >= 8 {
            block = dealt::<L, W>(block, n);
        }
        if n >= 16 {
            block = dealt::<L, W>(block, n);
        }
        block
    }
}

/// Does one step of [`transposed`] on the first `n` registers.
///
/// # Safety
/// The processor has the instructions of `L`.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn dealt<L: Lanes, const W: usize>(before: [L; 16], n: usize) -> [L; 16] {
    let mut block = before;
    each_of!(16: k if k < n / 2 => {
        // SAFETY: the caller has the instructions.
        let (low, high) = unsafe { before[k].zip::<W>(before[(k + n / 2) % 16]) };
        (block[2 * k % 16], block[(2 * k + 1) % 16]) = (low, high);
    });
    block
}

/// Moves bytes within each lane of 16 bytes.
///
/// # Safety
/// `len` bytes, whole registers, can be read and written.
#[inline(always)]
pub(super) unsafe fn shuffle_lanes<L: Lanes>(at: *mut u8, len: usize, bytes: &[u8; 16]) {
    for k in (0..len).step_by(L::BYTES) {
        // SAFETY: the caller's promise.
        unsafe { L::load(at.add(k)).shuffle(bytes).store(at.add(k)) };
    }
}

/// Writes all registers of a block, past the cache if `past`. In a loop of unknown length the
/// compiler would keep the registers in memory.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn store_each<L: Lanes, const W: usize>(
    block: &[L; 16],
    past: bool,
    to: impl Fn(usize) -> *mut u8,
) {
    each_of!(16: k if k < across(W) => {
        // SAFETY: the caller's promise.
        unsafe { block[k].write(to(k), past) };
    });
}
