//! XLA's canonical text, and our own after it for padding.

use core::fmt::{self, Display, Formatter, Result};

use crate::dims::Dim;
use crate::element_type::ElementType;
use crate::error::Attribute;
use crate::layout::{Layout, PaddingValue};
use crate::order::{MajorToMinor, MinorToMajor};
use crate::shape::ArrayShape;
#[cfg(feature = "alloc")]
use crate::shape::{Shape, Step};
use crate::split::{SplitConfig, SplitConfigs};
use crate::tile::{TileDim, Tiles};
use crate::words::{from_fn, joined};

/// `3`, `<=3` or `?`
impl Display for Dim {
    #[inline]
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Static(n) => write!(f, "{n}"),
            Self::Bounded(n) => write!(f, "<={n}"),
            Self::Unbounded => f.write_str("?"),
        }
    }
}

/// XLA's: `{1,0}`, the dimension that varies fastest first.
impl Display for MinorToMajor {
    #[inline]
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("{")?;
        joined(f, self.iter(), ",")?;
        f.write_str("}")
    }
}

/// JAX's: `(0, 1)`, the dimension that varies slowest first.
impl Display for MajorToMinor {
    #[inline]
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("(")?;
        joined(f, self.iter(), ", ")?;
        // As Python writes a tuple of one.
        f.write_str(if self.len() == 1 { ",)" } else { ")" })
    }
}

impl Display for TileDim {
    #[inline]
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Size(n) => write!(f, "{n}"),
            Self::Combine => f.write_str("*"),
        }
    }
}

/// `(8,128)(2,1)`: one pair of parentheses for each tile.
impl Display for Tiles {
    #[inline]
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for tile in self.iter() {
            f.write_str("(")?;
            joined(f, tile, ",")?;
            f.write_str(")")?;
        }
        Ok(())
    }
}

/// `(1:40,130)`
impl Display for SplitConfig<'_> {
    #[inline]
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "({}:", self.dimension)?;
        joined(f, self.split_indices, ",")?;
        f.write_str(")")
    }
}

/// `(0:30)(1:40,130)`: one pair of parentheses for each split.
impl Display for SplitConfigs {
    #[inline]
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        joined(f, self.iter(), "")
    }
}

/// The name that `padding_value = …` takes.
impl Display for PaddingValue {
    #[inline]
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.pad(self.name())
    }
}

/// XLA's text: `{1,0:T(8,128)}` (XLA: `Layout::Print`). Padding follows it in our own notation:
/// `{1,0}, padded_dimensions = [3, 5]`.
impl Display for Layout {
    #[inline]
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("{")?;
        joined(f, self.minor_to_major.iter(), ",")?;
        attributes(self, f)?;
        f.write_str("}")?;
        options(self, f)
    }
}

/// The attributes that are not as by default, `:` before the first.
#[inline]
fn attributes(layout: &Layout, f: &mut Formatter<'_>) -> Result {
    let mut first = true;
    let mut name = |f: &mut Formatter<'_>, name: &str| {
        let colon = if core::mem::take(&mut first) { ":" } else { "" };
        write!(f, "{colon}{name}")
    };
    for &(attribute, letters, _) in Attribute::ALL {
        match attribute {
            Attribute::Tiles if !layout.tiles.is_empty() => {
                name(f, letters)?;
                write!(f, "{}", layout.tiles)?;
            }
            Attribute::Splits if !layout.split_configs.is_empty() => {
                name(f, letters)?;
                write!(f, "{}", layout.split_configs)?;
            }
            Attribute::IndexType => sparse(f, letters, layout.index_primitive_type, &mut name)?,
            Attribute::PointerType => sparse(f, letters, layout.pointer_primitive_type, &mut name)?,
            _ => {
                if let Some(number) = layout.number(attribute) {
                    name(f, letters)?;
                    write!(f, "({number})")?;
                }
            }
        }
    }
    Ok(())
}

