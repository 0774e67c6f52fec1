//! Bitcasts between layouts that are known at compile time.

use core::marker::PhantomData;

use super::map::{find_transpose, reshape_obstacle};
use super::{ElementTypes, NotBitcast};
use crate::array_layout::ConstLayout;
use crate::const_text::{ConstText, stop};
use crate::dims::INLINE_RANK;

/// Whether an array of layout `B` is a bitcast of one of layout `A`, known at compile time.
///
/// The answers are constants, so that a program can choose by them, or refuse to compile:
///
/// ```
/// use xlayout_core::Bitcast;
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor, Tile};
///
/// // layout!(f32[16,256]{1,0:T(8,128)}), layout!(f32[2,8,2,128]{3,1,2,0}), layout!(f32[4096])
/// type Attributes = (Tile<(Nat<8>, Nat<128>)>,);
/// type Tiled = StaticLayout<f32, (Nat<16>, Nat<256>), MinorToMajor<(Nat<1>, Nat<0>)>, Attributes>;
/// type Tiles = StaticLayout<
///     f32,
///     (Nat<2>, Nat<8>, Nat<2>, Nat<128>),
///     MinorToMajor<(Nat<3>, Nat<1>, Nat<2>, Nat<0>)>,
///     (),
/// >;
/// type Flat = StaticLayout<f32, (Nat<4096>,), MinorToMajor<(Nat<0>,)>, ()>;
///
/// const { Bitcast::<Tiled, Tiles>::assert_reshape() }
/// assert!(const { !Bitcast::<Tiled, Flat>::IS_RESHAPE });
/// ```
///
/// ```compile_fail
/// # use xlayout_core::Bitcast;
/// # use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// # type ColumnMajor = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
/// # type Flat = StaticLayout<f32, (Nat<6>,), MinorToMajor<(Nat<0>,)>, ()>;
/// // layout!(f32[2,3]{0,1}) as layout!(f32[6])
/// const { Bitcast::<ColumnMajor, Flat>::assert_reshape() }
/// ```
///
/// The rules are those of [`reshape_obstacle`](super::reshape_obstacle) and
/// [`transpose_obstacle`](super::transpose_obstacle), element types compared.
pub struct Bitcast<A, B>(PhantomData<fn() -> (A, B)>);

impl<A: ConstLayout, B: ConstLayout> Bitcast<A, B> {
    const WHY_NO_RESHAPE: Option<NotBitcast> =
        reshape_obstacle(&A::MEMORY_MAP, &B::MEMORY_MAP, ElementTypes::Compared);

    const WHY_NO_TRANSPOSE: Option<NotBitcast> = {
        let mut permutation = [0; INLINE_RANK];
        find_transpose(
            &A::MEMORY_MAP,
            &B::MEMORY_MAP,
            permutation.split_at_mut(A::SIZES.len()).0,
            ElementTypes::Compared,
        )
    };

    /// Whether a reshape is a bitcast.
    ///
    /// ```
    /// use xlayout_core::Bitcast;
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// // layout!(f32[2,3])
    /// type Matrix = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// type Vector = StaticLayout<f32, (Nat<6>,), MinorToMajor<(Nat<0>,)>, ()>; // layout!(f32[6])
    /// const { assert!(Bitcast::<Matrix, Vector>::IS_RESHAPE) }
    /// ```
    #[doc(alias = "ReshapeIsBitcast")]
    pub const IS_RESHAPE: bool = Self::WHY_NO_RESHAPE.is_none();

    /// The permutation with which a transpose is a bitcast, `B::SIZES[i]` being
    /// `A::SIZES[permutation[i]]`, if there is one. `N` is the rank of both.
    ///
    /// ```
    /// use xlayout_core::Bitcast;
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// // layout!(f32[2,3]{1,0})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// // layout!(f32[3,2]{0,1})
    /// type B = StaticLayout<f32, (Nat<3>, Nat<2>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
    /// assert_eq!(const { Bitcast::<A, B>::transpose() }, Some([1, 0]));
    /// assert_eq!(const { Bitcast::<A, A>::transpose() }, Some([0, 1]));
    /// ```
    #[doc(alias("TransposeIsBitcast", "DeduceTransposeDimensionsForBitcast"))]
    #[must_use]
    pub const fn transpose<const N: usize>() -> Option<[i64; N]> {
        let mut permutation = [0; N];
        let a = &A::MEMORY_MAP;
        let b = &B::MEMORY_MAP;
        match find_transpose(a, b, &mut permutation, ElementTypes::Compared) {
            None => Some(permutation),
            Some(_) => None,
        }
    }

    /// Stops the compiler if a reshape is no bitcast: for `const { … }`.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::{Bitcast, ConstLayout};
    /// // layout!(f32[2,3])
    /// type Matrix = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// type Vector = StaticLayout<f32, (Nat<6>,), MinorToMajor<(Nat<0>,)>, ()>; // layout!(f32[6])
    /// fn flatten<A: ConstLayout, B: ConstLayout>() {
    ///     const { Bitcast::<A, B>::assert_reshape() }
    /// }
    /// flatten::<Matrix, Vector>();
    /// ```
    ///
    /// # Panics
    /// If it is not, with what differs.
    #[track_caller]
    pub const fn assert_reshape() {
        if let Some(obstacle) = Self::WHY_NO_RESHAPE {
            refuse("a reshape from ", A::SIZES, B::SIZES, obstacle);
        }
    }

    /// Stops the compiler if no transpose is a bitcast: for `const { … }`.
    ///
    /// ```
    /// use xlayout_core::Bitcast;
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// // layout!(f32[2,3]{1,0})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// // layout!(f32[3,2]{0,1})
    /// type B = StaticLayout<f32, (Nat<3>, Nat<2>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
    /// const { Bitcast::<A, B>::assert_transpose() }
    /// ```
    ///
    /// # Panics
    /// If none is, with what differs.
    #[track_caller]
    pub const fn assert_transpose() {
        if let Some(obstacle) = Self::WHY_NO_TRANSPOSE {
            refuse("a transpose from ", A::SIZES, B::SIZES, obstacle);
        }
    }
}

#[track_caller]
#[inline]
const fn refuse(what: &str, input: &[usize], output: &[usize], obstacle: NotBitcast) -> ! {
    let why = obstacle.text();
    let message = ConstText::new(what, &[])
        .list(input)
        .text(" to ")
        .list(output)
        .text(" is ");
    let whole = message.as_str().len() + why.as_str().len();
    let message = message.text(why.as_str());
    // Sixteen large sizes on both sides leave no room for the reason, which is what counts.
    stop(if message.as_str().len() == whole {
        message.as_str()
    } else {
        why.as_str()
    })
}
