//! What the languages differ in: a row for each.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

xlayout_shape::worded! {
    /// A language that code is written in.
    pub enum Language, pub(crate) syntax: &'static Syntax {
        /// `const fn`s.
        Rust => &RUST;
        /// C99, also C++.
        C => &C;
        /// CUDA and HIP.
        Cuda => &CUDA;
        /// The language of WebGPU's shaders.
        Wgsl => &WGSL;
        /// Affine maps of MLIR.
        Mlir => &MLIR;
        /// Python, with integers or NumPy's arrays of integers.
        Python => &PYTHON;
    }
}

/// How a language writes things. In its texts `$name`, `$value` and the like stand for what is
/// written there.
pub(crate) struct Syntax {
    pub(crate) language: &'static str,
    /// The bits that numbers have if nobody says how many.
    pub(crate) bits: u32,
    pub(crate) comment: &'static str,
    /// Whether `+ - * floordiv mod` are all operators, and expressions have no names.
    pub(crate) affine: bool,
    /// Whether a program stops where a number overflows, so that it has to call for what wraps.
    pub(crate) stops: bool,
    /// Whether numbers have a width.
    pub(crate) has_width: bool,
    pub(crate) divide: &'static str,
    pub(crate) remainder: &'static str,
    /// What the name of an index begins with.
    pub(crate) index: &'static str,
    /// A number, in a program whose numbers have this width.
    pub(crate) number: fn(u64, u32) -> String,
    /// An argument, and one that the function does not need.
    pub(crate) argument: [&'static str; 2],
    /// The list of no arguments.
    pub(crate) no_arguments: &'static str,
    /// The line that says that an argument is not needed.
    pub(crate) unused: &'static str,
    /// The line that gives a value a name.
    pub(crate) local: &'static str,
    /// The line with a result, where it has one: of a number, and of the list of all.
    pub(crate) result: [&'static str; 2],
    /// The function whose result is a number, and that whose result is a list.
    pub(crate) function: [&'static str; 2],
}

const RUST: Syntax = Syntax {
    language: "Rust",
    bits: 64,
    comment: "//",
    affine: false,
    stops: true,
    has_width: true,
    divide: "/",
    remainder: "%",
    index: "i",
    number: |value, _| value.to_string(),
    argument: ["$name: u$bits", "_$name: u$bits"],
    no_arguments: "",
    unused: "",
    local: "    let $name = $value;\n",
    result: [""; 2],
    function: [
        "#[must_use]\npub const fn $name($arguments) -> u$bits {\n$lines    $results\n}\n",
        "#[must_use]\npub const fn $name($arguments) -> [u$bits; $count] \
         {\n$lines    [$results]\n}\n",
    ],
};

const C: Syntax = Syntax {
    language: "C",
    stops: false,
    number: c_number,
    argument: ["uint$bits_t $name"; 2],
    no_arguments: "void",
    unused: "    (void)$name;\n",
    local: "    const uint$bits_t $name = $value;\n",
    result: ["    return $value;\n", "    index[$name] = $value;\n"],
    function: [
        "#include <stdint.h>\n\nstatic inline uint$bits_t $name($arguments) {\n$lines}\n",
        "static inline void $name($arguments, uint$bits_t index[$count]) {\n$lines}\n",
    ],
    ..RUST
};

const CUDA: Syntax = Syntax {
    language: "CUDA",
    bits: 32,
    function: [
        "#include <stdint.h>\n\n__host__ __device__ inline uint$bits_t \
         $name($arguments) {\n$lines}\n",
        "__host__ __device__ inline void $name($arguments, uint$bits_t index[$count]) {\n$lines}\n",
    ],
    ..C
};

const WGSL: Syntax = Syntax {
    language: "WGSL",
    bits: 32,
    stops: false,
    number: |value, _| format!("{value}u"),
    argument: ["$name: u32"; 2],
    function: [
        "fn $name($arguments) -> u32 {\n$lines    return $results;\n}\n",
        "fn $name($arguments) -> array<u32, $count> \
         {\n$lines    return array<u32, $count>($results);\n}\n",
    ],
    ..RUST
};

const MLIR: Syntax = Syntax {
    language: "MLIR",
    affine: true,
    stops: false,
    has_width: false,
    divide: "floordiv",
    remainder: "mod",
    index: "d",
    argument: ["$name"; 2],
    function: ["#$name = affine_map<($arguments) -> ($results)>\n"; 2],
    ..RUST
};

const PYTHON: Syntax = Syntax {
    language: "Python",
    comment: "#",
    stops: false,
    has_width: false,
    divide: "//",
    argument: ["$name"; 2],
    local: "    $name = $value\n",
    function: [
        "def $name($arguments):\n$lines    return $results\n",
        "def $name($arguments):\n$lines    return ($results$comma)\n",
    ],
    ..RUST
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
        self.syntax().language
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Of a decimal number without a suffix, C chooses a signed type; what does not fit into `int`
/// needs one.
fn c_number(value: u64, bits: u32) -> String {
    let suffix = match bits {
        _ if value <= i32::MAX as u64 => "",
        32 => "u",
        _ => "ull",
    };
    format!("{value}{suffix}")
}
