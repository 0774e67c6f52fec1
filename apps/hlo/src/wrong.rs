//! A mistake in a part of a module.

use std::borrow::Cow;
use std::ops::Range;

use xlayout_words::shortened;

/// What is wrong with a part, and how to correct it.
pub(crate) struct Wrong {
    pub(crate) message: String,
    /// The help; may be empty.
    pub(crate) help: Cow<'static, str>,
    /// The range of the text that is wrong; `None` means all of it.
    pub(crate) span: Option<Range<usize>>,
}

impl Wrong {
    pub(crate) fn new(message: String, help: &'static str) -> Self {
        Self {
            message,
            help: help.into(),
            span: None,
        }
    }

    pub(crate) fn twice(what: &str, name: &str) -> Self {
        let name = shortened(name, 60);
        Self::new(format!("two {what} are named `{name}`"), "")
    }

    /// The error if a table has no number left.
    pub(crate) fn too_many(what: &str) -> Self {
        let message = format!("the instructions up to here have more than 2^32 {what}");
        let help = "a module of more than 16 GB is read by `xlayout hlo` alone";
        Self::new(message, help)
    }

    pub(crate) fn missing(what: &str, name: &str) -> Self {
        let name = shortened(name, 60);
        let help = "XLA prints what is used above what uses it: was a part left out?";
        Self::new(format!("no {what} is named `{name}`"), help)
    }
}
