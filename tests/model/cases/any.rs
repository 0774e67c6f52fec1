//! Layouts and arrays without their types: what the checks ask is compiled once for each type, and
//! the checks themselves are compiled once.

use std::any::type_name;

use std::ops::{Deref, DerefMut};

use xlayout::shape::Mode;
use xlayout::storage::{Storage, StorageMut};
use xlayout::{Array, ArrayBase, ArrayLayout, Coordinates, DynLayout, Index, LayoutError, Packed};
use xlayout_relayout::{Chunks, Plan, RelayoutError, relayout};

use crate::check::Value;
use crate::parts::in_dimension;

/// An index as the coordinates of a layout.
pub(crate) fn at<C: Coordinates>(index: &[usize]) -> C {
    let mut coordinates = C::origin(index.len());
    for (d, &i) in index.iter().enumerate() {
        coordinates.set(d, i);
    }
    coordinates
}

/// A linear index, and the index of the element there.
pub(crate) type Visit = (usize, Vec<usize>);

/// The numbers of a layout: rank, elements, length of the buffer, bytes, bits of an element,
/// padding.
pub(crate) type Numbers = [usize; 6];

/// The functions of a layout that the cases call.
pub(crate) trait AnyLayout {
    fn name(&self) -> &'static str;
    fn owns_padding(&self) -> bool;
    fn numbers(&self) -> Numbers;
    fn sizes(&self) -> Vec<usize>;
    fn shape(&self) -> xlayout::ArrayShape;
    fn linear_index(&self, index: &[usize]) -> usize;
    fn in_bounds(&self, index: &[usize]) -> bool;
    /// By an index that was checked; `None` out of bounds.
    fn typed_index(&self, index: &[usize]) -> Option<usize>;
    fn multi_index(&self, linear: usize) -> Option<Vec<usize>>;
    fn has_linear(&self, linear: usize) -> bool;
    fn bit_offset(&self, linear: usize) -> (usize, u32);
    fn strides(&self) -> Option<Vec<usize>>;
    fn is_reversed(&self, dimension: usize) -> bool;
    fn modes(&self) -> Vec<Mode>;
    /// Unique, exhaustive, contiguous, strided.
    fn is(&self) -> [bool; 4];
    fn visited(&self) -> [Vec<Vec<usize>>; 2];
    /// In the sequence of memory: visited, step by step, and all but the first in one fold.
    fn in_memory(&self) -> [Vec<Visit>; 3];
}

impl<L: ArrayLayout> AnyLayout for L {
    fn name(&self) -> &'static str {
        type_name::<L>()
    }
    fn owns_padding(&self) -> bool {
        ArrayLayout::owns_padding(self)
    }
    fn numbers(&self) -> Numbers {
        [
            self.rank(),
            self.elements(),
            self.buffer_len(),
            self.bytes(),
            self.element_bits(),
            self.padding(),
        ]
    }
    fn sizes(&self) -> Vec<usize> {
        ArrayLayout::shape(self).as_ref().to_vec()
    }
    fn shape(&self) -> xlayout::ArrayShape {
        ArrayLayout::array_shape(self)
    }
    fn linear_index(&self, index: &[usize]) -> usize {
        ArrayLayout::linear_index(self, &at(index))
    }
    fn in_bounds(&self, index: &[usize]) -> bool {
        ArrayLayout::in_bounds(self, &at(index))
    }
    fn typed_index(&self, index: &[usize]) -> Option<usize> {
        let index = Index::new(self, at(index)).ok()?;
        Some(index.to_linear(self).get())
    }
    fn multi_index(&self, linear: usize) -> Option<Vec<usize>> {
        ArrayLayout::multi_index(self, linear).map(|index| index.as_ref().to_vec())
    }
    fn has_linear(&self, linear: usize) -> bool {
        self.linear(linear).is_ok_and(|found| found.get() == linear)
    }
    fn bit_offset(&self, linear: usize) -> (usize, u32) {
        ArrayLayout::bit_offset(self, linear)
    }
    fn strides(&self) -> Option<Vec<usize>> {
        ArrayLayout::strides(self).map(|strides| strides.as_ref().to_vec())
    }
    fn is_reversed(&self, dimension: usize) -> bool {
        ArrayLayout::is_reversed(self, dimension)
    }
    fn modes(&self) -> Vec<Mode> {
        stepped(&mut ArrayLayout::modes(self))
    }
    fn is(&self) -> [bool; 4] {
        [
            self.is_unique(),
            self.is_exhaustive(),
            self.is_contiguous(),
            self.is_strided(),
        ]
    }
    fn visited(&self) -> [Vec<Vec<usize>>; 2] {
        let mut visited = Vec::new();
        self.for_each_index(|index| visited.push(index.as_ref().to_vec()));
        let mut stepped = Vec::new();
        for index in self.indices() {
            stepped.push(index.coordinates().as_ref().to_vec());
        }
        [visited, stepped]
    }
    fn in_memory(&self) -> [Vec<Visit>; 3] {
        let mut visited = Vec::new();
        let mut stepped = Vec::new();
        self.for_each_in_memory(|index, linear| visited.push((linear, index.as_ref().to_vec())));
        for (index, linear) in self.indices_in_memory() {
            stepped.push((linear.get(), index.coordinates().as_ref().to_vec()));
        }
        let mut rest = self.indices_in_memory();
        let _ = rest.next();
        let folded = rest.fold(Vec::new(), |mut visits, (index, linear)| {
            visits.push((linear.get(), index.coordinates().as_ref().to_vec()));
            visits
        });
        [visited, stepped, folded]
    }
}

