//! What is asked of one array, asked of a shape with arrays inside.

use alloc::vec::Vec;

use super::{ArrayShape, Shape, ShapeError};
use crate::primitive::PrimitiveType;

impl Shape {
    /// Whether an answer holds of an array inside.
    fn any_array(&self, holds: impl Fn(&ArrayShape) -> bool + Copy) -> bool {
        match self {
            Self::Array(array) | Self::Buffer(array) => holds(array),
            Self::Tuple(members) => members.iter().any(|member| member.any_array(holds)),
            Self::Token | Self::Opaque => false,
        }
    }

    /// The same tree with every array changed; tokens and opaque values stay.
    fn try_map_arrays(
        &self,
        change: impl Fn(&ArrayShape) -> Result<ArrayShape, ShapeError> + Copy,
    ) -> Result<Self, ShapeError> {
        Ok(match self {
            Self::Array(array) => Self::Array(change(array)?),
            Self::Buffer(array) => Self::Buffer(change(array)?),
            Self::Tuple(members) => {
                let changed = members.iter().map(|member| member.try_map_arrays(change));
                Self::Tuple(changed.collect::<Result<Vec<_>, _>>()?)
            }
            Self::Token => Self::Token,
            Self::Opaque => Self::Opaque,
        })
    }

    /// Whether every size of every array inside is known (XLA: `Shape::is_static`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "(f32[2], (s8[<=3], token[]))".parse().unwrap();
    /// assert!(shape.is_dynamic() && shape.is_bounded_dynamic() && !shape.is_static());
    /// assert!(!shape.is_unbounded_dynamic());
    /// assert!(Shape::Token.is_static());
    /// ```
    #[must_use]
    pub fn is_static(&self) -> bool {
        !self.is_dynamic()
    }

    /// Whether a size of an array inside is known at run time only (XLA: `Shape::is_dynamic`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("(f32[2], s8[<=3])".parse::<Shape>().unwrap().is_dynamic());
    /// ```
    #[must_use]
    pub fn is_dynamic(&self) -> bool {
        self.any_array(ArrayShape::is_dynamic)
    }

    /// Whether a dimension of an array inside has no bound (XLA: `Shape::is_unbounded_dynamic`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("(f32[2], s8[?])".parse::<Shape>().unwrap().is_unbounded_dynamic());
    /// ```
    #[must_use]
    pub fn is_unbounded_dynamic(&self) -> bool {
        self.any_array(ArrayShape::is_unbounded_dynamic)
    }

    /// Whether a size of an array inside is known at run time only and has a bound
    /// (XLA: `Shape::is_bounded_dynamic`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("(f32[?], s8[<=3])".parse::<Shape>().unwrap().is_bounded_dynamic());
    /// ```
    #[must_use]
    pub fn is_bounded_dynamic(&self) -> bool {
        self.any_array(ArrayShape::is_bounded_dynamic)
    }

    /// Makes every dimension of every array inside static
    /// (XLA: `Shape::clear_dynamic_dimensions`); see [`ArrayShape::clear_dynamic_dimensions`].
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let mut shape: Shape = "(f32[<=2], token[])".parse().unwrap();
    /// shape.clear_dynamic_dimensions()?;
    /// assert_eq!(shape.to_string(), "(f32[2]{0}, token[])");
    /// # Ok::<(), xlayout_shape::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// For a dimension without a bound. The shape is then as it was.
    pub fn clear_dynamic_dimensions(&mut self) -> Result<(), ShapeError> {
        *self = self.try_map_arrays(|array| {
            let mut array = array.clone();
            array.clear_dynamic_dimensions()?;
            Ok(array)
        })?;
        Ok(())
    }

    /// The same shape with every dimension of every array inside static, and without headers of
    /// dynamic sizes (XLA: `ShapeUtil::MakeStaticShape`, `MakeShapeWithStaticDimensions`, which
    /// leave that header to members of a tuple that are static already).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "(f32[<=2]{0:M(8)}, token[])".parse().unwrap();
    /// assert_eq!(shape.to_static()?.to_string(), "(f32[2]{0}, token[])");
    /// # Ok::<(), xlayout_shape::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// For a dimension without a bound.
    #[doc(alias = "MakeStaticShape")]
    #[doc(alias = "MakeShapeWithStaticDimensions")]
    pub fn to_static(&self) -> Result<Self, ShapeError> {
        self.try_map_arrays(ArrayShape::to_static)
    }

