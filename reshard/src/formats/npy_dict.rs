//! The dictionary in the header of a `.npy` file: `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
//!
//! It is read as the JSON that says the same, which has the same length: `'` becomes `"`, parentheses become brackets,
//! `True` and `False` lose their capitals, and a comma before a bracket that closes becomes a blank.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::header::{Header, Value};
use crate::error::Outcome;

pub(crate) const DAMAGED: &str = "NumPy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`; is the file damaged?";

/// The most dimensions that NumPy's arrays have.
const MOST_DIMENSIONS: usize = 64;

/// What a header says.
pub(crate) struct Dictionary<'a> {
    /// NumPy's type string.
    pub(crate) descr: String,
    pub(crate) descr_value: Value<'a>,
    pub(crate) fortran_order: bool,
    pub(crate) shape: Vec<u64>,
    pub(crate) shape_value: Value<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a dictionary")]
struct Fields<'a> {
    #[serde(borrow)]
    descr: &'a RawValue,
    #[serde(borrow)]
    fortran_order: &'a RawValue,
    #[serde(borrow)]
    shape: &'a RawValue,
}

/// Reads a header.
///
/// # Errors
/// With carets in the header.
pub(crate) fn read<'a>(header: &Header<'a>) -> Outcome<Dictionary<'a>> {
    let fields: Fields<'_> = header.fields(header.json, "the header is not NumPy's")?;
    let (descr, shape) = (fields.descr, fields.shape);
    if descr.get().starts_with('[') {
        return Err(header
            .wrong(descr, "the elements are records with fields")
            .help("save each field as an array of its own: `np.save('field.npy', a['field'])`"));
    }
    let what = "`descr` is not the name of a type in quotes";
    let name: String = header.value(descr, what, DAMAGED)?;
    // What core reads begins with one of these marks.
    if !name.starts_with(['<', '>', '|', '=']) || !name.is_ascii() {
        let message = format!("`{}` is no type of NumPy's", name.escape_debug());
        let help = "NumPy writes types as `<f4`, `>i8` or `|b1`; is the file damaged?";
        return Err(header.wrong(descr, message).help(help));
    }
    let what = "`shape` is no tuple of sizes below 2^64";
    let sizes: Vec<u64> = header.value(shape, what, DAMAGED)?;
    if sizes.len() > MOST_DIMENSIONS {
        let message = format!("there are more than {MOST_DIMENSIONS} dimensions");
        let help = "NumPy's arrays have no more; is the file damaged?";
        return Err(header.wrong(shape, message).help(help));
    }
    let what = "`fortran_order` is neither `True` nor `False`";
    Ok(Dictionary {
        descr: name,
        descr_value: descr,
        fortran_order: header.value(fields.fortran_order, what, DAMAGED)?,
        shape: sizes,
        shape_value: shape,
    })
}

/// The JSON that says the same as a dictionary of Python, byte for byte in the same place.
pub(crate) fn as_json(python: &str) -> String {
    let mut json = String::with_capacity(python.len());
    let mut quote = None;
    for c in python.chars() {
        let as_json = match (quote, c) {
            (None, '\'' | '"') => {
                quote = Some(c);
                '"'
            }
            (Some(open), _) if c == open => {
                quote = None;
                '"'
            }
            (Some(_), _) => c,
            (None, '(') => '[',
            (None, ')' | '}') => {
                let before = json.trim_end().len();
                if json[..before].ends_with(',') {
                    json.replace_range(before - 1..before, " ");
                }
                if c == ')' { ']' } else { c }
            }
            (None, 'T') => 't',
            (None, 'F') => 'f',
            // Python 2 wrote `3L`.
            (None, 'L') if json.ends_with(|c: char| c.is_ascii_digit()) => ' ',
            (None, _) => c,
        };
        json.push(as_json);
    }
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionaries_of_python_become_json_of_the_same_length() {
        for (python, json) in [
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
                "{\"descr\": \"<f4\", \"fortran_order\": false, \"shape\": [2, 3]  }",
            ),
            (
                "{'a': (3L, 4L,), \"b\": True}",
                "{\"a\": [3 , 4  ], \"b\": true}",
            ),
            ("('(F,)',)", "[\"(F,)\" ]"),
        ] {
            assert_eq!(as_json(python), json);
            assert_eq!(python.len(), json.len());
        }
    }
}
