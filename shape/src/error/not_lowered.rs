//! Why a layout cannot be lowered.

const_error_table! {
/// Why a layout has no modes: it passes XLA's validation, but nothing can be addressed with it.
///
/// ```
/// use xlayout_core::{DynLayout, LayoutError};
/// use xlayout_shape::{ArrayShape, NotLowered};
/// // XLA reads and prints this; nothing can be addressed with it.
/// let shape: ArrayShape = "f32[2,3]{1,0:T(8,*)}".parse().unwrap();
/// let error = NotLowered::TrailingCombine;
/// assert_eq!(DynLayout::new(shape), Err(LayoutError::Lower(error)));
/// assert_eq!(
///     error.to_string(),
///     "a tile ends in `*`, which has nothing to merge into; end the tile with a size: `T(*,128)`",
/// );
/// ```
pub enum NotLowered {
    /// The last entry of a tile is `*`, which has nothing to merge into.
    TrailingCombine => [
        "a tile ends in `*`, which has nothing to merge into";
        "end the tile with a size: `T(*,128)`"
    ]
    /// A size, the elements that would be allocated, padding included, or their bytes are more than
    /// the target can address: 2^63 - 1, or 2^31 - 1 on a 32-bit target. The text and the shape of
    /// such an array can still be read and printed, since XLA counts in 64 bits.
    TooLarge => [
        if cfg!(target_pointer_width = "64") {
            "the array with its padding takes more than 2^63 - 1 bytes"
        } else {
            "the array with its padding takes more bytes than this target can address"
        };
        "use smaller dimensions, or a tile that pads less"
    ]
    /// The array has no elements, and the product of its other sizes, padding included, is more
    /// than the target can address. Therefore it has no strides.
    EmptyTooLarge => [
        "the array has no elements, but the product of its other sizes is more than this \
         target can address, so it has no strides";
        "use smaller dimensions beside the one of size 0"
    ]
    /// A dimension is `?`: its size has to be known first.
    Unbounded => [
        "a dimension is `?`, so that nothing can be addressed yet";
        "give its size: `DynLayout::with_sizes(&shape, &[…])`"
    ]
    /// The minor_to_major list is no permutation of the dimension numbers.
    NotAPermutation => [
        "minor_to_major does not list every dimension once";
        "list the dimension that varies fastest first, each once"
    ]
    /// A tile is empty, or an entry is not positive.
    BadTile => ["a tile is empty or has an entry that is not positive"; "write tiles as `T(8,128)`"]
    /// padded_dimensions does not have one entry for each dimension, at least as large as it.
    BadPadding => [
        "padded_dimensions needs one entry for each dimension, none below its size";
        "list the allocated width of every dimension, dimension 0 first"
    ]
    /// padded_dimensions and tiles together.
    PaddedTiles => [
        "padded_dimensions and tiles cannot be used together";
        "leave out one of them; tiles pad to whole tiles by themselves"
    ]
    /// The tail alignment, the element size or the metadata prefix is out of range.
    BadAttribute => [
        "the tail alignment L, the element size E or the metadata prefix M is out of range";
        "L is at least 1, E is 0 (whole bytes) or a number of bits, and M is 0 or a number of bytes"
    ]
    /// A split cuts a physical dimension that does not exist or that another split cuts, or its
    /// indices do not rise inside of the dimension.
    BadSplit => [
        "a split SC cuts a dimension that does not exist or is cut already, or cuts at an \
         index outside of it";
        "count physical dimensions from the most major one, which is 0, and list rising indices \
         from 1 to the size less 1, as in `SC(0:30,60)`"
    ]
    /// A tile merges (`*`) or re-tiles dimensions that are known at run time only.
    CombinesRunTime => [
        "a tile merges dimensions that are known at run time only";
        "make the merged dimensions static, or use a `DynLayout`"
    ]
    /// More digits than a table known at compile time holds; a `DynLayout` takes any number.
    TooManyModes => [
        "the layout has more digits than a constant table holds";
        "use a `DynLayout`, which takes layouts of any size"
    ]
    /// More digits of merged coordinates ([`Term`](crate::Term)s) than 256: tiles with `*` and
    /// tiles that do not divide each other, one upon the other.
    TooManyTerms => [
        "the tiles merge and cut dimensions again and again, into more than 256 digits";
        "leave out levels of tiles, those with `*` first"
    ]
}
}

#[cfg(test)]
mod tests {
    use super::NotLowered;

    #[test]
    fn the_limit_is_that_of_the_target() {
        let wide = NotLowered::TooLarge
            .text()
            .as_str()
            .contains("2^63 - 1 bytes");
        assert_eq!(wide, usize::BITS == 64);
    }
}
