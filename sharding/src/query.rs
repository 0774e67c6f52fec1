//! What a sharding is.

use alloc::vec::Vec;

use super::{
    ShardGroup, Sharding, ShardingError, ShardingErrorKind as Kind, ShardingKind, SubgroupType,
    Tiling,
};
use xlayout_shape::shape::Shape;

impl ShardingKind {
    /// Its name in messages.
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Self::Replicated => "replicated",
            Self::Manual => "manual",
            Self::Unknown => "unknown",
            Self::Unreduced => "unreduced",
            Self::Maximal(_) => "maximal",
            Self::Tiled(_) => "tiled",
            Self::Tuple(_) => "tuple",
        }
    }
}

impl Sharding {
    /// Itself, or all that a tuple holds.
    fn leaves(&self) -> &[Self] {
        match &self.kind {
            ShardingKind::Tuple(elements) => elements,
            _ => core::slice::from_ref(self),
        }
    }

    fn each_leaf(&self, is: impl Fn(&Self) -> bool) -> bool {
        self.leaves().iter().all(is)
    }

    /// Whether it is a tuple of shardings (XLA: `HloSharding::IsTuple`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// assert!("{{replicated}}".parse::<Sharding>().unwrap().is_tuple());
    /// assert!("{}".parse::<Sharding>().unwrap().is_tuple());
    /// ```
    #[doc(alias = "IsTuple")]
    #[must_use]
    pub const fn is_tuple(&self) -> bool {
        matches!(self.kind, ShardingKind::Tuple(_))
    }

    /// The shardings of a tuple, one for each leaf (XLA: `HloSharding::tuple_elements`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let tuple: Sharding = "{{replicated}, {manual}}".parse().unwrap();
    /// assert_eq!(tuple.tuple_elements().map(<[_]>::len), Some(2));
    /// ```
    #[doc(alias = "AsShapeTree")]
    #[must_use]
    pub fn tuple_elements(&self) -> Option<&[Self]> {
        match &self.kind {
            ShardingKind::Tuple(elements) => Some(elements),
            _ => None,
        }
    }

    /// The tiles, where it has any (XLA: `HloSharding::IsTiled`, `tile_assignment`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = "{devices=[2,4]<=[8]}".parse().unwrap();
    /// assert_eq!(sharding.as_tiled().unwrap().parts(), [2, 4]);
    /// ```
    #[doc(alias("IsTiled", "tile_assignment"))]
    #[must_use]
    pub const fn as_tiled(&self) -> Option<&Tiling> {
        match &self.kind {
            ShardingKind::Tiled(tiling) => Some(tiling),
            _ => None,
        }
    }

    /// Whether every device holds all of it (XLA: `HloSharding::IsReplicated`); of a tuple, of
    /// every leaf.
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// assert!("{{replicated}, {replicated}}".parse::<Sharding>().unwrap().is_replicated());
    /// ```
    #[doc(alias = "IsReplicated")]
    #[must_use]
    pub fn is_replicated(&self) -> bool {
        self.each_leaf(|s| matches!(s.kind, ShardingKind::Replicated))
    }

    /// Whether nothing is cut: replicated or on one device (XLA: `HloSharding::IsTileMaximal`); of
    /// a tuple, in no leaf.
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// assert!(Sharding::maximal(3).is_tile_maximal() && Sharding::replicated().is_tile_maximal());
    /// ```
    #[doc(alias = "IsTileMaximal")]
    #[must_use]
    pub fn is_tile_maximal(&self) -> bool {
        self.each_leaf(|s| matches!(s.kind, ShardingKind::Replicated | ShardingKind::Maximal(_)))
    }

    /// Whether the program takes care of the parts (XLA: `HloSharding::IsManual`); of a tuple, of
    /// every leaf.
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// assert!(Sharding::manual().is_manual());
    /// ```
    #[doc(alias = "IsManual")]
    #[must_use]
    pub fn is_manual(&self) -> bool {
        self.each_leaf(|s| matches!(s.kind, ShardingKind::Manual))
    }

