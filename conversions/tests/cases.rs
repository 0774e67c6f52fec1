//! Random parts of arrays: memory of some widths, of which each dimension has some coordinates, in
//! steps, perhaps from its end on. Each element of the memory holds its own number, so that an
//! element says where it is. Where it has to be is computed here, from widths and steps.

/// Under Miri a case takes a thousand times as long.
pub(crate) const CASES: usize = if cfg!(miri) { 12 } else { 600 };

/// Numbers that a seed decides.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }
}

/// What steps a kind of array has.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "each crate has its own")]
pub(crate) enum Steps {
    One,
    Positive,
    Signed,
}

/// A dimension: every `step`-th of `width` coordinates, `size` of them, from `start` on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) width: usize,
    pub(crate) start: usize,
    pub(crate) step: isize,
    pub(crate) size: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) parts: Vec<Part>,
    /// The dimensions of the memory, the slowest first.
    pub(crate) major_to_minor: Vec<usize>,
}

impl Case {
    pub(crate) fn random(random: &mut Random, rank: usize, steps: Steps) -> Self {
        let part = |random: &mut Random| {
            let size = if random.below(12) == 0 {
                0
            } else {
                1 + random.below(4)
            };
            let distance = match steps {
                Steps::One => 1,
                Steps::Positive | Steps::Signed => 1 + random.below(3),
            };
            let reach = size.saturating_sub(1) * distance;
            let before = random.below(3);
            let width = before + reach + 1 + random.below(3);
            let is_reversed = matches!(steps, Steps::Signed) && random.below(2) == 0;
            let start = if is_reversed { before + reach } else { before };
            let step = if is_reversed {
                -(distance as isize)
            } else {
                distance as isize
            };
            Part {
                width,
                start,
                step,
                size,
            }
        };
        let parts = (0..rank).map(|_| part(random)).collect();
        let mut major_to_minor: Vec<usize> = (0..rank).collect();
        for k in (1..rank).rev() {
            major_to_minor.swap(k, random.below(k + 1));
        }
        Self {
            parts,
            major_to_minor,
        }
    }

    pub(crate) fn sizes(&self) -> Vec<usize> {
        self.parts.iter().map(|part| part.size).collect()
    }

    /// The elements of the memory.
    pub(crate) fn len(&self) -> usize {
        self.parts.iter().map(|part| part.width).product()
    }

    /// The memory: each element is its number.
    pub(crate) fn memory(&self) -> Vec<f32> {
        (0..self.len()).map(|place| place as f32).collect()
    }

    /// The number of the element at an index.
    pub(crate) fn place(&self, index: &[usize]) -> usize {
        self.major_to_minor.iter().fold(0, |place, &dim| {
            let Part {
                width, start, step, ..
            } = self.parts[dim];
            let coordinate = start as isize + index[dim] as isize * step;
            place * width + coordinate as usize
        })
    }

    /// The stride of each dimension.
    pub(crate) fn strides(&self) -> Vec<isize> {
        let mut strides = vec![0; self.parts.len()];
        let mut below = 1;
        for &dim in self.major_to_minor.iter().rev() {
            strides[dim] = below * self.parts[dim].step;
            below *= self.parts[dim].width as isize;
        }
        strides
    }

    /// All indices, and the numbers of their elements.
    pub(crate) fn elements(&self) -> Vec<(Vec<usize>, f32)> {
        let mut indices = vec![Vec::new()];
        for part in &self.parts {
            let longer = |index: &Vec<usize>, i: usize| [&index[..], &[i]].concat();
            let all = |index: &Vec<usize>| -> Vec<Vec<usize>> {
                (0..part.size).map(|i| longer(index, i)).collect()
            };
            indices = indices.iter().flat_map(all).collect();
        }
        let numbered = indices.into_iter().map(|index| {
            let place = self.place(&index) as f32;
            (index, place)
        });
        numbered.collect()
    }

    /// Checks memory of which each element of the part, and no other, was made negative.
    pub(crate) fn assert_negated(&self, memory: &[f32]) {
        let mut expected = self.memory();
        for (index, _) in self.elements() {
            let place = self.place(&index);
            expected[place] = -1.0 - expected[place];
        }
        assert_eq!(memory, expected, "{self:?}");
    }
}

/// What the tests do to each element that they write: another number, also of 0.
pub(crate) fn negate(element: &mut f32) {
    *element = -1.0 - *element;
}
