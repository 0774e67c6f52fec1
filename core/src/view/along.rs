//! Reductions along a dimension, of arrays and of packed arrays.

use super::lines::{HasLines, reduce, reduce_both};
use super::{ArrayBase, PackedBase, Storage, StorageMut};
use crate::array_layout::ArrayLayout;
use crate::layout_error::LayoutError;

impl<S: Storage<Item: Copy>, L: ArrayLayout> ArrayBase<S, L> {
    /// Sets each element of `out` to the reduction of a line of this array. A line has all elements
    /// along one dimension. `out` has the sizes of this array without that dimension.
    ///
    /// The reduction gets each line as a slice, in the sequence of the index. So the functions of
    /// `reduce` (feature `kernel`) have the order that they document, and the result has the same bits
    /// for every layout. A line that is contiguous is not copied. Other lines are copied one by one.
    /// Parts of arrays have lines, too.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, View, reduce};
    ///
    /// let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
    /// let x = View::new(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0][..], layout)?;
    /// let mut columns = Array::<f32, DynLayout>::zeros("f32[3]".parse()?)?;
    /// x.reduce_along(0, &mut columns, reduce::sum)?;
    /// assert_eq!(columns.memory(), [3.0, 7.0, 11.0]);
    /// let mut rows = Array::<i32, DynLayout>::zeros("s32[2]".parse()?)?;
    /// x.reduce_along(1, &mut rows, |row| reduce::argmax(row).map_or(-1, |k| k as i32))?;
    /// assert_eq!(rows.memory(), [2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such dimension, or if `out` has another rank or another size.
    pub fn reduce_along<U, O: StorageMut<Item = U>, M: ArrayLayout>(
        &self,
        dimension: usize,
        out: &mut ArrayBase<O, M>,
        reduction: impl FnMut(&[S::Item]) -> U,
    ) -> Result<(), LayoutError> {
        reduce(self, dimension, out, reduction)
    }

    /// Sets each element of `out` to the reduction of a line of this array and the same line of
    /// `other`, which has equal sizes. See [`reduce_along`](Self::reduce_along). `other` is an array or a
    /// packed array, whose lines are those of [`PackedBase::reduce_along`].
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, View, reduce};
    ///
    /// let layout: DynLayout = "f32[2,2]".parse()?;
    /// let x = View::new(&[1.0_f32, 2.0, 3.0, 4.0][..], layout)?;
    /// let mut squares = Array::<f32, DynLayout>::zeros("f32[2]".parse()?)?;
    /// x.reduce_both_along(1, &x, &mut squares, reduce::dot)?;
    /// assert_eq!(squares.memory(), [5.0, 25.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such dimension, or if `other` or `out` has another rank or another size.
    pub fn reduce_both_along<U, B: HasLines, O: StorageMut<Item = U>, M: ArrayLayout>(
        &self,
        dimension: usize,
        other: &B,
        out: &mut ArrayBase<O, M>,
        reduction: impl FnMut(&[S::Item], &[B::Item]) -> U,
    ) -> Result<(), LayoutError> {
        reduce_both(self, other, dimension, out, reduction)
    }
}

impl<S: Storage<Item = u8>, L: ArrayLayout> PackedBase<S, L> {
    /// Sets each element of `out` to the reduction of a line of this array: see
    /// [`ArrayBase::reduce_along`]. A line is copied: each element as a number in an `i8`, with a sign if the
    /// element type has one. The functions of `reduce` keep this type, in which a sum wraps;
    /// `sum_by` and `dot_by` sum in a wider one.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, PackedView, reduce};
    ///
    /// let layout: DynLayout = "s4[2,2]{1,0:E(4)}".parse()?;
    /// let x = PackedView::new(&[0x7f, 0x77][..], layout)?; // [[-1, 7], [7, 7]]
    /// let mut sums = Array::<i32, DynLayout>::zeros("s32[2]".parse()?)?;
    /// x.reduce_along(1, &mut sums, |row| reduce::sum_by(row, i32::from))?;
    /// assert_eq!(sums.memory(), [6, 14]);
    /// let mut largest = Array::<i8, DynLayout>::zeros("s8[2]".parse()?)?;
    /// x.reduce_along(0, &mut largest, |column| reduce::max(column).unwrap_or(i8::MIN))?;
    /// assert_eq!(largest.memory(), [7, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As there.
    pub fn reduce_along<U, O: StorageMut<Item = U>, M: ArrayLayout>(
        &self,
        dimension: usize,
        out: &mut ArrayBase<O, M>,
        reduction: impl FnMut(&[i8]) -> U,
    ) -> Result<(), LayoutError> {
        reduce(self, dimension, out, reduction)
    }

    /// Sets each element of `out` to the reduction of a line of this array and the same line of `other`, an
    /// array or a packed array of equal sizes. See [`reduce_along`](Self::reduce_along).
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, PackedView, View, reduce};
    ///
    /// let layout: DynLayout = "s4[2,2]{1,0:E(4)}".parse()?;
    /// let weights = PackedView::new(&[0x7f, 0x77][..], layout)?; // [[-1, 7], [7, 7]]
    /// let x = View::new(&[1.0_f32, 2.0, 3.0, 4.0][..], "f32[2,2]".parse::<DynLayout>()?)?;
    /// let mut products = Array::<f32, DynLayout>::zeros("f32[2]".parse()?)?;
    /// let dot = |w: &[i8], x: &[f32]| reduce::dot_by(w, x, |w, x| f32::from(w) * x);
    /// weights.reduce_both_along(1, &x, &mut products, dot)?;
    /// assert_eq!(products.memory(), [13.0, 49.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such dimension, or if `other` or `out` has another rank or another size.
    pub fn reduce_both_along<U, B: HasLines, O: StorageMut<Item = U>, M: ArrayLayout>(
        &self,
        dimension: usize,
        other: &B,
        out: &mut ArrayBase<O, M>,
        reduction: impl FnMut(&[i8], &[B::Item]) -> U,
    ) -> Result<(), LayoutError> {
        reduce_both(self, other, dimension, out, reduction)
    }
}
