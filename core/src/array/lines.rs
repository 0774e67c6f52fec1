//! Lines of an array: all elements along one dimension, as an array of rank 1 or as a slice.

use core::iter::{Empty, Map, empty};
use core::ops::Range;

use super::base::{View, ViewMut, part_among, part_of};
use super::iterate::{Each, Firsts};
use super::reference::ArrayRef;
use super::several::{Apart, Several};
use super::storage::{Inside, PartItems, PartItemsMut, Take, TakeOne};
use super::stored::Stored;
use crate::array_layout::sealed::Token;
use crate::array_layout::{ArrayLayout, Rank};
use crate::coordinates::Coordinates;
use crate::element::Element;
use crate::layout_error::{LayoutError, NotSlice, or_panic};
use crate::layouts::StridedLayout;
use crate::layouts::region::parts::{assert_strides, assert_unique, size_of_dimension};
use crate::layouts::region::{strides_in_part, widths_of};

/// The layout of a line.
type Line = StridedLayout<[usize; 1], isize>;

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The elements along dimension `DIM` whose other coordinates are those of `at`. The coordinate
    /// of `at` in dimension `D` does not matter. The dimension has a stride.
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
    pub fn line<const DIM: usize>(
        &self,
        at: L::Coordinates,
    ) -> Result<View<'_, T, Line>, LayoutError> {
        Ok(self.part(line::<T, L>(&self.layout, DIM, at)?))
    }

    /// The elements along dimension `DIM`, to write. See [`line`](Self::line).
    ///
    /// # Errors
    /// As there.
    pub fn line_mut<const DIM: usize>(
        &mut self,
        at: L::Coordinates,
    ) -> Result<ViewMut<'_, T, Line>, LayoutError> {
        const { assert_unique::<L>() }
        let (data, layout): (PartItemsMut<'_, T>, &L) = self.items_mut_and_layout();
        Ok(part_of(data, line::<T, L>(layout, DIM, at)?))
    }
}

