//! Which device holds which tile.

use alloc::vec::Vec;

use super::ShardingErrorKind as Kind;
use super::arithmetic::{self, coordinate, position_in_iota, position_in_list};
use super::canonical::{canonical, effective};

/// Devices in a grid of tiles: `[2,4]<=[8]`, `[2,4]<=[4,2]T(1,0)` or `[2,2]0,2,1,3`
/// (XLA: `TileAssignment`, `IotaTileAssignment`).
///
/// The first two, *iota*, are a rule: the devices 0, 1, 2, … are written row-major into an array
/// of the dimensions after `<=`, that array is transposed, and read row-major into the grid. An
/// iota takes no more room than its text, however many devices it has.
///
/// ```
/// use xlayout_sharding::TileAssignment;
///
/// let tiles = TileAssignment::transposed(&[2, 4], &[4, 2], &[1, 0])?;
/// assert_eq!(tiles.to_string(), "[2,4]<=[4,2]T(1,0)");
/// assert_eq!(tiles.devices().collect::<Vec<_>>(), [0, 2, 4, 6, 1, 3, 5, 7]);
/// assert_eq!(tiles, TileAssignment::listed(&[2, 4], &[0, 2, 4, 6, 1, 3, 5, 7])?);
/// # Ok::<(), xlayout_sharding::ShardingError>(())
/// ```
#[doc(alias = "IotaTileAssignment")]
#[derive(Clone, Debug)]
pub struct TileAssignment {
    dimensions: Vec<i64>,
    devices: DeviceList,
}

#[derive(Clone, Debug)]
enum DeviceList {
    /// Canonical; the lists are equally long.
    Iota {
        reshape_dims: Vec<i64>,
        transpose_perm: Vec<usize>,
    },
    List(Vec<i64>),
}

/// The product of the dimensions of a grid, each of which must be at least 1.
pub(super) fn product(dimensions: &[i64]) -> Result<i64, Kind> {
    if dimensions.is_empty() {
        return Err(Kind::NoDimensions);
    }
    if let Some(dimension) = dimensions.iter().position(|size| *size < 1) {
        let size = dimensions[dimension];
        return Err(Kind::TileDimension { dimension, size });
    }
    arithmetic::product(dimensions).ok_or(Kind::Overflow)
}

impl TileAssignment {
    /// The devices 0, 1, 2, …, row-major: `[2,4]<=[8]`.
    ///
    /// ```
    /// use xlayout_sharding::TileAssignment;
    /// assert_eq!(TileAssignment::iota(&[2, 4])?.to_string(), "[2,4]<=[8]");
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    ///
    /// # Errors
    /// For a grid without dimensions, a dimension below 1, and more than 2^63 - 1 devices.
    pub fn iota(dimensions: &[i64]) -> Result<Self, super::ShardingError> {
        let devices = product(dimensions)?;
        Ok(Self::reshaped(dimensions, &[devices], &[0])?)
    }

    /// The devices 0, 1, 2, …, reshaped, transposed and reshaped to the grid:
    /// `[2,4]<=[4,2]T(1,0)`. Kept in XLA's canonical form, the shortest.
    ///
    /// ```
    /// use xlayout_sharding::TileAssignment;
    /// let tiles = TileAssignment::transposed(&[8], &[2, 2, 2], &[1, 2, 0])?;
    /// assert_eq!(tiles.to_string(), "[8]<=[2,4]T(1,0)");
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    ///
    /// # Errors
    /// If the grid and the reshaped devices have different numbers of entries, or the transpose is
    /// no permutation. As XLA does, this takes `T(0,0)` and `T(1,1)` of a square for `T(1,0)`.
    pub fn transposed(
        dimensions: &[i64],
        reshape_dims: &[i64],
        transpose_perm: &[i64],
    ) -> Result<Self, super::ShardingError> {
        let perm = permutation(transpose_perm, reshape_dims.len())?;
        Ok(Self::reshaped(dimensions, reshape_dims, &perm)?)
    }

    pub(super) fn reshaped(
        dimensions: &[i64],
        reshape_dims: &[i64],
        transpose_perm: &[usize],
    ) -> Result<Self, Kind> {
        let tiles = product(dimensions)?;
        let devices = product(reshape_dims)?;
        if tiles != devices {
            return Err(Kind::DeviceCount { tiles, devices });
        }
        let (reshape_dims, transpose_perm) = canonical(reshape_dims, transpose_perm)?;
        Ok(Self {
            dimensions: dimensions.to_vec(),
            devices: DeviceList::Iota {
                reshape_dims,
                transpose_perm,
            },
        })
    }

