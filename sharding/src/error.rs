//! What is wrong with a sharding.

mod words;

use core::fmt::{self, Display, Formatter};

use xlayout_shape::error::Excerpt;

/// A sharding that cannot be made, does not fit a shape or has no answer.
///
/// `{}` shows it in one line; `{:#}` adds what to write instead.
///
/// ```
/// use xlayout_shape::Shape;
/// use xlayout_sharding::Sharding;
///
/// let sharding: Sharding = "{devices=[2,4]<=[8]}".parse()?;
/// let shape: Shape = "f32[1024]".parse()?;
/// assert_eq!(
///     format!("{:#}", sharding.validate(&shape, None).unwrap_err()),
///     "the sharding cuts 2 dimensions, but the shape has 1\n\
///      help: write one number in `devices=[…]` for each dimension, 1 where it is not cut; then \
///      the sizes of subgroups",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardingError {
    kind: ShardingErrorKind,
    leaf: Option<usize>,
}

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
    Empty,
    /// Something else is where a mark of the grammar is needed.
    Expected {
        expected: ShardingPart,
        found: Excerpt,
    },
    /// No word of shardings is written so.
    UnknownWord {
        found: Excerpt,
        suggestion: Option<&'static str>,
    },
    /// An attribute without `=` right after it.
    NoEquals { attribute: &'static str },
    /// An attribute is given again.
    Twice { attribute: &'static str },
    /// Devices listed and by a rule, in a message.
    TwoOrders,
    /// `last_tile_dim_replicate` and `last_tile_dims` together.
    TwoSubgroups,
    /// A list of subgroups holds something else.
    UnknownSubgroup { found: Excerpt },
    /// Something comes after the sharding.
    Trailing { found: Excerpt },
    /// A text in quotes has no end, or an escape that is none.
    Quote { found: Excerpt },
    /// A tuple inside a tuple.
    NestedTuple,
    /// A sharding by names of axes, in text.
    Mesh { found: Excerpt },
    /// A sharding that is not cut has devices all the same.
    DevicesGiven { of: &'static str },
    /// `maximal` without exactly one device.
    MaximalDevices { devices: usize },
    /// Neither a word for the kind of the sharding nor a grid of tiles.
    NoTiles,

    /// A grid without dimensions.
    NoDimensions,
    /// A dimension of the grid, or of the reshaped devices, is below 1.
    TileDimension { dimension: usize, size: i64 },
    /// More devices than 64 bits count.
    Overflow,
    /// Not one device for each tile.
    DeviceCount { tiles: i64, devices: i64 },
    /// A list of one device.
    OneDevice,
    /// The transpose of an iota has another length than what it permutes.
    TransposeLength { listed: usize, rank: usize },
    /// The transpose of an iota lists a dimension that is not there.
    TransposeRange { entry: i64, rank: usize },
    /// The transpose of an iota lists a dimension again.
    TransposeTwice { entry: usize },
    /// More subgroups than dimensions of the grid.
    SubgroupRank { subgroups: usize, dimensions: usize },
    /// The canonical form lists each device, and there are too many.
    TooManyDevices { devices: i64 },
    /// A tuple with metadata of its own.
    TupleMetadata,

    /// A tuple of shardings for something else.
    TupleForNone,
    /// One sharding for a tuple.
    NoneForTuple,
    /// Not one sharding for each leaf of a tuple.
    Leaves { shardings: usize, leaves: usize },
    /// The grid cuts more or fewer dimensions than there are.
    Rank { cut: usize, rank: usize },
    /// A device below 0.
    NegativeDevice { device: i64 },
    /// A device beyond the last one.
    DeviceRange { device: i64, devices: i64 },
    /// A device is listed again.
    DeviceTwice { device: i64 },
    /// The whole grid is one tile.
    SingleTile,
    /// The grid has not as many devices as there are.
    Devices { listed: i64, devices: i64 },

    /// A question about tiles of a sharding without them.
    NotTiled { of: &'static str },
    /// The device has no part.
    NoSuchDevice { device: i64 },
    /// No tile has this place.
    NoSuchTile,
    /// A path into a tuple leads nowhere.
    NoSuchMember { member: i64 },
    /// The size of a dimension is not known.
    Unbounded { dimension: usize },
    /// A mesh has no such axis, or the axis no such part.
    Axis { axis: i64 },
    /// Two parts of an axis of a mesh share devices.
    AxisTwice { axis: i64 },
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
    /// assert_eq!(error.help(), "write one number for each dimension: `devices=[2,4]<=[8]`");
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

    /// What to write instead.
    #[must_use]
    pub const fn help(&self) -> &'static str {
        self.kind.help()
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

impl Display for ShardingError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(leaf) = self.leaf {
            write!(f, "leaf {leaf} of the tuple: ")?;
        }
        self.kind.fmt(f)?;
        if f.alternate() {
            write!(f, "\nhelp: {}", self.help())?;
        }
        Ok(())
    }
}

impl core::error::Error for ShardingError {}
