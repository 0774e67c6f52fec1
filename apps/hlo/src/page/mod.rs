//! One page with the memory of each module, the arrays that are alive at the peak, and its copies:
//! that of `--html`, and that of a module in memory.
//!
//! The page of `xlayout hlo diff` has the differences instead: layouts, copies, and both memories
//! on one axis.
//!
//! A page is self-contained. Its script draws the JSON in it. Pictures of layouts are made here
//! with the code of `draw`, and the words for bytes and the advice with the code for the terminal.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use xlayout::{ArrayShape, DynLayout};

use crate::copies::{Copy, Found, examine};
use crate::memory::{Answer, Space, answer_over_time};
use crate::oom::Reports;
use crate::{Each, Error, Findings, Mistake, Mistakes, Module, Read, Scope, Tally, read};
use xlayout_view::json::number;
use xlayout_view::table::Text;
use xlayout_view::words::percent;
use xlayout_view::{Picture, PictureOptions, escaped};
use xlayout_words::{bytes, shortened};

pub(crate) mod advice;
#[cfg(feature = "command")]
pub(crate) mod packed;
pub(crate) mod report;

use advice::{Piece, pieces};

/// The most arrays in the picture of a memory space, and the most copies in the table.
const ARRAYS: usize = 200;
pub(crate) const COPIES: usize = 500;
/// The most layouts that are drawn: those of the largest arrays. A fuzzer draws only one, to save
/// time.
const PICTURES: usize = if cfg!(fuzzing) { 1 } else { 40 };
/// The columns of advice.
const WIDTH: usize = 80;

/// A page.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) is_wanted: bool,
    /// The bytes of the default memory space, if they are known.
    limit: Option<u64>,
    /// Whether copies were asked for, which come first then.
    copies_first: bool,
    /// The modules on it: those of the files that were read to their ends.
    pub(crate) modules: Vec<ShownModule>,
    pub(crate) diff: Option<Value>,
}

/// A module on the page.
pub(crate) struct ShownModule {
    /// Its memory and its copies; `None` if the module cannot be analysed.
    answered: Option<(Answer, Found)>,
    refused: Vec<Error>,
}

impl Page {
    /// A page, which ignores modules unless it is wanted. It has a line at `limit` bytes of the
    /// default memory space.
    pub(crate) fn of(is_wanted: bool, limit: Option<u64>) -> Self {
        Self {
            is_wanted,
            limit,
            ..Self::default()
        }
    }

    /// Puts the copies and the advice before the memory.
    #[cfg(feature = "command")]
    pub(crate) fn copies_first(self) -> Self {
        Self {
            copies_first: true,
            ..self
        }
    }

    /// Describes a module, if the page is wanted. [`text`](Self::text) has its errors.
    pub(crate) fn shown(&self, path: &Path, module: &Module, tally: &Tally) -> Option<ShownModule> {
        if !self.is_wanted {
            return None;
        }
        let (answer, errors) = answer_over_time(path, module, tally, ARRAYS);
        Some(ShownModule {
            answered: answer.map(|answer| (answer, examine(path, module, tally, COPIES))),
            refused: errors,
        })
    }

    /// The page with the modules that can be analysed, and the errors of the others. The pictures
    /// of layouts are as `packed` makes them.
    pub(crate) fn text(self, packed: impl Fn(Value) -> Value) -> (String, Vec<Error>) {
        let mut modules = Vec::new();
        let mut refused = Vec::new();
        for module in self.modules {
            modules.extend(module.answered);
            refused.extend(module.refused);
        }
        let pictures = pictures(&modules);
        let mut names: Vec<&str> = modules.iter().map(|(answer, _)| &*answer.module).collect();
        names.dedup();
        let names = shortened(&names.join(", "), 60);
        let title = match (&self.diff, self.copies_first) {
            (Some(_), _) => format!("What differs between two compilations of {names}"),
            (None, true) => format!("Copies and memory of {names}"),
            (None, false) => format!("Memory and copies of {names}"),
        };
        // Timelines that are compared have one axis.
        let mut shared: BTreeMap<i8, u128> = BTreeMap::new();
        for space in modules
            .iter()
            .filter(|_| self.diff.is_some())
            .flat_map(|(answer, _)| &answer.spaces)
        {
            let top = shared.entry(space.space).or_default();
            *top = most(space).max(*top);
        }
        let limit = self.limit.map(u128::from);
        let top = |space: &Space| {
            let top = shared
                .get(&space.space)
                .copied()
                .unwrap_or_else(|| most(space));
            // The limit is on the axis unless it is far above.
            let limit = limit.filter(|limit| space.space == 0 && limit / 4 <= top);
            limit.map_or(top, |limit| limit.max(top))
        };
        let modules: Vec<Value> = modules
            .iter()
            .map(|(answer, found)| module(answer, found, top))
            .collect();
        let mut data = json!({
            "modules": modules,
            "diff": self.diff,
            "limit": self.limit,
            "copies_first": self.copies_first,
        });
        let mut words = serde_json::Map::new();
        add_words(&data, &mut words);
        data["words"] = json!(words);
        data["pictures"] = packed(json!(pictures));
        // In HTML a script ends at `</script`, also in JSON.
        let data = data.to_string().replace('<', "\\u003c");
        let body = format!(
            "<h1>{}</h1>\n<main id=\"main\"></main>\n\
             <dialog id=\"dialog\" aria-labelledby=\"what\"><form method=\"dialog\"><button id=\"close\">Close</button></form>\
             <h2 id=\"what\"></h2><dl id=\"facts\"></dl><div id=\"picture\"></div></dialog>\n\
             <script type=\"application/json\" id=\"data\">{data}</script>\n",
            escaped(&title)
        );
        let style = include_str!("page.css");
        (
            xlayout_view::page(&title, style, &body, include_str!("page.js")),
            refused,
        )
    }
}

