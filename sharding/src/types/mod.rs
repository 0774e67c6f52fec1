//! Layouts of arrays that are spread over devices, as types.

mod parts;
mod rule;
/// The value under the name of its type: imported by a glob it gives way to the type where a type
/// is meant, so that one path is both.
mod value {
    pub use super::Sharded::Value as Sharded;
}

use core::convert::Infallible;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;

use parts::sealed;
pub use parts::{
    DeviceOrder, Grid, Group, Groups, Iota, LastTileDimReplicate, Listed, Manual, Maximal,
    MaximalGroup, Replicated, Rows, ShardingRule, UnknownSharding, Unreduced,
};
use rule::Unfit;
pub use value::*;

use xlayout_core::__private::stop;
use xlayout_core::types::{
    Attributes, Dimensions, MixedLayout, OrderOf, StaticDimensions, StaticLayout,
};
use xlayout_core::{ArrayLayout, ConstLayout, Dim, dtype::DType};

/// The layout of an array that is spread over devices: what
/// `layout!(f32[1024,512]{1,0}, sharding = {devices=[2,4]<=[8]})` names.
///
/// `Global` is the layout of the whole, `PerDevice` that of the buffer that each device holds, and
/// `Sharding` says which part that is. Like [`StaticLayout`](enum@StaticLayout) it is a type and a
/// value, holds nothing, and two equal notations are one type. XLA pads the parts to the same size:
/// where a dimension does not divide, `PerDevice` has the quotient rounded up, and the last parts
/// have fewer elements, as [`index_range`](Self::index_range) says.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// use xlayout_sharding::types::{Grid, Iota, Sharded, ShardedLayout};
/// use xlayout_core::ConstLayout;
///
/// // What `layout!(f32[10,512]{1,0}, sharding = {devices=[4,2]<=[8]})` expands to:
/// type A = Sharded<
///     StaticLayout<f32, (Nat<10>, Nat<512>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>,
///     StaticLayout<f32, (Nat<3>, Nat<256>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>,
///     Grid<(Nat<4>, Nat<2>), Iota<(Nat<8>,), (Nat<0>,)>, ()>,
/// >;
/// assert_eq!(A::NUM_DEVICES, Some(8));
/// assert_eq!(<A as ShardedLayout>::PerDevice::SIZES, [3, 256]);
/// assert_eq!(const { A::tile_index(7) }, Some([3, 1]));
/// assert_eq!(const { A::index_range(7) }, Some([9..10, 256..512]));
/// ```
pub enum Sharded<Global, PerDevice, Sharding> {
    /// The value, which is beside the type under the type's name.
    Value,
    #[doc(hidden)]
    Parameters(
        Infallible,
        PhantomData<fn() -> (Global, PerDevice, Sharding)>,
    ),
}

/// The layout of what each device holds of an array with this sharded layout.
///
/// ```
/// use xlayout_core::types::{MinorToMajor, Nat, StaticLayout};
/// use xlayout_core::ConstLayout;
/// use xlayout_sharding::types::{Grid, Iota, PerDevice, Sharded};
///
/// // layout!(f32[8]{0}, sharding = {devices=[4]<=[4]})
/// type Of<const N: usize> = StaticLayout<f32, (Nat<N>,), MinorToMajor<(Nat<0>,)>, ()>;
/// type A = Sharded<Of<8>, Of<2>, Grid<(Nat<4>,), Iota<(Nat<4>,), (Nat<0>,)>, ()>>;
/// assert_eq!(<PerDevice<A>>::SIZES, [2]);
/// ```
pub type PerDevice<L> = <L as ShardedLayout>::PerDevice;

/// A layout of an array that is spread over devices: for code that is generic over it.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// use xlayout_sharding::types::{Replicated, Sharded, ShardedLayout};
/// use xlayout_core::ConstLayout;
///
/// fn bytes_on_all_devices<L: ShardedLayout<PerDevice: ConstLayout>>(devices: usize) -> usize {
///     devices * L::PerDevice::BYTES
/// }
/// // layout!(f32[8], sharding = {replicated})
/// type A = StaticLayout<f32, (Nat<8>,), MinorToMajor<(Nat<0>,)>, ()>;
/// assert_eq!(bytes_on_all_devices::<Sharded<A, A, Replicated>>(4), 128);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the layout of an array that is spread over devices",
    label = "expected a layout with a sharding",
    note = "write one as `layout!(f32[1024,512]{{1,0}}, sharding = {{devices=[2,4]<=[8]}})`"
)]
pub trait ShardedLayout: sealed::Sealed + Copy + Default {
    /// The layout of the whole.
    type Global: ArrayLayout<Type: DType> + 'static;
    /// The layout of the buffer that each device holds, padded to the same size for all.
    type PerDevice: ArrayLayout<
            Type = <Self::Global as ArrayLayout>::Type,
            Coordinates = <Self::Global as ArrayLayout>::Coordinates,
        >;
    /// Which part a device holds.
    type Sharding: ShardingRule;
    /// How many devices there are; nothing where any number will do.
    const NUM_DEVICES: Option<i64>;
    /// Into how many parts each dimension is cut, dimension 0 first; empty where none is.
    const PARTS: &'static [i64];