    /// The devices one by one, row-major: `[2,2]0,2,1,3`.
    ///
    /// As in XLA, that they differ and are not negative is a question for
    /// [`Sharding::validate`](super::Sharding::validate).
    ///
    /// ```
    /// use xlayout_sharding::TileAssignment;
    /// assert_eq!(TileAssignment::listed(&[2, 2], &[0, 2, 1, 3])?.to_string(), "[2,2]0,2,1,3");
    /// assert_eq!(
    ///     TileAssignment::listed(&[2, 2], &[0, 1, 2]).unwrap_err().to_string(),
    ///     "there are 4 tiles, but 3 devices; the numbers in `devices=[…]` multiply to the number \
    ///      of tiles, subgroups included; each has one device",
    /// );
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    ///
    /// # Errors
    /// If there is not one device for each tile, or only one in all.
    pub fn listed(dimensions: &[i64], devices: &[i64]) -> Result<Self, super::ShardingError> {
        Ok(Self::list(dimensions, devices.to_vec())?)
    }

    pub(super) fn list(dimensions: &[i64], devices: Vec<i64>) -> Result<Self, Kind> {
        let tiles = product(dimensions)?;
        let devices = DeviceList::List(devices);
        let dimensions = dimensions.to_vec();
        let listed = Self {
            dimensions,
            devices,
        };
        match listed.num_devices() {
            1 => Err(Kind::OneDevice),
            devices if devices != tiles => Err(Kind::DeviceCount { tiles, devices }),
            _ => Ok(listed),
        }
    }

    /// The grid: into how many parts each dimension is cut, then the sizes of the subgroups
    /// (XLA: `TileAssignment::dimensions`).
    ///
    /// ```
    /// use xlayout_sharding::TileAssignment;
    /// let tiles = TileAssignment::transposed(&[2, 4], &[4, 2], &[1, 0])?;
    /// assert_eq!(tiles.dimensions(), [2, 4]);
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    #[must_use]
    pub fn dimensions(&self) -> &[i64] {
        &self.dimensions
    }

    /// How many devices there are (XLA: `TileAssignment::num_elements`).
    ///
    /// ```
    /// use xlayout_sharding::TileAssignment;
    /// let tiles = TileAssignment::transposed(&[2, 4], &[4, 2], &[1, 0])?;
    /// assert_eq!(tiles.num_devices(), 8);
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    #[doc(alias = "num_elements")]
    #[must_use]
    pub fn num_devices(&self) -> i64 {
        match &self.devices {
            DeviceList::Iota { reshape_dims, .. } => reshape_dims.iter().product(),
            DeviceList::List(devices) => count(devices),
        }
    }

    /// `[4,2]` and `(1,0)` of `<=[4,2]T(1,0)`; nothing for a list (XLA: `TileAssignment::iota`).
    ///
    /// ```
    /// use xlayout_sharding::TileAssignment;
    /// let tiles = TileAssignment::transposed(&[2, 4], &[4, 2], &[1, 0])?;
    /// assert_eq!(tiles.iota_dims(), Some((&[4, 2][..], &[1, 0][..])));
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    #[must_use]
    pub fn iota_dims(&self) -> Option<(&[i64], &[usize])> {
        match &self.devices {
            DeviceList::Iota {
                reshape_dims,
                transpose_perm,
            } => Some((reshape_dims, transpose_perm)),
            DeviceList::List(_) => None,
        }
    }

    /// The devices where they are listed one by one; nothing for an iota.
    ///
    /// ```
    /// use xlayout_sharding::TileAssignment;
    /// let tiles = TileAssignment::transposed(&[2, 4], &[4, 2], &[1, 0])?;
    /// assert_eq!(tiles.device_list(), None);
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    #[must_use]
    pub fn device_list(&self) -> Option<&[i64]> {
        match &self.devices {
            DeviceList::Iota { .. } => None,
            DeviceList::List(devices) => Some(devices),
        }
    }

    /// The device at this place of the grid (XLA: `TileAssignment::operator()`, `value_at`).
    /// Nothing outside of it.
    ///
    /// ```
    /// use xlayout_sharding::TileAssignment;
    /// let tiles = TileAssignment::transposed(&[2, 4], &[4, 2], &[1, 0])?;
    /// assert_eq!(tiles.device(&[1, 2]), Some(5));
    /// assert_eq!(tiles.device(&[2, 0]), None);
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    #[doc(alias = "value_at")]
    #[must_use]
    pub fn device(&self, index: &[i64]) -> Option<i64> {
        if index.len() != self.dimensions.len() {
            return None;
        }
        let mut place = 0;
        for (&k, &size) in index.iter().zip(&self.dimensions) {
            if !(0..size).contains(&k) {
                return None;
            }
            place = place * size + k;
        }
        self.device_at(place)
    }

