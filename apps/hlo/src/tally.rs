//! The distinct arrays of modules, and the number of each.

use std::fmt::Display;
use std::sync::Arc;

use hashbrown::HashMap;
use serde::{Serialize, Serializer};

use xlayout::shape::{Dim, Shape};
use xlayout::xla::layout_util;
use xlayout::{ArrayLayout, ArrayShape, DynLayout, Layout, ParseError};

use super::wrong::Wrong;
use xlayout_words::number;

/// The limit of cached texts that differ from what XLA prints; further ones are read again each
/// time.
const MOST_OTHER_TEXTS: usize = 1 << 16;

/// A distinct array: element type, sizes and layout.
#[derive(Clone, Debug, Serialize)]
pub struct Array {
    /// The shape as XLA prints it, with the layout.
    pub shape: Box<str>,
    /// The same shape, read.
    #[serde(skip)]
    pub array: Arc<ArrayShape>,
    /// The number of its memory space.
    #[serde(skip)]
    pub memory_space: i8,
    /// The number of results of instructions that are such an array.
    pub count: u64,
    /// The part of `count` in ENTRY computations.
    #[serde(rename = "count_in_entry")]
    pub in_entry: u64,
    /// The part of `in_entry` that copies and transposes give.
    #[serde(skip)]
    pub moved: u64,
    /// Bytes of the elements of one array, rounded up.
    #[serde(rename = "logical_bytes")]
    pub logical: u64,
    /// Bytes of one array, with all padding.
    #[serde(rename = "allocated_bytes")]
    pub allocated: u64,
}

/// Bytes of several arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Bytes {
    /// The number of arrays.
    #[serde(serialize_with = "number")]
    pub count: u128,
    /// Bytes of the elements alone.
    #[serde(rename = "logical_bytes", serialize_with = "number")]
    pub logical: u128,
    /// Bytes with all padding.
    #[serde(rename = "allocated_bytes", serialize_with = "number")]
    pub allocated: u128,
}

impl Bytes {
    /// The allocated bytes that hold no elements.
    pub fn padding(self) -> u128 {
        self.allocated.saturating_sub(self.logical)
    }
}

impl std::ops::AddAssign for Bytes {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.logical += other.logical;
        self.allocated += other.allocated;
    }
}

impl std::iter::Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, bytes| {
            sum += bytes;
            sum
        })
    }
}

impl Array {
    /// The bytes of all these arrays.
    pub fn total(&self) -> Bytes {
        self.times(self.count)
    }

    /// The bytes of those in ENTRY computations.
    pub fn total_in_entry(&self) -> Bytes {
        self.times(self.in_entry)
    }

    pub(crate) fn times(&self, count: u64) -> Bytes {
        Bytes {
            count: count.into(),
            logical: u128::from(self.logical) * u128::from(count),
            allocated: u128::from(self.allocated) * u128::from(count),
        }
    }

    pub(crate) fn is_tiled(&self) -> bool {
        let layout = self.array.layout.as_ref();
        layout.is_some_and(|layout| !layout.tiles.is_empty())
    }
}

/// The meaning of the text of a shape without parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// An array with this number in the tally.
    Array(u32),
    /// An array without a layout, with the bytes of its elements.
    WithoutLayout(u64),
    /// An array with a layout and a size that is known only at run time (`?`).
    WithoutSize,
    /// A shape without memory: `token[]`, `opaque[]`.
    NoArray,
}

impl Leaf {
    /// The number of an array in the tally.
    pub fn array(self) -> Option<u32> {
        match self {
            Self::Array(number) => Some(number),
            _ => None,
        }
    }
}

impl From<ParseError> for Wrong {
    fn from(error: ParseError) -> Self {
        Self {
            message: error.message().to_string(),
            help: error.help().to_string().into(),
            span: error.span(),
        }
    }
}

fn no_memory(why: impl Display) -> Wrong {
    Wrong::new(format!("no memory for this array: {why}"), "")
}

