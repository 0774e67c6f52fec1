//! A sharding, and its kinds.

use alloc::vec::Vec;

use crate::{OpMetadata, ShardingError, ShardingErrorKind, SubgroupType, TileAssignment, Tiling};

/// Which device holds which part of a value (XLA: `HloSharding`).
///
/// | text | meaning |
/// |---|---|
/// | `{replicated}` | every device holds all of it |
/// | `{maximal device=3}` | device 3 holds all of it |
/// | `{devices=[2,4]<=[8]}` | dimension 0 is cut into 2, dimension 1 into 4; the devices are 0 to 7, row-major |
/// | `{devices=[2,4]<=[4,2]T(1,0)}` | the same cuts; the devices, as a 4 by 2 array, are transposed first |
/// | `{devices=[2,2]0,2,1,3}` | the devices one by one, row-major |
/// | `{devices=[2,1,4]<=[8] last_tile_dim_replicate}` | the last number is no cut: 4 devices hold each tile |
/// | `{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}` | the last two numbers are subgroups of devices |
/// | `{manual}` | the program itself takes care of its parts |
/// | `{unreduced}` | each device holds a summand |
/// | `{unknown}` | not decided yet |
/// | `{replicated shard_as 1}` | as the other members of shard group 1; `shard_like`: where that can be had |
/// | `{{replicated}, {manual}}` | a tuple: one for each leaf, in pre-order |
///
/// It is kept in XLA's canonical form, so that `{devices=[1,8]<=[8] last_tile_dim_replicate}` is
/// `{replicated}`. Two are equal when XLA's `==` says so: [`metadata`](Self::metadata) does not
/// count, and devices by rule equal the same ones listed. Whether it fits a shape is a question for
/// [`validate`](Self::validate).
///
/// # Laws
/// `read(print(x)) == x`, with metadata (`{:#}`) or without (`{}`). The parts of the devices cover
/// each element as many times as the sharding replicates it.
///
/// ```
/// use xlayout_sharding::Sharding;
/// let sharding: Sharding = "{ devices=[4, 2]<=[2,4]T(0,1) }".parse()?;
/// assert_eq!(sharding.to_string(), "{devices=[4,2]<=[8]}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("ParseSharding", "HloSharding"))]
#[derive(Clone, Debug)]
pub struct Sharding {
    pub(crate) kind: ShardingKind,
    pub(crate) shard_group: Option<ShardGroup>,
    pub(crate) metadata: Vec<OpMetadata>,
}

/// What a [`Sharding`] says (XLA: `OpSharding::Type`).
///
/// ```
/// use xlayout_sharding::{Sharding, ShardingKind};
/// let sharding: Sharding = "{devices=[2,4]<=[8]}".parse()?;
/// let parts = match sharding.kind() {
///     ShardingKind::Tiled(tiling) => tiling.parts(),
///     _ => &[],
/// };
/// assert_eq!(parts, [2, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShardingKind {
    /// `{replicated}`: every device holds all of it.
    Replicated,
    /// `{manual}`: the program itself takes care of its parts.
    Manual,
    /// `{unknown}`: not decided yet.
    Unknown,
    /// `{unreduced}`: each device holds a summand.
    Unreduced,
    /// `{maximal device=3}`: this device holds all of it.
    Maximal(i64),
    /// `{devices=…}`: cut into tiles.
    Tiled(Tiling),
    /// `{{…}, {…}}`: one for each leaf of a tuple, in pre-order. None of them is a tuple.
    Tuple(Vec<Sharding>),
}

/// A group of values that are sharded alike (XLA: `HloSharding::ShardGroup`).
///
/// ```
/// use xlayout_sharding::{ShardGroup, Sharding};
/// let sharding: Sharding = "{replicated shard_like 5}".parse()?;
/// assert_eq!(sharding.shard_group(), Some(ShardGroup::Like(5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShardGroup {
    /// `shard_as 1`: exactly alike.
    As(i64),
    /// `shard_like 1`: alike where it can be had.
    Like(i64),
}

impl From<ShardingKind> for Sharding {
    fn from(kind: ShardingKind) -> Self {
        Self {
            kind,
            shard_group: None,
            metadata: Vec::new(),
        }
    }
}

impl Sharding {
    /// Every device holds all of it (XLA: `HloSharding::Replicate`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// assert_eq!(Sharding::replicated().to_string(), "{replicated}");
    /// ```
    #[doc(alias = "Replicate")]
    #[must_use]
    pub fn replicated() -> Self {
        ShardingKind::Replicated.into()
    }

    /// The program itself takes care of its parts (XLA: `HloSharding::Manual`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// assert_eq!(Sharding::manual().to_string(), "{manual}");
    /// ```
    #[must_use]
    pub fn manual() -> Self {
        ShardingKind::Manual.into()
    }

    /// Not decided yet (XLA: `HloSharding::Unknown`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// assert_eq!(Sharding::unknown().to_string(), "{unknown}");
    /// ```
    #[must_use]
    pub fn unknown() -> Self {
        ShardingKind::Unknown.into()
    }

    /// Each device holds a summand (XLA: `HloSharding::Unreduced`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// assert_eq!(Sharding::unreduced().to_string(), "{unreduced}");
    /// ```
    #[must_use]
    pub fn unreduced() -> Self {
        ShardingKind::Unreduced.into()
    }

