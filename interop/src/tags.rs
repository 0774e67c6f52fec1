//! oneDNN's format tags (`aBcd16b`), TVM's layouts (`NCHW16c`), and layouts that have only a name.
//!
//! All three are one text: a letter for each dimension, the most major first, then the blocks, each
//! a size and a letter.

use core::fmt::Write;
use core::ops::Range;

use super::blocked::{Block, BlockedLayout};
use super::error::{Error, Items, Numbers, Printed, expected, list, push};
use super::{BoundaryError, Given, Library};
use xlayout_shape::ArrayShape;
use xlayout_shape::error::Excerpt;

/// oneDNN's letters; it has 12 dimensions at most.
const LETTERS: &str = "abcdefghijkl";

/// What oneDNN's older names call the dimensions, from dimension 0 on: `nChw16c` is `aBcd16b`.
const OLD_LETTERS: [&str; 14] = [
    "nc", "ncw", "nchw", "ncdhw", "oi", "oiw", "oihw", "oidhw", "goiw", "goihw", "goidhw", "tnc",
    "ldnc", "ldigo",
];

/// Without what may be written before a tag.
pub(super) fn bare(text: &str) -> &str {
    let text = text.trim();
    let last = text.rsplit_once("::").map_or(text, |(_, last)| last);
    last.strip_prefix("dnnl_").unwrap_or(last)
}

/// The letters before the blocks, and the blocks. `None` if it is no text of this kind.
fn parts(tag: &str) -> Option<(&str, &str)> {
    let letters = tag.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (outer, blocks) = tag.split_at(letters);
    let mut digits = false;
    for byte in blocks.bytes() {
        match byte {
            b'0'..=b'9' => digits = true,
            _ if byte.is_ascii_alphabetic() && digits => digits = false,
            _ => return None,
        }
    }
    (!outer.is_empty() && !digits).then_some((outer, blocks))
}

/// The names of the dimensions that a oneDNN tag uses, from dimension 0 on.
fn letters_of(outer: &str) -> Option<&'static str> {
    let same = |letters: &str| {
        let has = |letter: u8| outer.bytes().any(|c| c.to_ascii_lowercase() == letter);
        letters.len() == outer.len() && letters.bytes().all(has)
    };
    let alphabet = LETTERS.get(..outer.len()).filter(|letters| same(letters));
    alphabet.or_else(|| OLD_LETTERS.into_iter().find(|letters| same(letters)))
}

/// Whether the capital letters are those of the dimensions with blocks.
fn has_blocks(outer: &str, blocks: &str, letter: u8) -> bool {
    let blocked = blocks.bytes().any(|c| c == letter.to_ascii_lowercase());
    blocked && outer.bytes().any(|c| c.eq_ignore_ascii_case(&letter))
}

pub(super) fn is_onednn(text: &str, _: &Given<'_>) -> bool {
    let lower = |outer: &str| outer.bytes().all(|c| c.is_ascii_lowercase());
    parts(bare(text)).is_some_and(|(outer, blocks)| {
        // A text of blocks is no word, so that a mistake in it is one of a tag.
        !blocks.is_empty() || letters_of(outer).is_some() && lower(outer)
    })
}

pub(super) fn is_tvm(text: &str, given: &Given<'_>) -> bool {
    let Some((outer, blocks)) = parts(text.trim()) else {
        return false;
    };
    // `AB16b2a` is written alike by both, and means the same.
    let onednn = letters_of(outer).is_some() && outer.bytes().all(|c| has_blocks(outer, blocks, c));
    let upper = outer.bytes().all(|c| c.is_ascii_uppercase());
    upper && (given.axes.is_some() || !onednn && (outer.len() > 1 || !blocks.is_empty()))
}

