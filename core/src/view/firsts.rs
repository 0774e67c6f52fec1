//! The linear indices of an array in logical sequence: of all elements, or of the first element of each line.
//!
//! ```text
//! inner = the last dimensions, without that of the lines, of which each has the stride behind the last element of the
//!         ones after it: all of a row-major array
//! for each index whose coordinates of inner are 0:
//!     linear = the linear index there
//!     for each index of inner:
//!         give linear; linear += the stride of the last of them
//! ```
//!
//! Where the last dimension is reversed, each index has a run of its own. Where tiles cut it, a run
//! is in one tile:
//!
//! ```text
//! cut = the first width at which the step along the last dimension changes
//! for each index whose last coordinate is a multiple of cut:
//!     linear = the linear index there
//!     for each of the next cut coordinates that there are:
//!         give linear; linear += the stride of the last dimension below cut
//! ```

use super::unchecked::Inside;
use crate::Coordinates;
use crate::array_layout::{ArrayLayout, Indices, sealed::Token};
use crate::modes::Mode;
use crate::region::{is_strided, known_strides, widths_of};

/// How many coordinates of a dimension of this size lie before its first cut, and their stride. If
/// the other digits change elsewhere, each coordinate is alone.
#[inline]
fn first_digit(
    modes: &[Mode],
    dimension: usize,
    size: usize,
    stride_of: impl Fn(&Mode) -> usize,
) -> (usize, usize) {
    let of_dimension = || modes.iter().filter(|mode| mode.dim == dimension);
    let Some(first) = of_dimension().find(|mode| mode.divisor == 1) else {
        return (1, 0);
    };
    let cut = if first.top { size } else { first.size };
    if of_dimension().all(|other| other.divisor == 1 || other.divisor.is_multiple_of(cut)) {
        (cut, stride_of(first))
    } else {
        (1, 0)
    }
}

/// See the module.
pub(super) struct Firsts<'a, L: ArrayLayout> {
    layout: &'a L,
    /// The indices at which runs begin; where tiles cut them, with the number of the run for the
    /// last coordinate.
    indices: Indices<L>,
    /// The number of indices of `inner`, or of a whole run between cuts, and the stride.
    run: usize,
    stride: usize,
    /// The size of the last dimension where tiles cut it, else 0.
    cut_size: usize,
    /// What is left of the run, and the next linear index in it.
    left: usize,
    linear: usize,
}

impl<'a, L: ArrayLayout> Firsts<'a, L> {
    /// Those of all elements.
    #[inline(always)]
    pub(super) fn of_elements(layout: &'a L) -> Self {
        let strides = match const { (is_strided::<L>(), L::KNOWN_MODES.is_empty()) } {
            (true, _) => known_strides(layout, &layout.sizes()),
            (false, true) => widths_of(layout),
            // The type says that there are tiles.
            (false, false) => None,
        };
        let sizes = layout.sizes();
        let is_cut = strides.is_none() && layout.elements() > 0;
        match layout.rank().checked_sub(1) {
            Some(last) if is_cut => Self::cut(layout, sizes, last),
            _ => Self::new(layout, sizes, strides),
        }
    }

    /// Those of all elements, in runs that tiles cut. There are elements, and no dimension is
    /// reversed.
    #[inline(always)]
    fn cut(layout: &'a L, mut sizes: L::Coordinates, last: usize) -> Self {
        let cut_size = sizes.coordinate(last);
        let (run, stride) = if const { L::KNOWN_MODES.is_empty() } {
            layout.with_resolved(Token, |of| match of.terms {
                [] => first_digit(of.modes, last, cut_size, |mode| mode.stride),
                _ => (1, 0),
            })
        } else {
            first_digit(L::KNOWN_MODES, last, cut_size, |mode| {
                layout.stride_of(mode)
            })
        };
        sizes.set(last, cut_size.div_ceil(run));
        Self {
            run,
            stride,
            cut_size,
            ..Self::new(layout, sizes, None)
        }
    }

    /// Those of the indices below `sizes`, which is 1 in the dimension of lines.
    #[inline(always)]
    pub(super) fn new(
        layout: &'a L,
        mut sizes: L::Coordinates,
        strides: Option<L::Coordinates>,
    ) -> Self {
        let (mut run, mut stride) = (1, 0);
        if let Some(strides) = strides
            && !sizes.as_ref().contains(&0)
        {
            for inner in (0..layout.rank()).rev() {
                let (size, width) = (sizes.coordinate(inner), strides.coordinate(inner));
                if size == 1 {
                    continue;
                }
                if layout.is_reversed(inner) || run > 1 && width != run * stride {
                    break;
                }
                if run == 1 {
                    stride = width;
                }
                run *= size;
                sizes.set(inner, 1);
            }
        }
        Self {
            layout,
            indices: Indices::below(sizes),
            run,
            stride,
            cut_size: 0,
            left: 0,
            linear: 0,
        }
    }

    /// The next one. `is_empty`: whether the lines have no elements, so that nothing has a linear index.
    #[inline(always)]
    pub(super) fn next(&mut self, is_empty: bool) -> Option<Inside> {
        if self.left == 0 {
            let mut index = self.indices.next()?.into_coordinates();
            self.left = self.run;
            if self.cut_size > 0 {
                let last = self.layout.rank() - 1;
                let start = index.coordinate(last) * self.run;
                index.set(last, start);
                self.left = self.run.min(self.cut_size - start);
            }
            self.linear = match is_empty {
                true => 0,
                false => self.layout.linear_index(&index),
            };
        }
        // The index is in bounds: it is that of the run with other coordinates of `inner`, or with a
        // greater last one before the next cut. Their linear indices have this stride.
        let first = Inside::of(self.linear);
        self.left -= 1;
        self.linear = self.linear.wrapping_add(self.stride);
        Some(first)
    }

    /// The next one, of elements, which is that of this index. Where the type says the modes, the
    /// compiler sees how it depends on the coordinates.
    #[inline(always)]
    pub(super) fn next_at(&mut self, index: &L::Coordinates) -> Inside {
        if const { !L::KNOWN_MODES.is_empty() } {
            return Inside::of(self.layout.linear_index(index));
        }
        match self.next(false) {
            Some(first) => first,
            None => unreachable!("there are as many as indices"),
        }
    }

    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        let runs = self.indices.len();
        if self.cut_size == 0 {
            return runs * self.run + self.left;
        }
        // The runs of a line end where it does.
        let in_line = self.cut_size.div_ceil(self.run);
        let lines = runs.div_ceil(in_line);
        lines * self.cut_size - (lines * in_line - runs) * self.run + self.left
    }

    /// All that are left, of elements. Where none was taken and the type says the modes, the compiler sees the loops of a
    /// person.
    #[inline(always)]
    pub(super) fn fold<A>(mut self, init: A, mut step: impl FnMut(A, Inside) -> A) -> A {
        let layout = self.layout;
        let mut folded = init;
        if const { !L::KNOWN_MODES.is_empty() } && self.count() == layout.elements() {
            return layout.indices().fold(
                folded,
                #[inline(always)]
                |folded, index| step(folded, Inside::of(layout.linear_index(index.coordinates()))),
            );
        }
        while let Some(first) = self.next(false) {
            let mut linear = first.get();
            folded = step(folded, first);
            for _ in 0..self.left {
                linear = linear.wrapping_add(self.stride);
                // As in `next`.
                folded = step(folded, Inside::of(linear));
            }
            self.left = 0;
        }
        folded
    }
}
