//! The commands `convert` and `reshard` of the program `xlayout`.

mod convert;
mod reshard;
mod signals;

use xlayout_command::Command;

/// The commands `convert` and `reshard`.
#[must_use]
pub fn all() -> [Command; 2] {
    let texts = xlayout_command::texts! {
        convert convert_from convert_to convert_opaque reshard reshard_plan reshard_run reshard_verify
    };
    let convert = "Convert files of arrays from one layout to another";
    let reshard = "Bring a checkpoint into other shardings and layouts, on any number of machines";
    [
        Command::new("convert", convert, &texts, convert::run),
        Command::new("reshard", reshard, &texts, reshard::run),
    ]
}