/// A snapshot of the counts of each array.
#[derive(Debug)]
pub struct Counts {
    /// For each array: `count`, `in_entry`, `moved`.
    arrays: Vec<[u64; 3]>,
    without_layout: Bytes,
    without_size: u64,
}

/// All distinct arrays, by their text.
#[derive(Debug, Default)]
pub struct Tally {
    /// The arrays; an index here is the number of an array.
    pub arrays: Vec<Array>,
    known: HashMap<Box<[u8]>, Leaf>,
    other_texts: usize,
    /// The arrays to which the text gives no layout.
    pub without_layout: Bytes,
    /// The number of arrays whose size is known only at run time.
    pub without_size: u64,
}

impl Tally {
    /// Returns the meaning of a text; each text is parsed once.
    ///
    /// # Errors
    /// If it is not a shape, or is one that no memory can hold.
    pub(crate) fn leaf(&mut self, text: &[u8]) -> Result<Leaf, Wrong> {
        if let Some(&leaf) = self.known.get(text) {
            return Ok(leaf);
        }
        let array = match Shape::read_xla(&String::from_utf8_lossy(text))? {
            Shape::Array(array) => array,
            _ => return Ok(Leaf::NoArray),
        };
        let leaf = self.read_array(array, text.ends_with(b"}"))?;
        // The form that XLA prints is known by now.
        if !self.known.contains_key(text) && self.other_texts < MOST_OTHER_TEXTS {
            self.other_texts += 1;
            self.known.insert(text.into(), leaf);
        }
        Ok(leaf)
    }

    /// Returns the meaning of an array.
    ///
    /// # Errors
    /// If it breaks a rule of XLA's, or no memory can hold it.
    pub(crate) fn array(&mut self, array: ArrayShape) -> Result<Leaf, Wrong> {
        array.validate_with_optional_layout()?;
        let has_layout = array.layout.is_some();
        self.read_array(array, has_layout)
    }

    fn read_array(&mut self, array: ArrayShape, has_layout: bool) -> Result<Leaf, Wrong> {
        if array.dims.contains(&Dim::Unbounded) {
            return Ok(if has_layout {
                Leaf::WithoutSize
            } else {
                Leaf::WithoutLayout(0)
            });
        }
        let array = DynLayout::new(array).map_err(no_memory)?;
        let logical = logical_bytes(&array);
        // A scalar has a single layout, which XLA does not print: `f32[]{:}` is `f32[]`.
        if has_layout || array.rank() == 0 {
            self.numbered(&array, logical)
        } else {
            Ok(Leaf::WithoutLayout(logical))
        }
    }

    /// Returns the number of an array, and adds a new array.
    ///
    /// # Errors
    /// If there are more distinct arrays than numbers.
    fn numbered(&mut self, array: &DynLayout, logical: u64) -> Result<Leaf, Wrong> {
        let shape = array.array_shape().to_string();
        if let Some(&leaf) = self.known.get(shape.as_bytes()) {
            return Ok(leaf);
        }
        let number = u32::try_from(self.arrays.len())
            .map_err(|_| no_memory("there are more than 2^32 distinct arrays"))?;
        self.arrays.push(Array {
            shape: shape.as_str().into(),
            array: Arc::new(array.array_shape().clone()),
            memory_space: layout_util::memory_space(array.array_shape()),
            logical,
            allocated: array.bytes() as u64,
            count: 0,
            in_entry: 0,
            moved: 0,
        });
        let leaf = Leaf::Array(number);
        self.known.insert(shape.as_bytes().into(), leaf);
        Ok(leaf)
    }

    /// Counts a result of an instruction.
    pub fn count(&mut self, leaf: Leaf, in_entry: bool) {
        match leaf {
            Leaf::Array(number) => {
                let array = &mut self.arrays[number as usize];
                array.count += 1;
                array.in_entry += u64::from(in_entry);
            }
            Leaf::WithoutLayout(logical) => {
                self.without_layout += Bytes {
                    count: 1,
                    logical: logical.into(),
                    allocated: 0,
                }
            }
            Leaf::WithoutSize => self.without_size += 1,
            Leaf::NoArray => {}
        }
    }

