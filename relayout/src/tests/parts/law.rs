//! The laws: a copy to a part and a copy from it, for parts of parts.

use super::*;

/// How a part is taken of an array or of a part. The numbers are taken modulo what there is.
#[derive(Clone, Debug)]
pub(super) enum Cut {
    Region([usize; 4], [usize; 4]),
    Split {
        dim: usize,
        at: usize,
        right: bool,
    },
    Chunk {
        dim: usize,
        len: usize,
        number: usize,
    },
    Step {
        dim: usize,
        start: usize,
        step: usize,
    },
    Signed {
        dim: usize,
        start: usize,
        end: usize,
        step: isize,
    },
}

pub(super) fn cuts() -> impl Strategy<Value = Vec<Cut>> {
    let n = || 0..1000_usize;
    let dim = || 0..3_usize;
    let step = prop_oneof![-4..0_isize, 1..5_isize];
    let cut = prop_oneof![
        3 => ([n(), n(), n(), n()], [n(), n(), n(), n()]).prop_map(|(a, b)| Cut::Region(a, b)),
        3 => (dim(), n(), any::<bool>()).prop_map(|(dim, at, right)| Cut::Split { dim, at, right }),
        1 => (dim(), n(), n()).prop_map(|(dim, len, number)| Cut::Chunk { dim, len, number }),
        1 => (dim(), n(), 1..4_usize).prop_map(|(dim, start, step)| Cut::Step { dim, start, step }),
        2 => (dim(), n(), n(), step).prop_map(|(dim, start, end, step)| Cut::Signed { dim, start, end, step }),
    ];
    prop::collection::vec(cut, 0..4)
}

/// What is checked of each part of an array.
pub(super) struct Law<'a, T> {
    /// The address of the array's memory, and what it holds.
    pub(super) memory: usize,
    pub(super) before: Vec<T>,
    /// What it has to hold at the end.
    pub(super) expected: Vec<T>,
    /// The layout of the other side, without sizes.
    pub(super) other: &'a str,
    pub(super) by: &'a By,
}

/// Checks the laws: `copy` copies parts of an array of this layout by `Law::both`.
pub(super) fn whole<T: Value, L: ArrayLayout>(
    layout: L,
    other: &str,
    by: &By,
    copy: impl FnOnce(&mut SliceViewMut<'_, T, L>, &mut Law<'_, T>),
) where
    L::Type: StoredAs<T>,
{
    let mut memory: Vec<T> = (0..layout.buffer_len()).map(T::of).collect();
    let mut law = Law {
        memory: memory.as_ptr().addr(),
        before: memory.clone(),
        expected: memory.clone(),
        other,
        by,
    };
    copy(
        &mut SliceViewMut::new(layout, &mut memory[..]).unwrap(),
        &mut law,
    );
    assert!(memory == law.expected, "to a part, by {by:?}, of {other}");
}

