//! The table of modes of a layout that is known at compile time.

use super::{
    Buffers, Count, ElementCounts, FilledLengths, Mode, Piece, RunTimeExtent, Source, Term,
    capacity, lower,
};
use crate::constant::INLINE_RANK;
use crate::dims::Dim;
use crate::error::NotLowered;

/// How many modes a constant table holds. Rank 16 and its tiles fit.
pub const CONST_MODES: usize = 32;
/// Merged coordinates are rare, and so are their terms.
const CONST_WORK: usize = 80;

/// A lowered layout without a heap.
#[derive(Clone, Copy)]
pub struct Table {
    pub modes: [Mode; CONST_MODES],
    pub terms: [Term; CONST_MODES],
    pub run_time: [RunTimeExtent; INLINE_RANK],
    pub strides: [usize; INLINE_RANK],
    pub filled: FilledLengths,
    pub numbers: ElementCounts,
    /// Whether every dimension has a stride.
    pub strided: bool,
}

impl Table {
    /// The modes that have a meaning.
    #[inline]
    pub const fn used_modes(&self) -> &[Mode] {
        self.modes.split_at(self.filled.modes).0
    }

    /// The terms that have a meaning.
    #[inline]
    pub const fn used_terms(&self) -> &[Term] {
        self.terms.split_at(self.filled.terms).0
    }

    /// Lowers a layout of rank 16 at most.
    pub const fn new(source: &Source<'_>) -> Result<Self, NotLowered> {
        if source.dims.len() > INLINE_RANK
            || capacity(source.dims.len(), source.tiles.entries.len()) > CONST_WORK
        {
            return Err(NotLowered::TooManyModes);
        }
        let mut pieces = [Piece::NONE; CONST_WORK];
        let mut spare = [Piece::NONE; CONST_WORK];
        let mut modes = [Mode::NONE; CONST_WORK];
        let mut terms = [Term::NONE; CONST_WORK];
        let mut run_time = [RunTimeExtent::NONE; CONST_WORK];
        let mut strides = [0; INLINE_RANK];
        let filled = tri!(lower(
            source,
            &mut Buffers {
                pieces: &mut pieces,
                spare: &mut spare,
                modes: &mut modes,
                terms: &mut terms,
                run_time: &mut run_time,
                strides: &mut strides,
            },
        ));
        if filled.modes > CONST_MODES || filled.terms > CONST_MODES || filled.run_time > INLINE_RANK
        {
            return Err(NotLowered::TooManyModes);
        }
        let used = modes.split_at(filled.modes).0;
        let strided = fill_strides(used, filled.terms, &mut strides);
        Ok(Self {
            modes: cut(&modes, filled.modes, Mode::NONE),
            terms: cut(&terms, filled.terms, Term::NONE),
            run_time: cut(&run_time, filled.run_time, RunTimeExtent::NONE),
            strides,
            filled,
            numbers: tri!(numbers(source, &filled)),
            strided,
        })
    }
}

/// The first `used` items. The compiler interprets this for every layout that is a type: it must
/// not walk over room that is not used.
const fn cut<T: Copy, const N: usize>(items: &[T], used: usize, fill: T) -> [T; N] {
    let mut array = [fill; N];
    each!(k, 0..used, {
        array[k] = items[k];
    });
    array
}

/// Sums up a lowered layout. Run-time dimensions count as 1.
pub const fn numbers(
    source: &Source<'_>,
    filled: &FilledLengths,
) -> Result<ElementCounts, NotLowered> {
    let mut elements = Count::ONE;
    each!(dim, source.dims, {
        if let Dim::Static(n) | Dim::Bounded(n) = *dim {
            elements = elements.times(tri!(source.size(n)));
        }
    });
    ElementCounts::new(source, elements, filled.buffer_len)
}

/// Computes the strides from the modes; returns whether every dimension has one.
pub const fn fill_strides(modes: &[Mode], terms: usize, strides: &mut [usize]) -> bool {
    let mut strided = terms == 0;
    each!(mode, modes, {
        if !mode.top || mode.divisor != 1 {
            strided = false;
        } else if mode.dim < strides.len() {
            strides[mode.dim] = mode.stride;
        }
    });
    strided
}
