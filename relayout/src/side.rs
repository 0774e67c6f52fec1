//! A side of a copy: the properties of a layout that planning needs, without its type.
//!
//! The invariant `SIDE`, on which the proofs of unchecked copies rely. For a side that is made of a
//! layout with elements, let `i` be an index in bounds, and `offset(i)` the sum of `base` and the
//! contributions of all digits for their coordinates of `i`. Merged coordinates are computed from
//! the terms.
//! 1. `offset(i)` is the linear index that the layout gives `i`, times the units of an element. The
//!    digits and the terms are the layout's modes and terms, of which the linear index is defined
//!    (`Resolved::linear_index` of xlayout-core). A reversed dimension is counted from its other
//!    end on both sides of the equation. This also holds for parts, which have the modes and the
//!    terms of the whole array (`layouts/region/place.rs` of xlayout-core).
//! 2. So the element at `offset(i)` is inside the `places` elements of the layout, by core's
//!    invariant `INSIDE`, which every layout has. All of these elements are in the memory that the
//!    copy has.
//! 3. Distinct indices have distinct offsets in the destination: its layout is unique
//!    (`is_unique`), which `of` checks.
//!
//! For sources at strides of bytes (`strides.rs`) property 2 holds by their own check.

use alloc::vec::Vec;

use xlayout_core::{ArrayLayout, ArrayShape, ElementType, INLINE_RANK, List, Mode, Term};

use crate::error::{End, RelayoutError};
use crate::nest::MAX_LOOPS;
use crate::refine::Digit;

/// The digits of a side, the most minor first.
pub(crate) type Digits = List<Digit, MAX_LOOPS>;

/// The sizes of the dimensions.
pub(crate) type Sizes = List<usize, INLINE_RANK>;

/// The places of the elements of one side.
#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) element_type: ElementType,
    /// The bits of an element in memory.
    pub(crate) bits: usize,
    /// The offset of the first element, in units.
    pub(crate) base: isize,
    /// The digits of the coordinates, with strides in units: bytes, or elements if they are packed
    /// into bytes.
    pub(crate) digits: Digits,
    /// The elements of a layout, and those that memory is allocated for.
    elements: usize,
    pub(crate) places: usize,
    /// The bytes that a buffer has.
    pub(crate) bytes: usize,
    /// The terms of merged coordinates, if the layout has any: those of one coordinate together,
    /// after the terms of the coordinates that it is computed from.
    pub(crate) terms: Vec<Term>,
    /// Whether the memory between the elements is this array's padding. In a slice it holds the
    /// rest of the array that was sliced.
    pub(crate) owns_padding: bool,
    /// Whether the digits say the sizes. A size is at most the product of the digits of its
    /// dimension, so each is as large if all digits together have as many values as there are
    /// elements.
    says_sizes: bool,
}

impl Side {
    /// A side without memory.
    pub(crate) fn new(element_type: ElementType, bits: usize, owns_padding: bool) -> Self {
        Self {
            element_type,
            bits,
            base: 0,
            digits: Digits::from_slice(&[], Digit::NONE),
            elements: 0,
            places: 0,
            bytes: 0,
            terms: Vec::new(),
            owns_padding,
            says_sizes: false,
        }
    }

    /// Returns the side that a layout describes.
    pub(crate) fn of<L: ArrayLayout>(layout: &L, end: End) -> Result<Self, RelayoutError> {
        let element_type = layout.element_type();
        let bits = layout.element_bits();
        let mut side = Self::new(element_type, bits, layout.owns_padding());
        (side.places, side.bytes) = (layout.buffer_len(), layout.bytes());
        side.elements = layout.elements();
        side.check(end)?;
        // Threads write to different indices, so these must be different elements.
        if matches!(end, End::Destination) && !layout.is_unique() {
            return Err(RelayoutError::NotUnique);
        }
        if side.elements == 0 {
            // No offset is ever computed, and the strides may be too large for offsets.
            return Ok(side);
        }
        let bytes = side.unit_of_element();
        for mode in layout.modes() {
            // A digit of one value contributes nothing, and its stride may exceed the memory.
            if mode.size == 1 {
                continue;
            }
            side.push(Digit::of(mode, bytes).ok_or(RelayoutError::TooLarge { end })?);
            if layout.is_reversed(mode.dim) {
                // Such a dimension has one mode.
                side.turn(side.digits.len() - 1);
            }
        }
        side.terms.extend(layout.terms());
        let mut digits = side.digits.iter();
        let values = digits.try_fold(1_usize, |values, digit| values.checked_mul(digit.size));
        side.says_sizes = side.terms.is_empty() && values == Some(side.elements);
        Ok(side)
    }

