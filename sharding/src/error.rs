//! What is wrong with a sharding.

use core::fmt;

use xlayout_shape::error::{Excerpt, Explain, Found, Say};
use xlayout_shape::words::{Counted, are};

/// A sharding that cannot be made, does not fit a shape or has no answer.
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_sharding::Sharding;
///
/// let sharding: Sharding = "{devices=[2,4]<=[8]}".parse()?;
/// let shape: Shape = "f32[1024]".parse()?;
/// assert_eq!(
///     sharding.validate(&shape, None).unwrap_err().to_string(),
///     "the sharding cuts 2 dimensions, but the shape has 1; write one number in `devices=[…]` \
///      for each dimension, 1 where it is not cut; then the sizes of subgroups",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ShardingError {
    kind: ShardingErrorKind,
    leaf: Option<usize>,
}

/// The words that a `=` follows.
pub(super) const ATTRIBUTES: [&str; 4] = ["devices", "device", "last_tile_dims", "metadata"];

xlayout_shape::error_table! {
/// What is wrong with a sharding, to match on.
///
/// ```
/// use xlayout_sharding::{ShardingErrorKind, TileAssignment};
/// let error = TileAssignment::listed(&[2, 2], &[0, 1, 2]).unwrap_err();
/// assert_eq!(error.kind(), &ShardingErrorKind::DeviceCount { tiles: 4, devices: 3 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the fields are the numbers that the line above them names"
)]
pub enum ShardingErrorKind {
    /// There is no text.
    Empty => [
        "expected a sharding, found nothing";
        "write one such as `{{devices=[2,4]<=[8]}}` or `{{replicated}}`"
    ]
    /// Something else is where a mark of the grammar is needed.
    Expected { expected: ShardingPart, found: Excerpt } => [
        "expected {}, found {}", expected.0[0], Found(*found); "{}", expected.0[1]
    ]
    /// No word of shardings is written so.
    UnknownWord { found: Excerpt, suggestion: Option<&'static str> } => [
        "expected a word of shardings, found {}", Found(*found);
        match (suggestion) {
            Some(word) => ["did you mean `{word}{}`?", if ATTRIBUTES.contains(word) { "=" } else { "" }]
            None => [
                "the words are `replicated`, `manual`, `unknown`, `unreduced`, `maximal`, \
                 `last_tile_dim_replicate`, `shard_as`, `shard_like`; the attributes `devices=`, \
                 `device=`, `last_tile_dims=`, `metadata=`"
            ]
        }
    ]
    /// An attribute without `=` right after it.
    NoEquals { attribute: &'static str } => [
        "no `=` follows `{attribute}` at once"; "write `=` right after the name, without a blank"
    ]
    /// An attribute is given again.
    Twice { attribute: &'static str } => ["`{attribute}` is given again"; "keep one of them"]
    /// Devices listed and by a rule, in a message.
    TwoOrders => ["the devices are listed, and given by a rule, too"; "keep one of them"]
    /// `last_tile_dim_replicate` and `last_tile_dims` together.
    TwoSubgroups => [
        "`last_tile_dim_replicate` and `last_tile_dims` exclude each other"; "keep one of them"
    ]
    /// A list of subgroups holds something else.
    UnknownSubgroup { found: Excerpt } => [
        "expected the kind of a subgroup, found {}", Found(*found);
        "the kinds are `replicated`, `manual`, `unreduced` and `maximal`"
    ]
    /// Something comes after the sharding.
    Trailing { found: Excerpt } => ["unexpected {} after the sharding", Found(*found); "remove it"]
    /// A text in quotes has no end, or an invalid escape.
    Quote { found: Excerpt } => [
        "expected a text in double quotes, found {}", Found(*found);
        "write `op_name=\"…\"`, with `\\\"` and `\\\\` for what would end it"
    ]
    /// A tuple inside a tuple.
    NestedTuple => [
        "a tuple of shardings holds another tuple";
        "list the shardings of all leaves in one tuple, in pre-order"
    ]
    /// Shardy's name of a mesh.
    Mesh { found: Excerpt } => [
        "{} begins the name of a mesh that is declared elsewhere", Found(*found);
        "write the mesh itself: `#sdy.sharding<mesh<[\"x\"=2]>, [{{\"x\"}}]>`"
    ]
    /// A part of an axis that does not divide it.
    AxisPart { found: Excerpt, before: i64, own: i64, size: i64 } => [
        "the axis {} has size {size}, and no part `({before}){own}`", Found(*found);
        "the product of the two numbers divides the size: the sizes of the parts before it, and \
         its own, as in `(1)2` and `(2)2` of an axis of size 4"
    ]
    /// The mesh has no axis of this name.
    NoSuchAxis { found: Excerpt } => [
        "the mesh has no axis {}", Found(*found); "write one of the names of the mesh's axes"
    ]
    /// Two axes of a mesh have one name.
    AxisNameTwice { found: Excerpt } => [
        "two axes of the mesh have the name {}", Found(*found); "name each axis once"
    ]
    /// A sharding that is not cut has devices all the same.
    DevicesGiven { of: &'static str } => [
        "a {of} sharding has no devices of its own"; "leave the devices out, or the word"
    ]
    /// `maximal` without exactly one device.
    MaximalDevices { devices: usize } => [
        "a maximal sharding is on 1 device, but has {devices}"; "write `{{maximal device=0}}`"
    ]
    /// Neither a word for the kind of the sharding nor a grid of tiles.
    NoTiles => [
        "the sharding says neither its kind nor its tiles";
        "a sharding is `{{replicated}}`, `{{manual}}`, `{{maximal device=0}}`, \
         `{{devices=[2,4]<=[8]}}`, `{{devices=[2,4]<=[4,2]T(1,0)}}`, `{{devices=[2,2]0,2,1,3}}`, \
         or a tuple of them, `{{{{…}}, {{…}}}}`"
    ]

    /// A grid without dimensions.
    NoDimensions => [
        "the grid of tiles has no dimensions";
        "write one number for each dimension: `devices=[2,4]<=[8]`"
    ]
    /// A dimension of the grid, or of the reshaped devices, is below 1.
    TileDimension { dimension: usize, size: i64 } => [
        "dimension {dimension} of the grid has {}", Counted(*size, "part");
        "write 1 or more; 1 where a dimension is not cut"
    ]
    /// More devices than 64 bits count.
    Overflow => [
        "there are more than 2^63 - 1 devices"; "XLA counts devices in 64 bits with a sign"
    ]
    /// Not one device for each tile.
    DeviceCount { tiles: i64, devices: i64 } => [
        "there {} {}, but {}", are(*tiles), Counted(*tiles, "tile"), Counted(*devices, "device");
        "the numbers in `devices=[…]` multiply to the number of tiles, subgroups included; each \
         has one device"
    ]
    /// A list of one device.
    OneDevice => [
        "the tiles are on 1 device";
        "write `{{maximal device=0}}` for one device, `{{replicated}}` for all"
    ]
    /// The transpose of an iota has another length than what it permutes.
    TransposeLength { listed: usize, rank: usize } => [
        "the transpose lists {}, but there {} {rank}", Counted(*listed, "dimension"), are(*rank);
        "list each dimension of `<=[…]` once, counted from 0: `<=[4,2]T(1,0)`"
    ]
    /// The transpose of an iota lists a dimension that is not there.
    TransposeRange { entry: i64, rank: usize } => [
        "the transpose lists {entry}, but there {} {}", are(*rank), Counted(*rank, "dimension");
        "list each dimension of `<=[…]` once, counted from 0: `<=[4,2]T(1,0)`"
    ]
    /// The transpose of an iota lists a dimension again.
    TransposeTwice { entry: usize } => [
        "the transpose lists {entry} again";
        "list each dimension of `<=[…]` once, counted from 0: `<=[4,2]T(1,0)`"
    ]
    /// More subgroups than dimensions of the grid.
    SubgroupRank { subgroups: usize, dimensions: usize } => [
        "there are {}, but the grid has {}", Counted(*subgroups, "subgroup"), Counted(*dimensions, "dimension");
        "each subgroup is one of the last numbers in `devices=[…]`: `{{devices=[2,4]<=[8] \
         last_tile_dims={{replicated}}}}` has one"
    ]
    /// The canonical form lists each device, and there are too many.
    TooManyDevices { devices: i64 } => [
        "the canonical form would list {devices} devices one by one";
        "order the devices so that those of a group follow each other in one dimension"
    ]
    /// A tuple with metadata of its own.
    TupleMetadata => [
        "a tuple of shardings has metadata of its own";
        "give the metadata to the shardings in the tuple"
    ]

    /// A tuple of shardings for something else.
    TupleForNone => [
        "the sharding is a tuple, but the shape is not";
        "write one sharding, without the outer braces"
    ]
    /// One sharding for a tuple.
    NoneForTuple => [
        "the shape is a tuple, but the sharding is not";
        "write one sharding for each leaf: `{{{{replicated}}, {{replicated}}}}`"
    ]
    /// Not one sharding for each leaf of a tuple.
    Leaves { shardings: usize, leaves: usize } => [
        "there {} {}, but the tuple has {}", are(*shardings), Counted(*shardings, "sharding"), Counted(*leaves, "leaf");
        "write one sharding for each leaf of the tuple, in pre-order"
    ]
    /// The grid cuts more or fewer dimensions than there are.
    Rank { cut: usize, rank: usize } => [
        "the sharding cuts {}, but the shape has {rank}", Counted(*cut, "dimension");
        "write one number in `devices=[…]` for each dimension, 1 where it is not cut; then the \
         sizes of subgroups"
    ]
    /// A device below 0.
    NegativeDevice { device: i64 } => ["device {device} is negative"; "devices count from 0"]
    /// A device beyond the last one.
    DeviceRange { device: i64, devices: i64 } => [
        "device {device} is used, but there are {}", Counted(*devices, "device");
        "devices count from 0"
    ]
    /// A device is listed again.
    DeviceTwice { device: i64 } => ["device {device} has two tiles"; "list each device once"]
    /// The whole grid is one tile.
    SingleTile => [
        "all of it is one tile";
        "write `{{replicated}}` for all devices, `{{maximal device=0}}` for one"
    ]
    /// The grid has not as many devices as there are.
    Devices { listed: i64, devices: i64 } => [
        "the tiles are on {}, but there are {devices}", Counted(*listed, "device");
        "use each device once"
    ]

    /// A question about tiles of a sharding without them.
    NotTiled { of: &'static str } => [
        "a {of} sharding has no tiles";
        "ask a sharding with `devices=`"
    ]
    /// The device has no part.
    NoSuchDevice { device: i64 } => [
        "device {device} has no part";
        "ask for one of the sharding's devices"
    ]
    /// No tile has this place.
    NoSuchTile => [
        "there is no such tile";
        "give one index for each dimension of the shape, or for each of `devices=[…]`, below its \
         number of parts"
    ]
    /// A path into a tuple leads nowhere.
    NoSuchMember { member: i64 } => [
        "the tuple has no member {member}"; "give a path of the tuple's shape; members count from 0"
    ]
    /// The size of a dimension is not known.
    Unbounded { dimension: usize } => [
        "dimension {dimension} has no bound, so that its parts have no places";
        "give the size of the dimension, or a bound"
    ]
    /// A mesh has no such axis, or the axis no such part.
    Axis { axis: i64 } => [
        "the mesh has no axis {axis}, or this axis no such part";
        "axes count from 0; a part begins at the product of the sizes of the more major parts, and \
         all of them multiply to the size of the axis"
    ]
    /// Two parts of an axis of a mesh share devices.
    AxisTwice { axis: i64 } => [
        "two parts of axis {axis} share devices"; "use each part of an axis once"
    ]
}
}

