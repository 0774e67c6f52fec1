//! Random numbers, sizes and layouts. A seed gives the same ones on every machine.

use xlayout::shape::TileDim::{Combine, Size};
use xlayout::shape::{Dim, List, MinorToMajor, SplitConfigs, Tiles};
use xlayout::{ArrayShape, DynLayout, ElementType};
use xlayout_model::Model;

use crate::trail;

/// One random test: where its choices come from, and how large its arrays may be.
pub(crate) struct Case {
    state: u64,
    /// The most elements of an array.
    pub(crate) most: usize,
}

impl Case {
    pub(crate) fn new(seed: u64, most: usize) -> Self {
        Self { state: seed, most }
    }

    /// SplitMix64.
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if `n` is 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// True in this number of 100 cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// A range of a dimension of this size; empty ones, too.
    pub(crate) fn range(&mut self, size: usize) -> std::ops::Range<usize> {
        let a = self.below(size + 1);
        let b = self.below(size + 1);
        a.min(b)..a.max(b)
    }

    /// The sizes of an array of this rank.
    pub(crate) fn sizes(&mut self, rank: usize) -> Vec<usize> {
        let mut elements = 1;
        let mut sizes = vec![1; rank];
        for at in self.permutation(rank) {
            let room = self.most / elements;
            sizes[at] = match self.below(20) {
                0 => 0,
                1..=4 => 1,
                5..=15 => 1 + self.below(6.min(room)),
                _ => 1 + self.below(20.min(room)),
            };
            elements *= sizes[at].max(1);
        }
        sizes
    }

    pub(crate) fn permutation(&mut self, rank: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..rank).collect();
        for k in (1..rank).rev() {
            all.swap(k, self.below(k + 1));
        }
        all
    }

    fn tiles(&mut self, rank: usize) -> Tiles {
        let known: [&[&[i64]]; 6] = [
            &[&[8, 128]],
            &[&[8, 128], &[2, 1]],
            &[&[2, 4]],
            &[&[4, 2], &[2, 1]],
            &[&[4], &[2]],
            &[&[2, 2]],
        ];
        let mut tiles = Tiles::new();
        let mut push =
            |tile: &[xlayout::shape::TileDim]| tiles.push(tile).expect("there is a heap");
        if self.chance(35) {
            for tile in self.pick(&known) {
                push(&tile.iter().map(|&n| Size(n)).collect::<Vec<_>>());
            }
            return tiles;
        }
        for _ in 0..1 + self.below(3) {
            let len = 1 + self.below(rank + 2);
            let mut tile: Vec<_> = (0..len)
                .map(|_| match self.chance(20) {
                    true => Combine,
                    false => Size(1 + self.below(5) as i64),
                })
                .collect();
            // A `*` at the end merges with nothing.
            tile[len - 1] = Size(1 + self.below(5) as i64);
            push(&tile);
        }
        tiles
    }

    /// Each physical dimension once, most major first, at indices inside of it.
    fn splits(&mut self, shape: &ArrayShape) -> SplitConfigs {
        let mut splits = SplitConfigs::new();
        let Some(layout) = &shape.layout else {
            return splits;
        };
        for (physical, &dimension) in layout.minor_to_major.iter().rev().enumerate() {
            let size = shape.dims[dimension as usize].bound().unwrap_or(0) as usize;
            if size < 2 || self.chance(60) {
                continue;
            }
            let first = 1 + self.below(size - 1);
            let mut indices = vec![first as i64];
            if first + 1 < size && self.chance(50) {
                indices.push((first + 1 + self.below(size - first - 1)) as i64);
            }
            splits
                .push(physical as i64, &indices)
                .expect("there is a heap");
        }
        splits
    }

    /// An array with any attributes. `bits` is the width of packed elements, if they may be packed.
    fn attributes(
        &mut self,
        element_type: ElementType,
        sizes: &[usize],
        bits: Option<i64>,
    ) -> ArrayShape {
        let rank = sizes.len();
        let dims: Vec<i64> = sizes.iter().map(|&n| n as i64).collect();
        let mut shape = ArrayShape::new(element_type, &dims).expect("the sizes are small");
        if self.chance(10) && rank > 0 {
            let d = self.below(rank);
            shape.dims[d] = Dim::Bounded(dims[d]);
        }
        let order: Vec<i64> = match self.chance(25) {
            true => (0..rank as i64).rev().collect(),
            false => self.permutation(rank).iter().map(|&d| d as i64).collect(),
        };
        let split = self.chance(8).then(|| self.splits(&shape));
        let layout = shape.layout.as_mut().expect("a new shape has a layout");
        layout.minor_to_major = MinorToMajor::new(&order).expect("there is a heap");
        match self.below(100) {
            0..=44 => layout.tiles = self.tiles(rank),
            45..=59 => {
                let widths: Vec<i64> = dims.iter().map(|n| n + self.below(3) as i64).collect();
                layout.padded_dimensions = List::try_from_iter(widths).expect("there is a heap");
            }
            _ => {}
        }
        if self.chance(12) {
            layout.tail_padding_alignment_in_elements = self.pick(&[2, 5, 7, 64]);
        }
        if let Some(bits) = bits {
            layout.element_size_in_bits = bits;
        }
        if self.chance(10) {
            layout.memory_space = self.pick(&[1, 5]);
        }
        if let Some(splits) = split {
            layout.split_configs = splits;
        }
        if self.chance(8) {
            layout.dynamic_shape_metadata_prefix_bytes = self.pick(&[4, 32]);
        }
        shape
    }

    /// A layout of an array with these sizes, and the model of it.
    pub(crate) fn layout_of(
        &mut self,
        element_type: ElementType,
        sizes: &[usize],
        bits: Option<i64>,
    ) -> (DynLayout, Model) {
        loop {
            let shape = self.attributes(element_type, sizes, bits);
            // Tiles of rank 6 on small dimensions may be thousands of times as large as the array.
            let Ok(layout) = DynLayout::new(shape.clone()) else {
                continue;
            };
            let model = Model::new(&shape);
            if model.places <= 40 * self.most + 200 {
                trail(|| shape.to_string());
                return (layout, model);
            }
        }
    }
}
