//! Planning by the compiler.

use xlayout_core::Mode;

use crate::kernels::task::Task;
use crate::nest::MAX_LOOPS;
use crate::refine::{Digit, Refinement};

/// So many elements are copied without a loop.
pub(super) const FEW: usize = 32;
/// So many boxes are planned at compile time.
const BOXES: usize = 9;
/// The way, made at compile time.
#[expect(
    clippy::large_enum_variant,
    reason = "each pair of layouts has one constant of this type, and no function moves it"
)]
pub(super) enum Made {
    Nothing,
    /// The offsets of a few elements, in elements, as the destination has them.
    Few([(usize, usize); FEW]),
    Tasks([Task; BOXES], usize),
    /// Left to the run time.
    Later,
}

/// How many elements an array of these sizes has.
pub(super) const fn product(sizes: &[usize]) -> usize {
    let (mut product, mut dim) = (1, 0);
    while dim < sizes.len() {
        product *= sizes[dim];
        dim += 1;
    }
    product
}

/// Plans at compile time; `Later` where the sizes differ, which is an error of the run time.
pub(super) const fn made(
    (src_sizes, src): (&[usize], &[Mode]),
    (dst_sizes, dst): (&[usize], &[Mode]),
    width: usize,
) -> Made {
    if src_sizes.len() != dst_sizes.len() {
        return Made::Later;
    }
    let mut dim = 0;
    while dim < src_sizes.len() {
        if src_sizes[dim] != dst_sizes[dim] {
            return Made::Later;
        }
        dim += 1;
    }
    let elements = product(dst_sizes);
    if elements == 0 {
        return Made::Nothing;
    }
    let (Some(from), Some(to)) = (
        digits(src, src_sizes.len(), width),
        digits(dst, dst_sizes.len(), width),
    ) else {
        return Made::Later;
    };
    if elements <= FEW {
        return Made::Few(pairs(
            src_sizes,
            (&from, src.len()),
            (&to, dst.len()),
            elements,
            width,
        ));
    }
    let (from, to) = (from.split_at(src.len()).0, to.split_at(dst.len()).0);
    let Some(refinement) = Refinement::new(src_sizes, from, to) else {
        return Made::Later;
    };
    let mut boxes = refinement.first();
    let Some(mut nest) = refinement.next(src_sizes, &mut boxes, width) else {
        panic!("an array with elements has a first box")
    };
    nest.normalise();
    let mut tasks = [Task::new(&nest); BOXES];
    let mut len = 1;
    while let Some(mut nest) = refinement.next(src_sizes, &mut boxes, width) {
        if len == BOXES {
            return Made::Later;
        }
        nest.normalise();
        tasks[len] = Task::new(&nest);
        len += 1;
    }
    Made::Tasks(tasks, len)
}

/// The digits of modes; `None` where there are too many, where coordinates are merged, and where a
/// stride is larger than any buffer, which is an error of the run time.
const fn digits(modes: &[Mode], rank: usize, width: usize) -> Option<[Digit; MAX_LOOPS]> {
    let mut digits = [Digit::NONE; MAX_LOOPS];
    if modes.len() > MAX_LOOPS {
        return None;
    }
    let mut k = 0;
    while k < modes.len() {
        if modes[k].dim >= rank {
            return None;
        }
        digits[k] = match Digit::of(modes[k], width) {
            Some(digit) => digit,
            None => return None,
        };
        k += 1;
    }
    Some(digits)
}

/// Where each of a few elements comes from and goes to, sorted by the latter.
const fn pairs(
    sizes: &[usize],
    src: (&[Digit; MAX_LOOPS], usize),
    dst: (&[Digit; MAX_LOOPS], usize),
    elements: usize,
    width: usize,
) -> [(usize, usize); FEW] {
    const fn offset(
        digits: (&[Digit; MAX_LOOPS], usize),
        sizes: &[usize],
        number: usize,
        width: usize,
    ) -> usize {
        // The index whose number in row-major sequence this is, the last dimension first.
        let (mut sum, mut rest, mut dim) = (0, number, sizes.len());
        while dim > 0 {
            dim -= 1;
            let coordinate = rest % sizes[dim];
            rest /= sizes[dim];
            let mut k = 0;
            while k < digits.1 {
                if digits.0[k].dim == dim {
                    sum += digits.0[k].offset(coordinate);
                }
                k += 1;
            }
        }
        sum as usize / width
    }
    let mut pairs = [(0, 0); FEW];
    let mut number = 0;
    while number < elements {
        let pair = (
            offset(src, sizes, number, width),
            offset(dst, sizes, number, width),
        );
        let mut k = number;
        while k > 0 && pairs[k - 1].1 > pair.1 {
            pairs[k] = pairs[k - 1];
            k -= 1;
        }
        pairs[k] = pair;
        number += 1;
    }
    pairs
}
