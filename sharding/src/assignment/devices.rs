//! Devices one by one, and assignments compared by them.

use crate::TileAssignment;
use crate::canonical::effective;

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

/// The devices of a [`TileAssignment`], row-major: see [`TileAssignment::devices`].
#[derive(Clone, Debug)]
pub struct Devices<'a> {
    tiles: &'a TileAssignment,
    next: i64,
}

impl TileAssignment {
    /// The devices, row-major. An iota is not written out for it.
    ///
    /// ```
    /// use xlayout_sharding::TileAssignment;
    /// let tiles = TileAssignment::iota(&[1_000_000_000, 1_000_000_000])?;
    /// assert_eq!(tiles.devices().nth(999_999_999), Some(999_999_999));
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    #[doc(alias("Each", "array"))]
    #[must_use]
    pub fn devices(&self) -> Devices<'_> {
        Devices {
            tiles: self,
            next: 0,
        }
    }
}

impl Iterator for Devices<'_> {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        self.nth(0)
    }

    fn nth(&mut self, n: usize) -> Option<i64> {
        let skipped = i64::try_from(n).unwrap_or(i64::MAX);
        let place = self.next.saturating_add(skipped);
        let device = self.tiles.device_at(place);
        self.next = match device {
            Some(_) => place + 1,
            None => self.tiles.num_devices(),
        };
        device
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.tiles.num_devices() - self.next);
        (left.unwrap_or(usize::MAX), left.ok())
    }
}
