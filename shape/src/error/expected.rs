//! What a reader expected: its name, and what to write there.

/// What the entries of a list are called, and what to write for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemWords {
    /// The name of one.
    pub one: &'static str,
    /// The name of several.
    pub many: &'static str,
    /// What to write for one.
    pub help: &'static str,
}

macro_rules! items {
    ($($(#[$doc:meta])* $item:ident => [$one:literal, $many:literal; $help:literal])*) => {
        /// What a number or an entry of a list means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Item {
            $($(#[$doc])* $item,)*
            /// An entry of a list that only another grammar has.
            Other(&'static ItemWords),
        }

        impl Item {
            const fn words(self) -> ItemWords {
                match self {
                    $(Self::$item => ItemWords { one: $one, many: $many, help: $help },)*
                    Self::Other(words) => *words,
                }
            }
        }
    };
}

items! {
    /// An entry of `[…]` after the element type.
    Dimension => ["dimension", "dimensions";
        "write a size such as `3`; `<=8` for one that is known at run time and at most 8, `?` for \
         one without a bound"]
    /// The number after `<=`.
    Bound => ["bound", "bounds"; "write the largest size, such as `<=8`"]
    /// An entry of minor_to_major.
    MinorToMajorEntry => ["minor_to_major entry", "minor_to_major entries";
        "list the numbers of the dimensions, counted from 0, the one that varies fastest \
         first: `{1,0}`"]
    /// An entry of a tile.
    Tile => [
        "tile entry", "tile entries";
        "write a number such as `128`, or `*` to merge into the next entry"
    ]
    /// A tile as a whole.
    WholeTile => ["tile", "tiles"; "write a tile such as `(8,128)`"]
    /// An entry of `padded_dimensions`.
    Padded => [
        "padded width", "padded widths";
        "write how wide the dimension is allocated, such as `128`"
    ]
    /// The physical dimension of `SC(d:…)`.
    SplitDimension => [
        "split dimension", "split dimensions";
        "write the number of a physical dimension: `SC(0:30)`"
    ]
    /// A cut of `SC(…:i,j)`.
    SplitIndex => ["split index", "split indices"; "write where the dimension is cut: `SC(0:30)`"]
    /// A split as a whole.
    WholeSplit => ["split", "splits"; "write a split such as `(0:30)`"]
    /// The number of `L(…)`, `E(…)`, `S(…)`, `M(…)`.
    Argument => ["number", "numbers"; "write a number in plain decimal digits"]
    /// A member of a tuple.
    Member => ["shape", "shapes"; "write a shape such as `f32[2,3]`"]
    /// An entry of a list that was given as a list.
    Entry => ["entry", "entries"; "list fewer"]
    /// A level of `D(…)`.
    Level => ["level", "levels"; "write `D` for each dimension: only dense levels are left in XLA"]
}

impl Item {
    pub(super) const fn one(self) -> &'static str {
        self.words().one
    }

    pub(super) const fn many(self) -> &'static str {
        self.words().many
    }

    pub(super) const fn help(self) -> &'static str {
        self.words().help
    }
}

worded! {
/// What a reader expected.
pub enum Expected, pub(super) words: [&'static str; 2] {
    /// `:` between the dimension of a split and its indices.
    SplitColon => [
        "`:` after the dimension of a split",
        "write `SC(0:30)`: dimension 0 is cut at 30"
    ];
    /// `=` after the name of an option.
    Equals => [
        "`=` after the name of an option",
        "write `padded_dimensions = [3, 5]` or `padding_value = zero`"
    ];
    /// `[` and the list of `padded_dimensions`.
    PaddedList => ["`[` and a width for each dimension", "write `padded_dimensions = [3, 5]`"];
    /// A name after `padding_value =`.
    PaddingValue => ["a padding value", "write `zero`, `one`, `lowest`, `highest` or `unknown`"];
    /// The name of a type in `#(…)`.
    Type => ["the name of a type", "write a type such as `u32`"];
    /// `)` after what is in parentheses.
    CloseParenthesis => ["`)`", "these parentheses contain one value"];
    /// `{` at the beginning of a layout.
    Layout => [
        "a layout in braces",
        "write one such as `{1,0}`, the dimension that varies fastest first"
    ];
    /// The name of an attribute or `}`.
    Attribute => ["an attribute or `}`", super::parts::ATTRIBUTES];
}
}

worded! {
/// What text after a whole shape probably means.
pub enum Hint, pub(super) help: &'static str {
    /// Nothing is known.
    Remove => "remove it";
    /// `(0,1)`: a layout in the wrong brackets.
    Parentheses => "write a layout in braces directly after the dimensions: `f32[2,3]{1,0}`";
    /// `[…]`: more dimensions.
    Brackets => "write all dimensions in one list: `f32[2,3]`";
    /// `, f32[3]`: another shape.
    Comma => "write several shapes as a tuple: `(f32[2], f32[3])`";
    /// `padding_value = zero`: an option without the comma before it.
    Option => "write a comma before it";
    /// A bracket that closes nothing.
    Close => "remove this bracket";
}
}
