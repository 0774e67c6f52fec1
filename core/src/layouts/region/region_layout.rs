//! Parts of an array with sizes that the run time knows.

use core::fmt;

use super::own_layout;
use crate::array_layout::{ArrayLayout, delegate, sealed};
use crate::coordinates::{Coordinates, below};
use crate::layouts::region::{forward_strides, known_strides, place, shape_of_part};
use crate::modes::{ElementCounts, Mode, Resolved};
use crate::shape::ArrayShape;

/// The layout of a part of an array with layout `L`: fewer coordinates of some dimensions, the same
/// memory. Its first element has linear index 0.
///
/// [`split_at`](crate::ArrayRef::split_at), [`chunks`](crate::ArrayRef::chunks) and
/// [`region`](crate::ArrayRef::region) make it. It is no layout of XLA's: the strides are those of
/// the whole array, and other elements of the whole lie between those of the part.
///
/// ```
/// use xlayout_core::{DynLayout, ArrayLayout, SliceView};
/// let layout: DynLayout = "f32[4,4]{1,0:T(2,2)}".parse()?;
/// let data: Vec<f32> = (0..16).map(|n| n as f32).collect();
/// let view = SliceView::new(layout, &data[..])?;
/// let (_, right) = view.split_at::<1>(2)?;
/// assert_eq!(right.layout().shape()[..], [4, 2]);
/// assert_eq!(right[[3, 1]], view[[3, 3]]);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct RegionLayout<L: ArrayLayout> {
    /// The layout of the whole. By the rule of `place.rs`, the linear index of an index of the part
    /// is what this gives.
    whole: L,
    sizes: L::Coordinates,
    numbers: ElementCounts,
}

impl<L: ArrayLayout> RegionLayout<L> {
    /// The part with these sizes, which are at most those of the whole.
    pub(crate) fn new(whole: L, sizes: L::Coordinates) -> Self {
        let numbers = match known_strides(&whole, &sizes) {
            Some(strides) => place::numbers(&sizes, &strides, whole.element_bits()),
            None => whole.with_resolved(sealed::Token, |resolved| {
                place::with_sizes(&resolved, sizes.as_ref(), |part| part.numbers)
            }),
        };
        Self {
            whole,
            sizes,
            numbers,
        }
    }

    /// The layout of the whole array.
    pub(crate) const fn whole(&self) -> &L {
        &self.whole
    }
}

impl<L: ArrayLayout> sealed::Sealed for RegionLayout<L> {}

#[diagnostic::do_not_recommend]
impl<L: ArrayLayout> ArrayLayout for RegionLayout<L> {
    type Type = L::Type;
    type Coordinates = L::Coordinates;
    const FIXED_SIZES: bool = false;
    const OWNS_PADDING: bool = false;
    const UNIQUE: bool = L::UNIQUE;
    const REVERSES: bool = L::REVERSES;
    const KNOWN_MODES: &'static [Mode] = L::KNOWN_MODES;
    const IN_BYTE: usize = L::IN_BYTE;
    const MERGES: bool = L::MERGES;
    type Region<'a>
        = Self
    where
        Self: 'a;

    #[inline(always)]
    fn region<'a>(&'a self, sizes: L::Coordinates, _: sealed::Token) -> Self
    where
        Self: 'a,
    {
        Self::new(self.whole.clone(), sizes)
    }

    own_layout! { self: StridedLayout }

    delegate! { self.whole:
        stride_of is_reversed element_type rank
    }
    delegate! { self.numbers: counts }

    #[inline(always)]
    fn shape(&self) -> L::Coordinates {
        self.sizes.clone()
    }

    #[inline(always)]
    fn in_bounds(&self, index: &L::Coordinates) -> bool {
        index.below(&self.sizes)
    }

    #[inline]
    fn linear_index_in_bounds(&self, index: &[usize]) -> Option<usize> {
        if !below(index, self.sizes.as_ref()) {
            return None;
        }
        if const { L::REVERSES } {
            let mut at = self.sizes.clone();
            at.as_mut().copy_from_slice(index);
            return Some(self.linear_index(&at));
        }
        // In bounds of the part is in bounds of the whole.
        self.whole.linear_index_in_bounds(index)
    }

    #[inline(always)]
    fn linear_index(&self, index: &L::Coordinates) -> usize {
        if const { L::REVERSES } {
            let there = place::in_whole(&self.whole, index, &self.sizes);
            return self.whole.linear_index(&there);
        }
        self.whole.linear_index(index)
    }

    fn multi_index(&self, linear_index: usize) -> Option<L::Coordinates> {
        // The linear index is that of the whole.
        let index = self.whole.multi_index(linear_index)?;
        place::in_part(&self.whole, index, &self.sizes)
    }

    fn with_resolved<R>(&self, token: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        self.whole.with_resolved(token, |resolved| {
            place::with_sizes(&resolved, self.sizes.as_ref(), use_)
        })
    }

    fn array_shape(&self) -> ArrayShape {
        shape_of_part(self.whole.array_shape(), self.sizes.as_ref())
    }

    fn strides(&self) -> Option<L::Coordinates> {
        forward_strides(self)
    }
}

impl<L: ArrayLayout> PartialEq for RegionLayout<L> {
    fn eq(&self, other: &Self) -> bool {
        self.whole == other.whole && self.sizes == other.sizes
    }
}

impl<L: ArrayLayout> fmt::Debug for RegionLayout<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "RegionLayout({:?} of {})",
            self.sizes.as_ref(),
            self.whole.array_shape()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layouts::region::{is_strided, strides_in_table};
    use crate::layouts::types::{MinorToMajor, MixedLayout, Nat, Padded, RunTime, StaticLayout};

    /// What the type says, and what the table says, of each part of an array.
    fn same<L: ArrayLayout<Coordinates = [usize; 3]>>(whole: &L) {
        assert!(const { is_strided::<L>() });
        let [a, b, c] = whole.shape();
        for a in 0..=a {
            for b in 0..=b {
                for c in 0..=c {
                    let part = RegionLayout::new(whole.clone(), [a, b, c]);
                    assert_eq!(known_strides(&part, &part.shape()), strides_in_table(&part));
                    let in_table = whole.with_resolved(sealed::Token, |resolved| {
                        place::with_sizes(&resolved, &[a, b, c], |part| part.numbers)
                    });
                    assert_eq!(part.numbers, in_table, "{part:?}");
                }
            }
        }
        let of_text = crate::DynLayout::new(whole.array_shape()).unwrap();
        assert_eq!(whole.strides().unwrap()[..], of_text.strides().unwrap()[..]);
    }

    #[test]
    fn a_type_and_its_table_have_the_same_strides() {
        type Order = MinorToMajor<(Nat<1>, Nat<2>, Nat<0>)>;
        same(&StaticLayout::<f32, (Nat<2>, Nat<3>, Nat<4>), Order, ()>::NEW);
        type Mixed<A> = MixedLayout<f32, (RunTime, Nat<3>, RunTime), Order, A>;
        for sizes in [[2, 3, 4], [1, 3, 2], [3, 3, 1], [0, 3, 2]] {
            same(&Mixed::<()>::with_sizes(sizes).unwrap());
        }
        type Wide = (Padded<(Nat<4>, Nat<5>, Nat<6>)>,);
        same(&Mixed::<Wide>::with_sizes([2, 3, 4]).unwrap());
    }
}
