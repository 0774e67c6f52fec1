//! Bold and faint text, on a terminal only.

use std::io::IsTerminal;

#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub(crate) strong: &'static str,
    pub(crate) faint: &'static str,
    pub(crate) plain: &'static str,
}

impl Style {
    /// What suits the standard output. `NO_COLOR` turns it off.
    pub(crate) fn for_output() -> Self {
        if std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
            Self {
                strong: "\x1b[1m",
                faint: "\x1b[2m",
                plain: "\x1b[0m",
            }
        } else {
            Self {
                strong: "",
                faint: "",
                plain: "",
            }
        }
    }
}
