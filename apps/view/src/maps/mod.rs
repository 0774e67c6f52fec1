//! Texts that say by a map where elements lie: swizzles, paddings of rows, bits. No layout of XLA's
//! says this.
//!
//! ```text
//! map = swizzle of (base of the index + offset)
//! ```

mod cute;
mod explain;
mod names;
#[cfg(test)]
mod tests;
mod triton;

use serde_json::{Value, json};
use xlayout::algebra::{Budget, Map, MapError, Swizzle, map_of};
use xlayout::interop::CuteLayout;
use xlayout::{ArrayLayout, DynLayout, ElementType};

pub(crate) use cute::layout_of;
pub use explain::swizzle_words;
pub(crate) use names::resolved;

use crate::error::{Error, Outcome, TextSpan};
use crate::picture::Picture;
use crate::read::read;
use crate::words::{counted, grouped, joined};
use xlayout::interop::Given;

/// A map that a text describes: where each element of an array lies, or, of Triton's linear
/// layouts, which element a register of a lane has.
///
/// ```
/// use xlayout_view::{Given, MapText};
/// let text = "Sw<3,3,3> o 0 o (8,64):(64,1)";
/// let map = MapText::read("SHAPE", text, &Given::default()).unwrap()?;
/// assert_eq!(map.map().at(&[1, 0]), Some(64 + 8));
/// # Ok::<(), xlayout_view::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct MapText {
    /// Whose notation it is.
    notation: &'static str,
    element_type: Option<ElementType>,
    /// The bits of an element, if the text says no more.
    bits: Option<u64>,
    /// The layout before the swizzle, where it is CuTe's.
    cute: Option<CuteLayout>,
    /// What CuTe adds to the offsets before the swizzle.
    offset: i64,
    /// The map before the swizzle.
    base: Map,
    swizzles: Vec<Swizzle>,
    map: Map,
    /// Whether the offsets are those of memory; otherwise they are indices of the tensor.
    is_memory: bool,
    notes: Vec<String>,
}

impl MapText {
    /// Reads the text of a map; `None` if the text is none. `origin` is the argument that has it.
    ///
    /// # Errors
    /// What is not understood, and sizes that are neither in the text nor given.
    pub fn read(origin: &str, text: &str, given: &Given<'_>) -> Option<Result<Self, Error>> {
        let resolved = resolved(text);
        triton::read(origin, &resolved, given).or_else(|| cute::read(origin, &resolved, given))
    }

    /// Reads any text: a map, or a layout, whose map it is.
    ///
    /// # Errors
    /// As [`read`](Self::read) and [`crate::read`].
    pub fn of_any(origin: &str, text: &str, given: &Given<'_>) -> Result<Self, Error> {
        match Self::read(origin, text, given) {
            Some(map) => map,
            None => Self::of_layout(&read(origin, text, given)?)
                .map_err(|error| failure(error, origin, text)),
        }
    }

    /// Reads two texts, of which one may leave out the sizes and the type that both have.
    ///
    /// # Errors
    /// As [`of_any`](Self::of_any), of the first one that cannot be read.
    pub fn of_both(
        (name_a, a): (&str, &str),
        (name_b, b): (&str, &str),
        given: &Given<'_>,
    ) -> Result<(Self, Self), Error> {
        match (
            Self::of_any(name_a, a, given),
            Self::of_any(name_b, b, given),
        ) {
            (Ok(a), Ok(b)) => Ok((a, b)),
            (Ok(a), Err(error)) => {
                let beside = a.beside(name_b, b, given);
                beside.map(|b| (a, b)).map_err(|_| error)
            }
            (Err(error), Ok(b)) => {
                let beside = b.beside(name_a, a, given);
                beside.map(|a| (a, b)).map_err(|_| error)
            }
            (Err(error), Err(_)) => Err(error),
        }
    }

    /// Another text with the sizes and the type of this one.
    fn beside(&self, origin: &str, text: &str, given: &Given<'_>) -> Result<Self, Error> {
        let own: Vec<i64> = self.map.extents().iter().map(|&size| size as i64).collect();
        // Where only the bits are known, the type of that width says the same of a map.
        let of_bits = self.bits.and_then(|bits| {
            let mut all = ElementType::all();
            all.find(|own| own.bits().map(u64::from) == Some(bits))
        });
        let given = Given {
            sizes: given.sizes.or(Some(&own)),
            element_type: given.element_type.or(self.element_type).or(of_bits),
            axes: given.axes,
        };
        Self::of_any(origin, text, &given)
    }

    /// The map of a layout.
    ///
    /// # Errors
    /// Too many dimensions or terms.
    pub fn of_layout(layout: &DynLayout) -> Result<Self, MapError> {
        let element_type = Some(layout.element_type());
        Ok(Self {
            element_type,
            ..Self::new("XLA", map_of(layout)?)
        })
    }

    fn new(notation: &'static str, base: Map) -> Self {
        Self {
            notation,
            element_type: None,
            bits: None,
            cute: None,
            offset: 0,
            base,
            swizzles: Vec::new(),
            map: base,
            is_memory: true,
            notes: Vec::new(),
        }
    }

    /// The map with one more swizzle.
    fn swizzled(mut self, swizzle: Swizzle) -> Result<Self, MapError> {
        self.map = self.map.swizzle(swizzle)?;
        self.swizzles.push(swizzle);
        Ok(self)
    }

    /// From the index to the offset in elements.
    #[must_use]
    pub const fn map(&self) -> &Map {
        &self.map
    }

    /// The map before the swizzle, and the swizzle, where there is one.
    #[must_use]
    pub fn parts(&self) -> (&Map, Option<Swizzle>) {
        match self.swizzles.as_slice() {
            [swizzle] => (&self.base, Some(*swizzle)),
            _ => (&self.map, None),
        }
    }

