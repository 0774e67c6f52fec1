//! The numbers of a layout as typenum's types, for `where` clauses and for arrays of typenum's
//! lengths; and numbers of typenum as sizes of a layout.
//!
//! The constants of [`StaticLayout`] cannot be used in types as long as Rust lacks generic constant
//! expressions; associated types can. Nothing here is computed for a layout before a bound names
//! one of the traits, and nothing of [`StaticLayout`] itself depends on them.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod arithmetic;
mod attributes;
mod bits;
mod names;
mod size;

use typenum::Unsigned;

pub use bits::TypeBits;
pub use names::TypeNumber;
pub use size::Typenum;
/// The crate of type-level numbers that [`TypeNumbers`] uses.
pub use typenum;

use xlayout_core::types::list::Tuple;
use xlayout_core::types::{Attributes, MinorToMajor, NumberList, StaticDimensions, StaticLayout};
use xlayout_core::{ConstLayout, dtype::DType};

use arithmetic::Product;
use attributes::{Allocation, CollectedAttributes, Gather, StridesBy};
use names::{NamedTuple, Names};

/// The numbers of a layout as typenum's types: the twins of the constants of [`ConstLayout`].
///
/// Where a constant serves, use the constant. The twins are for what Rust's constants cannot do
/// yet: lengths in the types of generic code, and bounds on them.
///
/// ```
/// use typenum::{IsLess, True, U2, U3, U6, U24, U1024, Unsigned};
/// use xlayout_typenum::TypeNumbers;
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
///
/// // `layout!(f32[2,3]{0,1})`
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
///
/// // A kernel for layouts of less than a kibibyte that allocate `N` elements.
/// fn kernel<N: Unsigned, L>() -> usize
/// where
///     L: TypeNumbers<Len = N>,
///     L::Bytes: IsLess<U1024, Output = True>,
/// {
///     N::USIZE
/// }
/// assert_eq!(kernel::<U6, A>(), 6);
///
/// // Two layouts with equal sizes, however they lie in memory.
/// fn same_sizes<X: TypeNumbers, Y: TypeNumbers<Dims = X::Dims>>() {}
/// type B = StaticLayout<f64, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// same_sizes::<A, B>();
/// ```
///
/// Law: the `USIZE` of each twin is the constant of the same name (`Len` of `BUFFER_LEN`, and so
/// on), and `Dims` and `MinorToMajor` are the lists `SIZES` and `MINOR_TO_MAJOR`.
///
/// # Limits
/// - Every number that the layout is written with needs a name in typenum: 0 to 1024, powers of 2
///   and of 10, and powers of 2 less 1 have one. A dimension may also be any typenum number `P`,
///   written `type P`.
/// - A function that is generic over a dimension takes the whole layout as a bound:
///   `where layout!(f32[M, 3]): TypeNumbers`.
/// - What is a type of typenum cannot be the length of `[f32; N]`; the constant `BUFFER_LEN` can,
///   and typenum's `Unsigned` gives the number back as `USIZE`.
#[diagnostic::on_unimplemented(
    message = "the numbers of `{Self}` are not known as typenum's types",
    label = "no `TypeNumbers` for this layout",
    note = "a layout has them if it is `StaticLayout`, known at compile time as a whole"
)]
pub trait TypeNumbers: ConstLayout {
    /// The size of each dimension (a bounded dynamic one at its bound): the tuple `(U2, U3)` for
    /// `f32[2,3]`.
    type Dims;
    /// The dimension numbers, the one that varies fastest first, as a tuple.
    type MinorToMajor;
    /// The elements that memory is allocated for, padding included: the length of the buffer.
    type Len: Unsigned;
    /// The number of elements.
    type Elements: Unsigned;
    /// The bits of one element in memory.
    type ElementBits: Unsigned;
    /// The bytes that memory is allocated for, padding included.
    type Bytes: Unsigned;
}

/// The strides of a layout as typenum's types, where it is not tiled.
///
/// ```
/// use typenum::{U1, U2, U3, U5, U15};
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor, Padded};
/// use xlayout_typenum::{TypeNumbers, TypeStrides};
///
/// fn contiguous_rows<L: TypeStrides<Strides = (N, U1)>, N>() {}
///
/// // `layout!(f32[2,3]{1,0}, padded_dimensions = [3, 5])`
/// type Attributes = (Padded<(Nat<3>, Nat<5>)>,);
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, Attributes>;
/// contiguous_rows::<A, U5>();
/// fn is_15<L: TypeNumbers<Len = U15>>() {}
/// is_15::<A>();
/// ```
///
/// Law: `Strides` is the list [`STRIDES`](ConstLayout::STRIDES). A tiled layout has none, not even
/// where its tiles change nothing (there the constant exists).
#[diagnostic::on_unimplemented(
    message = "the strides of `{Self}` are not known as typenum's types",
    label = "no `TypeStrides` for this layout",
    note = "a layout has them if it is `StaticLayout`, known at compile time as a \
            whole, and not tiled"
)]
pub trait TypeStrides: TypeNumbers {
    /// The stride of each dimension in elements, dimension 0 first, as a tuple.
    type Strides;
}

/// The attributes of a layout, read.
type ReadOf<E, D, A> = <<A as Tuple>::List as Gather<
    CollectedAttributes<Names<D>, (), (), <E as TypeBits>::Bits>,
>>::All;

impl<E, D, O, A> TypeNumbers for StaticLayout<E, D, MinorToMajor<O>, A>
where
    E: DType + TypeBits,
    D: StaticDimensions + NamedTuple,
    O: NumberList + NamedTuple,
    A: Attributes + Tuple,
    A::List: Gather<CollectedAttributes<Names<D>, (), (), E::Bits>>,
    ReadOf<E, D, A>: Allocation<O::List>,
    Names<D>: Product,
    <Names<D> as Product>::Number: Unsigned,
{
    type Dims = D::Names;
    type MinorToMajor = O::Names;
    type Len = <ReadOf<E, D, A> as Allocation<O::List>>::Len;
    type Elements = <Names<D> as Product>::Number;
    type ElementBits = <ReadOf<E, D, A> as Allocation<O::List>>::ElementBits;
    type Bytes = <ReadOf<E, D, A> as Allocation<O::List>>::Bytes;
}

impl<E, D, O, A> TypeStrides for StaticLayout<E, D, MinorToMajor<O>, A>
where
    Self: TypeNumbers,
    E: TypeBits,
    D: NamedTuple,
    O: NamedTuple,
    A: Tuple,
    A::List: Gather<CollectedAttributes<Names<D>, (), (), E::Bits>>,
    ReadOf<E, D, A>: StridesBy<O::List>,
{
    type Strides = <ReadOf<E, D, A> as StridesBy<O::List>>::Strides;
}