/// The page of an input.
#[derive(Debug)]
pub struct Shown {
    /// The page, which is self-contained.
    pub html: String,
    /// The first parts of a text that could not be read, and how many there are.
    pub mistakes: Vec<Mistake>,
    /// How many parts could not be read.
    pub mistakes_in_all: usize,
    /// Why modules are not on the page.
    pub refused: Vec<Error>,
}

/// The most mistakes that are told.
const MISTAKES: usize = 5;

/// Reads the modules of an input, as text or as a proto, compressed or not, and shows them on a
/// page; or what a text says that reports running out of memory. `shown` is its name.
///
/// ```
/// let text = b"HloModule m\n\nENTRY %e {\n  ROOT %p = f32[8]{0} parameter(0)\n}\n";
/// let shown = xlayout_hlo::page::of_input(text, "m.txt".as_ref())?;
/// assert!(shown.html.contains("Memory and copies of m"));
/// assert!(shown.mistakes.is_empty() && shown.refused.is_empty());
/// # Ok::<(), xlayout_hlo::Error>(())
/// ```
///
/// # Errors
/// An input that is not HLO, or cannot be read to its end.
pub fn of_input(input: &[u8], shown: &Path) -> Result<Shown, Error> {
    let mut page = Page::of(true, None);
    let modules = &page;
    let mut each =
        Each::new(|path: &Path, module: Module, tally: &Tally| modules.shown(path, &module, tally));
    let mistakes = Mistakes::new(MISTAKES, true, Box::new(|_, _| ()));
    let mut findings = Findings::new(Scope::ALL, mistakes);
    findings.take = Some(&mut each);
    match read(input, shown, &mut findings)? {
        Read::Hlo(_) => {}
        Read::OutOfMemory(found) => {
            return Ok(Shown {
                html: of_reports(&shown.display().to_string(), &found),
                mistakes: Vec::new(),
                mistakes_in_all: 0,
                refused: Vec::new(),
            });
        }
        Read::Other(error) => return Err(error),
    }
    let mistakes = findings.mistakes;
    page.modules = each.into_ended().into_iter().flatten().collect();
    // A browser shows them at once: to pack and unpack them would take longer.
    let (html, refused) = page.text(|pictures| pictures);
    Ok(Shown {
        html,
        mistakes_in_all: mistakes.count,
        mistakes: mistakes.kept.into_iter().map(|(_, kept)| kept).collect(),
        refused,
    })
}

/// The page of a text that says that memory ran out.
fn of_reports(name: &str, found: &Reports) -> String {
    let text = Text::of(WIDTH, |out| {
        report::write(out, &[(name.to_owned(), found)], usize::MAX);
    });
    let title = format!("Memory that ran out in {name}");
    let mut body = format!("<h1>{}</h1>\n<main>\n", escaped(&title));
    for part in escaped(&text.plain()).trim_end().split("\n\n") {
        // What is no list is a sentence.
        let is_list = part.lines().any(|line| line.starts_with(' '));
        body += &if is_list {
            format!("<pre class=\"list\" tabindex=\"0\">{part}</pre>\n")
        } else {
            format!("<p>{}</p>\n", part.replace('\n', " "))
        };
    }
    body += "</main>\n";
    xlayout_view::page(&title, include_str!("page.css"), &body, "")
}

/// The data of copies on the page.
pub(crate) fn shown(copies: &[Copy]) -> Vec<Value> {
    copies
        .iter()
        .take(COPIES)
        .map(|copy| {
            json!({
                "instruction": copy.instruction,
                "computation": copy.computation,
                "opcode": copy.opcode,
                "from": copy.from_shape.to_string(),
                "to": copy.to_shape.to_string(),
                "bytes": number(copy.total()),
                "executions": copy.executions,
                "kind": copy.kind,
                "cause": copy.cause,
                "op_name": copy.op_name,
                "source": copy.source,
            })
        })
        .collect()
}

/// The most bytes of a timeline; 0 for one without steps.
fn most(space: &Space) -> u128 {
    space.timeline.iter().copied().max().unwrap_or(0)
}

