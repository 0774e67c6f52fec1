//! Short names for the numbers of dimensions, which `layout!` writes: for each number in a path the
//! compiler makes a constant, for an alias it makes none.

use super::Nat;

macro_rules! numbers {
    ($($name:ident $n:literal)*) => {$(
        #[allow(missing_docs, reason = "they are written by `layout!` only")]
        pub type $name = Nat<$n>;
    )*};
}

numbers! {
    D0 0 D1 1 D2 2 D3 3 D4 4 D5 5 D6 6 D7 7 D8 8 D9 9 D10 10 D11 11 D12 12 D13 13 D14 14 D15 15
}
