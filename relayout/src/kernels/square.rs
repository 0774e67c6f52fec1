//! Blocks of a line by a line whose rows are loaded as whole registers of four lanes. The registers
//! exchange their lanes, and then each lane is transposed as in `block`.
//!
//! `block::transposed` inserts lanes from memory instead: four loads and three inserts for each
//! register. Intel's cores insert on two ports and shuffle whole registers on one. Zen 5 shuffles
//! on two ports, and takes 8 ns for a block of 16 x 16 f32 that is loaded whole, 13 ns for one
//! whose lanes are inserted. The instructions are fewer too, so that more loads wait for memory at
//! the same time.

use super::block::{across, dealt_all, each_of};
use super::lanes::Lanes;

/// The lanes of a register.
const LANES: usize = 4;

/// The bytes of the narrowest elements whose blocks fit into 16 of the 32 registers. With narrower
/// ones, whose registers would be spilled to memory, nothing was gained.
pub(super) const WHOLE: usize = 4;

/// Transposes a block of `side(W)` rows and columns, which begins at `from`, and stores column `k`
/// as a line at `to(k)`, past the cache if `past`. Meanwhile it calls `ahead` with the number of a
/// row and a count of rows, to prefetch these rows of a later block. All calls together prefetch
/// the whole block.
///
/// # Safety
/// `side(W)` rows of a line can be read, a pitch apart. A line can be written at `to(k)` for each
/// column, and with `past` each is where a line begins. The processor has the instructions of `L`,
/// whose registers have four lanes.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn square<L: Lanes, const W: usize>(
    from: *const u8,
    pitch: isize,
    to: impl Fn(usize) -> *mut u8,
    past: bool,
    ahead: impl Fn(usize, usize),
) {
    debug_assert_eq!(L::LANES, LANES);
    // The rows that one register holds after its lanes are transposed.
    let n = across(W);
    // SAFETY: the caller's promise. Rows `k`, `k + n`, `k + 2 n` and `k + 3 n` with `k < n` are all
    // rows of the block.
    unsafe {
        let mut groups = [[L::zero(); 16]; LANES];
        each_of!(16: k if k < n => {
            let lanes = exchanged::<L>(from.offset(k as isize * pitch), pitch * n as isize);
            (groups[0][k], groups[1][k]) = (lanes[0], lanes[1]);
            (groups[2][k], groups[3][k]) = (lanes[2], lanes[3]);
        });
        each_of!(16: group if group < LANES => {
            ahead(group * n, n);
            let block = dealt_all::<L, W>(groups[group]);
            each_of!(16: k if k < n => { block[k].write(to(group * n + k), past) });
        });
    }
}

/// Loads four rows, `step` apart, as four registers: register `j` has lane `j` of each row.
///
/// # Safety
/// The rows can be read, and the processor has the instructions of `L`.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn exchanged<L: Lanes>(from: *const u8, step: isize) -> [L; LANES] {
    // SAFETY: the caller's promise.
    unsafe {
        let (even, odd) = L::load(from).unzip_lanes(L::load(from.offset(step)));
        let (even_below, odd_below) =
            L::load(from.offset(2 * step)).unzip_lanes(L::load(from.offset(3 * step)));
        let (first, third) = even.unzip_lanes(even_below);
        let (second, fourth) = odd.unzip_lanes(odd_below);
        [first, second, third, fourth]
    }
}
