//! Lines of an array: all elements along one dimension, as an array of rank 1.

use super::part_items::PartItemsMut;
use super::places::{assert_strides, assert_unique, size_of_dimension};
use super::stored::Stored;
use super::{ArrayBase, ArrayRef, Part, PartMut};
use crate::Coordinates;
use crate::array_layout::{ArrayLayout, sealed::Token};
use crate::dynamic::StridedLayout;
use crate::layout_error::{LayoutError, NotSlice};
use crate::part::Rank;
use crate::region::widths_of;

/// The layout of a line.
type Line = StridedLayout<[usize; 1], isize>;

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The elements along dimension `D` whose other coordinates are those of `at`. The coordinate of `at` in dimension
    /// `D` does not matter. The dimension has a stride.
    ///
    /// [`as_slice`](Self::as_slice) of the line is `Some` where its elements are adjacent.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[2,3,2]{2,0,1}".parse()?;
    /// let array = Array::from_fn(layout, |at| (100 * at[0] + 10 * at[1] + at[2]) as i32)?;
    /// let line = array.line::<1>([1, 0, 0].into())?;
    /// assert!(line.iter().eq(&[100, 110, 120]));
    /// assert_eq!(line.as_slice(), None);
    /// assert_eq!(array.line::<2>([1, 2, 0].into())?.as_slice(), Some(&[120, 121][..]));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`] out of bounds; [`LayoutError::NotStrided`] for tiles.
    pub fn line<const D: usize>(
        &self,
        at: L::Coordinates,
    ) -> Result<Part<'_, T, Line>, LayoutError> {
        Ok(self.part(line::<T, L>(&self.layout, D, at)?))
    }

    /// The elements along dimension `D`, to write. See [`line`](Self::line).
    ///
    /// # Errors
    /// As there.
    pub fn line_mut<const D: usize>(
        &mut self,
        at: L::Coordinates,
    ) -> Result<PartMut<'_, T, Line>, LayoutError> {
        const { assert_unique::<L>() }
        let (mut data, layout): (PartItemsMut<'_, T>, &L) = self.items_mut_and_layout();
        let (first, layout) = line::<T, L>(layout, D, at)?;
        Ok(ArrayBase {
            // The borrow of `self` gives this part to nothing else.
            data: data.disjoint_part(first, T::items(&layout)),
            layout,
        })
    }
}

impl<T: Stored, L: Rank<2>> ArrayRef<T, L> {
    /// Row `i` of a matrix: the elements `[i, 0]`, `[i, 1]`, … See [`line`](Self::line).
    ///
    /// ```
    /// use xlayout_core::{Array, StridedLayout};
    /// let layout: StridedLayout<[usize; 2]> = "s32[2,3]".parse()?;
    /// let mut matrix = Array::from_fn(layout, |&[i, j]| (10 * i + j) as i32)?;
    /// assert_eq!(matrix.row(1)?.as_slice(), Some(&[10, 11, 12][..]));
    /// assert_eq!(matrix.column(2)?.iter().sum::<i32>(), 2 + 12);
    /// matrix.row_mut(0)?.fill(7);
    /// assert_eq!(matrix.memory(), [7, 7, 7, 10, 11, 12]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`] out of bounds; [`LayoutError::NotStrided`] for tiles.
    pub fn row(&self, i: usize) -> Result<Part<'_, T, Line>, LayoutError> {
        self.line::<1>([i, 0])
    }

    /// Row `i` of a matrix, to write.
    ///
    /// # Errors
    /// As [`row`](Self::row).
    pub fn row_mut(&mut self, i: usize) -> Result<PartMut<'_, T, Line>, LayoutError> {
        self.line_mut::<1>([i, 0])
    }

    /// Column `j` of a matrix: the elements `[0, j]`, `[1, j]`, … See [`row`](Self::row).
    ///
    /// # Errors
    /// As there.
    pub fn column(&self, j: usize) -> Result<Part<'_, T, Line>, LayoutError> {
        self.line::<0>([0, j])
    }

    /// Column `j` of a matrix, to write.
    ///
    /// # Errors
    /// As [`row`](Self::row).
    pub fn column_mut(&mut self, j: usize) -> Result<PartMut<'_, T, Line>, LayoutError> {
        self.line_mut::<0>([0, j])
    }
}

/// The item that a line begins with, and its layout.
fn line<T: Stored, L: ArrayLayout>(
    layout: &L,
    dimension: usize,
    mut at: L::Coordinates,
) -> Result<(usize, Line), LayoutError> {
    const { assert_strides::<L>() }
    let size = size_of_dimension(layout, dimension)?;
    let sizes = layout.sizes();
    if at.as_ref().len() != sizes.as_ref().len() {
        return Err(LayoutError::Listed {
            what: "coordinates",
            expected: sizes.as_ref().len(),
            found: at.as_ref().len(),
        });
    }
    // Without elements there is no coordinate to begin with.
    at.set(dimension, 0);
    for (other, (&start, &size)) in at.as_ref().iter().zip(sizes.as_ref()).enumerate() {
        if other != dimension && start >= size {
            return Err(LayoutError::NoSlice(NotSlice::OutOfBounds {
                dimension: other,
                start,
                end: start.saturating_add(1),
                size,
            }));
        }
    }
    let widths = widths_of(layout).ok_or(LayoutError::NotStrided)?;
    let reversed = layout.is_reversed(dimension);
    let line = Line::of_part(
        (layout.element_type(), layout.element_bits()),
        [size],
        [widths.coordinate(dimension)],
        |_| reversed,
        Token,
    );
    if size == 0 {
        return Ok((0, line));
    }
    if reversed {
        // The lowest element is the last one.
        at.set(dimension, size - 1);
    }
    let first = layout.linear_index(&at);
    T::place_of_step(layout, dimension, (first, line))
}
