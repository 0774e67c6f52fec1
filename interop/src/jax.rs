//! JAX: `Layout(major_to_minor=…, tiling=…)`.

use core::fmt;
use core::str::FromStr;

use super::Library;
use super::error::{Error, full, shaped};
use super::layout::{layout_of, no_bytes_elsewhere, no_padding};
use super::lists::python_tuple;
use super::read::Reader;
use xlayout_shape::text::lex::TokenKind;
use xlayout_shape::{ArrayShape, ElementType, Layout, MajorToMinor, TileDim, Tiles};

/// JAX's `Layout` (`jax.experimental.layout.Layout`, formerly `DeviceLocalLayout`).
///
/// The memory space is left out: in JAX it belongs to the sharding, which with a `Layout` makes a
/// `Format`.
///
/// ```
/// use xlayout_interop::JaxLayout;
/// use xlayout_core::{Layout, ElementType};
///
/// let layout: Layout = "{1,0:T(8,128)(2,1)}".parse()?;
/// let jax = JaxLayout::new(&layout)?;
/// assert_eq!(
///     jax.to_string(),
///     "Layout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)), \
///      sub_byte_element_size_in_bits=0)",
/// );
/// assert_eq!(jax.to_layout(ElementType::Bf16), layout);
///
/// let jax: JaxLayout = "Layout(major_to_minor=(1, 0))".parse()?;
/// assert_eq!(jax.to_shape(ElementType::F32, &[2, 3])?.to_string(), "f32[2,3]{0,1}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("DeviceLocalLayout", "Format"))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JaxLayout {
    /// The dimensions, the most major first.
    pub major_to_minor: MajorToMinor,
    /// The tiles; JAX tells `None` from `()`, see [`to_layout`](Self::to_layout).
    pub tiling: Option<Tiles>,
    /// The bits that a packed element takes; 0 where elements take whole bytes.
    pub sub_byte_element_size_in_bits: i64,
}

impl JaxLayout {
    /// What JAX says of a layout that it gets from a device (JAX: `Layout.from_pjrt_layout`).
    ///
    /// ```
    /// use xlayout_core::ArrayShape;
    /// use xlayout_interop::JaxLayout;
    /// let shape: ArrayShape = "f32[2,3]{0,1}".parse()?;
    /// let jax = JaxLayout::new(shape.layout.as_ref().unwrap())?;
    /// assert_eq!(jax.major_to_minor[..], [1, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Where the layout has something that JAX would drop: `padded_dimensions`, a tail padding
    /// alignment, splits, metadata before the data.
    #[doc(alias = "from_pjrt_layout")]
    pub fn new(layout: &Layout) -> Result<Self, Error> {
        no_padding(layout, Library::Jax)?;
        no_bytes_elsewhere(layout, Library::Jax)?;
        Ok(Self {
            major_to_minor: layout.minor_to_major.to_major_to_minor(),
            tiling: Some(layout.tiles.clone()),
            sub_byte_element_size_in_bits: layout.element_size_in_bits,
        })
    }

    /// What JAX says of an array.
    pub(super) fn of(shape: &ArrayShape) -> Result<Self, Error> {
        Self::new(&layout_of(shape, Library::Jax)?)
    }

    /// The layout that JAX makes of it for elements of this type (JAX: `Layout._to_xla_layout`).
    ///
    /// As there, `tiling=None` leaves out the element size, too; and with tiles or `tiling=()`,
    /// integers narrower than a byte are packed even if `sub_byte_element_size_in_bits` is 0.
    ///
    /// ```
    /// use xlayout_core::ElementType::S4;
    /// use xlayout_interop::JaxLayout;
    ///
    /// let layout = |text: &str| text.parse::<JaxLayout>().unwrap().to_layout(S4).to_string();
    /// assert_eq!(layout("Layout((0,), None, 4)"), "{0}");
    /// assert_eq!(layout("Layout((0,), (), 0)"), "{0:E(4)}");
    /// ```
    #[doc(alias = "_to_xla_layout")]
    #[must_use]
    pub fn to_layout(&self, element_type: ElementType) -> Layout {
        let mut layout = Layout::new(self.major_to_minor.to_minor_to_major());
        if let Some(tiles) = &self.tiling {
            layout.tiles = tiles.clone();
            let narrow = element_type.bits().filter(|&bits| bits < 8);
            layout.element_size_in_bits = match (self.sub_byte_element_size_in_bits, narrow) {
                (0, Some(bits)) if element_type.is_integral() => bits.into(),
                (bits, _) => bits,
            };
        }
        layout
    }

    /// The shape of an array with this layout.
    ///
    /// ```
    /// use xlayout_core::ElementType::Bf16;
    /// use xlayout_interop::JaxLayout;
    /// let jax: JaxLayout = "Layout(major_to_minor=(0, 1), tiling=((8, 128), (2, 1)))".parse()?;
    /// assert_eq!(jax.to_shape(Bf16, &[16, 256])?.to_string(), "bf16[16,256]{1,0:T(8,128)(2,1)}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the layout is not one for these sizes, or the shape is not valid.
    pub fn to_shape(&self, element_type: ElementType, dims: &[i64]) -> Result<ArrayShape, Error> {
        shaped(element_type, dims, self.to_layout(element_type))
    }
}

