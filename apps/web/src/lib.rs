//! What the playground asks, and the answers: JSON in and out, without a browser.
//!
//! ```text
//! request: {"ask": "layout", "fields": {"text": "f32[2,3]{0,1}", "sizes": "", …}}
//!          a newline and the bytes of a module, if it asks for one
//! answer:  {"answer": {…}, "behind": "svg"}, a newline and the text of that key, which is long
//!          or {"errors": [{"message", "places", "remarks", "fixes", "fields"}]}
//! ```
//!
//! | module | what it does |
//! |---|---|
//! | `request` | the fields of the page, and what is read of them |
//! | `answers` | what is shown for each part of the page |
//! | `errors` | mistakes, and the texts that would be right |
//! | `exports` | the functions that the browser calls |

mod answers;
mod errors;
mod exports;
mod request;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use request::Request;

/// Answers a request.
///
/// ```
/// let request = r#"{"ask": "layout", "fields": {"text": "f32[2,3]{0,1}"}}"#;
/// assert!(xlayout_web::answer(request.as_bytes()).contains("layout!(f32[2,3]{0,1})"));
/// ```
#[must_use]
pub fn answer(input: &[u8]) -> String {
    let request = match Request::read(input) {
        Ok(request) => request,
        Err(mistakes) => return json!({"errors": errors::plain(&mistakes)}).to_string(),
    };
    match answers::of(&request) {
        Ok(answer) => with_text(answer),
        Err(mistakes) => json!({"errors": errors::of(&request, &mistakes)}).to_string(),
    }
}

/// An answer, with its picture or its page behind it: as JSON they would be written and read letter
/// by letter.
fn with_text(mut answer: Value) -> String {
    let keys = ["svg", "page"].into_iter();
    let found = keys.filter_map(|key| match answer.get_mut(key)?.take() {
        Value::String(text) => Some((key, text)),
        _ => None,
    });
    let found: Vec<_> = found.collect();
    match found.as_slice() {
        [(key, text)] => format!("{}\n{text}", json!({"answer": answer, "behind": key})),
        _ => json!({"answer": answer}).to_string(),
    }
}
