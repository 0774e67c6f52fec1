//! What a comparison found.

use core::fmt;

use xlayout_shape::error::{Attribute, Explain, Say};
use xlayout_shape::words::{Counted, from_fn, joined, kind_of};
use xlayout_shape::{Dim, ElementType};

/// What to do about any difference.
const EQUAL: &str = "give equal ones, or leave out of the comparison what may differ";

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
///     "at {1,0} the elements are s32 in the first and s8 in the second; give equal ones, or \
///      leave out of the comparison what may differ",
/// );
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    what: Different,
    /// The members on the way from the outermost tuple, as far as they fit …
    path: [u32; Self::SHOWN],
    /// … and how many there are.
    depth: u32,
}

xlayout_shape::error_table! {
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
    Kind { left: ElementType, right: ElementType } => [
        "the first is {}, the second {}", kind_of(*left), kind_of(*right); "{EQUAL}"
    ]
    /// The tuples have different numbers of members.
    Members { left: usize, right: usize } => [
        "the first tuple has {}, the second {right}", Counted(*left, "member"); "{EQUAL}"
    ]
    /// The types of the elements.
    ElementType { left: ElementType, right: ElementType } => [
        "the elements are {left} in the first and {right} in the second"; "{EQUAL}"
    ]
    /// The numbers of dimensions.
    Rank { left: usize, right: usize } => [
        "the first has {}, the second {right}", Counted(*left, "dimension"); "{EQUAL}"
    ]
    /// A dimension.
    Dimension { dimension: usize, left: Dim, right: Dim } => [
        "dimension {dimension} is {left} in the first and {right} in the second"; "{EQUAL}"
    ]
    /// Only one has a layout.
    MissingLayout { left: bool } => [
        "the {} has no layout", if *left { "first" } else { "second" }; "{EQUAL}"
    ]
    /// The sequence of the dimensions in memory.
    MinorToMajorList => ["the minor_to_major lists differ"; "{EQUAL}"]
    /// An attribute of the layouts.
    Attribute(attribute: Attribute) => [
        "the {} (`{}`) differ", name_of(*attribute), attribute.name();
        "{EQUAL}"
    ]
    /// `padded_dimensions` or `padding_value`.
    Padding => ["padded_dimensions or padding_value differ"; "{EQUAL}"]
}
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

/// What an attribute is called.
fn name_of(attribute: Attribute) -> &'static str {
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

impl Explain for Difference {
    fn explain(&self, say: &mut Say<'_>) -> fmt::Result {
        let path = from_fn(|f| {
            if self.depth > 0 {
                f.write_str("at {")?;
                joined(f, self.path(), ",")?;
                let more = self.depth as usize > Self::SHOWN;
                f.write_str(if more { ",…} " } else { "} " })?;
            }
            Ok(())
        });
        self.what
            .explain(&mut |message, help| say(format_args!("{path}{message}"), help))
    }
}

xlayout_shape::shown!(Difference);

impl Difference {
    /// What differs, and where, in one line.
    pub fn message(&self) -> impl core::fmt::Display + '_ {
        xlayout_shape::explain::message(self)
    }
}