/// Reads a tag whose dimensions have these letters. TVM writes every outer letter as a capital,
/// oneDNN those with blocks.
fn read(text: &str, tag: &str, letters: &str, library: Library) -> Result<BlockedLayout, Error> {
    let wrong = |part: Range<usize>, what| expected(library, text, &tag[part], what);
    const ONCE: &str = "every dimension once";
    let Some((outer, blocks)) = parts(tag) else {
        let form = "letters, then blocks of a size and a letter";
        return Err(wrong(0..tag.len(), form));
    };
    let dimension = |letter: u8| (letters.bytes()).position(|c| c.eq_ignore_ascii_case(&letter));
    let mut order = Numbers::new();
    for (at, letter) in outer.bytes().enumerate() {
        let dim = dimension(letter).map(|dim| dim as i64);
        let Some(dim) = dim.filter(|dim| !order.contains(dim)) else {
            return Err(wrong(at..at + 1, ONCE));
        };
        let upper = library == Library::Tvm || has_blocks(outer, blocks, letter);
        if letter.is_ascii_uppercase() != upper {
            let what = if upper {
                "a capital letter for a dimension that is counted in blocks"
            } else {
                "a small letter for a dimension without blocks"
            };
            return Err(wrong(at..at + 1, what));
        }
        push(&mut order, dim)?;
    }
    if order.len() != letters.len() {
        return Err(wrong(0..outer.len(), ONCE));
    }
    let mut list = Items::<Block>::new();
    let mut at = outer.len();
    while at < tag.len() {
        let letter = at + tag[at..].bytes().take_while(u8::is_ascii_digit).count();
        let size = tag[at..letter].parse().ok().filter(|&size| size > 0);
        let size = size.ok_or_else(|| wrong(at..letter, "the size of a block"))?;
        let byte = tag.as_bytes()[letter];
        let dim = dimension(byte).filter(|_| byte.is_ascii_lowercase());
        let what = "the small letter of a dimension";
        let dim = dim.ok_or_else(|| wrong(letter..letter + 1, what))?;
        push(&mut list, Block::new(dim, size))?;
        at = letter + 1;
    }
    BlockedLayout::of_lists(&order, list)
}

/// Writes a tag in these letters.
fn write(shape: &ArrayShape, letters: &str, library: Library, out: &mut dyn Write) -> Printed {
    let blocked = BlockedLayout::new(shape)?;
    let letters = letters.as_bytes().get(..shape.rank());
    let letters = letters.filter(|letters| !letters.is_empty());
    let limit = match library {
        Library::Tvm => 5,
        _ => LETTERS.len(),
    };
    let letters = letters.ok_or(BoundaryError::TagRank { library, limit })?;
    let mut write = || {
        for &dim in blocked.major_to_minor.iter() {
            let dim = dim as usize;
            let cut = blocked.blocks.iter().any(|block| block.dimension == dim);
            let letter = char::from(letters[dim]);
            out.write_char(if cut || library == Library::Tvm {
                letter.to_ascii_uppercase()
            } else {
                letter
            })?;
        }
        for block in &blocked.blocks {
            let letter = char::from(letters[block.dimension]).to_ascii_lowercase();
            write!(out, "{}{letter}", block.size)?;
        }
        Ok(())
    };
    Ok(write())
}

/// The layout of a oneDNN tag, which is a part of `text`.
pub(super) fn onednn_tag(text: &str, tag: &str) -> Result<BlockedLayout, Error> {
    let outer = parts(tag).map_or(tag, |(outer, _)| outer);
    let whole = LETTERS.get(..outer.len()).unwrap_or(LETTERS);
    let letters = letters_of(outer).unwrap_or(whole);
    read(text, tag, letters, Library::OneDnn)
}

pub(super) fn read_onednn(text: &str, given: &Given<'_>) -> Result<ArrayShape, Error> {
    given.shape(Library::OneDnn, &onednn_tag(text, bare(text))?)
}

pub(super) fn print_onednn(shape: &ArrayShape, _: &Given<'_>, out: &mut dyn Write) -> Printed {
    write(shape, LETTERS, Library::OneDnn, out)
}

pub(super) fn read_tvm(text: &str, given: &Given<'_>) -> Result<ArrayShape, Error> {
    let axes = given.axes.ok_or(BoundaryError::NoAxes)?;
    given.shape(Library::Tvm, &read(text, text.trim(), axes, Library::Tvm)?)
}

pub(super) fn print_tvm(shape: &ArrayShape, given: &Given<'_>, out: &mut dyn Write) -> Printed {
    let own =
        |axes: &&str| axes.len() == shape.rank() && axes.bytes().all(|c| c.is_ascii_alphabetic());
    let axes = given.axes.filter(own);
    let axes = axes.or_else(|| Given::axes_of(shape.rank()));
    write(shape, axes.unwrap_or_default(), Library::Tvm, out)
}

/// A layout that has only a name.
struct Named {
    name: &'static str,
    /// The bits of the elements that it is defined for; 0 if for all.
    bits: u32,
    /// The tag of the last dimensions.
    tag: &'static str,
    /// Whether there may be dimensions before them.
    more: bool,
}

macro_rules! names {
    ($($name:literal $bits:literal $tag:literal $more:literal;)*) => {
        /// PyTorch's memory formats, Ascend's formats, cuBLASLt's orders, Tenstorrent's layouts,
        /// TensorRT's formats.
        const NAMED: &[Named] = &[$(Named { name: $name, bits: $bits, tag: $tag, more: $more }),*];
    };
}