impl<T: Element, L: ArrayLayout> ArrayRef<T, L> {
    /// All lines along dimension `DIM` as slices, in the row-major sequence of the other
    /// coordinates. The elements of a line are adjacent. An array without elements has empty lines
    /// where only the size of dimension `DIM` is 0.
    ///
    /// The bounds of a line are checked once, and not for each element.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, LayoutError};
    /// let layout: DynLayout = "f32[2,4]".parse()?;
    /// let mut array = Array::from_fn(layout, |at| at[1] as f32)?;
    /// // The sums and the differences of the halves of each row.
    /// for row in array.lines_mut::<1>()? {
    ///     let (left, right) = row.split_at_mut(2);
    ///     for (a, b) in left.iter_mut().zip(right) {
    ///         (*a, *b) = (*a + *b, *a - *b);
    ///     }
    /// }
    /// assert!(array.lines::<1>()?.all(|row| row == [2.0, 4.0, -2.0, -2.0]));
    /// assert_eq!(array.lines::<0>().err(), Some(LayoutError::NotAdjacent { dimension: 0 }));
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NotAdjacent`]; [`LayoutError::NoSlice`] if there is no such dimension.
    #[doc(alias("slices", "lanes"))]
    pub fn lines<const DIM: usize>(&self) -> Result<Lines<'_, T, L>, LayoutError> {
        lines_of(self.items(), &self.layout, DIM)
    }

    /// All lines along dimension `DIM` as slices, to write. See [`lines`](Self::lines).
    ///
    /// # Errors
    /// As there.
    pub fn lines_mut<const DIM: usize>(&mut self) -> Result<LinesMut<'_, T, L>, LayoutError> {
        const { assert_unique::<L>() }
        let (items, layout) = self.items_mut_and_layout();
        lines_of(items, layout, DIM)
    }
}

/// The lines along a dimension whose elements are adjacent.
fn lines_of<S: Take, L: ArrayLayout>(
    items: S,
    layout: &L,
    dimension: usize,
) -> Result<Each<'_, LineItems<S>, L>, LayoutError> {
    let len = size_of_dimension(layout, dimension)?;
    let mut sizes = layout.shape();
    let strides = strides_in_part(layout);
    let adjacent = strides.as_ref().is_some_and(|strides| {
        strides.coordinate(dimension) == 1 && !layout.is_reversed(dimension)
    });
    // Lines without elements have nothing between them.
    if len > 1 && !adjacent && layout.elements() > 0 {
        return Err(LayoutError::NotAdjacent { dimension });
    }
    sizes.set(dimension, 1);
    let firsts = Firsts::new(layout, sizes, strides);
    let data = LineItems { items, len };
    Ok(Each::new(firsts, data))
}

/// The lines of an array along a dimension, as slices; [`ArrayRef::lines`] makes it.
pub type Lines<'a, T, L> = Each<'a, LineItems<PartItems<'a, T>>, L>;

/// The lines of an array along a dimension, as slices to write; [`ArrayRef::lines_mut`] makes it.
pub type LinesMut<'a, T, L> = Each<'a, LineItems<PartItemsMut<'a, T>>, L>;

/// The items of an array, to take lines.
#[allow(unreachable_pub, reason = "public types are it")]
#[derive(Clone)]
pub struct LineItems<S> {
    items: S,
    /// The number of elements of a line.
    len: usize,
}

impl<S: Take> TakeOne for LineItems<S> {
    const NAME: &'static str = "lines";
    type Ref = S::Slice;
    type Ahead = Empty<S::Slice>;

    #[inline(always)]
    fn take<L: ArrayLayout>(&mut self, _: &L, first: Inside) -> S::Slice {
        // The dimension has stride 1 for as many coordinates, so these are elements of the array,
        // and no element is in two lines (law 1). Without elements there is no first one.
        let first = if self.len == 0 { Inside::of(0) } else { first };
        self.items.take_line(first, self.len)
    }

    #[inline(always)]
    fn take_ahead<L: ArrayLayout>(&mut self, _: &L, _: Inside, _: usize) -> Option<Self::Ahead> {
        None
    }

    #[inline(always)]
    fn nothing_ahead() -> Self::Ahead {
        empty()
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
    pub fn row(&self, i: usize) -> Result<View<'_, T, Line>, LayoutError> {
        self.line::<1>([i, 0])
    }

    /// The rows of a matrix, in sequence; [`row`](Self::row) gives one, [`lines`](Self::lines)
    /// all as slices.
    ///
    /// ```
    /// use xlayout_core::{Array, StridedLayout};
    /// let layout: StridedLayout<[usize; 2]> = "s32[2,3]".parse()?;
    /// let matrix = Array::from_fn(layout, |&[i, j]| (10 * i + j) as i32)?;
    /// assert!(matrix.rows().map(|row| row.iter().sum::<i32>()).eq([3, 33]));
    /// assert!(matrix.columns().map(|column| column[1]).eq([10, 11, 12]));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Panics
    /// If the array has rows, and tiles. If it is packed, and rows begin inside bytes.
    #[doc(alias("nrows", "outer_iter"))]
    #[track_caller]
    pub fn rows<'a>(&'a self) -> Map<Range<usize>, impl FnMut(usize) -> View<'a, T, Line> + Clone> {
        let count = or_panic(count_lines::<T, L>(&self.layout, 1));
        (0..count).map(|i| counted(self.row(i)))
    }

    /// The rows of a matrix, in sequence, to write; [`lines_mut`](Self::lines_mut) gives slices.
    ///
    /// ```
    /// use xlayout_core::{Array, StridedLayout};
    /// let layout: StridedLayout<[usize; 2]> = "s32[2,3]{0,1}".parse()?;
    /// let mut matrix = Array::<i32, _>::zeros(layout)?;
    /// for (i, mut row) in matrix.rows_mut().enumerate() {
    ///     row.fill(i as i32);
    /// }
    /// assert_eq!(matrix, [[0, 0, 0], [1, 1, 1]]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Panics
    /// As [`rows`](Self::rows), and if it is packed, and two rows share a byte.
    #[track_caller]
    pub fn rows_mut<'a>(
        &'a mut self,
    ) -> Map<Range<usize>, impl FnMut(usize) -> ViewMut<'a, T, Line>> {
        const { assert_unique::<L>() }
        let (data, layout) = self.items_mut_and_layout();
        let count = or_panic(count_lines::<T, L>(layout, 1));
        let mut parts = Several::new(data, layout, or_panic(Apart::lengths::<T, L>(layout, 0, 1)));
        // Each row comes once.
        (0..count).map(move |i| part_among(&mut parts, counted(line::<T, L>(layout, 1, [i, 0]))))
    }

    /// The columns of a matrix, in sequence; [`column`](Self::column) gives one.
    ///
    /// # Panics
    /// As [`rows`](Self::rows).
    #[doc(alias = "ncols")]
    #[track_caller]
    pub fn columns<'a>(
        &'a self,
    ) -> Map<Range<usize>, impl FnMut(usize) -> View<'a, T, Line> + Clone> {
        let count = or_panic(count_lines::<T, L>(&self.layout, 0));
        (0..count).map(|j| counted(self.column(j)))
    }

    /// Row `i` of a matrix, to write.
    ///
    /// # Errors
    /// As [`row`](Self::row).
    pub fn row_mut(&mut self, i: usize) -> Result<ViewMut<'_, T, Line>, LayoutError> {
        self.line_mut::<1>([i, 0])
    }

    /// Column `j` of a matrix: the elements `[0, j]`, `[1, j]`, … See [`row`](Self::row).
    ///
    /// # Errors
    /// As there.
    pub fn column(&self, j: usize) -> Result<View<'_, T, Line>, LayoutError> {
        self.line::<0>([0, j])
    }

    /// Column `j` of a matrix, to write.
    ///
    /// # Errors
    /// As [`row`](Self::row).
    pub fn column_mut(&mut self, j: usize) -> Result<ViewMut<'_, T, Line>, LayoutError> {
        self.line_mut::<0>([0, j])
    }
}

