//! The difference of two layouts: what differs in their texts, and what makes one array of the
//! other.

mod change;
mod json;
mod marks;
mod report;

use std::fmt;

use serde_json::Value;
use xlayout::DynLayout;
use xlayout_relayout::{Machine, Plan};

use crate::error::{Error, Outcome};
use crate::picture::panel::{Colours, Panel};
use crate::picture::scale::scale;
use crate::picture::subject::Subject;
use crate::picture::{Arrangement, Picture, PictureOptions};
use crate::table::{Text, WIDTH};
use change::{Change, Kind, Matching};
use marks::Mark;

/// How two arrays differ: the parts of their texts, their bytes, and the copy that makes B of A.
///
/// ```
/// use xlayout::DynLayout;
/// use xlayout_view::{Difference, PictureOptions};
///
/// let a: DynLayout = "f32[4,6]{1,0}".parse()?;
/// let b: DynLayout = "f32[4,6]{0,1}".parse()?;
/// let difference = Difference::of(a, b);
/// assert!(!difference.is_equal());
/// assert!(difference.to_string().contains("the minor_to_major lists differ"));
/// assert_eq!(difference.to_json()["change"], "copy");
/// let both = difference.picture(&PictureOptions::default())?;
/// assert!(both.to_svg().starts_with("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Difference {
    a: Subject,
    b: Subject,
    marks: Vec<Mark>,
    change: Change,
    on: On,
}

/// The machine on which copies are described. What is printed is the same everywhere unless
/// somebody asks for this machine.
#[derive(Clone, Copy, Debug)]
enum On {
    Reference,
    Here,
}

impl On {
    fn machine(&self) -> Machine {
        match self {
            Self::Reference => Machine::REFERENCE,
            Self::Here => Machine::here(),
        }
    }
}

impl Difference {
    /// Compares two arrays. Copies are described on a reference machine.
    #[must_use]
    pub fn of(a: DynLayout, b: DynLayout) -> Self {
        let marks = marks::marks(a.array_shape(), b.array_shape());
        let change = Change::of(&a, &b);
        let mut a = Subject::new(a);
        let mut b = Subject::new(b);
        if change.matching == Matching::Index {
            a.show_beside(&b);
            b.show_beside(&a);
        }
        Self {
            a,
            b,
            marks,
            change,
            on: On::Reference,
        }
    }

    /// Describes copies on this machine instead.
    #[must_use]
    pub fn here(self) -> Self {
        Self {
            on: On::Here,
            ..self
        }
    }

    /// Whether both have the same shape and layout.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.change.kind == Kind::Equal
    }

    /// The copies that make B of A, one after the other; none if nothing moves, or if no copy makes
    /// B.
    #[must_use]
    pub fn copies(&self) -> &[Plan] {
        &self.change.plans
    }

    /// The text, with sentences in `width` columns.
    #[must_use]
    pub fn to_text(&self, width: usize) -> Text {
        let columns = width.clamp(40, WIDTH);
        Text::of(columns, |out| self.write(width, out))
    }

    /// All of it as an object; `xlayout diff --help` lists the keys.
    #[must_use]
    pub fn to_json(&self) -> Value {
        self.json()
    }

    /// Both arrays. An element has the same colour in both; as text they are side by side if the
    /// width is enough, and of two that are equal there is one.
    ///
    /// # Errors
    /// Options that an array does not have or that are too large to draw.
    pub fn picture(&self, options: &PictureOptions<'_>) -> Result<Picture, Error> {
        let title = format!("{} and {}", self.a.layout, self.b.layout);
        let change = &self.change;
        let lead = format!("{}: {}", change.kind.name(), change.words);
        let arrangement = if self.is_equal() {
            Arrangement::First
        } else {
            Arrangement::Beside
        };
        let panels = self.panels(options)?;
        Ok(Picture::of_both(
            title,
            lead,
            panels,
            options.path,
            arrangement,
        ))
    }

    /// The panels of both arrays. An element has the same colour in both.
    fn panels(&self, options: &PictureOptions<'_>) -> Outcome<[Panel; 2]> {
        let a = &self.a.layout;
        let b = &self.b.layout;
        let there = |index: &[usize]| self.change.index_in_a(a, b, index);
        let of_a = Colours::Of {
            name: "A",
            layout: a,
            index: &there,
        };
        let slices_a = options.slices_of(a)?;
        let slices_b = options.slices_of(b)?;
        let mut limits_a = options.limits(&self.a, &slices_a);
        let mut limits_b = options.limits(&self.b, &slices_b);
        if self.change.matching == Matching::Index {
            limits_a.columns = limits_a.columns.min(limits_b.columns);
            limits_b = limits_a;
        }
        options.check(&self.a, &slices_a, limits_a, 2)?;
        options.check(&self.b, &slices_b, limits_b, 2)?;
        // If elements of B do not match elements of A, each array has its own colours.
        let of_b = match self.change.matching {
            Matching::Nothing => &Colours::Own,
            _ => &of_a,
        };
        let mut panels = [
            self.a.panel("A", &slices_a, limits_a, &Colours::Own),
            self.b.panel("B", &slices_b, limits_b, of_b),
        ];
        scale(&mut panels, self.change.matching != Matching::Nothing);
        Ok(panels)
    }
}

/// As [`to_text`](Difference::to_text) in 80 columns, without styles.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_text(WIDTH).fmt(f)
    }
}