    /// Counts the coordinate of digit `k` from its other end. The digit is the only one of its
    /// dimension.
    fn turn(&mut self, k: usize) {
        let digit = &mut self.digits[k];
        // No overflow: the last element is in the memory of this side.
        self.base += (digit.size - 1) as isize * digit.stride;
        digit.stride = -digit.stride;
    }

    /// Returns both sides with the dimensions that are reversed in the destination counted from
    /// their other end, so that the destination is written forwards. `None` if there are no such
    /// dimensions.
    pub(crate) fn forwards(src: &Self, dst: &Self) -> Result<Option<(Self, Self)>, RelayoutError> {
        let is_reversed = |digit: &Digit| digit.stride < 0;
        if !dst.digits.as_slice().iter().any(is_reversed) {
            return Ok(None);
        }
        let mut from = src.clone();
        let mut to = dst.clone();
        for k in (0..dst.digits.len()).filter(|&k| is_reversed(&dst.digits[k])) {
            let dimension = dst.digits[k].dim;
            to.turn(k);
            let mut of_dimension =
                (0..src.digits.len()).filter(|&other| src.digits[other].dim == dimension);
            let is_merged = src.terms.iter().any(|term| term.digit.dim == dimension);
            match (of_dimension.next(), of_dimension.next()) {
                (Some(only), None) if !is_merged => from.turn(only),
                _ => return Err(RelayoutError::Reversed { dimension }),
            }
        }
        Ok(Some((from, to)))
    }

    pub(crate) fn push(&mut self, digit: Digit) {
        if self.digits.try_push(digit).is_err() {
            unreachable!("the list takes the heap beyond its fixed part: core's `alloc` is on");
        }
    }

    /// Checks that every offset of a byte fits into an `isize`. Packed elements are counted in
    /// bits, so the offset of every bit must fit.
    fn check(&self, end: End) -> Result<(), RelayoutError> {
        let limit = isize::MAX as usize / if self.is_packed() { 8 } else { 1 };
        if self.bytes > limit {
            return Err(RelayoutError::TooLarge { end });
        }
        Ok(())
    }

    /// Whether the offset of every bit fits into an `isize`, as a copy of bits needs.
    pub(crate) const fn counts_bits(&self) -> bool {
        self.bytes <= isize::MAX as usize / 8
    }

    /// Whether elements do not begin and end at bytes.
    pub(crate) const fn is_packed(&self) -> bool {
        !self.bits.is_multiple_of(8)
    }

    /// The number of units of an element.
    pub(crate) const fn unit_of_element(&self) -> usize {
        if self.is_packed() { 1 } else { self.bits / 8 }
    }

    /// Whether this side, which was made of a layout, is also that of another one. Every run of a
    /// plan on views asks this, so it makes no side of the other layout. The base follows from the
    /// digits.
    pub(crate) fn is_of(&self, layout: &impl ArrayLayout) -> bool {
        let alike = self.element_type == layout.element_type()
            && self.bits == layout.element_bits()
            && self.places == layout.buffer_len()
            && self.elements == layout.elements();
        if !alike || self.elements == 0 {
            return alike;
        }
        let unit = self.unit_of_element();
        let mut digits = self.digits.as_slice().iter();
        for mode in layout.modes().filter(|mode| mode.size != 1) {
            let (Some(mut digit), Some(own)) = (Digit::of(mode, unit), digits.next()) else {
                return false;
            };
            if layout.is_reversed(mode.dim) {
                digit.stride = -digit.stride;
            }
            if digit != *own {
                return false;
            }
        }
        digits.next().is_none() && self.terms.iter().copied().eq(layout.terms())
    }