    /// The layout of CuTe's before the swizzle, and what is added to its offsets, if it is a text
    /// of CuTe's.
    #[must_use]
    pub fn cute(&self) -> Option<(&CuteLayout, i64)> {
        let cute = self.cute.as_ref().filter(|_| self.notation == "CuTe");
        cute.map(|cute| (cute, self.offset))
    }

    /// The bytes of an element, where they are known.
    #[must_use]
    pub fn element_bytes(&self) -> Option<u64> {
        let of_type = self.element_type.and_then(ElementType::bits).map(u64::from);
        let bits = of_type.or(self.bits)?;
        bits.is_multiple_of(8).then_some(bits / 8)
    }

    /// A picture of the map: the colours show the offsets.
    ///
    /// # Errors
    /// More indices than this machine counts.
    pub fn picture(&self) -> Result<Picture, Error> {
        let notes = self.notes.clone();
        Picture::of_maps("xlayout draw", notes, &[("map", self.map)], None).map_err(Error::new)
    }

    /// What is between two maps.
    ///
    /// # Errors
    /// A comparison that takes too long, and numbers above 62 bits.
    pub fn compare(&self, other: &Self) -> Result<Compared, Error> {
        let [a, b] = [&self.map, &other.map];
        let mut lines = vec![
            format!("A  {}\n   {a}", self.title()),
            format!("B  {}\n   {b}", other.title()),
        ];
        let mut swizzle = None;
        let has_sizes = a.extents() == b.extents();
        let types = self.element_type.zip(other.element_type);
        if a.size() != b.size() || types.is_some_and(|(a, b)| a != b) {
            lines.push("different arrays: their sizes or their types differ".to_owned());
        } else {
            if !has_sizes {
                let how = "the sizes differ: elements are compared by their row-major index";
                lines.push(how.to_owned());
            }
            let from = a.flatten().map_err(Error::new)?;
            let to = b.flatten().map_err(Error::new)?;
            let first = from
                .first_difference(&to, Budget::DEFAULT)
                .map_err(Error::new)?;
            let Some(first) = first else {
                let all = counted(a.size(), "element");
                lines.push(format!("equal: {all}, each in the same place"));
                let words = lines.join("\n");
                return Ok(Compared {
                    words,
                    is_equal: has_sizes,
                    swizzle,
                });
            };
            let offset = |map: &Map| map.at_index(first).unwrap_or_default();
            let index = joined(coordinates(first, a.extents()), ",");
            let [in_a, in_b] = [&from, &to].map(offset);
            lines.push(format!(
                "different: [{index}] lies at {in_a} in A and at {in_b} in B"
            ));
            swizzle = Swizzle::between(&from, &to, Budget::DEFAULT).map_err(Error::new)?;
            lines.push(match swizzle.map(|swizzle| (swizzle, swizzle.numbers())) {
                Some((swizzle, (bits, base, shift))) => format!(
                    "Swizzle<{bits},{base},{shift}> of the offset turns A into B: {}",
                    swizzle_words(swizzle)
                ),
                None => "no swizzle of the offset turns A into B".to_owned(),
            });
        }
        Ok(Compared {
            words: lines.join("\n"),
            is_equal: false,
            swizzle,
        })
    }

    /// The array, as a line.
    fn title(&self) -> String {
        let sizes = joined(self.map.extents(), ",");
        let array = match (self.element_type, self.bits) {
            (Some(element_type), _) => format!("{element_type}[{sizes}]"),
            (None, Some(bits)) => format!("[{sizes}] of {bits} bits each"),
            (None, None) => format!("[{sizes}]"),
        };
        let swizzled = if self.swizzles.is_empty() {
            ""
        } else {
            ", swizzled"
        };
        array + swizzled
    }
}

/// What is between two maps, A and B.
#[derive(Clone, Debug)]
pub struct Compared {
    /// Both maps, and the first element that lies elsewhere.
    pub words: String,
    /// Whether they have the same sizes, and each element lies in the same place.
    pub is_equal: bool,
    /// The swizzle of offsets that turns A into B, if they differ and there is one.
    pub swizzle: Option<Swizzle>,
}

impl Compared {
    /// The same as an object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let swizzle = self.swizzle.map(|swizzle| swizzle.numbers());
        json!({"equal": self.is_equal, "swizzle": swizzle, "words": self.words})
    }
}

/// The coordinates with a row-major index.
fn coordinates(mut index: u64, sizes: &[u64]) -> Vec<u64> {
    let mut coordinates = vec![0; sizes.len()];
    for (coordinate, &size) in coordinates.iter_mut().zip(sizes).rev() {
        *coordinate = index % size.max(1);
        index /= size.max(1);
    }
    coordinates
}

fn failure(error: MapError, origin: &str, text: &str) -> Error {
    let at = TextSpan::of_whole(origin, text);
    Error::new(error.message()).at(at).help(error.help())
}

/// The places that questions of `--at` are about.
fn asked(map: &MapText, at: &[&str]) -> Outcome<Vec<(Vec<u64>, i64)>> {
    let place = |text: &&str| {
        let index = text.split(',').map(|number| number.trim().parse().ok());
        let index: Option<Vec<u64>> = index.collect();
        let offset = index.as_deref().and_then(|index| map.map.at(index));
        index.zip(offset).ok_or_else(|| {
            let sizes = joined(map.map.extents().iter().map(|&size| grouped(size)), " × ");
            Error::new(format_args!("`{text}` is no index of {sizes} elements"))
                .at(TextSpan::of_whole("--at", text))
                .help("write a number below each size: 1,0")
        })
    };
    at.iter().map(place).collect()
}
