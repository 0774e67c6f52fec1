//! `xlayout draw`.

use std::io::Write;

use xlayout::{Dyn, Shape};

use crate::failure::{Code, Failure, Outcome};
use crate::picture::cut::Cut;
use crate::picture::files::Files;
use crate::picture::panel::{Colours, Limits, Panel};
use crate::picture::slices::Slices;
use crate::picture::subject::Subject;
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

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    arguments.files.check()?;
    let (leaves, others) = leaves(&arguments.shape)?;
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
            arguments.cut.check(subject, slices, limits)?;
            panels.push(subject.panel(name, slices, limits, &Colours::Own));
        }
        if let Some(last) = panels.last_mut() {
            last.notes.extend(others.iter().cloned());
        }
        Ok(panels)
    };
    if arguments.files.any() {
        let panels = panels(&|subject, slices| arguments.cut.of_file(subject, slices))?;
        let picture = Picture {
            title: arguments.shape.trim().to_owned(),
            lead: Vec::new(),
            panels: &panels,
            path: !arguments.files.no_path,
        };
        return arguments.files.write(&picture, out);
    }
    let width = arguments.cut.width();
    let panels = panels(&|subject, slices| arguments.cut.of_terminal(subject, slices, width))?;
    let palette = Palette::of_stdout();
    for (k, panel) in panels.iter().enumerate() {
        if k > 0 {
            writeln!(out)?;
        }
        terminal::draw(panel, width, palette).write(out)?;
    }
    Ok(())
}

/// The arrays in a shape, with their paths; and what else is in it, in words.
fn leaves(text: &str) -> Outcome<(Vec<(String, Dyn)>, Vec<String>)> {
    const LEAVES: usize = 64;
    let shape = shape::read_any("SHAPE", text)?;
    let (mut arrays, mut others) = (Vec::new(), Vec::new());
    for (index, leaf) in shape.leaf_shapes() {
        let (Shape::Array(array) | Shape::Buffer(array)) = leaf else {
            others.push(format!("{index} {leaf} is no array"));
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
    Ok((arrays, others))
}
