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
    /// assert!(buffer.is_array() && buffer.is_buffer() && !buffer.is_array_excluding_buffer());
    /// assert!(!Shape::Tuple(vec![]).is_array() && !Shape::Token.is_array());
    /// ```
    #[doc(alias = "IsArray")]
    #[must_use]
    #[inline]
    pub fn is_array(&self) -> bool {
        matches!(self, Self::Array(_) | Self::Buffer(_))
    }

    /// Whether this is an array and no buffer (XLA: `Shape::IsArrayExcludingBuffer`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("f32[2]".parse::<Shape>().unwrap().is_array_excluding_buffer());
    /// assert!(!"b(f32[2])".parse::<Shape>().unwrap().is_array_excluding_buffer());
    /// ```
    #[doc(alias = "IsArrayExcludingBuffer")]
    #[must_use]
    #[inline]
    pub fn is_array_excluding_buffer(&self) -> bool {
        matches!(self, Self::Array(_))
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

    /// Whether this is a buffer (XLA: `Shape::IsBuffer`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!("b(f32[2])".parse::<Shape>().unwrap().is_buffer());
    /// ```
    #[doc(alias = "IsBuffer")]
    #[must_use]
    #[inline]
    pub fn is_buffer(&self) -> bool {
        matches!(self, Self::Buffer(_))
    }

    /// Whether this is a token (XLA: `Shape::IsToken`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!(Shape::Token.is_token() && !Shape::Opaque.is_token());
    /// ```
    #[doc(alias = "IsToken")]
    #[must_use]
    #[inline]
    pub fn is_token(&self) -> bool {
        matches!(self, Self::Token)
    }

    /// Whether this is an opaque value (XLA: `Shape::IsOpaque`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert!(Shape::Opaque.is_opaque() && !Shape::Token.is_opaque());
    /// ```
    #[doc(alias = "IsOpaque")]
    #[must_use]
    #[inline]
    pub fn is_opaque(&self) -> bool {
        matches!(self, Self::Opaque)
    }
}

impl Shape {
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
    #[doc(alias("TupleElementCount", "GetTupleElementShape", "tuple_shapes_size"))]
    #[doc(alias("IsNestedTuple", "IsEmptyTuple"))]
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
    #[doc(alias("mutable_tuple_shapes", "add_tuple_shapes", "clear_tuple_shapes"))]
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
    /// How many shapes in the tree are no tuples
    /// (XLA: `ShapeUtil::GetLeafCount`, `GetLeafCountTuple`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert_eq!("f32[2]".parse::<Shape>().unwrap().leaf_count(), 1);
    /// assert_eq!("((), ())".parse::<Shape>().unwrap().leaf_count(), 0);
    /// ```
    #[doc(alias("GetLeafCount", "GetLeafCountTuple"))]
    #[must_use]
    #[inline]
    pub fn leaf_count(&self) -> usize {
        self.leaves().count()
    }

    /// The shapes in the tree that are no tuples (XLA: `ShapeUtil::FlattenTupleShape`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape: Shape = "(f32[2], ((), token[]))".parse().unwrap();
    /// let leaves = shape.flatten_tuple_shape();
    /// assert_eq!(leaves, [&"f32[2]".parse().unwrap(), &Shape::Token]);
    /// ```
    #[doc(alias = "FlattenTupleShape")]
    #[must_use]
    #[inline]
    pub fn flatten_tuple_shape(&self) -> Vec<&Self> {
        self.leaves().collect()
    }
}

impl Shape {
    /// Whether an answer holds of an array inside.
    fn any_array(&self, holds: impl Fn(&ArrayShape) -> bool) -> bool {
        let mut arrays = self.leaves().filter_map(Self::as_array_or_buffer);
        arrays.any(holds)
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
    #[inline]
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
