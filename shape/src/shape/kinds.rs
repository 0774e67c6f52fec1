//! What a shape is, and what is inside a tuple.

use alloc::vec::Vec;

use super::{ArrayShape, Shape};
use crate::dims::Dim;

impl Shape {
    /// Whether this is an array, also one in a buffer (XLA: `Shape::IsArray`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let buffer: Shape = "b(f32[2])".parse().unwrap();
    /// assert!(buffer.is_array() && buffer.as_array().is_none());
    /// assert!(!Shape::Tuple(vec![]).is_array() && !Shape::Token.is_array());
    /// ```
    #[doc(alias = "IsArray")]
    #[must_use]
    #[inline]
    pub fn is_array(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Buffer(_))
    }

    /// Whether this is a tuple (XLA: `Shape::IsTuple`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!(Shape::Tuple(vec![]).is_tuple() && !Shape::Token.is_tuple());
    /// ```
    #[doc(alias = "IsTuple")]
    #[must_use]
    #[inline]
    pub fn is_tuple(&self) -> bool {
        matches!(self, Self::Tuple(_))
    }

    /// The members of a tuple; `None` for any other shape (XLA: `Shape::tuple_shapes`,
    /// `ShapeUtil::TupleElementCount`, `GetTupleElementShape`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "(s32[], token[])".parse().unwrap();
    /// assert_eq!(shape.tuple_shapes().unwrap().len(), 2);
    /// assert_eq!(shape.tuple_shapes().unwrap()[1], Shape::Token);
    /// assert_eq!(Shape::Token.tuple_shapes(), None);
    /// ```
    #[doc(alias("TupleElementCount", "GetTupleElementShape"))]
    #[doc(alias("tuple_shapes_size", "IsNestedTuple", "IsEmptyTuple"))]
    #[doc(alias = "SliceTuple")]
    #[must_use]
    #[inline]
    pub fn tuple_shapes(&self) -> Option<&[Self]> {
        match self {
            Self::Tuple(members) => Some(members),
            _ => None,
        }
    }

    /// The members of a tuple, to change; `None` for any other shape
    /// (XLA: `Shape::mutable_tuple_shapes`, `add_tuple_shapes`, `clear_tuple_shapes`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let mut shape: Shape = "(s32[], token[])".parse().unwrap();
    /// shape.tuple_shapes_mut().unwrap().clear();
    /// assert_eq!(shape.to_string(), "()");
    /// ```
    #[doc(alias("mutable_tuple_shapes", "add_tuple_shapes"))]
    #[doc(alias("clear_tuple_shapes", "AppendShapeToTuple"))]
    #[must_use]
    #[inline]
    pub fn tuple_shapes_mut(&mut self) -> Option<&mut Vec<Self>> {
        match self {
            Self::Tuple(members) => Some(members),
            _ => None,
        }
    }
}

impl Shape {
    /// Whether an answer holds of an array inside.
    fn any_array(&self, holds: impl Fn(&ArrayShape) -> bool) -> bool {
        let mut arrays = self.leaves().filter_map(Self::as_array_or_buffer);
        arrays.any(holds)
    }

    /// Whether a size of an array inside is known at run time only (XLA: `Shape::is_dynamic`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("(f32[2], s8[<=3])".parse::<Shape>().unwrap().is_dynamic());
    /// ```
    #[doc(alias = "is_static")]
    #[must_use]
    #[inline]
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
    #[inline]
    pub fn is_unbounded_dynamic(&self) -> bool {
        self.any_array(|array| array.dims.contains(&Dim::Unbounded))
    }

    /// Whether a size of an array inside is known at run time only and has a bound
    /// (XLA: `Shape::is_bounded_dynamic`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("(f32[?], s8[<=3])".parse::<Shape>().unwrap().is_bounded_dynamic());
    /// ```
    #[must_use]
    #[inline]
    pub fn is_bounded_dynamic(&self) -> bool {
        self.any_array(|array| array.dims.iter().any(|dim| matches!(dim, Dim::Bounded(_))))
    }
}
