//! Reductions along a dimension, of arrays and of packed arrays.

use super::lines::{HasLines, reduce, reduce_both};
use super::{ArrayRef, Packed};
use crate::array_layout::ArrayLayout;
use crate::element::Element;
use crate::layout_error::LayoutError;

impl<T: Element, L: ArrayLayout> ArrayRef<T, L> {
    /// Sets each element of `out` to the reduction of a line of this array. A line has all elements
    /// along one dimension. `out` has the sizes of this array without that dimension.
    ///
    /// The reduction gets each line as a slice, in the sequence of the index. So the result of a sum of floats has the
    /// same bits for every layout. Sums in vector instructions are in the module `reduce` of `xlayout-kernel`. A line that is contiguous is not copied. Other lines are copied one by one.
    /// Parts of arrays have lines, too.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, View};
    ///
    /// let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
    /// let x = View::new(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0][..], layout)?;
    /// let mut columns = Array::<f32, DynLayout>::zeros("f32[3]".parse()?)?;
    /// x.reduce_along(0, &mut columns, |column| column.iter().sum::<f32>())?;
    /// assert_eq!(columns.memory(), [3.0, 7.0, 11.0]);
    /// let mut rows = Array::<f32, DynLayout>::zeros("f32[2]".parse()?)?;
    /// x.reduce_along(1, &mut rows, |row| row.iter().copied().fold(f32::MIN, f32::max))?;
    /// assert_eq!(rows.memory(), [5.0, 6.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such dimension, or if `out` has another rank or another size.
    #[doc(alias = "sum_axis")]
    pub fn reduce_along<U: Element, M: ArrayLayout>(
        &self,
        dimension: usize,
        out: &mut ArrayRef<U, M>,
        reduction: impl FnMut(&[T]) -> U,
    ) -> Result<(), LayoutError> {
        reduce(self, dimension, out, reduction)
    }

    /// Sets each element of `out` to the reduction of a line of this array and the same line of
    /// `other`, which has equal sizes. See [`reduce_along`](Self::reduce_along). `other` is an array or a
    /// packed array, whose lines are those of [`ArrayRef::reduce_along`].
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, View};
    ///
    /// let layout: DynLayout = "f32[2,2]".parse()?;
    /// let x = View::new(&[1.0_f32, 2.0, 3.0, 4.0][..], layout)?;
    /// let mut squares = Array::<f32, DynLayout>::zeros("f32[2]".parse()?)?;
    /// let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    /// x.reduce_both_along(1, &x, &mut squares, dot)?;
    /// assert_eq!(squares.memory(), [5.0, 25.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such dimension, or if `other` or `out` has another rank or another size.
    pub fn reduce_both_along<U: Element, B: HasLines + ?Sized, M: ArrayLayout>(
        &self,
        dimension: usize,
        other: &B,
        out: &mut ArrayRef<U, M>,
        reduction: impl FnMut(&[T], &[B::Item]) -> U,
    ) -> Result<(), LayoutError> {
        reduce_both(self, other, dimension, out, reduction)
    }
}

impl<L: ArrayLayout> ArrayRef<Packed, L> {
    /// Sets each element of `out` to the reduction of a line of this array: see
    /// [`ArrayRef::reduce_along`]. A line is copied: each element as a number in an `i8`, with a sign if the
    /// element type has one. Sum in a wider type: an `i8` overflows.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, View};
    ///
    /// let layout: DynLayout = "s4[2,2]{1,0:E(4)}".parse()?;
    /// let x = View::packed(&[0x7f, 0x77], layout)?; // [[-1, 7], [7, 7]]
    /// let mut sums = Array::<i32, DynLayout>::zeros("s32[2]".parse()?)?;
    /// x.reduce_along(1, &mut sums, |row| row.iter().map(|&x| i32::from(x)).sum())?;
    /// assert_eq!(sums.memory(), [6, 14]);
    /// let mut largest = Array::<i8, DynLayout>::zeros("s8[2]".parse()?)?;
    /// x.reduce_along(0, &mut largest, |column| column.iter().copied().max().unwrap_or(i8::MIN))?;
    /// assert_eq!(largest.memory(), [7, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As there.
    pub fn reduce_along<U: Element, M: ArrayLayout>(
        &self,
        dimension: usize,
        out: &mut ArrayRef<U, M>,
        reduction: impl FnMut(&[i8]) -> U,
    ) -> Result<(), LayoutError> {
        reduce(self, dimension, out, reduction)
    }

    /// Sets each element of `out` to the reduction of a line of this array and the same line of `other`, an
    /// array or a packed array of equal sizes. See [`reduce_along`](Self::reduce_along).
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, View};
    ///
    /// let layout: DynLayout = "s4[2,2]{1,0:E(4)}".parse()?;
    /// let weights = View::packed(&[0x7f, 0x77], layout)?; // [[-1, 7], [7, 7]]
    /// let x = View::new(&[1.0_f32, 2.0, 3.0, 4.0][..], "f32[2,2]".parse::<DynLayout>()?)?;
    /// let mut products = Array::<f32, DynLayout>::zeros("f32[2]".parse()?)?;
    /// let dot = |w: &[i8], x: &[f32]| w.iter().zip(x).map(|(&w, x)| f32::from(w) * x).sum::<f32>();
    /// weights.reduce_both_along(1, &x, &mut products, dot)?;
    /// assert_eq!(products.memory(), [13.0, 49.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such dimension, or if `other` or `out` has another rank or another size.
    pub fn reduce_both_along<U: Element, B: HasLines + ?Sized, M: ArrayLayout>(
        &self,
        dimension: usize,
        other: &B,
        out: &mut ArrayRef<U, M>,
        reduction: impl FnMut(&[i8], &[B::Item]) -> U,
    ) -> Result<(), LayoutError> {
        reduce_both(self, other, dimension, out, reduction)
    }
}
