//! A part of one dimension.

use core::marker::PhantomData;

use super::change::{EditAttributes, EditSizes};
use super::slice_layout::SliceLayout;
use crate::array_layout::ArrayLayout;
use crate::coordinates::Coordinates;
use crate::element::DType;
use crate::layout_error::LayoutError;
use crate::layouts::types::list::{IntoTuple, Nth, Sixteen, Tuple};
use crate::layouts::types::parts::{
    Attributes, Dimensions, ElementWidth, Fill, MemSpace, Nat, Padded, RunTime, StaticDimensions,
};
use crate::layouts::types::sealed::ChangedBy;
use crate::layouts::types::spec::OrderOf;
use crate::layouts::types::{MixedLayout, StaticLayout};
use crate::order::MinorToMajor;

/// A layout of which a part of dimension `DIM` is a layout again: with [`Nat<LEN>`](Nat) for
/// `Extent`, `LEN` steps of it; with [`RunTime`], as many as the run time says.
///
/// - A part of the most major dimension is the same kind of layout with another size: tiles, too,
///   if it begins and ends where tiles do.
/// - A part of another dimension is a [`SliceLayout`] of a padded layout; a tiled layout has none.
#[diagnostic::on_unimplemented(
    message = "a slice of dimension {DIM} of this layout is no layout",
    label = "dimension {DIM} cannot be sliced",
    note = "the layout is `{Self}`",
    note = "the most major dimension can be sliced, the last one of the minor-to-major list, at \
            the edges of tiles; others only where there are no tiles, alignment, splits or \
            dimensions that the run time knows. To slice a layout that has a `?`, ask for a \
            run-time range: `slice`",
    note = "a run-time range does not fit `padded_dimensions`, of which the type says all widths: \
            there say the length, as `into_const_slice::<DIM, START, LEN>()` or \
            `into_slice_at::<DIM, LEN>(start)`"
)]
pub trait SliceDimension<const DIM: usize, Extent>: ArrayLayout + ChangedBy<Extent> {
    /// The layout of the part.
    type Layout: ArrayLayout<Type = Self::Type>;

    /// The layout of the part that has this size; where it lies is another question.
    ///
    /// # Errors
    /// When the type says another size, or when a padded layout is not wide enough.
    #[doc(hidden)]
    fn with_len(&self, len: usize) -> Result<Self::Layout, LayoutError>;
}

/// The layout of a part of dimension `DIM`, `LEN` steps of it.
///
/// ```
/// use xlayout_core::types::{SliceLayout, Nat, StaticLayout, MinorToMajor, Padded, Sliced};
///
/// // layout!(f32[8,128]{1,0}): four rows are a layout!(f32[4,128]{1,0})
/// type A = StaticLayout<f32, (Nat<8>, Nat<128>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// type Rows = StaticLayout<f32, (Nat<4>, Nat<128>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// let rows: Sliced<A, 0, 4> = Rows::NEW;
///
/// // Half of each row has gaps.
/// type Padding = (Padded<(Nat<8>, Nat<128>)>,);
/// type Half = StaticLayout<f32, (Nat<8>, Nat<64>), MinorToMajor<(Nat<1>, Nat<0>)>, Padding>;
/// type Halves = SliceLayout<Half>;
/// let halves: Sliced<A, 1, 64> = Halves::default();
/// # let _ = (rows, halves);
/// ```
pub type Sliced<L, const DIM: usize, const LEN: usize> =
    <L as SliceDimension<DIM, Nat<LEN>>>::Layout;

/// Dimension `DIM` has another size.
pub struct Resize<const DIM: usize, Extent>(PhantomData<fn() -> Extent>);

impl<X, const DIM: usize, Extent> EditSizes<Resize<DIM, Extent>> for X
where
    X: Tuple<List: Nth<Nat<DIM>>>,
    <X::List as Nth<Nat<DIM>>>::With<Extent>: IntoTuple,
{
    type Edited = <<X::List as Nth<Nat<DIM>>>::With<Extent> as IntoTuple>::Tuple;
}

/// The size of a slice.
pub trait Extent: Sized {
    /// What a layout with a dimension of this size is.
    type Layout<E, D: Dimensions, O, A>;
}

impl<L, const LEN: usize> ChangedBy<Nat<LEN>> for L {}
impl<L> ChangedBy<RunTime> for L {}

impl<const LEN: usize> Extent for Nat<LEN> {
    type Layout<E, Dims: Dimensions, O, A> = StaticLayout<E, Dims, O, A>;
}

impl Extent for RunTime {
    type Layout<E, Dims: Dimensions, O, A> = MixedLayout<E, Dims, O, A>;
}

/// A layout that its sizes make.
pub trait OfSizes: ArrayLayout {
    fn of_sizes(sizes: Self::Coordinates) -> Result<Self, LayoutError>;
}

impl<L: OfSizes> OfSizes for SliceLayout<L> {
    fn of_sizes(sizes: L::Coordinates) -> Result<Self, LayoutError> {
        L::of_sizes(sizes).map(Self)
    }
}

