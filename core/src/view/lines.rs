//! The lines of an array along one dimension, for reductions.

use alloc::vec::Vec;

use super::ArrayRef;
use super::places::{same_sizes, size_of_dimension};
use super::stored::Stored;
use super::unchecked::Inside;
use crate::Coordinates;
use crate::array_layout::ArrayLayout;
use crate::layout_error::LayoutError;
use crate::region::strides_in_part;

/// The lines of an array along one dimension.
pub(super) struct Lines<'a, T: Stored, L: ArrayLayout> {
    array: &'a ArrayRef<T, L>,
    dimension: usize,
    size: usize,
    /// Whether the elements of a line are adjacent, in the sequence of the index.
    contiguous: bool,
    at: L::Coordinates,
    copy: Vec<T::Number>,
}

impl<'a, T: Stored, L: ArrayLayout> Lines<'a, T, L> {
    pub(super) fn of(array: &'a ArrayRef<T, L>, dimension: usize) -> Result<Self, LayoutError> {
        let layout = &array.layout;
        let size = size_of_dimension(layout, dimension)?;
        let strides = strides_in_part(layout);
        let stride = strides.and_then(|strides| strides.as_ref().get(dimension).copied());
        Ok(Self {
            array,
            dimension,
            size,
            contiguous: size == 1 || stride == Some(1) && !layout.is_reversed(dimension),
            at: Coordinates::origin(layout.rank()),
            copy: Vec::new(),
        })
    }

    /// Whether a layout has the sizes without the dimension.
    pub(super) fn fit(&self, out: &impl ArrayLayout) -> Result<(), LayoutError> {
        let sizes = self.array.layout.sizes();
        let kept = sizes.as_ref().iter().enumerate();
        let kept = kept.filter(|(d, _)| *d != self.dimension);
        same_sizes(kept.map(|(_, &size)| size), out.sizes().as_ref())
    }

    /// The line with these other coordinates, which are in bounds.
    pub(super) fn at(&mut self, others: &[usize]) -> &[T::Number] {
        let mut others = others.iter();
        for (d, at) in self.at.as_mut().iter_mut().enumerate() {
            if d == self.dimension {
                *at = 0;
                continue;
            }
            match others.next() {
                Some(&other) => *at = other,
                None => unreachable!("`fit` compared the ranks"),
            }
        }
        if self.size == 0 {
            return &[];
        }
        let layout = &self.array.layout;
        if self.contiguous {
            // `at` is in bounds, and so are the indices after it along the dimension, which has stride 1.
            let first = Inside::of(layout.linear_index(&self.at));
            if let Some(line) = T::numbers(self.array, first, self.size) {
                return line;
            }
            let line = (first.get()..).take(self.size);
            self.copy.clear();
            self.copy
                .extend(line.map(|at| T::number(self.array, Inside::of(at))));
            return &self.copy;
        }
        self.copy.clear();
        for k in 0..self.size {
            self.at.set(self.dimension, k);
            // `at` is in bounds.
            let place = Inside::of(layout.linear_index(&self.at));
            self.copy.push(T::number(self.array, place));
        }
        &self.copy
    }
}
