//! Strided arrays by named fields, as NumPy, PyTorch, DLPack and ndarray print them.
//!
//! ```text
//! text  = [class bracket] field {[","] field} [bracket]
//! field = ["."] name ["=" | ":"] value | value
//! ```
//!
//! A table says what a name means. A list without a name is the sizes, a second one the strides; a
//! word without a name is a type, a device or a flag. NumPy's strides are in bytes, the others' in
//! elements.

mod which;

use super::dlpack::DlTensor;
use super::element_types::row;
use super::error::{Error, Numbers, about};
use super::numpy_types::from_numpy_name;
use super::read::Reader;
use super::{
    BoundaryError, Contiguity, Described, Given, Library, NumpyOrder, Offset, StrideUnit,
    StridedArray, TypeStr, dlpack,
};
pub(super) use which::{is_dlpack, is_ndarray, is_numpy, is_torch};
use xlayout_shape::text::lex::TokenKind;
use xlayout_shape::{ArrayShape, ElementType, Layout};

const QUOTES: [char; 2] = ['\'', '"'];

/// What the value of a field is.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Sizes,
    Strides,
    Type,
    /// `C`, `F`, ndarray's `CFcf`, PyTorch's `torch.strided`.
    Order,
    Offset(StrideUnit),
    Rank,
    /// DLPack's flags.
    Flags,
    /// It says nothing of where elements lie.
    Skipped,
}

#[rustfmt::skip]
const FIELDS: &[(Role, &[&str])] = &[
    (Role::Sizes, &["shape", "size", "sizes", "torch.Size"]),
    (Role::Strides, &["stride", "strides"]),
    (Role::Type, &["dtype", "type"]),
    (Role::Order, &["order", "layout"]),
    (Role::Offset(StrideUnit::Elements), &["storage_offset", "start_offset"]),
    (Role::Offset(StrideUnit::Bytes), &["byte_offset", "offset"]),
    (Role::Rank, &["ndim"]),
    (Role::Flags, &["flags"]),
    (Role::Skipped, &[
        "data", "device", "requires_grad", "const", "dynamic", "class", "itemsize", "nbytes",
        "aligned", "contiguous", "fortran", "byteorder", "byteswap", "cpu", "cuda", "meta", "xla",
        "mps", "C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED",
        "WRITEBACKIFCOPY", "weak_type", "sharding", "device_type", "pinned", "buffer", "name",
    ]),
];

/// PyTorch's names of types that are not NumPy's.
#[rustfmt::skip]
const TYPES: [(&str, &str); 9] = [
    ("half", "float16"), ("float", "float32"), ("double", "float64"), ("char", "int8"),
    ("byte", "uint8"), ("short", "int16"), ("int", "int32"), ("long", "int64"),
    ("bool_", "bool"),
];

/// Texts that have a type and no layout, which is row-major.
const WITHOUT_STRIDES: [&str; 4] = [
    "ShapeDtypeStruct",
    "jax.ShapeDtypeStruct",
    "Array",
    "jax.Array",
];

/// What was read so far.
#[derive(Default)]
struct Found<'t> {
    sizes: Option<Numbers>,
    strides: Option<Numbers>,
    element_type: Option<ElementType>,
    /// The type and its width, of DLPack.
    dtype: Option<dlpack::DlDataType>,
    order: Option<Reader<'t>>,
    offset: Option<Offset>,
    rank: Option<i64>,
    padded: Option<()>,
    of_strides: Option<&'t str>,
}

fn role(word: &str) -> Option<Role> {
    // `x.shape`
    let last = word.rsplit_once('.').map_or(word, |(_, last)| last);
    let is_name = |name: &&str| *name == word || *name == last;
    let row = FIELDS.iter().find(|(_, names)| names.iter().any(is_name))?;
    Some(row.0)
}

pub(super) fn torch(text: &str, given: &Given<'_>) -> Result<Described, Error> {
    // As graphs print it: `arg0_1: "f32[8, 16][16, 1]cuda:0"`.
    match text.split('"').nth(1).filter(|part| part.contains("][")) {
        Some(part) => read(text, part, given, Library::Torch),
        None => read(text, text, given, Library::Torch),
    }
}

pub(super) fn numpy(text: &str, given: &Given<'_>) -> Result<Described, Error> {
    read(text, text, given, Library::Numpy)
}

pub(super) fn dlpack(text: &str, given: &Given<'_>) -> Result<Described, Error> {
    read(text, text, given, Library::DlPack)
}

