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
//! Where the last dimension has no stride, or is reversed, each index has a run of its own.

use super::unchecked::Inside;
use crate::Coordinates;
use crate::array_layout::{ArrayLayout, Indices};
use crate::region::{is_strided, known_strides, widths_of};

/// See the module.
pub(super) struct Firsts<'a, L: ArrayLayout> {
    layout: &'a L,
    /// The indices at which runs begin.
    indices: Indices<L>,
    /// The number of indices of `inner`, and the stride.
    run: usize,
    stride: usize,
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
        Self::new(layout, layout.sizes(), strides)
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
            left: 0,
            linear: 0,
        }
    }

    /// The next one. `is_empty`: whether the lines have no elements, so that nothing has a linear index.
    #[inline(always)]
    pub(super) fn next(&mut self, is_empty: bool) -> Option<Inside> {
        if self.left == 0 {
            let index = self.indices.next()?;
            self.left = self.run;
            self.linear = match is_empty {
                true => 0,
                false => self.layout.linear_index(index.coordinates()),
            };
        }
        // The index is in bounds: it is that of the run with other coordinates of `inner`, whose linear indices have this
        // stride.
        let first = Inside::of(self.linear);
        self.left -= 1;
        self.linear = self.linear.wrapping_add(self.stride);
        Some(first)
    }

    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.indices.len() * self.run + self.left
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
