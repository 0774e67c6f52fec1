//! The shapes that people write on the command line.

use xlayout::text::{Rules, read_array};
use xlayout::{Dyn, LaidOut, Misfit, Shape};

use crate::failure::{Code, Failure, Outcome, Place};

/// XLA's notation and ours; and what cannot be addressed is a mistake of the text, with a place.
const RULES: Rules = Rules {
    notation: xlayout::text::Notation::Extended,
    addressable: true,
};

/// Reads an argument as an array with a layout; row-major where the text has no layout.
///
/// # Errors
/// All mistakes of the text, each with carets under it, and a size that is known at run time only.
pub(crate) fn read(origin: &str, text: &str) -> Outcome<Dyn> {
    let mut failure: Option<Failure> = None;
    let shape = read_array(text, RULES, &mut |error| {
        let next = Failure::of_text(&error, origin, text);
        failure = Some(match failure.take() {
            Some(before) => before.and(next),
            None => next,
        });
    });
    let Some(shape) = shape else {
        let failure = failure.unwrap_or_else(|| {
            Failure::new(Code::Usage, "this is no shape").at(whole(origin, text))
        });
        return Err(after_braces(failure, text));
    };
    Dyn::new(shape).map_err(|misfit| of_misfit(&misfit, origin, text))
}

/// Reads an argument as any shape of XLA's: an array, a tuple, a buffer, …
///
/// # Errors
/// As [`read`]; of a tuple the first mistake.
pub(crate) fn read_any(origin: &str, text: &str) -> Outcome<Shape> {
    let start = text.trim_start();
    let tuple_or_other = ["(", "b(", "token", "opaque"];
    if !tuple_or_other.iter().any(|head| start.starts_with(head)) {
        return read(origin, text).map(|array| Shape::Array(array.shape()));
    }
    text.parse()
        .map_err(|error| Failure::of_text(&error, origin, text))
}

/// Why a shape has no lowered layout.
pub(crate) fn of_misfit(misfit: &Misfit, origin: &str, text: &str) -> Failure {
    match misfit {
        Misfit::Invalid(error) => Failure::of_text(error, origin, text),
        Misfit::Lower(xlayout::LowerError::Unbounded) => {
            let at = text.find('?').map_or(0..text.len(), |at| at..at + 1);
            Failure::new(Code::Usage, "the size of a dimension is not known")
                .at(Place::of_argument(origin, text, at).label("only the run time knows this size"))
                .help("write a size such as `8`, or `<=8` for one that changes and is at most 8")
        }
        other => Failure::new(Code::Usage, other).at(whole(origin, text)),
    }
}

fn whole(origin: &str, text: &str) -> Place {
    Place::of_argument(origin, text, 0..text.len())
}

/// Says it where a text looks as if a shell had taken its braces away: `f32[2,3]1`.
fn after_braces(failure: Failure, text: &str) -> Failure {
    let tail = text.rsplit_once(']').map_or("", |parts| parts.1);
    let number = !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit());
    if !number || text.matches('[').count() != 1 {
        return failure;
    }
    failure.help("if you wrote braces, the shell took them away: put the shape in quotes, as in 'f32[2,3]{1,0}'")
}
