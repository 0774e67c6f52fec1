//! What a layout means, in words and numbers.

mod json;
mod notations;
mod position;
mod sentences;
mod sharding;
mod text;
mod tuple;
mod two_readings;

use std::fmt;

use serde_json::{Value, json};
use xlayout::interop::{Given, Notation};
use xlayout::shape::{Shape, ShapeIndex};
use xlayout::{ArrayLayout, DynLayout};

use crate::error::{Error, TextSpan};
use crate::json::with;
use crate::memory::byte_strides;
use crate::read::{Leaf, leaves, read_any};
use crate::section::Section;
use crate::table::{DIM, Text, WIDTH};
use crate::words::exact_bytes;
use position::Position;

pub use position::Question;

/// What a layout means: the sequence of elements, tiles, padding and what causes it, strides, other
/// notations; or where elements lie, if that is asked.
///
/// ```
/// use xlayout::DynLayout;
/// use xlayout_view::{Explanation, Question};
///
/// let layout: DynLayout = "bf16[100,3]{1,0:T(8,128)(2,1)}".parse()?;
/// let explanation = Explanation::of(&layout);
/// assert!(explanation.to_string().contains("97.7% is padding"));
/// assert_eq!(explanation.to_json()["padding_bytes"], 26_024);
///
/// let there = explanation.asked([Question::At("99,2")])?;
/// assert_eq!(there.to_json()["byte_offset"], 25_098);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explanation {
    shape: Shape,
    /// Its members that are not tuples; an array is the only one, at the empty index.
    leaves: Vec<Leaf>,
    /// What was read; `None` for a layout that was not a text.
    source: Option<Source>,
    /// The places that are asked for; without it the layout itself is explained.
    positions: Option<Vec<Position>>,
}

/// How a text was read.
#[derive(Clone, Debug)]
struct Source {
    text: String,
    /// `None` for XLA's.
    notation: Option<&'static Notation>,
    /// What else the text may mean.
    other_reading: Option<String>,
    /// What the sharding behind the shape says.
    sharding: Option<String>,
    /// What the text says and the layout does not.
    notes: Vec<String>,
}

impl Explanation {
    /// Explains a layout.
    #[must_use]
    pub fn of(layout: &DynLayout) -> Self {
        Self {
            shape: Shape::Array(layout.array_shape().clone()),
            leaves: vec![(ShapeIndex::default(), Some(layout.clone()))],
            source: None,
            positions: None,
        }
    }

    /// Explains what a text describes: an array, a tuple, a buffer, in any notation that is known.
    /// Errors call it `SHAPE`.
    ///
    /// # Errors
    /// All mistakes of the text, each with its place; for a tuple, the first one.
    pub fn read(text: &str, given: &Given<'_>) -> Result<Self, Error> {
        let (shape, read) = read_any("SHAPE", text, given)?;
        let leaves = leaves(&shape, text)?;
        let notation = read.notation;
        let mut notes = read.notes;
        notes.extend(notation.and_then(|_| view(&leaves)));
        let source = Source {
            text: text.to_owned(),
            notation,
            other_reading: notation.and_then(|notation| two_readings::note(notation, text, given)),
            sharding: notation.map_or_else(|| sharding::note(text, &leaves), |_| None),
            notes,
        };
        Ok(Self {
            shape,
            leaves,
            source: Some(source),
            positions: None,
        })
    }

