//! What a comparison found.

use core::fmt;

use xlayout_shape::{Dim, PrimitiveType, error::Attribute};

/// The first thing in which two shapes or layouts differ, and where.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use xlayout_shape::Shape;
/// use xlayout_xla::{Compare, Different};
/// let a: Shape = "(f32[2], (s32[], token[]))".parse().unwrap();
/// let b: Shape = "(f32[2], (s8[], token[]))".parse().unwrap();
/// let difference = Compare::new().difference(&a, &b).unwrap();
/// assert_eq!(difference.path(), [1, 0]);
/// assert!(matches!(difference.what(), Different::ElementType { .. }));
/// assert_eq!(
///     difference.to_string(),
///     "at {1,0} the elements are s32 in the first and s8 in the second",
/// );
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    what: Different,
    /// The members on the way from the outermost tuple, as far as they fit …
    path: [u32; Self::SHOWN],
    /// … and how many there are.
    depth: u32,
}

/// In what two shapes or layouts differ.
///
/// ```
/// use xlayout_shape::{ArrayShape, Dim};
/// use xlayout_xla::{Compare, Different};
/// let a: ArrayShape = "f32[2,3]".parse().unwrap();
/// let difference = Compare::new().difference(&a, &"f32[2,<=4]".parse().unwrap()).unwrap();
/// let (left, right) = (Dim::Static(3), Dim::Bounded(4));
/// assert_eq!(difference.what(), Different::Dimension { dimension: 1, left, right });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "`left` is what the first has, `right` what the second has"
)]
pub enum Different {
    /// One is an array, a tuple, a token, …, and the other is not.
    Kind {
        left: PrimitiveType,
        right: PrimitiveType,
    },
    /// The tuples have different numbers of members.
    Members { left: usize, right: usize },
    /// The types of the elements.
    ElementType {
        left: PrimitiveType,
        right: PrimitiveType,
    },
    /// The numbers of dimensions.
    Rank { left: usize, right: usize },
    /// A dimension.
    Dimension {
        dimension: usize,
        left: Dim,
        right: Dim,
    },
    /// Only one has a layout.
    MissingLayout { left: bool },
    /// The sequence of the dimensions in memory.
    MinorToMajorList,
    /// An attribute of the layouts.
    Attribute(Attribute),
    /// `padded_dimensions` or `padding_value`.
    Padding,
}

impl Difference {
    const SHOWN: usize = 6;

    /// A difference of the shapes themselves.
    pub(crate) const fn new(what: Different) -> Self {
        Self {
            what,
            path: [0; Self::SHOWN],
            depth: 0,
        }
    }

    /// The same difference, of the shapes at this path.
    #[cfg(feature = "alloc")]
    pub(crate) fn at(mut self, index: &xlayout_shape::ShapeIndex) -> Self {
        for (shown, &member) in self.path.iter_mut().zip(&index[..]) {
            *shown = u32::try_from(member).unwrap_or(u32::MAX);
        }
        self.depth = u32::try_from(index.len()).unwrap_or(u32::MAX);
        self
    }

    /// In what they differ.
    #[must_use]
    pub const fn what(&self) -> Different {
        self.what
    }

    /// Where: the number of the member in each tuple, the outermost first; of a very deep place
    /// the first six. Empty for the whole.
    #[must_use]
    pub fn path(&self) -> &[u32] {
        &self.path[..(self.depth as usize).min(Self::SHOWN)]
    }
}

/// What a shape is called by its type.
const fn kind(element_type: PrimitiveType) -> &'static str {
    match element_type {
        PrimitiveType::Tuple => "a tuple",
        PrimitiveType::Token => "a token",
        PrimitiveType::OpaqueType => "an opaque value",
        PrimitiveType::Buffer => "a buffer",
        _ => "an array",
    }
}

/// What an attribute is called.
fn attribute(attribute: Attribute) -> &'static str {
    match attribute {
        Attribute::Levels => "levels",
        Attribute::Tiles => "tiles",
        Attribute::TailAlignment => "tail padding alignments",
        Attribute::IndexType => "index types",
        Attribute::PointerType => "pointer types",
        Attribute::ElementSize => "element sizes",
        Attribute::MemorySpace => "memory spaces",
        Attribute::Splits => "splits",
        Attribute::PhysicalShape => "physical shapes",
        Attribute::Metadata => "metadata prefixes",
        _ => unreachable!("the attributes that layouts are compared by are those above"),
    }
}

/// Where, and what: `at {1,0} dimension 1 is 3 in the first and 4 in the second`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.depth > 0 {
            f.write_str("at {")?;
            for (k, member) in self.path().iter().enumerate() {
                write!(f, "{}{member}", if k == 0 { "" } else { "," })?;
            }
            let more = self.depth as usize > Self::SHOWN;
            f.write_str(if more { ",…} " } else { "} " })?;
        }
        match self.what {
            Different::Kind { left, right } => {
                write!(f, "the first is {}, the second {}", kind(left), kind(right))
            }
            Different::Members { left, right } => {
                write!(f, "the first tuple has {left} members, the second {right}")
            }
            Different::ElementType { left, right } => write!(
                f,
                "the elements are {left} in the first and {right} in the second"
            ),
            Different::Rank { left, right } => {
                let s = if left == 1 { "" } else { "s" };
                write!(f, "the first has {left} dimension{s}, the second {right}")
            }
            Different::Dimension {
                dimension,
                left,
                right,
            } => write!(
                f,
                "dimension {dimension} is {left} in the first and {right} in the second"
            ),
            Different::MissingLayout { left } => write!(
                f,
                "the {} has no layout",
                if left { "first" } else { "second" }
            ),
            Different::MinorToMajorList => f.write_str("the minor_to_major lists differ"),
            Different::Attribute(a) => {
                write!(f, "the {} (`{}`) differ", attribute(a), a.name())
            }
            Different::Padding => f.write_str("padded_dimensions or padding_value differ"),
        }
    }
}

impl core::error::Error for Difference {}
