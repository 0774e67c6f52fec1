//! The linear indices of an array in logical sequence: of all elements, or of the first element of
//! each line.
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
use crate::array_layout::{ArrayLayout, Index, Indices, sealed::Token};
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
#[derive(Clone)]
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
    /// How many are in the runs that no end has begun.
    between: usize,
    /// What is left of the run, and the next linear index in it.
    left: usize,
    linear: usize,
    /// What is left of a run at the other end, and the linear index that it begins with.
    left_behind: usize,
    linear_behind: usize,
}

impl<'a, L: ArrayLayout> Firsts<'a, L> {
    /// Those of all elements.
    #[inline(always)]
    pub(super) fn of_elements(layout: &'a L) -> Self {
        let strides = match const { (is_strided::<L>(), L::KNOWN_MODES.is_empty()) } {
            (true, _) => known_strides(layout, &layout.shape()),
            (false, true) => widths_of(layout),
            // The type says that there are tiles.
            (false, false) => None,
        };
        let sizes = layout.shape();
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
            between: layout.elements(),
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
        let mut run = 1;
        let mut stride = 0;
        if let Some(strides) = strides
            && !sizes.as_ref().contains(&0)
        {
            for inner in (0..layout.rank()).rev() {
                let size = sizes.coordinate(inner);
                let width = strides.coordinate(inner);
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
        let indices = Indices::below(sizes);
        Self {
            layout,
            between: indices.len() * run,
            indices,
            run,
            stride,
            cut_size: 0,
            left: 0,
            linear: 0,
            left_behind: 0,
            linear_behind: 0,
        }
    }

    #[inline(always)]
    pub(super) const fn layout(&self) -> &'a L {
        self.layout
    }

    /// The next one. `is_empty`: whether the lines have no elements, so that nothing has a linear
    /// index.
    #[inline(always)]
    pub(super) fn next(&mut self, is_empty: bool) -> Option<Inside> {
        if self.left == 0 {
            self.begin(is_empty)?;
        }
        // The index is in bounds: it is that of the run with other coordinates of `inner`, or with
        // a greater last one before the next cut. Their linear indices have this stride.
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

    /// Begins the next run.
    #[inline(always)]
    fn begin(&mut self, is_empty: bool) -> Option<()> {
        let Some(index) = self.indices.next() else {
            return self.join();
        };
        (self.left, self.linear) = self.run_at(index, is_empty);
        self.between -= self.left;
        Some(())
    }

    /// The length of the run with this index, and the linear index that it begins with.
    #[inline(always)]
    fn run_at(&self, index: Index<L>, is_empty: bool) -> (usize, usize) {
        let mut index = index.into_coordinates();
        let mut len = self.run;
        if self.cut_size > 0 {
            let last = self.layout.rank() - 1;
            let start = index.coordinate(last) * self.run;
            index.set(last, start);
            len = len.min(self.cut_size - start);
        }
        if is_empty {
            return (len, 0);
        }
        (len, self.layout.linear_index(&index))
    }

    /// Goes on with what is left of the run at the other end, if anything is.
    #[cold]
    fn join(&mut self) -> Option<()> {
        self.left = core::mem::take(&mut self.left_behind);
        self.linear = self.linear_behind;
        (self.left > 0).then_some(())
    }

    /// As [`next`](Self::next), after `n` of them.
    pub(super) fn nth(&mut self, n: usize, is_empty: bool) -> Option<Inside> {
        let mut skipped = n;
        while skipped >= self.left {
            skipped -= self.left;
            // The last run of a line that tiles cut is shorter: there each run is begun.
            if self.cut_size == 0 {
                let runs = (skipped / self.run).min(self.indices.len());
                self.indices.skip_some(runs);
                self.between -= runs * self.run;
                skipped -= runs * self.run;
            }
            self.left = 0;
            self.begin(is_empty)?;
        }
        self.left -= skipped;
        self.linear = self.linear.wrapping_add(skipped.wrapping_mul(self.stride));
        self.next(is_empty)
    }

    /// The last one.
    #[inline]
    pub(super) fn next_back(&mut self, is_empty: bool) -> Option<Inside> {
        if self.left_behind == 0 {
            match self.indices.next_back() {
                Some(index) => {
                    (self.left_behind, self.linear_behind) = self.run_at(index, is_empty);
                    self.between -= self.left_behind;
                }
                None => {
                    self.left_behind = core::mem::take(&mut self.left);
                    self.linear_behind = self.linear;
                }
            }
        }
        self.left_behind = self.left_behind.checked_sub(1)?;
        // As in `next`.
        let steps = self.left_behind.wrapping_mul(self.stride);
        Some(Inside::of(self.linear_behind.wrapping_add(steps)))
    }

    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.between + self.left + self.left_behind
    }

    /// All that are left, of elements. Where none was taken and the type says the modes, the
    /// compiler sees the loops of a person.
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
