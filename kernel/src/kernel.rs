//! A kernel and its parameters, as tables that are made when the kernel is compiled.

mod independent;

pub(crate) use independent::Independent;

use xlayout_core::{ArrayShape, Dim, PrimitiveType};

use crate::abi;
use crate::isa::Handlers;

/// The most parameters that a kernel can have.
pub(crate) const MAX_PARAMETERS: usize = 64;
/// The most pairs of sizes that a kernel can ask to be equal.
const MAX_PAIRS: usize = 128;

/// What the macro knows of a kernel.
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
    /// Which dimensions are independent: names of sizes, or a rule. Empty where nothing is declared.
    pub independent: &'static str,
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
    /// For a layout that XLA does not pass; in a constant, where it belongs, that is an error of the
    /// compiler, at the call.
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
}

impl Declared {
    /// The same, where the parameter may have another layout, too.
    ///
    /// # Panics
    /// Where XLA cannot tell the two apart, or they are not of one array; in a constant, that is an error
    /// of the compiler.
    #[must_use]
    #[track_caller]
    pub const fn apart_from(self, other: &Kind) -> Self {
        let (Kind::Buffer(_, own), Kind::Buffer(_, other)) = (&self.kind, other) else {
            stop("`#[also(…)]` names further layouts of an array")
        };
        let mut same = own.element_type as u8 == other.element_type as u8
            && own.dims.len() == other.dims.len();
        let mut d = 0;
        while same && d < own.dims.len() {
            same = own.size(d).is_written_as(other.size(d));
            d += 1;
        }
        if !same {
            stop(
                "the layouts of `#[also(…)]` are of one array: write the element type and the sizes of \
                 the parameter's type, and another minor-to-major list",
            );
        }
        let mut d = 0;
        while d < own.dims.len() && own.minor_to_major[d] == other.minor_to_major[d] {
            d += 1;
        }
        if d == own.dims.len() {
            stop(
                "XLA passes two of the parameter's layouts in the same memory, so that a call has no way \
                 to choose: leave one of them out",
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
    /// `?_`
    Free,
}

impl Size {
    /// Whether two are the same in a layout's text.
    const fn is_written_as(self, other: Self) -> bool {
        match (self, other) {
            (Self::Static(a), Self::Static(b)) => a == b,
            (Self::Free, Self::Free) => true,
            _ => self.is_one(other),
        }
    }

    /// Whether two must be the same number.
    pub(crate) const fn is_one(self, other: Self) -> bool {
        match (self, other) {
            (Self::Anonymous(a), Self::Anonymous(b)) => a == b,
            (Self::Named(a), Self::Named(b)) => compare(a, b) == 0,
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
    /// Something that XLA knows of the call.
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
    pub(crate) const fn is_argument(self) -> bool {
        !matches!(self, Self::Out)
    }
    pub(crate) const fn is_result(self) -> bool {
        !matches!(self, Self::In)
    }
}

/// What the type of a layout says of an array.
#[derive(Clone, Copy, Debug)]
pub struct BufferSpec {
    pub(crate) element_type: PrimitiveType,
    /// The bits of one element in memory.
    pub(crate) bits: usize,
    /// Where an element may begin, in bytes.
    pub(crate) align: usize,
    pub(crate) dims: &'static [Dim],
    /// The names of sizes that only the run time knows; `_` is any size.
    pub(crate) names: &'static [Option<&'static str>],
    pub(crate) minor_to_major: &'static [i64],
    /// The shape, with `?`.
    pub(crate) shape: fn() -> ArrayShape,
    /// The layout to which the kernel converts the array, where that is another one.
    pub(crate) converted: Option<fn() -> ArrayShape>,
    /// Whether the array is in the memory of a device.
    pub(crate) on_device: bool,
    /// How the array is spread over devices: the sharding, and the shape of the whole.
    pub(crate) sharding: Option<fn() -> (String, ArrayShape)>,
    /// Why XLA passes no such array.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One number.
    Scalar(PrimitiveType),
    /// Any number of numbers.
    Array(PrimitiveType),
    /// Text.
    String,
}

/// A kernel.
#[derive(Debug)]
pub struct Kernel {
    pub(crate) source: Source,
    pub(crate) independent: Independent,
    pub(crate) arguments: usize,
    pub(crate) results: usize,
    /// Which combination of its parameters' layouts this is, and of how many.
    pub(crate) combination: (usize, usize),
    /// The parameters that are arrays, a bit each, and those of them that are written.
    pub(crate) arrays: u64,
    pub(crate) written: u64,
    /// Whether the arrays are in the memory of a device.
    pub(crate) on_device: bool,
    /// Bits of `XLA_FFI_Handler_TraitsBits`.
    pub(crate) traits: u32,
    /// Whether an array is converted: `Converted<L>`.
    pub(crate) converts: bool,
    /// The numbers of the parameters that are attributes, sorted by name.
    pub(crate) attributes: [usize; MAX_PARAMETERS],
    pub(crate) attributes_len: usize,
    /// For each parameter its argument, its result, or its place among the attributes.
    pub(crate) places: [Place; MAX_PARAMETERS],
    pub(crate) pairs: [Pair; MAX_PAIRS],
    pub(crate) pairs_len: usize,
}

/// Where a parameter is in a call frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Of an argument, or of an attribute among the sorted.
    pub(crate) argument: usize,
    pub(crate) result: usize,
}

/// Two sizes that must be equal: parameter and dimension of each; the first comes before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) first: (usize, usize),
    pub(crate) second: (usize, usize),
}

impl Kernel {
    /// The kernel, its tables made.
    ///
    /// # Panics
    /// Where the parameters contradict each other; in a `static`, where it belongs, that is an
    /// error of the compiler.
    #[must_use]
    #[track_caller]
    pub const fn new(source: Source) -> Self {
        let parameters = source.parameters;
        if parameters.len() > MAX_PARAMETERS {
            stop("a kernel can have 64 parameters at most");
        }
        let independent = Independent::new(source.independent, parameters);
        let mut kernel = Self {
            source,
            independent,
            arguments: 0,
            results: 0,
            combination: (0, 1),
            arrays: 0,
            written: 0,
            on_device: false,
            traits: 0,
            converts: false,
            attributes: [0; MAX_PARAMETERS],
            attributes_len: 0,
            places: [Place {
                argument: 0,
                result: 0,
            }; MAX_PARAMETERS],
            pairs: [Pair {
                first: (0, 0),
                second: (0, 0),
            }; MAX_PAIRS],
            pairs_len: 0,
        };
        let mut p = 0;
        while p < parameters.len() {
            match &parameters[p].kind {
                Kind::Buffer(direction, spec) => {
                    kernel.places[p] = Place {
                        argument: kernel.arguments,
                        result: kernel.results,
                    };
                    kernel.arguments += direction.is_argument() as usize;
                    kernel.results += direction.is_result() as usize;
                    kernel.arrays |= 1 << p;
                    kernel.written |= (direction.is_result() as u64) << p;
                    kernel.converts |= spec.converted.is_some();
                    if kernel.arrays & !(1 << p) == 0 {
                        kernel.on_device = spec.on_device;
                    } else if kernel.on_device != spec.on_device {
                        stop(
                            "the arrays of a kernel are all in the memory of the host, `In` and `Out`, or all \
                             in that of a device, `DeviceIn` and `DeviceOut`",
                        );
                    }
                    kernel.pair(p, spec);
                }
                Kind::Attribute(_) => kernel.sort_in(p),
                Kind::Context => {}
            }
            p += 1;
        }
        let mut k = 0;
        while k < kernel.attributes_len {
            kernel.places[kernel.attributes[k]].argument = k;
            k += 1;
        }
        kernel
    }

    /// The same kernel, which XLA may capture in a command buffer.
    ///
    /// # Panics
    /// Where it runs on the host; in a `static`, that is an error of the compiler.
    #[must_use]
    #[track_caller]
    pub const fn command_buffer(mut self) -> Self {
        if !self.on_device {
            stop(
                "`command_buffer` is for kernels of a device: write the arrays as `DeviceIn` and `DeviceOut`, \
                 or leave the option out",
            );
        }
        self.traits |= abi::COMMAND_BUFFER_COMPATIBLE;
        self
    }

    /// The same kernel, as the one for a combination of its parameters' layouts: its number, and how many
    /// there are.
    #[must_use]
    pub const fn combination(mut self, number: usize, count: usize) -> Self {
        self.combination = (number, count);
        self
    }

    /// Adds an attribute where its name belongs.
    #[track_caller]
    const fn sort_in(&mut self, p: usize) {
        let name = self.source.parameters[p].name;
        let mut k = self.attributes_len;
        while k > 0 {
            let before = self.source.parameters[self.attributes[k - 1]].name;
            match compare(before, name) {
                0 => stop("two attributes of a kernel have the same name"),
                1 => self.attributes[k] = self.attributes[k - 1],
                _ => break,
            }
            k -= 1;
        }
        self.attributes[k] = p;
        self.attributes_len += 1;
    }

    /// Finds the sizes before parameter `p` that its own must equal.
    #[track_caller]
    const fn pair(&mut self, p: usize, spec: &BufferSpec) {
        let mut d = 0;
        while d < spec.dims.len() {
            let size = spec.size(d);
            if let Some(first) = self.first(size, p, d) {
                if self.pairs_len == MAX_PAIRS {
                    stop("too many `?` of a kernel's parameters are to be equal: 128 at most");
                }
                self.pairs[self.pairs_len] = Pair {
                    first,
                    second: (p, d),
                };
                self.pairs_len += 1;
            }
            d += 1;
        }
    }

    /// Where a size is first, if that is before dimension `d` of parameter `p`.
    const fn first(&self, size: Size, p: usize, d: usize) -> Option<(usize, usize)> {
        let mut q = 0;
        while q <= p {
            if let Kind::Buffer(_, spec) = &self.source.parameters[q].kind {
                let mut e = 0;
                while e < spec.dims.len() && (q < p || e < d) {
                    if size.is_one(spec.size(e)) {
                        return Some((q, e));
                    }
                    e += 1;
                }
            }
            q += 1;
        }
        None
    }

    /// The attribute with this place among the sorted.
    pub(crate) const fn attribute(&self, place: usize) -> &'static Declared {
        &self.source.parameters[self.attributes[place]]
    }
}

/// Stops the compiler with a message, at the line of the caller's caller.
#[track_caller]
pub(crate) const fn stop(message: &str) -> ! {
    panic!("{}", message)
}

/// -1, 0 or 1, as C++ sorts names: byte by byte.
const fn compare(a: &str, b: &str) -> i8 {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut k = 0;
    while k < a.len() && k < b.len() {
        if a[k] != b[k] {
            return if a[k] < b[k] { -1 } else { 1 };
        }
        k += 1;
    }
    if a.len() == b.len() {
        0
    } else if a.len() < b.len() {
        -1
    } else {
        1
    }
}
