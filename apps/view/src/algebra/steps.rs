//! The steps of a derivation.

use std::fmt::Display;

use xlayout::algebra::{Map, Source};

use super::{Derivation, Line};

impl Derivation {
    pub(super) fn step(&mut self, name: &'static str, map: &Map) {
        self.draw(name, map);
        self.line(name, map);
    }

    fn line(&mut self, name: &'static str, text: impl Display) {
        let text = text.to_string();
        self.lines.push(Line { name, text });
    }

    /// Adds a map to the picture only.
    pub(super) fn draw(&mut self, name: &'static str, map: &Map) {
        self.maps.push((name, *map));
    }

    pub(super) fn note(&mut self, text: impl Display) {
        self.notes.push(text.to_string());
        self.line("", text);
    }

    pub(super) fn result(&mut self, map: &Map) {
        self.step("result", map);
        if let Some(text) = cute(map) {
            self.line("CuTe", text);
        }
    }

    pub(super) fn answer(&mut self, text: impl Display) {
        self.answer.push(text.to_string());
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
