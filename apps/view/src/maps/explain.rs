//! What a map means, in words and numbers.

use serde_json::{Value, json};
use xlayout::algebra::{Budget, Swizzle};
use xlayout::interop::CuteLayout;

use super::map_text::{MapText, asked, coordinates};
use crate::error::Error;
use crate::section::Section;
use crate::table::{Cell, DIM, Text};
use crate::words::{exact_bytes, grouped, joined};

/// How many offsets of a row are shown.
const SHOWN: u64 = 16;

/// The most indices of which every offset is asked.
const EXACT: u64 = 1 << 20;

/// Which bits a swizzle combines.
#[must_use]
pub fn swizzle_words(swizzle: Swizzle) -> String {
    let (bits, base, shift) = swizzle.numbers();
    let [low, high] = [base, base + shift.unsigned_abs()];
    let last = |first: u8| first + bits.max(1) - 1;
    let (changed, by) = if shift < 0 { (high, low) } else { (low, high) };
    match bits {
        0 => "it changes nothing".to_owned(),
        1 => format!("bit {changed} is XORed with bit {by}"),
        _ => format!(
            "bits {changed} to {} are XORed with bits {by} to {}",
            last(changed),
            last(by)
        ),
    }
}

impl MapText {
    /// What it means, in at most `width` columns; of `at` it says where these indices lie.
    ///
    /// # Errors
    /// An index that the array does not have.
    pub fn explain(&self, width: usize, at: &[&str]) -> Result<Text, Error> {
        let sections = self.sections(at)?;
        Ok(Text::of(width, |out| {
            writeln!(out, "{DIM}read as the notation of {}{DIM:#}", self.notation);
            writeln!(out, "{}", self.title());
            self.notes.iter().for_each(|note| out.paragraph(note));
            sections.iter().for_each(|section| section.write(out));
        }))
    }

    /// The same in parts, below the [`title`](Self::title) and the notes.
    ///
    /// # Errors
    /// As [`explain`](Self::explain).
    pub fn sections(&self, at: &[&str]) -> Result<Vec<Section>, Error> {
        let places = asked(self, at)?;
        if places.is_empty() {
            return Ok(vec![Section::default().pairs(self.facts())]);
        }
        let place = |(index, offset): &(Vec<u64>, i64)| {
            let heading = format!("Index [{}]", joined(index, ","));
            Section::new(heading, "").pairs(self.place(*offset))
        };
        Ok(places.iter().map(place).collect())
    }

    fn place(&self, offset: i64) -> Vec<(&'static str, Cell)> {
        let mut rows = vec![("linear index", Cell::from(grouped(offset)))];
        if let Some(bytes) = self.element_bytes() {
            let byte = i128::from(offset) * i128::from(bytes);
            rows.push(("byte offset", grouped(byte).into()));
        }
        rows
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        let map = &self.map;
        let size = map.size();
        let sizes = map.extents();
        let mut rows: Vec<(&str, Cell)> = Vec::new();
        let mut row = |name, text: String| rows.push((name, text.into()));
        row(
            if self.is_memory {
                "dimensions"
            } else {
                "indices"
            },
            joined(sizes, " × "),
        );
        for (k, swizzle) in self.swizzles.iter().enumerate() {
            let (bits, base, shift) = swizzle.numbers();
            let what = swizzle_words(*swizzle);
            let name = if k == 0 { "swizzle" } else { "" };
            row(
                name,
                format!("Swizzle<{bits},{base},{shift}> of the offset of an element: {what}"),
            );
        }
        if let Some(bytes) = self.element_bytes().filter(|bytes| bytes.is_power_of_two())
            && let [swizzle] = self.swizzles.as_slice()
        {
            let (bits, base, shift) = swizzle.numbers();
            let base = u64::from(base) + u64::from(bytes.trailing_zeros());
            row("of bytes", format!("Swizzle<{bits},{base},{shift}>"));
        }
        if !self.swizzles.is_empty() && self.base.equals(map, Budget::DEFAULT) == Ok(true) {
            let reason = "no offset of this array has the higher bits";
            row("", format!("here it changes nothing: {reason}"));
        }
        if !self.swizzles.is_empty() {
            row("before it", self.base.to_string());
        }
        // Two swizzles make a long text that nobody reads.
        if self.swizzles.len() < 2 {
            row("map", map.to_string());
        }
        let width = sizes.last().copied().unwrap_or(1).min(size);
        for first in [0, width].into_iter().filter(|&first| first < size) {
            let last = (first + width).min(first + SHOWN);
            let offsets = (first..last).filter_map(|index| map.at_index(index));
            let offsets = joined(offsets.collect::<Vec<_>>(), ", ");
            let more = if width > SHOWN { ", …" } else { "" };
            let index = joined(coordinates(first, sizes), ",");
            let name = if first == 0 { "offsets" } else { "" };
            row(name, format!("from [{index}]: {offsets}{more}"));
        }
        if self.is_memory {
            row("spans", self.span());
        }
        row("one to one", self.one_to_one());
        row("XLA", self.xla());
        rows
    }