    /// Counts an array, which was counted already, as one of ENTRY.
    pub(crate) fn enter(&mut self, leaf: Leaf) {
        if let Leaf::Array(number) = leaf {
            self.arrays[number as usize].in_entry += 1;
        }
    }

    /// Counts an array of ENTRY that a copy or a transpose gives.
    pub(crate) fn count_move(&mut self, leaf: Leaf) {
        if let Leaf::Array(number) = leaf {
            self.arrays[number as usize].moved += 1;
        }
    }

    /// Returns the counts so far, for [`restore`](Self::restore).
    pub fn counts(&self) -> Counts {
        let arrays = self
            .arrays
            .iter()
            .map(|array| [array.count, array.in_entry, array.moved]);
        Counts {
            arrays: arrays.collect(),
            without_layout: self.without_layout,
            without_size: self.without_size,
        }
    }

    /// Restores earlier counts. Arrays that were added later stay, with counts of 0.
    pub fn restore(&mut self, counts: &Counts) {
        let before = counts
            .arrays
            .iter()
            .copied()
            .chain(std::iter::repeat([0; 3]));
        for (array, before) in self.arrays.iter_mut().zip(before) {
            [array.count, array.in_entry, array.moved] = before;
        }
        self.without_layout = counts.without_layout;
        self.without_size = counts.without_size;
    }

    /// Counts what ENTRY computations [allocate](crate::memory::allocated) in place of the results
    /// of instructions.
    pub fn keep(&mut self, allocated: impl IntoIterator<Item = (u32, u64)>) {
        for array in &mut self.arrays {
            array.count = 0;
            array.in_entry = 0;
        }
        for (number, count) in allocated {
            let array = &mut self.arrays[number as usize];
            array.count += count;
            array.in_entry += count;
        }
    }

    /// Returns the arrays without their texts, for questions about a graph after the text was read.
    pub fn shapes(&self) -> Self {
        Self {
            arrays: self.arrays.clone(),
            ..Self::default()
        }
    }

    /// Whether the text gives no layout to any array that could have several.
    pub fn layouts_missing(&self) -> bool {
        let mut counted = self.counted();
        self.without_layout.count > 0
            && counted.all(|array| layout(&array.array) == Layout::default())
    }

    /// The array, if it has a layout.
    pub fn of(&self, leaf: Leaf) -> Option<&Array> {
        Some(&self.arrays[leaf.array()? as usize])
    }

    /// The arrays that were counted.
    pub fn counted(&self) -> impl Iterator<Item = &Array> {
        self.arrays.iter().filter(|array| array.count > 0)
    }
}

/// The bytes of the elements alone, as they are stored, rounded up to whole bytes, without padding
/// and metadata. `s4[3]` takes 3 bytes, packed as `s4[3]{0:E(4)}` 2.
pub fn logical_bytes(array: &impl ArrayLayout) -> u64 {
    let bits = array.elements() as u128 * array.element_bits() as u128;
    u64::try_from(bits.div_ceil(8)).unwrap_or_else(|_| {
        unreachable!("lowering checked that the bytes of all places fit in 63 bits")
    })
}

/// The layout of an array; `{}` if it has none.
#[must_use]
pub fn layout(shape: &ArrayShape) -> Layout {
    shape.layout.clone().unwrap_or_default()
}

/// Serializes a shape or a layout as XLA prints it.
pub(crate) fn text<S: Serializer>(shape: &impl Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(shape)
}

/// Serializes the layout of an array as XLA prints it.
pub(crate) fn layout_text<S: Serializer>(shape: &ArrayShape, to: S) -> Result<S::Ok, S::Error> {
    text(&layout(shape), to)
}

/// As [`text`]; the text is empty if there is no shape.
pub(crate) fn text_if_any<S: Serializer>(
    shape: &Option<impl Display>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match shape {
        Some(shape) => text(shape, to),
        None => to.serialize_str(""),
    }
}
