//! Names for arrays by their memory: borrowed, borrowed to write, owned.

use super::ArrayBase;

/// A borrowed array whose memory is a slice, such as `SliceView<'a, f32, layout!(f32[2,3]{0,1})>`.
///
/// [`SliceView::new`](ArrayBase::new) compares the length and the element type of the slice with
/// the layout, once. A [`View`](crate::View) has an address instead, because elements of other
/// parts may lie between its elements; of a slice the compiler knows that nothing else writes to
/// it. A function takes [`&ArrayRef`](super::ArrayRef), which both are, and an array. Its methods
/// are those of [`ArrayBase`].
///
/// ```
/// use xlayout_core::{DynLayout, SliceView};
///
/// let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
/// let view = SliceView::new(&layout, &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0][..])?;
/// assert_eq!(view[[1, 2]], 6.0);
/// assert!(SliceView::new(&layout, &[1.0_f32, 2.0][..]).is_err()); // 6 elements are needed
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type SliceView<'a, T, L> = ArrayBase<&'a [T], L>;

/// A borrowed array whose memory is a slice, and that can be written to.
///
/// ```
/// use xlayout_core::{DynLayout, SliceViewMut};
///
/// let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
/// let mut memory = [0.0_f32; 6];
/// let mut view = SliceViewMut::new(layout, &mut memory[..])?;
/// view[[1, 2]] = 6.0;
/// assert_eq!(memory[5], 6.0);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type SliceViewMut<'a, T, L> = ArrayBase<&'a mut [T], L>;

/// An array that owns its memory.
///
/// [`as_view`](ArrayBase::as_slice_view) and [`as_view_mut`](ArrayBase::as_slice_view_mut) borrow
/// it.
///
/// ```
/// use xlayout_core::{Array, DynLayout};
///
/// let layout: DynLayout = "f32[2,3]{1,0:T(2,2)}".parse()?;
/// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as f32)?;
/// assert_eq!(array[[1, 2]], 12.0);
/// assert_eq!(array.memory().len(), 8); // 6 elements and 2 of padding
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[cfg(feature = "alloc")]
pub type Array<T, L> = ArrayBase<super::Owned<T>, L>;
