//! The attributes of a layout: what is allocated with them, and where its strides are.
//!
//! The widths of the physical dimensions are a list, most minor first; a tile replaces the first
//! widths by its own and by how many tiles there are ("Tiled layout" of XLA's documentation).

use core::marker::PhantomData;
use core::ops::Mul;

use typenum::{Prod, U1, Unsigned};

use super::arithmetic::{CeilDiv, InBytes, Product, RoundUp};
use super::names::{Named, Names, TypeNumber};
use xlayout_core::types::list::{IntoTuple, Nth, Pick, Tuple};
use xlayout_core::types::{
    ElementWidth, Fill, MemSpace, MetadataBytes, Nat, Padded, SplitDim, Star, TailAlign, Tile,
};

/// The attributes, each in its place: the width of each dimension (dimension 0 first), the tiles
/// (the last one first), the tail alignment (`()` for none), and the bits of an element.
pub struct CollectedAttributes<Widths, Tiles, Tail, Bits>(PhantomData<(Widths, Tiles, Tail, Bits)>);

/// A list of attributes, to be added to what was read before.
pub trait Gather<Before> {
    type All;
}

impl<Before> Gather<Before> for () {
    type All = Before;
}

impl<X: Adds<Before>, Rest: Gather<X::All>, Before> Gather<Before> for (X, Rest) {
    type All = Rest::All;
}

/// An attribute, to be added to what was read before.
pub trait Adds<Before> {
    type All;
}

impl<Entries, W, Ts, A, B> Adds<CollectedAttributes<W, Ts, A, B>> for Tile<Entries> {
    type All = CollectedAttributes<W, (Self, Ts), A, B>;
}

impl<const N: usize, W, Ts, A, B> Adds<CollectedAttributes<W, Ts, A, B>> for TailAlign<N>
where
    Nat<N>: TypeNumber,
{
    type All = CollectedAttributes<W, Ts, <Nat<N> as TypeNumber>::Name, B>;
}

impl<const N: usize, W, Ts, A, B> Adds<CollectedAttributes<W, Ts, A, B>> for ElementWidth<N>
where
    Nat<N>: TypeNumber,
{
    type All = CollectedAttributes<W, Ts, A, <Nat<N> as TypeNumber>::Name>;
}

impl<Widths: Tuple<List: Named>, W, Ts, A, B> Adds<CollectedAttributes<W, Ts, A, B>>
    for Padded<Widths>
{
    type All = CollectedAttributes<Names<Widths>, Ts, A, B>;
}

// These do not change how much is allocated.
impl<const DIMENSION: i64, Indices, Before> Adds<Before> for SplitDim<DIMENSION, Indices> {
    type All = Before;
}
impl<Value, Before> Adds<Before> for Fill<Value> {
    type All = Before;
}
impl<const N: i8, Before> Adds<Before> for MemSpace<N> {
    type All = Before;
}
impl<const N: i64, Before> Adds<Before> for MetadataBytes<N> {
    type All = Before;
}

/// What is allocated, by the list of dimension numbers.
pub trait Allocation<MinorToMajor> {
    type Len: Unsigned;
    type ElementBits: Unsigned;
    type Bytes: Unsigned;
}

impl<W, Ts, A, B, MinorToMajor> Allocation<MinorToMajor> for CollectedAttributes<W, Ts, A, B>
where
    MinorToMajor: Pick<W>,
    Ts: Tiling<MinorToMajor::Picked, Widths: Product>,
    A: RoundUp<<Ts::Widths as Product>::Number, Number: Unsigned + InBytes<B>>,
    B: Unsigned,
{
    type Len = A::Number;
    type ElementBits = B;
    type Bytes = <A::Number as InBytes<B>>::Bytes;
}

/// Tiles, the last one first: the widths that they make of others.
pub trait Tiling<Widths> {
    type Widths;
}

impl<Widths> Tiling<Widths> for () {
    type Widths = Widths;
}

impl<Entries, Earlier, Widths> Tiling<Widths> for (Tile<Entries>, Earlier)
where
    Entries: Tuple,
    Earlier: Tiling<Widths>,
    Earlier::Widths: DivideByTile<Entries::Reversed>,
    Entries::Reversed: Inside<<Earlier::Widths as DivideByTile<Entries::Reversed>>::Widths>,
{
    type Widths = <Entries::Reversed as Inside<
        <Earlier::Widths as DivideByTile<Entries::Reversed>>::Widths,
    >>::Widths;
}

