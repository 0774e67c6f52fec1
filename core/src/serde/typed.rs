//! Layouts that the compiler knows, in whole or in part: written as their shape, and read only
//! where that is the layout of the type.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::array_layout::ArrayLayout;
use crate::element::DType;
use crate::layouts::DynLayout;
use crate::layouts::types::{
    Attributes, Dimensions, FromDynLayout, MixedLayout, OrderOf, StaticDimensions, StaticLayout,
};
use crate::shape::ArrayShape;

/// A layout of the type whose shape is `expected`.
fn read<'de, L: FromDynLayout, D: Deserializer<'de>>(
    deserializer: D,
    expected: impl FnOnce() -> ArrayShape,
) -> Result<L, D::Error> {
    let found = DynLayout::deserialize(deserializer)?;
    L::from_dyn(&found).map_err(|layout_error| {
        let expected = expected();
        D::Error::custom(format_args!(
            "expected the layout `{expected}`, found `{found}`: {layout_error}"
        ))
    })
}

macro_rules! as_shape {
    ($($layout:ident: $dimensions:ident, $expected:expr;)*) => {$(
        /// As its [`ArrayShape`], with the sizes of the value.
        impl<E: DType, D: $dimensions, O: OrderOf, A: Attributes> Serialize for $layout<E, D, O, A> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.array_shape().serialize(serializer)
            }
        }

        /// Reads a layout and checks that it is one of this type.
        impl<'de, E: DType, D: $dimensions, O: OrderOf, A: Attributes> Deserialize<'de> for $layout<E, D, O, A> {
            fn deserialize<F: Deserializer<'de>>(deserializer: F) -> Result<Self, F::Error> {
                read(deserializer, $expected)
            }
        }
    )*};
}

as_shape! {
    StaticLayout: StaticDimensions, || Self::NEW.array_shape();
    MixedLayout: Dimensions, Self::pattern;
}
