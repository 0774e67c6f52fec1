//! Padded layouts of which memory ends with the last element.

use crate::array_layout::{ArrayLayout, ConstLayout, FixedSizes, delegate, sealed};
use crate::dims::Dim;
use crate::layouts::own_layout;
use crate::modes::{ElementCounts, Mode, Resolved};

/// A padded layout of which memory ends with the last element: what a slice of a dimension lies in
/// that is not the most major one.
///
/// `SliceLayout<layout!(f32[8,64] <1,0>, padded_dimensions = [8, 128])>` is half of each row of an
/// `f32[8,128]`. What lies between the rows counts as padding, but it is the rest of the array that
/// was sliced.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// use xlayout_core::{ArrayLayout, SliceView};
///
/// // layout!(f32[2,4]{1,0}): the first half of each row
/// type A = StaticLayout<f32, (Nat<2>, Nat<4>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// let view = SliceView::new(A::NEW, &[0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0][..])?;
/// let halves = view.into_const_slice::<1, 0, 2>();
/// assert_eq!(halves.layout().buffer_len(), 6); // up to the last element, which has place 5
/// assert_eq!(halves[[1, 1]], 5.0);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SliceLayout<L>(pub(super) L);

/// The numbers of the layout with the end of memory cut off.
#[inline]
const fn cut(resolved: &Resolved<'_>) -> ElementCounts {
    let mut buffer_len = 0;
    if resolved.numbers.elements > 0 {
        each!(mode, resolved.modes, {
            // Padded layouts without tiles have one mode for each dimension.
            buffer_len += (mode.size - 1) * mode.stride;
        });
        buffer_len += 1;
    }
    ElementCounts {
        buffer_len,
        ..resolved.numbers
    }
}

impl<L> SliceLayout<L> {
    /// The padded layout.
    pub(crate) const fn inside(&self) -> &L {
        &self.0
    }
}

impl<L: ArrayLayout> sealed::Sealed for SliceLayout<L> {}

#[diagnostic::do_not_recommend]
impl<L: ArrayLayout> ArrayLayout for SliceLayout<L> {
    type Type = L::Type;
    type Coordinates = L::Coordinates;
    const FIXED_SIZES: bool = L::FIXED_SIZES;
    const OWNS_PADDING: bool = false;
    const UNIQUE: bool = L::UNIQUE;
    const KNOWN_DIMS: &'static [Dim] = L::KNOWN_DIMS;
    const KNOWN_MODES: &'static [Mode] = L::KNOWN_MODES;
    const IN_BYTE: usize = L::IN_BYTE;
    const MERGES: bool = L::MERGES;
    type Region<'a>
        = L::Region<'a>
    where
        Self: 'a;
    own_layout! { self: StridedLayout }

    delegate! { self.0:
        region stride_of element_type rank shape in_bounds_again linear_index multi_index
        multi_index_of_element array_shape strides for_each_in_memory
    }

    #[inline(always)]
    fn with_resolved<R>(&self, token: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        self.0.with_resolved(token, |resolved| {
            use_(Resolved {
                numbers: cut(&resolved),
                ..resolved
            })
        })
    }
}

#[diagnostic::do_not_recommend]
impl<L: FixedSizes> FixedSizes for SliceLayout<L> {}

impl<L: ConstLayout> SliceLayout<L> {
    const NUMBERS: ElementCounts = cut(&L::MEMORY_MAP.table);
}

#[diagnostic::do_not_recommend]
impl<L: ConstLayout> ConstLayout for SliceLayout<L> {
    const SIZES: &'static [usize] = L::SIZES;
    const MINOR_TO_MAJOR: &'static [usize] = L::MINOR_TO_MAJOR;
    const STRIDES: &'static [usize] = L::STRIDES;
    const MODES: &'static [Mode] = L::MODES;
    const BUFFER_LEN: usize = Self::NUMBERS.buffer_len;
    const ELEMENTS: usize = L::ELEMENTS;
    const BYTES: usize = Self::NUMBERS.bytes();
    const NEW: Self = Self(L::NEW);
    const SIZE_COORDINATES: L::Coordinates = L::SIZE_COORDINATES;
    const MEMORY_MAP: crate::modes::MemoryMap<'static> = {
        let mut map = L::MEMORY_MAP;
        map.table.numbers = Self::NUMBERS;
        map
    };
}
