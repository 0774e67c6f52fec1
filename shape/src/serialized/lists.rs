//! Lists, and what is made of lists of numbers: orders, tiles, splits, paths.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeTuple, Serializer};

use crate::{List, MajorToMinor, MinorToMajor, SplitConfig, SplitConfigs, TileDim, Tiles};

/// Something that takes the items of a sequence.
trait Collect<'de>: Default {
    type Item: Deserialize<'de>;
    const WHAT: &'static str;

    fn take(&mut self, item: Self::Item) -> Result<(), crate::CapacityError>;
}

struct Items<C>(PhantomData<C>);

impl<'de, C: Collect<'de>> Visitor<'de> for Items<C> {
    type Value = C;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(C::WHAT)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<C, A::Error> {
        // The length that the input claims may be a lie: nothing is allocated for it.
        let mut all = C::default();
        while let Some(item) = items.next_element()? {
            all.take(item).map_err(A::Error::custom)?;
        }
        Ok(all)
    }
}

fn read<'de, C: Collect<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<C, D::Error> {
    deserializer.deserialize_seq(Items(PhantomData))
}

impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Collect<'de> for List<T, N> {
    type Item = T;
    const WHAT: &'static str = "a list";

    fn take(&mut self, item: T) -> Result<(), crate::CapacityError> {
        self.try_push(item)
    }
}

impl<T: Copy + Serialize, const N: usize> Serialize for List<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Deserialize<'de> for List<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer)
    }
}

/// As a list of dimension numbers, the one that varies fastest first.
impl Serialize for MinorToMajor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self[..].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MinorToMajor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        List::deserialize(deserializer).map(Self::from_list)
    }
}

/// As a list of dimension numbers, the one that varies slowest first.
impl Serialize for MajorToMinor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self[..].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MajorToMinor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = MinorToMajor::deserialize(deserializer)?;
        Self::new(&list).map_err(D::Error::custom)
    }
}

/// As a list of the tiles, each a list of its entries.
impl Serialize for Tiles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::layout::sequence(serializer, self.len(), self.iter())
    }
}

impl<'de> Collect<'de> for Tiles {
    type Item = List<TileDim, 8>;
    const WHAT: &'static str = "a list of tiles, each a list of numbers";

    fn take(&mut self, tile: Self::Item) -> Result<(), crate::CapacityError> {
        self.push(&tile)
    }
}

impl<'de> Deserialize<'de> for Tiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer)
    }
}

/// As a pair: the dimension, and the list of the indices.
impl Serialize for SplitConfig<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut pair = serializer.serialize_tuple(2)?;
        pair.serialize_element(&self.dimension)?;
        pair.serialize_element(self.split_indices)?;
        pair.end()
    }
}

/// As a list of the splits.
impl Serialize for SplitConfigs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        super::layout::sequence(serializer, self.len(), self.iter())
    }
}

impl<'de> Collect<'de> for SplitConfigs {
    type Item = (i64, List<i64, 8>);
    const WHAT: &'static str = "a list of splits, each a dimension and a list of indices";

    fn take(&mut self, (dimension, indices): Self::Item) -> Result<(), crate::CapacityError> {
        self.push(dimension, &indices)
    }
}

impl<'de> Deserialize<'de> for SplitConfigs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer)
    }
}

/// As a list of members, the outermost tuple's first.
#[cfg(feature = "alloc")]
impl Serialize for crate::ShapeIndex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self[..].serialize(serializer)
    }
}

#[cfg(feature = "alloc")]
impl<'de> Deserialize<'de> for crate::ShapeIndex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries: List<i64, 4> = List::deserialize(deserializer)?;
        Ok(entries.iter().copied().collect())
    }
}
