//! The declaration of a kernel and its parameters, which the macro writes.

use core::fmt;

use crate::const_text::stop;
use xlayout_core::{ArrayShape, Dim, ElementType};

use super::Computed;
use crate::isa::Handlers;

/// One side of a rule: a list of names for each argument, or for each result.
pub(crate) type Side = &'static [&'static [&'static str]];

/// The declaration of a kernel, as the macro writes it.
#[derive(Debug)]
pub struct Source {
    /// The name under which XLA and Python know it.
    pub name: &'static str,
    /// The text of its documentation.
    pub doc: &'static str,
    /// The path of its module: `module_path!()`.
    pub module: &'static str,
    /// The file that it is in: `file!()`.
    pub file: &'static str,
    /// The line of its name: `line!()`.
    pub line: u32,
    /// Whether it runs once for each index of additional leading dimensions.
    pub batch: bool,
    /// Its parameters, in sequence.
    pub parameters: &'static [Declared],
    /// Which dimensions are independent: one list of names of sizes, or the two sides of a rule.
    /// Empty where nothing is declared.
    pub independent: &'static [Side],
    /// The name of the kernel that computes its derivatives. Empty where none is named.
    pub vjp: &'static str,
    /// What XLA calls.
    pub handlers: Handlers,
}

/// One parameter: its name, and what its type says.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
}

impl Declared {
    /// A parameter; `kind` is what its type says.
    ///
    /// # Panics
    /// For a layout that XLA does not pass; in a constant, where it belongs, that is an error of
    /// the compiler, at the call.
    #[must_use]
    #[track_caller]
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        if let Kind::Buffer(_, spec) = &kind
            && let Some(why) = spec.refused
        {
            stop(why);
        }
        Self { name, kind }
    }

    /// Checks a parameter that may have another layout, too, and returns it.
    ///
    /// # Panics
    /// Where XLA cannot tell the two apart, or they are not of one array; in a constant, that is an
    /// error of the compiler.
    #[must_use]
    #[track_caller]
    pub const fn apart_from(self, other: &Kind) -> Self {
        let (Kind::Buffer(_, own), Kind::Buffer(_, other)) = (&self.kind, other) else {
            stop("`#[also(…)]` names further layouts of an array")
        };
        let mut same = own.element_type as u8 == other.element_type as u8
            && own.dims.len() == other.dims.len();
        if same {
            each!(d, 0..own.dims.len(), {
                same &= own.size(d).is_written_as(other.size(d));
            });
        }
        if !same {
            stop(
                "the layouts of `#[also(…)]` are of one array: write the element type and the \
                 sizes of the parameter's type, and another minor-to-major list",
            );
        }
        let mut same = true;
        each!(d, 0..own.dims.len(), {
            same &= own.minor_to_major[d] == other.minor_to_major[d];
        });
        if same {
            stop(
                "XLA passes two of the parameter's layouts in the same memory, so that a call has \
                 no way to choose: leave one of them out",
            );
        }
        self
    }
}

/// One dimension of a buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Size {
    Static(i64),
    /// `?` at this dimension.
    Anonymous(usize),
    /// `?M`
    Named(&'static str),
    /// `2*?M`, without `?`: a sum of named sizes and numbers.
    Computed(&'static str),
    /// `?_`
    Free,
}

/// As `layout!` writes it.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Static(size) => size.fmt(f),
            Self::Anonymous(_) => f.write_str("?"),
            Self::Named(name) => write!(f, "?{name}"),
            Self::Computed(text) => Computed(text).fmt(f),
            Self::Free => f.write_str("?_"),
        }
    }
}

impl Size {
    /// Whether both are written in the same way in a layout's text.
    const fn is_written_as(self, other: Self) -> bool {
        match (self, other) {
            (Self::Static(a), Self::Static(b)) => a == b,
            (Self::Free, Self::Free) => true,
            _ => self.is_one(other),
        }
    }

    /// Whether both must be the same number in a call.
    pub(crate) const fn is_one(self, other: Self) -> bool {
        match (self, other) {
            (Self::Anonymous(a), Self::Anonymous(b)) => a == b,
            (Self::Named(a), Self::Named(b)) | (Self::Computed(a), Self::Computed(b)) => {
                compare(a, b) == 0
            }
            _ => false,
        }
    }
}

/// What a parameter is.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// An array.
    Buffer(Direction, BufferSpec),
    /// An attribute.
    Attribute(AttributeSpec),
    /// Information of XLA about the call.
    Context,
}

/// Whether XLA passes an array as an argument, as a result, or as both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// An argument.
    In,
    /// A result.
    Out,
    /// An argument that the result overwrites.
    InOut,
}

impl Direction {
    /// The name in Python.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
            Self::InOut => "in_out",
        }
    }
    pub(crate) const fn is_argument(self) -> bool {
        !matches!(self, Self::Out)
    }
    pub(crate) const fn is_result(self) -> bool {
        !matches!(self, Self::In)
    }
}

/// The declaration of an array, from the type of its layout.
#[derive(Clone, Copy, Debug)]
pub struct BufferSpec {
    pub(crate) element_type: ElementType,
    /// The bits of one element in memory.
    pub(crate) bits: usize,
    /// The alignment of an element, in bytes.
    pub(crate) align: usize,
    pub(crate) dims: &'static [Dim],
    /// The names of sizes that are known at run time only; `_` is any size.
    pub(crate) names: &'static [Option<&'static str>],
    pub(crate) minor_to_major: &'static [i64],
    /// The shape, with `?`.
    pub(crate) shape: fn() -> ArrayShape,
    /// The layout to which the kernel converts the array. `None` if it does not.
    pub(crate) converted: Option<fn() -> ArrayShape>,
    /// Whether a call with a batch may pass the array row-major, so that the kernel converts each
    /// item: XLA would copy the whole batch from one layout to the other.
    pub(crate) by_items: bool,
    /// How the array is spread over devices: the sharding, and the shape of the whole.
    pub(crate) sharding: Option<fn() -> (String, ArrayShape)>,
    /// Why XLA passes no such array, if it does not.
    pub(crate) refused: Option<&'static str>,
}

impl BufferSpec {
    /// What dimension `d` is.
    pub(crate) const fn size(&self, d: usize) -> Size {
        if let Dim::Static(n) = self.dims[d] {
            return Size::Static(n);
        }
        match self.names[d] {
            None => Size::Anonymous(d),
            Some(name) => match name.as_bytes() {
                b"_" => Size::Free,
                _ if Computed(name).is_sum() => Size::Computed(name),
                _ => Size::Named(name),
            },
        }
    }
}

/// What an attribute is.
#[derive(Clone, Copy, Debug)]
pub struct AttributeSpec {
    pub(crate) form: Form,
    pub(crate) optional: bool,
}

/// The form of an attribute.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// One number.
    Scalar(ElementType),
    /// A list of numbers of any length.
    Array(ElementType),
    /// Text: one of these words; any text if the list is empty.
    String(fn() -> Vec<&'static str>),
}

/// -1, 0 or 1, as C++ sorts names: byte by byte.
pub(super) const fn compare(a: &str, b: &str) -> i8 {
    let a = a.as_bytes();
    let b = b.as_bytes();
    each!(k, 0..a.len(), {
        if k == b.len() || a[k] > b[k] {
            return 1;
        }
        if a[k] < b[k] {
            return -1;
        }
    });
    if a.len() == b.len() { 0 } else { -1 }
}
