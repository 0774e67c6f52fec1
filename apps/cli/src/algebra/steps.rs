//! The steps of a derivation, as text and as a picture.

use std::fmt::Display;

use xlayout::algebra::{Map, MapError};
use xlayout_view::Picture;

use super::{Memory, cute};
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
