//! Arrays in files, and boxes of them.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xlayout::interop::NumpyOrder;
use xlayout::xla::primitive_util;
use xlayout::{ArrayLayout, ArrayShape, DynLayout, ElementType, Layout};
use xlayout_words::joined;

/// An array or a part of an array in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Array {
    /// Only tensors have names.
    #[serde(skip)]
    pub name: Option<String>,
    /// The number of the file that it is in.
    pub file: usize,
    /// Its byte offset in the file.
    #[serde(rename = "at")]
    pub offset: u64,
    /// The layout of its elements in its bytes.
    pub layout: Arc<DynLayout>,
    /// The index of its first element in the tensor that it is a part of.
    pub origin: Vec<usize>,
    /// The bytes of a number, if they are stored most significant first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swap: Option<usize>,
    /// The bytes in the file and how they become those of `layout`, if they are not the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoded: Option<(u64, Vec<Encoding>)>,
    /// Whether its file states where it begins in the tensor.
    #[serde(skip)]
    pub(crate) is_placed: bool,
    /// The sizes of its tensor, if its file states them.
    #[serde(skip)]
    pub(crate) whole: Option<Vec<usize>>,
}

/// How bytes are stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// No bytes are stored: each element has these bytes.
    Fill(Vec<u8>),
    /// RFC 1952.
    Gzip,
    /// RFC 1950.
    Zlib,
    /// RFC 8878.
    Zstd,
    /// A block of LZ4, behind the number of its bytes as four bytes.
    Lz4,
    /// A chunk of c-blosc 1, which says itself with what it is compressed.
    Blosc,
    /// Four bytes after the others: the CRC-32C of RFC 3720.
    Crc32c,
}

impl Array {
    /// An array without a name, in the first file.
    pub(crate) fn new(layout: DynLayout, offset: u64) -> Self {
        Self {
            name: None,
            file: 0,
            offset,
            origin: vec![0; layout.rank()],
            layout: Arc::new(layout),
            swap: None,
            encoded: None,
            is_placed: false,
            whole: None,
        }
    }

    /// The number of its bytes in the file.
    pub(crate) fn stored_bytes(&self) -> u64 {
        match &self.encoded {
            Some((bytes, _)) => *bytes,
            None => self.layout.bytes() as u64,
        }
    }

    /// The box of its tensor that it contains.
    pub(crate) fn area(&self) -> Area {
        area(&self.origin, self.layout.dims())
    }
}

/// A box of a tensor: a range of indices of each dimension.
pub(crate) type Area = Vec<Range<usize>>;

/// The box that begins at an index and has these sizes.
pub(crate) fn area(origin: &[usize], sizes: &[usize]) -> Area {
    each(origin, sizes, |at, size| at..at.saturating_add(size))
}

/// The index at which a box begins.
pub(crate) fn origin(area: &[Range<usize>]) -> Vec<usize> {
    area.iter().map(|range| range.start).collect()
}

/// A box of the tensor as a box of the part of the tensor that begins at `origin` and contains it.
pub(crate) fn inside(area: &[Range<usize>], origin: &[usize]) -> Area {
    let moved = |(range, start): (&Range<usize>, &usize)| range.start - start..range.end - start;
    area.iter().zip(origin).map(moved).collect()
}

/// The sizes of a box.
pub(crate) fn sizes(area: &[Range<usize>]) -> Vec<usize> {
    area.iter().map(ExactSizeIterator::len).collect()
}

/// A box as a text, `0..2, 4..8`.
pub(crate) fn ranges(area: &[Range<usize>]) -> String {
    joined(area.iter().map(|range| format!("{range:?}")), ", ")
}

/// The intersection of two boxes; `None` if it has no elements.
pub(crate) fn common(a: &[Range<usize>], b: &[Range<usize>]) -> Option<Area> {
    let common = (a.iter().zip(b)).map(|(a, b)| a.start.max(b.start)..a.end.min(b.end));
    let filled = common.map(|range| (!range.is_empty()).then_some(range));
    filled.collect()
}