    /// The places up to the last element.
    fn span(&self) -> String {
        let map = &self.map;
        let (_, limit) = map.range();
        let is_short = map.size() <= EXACT;
        let offsets = (0..map.size()).filter_map(|index| map.at_index(index));
        let last = if is_short { offsets.max() } else { Some(limit) };
        let end = last.map_or(0, |last| last.unsigned_abs() + 1);
        let at_most = if is_short { "" } else { "at most " };
        let bytes = self.element_bytes();
        let bytes = bytes.map(|bytes| exact_bytes(u128::from(end) * u128::from(bytes)));
        let bytes = bytes.map_or_else(String::new, |bytes| format!(", {bytes}"));
        format!("{at_most}{} elements{bytes}", grouped(end))
    }

    fn one_to_one(&self) -> String {
        let size = self.map.size();
        match self.map.collision(Budget::DEFAULT) {
            Ok(Some((a, b))) => {
                let [a, b] =
                    [a, b].map(|index| joined(coordinates(index, self.map.extents()), ","));
                let what = if self.is_memory { "place" } else { "element" };
                format!("no: [{a}] and [{b}] have the same {what}")
            }
            Ok(None) => match self.map.is_bijective(Budget::DEFAULT) {
                Ok(true) => "yes, without holes".to_owned(),
                Ok(false) if !self.is_memory => "yes, but some elements have no index".to_owned(),
                Ok(false) => format!("yes, with holes between the {} places", grouped(size)),
                Err(error) => format!("yes; holes: {}", error.message()),
            },
            Err(error) => format!("not known: {}", error.message()),
        }
    }

    /// The layout of XLA's that is nearest.
    fn xla(&self) -> String {
        let of_cute = |cute: &CuteLayout| {
            let element_type = self.element_type.unwrap_or(xlayout::ElementType::U8);
            let shape = cute.to_shape(element_type).ok()?;
            let text = shape.to_string();
            Some(match self.element_type {
                Some(_) => text,
                None => text.trim_start_matches("u8").to_owned(),
            })
        };
        let cute = self.cute.as_ref().filter(|_| self.offset == 0);
        match (cute.and_then(of_cute), self.swizzles.is_empty()) {
            (Some(layout), true) => layout,
            (Some(layout), false) => format!("no layout has swizzles; without it {layout}"),
            (None, true) => "no layout has its elements in this sequence".to_owned(),
            (None, false) => "no layout has swizzles".to_owned(),
        }
    }

    /// The same as an object.
    ///
    /// # Errors
    /// As [`explain`](Self::explain).
    pub fn to_json(&self, at: &[&str]) -> Result<Value, Error> {
        let bytes = self.element_bytes();
        let swizzle = |swizzle: &Swizzle| {
            let (bits, base, shift) = swizzle.numbers();
            json!([bits, base, shift])
        };
        let place = |(index, offset): &(Vec<u64>, i64)| {
            let byte = bytes.and_then(|bytes| offset.checked_mul(i64::try_from(bytes).ok()?));
            json!({"index": index, "linear_index": offset, "byte_offset": byte})
        };
        let places: Vec<Value> = asked(self, at)?.iter().map(place).collect();
        Ok(json!({
            "notation": self.notation.to_lowercase(),
            "dimensions": self.map.extents(),
            "element_type": self.element_type.map(|own| own.to_string()),
            "element_bytes": bytes,
            "map": self.map.to_string(),
            "swizzles": self.swizzles.iter().map(swizzle).collect::<Value>(),
            "one_to_one": self.map.collision(Budget::DEFAULT).ok().map(|found| found.is_none()),
            "positions": places,
        }))
    }
}
