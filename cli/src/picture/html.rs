//! The picture as a page: the cell below the pointer says what it is, and the same element is marked wherever it
//! is drawn. The keyboard does the same: the arrows go from cell to cell.

use super::svg::Picture;
use super::xml::escaped;

const DARK: &str = include_str!("dark.css");

/// A page with what it needs. All pages are dark where the reader's others are.
pub(crate) fn page(title: &str, style: &str, body: &str, script: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{DARK}{style}</style>\n</head>\n<body>\n{body}<script>\n{script}</script>\n</body>\n</html>\n"
    )
}

impl Picture<'_> {
    /// One file that needs nothing else.
    pub(crate) fn html(&self) -> String {
        let svg = self.svg();
        let body = format!("<main>\n{svg}</main>\n<div id=\"words\" role=\"status\"></div>\n");
        let (style, script) = (include_str!("page.css"), include_str!("page.js"));
        page(&self.title, style, &body, script)
    }
}
