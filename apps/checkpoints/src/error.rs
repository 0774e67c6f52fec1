//! Errors: a message, the texts that it is about, and what to do.

pub use xlayout_words::error::{Error, Outcome, Remark, TextSpan};
