//! Arrays and their parts in the model: the place of each element in the memory of the whole array.

use std::collections::HashMap;

use xlayout_model::{Model, indices};

/// An array, or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    pub(crate) sizes: Vec<usize>,
    /// Where each element is in the memory of the whole array; the last dimension fastest.
    pub(crate) places: Vec<usize>,
    /// The number of places of the whole array.
    pub(crate) memory: usize,
    /// Whether these are all elements of the whole array, so that its padding belongs to them.
    pub(crate) whole: bool,
    /// Whether xlayout may refuse parts that there are: tiles merge dimensions (law 6 in
    /// DESIGN.md).
    pub(crate) merges: bool,
}

impl Cells {
    pub(crate) fn of(model: &Model, merges: bool) -> Self {
        Self {
            sizes: model.sizes.clone(),
            places: model.map(),
            memory: model.places,
            whole: true,
            merges,
        }
    }

    /// The place of an element.
    pub(crate) fn place(&self, index: &[usize]) -> usize {
        let digits = index.iter().zip(&self.sizes);
        self.places[digits.fold(0, |number, (i, size)| number * size + i)]
    }

    /// The array of these sizes whose elements are elements of this one.
    fn chosen(&self, sizes: Vec<usize>, of: impl Fn(&[usize]) -> Vec<usize>) -> Self {
        let places = indices(&sizes)
            .map(|index| self.place(&of(&index)))
            .collect();
        Self {
            sizes,
            places,
            whole: false,
            ..*self
        }
    }

    /// Dimension `dim` has these coordinates of this array: a range, one with steps, one coordinate
    /// repeated.
    pub(crate) fn with(&self, dim: usize, coordinates: &[usize]) -> Self {
        let mut sizes = self.sizes.clone();
        sizes[dim] = coordinates.len();
        self.chosen(sizes, |index| {
            let mut of = index.to_vec();
            of[dim] = coordinates[index[dim]];
            of
        })
    }

    /// The elements along dimension `dim` whose other coordinates are those of `at`, as an array of
    /// rank 1.
    pub(crate) fn line(&self, dim: usize, at: &[usize]) -> Self {
        self.chosen(vec![self.sizes[dim]], |index| {
            let mut of = at.to_vec();
            of[dim] = index[0];
            of
        })
    }

    /// A range of each dimension.
    pub(crate) fn region(&self, origin: &[usize], sizes: &[usize]) -> Self {
        self.chosen(sizes.to_vec(), |index| {
            index.iter().zip(origin).map(|(i, o)| i + o).collect()
        })
    }

    /// Dimension `k` is dimension `permutation[k]` of this array.
    pub(crate) fn permuted(&self, permutation: &[usize]) -> Self {
        let sizes = permutation.iter().map(|&d| self.sizes[d]).collect();
        let cells = self.chosen(sizes, |index| {
            let mut of = vec![0; index.len()];
            permutation.iter().zip(index).for_each(|(&d, &i)| of[d] = i);
            of
        });
        Self {
            whole: self.whole,
            ..cells
        }
    }

    /// The same elements in the same sequence.
    pub(crate) fn reshaped(&self, sizes: Vec<usize>) -> Self {
        Self {
            sizes,
            ..self.clone()
        }
    }

    /// Whether the elements of a region have the distances of the first elements of this array:
    /// then it is a part of which the layout of the whole says all places.
    pub(crate) fn has_region(&self, origin: &[usize], sizes: &[usize]) -> bool {
        let part = self.region(origin, sizes);
        let first = self.region(&vec![0; sizes.len()], sizes);
        let distance = |cells: &Self, k: usize| cells.places[k].wrapping_sub(cells.places[0]);
        (0..part.places.len()).all(|k| distance(&part, k) == distance(&first, k))
    }

    /// The stride of each dimension, if all have one; 0 for a dimension of one coordinate.
    pub(crate) fn strides(&self) -> Option<Vec<isize>> {
        if self.places.is_empty() {
            return Some(vec![0; self.sizes.len()]);
        }
        let origin = vec![0; self.sizes.len()];
        let first = self.place(&origin) as isize;
        let stride = |d: usize| {
            let mut next = origin.clone();
            next[d] = 1;
            if self.sizes[d] < 2 {
                0
            } else {
                self.place(&next) as isize - first
            }
        };
        let strides: Vec<isize> = (0..self.sizes.len()).map(stride).collect();
        let linear = |index: Vec<usize>| {
            let steps = index
                .iter()
                .zip(&strides)
                .map(|(&i, stride)| i as isize * stride);
            first + steps.sum::<isize>() == self.place(&index) as isize
        };
        indices(&self.sizes).all(linear).then_some(strides)
    }

    /// The number of places that have an element.
    pub(crate) fn used(&self) -> usize {
        let mut places = self.places.clone();
        places.sort_unstable();
        places.dedup();
        places.len()
    }

    /// Whether each element has a place of its own.
    pub(crate) fn is_unique(&self) -> bool {
        self.used() == self.places.len()
    }
}

/// The law of parts that are lent at the same time: no byte has elements of two.
pub(crate) fn check_apart<'a>(parts: impl IntoIterator<Item = &'a Cells>, element_bits: usize) {
    let mut owners = HashMap::new();
    for (part, cells) in parts.into_iter().enumerate() {
        for &place in &cells.places {
            let bits = place * element_bits..(place + 1) * element_bits;
            for byte in bits.start / 8..bits.end.div_ceil(8) {
                let owner = *owners.entry(byte).or_insert(part);
                assert_eq!(owner, part, "byte {byte} is in two parts");
            }
        }
    }
}
