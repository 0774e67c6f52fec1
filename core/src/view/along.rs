//! Reductions along a dimension.

use core::cmp::Ordering;
use core::fmt;

use super::ArrayRef;
use super::lines::Lines;
use super::places::same_sizes;
use super::stored::Stored;
use crate::array_layout::ArrayLayout;
#[cfg(feature = "alloc")]
use crate::dynamic::DynLayout;
use crate::element::Element;
use crate::layout_error::LayoutError;

/// The lines of an array along dimension `DIM`, to be reduced: a line has all elements along that
/// dimension.
/// [`ArrayRef::along`] makes it.
pub struct Along<'a, T, L, const DIM: usize>(&'a ArrayRef<T, L>);

impl<T, L, const DIM: usize> fmt::Debug for Along<'_, T, L, DIM> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "lines along dimension {DIM}")
    }
}

impl<T: Stored, L: ArrayLayout, const DIM: usize> Along<'_, T, L, DIM> {
    /// Sets each element of `out` to the reduction of a line. `out` has the sizes of the array
    /// without the dimension.
    ///
    /// The reduction gets each line as a slice, in the sequence of the index. So the result of a sum of floats has the
    /// same bits for every layout. Sums in vector instructions are in the module `reduce` of
    /// [`xlayout-kernel`](https://docs.rs/xlayout-kernel). A line
    /// that is contiguous is not copied. Other lines are copied one by one. Parts of arrays have lines, too.
    ///
    /// A line of a packed array is copied: each element as a number in an `i8`, with a sign if the element type has one.
    /// Sum in a wider type: an `i8` overflows.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, View};
    ///
    /// let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
    /// let x = View::new(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0][..], layout)?;
    /// let mut columns = Array::<f32, DynLayout>::zeros("f32[3]".parse()?)?;
    /// x.along::<0>().reduce(&mut columns, |column| column.iter().sum::<f32>())?;
    /// assert_eq!(columns.memory(), [3.0, 7.0, 11.0]);
    /// let mut rows = Array::<f32, DynLayout>::zeros("f32[2]".parse()?)?;
    /// x.along::<1>().reduce(&mut rows, |row| row.iter().copied().fold(f32::MIN, f32::max))?;
    /// assert_eq!(rows.memory(), [5.0, 6.0]);
    ///
    /// let packed = View::packed(&[0x7f, 0x77], "s4[2,2]{1,0:E(4)}".parse::<DynLayout>()?)?; // [[-1, 7], [7, 7]]
    /// let mut sums = Array::<i32, DynLayout>::zeros("s32[2]".parse()?)?;
    /// packed.along::<1>().reduce(&mut sums, |row| row.iter().map(|&x| i32::from(x)).sum())?;
    /// assert_eq!(sums.memory(), [6, 14]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such dimension, or if `out` has another rank or another size.
    #[doc(alias("mean_axis", "fold_axis", "map_axis"))]
    pub fn reduce<U: Element, M: ArrayLayout>(
        self,
        out: &mut ArrayRef<U, M>,
        reduction: impl FnMut(&[T::Number]) -> U,
    ) -> Result<(), LayoutError> {
        reduce(Lines::of(self.0, DIM)?, out, reduction)
    }

    /// Sets each element of `out` to the reduction of a line and the same line of `other`, which
    /// has equal sizes. See
    /// [`reduce`](Self::reduce). Either may be packed.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, View};
    ///
    /// let layout: DynLayout = "f32[2,2]".parse()?;
    /// let x = View::new(&[1.0_f32, 2.0, 3.0, 4.0][..], layout)?;
    /// let mut squares = Array::<f32, DynLayout>::zeros("f32[2]".parse()?)?;
    /// let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    /// x.along::<1>().reduce_both(&x, &mut squares, dot)?;
    /// assert_eq!(squares.memory(), [5.0, 25.0]);
    ///
    /// let weights = View::packed(&[0x7f, 0x77], "s4[2,2]{1,0:E(4)}".parse::<DynLayout>()?)?; // [[-1, 7], [7, 7]]
    /// let mut products = Array::<f32, DynLayout>::zeros("f32[2]".parse()?)?;
    /// let dot = |w: &[i8], x: &[f32]| w.iter().zip(x).map(|(&w, x)| f32::from(w) * x).sum::<f32>();
    /// weights.along::<1>().reduce_both(&x, &mut products, dot)?;
    /// assert_eq!(products.memory(), [13.0, 49.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such dimension, or if `other` or `out` has another rank or another size.
    pub fn reduce_both<T2: Stored, L2: ArrayLayout, U: Element, M: ArrayLayout>(
        self,
        other: &ArrayRef<T2, L2>,
        out: &mut ArrayRef<U, M>,
        reduction: impl FnMut(&[T::Number], &[T2::Number]) -> U,
    ) -> Result<(), LayoutError> {
        let sizes = self.0.layout.sizes();
        same_sizes(
            sizes.as_ref().iter().copied(),
            other.layout.sizes().as_ref(),
        )?;
        reduce_both(
            Lines::of(self.0, DIM)?,
            Lines::of(other, DIM)?,
            out,
            reduction,
        )
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The lines along dimension `DIM`, to be reduced by [`Along::reduce`], which has an example.
    pub const fn along<const DIM: usize>(&self) -> Along<'_, T, L, DIM> {
        Along(self)
    }

    /// The sum of all elements, in row-major sequence.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let a = Array::from_row_major(DynLayout::parse("f32[2,2]{0,1}")?, &[1.0_f32, 2.0, 3.0, 4.0])?;
    /// assert_eq!(a.sum(), 10.0);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    pub fn sum(&self) -> T
    where
        T: Element + core::iter::Sum,
    {
        self.iter().copied().sum()
    }

    /// The least element; `None` without elements. If there is a NaN, the first one in row-major sequence.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let a = Array::from_row_major(DynLayout::parse("f32[2,2]{0,1}")?, &[3.0_f32, -1.0, 2.0, 4.0])?;
    /// assert_eq!((a.min(), a.max()), (Some(-1.0), Some(4.0)));
    /// assert_eq!(a.slice::<0>(1..1)?.min(), None);
    /// assert!(a.map(|x| x.sqrt())?.max().is_some_and(f32::is_nan));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[doc(alias = "minimum")]
    pub fn min(&self) -> Option<T>
    where
        T: Element + PartialOrd,
    {
        self.extreme(Ordering::Less)
    }

    /// The greatest element. See [`min`](Self::min).
    #[doc(alias = "maximum")]
    pub fn max(&self) -> Option<T>
    where
        T: Element + PartialOrd,
    {
        self.extreme(Ordering::Greater)
    }

    /// The first element to which no other one has the order `wanted`; the first NaN if there is one.
    fn extreme(&self, wanted: Ordering) -> Option<T>
    where
        T: Element + PartialOrd,
    {
        let is_nan = |x: &T| x.partial_cmp(x).is_none();
        self.iter().copied().reduce(|best, x| {
            let replaces = is_nan(&x) || x.partial_cmp(&best) == Some(wanted);
            if replaces && !is_nan(&best) { x } else { best }
        })
    }

    /// The sums along a dimension: an array without that dimension, row-major. Other reductions are made by
    /// [`Along::reduce`].
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let a = Array::from_row_major(DynLayout::parse("f32[2,3]{0,1}")?, &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// assert_eq!(a.sum_axis::<0>()?.memory(), [5.0, 7.0, 9.0]);
    /// assert_eq!(a.sum_axis::<1>()?.memory(), [6.0, 15.0]);
    /// assert!(a.sum_axis::<2>().is_err());
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such dimension; [`LayoutError::OutOfMemory`].
    #[cfg(feature = "alloc")]
    pub fn sum_axis<const DIM: usize>(&self) -> Result<super::Array<T, DynLayout>, LayoutError>
    where
        T: Element + Stored<Number = T> + core::iter::Sum,
    {
        // The error where there is no such dimension.
        Lines::of(self, DIM)?;
        let mut shape = self.layout.shape();
        shape.dims.remove(DIM);
        shape.layout = None;
        let mut sums = super::Array::zeros_of(DynLayout::new(shape)?)?;
        self.along::<DIM>()
            .reduce(&mut sums, |line| line.iter().copied().sum())?;
        Ok(sums)
    }
}

