//! Planning at compile time.

use xlayout_core::Mode;

use crate::kernels::table::Table;
use crate::kernels::task::Task;
use crate::nest::{MAX_LOOPS, Nest};
use crate::refine::{Digit, Refinement};

/// The most elements that are copied without a loop.
pub(super) const FEW: usize = 32;
/// The most boxes that are planned at compile time.
const BOXES: usize = 9;
/// The way, made at compile time.
#[expect(
    clippy::large_enum_variant,
    reason = "each pair of layouts has one constant of this type, and no function moves it"
)]
pub(super) enum Made {
    /// The offsets of a few elements, in elements, and their number, which may be 0.
    Few([(usize, usize); FEW], usize),
    /// The tasks, their number, and the bytes that they write.
    Tasks([Task; BOXES], usize, usize),
    /// The plan is made at run time.
    Later,
}

/// Makes the plan at compile time; `Later` if the sizes differ, which is a run-time error.
pub(super) const fn made(
    (src_sizes, src): (&[usize], &[Mode]),
    (dst_sizes, dst): (&[usize], &[Mode]),
    width: usize,
) -> Made {
    if differ(src_sizes, dst_sizes) {
        return Made::Later;
    }
    let (Some(from), Some(to)) = (
        digits(src, src_sizes.len(), width),
        digits(dst, dst_sizes.len(), width),
    ) else {
        return Made::Later;
    };
    let from = from.split_at(src.len()).0;
    let to = to.split_at(dst.len()).0;
    let Some(refinement) = Refinement::new(src_sizes, from, to) else {
        return Made::Later;
    };
    let mut elements = 1;
    each!(size, dst_sizes, {
        elements *= *size;
    });
    if elements <= FEW
        && let Some(pairs) = pairs(&refinement, src_sizes, elements, width)
    {
        return Made::Few(pairs, elements);
    }
    let mut boxes = refinement.first();
    let mut tasks = [Task::new(&Nest::of_width(width)); BOXES];
    let mut len = 0;
    while let Some(mut nest) = refinement.next(src_sizes, &mut boxes, width) {
        if len == BOXES {
            return Made::Later;
        }
        nest.normalise();
        tasks[len] = Task::new(&nest);
        len += 1;
    }
    Made::Tasks(tasks, len, elements * width)
}

/// Whether both are sizes of different arrays.
pub(super) const fn differ(a: &[usize], b: &[usize]) -> bool {
    let mut dim = 0;
    while dim < a.len() && dim < b.len() && a[dim] == b[dim] {
        dim += 1;
    }
    dim < a.len() || dim < b.len()
}

/// The digits of modes; `None` if there are too many, if coordinates are merged, if run-time sizes
/// multiply a stride, or if a stride is larger than any buffer, which is a run-time error.
const fn digits(modes: &[Mode], rank: usize, width: usize) -> Option<[Digit; MAX_LOOPS]> {
    let mut digits = [Digit::NONE; MAX_LOOPS];
    if modes.len() > MAX_LOOPS {
        return None;
    }
    each!(k, 0..modes.len(), {
        digits[k] = match Digit::of(modes[k], width) {
            Some(digit) if digit.dim < rank && modes[k].run_time == 0 => digit,
            _ => return None,
        };
    });
    Some(digits)
}

/// The offsets of a few elements on both sides. `None` if they are far apart.
const fn pairs(
    refinement: &Refinement,
    sizes: &[usize],
    elements: usize,
    width: usize,
) -> Option<[(usize, usize); FEW]> {
    let mut pairs = [(0, 0); FEW];
    let mut len = 0;
    let mut boxes = refinement.first();
    while elements > 0
        && let Some(mut nest) = refinement.next(sizes, &mut boxes, width)
    {
        // In the sequence of the destination.
        nest.loops.sort(false);
        let table = Table::new(&nest);
        let count = nest.loops.count();
        if count > 1 && table.is_empty() {
            return None;
        }
        each!(k, 0..count, {
            let src = nest.src as usize + table.src[k] as usize;
            let dst = nest.dst as usize + table.dst[k] as usize;
            pairs[len] = (src / width, dst / width);
            len += 1;
        });
    }
    Some(pairs)
}