names! {
    "torch.contiguous_format" 0 "a" true;
    "torch.channels_last" 0 "acdb" false;
    "torch.channels_last_3d" 0 "acdeb" false;
    "FRACTAL_NZ" 16 "BA16a16b" true;
    "FRACTAL_NZ" 8 "BA16a32b" true;
    "NC1HWC0" 16 "aBcd16b" false;
    "NC1HWC0" 8 "aBcd32b" false;
    "NDC1HWC0" 16 "acBde16b" false;
    "NDC1HWC0" 8 "acBde32b" false;
    "COL32" 0 "Ba32b" false;
    "TILE_LAYOUT" 0 "AB2a2b16a16b" true;
    "kCHW2" 0 "aBcd2b" false;
    "kCHW4" 0 "aBcd4b" false;
    "kCHW16" 0 "aBcd16b" false;
    "kCHW32" 0 "aBcd32b" false;
    "kCDHW32" 0 "aBcde32b" false;
    "kHWC8" 0 "acdB8b" false;
    "kHWC16" 0 "acdB16b" false;
    "kDHWC8" 0 "acdeB8b" false;
    "kHWC" 0 "acdb" false;
}

impl Named {
    /// The layout of an array of this rank.
    fn layout(&self, rank: usize) -> Result<BlockedLayout, Error> {
        let own = onednn_tag(self.tag, self.tag)?;
        let before = rank.saturating_sub(own.major_to_minor.len());
        let before = if self.more { before } else { 0 };
        let order = own.major_to_minor.iter().map(|&dim| dim + before as i64);
        let order = list((0..before as i64).chain(order))?;
        let block = |block: &Block| Block::new(block.dimension + before, block.size);
        BlockedLayout::of_lists(&order, list(own.blocks.iter().map(block))?)
    }

    fn is_for(&self, bits: Option<u32>) -> bool {
        self.bits == 0 || Some(self.bits) == bits
    }
}

/// The name alone: `CUBLASLT_ORDER_COL32`, `nvinfer1::TensorFormat::kCHW32`.
fn bare_name(text: &str) -> &str {
    let text = text.trim();
    let text = text.rsplit_once("::").map_or(text, |(_, last)| last);
    let prefixes = ["CUBLASLT_ORDER_", "ACL_FORMAT_", "FORMAT_", "ttnn."];
    let bare = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix));
    bare.unwrap_or(text)
}

/// Whether a text is a name, whatever is between its letters. A capital letter is another one than
/// the small one only where a name has no separator: `kHWC` is no `KHWC`.
fn is_name(text: &str, name: &str) -> bool {
    let bare = bare_name(text);
    let bare = bare.strip_prefix("torch.").unwrap_or(bare);
    let name = name.strip_prefix("torch.").unwrap_or(name);
    let letters = |text: &'_ str| -> [Option<u8>; 24] {
        let mut own = text.bytes().filter(u8::is_ascii_alphanumeric);
        core::array::from_fn(|_| own.next())
    };
    let lower = |text| letters(text).map(|byte| byte.map(|byte| byte.to_ascii_lowercase()));
    let is_loose = name.contains('_') && !bare.is_empty() && lower(bare) == lower(name);
    is_loose || letters(bare) == letters(name)
}

pub(super) fn is_named(text: &str, _: &Given<'_>) -> bool {
    NAMED.iter().any(|row| is_name(text, row.name))
}

pub(super) fn read_named(text: &str, given: &Given<'_>) -> Result<ArrayShape, Error> {
    let (sizes, element_type) = given.both(Library::Named)?;
    let mut rows = NAMED.iter().filter(|row| is_name(text, row.name));
    let found = Excerpt::new(text);
    let undefined = BoundaryError::NamedType {
        element_type,
        found,
    };
    let row = rows.find(|row| row.is_for(element_type.bits()));
    given.shape(Library::Named, &row.ok_or(undefined)?.layout(sizes.len())?)
}

pub(super) fn print_named(shape: &ArrayShape, _: &Given<'_>, out: &mut dyn Write) -> Printed {
    let blocked = BlockedLayout::new(shape)?;
    let bits = shape.element_type.bits();
    // What is row-major needs no name.
    let has_name = |row: &&Named| row.is_for(bits) && row.tag != "a";
    for row in NAMED.iter().filter(has_name) {
        if row.layout(shape.rank())? == blocked {
            return Ok(out.write_str(row.name));
        }
    }
    Err(BoundaryError::NoName.into())
}