/// Whether the dimension is the most major one decides what its slice is.
pub trait SliceOf<E, Dims, O, A, const DIM: usize, X> {
    type Layout;
}

impl<E, Dims, O, A, const DIM: usize, X> SliceOf<E, Dims, O, A, DIM, X> for MostMajor
where
    Dims: EditSizes<Resize<DIM, X>, Edited: Dimensions>,
    A: EditAttributes<Resize<DIM, X>>,
    X: Extent,
{
    type Layout = X::Layout<E, Dims::Edited, O, A::Edited>;
}

impl<E, Dims, O, A, const DIM: usize, X> SliceOf<E, Dims, O, A, DIM, X> for NotMostMajor
where
    Dims: EditSizes<Resize<DIM, X>, Edited: Dimensions>,
    A: Widths<Dims>,
    X: Extent,
{
    type Layout = SliceLayout<X::Layout<E, Dims::Edited, O, A::With>>;
}

/// Attributes with the widths of these dimensions as padding. What lies in the gaps is not padding,
/// so that no padding value is left.
pub trait Widths<Dims> {
    type With;
}

impl<Dims> Widths<Dims> for () {
    type With = (Padded<Dims>,);
}
impl<Dims, const N: usize> Widths<Dims> for (ElementWidth<N>,) {
    type With = (ElementWidth<N>, Padded<Dims>);
}
impl<Dims, const N: i8> Widths<Dims> for (MemSpace<N>,) {
    type With = (MemSpace<N>, Padded<Dims>);
}
impl<Dims, const N: usize, const M: i8> Widths<Dims> for (ElementWidth<N>, MemSpace<M>) {
    type With = (ElementWidth<N>, MemSpace<M>, Padded<Dims>);
}
impl<Dims, W> Widths<Dims> for (Padded<W>,) {
    type With = Self;
}
impl<Dims, W, Value> Widths<Dims> for (Padded<W>, Fill<Value>) {
    type With = (Padded<W>,);
}

/// A dimension is the most major one of a minor-to-major list.
pub struct MostMajor;

/// A dimension is not the most major one of a minor-to-major list.
pub struct NotMostMajor;

/// For each dimension number: not the most major one.
type NoneMostMajor = Sixteen<NotMostMajor>;

/// Whether a dimension is the most major one of a minor-to-major list: [`MostMajor`] or
/// [`NotMostMajor`].
pub trait IsMostMajor<const DIM: usize> {
    type Is;
}

impl<O, Major, Rest, const DIM: usize> IsMostMajor<DIM> for O
where
    O: Tuple<Reversed = (Major, Rest)>,
    NoneMostMajor: Nth<Major, With<MostMajor>: Nth<Nat<DIM>>>,
{
    type Is = <<NoneMostMajor as Nth<Major>>::With<MostMajor> as Nth<Nat<DIM>>>::Item;
}

macro_rules! slice {
    ([$($extent:tt)*] $kind:ident, $dimensions:ident, $x:ty) => {
        slice!([$($extent)*] $kind<E, Dims, MinorToMajor<O>, A>, $dimensions, $x,
            [O: IsMostMajor<DIM, Is: SliceOf<E, Dims, MinorToMajor<O>, A, DIM, $x>>], O::Is);
        // A part of a part has the gaps of both.
        slice!([$($extent)*] SliceLayout<$kind<E, Dims, MinorToMajor<O>, A>>, $dimensions, $x,
            [NotMostMajor: SliceOf<E, Dims, MinorToMajor<O>, A, DIM, $x>], NotMostMajor);
    };
    ([$($extent:tt)*] $of:ty, $dimensions:ident, $x:ty, [$($bound:tt)*], $is:ty) => {
        // The parts that do not fit are our own words for it: the layout is what the user wrote.
        #[diagnostic::do_not_recommend]
        impl<E, Dims, O, A, const DIM: usize, $($extent)*> SliceDimension<DIM, $x> for $of
        where
            E: DType,
            Dims: $dimensions,
            A: Attributes,
            $($bound)*,
            MinorToMajor<O>: OrderOf,
            <$is as SliceOf<E, Dims, MinorToMajor<O>, A, DIM, $x>>::Layout:
                OfSizes + ArrayLayout<Type = E, Coordinates = Dims::Coordinates>,
        {
            type Layout = <$is as SliceOf<E, Dims, MinorToMajor<O>, A, DIM, $x>>::Layout;

            fn with_len(&self, len: usize) -> Result<Self::Layout, LayoutError> {
                let mut sizes = self.shape();
                sizes.set(DIM, len);
                Self::Layout::of_sizes(sizes)
            }
        }
    };
}

slice!([const LEN: usize] StaticLayout, StaticDimensions, Nat<LEN>);
slice!([] StaticLayout, StaticDimensions, RunTime);
slice!([] MixedLayout, Dimensions, RunTime);
