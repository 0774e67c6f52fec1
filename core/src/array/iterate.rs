//! Linear indices in logical sequence, and the iterators over elements that go through them.
//!
//! [`Firsts`] gives those of all elements, or of the first element of each line:
//!
//! ```text
//! inner = the last dimensions, without that of the lines, of which each has the stride behind
//!         the last element of the ones after it: all of a row-major array
//! for each index whose coordinates of inner are 0:
//!     linear = the linear index there
//!     for each index of inner:
//!         give linear; linear += the stride of the last of them
//! ```
//!
//! Where the last dimension is reversed, each index has a run of its own. Where tiles cut it, a run
//! is in one tile:
//!
//! ```text
//! cut = the first width at which the step along the last dimension changes
//! for each index whose last coordinate is a multiple of cut:
//!     linear = the linear index there
//!     for each of the next cut coordinates that there are:
//!         give linear; linear += the stride of the last dimension below cut
//! ```

use core::fmt;
use core::iter::FusedIterator;

use super::base::ArrayBase;
use super::reference::ArrayRef;
use super::storage::{Inside, PartItems, PartItemsMut, Storage, StorageMut, TakeOne};
use super::stored::Stored;
use crate::array_layout::sealed::Token;
use crate::array_layout::{ArrayLayout, Index, Indices};
use crate::coordinates::Coordinates;
use crate::element::Element;
use crate::layouts::region::parts::assert_unique;
use crate::layouts::region::{is_strided, known_strides, widths_of};
use crate::modes::Mode;

/// How many coordinates of a dimension of this size lie before its first cut, and their stride. If
/// the other digits change elsewhere, each coordinate is alone.
#[inline]
fn first_digit(
    modes: &[Mode],
    dimension: usize,
    size: usize,
    stride_of: impl Fn(&Mode) -> usize,
) -> (usize, usize) {
    let of_dimension = || modes.iter().filter(|mode| mode.dim == dimension);
    let Some(first) = of_dimension().find(|mode| mode.divisor == 1) else {
        return (1, 0);
    };
    let cut = if first.top { size } else { first.size };
    if of_dimension().all(|other| other.divisor == 1 || other.divisor.is_multiple_of(cut)) {
        (cut, stride_of(first))
    } else {
        (1, 0)
    }
}

/// See the module.
#[derive(Clone)]
pub(super) struct Firsts<'a, L: ArrayLayout> {
    layout: &'a L,
    /// The indices at which runs begin; where tiles cut them, with the number of the run for the
    /// last coordinate.
    indices: Indices<L>,
    /// The number of indices of `inner`, or of a whole run between cuts, and the stride.
    run: usize,
    stride: usize,
    /// The size of the last dimension where tiles cut it, else 0.
    cut_size: usize,
    /// How many are in the runs that no end has begun.
    between: usize,
    /// What is left of the run, and the next linear index in it.
    left: usize,
    linear: usize,
    /// What is left of a run at the other end, and the linear index that it begins with.
    left_behind: usize,
    linear_behind: usize,
}

impl<'a, L: ArrayLayout> Firsts<'a, L> {
    /// Those of all elements.
    #[inline(always)]
    pub(super) fn of_elements(layout: &'a L) -> Self {
        let strides = match const { (is_strided::<L>(), L::KNOWN_MODES.is_empty()) } {
            (true, _) => known_strides(layout, &layout.shape()),
            (false, true) => widths_of(layout),
            // The type says that there are tiles.
            (false, false) => None,
        };
        let sizes = layout.shape();
        let is_cut = strides.is_none() && layout.elements() > 0;
        match layout.rank().checked_sub(1) {
            Some(last) if is_cut => Self::cut(layout, sizes, last),
            _ => Self::new(layout, sizes, strides),
        }
    }