/// An array on the other side of a copy.
pub(crate) type Other<T> = Array<T, DynLayout>;

/// An array that is read, and copied to another layout.
pub(crate) trait AnyArray<T> {
    fn any_layout(&self) -> &dyn AnyLayout;
    fn memory_name(&self) -> &'static str;
    fn get(&self, index: &[usize]) -> Option<T>;
    /// Whether all of the memory is the array's, and the memory as a slice.
    fn slice(&self) -> (bool, Option<Vec<T>>);
    /// All elements: `iter` in two ways, `to_row_major`, `iter` from the end, and those of a copy.
    fn all(&self) -> [Vec<T>; 5];
    /// The places of a copy.
    fn places_of_copy(&self) -> usize;
    /// `indexed_iter`, and `for_each_in_memory`, each with the index.
    fn indexed(&self) -> [Vec<(Vec<usize>, T)>; 2];
    fn copy_to(&self, out: &mut Other<T>) -> Result<(), RelayoutError>;
    fn plan_to(&self, out: &DynLayout) -> Result<Plan, RelayoutError>;
    fn run_to(&self, plan: &Plan, out: &mut Other<T>) -> Result<(), RelayoutError>;
    fn chunks_to(&self, plan: &Plan, out: &mut Other<T>, most: usize) -> Result<(), RelayoutError>;
}

/// What an iterator gives, step by step. Compiled once for each type of element, as `collect` is
/// not.
fn stepped<T>(iter: &mut dyn Iterator<Item = T>) -> Vec<T> {
    iter.collect()
}

/// What an iterator gives: all at once, and half of it one by one and then the rest.
fn in_two_ways<T, I: ExactSizeIterator<Item = T>>(iter: impl Fn() -> I) -> [Vec<T>; 2] {
    let mut folded = Vec::new();
    iter().for_each(|value| folded.push(value));
    let mut rest = iter();
    let half = rest.len() / 2;
    let mut in_halves = stepped(&mut rest.by_ref().take(half));
    assert_eq!(in_halves.len() + rest.len(), folded.len(), "iter");
    rest.for_each(|value| in_halves.push(value));
    [folded, in_halves]
}

/// Runs the chunks, the last one on another thread.
fn run_chunks(chunks: Chunks<'_>) {
    let mut chunks: Vec<_> = chunks.collect();
    let last = chunks.pop();
    std::thread::scope(|scope| {
        scope.spawn(|| last.into_iter().for_each(|chunk| chunk.run()));
        chunks.into_iter().rev().for_each(|chunk| chunk.run());
    });
}

