//! The map of any text, a layout's as well; its picture; and what is between two maps.

use serde_json::{Value, json};
use xlayout::ElementType;
use xlayout::algebra::{Budget, Map, Swizzle};
use xlayout::interop::Given;

use crate::error::Error;
use crate::maps::map_text::{MapText, coordinates, failure};
use crate::maps::swizzle_words;
use crate::picture::Picture;
use crate::read::read;
use crate::words::{counted, joined};

impl MapText {
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
