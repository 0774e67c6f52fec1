//! Addresses of elements: all unsafe code of this crate.
//!
//! Each function takes an array that is borrowed for `'a`, or a view for `'a`, and gives a view for
//! `'a` of the same elements, at the same addresses:
//!
//! - in bounds: sizes and strides are those of the array, so that each index of the view is one of
//!   the array, at the same address. [`strided`] gives all layouts their strides or refuses them;
//! - initialized and aligned: they are elements of the array, whose crate promises both. Memory
//!   between them is not accessed;
//! - shared: an array that is borrowed to read, or a view to read, which is used up;
//! - exclusive: an array that is borrowed to write, or a view to write, which is used up. Distinct
//!   indices are distinct elements, because a [`StridedLayout`] has no others (`UNIQUE`).
//!
//! Views without elements have any aligned address.
#![allow(unsafe_code)]
#![cfg_attr(
    not(all(feature = "ndarray", feature = "nalgebra", feature = "faer")),
    allow(
        dead_code,
        unused_imports,
        reason = "a function serves one or two of the other crates"
    )
)]

use core::ptr::NonNull;

use xlayout_core::{ArrayLayout, Coordinates, Element, LayoutError, StridedLayout, View, ViewMut};

use crate::ConversionError;

/// Sizes and strides of either sign.
pub(crate) type Signed<C> = StridedLayout<C, isize>;

/// The layout of an array of another crate. The strides of an array without elements mean nothing.
pub(crate) fn layout_of<T: Element, C: Coordinates>(
    sizes: C,
    strides: &[isize],
) -> Result<Signed<C>, ConversionError> {
    if sizes.as_ref().contains(&0) {
        return row_major::<T, C>(sizes);
    }
    Ok(Signed::new::<T>(sizes, strides)?)
}

fn row_major<T: Element, C: Coordinates>(sizes: C) -> Result<Signed<C>, ConversionError> {
    Ok(StridedLayout::of(&StridedLayout::<C>::row_major::<T>(
        sizes,
    )?)?)
}

/// A layout of xlayout with its strides.
///
/// # Errors
/// Tiles, and repeated dimensions.
pub(crate) fn strided<T: Element, L: ArrayLayout>(
    layout: &L,
    library: &'static str,
) -> Result<Signed<L::Coordinates>, ConversionError> {
    if layout.elements() == 0 {
        return row_major::<T, _>(layout.shape());
    }
    StridedLayout::of(layout).map_err(|why| match why {
        LayoutError::NotStrided => ConversionError::Tiled {
            library,
            shape: layout.array_shape().to_string(),
        },
        why => why.into(),
    })
}

/// The stride of each dimension for another crate: 0 without elements, so that all offsets are 0.
pub(crate) fn strides<C: Coordinates>(layout: &Signed<C>) -> Vec<isize> {
    let sizes = layout.shape();
    let strides = layout.signed_strides().zip(sizes.as_ref());
    let empty = layout.elements() == 0;
    let step = |(stride, &size): (isize, &usize)| match size {
        _ if empty => 0,
        // Any stride will do, and 1 is what loops over adjacent elements look for.
        1 => 1,
        _ => stride,
    };
    strides.map(step).collect()
}

/// Each stride, if none is negative.
pub(crate) fn positive<C: Coordinates>(
    layout: &Signed<C>,
    library: &'static str,
) -> Result<Vec<usize>, ConversionError> {
    let strides = strides(layout).into_iter().enumerate();
    let without_sign = |(dimension, stride)| {
        usize::try_from(stride).map_err(|_| ConversionError::Reversed { library, dimension })
    };
    strides.map(without_sign).collect()
}

/// The linear index of the element at `[0, 0, …]`; 0 if there is none.
pub(crate) fn origin<C: Coordinates>(layout: &Signed<C>) -> usize {
    match layout.elements() {
        0 => 0,
        _ => layout.linear_index(&C::origin(layout.rank())),
    }
}

/// The address of an element of an array, or of an array without elements.
fn not_null<T>(first: *const T) -> NonNull<T> {
    NonNull::new(first.cast_mut())
        .unwrap_or_else(|| unreachable!("arrays of the other crates are never at address 0"))
}