impl<T: Value> Law<'_, T>
where
    AnyType: StoredAs<T>,
{
    /// The place in memory of each element of a part: by its address.
    pub(super) fn places<L: ArrayLayout>(&self, part: &ArrayRef<T, L>) -> Vec<(Vec<usize>, usize)> {
        let first = part.as_ptr().addr() - self.memory;
        let mut places = Vec::new();
        part.layout().for_each_index(|index| {
            let place = first / size_of::<T>() + part.layout().linear_index(index);
            assert_eq!(part.get(index), Some(&self.before[place]));
            places.push((index.as_ref().to_vec(), place));
        });
        places
    }

    /// The layout of the other side of the copy; `None` if these sizes have none.
    pub(super) fn other<L: ArrayLayout>(&self, part: &L) -> Option<DynLayout> {
        let sizes = part.shape();
        let sizes: Vec<_> = sizes.as_ref().iter().map(usize::to_string).collect();
        format!("{}[{}]{}", T::NAME, sizes.join(","), self.other)
            .parse()
            .ok()
    }

    /// From a part to an array of another layout.
    pub(super) fn from<L: ArrayLayout>(&mut self, part: &ArrayRef<T, L>) {
        let Some(other) = self.other(part.layout()) else {
            return;
        };
        let canaries: Vec<T> = (0..other.buffer_len()).map(|k| T::of(k + 77_777)).collect();
        let mut expected = canaries.clone();
        for (index, place) in self.places(part) {
            expected[other.linear_index(&DynCoordinates::from(&index[..]))] = self.before[place];
        }
        let mut out = Array::new(other, canaries).unwrap();
        self.by.copy(part, &mut out).unwrap();
        assert!(
            out.memory() == expected,
            "from {:?} of {} to {:?}, by {:?}",
            part.layout().shape().as_ref(),
            part.layout().array_shape(),
            out.layout(),
            self.by,
        );
    }

    /// From an array of another layout to a part, and the other way round before.
    pub(super) fn both<L: ArrayLayout>(&mut self, part: &mut ViewMut<'_, T, L>) {
        self.from(part);
        let Some(other) = self.other(part.layout()) else {
            return;
        };
        let places = self.places(part);
        let mut distinct: Vec<_> = places.iter().map(|(_, place)| *place).collect();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), places.len());
        let values = (0..other.buffer_len()).map(|k| T::of(k + 55_555)).collect();
        let from: Array<T, _> = Array::new(other, values).unwrap();
        match self.by.copy(&from, part) {
            Ok(()) => {
                for (index, place) in places {
                    let linear = from
                        .layout()
                        .linear_index(&DynCoordinates::from(&index[..]));
                    self.expected[place] = from.memory()[linear];
                }
            }
            // Tiles on the other side.
            Err(RelayoutError::Reversed { dimension }) => {
                assert!(part.layout().is_reversed(dimension) && !from.layout().is_strided());
            }
            Err(why) => unreachable!("{why}"),
        }
    }

    /// The laws for a part of a part of …
    pub(super) fn narrow<L: ArrayLayout>(&mut self, part: &mut ViewMut<'_, T, L>, cuts: &[Cut]) {
        let Some((cut, rest)) = cuts.split_first() else {
            return self.both(part);
        };
        let sizes = part.layout().shape();
        let size = |dim: usize| sizes.as_ref().get(dim).copied();
        macro_rules! of_dim {
            ($dim:expr, $method:ident ($($argument:expr),*)) => {
                match $dim {
                    0 => part.$method::<0>($($argument),*),
                    1 => part.$method::<1>($($argument),*),
                    _ => part.$method::<2>($($argument),*),
                }
            };
        }
        match *cut {
            Cut::Region(starts, lens) => {
                let mut origin = L::Coordinates::origin(sizes.as_ref().len());
                let mut of = sizes.clone();
                for (dim, &size) in sizes.as_ref().iter().enumerate() {
                    let start = starts[dim % 4] % (size + 1);
                    origin.set(dim, start);
                    of.set(dim, lens[dim % 4] % (size - start + 1));
                }
                // Where there is no part, one that begins where tiles do.
                for _ in 0..8 {
                    use xlayout_core::types::NotSlice;
                    match part.region(origin.clone(), of.clone()) {
                        Err(LayoutError::NoSlice(NotSlice::BeginsInTile {
                            dimension,
                            below,
                            ..
                        })) => {
                            origin.set(dimension, below);
                        }
                        Err(LayoutError::NoSlice(NotSlice::NoLayout { dimension })) => {
                            origin.set(dimension, 0);
                            of.set(dimension, sizes.coordinate(dimension));
                        }
                        _ => break,
                    }
                }
                if let Ok(mut part) = part.region_mut(origin, of) {
                    return self.narrow(&mut part, rest);
                }
            }
            Cut::Split { dim, at, right } => {
                let Some(size) = size(dim) else {
                    return self.narrow(part, rest);
                };
                let at = (0..=at % (size + 1))
                    .rev()
                    .find(|&at| of_dim!(dim, split_at(at)).is_ok());
                if let Some(at) = at
                    && let Ok((mut a, mut b)) = of_dim!(dim, split_at_mut(at))
                {
                    return self.narrow(if right { &mut b } else { &mut a }, rest);
                }
            }
            Cut::Chunk { dim, len, number } => {
                let Some(size) = size(dim) else {
                    return self.narrow(part, rest);
                };
                let len = 1 + len % (size + 1);
                let number = number % (size.div_ceil(len).max(1));
                let chunk = of_dim!(dim, try_chunks_mut(len)).map(|mut chunks| chunks.nth(number));
                if let Ok(Some(mut part)) = chunk {
                    return self.narrow(&mut part, rest);
                }
            }
            Cut::Step { dim, start, step } => {
                let Some(size) = size(dim) else {
                    return self.narrow(part, rest);
                };
                if let Ok(mut part) =
                    of_dim!(dim, with_step_mut(start % (size + 1).., step as isize))
                {
                    return self.narrow(&mut part, rest);
                }
            }
            Cut::Signed {
                dim,
                start,
                end,
                step,
            } => {
                let Some(size) = size(dim) else {
                    return self.narrow(part, rest);
                };
                let start = start % (size + 1);
                let range = start..start + end % (size - start + 1);
                if let Ok(mut part) = of_dim!(dim, with_step_mut(range, step)) {
                    return self.narrow(&mut part, rest);
                }
            }
        }
        self.narrow(part, rest);
    }

    /// The laws for each block, and for a part of it.
    pub(super) fn blocks<const N: usize, L, B>(
        &mut self,
        whole: &mut SliceViewMut<'_, T, L>,
        cuts: &[Cut],
    ) where
        L: TileBy<B> + ArrayLayout<Coordinates = [usize; N]>,
        B: xlayout_core::types::StaticDimensions<Coordinates = [usize; N]>,
    {
        let Ok(blocks) = whole.try_tiles_mut(B::NEW) else {
            return;
        };
        for (_, mut block) in blocks {
            match block.whole_mut() {
                Some(mut block) => self.narrow(&mut block, cuts),
                None => self.narrow(&mut block.into_part(), cuts),
            }
        }
    }
}

impl<T: Value> Law<'_, T>
where
    AnyType: StoredAs<T>,
{
    /// A dimension of size 1 repeated, and a region of that.
    pub(super) fn repeated<L, const DIM: usize>(
        &mut self,
        row: &View<'_, T, L>,
        times: usize,
        start: usize,
    ) where
        L: ArrayLayout,
    {
        let rows = match row.broadcast::<DIM>(times) {
            Ok(rows) => rows,
            Err(why) => {
                assert!(row.layout().terms().next().is_some(), "{why}");
                return;
            }
        };
        self.from(&rows);
        let mut origin = L::Coordinates::origin(rows.layout().rank());
        let mut sizes = rows.layout().shape();
        let start = start % (times + 1);
        origin.set(DIM, start);
        sizes.set(DIM, times - start);
        self.from(&rows.region(origin, sizes).unwrap());
    }
}