    /// Those of all elements, in runs that tiles cut. There are elements, and no dimension is
    /// reversed.
    #[inline(always)]
    fn cut(layout: &'a L, mut sizes: L::Coordinates, last: usize) -> Self {
        let cut_size = sizes.coordinate(last);
        let (run, stride) = if const { L::KNOWN_MODES.is_empty() } {
            layout.with_resolved(Token, |of| match of.terms {
                [] => first_digit(of.modes, last, cut_size, |mode| mode.stride),
                _ => (1, 0),
            })
        } else {
            first_digit(L::KNOWN_MODES, last, cut_size, |mode| {
                layout.stride_of(mode)
            })
        };
        sizes.set(last, cut_size.div_ceil(run));
        Self {
            run,
            stride,
            cut_size,
            between: layout.elements(),
            ..Self::new(layout, sizes, None)
        }
    }

    /// Those of the indices below `sizes`, which is 1 in the dimension of lines.
    #[inline(always)]
    pub(super) fn new(
        layout: &'a L,
        mut sizes: L::Coordinates,
        strides: Option<L::Coordinates>,
    ) -> Self {
        let mut run = 1;
        let mut stride = 0;
        if let Some(strides) = strides
            && !sizes.as_ref().contains(&0)
        {
            for inner in (0..layout.rank()).rev() {
                let size = sizes.coordinate(inner);
                let width = strides.coordinate(inner);
                if size == 1 {
                    continue;
                }
                if layout.is_reversed(inner) || run > 1 && width != run * stride {
                    break;
                }
                if run == 1 {
                    stride = width;
                }
                run *= size;
                sizes.set(inner, 1);
            }
        }
        let indices = Indices::below(sizes);
        Self {
            layout,
            between: indices.len() * run,
            indices,
            run,
            stride,
            cut_size: 0,
            left: 0,
            linear: 0,
            left_behind: 0,
            linear_behind: 0,
        }
    }

    #[inline(always)]
    pub(super) const fn layout(&self) -> &'a L {
        self.layout
    }

    /// The next one; of lines without elements, some number.
    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<Inside> {
        if self.left == 0 {
            self.begin()?;
        }
        // The index is in bounds: it is that of the run with other coordinates of `inner`, or with
        // a greater last one before the next cut. Their linear indices have this stride.
        let first = Inside::of(self.linear);
        self.left -= 1;
        self.linear = self.linear.wrapping_add(self.stride);
        Some(first)
    }

    /// The next one, of elements, which is that of this index. Where the type says the modes, the
    /// compiler sees how it depends on the coordinates.
    #[inline(always)]
    pub(super) fn next_at(&mut self, index: &L::Coordinates) -> Inside {
        if const { !L::KNOWN_MODES.is_empty() } {
            return Inside::of(self.layout.linear_index(index));
        }
        match self.next() {
            Some(first) => first,
            None => unreachable!("there are as many as indices"),
        }
    }

    /// How many come next whose linear indices are adjacent to the last one.
    #[inline(always)]
    fn adjacent(&self) -> usize {
        if self.stride == 1 { self.left } else { 0 }
    }

    /// Skips the next ones of the run.
    #[inline(always)]
    fn skip(&mut self, count: usize) {
        self.left -= count;
        self.linear = self.linear.wrapping_add(count.wrapping_mul(self.stride));
    }

    /// Begins the next run.
    #[inline(always)]
    fn begin(&mut self) -> Option<()> {
        let Some(index) = self.indices.next() else {
            return self.join();
        };
        (self.left, self.linear) = self.run_at(index);
        self.between -= self.left;
        Some(())
    }

    /// The length of the run with this index, and the linear index that it begins with.
    #[inline(always)]
    fn run_at(&self, index: Index<L>) -> (usize, usize) {
        let mut index = index.into_coordinates();
        let mut len = self.run;
        if self.cut_size > 0 {
            let last = self.layout.rank() - 1;
            let start = index.coordinate(last) * self.run;
            index.set(last, start);
            len = len.min(self.cut_size - start);
        }
        (len, self.layout.linear_index(&index))
    }

    /// Goes on with what is left of the run at the other end, if anything is.
    #[cold]
    fn join(&mut self) -> Option<()> {
        self.left = core::mem::take(&mut self.left_behind);
        self.linear = self.linear_behind;
        (self.left > 0).then_some(())
    }

    /// As [`next`](Self::next), after `n` of them.
    pub(super) fn nth(&mut self, n: usize) -> Option<Inside> {
        let mut skipped = n;
        while skipped >= self.left {
            skipped -= self.left;
            // The last run of a line that tiles cut is shorter: there each run is begun.
            if self.cut_size == 0 {
                let runs = (skipped / self.run).min(self.indices.len());
                self.indices.skip_some(runs);
                self.between -= runs * self.run;
                skipped -= runs * self.run;
            }
            self.left = 0;
            self.begin()?;
        }
        self.skip(skipped);
        self.next()
    }

    /// The last one.
    #[inline]
    pub(super) fn next_back(&mut self) -> Option<Inside> {
        if self.left_behind == 0 {
            match self.indices.next_back() {
                Some(index) => {
                    (self.left_behind, self.linear_behind) = self.run_at(index);
                    self.between -= self.left_behind;
                }
                None => {
                    self.left_behind = core::mem::take(&mut self.left);
                    self.linear_behind = self.linear;
                }
            }
        }
        self.left_behind = self.left_behind.checked_sub(1)?;
        // As in `next`.
        let steps = self.left_behind.wrapping_mul(self.stride);
        Some(Inside::of(self.linear_behind.wrapping_add(steps)))
    }

    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.between + self.left + self.left_behind
    }

    /// All that are left, of elements. Where none was taken and the type says the modes, the
    /// compiler sees the loops of a person.
    #[inline(always)]
    pub(super) fn fold<A>(mut self, init: A, mut step: impl FnMut(A, Inside) -> A) -> A {
        let layout = self.layout;
        let mut folded = init;
        if const { !L::KNOWN_MODES.is_empty() } && self.count() == layout.elements() {
            return layout.indices().fold(
                folded,
                #[inline(always)]
                |folded, index| step(folded, Inside::of(layout.linear_index(index.coordinates()))),
            );
        }
        while let Some(first) = self.next() {
            let mut linear = first.get();
            folded = step(folded, first);
            for _ in 0..self.left {
                linear = linear.wrapping_add(self.stride);
                // As in `next`.
                folded = step(folded, Inside::of(linear));
            }
            self.left = 0;
        }
        folded
    }
}

