//! The table of all notations: how a text is recognized, read and printed.

use core::fmt::{self, Display, Write};

use super::described::Each;
use super::error::{Error, Printed};
use super::lists::python_tuple;
use super::tags::{is_named, is_onednn, is_tvm};
use super::verbose::is_verbose;
use super::{
    ArrayInterface, BoundaryError, Contiguity, CuteLayout, Described, Given, JaxLayout, Library,
    MemRef, Offset, StrideUnit, StridedArray, dlpack, fields, jax, memref_read, mosaic, numpy_name,
    pack, tags, tensor, torch, verbose,
};
use xlayout_shape::ArrayShape;
use xlayout_shape::words::from_fn;

/// Which texts are of a notation.
#[derive(Clone, Copy)]
enum Texts {
    /// Those that begin with one of these, blanks left out.
    Begin(&'static [&'static str]),
    Contain(&'static [&'static str]),
    Are(fn(&str, &Given<'_>) -> bool),
}

/// How a notation is read.
#[derive(Clone, Copy)]
enum Reads {
    One(fn(&str, &Given<'_>) -> Result<ArrayShape, Error>),
    /// A text that may say more than the shape.
    Described(fn(&str, &Given<'_>) -> Result<Described, Error>),
    /// A text of several arrays.
    Several(fn(&str, &Given<'_>, Each<'_>) -> Result<(), Error>),
}

/// One line for each notation: its key, its name, its library, which texts are of it, how they are
/// read, and how it is printed: `{ … }` makes what prints itself. `_`: another notation reads it,
/// or it is read only.
macro_rules! rows {
    ($($key:literal $name:literal $library:ident: $texts:tt $of:tt $read:tt $print:tt;)*) => {
        const ROWS: &[Notation] = &[$(Notation {
            key: $key,
            name: $name,
            library: Library::$library,
            texts: rows!(texts $texts $of),
            reads: rows!(reads $read),
            prints: rows!(prints $print),
        }),*];
    };
    (texts Are ($is:path)) => { Texts::Are($is) };
    (texts $texts:ident $words:tt) => { Texts::$texts(&$words) };
    (reads _) => { None };
    (reads [$read:path]) => { Some(Reads::Several($read)) };
    (reads { $read:path }) => { Some(Reads::Described($read)) };
    (reads ($read:path)) => { Some(Reads::One($read)) };
    (prints _) => { None };
    (prints ($print:path)) => { Some($print) };
    (prints { $of:path }) => { Some(|shape, _, out| $of(shape).map(|text| write!(out, "{text}"))) };
}

rows! {
    "ndarray" "ndarray" Ndarray: Are (fields::is_ndarray) { fields::ndarray } _;
    "numpy" "NumPy" Numpy: Are (fields::is_numpy) { read_numpy } (print_numpy);
    "jax" "JAX" Jax: Are (is_jax) { read_jax } { JaxLayout::of };
    "mosaic" "Mosaic" Mosaic: Contain ["#tpu.tiled", "#tpu.vpad"] { mosaic::read } (mosaic::print);
    "memref" "MLIR" MemRef: Begin ["memref<"] { read_memref } { MemRef::new };
    "memref_buffer" "MLIR, whole buffer" MemRef: Begin [] _ { MemRef::physical };
    "tensor" "MLIR, tensor" Tensor: Begin ["tensor<", "vector<"] (tensor::read) _;
    "triton" "Triton" Triton: Contain ["#ttg.", "#triton_gpu."] (read_triton) _;
    "pack" "linalg.pack" LinalgPack:
        Contain ["linalg.pack", "tensor.pack", "linalg.unpack", "tensor.unpack", "outer_dims_perm", "inner_dims_pos", "inner_tiles"]
        (pack::read) (pack::print);
    "cute" "CuTe" Cute: Are (is_cute) (read_cute) { CuteLayout::new };
    "dlpack" "DLPack" DlPack: Are (fields::is_dlpack) { fields::dlpack } (dlpack::print);
    "torch" "PyTorch" Torch: Are (fields::is_torch) { fields::torch } (torch::print);
    "onednn_verbose" "oneDNN, verbose log" OneDnn: Are (is_verbose) [verbose::read] _;
    "named" "by name" Named: Are (is_named) (tags::read_named) (tags::print_named);
    "tvm" "TVM" Tvm: Are (is_tvm) (tags::read_tvm) (tags::print_tvm);
    "onednn" "oneDNN" OneDnn: Are (is_onednn) (tags::read_onednn) (tags::print_onednn);
}

/// A notation of another project: its name, and how its texts are recognized, read and printed.
///
/// ```
/// use xlayout_core::{ArrayShape, ElementType::F32};
/// use xlayout_interop::{Given, Notation};
///
/// let given = Given { sizes: Some(&[2, 17, 5, 7]), element_type: Some(F32), ..Given::default() };
/// let notation = Notation::of("aBcd16b", &given).unwrap();
/// assert_eq!(notation.name, "oneDNN");
/// let shape = notation.read("aBcd16b", &given)?;
/// assert_eq!(shape.to_string(), "f32[2,17,5,7]{3,2,1,0:T(16,1,1)}");
///
/// let tvm = Notation::with_key("tvm").unwrap();
/// assert_eq!(tvm.print(&shape, &given)?.to_string(), "NCHW16c");
/// # Ok::<(), xlayout_interop::Error>(())
/// ```
pub struct Notation {
    /// A word for programs: `onednn`.
    pub key: &'static str,
    /// What people call it: `oneDNN`.
    pub name: &'static str,
    library: Library,
    texts: Texts,
    /// Nothing: another notation of the table reads what this one prints.
    reads: Option<Reads>,
    /// Nothing: it is read, and what it says is printed by another notation of the table.
    prints: Option<fn(&ArrayShape, &Given<'_>, &mut dyn Write) -> Printed>,
}

impl Notation {
    /// All notations. A text is of the first one that recognizes it.
    pub const ALL: &'static [Self] = ROWS;

    /// The notation of a text; `None` if no notation of the table recognizes it, as XLA's own.
    ///
    /// ```
    /// use xlayout_interop::{Given, Notation};
    /// let name = |text| Notation::of(text, &Given::default()).map(|notation| notation.name);
    /// assert_eq!(name("(2,3):(1,2)"), Some("CuTe"));
    /// assert_eq!(name("f32[2,3]{0,1}"), None);
    /// ```
    #[must_use]
    pub fn of(text: &str, given: &Given<'_>) -> Option<&'static Self> {
        let begins = |begin: &str| {
            let mut letters = text.chars().filter(|c| !c.is_whitespace());
            begin.chars().all(|c| letters.next() == Some(c))
        };
        Self::ALL.iter().find(|row| match row.texts {
            Texts::Begin(words) => words.iter().any(|word| begins(word)),
            Texts::Contain(words) => words.iter().any(|word| text.contains(word)),
            Texts::Are(is) => is(text, given),
        })
    }

    /// What a text of it looks like.
    #[must_use]
    pub const fn example(&self) -> &'static str {
        self.library.example()
    }

    /// The notation with this key.
    ///
    /// ```
    /// use xlayout_interop::Notation;
    /// assert_eq!(Notation::with_key("pack").unwrap().name, "linalg.pack");
    /// ```
    #[must_use]
    pub fn with_key(key: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|row| row.key == key)
    }

    /// Whether it can be printed: a line of oneDNN's log is read only.
    ///
    /// ```
    /// use xlayout_interop::Notation;
    /// assert!(!Notation::with_key("onednn_verbose").unwrap().is_printed());
    /// ```
    #[must_use]
    pub const fn is_printed(&self) -> bool {
        self.prints.is_some()
    }

    /// The array that a text describes. What the text says beside it is left out, but for an
    /// offset, which is an error: [`read_each`](Self::read_each) has both.
    ///
    /// ```
    /// use xlayout_core::ElementType::S8;
    /// use xlayout_interop::{Given, Notation};
    /// let given = Given { sizes: Some(&[67, 69]), element_type: Some(S8), ..Given::default() };
    /// let named = Notation::with_key("named").unwrap();
    /// assert_eq!(named.read("COL32", &given)?.to_string(), "s8[67,69]{0,1:T(32,1)}");
    /// # Ok::<(), xlayout_interop::Error>(())
    /// ```
    ///
    /// # Errors
    /// A text that is not understood whole, what is neither in the text nor given, what both say
    /// differently, a text of several arrays, and a first element that is not at the beginning.
    pub fn read(&self, text: &str, given: &Given<'_>) -> Result<ArrayShape, Error> {
        let mut arrays = 0_usize;
        let mut first = None;
        self.read_each(text, given, &mut |array| {
            arrays += 1;
            first.get_or_insert(array);
            Ok(())
        })?;
        match first {
            Some(array) if arrays == 1 => array.at_beginning(text, self.library),
            _ => Err(BoundaryError::SeveralArrays { arrays }.into()),
        }
    }

    /// All arrays that a text describes: a line of oneDNN's log has several, every other text has
    /// one.
    ///
    /// ```
    /// use xlayout_interop::{Described, Given, Notation};
    /// let log = "onednn_verbose,v1,primitive,exec,cpu,reorder,jit:uni,undef,\
    ///            src_f32::blocked:abcd::f0 dst_f32::blocked:aBcd8b::f0,,,2x16x7x7,0.01";
    /// let mut shapes = Vec::new();
    /// let notation = Notation::of(log, &Given::default()).unwrap();
    /// let mut add = |array: Described| Ok(shapes.push(array.shape.to_string()));
    /// notation.read_each(log, &Given::default(), &mut add)?;
    /// assert_eq!(shapes, ["f32[2,16,7,7]{3,2,1,0}", "f32[2,16,7,7]{3,2,1,0:T(8,1,1)}"]);
    /// # Ok::<(), xlayout_interop::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`read`](Self::read), and those of `each`.
    pub fn read_each(&self, text: &str, given: &Given<'_>, each: Each<'_>) -> Result<(), Error> {
        let library = self.library;
        match self.reads {
            Some(Reads::Several(read)) => read(text, given, each),
            Some(Reads::One(read)) => {
                let shape = read(text, given)?;
                given.check(library, &shape)?;
                each(shape.into())
            }
            Some(Reads::Described(read)) => {
                let array = read(text, given)?;
                given.check(library, &array.shape)?;
                each(array)
            }
            None => Err(BoundaryError::OnlyPrinted { library }.into()),
        }
    }

    /// The text of a layout. Of what is given it takes TVM's axes.
    ///
    /// ```
    /// use xlayout_core::ArrayShape;
    /// use xlayout_interop::{Given, Notation};
    /// let shape: ArrayShape = "bf16[40,40]{1,0:T(16,16)}".parse()?;
    /// let pack = Notation::with_key("pack").unwrap();
    /// assert_eq!(
    ///     pack.print(&shape, &Given::default())?.to_string(),
    ///     "outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [16, 16]",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// What the layout says and the notation cannot.
    pub fn print<'a>(
        &self,
        shape: &'a ArrayShape,
        given: &'a Given<'_>,
    ) -> Result<impl Display + use<'a>, Error> {
        let library = self.library;
        let print = self.prints.ok_or(BoundaryError::OnlyRead { library })?;
        // Whether there is a text at all; a text that is written to nothing cannot fail.
        let _ = print(shape, given, &mut Nowhere)?;
        Ok(from_fn(move |f| {
            print(shape, given, f)
                .unwrap_or_else(|error| unreachable!("it was printed before: {error}"))
        }))
    }
}

impl fmt::Debug for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Notation").field(&self.key).finish()
    }
}

/// Takes a text and keeps nothing.
struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }
}

