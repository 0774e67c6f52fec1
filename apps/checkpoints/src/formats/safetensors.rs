//! Safetensors: the length of a header, the header as JSON, the tensors one after the other.
//!
//! Source: the format's README, and the reference implementation's `tensor.rs`, whose rules are
//! kept: tensors fill the file without gaps, and the header has at most 100 MB.
//!
//! Tensors are row-major by definition. The format has no other layouts, no tiles, and no names for
//! some types. Such a tensor is stored as bytes, `U8[n]`. Its shape is in the metadata, under
//! `xlayout.shape.` and the tensor's name. So other programs read bytes, and never wrong numbers.

mod read;

use serde_json::{Map, json};
use xlayout::interop::NumpyOrder;
use xlayout::{ArrayLayout, DynLayout, ElementType};

use crate::array::{self, Size};

pub(crate) use read::read;

/// Before a tensor's name, the key of its shape in the metadata.
pub(crate) const SHAPE_KEY: &str = "xlayout.shape.";

/// The longest header, as in the reference implementation.
const LONGEST: u64 = 100_000_000;

/// The key of the metadata.
pub(crate) const METADATA: &str = "__metadata__";

macro_rules! names {
    (
        elements { $(
            $(#[$doc:meta])*
            $variant:ident = $number:literal, $name:ident, $($text:tt),*;
            $memory:tt
            { $numpy:literal, $kind:literal, $mlir:literal, $code:literal $(, $safetensors:literal)? }
        )* }
        others $others:tt
    ) => {
        /// Names of types, with XLA's; those narrower than a byte are packed.
        const TYPES: &[(&str, ElementType)] = &[$($(($safetensors, ElementType::$variant),)?)*];
    };
}

xlayout::for_each_element_type! { names }

fn name_of(element_type: ElementType) -> Option<&'static str> {
    let mut types = TYPES.iter();
    types.find_map(|(name, ty)| (*ty == element_type).then_some(*name))
}

/// The layout of a tensor in the format, and the name of its type; `None` if the type has no name.
#[must_use]
pub fn plain(layout: &DynLayout) -> Option<(&'static str, DynLayout)> {
    let name = name_of(layout.element_type())?;
    let dense = of_type(layout.element_type(), layout.dims())?;
    let whole = (dense.buffer_len() * dense.element_bits()).is_multiple_of(8);
    whole.then_some((name, dense))
}

/// The name of the type if the format has exactly this layout; `None` if the tensor is stored as
/// bytes.
pub(crate) fn named(layout: &DynLayout) -> Option<&'static str> {
    let (name, plain) = plain(layout)?;
    array::same_memory(&plain, layout).then_some(name)
}

fn of_type(element_type: ElementType, sizes: &[impl Size]) -> Option<DynLayout> {
    let dense = array::dense(element_type, sizes, NumpyOrder::C)?;
    let packed = match element_type.bits() {
        Some(bits) if bits < 8 && element_type != ElementType::Pred => i64::from(bits),
        _ => return Some(dense),
    };
    let layout = dense.array_shape().layout.clone()?;
    array::with_layout(
        element_type,
        sizes,
        layout.with_element_size_in_bits(packed),
    )
}

/// The bytes of an element of the type in the file, by which tensors are sorted, the widest first.
/// 0 if elements share a byte.
#[must_use]
pub fn width(layout: &DynLayout) -> usize {
    named(layout).map_or(1, |_| layout.element_bits() / 8)
}

/// The layout in a file: that of the array if `said`, else row-major if the format cannot store it.
///
/// # Errors
/// When the format cannot store it, and it is not to be stored as bytes: `opaque` is not true, and
/// `is_bytes` says that the source is not stored so.
pub(crate) fn written(
    (layout, said): (DynLayout, bool),
    opaque: Option<bool>,
    is_bytes: bool,
) -> Result<DynLayout, String> {
    let shape = array::text(&layout);
    let what = match plain(&layout) {
        Some((_, plain)) if !said || array::same_memory(&plain, &layout) => return Ok(plain),
        _ if opaque == Some(true) => return Ok(layout),
        None if opaque.is_none() && is_bytes && !said => return Ok(layout),
        Some(_) => format!("cannot say that it is `{shape}`; its tensors are row-major"),
        None if name_of(layout.element_type()).is_some() => {
            format!("cannot hold `{shape}`, which ends within a byte")
        }
        None => format!("has no name for elements of type {}", layout.element_type()),
    };
    Err(format!(
        "a safetensors file {what}; `opaque = true` in its entry stores it as bytes, with its \
         shape in the metadata for `xlayout` to read"
    ))
}

/// The header of a file with these named tensors in this sequence. A tensor that is not [`plain`]
/// is stored as bytes.
#[must_use]
pub fn header(tensors: &[(&str, &DynLayout)], metadata: &[(String, String)]) -> Vec<u8> {
    let texts = metadata.iter().cloned();
    let mut shapes: Map<_, _> = texts.map(|(key, value)| (key, value.into())).collect();
    let mut entries = Map::new();
    let mut offset = 0_u64;
    for (name, layout) in tensors {
        let (dtype, sizes) = match named(layout) {
            Some(dtype) => (dtype, layout.dims()),
            None => {
                shapes.insert(format!("{SHAPE_KEY}{name}"), array::text(layout).into());
                ("U8", &[layout.bytes()][..])
            }
        };
        let end = offset + layout.bytes() as u64;
        let entry = json!({"dtype": dtype, "shape": sizes, "data_offsets": [offset, end]});
        entries.insert((*name).to_owned(), entry);
        offset = end;
    }
    let mut all = Map::new();
    if !shapes.is_empty() {
        all.insert(METADATA.to_owned(), shapes.into());
    }
    all.extend(entries);
    let mut text = serde_json::Value::Object(all).to_string().into_bytes();
    // As the reference implementation does, so that the elements are aligned.
    text.resize(text.len().next_multiple_of(8), b' ');
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text);
    bytes
}
