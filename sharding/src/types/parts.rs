//! The pieces that a sharding in a type is written with, by the words of XLA's text.

use core::marker::PhantomData;

use super::rule::{self, Node, Rule, Tiles};
use sealed::Sealed;
use xlayout_core::types::NumberList;

use crate::SubgroupType;

pub(super) mod sealed {
    /// Only this crate implements it.
    pub trait Sealed {}
}

/// `{replicated}`: every device holds all of it. In `last_tile_dims`: the devices of a subgroup
/// hold the same.
pub struct Replicated;
/// `{manual}`: the program itself takes care of its parts.
pub struct Manual;
/// `{unreduced}`: each device holds a summand.
pub struct Unreduced;
/// `{unknown}`: not decided yet.
pub struct UnknownSharding;
/// `{maximal device=N}`: one device holds all of it.
pub struct Maximal<const DEVICE: i64>;
/// `maximal` in `last_tile_dims`.
pub struct MaximalGroup;
/// `last_tile_dim_replicate`: the devices along the last number of the grid hold the same.
pub struct LastTileDimReplicate;

/// `{devices=…}`: the grid, its devices, and what the last numbers of the grid mean.
pub struct Grid<Numbers, Devices, Groups>(PhantomData<fn() -> (Numbers, Devices, Groups)>);
/// `<=[4,2]T(1,0)`: the devices 0, 1, 2, … reshaped, and transposed.
pub struct Iota<Dims, Transpose>(PhantomData<fn() -> (Dims, Transpose)>);
/// The devices one by one, in rows of up to sixteen.
pub struct Listed<Rows>(PhantomData<fn() -> Rows>);

/// A sharding as a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a sharding",
    label = "expected a sharding",
    note = "write one as `layout!(f32[1024,512]{{1,0}}, sharding = {{devices=[2,4]<=[8]}})`"
)]
pub trait ShardingRule: Sealed {
    /// What it says.
    #[doc(hidden)]
    const RULE: Rule;
}

/// The devices of a grid, row-major.
pub trait DeviceOrder: Sealed {
    #[doc(hidden)]
    const ORDER: rule::DeviceRule;
}

/// What the last numbers of a grid mean.
pub trait Groups: Sealed {
    /// What the devices of each share; empty for [`LastTileDimReplicate`].
    const TYPES: &'static [SubgroupType];
    /// How many numbers they are.
    const COUNT: usize = Self::TYPES.len();
}

/// What one of the last numbers of a grid means.
pub trait Group: Sealed {
    /// What its devices share.
    const TYPE: SubgroupType;
}

/// Rows of devices.
pub trait Rows: Sealed {
    #[doc(hidden)]
    const NODE: Option<&'static Node>;
}

macro_rules! words {
    ($($name:ident: $(rule $rule:ident)? $(group $group:ident)?;)*) => {$(
        impl Sealed for $name {}
        $(impl ShardingRule for $name {
            const RULE: Rule = Rule::$rule;
        })?
        $(impl Group for $name {
            const TYPE: SubgroupType = SubgroupType::$group;
        })?
    )*};
}
words! {
    Replicated: rule Replicated group Replicated;
    Manual: rule Manual group Manual;
    Unreduced: rule Unreduced group Unreduced;
    UnknownSharding: rule Unknown;
    MaximalGroup: group Maximal;
}

impl<const DEVICE: i64> Sealed for Maximal<DEVICE> {}
impl<const DEVICE: i64> ShardingRule for Maximal<DEVICE> {
    const RULE: Rule = Rule::Maximal(DEVICE);
}

impl<N, Devices, G> Sealed for Grid<N, Devices, G> {}
impl<N: NumberList, Devices: DeviceOrder, G: Groups> ShardingRule for Grid<N, Devices, G> {
    const RULE: Rule = Rule::Tiled(Tiles {
        grid: N::LIST,
        groups: G::COUNT,
        types: G::TYPES,
        order: Devices::ORDER,
    });
}

impl<Dims, Transpose> Sealed for Iota<Dims, Transpose> {}
impl<Dims: NumberList, Transpose: NumberList> DeviceOrder for Iota<Dims, Transpose> {
    const ORDER: rule::DeviceRule = rule::DeviceRule::Iota {
        dims: Dims::LIST,
        transpose: Transpose::SIZES,
    };
}

impl<R> Sealed for Listed<R> {}
impl<R: Rows> DeviceOrder for Listed<R> {
    const ORDER: rule::DeviceRule = rule::DeviceRule::Listed(R::NODE);
}

impl Rows for () {
    const NODE: Option<&'static Node> = None;
}

impl<Row: NumberList, Rest: Rows> Rows for (Row, Rest) {
    const NODE: Option<&'static Node> = Some(&Node {
        row: Row::LIST,
        rest: Rest::NODE,
    });
}

impl Sealed for LastTileDimReplicate {}
impl Groups for LastTileDimReplicate {
    const TYPES: &'static [SubgroupType] = &[];
    const COUNT: usize = 1;
}

// XLA's canonical form has one subgroup of each kind at most.
macro_rules! groups {
    ($(($($name:ident),*))*) => {$(
        // Two make a row of listed devices and what follows it, too.
        impl<$($name),*> Sealed for ($($name,)*) {}
        impl<$($name: Group),*> Groups for ($($name,)*) {
            const TYPES: &'static [SubgroupType] = &[$($name::TYPE),*];
        }
    )*};
}
groups! { () (A) (A, B) (A, B, C) (A, B, C, X) }
