//! The picture as a page. It describes the cell below the pointer, and marks the same element in
//! all panels. The arrow keys move from cell to cell.

use super::Picture;
use super::xml::escaped;

const DARK: &str = include_str!("dark.css");

/// A self-contained page with this style, body and script. It is dark if the browser prefers dark
/// pages.
#[must_use]
pub fn page(title: &str, style: &str, body: &str, script: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{DARK}{style}</style>\n</head>\n<body>\n{body}<script>\n{script}</script>\n</body>\n</html>\n"
    )
}

impl Picture {
    /// The page as one self-contained file.
    pub(super) fn html(&self) -> String {
        let svg = self.svg();
        // On a phone the picture is wider than the page, which would cut the sentences in it.
        let sentences = escaped(&self.sentences());
        let body = format!(
            "<p class=\"narrow\" aria-hidden=\"true\">{sentences}</p>\n<main>\n{svg}</main>\n\
             <div id=\"words\" role=\"status\"></div>\n"
        );
        let style = concat!(include_str!("page.css"), include_str!("narrow.css"));
        let script = include_str!("page.js").to_owned()
            + "watch(document.querySelector(\"svg\"), document.getElementById(\"words\"));\n";
        page(&self.title, style, &body, &script)
    }
}
