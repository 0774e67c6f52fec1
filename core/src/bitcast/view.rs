//! Views of the same memory with another shape.

use super::Bitcast;
use super::shape::{why_no_reshape, why_no_transpose};
use crate::element::Element;
use crate::laid_out::{CarriedBy, FixedLayout, LaidOut};
use crate::misfit::Misfit;
use crate::view::{PackedOf, Storage, ViewOf};

impl<S: Storage, L: LaidOut> ViewOf<S, L> {
    /// The same memory as an array of layout `B`: each element keeps its row-major index. It
    /// compiles only where that is a bitcast, and costs nothing. `cargo build` says so, when code is
    /// generated; `cargo check` does not.
    ///
    /// ```
    /// use xlayout_core::fixed::{D, Fixed, MinorToMajor};
    /// use xlayout_core::{FixedLayout, View};
    ///
    /// type Matrix = Fixed<f32, (D<2>, D<3>), MinorToMajor<(D<1>, D<0>)>, ()>; // layout!(f32[2,3])
    /// type Vector = Fixed<f32, (D<6>,), MinorToMajor<(D<0>,)>, ()>; // layout!(f32[6])
    ///
    /// let view = View::new(&[0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0][..], Matrix::NEW)?;
    /// assert_eq!(view.reshape::<Vector>()[[4]], view[[1, 1]]);
    /// # Ok::<(), xlayout_core::Misfit>(())
    /// ```
    ///
    /// ```compile_fail
    /// # use xlayout_core::fixed::{D, Fixed, MinorToMajor};
    /// # use xlayout_core::{FixedLayout, View};
    /// # type ColumnMajor = Fixed<f32, (D<2>, D<3>), MinorToMajor<(D<0>, D<1>)>, ()>;
    /// # type Vector = Fixed<f32, (D<6>,), MinorToMajor<(D<0>,)>, ()>;
    /// // layout!(f32[2,3]{0,1}) as layout!(f32[6]): the elements lie in another sequence
    /// let view = View::new(&[0.0_f32; 6][..], ColumnMajor::NEW).unwrap();
    /// view.reshape::<Vector>();
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn reshape<B: FixedLayout<Type = L::Type>>(self) -> ViewOf<S, B>
    where
        L: FixedLayout,
    {
        const { Bitcast::<L, B>::assert_reshape() }
        self.with_equal_layout(B::NEW)
    }

    /// The same memory as an array of layout `B`: each element keeps its coordinates, permuted. It
    /// compiles only where that is a bitcast with some permutation, and costs nothing. There is only
    /// one but for dimensions of size 1; [`Bitcast::transpose`] tells which. `cargo build` says where
    /// there is none, when code is generated; `cargo check` does not.
    ///
    /// ```
    /// use xlayout_core::fixed::{D, Fixed, MinorToMajor};
    /// use xlayout_core::{FixedLayout, View};
    ///
    /// type A = Fixed<f32, (D<2>, D<3>), MinorToMajor<(D<1>, D<0>)>, ()>; // layout!(f32[2,3]{1,0})
    /// type B = Fixed<f32, (D<3>, D<2>), MinorToMajor<(D<0>, D<1>)>, ()>; // layout!(f32[3,2]{0,1})
    ///
    /// let view = View::new(&[0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0][..], A::NEW)?;
    /// assert_eq!(view.transpose::<B>()[[2, 1]], view[[1, 2]]);
    /// # Ok::<(), xlayout_core::Misfit>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn transpose<B: FixedLayout<Type = L::Type>>(self) -> ViewOf<S, B>
    where
        L: FixedLayout,
    {
        const { Bitcast::<L, B>::assert_transpose() }
        self.with_equal_layout(B::NEW)
    }

    /// The same memory as an array of another layout, when the reshape is a bitcast: for layouts that
    /// only the run time knows.
    ///
    /// ```
    /// use xlayout_core::{Dyn, View};
    /// let tiled: Dyn = "s32[4,4]{1,0:T(2,2)}".parse()?;
    /// let tiles: Dyn = "s32[2,2,2,2]{3,1,2,0}".parse()?;
    /// let flat: Dyn = "s32[16]".parse()?;
    /// let data: Vec<i32> = (0..16).collect();
    /// let view = View::new(&data[..], tiled)?;
    /// assert_eq!(view.as_view().try_reshape(tiles)?[[0, 1, 1, 0]], view[[1, 2]]);
    /// assert!(view.try_reshape(flat).is_err());
    /// # Ok::<(), xlayout_core::Misfit>(())
    /// ```
    ///
    /// # Errors
    /// [`Misfit::NoBitcast`] with what differs.
    pub fn try_reshape<M: LaidOut>(self, layout: M) -> Result<ViewOf<S, M>, Misfit>
    where
        S::Item: Element,
        M::Type: CarriedBy<S::Item>,
    {
        match why_no_reshape(self.layout(), &layout) {
            None => Ok(self.with_equal_layout(layout)),
            Some(obstacle) => Err(Misfit::NoBitcast(obstacle)),
        }
    }

