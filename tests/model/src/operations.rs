//! The list of operations that lend an array, parts of it, or its elements, to write. The laws of
//! what is lent walk it: a match without one of them does not compile, and `tests/model` compares
//! the list with the public methods in the source of the arrays.

macro_rules! operations {
    ($($(#[$doc:meta])* $operation:ident $column:literal [$($method:literal)*] $many:ident;)*) => {
        /// What lends an array, or some of it, to write.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Operation {
            $($(#[$doc])* $operation,)*
        }

        impl Operation {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$operation),*];

            /// The column of the tables in `tests/README.md`.
            #[must_use]
            pub fn column(self) -> &'static str {
                match self {
                    $(Self::$operation => $column,)*
                }
            }

            /// The public methods.
            #[must_use]
            pub fn methods(self) -> &'static [&'static str] {
                match self {
                    $(Self::$operation => &[$($method),*],)*
                }
            }

            /// Whether it lends several things that are there at the same time.
            #[must_use]
            pub fn lends(self) -> Lends {
                match self {
                    $(Self::$operation => Lends::$many,)*
                }
            }
        }
    };
}

/// How much is lent at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lends {
    /// One thing.
    One,
    /// Several, no two of which share a byte.
    Several,
}

operations! {
    /// The whole array.
    Whole "writes" ["as_view_mut" "as_slice_view_mut"] One;
    /// Its memory, padding included.
    Memory "writes" ["memory_mut" "as_mut_slice" "as_bytes_mut"] One;
    /// An element.
    Element "writes" ["get_mut"] One;
    /// All elements.
    Elements "writes" ["iter_mut"] Several;
    /// A range of each dimension.
    Region "region" ["region_mut" "slice_mut"] One;
    /// What is before a coordinate of a dimension, and what is from there on.
    Split "split" ["split_at_mut"] Several;
    /// Parts of equal length of a dimension.
    Chunks "chunks" ["chunks_mut" "try_chunks_mut"] Several;
    /// Every second or third coordinate of a dimension, also from the end.
    Step "step" ["with_step_mut"] One;
    /// The elements along a dimension.
    Line "lines" ["line_mut" "row_mut" "column_mut"] One;
    /// All rows of a matrix.
    Rows "rows" ["rows_mut"] Several;
    /// All lines along a dimension, as slices.
    Slices "lines as slices" ["lines_mut"] Several;
    /// Blocks of equal sizes.
    Blocks "blocks" ["tiles_mut" "try_tiles_mut"] Several;
    /// A block: by its number, and with the layout of a whole one.
    Block "blocks" ["get" "whole_mut"] One;
}
