//! The steps of a derivation, as text and as a picture.

use std::fmt::Display;

use xlayout::algebra::{Map, MapError, Source};
use xlayout_view::Picture;

use super::memory::Memory;
use xlayout_command::table::{DIM, Text};

/// A derivation: its text, and the data for its picture.
#[derive(Default)]
pub(super) struct Steps {
    pub(super) text: Text,
    pub(super) notes: Vec<String>,
    maps: Vec<(&'static str, Map)>,
    /// The memory whose banks the colours show. Without it they show offsets.
    pub(super) memory: Option<Memory>,
}

impl Steps {
    pub(super) fn step(&mut self, name: &'static str, map: &Map) {
        self.draw(name, map);
        writeln!(self.text, "{name:<8}  {map}");
    }

    /// Adds a map to the picture only.
    pub(super) fn draw(&mut self, name: &'static str, map: &Map) {
        self.maps.push((name, *map));
    }

    pub(super) fn note(&mut self, text: impl Display) {
        self.notes.push(text.to_string());
        writeln!(self.text, "{DIM}          {text}{DIM:#}");
    }

    pub(super) fn result(&mut self, map: &Map) {
        self.step("result", map);
        if let Some(text) = cute(map) {
            writeln!(self.text, "{:<8}  {text}", "CuTe");
        }
    }

    /// A picture of each map.
    pub(super) fn picture(self) -> Result<Picture, MapError> {
        let bank = |place| self.memory.map_or(place, |memory| memory.bank(place));
        let bank = self
            .memory
            .is_some()
            .then_some(&bank as &dyn Fn(usize) -> usize);
        Picture::of_maps("xlayout algebra", self.notes, &self.maps, bank)
    }
}

/// Returns CuTe's text of a map of one coordinate with consecutive digits; `None` for any other
/// map.
///
/// Each digit becomes a mode, the one with the least divisor first. Where divisors leave a gap, and
/// after the last digit, the index changes without the offset: there is a mode with the stride 0.
fn cute(map: &Map) -> Option<String> {
    let &[size] = map.extents() else { return None };
    if map.constant() != 0 || !map.is_plain() {
        return None;
    }
    let mut terms = map.terms().to_vec();
    terms.sort_by_key(|term| term.digit.divisor);
    let mut sizes = Vec::new();
    let mut strides = Vec::new();
    // The product of the sizes of all modes so far: the divisor of a digit that follows them.
    let mut product = 1;
    for term in &terms {
        let digit = term.digit;
        let divisor = digit.divisor;
        if digit.source != Source::Coordinate(0) || divisor < product || divisor % product != 0 {
            return None;
        }
        if divisor > product {
            sizes.push((divisor / product).to_string());
            strides.push("0".to_owned());
        }
        let value_count = digit.size.map_or(size.div_ceil(divisor), u64::from);
        sizes.push(value_count.to_string());
        strides.push(term.weight.to_string());
        product = divisor.checked_mul(value_count)?;
    }
    if product < size {
        let rest = size.div_ceil(product);
        sizes.push(rest.to_string());
        strides.push("0".to_owned());
        product *= rest;
    }
    if product != size {
        return None;
    }
    match (sizes.as_slice(), strides.as_slice()) {
        ([], []) => Some(format!("{size}:0")),
        ([size], [stride]) => Some(format!("{size}:{stride}")),
        _ => Some(format!("({}):({})", sizes.join(","), strides.join(","))),
    }
}
