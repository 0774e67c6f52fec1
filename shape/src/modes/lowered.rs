//! Lowering at run time: a table on the stack, or on the heap where it is large.

use super::{CONST_MODES, ElementCounts, Mode, Source, Table, Term};
use crate::constant::INLINE_RANK;
use crate::error::NotLowered;
use crate::list::List;

/// The number of modes inside a run-time layout. More are on the heap. Without a heap, all that the
/// constant table of a type can hold must fit.
pub const INLINE_MODES: usize = if cfg!(feature = "alloc") {
    20
} else {
    CONST_MODES
};
/// The number of terms inside a run-time layout, by the same rule.
pub const INLINE_TERMS: usize = if cfg!(feature = "alloc") {
    4
} else {
    CONST_MODES
};

/// What lowering gives at run time, on the heap where it is large.
#[derive(Clone, Debug)]
pub struct Lowered {
    pub modes: List<Mode, INLINE_MODES>,
    pub terms: List<Term, INLINE_TERMS>,
    pub strides: List<usize, INLINE_RANK>,
    pub strided: bool,
    pub numbers: ElementCounts,
}

/// Whether [`Lowered::new`] succeeds. It makes no lists, so that the macro, which only asks this,
/// needs no code for them.
pub(crate) fn can_be_lowered(source: &Source<'_>) -> Result<(), NotLowered> {
    match Table::new(source) {
        Ok(_) => Ok(()),
        #[cfg(feature = "alloc")]
        Err(NotLowered::TooManyModes) => on_heap(source, |_, _, _, _, _| ()),
        Err(error) => Err(error),
    }
}

impl Lowered {
    #[inline]
    pub fn new(source: &Source<'_>) -> Result<Self, NotLowered> {
        match Table::new(source) {
            Ok(table) => Self::copy(
                &table.modes[..table.filled.modes],
                &table.terms[..table.filled.terms],
                &table.strides[..source.dims.len()],
                table.strided,
                table.numbers,
            ),
            #[cfg(feature = "alloc")]
            Err(NotLowered::TooManyModes) => on_heap(source, Self::copy)?,
            Err(error) => Err(error),
        }
    }

    #[inline]
    fn copy(
        modes: &[Mode],
        terms: &[Term],
        strides: &[usize],
        strided: bool,
        counts: ElementCounts,
    ) -> Result<Self, NotLowered> {
        fn list<T: Copy, const N: usize>(items: &[T], fill: T) -> Result<List<T, N>, NotLowered> {
            let mut list = List::from_slice(&[], fill);
            for &item in items {
                list.try_push(item).map_err(|_| NotLowered::TooManyModes)?;
            }
            Ok(list)
        }
        Ok(Self {
            modes: list(modes, Mode::NONE)?,
            terms: list(terms, Term::NONE)?,
            strides: list(strides, 0)?,
            strided,
            numbers: counts,
        })
    }
}

/// Lowers a layout that does not fit into the table on the stack. Returns what `take` makes of the
/// modes, the terms, the strides, whether every dimension has one, and the counts.
#[cfg(feature = "alloc")]
fn on_heap<R>(
    source: &Source<'_>,
    take: impl FnOnce(&[Mode], &[Term], &[usize], bool, ElementCounts) -> R,
) -> Result<R, NotLowered> {
    use super::{Buffers, Piece, RunTimeExtent, capacity, fill_strides, lower, numbers};
    use alloc::vec;

    let room = capacity(source.dims.len(), source.tiles.entries.len());
    let mut modes = vec![Mode::NONE; room];
    let mut terms = vec![Term::NONE; room];
    let mut strides = vec![0; source.dims.len()];
    let filled = lower(
        source,
        &mut Buffers {
            pieces: &mut vec![Piece::NONE; room],
            spare: &mut vec![Piece::NONE; room],
            modes: &mut modes,
            terms: &mut terms,
            run_time: &mut vec![RunTimeExtent::NONE; room],
            strides: &mut strides,
        },
    )?;
    let modes = &modes[..filled.modes];
    let terms = &terms[..filled.terms];
    let strided = fill_strides(modes, filled.terms, &mut strides);
    let counts = numbers(source, &filled)?;
    Ok(take(modes, terms, &strides, strided, counts))
}
