//! Parts of an array with sizes that the type fixes: blocks at multiples of their sizes.

use core::fmt;
use core::marker::PhantomData;

use crate::array_layout::{ArrayLayout, FixedSizes, delegate, sealed};
use crate::const_text::stop;
use crate::coordinates::Coordinates;
use crate::dims::Dim;
use crate::layout_error::NotSlice;
use crate::layouts::region::{forward_strides, place, shape_of_part};
use crate::layouts::types::StaticDimensions;
use crate::layouts::{StridedLayout, own_region};
use crate::modes::{
    CONST_MODES, ElementCounts, KnownModes, Loop, MAX_LOOPS, Mode, Resolved, nest, nth, sum,
};
use crate::shape::ArrayShape;

/// The layout of a block of an array with layout `L`: `B` is a tuple of its sizes, as
/// `(Nat<8>, Nat<128>)`. A block begins at a multiple of its sizes. One at the edge, which has
/// fewer elements, is a [`RegionLayout`](crate::RegionLayout) of it.
///
/// The compiler knows the sizes of the block, also if the sizes of the whole are known at run time
/// only. So access by [`Index`](crate::Index) or by coordinates of [`axis`](crate::ArrayRef::axis)
/// checks nothing. [`tiles`](crate::ArrayRef::tiles) and [`try_tiles`](crate::ArrayRef::try_tiles)
/// make it.
///
/// ```
/// use xlayout_core::types::nat;
/// use xlayout_core::{Array, ArrayLayout, DynLayout};
///
/// let layout = DynLayout::new("f32[4,6]{1,0:T(2,2)}")?.ranked::<2>()?;
/// let array = Array::from_fn(layout, |&[i, j]| (10 * i + j) as f32)?;
/// let tiles = array.try_tiles(nat![2, 2])?;
/// let tile = tiles.get([1, 2]).expect("the array has two rows and three columns of blocks");
/// let block = tile.whole().expect("all blocks are whole");
/// assert_eq!(block.layout().shape(), [2, 2]);
/// assert_eq!(block[[0, 1]], 25.0); // row 2, column 5
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub struct BlockLayout<L, B> {
    /// The layout of the whole. By the rule of `place.rs`, the linear index of an index of the
    /// block is what this gives.
    whole: L,
    marker: PhantomData<fn() -> B>,
}

impl<L: ArrayLayout, B: StaticDimensions> BlockLayout<L, B> {
    /// The layout of the blocks that are inside an array with this layout.
    pub(super) fn new(whole: L) -> Self {
        Self {
            whole,
            marker: PhantomData,
        }
    }

    /// The layout of the whole.
    pub(super) const fn whole(&self) -> &L {
        &self.whole
    }

    /// The modes of `L` as far as coordinates below the sizes of the block need them.
    const TABLE: &'static ([Mode; CONST_MODES], usize) = &{
        let mut modes = [Mode::NONE; CONST_MODES];
        let mut len = 0;
        each!(mode, L::KNOWN_MODES, {
            if let Some(mode) = place::below(*mode, B::SIZES[mode.dim]) {
                modes[len] = mode;
                len += 1;
            }
        });
        (modes, len)
    };
    const MODES: &'static [Mode] = Self::TABLE.0.split_at(Self::TABLE.1).0;
    /// Whether the type fixes the modes. An array with one element needs none.
    const KNOWN: bool = !L::KNOWN_MODES.is_empty();

    const ELEMENTS: usize = {
        let mut elements = 1;
        each!(size, B::SIZES, {
            elements *= *size;
        });
        elements
    };

    /// The loops that visit the elements in the sequence of memory. Their strides are others where
    /// the run time knows them.
    const LOOPS: [Loop; MAX_LOOPS] = Loop::all(Self::MODES, B::SIZES);

    /// Stops the compiler where blocks of these sizes would not begin where tiles do. Where the
    /// type fixes no modes, there are no tiles to cut: each size is 1, a size is 0, or the array is
    /// a block that has one stride for each dimension.
    pub(super) const FITS: () = match check::<B>(L::KNOWN_MODES, L::MERGES) {
        Ok(()) => {}
        Err(why) => stop(why.text().as_str()),
    };
}

/// The sizes of a block, at most those of the array: its only block may hang over the edge.
pub(super) fn sizes_inside<B: StaticDimensions>(array: &[usize]) -> B::Coordinates {
    let mut sizes = B::SIZE_COORDINATES;
    for (size, &most) in sizes.as_mut().iter_mut().zip(array) {
        *size = most.min(*size);
    }
    sizes
}

/// Checks that blocks of the sizes `B` begin where tiles do. At each cut (`place.rs`), the cut is a
/// multiple of the size of the block, or the size is one of the cut.
pub(super) const fn check<B: StaticDimensions>(
    modes: &[Mode],
    merges: bool,
) -> Result<(), NotSlice> {
    each!(dimension, 0..B::SIZES.len(), {
        if B::SIZES[dimension] == 0 {
            return Err(NotSlice::Empty { dimension });
        }
    });
    if merges {
        return Err(NotSlice::MergedBlocks);
    }
    each!(mode, modes, {
        let dimension = mode.dim;
        let block = B::SIZES[mode.dim];
        // The most major digit of a dimension ends where the dimension does.
        let above = if mode.top { 1 } else { mode.size };
        each!(tile, &[mode.divisor, mode.divisor * above], {
            let tile = *tile;
            if !block.is_multiple_of(tile) && !tile.is_multiple_of(block) {
                return Err(NotSlice::BlockInTile {
                    dimension,
                    block,
                    tile,
                });
            }
        });
    });
    Ok(())
}