/// The elements of an array in logical sequence, the last dimension fastest; [`ArrayRef::iter`]
/// makes it. To visit them in the sequence of memory, which is faster over tiles, use
/// [`ArrayRef::for_each_in_memory`].
///
/// ```
/// use xlayout_core::{DynLayout, SliceView};
/// let layout: DynLayout = "f32[2,2]{0,1}".parse()?;
/// let view = SliceView::new(layout, &[1.0_f32, 2.0, 3.0, 4.0][..])?;
/// assert_eq!(view.iter().copied().collect::<Vec<_>>(), [1.0, 3.0, 2.0, 4.0]);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type Elements<'a, T, L> = Each<'a, PartItems<'a, T>, L>;

/// The elements of an array in logical sequence, the last dimension fastest, to write;
/// [`ArrayRef::iter_mut`] makes it.
pub type ElementsMut<'a, T, L> = Each<'a, PartItemsMut<'a, T>, L>;

/// [`Elements`] and [`ElementsMut`].
#[allow(unreachable_pub, reason = "public types are it")]
#[derive(Clone)]
pub struct Each<'a, S: TakeOne, L: ArrayLayout> {
    firsts: Firsts<'a, L>,
    data: S,
    /// Elements before those of `firsts`.
    ahead: S::Ahead,
}

impl<'a, S: TakeOne, L: ArrayLayout> Each<'a, S, L> {
    #[inline(always)]
    pub(super) fn new(firsts: Firsts<'a, L>, data: S) -> Self {
        Self {
            firsts,
            data,
            ahead: S::nothing_ahead(),
        }
    }
}

