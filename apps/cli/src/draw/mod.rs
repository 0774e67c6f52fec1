//! `xlayout draw`.

use std::io::Write;

use xlayout::DynLayout;
use xlayout::xla::shape_util;

use crate::failure::{Failure, Outcome, TextSpan};
use crate::picture::files::Files;
use crate::picture::limits::PictureLimits;
use crate::picture::panel::{Colours, Panel};
use crate::picture::scale::scale;
use crate::picture::slices::Slices;
use crate::picture::subject::Subject;
use crate::picture::svg::Picture;
use crate::picture::terminal::{self, Palette};
use crate::shape;
use crate::table::DIM;
use crate::words::wrapped;

/// The arguments of `xlayout draw`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The array and its layout, in quotes
    ///
    /// XLA's text, also of a tuple, of which each array is drawn; `-` reads it from the standard input. Without a layout it is
    /// row-major.
    #[arg(value_name = "SHAPE")]
    shape: String,

    #[command(flatten)]
    given: shape::Given,

    #[command(flatten)]
    files: Files,

    /// Draw one slice: an index or `:` for each dimension, as in `2,:,:`
    #[arg(long, value_name = "INDEX,…", allow_hyphen_values = true)]
    slice: Option<String>,

    /// Draw these two dimensions, the one that goes down first; without it the last two
    #[arg(long, value_name = "DOWN,RIGHT", allow_hyphen_values = true)]
    dims: Option<String>,

    #[command(flatten)]
    cut: PictureLimits,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    arguments.files.check()?;
    let text = shape::text("SHAPE", &arguments.shape)?;
    let (leaves, others) = leaves(&text, &arguments.given)?;
    let mut subjects = Vec::new();
    for (name, layout) in leaves {
        let (dims, slice) = (arguments.dims.as_deref(), arguments.slice.as_deref());
        let limit = arguments.cut.slices(&layout, dims)?;
        let slices = Slices::of(&layout, dims, slice, limit)?;
        subjects.push((name, Subject::new(layout), slices));
    }
    let cut = &arguments.cut;
    let panels = |width| -> Outcome<Vec<Panel>> {
        let mut panels = Vec::new();
        for (name, subject, slices) in &subjects {
            let limits = cut.limits(subject, slices, width);
            cut.check(subject, slices, limits, subjects.len())?;
            panels.push(subject.panel(name, slices, limits, &Colours::Own));
        }
        scale(&mut panels, false);
        Ok(panels)
    };
    if arguments.files.any() {
        let panels = panels(None)?;
        let picture = Picture {
            title: text.trim().to_owned(),
            lead: others,
            panels: &panels,
            path: !arguments.files.no_path,
        };
        return arguments.files.write(&picture, out);
    }
    let width = arguments.cut.width();
    let panels = panels(Some(width))?;
    let palette = Palette::of_stdout();
    for (k, panel) in panels.iter().enumerate() {
        if k > 0 {
            writeln!(out)?;
        }
        terminal::draw(panel, width, palette).write(out)?;
    }
    // The members that are not drawn are listed after the pictures.
    if !others.is_empty() {
        writeln!(out)?;
    }
    for other in &others {
        for line in wrapped(other, width, 0).lines() {
            writeln!(out, "{DIM}{line}{DIM:#}")?;
        }
    }
    Ok(())
}

/// The arrays in a shape with their paths, and a description of its other members.
fn leaves(text: &str, given: &shape::Given) -> Outcome<(Vec<(String, DynLayout)>, Vec<String>)> {
    const LEAVES: usize = 64;
    let (shape, _) = shape::read_any("SHAPE", text, given)?;
    let (mut arrays, mut others) = (Vec::new(), Vec::new());
    let leaves = shape::leaves(&shape, text)?.into_iter();
    for ((index, array), (_, leaf)) in leaves.zip(shape_util::leaf_shapes(&shape)) {
        match array {
            Some(array) if shape.is_tuple() => arrays.push((index.to_string(), array)),
            Some(array) => arrays.push((String::new(), array)),
            None => others.push(format!("{index} {leaf} is no array")),
        }
    }
    let wrong = |what: String| Failure::usage(what).at(TextSpan::of_whole("SHAPE", text));
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