// One for all dimensions: the numbers are not compiled into it.

/// Sets the elements of `out` to the reductions of lines.
fn reduce<T: Stored, L: ArrayLayout, U: Element, M: ArrayLayout>(
    mut lines: Lines<'_, T, L>,
    out: &mut ArrayRef<U, M>,
    mut reduction: impl FnMut(&[T::Number]) -> U,
) -> Result<(), LayoutError> {
    lines.fit(&out.layout)?;
    set_each(out, |index| reduction(lines.at(index)));
    Ok(())
}

/// Sets the elements of `out` to the reductions of lines of two arrays.
fn reduce_both<
    T: Stored,
    L: ArrayLayout,
    T2: Stored,
    L2: ArrayLayout,
    U: Element,
    M: ArrayLayout,
>(
    mut lines: Lines<'_, T, L>,
    mut others: Lines<'_, T2, L2>,
    out: &mut ArrayRef<U, M>,
    mut reduction: impl FnMut(&[T::Number], &[T2::Number]) -> U,
) -> Result<(), LayoutError> {
    lines.fit(&out.layout)?;
    set_each(out, |index| reduction(lines.at(index), others.at(index)));
    Ok(())
}

/// Sets all elements, in row-major sequence.
fn set_each<U: Element, M: ArrayLayout>(
    out: &mut ArrayRef<U, M>,
    mut value: impl FnMut(&[usize]) -> U,
) {
    let layout = out.layout.clone();
    layout.for_each_index(|index| match out.get_mut(index) {
        Some(item) => *item = value(index.as_ref()),
        None => unreachable!("the index is one of this layout"),
    });
}