/// JAX's `repr`. A `*` in a tile is -2^63 there.
impl fmt::Display for JaxLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout(major_to_minor={}, tiling=", self.major_to_minor)?;
        match &self.tiling {
            None => f.write_str("None")?,
            Some(tiles) => {
                let tile = |k| tiles.get(k).unwrap_or_default().iter();
                let tile = |k| python_tuple(tile(k).map(|entry| entry.to_xla()));
                write!(f, "{}", python_tuple((0..tiles.len()).map(tile)))?;
            }
        }
        let bits = self.sub_byte_element_size_in_bits;
        write!(f, ", sub_byte_element_size_in_bits={bits})")
    }
}

/// What the parameters are called, in their sequence; with `_` before them in `DeviceLocalLayout`.
const PARAMETERS: [&str; 3] = ["major_to_minor", "tiling", "sub_byte_element_size_in_bits"];

/// Reads a call of `Layout` or `DeviceLocalLayout`, with names of the parameters or without.
impl FromStr for JaxLayout {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut reader = Reader::new(text, Library::Jax);
        if class(&reader) == "Format" {
            return Err(reader.unread("a layout with a sharding; take its `layout` alone"));
        }
        let layout = Self::read(&mut reader)?;
        reader.end()?;
        Ok(layout)
    }
}

/// The layout that a text has, and whether a sharding is beside it: JAX before 0.6 writes
/// `Layout(DeviceLocalLayout(…), sharding)`, later versions `Format(layout=Layout(…), sharding=…)`.
pub(super) fn read(text: &str) -> Result<(JaxLayout, bool), Error> {
    let mut reader = Reader::new(text, Library::Jax);
    let mut inner = reader;
    inner.advance();
    inner.eat(b'(');
    if inner.eat_word("layout") || inner.eat_word("device_local_layout") {
        inner.eat(b'=');
    }
    if !matches!(class(&inner), "Layout" | "DeviceLocalLayout") {
        let is_format = class(&reader) == "Format";
        let found = if is_format { &inner } else { &reader };
        if is_format {
            return Err(found.unexpected("a layout: `Layout(major_to_minor=…)`"));
        }
        let layout = JaxLayout::read(&mut reader)?;
        reader.end()?;
        return Ok((layout, false));
    }
    let layout = JaxLayout::read(&mut inner)?;
    if !inner.at(b')') {
        inner.expect(b',', "`,` and the sharding")?;
    }
    // What a sharding is, other readers know.
    inner.skip_until(|_| false);
    inner.expect(b')', "`)`")?;
    inner.end()?;
    Ok((layout, true))
}

/// The next word without the modules, if any are named.
fn class<'t>(reader: &Reader<'t>) -> &'t str {
    let found = reader.found();
    found.rsplit_once('.').map_or(found, |(_, class)| class)
}

impl JaxLayout {
    /// Reads one call.
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        if !matches!(class(reader), "Layout" | "DeviceLocalLayout") {
            return Err(reader.unexpected("`Layout(`"));
        }
        reader.advance();
        reader.expect(b'(', "`(`")?;
        let mut major_to_minor = None;
        let mut tiling = None;
        let mut bits = None;
        let mut next = 0;
        reader.items(b')', "`,` or `)`", |reader| {
            let here = *reader;
            if reader.token.tok == TokenKind::Word && !reader.eat_word("None") {
                let name = reader.found().trim_start_matches('_');
                let found = PARAMETERS.iter().position(|&known| known == name);
                next = found.ok_or_else(|| reader.unexpected("a parameter of `Layout`"))?;
                reader.advance();
                reader.expect(b'=', "`=`")?;
            } else {
                *reader = here;
            }
            next += 1;
            match next {
                1 => here.once(&mut major_to_minor, permutation(reader)?),
                2 if reader.eat_word("None") => here.once(&mut tiling, None),
                2 => here.once(&mut tiling, Some(tiles(reader)?)),
                3 => here.once(&mut bits, reader.size()?),
                _ => Err(reader.unexpected("`)`")),
            }
        })?;
        Ok(Self {
            major_to_minor: major_to_minor.ok_or_else(|| reader.misses("`major_to_minor`"))?,
            tiling: tiling.flatten(),
            // JAX's own default.
            sub_byte_element_size_in_bits: bits.unwrap_or(0),
        })
    }
}

fn permutation(reader: &mut Reader<'_>) -> Result<MajorToMinor, Error> {
    let here = *reader;
    let list = reader.tuple()?;
    if (0..list.len() as i64).all(|d| list.contains(&d)) {
        return MajorToMinor::new(&list).map_err(full);
    }
    Err(reader.unexpected_since(&here, "every dimension once, counted from 0"))
}

fn tiles(reader: &mut Reader<'_>) -> Result<Tiles, Error> {
    let close = if reader.at(b'[') { b']' } else { b')' };
    if !reader.eat(b'[') {
        reader.expect(b'(', "`None` or a tuple of tiles")?;
    }
    let mut tiles = Tiles::new();
    reader.items(close, "`,` or the closing bracket", |reader| {
        let here = *reader;
        for &entry in &reader.tuple()? {
            match TileDim::from_xla(entry) {
                Some(entry) if entry != TileDim::Size(0) => {
                    tiles.push_entry(entry).map_err(full)?;
                }
                _ => return Err(reader.unexpected_since(&here, "a tile with entries above 0")),
            }
        }
        tiles.end_tile().map_err(full)
    })?;
    Ok(tiles)
}