    /// The coordinates that a device holds, for each dimension, as [`Sharded::index_range`]: for
    /// code that is generic over the layout. `None` for a device that holds no tile.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::{ConstLayout, Rank};
    /// use xlayout_sharding::types::{Grid, Iota, Sharded, ShardedLayout};
    ///
    /// fn rows<L: ShardedLayout<Global: ConstLayout + Rank<2>>>(device: i64) -> usize {
    ///     let [rows, _] = L::index_range(device).expect("the device holds a tile");
    ///     rows.len()
    /// }
    /// // layout!(f32[10,512]{1,0}, sharding = {devices=[4,2]<=[8]})
    /// type A = Sharded<
    ///     StaticLayout<f32, (Nat<10>, Nat<512>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>,
    ///     StaticLayout<f32, (Nat<3>, Nat<256>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>,
    ///     Grid<(Nat<4>, Nat<2>), Iota<(Nat<8>,), (Nat<0>,)>, ()>,
    /// >;
    /// assert_eq!((rows::<A>(0), rows::<A>(7)), (3, 1));
    /// ```
    #[must_use]
    fn index_range<const N: usize>(device: i64) -> Option<[Range<usize>; N]>
    where
        Self::Global: ConstLayout<Coordinates = [usize; N]>,
    {
        Self::index_range_in(&Self::Global::NEW, device)
    }

    /// The same where the global layout has sizes that only the run time knows.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, MinorToMajor, MixedLayout, RunTime};
    /// use xlayout_sharding::types::{Grid, Iota, Sharded, ShardedLayout};
    /// // layout!(f32[?,512], sharding = {devices=[1,4]<=[4]})
    /// type Order = MinorToMajor<(Nat<1>, Nat<0>)>;
    /// type Rows<const N: usize> = MixedLayout<f32, (RunTime, Nat<N>), Order, ()>;
    /// type Cut = Grid<(Nat<1>, Nat<4>), Iota<(Nat<4>,), (Nat<0>,)>, ()>;
    /// type A = Sharded<Rows<512>, Rows<128>, Cut>;
    /// let rows = Rows::with_sizes([7, 512])?;
    /// assert_eq!(A::index_range_in(&rows, 1), Some([0..7, 128..256]));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[must_use]
    fn index_range_in<const N: usize>(
        global: &Self::Global,
        device: i64,
    ) -> Option<[Range<usize>; N]>
    where
        Self::Global: ArrayLayout<Coordinates = [usize; N]>;
}

/// The dimensions of a layout with a notation.
pub trait HasDims: sealed::Sealed {
    #[doc(hidden)]
    const DIMENSIONS: &'static [Dim];
}

impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> HasDims
    for StaticLayout<E, D, O, A>
{
    const DIMENSIONS: &'static [Dim] = D::DIMS;
}

impl<E: DType, D: Dimensions, O: OrderOf, A: Attributes> HasDims for MixedLayout<E, D, O, A> {
    const DIMENSIONS: &'static [Dim] = D::DIMS;
}

impl<G: ArrayLayout + HasDims, P: ArrayLayout + HasDims, S: ShardingRule> Sharded<G, P, S> {
    const CHECKED: () = match S::RULE.check(G::DIMENSIONS, P::DIMENSIONS) {
        Ok(()) => {}
        Err(Unfit::Rank) => stop(
            "the sharding cuts another number of dimensions than there are; write one number in \
             the grid for each dimension, then the sizes of subgroups",
        ),
        Err(Unfit::Numbers) => {
            stop("a number in the grid of the sharding is below 1, or all overflow")
        }
        Err(Unfit::Devices) => stop("the sharding has not one device for each place of its grid"),
        Err(Unfit::PerDevice) => stop(
            "the layout on each device has other sizes than the parts of the whole; divide each \
             size by the number of its parts, rounding up",
        ),
    };

    /// How many devices there are; nothing where any number will do.
    pub const NUM_DEVICES: Option<i64> = {
        let () = Self::CHECKED;
        S::RULE.devices()
    };

