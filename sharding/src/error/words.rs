//! What is said of it.

use core::fmt::{self, Display, Formatter};

use super::ShardingErrorKind;
use xlayout_shape::error::Excerpt;

/// `1 device`, `2 devices`.
struct Count(i64, &'static str);

impl Display for Count {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let plural = if self.0 == 1 { "" } else { "s" };
        write!(f, "{} {}{plural}", self.0, self.1)
    }
}

fn many(count: usize, of: &'static str) -> Count {
    Count(i64::try_from(count).unwrap_or(i64::MAX), of)
}

/// What was found, in backquotes, or words for the end of the text.
struct Found(Excerpt);

impl Display for Found {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.as_str() {
            "" => f.write_str("the end of the text"),
            _ => write!(f, "`{}`", self.0),
        }
    }
}

/// What is wrong, in one line.
impl Display for ShardingErrorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty => f.write_str("expected a sharding, found nothing"),
            Self::Expected { expected, found } => {
                write!(f, "expected {}, found {}", expected.0[0], Found(found))
            }
            Self::UnknownWord { found, .. } => {
                write!(f, "expected a word of shardings, found {}", Found(found))
            }
            Self::NoEquals { attribute } => write!(f, "no `=` follows `{attribute}` at once"),
            Self::Twice { attribute } => write!(f, "`{attribute}` is given again"),
            Self::TwoOrders => f.write_str("the devices are listed, and given by a rule, too"),
            Self::TwoSubgroups => {
                f.write_str("`last_tile_dim_replicate` and `last_tile_dims` exclude each other")
            }
            Self::UnknownSubgroup { found } => {
                write!(f, "expected the kind of a subgroup, found {}", Found(found))
            }
            Self::Trailing { found } => write!(f, "unexpected {} after the sharding", Found(found)),
            Self::Quote { found } => write!(
                f,
                "expected a text in double quotes, found {}",
                Found(found)
            ),
            Self::NestedTuple => f.write_str("a tuple of shardings holds another tuple"),
            Self::Mesh { found } => {
                write!(
                    f,
                    "{} begins a sharding by the names of axes, which is not read from text",
                    Found(found)
                )
            }
            Self::DevicesGiven { of } => write!(f, "a {of} sharding has no devices of its own"),
            Self::MaximalDevices { devices } => {
                write!(f, "a maximal sharding is on 1 device, but has {devices}")
            }
            Self::NoTiles => f.write_str("the sharding says neither its kind nor its tiles"),
            Self::NoDimensions => f.write_str("the grid of tiles has no dimensions"),
            Self::TileDimension { dimension, size } => {
                write!(
                    f,
                    "dimension {dimension} of the grid has {}",
                    Count(size, "part")
                )
            }
            Self::Overflow => f.write_str("there are more than 2^63 - 1 devices"),
            Self::DeviceCount { tiles, devices } => {
                let are = if tiles == 1 { "is" } else { "are" };
                write!(
                    f,
                    "there {are} {}, but {}",
                    Count(tiles, "tile"),
                    Count(devices, "device")
                )
            }
            Self::OneDevice => f.write_str("the tiles are on 1 device"),
            Self::TransposeLength { listed, rank } => {
                let are = if rank == 1 { "is" } else { "are" };
                let listed = many(listed, "dimension");
                write!(f, "the transpose lists {listed}, but there {are} {rank}")
            }
            Self::TransposeRange { entry, rank } => {
                let are = if rank == 1 { "is" } else { "are" };
                let dimensions = many(rank, "dimension");
                write!(
                    f,
                    "the transpose lists {entry}, but there {are} {dimensions}"
                )
            }
            Self::TransposeTwice { entry } => write!(f, "the transpose lists {entry} again"),
            Self::SubgroupRank {
                subgroups,
                dimensions,
            } => write!(
                f,
                "there are {}, but the grid has {}",
                many(subgroups, "subgroup"),
                many(dimensions, "dimension"),
            ),
            Self::TooManyDevices { devices } => {
                write!(
                    f,
                    "the canonical form would list {devices} devices one by one"
                )
            }
            Self::TupleMetadata => f.write_str("a tuple of shardings has metadata of its own"),
            Self::TupleForNone => f.write_str("the sharding is a tuple, but the shape is none"),
            Self::NoneForTuple => f.write_str("the shape is a tuple, but the sharding is none"),
            Self::Leaves { shardings, leaves } => {
                let are = if shardings == 1 { "is" } else { "are" };
                let word = if leaves == 1 { "leaf" } else { "leaves" };
                let shardings = many(shardings, "sharding");
                write!(
                    f,
                    "there {are} {shardings}, but the tuple has {leaves} {word}"
                )
            }
            Self::Rank { cut, rank } => write!(
                f,
                "the sharding cuts {}, but the shape has {rank}",
                many(cut, "dimension"),
            ),
            Self::NegativeDevice { device } => write!(f, "device {device} is negative"),
            Self::DeviceRange { device, devices } => {
                write!(
                    f,
                    "device {device} is used, but there are {}",
                    Count(devices, "device")
                )
            }
            Self::DeviceTwice { device } => write!(f, "device {device} has two tiles"),
            Self::SingleTile => f.write_str("all of it is one tile"),
            Self::Devices { listed, devices } => {
                write!(
                    f,
                    "the tiles are on {}, but there are {devices}",
                    Count(listed, "device")
                )
            }
            Self::NotTiled { of } => write!(f, "a {of} sharding has no tiles"),
            Self::NoSuchDevice { device } => write!(f, "device {device} has no part"),
            Self::NoSuchTile => f.write_str("there is no such tile"),
            Self::Axis { axis } => {
                write!(f, "the mesh has no axis {axis}, or this axis no such part")
            }
            Self::AxisTwice { axis } => write!(f, "two parts of axis {axis} share devices"),
            Self::NoSuchMember { member } => write!(f, "the tuple has no member {member}"),
            Self::Unbounded { dimension } => {
                write!(
                    f,
                    "dimension {dimension} has no bound, so that its parts have no places"
                )
            }
        }
    }
}