#[cfg(feature = "ndarray")]
pub(crate) mod ndarray {
    use ::ndarray::{
        ArrayRef, ArrayView, ArrayViewMut, Axis, Dimension, ShapeBuilder, StrideShape,
    };

    use super::*;

    pub(crate) const LIBRARY: &str = "ndarray";

    fn layout<T: Element, C: Coordinates, D: Dimension>(
        array: &ArrayRef<T, D>,
    ) -> Result<Signed<C>, ConversionError> {
        let mut sizes = C::origin(array.ndim());
        sizes.as_mut().copy_from_slice(array.shape());
        layout_of::<T, _>(sizes, array.strides())
    }

    pub(crate) fn view<T: Element, C: Coordinates, D: Dimension>(
        array: ArrayView<'_, T, D>,
    ) -> Result<View<'_, T, Signed<C>>, ConversionError> {
        let first = not_null(array.as_ptr());
        // SAFETY: the top of this file. The pointer of ndarray is that of the first element.
        Ok(unsafe { View::from_address(layout(&array)?, first)? })
    }

    pub(crate) fn view_mut<T: Element, C: Coordinates, D: Dimension>(
        mut array: ArrayViewMut<'_, T, D>,
    ) -> Result<ViewMut<'_, T, Signed<C>>, ConversionError> {
        let first = not_null(array.as_mut_ptr());
        // SAFETY: as in `view`.
        Ok(unsafe { ViewMut::from_address(layout(&array)?, first)? })
    }

    /// Sizes, and strides without signs, which count from the lowest element in memory.
    pub(crate) fn shape<C: Coordinates, D: Dimension>(layout: &Signed<C>) -> StrideShape<D> {
        let rank = layout.rank();
        let mut sizes = D::zeros(rank);
        let mut widths = D::zeros(rank);
        let strides = strides(layout);
        for (dim, &size) in layout.shape().as_ref().iter().enumerate() {
            (sizes[dim], widths[dim]) = (size, strides[dim].unsigned_abs());
        }
        match layout.elements() {
            // ndarray takes these strides for overlapping ones, and has its own then.
            0 => sizes.into(),
            _ => sizes.strides(widths),
        }
    }

    /// The dimensions that count from the highest element.
    pub(crate) fn reversed<C: Coordinates>(layout: &Signed<C>) -> impl Iterator<Item = Axis> {
        let dimensions = (0..layout.rank()).filter(|&dim| layout.is_reversed(dim));
        dimensions.map(Axis)
    }

    pub(crate) fn array_view<'a, T: Element, L: ArrayLayout, D: Dimension>(
        view: View<'a, T, L>,
    ) -> Result<ArrayView<'a, T, D>, ConversionError> {
        let layout = strided::<T, L>(view.layout(), LIBRARY)?;
        // SAFETY: the top of this file. Strides without signs lead from the lowest element, which
        // is linear index 0, to the same elements; the dimensions whose strides have a sign are
        // then counted from their other end. `layout` was checked: the elements of all indices take
        // at most `isize::MAX` bytes. Without elements all strides are 0.
        let mut array = unsafe { ArrayView::from_shape_ptr(shape(&layout), view.as_ptr()) };
        reversed(&layout).for_each(|axis| array.invert_axis(axis));
        Ok(array)
    }

    pub(crate) fn array_view_mut<'a, T: Element, L: ArrayLayout, D: Dimension>(
        mut view: ViewMut<'a, T, L>,
    ) -> Result<ArrayViewMut<'a, T, D>, ConversionError> {
        let layout = strided::<T, L>(view.layout(), LIBRARY)?;
        // SAFETY: as in `array_view`.
        let mut array = unsafe { ArrayViewMut::from_shape_ptr(shape(&layout), view.as_mut_ptr()) };
        reversed(&layout).for_each(|axis| array.invert_axis(axis));
        Ok(array)
    }
}

#[cfg(feature = "nalgebra")]
pub(crate) mod nalgebra {
    use ::nalgebra::{Dim, Dyn, Matrix, MatrixView, MatrixViewMut, ViewStorage, ViewStorageMut};

    use xlayout_core::NotLowered;

