//! Iteration over the indices of a layout.

use core::iter::FusedIterator;
use core::ops::Range;

use super::axis::widths;
use super::{ArrayLayout, Index, LinearIndex, sealed};
use crate::coordinates::Coordinates;
use crate::list::List;
use crate::modes::{Mode, advance, fold_blocks};

/// All indices of a layout in logical sequence; see [`ArrayLayout::indices`].
///
/// ```
/// use xlayout_core::{DynLayout, ArrayLayout};
/// let layout: DynLayout = "f32[2,2]{0,1}".parse().unwrap();
/// let logical: Vec<_> = layout.indices().map(|index| index.coordinates().clone()).collect();
/// assert_eq!(logical, [[0, 0], [0, 1], [1, 0], [1, 1]].map(From::from));
/// let (index, linear) = layout.indices_in_memory().nth(1).unwrap();
/// assert_eq!((&index.coordinates()[..], linear.get()), (&[1, 0][..], 1));
/// ```
#[derive(Clone, Debug)]
pub struct Indices<L: ArrayLayout> {
    sizes: L::Coordinates,
    /// The next index, if any are left.
    next: L::Coordinates,
    left: usize,
    /// Whether all indices up to the last one are left.
    to_the_end: bool,
}

impl<L: ArrayLayout> Indices<L> {
    /// How loops over the last dimension that the type says digits of are cut.
    const WIDTHS: [usize; 2] = {
        let mut last = 0;
        each!(mode, L::KNOWN_MODES, {
            if mode.dim > last {
                last = mode.dim;
            }
        });
        widths::<L>(last)
    };

    pub(crate) fn new(layout: &L) -> Self {
        Self::below(layout.shape())
    }

    /// The indices below sizes that are at most those of the layout.
    pub(crate) fn below(sizes: L::Coordinates) -> Self {
        Self {
            left: sizes.as_ref().iter().product(),
            next: L::Coordinates::origin(sizes.as_ref().len()),
            sizes,
            to_the_end: true,
        }
    }

    /// Leaves out the next ones, at most all that are left.
    pub(crate) fn skip_some(&mut self, count: usize) {
        if count < self.left {
            self.next = self.after(count);
        }
        self.left -= count;
    }

    /// The index that comes `steps` after the next one. It is one of those that are left.
    fn after(&self, steps: usize) -> L::Coordinates {
        let mut index = self.next.clone();
        let mut steps = steps;
        for (i, &size) in index.as_mut().iter_mut().zip(self.sizes.as_ref()).rev() {
            // The number of an index that there is fits.
            let number = *i + steps;
            *i = number % size;
            steps = number / size;
        }
        index
    }
}

/// Moves to the next index; after the last one, to the first. Whether it was not the last one.
#[inline(always)]
fn step(index: &mut [usize], sizes: &[usize]) -> bool {
    for (i, &size) in index.iter_mut().zip(sizes).rev() {
        *i += 1;
        if *i < size {
            return true;
        }
        *i = 0;
    }
    false
}

impl<L: ArrayLayout> Iterator for Indices<L> {
    type Item = Index<L>;

    #[inline]
    fn next(&mut self) -> Option<Index<L>> {
        self.left = self.left.checked_sub(1)?;
        let now = self.next.clone();
        step(self.next.as_mut(), self.sizes.as_ref());
        Some(Index::proven(now))
    }

    fn nth(&mut self, n: usize) -> Option<Index<L>> {
        self.skip_some(n.min(self.left));
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    /// Row by row: a loop of its own for the last dimension, as a person would write it.
    #[inline]
    fn fold<B, F>(self, init: B, mut each: F) -> B
    where
        F: FnMut(B, Self::Item) -> B,
    {
        if !self.to_the_end || self.left == 0 {
            let mut left = self;
            let rest = core::iter::from_fn(|| left.next());
            return rest.fold(init, each);
        }
        let mut at = self.next;
        let sizes = self.sizes;
        let Some(last) = sizes.as_ref().len().checked_sub(1) else {
            return each(init, Index::proven(at));
        };
        let mut folded = init;
        loop {
            folded = fold_blocks(
                at.coordinate(last)..sizes.coordinate(last),
                const { Self::WIDTHS },
                folded,
                #[inline(always)]
                |folded, i| {
                    let mut index = at.clone();
                    index.set(last, i);
                    each(folded, Index::proven(index))
                },
            );
            at.set(last, 0);
            if !step(&mut at.as_mut()[..last], &sizes.as_ref()[..last]) {
                return folded;
            }
        }
    }
}

impl<L: ArrayLayout> DoubleEndedIterator for Indices<L> {
    fn next_back(&mut self) -> Option<Index<L>> {
        self.left = self.left.checked_sub(1)?;
        self.to_the_end = false;
        Some(Index::proven(self.after(self.left)))
    }