    /// Whether a subgroup of devices takes care of its parts (XLA:
    /// `HloSharding::IsManualSubgroup`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = "{devices=[2,2]<=[4] last_tile_dims={manual}}".parse().unwrap();
    /// assert!(sharding.is_manual_subgroup());
    /// ```
    #[doc(alias = "IsManualSubgroup")]
    #[must_use]
    pub fn is_manual_subgroup(&self) -> bool {
        self.each_leaf(|s| {
            let types = s.as_tiled().map_or(&[][..], Tiling::subgroup_types);
            types.contains(&SubgroupType::Manual)
        })
    }

    /// How many devices hold each tile, as far as that is said by replication
    /// (XLA: the size of `SubgroupReplicationDim`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let text = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}";
    /// assert_eq!(text.parse::<Sharding>().unwrap().replication(), Some(4));
    /// ```
    #[doc(alias("HasPartialReplication", "SubgroupReplicationDim"))]
    #[must_use]
    pub fn replication(&self) -> Option<i64> {
        let tiling = self.as_tiled()?;
        let grid = tiling.assignment.dimensions();
        if tiling.replicate_on_last_tile_dim {
            return grid.last().copied();
        }
        let is = |t: &SubgroupType| *t == SubgroupType::Replicated;
        match tiling.subgroup_types.iter().position(is) {
            Some(k) => grid.get(tiling.tiled_data_rank() + k).copied(),
            None => Some(1),
        }
    }

    /// Whether it is a member of a shard group (XLA: `HloSharding::IsShardGroup`); of a tuple that
    /// is not empty, every leaf.
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// assert!("{replicated shard_as 1}".parse::<Sharding>().unwrap().is_shard_group());
    /// ```
    #[doc(alias("IsShardGroup", "IsShardAs", "IsShardLike"))]
    #[must_use]
    pub fn is_shard_group(&self) -> bool {
        // -1 is XLA's mark of no group.
        let is_none = |s: &Self| {
            matches!(
                s.shard_group,
                None | Some(ShardGroup::As(-1) | ShardGroup::Like(-1))
            )
        };
        !self.leaves().is_empty() && self.each_leaf(|s| !is_none(s))
    }

    /// Whether a device holds a part of it (XLA: `HloSharding::UsesDevice`).
    ///
    /// Replicated, manual, unreduced and unknown shardings may be on any device. XLA says so of the
    /// first two, and of the others that they are on none.
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = "{devices=[2]3,5}".parse().unwrap();
    /// assert!(sharding.uses_device(5) && !sharding.uses_device(4));
    /// ```
    #[doc(alias = "UsesDevice")]
    #[must_use]
    pub fn uses_device(&self, device: i64) -> bool {
        let uses = |s: &Self| match &s.kind {
            ShardingKind::Maximal(only) => *only == device,
            ShardingKind::Tiled(tiling) => tiling.assignment.place_of(device).is_some(),
            _ => true,
        };
        self.leaves().iter().any(uses)
    }

    /// The one device that all of it is on (XLA: `HloSharding::UniqueDevice`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let device = |text: &str| text.parse::<Sharding>().unwrap().unique_device();
    /// assert_eq!(device("{{maximal device=3}, {maximal device=3}}"), Some(3));
    /// assert_eq!(device("{{maximal device=3}, {replicated}}"), None);
    /// ```
    #[doc(alias("UniqueDevice", "GetUniqueDevice", "HasUniqueDevice"))]
    #[must_use]
    pub fn unique_device(&self) -> Option<i64> {
        let device = |s: &Self| match s.kind {
            ShardingKind::Maximal(device) => Some(device),
            _ => None,
        };
        let (first, rest) = self.leaves().split_first()?;
        let first = device(first)?;
        let same = rest.iter().all(|s| device(s) == Some(first));
        same.then_some(first)
    }