    /// The modes that the digits were made from, strides in elements.
    pub(crate) fn modes(&self) -> impl DoubleEndedIterator<Item = Mode> + '_ {
        let unit = self.unit_of_element();
        self.digits.as_slice().iter().map(move |digit| {
            let stride = digit.stride.unsigned_abs() / unit;
            let mode = Mode::new(digit.dim, digit.divisor, digit.size, stride);
            if digit.top { mode } else { mode.inner() }
        })
    }
}

/// What identifies the arrays of a plan: compared when views are run, and printed.
#[derive(Clone)]
pub(crate) struct Identity {
    pub(crate) sizes: Sizes,
    pub(crate) src: Side,
    pub(crate) dst: Side,
    /// `None` for a source at strides of bytes.
    pub(crate) src_shape: Option<ArrayShape>,
    pub(crate) dst_shape: ArrayShape,
}

impl Identity {
    /// The sizes and the sides of two layouts. Checks that both are of one array.
    pub(crate) fn sides(
        src: &impl ArrayLayout,
        dst: &impl ArrayLayout,
    ) -> Result<(Sizes, Side, Side), RelayoutError> {
        let sizes = dst.shape();
        same_array(
            (src.element_type(), src.shape().as_ref()),
            (dst.element_type(), sizes.as_ref()),
        )?;
        let src = Side::of(src, End::Source)?;
        let dst = Side::of(dst, End::Destination)?;
        Ok((sizes_of(sizes.as_ref()), src, dst))
    }

    pub(crate) const fn side(&self, end: End) -> &Side {
        match end {
            End::Source => &self.src,
            End::Destination => &self.dst,
        }
    }

    /// Whether one side is that of a layout. The owner of the padding counts only in the
    /// destination, because a plan may fill it.
    pub(crate) fn is_for(&self, end: End, layout: &impl ArrayLayout) -> bool {
        let side = self.side(end);
        side.is_of(layout)
            && layout.rank() == self.sizes.len()
            && (side.says_sizes || layout.shape().as_ref() == self.sizes.as_slice())
            && (end == End::Source || side.owns_padding == layout.owns_padding())
    }
}

/// Sizes as a list.
pub(crate) fn sizes_of(sizes: &[usize]) -> Sizes {
    let Ok(sizes) = Sizes::try_from_iter(sizes.iter().copied()) else {
        unreachable!("the list takes the heap beyond its fixed part: core's `alloc` is on");
    };
    sizes
}

/// Checks that both sides are the same logical array.
pub(crate) fn same_array(
    src: (ElementType, &[usize]),
    dst: (ElementType, &[usize]),
) -> Result<(), RelayoutError> {
    same_type(src.0, dst.0)?;
    same_rank(src.1.len(), dst.1.len())?;
    let mut sizes = src.1.iter().zip(dst.1).enumerate();
    sizes.try_for_each(|(dimension, (&source, &destination))| {
        same_size(dimension, source, destination)
    })
}

macro_rules! same {
    ($($(#[$doc:meta])* $name:ident($([$of:ident: $kind:ty])? $a:ident, $b:ident: $type:ty) = $error:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name($($of: $kind,)? $a: $type, $b: $type) -> Result<(), RelayoutError> {
            if $a == $b {
                return Ok(());
            }
            Err(RelayoutError::$error { $($of,)? $a, $b })
        }
    )*};
}

same! {
    /// Checks that the elements of a slice are as wide as those of the layout, in bits.
    same_width([end: End] expected, found: usize) = ElementBits;
    /// Checks that a buffer has the bytes that its layout allocates.
    same_length([end: End] expected, found: usize) = Length;
    /// Checks that both sides have the same element type.
    same_type(source, destination: ElementType) = ElementType;
    /// Checks that both sides have the same number of dimensions.
    same_rank(source, destination: usize) = Rank;
    /// Checks that both sides have the same size.
    same_size([dimension: usize] source, destination: usize) = Size;
    /// Checks that each dimension has a stride.
    same_count(sizes, strides: usize) = Strides;
}
