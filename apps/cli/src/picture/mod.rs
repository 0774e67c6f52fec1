//! Pictures on the command line: how much they show, the colours of the terminal, and the files
//! that they are written to.

pub(crate) mod files;
pub(crate) mod limits;
pub(crate) mod palette;