    use super::*;

    pub(crate) const LIBRARY: &str = "nalgebra";

    /// The layout of a matrix whose sizes are not in its type.
    pub(crate) type Strided = StridedLayout<[usize; 2]>;

    pub(crate) fn layout<T: Element>(
        (rows, columns): (usize, usize),
        (of_rows, of_columns): (usize, usize),
    ) -> Result<Strided, ConversionError> {
        let too_large = |_| LayoutError::from(NotLowered::TooLarge);
        let strides = [
            isize::try_from(of_rows).map_err(too_large)?,
            isize::try_from(of_columns).map_err(too_large)?,
        ];
        Ok(layout_of::<T, _>([rows, columns], &strides)?.forwards()?)
    }

    /// The sizes of a layout of one or two dimensions, as the types that it has in nalgebra. A
    /// vector is one column.
    pub(crate) fn sizes<R: Dim, C: Dim>(
        layout: &impl ArrayLayout,
    ) -> Result<(R, C), ConversionError> {
        let (rows, columns) = match *layout.shape().as_ref() {
            [rows] => (rows, 1),
            [rows, columns] => (rows, columns),
            ref sizes => {
                let found = sizes.len();
                return Err(LayoutError::Rank { expected: 2, found }.into());
            }
        };
        // A size that a type says is that of the layout: this panics where it is another one.
        Ok((R::from_usize(rows), C::from_usize(columns)))
    }

    pub(crate) fn view<'a, T: Element, R: Dim, C: Dim, RS: Dim, CS: Dim>(
        matrix: MatrixView<'a, T, R, C, RS, CS>,
    ) -> Result<View<'a, T, Strided>, ConversionError> {
        let layout = layout::<T>(matrix.shape(), matrix.strides())?;
        let first = not_null(matrix.as_ptr());
        // SAFETY: the top of this file. The pointer of nalgebra is that of the element `[0, 0]`.
        Ok(unsafe { View::from_address(layout, first)? })
    }

    pub(crate) fn view_mut<'a, T: Element, R: Dim, C: Dim, RS: Dim, CS: Dim>(
        mut matrix: MatrixViewMut<'a, T, R, C, RS, CS>,
    ) -> Result<ViewMut<'a, T, Strided>, ConversionError> {
        let layout = layout::<T>(matrix.shape(), matrix.strides())?;
        let first = not_null(matrix.as_mut_ptr());
        // SAFETY: as in `view`.
        Ok(unsafe { ViewMut::from_address(layout, first)? })
    }

    /// The strides of rows and columns. A vector is one column, and [`sizes`] has no other ranks.
    fn steps<T: Element>(layout: &impl ArrayLayout) -> Result<(Dyn, Dyn), ConversionError> {
        let strides = positive(&strided::<T, _>(layout, LIBRARY)?, LIBRARY)?;
        let of_columns = strides.get(1).copied().unwrap_or(1);
        Ok((Dyn(strides[0]), Dyn(of_columns)))
    }

    pub(crate) fn matrix_view<'a, T: Element, L: ArrayLayout, R: Dim, C: Dim>(
        view: View<'a, T, L>,
    ) -> Result<MatrixView<'a, T, R, C, Dyn, Dyn>, ConversionError> {
        let sizes = sizes(view.layout())?;
        let strides = steps::<T>(view.layout())?;
        // SAFETY: the top of this file. No stride is negative, so that linear index 0 is the
        // element `[0, 0]`. The sizes are those of the layout.
        let storage = unsafe { ViewStorage::from_raw_parts(view.as_ptr(), sizes, strides) };
        Ok(Matrix::from_data(storage))
    }

    pub(crate) fn matrix_view_mut<'a, T: Element, L: ArrayLayout, R: Dim, C: Dim>(
        mut view: ViewMut<'a, T, L>,
    ) -> Result<MatrixViewMut<'a, T, R, C, Dyn, Dyn>, ConversionError> {
        let sizes = sizes(view.layout())?;
        let strides = steps::<T>(view.layout())?;
        // SAFETY: as in `matrix_view`.
        let storage = unsafe { ViewStorageMut::from_raw_parts(view.as_mut_ptr(), sizes, strides) };
        Ok(Matrix::from_data(storage))
    }
}