/// All indices of a grid, the last dimension the fastest.
pub(crate) fn indices(counts: Vec<usize>) -> impl Iterator<Item = Vec<usize>> {
    (0..counts.iter().product()).map(move |mut number| {
        let mut index = vec![0; counts.len()];
        for (coordinate, count) in index.iter_mut().zip(&counts).rev() {
            *coordinate = number % count;
            number /= count;
        }
        index
    })
}

/// Applies a function of two numbers to each dimension.
pub(crate) fn each<T>(a: &[usize], b: &[usize], combine: impl Fn(usize, usize) -> T) -> Vec<T> {
    a.iter().zip(b).map(|(a, b)| combine(*a, *b)).collect()
}

/// Whether `origin` has the rank of the array, and the end of the array does not overflow.
pub(crate) fn fits(origin: &[usize], layout: &DynLayout) -> bool {
    origin.len() == layout.rank()
        && (origin.iter().zip(layout.dims())).all(|(at, size)| at.checked_add(*size).is_some())
}

/// A number that may be the size of a dimension, of any type of integers.
pub(crate) trait Size: Copy + TryInto<i64> {}
impl<T: Copy + TryInto<i64>> Size for T {}

/// The layout of a dense array; `None` if it is too large.
pub(crate) fn dense(
    element_type: ElementType,
    sizes: &[impl Size],
    order: NumpyOrder,
) -> Option<DynLayout> {
    let layout = Layout::new(order.minor_to_major(sizes.len()).ok()?);
    with_layout(element_type, sizes, layout)
}

/// The array in this layout; `None` if the layout is not valid for it.
pub(crate) fn with_layout(
    element_type: ElementType,
    sizes: &[impl Size],
    layout: Layout,
) -> Option<DynLayout> {
    let mut shape = shape(element_type, sizes)?;
    shape.layout = Some(layout);
    DynLayout::new(shape).ok()
}

/// An array without a layout; `None` if a size is too large.
pub(crate) fn shape(element_type: ElementType, sizes: &[impl Size]) -> Option<ArrayShape> {
    let sizes = sizes.iter().map(|size| (*size).try_into().ok());
    let sizes = sizes.collect::<Option<Vec<i64>>>()?;
    ArrayShape::new(element_type, &sizes).ok()
}

/// The bytes of a number in an element; a complex element has two numbers. `None` if a number has
/// no bytes that can change places.
pub(crate) fn number_bytes(element_type: ElementType) -> Option<usize> {
    let numbers = 1 + u32::from(primitive_util::is_complex_type(element_type));
    let bytes = element_type.bits()? / 8 / numbers;
    (bytes > 1).then_some(bytes as usize)
}

/// The same array in one of NumPy's orders and not packed; `None` if it is too large.
pub fn in_order(layout: &DynLayout, order: NumpyOrder) -> Option<DynLayout> {
    dense(layout.element_type(), layout.dims(), order)
}

/// Whether two layouts of one array put every element into the same bytes, and take as many bytes.
/// Equal memory maps have equal modes (law 6 of the library's DESIGN.md).
pub fn same_memory(a: &DynLayout, b: &DynLayout) -> bool {
    let are_empty = a.elements() == 0 && b.elements() == 0;
    let same_places = are_empty || (a.mode_table() == b.mode_table() && a.terms() == b.terms());
    same_places && a.bytes() == b.bytes() && a.element_bits() == b.element_bits()
}

/// The shape as XLA writes it.
pub fn text(layout: &DynLayout) -> String {
    layout.array_shape().to_string()
}

/// Checks that a file can have the layout: what it states is about memory that a file has, too.
///
/// # Errors
/// The part that a file cannot have.
pub fn addressable(layout: &DynLayout) -> Result<(), String> {
    let Some(stated) = &layout.array_shape().layout else {
        return Ok(());
    };
    let what = if stated.dynamic_shape_metadata_prefix_bytes > 0 {
        "the bytes before the data, `M(n)`, are not converted; leave it out"
    } else if !stated.split_configs.is_empty() {
        "an array that is split over memories, `SC(…)`, is no one file; leave it out"
    } else {
        return Ok(());
    };
    Err(what.to_owned())
}