    /// Whether a value of this shape always fits where `bounded` is expected: the same tree, the
    /// same kinds, and arrays that fit one by one; see
    /// [`ArrayShape::dynamic_array_shape_is_compatible`]
    /// (XLA: `ShapeUtil::DynamicShapeIsCompatible`).
    ///
    /// XLA compares less: see
    /// [`xla_dynamic_shape_is_compatible`](Self::xla_dynamic_shape_is_compatible).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let fits = |shape: &str, bounded: &str| {
    ///     let [shape, bounded] = [shape, bounded].map(|text| text.parse::<Shape>().unwrap());
    ///     shape.dynamic_shape_is_compatible(&bounded)
    /// };
    /// assert!(fits("(f32[<=2], token[])", "(f32[<=4], token[])"));
    /// assert!(!fits("(f32[<=2])", "(f32[<=4], token[])"));
    /// assert!(!fits("f32[5]", "f32[<=4]"));
    /// ```
    #[doc(alias = "DynamicShapeIsCompatible")]
    #[must_use]
    pub fn dynamic_shape_is_compatible(&self, bounded: &Self) -> bool {
        match (self, bounded) {
            (Self::Tuple(members), Self::Tuple(others)) => {
                let mut pairs = members.iter().zip(others);
                members.len() == others.len()
                    && pairs.all(|(member, other)| member.dynamic_shape_is_compatible(other))
            }
            _ => match (self.as_array_or_buffer(), bounded.as_array_or_buffer()) {
                (Some(array), Some(other)) => array.dynamic_array_shape_is_compatible(other),
                (None, None) => self == bounded,
                _ => false,
            },
        }
    }

