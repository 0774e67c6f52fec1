//! Panels as text: box drawing, with the colours that a function gives to shades.

use std::fmt::Write as _;

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::colour::Shade;
use super::panel::{Element, Grid, Panel, Side};
use super::slices::Slices;
use super::subject::Subject;
use super::window::Slot;
use crate::table::{DIM, HEADER, Text, plain};
use crate::tiles::Line;
use crate::words::{grouped, wrapped};

/// The style of a place of memory by its shade; `None` for a text without colours.
pub(super) type Paint<'a> = Option<&'a dyn Fn(Shade) -> Style>;

/// A text on the colour of an element; faint without an element.
fn painted(paint: Paint<'_>, element: Option<&Element>, text: &str, room: usize) -> String {
    match element {
        Some(element) => {
            let style = paint.map_or_else(Style::new, |paint| paint(element.shade));
            format!("{style}{text:>room$} {style:#}")
        }
        None => format!("{DIM}{text:>room$}{DIM:#} "),
    }
}

/// Lines of text with their colours.
#[derive(Default)]
struct Block {
    lines: Vec<String>,
}

/// The width of a text. Escape codes of colours do not count.
fn width_of(text: &str) -> usize {
    plain(text).width()
}

impl Block {
    fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    /// A text in lines of `width` columns.
    fn paragraph(&mut self, text: &str, width: usize, style: Style) {
        for line in wrapped(text, width, 0).lines() {
            self.styled(line, style);
        }
    }

    fn styled(&mut self, text: &str, style: Style) {
        self.line(format!("{style}{text}{style:#}"));
    }

    fn width(&self) -> usize {
        let widths = self.lines.iter().map(|line| width_of(line));
        widths.max().unwrap_or(0)
    }

    fn write(&self, out: &mut Text) {
        for line in &self.lines {
            writeln!(out, "{}", line.trim_end());
        }
    }

    /// Both, with blanks between them.
    fn beside(&self, other: &Self, gap: usize) -> Self {
        let left = self.width();
        let count = self.lines.len().max(other.lines.len());
        let line = |k: usize| {
            let [a, b] = [self, other].map(|block| block.lines.get(k).map_or("", |line| line));
            match width_of(b) {
                0 => a.to_owned(),
                _ => format!("{a}{:blanks$}{b}", "", blanks = left - width_of(a) + gap),
            }
        };
        Self {
            lines: (0..count).map(line).collect(),
        }
    }
}

/// The number of array columns that fit into a terminal of `width` columns.
pub(crate) fn columns_that_fit(subject: &Subject, slices: &Slices, width: usize) -> usize {
    let cell = subject.digits().max(1) + 2;
    // The row's number and a blank.
    let head = 8;
    (1..=width / cell + 1)
        .rev()
        .find(|&limit| {
            let (window, cuts) = subject.window(slices.right, limit);
            let lines = window.lines(&cuts, subject.frame());
            let lines = lines.iter().filter(|line| **line != Line::None).count();
            head + window.slots().len() * cell + lines <= width
        })
        .unwrap_or(1)
}

/// A panel as text.
pub(crate) struct Drawing {
    /// The captions.
    head: Block,
    body: Block,
}

impl Drawing {
    pub(crate) fn width(&self) -> usize {
        self.head.width().max(self.body.width())
    }

    pub(crate) fn write(&self, out: &mut Text) {
        self.head.write(out);
        self.body.write(out);
    }

    /// Both, with blanks between them, and the grids on the same line.
    pub(crate) fn beside(&self, other: &Self, gap: usize) -> Self {
        let gaps = |part: usize| gap + self.width() - part;
        Self {
            head: self.head.beside(&other.head, gaps(self.head.width())),
            body: self.body.beside(&other.body, gaps(self.body.width())),
        }
    }
}

/// Draws a panel, in at most `width` columns if its grid allows this.
pub(crate) fn draw(panel: &Panel, width: usize, paint: Paint<'_>) -> Drawing {
    Drawing {
        head: draw_head(panel, width),
        body: draw_body(panel, width, paint),
    }
}

fn draw_head(panel: &Panel, width: usize) -> Block {
    let mut block = Block::default();
    let name = match panel.name.as_str() {
        "" => String::new(),
        name => format!("{name}  "),
    };
    block.styled(&format!("{name}{}", panel.heading), HEADER);
    for text in [&panel.caption, &panel.sums] {
        block.paragraph(text, width, Style::new());
    }
    block
}

