//! `xlayout explain`.

use std::io::Write;

use crate::failure::{Code, Failure, Outcome};

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments, _: &mut dyn Write) -> Outcome {
    Err(Failure::new(Code::Usage, "not built yet"))
}
