//! Finding the arrays in the text of a module, one line at a time.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};

use xlayout::text::read_shape_prefix;
use xlayout::{ArrayShape, Dyn, Error, PrimitiveType, Shape};

/// A line longer than this is not read: no compiler prints one, and a binary file may have it.
const LONGEST_LINE: u64 = 64 << 20;
/// So many mistakes are kept to be shown; all are counted.
const MOST_SHOWN: usize = 5;

/// What a module mentions.
#[derive(Default)]
pub(crate) struct Module {
    /// The name that stands in its first line.
    pub(crate) name: Option<String>,
    pub(crate) lines: usize,
    /// The distinct arrays that have a layout, in the sequence of the text.
    pub(crate) arrays: Vec<Array>,
    /// How many arrays are mentioned without a layout.
    pub(crate) without_layout: usize,
    /// How often an array has a layout, but a size that only the run time knows (`?`).
    pub(crate) without_size: usize,
    /// How many places could not be read, and the first of them.
    pub(crate) mistakes: usize,
    pub(crate) first_mistakes: Vec<Mistake>,
    last_mistake: (usize, usize),
    places: HashMap<ArrayShape, usize>,
}

pub(crate) struct Array {
    pub(crate) layout: Dyn,
    /// How often the text mentions it.
    pub(crate) times: usize,
}

/// Text that could not be read, and where it stands; both count from 1.
pub(crate) struct Mistake {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: String,
}

impl Module {
    /// Reads a module. What cannot be read is noted among the mistakes and does not stop it.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn read(mut text: impl BufRead) -> io::Result<Self> {
        let mut module = Self::default();
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = (&mut text)
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(module);
            }
            module.lines += 1;
            if read as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
                module.note(
                    1,
                    "error: the line is longer than 64 MiB and was not read".to_owned(),
                );
                text.skip_until(b'\n')?;
                continue;
            }
            match str::from_utf8(&line) {
                Ok(line) => module.line(line.trim_end()),
                Err(error) => {
                    let (text, rest) = line.split_at(error.valid_up_to());
                    let column = String::from_utf8_lossy(text).chars().count() + 1;
                    let byte = rest.first().copied().unwrap_or_default();
                    module.note(
                        column,
                        format!("error: the byte 0x{byte:02x} is not UTF-8 text, so the line was not read"),
                    );
                }
            }
        }
    }

    fn note(&mut self, column: usize, message: String) {
        self.mistakes += 1;
        self.last_mistake = (self.lines, column);
        if self.first_mistakes.len() < MOST_SHOWN {
            self.first_mistakes.push(Mistake {
                line: self.lines,
                column,
                message,
            });
        }
    }

    /// Notes an error about the text that begins at `start`, once; answers where it ends.
    fn note_error(&mut self, line: &str, start: usize, error: &Error) -> usize {
        let span = error.span().unwrap_or(0..0);
        let column = column(line, start + span.start);
        if self.last_mistake != (self.lines, column) {
            self.note(column, error.render(&line[start..]).to_string());
        }
        start + span.end
    }

    fn line(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("HloModule ")
            && self.name.is_none()
        {
            self.name = rest.split(',').next().map(|name| name.trim().to_owned());
        }
        // Where the grammar wants a shape there must be one, with whatever element type.
        if let Some(start) = result_of_instruction(line)
            && let Err(error) = read_shape_prefix(&line[start..])
        {
            self.note_error(line, start, &error);
        }
        // Everywhere, in a tuple, an instruction or a signature, an element type and `[` begin an
        // array.
        let mut at = 0;
        while let Some(start) = next_array(line, at) {
            at = match read_shape_prefix(&line[start..]) {
                Ok((Shape::Array(shape), len)) => {
                    // The reader gives an array without a layout the default one.
                    if line[..start + len].ends_with('}') {
                        self.count(line, start, shape);
                    } else {
                        self.without_layout += 1;
                    }
                    start + len
                }
                Ok((_, len)) => start + len,
                // Behind the mistake, but behind the element type at least.
                Err(error) => self.note_error(line, start, &error).max(start + 1),
            };
        }
    }

    fn count(&mut self, line: &str, start: usize, shape: ArrayShape) {
        if let Some(&place) = self.places.get(&shape) {
            self.arrays[place].times += 1;
            return;
        }
        if shape.is_unbounded_dynamic() {
            self.without_size += 1;
            return;
        }
        match Dyn::new(shape.clone()) {
            Ok(layout) => {
                self.places.insert(shape, self.arrays.len());
                self.arrays.push(Array { layout, times: 1 });
            }
            Err(misfit) => {
                self.note(
                    column(line, start),
                    format!("error: no memory for {shape}: {misfit}"),
                );
            }
        }
    }
}

