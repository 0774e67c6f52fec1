//! The memory of an array of a call, which becomes a view.
#![allow(unsafe_code)]

use crate::conversion::Converter;
use crate::fault::Wrong;
#[cfg(feature = "relayout")]
use crate::items;
use crate::operand::{Arrangement, Operand, ViewMutOf, ViewOf};
use crate::poison::poison;

/// The memory of an array for a run.
#[derive(Clone, Copy)]
pub(crate) enum Memory<'call> {
    /// XLA's memory, in the declared layout.
    Passed(*mut [u8]),
    /// XLA's memory, which is row-major, with its converter.
    #[cfg_attr(not(feature = "relayout"), allow(dead_code))]
    Converted(Converter<'call>),
}

impl<'call> Memory<'call> {
    /// An argument of these sizes.
    ///
    /// # Safety
    /// It is the memory of an array of the call with this layout (`Call::memory`), and in a run
    /// each parameter is taken once.
    #[inline(always)]
    pub(crate) unsafe fn view<L: Operand>(self, dims: &[i64]) -> Result<ViewOf<'call, L>, Wrong> {
        let layout = L::layout(dims)?;
        let bytes = match self {
            // SAFETY: the bytes are there during the call and shared with no array that is written
            // (`Call::memory`).
            Self::Passed(bytes) => unsafe { &*bytes },
            #[cfg(feature = "relayout")]
            // SAFETY: the caller's promise.
            Self::Converted(converter) => unsafe {
                items::argument::<L>(&layout, dims, converter)?
            },
            #[cfg(not(feature = "relayout"))]
            Self::Converted(_) => unreachable!("without `relayout` no array has a converter"),
        };
        L::As::view(bytes, layout)
    }

    /// A result of these sizes. If `keep`, its values are kept.
    ///
    /// # Safety
    /// As `view`, of a result of the call.
    #[inline(always)]
    pub(crate) unsafe fn view_mut<L: Operand>(
        self,
        dims: &[i64],
        keep: bool,
    ) -> Result<ViewMutOf<'call, L>, Wrong> {
        let layout = L::layout(dims)?;
        let bytes = match self {
            Self::Passed(bytes) => {
                // SAFETY: as in `view`; it shares no byte with any other array of the call, and is
                // lent once in a run (the caller's promise), whose end ends what was lent. What the
                // memory holds, XLA's allocator left there, and any bits are a `u8`.
                let bytes = unsafe { &mut *bytes };
                if !keep {
                    poison(bytes);
                }
                bytes
            }
            #[cfg(feature = "relayout")]
            // SAFETY: the caller's promise.
            Self::Converted(converter) => unsafe {
                items::result::<L>(&layout, dims, keep, converter)?
            },
            #[cfg(not(feature = "relayout"))]
            Self::Converted(_) => unreachable!("without `relayout` no array has a converter"),
        };
        L::As::view_mut(bytes, layout, keep)
    }
}
