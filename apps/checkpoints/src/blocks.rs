//! The blocks of an array that are converted one after the other, so that a file may be larger than
//! memory. A block takes little memory and consists of long runs of bytes on both sides.
//!
//! A block is a box of the logical array. The array is cut only where both layouts allow it:
//! between the steps of each dimension's most major digit, so that tiles stay whole. In a file it
//! is a number of runs of bytes; these runs, one after the other, are the block *packed*: the same
//! layout, of a smaller array.

use std::ops::Range;

use xlayout::shape::{Dim, TileDim};
use xlayout::{ArrayLayout, DynLayout};

use crate::array::{self, Area, each};

/// The division of an array into blocks, which are boxes of it.
pub(crate) struct Blocks<'a> {
    pub(crate) src: DynLayout,
    dst: &'a DynLayout,
    /// The sizes of a block. The first and the last block along a dimension may be smaller.
    block: Vec<usize>,
    /// For each dimension, the number of indices by which the first block would begin before the
    /// array.
    before: Vec<usize>,
    /// The number of blocks along each dimension.
    counts: Vec<usize>,
    /// The dimensions, the most minor of the destination first: neighbours in the file are written
    /// one after the other.
    sequence: Vec<usize>,
}

/// A box of an array, packed.
pub(crate) struct PackedView {
    /// The box as an array of its own.
    pub(crate) layout: DynLayout,
    /// The index of its first element in the whole array.
    pub(crate) begin: Vec<usize>,
    runs: Runs,
    /// The linear index of its first element in the whole array.
    origin: usize,
}

/// The runs of bytes of a packed box in the whole array.
struct Runs {
    /// The elements of each run. All runs have equal lengths, except for padding after the last
    /// one.
    len: usize,
    /// How many runs at a time have equal distances in the whole array.
    count: usize,
    /// This distance in elements.
    distance: usize,
}

/// Boxes of equal sizes, side by side.
pub(crate) struct Grid<'a> {
    /// The sizes of a box.
    pub(crate) sizes: &'a [usize],
    /// For each dimension, the number of indices by which the first box begins before the array.
    pub(crate) before: Vec<usize>,
}

impl<'a> Blocks<'a> {
    /// Blocks of about `bytes` bytes on each side, or more if the layouts cannot be cut so small.
    /// If the layouts can be cut there, they end at the boxes of the grid.
    pub(crate) fn new(
        src: DynLayout,
        dst: &'a DynLayout,
        grid: Option<Grid<'_>>,
        bytes: usize,
    ) -> Self {
        let whole = src.dims().to_vec();
        let mut sequence: Vec<usize> = (0..whole.len()).collect();
        sequence.sort_by_key(|dim| top_stride(dst, *dim));
        let sizes = grid.as_ref().map(|grid| grid.sizes);
        let block = choose(&src, dst, sizes, bytes).unwrap_or_else(|| whole.clone());
        let mut before = grid.map_or_else(|| vec![0; whole.len()], |grid| grid.before);
        for (dim, before) in before.iter_mut().enumerate() {
            // Elements that share a byte stay together only in blocks of the same sizes.
            let cut = |layout: &DynLayout| {
                layout.element_bits().is_multiple_of(8)
                    && granule(layout, dim).is_some_and(|granule| before.is_multiple_of(granule))
            };
            if *before > 0 && (block[dim] == whole[dim] || !(cut(&src) && cut(dst))) {
                *before = 0;
            }
        }
        let count = |dim: usize| match whole[dim] {
            0 => 0,
            size => (before[dim] + size).div_ceil(block[dim]),
        };
        let counts = (0..whole.len()).map(count).collect();
        Self {
            src,
            dst,
            block,
            before,
            counts,
            sequence,
        }
    }

    /// The number of blocks; 0 without elements.
    pub(crate) fn count(&self) -> usize {
        self.counts.iter().product()
    }

    /// The sizes of a block.
    pub(crate) fn sizes(&self) -> &[usize] {
        &self.block
    }

