//! Names for arrays by their memory: borrowed, borrowed to write, owned.

use super::ArrayBase;
use crate::array_layout::ArrayLayout;
use crate::element::DType;

/// A borrowed array: a slice of elements and a layout, such as `View<'a, f32, layout!(f32[2,3]{0,1})>`.
///
/// [`View::new`](ArrayBase::new) compares the length and the element type of the slice with the layout, once. A
/// function takes [`&ArrayRef`](super::ArrayRef), which a view, an array and a part are; a struct has a `View`. Its methods are
/// those of [`ArrayBase`].
///
/// ```
/// use xlayout_core::{DynLayout, View};
///
/// let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
/// let view = View::new(&[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0][..], &layout)?;
/// assert_eq!(view[[1, 2]], 6.0);
/// assert!(View::new(&[1.0_f32, 2.0][..], &layout).is_err()); // 6 elements are needed
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type View<'a, T, L> = ArrayBase<&'a [T], L>;

/// A borrowed array that can be written to.
///
/// ```
/// use xlayout_core::{DynLayout, ViewMut};
///
/// let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
/// let mut memory = [0.0_f32; 6];
/// let mut view = ViewMut::new(&mut memory[..], layout)?;
/// view[[1, 2]] = 6.0;
/// assert_eq!(memory[5], 6.0);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type ViewMut<'a, T, L> = ArrayBase<&'a mut [T], L>;

/// An array that owns its memory.
///
/// [`as_view`](ArrayBase::as_view) and [`as_view_mut`](ArrayBase::as_view_mut) borrow it.
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

/// A borrowed array of a layout that says its element type: `ViewOf<'a, layout!(f32[2,3]{0,1})>` is
/// `View<'a, f32, layout!(f32[2,3]{0,1})>`. Its elements are those of [`DType::RustType`](crate::DType::RustType).
///
/// ```
/// use xlayout_core::types::{Nat, MinorToMajor, StaticLayout};
/// use xlayout_core::{Array, ArrayOf, ConstLayout, ViewOf};
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>; // layout!(f32[2,3])
///
/// fn first(x: ViewOf<'_, A>) -> f32 {
///     x[[0, 0]]
/// }
/// let array: ArrayOf<A> = Array::zeros(A::NEW)?;
/// assert_eq!(first(array.as_view()), 0.0);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type ViewOf<'a, L> = View<'a, <<L as ArrayLayout>::Type as DType>::RustType, L>;

/// A borrowed array that can be written to, of a layout that says its element type: see [`ViewOf`].
pub type ViewMutOf<'a, L> = ViewMut<'a, <<L as ArrayLayout>::Type as DType>::RustType, L>;

/// An array that owns its memory, of a layout that says its element type: see [`ViewOf`].
#[cfg(feature = "alloc")]
pub type ArrayOf<L> = Array<<<L as ArrayLayout>::Type as DType>::RustType, L>;
