//! `xlayout diff`.

mod change;
mod json;
mod marks;
mod report;

use std::io::Write;

use xlayout::DynLayout;
use xlayout_relayout::Machine;

use crate::failure::{Failure, Outcome};
use crate::picture::files::Files;
use crate::picture::limits::PictureLimits;
use crate::picture::panel::{Colours, Panel};
use crate::picture::scale::scale;
use crate::picture::slices::Slices;
use crate::picture::subject::Subject;
use crate::picture::svg::Picture;
use crate::picture::terminal::{self, Palette};
use crate::shape;
use crate::table::print;

pub(crate) use change::Change;
use change::{Kind, Matching};
use marks::Mark;

/// The arguments of `xlayout diff`.
#[derive(clap::Args, Debug)]
#[command(
    mut_arg("sizes", |sizes| sizes.visible_alias("dims")),
)]
pub(crate) struct Arguments {
    /// An array and its layout, in quotes
    #[arg(value_name = "A")]
    a: String,

    /// Another one
    #[arg(value_name = "B")]
    b: String,

    #[command(flatten)]
    given: shape::Given,

    /// Describe the copy on this machine, instead of the reference machine
    #[arg(long)]
    here: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    files: Files,

    #[command(flatten)]
    cut: PictureLimits,
}

/// All results about the two arrays.
struct Diff {
    a: Subject,
    b: Subject,
    marks: Vec<Mark>,
    change: Change,
    on: On,
}

/// The machine on which copies are described. What is printed is the same everywhere unless somebody asks for this machine.
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

impl Diff {
    fn of(a: DynLayout, b: DynLayout, on: On) -> Self {
        let marks = marks::marks(a.array_shape(), b.array_shape());
        let change = Change::of(&a, &b);
        let (mut a, mut b) = (Subject::new(a), Subject::new(b));
        if change.matching == Matching::Index {
            a.show_beside(&b);
            b.show_beside(&a);
        }
        Self {
            a,
            b,
            marks,
            change,
            on,
        }
    }

    /// The panels of both arrays. An element has the same colour in both.
    fn panels(&self, cut: &PictureLimits, width: Option<usize>) -> Outcome<[Panel; 2]> {
        let (a, b) = (&self.a.layout, &self.b.layout);
        let there = |index: &[usize]| self.change.index_in_a(a, b, index);
        let of_a = Colours::Of {
            name: "A",
            layout: a,
            index: &there,
        };
        let slices =
            |of: &Subject| Slices::of(&of.layout, None, None, cut.slices(&of.layout, None)?);
        let (slices_a, slices_b) = (slices(&self.a)?, slices(&self.b)?);
        let mut limits_a = cut.limits(&self.a, &slices_a, width);
        let mut limits_b = cut.limits(&self.b, &slices_b, width);
        if self.change.matching == Matching::Index {
            limits_a.columns = limits_a.columns.min(limits_b.columns);
            limits_b = limits_a;
        }
        cut.check(&self.a, &slices_a, limits_a, 2)?;
        cut.check(&self.b, &slices_b, limits_b, 2)?;
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

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    arguments.files.check()?;
    if arguments.json && arguments.files.to_stdout() {
        return Err(Failure::usage("--json and the picture both go to stdout")
            .at(arguments.files.place_of_stdout())
            .help("give the picture a file: `--svg both.svg`"));
    }
    let read = |origin, text, given: &shape::Given| shape::read(origin, text, given);
    let (text_a, text_b, given) = (&arguments.a, &arguments.b, &arguments.given);
    // A tag without sizes gets the sizes and the type of the other array.
    let (a, b) = match (read("A", text_a, given), read("B", text_b, given)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(a), Err(b)) => return Err(a.and(b)),
        (Ok(a), Err(failure)) => match read("B", text_b, &given.or_of(&a)) {
            Ok(b) => (a, b),
            Err(_) => return Err(failure),
        },
        (Err(failure), Ok(b)) => match read("A", text_a, &given.or_of(&b)) {
            Ok(a) => (a, b),
            Err(_) => return Err(failure),
        },
    };
    let on = if arguments.here {
        On::Here
    } else {
        On::Reference
    };
    let diff = Diff::of(a, b, on);
    if arguments.files.any() {
        let panels = diff.panels(&arguments.cut, None)?;
        let change = &diff.change;
        let picture = Picture {
            title: format!("{} and {}", diff.a.layout, diff.b.layout),
            lead: vec![format!("{}: {}", change.kind.name(), change.words)],
            panels: &panels,
            path: !arguments.files.no_path,
        };
        arguments.files.write(&picture, out)?;
    }
    if arguments.json {
        json::write(&diff, out)?;
    } else if !arguments.files.to_stdout() {
        print(out, |out| report::write(&diff, arguments.cut.width(), out))?;
        if !arguments.files.any() {
            pictures(&diff, &arguments.cut, out)?;
        }
    }
    out.flush()?;
    match diff.change.kind {
        Kind::Equal => Ok(()),
        _ => Err(Failure::answer_is_no()),
    }
}

/// Both arrays in the terminal: side by side if it is wide enough.
fn pictures(diff: &Diff, cut: &PictureLimits, out: &mut dyn Write) -> Outcome {
    const GAP: usize = 4;
    let width = cut.width();
    let palette = Palette::of_stdout();
    let panels = diff.panels(cut, Some(width))?;
    let drawn = |width| {
        panels
            .each_ref()
            .map(|panel| terminal::draw(panel, width, palette))
    };
    let [a, b] = drawn(width.saturating_sub(GAP) / 2);
    writeln!(out)?;
    if diff.change.kind == Kind::Equal {
        a.write(out)?;
    } else if a.width() + GAP + b.width() <= width {
        a.beside(&b, GAP).write(out)?;
    } else {
        let [a, b] = drawn(width);
        a.write(out)?;
        writeln!(out)?;
        b.write(out)?;
    }
    Ok(())
}
