//! What the first line of a module says of its ENTRY computation.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use xlayout::shape::Shape;
use xlayout::shape::text::read_shape_prefix;
use xlayout::{DynLayout, ParseError};

/// The arrays that a program takes, and the one that it gives.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) parameters: Vec<DynLayout>,
    pub(crate) result: DynLayout,
}

impl Entry {
    /// Reads the first line of a file.
    ///
    /// # Errors
    /// When the file cannot be read, or is no module whose parameters and result are arrays.
    pub(crate) fn of_file(path: &Path) -> Result<Self, String> {
        let line = first_line(path).map_err(|error| error.to_string())?;
        Self::of_line(&line)
    }

    /// Reads `entry_computation_layout={(PARAMETERS)->RESULT}`.
    fn of_line(line: &str) -> Result<Self, String> {
        const BEGIN: &str = "entry_computation_layout={";
        let at = line.find(BEGIN).ok_or_else(|| {
            format!("there is no `{BEGIN}` in its first line: is this a compiled module?")
        })?;
        let text = &line[at + BEGIN.len()..];
        // A list of parameters has the form of a tuple; whatever follows it is not looked at.
        let told = |text: &str, error: &ParseError| error.render(text).to_string();
        let (parameters, end) = read_shape_prefix(text).map_err(|error| told(text, &error))?;
        let text = (text[end..].strip_prefix("->")).ok_or("there is no `->` and result")?;
        let (result, _) = read_shape_prefix(text).map_err(|error| told(text, &error))?;
        let Shape::Tuple(parameters) = parameters else {
            return Err("the parameters are no list".to_owned());
        };
        let parameters = parameters.iter().map(array).collect::<Result<_, _>>()?;
        Ok(Self {
            parameters,
            result: array(&result)?,
        })
    }
}

fn array(shape: &Shape) -> Result<DynLayout, String> {
    let array = shape.as_array().cloned();
    let array = array.ok_or_else(|| format!("{shape} is no array"))?;
    DynLayout::new(array).map_err(|layout_error| layout_error.to_string())
}

fn first_line(path: &Path) -> io::Result<String> {
    // No module begins with a longer line, and what is none may have no lines at all.
    let mut file = BufReader::new(File::open(path)?.take(1 << 20));
    let mut line = String::new();
    file.read_line(&mut line)?;
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_result_are_read() {
        let line = "HloModule m, entry_computation_layout={(f32[2,3]{1,0}, /*index=1*/u32[]{:S(2)})\
                    ->bf16[5]{0:T(1024)(128)(2,1)}}, num_partitions=1";
        let entry = Entry::of_line(line).unwrap();
        let parameters: Vec<_> = entry.parameters.iter().map(ToString::to_string).collect();
        assert_eq!(parameters, ["f32[2,3]{1,0}", "u32[]{:S(2)}"]);
        assert_eq!(entry.result.to_string(), "bf16[5]{0:T(1024)(128)(2,1)}");
        let nothing = Entry::of_line("HloModule m, entry_computation_layout={()->s8[]}").unwrap();
        assert!(nothing.parameters.is_empty());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("", "compiled module"),
            ("(f33[2]{0})->f32[]", "f33"),
            ("(f32[2]{1})->f32[]", "^"),
            ("(f32[2]{0})", "`->`"),
            ("(f32[2]{0})->(f32[], f32[])", "no array"),
            ("f32[2]->f32[]", "no list"),
            ("(f32[?])->f32[]", "?"),
        ] {
            let begin = if text.is_empty() {
                ""
            } else {
                "entry_computation_layout={"
            };
            let error = Entry::of_line(&format!("{begin}{text}}}")).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(Entry::of_file(Path::new("no/such/file")).is_err());
    }

    #[test]
    fn the_modules_of_the_examples_are_read() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        let entry = Entry::of_file(&data.join("int8_matmul.v5e.hlo")).unwrap();
        assert_eq!(entry.parameters.len(), 2);
    }
}
