//! What the library says to write in Rust, in the words of who reads it: a user of the program, of
//! the Python package, or of a page.
//!
//! ```text
//! each phrase of PHRASES in a text: the words of the caller in its place
//! ```
//!
//! A phrase has no words for a caller whom it does not reach. `python/tests/test_words.py` finds
//! the texts of the library that name items of Rust and have no words here; it says why others
//! reach no one.

use std::fmt::Display;

/// Who reads a text of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A user of the program in a terminal.
    Program,
    /// A program in Python.
    Python,
    /// A user of the page in a browser: as the program, but for what the page has a field for.
    Page,
}

/// A phrase of the library, and what it is for others.
struct Phrase {
    rust: &'static str,
    program: Option<&'static str>,
    python: Option<&'static str>,
}

const PHRASES: &[Phrase] = &[
    Phrase {
        rust: "a layout that has a name is used without `layout!`, and a text that is known at run \
               time only is read with `.parse::<DynLayout>()`",
        program: Some(
            "`xlayout explain --help` lists the other notations, some of which are names",
        ),
        python: Some("a layout that has a name needs `dtype` and `shape`"),
    },
    Phrase {
        rust: ": names such as `?M` are for `layout!`",
        program: Some(""),
        python: Some(""),
    },
    Phrase {
        rust: "give its size: `DynLayout::with_sizes(&shape, &[…])`",
        program: None,
        python: Some("write the number in place of `?`"),
    },
    Phrase {
        rust: "name the type, `to_shape_of(ElementType::Bf16)`",
        program: Some("name the type: --type bf16"),
        python: Some("name the type, `dtype=\"bfloat16\"`"),
    },
    Phrase {
        rust: "name the type, `to_shape_of(ElementType::S4)`",
        program: Some("name the type: --type s4"),
        python: Some("name the type, `dtype=\"int4\"`"),
    },
    // The program names its flags where it reads a notation.
    Phrase {
        rust: "give the sizes of the array, dimension 0 first",
        program: None,
        python: Some("give the sizes of the array, `shape=(2, 17, 5, 7)`"),
    },
    Phrase {
        rust: "give the type of the elements",
        program: None,
        python: Some("give the type of the elements, `dtype=\"float32\"`"),
    },
    Phrase {
        rust: "give the axes from dimension 0 on, such as `NCHW`",
        program: None,
        python: Some("give the axes from dimension 0 on, `axes=\"NCHW\"`"),
    },
    Phrase {
        rust: "make a copy, or use `StridedArray`: `stored` is the array the other way round",
        program: Some(PLACES),
        python: Some(
            "take the layout of a copy, `xlayout.copy(a)`, or of the array the other way round, \
             `np.flip(a, dimension)`",
        ),
    },
    Phrase {
        rust: "make a copy, or use `StridedArray`: `stored` is the array before the broadcast",
        program: Some(PLACES),
        python: Some(
            "take the layout of a copy, `xlayout.copy(a)`, or of the array before the broadcast",
        ),
    },
    Phrase {
        rust: "the program `xlayout` explains, draws and compares such maps; `xlayout-algebra` has \
               them as `Bits` and `Swizzle`",
        program: Some(
            "`explain`, `draw`, `diff`, `emit` and `algebra` take such a map; here write the layout \
             of the array: 'f32[2,3]{1,0}'",
        ),
        python: Some("write the layout of the array in memory"),
    },
    Phrase {
        rust: "pass a slice of exactly that length",
        program: None,
        python: Some("pass memory of exactly that length"),
    },
    Phrase {
        rust: "give a greater `Budget`",
        program: Some("the steps are limited: write maps of fewer modes, such as parts of these"),
        python: None,
    },
    Phrase {
        rust: "write `Map<N>` with a greater `N`, or compose fewer maps",
        program: Some("compose fewer maps, or maps of fewer modes"),
        python: None,
    },
];

const PLACES: &str = "in a layout of XLA all indices have places of their own, and strides are \
                      positive: copy the array, and write the layout of the copy: 'f32[2,3]{1,0}'";

/// A text of the library, or one that was made from it, in the words of a caller.
pub fn in_words_of(caller: Caller, text: impl Display) -> String {
    let mut text = text.to_string();
    for phrase in PHRASES {
        let words = match caller {
            Caller::Program => phrase.program,
            Caller::Python => phrase.python,
            Caller::Page => phrase.program,
        };
        if let Some(words) = words {
            text = text.replace(phrase.rust, words);
        }
    }
    if caller == Caller::Page {
        for (flag, field) in FIELDS {
            text = text.replace(flag, field);
        }
    }
    text
}

/// The flags of the program, and what the page says for them.
const FIELDS: [(&str, &str); 13] = [
    (
        "than this target can address",
        "than the 2 GiB that a page can address; the program `xlayout` addresses more",
    ),
    (
        "`xlayout explain --help` lists",
        "the program `xlayout` has",
    ),
    (
        "`xlayout hlo -` reads it from the standard input",
        "the part Module of this page reads it",
    ),
    (
        "; `xlayout algebra invert` has the rest",
        "; the part Algebra has the rest",
    ),
    ("`xlayout diff A B` compares", "the part Compare compares"),
    (
        "shells read braces and brackets themselves: put the shape in quotes, 'f32[2,3]{1,0}'",
        "a shell took its braces: write `f32[2,3]{1,0}`",
    ),
    ("--sizes", "Sizes"),
    ("--type", "Type"),
    ("--axes", "Axes"),
    ("--at", "Index"),
    ("--offset", "Place"),
    ("--swizzle", "Swizzle"),
    ("--mesh", "Mesh"),
];
