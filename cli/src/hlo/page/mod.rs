//! `--html`: one page with the memory of each module, the arrays that are alive at the peak, and its copies.
//!
//! The page needs nothing else. Its script draws what the JSON in it says; pictures of layouts are made here, as `draw` makes them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use xlayout::DynLayout;

use xlayout_hlo::copies::{Found, examine};
use xlayout_hlo::memory::{Answer, answer_beside};
use xlayout_hlo::{Module, OfFiles, Tally, reread};

use crate::failure::{Code, Failure, Outcome};
use crate::picture::panel::{Colours, Limits};
use crate::picture::scale::scale;
use crate::picture::slices::Slices;
use crate::picture::subject::Subject;
use crate::picture::svg::Picture;
use crate::picture::xml::escaped;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The most arrays in the picture of a memory space, and the most copies in the table.
const ARRAYS: usize = 200;
const COPIES: usize = 500;
/// So many layouts are drawn: those of the largest arrays. A fuzzer spends its time on other things.
const PICTURES: usize = if cfg!(fuzzing) { 1 } else { 40 };
/// What is shown of a layout: its first rows and columns, and those where something happens.
const LIMITS: Limits = Limits {
    rows: 12,
    columns: 10,
    places: 64,
};

/// The argument.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Html {
    /// Write a page with the memory, the arrays and the copies of the modules to this file; `-` is stdout
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
}

impl Html {
    pub(super) fn is_wanted(&self) -> bool {
        self.html.is_some()
    }

    /// Whether the page goes to stdout, so that nothing else may.
    pub(super) fn is_stdout(&self) -> bool {
        self.html.as_deref() == Some(Path::new("-"))
    }

    /// Writes the page, if it is wanted.
    ///
    /// # Errors
    /// As [`Page::write`].
    pub(super) fn write(&self, page: Page, out: &mut dyn Write) -> Outcome {
        match &self.html {
            Some(file) => page.write(file, out),
            None => Ok(()),
        }
    }
}

/// A page while modules are read.
#[derive(Debug, Default)]
pub(super) struct Page {
    is_wanted: bool,
    parts: OfFiles<ShownModule>,
}

/// What the page has of a module.
#[derive(Debug)]
struct ShownModule {
    /// None if the module cannot be followed.
    module: Option<Value>,
    shapes: Shapes,
    refused: Option<Failure>,
}

/// Shapes, by the bytes of the largest array.
#[derive(Debug, Default)]
struct Shapes(BTreeMap<String, u128>);

impl Shapes {
    fn keep(&mut self, shape: String, bytes: u128) {
        let largest = self.0.entry(shape).or_default();
        *largest = bytes.max(*largest);
    }
}

impl Page {
    /// A page that takes modules if it is wanted.
    pub(super) fn of(html: &Html) -> Self {
        Self {
            is_wanted: html.is_wanted(),
            parts: OfFiles::default(),
        }
    }

    /// Takes a module. What is wrong with it is said at the end, by `write`.
    pub(super) fn add(&mut self, path: &Path, module: &Module, tally: &Tally) {
        if !self.is_wanted {
            return;
        }
        let (answer, errors) = answer_beside(path, module, tally, ARRAYS);
        let mut part = ShownModule {
            module: None,
            shapes: Shapes::default(),
            refused: Failure::of_all(errors),
        };
        if let Some(answer) = answer {
            let found = examine(path, module, tally, COPIES);
            part.module = Some(self::module(&answer, &found));
            let arrays = answer.spaces.iter().flat_map(|space| &space.buffers);
            let arrays = arrays.map(|buffer| (&buffer.shape, u128::from(buffer.bytes)));
            let copies = found.copies.iter();
            let copies = copies.flat_map(|copy| {
                [
                    (&copy.from_shape, copy.read),
                    (&copy.to_shape, copy.written),
                ]
            });
            for (shape, bytes) in arrays.chain(copies) {
                part.shapes.keep(shape.clone(), bytes);
            }
        }
        self.parts.push(part);
    }

    /// Ends a file. Its modules are on the page if it is whole.
    pub(super) fn end_file(&mut self, is_whole: bool) {
        self.parts.end_file(is_whole);
    }

