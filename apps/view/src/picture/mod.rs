//! Pictures of arrays: what is drawn, apart from how.
//!
//! | module | what |
//! |---|---|
//! | [`window`], [`slices`], [`limits`] | which rows, columns and slices are shown |
//! | [`panel`], [`subject`], [`captions`], [`maps`] | one array or map: its grids, memory, words |
//! | [`colour`], [`scale`] | a colour, and which place has it |
//! | [`text`], [`svg`], [`html`] | panels as text, as a picture, as a page |
//!
//! The work grows with what is shown, never with the array.

mod captions;
pub(crate) mod colour;
pub(crate) mod html;
mod limits;
mod maps;
pub(crate) mod panel;
pub(crate) mod scale;
mod slices;
pub(crate) mod subject;
mod svg;
mod text;
mod window;
pub(crate) mod xml;

use std::fmt;

use anstyle::Style;
use xlayout::DynLayout;
use xlayout::algebra::{Map, MapError};
use xlayout::interop::Given;
use xlayout::xla::shape_util;

use crate::error::{Error, Outcome, TextSpan};
use crate::read::{leaves, read_any};
use crate::table::{DIM, Text};
use crate::words::wrapped;
use panel::{Colours, Panel};
use scale::scale;
use subject::Subject;
use text::Paint;

pub use colour::{Rgb, Shade};
pub use limits::PictureOptions;

/// A picture of arrays: a cell for each place, in the colour of its position in memory, the lines
/// of tiles, and memory in sequence.
///
/// ```
/// use xlayout::DynLayout;
/// use xlayout_view::{Picture, PictureOptions};
///
/// let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
/// let picture = Picture::of(&layout, &PictureOptions::default())?;
/// assert!(picture.to_string().contains("│ 0  2  4 │"));
/// assert!(picture.to_svg().starts_with("<svg"));
/// assert!(picture.to_html().starts_with("<!doctype html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    /// For screen readers.
    title: String,
    /// What stands above the panels in SVG, and below them in text.
    lead: Vec<String>,
    panels: Vec<Panel>,
    /// Whether to draw the line through the cells in the sequence of memory, if it is possible.
    path: bool,
    arrangement: Arrangement,
}

/// The places of panels in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// One below the other.
    Below,
    /// Side by side if the width is enough, otherwise one below the other; without the lead.
    Beside,
    /// The first one alone: the others are equal to it; without the lead.
    First,
}

/// The width of a text where none is asked for.
const WIDTH: usize = 100;

/// The most arrays of a tuple.
const LEAVES: usize = 64;

impl Picture {
    /// Draws an array.
    ///
    /// # Errors
    /// Options that the array does not have or that are too large to draw; errors call them
    /// `--slice`, `--dims`, `--rows`.
    pub fn of(layout: &DynLayout, options: &PictureOptions<'_>) -> Result<Self, Error> {
        let arrays = vec![(String::new(), layout.clone())];
        Self::of_arrays(layout.to_string(), Vec::new(), arrays, options)
    }

    /// Draws what a text describes: an array, or each array of a tuple, in any notation that is
    /// known. Errors call it `SHAPE`.
    ///
    /// # Errors
    /// All mistakes of the text, as [`Explanation::read`](crate::Explanation::read); no array, or
    /// more than 64; those of [`of`](Self::of).
    pub fn read(
        text: &str,
        given: &Given<'_>,
        options: &PictureOptions<'_>,
    ) -> Result<Self, Error> {
        let (arrays, others) = arrays(text, given)?;
        Self::of_arrays(text.trim().to_owned(), others, arrays, options)
    }

    fn of_arrays(
        title: String,
        lead: Vec<String>,
        arrays: Vec<(String, DynLayout)>,
        options: &PictureOptions<'_>,
    ) -> Outcome<Self> {
        let mut subjects = Vec::new();
        for (name, layout) in arrays {
            let slices = options.slices_of(&layout)?;
            subjects.push((name, Subject::new(layout), slices));
        }
        let mut panels = Vec::new();
        for (name, subject, slices) in &subjects {
            let limits = options.limits(subject, slices);
            options.check(subject, slices, limits, subjects.len())?;
            panels.push(subject.panel(name, slices, limits, &Colours::Own));
        }
        scale(&mut panels, false);
        Ok(Self {
            title,
            lead,
            panels,
            path: options.path,
            arrangement: Arrangement::Below,
        })
    }