impl<S: TakeOne, L: ArrayLayout> Iterator for Each<'_, S, L> {
    type Item = S::Ref;

    #[inline(always)]
    fn next(&mut self) -> Option<S::Ref> {
        if let Some(read) = self.ahead.next() {
            return Some(read);
        }
        // Each index comes once, and distinct indices have distinct linear indices (law 1).
        let at = self.firsts.next()?;
        let layout = self.firsts.layout();
        if let Some(ahead) = self.data.take_ahead(layout, at, self.firsts.adjacent()) {
            self.firsts.skip(ahead.len());
            self.ahead = ahead;
        }
        Some(self.data.take(layout, at))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.ahead.len() + self.firsts.count();
        (count, Some(count))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<S::Ref> {
        let ahead = self.ahead.len();
        if n < ahead {
            return self.ahead.nth(n);
        }
        self.ahead = S::nothing_ahead();
        let at = self.firsts.nth(n - ahead)?;
        Some(self.data.take(self.firsts.layout(), at))
    }

    #[inline(always)]
    fn fold<A, F: FnMut(A, S::Ref) -> A>(self, init: A, mut step: F) -> A {
        let Self {
            firsts,
            mut data,
            ahead,
        } = self;
        let layout = firsts.layout();
        let folded = ahead.fold(init, &mut step);
        firsts.fold(
            folded,
            #[inline(always)]
            // As in `next`.
            |state, at| step(state, data.take(layout, at)),
        )
    }
}

impl<S: TakeOne, L: ArrayLayout> DoubleEndedIterator for Each<'_, S, L> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<S::Ref> {
        // As in `next`.
        match self.firsts.next_back() {
            Some(at) => Some(self.data.take(self.firsts.layout(), at)),
            None => self.ahead.next_back(),
        }
    }
}

impl<S: TakeOne, L: ArrayLayout> ExactSizeIterator for Each<'_, S, L> {}
impl<S: TakeOne, L: ArrayLayout> FusedIterator for Each<'_, S, L> {}

impl<S: TakeOne, L: ArrayLayout> fmt::Debug for Each<'_, S, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.len(), S::NAME)
    }
}

/// The elements in logical sequence, row-major, as [`ArrayRef::iter`].
///
/// ```
/// use xlayout_core::{Array, StridedLayout};
/// let layout: StridedLayout<[usize; 2]> = "f32[2,2]{0,1}".parse()?;
/// let mut array = Array::from_fn(layout, |&[i, j]| (10 * i + j) as f32)?;
/// for x in &mut array {
///     *x += 1.0;
/// }
/// let mut sum = 0.0;
/// for x in &array {
///     sum += x;
/// }
/// assert_eq!(sum, 26.0);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
impl<'a, T: Stored, L: ArrayLayout> IntoIterator for &'a ArrayRef<T, L> {
    type Item = T::Ref<'a>;
    type IntoIter = Elements<'a, T, L>;

    #[inline(always)]
    fn into_iter(self) -> Elements<'a, T, L> {
        Elements::new(Firsts::of_elements(&self.layout), self.items())
    }
}

/// The elements to write, in logical sequence, row-major, as [`ArrayRef::iter_mut`].
impl<'a, T: Element, L: ArrayLayout> IntoIterator for &'a mut ArrayRef<T, L> {
    type Item = &'a mut T;
    type IntoIter = ElementsMut<'a, T, L>;

    #[inline(always)]
    fn into_iter(self) -> ElementsMut<'a, T, L> {
        const { assert_unique::<L>() }
        let (data, layout) = self.items_mut_and_layout();
        ElementsMut::new(Firsts::of_elements(layout), data)
    }
}

impl<'a, S: Storage, L> IntoIterator for &'a ArrayBase<S, L>
where
    &'a ArrayRef<S::Item, L>: IntoIterator,
{
    type Item = <&'a ArrayRef<S::Item, L> as IntoIterator>::Item;
    type IntoIter = <&'a ArrayRef<S::Item, L> as IntoIterator>::IntoIter;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        (**self).into_iter()
    }
}

impl<'a, S: StorageMut<Item: Element>, L: ArrayLayout> IntoIterator for &'a mut ArrayBase<S, L> {
    type Item = &'a mut S::Item;
    type IntoIter = ElementsMut<'a, S::Item, L>;

    #[inline(always)]
    fn into_iter(self) -> ElementsMut<'a, S::Item, L> {
        self.iter_mut()
    }
}
