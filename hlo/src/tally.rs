//! The distinct arrays of modules, and how often each is there.

use std::fmt::Display;

use hashbrown::HashMap;

use xlayout::shape::{Dim, Shape};
use xlayout::xla::layout_util;
use xlayout::{ArrayLayout, ArrayShape, DynLayout, ParseError};

use super::wrong::Wrong;

/// More texts than this that are not as XLA prints them are read again each time.
const MOST_OTHER_TEXTS: usize = 1 << 16;

/// A distinct array: element type, sizes and layout.
#[derive(Clone, Debug, Default)]
pub struct Array {
    /// XLA's text, with the layout.
    pub shape: Box<str>,
    /// The number of its memory space.
    pub memory_space: i8,
    /// Of one array: the elements alone, in bytes rounded up.
    pub logical: u64,
    /// Of one array: with all padding.
    pub allocated: u64,
    /// How many results of instructions are such an array.
    pub count: u64,
    /// How many of them are in ENTRY computations.
    pub in_entry: u64,
    /// How many of these are memory of their own: no views of other arrays.
    pub owned: u64,
    /// How many of these are results of copies and transposes.
    pub moved: u64,
}

/// Bytes of several arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    /// How many arrays they are.
    pub count: u128,
    /// The elements alone.
    pub logical: u128,
    /// With all padding.
    pub allocated: u128,
}

impl Bytes {
    /// What is allocated, but for the elements.
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
        all.fold(Self::default(), |mut sum, one| {
            sum += one;
            sum
        })
    }
}

impl Array {
    /// All of them.
    pub fn total(&self) -> Bytes {
        self.times(self.count)
    }

    /// All of them in ENTRY computations.
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

    /// The layout in its braces.
    pub fn layout(&self) -> &str {
        layout(&self.shape)
    }

    /// The name of the element type.
    pub fn element_type(&self) -> &str {
        self.shape.find('[').map_or("", |at| &self.shape[..at])
    }
}

/// What a text of a shape without parentheses means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// The number of an array in the tally.
    Array(u32),
    /// An array without a layout, and the bytes of its elements.
    WithoutLayout(u64),
    /// An array with a layout and with a size that only the run time knows (`?`).
    WithoutSize,
    /// `token[]`, `opaque[]`.
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

/// How often each array was counted at some moment.
#[derive(Debug)]
pub struct Counts {
    /// For each array: in all, in ENTRY, owned, moved.
    arrays: Vec<[u64; 4]>,
    without_layout: Bytes,
    without_size: u64,
}

/// All distinct arrays, by their text.
#[derive(Debug, Default)]
pub struct Tally {
    /// Their numbers are those of their places.
    pub arrays: Vec<Array>,
    known: HashMap<Box<[u8]>, Leaf>,
    other_texts: usize,
    /// Arrays to which the text gives no layout.
    pub without_layout: Bytes,
    /// How many arrays have a size that only the run time knows.
    pub without_size: u64,
}

impl Tally {
    /// What a text means. It is read the first time only.
    ///
    /// # Errors
    /// When it is not a shape, or one that no memory holds.
    pub(crate) fn leaf(&mut self, text: &[u8]) -> Result<Leaf, Wrong> {
        if let Some(&leaf) = self.known.get(text) {
            return Ok(leaf);
        }
        let array = match Shape::read_xla(&String::from_utf8_lossy(text))? {
            Shape::Array(array) => array,
            _ => return Ok(Leaf::NoArray),
        };
        let leaf = self.read_array(array, text.ends_with(b"}"))?;
        // What XLA prints is known now.
        if !self.known.contains_key(text) && self.other_texts < MOST_OTHER_TEXTS {
            self.other_texts += 1;
            self.known.insert(text.into(), leaf);
        }
        Ok(leaf)
    }

    /// What an array means.
    ///
    /// # Errors
    /// When it breaks a rule of XLA's, or no memory holds it.
    pub(crate) fn array(&mut self, array: ArrayShape) -> Result<Leaf, Wrong> {
        array.validate_with_optional_layout()?;
        let has_layout = array.layout.is_some();
        self.read_array(array, has_layout)
    }