    /// Explains these places instead, in the sequence of the questions. JSON has them beside the
    /// array.
    ///
    /// # Errors
    /// All mistakes in the questions, each with its place, and a shape that is not one array.
    /// Errors call the questions `--at`, `--offset` and `--byte-offset`.
    pub fn asked<'a>(
        self,
        questions: impl IntoIterator<Item = Question<'a>>,
    ) -> Result<Self, Error> {
        let array = self.array().ok_or_else(|| self.none_or_several())?;
        let positions = position::asked(array, questions)?;
        Ok(Self {
            positions: Some(positions),
            ..self
        })
    }

    /// The text, in at most `width` columns.
    #[must_use]
    pub fn to_text(&self, width: usize) -> Text {
        Text::of(width, |out| {
            if let Some(source) = &self.source {
                source.write(out);
            }
            match (self.array(), &self.positions) {
                (Some(array), Some(positions)) => {
                    text::title(out, array);
                    for position in positions {
                        text::position(array, position).write(out);
                    }
                }
                (Some(array), None) => text::array(out, array),
                (None, _) => tuple::explain(out, &self.shape, &self.leaves),
            }
        })
    }

    /// The notation that was read; `None` for XLA's.
    #[must_use]
    pub fn notation(&self) -> Option<&'static Notation> {
        self.source.as_ref()?.notation
    }

    /// What the text says beside the layout.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let Some(source) = &self.source else {
            return Vec::new();
        };
        let mut all = source.notes.clone();
        all.extend(source.other_reading.clone());
        all.extend(source.sharding.clone());
        all
    }

    /// The answer in parts: of each array of a tuple with its index, or of one array. Each part is
    /// what [`to_text`](Self::to_text) writes.
    ///
    /// ```
    /// use xlayout_view::{Explanation, Given};
    /// let explanation = Explanation::read("f32[2,3]{0,1}", &Given::default())?;
    /// let (array, sections) = &explanation.sections()[0];
    /// assert_eq!(array, "f32[2,3]{0,1}");
    /// assert_eq!(sections[1].to_json()["heading"], "Memory");
    /// # Ok::<(), xlayout_view::Error>(())
    /// ```
    #[must_use]
    pub fn sections(&self) -> Vec<(String, Vec<Section>)> {
        match (self.array(), &self.positions) {
            (Some(array), Some(positions)) => {
                let parts = positions.iter();
                let parts = parts.map(|position| text::position(array, position));
                vec![(array.to_string(), parts.collect())]
            }
            (Some(array), None) => vec![(array.to_string(), text::sections(array))],
            (None, _) => tuple::sections(&self.shape, &self.leaves),
        }
    }

    /// All of it as an object; `xlayout explain --help` lists the keys.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let value = match self.array() {
            Some(array) => json::array(array, self.positions.as_deref().unwrap_or_default()),
            None => tuple::json(&self.shape, &self.leaves),
        };
        let Some(source) = &self.source else {
            return value;
        };
        let key = self.notation().map_or("xla", |notation| notation.key);
        with(value, json!({"notation": key, "notes": source.notes}))
    }

    /// The array, if it is one, and no tuple.
    fn array(&self) -> Option<&DynLayout> {
        match self.leaves.as_slice() {
            [(path, array)] if path.is_empty() => array.as_ref(),
            _ => None,
        }
    }

    fn none_or_several(&self) -> Error {
        let source = self.source.as_ref();
        let text = source.map_or_else(|| self.shape.to_string(), |source| source.text.clone());
        Error::new("an index belongs to one array, and this is none or several")
            .at(TextSpan::of_whole("SHAPE", text))
            .help("explain the array alone")
    }
}

/// As [`to_text`](Explanation::to_text) in 80 columns, without styles.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_text(WIDTH).fmt(f)
    }
}

impl Source {
    fn write(&self, out: &mut Text) {
        if let Some(notation) = self.notation {
            let what = match notation.key {
                "named" => "the name of a layout".to_owned(),
                _ => format!("the notation of {}", notation.name),
            };
            writeln!(out, "{DIM}read as {what}{DIM:#}");
        }
        self.notes.iter().for_each(|note| out.paragraph(note));
        if let Some(note) = &self.other_reading {
            out.paragraph(note);
        }
        if let Some(note) = &self.sharding {
            out.paragraph(note);
            out.blank();
        }
    }
}

/// A note on strides with gaps: their array ends with its last element, and a layout with its last
/// row.
fn view(leaves: &[Leaf]) -> Option<String> {
    let [(_, Some(array))] = leaves else {
        return None;
    };
    let layout = array.array_shape().layout.as_ref()?;
    let bytes = byte_strides(array).filter(|_| !layout.padded_dimensions.is_empty())?;
    let last = array.dims().iter().zip(bytes);
    let last: u128 = last
        .map(|(&size, stride)| (size as u128).saturating_sub(1) * stride)
        .sum();
    let end = last + array.element_bits() as u128 / 8;
    Some(format!(
        "Such strides are of a view: from its first to its last element it spans {}. The layout \
         below counts its last row as a whole, too.",
        exact_bytes(end)
    ))
}
