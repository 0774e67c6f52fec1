//! Pictures of arrays: what is drawn, apart from how.
//!
//! | module | what |
//! |---|---|
//! | [`tiles`], [`window`], [`slices`], [`limits`] | where tiles begin; which rows, columns and slices are shown |
//! | [`panel`], [`subject`], [`captions`] | one array: its grids of cells, its memory in sequence, its words; made from a layout |
//! | [`colour`], [`scale`] | a colour, and which place has it |
//! | [`terminal`], [`svg`], [`html`] | panels as text, as a picture, as a page |
//! | [`files`] | pictures written |
//!
//! The work grows with what is shown, never with the array.

pub(crate) mod captions;
pub(crate) mod colour;
pub(crate) mod files;
pub(crate) mod html;
pub(crate) mod limits;
pub(crate) mod panel;
pub(crate) mod scale;
pub(crate) mod slices;
pub(crate) mod subject;
pub(crate) mod svg;
pub(crate) mod terminal;
pub(crate) mod window;
pub(crate) mod xml;