/// The number of lines of a matrix along a dimension, each of which there is.
///
/// # Errors
/// That of a line.
fn count_lines<T: Stored, L: Rank<2>>(layout: &L, dimension: usize) -> Result<usize, LayoutError> {
    let across = 1 - dimension;
    let count = layout.shape()[across];
    // Lines begin at equal distances: if the first two begin with an item, all do.
    for number in 0..count.min(2) {
        let mut at = [0, 0];
        at[across] = number;
        line::<T, L>(layout, dimension, at)?;
    }
    Ok(count)
}

/// A line that [`count_lines`] counted.
fn counted<T>(line: Result<T, LayoutError>) -> T {
    line.unwrap_or_else(|why| unreachable!("each line was counted: {why}"))
}

/// The item that a line begins with, and its layout.
fn line<T: Stored, L: ArrayLayout>(
    layout: &L,
    dimension: usize,
    mut at: L::Coordinates,
) -> Result<(usize, Line), LayoutError> {
    const { assert_strides::<L>() }
    let size = size_of_dimension(layout, dimension)?;
    let sizes = layout.shape();
    if at.as_ref().len() != sizes.as_ref().len() {
        return Err(LayoutError::Listed {
            what: "coordinates",
            expected: sizes.as_ref().len(),
            found: at.as_ref().len(),
        });
    }
    // Without elements there is no coordinate to begin with.
    at.set(dimension, 0);
    for (across, (&start, &size)) in at.as_ref().iter().zip(sizes.as_ref()).enumerate() {
        if across != dimension {
            NotSlice::end(across, start, 1, size)?;
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
