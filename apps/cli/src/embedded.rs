//! The functions of the program that the Python package calls. Errors are texts of one line.

use std::ffi::OsString;
use std::path::Path;

use clap::Parser;
use serde_json::Value;
use xlayout::DynLayout;
use xlayout_view::Explanation;

pub use crate::callers::{Caller, in_words_of};
pub use crate::hlo::audit::Audit;

use crate::failure::Failure;
use crate::{draw, hlo};

/// Runs the program with these words, of which the first is its name. Returns the exit code.
#[must_use]
pub fn run(words: Vec<OsString>) -> u8 {
    crate::main_with(words)
}

/// Copies, memory and padding of the modules of an input, as text or as a proto, compressed or not. `shown` is its name.
///
/// # Errors
/// The error of `xlayout hlo` for an input that is not HLO.
pub fn audit(input: &[u8], shown: &Path) -> Result<Audit, String> {
    hlo::audit::audit(input, shown).map_err(|failure| failure.in_one_line())
}

/// The page that `xlayout hlo --html` writes.
///
/// # Errors
/// As [`audit`].
pub fn page(input: &[u8], shown: &Path) -> Result<String, String> {
    hlo::audit::page(input, shown).map_err(|failure| failure.in_one_line())
}

/// What `xlayout explain --json` prints.
#[must_use]
pub fn explained(layout: &DynLayout) -> Value {
    Explanation::of(layout).to_json()
}

/// The command line of `draw` alone.
#[derive(Parser)]
struct Draw {
    #[command(flatten)]
    arguments: draw::Arguments,
}

/// What `xlayout draw SHAPE --svg -` prints, with more arguments such as `--slice=0,:,:`.
///
/// # Errors
/// The error of `xlayout draw` for invalid arguments.
pub fn picture(shape: &str, more: &[String]) -> Result<String, String> {
    let words = ["draw", "--svg=-"].into_iter().map(str::to_owned);
    let words = words.chain(more.iter().cloned());
    let words = words.chain(["--".to_owned(), shape.to_owned()]);
    let draw = Draw::try_parse_from(words).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    let drawn = draw::run(&draw.arguments, &mut out);
    drawn.map_err(|failure: Failure| failure.in_one_line())?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}