impl<T: Value, S: Storage<Item = T> + Sync, L: ArrayLayout> AnyArray<T> for ArrayBase<S, L> {
    fn any_layout(&self) -> &dyn AnyLayout {
        self.layout()
    }
    fn memory_name(&self) -> &'static str {
        type_name::<S>()
    }
    fn get(&self, index: &[usize]) -> Option<T> {
        self.deref().get(&at::<L::Coordinates>(index)).copied()
    }
    fn slice(&self) -> (bool, Option<Vec<T>>) {
        (self.owns_memory(), self.as_slice().map(<[T]>::to_vec))
    }
    fn all(&self) -> [Vec<T>; 5] {
        let mut read = vec![T::ZERO; self.layout().elements()];
        self.to_row_major(&mut read).expect("there are as many");
        let [folded, in_halves] = in_two_ways(|| self.iter().copied());
        let mut backwards = stepped(&mut self.iter().rev().copied());
        backwards.reverse();
        let copy: Array<T, L::Owned> = self.to_owned();
        let copied = stepped(&mut copy.iter().copied());
        [folded, in_halves, read, backwards, copied]
    }
    fn places_of_copy(&self) -> usize {
        let zeros = self.zeros_like().expect("it is small");
        zeros.memory().len()
    }
    fn indexed(&self) -> [Vec<(Vec<usize>, T)>; 2] {
        let mut visited = Vec::new();
        self.for_each_in_memory(|index, value| visited.push((index.as_ref().to_vec(), *value)));
        let mut indexed = self
            .indexed_iter()
            .map(|(index, value)| (index.as_ref().to_vec(), *value));
        [stepped(&mut indexed), visited]
    }
    fn copy_to(&self, out: &mut Other<T>) -> Result<(), RelayoutError> {
        // The second copy of a kind keeps its plan, the third one uses it.
        for _ in 0..2 {
            relayout(self, out)?;
        }
        relayout(self, out)
    }
    fn plan_to(&self, out: &DynLayout) -> Result<Plan, RelayoutError> {
        Plan::new(self.layout(), out)
    }
    fn run_to(&self, plan: &Plan, out: &mut Other<T>) -> Result<(), RelayoutError> {
        plan.run_views(self, out)
    }
    fn chunks_to(&self, plan: &Plan, out: &mut Other<T>, most: usize) -> Result<(), RelayoutError> {
        run_chunks(plan.chunks_views(self, out, most)?);
        Ok(())
    }
}

/// An array that is written.
pub(crate) trait AnyArrayMut<T> {
    fn any_layout(&self) -> &dyn AnyLayout;
    fn memory_name(&self) -> &'static str;
    fn visit(&mut self, visit: &mut dyn FnMut(&[usize], &mut T));
    fn set(&mut self, index: &[usize], value: T) -> bool;
    fn set_all(&mut self, values: &[T]);
    /// By lines along a dimension as slices, if their elements are adjacent.
    fn set_lines(&mut self, dimension: usize, values: &[T]) -> Result<(), LayoutError>;
    fn copy_from_row_major(&mut self, values: &[T]) -> Result<(), LayoutError>;
    fn fill(&mut self, value: T);
    fn copy_from(&mut self, from: &Other<T>) -> Result<(), RelayoutError>;
    fn plan_from(&self, from: &DynLayout) -> Result<Plan, RelayoutError>;
    fn run_from(&mut self, plan: &Plan, from: &Other<T>) -> Result<(), RelayoutError>;
    fn chunks_from(
        &mut self,
        plan: &Plan,
        from: &Other<T>,
        most: usize,
    ) -> Result<(), RelayoutError>;
}

impl<T: Value, S: StorageMut<Item = T> + Send, L: ArrayLayout> AnyArrayMut<T> for ArrayBase<S, L> {
    fn any_layout(&self) -> &dyn AnyLayout {
        self.layout()
    }
    fn memory_name(&self) -> &'static str {
        type_name::<S>()
    }
    fn visit(&mut self, visit: &mut dyn FnMut(&[usize], &mut T)) {
        self.for_each_in_memory_mut(|index, value| visit(index.as_ref(), value));
    }
    fn set(&mut self, index: &[usize], value: T) -> bool {
        let slot = self.get_mut(&at::<L::Coordinates>(index));
        slot.map(|slot| *slot = value).is_some()
    }
    fn set_all(&mut self, values: &[T]) {
        self.iter_mut()
            .zip(values)
            .for_each(|(slot, value)| *slot = *value);
    }
    fn set_lines(&mut self, dimension: usize, values: &[T]) -> Result<(), LayoutError> {
        let sizes = ArrayLayout::shape(self.layout());
        let sizes = sizes.as_ref();
        // In the sequence of the indices, the elements of a line are as far from each other as the
        // dimensions behind it have elements together.
        let apart: usize = sizes[dimension + 1..].iter().product();
        let len = sizes[dimension];
        let lines = in_dimension!(dimension, DIM => self.lines_mut::<DIM>())?;
        // All lines are there at once.
        let lines: Vec<&mut [T]> = lines.collect();
        for (number, line) in lines.into_iter().enumerate() {
            let first = number / apart * apart * len + number % apart;
            for (k, slot) in line.iter_mut().enumerate() {
                *slot = values[first + k * apart];
            }
        }
        Ok(())
    }
    fn copy_from_row_major(&mut self, values: &[T]) -> Result<(), LayoutError> {
        self.deref_mut().copy_from_row_major(values)
    }
    fn fill(&mut self, value: T) {
        self.deref_mut().fill(value);
    }
    fn copy_from(&mut self, from: &Other<T>) -> Result<(), RelayoutError> {
        relayout(from, self)
    }
    fn plan_from(&self, from: &DynLayout) -> Result<Plan, RelayoutError> {
        Plan::new(from, self.layout())
    }
    fn run_from(&mut self, plan: &Plan, from: &Other<T>) -> Result<(), RelayoutError> {
        plan.run_views(from, self)
    }
    fn chunks_from(
        &mut self,
        plan: &Plan,
        from: &Other<T>,
        most: usize,
    ) -> Result<(), RelayoutError> {
        run_chunks(plan.chunks_views(from, self, most)?);
        Ok(())
    }
}