/// The data of a module on the page. `top` is the top of a timeline's axis.
fn module(answer: &Answer, found: &Found, top: impl Fn(&Space) -> u128) -> Value {
    let mut value = json!(answer);
    for (space, shown) in answer.spaces.iter().zip(items(&mut value, "spaces")) {
        let top = top(space);
        let step = (top / 4).max(1).next_power_of_two();
        let ticks: Vec<Value> = (0..=top / step).map(|k| number(k * step)).collect();
        shown["top"] = number(top);
        shown["ticks"] = json!(ticks);
        shown["instructions"] = json!(space.instructions);
        shown["lasting"] = json!(space.lasting);
        for (buffer, shown) in space.buffers.iter().zip(items(shown, "buffers")) {
            let padding = buffer.bytes - buffer.logical_bytes;
            shown["padding"] = json!(percent(padding, buffer.bytes));
            shown["padding_bytes"] = number(padding.into());
        }
    }
    value["copies"] = json!(shown(&found.copies));
    value["copies_in_all"] = json!(found.sums.all().0);
    value["copied_bytes"] = number(found.sums.bytes);
    value["copied"] = json!(found.sums.copies);
    value["moved_bytes"] = number(found.sums.moved_bytes);
    value["saved_bytes"] = json!(found.is_verified.then(|| number(found.saved())));
    value["advice"] = json!(advice(found));
    value
}

/// The advice of the terminal in the same sequence: the text, and the lines to paste.
fn advice(found: &Found) -> Vec<Value> {
    let piece = |piece: &Piece<'_>| {
        let text = Text::of(WIDTH, |out| piece.write(out)).plain();
        let paste = piece.paste();
        let lines = text.lines().filter(|line| !paste.contains(&line.trim()));
        json!({ "text": lines.collect::<Vec<_>>().join("\n"), "paste": paste })
    };
    let mut all: Vec<Value> = pieces(found, usize::MAX).iter().map(piece).collect();
    if found.is_verified && found.paying() > 1 {
        all.push(json!({ "text": "All of it", "paste": found.paste }));
    }
    all
}

fn items<'a>(value: &'a mut Value, key: &str) -> std::slice::IterMut<'a, Value> {
    let items = value[key].as_array_mut();
    items
        .unwrap_or_else(|| unreachable!("`{key}` is a list"))
        .iter_mut()
}

/// A number, or a string of digits, which stands for one of more than 64 bits.
fn amount(value: &Value) -> Option<u128> {
    match value {
        Value::String(digits) => digits.parse().ok(),
        other => other.as_u64().map(u128::from),
    }
}

/// Adds the words for each number of bytes, so that the page rounds as the terminal does.
fn add_words(value: &Value, words: &mut serde_json::Map<String, Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| add_words(item, words)),
        Value::Object(items) => items.values().for_each(|item| add_words(item, words)),
        other => {
            if let Some(amount) = amount(other) {
                words.insert(amount.to_string(), json!(bytes(amount)));
            }
        }
    }
}

/// The array in the default memory space.
pub(crate) fn without_space(shape: &ArrayShape) -> ArrayShape {
    let mut shape = shape.clone();
    if let Some(layout) = &mut shape.layout {
        layout.memory_space = 0;
    }
    shape
}

/// The pictures of the largest arrays, by their shapes.
fn pictures(modules: &[(Answer, Found)]) -> serde_json::Map<String, Value> {
    // The memory space does not change where elements are; so one picture is enough for all spaces.
    // The script does the same.
    let mut shapes: BTreeMap<String, (u128, ArrayShape)> = BTreeMap::new();
    for (answer, found) in modules {
        let arrays = answer.spaces.iter().flat_map(|space| &space.buffers);
        let arrays =
            arrays.filter_map(|buffer| Some((buffer.shape.as_ref()?, buffer.bytes.into())));
        let copies = found.copies.iter().flat_map(|copy| {
            [
                (&copy.from_shape, copy.read),
                (&copy.to_shape, copy.written),
            ]
        });
        for (shape, bytes) in arrays.chain(copies) {
            let shape = without_space(shape);
            let entry = shapes.entry(shape.to_string()).or_insert((0, shape));
            entry.0 = bytes.max(entry.0);
        }
    }
    let mut shapes: Vec<_> = shapes.into_iter().collect();
    // Equal ones stay in the order of their texts.
    shapes.sort_by_cached_key(|(_, (bytes, _))| Reverse(*bytes));
    shapes
        .into_iter()
        .filter_map(|(text, (_, shape))| Some((text, json!(picture(shape)?))))
        .take(PICTURES)
        .collect()
}

/// The picture of an array, as `draw` makes it; `None` if the array cannot be addressed.
fn picture(shape: ArrayShape) -> Option<String> {
    let layout = DynLayout::new(shape).ok()?;
    // Its first rows and columns, and those where tiles or padding begin.
    let options = PictureOptions {
        rows: 12,
        columns: Some(10),
        slices: Some(2),
        places: 64,
        ..PictureOptions::default()
    };
    Some(Picture::of(&layout, &options).ok()?.to_svg())
}
