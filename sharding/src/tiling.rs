//! A grid of devices, and what its last numbers mean.

use alloc::vec::Vec;

use crate::TileAssignment;

/// Tiles, their devices, and what the last numbers of the grid mean.
///
/// ```
/// use xlayout_sharding::Sharding;
/// let sharding: Sharding = "{devices=[2,4]<=[8] last_tile_dim_replicate}".parse()?;
/// let tiling = sharding.as_tiled().unwrap();
/// assert_eq!(tiling.parts(), [2]);
/// assert_eq!(tiling.tile_assignment().dimensions(), [2, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiling {
    pub(crate) assignment: TileAssignment,
    pub(crate) replicate_on_last_tile_dim: bool,
    pub(crate) subgroup_types: Vec<SubgroupType>,
}

impl Tiling {
    /// The grid and its devices (XLA: `HloSharding::tile_assignment`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = "{devices=[2,4]<=[8]}".parse().unwrap();
    /// let tiling = sharding.as_tiled().unwrap();
    /// assert_eq!(tiling.tile_assignment().num_devices(), 8);
    /// ```
    #[must_use]
    pub const fn tile_assignment(&self) -> &TileAssignment {
        &self.assignment
    }

    /// Whether the devices along the last number of the grid hold the same tile
    /// (XLA: `HloSharding::ReplicateOnLastTileDim`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = "{devices=[2,4]<=[8] last_tile_dim_replicate}".parse().unwrap();
    /// let tiling = sharding.as_tiled().unwrap();
    /// assert!(tiling.replicate_on_last_tile_dim());
    /// ```
    #[doc(alias = "ReplicateOnLastTileDim")]
    #[must_use]
    pub const fn replicate_on_last_tile_dim(&self) -> bool {
        self.replicate_on_last_tile_dim
    }

    /// What the last numbers of the grid mean (XLA: `HloSharding::subgroup_types`); empty where
    /// [`replicate_on_last_tile_dim`](Self::replicate_on_last_tile_dim) says it.
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = "{devices=[2,4]<=[8] last_tile_dims={manual}}".parse().unwrap();
    /// let tiling = sharding.as_tiled().unwrap();
    /// assert_eq!(tiling.subgroup_types()[0].name(), "manual");
    /// ```
    #[doc(alias = "last_tile_dims")]
    #[must_use]
    pub fn subgroup_types(&self) -> &[SubgroupType] {
        &self.subgroup_types
    }

    /// How many dimensions are cut: the numbers of the grid without those of subgroups
    /// (XLA: `HloSharding::TiledDataRank`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = "{devices=[2,4]<=[8] last_tile_dims={manual}}".parse().unwrap();
    /// let tiling = sharding.as_tiled().unwrap();
    /// assert_eq!(tiling.tiled_data_rank(), 1);
    /// ```
    #[doc(alias = "TiledDataRank")]
    #[must_use]
    pub fn tiled_data_rank(&self) -> usize {
        let subgroups = usize::from(self.replicate_on_last_tile_dim) + self.subgroup_types.len();
        self.assignment.dimensions().len().saturating_sub(subgroups)
    }

    /// Into how many parts each dimension is cut.
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = "{devices=[2,4]<=[8] last_tile_dims={manual}}".parse().unwrap();
    /// let tiling = sharding.as_tiled().unwrap();
    /// assert_eq!(tiling.parts(), [2]);
    /// ```
    #[must_use]
    pub fn parts(&self) -> &[i64] {
        &self.assignment.dimensions()[..self.tiled_data_rank()]
    }
}

/// What the devices along one of the last numbers of a grid share (XLA: `OpSharding::Type`, as an
/// entry of `last_tile_dims`).
///
/// ```
/// use xlayout_sharding::{Sharding, SubgroupType};
/// let sharding: Sharding = "{devices=[2,4]<=[8] last_tile_dims={manual}}".parse()?;
/// assert_eq!(sharding.as_tiled().unwrap().subgroup_types(), [SubgroupType::Manual]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SubgroupType {
    // In XLA's sequence.
    /// `maximal`. XLA reads and prints it, but gives it no meaning.
    Maximal,
    /// `manual`: the program itself takes care of what each one holds.
    Manual,
    /// `unreduced`: each holds a summand.
    Unreduced,
    /// `replicated`: they hold the same.
    Replicated,
}

impl SubgroupType {
    pub(crate) const ALL: [Self; 4] = [
        Self::Maximal,
        Self::Manual,
        Self::Unreduced,
        Self::Replicated,
    ];

    /// Its name in texts.
    ///
    /// ```
    /// use xlayout_sharding::SubgroupType;
    /// assert_eq!(SubgroupType::Manual.name(), "manual");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Maximal => "maximal",
            Self::Manual => "manual",
            Self::Unreduced => "unreduced",
            Self::Replicated => "replicated",
        }
    }
}
