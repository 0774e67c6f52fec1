//! The program `xlayout`; see the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    xlayout_cli::main()
}
