//! The rules that a shape and its layout must obey: XLA's, in XLA's sequence, and ours for what
//! XLA does not have.
//!
//! Sources: `ShapeUtil::ValidateShape`, `LayoutUtil::ValidateLayoutForShape`. Beyond XLA: the bytes
//! are counted with the element size of the layout, too, and padding is checked.
//!
//! A layout's type obeys the same rules: lowering checks what decides about addresses, and
//! [`countable`](crate::modes::countable) the rest. A test holds the two against each other
//! (`types/check.rs`).

mod extent;
mod report;
mod splits;

use extent::extent;
pub use report::{Report, ShapePart};
pub use splits::splits;

use crate::dims::Dim;
use crate::element_type::ElementType;
use crate::error::{Attribute, ErrorKind, Missing, ParseError, ShortOrder};
use crate::layout::Layout;
use crate::modes::extent::Widths;
use crate::order::{Times, index_below};
use crate::shape::ArrayShape;
use crate::tile::TileDim;

/// The dimensions: none negative, and elements and bytes can be counted.
pub(crate) fn sizes(
    element_type: ElementType,
    dims: &[Dim],
    layout: Option<&Layout>,
    report: Report<'_>,
) {
    if !element_type.is_array() {
        report(
            ShapePart::ElementType,
            ErrorKind::InvalidElementType { element_type },
        );
        return;
    }
    let mut negative = false;
    for (dimension, dim) in dims.iter().enumerate() {
        if let Some(size @ ..0) = dim.bound() {
            report(
                ShapePart::Dim(dimension),
                ErrorKind::NegativeDimension { dimension, size },
            );
            negative = true;
        }
    }
    if !negative {
        extent(element_type, Widths::Sizes(dims), layout, report);
    }
}

/// minor_to_major lists each dimension of the shape once.
pub fn order(minor_to_major: &[i64], rank: usize, report: Report<'_>) {
    let listed = minor_to_major.len();
    if listed != rank {
        return report(
            ShapePart::MinorToMajor,
            ErrorKind::MinorToMajorLength { listed, rank },
        );
    }
    if let Some(suggestion) = ShortOrder::from_one_based(minor_to_major) {
        return report(ShapePart::MinorToMajor, ErrorKind::OneBased { suggestion });
    }
    for (k, &dimension) in minor_to_major.iter().enumerate() {
        if dimension < 0 || dimension >= rank as i64 {
            let kind = ErrorKind::DimensionOutOfRange { dimension, rank };
            report(ShapePart::MinorToMajorEntry(k), kind);
        }
    }
    distinct(minor_to_major, rank, report);
}

/// No dimension below `rank` is listed twice.
pub(crate) fn distinct(minor_to_major: &[i64], rank: usize, report: Report<'_>) {
    let mut times = Times::new(rank);
    for (k, &dimension) in minor_to_major.iter().enumerate() {
        let Some(d) = index_below(dimension, rank) else {
            continue;
        };
        // A third time is the same mistake as the second.
        if times.count(d) == 2 {
            let missing = Missing::new(minor_to_major, rank.min(minor_to_major.len()));
            let kind = ErrorKind::DuplicateDimension { dimension, missing };
            report(ShapePart::MinorToMajorEntry(k), kind);
        }
    }
}

