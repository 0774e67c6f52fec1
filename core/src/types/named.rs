//! Sizes that are known at run time only, and have a name.

use super::MixedLayout;
use super::parts::{Attributes, Dimension, Dimensions, RunTime, run_time_dimension};
use super::sealed::Sealed;
use super::spec::OrderOf;
use crate::const_text::stop;
use crate::dims::{Dim, MAX_NAME_LETTERS};
use crate::element::DType;

/// A name as UTF-8, and its length.
struct Text([u8; 4 * MAX_NAME_LETTERS], usize);

/// The letters before the first NUL.
#[inline]
const fn text(letters: [char; MAX_NAME_LETTERS]) -> Text {
    let mut text = Text([0; 4 * MAX_NAME_LETTERS], 0);
    let mut k = 0;
    while k < MAX_NAME_LETTERS && letters[k] != '\0' {
        let mut letter = [0; 4];
        let len = letters[k].encode_utf8(&mut letter).len();
        let mut at = 0;
        while at < len {
            text.0[text.1] = letter[at];
            text.1 += 1;
            at += 1;
        }
        k += 1;
    }
    text
}

macro_rules! named {
    ($first:ident $($more:ident)*) => {
        /// `?M`: a dimension whose size is known at run time only, and has a name. `?Rows` is
        /// `Named<'R', 'o', 'w', 's'>`; `?_` is `Named<'_'>`. A name has up to 32 letters.
        ///
        /// A name says nothing about memory. It is a part of the type, so that a kernel
        /// (`#[xlayout::kernel]`) finds it behind an alias, too: there, sizes of one name are equal.
        /// Layouts that differ only in names are different types; [`MixedLayout::renamed`] and
        /// [`ArrayBase::renamed`](crate::ArrayBase::renamed) make one of the other, at no cost.
        ///
        /// ```
        /// use xlayout_core::types::{Nat, Dimension, MinorToMajor, MixedLayout, Named};
        ///
        /// // layout!(f32[?Rows,3]{1,0})
        /// type Rows = MixedLayout<f32, (Named<'R', 'o', 'w', 's'>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
        /// assert_eq!(Rows::with_sizes([4, 3])?.to_string(), "f32[4,3]{1,0}");
        /// assert_eq!(<Named<'R', 'o', 'w', 's'> as Dimension>::NAME, Some("Rows"));
        /// # Ok::<(), xlayout_core::LayoutError>(())
        /// ```
        pub struct Named<const $first: char $(, const $more: char = '\0')*>;

        impl<const $first: char $(, const $more: char)*> Named<$first $(, $more)*> {
            const LETTERS: &'static Text = &text([$first $(, $more)*]);
            const TEXT: &'static str = {
                let Text(bytes, len) = Self::LETTERS;
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

impl<E: DType, D: Dimensions, O: OrderOf, A: Attributes> MixedLayout<E, D, O, A> {
    /// The same layout with other names for its `?`, or with none. It is no other memory.
    ///
    /// The names follow from where the layout is used, or are given:
    ///
    /// ```
    /// use xlayout_core::types::{Nat, MinorToMajor, MixedLayout, Named, RunTime};
    ///
    /// // layout!(f32[?M,3]{1,0}) and layout!(f32[?,3]{1,0})
    /// type Rows = MixedLayout<f32, (Named<'M'>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// type Plain = MixedLayout<f32, (RunTime, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// let rows = Rows::with_sizes([4, 3])?;
    /// let plain: Plain = rows.renamed();
    /// assert_eq!(plain.renamed::<(Named<'M'>, Nat<3>)>(), rows);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn renamed<Names>(self) -> MixedLayout<E, Names, O, A>
    where
        Names: Dimensions<Coordinates = D::Coordinates, Unnamed = D::Unnamed>,
    {
        MixedLayout::with_checked_sizes(&crate::ArrayLayout::sizes(&self))
    }
}

#[cfg(test)]
mod tests;
