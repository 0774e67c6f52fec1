//! What the languages differ in.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// A language that code is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// `const fn`s.
    Rust,
    /// C99, also C++.
    C,
    /// CUDA and HIP.
    Cuda,
    /// The language of WebGPU's shaders.
    Wgsl,
    /// Affine maps of MLIR.
    Mlir,
    /// Python, with integers or NumPy's arrays of integers.
    Python,
}

/// Which operators there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operators {
    /// Shifts and bit operations, and local names.
    Bits,
    /// `+ - * floordiv mod` alone, and no names.
    Affine,
}

/// How a language writes things.
pub(crate) struct Syntax {
    pub(crate) comment: &'static str,
    pub(crate) operators: Operators,
    /// Whether a program stops where a number overflows, so that it has to call for what wraps.
    pub(crate) stops: bool,
    /// Whether numbers have a width.
    pub(crate) has_width: bool,
    pub(crate) divide: &'static str,
    pub(crate) remainder: &'static str,
    /// What the name of an index begins with.
    pub(crate) argument: &'static str,
    /// The name of the linear index.
    pub(crate) linear: &'static str,
    /// A number, in a program whose numbers have this width.
    pub(crate) number: fn(u64, u32) -> String,
    pub(crate) function: fn(&FunctionText<'_>) -> String,
}

/// A function that a language writes out.
pub(crate) struct FunctionText<'a> {
    pub(crate) bits: u32,
    pub(crate) name: &'a str,
    pub(crate) arguments: &'a [String],
    /// Whether the function needs the argument.
    pub(crate) unused: Vec<bool>,
    /// Names and values.
    pub(crate) locals: Vec<(String, String)>,
    pub(crate) results: Vec<String>,
    /// How many locals, from the first one on, each result needs.
    pub(crate) needed: Vec<usize>,
    /// Whether the result is a list, also where it has one entry.
    pub(crate) is_list: bool,
}

const BITS: Syntax = Syntax {
    comment: "//",
    operators: Operators::Bits,
    stops: false,
    has_width: true,
    divide: "/",
    remainder: "%",
    argument: "i",
    linear: "linear",
    number: |value, _| value.to_string(),
    function: rust,
};

impl Language {
    /// All languages.
    pub const ALL: [Self; 6] = [
        Self::Rust,
        Self::C,
        Self::Cuda,
        Self::Wgsl,
        Self::Mlir,
        Self::Python,
    ];