/// The elements may be printed before the fields.
pub(super) fn ndarray(text: &str, given: &Given<'_>) -> Result<Described, Error> {
    let start = text.rfind("shape=[").unwrap_or(0);
    read(text, &text[start..], given, Library::Ndarray)
}

/// What a field without a known name should have been.
const fn names(library: Library) -> &'static str {
    match library {
        Library::Torch => "`stride=`, `size=`, `dtype=` or `storage_offset=`",
        Library::DlPack => "`dtype=`, `shape=`, `strides=`, `byte_offset=` or `flags=`",
        _ => "`shape=`, `strides=`, `dtype=` or `order=`",
    }
}

/// Reads the fields in `part`, which is a part of the text.
fn read(text: &str, part: &str, given: &Given<'_>, library: Library) -> Result<Described, Error> {
    let mut reader = Reader::within(text, library, part);
    let mut found = Found::default();
    let begin = reader;
    let class = reader.advance();
    let class = &text[class.start..class.end];
    let closes;
    let is_class = begin.token.tok == TokenKind::Word
        && role(class).is_none()
        && (reader.at(b'(') || reader.at(b'{') || role(reader.found()).is_some());
    if is_class {
        let opens = reader.eat(b'(') || reader.eat(b'{');
        closes = opens;
        // The array itself, or that there are elements: `(arg0_1, …`, `(..., …`.
        let here = reader;
        while reader.at(b'.')
            || reader.token.tok == TokenKind::Word && role(reader.found()).is_none()
        {
            reader.advance();
        }
        if !reader.eat(b',') {
            reader = here;
        }
    } else {
        reader = begin;
        let opens = reader.eat(b'(') || library == Library::DlPack && reader.eat(b'{');
        let number = matches!(reader.token.tok, TokenKind::Integer);
        closes = opens && !number && !reader.at(b')');
        if !closes {
            reader = begin;
        }
    }
    while reader.token.tok != TokenKind::End && !(closes && closer(&reader)) {
        found.field(&mut reader)?;
        if !reader.eat(b',') {
            reader.eat(b';');
        } else if reader.token.tok == TokenKind::End {
            return Err(reader.unexpected(names(library)));
        }
    }
    if closes && !closer(&reader) {
        return Err(reader.unexpected("`)`"));
    }
    if closes {
        reader.advance();
    }
    reader.end()?;
    found.described(text, &reader, given, WITHOUT_STRIDES.contains(&class))
}

fn closer(reader: &Reader<'_>) -> bool {
    reader.at(b')') || reader.at(b'}')
}

impl<'t> Found<'t> {
    /// The role of the next field, by its name or by what its value is. The reader is then at the
    /// value.
    fn role(&self, reader: &mut Reader<'_>) -> Result<Role, Error> {
        let here = *reader;
        let is_list = [b'(', b'[', b'{'].iter().any(|&mark| reader.at(mark));
        let named = role(reader.found()).filter(|_| reader.token.tok == TokenKind::Word);
        Ok(match named {
            Some(role) => {
                reader.advance();
                let mut has_value = reader.eat(b'=') || reader.eat(b':');
                let begin = *reader;
                // `x.stride()` and what it returns.
                let is_called = !has_value && reader.eat(b'(') && reader.eat(b')');
                if !is_called {
                    *reader = begin;
                }
                has_value |= reader.found() == "torch.Size";
                if !has_value && role != Role::Skipped && !reader.at(b'(') && !reader.at(b'[') {
                    let is_type = word_type(&here).is_some();
                    if !is_type && role != Role::Type && role != Role::Order {
                        return Err(reader.unexpected("a name and `=`"));
                    }
                }
                role
            }
            None if is_list && self.sizes.is_none() => Role::Sizes,
            None if is_list => Role::Strides,
            None if word_type(reader).is_some() => Role::Type,
            // A device.
            None if reader.token.tok == TokenKind::Quoted => Role::Skipped,
            // `as_strided(x, (2, 3), (3, 1), 4)`
            None if self.strides.is_some() && reader.token.tok == TokenKind::Integer => {
                Role::Offset(StrideUnit::Elements)
            }
            None => return Err(here.unexpected(names(reader.library))),
        })
    }

