//! A number of typenum as a size of a layout.

use core::marker::PhantomData;

use typenum::{Len, Length, Unsigned};
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
/// A number of more than 128 bits is an error of the compiler. A function that is generic over a number `N` has the
/// bound `N: Unsigned + Len`: `Len` counts the bits.
///
/// ```compile_fail,E0080
/// use typenum::{Prod, Sum, U8, U18446744073709551616 as Large};
/// use xlayout_core::ConstLayout;
/// use xlayout_core::types::{MinorToMajor, Nat, Num, StaticLayout};
/// use xlayout_typenum::Typenum;
///
/// // 2^128 + 8, of which a `u128` has room for the 8.
/// type N = Sum<Prod<Large, Large>, U8>;
/// type A = StaticLayout<f32, (Num<Typenum<N>>,), MinorToMajor<(Nat<0>,)>, ()>;
/// const SIZES: [usize; 1] = A::SIZES;
/// ```
pub struct Typenum<U>(PhantomData<fn() -> U>);

// `Len` is a bound because typenum's constants drop the bits that they have no room for.
impl<U: Unsigned + Len> SizeType for Typenum<U> {
    const SIZE: u128 = {
        assert!(
            Length::<U>::USIZE <= 128,
            "the size of a dimension is a number of typenum above 2^128: write a smaller one"
        );
        U::U128
    };
}
