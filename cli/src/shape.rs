//! The shapes that people write on the command line.

use xlayout::{ArrayShape, Dyn};

use crate::failure::{Code, Failure, Outcome};

/// Reads an argument as an array with a layout; row-major where the text has no layout.
///
/// # Errors
/// With carets under the part of the text that is wrong.
pub(crate) fn read(origin: &str, text: &str) -> Outcome<Dyn> {
    let shape: ArrayShape = text
        .parse()
        .map_err(|error| Failure::of_text(&error, origin, text))?;
    Dyn::new(shape).map_err(|misfit| match misfit {
        xlayout::Misfit::Invalid(error) => Failure::of_text(&error, origin, text),
        other => Failure::new(Code::Usage, other),
    })
}
