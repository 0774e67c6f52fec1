//! A case in the form that rivals accept: a permutation of the dimensions of a dense row-major
//! array.
//!
//! A tiled layout also has this form if its tiles divide the array: `f32[4096,4096]` in tiles of 8
//! by 128 is a dense array of 512 by 32 by 8 by 128.

use xlayout_core::{ArrayLayout, DynLayout, Mode};

/// The dimensions of the dense source, the most major first, and for each dimension of the dense
/// destination the number of the source's dimension.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Permutation {
    pub(crate) dims: Vec<usize>,
    pub(crate) axes: Vec<usize>,
}

/// One loop over the elements of both arrays.
#[derive(Clone, Copy)]
struct Digit {
    size: usize,
    src: usize,
    dst: usize,
}

impl Permutation {
    /// The permutation of a case; `None` if a side has padding, or the digits of the two sides do
    /// not divide each other.
    pub(crate) fn of(src: &DynLayout, dst: &DynLayout) -> Option<Self> {
        if src.elements() == 0 || !src.is_exhaustive() || !dst.is_exhaustive() {
            return None;
        }
        let mut digits = Vec::new();
        for (dim, &size) in src.dims().iter().enumerate() {
            split(dim, size, src.mode_table(), dst.mode_table(), &mut digits)?;
        }
        if !dense(&mut digits, |digit| digit.dst) || !dense(&mut digits, |digit| digit.src) {
            return None;
        }
        Some(Self::merged(&digits))
    }

    /// The permutation of digits that are sorted by the source's stride, the most major first.
    /// Neighbours on both sides become one dimension.
    fn merged(digits: &[Digit]) -> Self {
        let mut runs: Vec<Digit> = Vec::new();
        for &digit in digits {
            match runs.last_mut() {
                Some(run) if run.dst == digit.dst * digit.size => {
                    *run = Digit {
                        size: run.size * digit.size,
                        ..digit
                    };
                }
                _ => runs.push(digit),
            }
        }
        let mut axes: Vec<usize> = (0..runs.len()).collect();
        axes.sort_by_key(|&axis| std::cmp::Reverse(runs[axis].dst));
        Self {
            dims: runs.iter().map(|run| run.size).collect(),
            axes,
        }
    }

    /// The dimensions of the destination, the most major first.
    pub(crate) fn dst_dims(&self) -> Vec<usize> {
        self.axes.iter().map(|&axis| self.dims[axis]).collect()
    }

    /// The strides, in elements, of the source's dimensions in the sequence of the destination's.
    pub(crate) fn src_strides(&self) -> Vec<usize> {
        let strides = row_major(&self.dims);
        self.axes.iter().map(|&axis| strides[axis]).collect()
    }

    /// The strides, in elements, of the destination's dimensions.
    pub(crate) fn dst_strides(&self) -> Vec<usize> {
        row_major(&self.dst_dims())
    }

    /// The permutation as transposes of consecutive matrices, `(matrices, rows, columns)`, if it is
    /// one.
    pub(crate) fn matrices(&self) -> Option<(usize, usize, usize)> {
        match (&self.dims[..], &self.axes[..]) {
            (&[rows, columns], [1, 0]) => Some((1, rows, columns)),
            (&[matrices, rows, columns], [0, 2, 1]) => Some((matrices, rows, columns)),
            _ => None,
        }
    }
}

fn row_major(dims: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; dims.len()];
    for k in (1..dims.len()).rev() {
        strides[k - 1] = strides[k] * dims[k];
    }
    strides
}

/// Splits a dimension into the common digits of both sides.
fn split(dim: usize, size: usize, src: &[Mode], dst: &[Mode], to: &mut Vec<Digit>) -> Option<()> {
    let mut cuts: Vec<usize> = [src, dst]
        .concat()
        .iter()
        .filter(|mode| mode.dim == dim)
        .map(|mode| mode.divisor)
        .chain([size])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    for (&from, &next) in cuts.iter().zip(&cuts[1..]) {
        if !next.is_multiple_of(from) {
            return None;
        }
        to.push(Digit {
            size: next / from,
            src: stride(src, dim, from)?,
            dst: stride(dst, dim, from)?,
        });
    }
    Some(())
}

/// The stride of the digit with this divisor.
fn stride(modes: &[Mode], dim: usize, divisor: usize) -> Option<usize> {
    let mode = modes
        .iter()
        .filter(|mode| mode.dim == dim && mode.divisor <= divisor)
        .max_by_key(|mode| mode.divisor)?;
    divisor
        .is_multiple_of(mode.divisor)
        .then(|| mode.stride * (divisor / mode.divisor))
}

/// Sorts by a stride, the largest first. Returns whether the digits fill memory without a gap.
fn dense(digits: &mut [Digit], stride: impl Fn(&Digit) -> usize) -> bool {
    digits.sort_by_key(|digit| std::cmp::Reverse(stride(digit)));
    let mut expected = 1;
    digits.iter().rev().all(|digit| {
        let fits = stride(digit) == expected;
        expected *= digit.size;
        fits
    })
}
