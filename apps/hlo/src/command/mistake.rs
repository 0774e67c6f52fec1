//! A place that could not be read, as a failure with a caret.

use std::path::Path;

use crate::{Excerpt, Mistake};

use xlayout_command::{Code, Failure, TextSpan};

/// The greatest column that gets a caret. For a place further to the right only the numbers are
/// printed.
const MOST_BLANKS: u64 = 1 << 14;

pub(super) fn failure(file: &Path, mistake: &Mistake) -> Failure {
    let Mistake { mark, message, .. } = mistake;
    let Excerpt { text, span } = &mistake.excerpt;
    let failure = Failure::new(Code::Answer, message);
    // The renderer counts columns in the text that it shows. Blanks replace the part that was cut
    // off, since it removes them again, but their number is limited.
    let shown = text[..span.start].chars().count() as u64;
    let failure = match mark.column.checked_sub(shown + 1) {
        Some(cut @ 0..MOST_BLANKS) => {
            let text = " ".repeat(cut as usize) + text;
            let span = span.start + cut as usize..span.end + cut as usize;
            failure.at(TextSpan::of_line(file, mark.line as usize, &text, span))
        }
        _ => {
            let place = match mark.line {
                // A proto has no lines.
                0 => String::new(),
                line => format!(", on line {line}, in column {}", mark.column),
            };
            let note = format!("it is in `{}`{place}", file.display());
            failure
                .at(TextSpan::of_argument("", text, span.clone()))
                .note(note)
        }
    };
    match &mistake.help {
        Some(help) => failure.help(help),
        None => failure,
    }
}

#[cfg(test)]
mod tests {
    use crate::Mark;

    use super::*;

    /// A place beyond all buffers is printed as numbers.
    #[test]
    fn a_place_far_to_the_right_has_its_column() {
        let mistake = |column| Mistake {
            mark: Mark {
                line: 1,
                column,
                offset: column - 1,
            },
            message: "`]` closes `{`".to_owned(),
            excerpt: Excerpt {
                text: "2 ]}".to_owned(),
                span: 2..3,
            },
            help: None,
        };
        let told = |column| {
            let text = failure(Path::new("x.hlo"), &mistake(column)).render();
            anstream::adapter::strip_str(&text).to_string()
        };
        assert!(told(40).contains("x.hlo:1:40"), "{}", told(40));
        let far = told(600_030);
        assert!(far.contains("on line 1, in column 600030"), "{far}");
    }
}