    /// Writes the page.
    ///
    /// # Errors
    /// If the file cannot be written, or if a module could not be followed.
    pub(super) fn write(self, file: &Path, out: &mut dyn Write) -> Outcome {
        let mut modules = Vec::new();
        let mut refused: Option<Failure> = None;
        let mut shapes = Shapes::default();
        for part in self.parts.into_ended() {
            modules.extend(part.module);
            for (shape, bytes) in part.shapes.0 {
                shapes.keep(shape, bytes);
            }
            refused = Failure::both(refused, part.refused);
        }
        let mut shapes: Vec<(&String, &u128)> = shapes.0.iter().collect();
        shapes.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        let pictures: serde_json::Map<String, Value> = (shapes.into_iter())
            .filter_map(|(shape, _)| Some((shape.clone(), json!(picture(shape)?))))
            .take(PICTURES)
            .collect();
        let mut names: Vec<&str> = (modules.iter())
            .filter_map(|module| module["module"].as_str())
            .collect();
        names.dedup();
        let title = format!(
            "Memory and copies of {}",
            crate::words::shortened(&names.join(", "), 60)
        );
        let data = json!({ "modules": modules, "pictures": pictures });
        // A script ends at `</script`, whatever the language.
        let data = data.to_string().replace('<', "\\u003c");
        let page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{0}</title>\n<style>\n{STYLE}</style>\n</head>\n\
             <body>\n<h1>{0}</h1>\n<main id=\"main\"></main>\n\
             <dialog id=\"dialog\" aria-labelledby=\"what\"><form method=\"dialog\"><button id=\"close\">Close</button></form>\
             <h2 id=\"what\"></h2><dl id=\"facts\"></dl><div id=\"picture\"></div></dialog>\n\
             <script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            escaped(&title)
        );
        if file == Path::new("-") {
            out.write_all(page.as_bytes())?;
        } else if file.is_dir() {
            let file = file.display();
            let message = format!("cannot write `{file}`: it is a folder");
            return Err(Failure::new(Code::File, message)
                .help(format_args!("name a file in it: `{file}/page.html`")));
        } else {
            std::fs::write(file, page).map_err(|error| Failure::of_file("write", file, &error))?;
        }
        refused.map_or(Ok(()), Err)
    }
}

fn module(answer: &Answer, found: &Found) -> Value {
    let remedy = |instruction: &str| {
        let cure = found
            .cures
            .iter()
            .find(|cure| cure.removes.iter().any(|name| name == instruction));
        if let Some(cure) = cure {
            return cure.paste.join("\n");
        }
        let mut constraints = found.constraints.iter();
        let constraint = constraints.find(|one| one.removes == instruction);
        let values = constraint.iter().flat_map(|one| &one.values);
        let lines = values.map(|value| format!("{}  # {}", value.paste, value.op_name));
        lines.collect::<Vec<_>>().join("\n")
    };
    let copies: Vec<Value> = (found.copies.iter())
        .map(|copy| {
            json!({
                "instruction": copy.instruction,
                "computation": copy.computation,
                "opcode": copy.opcode,
                "from": copy.from_shape,
                "to": copy.to_shape,
                "bytes": number(copy.total()),
                "executions": copy.executions,
                "kind": copy.kind,
                "cause": copy.cause,
                "op_name": copy.op_name,
                "source": copy.source,
                "remedy": remedy(&copy.instruction),
            })
        })
        .collect();
    let mut value = json!(answer);
    value["copies"] = json!(copies);
    value["copies_in_all"] = json!(found.count);
    value
}

fn number(bytes: u128) -> Value {
    match u64::try_from(bytes) {
        Ok(bytes) => json!(bytes),
        Err(_) => json!(bytes.to_string()),
    }
}

/// An array as `draw` draws it; nothing for what is not an array that can be addressed.
fn picture(shape: &str) -> Option<String> {
    if !shape.contains('[') || shape.starts_with('(') {
        return None;
    }
    let layout = DynLayout::new(reread(shape)).ok()?;
    let slices = Slices::of(&layout, None, None, 2).ok()?;
    let mut panels = [Subject::new(layout).panel("", &slices, LIMITS, &Colours::Own)];
    scale(&mut panels);
    let picture = Picture {
        title: shape.to_owned(),
        lead: Vec::new(),
        panels: &panels,
        path: true,
    };
    Some(picture.svg())
}