    /// The same memory as an array of another layout, when the transpose by `permutation` (dimension
    /// `i` of `layout` is dimension `permutation[i]` of this one) is a bitcast.
    ///
    /// ```
    /// use xlayout_core::{Dyn, View};
    /// let rows: Dyn = "s32[2,3]{1,0}".parse()?;
    /// let columns: Dyn = "s32[3,2]{0,1}".parse()?;
    /// let view = View::new(&[0, 1, 2, 3, 4, 5][..], rows)?;
    /// assert_eq!(view.try_transpose(&[1, 0], columns)?[[2, 0]], 2);
    /// # Ok::<(), xlayout_core::Misfit>(())
    /// ```
    ///
    /// # Errors
    /// [`Misfit::NoBitcast`] with what differs.
    pub fn try_transpose<M: LaidOut>(
        self,
        permutation: &[i64],
        layout: M,
    ) -> Result<ViewOf<S, M>, Misfit>
    where
        S::Item: Element,
        M::Type: CarriedBy<S::Item>,
    {
        match why_no_transpose(self.layout(), &layout, permutation) {
            None => Ok(self.with_equal_layout(layout)),
            Some(obstacle) => Err(Misfit::NoBitcast(obstacle)),
        }
    }
}

impl<S: Storage<Item = u8>, L: LaidOut> PackedOf<S, L> {
    /// The same bytes as an array of layout `B`; see [`ViewOf::reshape`].
    ///
    /// ```
    /// use xlayout_core::fixed::{D, E, Fixed, MinorToMajor};
    /// use xlayout_core::{FixedLayout, Packed, dtype::s4};
    ///
    /// // layout!(s4[2,4]{1,0:E(4)}) as layout!(s4[8]{0:E(4)})
    /// type Matrix = Fixed<s4, (D<2>, D<4>), MinorToMajor<(D<1>, D<0>)>, (E<4>,)>;
    /// type Vector = Fixed<s4, (D<8>,), MinorToMajor<(D<0>,)>, (E<4>,)>;
    ///
    /// let view = Packed::new(&[0x10, 0x32, 0x54, 0x76][..], Matrix::NEW)?;
    /// assert_eq!(view.reshape::<Vector>().get(&[6]), Some(6));
    /// # Ok::<(), xlayout_core::Misfit>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn reshape<B: FixedLayout<Type = L::Type>>(self) -> PackedOf<S, B>
    where
        L: FixedLayout,
    {
        const { Bitcast::<L, B>::assert_reshape() }
        self.with_equal_layout(B::NEW)
    }

    /// The same bytes as an array of layout `B`; see [`ViewOf::transpose`].
    ///
    /// ```
    /// use xlayout_core::fixed::{D, E, Fixed, MinorToMajor};
    /// use xlayout_core::{FixedLayout, Packed, dtype::s4};
    ///
    /// // layout!(s4[2,4]{1,0:E(4)}) as layout!(s4[4,2]{0,1:E(4)})
    /// type A = Fixed<s4, (D<2>, D<4>), MinorToMajor<(D<1>, D<0>)>, (E<4>,)>;
    /// type B = Fixed<s4, (D<4>, D<2>), MinorToMajor<(D<0>, D<1>)>, (E<4>,)>;
    ///
    /// let view = Packed::new(&[0x10, 0x32, 0x54, 0x76][..], A::NEW)?;
    /// assert_eq!(view.transpose::<B>().get(&[2, 1]), view.get(&[1, 2]));
    /// # Ok::<(), xlayout_core::Misfit>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn transpose<B: FixedLayout<Type = L::Type>>(self) -> PackedOf<S, B>
    where
        L: FixedLayout,
    {
        const { Bitcast::<L, B>::assert_transpose() }
        self.with_equal_layout(B::NEW)
    }
}