    /// One device holds all of it (XLA: `HloSharding::AssignDevice`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// assert_eq!(Sharding::maximal(3).to_string(), "{maximal device=3}");
    /// ```
    #[doc(alias("AssignDevice", "SingleDevice"))]
    #[must_use]
    pub fn maximal(device: i64) -> Self {
        ShardingKind::Maximal(device).into()
    }

    /// Cut into tiles, one for each device (XLA: `HloSharding::Tile`, `IotaTile`).
    ///
    /// ```
    /// use xlayout_sharding::{Sharding, TileAssignment};
    /// let sharding = Sharding::tiled(TileAssignment::iota(&[2, 4])?);
    /// assert_eq!(sharding.to_string(), "{devices=[2,4]<=[8]}");
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    #[doc(alias("IotaTile", "Tile1D"))]
    #[must_use]
    pub fn tiled(assignment: TileAssignment) -> Self {
        tiled(assignment, Vec::new()).into()
    }

    /// One for each leaf of a tuple, in pre-order (XLA: `HloSharding::FlatTuple`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let tuple = Sharding::tuple(vec![Sharding::replicated(), Sharding::manual()])?;
    /// assert_eq!(tuple.to_string(), "{{replicated}, {manual}}");
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    ///
    /// # Errors
    /// If one of them is a tuple itself. XLA takes it, and prints what it cannot read.
    #[doc(alias = "FlatTuple")]
    pub fn tuple(elements: Vec<Self>) -> Result<Self, ShardingError> {
        match elements.iter().position(Self::is_tuple) {
            Some(leaf) => Err(ShardingError::in_leaf(ShardingErrorKind::NestedTuple, leaf)),
            None => Ok(ShardingKind::Tuple(elements).into()),
        }
    }

    /// The same as a member of a shard group, or of none (XLA: `HloSharding::SetShardGroup`). A
    /// tuple has none of its own: it stays.
    ///
    /// ```
    /// use xlayout_sharding::{ShardGroup, Sharding};
    /// let sharding = Sharding::replicated().with_shard_group(Some(ShardGroup::Like(5)));
    /// assert_eq!(sharding.to_string(), "{replicated shard_like 5}");
    /// ```
    #[doc(alias("SetShardGroup", "ClearShardGroup"))]
    #[must_use]
    pub fn with_shard_group(mut self, group: Option<ShardGroup>) -> Self {
        if !self.is_tuple() {
            self.shard_group = group;
        }
        self
    }

    /// The same with this metadata in place of its own; a tuple gives it to its members
    /// (XLA: `HloSharding::WithMetadata` with `overwrite`). With none it is XLA's
    /// `WithoutMetadata`.
    ///
    /// ```
    /// use xlayout_sharding::{OpMetadata, Sharding};
    /// let from = OpMetadata { op_name: "dot".into(), ..OpMetadata::default() };
    /// let sharding = Sharding::manual().with_metadata(vec![from]);
    /// assert_eq!(format!("{sharding}"), "{manual}");
    /// assert_eq!(format!("{sharding:#}"), r#"{manual metadata={op_name="dot"}}"#);
    /// ```
    #[doc(alias("WithMetadata", "WithoutMetadata"))]
    #[must_use]
    pub fn with_metadata(mut self, metadata: Vec<OpMetadata>) -> Self {
        if let ShardingKind::Tuple(elements) = &mut self.kind {
            for element in elements {
                element.metadata.clone_from(&metadata);
            }
        } else {
            self.metadata = metadata;
        }
        self
    }

    /// What it says.
    ///
    /// ```
    /// use xlayout_sharding::{Sharding, ShardingKind};
    /// assert_eq!(Sharding::maximal(3).kind(), &ShardingKind::Maximal(3));
    /// ```
    #[doc(alias("IsUnknown", "IsUnreduced"))]
    #[must_use]
    pub const fn kind(&self) -> &ShardingKind {
        &self.kind
    }

    /// The shard group, where it belongs to one (XLA: `HloSharding::GetShardGroup`).
    ///
    /// ```
    /// use xlayout_sharding::{ShardGroup, Sharding};
    /// let sharding: Sharding = "{manual shard_as 1}".parse().unwrap();
    /// assert_eq!(sharding.shard_group(), Some(ShardGroup::As(1)));
    /// ```
    #[doc(alias = "GetShardGroup")]
    #[must_use]
    pub const fn shard_group(&self) -> Option<ShardGroup> {
        self.shard_group
    }

    /// Where it comes from (XLA: `HloSharding::metadata`); not printed by `{}`, but by `{:#}`.
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = r#"{manual metadata={op_name="dot"}}"#.parse().unwrap();
    /// assert_eq!(sharding.metadata()[0].op_name, "dot");
    /// ```
    #[must_use]
    pub fn metadata(&self) -> &[OpMetadata] {
        &self.metadata
    }
}

/// Tiles with these subgroups, as they are.
pub(super) fn tiled(assignment: TileAssignment, subgroup_types: Vec<SubgroupType>) -> ShardingKind {
    ShardingKind::Tiled(Tiling {
        assignment,
        replicate_on_last_tile_dim: false,
        subgroup_types,
    })
}

/// Metadata does not count, as in XLA.
impl PartialEq for Sharding {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.shard_group == other.shard_group
    }
}

impl Eq for Sharding {}