fn draw_body(panel: &Panel, width: usize, paint: Paint<'_>) -> Block {
    let mut block = Block::default();
    for (k, row) in flow(panel, width, paint).into_iter().enumerate() {
        block.line("");
        let axes = axes(&panel.grids);
        if k == 0 && !axes.is_empty() {
            block.styled(&axes, DIM);
        }
        block.lines.extend(row.lines);
    }
    if !panel.notes.is_empty() {
        block.line("");
        for note in &panel.notes {
            block.paragraph(note, width, DIM);
        }
    }
    draw_memory(&mut block, panel, width, paint);
    block
}

/// `dimension 0 ↓ dimension 1 →`; the axes are the same in all grids.
fn axes(grids: &[Grid]) -> String {
    let axis = |side: &Side, arrow| side.dim.map(|dim| format!("dimension {dim} {arrow}"));
    let first = grids.iter().take(1);
    let sides = first.flat_map(|grid| [axis(&grid.rows, '↓'), axis(&grid.columns, '→')]);
    sides.flatten().collect::<Vec<_>>().join("  ")
}

/// Grids one after the other, in rows that fit.
fn flow(panel: &Panel, width: usize, paint: Paint<'_>) -> Vec<Block> {
    const GAP: usize = 3;
    let mut rows: Vec<Block> = Vec::new();
    let digits = panel.digits_shown();
    for grid in &panel.grids {
        let mut block = Block::default();
        draw_grid(&mut block, grid, digits, paint);
        match rows.last_mut() {
            Some(row) if row.width() + GAP + block.width() <= width => {
                *row = row.beside(&block, GAP);
            }
            _ => rows.push(block),
        }
    }
    rows
}

/// For the lines up, right, down and left, each absent (0), thin (1) or thick (2), the character
/// where they meet. The last line has corners of one array, whose frame is of one strength.
const JOINTS: &str = "
        0110┌ 0220┏ 0120┎ 0210┍ 0011┐ 0022┓ 0021┒ 0012┑
        1100└ 2200┗ 2100┖ 1200┕ 1001┘ 2002┛ 2001┚ 1002┙
        1110├ 2220┣ 2120┠ 1210┝ 1011┤ 2022┫ 2021┨ 1012┥
        0111┬ 0222┳ 0121┰ 0212┯ 1101┴ 2202┻ 2101┸ 1202┷
        1111┼ 2222╋ 2121╂ 1212┿ 1010│ 2020┃ 0101─ 0202━
        1120┟ 2110┞ 1021┧ 2011┦ 0211┮ 0112┭ 1201┶ 1102┵ 1211┾";

/// The character at which four lines meet.
fn joint(up: Line, down: Line, left: Line, right: Line) -> char {
    let strength = |line: Line| char::from(b'0' + line as u8);
    let key: String = [up, right, down, left].map(strength).iter().collect();
    let mut joints = JOINTS.split_whitespace();
    let found = joints.find_map(|joint| joint.strip_prefix(&key)?.chars().next());
    found.unwrap_or('+')
}

