//! Whether a sharding fits a shape.

use alloc::vec::Vec;

use super::{Sharding, ShardingError, ShardingErrorKind as Kind, ShardingKind, Tiling};
use xlayout_shape::shape::Shape;

impl Sharding {
    /// Whether it can be the sharding of a value of this shape, on this number of devices if it is
    /// known (XLA: `HloSharding::Validate`).
    ///
    /// An array must have as many dimensions as are cut, a tuple as many leaves as there are
    /// shardings. Devices are not negative and have one tile each; with a number of devices, all of
    /// them are used. A dimension need not divide by its parts: the last ones are smaller or empty.
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// use xlayout_sharding::Sharding;
    ///
    /// let sharding: Sharding = "{devices=[2,2]0,1,2,4}".parse().unwrap();
    /// let shape: Shape = "f32[5,7]".parse().unwrap();
    /// assert_eq!(sharding.validate(&shape, None), Ok(()));
    /// assert_eq!(
    ///     sharding.validate(&shape, Some(4)).unwrap_err().to_string(),
    ///     "device 4 is used, but there are 4 devices; devices count from 0",
    /// );
    /// ```
    ///
    /// # Errors
    /// The first rule that it breaks.
    #[doc(alias = "Validate")]
    pub fn validate(&self, shape: &Shape, devices: Option<i64>) -> Result<(), ShardingError> {
        // XLA lets tokens have any sharding.
        if matches!(shape, Shape::Token) {
            return Ok(());
        }
        let ShardingKind::Tuple(shardings) = &self.kind else {
            return Ok(self.validate_leaf(shape, devices)?);
        };
        if !shape.is_tuple() {
            return Err(Kind::TupleForNone.into());
        }
        let leaves: Vec<&Shape> = shape.leaves().collect();
        // A tuple without leaves may have one sharding for itself.
        if leaves.len() != shardings.len() && !(leaves.is_empty() && shardings.len() == 1) {
            let shardings = shardings.len();
            let leaves = leaves.len();
            return Err(Kind::Leaves { shardings, leaves }.into());
        }
        for (leaf, (shape, sharding)) in leaves.iter().zip(shardings).enumerate() {
            let valid = sharding.validate_leaf(shape, devices);
            valid.map_err(|kind| ShardingError::in_leaf(kind, leaf))?;
        }
        Ok(())
    }

    fn validate_leaf(&self, shape: &Shape, devices: Option<i64>) -> Result<(), Kind> {
        let rank = match shape {
            Shape::Array(array) | Shape::Buffer(array) => array.rank(),
            Shape::Token | Shape::Opaque => 0,
            Shape::Tuple(_) => return Err(Kind::NoneForTuple),
            _ => unreachable!("XLA has no other shapes"),
        };
        match &self.kind {
            ShardingKind::Maximal(device) => in_range(*device, devices),
            ShardingKind::Tiled(tiling) => tiling.validate(rank, devices),
            _ => Ok(()),
        }
    }
}

fn in_range(device: i64, devices: Option<i64>) -> Result<(), Kind> {
    match devices {
        _ if device < 0 => Err(Kind::NegativeDevice { device }),
        Some(devices) if device >= devices => Err(Kind::DeviceRange { device, devices }),
        _ => Ok(()),
    }
}

impl Tiling {
    fn validate(&self, rank: usize, devices: Option<i64>) -> Result<(), Kind> {
        self.check_rank(rank)?;
        let listed = self.assignment.num_devices();
        if listed == 1 {
            return Err(Kind::SingleTile);
        }
        if let Some(list) = self.assignment.device_list() {
            for &device in list {
                in_range(device, devices)?;
            }
            let mut sorted = list.to_vec();
            sorted.sort_unstable();
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(Kind::DeviceTwice { device: pair[0] });
            }
        }
        match devices {
            Some(devices) if devices != listed => Err(Kind::Devices { listed, devices }),
            _ => Ok(()),
        }
    }
}
