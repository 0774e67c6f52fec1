//! Errors of the library as failures of a command.

use xlayout_command::{Code, Failure, TextSpan};

use crate::Error;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        if let Some((path, error)) = error.input.as_deref() {
            return Self::of_file("read", path, error);
        }
        let mut failure = Self::new(Code::File, &error.message);
        if let Some((file, number, line)) = error.line.as_deref() {
            failure = failure.at(TextSpan::of_line(file, *number, line, 0..line.len()));
        }
        failure = error.notes.iter().fold(failure, Self::note);
        error.helps.iter().fold(failure, Self::help)
    }
}

/// Errors of the library, printed one after the other.
pub(super) fn of_all(errors: Vec<Error>) -> Option<Failure> {
    errors.into_iter().map(Failure::from).reduce(Failure::and)
}