    /// Draws maps, each with its name: a cell for each index, with the offset in it. The colour
    /// shows the offset, or its `bank`.
    ///
    /// # Errors
    /// A map of more indices than this machine can count.
    pub fn of_maps(
        title: &str,
        lead: Vec<String>,
        maps: &[(&str, Map)],
        bank: Option<&dyn Fn(usize) -> usize>,
    ) -> Result<Self, MapError> {
        Ok(Self {
            title: title.to_owned(),
            lead,
            panels: maps::panels(maps, bank)?,
            path: false,
            arrangement: Arrangement::Below,
        })
    }

    /// Two panels that are compared.
    pub(crate) fn of_both(
        title: String,
        lead: String,
        panels: [Panel; 2],
        path: bool,
        arrangement: Arrangement,
    ) -> Self {
        Self {
            title,
            lead: vec![lead],
            panels: panels.into(),
            path,
            arrangement,
        }
    }

    /// The text in `width` columns, if its grids allow this: those of options with this `width` do.
    /// A function may give cells a style by their shade.
    #[must_use]
    pub fn to_text(&self, width: usize, paint: Option<&dyn Fn(Shade) -> Style>) -> Text {
        Text::of(width, |out| match self.arrangement {
            Arrangement::Below => {
                self.below(out, paint);
                self.others(out);
            }
            Arrangement::Beside | Arrangement::First => self.beside(out, paint),
        })
    }

    fn below(&self, out: &mut Text, paint: Paint<'_>) {
        for (k, panel) in self.panels.iter().enumerate() {
            if k > 0 {
                out.blank();
            }
            text::draw(panel, out.width(), paint).write(out);
        }
    }

    fn beside(&self, out: &mut Text, paint: Paint<'_>) {
        const GAP: usize = 4;
        let half = out.width().saturating_sub(GAP) / 2;
        if let [a, b] = self.panels.as_slice() {
            let [a, b] = [a, b].map(|panel| text::draw(panel, half, paint));
            if self.arrangement == Arrangement::First {
                a.write(out);
                return;
            }
            if a.width() + GAP + b.width() <= out.width() {
                a.beside(&b, GAP).write(out);
                return;
            }
        }
        self.below(out, paint);
    }

    /// The members that are not drawn.
    fn others(&self, out: &mut Text) {
        if !self.lead.is_empty() {
            out.blank();
        }
        for member in &self.lead {
            for line in wrapped(member, out.width(), 0).lines() {
                writeln!(out, "{DIM}{line}{DIM:#}");
            }
        }
    }

    /// The picture as one self-contained file.
    #[must_use]
    pub fn to_svg(&self) -> String {
        self.svg()
    }

    /// A self-contained page that describes the cell below the pointer, and marks the same element
    /// in all panels.
    #[must_use]
    pub fn to_html(&self) -> String {
        self.html()
    }
}

/// As [`to_text`](Picture::to_text) in 100 columns, without colours.
impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_text(WIDTH, None).fmt(f)
    }
}

/// The arrays in a shape with their paths, and a description of its other members.
fn arrays(text: &str, given: &Given<'_>) -> Outcome<(Vec<(String, DynLayout)>, Vec<String>)> {
    let (shape, _) = read_any("SHAPE", text, given)?;
    let mut arrays = Vec::new();
    let mut others = Vec::new();
    let leaves = leaves(&shape, text)?.into_iter();
    for ((index, array), (_, leaf)) in leaves.zip(shape_util::leaf_shapes(&shape)) {
        match array {
            Some(array) if shape.is_tuple() => arrays.push((index.to_string(), array)),
            Some(array) => arrays.push((String::new(), array)),
            None => others.push(format!("{index} {leaf} is no array")),
        }
    }
    let wrong = |what: String| Error::new(what).at(TextSpan::of_whole("SHAPE", text));
    match arrays.len() {
        0 => Err(wrong("there is no array to draw".to_owned())
            .help("give an array, `f32[2,3]{1,0}`, or a tuple with arrays in it")),
        1..=LEAVES => Ok((arrays, others)),
        n => Err(wrong(format!(
            "the tuple has {n} arrays, and at most {LEAVES} can be drawn"
        ))
        .help("give the arrays that you want to see")),
    }
}