/// A packed array that is read. Its lines are numbers.
pub(crate) trait AnyPacked {
    fn any_layout(&self) -> &dyn AnyLayout;
    fn memory_name(&self) -> &'static str;
    fn get(&self, index: &[usize]) -> (Option<u8>, Option<i8>);
    fn all(&self) -> [Vec<i8>; 5];
    fn indexed(&self) -> [Vec<(Vec<usize>, i8)>; 2];
}

impl<S: Storage<Item = Packed>, L: ArrayLayout> AnyPacked for ArrayBase<S, L> {
    fn any_layout(&self) -> &dyn AnyLayout {
        self.layout()
    }
    fn memory_name(&self) -> &'static str {
        type_name::<S>()
    }
    fn get(&self, index: &[usize]) -> (Option<u8>, Option<i8>) {
        let at = at::<L::Coordinates>(index);
        (self.get_bits(&at), self.deref().get(&at))
    }
    fn all(&self) -> [Vec<i8>; 5] {
        let mut read = vec![0; self.layout().elements()];
        self.to_row_major(&mut read).expect("there are as many");
        let [folded, in_halves] = in_two_ways(|| self.iter());
        let mut backwards = stepped(&mut self.iter().rev());
        backwards.reverse();
        let copy: Array<Packed, L::Owned> = self.to_owned();
        let copied = stepped(&mut copy.iter());
        [folded, in_halves, read, backwards, copied]
    }
    fn indexed(&self) -> [Vec<(Vec<usize>, i8)>; 2] {
        let mut visited = Vec::new();
        self.for_each_in_memory(|index, value| visited.push((index.as_ref().to_vec(), value)));
        let mut indexed = self
            .indexed_iter()
            .map(|(index, value)| (index.as_ref().to_vec(), value));
        [stepped(&mut indexed), visited]
    }
}

/// A packed array that is written.
pub(crate) trait AnyPackedMut {
    fn element_bits(&self) -> usize;
    fn visit(&mut self, visit: &mut dyn FnMut(&[usize], &mut i8));
    fn set(&mut self, index: &[usize], value: i8) -> bool;
    fn copy_from_row_major(&mut self, values: &[i8]) -> Result<(), LayoutError>;
    fn fill(&mut self, value: i8);
}

impl<S: StorageMut<Item = Packed>, L: ArrayLayout> AnyPackedMut for ArrayBase<S, L> {
    fn element_bits(&self) -> usize {
        self.layout().element_bits()
    }
    fn visit(&mut self, visit: &mut dyn FnMut(&[usize], &mut i8)) {
        self.for_each_in_memory_mut(|index, value| visit(index.as_ref(), value));
    }
    fn set(&mut self, index: &[usize], value: i8) -> bool {
        self.deref_mut().set(&at::<L::Coordinates>(index), value)
    }
    fn copy_from_row_major(&mut self, values: &[i8]) -> Result<(), LayoutError> {
        self.deref_mut().copy_from_row_major(values)
    }
    fn fill(&mut self, value: i8) {
        self.deref_mut().fill(value);
    }
}