    fn field(&mut self, reader: &mut Reader<'t>) -> Result<(), Error> {
        reader.eat(b'.');
        let here = *reader;
        match self.role(reader)? {
            Role::Sizes => {
                let wrapped = self.wrapped(reader);
                here.once(&mut self.sizes, reader.tuple()?)?;
                if wrapped {
                    reader.expect(b')', "`)`")?;
                }
            }
            Role::Strides => {
                let none = ["NULL", "None", "nullptr", "null"];
                if none.contains(&reader.found()) {
                    reader.advance();
                } else {
                    let start = *reader;
                    here.once(&mut self.strides, reader.tuple()?)?;
                    self.of_strides = Some(start.until(reader));
                }
            }
            Role::Type => {
                let read = self.element_type(reader)?;
                here.once(&mut self.element_type, read)?;
            }
            Role::Order => {
                here.once(&mut self.order, *reader)?;
                reader.advance();
                // `C (0x1)`, `Cc (0x5)`
                if reader.at(b'(') {
                    skip(reader);
                }
            }
            Role::Offset(unit) => {
                let number = Some(reader.number()?);
                let part = here.until(reader);
                here.once(&mut self.offset, Offset::new(here.text, part, number, unit))?;
            }
            Role::Rank => here.once(&mut self.rank, reader.size()?)?,
            Role::Flags => {
                if !reader.eat_word(dlpack::PADDED) {
                    let what = "`DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED`";
                    return Err(reader.unexpected(what));
                }
                here.once(&mut self.padded, ())?;
            }
            Role::Skipped => skip(reader),
        }
        Ok(())
    }

    /// Whether the sizes are in a bracket of their own: `torch.Size([2, 3])`.
    fn wrapped(&self, reader: &mut Reader<'_>) -> bool {
        if reader.eat_word("torch.Size") {
            return reader.eat(b'(');
        }
        let here = *reader;
        let wrapped = reader.eat(b'(') && (reader.at(b'[') || reader.at(b'('));
        if !wrapped {
            *reader = here;
        }
        wrapped
    }

    fn element_type(&mut self, reader: &mut Reader<'_>) -> Result<ElementType, Error> {
        let library = reader.library;
        if reader.at(b'{') || reader.at(b'(') && library == Library::DlPack {
            let dtype = dlpack::dtype(reader)?;
            self.dtype = Some(dtype);
            return dtype.element_type();
        }
        // `dtype('float32')`, `<class 'numpy.float32'>`
        reader.eat_word("dtype");
        let closes = if reader.eat(b'(') {
            b')'
        } else if reader.eat(b'<') {
            reader.eat_word("class");
            b'>'
        } else {
            0
        };
        let found = reader.excerpt();
        let unknown = BoundaryError::UnknownType { library, found };
        let read = word_type(reader).ok_or_else(|| reader.error(unknown))??;
        reader.advance();
        if closes != 0 {
            reader.expect(closes, "the closing bracket")?;
        }
        Ok(read)
    }

    /// The order that the text names, and where.
    fn named_order(&self, library: Library) -> Result<Option<(NumpyOrder, &Reader<'t>)>, Error> {
        let Some(order) = &self.order else {
            return Ok(None);
        };
        let letter = order.found().trim_matches(QUOTES);
        let letter = match library {
            Library::Ndarray if letter == "Custom" => "",
            Library::Ndarray => letter.trim_matches(|c: char| c.is_ascii_lowercase()),
            _ => letter,
        };
        match letter.parse() {
            Ok(named) => Ok(Some((named, order))),
            Err(error) if library == Library::Numpy => Err(order.error(*error.kind())),
            Err(_) => Ok(None),
        }
    }