/// What a text of a sharding needs at a place: its name, and what to write there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardingPart(pub(crate) &'static [&'static str; 2]);

impl ShardingError {
    /// What is wrong, to match on.
    ///
    /// ```
    /// use xlayout_sharding::{ShardingErrorKind, TileAssignment};
    /// let error = TileAssignment::iota(&[]).unwrap_err();
    /// assert_eq!(error.kind(), &ShardingErrorKind::NoDimensions);
    /// assert_eq!(error.leaf(), None);
    /// let help = "write one number for each dimension: `devices=[2,4]<=[8]`";
    /// assert_eq!(error.help().to_string(), help);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> &ShardingErrorKind {
        &self.kind
    }

    /// The number of the leaf of a tuple that it is about, in pre-order.
    #[must_use]
    pub const fn leaf(&self) -> Option<usize> {
        self.leaf
    }

    pub(super) const fn in_leaf(kind: ShardingErrorKind, leaf: usize) -> Self {
        Self {
            kind,
            leaf: Some(leaf),
        }
    }
}

impl From<ShardingErrorKind> for ShardingError {
    fn from(kind: ShardingErrorKind) -> Self {
        Self { kind, leaf: None }
    }
}

impl Explain for ShardingError {
    fn explain(&self, say: &mut Say<'_>) -> fmt::Result {
        match self.leaf {
            Some(leaf) => self.kind.explain(&mut |message, help| {
                say(format_args!("leaf {leaf} of the tuple: {message}"), help)
            }),
            None => self.kind.explain(say),
        }
    }
}

xlayout_shape::explained!(ShardingError);
