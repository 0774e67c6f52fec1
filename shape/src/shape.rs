//! Shapes: what an array, a tuple, a token, … is made of.

#[cfg(feature = "alloc")]
mod index;
#[cfg(feature = "alloc")]
mod kinds;
mod make;
#[cfg(all(test, feature = "std"))]
mod tests;
#[cfg(feature = "alloc")]
mod walk;

#[cfg(feature = "alloc")]
pub use index::ShapeIndex;
#[cfg(feature = "alloc")]
pub use walk::{Build, Step, Walk};

use crate::dims::{Dim, Dims};
use crate::element_type::ElementType;
use crate::error::ParseError;
use crate::layout::Layout;
use crate::list::List;

/// The shape of an array and its layout: `f32[2,3]{0,1}` (XLA: `Shape` with `IsArray()`).
///
/// ```
/// use xlayout_shape::{ArrayShape, Dim, ElementType};
/// let mut shape: ArrayShape = "bf16[16,<=256]{1,0:T(8,128)(2,1)}".parse().unwrap();
/// assert_eq!(shape.element_type, ElementType::Bf16);
/// assert_eq!(shape.dims[1], Dim::Bounded(256));
/// assert_eq!(shape.layout.as_ref().unwrap().tiles.len(), 2);
/// shape.layout = None;
/// assert_eq!(shape.to_string(), "bf16[16,<=256]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ArrayShape {
    /// The type of an element.
    #[doc(alias = "set_element_type")]
    pub element_type: ElementType,
    /// The dimensions, dimension 0 first.
    #[doc(alias("dimensions_size", "CreateDimensionVectorFromShape"))]
    pub dims: Dims,
    /// The layout, where one is known.
    #[doc(alias = "mutable_layout")]
    pub layout: Option<Layout>,
}

impl ArrayShape {
    /// A shape of static dimensions with the default layout, row-major and dense
    /// (XLA: `ShapeUtil::MakeShape`). Nothing is checked; see [`validate`](Self::validate).
    ///
    /// ```
    /// use xlayout_shape::{ArrayShape, ElementType};
    /// let shape = ArrayShape::new(ElementType::F32, &[2, 3]).unwrap();
    /// assert_eq!(shape.to_string(), "f32[2,3]{1,0}");
    /// ```
    ///
    /// # Errors
    /// [`TooMany`](crate::ErrorKind::TooMany) for a rank above 16 without the feature `alloc`.
    #[doc(alias = "MakeShape")]
    #[inline]
    pub fn new(element_type: ElementType, dims: &[i64]) -> Result<Self, ParseError> {
        Ok(Self {
            element_type,
            dims: List::try_from_iter(dims.iter().map(|&n| Dim::Static(n)))?,
            layout: Some(Layout::row_major(dims.len())?),
        })
    }

    /// How many dimensions there are.
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// assert_eq!("f32[2,3]".parse::<ArrayShape>().unwrap().rank(), 2);
    /// ```
    #[must_use]
    #[inline]
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// Whether a dimension's size is known at run time only (XLA: `Shape::is_dynamic`, the opposite
    /// of `is_static`).
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// assert!("f32[2,?]".parse::<ArrayShape>().unwrap().is_dynamic());
    /// ```
    #[must_use]
    #[inline]
    pub fn is_dynamic(&self) -> bool {
        self.dims.iter().any(|dim| dim.is_dynamic())
    }

    /// The bits that one element takes in memory: what the layout says, else the whole bytes of
    /// the type (XLA: `ShapeUtil::ElementSizeInBits`).
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// assert_eq!("s4[3]{0:E(4)}".parse::<ArrayShape>().unwrap().element_size_in_bits(), 4);
    /// assert_eq!("s4[3]{0}".parse::<ArrayShape>().unwrap().element_size_in_bits(), 8);
    /// ```
    #[doc(alias = "ElementSizeInBits")]
    #[must_use]
    pub fn element_size_in_bits(&self) -> i64 {
        match &self.layout {
            Some(layout) if layout.element_size_in_bits != 0 => layout.element_size_in_bits,
            _ => i64::from(self.element_type.bytes().unwrap_or(0)) * 8,
        }
    }
}

