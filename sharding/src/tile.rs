//! What each device holds.

use alloc::vec::Vec;
use core::ops::Range;

use super::arithmetic::{part_range, part_size};
use super::{Sharding, ShardingError, ShardingErrorKind as Kind, ShardingKind, Tiling};
use xlayout_shape::dims::Dim;
use xlayout_shape::shape::ArrayShape;

impl Sharding {
    fn tiling(&self) -> Result<&Tiling, Kind> {
        match &self.kind {
            ShardingKind::Tiled(tiling) => Ok(tiling),
            kind => Err(Kind::NotTiled { of: kind.word() }),
        }
    }

    /// The shape that a device holds, padded to the same for all of them
    /// (XLA: `HloSharding::TileShape`): each size divided by its parts, rounded up.
    ///
    /// A bound is divided likewise, and `?` stays. The layout stays; `padded_dimensions`, which
    /// belong to the whole, are left out where anything is cut. Sharded manually or not yet, the
    /// shape is taken for that of the device, as in XLA.
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = "{devices=[2,2]<=[4]}".parse()?;
    /// let shape: ArrayShape = "f32[5,7]{0,1}".parse()?;
    /// assert_eq!(sharding.tile_shape(&shape)?.to_string(), "f32[3,4]{0,1}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the sharding is a tuple, or cuts another number of dimensions than there are.
    #[doc(alias = "TileShape")]
    pub fn tile_shape(&self, shape: &ArrayShape) -> Result<ArrayShape, ShardingError> {
        let mut tile = shape.clone();
        match &self.kind {
            ShardingKind::Tiled(tiling) => {
                tiling.check_rank(shape.rank())?;
                let dims = &mut *tile.dims;
                for (dim, &parts) in dims.iter_mut().zip(tiling.parts()) {
                    *dim = with_size(*dim, |size| part_size(size, parts));
                }
                without_padding(&mut tile, shape);
            }
            ShardingKind::Tuple(_) => return Err(Kind::NotTiled { of: "tuple" }.into()),
            _ => {}
        }
        Ok(tile)
    }

    /// The shape of what this device holds, without padding
    /// (XLA: `HloSharding::TileShape` with a device): the last parts are smaller, or empty. Its
    /// dimensions are [`index_ranges`](Self::index_ranges).
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = "{devices=[2,2]<=[4]}".parse()?;
    /// let shape: ArrayShape = "f32[5,7]{0,1}".parse()?;
    /// assert_eq!(sharding.tile_shape_for_device(&shape, 3)?.to_string(), "f32[2,3]{0,1}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`index_ranges`](Self::index_ranges). XLA answers for manual and unknown shardings, and
    /// for devices that hold nothing of a maximal one.
    pub fn tile_shape_for_device(
        &self,
        shape: &ArrayShape,
        device: i64,
    ) -> Result<ArrayShape, ShardingError> {
        let ranges = self.index_ranges(shape, device)?;
        let mut tile = shape.clone();
        for (dim, range) in tile.dims.iter_mut().zip(ranges) {
            *dim = with_size(*dim, |_| range.end - range.start);
        }
        without_padding(&mut tile, shape);
        Ok(tile)
    }

    /// How many tiles there are, each counted once (XLA: `HloSharding::NumTiles`). As in XLA, 1 for
    /// what is not cut and 0 for an unreduced value; nothing where XLA aborts: for tuples, manual
    /// and unknown shardings.
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let tiles = |text: &str| text.parse::<Sharding>().unwrap().num_tiles();
    /// assert_eq!(tiles("{devices=[2,1,4]<=[8] last_tile_dim_replicate}"), Some(2));
    /// assert_eq!(tiles("{replicated}"), Some(1));
    /// assert_eq!(tiles("{manual}"), None);
    /// ```
    #[doc(alias = "NumTiles")]
    #[must_use]
    pub fn num_tiles(&self) -> Option<i64> {
        match &self.kind {
            ShardingKind::Replicated | ShardingKind::Maximal(_) => Some(1),
            ShardingKind::Unreduced => Some(0),
            ShardingKind::Tiled(tiling) => Some(tiling.parts().iter().product()),
            _ => None,
        }
    }

    /// How many tiles there are, counted for each device that holds them
    /// (XLA: `HloSharding::TotalNumTiles`). Otherwise as [`num_tiles`](Self::num_tiles).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}".parse().unwrap();
    /// assert_eq!(sharding.total_num_tiles(), Some(8));
    /// ```
    #[doc(alias = "TotalNumTiles")]
    #[must_use]
    pub fn total_num_tiles(&self) -> Option<i64> {
        match &self.kind {
            ShardingKind::Tiled(tiling) => Some(tiling.assignment.num_devices()),
            _ => self.num_tiles(),
        }
    }

    /// The place of a device's tile among the parts of each dimension
    /// (XLA: `HloSharding::TileIndexForDevice`).
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = "{devices=[2,2]<=[2,2]T(1,0)}".parse()?;
    /// assert_eq!(sharding.tile_index_for_device(1)?, [1, 0]);
    /// assert_eq!(sharding.device_for_tile_index(&[1, 0])?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the sharding has no tiles, or none for this device.
    #[doc(alias = "TileIndexForDevice")]
    pub fn tile_index_for_device(&self, device: i64) -> Result<Vec<i64>, ShardingError> {
        Ok(self.tiling()?.index(device)?)
    }

