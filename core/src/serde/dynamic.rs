//! Layouts at run time, and indices.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::ElementType;
use crate::array_layout::ArrayLayout;
use crate::coordinates::{Coordinates, DynCoordinates};
use crate::dims::INLINE_RANK;
use crate::layout::Layout;
use crate::layouts::{DynLayout, Stride, StridedLayout};
use crate::list::List;
use crate::order::MinorToMajor;
use crate::shape::ArrayShape;

/// As its [`ArrayShape`].
impl Serialize for DynLayout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.array_shape().serialize(serializer)
    }
}

/// As [`DynLayout::new`]: what cannot be addressed is an error.
impl<'de> Deserialize<'de> for DynLayout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(ArrayShape::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// As the element type and its bits in memory, sizes, strides with signs, the length of the memory,
/// and whether what lies between the elements is padding of the array.
impl<C: Coordinates, I: Stride> Serialize for StridedLayout<C, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let element = (self.element_type(), self.element_bits() as i64);
        let Ok(strides) = List::<isize, INLINE_RANK>::try_from_iter(self.signed_strides()) else {
            unreachable!("the coordinates have room for as many dimensions");
        };
        let sizes = self.shape();
        let memory = (self.buffer_len(), self.owns_padding());
        (element, sizes.as_ref(), strides, memory).serialize(serializer)
    }
}

/// As [`StridedLayout::new`]: another rank, and elements that overlap, are errors.
impl<'de, C: Coordinates, I: Stride> Deserialize<'de> for StridedLayout<C, I> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        type Sizes = List<usize, INLINE_RANK>;
        type Strides = List<isize, INLINE_RANK>;
        type Element = (ElementType, i64);
        let ((element_type, bits), listed, strides, (buffer_len, owns_padding)): (
            Element,
            Sizes,
            Strides,
            _,
        ) = Deserialize::deserialize(deserializer)?;
        // The width is checked as that of a scalar.
        let mut scalar = ArrayShape::scalar(element_type);
        let mut scalar_layout = Layout::new(MinorToMajor::default());
        scalar_layout.element_size_in_bits = bits;
        scalar.layout = Some(scalar_layout);
        let element = DynLayout::new(scalar).map_err(D::Error::custom)?;
        let element = (element_type, element.element_bits());
        let layout = Self::checked(element, &listed, &strides);
        let layout = layout.and_then(|layout| layout.with_memory(buffer_len, owns_padding));
        layout.map_err(D::Error::custom)
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