/// A type of sparse layouts, if there is one.
#[inline]
fn sparse(
    f: &mut Formatter<'_>,
    letters: &str,
    primitive_type: Option<ElementType>,
    name: &mut impl FnMut(&mut Formatter<'_>, &str) -> Result,
) -> Result {
    let Some(primitive_type) = primitive_type else {
        return Ok(());
    };
    name(f, letters)?;
    // As XLA prints a type that is none of an index or a pointer.
    let written = if primitive_type.is_integral() {
        primitive_type.name()
    } else {
        "invalid"
    };
    write!(f, "({written})")
}

/// What has no text in XLA.
#[inline]
fn options(layout: &Layout, f: &mut Formatter<'_>) -> Result {
    if !layout.padded_dimensions.is_empty() {
        write!(f, ", {} = [", super::rules::PADDED_DIMENSIONS)?;
        joined(f, &layout.padded_dimensions, ", ")?;
        f.write_str("]")?;
    }
    if let Some(value) = layout.padding_value {
        write!(f, ", {} = {value}", super::rules::PADDING_VALUE)?;
    }
    Ok(())
}

#[inline]
fn array(shape: &ArrayShape, with_layout: bool, f: &mut Formatter<'_>) -> Result {
    write!(f, "{}[", shape.element_type)?;
    joined(f, &shape.dims, ",")?;
    f.write_str("]")?;
    let Some(layout) = shape.layout.as_ref().filter(|_| with_layout) else {
        return Ok(());
    };
    // `{}` is the layout of every scalar, and no text that XLA reads.
    let plain = layout.minor_to_major.is_empty() && {
        let mut bare = Bare(true);
        if fmt::write(
            &mut bare,
            format_args!("{}", from_fn(|f| attributes(layout, f))),
        )
        .is_err()
        {
            unreachable!("`Bare` takes every text");
        }
        bare.0
    };
    if plain {
        options(layout, f)
    } else {
        write!(f, "{layout}")
    }
}

/// Whether nothing was written.
struct Bare(bool);

impl fmt::Write for Bare {
    #[inline]
    fn write_str(&mut self, text: &str) -> Result {
        self.0 &= text.is_empty();
        Ok(())
    }
}

/// XLA's text with the layout: `f32[2,3]{1,0}` (XLA: `ShapeUtil::HumanStringWithLayout`).
/// Padding follows in our own notation.
impl Display for ArrayShape {
    #[inline]
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        array(self, true, f)
    }
}

impl ArrayShape {
    /// XLA's text without the layout: `f32[2,3]` (XLA: `ShapeUtil::HumanString`).
    ///
    /// ```
    /// use xlayout_shape::{ArrayShape, Shape};
    /// let array: ArrayShape = "f32[2,<=3]{0,1:S(1)}".parse().unwrap();
    /// assert_eq!(array.display_without_layout().to_string(), "f32[2,<=3]");
    /// let shape: Shape = "(f32[2]{0}, token[])".parse().unwrap();
    /// assert_eq!(shape.display_without_layout().to_string(), "(f32[2], token[])");
    /// ```
    #[doc(alias = "HumanString")]
    #[inline]
    pub fn display_without_layout(&self) -> impl Display + '_ {
        from_fn(|f| array(self, false, f))
    }
}

#[cfg(feature = "alloc")]
impl Shape {
    /// XLA's text without layouts: `(f32[2,3], s32[])` (XLA: `ShapeUtil::HumanString`).
    #[doc(alias = "HumanString")]
    #[inline]
    pub fn display_without_layout(&self) -> impl Display + '_ {
        from_fn(|f| self.print(false, f))
    }

    #[inline]
    fn print(&self, with_layout: bool, f: &mut Formatter<'_>) -> Result {
        for step in self.walk() {
            if let Step::Open(_, k @ 1..) | Step::Leaf(_, k @ 1..) = step {
                match k % 5 {
                    // XLA numbers every fifth member, and puts no blank after the number.
                    0 => write!(f, ", /*index={k}*/")?,
                    _ => f.write_str(", ")?,
                }
            }
            match step {
                Step::Open(..) => f.write_str("(")?,
                Step::Close(_) => f.write_str(")")?,
                Step::Leaf(Self::Array(shape), _) => array(shape, with_layout, f)?,
                Step::Leaf(Self::Buffer(shape), _) => {
                    f.write_str("b(")?;
                    array(shape, with_layout, f)?;
                    f.write_str(")")?;
                }
                Step::Leaf(Self::Opaque, _) => f.write_str("opaque[]")?,
                Step::Leaf(..) => f.write_str("token[]")?,
            }
        }
        Ok(())
    }
}

/// XLA's text with layouts (XLA: `ShapeUtil::HumanStringWithLayout`). Padding follows its array
/// in our own notation.
#[cfg(feature = "alloc")]
impl Display for Shape {
    #[inline]
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.print(true, f)
    }
}
