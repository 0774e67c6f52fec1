//! The numbers of a layout's type, by typenum's names.

use typenum::{Const, ToUInt, U, Unsigned};

use xlayout_core::types::list::{IntoTuple, Tuple};
use xlayout_core::types::{AtMost, Nat, Num};

use crate::Typenum;

/// A number in the type of a layout that has a name in typenum.
#[diagnostic::on_unimplemented(
    message = "typenum has no name for the number in `{Self}`",
    label = "a number of this layout has no type in typenum",
    note = "0 to 1024, powers of 2 and of 10, and powers of 2 less 1 have names",
    note = "a dimension may be any typenum number `P`: write it `type P`, as in \
            `layout!(f32[type P, 3])`",
    note = "code that is generic over the number takes the layout as a bound: \
            `where layout!(…): TypeNumbers`"
)]
pub trait TypeNumber {
    /// The name.
    type Name: Unsigned;
}

// What is missing is a name for the number, not an implementation of one of typenum's traits.
#[diagnostic::do_not_recommend]
impl<const N: usize> TypeNumber for Nat<N>
where
    Const<N>: ToUInt<Output: Unsigned>,
{
    type Name = U<N>;
}

#[diagnostic::do_not_recommend]
impl<const N: usize> TypeNumber for AtMost<N>
where
    Const<N>: ToUInt<Output: Unsigned>,
{
    type Name = U<N>;
}

impl<P: Unsigned> TypeNumber for Num<Typenum<P>> {
    type Name = P;
}

/// A list of numbers, by their names.
pub trait Named {
    type Names;
}

impl Named for () {
    type Names = ();
}

impl<X: TypeNumber, Rest: Named> Named for (X, Rest) {
    type Names = (X::Name, Rest::Names);
}

/// A tuple of numbers, by their names.
pub trait NamedTuple: Tuple<List: Named<Names: IntoTuple>> {
    type Names;
}

impl<X: Tuple<List: Named<Names: IntoTuple>>> NamedTuple for X {
    type Names = <Names<X> as IntoTuple>::Tuple;
}

/// The names as a list.
pub(crate) type Names<X> = <<X as Tuple>::List as Named>::Names;
