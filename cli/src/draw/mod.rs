//! `xlayout draw`.

use std::io::Write;

use xlayout::{Dyn, Shape};

use crate::failure::{Code, Failure, Outcome};
use crate::picture::files::Files;
use crate::picture::panel::{Colours, Limits, Panel, Subject};
use crate::picture::slices::Slices;
use crate::picture::svg::Picture;
use crate::picture::terminal::{self, Palette};
use crate::shape;

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The array, as XLA writes it: `bf16[5,6]{1,0:T(4,4)}`; or a tuple of arrays
    #[arg(value_name = "SHAPE")]
    shape: String,

    #[command(flatten)]
    files: Files,

    /// Draw one slice: an index or `:` for each dimension, as in `2,:,:`
    #[arg(long, value_name = "INDEX,…", allow_hyphen_values = true)]
    slice: Option<String>,

    /// Draw these two dimensions, the one that goes down first; without it the last two
    #[arg(long, value_name = "DOWN,RIGHT", allow_hyphen_values = true)]
    dims: Option<String>,

    #[command(flatten)]
    cut: Cut,
}

/// How much is shown of what is large.
#[derive(clap::Args, Debug)]
pub(crate) struct Cut {
    /// Show at most so many rows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    rows: Option<u16>,

    /// Show at most so many columns; without it as many as fit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    columns: Option<u16>,

    /// Show at most so many slices of an array of more than two dimensions
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) slices: u16,

    /// The columns of the terminal; without it as many as it has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..=2000))]
    width: Option<u16>,
}

const ROWS: usize = 32;
const COLUMNS: usize = 32;
const PLACES: usize = 512;
/// More cells than that in one picture are a mistake, and would take gigabytes.
const CELLS: usize = 200_000;

impl Cut {
    /// Those of a file.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            rows: self.rows.map_or(ROWS, usize::from),
            columns: self.columns.map_or(COLUMNS, usize::from),
            places: PLACES,
        }
    }

    /// Those of the terminal, of which a panel has so many columns.
    pub(crate) fn limits_in(&self, width: usize, subject: &Subject, slices: &Slices) -> Limits {
        let fit = || terminal::columns_that_fit(subject, slices, width);
        Limits {
            columns: self.columns.map_or_else(fit, usize::from),
            ..self.limits()
        }
    }

    pub(crate) fn width(&self) -> usize {
        let terminal = || terminal_size::terminal_size().map(|(width, _)| width.0);
        let width = self.width.or_else(terminal).unwrap_or(100);
        usize::from(width).max(20)
    }

    /// Whether so many slices can be drawn.
    pub(crate) fn check(&self, limits: Limits, slices: usize) -> Outcome {
        let cells = limits
            .rows
            .saturating_mul(limits.columns)
            .saturating_mul(slices);
        if cells <= CELLS {
            return Ok(());
        }
        Err(Failure::new(
            Code::Usage,
            format_args!(
                "{} rows and {} columns of {slices} slices may be {} cells, which is too many for one picture",
                limits.rows,
                limits.columns,
                crate::words::grouped(cells as u64)
            ),
        )
        .help(format_args!(
            "at most {} can be drawn: lower --rows, --columns or --slices",
            crate::words::grouped(CELLS as u64)
        )))
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    arguments.files.check()?;
    let leaves = leaves(&arguments.shape)?;
    let mut subjects = Vec::new();
    for (name, layout) in leaves {
        let slices = Slices::of(
            &layout,
            arguments.dims.as_deref(),
            arguments.slice.as_deref(),
            usize::from(arguments.cut.slices),
        )?;
        subjects.push((name, Subject::new(layout), slices));
    }
    let panels = |limits: &dyn Fn(&Subject, &Slices) -> Limits| -> Outcome<Vec<Panel>> {
        let mut panels = Vec::new();
        for (name, subject, slices) in &subjects {
            let limits = limits(subject, slices);
            arguments.cut.check(limits, slices.fixed.len())?;
            panels.push(subject.panel(name, slices, limits, &Colours::Own));
        }
        Ok(panels)
    };
    if arguments.files.any() {
        let panels = panels(&|_, _| arguments.cut.limits())?;
        let picture = Picture {
            title: arguments.shape.trim().to_owned(),
            lead: Vec::new(),
            panels: &panels,
            path: !arguments.files.no_path,
        };
        return arguments.files.write(&picture, out);
    }
    let width = arguments.cut.width();
    let panels = panels(&|subject, slices| arguments.cut.limits_in(width, subject, slices))?;
    let palette = Palette::of_stdout();
    for (k, panel) in panels.iter().enumerate() {
        if k > 0 {
            writeln!(out)?;
        }
        terminal::draw(panel, width, palette).write(out)?;
    }
    Ok(())
}

/// The arrays in a shape, with their paths.
fn leaves(text: &str) -> Outcome<Vec<(String, Dyn)>> {
    const LEAVES: usize = 64;
    let shape = shape::read_any("SHAPE", text)?;
    let mut arrays = Vec::new();
    for (index, leaf) in shape.leaf_shapes() {
        let (Shape::Array(array) | Shape::Buffer(array)) = leaf else {
            continue;
        };
        let layout =
            Dyn::new(array.clone()).map_err(|misfit| shape::of_misfit(&misfit, "SHAPE", text))?;
        let name = match shape.is_tuple() {
            true => index.to_string(),
            false => String::new(),
        };
        arrays.push((name, layout));
    }
    if arrays.is_empty() {
        return Err(
            Failure::new(Code::Usage, format_args!("there is no array in `{text}`"))
                .help("give an array, `f32[2,3]{1,0}`, or a tuple with arrays in it"),
        );
    }
    if arrays.len() > LEAVES {
        return Err(Failure::new(
            Code::Usage,
            format_args!(
                "the tuple has {} arrays, and at most {LEAVES} can be drawn",
                arrays.len()
            ),
        )
        .help("give the arrays that you want to see"));
    }
    Ok(arrays)
}