/// The column of a byte of the line, in characters from 1.
fn column(line: &str, at: usize) -> usize {
    line.char_indices()
        .take_while(|&(start, _)| start < at)
        .count()
        + 1
}

/// Where the shape of an instruction's result begins: behind `%name = `.
fn result_of_instruction(line: &str) -> Option<usize> {
    let text = line.trim_start();
    let text = text.strip_prefix("ROOT ").unwrap_or(text);
    let name = text.bytes().take_while(|&byte| is_word(byte)).count();
    let shape = text[name..].strip_prefix(" = ")?;
    (name > 0).then(|| line.len() - shape.len())
}

/// The next place at or behind `at` where an array begins: the name of an element type right
/// before a `[`, outside strings and comments.
fn next_array(line: &str, mut at: usize) -> Option<usize> {
    let bytes = line.as_bytes();
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest[0] == b'"' {
            at += 1 + string_len(&rest[1..]);
        } else if rest.starts_with(b"/*") {
            at = line[at..]
                .find("*/")
                .map_or(bytes.len(), |end| at + end + 2);
        } else if rest.starts_with(b"//") {
            return None;
        } else if is_word(rest[0]) {
            let len = rest.iter().take_while(|&&byte| is_word(byte)).count();
            let is_type = PrimitiveType::from_name(&line[at..at + len]).is_some();
            if is_type && rest.get(len) == Some(&b'[') {
                return Some(at);
            }
            at += len;
        } else {
            at += 1;
        }
    }
    None
}

/// The length of a string's text and its closing quote.
fn string_len(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

/// What names in HLO are made of. Letters beyond ASCII are passed over byte by byte.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.-%@#$".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Module {
        Module::read(text.as_bytes()).unwrap()
    }

    fn arrays(module: &Module) -> Vec<(String, usize)> {
        module
            .arrays
            .iter()
            .map(|a| (a.layout.to_string(), a.times))
            .collect()
    }

    #[test]
    fn arrays_stand_in_instructions_tuples_and_signatures() {
        let module = read(
            "HloModule jit_f, entry_computation_layout={(f32[2,3]{1,0})->(f32[2,3]{0,1}, /*index=1*/u32[]{:S(2)})}\n\
             \n\
             %f (p: f32[2,3]) -> f32[2,3] {\n\
             \x20 %p = f32[2,3]{1,0} parameter(0), metadata={op_name=\"not f32[9]{0}, \\\" nor s8[9]{0}\"}\n\
             \x20 ROOT t = (f32[2,3]{0,1}, token[], u32[]{:S(2)}) tuple(%p), sharding={devices=[2,1]<=[2]}\n\
             }",
        );
        assert_eq!(module.name.as_deref(), Some("jit_f"));
        assert_eq!(
            (module.lines, module.without_layout, module.mistakes),
            (6, 2, 0)
        );
        let expected = [
            ("f32[2,3]{1,0}", 2),
            ("f32[2,3]{0,1}", 2),
            ("u32[]{:S(2)}", 2),
        ];
        assert_eq!(
            arrays(&module),
            expected.map(|(text, times)| (text.to_owned(), times))
        );
    }

    #[test]
    fn mistakes_are_noted_and_do_not_stop() {
        let module = read(
            "%a = fp32[2,3]{1,0} parameter(0)\n\
             %b = (s8[4]{0}, s8[2,3]{0}) tuple(), x=s8[4]{0}\n\
             %c = s8[4]{0} add(s8[4]{7} %a, s8[4]{0} %a)\n\
             %d = s8[4",
        );
        let places: Vec<_> = module
            .first_mistakes
            .iter()
            .map(|m| (m.line, m.column))
            .collect();
        assert_eq!(places, [(1, 6), (2, 24), (3, 25), (4, 8)]);
        assert_eq!(arrays(&module), [("s8[4]{0}".to_owned(), 4)]);
    }

    #[test]
    fn whatever_the_bytes_nothing_panics() {
        let samples: [&[u8]; 7] = [
            b"",
            b"\n\n",
            b"\xff\xfe f32[2]{0}\n",
            b"\"f32[",
            b"/* f32[2]{0}",
            b"%\xc3\xa9 = f32[2]{0} \\",
            b" = ",
        ];
        for sample in samples {
            let module = Module::read(sample).unwrap();
            assert_eq!(module.arrays.len(), usize::from(sample.starts_with(b"%")));
        }
        let module = include_bytes!("../data/int8_matmul.v5e.hlo");
        for end in (0..module.len()).step_by(7) {
            assert!(Module::read(&module[..end]).unwrap().mistakes <= 1);
        }
    }
}