    /// The `k`-th block.
    pub(crate) fn get(&self, mut k: usize) -> Area {
        let whole = self.src.dims();
        let mut block = vec![0..0; whole.len()];
        for &dim in &self.sequence {
            let begin = k % self.counts[dim] * self.block[dim];
            k /= self.counts[dim];
            let size = self.block[dim];
            let before = self.before[dim];
            block[dim] = begin.saturating_sub(before)..(begin + size - before).min(whole[dim]);
        }
        block
    }

    /// The bytes of the shortest runs of a whole block, as the disk reads and writes them.
    pub(crate) fn runs(&self) -> Option<(usize, usize)> {
        if self.count() == 0 {
            return None;
        }
        let block = self.get(0);
        let run = |whole| Some(PackedView::new(whole, &block)?.run_bytes());
        Some((run(&self.src)?, run(self.dst)?))
    }
}

impl PackedView {
    pub(crate) fn new(whole: &DynLayout, area: &[Range<usize>]) -> Option<Self> {
        let layout = packed(whole, &array::sizes(area))?;
        let begin = array::origin(area);
        Some(Self {
            runs: runs(&layout, whole)?,
            origin: whole.linear_index(&begin[..].into()),
            layout,
            begin,
        })
    }

    /// The bytes of a run, rounded up.
    fn run_bytes(&self) -> usize {
        bytes(&self.layout, self.runs.len)
    }

    /// Whether boxes of this size, one after the other, and their runs begin at bytes.
    fn begins_at_bytes(&self, whole: &DynLayout) -> bool {
        let bits = whole.element_bits() as u128;
        if bits.is_multiple_of(8) {
            return true;
        }
        let Some(digits) = digits(&self.layout, whole) else {
            unreachable!("`new` has found the runs by the digits of both layouts");
        };
        let mut places = Vec::new();
        for (here, there) in digits {
            if here >= self.runs.len {
                places.extend([here, there]);
            }
        }
        for (dim, size) in self.layout.dims().iter().enumerate() {
            if *size < whole.dims()[dim] {
                places.push(place(whole, dim, *size));
            }
        }
        let begins = |place: &usize| (*place as u128 * bits).is_multiple_of(8);
        places.iter().all(begins)
    }

    /// The runs: ranges of bytes in the packed block and their offsets in the whole array. Ranges
    /// that are consecutive on both sides are one run.
    pub(crate) fn runs<'a>(
        &'a self,
        whole: &'a DynLayout,
    ) -> impl Iterator<Item = (Range<usize>, usize)> + 'a {
        let places = self.layout.buffer_len();
        let Runs {
            len,
            count,
            distance,
        } = self.runs;
        let firsts = (0..places).step_by((len * count).max(1));
        let firsts = firsts.filter_map(move |place| {
            // A run that begins with padding has only padding.
            let index = self.layout.multi_index(place)?;
            Some((place, self.origin + whole.linear_index(&index)))
        });
        let mut starts = firsts.flat_map(move |(place, at)| {
            (0..count).map(move |k| (place + k * len, at + k * distance))
        });
        let mut next = starts.next();
        std::iter::from_fn(move || {
            let (first, at) = next.take()?;
            let mut end = (first + len).min(places);
            for (place, there) in starts.by_ref() {
                if place == end && there - at == place - first {
                    end = (place + len).min(places);
                } else {
                    next = Some((place, there));
                    break;
                }
            }
            let begin = bytes(&self.layout, first);
            Some((begin..bytes(&self.layout, end), bytes(&self.layout, at)))
        })
    }
}

/// The bytes of `elements` elements, rounded up.
fn bytes(layout: &DynLayout, elements: usize) -> usize {
    (elements as u128 * layout.element_bits() as u128).div_ceil(8) as usize
}

/// The stride of a dimension's most major digit.
fn top_stride(layout: &DynLayout, dim: usize) -> usize {
    let of_dim = layout.mode_table().iter().filter(|mode| mode.dim == dim);
    of_dim.map(|mode| mode.stride).max().unwrap_or(0)
}

