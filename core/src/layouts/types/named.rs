//! Sizes that are known at run time only, and have a name.

use super::parts::{Dimension, Dimensions, RunTime, run_time_dimension};
use super::sealed::Sealed;
use crate::const_text::{ConstText, stop};
use crate::dims::{Dim, INLINE_RANK, MAX_NAME_LETTERS};
use crate::layout_error::LayoutError;

/// A name as UTF-8, and its length.
struct Text {
    bytes: [u8; 4 * MAX_NAME_LETTERS],
    len: usize,
}

/// The letters before the first NUL.
#[inline]
const fn text(letters: [char; MAX_NAME_LETTERS]) -> Text {
    let mut text = Text {
        bytes: [0; 4 * MAX_NAME_LETTERS],
        len: 0,
    };
    let mut k = 0;
    while k < MAX_NAME_LETTERS && letters[k] != '\0' {
        let mut letter = [0; 4];
        let len = letters[k].encode_utf8(&mut letter).len();
        each!(at, 0..len, {
            text.bytes[text.len] = letter[at];
            text.len += 1;
        });
        k += 1;
    }
    text
}

macro_rules! named {
    ($first:ident $($more:ident)*) => {
        /// `?M`: a dimension whose size is known at run time only, and has a name. `?Rows` is
        /// `Named<'R', 'o', 'w', 's'>`; `?_` is `Named<'_'>`. A name has up to 32 letters.
        ///
        /// Sizes of one name are equal: [`MixedLayout::with_sizes`](super::MixedLayout::with_sizes)
        /// checks it. `?_` is any size. A name says nothing else about memory. It is a part of the
        /// type, so that it is found behind an alias, too. Layouts that differ only in names are
        /// different types; [`MixedLayout::renamed`](super::MixedLayout::renamed) and
        /// [`ArrayBase::renamed`](crate::ArrayBase::renamed) make one of the other, at no cost.
        ///
        /// ```
        /// use xlayout_core::types::{Nat, Dimension, MinorToMajor, MixedLayout, Named};
        ///
        /// // layout!(f32[?Rows,3]{1,0})
        /// type RowsOrder = MinorToMajor<(Nat<1>, Nat<0>)>;
        /// type Rows = MixedLayout<f32, (Named<'R', 'o', 'w', 's'>, Nat<3>), RowsOrder, ()>;
        /// assert_eq!(Rows::with_sizes([4, 3])?.to_string(), "f32[4,3]{1,0}");
        /// // layout!(f32[?N,?N]{1,0})
        /// type SquareOrder = MinorToMajor<(Nat<1>, Nat<0>)>;
        /// type Square = MixedLayout<f32, (Named<'N'>, Named<'N'>), SquareOrder, ()>;
        /// assert_eq!(
        ///     Square::with_sizes([2, 3]).unwrap_err().to_string(),
        ///     "dimensions 0 and 1 have one name, `?N`, but the sizes 2 and 3; give equal sizes, \
        ///      or write another name or `?` in the type",
        /// );
        /// assert_eq!(<Named<'R', 'o', 'w', 's'> as Dimension>::NAME, Some("Rows"));
        /// # Ok::<(), xlayout_core::LayoutError>(())
        /// ```
        pub struct Named<const $first: char $(, const $more: char = '\0')*>;

        impl<const $first: char $(, const $more: char)*> Named<$first $(, $more)*> {
            const LETTERS: &'static Text = &text([$first $(, $more)*]);
            const TEXT: &'static str = {
                let Text { bytes, len } = Self::LETTERS;
                match core::str::from_utf8(bytes.split_at(*len).0) {
                    Ok(text) => text,
                    Err(_) => stop("the letters of a name are not UTF-8"),
                }
            };
        }

        run_time_dimension!(
            [const $first: char $(, const $more: char)*] Named<$first $(, $more)*>, Some(Self::TEXT)
        );
    };
}
named!(
    A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15
    A16 A17 A18 A19 A20 A21 A22 A23 A24 A25 A26 A27 A28 A29 A30 A31
);

/// Whether the names at two places say that the sizes there are equal. `_` is any size.
const fn same_name(names: &[Option<&str>], a: usize, b: usize) -> bool {
    let (Some(a), Some(b)) = (names[a], names[b]) else {
        return false;
    };
    let a = a.as_bytes();
    let b = b.as_bytes();
    if a.len() != b.len() || matches!(a, b"_") {
        return false;
    }
    each!(k, 0..a.len(), {
        if a[k] != b[k] {
            return false;
        }
    });
    true
}

/// The first two dimensions that have one name in `names`, but not in `equal`.
const fn first_pair(names: &[Option<&str>], equal: &[Option<&str>]) -> Option<(usize, usize)> {
    each!(b, 1..names.len(), {
        each!(a, 0..b, {
            if same_name(names, a, b) && !same_name(equal, a, b) {
                return Some((a, b));
            }
        });
    });
    None
}

/// Stops the compiler if names say that sizes are equal, and the names before did not.
pub(super) const fn assert_equal_sizes(before: &[Option<&str>], names: &[Option<&str>]) {
    if let Some((a, b)) = first_pair(names, before) {
        let text = ConstText::new(
            "dimensions {} and {} get one name, but their sizes may differ; call `with_sizes` of \
             the layout with these names",
            &[a, b],
        );
        stop(text.as_str());
    }
}

/// What a layout's type holds for these sizes.
///
/// # Errors
/// The first dimension whose type says another size.
#[inline]
pub(super) fn sizes_of_type<D: Dimensions>(
    sizes: &D::Coordinates,
) -> Result<D::Values, LayoutError> {
    D::values(sizes).map_err(|dimension| LayoutError::Size {
        dimension,
        expected: D::SIZES[dimension],
        found: sizes.as_ref()[dimension],
    })
}

/// Sizes of one name are equal.
///
/// # Errors
/// The first two dimensions of one name whose sizes differ.
#[inline(always)]
pub(super) fn check_sizes<D: Dimensions>(sizes: &D::Coordinates) -> Result<(), LayoutError> {
    // Most types have no name twice, and nothing to check.
    if const { first_pair(D::NAMES, &[None; INLINE_RANK]).is_none() } {
        return Ok(());
    }
    let sizes = sizes.as_ref();
    for b in 1..sizes.len() {
        for a in 0..b {
            if sizes[a] != sizes[b] && same_name(D::NAMES, a, b) {
                let Some(name) = D::NAMES[a] else {
                    unreachable!("dimensions without a name share none");
                };
                return Err(LayoutError::UnequalSizes {
                    name,
                    dimensions: [a, b],
                    sizes: [sizes[a], sizes[b]],
                });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