impl ShardingErrorKind {
    /// What to write instead.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Empty => "write one such as `{devices=[2,4]<=[8]}` or `{replicated}`",
            Self::Expected { expected, .. } => expected.0[1],
            Self::NoTiles => {
                "a sharding is `{replicated}`, `{manual}`, `{maximal device=0}`, \
                 `{devices=[2,4]<=[8]}`, `{devices=[2,4]<=[4,2]T(1,0)}`, `{devices=[2,2]0,2,1,3}`, \
                 or a tuple of them, `{{…}, {…}}`"
            }
            Self::UnknownWord {
                suggestion: Some(word),
                ..
            } => did_you_mean(word),
            Self::UnknownWord { .. } => {
                "the words are `replicated`, `manual`, `unknown`, `unreduced`, `maximal`, \
                 `last_tile_dim_replicate`, `shard_as`, `shard_like`; the attributes `devices=`, \
                 `device=`, `last_tile_dims=`, `metadata=`"
            }
            Self::NoEquals { .. } => "write `=` right after the name, without a blank",
            Self::Twice { .. } | Self::TwoOrders | Self::TwoSubgroups => "keep one of them",
            Self::UnknownSubgroup { .. } => {
                "the kinds are `replicated`, `manual`, `unreduced` and `maximal`"
            }
            Self::Trailing { .. } => "remove it",
            Self::Quote { .. } => {
                "write `op_name=\"…\"`, with `\\\"` and `\\\\` for what would end it"
            }
            Self::NestedTuple => "list the shardings of all leaves in one tuple, in pre-order",
            Self::Mesh { .. } => {
                "write the devices, `{devices=[2,4]<=[8]}`, or make a `NamedSharding`"
            }
            Self::DevicesGiven { .. } => "leave the devices out, or the word",
            Self::MaximalDevices { .. } => "write `{maximal device=0}`",
            Self::NoDimensions => "write one number for each dimension: `devices=[2,4]<=[8]`",
            Self::TileDimension { .. } => "write 1 or more; 1 where a dimension is not cut",
            Self::Overflow => "XLA counts devices in 64 bits with a sign",
            Self::DeviceCount { .. } => {
                "the numbers in `devices=[…]` multiply to the number of tiles, subgroups included; \
                 each has one device"
            }
            Self::OneDevice => "write `{maximal device=0}` for one device, `{replicated}` for all",
            Self::TransposeLength { .. }
            | Self::TransposeRange { .. }
            | Self::TransposeTwice { .. } => {
                "list each dimension of `<=[…]` once, counted from 0: `<=[4,2]T(1,0)`"
            }
            Self::SubgroupRank { .. } => {
                "each subgroup is one of the last numbers in `devices=[…]`: \
                 `{devices=[2,4]<=[8] last_tile_dims={replicated}}` has one"
            }
            Self::TooManyDevices { .. } => {
                "order the devices so that those of a group follow each other in one dimension"
            }
            Self::TupleMetadata => "give the metadata to the shardings in the tuple",
            Self::TupleForNone => "write one sharding, without the outer braces",
            Self::NoneForTuple => {
                "write one sharding for each leaf: `{{replicated}, {replicated}}`"
            }
            Self::Leaves { .. } => "write one sharding for each leaf of the tuple, in pre-order",
            Self::Rank { .. } => {
                "write one number in `devices=[…]` for each dimension, 1 where it is not cut; then \
                 the sizes of subgroups"
            }
            Self::NegativeDevice { .. } | Self::DeviceRange { .. } => "devices count from 0",
            Self::DeviceTwice { .. } => "list each device once",
            Self::SingleTile => {
                "write `{replicated}` for all devices, `{maximal device=0}` for one"
            }
            Self::Devices { .. } => "use each device once",
            Self::NotTiled { .. } => "ask a sharding with `devices=`",
            Self::NoSuchDevice { .. } => "ask for one of the sharding's devices",
            Self::NoSuchTile => {
                "give one index for each dimension of the shape, or for each of `devices=[…]`, \
                 below its number of parts"
            }
            Self::Axis { .. } => {
                "axes count from 0; a part begins at the product of the sizes of the more major \
                 parts, and all of them multiply to the size of the axis"
            }
            Self::AxisTwice { .. } => "use each part of an axis once",
            Self::NoSuchMember { .. } => "give a path of the tuple's shape; members count from 0",
            Self::Unbounded { .. } => "give the size of the dimension, or a bound",
        }
    }
}

/// Words for each suggestion, so that the help stays constant.
const fn did_you_mean(word: &str) -> &'static str {
    match word.as_bytes() {
        b"replicated" => "did you mean `replicated`?",
        b"manual" => "did you mean `manual`?",
        b"unknown" => "did you mean `unknown`?",
        b"unreduced" => "did you mean `unreduced`?",
        b"maximal" => "did you mean `maximal`?",
        b"last_tile_dim_replicate" => "did you mean `last_tile_dim_replicate`?",
        b"shard_as" => "did you mean `shard_as`?",
        b"shard_like" => "did you mean `shard_like`?",
        b"devices" => "did you mean `devices=`?",
        b"device" => "did you mean `device=`?",
        b"last_tile_dims" => "did you mean `last_tile_dims=`?",
        _ => "did you mean `metadata=`?",
    }
}