/// The number of indices of which a block's size along a dimension must be a multiple, so that
/// tiles stay whole: the memory of an array grows by steps of this number. At most the size of the
/// dimension.
pub(crate) fn granule(layout: &DynLayout, dim: usize) -> Option<usize> {
    let size = layout.dims()[dim];
    let places = |size| {
        let mut sizes = vec![1; layout.rank()];
        sizes[dim] = size;
        Some(smaller(layout, &sizes)?.buffer_len())
    };
    let first = places(1)?;
    let mut low = 1;
    let mut high = size.max(1);
    while low < high {
        let middle = low + (high - low) / 2;
        if places(middle + 1)? > first {
            high = middle
        } else {
            low = middle + 1
        }
    }
    let of_dim = layout.mode_table().iter().filter(|mode| mode.dim == dim);
    let divisor = of_dim.map(|mode| mode.divisor).max().unwrap_or(1);
    lcm(low, divisor)
}

/// The same layout for a smaller array, without padding other than that of tiles.
pub(crate) fn packed(whole: &DynLayout, sizes: &[usize]) -> Option<DynLayout> {
    if whole.dims() == sizes {
        Some(whole.clone())
    } else {
        smaller(whole, sizes)
    }
}

pub(crate) fn smaller(whole: &DynLayout, sizes: &[usize]) -> Option<DynLayout> {
    let mut shape = whole.array_shape().clone();
    for (dim, size) in shape.dims.iter_mut().zip(sizes) {
        *dim = Dim::Static(i64::try_from(*size).ok()?);
    }
    let layout = shape.layout.as_mut()?;
    layout.padded_dimensions.truncate(0);
    layout.padding_value = None;
    layout.tail_padding_alignment_in_elements = 1;
    DynLayout::new(shape).ok()
}

/// The runs of the packed block in the whole array; `None` if they have different lengths.
///
/// Each digit of either layout begins at some offset of the block. As long as these offsets are the
/// same in the whole array and in the block, all elements between them are consecutive. A run ends
/// at the first offset that differs. Up to the next offset only one digit changes from run to run,
/// so their distances are equal.
fn runs(block: &DynLayout, whole: &DynLayout) -> Option<Runs> {
    let places = block.buffer_len();
    if block.dims() == whole.dims() {
        return Some(Runs {
            len: places,
            count: 1,
            distance: 0,
        });
    }
    let digits = digits(block, whole)?;
    let first = digits.iter().find(|(here, there)| here != there);
    let (len, distance) = first.copied().unwrap_or((places, 0));
    let mut begins = digits.iter().map(|(here, _)| *here);
    let next = begins.clone().find(|here| *here > len);
    let count = match block.padding() {
        0 => next.unwrap_or(places) / len.max(1),
        _ => 1,
    };
    let fits = begins.all(|here| here < len || here.is_multiple_of(len));
    fits.then_some(Runs {
        len,
        count,
        distance,
    })
}

/// The offsets at which the digits of both layouts begin, in the block and in the whole array.
fn digits(block: &DynLayout, whole: &DynLayout) -> Option<Vec<(usize, usize)>> {
    let mut digits = Vec::new();
    for mode in block.mode_table().iter().chain(whole.mode_table()) {
        if mode.divisor < *block.dims().get(mode.dim)? {
            digits.push((
                place(block, mode.dim, mode.divisor),
                place(whole, mode.dim, mode.divisor),
            ));
        }
    }
    digits.sort_unstable();
    Some(digits)
}

/// The linear index of the element that is the first one of all dimensions but this one.
fn place(layout: &DynLayout, dim: usize, at: usize) -> usize {
    let mut index = vec![0; layout.rank()];
    index[dim] = at;
    layout.linear_index(&index.as_slice().into())
}

/// A block on both sides.
struct Sides {
    src: PackedView,
    dst: PackedView,
    /// Whether no two blocks of this size share a byte.
    are_aligned: bool,
}

