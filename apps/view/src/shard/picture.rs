//! A sharded array as a picture: the dimensions that are cut as rows and columns, each part in the
//! colour of its devices.

use std::fmt::Write as _;

use anstyle::Style;

use super::{Part, ShardedArray, device_list};
use crate::picture::colour::Shade;
use crate::picture::xml::{Face, Fragment, document, flow};
use crate::table::Text;
use crate::words::joined;

/// The most rows and columns of parts that are drawn.
const MOST: usize = 16;
/// The devices of a part that a text names.
const DEVICES: usize = 2;
/// The most grids that are drawn.
const MOST_GRIDS: usize = 8;

/// A grid of parts.
struct PartGrid<'a> {
    /// The ranges of the dimensions that are neither rows nor columns, where these are cut.
    caption: String,
    rows: Vec<Vec<&'a Part>>,
}

/// What a picture shows of the grids.
struct Grids<'a> {
    grids: Vec<PartGrid<'a>>,
    row: Option<usize>,
    column: Option<usize>,
    /// What is left out.
    hidden: String,
}

impl ShardedArray {
    /// The grids, with at most `most_columns` columns.
    fn grids(&self, most_columns: usize) -> Grids<'_> {
        let counts = self
            .sharding
            .as_tiled()
            .map_or(&[][..], |tiling| tiling.parts());
        let cut: Vec<usize> = (0..counts.len()).filter(|&d| counts[d] > 1).collect();
        // The last two dimensions that are cut; of one, a last dimension is the columns.
        let (outer, row, column) = match cut[..] {
            [] => (&[][..], None, None),
            [only] if only + 1 == counts.len() => (&[][..], None, Some(only)),
            [only] => (&[][..], Some(only), None),
            [ref outer @ .., row, column] => (outer, Some(row), Some(column)),
        };
        let count = |dimension: Option<usize>| dimension.map_or(1, |d| counts[d] as usize);
        let columns = count(column);
        let of_grid = (count(row) * columns).max(1);
        let grids = self.parts.chunks(of_grid).take(MOST_GRIDS).map(|parts| {
            let fixed = outer
                .iter()
                .map(|&d| format!("dimension {d}: {}", range_of(&parts[0], d)));
            PartGrid {
                caption: joined(fixed.collect::<Vec<_>>(), ", "),
                rows: parts
                    .chunks(columns)
                    .take(MOST)
                    .map(|row| row.iter().take(most_columns).collect())
                    .collect(),
            }
        });
        let drawn = grids
            .clone()
            .map(|grid| grid.rows.iter().map(Vec::len).sum::<usize>());
        let hidden = match self.parts.len() - drawn.sum::<usize>() {
            0 => String::new(),
            hidden => format!("{hidden} more parts are not drawn"),
        };
        Grids {
            grids: grids.collect(),
            row,
            column,
            hidden,
        }
    }

    /// The colour of a part: that of its first device, the same in every sharding of these devices.
    fn shade(&self, part: &Part) -> Shade {
        let devices = || self.parts.iter().flat_map(|part| &part.devices);
        let (Some(first), Some(last)) = (devices().min(), devices().max()) else {
            return Shade::of(0, 1);
        };
        let device = part.devices.first().unwrap_or(first);
        Shade::of(
            device.abs_diff(*first) as usize,
            last.abs_diff(*first) as usize + 1,
        )
    }

    /// The size of a dimension; 0 if it is not known.
    fn size(&self, dimension: Option<usize>) -> i64 {
        let array = self.array.as_ref().zip(dimension);
        array.map_or(0, |(array, dimension)| array.dims()[dimension] as i64)
    }

    /// How many parts fit side by side into a text of `width` columns.
    fn columns_that_fit(&self, width: usize) -> usize {
        let ranges = |part: &Part| {
            let of_part = 0..part.index.len();
            of_part.map(|d| range_of(part, d).len()).max().unwrap_or(0)
        };
        let label = self.parts.iter().map(ranges).max().unwrap_or(0);
        let cells = self
            .parts
            .iter()
            .map(|part| devices_of(part, DEVICES).len());
        let cell = cells.max().unwrap_or(0).max(label) + 3;
        let name = "  dimension 0".len();
        (width.saturating_sub(label + name + 2) / cell).clamp(1, MOST)
    }

    /// The picture as text. `paint` gives a cell its colours.
    #[must_use]
    pub fn picture_text(&self, width: usize, paint: Option<&dyn Fn(Shade) -> Style>) -> Text {
        let Grids {
            grids,
            row,
            column,
            hidden,
        } = self.grids(self.columns_that_fit(width));
        Text::of(width, |out| {
            for (number, grid) in grids.iter().enumerate() {
                if number > 0 {
                    out.blank();
                }
                if !grid.caption.is_empty() {
                    writeln!(out, "{}", grid.caption);
                }
                self.write_grid(out, grid, row, column, paint);
            }
            if !hidden.is_empty() {
                out.line(0, &hidden);
            }
        })
    }

    fn write_grid(
        &self,
        out: &mut Text,
        grid: &PartGrid<'_>,
        row: Option<usize>,
        column: Option<usize>,
        paint: Option<&dyn Fn(Shade) -> Style>,
    ) {
        let label = |part: &Part, dimension: Option<usize>| {
            dimension.map_or(String::new(), |d| range_of(part, d))
        };
        let heads: Vec<String> = grid.rows[0]
            .iter()
            .map(|part| label(part, column))
            .collect();
        let sides: Vec<String> = grid.rows.iter().map(|parts| label(parts[0], row)).collect();
        let text_of = |part: &Part| devices_of(part, DEVICES);
        let cells: Vec<Vec<String>> = grid
            .rows
            .iter()
            .map(|parts| parts.iter().map(|part| text_of(part)).collect())
            .collect();
        let texts = heads.iter().chain(cells.iter().flatten());
        let wide = texts.map(String::len).max().unwrap_or(1);
        let side = sides.iter().map(String::len).max().unwrap_or(0);
        let columns = heads.len();
        let line = |out: &mut Text, left: char, middle: &str, right: char| {
            let between = vec!["─".repeat(wide + 2); columns];
            writeln!(
                out,
                "{:side$} {left}{}{right}",
                "",
                joined(&between, middle)
            );
        };
        if let Some(column) = column {
            write!(out, "{:side$} ", "");
            for head in &heads {
                write!(out, "  {head:^wide$}");
            }
            writeln!(out, "  dimension {column}");
        }
        line(out, '┌', "┬", '┐');
        for (number, (parts, texts)) in grid.rows.iter().zip(&cells).enumerate() {
            if number > 0 {
                line(out, '├', "┼", '┤');
            }
            write!(out, "{:>side$} │", sides[number]);
            for (part, text) in parts.iter().zip(texts) {
                let style = paint.map_or(Style::new(), |paint| paint(self.shade(part)));
                write!(out, "{style} {text:^wide$} {style:#}│");
            }
            out.blank();
        }
        line(out, '└', "┴", '┘');
        if let Some(row) = row {
            writeln!(out, "{:>side$}", format!("dimension {row}"));
        }
    }

    /// The picture as SVG: parts have the proportions of their sizes.
    #[must_use]
    pub fn to_svg(&self) -> String {
        document(
            &self.title(),
            &self.to_text(100, 0).plain(),
            "",
            &self.fragment(),
        )
    }

    pub(super) fn title(&self) -> String {
        let of_array = self
            .array
            .as_ref()
            .map_or(String::new(), |array| format!(" of {array}"));
        format!("{}{of_array}", self.sharding)
    }

    /// The title, the grids, and what there is to be said.
    pub(super) fn fragment(&self) -> Fragment {
        let Grids {
            grids,
            row,
            column,
            hidden,
        } = self.grids(MOST);
        let mut all = Fragment::default();
        all.text((0, 20), Face::HEADING, &self.title());
        let drawn: Vec<Fragment> = grids
            .iter()
            .map(|grid| self.drawn(grid, row, column))
            .collect();
        all.below(20, &flow(&drawn, 1000, 40));
        let notes = self.to_text(100, 0).plain();
        let mut words = Fragment::default();
        let lines = notes.lines().skip(1).take_while(|line| !line.is_empty());
        for text in lines.chain([hidden.as_str()]) {
            words.text((0, words.height + 16), Face::SMALL, text.trim());
        }
        all.below(16, &words);
        all
    }

    fn drawn(&self, grid: &PartGrid<'_>, row: Option<usize>, column: Option<usize>) -> Fragment {
        let mut drawn = Fragment::default();
        if !grid.caption.is_empty() {
            drawn.text((0, 14), Face::LABEL, &grid.caption);
        }
        let side = if row.is_some() { 110 } else { 0 };
        let mut y = drawn.height + 24;
        let top = y;
        let widths: Vec<u32> = grid.rows[0]
            .iter()
            .map(|part| pixels(part, column, self.size(column), 560))
            .collect();
        for parts in &grid.rows {
            let height = pixels(parts[0], row, self.size(row), 360);
            let mut x = side;
            for (part, &width) in parts.iter().zip(&widths) {
                self.draw_part(&mut drawn, part, [x, y, width, height]);
                x += width;
            }
            if let Some(row) = row {
                let place = (side - 8, y + height / 2 + 4);
                drawn.text(place, Face::NUMBER.right(), &range_of(parts[0], row));
            }
            y += height;
        }
        let mut x = side;
        for (part, width) in grid.rows[0].iter().zip(widths) {
            if let Some(column) = column {
                let place = (x + width / 2, top - 8);
                drawn.text(place, Face::NUMBER.centred(), &range_of(part, column));
            }
            x += width;
        }
        drawn
    }

    fn draw_part(&self, drawn: &mut Fragment, part: &Part, [x, y, width, height]: [u32; 4]) {
        let colour = self.shade(part).colour();
        let devices = devices_of(part, 4);
        let _ = writeln!(
            drawn.body,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{}\" \
             stroke=\"#ffffff\"><title>devices {devices}</title></rect>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{}\" \
             font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"12\">{}</text>",
            colour.hex(),
            x + width / 2,
            y + height / 2 + 4,
            colour.text().hex(),
            if Face::NUMBER.width(&devices) + 8 <= width {
                devices.clone()
            } else {
                devices_of(part, 1)
            },
        );
        drawn.width = drawn.width.max(x + width);
        drawn.height = drawn.height.max(y + height);
    }
}

fn devices_of(part: &Part, most: usize) -> String {
    if part.devices.is_empty() {
        "every device".to_owned()
    } else {
        device_list(&part.devices, most)
    }
}

/// The coordinates of a part, or its number among the parts where the array is not known.
fn range_of(part: &Part, dimension: usize) -> String {
    match part.ranges.get(dimension) {
        Some(range) => format!("{}..{}", range.start, range.end),
        None => part
            .index
            .get(dimension)
            .map_or(String::new(), ToString::to_string),
    }
}

/// The pixels of a part along a dimension, in which the whole array has `all`; without sizes, and
/// of small parts, as many as a label needs.
fn pixels(part: &Part, dimension: Option<usize>, size: i64, all: u32) -> u32 {
    const LEAST: u32 = 44;
    let range = dimension.and_then(|dimension| part.ranges.get(dimension));
    match range {
        Some(range) if size > 0 => {
            let share = i128::from(range.end - range.start) * i128::from(all) / i128::from(size);
            // At most `all`.
            LEAST.max(share as u32)
        }
        _ => LEAST.max(all / 8),
    }
}