    /// Into how many parts each dimension is cut, dimension 0 first; empty where none is.
    pub const PARTS: &'static [i64] = {
        let () = Self::CHECKED;
        S::RULE.parts()
    };

    /// The value of this type; there is only one.
    pub const NEW: Self = {
        let () = Self::CHECKED;
        Self::Value
    };

    /// The sharding as a value.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_sharding::types::{Maximal, Sharded};
    /// // layout!(f32[8], sharding = {maximal device=3})
    /// type A = StaticLayout<f32, (Nat<8>,), MinorToMajor<(Nat<0>,)>, ()>;
    /// let sharding = Sharded::<A, A, Maximal<3>>::NEW.sharding()?;
    /// assert_eq!(sharding.unique_device(), Some(3));
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    ///
    /// # Errors
    /// None if `layout!` wrote the type. Of a type that is written by hand: if it lists only one
    /// device, or if each subgroup must be written out to be sorted, and there are more than
    /// [`MAX_WRITTEN_OUT`](crate::MAX_WRITTEN_OUT) devices.
    pub fn sharding(&self) -> Result<crate::Sharding, crate::ShardingError> {
        let () = Self::CHECKED;
        S::RULE.sharding()
    }
}

impl<G, P, S, const N: usize> Sharded<G, P, S>
where
    G: ArrayLayout<Coordinates = [usize; N]> + HasDims,
    P: ArrayLayout<Coordinates = [usize; N]> + HasDims,
    S: ShardingRule,
{
    /// The number of the device's tile along each dimension; 0 if the dimension is not divided.
    /// `None` for a device that holds no tile, and for the shardings `manual` and `unknown`.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_sharding::types::{Grid, Iota, Sharded};
    /// // layout!(f32[10,512]{1,0}, sharding = {devices=[4,2]<=[8]})
    /// type A = Sharded<
    ///     StaticLayout<f32, (Nat<10>, Nat<512>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>,
    ///     StaticLayout<f32, (Nat<3>, Nat<256>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>,
    ///     Grid<(Nat<4>, Nat<2>), Iota<(Nat<8>,), (Nat<0>,)>, ()>,
    /// >;
    /// assert_eq!(const { A::tile_index(7) }, Some([3, 1]));
    /// assert_eq!(A::tile_index(8), None);
    /// ```
    #[must_use]
    pub const fn tile_index(device: i64) -> Option<[usize; N]> {
        let () = Self::CHECKED;
        let mut index = [0; N];
        if S::RULE.tile_index(device, &mut index) {
            Some(index)
        } else {
            None
        }
    }

    /// The coordinates that a device holds, for each dimension. The last parts of a dimension that
    /// does not divide are smaller, or empty.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_sharding::types::{Grid, Iota, Sharded};
    /// // layout!(f32[10,512]{1,0}, sharding = {devices=[4,2]<=[8]})
    /// type A = Sharded<
    ///     StaticLayout<f32, (Nat<10>, Nat<512>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>,
    ///     StaticLayout<f32, (Nat<3>, Nat<256>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>,
    ///     Grid<(Nat<4>, Nat<2>), Iota<(Nat<8>,), (Nat<0>,)>, ()>,
    /// >;
    /// assert_eq!(const { A::index_range(7) }, Some([9..10, 256..512]));
    /// ```
    #[must_use]
    pub const fn index_range(device: i64) -> Option<[Range<usize>; N]>
    where
        G: ConstLayout,
    {
        match Self::tile_index(device) {
            Some(tile) => Some(ranges::<S, N>(&G::SIZE_COORDINATES, &tile)),
            None => None,
        }
    }
}

const fn ranges<S: ShardingRule, const N: usize>(
    sizes: &[usize; N],
    tile: &[usize; N],
) -> [Range<usize>; N] {
    let mut ranges = [const { 0..0 }; N];
    each!(d, 0..N, {
        let (start, end) = S::RULE.range(d, sizes[d], tile[d]);
        ranges[d].start = start;
        ranges[d].end = end;
    });
    ranges
}

impl<G, P, S> sealed::Sealed for Sharded<G, P, S> {}
impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> sealed::Sealed
    for StaticLayout<E, D, O, A>
{
}
impl<E: DType, D: Dimensions, O: OrderOf, A: Attributes> sealed::Sealed
    for MixedLayout<E, D, O, A>
{
}