    /// Its name, as its users write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rust => "Rust",
            Self::C => "C",
            Self::Cuda => "CUDA",
            Self::Wgsl => "WGSL",
            Self::Mlir => "MLIR",
            Self::Python => "Python",
        }
    }

    pub(crate) const fn default_bits(self) -> u32 {
        match self {
            Self::Cuda | Self::Wgsl => 32,
            Self::Rust | Self::C | Self::Mlir | Self::Python => 64,
        }
    }

    pub(crate) const fn syntax(self) -> Syntax {
        match self {
            Self::Rust => Syntax {
                stops: true,
                ..BITS
            },
            Self::C => Syntax {
                number: c_number,
                function: |text| c("static inline", text),
                ..BITS
            },
            Self::Cuda => Syntax {
                number: c_number,
                function: |text| c("__host__ __device__ inline", text),
                ..BITS
            },
            Self::Wgsl => Syntax {
                number: |value, _| format!("{value}u"),
                function: wgsl,
                ..BITS
            },
            Self::Mlir => Syntax {
                operators: Operators::Affine,
                has_width: false,
                divide: "floordiv",
                remainder: "mod",
                argument: "d",
                linear: "d0",
                function: mlir,
                ..BITS
            },
            Self::Python => Syntax {
                comment: "#",
                has_width: false,
                divide: "//",
                function: python,
                ..BITS
            },
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn lines(locals: &[(String, String)], line: impl Fn(&str, &str) -> String) -> String {
    let lines = locals.iter().map(|(name, value)| line(name, value) + "\n");
    lines.collect()
}

fn list(entries: &[String], entry: impl Fn(&str) -> String) -> String {
    let entries: Vec<String> = entries.iter().map(|text| entry(text)).collect();
    entries.join(", ")
}

fn rust(text: &FunctionText<'_>) -> String {
    let integer = format!("u{}", text.bits);
    let arguments: Vec<String> = text
        .arguments
        .iter()
        .zip(&text.unused)
        .map(|(name, &unused)| {
            let underscore = if unused { "_" } else { "" };
            format!("{underscore}{name}: {integer}")
        })
        .collect();
    let locals = lines(&text.locals, |name, value| {
        format!("    let {name} = {value};")
    });
    let results = list(&text.results, ToString::to_string);
    let (returned, result) = match text.is_list {
        true => (
            format!("[{integer}; {}]", text.results.len()),
            format!("[{results}]"),
        ),
        false => (integer, results),
    };
    format!(
        "#[must_use]\npub const fn {}({}) -> {returned} {{\n{locals}    {result}\n}}\n",
        text.name,
        arguments.join(", "),
    )
}

/// Of a decimal number without a suffix, C chooses a signed type; what does not fit into `int` needs one.
fn c_number(value: u64, bits: u32) -> String {
    let suffix = match bits {
        _ if value <= i32::MAX as u64 => "",
        32 => "u",
        _ => "ull",
    };
    format!("{value}{suffix}")
}

fn c(qualifiers: &str, text: &FunctionText<'_>) -> String {
    let integer = format!("uint{}_t", text.bits);
    let mut arguments = list(text.arguments, |name| format!("{integer} {name}"));
    let mut body = String::new();
    for (name, _) in text
        .arguments
        .iter()
        .zip(&text.unused)
        .filter(|(_, unused)| **unused)
    {
        body += &format!("    (void){name};\n");
    }
    let returned = if text.is_list { "void" } else { &integer };
    if text.is_list {
        arguments += &format!(", {integer} index[{}]", text.results.len());
    }
    // A result stands behind the locals that it needs, and not at the end: so fewer numbers are alive at a time.
    let results = |body: &mut String, needed| {
        let ready = text.results.iter().enumerate();
        for (k, result) in ready.filter(|(k, _)| text.needed[*k] == needed) {
            *body += &match text.is_list {
                true => format!("    index[{k}] = {result};\n"),
                false => format!("    return {result};\n"),
            };
        }
    };
    results(&mut body, 0);
    for (number, (name, value)) in text.locals.iter().enumerate() {
        body += &format!("    const {integer} {name} = {value};\n");
        results(&mut body, number + 1);
    }
    if arguments.is_empty() {
        arguments += "void";
    }
    // Only the first function needs the header; to include it again does no harm.
    let header = if text.is_list {
        ""
    } else {
        "#include <stdint.h>\n\n"
    };
    format!(
        "{header}{qualifiers} {returned} {}({arguments}) {{\n{body}}}\n",
        text.name
    )
}

fn wgsl(text: &FunctionText<'_>) -> String {
    let arguments = list(text.arguments, |name| format!("{name}: u32"));
    let locals = lines(&text.locals, |name, value| {
        format!("    let {name} = {value};")
    });
    let results = list(&text.results, ToString::to_string);
    let (returned, result) = match text.is_list {
        true => {
            let array = format!("array<u32, {}>", text.results.len());
            let result = format!("{array}({results})");
            (array, result)
        }
        false => ("u32".to_string(), results),
    };
    format!(
        "fn {}({arguments}) -> {returned} {{\n{locals}    return {result};\n}}\n",
        text.name
    )
}

fn mlir(text: &FunctionText<'_>) -> String {
    let arguments = list(text.arguments, ToString::to_string);
    let results = list(&text.results, ToString::to_string);
    format!(
        "#{} = affine_map<({arguments}) -> ({results})>\n",
        text.name
    )
}

fn python(text: &FunctionText<'_>) -> String {
    let arguments = list(text.arguments, ToString::to_string);
    let locals = lines(&text.locals, |name, value| format!("    {name} = {value}"));
    let results = list(&text.results, ToString::to_string);
    let result = match (text.is_list, text.results.len()) {
        (true, 1) => format!("({results},)"),
        (true, _) => format!("({results})"),
        (false, _) => results,
    };
    format!(
        "def {}({arguments}):\n{locals}    return {result}\n",
        text.name
    )
}
