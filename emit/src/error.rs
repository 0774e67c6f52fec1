//! Why no code was written, and what to do.

use alloc::string::String;

use crate::languages::Language;

xlayout_shape::error_table! {
/// Why no code was written. `Display` says what to do, too.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_emit::{EmitError, Functions, IndexMap, Language, Options};
///
/// let layout: DynLayout = "f32[100000,100000]{1,0}".parse().unwrap();
/// let functions = Functions::new(&IndexMap::of(&layout)?)?;
/// let error = functions.emit(&Options::new(Language::Wgsl)).unwrap_err();
/// assert_eq!(error, EmitError::TooLarge { bits: 32 });
/// assert_eq!(
///     error.to_string(),
///     "numbers of 32 bits are too small for the linear indices of this layout; write `--bits \
///      64`, or a language that has numbers of 64 bits",
/// );
/// # Ok::<(), EmitError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmitError {
    /// A number of the code may need more bits than it has.
    TooLarge {
        /// The bits of a number.
        bits: u32,
    } => { match (bits) {
        32 => [
            "numbers of 32 bits are too small for the linear indices of this layout";
            "write `--bits 64`, or a language that has numbers of 64 bits"
        ]
        _ => [
            "numbers of {bits} bits are too small for the linear indices of this layout";
            "write a layout whose largest linear index has fewer bits"
        ]
    } }
    /// The array has no element, so there is no index to compute.
    NoElements => [
        "the array has no elements, so that no element has an index";
        "write sizes of 1 or more"
    ]
    /// A linear index may be negative, and the numbers of the code have no sign.
    Negative {
        /// The least one.
        least: i64,
    } => [
        "a linear index may be {least}, and the code has no negative numbers";
        "add a constant to the map, so that the first element in memory has the linear index 0"
    ]
    /// The language has no numbers of 64 bits.
    NoSuchNumbers {
        /// The language.
        language: Language,
    } => [
        "{} has no integers of 64 bits", language.name();
        "write `--bits 32`, or another language"
    ]
    /// The name of the functions is no identifier.
    Name {
        /// The name.
        name: String,
    } => [
        "`{name}` cannot begin the name of a function";
        "write letters, digits and `_` only, and a letter or `_` first"
    ]
    /// CuTe's `Swizzle<bits, base, shift>` would not be its own inverse.
    Swizzle {
        /// How many bits change.
        bits: u32,
        /// The lowest bit that changes.
        base: u32,
        /// How far away the bits are that change them.
        shift: i32,
    } => [
        "Swizzle<{bits},{base},{shift}> is no swizzle of an index of 64 bits";
        "write a shift of at least {bits} or at most -{bits}, and bits, base and shift whose \
         sum is at most 63"
    ]
}
}

xlayout_shape::explained!(EmitError);
