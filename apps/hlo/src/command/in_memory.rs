//! Requests to `hlo` and its subcommands whose inputs are in memory, for the fuzz targets.

use super::arguments::Arguments;
use super::audit::arguments;
use super::console::Console;
use xlayout_command::table::plain;

/// The words behind `xlayout hlo`, parsed.
#[derive(Debug)]
pub struct Request(Arguments);

/// What the program answers, without colours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// What goes to stdout.
    pub text: String,
    /// The mistakes that are reported.
    pub told: Vec<String>,
    /// The error at the end. It is empty if the answer is "no".
    pub failure: Option<String>,
}

impl Request {
    /// Parses the words behind `xlayout hlo`. Each `-` among them is an input.
    #[must_use]
    pub fn new(words: &[&str]) -> Self {
        Self(arguments(words))
    }

    /// Answers as the program does.
    #[must_use]
    pub fn answer(&self, inputs: &[&[u8]]) -> Response {
        let console = Console::in_memory(inputs);
        let mut out = Vec::new();
        let done = super::run(&self.0, &console, &mut out);
        Response {
            text: plain(&String::from_utf8_lossy(&out)),
            told: console.told(),
            failure: done.err().map(|failure| plain(&failure.render())),
        }
    }
}