fn read_numpy(text: &str, given: &Given<'_>) -> Result<Described, Error> {
    if !text.trim_start().starts_with('{') {
        return fields::numpy(text, given);
    }
    let array: ArrayInterface = text.parse()?;
    let shape = match given.element_type {
        Some(element_type) => array.to_shape_of(element_type),
        None => array.to_shape(),
    }?;
    let number = Some(array.offset);
    let offset = Offset::new(text, text, number, StrideUnit::Bytes);
    Ok(Described {
        offset: Some(offset).filter(|_| array.offset != 0),
        ..shape.into()
    })
}

fn print_numpy(shape: &ArrayShape, _: &Given<'_>, out: &mut dyn Write) -> Printed {
    ArrayInterface::new(shape)?;
    let host = StridedArray::of_shape(shape)?;
    let strides = host.byte_strides()?;
    let Some(dtype) = numpy_name(shape.element_type) else {
        unreachable!("the type has a type string");
    };
    let flags = Contiguity::of_shape(shape);
    let letter = match (flags.c, flags.f) {
        (true, _) => ", order='C'",
        (_, true) => ", order='F'",
        _ => "",
    };
    let [sizes, strides] = [host.shape(), &strides].map(python_tuple);
    Ok(write!(
        out,
        "shape={sizes}, strides={strides}, dtype='{dtype}'{letter}"
    ))
}

