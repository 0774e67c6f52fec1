//! Pictures of arrays: what is drawn, apart from how.
//!
//! | module | what |
//! |---|---|
//! | [`tiles`], [`window`], [`slices`] | where tiles begin; which rows, columns and slices are shown |
//! | [`panel`] | one array: its grids of cells, its memory in sequence, its captions |
//! | [`colour`] | the colour of a place |
//! | [`terminal`], [`svg`], [`html`] | panels as text, as a picture, as a page |
//!
//! The work grows with what is shown, never with the array.

pub(crate) mod colour;
pub(crate) mod files;
pub(crate) mod html;
pub(crate) mod panel;
pub(crate) mod slices;
pub(crate) mod svg;
pub(crate) mod terminal;
pub(crate) mod tiles;
pub(crate) mod window;
pub(crate) mod xml;