    fn nth_back(&mut self, n: usize) -> Option<Index<L>> {
        self.to_the_end = false;
        self.left = self.left.saturating_sub(n);
        self.next_back()
    }
}

impl<L: ArrayLayout> ExactSizeIterator for Indices<L> {}
impl<L: ArrayLayout> FusedIterator for Indices<L> {}

/// All indices of a layout in the sequence of memory, each with its linear index;
/// [`ArrayLayout::indices_in_memory`] makes it.
///
/// ```
/// use xlayout_core::{ArrayLayout, StridedLayout};
/// let layout: StridedLayout<[usize; 2]> = "f32[2,3]{0,1}".parse()?;
/// let first = layout.indices_in_memory().take(3);
/// let first: Vec<_> = first.map(|(index, linear)| (*index.coordinates(), linear.get())).collect();
/// assert_eq!(first, [([0, 0], 0), ([1, 0], 1), ([0, 1], 2)]);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct IndicesInMemory<L: ArrayLayout> {
    layout: L,
    /// The modes, the most minor first, each with its digit; empty for merged coordinates.
    digits: List<(Mode, usize), 20>,
    /// Whether coordinates are merged or there are too many modes: then every place is searched.
    search: bool,
    /// The index in the table of modes.
    at: L::Coordinates,
    linear: usize,
    left: usize,
    /// Whether no element was given yet.
    fresh: bool,
}

impl<L: ArrayLayout> IndicesInMemory<L> {
    pub(crate) fn new(layout: &L) -> Self {
        let mut digits = List::from_slice(&[], (Mode::NONE, 0));
        let search = layout.with_resolved(sealed::Token, |resolved| {
            let fits = resolved
                .modes
                .iter()
                .all(|&mode| digits.try_push((mode, 0)).is_ok());
            !fits || !resolved.terms.is_empty()
        });
        Self {
            at: L::Coordinates::origin(layout.rank()),
            linear: 0,
            left: layout.elements(),
            layout: layout.clone(),
            digits,
            search,
            fresh: true,
        }
    }

    /// Moves to the next element; there is one.
    fn advance(&mut self) {
        if self.search {
            loop {
                self.linear += 1;
                if let Some(at) = self.layout.multi_index(self.linear) {
                    self.at = self.layout.in_table(&at);
                    return;
                }
            }
        }
        let sizes = self.layout.shape();
        let digits = self.digits.iter_mut().map(|(mode, digit)| (&*mode, digit));
        advance(digits, sizes.as_ref(), self.at.as_mut(), &mut self.linear);
    }
}

impl<L: ArrayLayout> Iterator for IndicesInMemory<L> {
    type Item = (Index<L>, LinearIndex<L>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        // Linear index 0 is an element of every layout that has elements.
        if !core::mem::take(&mut self.fresh) {
            self.advance();
        }
        Some((
            Index::proven(self.layout.in_table(&self.at)),
            LinearIndex::proven(self.linear),
        ))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    #[inline]
    fn fold<B, F>(self, init: B, mut step: F) -> B
    where
        F: FnMut(B, Self::Item) -> B,
    {
        let mut folded = init;
        if self.fresh {
            // `Option` so that the value can be moved through the closure.
            let mut slot = Some(folded);
            self.layout.for_each_in_memory(
                #[inline(always)]
                |at, linear| {
                    if let Some(value) = slot.take() {
                        let item = (Index::proven(at.clone()), LinearIndex::proven(linear));
                        slot = Some(step(value, item));
                    }
                },
            );
            // Nothing takes the value without putting one back.
            return match slot {
                Some(value) => value,
                None => unreachable!("the loop gives back what it takes"),
            };
        }
        for item in self {
            folded = step(folded, item);
        }
        folded
    }
}

impl<L: ArrayLayout> ExactSizeIterator for IndicesInMemory<L> {}
impl<L: ArrayLayout> FusedIterator for IndicesInMemory<L> {}

/// The padding of a layout, as ranges of linear indices in the sequence of memory;
/// [`ArrayLayout::padding_ranges`] makes it.
///
/// ```
/// use xlayout_core::{ArrayLayout, DynLayout};
/// let layout: DynLayout = "f32[3]{0:T(2)}".parse()?;
/// assert_eq!(layout.padding_ranges().collect::<Vec<_>>(), [3..4]);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PaddingRanges<L: ArrayLayout> {
    elements: IndicesInMemory<L>,
    /// Where the element before ends.
    end: usize,
    places: usize,
}

impl<L: ArrayLayout> PaddingRanges<L> {
    pub(crate) fn new(layout: &L) -> Self {
        Self {
            elements: IndicesInMemory::new(layout),
            end: 0,
            // What lies between the elements of a part belongs to another part.
            places: if layout.owns_padding() {
                layout.buffer_len()
            } else {
                0
            },
        }
    }
}

impl<L: ArrayLayout> Iterator for PaddingRanges<L> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        while self.end < self.places {
            let begin = self.end;
            let next = match self.elements.next() {
                Some((_, linear)) => linear.get(),
                None => self.places,
            };
            // Behind the last element this is beyond all places, which ends the iteration.
            self.end = next + 1;
            if begin < next {
                return Some(begin..next);
            }
        }
        None
    }
}

impl<L: ArrayLayout> FusedIterator for PaddingRanges<L> {}
