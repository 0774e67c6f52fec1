//! Layouts at run time, and indices.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use xlayout_shape::serialized::error;

use crate::{ArrayShape, Dyn, DynCoordinates, LaidOut, List, Misfit, Strided};

/// As its [`ArrayShape`].
impl Serialize for Dyn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.array_shape().serialize(serializer)
    }
}

fn misfit<E: Error>(misfit: Misfit) -> E {
    match misfit {
        Misfit::Invalid(invalid) => error(&invalid),
        misfit => E::custom(misfit),
    }
}

/// As [`Dyn::new`]: a missing layout is the default one, and what cannot be addressed is an error.
impl<'de> Deserialize<'de> for Dyn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(ArrayShape::deserialize(deserializer)?).map_err(misfit)
    }
}

/// As its [`ArrayShape`].
impl<const N: usize> Serialize for Strided<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.shape().serialize(serializer)
    }
}

/// As [`Strided::new`]: another rank, or tiles, are errors.
impl<'de, const N: usize> Deserialize<'de> for Strided<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&Dyn::deserialize(deserializer)?).map_err(misfit)
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
