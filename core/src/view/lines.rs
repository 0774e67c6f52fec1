//! The lines of an array along one dimension, for reductions.
#![allow(
    unreachable_pub,
    reason = "the public methods of arrays name `HasLines`"
)]

use alloc::vec::Vec;

use super::unchecked::Inside;
use super::{ArrayBase, ArrayRef, Packed, Storage};
use crate::Coordinates;
use crate::array_layout::ArrayLayout;
use crate::element::Element;
use crate::layout_error::LayoutError;
use crate::region::strides_in_part;

/// An array whose lines are slices of [`Item`](Self::Item). Sealed: no other crate can name it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no array with a layout",
    label = "expected a reference to an `Array`, a `View` or a packed array"
)]
pub trait HasLines {
    /// The type of an element in a line.
    type Item: Copy;
    /// The layout.
    type Layout: ArrayLayout;
    /// The layout.
    #[doc(hidden)]
    fn layout(&self) -> &Self::Layout;
    /// The element at a proven linear index.
    #[doc(hidden)]
    fn element(&self, at: Inside) -> Self::Item;
    /// The elements at adjacent linear indices, all of which are proven; in `copy` if they are no slice.
    #[doc(hidden)]
    fn adjacent<'a>(
        &'a self,
        first: Inside,
        len: usize,
        copy: &'a mut Vec<Self::Item>,
    ) -> &'a [Self::Item];
}

impl<T: Element, L: ArrayLayout> HasLines for ArrayRef<T, L> {
    type Item = T;
    type Layout = L;

    #[inline(always)]
    fn layout(&self) -> &L {
        self.layout()
    }

    #[inline(always)]
    fn element(&self, at: Inside) -> T {
        *self.items().item_of(at)
    }

    #[inline(always)]
    fn adjacent<'a>(&'a self, first: Inside, len: usize, _: &'a mut Vec<T>) -> &'a [T] {
        self.items().line(first, len)
    }
}

/// The elements are numbers, with a sign if the element type has one. All of them fit into an `i8`.
impl<L: ArrayLayout> HasLines for ArrayRef<Packed, L> {
    type Item = i8;
    type Layout = L;

    #[inline(always)]
    fn layout(&self) -> &L {
        self.layout()
    }

    #[inline(always)]
    fn element(&self, at: Inside) -> i8 {
        self.number(self.bits_at(at.get()))
    }

    #[inline(always)]
    fn adjacent<'a>(&'a self, first: Inside, len: usize, copy: &'a mut Vec<i8>) -> &'a [i8] {
        copy.clear();
        // The caller promises that each of them is proven.
        copy.extend(
            (first.get()..)
                .take(len)
                .map(|at| self.number(self.bits_at(at))),
        );
        copy
    }
}

impl<S: Storage, L> HasLines for ArrayBase<S, L>
where
    ArrayRef<S::Item, L>: HasLines,
{
    type Item = <ArrayRef<S::Item, L> as HasLines>::Item;
    type Layout = <ArrayRef<S::Item, L> as HasLines>::Layout;

    #[inline(always)]
    fn layout(&self) -> &Self::Layout {
        HasLines::layout(&**self)
    }

    #[inline(always)]
    fn element(&self, at: Inside) -> Self::Item {
        (**self).element(at)
    }

    #[inline(always)]
    fn adjacent<'a>(
        &'a self,
        first: Inside,
        len: usize,
        copy: &'a mut Vec<Self::Item>,
    ) -> &'a [Self::Item] {
        (**self).adjacent(first, len, copy)
    }
}

/// Sets each element of `out` to the reduction of a line.
pub(super) fn reduce<A: HasLines + ?Sized, U: Element, M: ArrayLayout>(
    array: &A,
    dimension: usize,
    out: &mut ArrayRef<U, M>,
    mut reduction: impl FnMut(&[A::Item]) -> U,
) -> Result<(), LayoutError> {
    let mut lines = Lines::of(array, dimension)?;
    lines.fit(&out.layout)?;
    let layout = out.layout.clone();
    layout.for_each_index(|index| {
        let value = reduction(lines.at(index.as_ref()));
        match out.get_mut(index) {
            Some(item) => *item = value,
            None => unreachable!("the index is one of this layout"),
        }
    });
    Ok(())
}

