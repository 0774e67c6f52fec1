//! Limits, and what constant functions write for `?` and `for`, also those of the crates that build
//! on this one.

/// How many values of each kind a layout holds without a heap: the rank up to which nothing is
/// allocated.
pub const INLINE_RANK: usize = 16;

/// How many entries all tiles of a layout's type may have, and how many indices all its splits.
#[doc(hidden)]
pub const MAX_TYPE_ENTRIES: usize = 32;

/// How many letters the name of a size may have: `?Rows` has 4.
#[doc(hidden)]
pub const MAX_NAME_LETTERS: usize = 32;

/// `?`
#[doc(hidden)]
#[macro_export]
macro_rules! tri {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

/// `for` over the numbers of a range, or over the items of a slice. The end of a range is computed
/// before each step.
#[doc(hidden)]
#[macro_export]
macro_rules! each {
    ($i:ident, $first:tt..$end:expr, $body:block) => {{
        let mut next = $first;
        while next < $end {
            let $i = next;
            next += 1;
            $body
        }
    }};
    ($item:ident, $list:expr, $body:block) => {{
        let list: &[_] = $list;
        let mut next = 0;
        while next < list.len() {
            let $item = &list[next];
            next += 1;
            $body
        }
    }};
}
