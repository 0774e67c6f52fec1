//! Layouts at run time, and indices.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use xlayout_shape::serialized::error;

use crate::{ArrayLayout, ArrayShape, DynCoordinates, DynLayout, LayoutError, List, StridedLayout};

/// As its [`ArrayShape`].
impl Serialize for DynLayout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.array_shape().serialize(serializer)
    }
}

fn layout_error<E: Error>(layout_error: LayoutError) -> E {
    match layout_error {
        LayoutError::Invalid(invalid) => error(&invalid),
        layout_error => E::custom(layout_error),
    }
}

/// As [`DynLayout::new`]: a missing layout is the default one, and what cannot be addressed is an error.
impl<'de> Deserialize<'de> for DynLayout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(ArrayShape::deserialize(deserializer)?).map_err(layout_error)
    }
}

/// As its [`ArrayShape`].
impl<const N: usize> Serialize for StridedLayout<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.shape().serialize(serializer)
    }
}

/// As [`StridedLayout::new`]: another rank, or tiles, are errors.
impl<'de, const N: usize> Deserialize<'de> for StridedLayout<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&DynLayout::deserialize(deserializer)?).map_err(layout_error)
    }
}

/// As a list of the coordinates, that of dimension 0 first.
impl Serialize for DynCoordinates {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for DynCoordinates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        List::deserialize(deserializer).map(Self)
    }
}
