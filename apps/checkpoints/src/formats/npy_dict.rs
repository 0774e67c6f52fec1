//! The dictionary in the header of a `.npy` file:
//! `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
//!
//! It is read as the equivalent JSON, which has the same length: `'` becomes `"`, parentheses
//! become brackets, `True` and `False` lose their capitals, and a comma before a bracket that
//! closes becomes a blank.

use serde::Deserialize;
use serde_json::value::RawValue;

pub(crate) const DAMAGED: &str = "NumPy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`; is the file damaged?";

/// The fields of a header: NumPy's type string, the order of the dimensions, their sizes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a dictionary")]
pub(crate) struct Fields<'a> {
    #[serde(borrow)]
    pub(crate) descr: &'a RawValue,
    #[serde(borrow)]
    pub(crate) fortran_order: &'a RawValue,
    #[serde(borrow)]
    pub(crate) shape: &'a RawValue,
}

/// The equivalent JSON of a dictionary of Python, with each byte at the same position.
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