fn is_jax(text: &str, _: &Given<'_>) -> bool {
    let class = text.split_once('(').map_or("", |(class, _)| class.trim());
    let class = class.rsplit_once('.').map_or(class, |(_, class)| class);
    matches!(class, "Layout" | "DeviceLocalLayout" | "Format")
}

fn read_jax(text: &str, given: &Given<'_>) -> Result<Described, Error> {
    let (jax, has_sharding) = jax::read(text)?;
    let (sizes, element_type) = given.both(Library::Jax)?;
    let array = Described::from(jax.to_shape(element_type, sizes)?);
    Ok(if has_sharding {
        array.with_note(
            "The layout is that of the part of one device, with its sizes; the sharding beside it \
             is not read",
        )
    } else {
        array
    })
}

fn read_memref(text: &str, _: &Given<'_>) -> Result<Described, Error> {
    let (memref, note) = memref_read::read(text)?;
    let array = Described::from(memref.to_shape()?);
    // An affine map adds it without a name.
    let part = text.rfind("offset").map(|at| &text[at..]);
    let part = part.map(|part| part.split_once('>').map_or(part, |(offset, _)| offset));
    let number = memref.offset();
    let offset = Offset::new(text, part.unwrap_or(text), number, StrideUnit::Elements);
    Ok(Described {
        offset: Some(offset).filter(|_| number != Some(0)),
        note,
        ..array
    })
}

fn read_triton(_: &str, _: &Given<'_>) -> Result<ArrayShape, Error> {
    let library = Library::Triton;
    Err(BoundaryError::NoMemory { library }.into())
}

fn is_cute(text: &str, _: &Given<'_>) -> bool {
    let text = text.trim();
    let shape = text.starts_with(['(', '_']) || text.starts_with(|c: char| c.is_ascii_digit());
    let xla = text.contains(['[', '{']);
    shape && text.contains(':') && !xla || text.starts_with("Sw<") || text.starts_with("Swizzle<")
}

fn read_cute(text: &str, given: &Given<'_>) -> Result<ArrayShape, Error> {
    let cute: CuteLayout = text.parse()?;
    let library = Library::Cute;
    let unknown = BoundaryError::NoElementType { library };
    let element_type = given.element_type.ok_or(unknown)?;
    match given.sizes {
        Some(sizes) => cute.to_shape_with(element_type, sizes),
        None => cute.to_shape(element_type),
    }
}
