//! The picture as a page: the cell below the pointer says what it is, and the same element is marked wherever it
//! is drawn. The keyboard does the same: the arrows go from cell to cell.

use super::svg::Picture;
use super::xml::escaped;

const STYLE: &str = concat!(include_str!("dark.css"), include_str!("page.css"));
const SCRIPT: &str = include_str!("page.js");

impl Picture<'_> {
    /// One file that needs nothing else.
    pub(crate) fn html(&self) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{}</main>\n\
             <div id=\"words\" role=\"status\"></div>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            escaped(&self.title),
            self.svg()
        )
    }
}