    fn described(
        self,
        text: &str,
        reader: &Reader<'_>,
        given: &Given<'_>,
        row_major: bool,
    ) -> Result<Described, Error> {
        let library = reader.library;
        let needed = match library {
            Library::Torch => "`stride=(…)`",
            Library::DlPack => "`shape={…}`",
            _ => "`strides=(…)`",
        };
        if let (Some(own), Some(given)) = (self.element_type, given.element_type)
            && own != given
        {
            let what = "type";
            return Err(BoundaryError::OtherGiven { library, what }.into());
        }
        let given = given.beside(self.sizes.as_deref(), self.element_type);
        let order = self.named_order(library)?;
        if library == Library::DlPack && self.sizes.is_none() {
            return Err(reader.missing(needed));
        }
        let shape = match &self.strides {
            Some(strides) => {
                let (sizes, element_type) = given.both(library)?;
                let host = self.strided(library, element_type, sizes, strides);
                let host = host.map_err(|error| self.at_strides(text, &error))?;
                if let Some((letter, order)) = order {
                    let unit = match library {
                        Library::Numpy => row(element_type, library)?.bytes(),
                        _ => 1,
                    };
                    let flags = Contiguity::new(sizes, strides, unit);
                    let is_right = match letter {
                        NumpyOrder::C => flags.c,
                        NumpyOrder::F => flags.f,
                    };
                    if !is_right {
                        return Err(order.unexpected("the order of the strides"));
                    }
                }
                let padded = host.padded();
                padded.map_err(|error| self.at_strides(text, &error))?
            }
            None if row_major || library == Library::DlPack || order.is_some() => {
                let (sizes, element_type) = given.both(library)?;
                let mut shape = ArrayShape::new(element_type, sizes).map_err(super::error::full)?;
                let letter = order.map_or(NumpyOrder::C, |(letter, _)| letter);
                let order = letter.minor_to_major(sizes.len());
                shape.layout = Some(Layout::new(order.map_err(super::error::full)?));
                self.pack(&mut shape);
                shape.validate().map_err(super::error::invalid)?;
                shape
            }
            None => return Err(reader.missing(needed)),
        };
        if let Some(rank) = self.rank.filter(|&rank| rank != shape.rank() as i64) {
            let [listed, rank] = [shape.rank(), rank as usize];
            return Err(about(
                text,
                text,
                BoundaryError::StridesLength { listed, rank },
            ));
        }
        Ok(Described {
            offset: self.offset.filter(|offset| offset.number != Some(0)),
            ..shape.into()
        })
    }

    fn strided(
        &self,
        library: Library,
        element_type: ElementType,
        sizes: &[i64],
        strides: &Numbers,
    ) -> Result<StridedArray, Error> {
        match (library, self.dtype) {
            (Library::Numpy, _) => StridedArray::new(element_type, sizes, strides),
            (Library::DlPack, Some(dtype)) => DlTensor {
                dtype,
                shape: super::error::list(sizes.iter().copied())?,
                strides: Some(strides.clone()),
                byte_offset: 0,
                subbyte_type_padded: self.padded.is_some(),
            }
            .to_strided_array(),
            _ => StridedArray::from_element_strides(element_type, sizes, strides),
        }
    }

    /// Narrow elements of DLPack are packed, if it does not say otherwise.
    fn pack(&self, shape: &mut ArrayShape) {
        let narrow = self
            .dtype
            .filter(|dtype| dtype.bits < 8 && self.padded.is_none());
        if let (Some(dtype), Some(layout)) = (narrow, &mut shape.layout) {
            layout.element_size_in_bits = dtype.bits.into();
        }
    }

    fn at_strides(&self, text: &str, error: &Error) -> Error {
        match self.of_strides {
            Some(strides) => about(text, strides, *error.kind()),
            None => (*error.kind()).into(),
        }
    }
}

/// The type that XLA calls so.
fn xla_type(word: &str) -> Option<ElementType> {
    let parsed = word.parse::<ElementType>().ok()?;
    Some(parsed).filter(|parsed| parsed.is_array())
}

/// The type that the next word names, if it names one.
fn word_type(reader: &Reader<'_>) -> Option<Result<ElementType, Error>> {
    if !matches!(reader.token.tok, TokenKind::Word | TokenKind::Quoted) {
        return None;
    }
    let word = reader.found().trim_matches(QUOTES);
    let word = word.rsplit_once('.').map_or(word, |(_, word)| word);
    let torch = TYPES.iter().find(|row| row.0 == word).map(|row| row.1);
    let torch = torch.filter(|_| reader.library == Library::Torch || word == "bool_");
    let named = from_numpy_name(torch.unwrap_or(word)).or_else(|| xla_type(word));
    let string = || -> Option<Result<ElementType, Error>> {
        let typestr = word.parse().ok().or_else(|| TypeStr::unmarked(word))?;
        Some(
            typestr
                .element_type()
                .map_err(|error| reader.error(*error.kind())),
        )
    };
    named
        .map(Ok)
        .or_else(|| string().filter(|_| reader.token.tok == TokenKind::Quoted))
}

/// Passes what is here up to the next field.
fn skip(reader: &mut Reader<'_>) {
    reader.skip_until(|reader| match reader.token.tok {
        TokenKind::Mark(b',' | b';') => true,
        TokenKind::Word if role(reader.found()).is_some() => {
            let mut next = *reader;
            next.advance();
            next.at(b':') || next.at(b'=') || next.token.tok == TokenKind::Word
        }
        _ => false,
    });
}
