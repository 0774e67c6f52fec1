//! Where a sharding comes from.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter, Write as _};

/// Where in the user's program an instruction, or a sharding, comes from (XLA: `OpMetadata`).
/// What is empty or 0 is not known.
///
/// Printed as XLA prints it, without the braces around it.
///
/// ```
/// use xlayout_sharding::OpMetadata;
///
/// let metadata = OpMetadata {
///     op_name: "jit(f)/dot".into(),
///     source_line: 7,
///     ..OpMetadata::default()
/// };
/// assert_eq!(metadata.to_string(), r#"op_name="jit(f)/dot" source_line=7"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpMetadata {
    /// The framework's kind of operation, such as `Softmax`.
    pub op_type: String,
    /// The user's name of the operation.
    pub op_name: String,
    /// The file of the user's program.
    pub source_file: String,
    /// The line in that file.
    pub source_line: i32,
    /// The line where the source ends.
    pub source_end_line: i32,
    /// The column where the source begins.
    pub source_column: i32,
    /// The column where the source ends.
    pub source_end_column: i32,
    /// Retired: the numbers of `ProfileType`s.
    pub profile_type: Vec<i32>,
    /// The name that the instruction shares with its duplicates.
    pub deduplicated_name: String,
    /// The name that scheduling gave.
    pub scheduling_name: String,
    /// The number of the stack frame in the module's table, from 1.
    pub stack_frame_id: i32,
    /// The bytes of the code that was made for the instruction. Not in the text.
    pub size_of_generated_code_in_bytes: i64,
    /// The bytes of fast memory that the instruction uses. Not in the text.
    pub size_of_memory_working_set_in_bytes: i64,
    /// What a profile said about the instruction. Not in the text.
    pub profile_info: Option<ProfileInfo>,
}

/// What a profile said about an instruction (XLA: `OpMetadata::ProfileInfo`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileInfo {
    /// The numbers of `ProfileType`s.
    pub profile_type: Vec<i32>,
    /// How much faster the tuned configuration is than the default one.
    pub relative_speedup: f64,
    /// The number of a `ProfileSource`.
    pub profile_source: i32,
    /// The number of a `CompilationEvent`.
    pub compilation_event: i32,
    /// The number of a `ProfileGenerationStrategy`.
    pub profile_generation_strategy: i32,
}

/// An attribute in the text: a reference to its value, shared or mutable.
pub(crate) enum Attribute<Text, Number, Numbers> {
    Text(Text),
    Number(Number),
    Numbers(Numbers),
}

/// The attributes of the text with their names, in the sequence in which XLA prints them.
macro_rules! attributes {
    ($metadata:ident $($mutable:ident)?) => {
        attributes!($metadata ($($mutable)?)
            Text op_type, Text op_name, Text source_file,
            Number source_line, Number source_end_line,
            Number source_column, Number source_end_column,
            Numbers profile_type, Text deduplicated_name, Text scheduling_name,
            Number stack_frame_id)
    };
    ($metadata:ident $mutable:tt $($kind:ident $name:ident),*) => {
        [$(attributes!(@row $metadata $mutable $kind $name)),*]
    };
    (@row $metadata:ident ($($mutable:ident)?) $kind:ident $name:ident) => {
        (stringify!($name), Attribute::$kind(&$($mutable)? $metadata.$name))
    };
}

impl OpMetadata {
    /// The attribute of this name.
    pub(crate) fn attribute_mut(
        &mut self,
        name: &str,
    ) -> Option<Attribute<&mut String, &mut i32, &mut Vec<i32>>> {
        let mut rows = attributes!(self mut).into_iter();
        rows.find_map(|row| (row.0 == name).then_some(row.1))
    }
}

impl Display for OpMetadata {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut blank = "";
        for (name, attribute) in attributes!(self) {
            match attribute {
                Attribute::Text(text) if !text.is_empty() => {
                    write!(f, "{blank}{name}=")?;
                    escape(f, text)?;
                }
                Attribute::Number(number) if *number != 0 => write!(f, "{blank}{name}={number}")?,
                Attribute::Numbers(numbers) if !numbers.is_empty() => {
                    write!(f, "{blank}{name}={{")?;
                    xlayout_shape::words::joined(f, numbers, ",")?;
                    f.write_char('}')?;
                }
                _ => continue,
            }
            blank = " ";
        }
        Ok(())
    }
}

/// In quotes, as absl's `CEscape`: what is not printable ASCII becomes three octal digits for each
/// byte.
fn escape(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    for byte in text.bytes() {
        match byte {
            b'\n' => f.write_str("\\n")?,
            b'\r' => f.write_str("\\r")?,
            b'\t' => f.write_str("\\t")?,
            b'"' | b'\'' | b'\\' => write!(f, "\\{}", char::from(byte))?,
            0x20..=0x7e => f.write_char(char::from(byte))?,
            _ => write!(f, "\\{byte:03o}")?,
        }
    }
    f.write_char('"')
}

/// Unescapes the text between the quotes as absl's `CUnescape` does. `None` for an invalid escape,
/// and if the result is not UTF-8.
pub(crate) fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let escaped = rest.next()?;
        bytes.push(match escaped {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'"' | b'\'' | b'\\' | b'?' => escaped,
            b'0'..=b'7' => {
                let mut value = u32::from(escaped - b'0');
                for _ in 0..2 {
                    if let Some(digit) = rest.next_if(|b| (b'0'..=b'7').contains(b)) {
                        value = value * 8 + u32::from(digit - b'0');
                    }
                }
                u8::try_from(value).ok()?
            }
            b'x' | b'X' => {
                let mut value = 0;
                rest.peek().filter(|digit| digit.is_ascii_hexdigit())?;
                while let Some(digit) = rest.next_if(u8::is_ascii_hexdigit) {
                    value = value * 16 + char::from(digit).to_digit(16)?;
                    u8::try_from(value).ok()?;
                }
                value as u8
            }
            b'u' => {
                let digits: Option<String> = (0..4).map(|_| rest.next().map(char::from)).collect();
                let digits = digits?;
                if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                    return None;
                }
                let c = char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?;
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            _ => return None,
        });
    }
    String::from_utf8(bytes).ok()
}
