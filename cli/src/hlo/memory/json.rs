//! The answer as JSON.

use std::io::{self, Write};

use serde_json::json;
use xlayout_hlo::memory::Answer;

use crate::json::print;

pub(in super::super) fn write(out: &mut dyn Write, answers: &[Answer]) -> io::Result<()> {
    match answers {
        [one] => print(out, one),
        all => print(out, &json!({ "modules": all })),
    }
}