/// The rest of the layout, as far as it does not depend on the shape.
pub(crate) fn attributes(layout: &Layout, addressable: bool, report: Report<'_>) {
    let alignment = layout.tail_padding_alignment_in_elements;
    if alignment <= 0 {
        report(
            ShapePart::TailAlignment,
            ErrorKind::TailAlignment { alignment },
        );
    }
    let index_type = layout.index_primitive_type;
    let pointer_type = layout.pointer_primitive_type;
    for (part, attribute, element_type) in [
        (ShapePart::IndexType, Attribute::IndexType, index_type),
        (ShapePart::PointerType, Attribute::PointerType, pointer_type),
    ] {
        if element_type.is_some() {
            report(part, ErrorKind::Sparse { attribute });
        }
    }
    let mut entries_before = 0;
    for (k, tile) in layout.tiles.iter().enumerate() {
        if tile.is_empty() {
            report(ShapePart::WholeTile(k), ErrorKind::EmptyTile);
        }
        for (j, entry) in tile.iter().enumerate() {
            let place = ShapePart::TileEntry(entries_before + j);
            match *entry {
                TileDim::Size(0) => report(place, ErrorKind::ZeroTile),
                TileDim::Size(size @ ..0) => report(place, ErrorKind::NegativeTile { size }),
                TileDim::Combine if addressable && j + 1 == tile.len() => {
                    report(place, ErrorKind::TrailingCombine);
                }
                _ => {}
            }
        }
        entries_before += tile.len();
    }
    let bits = layout.element_size_in_bits;
    if bits < 0 {
        report(ShapePart::ElementSize, ErrorKind::ElementSize { bits });
    }
}

/// The padding: a width for each dimension, none below its size, and no tiles beside it.
pub(crate) fn padding(
    element_type: ElementType,
    dims: &[Dim],
    layout: &Layout,
    report: Report<'_>,
) {
    let padded = &layout.padded_dimensions;
    if padded.is_empty() {
        return;
    }
    if !layout.tiles.is_empty() {
        report(ShapePart::Padded, ErrorKind::PaddedTiles);
    }
    let listed = padded.len();
    let rank = dims.len();
    if listed != rank {
        return report(ShapePart::Padded, ErrorKind::PaddedLength { listed, rank });
    }
    let mut narrow = false;
    for (dimension, (&padded, dim)) in padded.iter().zip(dims).enumerate() {
        let size = dim.bound().unwrap_or(0);
        if padded < size {
            let kind = ErrorKind::PaddedBelow {
                dimension,
                padded,
                size,
            };
            report(ShapePart::PaddedEntry(dimension), kind);
            narrow = true;
        }
    }
    if !narrow {
        extent(element_type, Widths::Padded(padded), Some(layout), report);
    }
}