    fn read_array(&mut self, array: ArrayShape, has_layout: bool) -> Result<Leaf, Wrong> {
        if array.dims.contains(&Dim::Unbounded) {
            return Ok(match has_layout {
                true => Leaf::WithoutSize,
                false => Leaf::WithoutLayout(0),
            });
        }
        let array = DynLayout::new(array).map_err(no_memory)?;
        let logical = logical_bytes(&array);
        // A scalar has one layout, which XLA does not print: `f32[]{:}` is `f32[]`.
        match has_layout || array.rank() == 0 {
            true => self.numbered(&array, logical),
            false => Ok(Leaf::WithoutLayout(logical)),
        }
    }

    /// The number of an array. A new one gets a new number.
    ///
    /// # Errors
    /// For more distinct arrays than have numbers.
    fn numbered(&mut self, array: &DynLayout, logical: u64) -> Result<Leaf, Wrong> {
        let shape = array.array_shape().to_string();
        if let Some(&leaf) = self.known.get(shape.as_bytes()) {
            return Ok(leaf);
        }
        let number = u32::try_from(self.arrays.len())
            .map_err(|_| no_memory("there are more than 2^32 distinct arrays"))?;
        self.arrays.push(Array {
            shape: shape.as_str().into(),
            memory_space: layout_util::memory_space(array.array_shape()),
            logical,
            allocated: array.bytes() as u64,
            ..Array::default()
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

    /// Counts memory that ENTRY allocates. `moved` says that the operation only moves data.
    pub fn own(&mut self, leaf: Leaf, moved: bool) {
        if let Leaf::Array(number) = leaf {
            let array = &mut self.arrays[number as usize];
            array.owned += 1;
            array.moved += u64::from(moved);
        }
    }

    /// The counts so far, for [`restore`](Self::restore).
    pub fn counts(&self) -> Counts {
        let arrays = self.arrays.iter();
        let arrays = arrays.map(|one| [one.count, one.in_entry, one.owned, one.moved]);
        Counts {
            arrays: arrays.collect(),
            without_layout: self.without_layout,
            without_size: self.without_size,
        }
    }

    /// Takes back what was counted since then. New arrays stay, with counts of 0.
    pub fn restore(&mut self, counts: &Counts) {
        let before = counts.arrays.iter().copied();
        let before = before.chain(std::iter::repeat([0; 4]));
        for (array, before) in self.arrays.iter_mut().zip(before) {
            [array.count, array.in_entry, array.owned, array.moved] = before;
        }
        self.without_layout = counts.without_layout;
        self.without_size = counts.without_size;
    }

    /// Forgets all arrays but those that ENTRY allocates.
    pub fn keep_owned(&mut self) {
        for array in &mut self.arrays {
            array.count = array.owned;
            array.in_entry = array.owned;
        }
    }

    /// The arrays alone, for what is asked of a graph after the text was read.
    pub fn shapes(&self) -> Self {
        Self {
            arrays: self.arrays.clone(),
            ..Self::default()
        }
    }

    /// Whether the text gives a layout to no array that has several.
    pub fn layouts_missing(&self) -> bool {
        let mut counted = self.counted();
        self.without_layout.count > 0 && counted.all(|array| !array.shape.ends_with('}'))
    }

    /// The array, if it is one with a layout.
    pub fn of(&self, leaf: Leaf) -> Option<&Array> {
        Some(&self.arrays[leaf.array()? as usize])
    }

    /// The arrays that were counted.
    pub fn counted(&self) -> impl Iterator<Item = &Array> {
        self.arrays.iter().filter(|array| array.count > 0)
    }
}

/// A text that the tally printed, as a shape again.
pub fn reread(shape: &str) -> ArrayShape {
    match shape.parse() {
        Ok(shape) => shape,
        Err(_) => {
            unreachable!("law 2: `{shape}` was printed by the library, which reads what it prints")
        }
    }
}

/// The bytes that the elements alone take, in bits as they are stored, rounded up to whole bytes: no padding,
/// no metadata. `s4[3]` takes 3 bytes, packed as `s4[3]{0:E(4)}` 2.
pub fn logical_bytes(array: &impl ArrayLayout) -> u64 {
    let bits = array.elements() as u128 * array.element_bits() as u128;
    match u64::try_from(bits.div_ceil(8)) {
        Ok(bytes) => bytes,
        Err(_) => unreachable!("lowering checked that the bytes of all places fit in 63 bits"),
    }
}

/// `{1,0:T(8,128)}` of a shape.
#[must_use]
pub fn layout(shape: &str) -> &str {
    shape.find('{').map_or("{}", |at| &shape[at..])
}