    /// The devices, row-major. [`device_at`](Self::device_at) gives one of them.
    #[doc(alias("Each", "array"))]
    pub fn devices(&self) -> impl Iterator<Item = i64> + Clone + '_ {
        (0..self.num_devices()).map(|place| match self.device_at(place) {
            Some(device) => device,
            None => unreachable!("each place has a device"),
        })
    }

    /// The device at this place of the grid, counted row-major. An iota is not written out for it.
    ///
    /// ```
    /// use xlayout_sharding::TileAssignment;
    /// let tiles = TileAssignment::iota(&[1_000_000_000, 1_000_000_000])?;
    /// assert_eq!(tiles.device_at(999_999_999), Some(999_999_999));
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    #[must_use]
    pub fn device_at(&self, place: i64) -> Option<i64> {
        let Some((reshape_dims, transpose_perm)) = self.iota_dims() else {
            let place = usize::try_from(place).ok()?;
            return self.device_list()?.get(place).copied();
        };
        if !(0..self.num_devices()).contains(&place) {
            return None;
        }
        let mut rest = place;
        let mut device = 0;
        for &d in effective(transpose_perm).iter().rev() {
            let stride: i64 = reshape_dims[d + 1..].iter().product();
            device += rest % reshape_dims[d] * stride;
            rest /= reshape_dims[d];
        }
        Some(device)
    }

    /// The place of a device in the grid, counted row-major; the last one where a list names it
    /// again. Nothing for a device that is not in it. Takes no time for an iota.
    ///
    /// ```
    /// use xlayout_sharding::TileAssignment;
    /// let tiles = TileAssignment::transposed(&[2, 4], &[4, 2], &[1, 0])?;
    /// assert_eq!(tiles.place_of(2), Some(1));
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    #[must_use]
    pub fn place_of(&self, device: i64) -> Option<i64> {
        match self.iota_dims() {
            Some((dims, perm)) => position_in_iota(dims, effective(perm), device),
            None => i64::try_from(position_in_list(self.device_list()?, device)?).ok(),
        }
    }

    /// The place of a device in the grid, by dimensions.
    ///
    /// ```
    /// use xlayout_sharding::TileAssignment;
    /// let tiles = TileAssignment::iota(&[1_000_000_000, 1_000_000_000])?;
    /// assert_eq!(tiles.index_of(5_000_000_007), Some(vec![5, 7]));
    /// assert_eq!(tiles.index_of(-1), None);
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    #[must_use]
    pub fn index_of(&self, device: i64) -> Option<Vec<i64>> {
        let position = self.place_of(device)?;
        let coordinate = |d| coordinate(&self.dimensions, position, d);
        Some((0..self.dimensions.len()).map(coordinate).collect())
    }

    /// The same devices in another grid of as many tiles.
    pub(super) fn with_dimensions(&self, dimensions: &[i64]) -> Self {
        Self {
            dimensions: dimensions.to_vec(),
            devices: self.devices.clone(),
        }
    }

    /// The devices of a list. Each tile has the number of one of them in this assignment.
    pub(super) fn of_list(&self, devices: &[i64]) -> Result<Self, Kind> {
        let tiles = self.num_devices();
        let listed = count(devices);
        if listed != tiles {
            let devices = listed;
            return Err(Kind::DeviceCount { tiles, devices });
        }
        if listed == 1 {
            return Ok(self.clone());
        }
        // As many places as there are devices in memory.
        let device = |place: i64| devices.get(usize::try_from(place).ok()?).copied();
        Self::list(
            &self.dimensions,
            self.devices().filter_map(device).collect(),
        )
    }

    /// The devices one by one.
    pub(super) fn written_out(&self) -> Result<Vec<i64>, Kind> {
        let devices = self.num_devices();
        if devices > super::MAX_WRITTEN_OUT && self.device_list().is_none() {
            return Err(Kind::TooManyDevices { devices });
        }
        Ok(self.devices().collect())
    }
}

/// The grid and the devices in it are the same, whether by rule or by list.
impl PartialEq for TileAssignment {
    fn eq(&self, other: &Self) -> bool {
        if self.dimensions() != other.dimensions() {
            return false;
        }
        match (self.iota_dims(), other.iota_dims()) {
            (None, None) => self.device_list() == other.device_list(),
            // The canonical form is unique, but for the two names of a square's transpose.
            (Some((a, p)), Some((b, q))) => a == b && effective(p) == effective(q),
            // Equal dimensions: the iota is as long as the list.
            _ => self.devices().eq(other.devices()),
        }
    }
}

impl Eq for TileAssignment {}

/// A transpose as it was written, as places of the list that it permutes.
pub(super) fn permutation(transpose_perm: &[i64], rank: usize) -> Result<Vec<usize>, Kind> {
    if transpose_perm.len() != rank {
        return Err(Kind::TransposeLength {
            listed: transpose_perm.len(),
            rank,
        });
    }
    let place = |&entry: &i64| match usize::try_from(entry) {
        Ok(place) if place < rank => Ok(place),
        _ => Err(Kind::TransposeRange { entry, rank }),
    };
    transpose_perm.iter().map(place).collect()
}

/// The length of a list in memory, which fits.
fn count(list: &[i64]) -> i64 {
    i64::try_from(list.len()).unwrap_or(i64::MAX)
}