fn draw_grid(block: &mut Block, grid: &Grid, digits: usize, paint: Paint<'_>) {
    if !grid.label.is_empty() {
        block.line(&*grid.label);
    }
    let number = |slot: &Slot| match slot {
        Slot::At(at) => at.to_string(),
        Slot::Gap(..) => "⋯".to_owned(),
    };
    let columns = &grid.columns;
    let digits = (columns.slots.iter().map(|slot| number(slot).width())).fold(digits, usize::max);
    let widths: Vec<usize> = (columns.slots.iter())
        .map(|slot| match slot {
            Slot::At(_) => digits + 2,
            Slot::Gap(..) => 3,
        })
        .collect();
    let rows = grid.rows.dim.map_or(&[][..], |_| &grid.rows.slots);
    let rows = rows.iter().filter(|slot| matches!(slot, Slot::At(_)));
    let head = rows.map(|slot| number(slot).len()).max().unwrap_or(0);

    if columns.dim.is_some() {
        let mut text = " ".repeat(head + 1);
        for (k, slot) in columns.slots.iter().enumerate() {
            let width = widths[k] - 1;
            let gap = usize::from(columns.lines[k] != Line::None);
            let _ = write!(text, "{:gap$}{:>width$} ", "", number(slot));
        }
        block.styled(text.trim_end(), DIM);
    }
    let ruler = |at: usize| {
        let mut text = " ".repeat(head + 1);
        let line = grid.rows.lines[at];
        let above = at > 0;
        let below = at < grid.rows.slots.len();
        for (k, &crossing) in columns.lines.iter().enumerate() {
            let up = if above { crossing } else { Line::None };
            let down = if below { crossing } else { Line::None };
            let left = if k > 0 { line } else { Line::None };
            let right = if k < widths.len() { line } else { Line::None };
            if crossing != Line::None {
                text.push(joint(up, down, left, right));
            }
            let dash = match line {
                Line::Thick => "━",
                _ => "─",
            };
            text += &dash.repeat(widths.get(k).copied().unwrap_or(0));
        }
        text
    };
    for (r, row) in grid.rows.slots.iter().enumerate() {
        if grid.rows.lines[r] != Line::None {
            block.line(ruler(r));
        }
        let mut text = match (row, grid.rows.dim) {
            (Slot::At(at), Some(_)) => format!("{DIM}{at:>head$}{DIM:#} "),
            _ => " ".repeat(head + 1),
        };
        for (c, &line) in columns.lines.iter().enumerate() {
            text += match line {
                Line::None => "",
                Line::Thin => "│",
                Line::Thick => "┃",
            };
            let Some(&room) = widths.get(c) else { continue };
            let cell = &grid.cells[r * columns.slots.len() + c];
            let element = cell.as_ref().and_then(|cell| cell.element.as_ref());
            let mark = match (cell, row) {
                (Some(cell), _) if element.is_some() => cell.place.to_string(),
                (Some(_), _) => "·".to_owned(),
                (None, Slot::At(_)) => "⋯".to_owned(),
                (None, Slot::Gap(..)) => "⋮".to_owned(),
            };
            text += &painted(paint, element, &mark, room - 1);
        }
        block.line(text);
    }
    block.line(ruler(grid.rows.slots.len()));
}

fn draw_memory(block: &mut Block, panel: &Panel, width: usize, paint: Paint<'_>) {
    let Some(last) = panel.memory.last() else {
        return;
    };
    let widths = panel.memory.iter().map(|cell| cell.label().width());
    let room = 1 + widths.max().unwrap_or(1);
    let place_width = last.place.to_string().len().max(5);
    let byte_width = last.byte(panel.element_bits).len().max(4);
    let head = place_width + 2 + byte_width + 2;
    let fit = width.saturating_sub(head) / (room + 1);
    let memory = panel.memory_lines(fit);
    block.line("");
    block.styled("memory, and the index that lies at each place", DIM);
    let columns = format!("{:>place_width$}  {:>byte_width$}", "place", "byte");
    block.styled(&columns, DIM);
    for cells in memory.lines {
        let Some(first) = cells.first() else { continue };
        let byte = first.byte(panel.element_bits);
        let mut text = format!(
            "{DIM}{:>place_width$}  {byte:>byte_width$}{DIM:#}  ",
            first.place
        );
        for cell in cells {
            text += &painted(paint, cell.element.as_ref(), &cell.label(), room);
        }
        block.line(text);
    }
    if !memory.rest.is_empty() {
        block.styled(&format!("{:>place_width$}  {}", "⋮", memory.rest), DIM);
    }
    if let Some(paint) = paint
        && panel.scale.is_worth_saying()
    {
        legend(block, panel, paint);
    }
}

fn legend(block: &mut Block, panel: &Panel, paint: &dyn Fn(Shade) -> Style) {
    const STEPS: usize = 24;
    let scale = &panel.scale;
    let first = scale.begin();
    let mut text = format!("{DIM}{first}{DIM:#} ");
    for k in 0..STEPS {
        if let Some(middle) = scale.middle.filter(|_| k == STEPS / 2) {
            let middle = grouped(middle as u64);
            let _ = write!(text, " {DIM}half are below {middle}{DIM:#} ");
        }
        let style = paint(Shade::of(k, STEPS));
        let _ = write!(text, "{style} {style:#}");
    }
    let last = grouped(scale.last as u64);
    let _ = write!(text, " {DIM}{last}{DIM:#}");
    if panel.padding() > 0 {
        let _ = write!(text, "   {DIM}· padding{DIM:#}");
    }
    block.line("");
    block.line(text);
}