#[cfg(feature = "faer")]
pub(crate) mod faer {
    use ::faer::{ColMut, ColRef, MatMut, MatRef};

    use super::*;

    const LIBRARY: &str = "faer";

    macro_rules! views {
        ($(
            $name:ident: $theirs:ident, by $pointer:ident => $view:ident of rank $rank:literal,
            [$($size:ident),*] [$($stride:ident),*];
        )*) => {$(
            pub(crate) fn $name<T: Element>(
                array: $theirs<'_, T>,
            ) -> Result<$view<'_, T, Signed<[usize; $rank]>>, ConversionError> {
                let layout = layout_of::<T, _>([$(array.$size()),*], &[$(array.$stride()),*])?;
                let first = not_null(array.$pointer());
                // SAFETY: the top of this file. The pointer of faer is that of the first element.
                Ok(unsafe { $view::from_address(layout, first)? })
            }
        )*};
    }

    views! {
        view: MatRef, by as_ptr => View of rank 2, [nrows, ncols] [row_stride, col_stride];
        view_mut: MatMut, by as_ptr_mut => ViewMut of rank 2, [nrows, ncols] [row_stride, col_stride];
        column_view: ColRef, by as_ptr => View of rank 1, [nrows] [row_stride];
        column_view_mut: ColMut, by as_ptr_mut => ViewMut of rank 1, [nrows] [row_stride];
    }

    /// The address of the element `[0, 0, …]`, the sizes and the strides.
    type Parts<T, const N: usize> = (*mut T, [usize; N], [isize; N]);

    fn parts<T: Element, L: ArrayLayout<Coordinates = [usize; N]>, const N: usize>(
        layout: &L,
        lowest: *mut T,
    ) -> Result<Parts<T, N>, ConversionError> {
        let layout = strided::<T, L>(layout, LIBRARY)?;
        let first = lowest.wrapping_add(origin(&layout));
        let strides = strides(&layout);
        let strides = core::array::from_fn(|dim| strides[dim]);
        Ok((first, layout.shape(), strides))
    }

    pub(crate) fn matrix<'a, T: Element, L: ArrayLayout<Coordinates = [usize; 2]>>(
        view: View<'a, T, L>,
    ) -> Result<MatRef<'a, T>, ConversionError> {
        let (first, [rows, columns], [of_rows, of_columns]) =
            parts(view.layout(), view.as_ptr().cast_mut())?;
        // SAFETY: the top of this file.
        Ok(unsafe { MatRef::from_raw_parts(first, rows, columns, of_rows, of_columns) })
    }

    pub(crate) fn matrix_mut<'a, T: Element, L: ArrayLayout<Coordinates = [usize; 2]>>(
        mut view: ViewMut<'a, T, L>,
    ) -> Result<MatMut<'a, T>, ConversionError> {
        let lowest = view.as_mut_ptr();
        let (first, [rows, columns], [of_rows, of_columns]) = parts(view.layout(), lowest)?;
        // SAFETY: the top of this file.
        Ok(unsafe { MatMut::from_raw_parts_mut(first, rows, columns, of_rows, of_columns) })
    }

    pub(crate) fn column<'a, T: Element, L: ArrayLayout<Coordinates = [usize; 1]>>(
        view: View<'a, T, L>,
    ) -> Result<ColRef<'a, T>, ConversionError> {
        let (first, [rows], [stride]) = parts(view.layout(), view.as_ptr().cast_mut())?;
        // SAFETY: the top of this file.
        Ok(unsafe { ColRef::from_raw_parts(first, rows, stride) })
    }

    pub(crate) fn column_mut<'a, T: Element, L: ArrayLayout<Coordinates = [usize; 1]>>(
        mut view: ViewMut<'a, T, L>,
    ) -> Result<ColMut<'a, T>, ConversionError> {
        let lowest = view.as_mut_ptr();
        let (first, [rows], [stride]) = parts(view.layout(), lowest)?;
        // SAFETY: the top of this file.
        Ok(unsafe { ColMut::from_raw_parts_mut(first, rows, stride) })
    }
}