impl<L: ArrayLayout, B> sealed::Sealed for BlockLayout<L, B> {}

#[diagnostic::do_not_recommend]
impl<L, B> ArrayLayout for BlockLayout<L, B>
where
    L: ArrayLayout<Coordinates = B::Coordinates>,
    B: StaticDimensions,
{
    type Type = L::Type;
    type Coordinates = B::Coordinates;
    // All values have the same sizes. They are equal if those of `L` are.
    const FIXED_SIZES: bool = L::FIXED_SIZES;
    const OWNS_PADDING: bool = false;
    const UNIQUE: bool = L::UNIQUE;
    const REVERSES: bool = L::REVERSES;
    const KNOWN_DIMS: &'static [Dim] = B::DIMS;
    const KNOWN_MODES: &'static [Mode] = Self::MODES;
    const IN_BYTE: usize = L::IN_BYTE;
    own_region! { self }
    type Owned = BlockLayout<StridedLayout<B::Coordinates>, B>;

    fn owned(&self, token: sealed::Token) -> Self::Owned {
        BlockLayout::new(StridedLayout::dense(self, token))
    }

    delegate! { self.whole:
        stride_of is_reversed element_type
    }

    #[inline(always)]
    fn rank(&self) -> usize {
        B::SIZES.len()
    }

    #[inline(always)]
    fn shape(&self) -> B::Coordinates {
        B::SIZE_COORDINATES
    }

    /// An index in bounds of one block is in bounds of all: the type fixes the sizes.
    #[inline(always)]
    fn in_bounds_again(&self, _: &B::Coordinates) -> bool {
        true
    }

    #[inline(always)]
    fn linear_index(&self, index: &B::Coordinates) -> usize {
        if const { L::REVERSES } {
            let there = place::in_whole(&self.whole, index, &B::SIZE_COORDINATES);
            return self.whole.linear_index(&there);
        }
        if const { !Self::KNOWN } {
            return self.whole.linear_index(index);
        }
        sum(self, index)
    }

    fn multi_index(&self, linear_index: usize) -> Option<B::Coordinates> {
        // The linear index is that of the whole.
        let index = self.whole.multi_index(linear_index)?;
        place::in_part(&self.whole, index, &B::SIZE_COORDINATES)
    }

    fn with_resolved<R>(&self, token: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        self.whole.with_resolved(token, |resolved| {
            place::with_sizes(&resolved, sizes_inside::<B>(resolved.sizes).as_ref(), use_)
        })
    }

    fn array_shape(&self) -> ArrayShape {
        shape_of_part(self.whole.array_shape(), B::SIZES)
    }

    fn strides(&self) -> Option<B::Coordinates> {
        forward_strides(self)
    }

    #[inline(always)]
    fn elements(&self) -> usize {
        Self::ELEMENTS
    }

    #[inline(always)]
    fn buffer_len(&self) -> usize {
        if const { !Self::KNOWN } {
            return self.with_resolved(sealed::Token, |resolved| resolved.numbers.buffer_len);
        }
        let mut last = 0_usize;
        for mode in Self::MODES {
            last = last.wrapping_add((mode.size - 1).wrapping_mul(self.whole.stride_of(mode)));
        }
        last + 1
    }

    #[inline(always)]
    fn element_bits(&self) -> usize {
        self.whole.element_bits()
    }

    #[inline(always)]
    fn bytes(&self) -> usize {
        ElementCounts {
            elements: Self::ELEMENTS,
            buffer_len: self.buffer_len(),
            element_bits: self.element_bits(),
        }
        .bytes()
    }

    #[inline(always)]
    fn for_each_in_memory(&self, mut visit: impl FnMut(&B::Coordinates, usize)) {
        if const { !Self::KNOWN || Self::MODES.len() > MAX_LOOPS } {
            return self.with_resolved(sealed::Token, |resolved| {
                resolved.for_each(|index, linear| visit(&self.in_table(index), linear));
            });
        }
        let mut loops = const { Self::LOOPS };
        for (numbers, mode) in loops.iter_mut().zip(Self::MODES) {
            numbers.stride = self.whole.stride_of(mode);
        }
        nest::<Self, _>(&loops, B::SIZES.len(), &mut visit);
    }
}

impl<L, B> KnownModes<B::Coordinates> for BlockLayout<L, B>
where
    L: ArrayLayout<Coordinates = B::Coordinates>,
    B: StaticDimensions,
{
    const MODES: &'static [Mode] = Self::MODES;

    #[inline(always)]
    fn term<const K: usize>(&self, index: &B::Coordinates) -> usize {
        let mode = const { nth(Self::MODES, K) };
        let digit = mode.digit(index.coordinate(mode.dim));
        digit.wrapping_mul(self.whole.stride_of(&mode))
    }
}

#[diagnostic::do_not_recommend]
impl<L, B> FixedSizes for BlockLayout<L, B>
where
    L: FixedSizes<Coordinates = B::Coordinates>,
    B: StaticDimensions,
{
}

impl<L: Clone, B> Clone for BlockLayout<L, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self {
            whole: self.whole.clone(),
            marker: PhantomData,
        }
    }
}

impl<L: Copy, B> Copy for BlockLayout<L, B> {}

impl<L: PartialEq, B> PartialEq for BlockLayout<L, B> {
    fn eq(&self, other: &Self) -> bool {
        self.whole == other.whole
    }
}

impl<L: ArrayLayout, B: StaticDimensions> fmt::Debug for BlockLayout<L, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "BlockLayout({:?} of {})",
            B::SIZES,
            self.whole.array_shape()
        )
    }
}