    /// The sharding that all leaves of a tuple have, else itself
    /// (XLA: `HloSharding::ExtractSingleSharding`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let tuple: Sharding = "{{manual}, {manual}}".parse().unwrap();
    /// assert_eq!(tuple.extract_single_sharding(), Some(&Sharding::manual()));
    /// ```
    #[doc(alias = "ExtractSingleSharding")]
    #[must_use]
    pub fn extract_single_sharding(&self) -> Option<&Self> {
        let (first, rest) = self.leaves().split_first()?;
        rest.iter().all(|s| s == first).then_some(first)
    }

    /// For a tuple, a sharding of the same tuple with this one for each leaf; else itself
    /// (XLA: `HloSharding::NormalizeTupleSharding`, `SingleTuple`, `Single`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// use xlayout_sharding::Sharding;
    /// let shape: Shape = "(f32[2], (s32[], ()))".parse().unwrap();
    /// assert_eq!(
    ///     Sharding::replicated().for_tuple(&shape).to_string(),
    ///     "{{replicated}, {replicated}}",
    /// );
    /// ```
    #[doc(alias("Single", "NormalizeTupleSharding", "SingleTuple", "GetTupleSharding"))]
    #[must_use]
    pub fn for_tuple(self, shape: &Shape) -> Self {
        if !shape.is_tuple() || self.is_tuple() {
            return self;
        }
        // As in XLA, a tuple without leaves has one sharding for itself.
        let leaves = shape.leaves().count().max(1);
        ShardingKind::Tuple(alloc::vec![self; leaves]).into()
    }

    /// The sharding of the part of a tuple at a path, a [`ShapeIndex`](xlayout_shape::ShapeIndex)
    /// (XLA: `HloSharding::GetSubSharding`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// use xlayout_sharding::Sharding;
    /// let shape: Shape = "(f32[2], (s32[], pred[]))".parse().unwrap();
    /// let tuple: Sharding = "{{replicated}, {manual}, {maximal device=1}}".parse().unwrap();
    /// let part = |path: &[i64]| tuple.sub_sharding(&shape, path).unwrap().to_string();
    /// assert_eq!(part(&[1]), "{{manual}, {maximal device=1}}");
    /// assert_eq!(part(&[1, 1]), "{maximal device=1}");
    /// ```
    ///
    /// # Errors
    /// If the sharding is no tuple or has not one sharding for each leaf, and if the path leads
    /// nowhere.
    #[doc(alias = "GetSubSharding")]
    pub fn sub_sharding(&self, shape: &Shape, path: &[i64]) -> Result<Self, ShardingError> {
        let Some(elements) = self.tuple_elements() else {
            return Err(Kind::NoneForTuple.into());
        };
        let leaves = shape.leaves().count();
        // A tuple without leaves may have one sharding for itself.
        let for_itself = leaves == 0 && elements.len() == 1;
        if for_itself && path.is_empty() {
            return Ok(self.clone());
        }
        if leaves != elements.len() && !for_itself {
            let shardings = elements.len();
            return Err(Kind::Leaves { shardings, leaves }.into());
        }
        let mut shape = shape;
        let mut first = 0;
        for &member in path {
            let members = shape.tuple_shapes().unwrap_or(&[]);
            let place = usize::try_from(member).ok();
            let Some((place, found)) = place.and_then(|k| Some((k, members.get(k)?))) else {
                return Err(Kind::NoSuchMember { member }.into());
            };
            let before = members.iter().take(place);
            first += before.map(|member| member.leaves().count()).sum::<usize>();
            shape = found;
        }
        if !shape.is_tuple() {
            return Ok(elements[first].clone());
        }
        let part: Vec<Self> = elements[first..first + shape.leaves().count()].to_vec();
        Ok(ShardingKind::Tuple(part).into())
    }
}