    /// The device that holds a tile (XLA: `HloSharding::DeviceForTileIndex`): of several the first,
    /// unless the index names the place in the subgroups, too. The only one of a maximal sharding.
    ///
    /// ```
    /// use xlayout_sharding::Sharding;
    /// let text = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}";
    /// let sharding: Sharding = text.parse()?;
    /// assert_eq!(sharding.device_for_tile_index(&[1, 0])?, 4);
    /// assert_eq!(sharding.device_for_tile_index(&[1, 0, 2])?, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the sharding has no tiles, or none at this index.
    #[doc(alias = "DeviceForTileIndex")]
    pub fn device_for_tile_index(&self, index: &[i64]) -> Result<i64, ShardingError> {
        if let ShardingKind::Maximal(device) = self.kind {
            return Ok(device);
        }
        let tiling = self.tiling()?;
        let mut index = index.to_vec();
        if index.len() == tiling.tiled_data_rank() {
            index.resize(tiling.assignment.dimensions().len(), 0);
        }
        Ok(tiling.assignment.device(&index).ok_or(Kind::NoSuchTile)?)
    }

    /// The indices that a device holds, a range for each dimension (XLA:
    /// `HloSharding::TileOffsetForDevice`, `TileLimitForDevice`). Ranges are for the bound of a
    /// bounded dimension. An empty range anywhere: the device holds nothing. A part behind the end
    /// of a dimension begins and ends at its end.
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// use xlayout_sharding::Sharding;
    /// let sharding: Sharding = "{devices=[2,2]<=[4]}".parse()?;
    /// let shape: ArrayShape = "f32[5,7]".parse()?;
    /// assert_eq!(sharding.index_ranges(&shape, 1)?, [0..3, 4..7]);
    /// assert_eq!(
    ///     sharding.index_ranges(&shape, 4).unwrap_err().to_string(),
    ///     "device 4 has no part; ask for one of the sharding's devices",
    /// );
    /// let sharding: Sharding = "{devices=[4]<=[4]}".parse()?;
    /// assert_eq!(sharding.index_ranges(&"f32[5]".parse()?, 3)?, [5..5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the parts are not known (tuples, manual and unknown shardings), for a device without a
    /// part, a dimension without a bound, and where the sharding cuts another number of dimensions
    /// than there are.
    #[doc(alias("EachTile", "TileOffsetForDevice", "TileLimitForDevice"))]
    pub fn index_ranges(
        &self,
        shape: &ArrayShape,
        device: i64,
    ) -> Result<Vec<Range<i64>>, ShardingError> {
        let (index, parts) = match &self.kind {
            ShardingKind::Maximal(only) if *only != device => {
                return Err(Kind::NoSuchDevice { device }.into());
            }
            ShardingKind::Replicated | ShardingKind::Maximal(_) | ShardingKind::Unreduced => {
                (Vec::new(), &[][..])
            }
            _ => {
                let tiling = self.tiling()?;
                tiling.check_rank(shape.rank())?;
                (tiling.index(device)?, tiling.parts())
            }
        };
        let mut ranges = Vec::with_capacity(shape.rank());
        for (dimension, dim) in shape.dims.iter().enumerate() {
            let size = dim.bound().ok_or(Kind::Unbounded { dimension })?;
            ranges.push(match (index.get(dimension), parts.get(dimension)) {
                (Some(&k), Some(&parts)) => {
                    // None is negative, and both ends are at most `size`.
                    let (start, end) = part_range(size as u64, parts as u64, k as u64);
                    start as i64..end as i64
                }
                _ => 0..size,
            });
        }
        Ok(ranges)
    }
}

impl Tiling {
    /// The sharding cuts this number of dimensions.
    pub(super) fn check_rank(&self, rank: usize) -> Result<(), Kind> {
        let cut = self.tiled_data_rank();
        if cut == rank {
            Ok(())
        } else {
            Err(Kind::Rank { cut, rank })
        }
    }

    /// The place of a device's tile among the parts of each dimension.
    fn index(&self, device: i64) -> Result<Vec<i64>, Kind> {
        let index = self.assignment.index_of(device);
        let mut index = index.ok_or(Kind::NoSuchDevice { device })?;
        index.truncate(self.tiled_data_rank());
        Ok(index)
    }
}

fn with_size(dim: Dim, size: impl FnOnce(i64) -> i64) -> Dim {
    match dim {
        Dim::Static(n) => Dim::Static(size(n)),
        Dim::Bounded(n) => Dim::Bounded(size(n)),
        Dim::Unbounded => Dim::Unbounded,
    }
}

/// The padding of the whole is not that of a part.
fn without_padding(tile: &mut ArrayShape, whole: &ArrayShape) {
    if tile.dims != whole.dims
        && let Some(layout) = &mut tile.layout
    {
        layout.padded_dimensions = Default::default();
        layout.padding_value = None;
    }
}
