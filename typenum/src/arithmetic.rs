//! Arithmetic that typenum leaves to its users.

use core::ops::{Add, Mul, Sub};

use typenum::{
    B0, B1, Bit, Cmp, Compare, Diff, Equal, Greater, Less, Prod, Sum, U1, U8, UInt, UTerm, Unsigned,
};

/// The product of a list.
pub trait Product {
    type Number;
}

impl Product for () {
    type Number = U1;
}

impl<X, Rest> Product for (X, Rest)
where
    Rest: Product,
    X: Mul<Rest::Number>,
{
    type Number = Prod<X, Rest::Number>;
}

/// `ceil(Self / N)`; 0 divides nothing.
///
/// Tiles are mostly powers of 2, and halving both numbers is far cheaper for the compiler than a
/// division, which only an odd divisor needs.
pub trait CeilDiv<N> {
    type Number;
}

impl<N> CeilDiv<N> for UTerm {
    type Number = UTerm;
}

impl<X: CeilDiv<N>, N> CeilDiv<UInt<N, B0>> for UInt<X, B0> {
    type Number = X::Number;
}

impl<X, N> CeilDiv<UInt<N, B0>> for UInt<X, B1>
where
    X: Add<B1, Output: CeilDiv<N>>,
{
    type Number = <X::Output as CeilDiv<N>>::Number;
}

impl<X, B> CeilDiv<U1> for UInt<X, B> {
    type Number = Self;
}

// `(X + (N - 1)) / N`, where `N - 1` of an odd `N` is `N` with its last bit cleared.
impl<X, B, N, C> CeilDiv<UInt<UInt<N, C>, B1>> for UInt<X, B>
where
    Self: Add<UInt<UInt<N, C>, B0>, Output: DivRem<UInt<UInt<N, C>, B1>>>,
{
    type Number = <Sum<Self, UInt<UInt<N, C>, B0>> as DivRem<UInt<UInt<N, C>, B1>>>::Quotient;
}

/// Long division, the top bit of `Self` first. typenum's own meets the compiler's recursion limit
/// at numbers of 40 bits, and with a divisor that is a parameter of generic code.
pub trait DivRem<N> {
    type Quotient;
    type Remainder;
}

impl<N> DivRem<N> for UTerm {
    type Quotient = UTerm;
    type Remainder = UTerm;
}

impl<X, B, N> DivRem<N> for UInt<X, B>
where
    X: DivRem<N, Remainder: WithBit<B, Number: Step<X::Quotient, N>>>,
{
    type Quotient = <BroughtDown<X, B, N> as Step<X::Quotient, N>>::Quotient;
    type Remainder = <BroughtDown<X, B, N> as Step<X::Quotient, N>>::Remainder;
}

/// The remainder of the bits before, with the next bit.
type BroughtDown<X, B, N> = <<X as DivRem<N>>::Remainder as WithBit<B>>::Number;

/// `2 * Self + B`: typenum's 0 is `UTerm`, without bits.
pub trait WithBit<B> {
    type Number;
}

impl WithBit<B0> for UTerm {
    type Number = UTerm;
}

impl WithBit<B1> for UTerm {
    type Number = U1;
}

impl<X, C, B> WithBit<B> for UInt<X, C> {
    type Number = UInt<Self, B>;
}

/// The next bit of the quotient, for a remainder below `2 * N`.
pub trait Step<Quotient, N> {
    type Quotient;
    type Remainder;
}

impl<X, Q, N> Step<Q, N> for X
where
    X: Cmp<N, Output: StepBy<X, Q, N>>,
{
    type Quotient = <Compare<X, N> as StepBy<X, Q, N>>::Quotient;
    type Remainder = <Compare<X, N> as StepBy<X, Q, N>>::Remainder;
}

/// The same, by how the remainder compares with `N`.
pub trait StepBy<X, Q, N> {
    type Quotient;
    type Remainder;
}

impl<X, Q: WithBit<B0>, N> StepBy<X, Q, N> for Less {
    type Quotient = Q::Number;
    type Remainder = X;
}

impl<X, Q: WithBit<B1>, N> StepBy<X, Q, N> for Equal {
    type Quotient = Q::Number;
    type Remainder = UTerm;
}

impl<X: Sub<N>, Q: WithBit<B1>, N> StepBy<X, Q, N> for Greater {
    type Quotient = Q::Number;
    type Remainder = Diff<X, N>;
}

/// Rounds `N` up to a multiple of the tail alignment; `()` means no alignment.
pub trait RoundUp<N> {
    type Number;
}

impl<N> RoundUp<N> for () {
    type Number = N;
}

impl<N, U: Unsigned, B: Bit> RoundUp<N> for UInt<U, B>
where
    N: CeilDiv<Self>,
    Self: Mul<N::Number>,
{
    type Number = Prod<Self, N::Number>;
}

/// The bytes of this number of elements of `Bits` each.
pub trait InBytes<Bits> {
    type Bytes: Unsigned;
}

impl<N, Bits> InBytes<Bits> for N
where
    Bits: Mul<N, Output: CeilDiv<U8, Number: Unsigned>>,
{
    type Bytes = <Prod<Bits, N> as CeilDiv<U8>>::Number;
}
