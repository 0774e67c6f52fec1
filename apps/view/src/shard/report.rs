//! A sharded array in words and numbers.

use std::fmt;

use serde_json::{Value, json};
use xlayout::sharding::SubgroupType;
use xlayout::{ArrayLayout, DynLayout};

use super::{Part, ShardedArray, device_list};
use crate::json::number;
use crate::table::{Cell, HEADER, Table, Text, WIDTH, pairs};
use crate::words::{bytes, counted, grouped, joined};

/// The devices of a part that are written at most.
const DEVICES: usize = 8;

impl ShardedArray {
    /// The answer in lines of `width` columns, with at most `most` parts.
    #[must_use]
    pub fn to_text(&self, width: usize, most: usize) -> Text {
        Text::of(width, |out| self.write(out, most))
    }

    fn write(&self, out: &mut Text, most: usize) {
        let of_array = self
            .array
            .as_ref()
            .map_or(String::new(), |array| format!(" of {array}"));
        out.paragraph(format_args!(
            "{HEADER}{}{of_array}{HEADER:#}",
            self.sharding
        ));
        let mut rows: Vec<(&str, Cell)> = vec![("parts", self.parts_in_words().into())];
        if let (Some(tile), Some((array, device))) = (&self.tile, self.bytes()) {
            let padding = match device.padding() {
                0 => String::new(),
                padding => format!(", of which {} are padding of the layout", bytes(padding)),
            };
            let of_device = format!("{tile}, {}{padding}", bytes(device.allocated));
            rows.push(("each device", of_device.into()));
            if let Some(devices) = self.devices() {
                let all = device.allocated.saturating_mul(devices as u128);
                let whole = bytes(array.allocated);
                let words = format!("{} for an array of {whole}", bytes(all));
                rows.push(("all devices", words.into()));
            }
        }
        pairs(out, &rows, 2);
        for sentence in self.sentences() {
            out.line(2, sentence);
        }
        // A picture has the parts themselves.
        if self.devices().is_none() || most == 0 {
            return;
        }
        out.blank();
        self.table(most).write(out, 0);
        if let Some(more @ 1..) = self.parts.len().checked_sub(most) {
            out.line(
                0,
                format_args!("… {} more: `--top all`", grouped(more as u64)),
            );
        }
    }

    fn parts_in_words(&self) -> String {
        let Some(devices) = self.devices() else {
            return "one: every device holds the whole array".to_owned();
        };
        if let [only] = &self.parts[..] {
            return format!("one: the whole array on {}", device_words(&only.devices));
        }
        let cut = match self.sharding.as_tiled() {
            Some(tiling) => {
                let cut = tiling.parts().iter().map(ToString::to_string);
                format!("{} = ", joined(cut.collect::<Vec<_>>(), " × "))
            }
            None => String::new(),
        };
        let held = match self.copies() {
            1 => "each on one device".to_owned(),
            copies => format!("each on {}", counted(copies as u64, "device")),
        };
        let count = counted(devices as u64, "device");
        format!("{cut}{}, {held}: {count}", grouped(self.parts.len() as u64))
    }

    /// What else is to be known.
    fn sentences(&self) -> Vec<String> {
        let mut all = Vec::new();
        if let Some(tile) = &self.tile {
            let uneven = self
                .parts
                .iter()
                .filter(|part| part.elements() < tile.elements() as u128);
            let uneven: Vec<&Part> = uneven.collect();
            let empty = uneven.iter().filter(|part| part.elements() == 0).count();
            if !uneven.is_empty() {
                let lacking = uneven
                    .iter()
                    .map(|part| tile.elements() as u128 - part.elements());
                let padding = self.bytes_of(lacking.sum::<u128>() * self.copies() as u128);
                let none = match empty {
                    0 => String::new(),
                    empty => format!(", {empty} of them without any element"),
                };
                all.push(format!(
                    "The sizes do not divide: {}{none}. XLA pads them to {}, by {} on all devices.",
                    counted_are(uneven.len(), "part", "smaller"),
                    tile.array_shape(),
                    bytes(padding),
                ));
            }
        }
        if self.is_unreduced() {
            all.push(
                "Each device holds a summand: the elements are the sums over the devices that hold \
                 one part."
                    .to_owned(),
            );
        } else if self.subgroups().contains(&SubgroupType::Manual) {
            all.push("What the devices of one part hold, the program itself decides.".to_owned());
        }
        all.extend(self.assumed.iter().map(|&sentence| sentence.to_owned()));
        if self.array.is_none() {
            all.push("With a shape behind it, the index ranges and bytes are shown.".to_owned());
        }
        all
    }

    fn table(&self, most: usize) -> Table {
        let rank = self.array.as_ref().map_or(0, ArrayLayout::rank);
        let is_uneven = self.is_uneven();
        let dimensions: Vec<String> = (0..rank).map(|k| format!("|>dimension {k}")).collect();
        let last = if is_uneven { "|>elements" } else { "" };
        let header = format!("devices|part{}{last}", joined(&dimensions, ""));
        let mut table = Table::with_header(&header);
        for part in self.parts.iter().take(most) {
            let mut cells = vec![device_list(&part.devices, DEVICES), index_text(part)];
            let ranges = part.ranges.iter();
            cells.extend(ranges.map(|range| format!("{}..{}", range.start, range.end)));
            if is_uneven {
                cells.push(grouped(part.elements()));
            }
            table.row(cells);
        }
        table
    }

    fn is_uneven(&self) -> bool {
        let first = self.parts.first().map(Part::elements);
        self.parts.iter().any(|part| Some(part.elements()) != first)
    }

    /// The answer as JSON, with all parts.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let shape = |layout: &Option<DynLayout>| layout.as_ref().map(ToString::to_string);
        let sizes = self.bytes();
        let all = sizes.zip(self.devices());
        json!({
            "sharding": self.sharding.to_string(),
            "shape": shape(&self.array),
            "device_shape": shape(&self.tile),
            "devices": self.devices(),
            "devices_of_each_part": self.devices().map(|_| self.copies()),
            "unreduced": self.is_unreduced(),
            "bytes": sizes.map(|(array, _)| number(array.allocated)),
            "device_bytes": sizes.map(|(_, device)| number(device.allocated)),
            "all_device_bytes": all.map(|((_, device), devices)| {
                number(device.allocated.saturating_mul(devices as u128))
            }),
            "assumed": self.assumed,
            "parts": self.parts.iter().map(Part::to_json).collect::<Vec<_>>(),
        })
    }
}

impl Part {
    fn to_json(&self) -> Value {
        let ranges = self
            .ranges
            .iter()
            .map(|range| json!([range.start, range.end]));
        json!({
            "devices": self.devices,
            "index": self.index,
            "ranges": ranges.collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for ShardedArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(WIDTH, 32).plain())
    }
}

fn device_words(devices: &[i64]) -> String {
    let noun = if devices.len() == 1 {
        "device"
    } else {
        "the devices"
    };
    format!("{noun} {}", device_list(devices, DEVICES))
}

fn index_text(part: &Part) -> String {
    joined(&part.index, ",")
}

fn counted_are(count: usize, noun: &str, what: &str) -> String {
    let verb = if count == 1 { "is" } else { "are" };
    format!("{} {verb} {what}", counted(count as u64, noun))
}