    /// [`dynamic_shape_is_compatible`](Self::dynamic_shape_is_compatible) as XLA answers it; `None`
    /// where XLA aborts, since a dynamic array stands against a token or an opaque value.
    ///
    /// XLA compares only arrays that are dynamic: a static one fits everything but a tuple. `?`
    /// fits everything, and nothing else fits there. A tuple may have fewer members than the other.
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let answer = |shape: &str, bounded: &str| {
    ///     let [shape, bounded] = [shape, bounded].map(|text| text.parse::<Shape>().unwrap());
    ///     shape.xla_dynamic_shape_is_compatible(&bounded)
    /// };
    /// assert_eq!(answer("f32[5]", "f32[<=4]"), Some(true));
    /// assert_eq!(answer("(f32[<=2])", "(f32[<=4], token[])"), Some(true));
    /// assert_eq!(answer("(f32[<=4])", "(token[])"), None);
    /// ```
    #[must_use]
    pub fn xla_dynamic_shape_is_compatible(&self, bounded: &Self) -> Option<bool> {
        if let Self::Tuple(members) = self {
            let Self::Tuple(others) = bounded else {
                return Some(false);
            };
            for (k, member) in members.iter().enumerate() {
                match others
                    .get(k)
                    .map(|other| member.xla_dynamic_shape_is_compatible(other))
                {
                    Some(Some(true)) => {}
                    Some(answer) => return answer,
                    None => return Some(false),
                }
            }
            return Some(true);
        }
        match (self.as_array_or_buffer(), bounded) {
            (_, Self::Tuple(_)) => Some(false),
            (Some(array), _) if array.is_dynamic() => {
                let other = bounded.as_array_or_buffer()?;
                Some(array.xla_dynamic_array_shape_is_compatible(other))
            }
            _ => Some(true),
        }
    }

    /// The same shape with elements of another type in every array
    /// (XLA: `ShapeUtil::ChangeElementType`); see [`ArrayShape::change_element_type`]. Tokens and
    /// opaque values stay; XLA makes scalars of them.
    ///
    /// ```
    /// use xlayout_shape::{PrimitiveType, Shape};
    /// let shape: Shape = "(f32[2], token[])".parse().unwrap();
    /// let changed = shape.change_element_type(PrimitiveType::S8)?;
    /// assert_eq!(changed.to_string(), "(s8[2]{0}, token[])");
    /// # Ok::<(), xlayout_shape::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// For a type without elements, like a tuple; XLA aborts there.
    #[doc(alias = "ChangeElementType")]
    pub fn change_element_type(&self, element_type: PrimitiveType) -> Result<Self, ShapeError> {
        self.try_map_arrays(|array| array.change_element_type(element_type))
    }

    /// Packs the elements of every array inside or unpacks them
    /// (XLA: `ShapeUtil::UpdateElementSizeInBits`); see
    /// [`ArrayShape::update_element_size_in_bits`].
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let mut shape: Shape = "(f32[2], s4[3])".parse().unwrap();
    /// shape.update_element_size_in_bits(true);
    /// assert_eq!(shape.to_string(), "(f32[2]{0}, s4[3]{0:E(4)})");
    /// ```
    #[doc(alias = "UpdateElementSizeInBits")]
    pub fn update_element_size_in_bits(&mut self, pack_subbyte_types: bool) {
        self.for_each_leaf_shape_mut(|leaf, _| {
            if let Some(array) = leaf.as_array_or_buffer_mut() {
                array.update_element_size_in_bits(pack_subbyte_types);
            }
        });
    }

    /// The same shape as a host has it (XLA: `ShapeUtil::DeviceShapeToHostShape`); see
    /// [`ArrayShape::device_shape_to_host_shape`].
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "(f32[2,3]{0,1:T(8,128)S(1)}, token[])".parse().unwrap();
    /// assert!(!shape.device_shape_is_host_shape());
    /// assert_eq!(shape.device_shape_to_host_shape().to_string(), "(f32[2,3]{0,1}, token[])");
    /// ```
    #[doc(alias = "DeviceShapeToHostShape")]
    #[must_use]
    pub fn device_shape_to_host_shape(&self) -> Self {
        let mut shape = self.clone();
        shape.for_each_leaf_shape_mut(|leaf, _| {
            if let Some(array) = leaf.as_array_or_buffer_mut() {
                *array = array.device_shape_to_host_shape();
            }
        });
        shape
    }

    /// Whether no layout inside says anything that only a device's does
    /// (XLA: `ShapeUtil::DeviceShapeIsHostShape`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("(f32[2], token[])".parse::<Shape>().unwrap().device_shape_is_host_shape());
    /// assert!(!"(f32[2]{0:T(8)})".parse::<Shape>().unwrap().device_shape_is_host_shape());
    /// ```
    #[doc(alias = "DeviceShapeIsHostShape")]
    #[must_use]
    pub fn device_shape_is_host_shape(&self) -> bool {
        !self.any_array(|array| !array.device_shape_is_host_shape())
    }

    /// The shape with this dimension as the most major one of every array inside
    /// (XLA: `ShapeUtil::MoveDimToMajor`); see [`ArrayShape::move_dim_to_major`].
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "(f32[2,3]{1,0}, f32[2,3]{0,1})".parse().unwrap();
    /// let moved = shape.move_dim_to_major(1)?;
    /// assert_eq!(moved.to_string(), "(f32[2,3]{0,1}, f32[2,3]{0,1})");
    /// # Ok::<(), xlayout_shape::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// For a dimension that an array inside does not have, for a layout that does not fit, and for
    /// a token or an opaque value inside; XLA aborts there.
    #[doc(alias = "MoveDimToMajor")]
    pub fn move_dim_to_major(&self, dimension: usize) -> Result<Self, ShapeError> {
        self.try_for_each_leaf_shape(|leaf, _| match leaf.as_array_or_buffer() {
            Some(_) => Ok(()),
            None => Err(ShapeError::NotAnArray {
                found: leaf.element_type(),
            }),
        })?;
        self.try_map_arrays(|array| array.move_dim_to_major(dimension))
    }
}