/// Sets each element of `out` to the reduction of a line of each of two arrays.
pub(super) fn reduce_both<
    A: HasLines + ?Sized,
    B: HasLines + ?Sized,
    U: Element,
    M: ArrayLayout,
>(
    array: &A,
    other: &B,
    dimension: usize,
    out: &mut ArrayRef<U, M>,
    mut reduction: impl FnMut(&[A::Item], &[B::Item]) -> U,
) -> Result<(), LayoutError> {
    same(
        array.layout().sizes().as_ref().iter().copied(),
        other.layout().sizes().as_ref(),
    )?;
    let mut lines = Lines::of(array, dimension)?;
    let mut others = Lines::of(other, dimension)?;
    lines.fit(&out.layout)?;
    let layout = out.layout.clone();
    layout.for_each_index(|index| {
        let value = reduction(lines.at(index.as_ref()), others.at(index.as_ref()));
        match out.get_mut(index) {
            Some(item) => *item = value,
            None => unreachable!("the index is one of this layout"),
        }
    });
    Ok(())
}

/// The lines of an array along one dimension.
struct Lines<'a, A: HasLines + ?Sized> {
    array: &'a A,
    dimension: usize,
    size: usize,
    /// Whether the elements of a line are adjacent, in the sequence of the index.
    contiguous: bool,
    at: <A::Layout as ArrayLayout>::Coordinates,
    copy: Vec<A::Item>,
}

impl<'a, A: HasLines + ?Sized> Lines<'a, A> {
    fn of(array: &'a A, dimension: usize) -> Result<Self, LayoutError> {
        let layout = array.layout();
        let sizes = layout.sizes();
        let rank = layout.rank();
        let Some(&size) = sizes.as_ref().get(dimension) else {
            return Err(LayoutError::NoDimension { dimension, rank });
        };
        let strides = strides_in_part(layout);
        let stride = strides.and_then(|strides| strides.as_ref().get(dimension).copied());
        Ok(Self {
            array,
            dimension,
            size,
            contiguous: size == 1 || stride == Some(1) && !layout.is_reversed(dimension),
            at: Coordinates::origin(rank),
            copy: Vec::new(),
        })
    }

    /// Whether a layout has the sizes without the dimension.
    fn fit(&self, out: &impl ArrayLayout) -> Result<(), LayoutError> {
        let sizes = self.array.layout().sizes();
        let kept = sizes.as_ref().iter().enumerate();
        let kept = kept.filter(|(d, _)| *d != self.dimension);
        same(kept.map(|(_, &size)| size), out.sizes().as_ref())
    }

    /// The line with these other coordinates, which are in bounds.
    fn at(&mut self, others: &[usize]) -> &[A::Item] {
        let mut others = others.iter();
        for (d, at) in self.at.as_mut().iter_mut().enumerate() {
            if d == self.dimension {
                *at = 0;
                continue;
            }
            match others.next() {
                Some(&other) => *at = other,
                None => unreachable!("`fit` compared the ranks"),
            }
        }
        if self.size == 0 {
            return &[];
        }
        let layout = self.array.layout();
        if self.contiguous {
            // `at` is in bounds, and so are the indices after it along the dimension, which has stride 1.
            let first = Inside::of(layout.linear_index(&self.at));
            return self.array.adjacent(first, self.size, &mut self.copy);
        }
        self.copy.clear();
        for k in 0..self.size {
            self.at.set(self.dimension, k);
            // `at` is in bounds.
            let place = Inside::of(layout.linear_index(&self.at));
            self.copy.push(self.array.element(place));
        }
        &self.copy
    }
}

/// Whether sizes are equal.
fn same(expected: impl Iterator<Item = usize> + Clone, found: &[usize]) -> Result<(), LayoutError> {
    let rank = expected.clone().count();
    if rank != found.len() {
        return Err(LayoutError::Rank {
            expected: rank,
            found: found.len(),
        });
    }
    match expected.zip(found).enumerate().find(|(_, (e, f))| e != *f) {
        None => Ok(()),
        Some((dimension, (expected, &found))) => Err(LayoutError::Size {
            dimension,
            expected,
            found,
        }),
    }
}