/// Any of XLA's shapes (XLA: `Shape`). The functions of `ShapeUtil` are in the crate `xlayout-xla`.
///
/// ```
/// use xlayout_shape::Shape;
/// let shape: Shape = "(f32[2,3]{0,1}, (token[], b(s4[8])))".parse().unwrap();
/// let Shape::Tuple(members) = &shape else { unreachable!() };
/// assert!(matches!(&members[0], Shape::Array(array) if array.rank() == 2));
/// assert_eq!(shape.leaves().count(), 3);
/// assert_eq!(members[1].to_string(), "(token[], b(s4[8]{0}))");
/// ```
#[doc(alias("ToString", "Print", "PrintHumanString", "AbslHashValue"))]
#[doc(alias("Hash", "ShapeUtil", "HumanStringWithLayout"))]
#[doc(alias = "PrintHumanStringWithLayout")]
#[cfg(feature = "alloc")]
#[derive(Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// `f32[2,3]{1,0}`: an array.
    #[doc(alias = "IsArrayExcludingBuffer")]
    Array(ArrayShape),
    /// `(f32[2], s32[])`: a tuple; `()` is the empty one, also called nil.
    #[doc(alias("MakeNil", "MakeTupleShape", "MakeValidatedTupleShape"))]
    #[doc(alias("MakeTupleShapeWithPtrs", "MakeValidatedTupleShapeWithPtrs"))]
    #[doc(alias("MakeMaybeTupleShape", "MakeValidatedMaybeTupleShape"))]
    Tuple(alloc::vec::Vec<Shape>),
    /// `token[]`: an ordering of side effects (XLA: `ShapeUtil::MakeTokenShape`).
    #[doc(alias("MakeTokenShape", "IsToken"))]
    Token,
    /// `opaque[]`: a value that only the device understands (XLA: `ShapeUtil::MakeOpaqueShape`).
    #[doc(alias("MakeOpaqueShape", "IsOpaque"))]
    Opaque,
    /// `b(f32[2])`: a buffer that holds one array (XLA: `ShapeUtil::MakeValidatedBufferShape`).
    #[doc(alias("MakeValidatedBufferShape", "buffer_shape", "IsBuffer"))]
    Buffer(ArrayShape),
}

#[cfg(feature = "alloc")]
impl Shape {
    /// The type of the elements of an array, also of one in a buffer; else the kind of the shape
    /// (XLA: `Shape::element_type`).
    ///
    /// ```
    /// use xlayout_shape::{ElementType, Shape};
    /// let buffer: Shape = "b(f32[2])".parse().unwrap();
    /// assert_eq!(buffer.element_type(), ElementType::F32);
    /// assert_eq!(buffer.element_type_including_buffer(), ElementType::Buffer);
    /// assert_eq!(Shape::Token.element_type(), ElementType::Token);
    /// ```
    #[must_use]
    #[inline]
    pub fn element_type(&self) -> ElementType {
        match self {
            Self::Array(array) | Self::Buffer(array) => array.element_type,
            Self::Tuple(_) => ElementType::Tuple,
            Self::Token => ElementType::Token,
            Self::Opaque => ElementType::OpaqueType,
        }
    }

    /// Like [`element_type`](Self::element_type), but a buffer is a kind of its own
    /// (XLA: `Shape::element_type_including_buffer`).
    ///
    /// ```
    /// use xlayout_shape::{ElementType, Shape};
    /// let buffer: Shape = "b(f32[2])".parse().unwrap();
    /// assert_eq!(buffer.element_type_including_buffer(), ElementType::Buffer);
    /// ```
    #[must_use]
    #[inline]
    pub fn element_type_including_buffer(&self) -> ElementType {
        match self {
            Self::Buffer(_) => ElementType::Buffer,
            _ => self.element_type(),
        }
    }

    /// The array, when it is one and no buffer.
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// assert_eq!("f32[2]".parse::<Shape>().unwrap().as_array().unwrap().rank(), 1);
    /// assert!("b(f32[2])".parse::<Shape>().unwrap().as_array().is_none());
    /// ```
    #[must_use]
    #[inline]
    pub fn as_array(&self) -> Option<&ArrayShape> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The array, also one in a buffer: what XLA means by `IsArray`.
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let buffer: Shape = "b(f32[2])".parse().unwrap();
    /// assert!(buffer.as_array().is_none());
    /// assert_eq!(buffer.as_array_or_buffer().unwrap().rank(), 1);
    /// ```
    #[must_use]
    #[inline]
    pub fn as_array_or_buffer(&self) -> Option<&ArrayShape> {
        match self {
            Self::Array(array) | Self::Buffer(array) => Some(array),
            _ => None,
        }
    }

    /// The array, also one in a buffer, to change.
    ///
    /// ```
    /// use xlayout_shape::{ElementType, Shape};
    /// let mut shape: Shape = "b(f32[2])".parse().unwrap();
    /// shape.as_array_or_buffer_mut().unwrap().element_type = ElementType::S32;
    /// assert_eq!(shape.to_string(), "b(s32[2]{0})");
    /// ```
    #[must_use]
    #[inline]
    pub fn as_array_or_buffer_mut(&mut self) -> Option<&mut ArrayShape> {
        match self {
            Self::Array(array) | Self::Buffer(array) => Some(array),
            _ => None,
        }
    }
}

/// ```
/// use xlayout_shape::{ArrayShape, ElementType, Shape};
/// let shape = Shape::from(ArrayShape::scalar(ElementType::S32));
/// assert_eq!(shape.to_string(), "s32[]");
/// ```
#[cfg(feature = "alloc")]
impl From<ArrayShape> for Shape {
    #[inline]
    fn from(array: ArrayShape) -> Self {
        Self::Array(array)
    }
}