/// Runs checks and keeps what they report first.
fn first(check: impl FnOnce(Report<'_>)) -> Result<(), ParseError> {
    let mut first = None;
    check(&mut |_, kind| {
        first.get_or_insert(kind);
    });
    first.map_or(Ok(()), |kind| Err(ParseError::new(kind, None)))
}

impl Layout {
    /// Checks this layout against the shape that it is for
    /// (XLA: `LayoutUtil::ValidateLayoutForShape`).
    ///
    /// Like XLA, it does not check whether tiles are longer than the rank, whether `*` ends a
    /// tile, or where splits cut.
    ///
    /// ```
    /// use xlayout_shape::{ArrayShape, Layout};
    /// let shape: ArrayShape = "f32[2,3]".parse().unwrap();
    /// let layout: Layout = "{0,0}".parse().unwrap();
    /// let error = layout.validate_for(shape.element_type, &shape.dims).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "minor_to_major lists dimension 0 more than once and lacks dimension 1; list every \
    ///      dimension once, the one that varies fastest first",
    /// );
    /// ```
    ///
    /// # Errors
    /// The first rule that it breaks.
    #[doc(alias = "ValidateLayoutForShape")]
    #[inline]
    pub fn validate_for(&self, element_type: ElementType, dims: &[Dim]) -> Result<(), ParseError> {
        first(|report| {
            order(&self.minor_to_major, dims.len(), report);
            attributes(self, false, report);
            padding(element_type, dims, self, report);
        })
    }
}

impl ArrayShape {
    /// Checks the shape and its layout (XLA: `ShapeUtil::ValidateShape`).
    ///
    /// Beyond XLA's rules, the bytes are counted with the layout's element size, too, and padding
    /// is checked.
    ///
    /// ```
    /// use xlayout_shape::{ArrayShape, ElementType};
    /// assert!(ArrayShape::new(ElementType::F32, &[2, 3]).unwrap().validate().is_ok());
    /// let large = ArrayShape::new(ElementType::F32, &[1 << 31, 1 << 31]).unwrap();
    /// assert_eq!(
    ///     large.validate().unwrap_err().to_string(),
    ///     "the array takes 18446744073709551616 bytes (4611686018427387904 elements of 4 bytes), \
    ///      more than 9223372036854775807; XLA counts elements and bytes in 64 bits with a sign",
    /// );
    /// ```
    ///
    /// # Errors
    /// The first rule that it breaks; a missing layout is one.
    #[doc(alias = "ValidateShape")]
    #[inline]
    pub fn validate(&self) -> Result<(), ParseError> {
        self.validate_with_optional_layout()?;
        match self.layout {
            Some(_) => Ok(()),
            None => Err(ParseError::new(ErrorKind::MissingLayout, None)),
        }
    }

    /// Like [`validate`](Self::validate), but a layout may be missing
    /// (XLA: `ShapeUtil::ValidateShapeWithOptionalLayout`).
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// let mut shape: ArrayShape = "f32[2,3]".parse().unwrap();
    /// shape.layout = None;
    /// assert!(shape.validate().is_err() && shape.validate_with_optional_layout().is_ok());
    /// ```
    ///
    /// # Errors
    /// The first rule that it breaks.
    #[doc(alias = "ValidateShapeWithOptionalLayout")]
    #[inline]
    pub fn validate_with_optional_layout(&self) -> Result<(), ParseError> {
        first(|report| sizes(self.element_type, &self.dims, self.layout.as_ref(), report))?;
        match &self.layout {
            Some(layout) => layout.validate_for(self.element_type, &self.dims),
            None => Ok(()),
        }
    }
}

#[cfg(feature = "alloc")]
impl crate::shape::Shape {
    /// Checks every array inside (XLA: `ShapeUtil::ValidateShape`), and that no layout inside a
    /// tuple has splits that XLA's reader rejects there: each split is of another physical
    /// dimension, and its indices rise inside of that dimension.
    ///
    /// ```
    /// use xlayout_shape::{ArrayShape, ElementType, Shape};
    /// let mut array: ArrayShape = "f32[2,3]".parse().unwrap();
    /// assert!(Shape::Tuple(vec![array.clone().into(), Shape::Token]).validate().is_ok());
    /// array.layout = None;
    /// let shape = Shape::Tuple(vec![array.into(), Shape::Token]);
    /// assert_eq!(
    ///     shape.validate().unwrap_err().to_string(),
    ///     "the array has no layout; set its layout; row-major is the default",
    /// );
    /// assert!(shape.validate_with_optional_layout().is_ok());
    /// let negative = ArrayShape::new(ElementType::F32, &[-2]).unwrap();
    /// assert!(Shape::Tuple(vec![negative.into()]).validate_with_optional_layout().is_err());
    /// ```
    ///
    /// # Errors
    /// The first rule that one of them breaks; a missing layout is one.
    #[doc(alias = "ValidateShape")]
    #[inline]
    pub fn validate(&self) -> Result<(), ParseError> {
        self.each_array(ArrayShape::validate)
    }

    /// Like [`validate`](Self::validate), but layouts may be missing
    /// (XLA: `ShapeUtil::ValidateShapeWithOptionalLayout`).
    ///
    /// # Errors
    /// The first rule that one of the arrays breaks.
    #[doc(alias = "ValidateShapeWithOptionalLayout")]
    #[inline]
    pub fn validate_with_optional_layout(&self) -> Result<(), ParseError> {
        self.each_array(ArrayShape::validate_with_optional_layout)
    }

    /// Checks each array by this rule, and by the one that holds inside of tuples only.
    #[inline]
    fn each_array(
        &self,
        check: fn(&ArrayShape) -> Result<(), ParseError>,
    ) -> Result<(), ParseError> {
        let mut arrays = self.leaves().filter_map(Self::as_array_or_buffer);
        arrays.try_for_each(|array| {
            check(array)?;
            match &array.layout {
                Some(layout) if self.is_tuple() => {
                    first(|report| splits(&array.dims, layout, report))
                }
                _ => Ok(()),
            }
        })
    }
}

#[cfg(test)]
mod tests;