/// How many tiles there are along each width; a list that ends goes on with widths of 1.
#[diagnostic::on_unimplemented(
    message = "a tile ends in `*`, which has nothing to merge into",
    label = "end the tile with a size: `T(*,128)`"
)]
pub trait DivideByTile<Entries> {
    type Widths;
}

impl<Widths> DivideByTile<()> for Widths {
    type Widths = Widths;
}

impl<const N: usize, Entries, Width, Widths> DivideByTile<(Nat<N>, Entries)> for (Width, Widths)
where
    Nat<N>: TypeNumber,
    Widths: Merge<Width, <Nat<N> as TypeNumber>::Name, Entries>,
{
    type Widths = Widths::Widths;
}

impl<const N: usize, Entries> DivideByTile<(Nat<N>, Entries)> for ()
where
    Nat<N>: TypeNumber,
    (): Merge<U1, <Nat<N> as TypeNumber>::Name, Entries>,
{
    type Widths = <() as Merge<U1, <Nat<N> as TypeNumber>::Name, Entries>>::Widths;
}

/// The same with a width in hand that is to be cut by `Size`, after the `*` that merge more into
/// it.
pub trait Merge<Width, Size, Entries> {
    type Widths;
}

impl<Width: CeilDiv<Size>, Size, Widths> Merge<Width, Size, ()> for Widths {
    type Widths = (Width::Number, Widths);
}

impl<Width, Size, const N: usize, Entries, Widths> Merge<Width, Size, (Nat<N>, Entries)> for Widths
where
    Width: CeilDiv<Size>,
    Widths: DivideByTile<(Nat<N>, Entries)>,
{
    type Widths = (
        Width::Number,
        <Widths as DivideByTile<(Nat<N>, Entries)>>::Widths,
    );
}

impl<Width, Size, Entries, More, Widths> Merge<Width, Size, (Star, Entries)> for (More, Widths)
where
    More: Mul<Width>,
    Widths: Merge<Prod<More, Width>, Size, Entries>,
{
    type Widths = Widths::Widths;
}

impl<Width, Size, Entries> Merge<Width, Size, (Star, Entries)> for ()
where
    (): Merge<Width, Size, Entries>,
{
    type Widths = <() as Merge<Width, Size, Entries>>::Widths;
}

/// The widths of a tile itself, in front of others.
pub trait Inside<Others> {
    type Widths;
}

impl<Others> Inside<Others> for () {
    type Widths = Others;
}

impl<const N: usize, Entries: Inside<Others>, Others> Inside<Others> for (Nat<N>, Entries)
where
    Nat<N>: TypeNumber,
{
    type Widths = (<Nat<N> as TypeNumber>::Name, Entries::Widths);
}

impl<Entries: Inside<Others>, Others> Inside<Others> for (Star, Entries) {
    type Widths = Entries::Widths;
}

/// The strides, by the list of dimension numbers.
pub trait StridesBy<MinorToMajor> {
    type Strides;
}

// Every width is replaced by a stride, so any list of that length will do to begin with.
impl<W, Ts, A, B, MinorToMajor> StridesBy<MinorToMajor> for CollectedAttributes<W, Ts, A, B>
where
    Ts: NoTiles,
    MinorToMajor: StridesFrom<U1, W, W, Strides: IntoTuple>,
{
    type Strides = <MinorToMajor::Strides as IntoTuple>::Tuple;
}

/// No tiles.
#[diagnostic::on_unimplemented(
    message = "a tiled layout has no stride for each dimension",
    label = "needs a layout without tiles",
    note = "`TypeNumbers` has the other numbers of a tiled layout, and the constant `MODES` is \
            its memory map"
)]
pub trait NoTiles {}

impl NoTiles for () {}

/// Dimension numbers, most minor first: `Strides` with each of their strides in its place, the
/// first one `Next`.
pub trait StridesFrom<Next, Widths, Strides> {
    type Strides;
}

impl<Next, Widths, Strides> StridesFrom<Next, Widths, Strides> for () {
    type Strides = Strides;
}

impl<Dim, Dims, Next, Widths, Strides> StridesFrom<Next, Widths, Strides> for (Dim, Dims)
where
    Widths: Nth<Dim>,
    Strides: Nth<Dim>,
    Widths::Item: Mul<Next>,
    Dims: StridesFrom<Prod<Widths::Item, Next>, Widths, Strides::With<Next>>,
{
    type Strides = Dims::Strides;
}
