//! A number of typenum as a size of a layout.

use core::marker::PhantomData;

use typenum::Unsigned;
use xlayout_core::types::SizeType;

/// A number of typenum, for [`Num`](xlayout_core::types::Num): `Num<Typenum<U8>>` is the size that
/// `layout!(f32[type U8])` has.
///
/// ```
/// use typenum::U8;
/// use xlayout_core::ConstLayout;
/// use xlayout_core::types::{MinorToMajor, Nat, Num, StaticLayout};
/// use xlayout_typenum::Typenum;
///
/// type A = StaticLayout<f32, (Num<Typenum<U8>>,), MinorToMajor<(Nat<0>,)>, ()>;
/// assert_eq!(A::SIZES, [8]);
/// ```
///
/// The size is typenum's constant `U128`. Of a number above 2^128 typenum gives the lower 128 bits
/// there, and says nothing; only the bound `Len` of typenum could show the lost bits, and every
/// generic function would have to state it.
pub struct Typenum<U>(PhantomData<fn() -> U>);

impl<U: Unsigned> SizeType for Typenum<U> {
    const SIZE: u128 = U::U128;
}