#[diagnostic::do_not_recommend]
impl<G, P, S> ShardedLayout for Sharded<G, P, S>
where
    G: ArrayLayout<Type: DType> + HasDims + 'static,
    P: ArrayLayout<Type = G::Type, Coordinates = G::Coordinates> + HasDims,
    S: ShardingRule,
{
    type Global = G;
    type PerDevice = P;
    type Sharding = S;
    const NUM_DEVICES: Option<i64> = Self::NUM_DEVICES;
    const PARTS: &'static [i64] = Self::PARTS;

    fn index_range_in<const N: usize>(global: &G, device: i64) -> Option<[Range<usize>; N]>
    where
        G: ArrayLayout<Coordinates = [usize; N]>,
    {
        Self::tile_index(device).map(|tile| ranges::<S, N>(&global.shape(), &tile))
    }
}

xlayout_core::by_value! { [G, P, S] Sharded<G, P, S>: Copy Hash = |_it| () }

impl<G, P, S> Default for Sharded<G, P, S> {
    #[inline(always)]
    fn default() -> Self {
        Self::Value
    }
}

impl<G: ConstLayout, P, S: ShardingRule> fmt::Debug for Sharded<G, P, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "layout!({self})")
    }
}

/// As it is written in `layout!`: `f32[8,4]{1,0}, sharding = {devices=[2,1]<=[2]}`.
impl<G: ConstLayout, P, S: ShardingRule> fmt::Display for Sharded<G, P, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, sharding = ", G::NEW.array_shape())?;
        match S::RULE.sharding() {
            Ok(sharding) => sharding.fmt(f),
            Err(why) => why.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use xlayout_core::Rank;
    use xlayout_core::types::{MinorToMajor, MixedLayout, Nat, RunTime, StaticLayout};

    use super::*;

    type Rows = MinorToMajor<(Nat<1>, Nat<0>)>;

    /// Rows in two parts and columns in three, the devices column by column.
    type Devices = Grid<(Nat<2>, Nat<3>), Iota<(Nat<3>, Nat<2>), (Nat<1>, Nat<0>)>, ()>;

    #[test]
    fn the_value_of_a_type_is_equal_to_itself_and_prints_what_the_macro_reads() {
        type Whole = StaticLayout<f32, (Nat<5>, Nat<7>), Rows, ()>;
        type Part = StaticLayout<f32, (Nat<3>, Nat<3>), Rows, ()>;
        type A = Sharded<Whole, Part, Devices>;
        let text = "f32[5,7]{1,0}, sharding = {devices=[2,3]<=[3,2]T(1,0)}";
        assert_eq!(A::NEW, A::default());
        assert_eq!(std::format!("{}", A::NEW), text);
        assert_eq!(
            std::format!("{:?}", A::NEW),
            std::format!("layout!({text})")
        );
    }

    #[test]
    fn each_device_holds_its_ranges() {
        type Whole = StaticLayout<f32, (Nat<5>, Nat<7>), Rows, ()>;
        type Part = StaticLayout<f32, (Nat<3>, Nat<3>), Rows, ()>;
        type A = Sharded<Whole, Part, Devices>;
        type Open = MixedLayout<f32, (RunTime, Nat<7>), Rows, ()>;
        let rows = [0..3, 3..5];
        let columns = [0..3, 3..6, 6..7];
        fn generic<L: ShardedLayout<Global: ConstLayout + Rank<2>>>(
            device: i64,
        ) -> Option<[Range<usize>; 2]> {
            L::index_range(device)
        }
        for device in -1..=6 {
            let inside = (0..6).contains(&device);
            let tile = [device as usize % 2, device as usize / 2];
            assert_eq!(A::tile_index(device), inside.then_some(tile), "{device}");
            let expected = inside.then(|| [rows[tile[0]].clone(), columns[tile[1]].clone()]);
            assert_eq!(A::index_range(device), expected, "{device}");
            assert_eq!(A::index_range_in(&Whole::NEW, device), expected, "{device}");
            assert_eq!(generic::<A>(device), expected, "{device}");
        }
        assert_eq!((A::NUM_DEVICES, A::PARTS), (Some(6), &[2, 3][..]));
        let open = Open::with_sizes([9, 7]).unwrap();
        type Columns = Grid<(Nat<1>, Nat<3>), Iota<(Nat<3>,), (Nat<0>,)>, ()>;
        type B = Sharded<Open, MixedLayout<f32, (RunTime, Nat<3>), Rows, ()>, Columns>;
        assert_eq!(B::index_range_in(&open, 2), Some([0..9, 6..7]));
        fn generic_in<L: ShardedLayout<Global: Rank<2>>>(
            global: &L::Global,
            device: i64,
        ) -> Option<[Range<usize>; 2]> {
            L::index_range_in(global, device)
        }
        assert_eq!(generic_in::<B>(&open, 2), Some([0..9, 6..7]));
    }
}