impl Sides {
    fn new(src: &DynLayout, dst: &DynLayout, block: &[usize]) -> Option<Self> {
        let area: Area = block.iter().map(|size| 0..*size).collect();
        let src_view = PackedView::new(src, &area)?;
        let dst_view = PackedView::new(dst, &area)?;
        Some(Self {
            are_aligned: src_view.begins_at_bytes(src) && dst_view.begins_at_bytes(dst),
            src: src_view,
            dst: dst_view,
        })
    }

    /// The bytes on the larger side.
    fn bytes(&self) -> usize {
        self.src.layout.bytes().max(self.dst.layout.bytes())
    }
}

/// The sizes of a block; `None` if the layouts cannot be cut.
///
/// It begins with the smallest block, one granule along each dimension. As long as the bytes fit in
/// the budget, it grows along a dimension that makes the shorter runs longer.
fn choose(
    src: &DynLayout,
    dst: &DynLayout,
    grid: Option<&[usize]>,
    budget: usize,
) -> Option<Vec<usize>> {
    let whole = src.dims();
    // A `*` in a tile merges several dimensions to one coordinate, so boxes of them are not
    // separate in memory.
    let apart = |layout: &DynLayout| {
        let combines = |tile: &[TileDim]| tile.contains(&TileDim::Combine);
        let notation = layout.array_shape().layout.as_ref();
        let tiles = notation.map(|notation| notation.tiles.iter());
        layout.terms().is_empty() && tiles.is_some_and(|mut tiles| !tiles.any(combines))
    };
    let small = src.bytes().max(dst.bytes()) <= budget;
    if !apart(src) || !apart(dst) || whole.contains(&0) || small {
        return None;
    }
    let granule = |dim: usize| {
        let both = lcm(granule(src, dim)?, granule(dst, dim)?)?;
        lcm(both, grid.map_or(1, |sizes| sizes[dim].max(1)))
    };
    let granules: Vec<usize> = (0..whole.len()).map(granule).collect::<Option<_>>()?;
    let mut block = each(whole, &granules, usize::min);
    let mut sides = Sides::new(src, dst, &block)?;
    // If elements of different blocks share a byte, the blocks are enlarged until none do.
    while !sides.are_aligned {
        let dim = dim_to_grow(dst, &block, |_| true)?;
        block[dim] = next(block[dim], granules[dim], whole[dim]);
        sides = Sides::new(src, dst, &block)?;
    }
    let mut is_full = vec![false; whole.len()];
    loop {
        // The side with the shorter runs determines the next dimension.
        let src_is_first = sides.src.run_bytes() < sides.dst.run_bytes();
        let layouts = if src_is_first { [src, dst] } else { [dst, src] };
        let may_grow = |dim: usize| !is_full[dim];
        let found = layouts
            .iter()
            .find_map(|layout| dim_to_grow(layout, &block, may_grow));
        let Some(dim) = found else {
            return Some(block);
        };
        let size = block[dim];
        block[dim] = next(size, granules[dim], whole[dim]);
        let larger = Sides::new(src, dst, &block)?;
        if larger.are_aligned && larger.bytes() <= budget {
            sides = larger;
        } else {
            block[dim] = size;
            is_full[dim] = true;
        }
    }
}

/// The most minor dimension that a block does not contain completely and that may grow.
fn dim_to_grow(
    layout: &DynLayout,
    block: &[usize],
    may_grow: impl Fn(usize) -> bool,
) -> Option<usize> {
    let mut dims = layout.mode_table().iter().map(|mode| mode.dim);
    dims.find(|dim| block[*dim] < layout.dims()[*dim] && may_grow(*dim))
}

/// The next size of a block: twice as many granules, or the whole dimension.
fn next(size: usize, granule: usize, whole: usize) -> usize {
    (size.next_multiple_of(granule).saturating_mul(2)).min(whole)
}

/// The least common multiple; `None` if it overflows.
fn lcm(a: usize, b: usize) -> Option<usize> {
    let mut x = a;
    let mut y = b;
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).checked_mul(b)
}

#[cfg(test)]
mod tests;
