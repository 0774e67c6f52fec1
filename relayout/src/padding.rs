//! Fills padding: the memory between and after the elements of an array.

#![allow(unsafe_code)]

use core::ops::Range;

use xlayout_core::{ArrayLayout, ArrayShape, DynLayout, Element, Mode};

use crate::bytes;
use crate::cells::Cells;
use crate::side::Side;

/// The value that padding is filled with.
#[derive(Clone, Copy)]
pub(crate) struct Fill {
    pattern: [u8; 16],
    width: usize,
}

impl Fill {
    /// The value of an element, which has at most 16 bytes.
    pub(crate) fn of<T: Element>(value: T) -> Self {
        let width = size_of::<T>();
        let mut pattern = [0; 16];
        pattern[..width].copy_from_slice(bytes::of(&[value]));
        Self { pattern, width }
    }

    /// Fills the padding of a side that owns it and has this shape.
    ///
    /// # Safety
    /// `dst` has the bytes of the side, and its elements are as wide as the value. Nothing else
    /// uses its padding nor, if elements are packed, any of its bytes.
    pub(crate) unsafe fn write(
        &self,
        side: &Side,
        shape: &ArrayShape,
        sizes: &[usize],
        dst: *mut u8,
    ) {
        runs(side, shape, sizes, |places| {
            // SAFETY: places of the side that hold no element, and the caller's promise.
            unsafe {
                if side.is_packed() {
                    let src_bits = 8 * self.width;
                    let dst_bits = side.bits;
                    let cells = Cells { src_bits, dst_bits };
                    // The pattern is repeated.
                    let pattern = (self.pattern.as_ptr(), 0, 0);
                    let to = (dst, places.start as isize, 1);
                    crate::bits::run_of(cells, pattern, to, places.len());
                } else {
                    let begin = places.start * self.width;
                    let len = places.len() * self.width;
                    self.bytes(core::slice::from_raw_parts_mut(dst.add(begin), len));
                }
            }
        });
    }

    fn bytes(&self, places: &mut [u8]) {
        let pattern = &self.pattern[..self.width];
        if pattern.iter().all(|byte| *byte == pattern[0]) {
            return places.fill(pattern[0]);
        }
        for place in places.chunks_exact_mut(self.width) {
            place.copy_from_slice(pattern);
        }
    }
}

/// Calls `fill` with every run of places that hold no element, from front to back. They are padding
/// only if the side owns it.
///
/// It descends from the most major digit of the array to the minor ones. It does not descend into a
/// part without padding, so the work is in proportion to the parts at the edges. If coordinates are
/// merged, it visits every element.
pub(crate) fn runs(
    side: &Side,
    shape: &ArrayShape,
    sizes: &[usize],
    mut fill: impl FnMut(Range<usize>),
) {
    let elements = sizes
        .iter()
        .try_fold(1_usize, |product, size| product.checked_mul(*size));
    if sizes.contains(&0) {
        if side.places > 0 {
            fill(0..side.places);
        }
        return;
    }
    if elements == Some(side.places) {
        return;
    }
    if !side.terms.is_empty() {
        let Ok(layout) = DynLayout::new(shape.clone()) else {
            unreachable!("a layout that owns its padding is that of its shape (law 3)");
        };
        return layout.padding_ranges().for_each(fill);
    }
    let mut end = 0;
    let mut gap = |element: Range<usize>| {
        if end < element.start {
            fill(end..element.start);
        }
        end = element.end;
    };
    let modes: alloc::vec::Vec<Mode> = side.modes().collect();
    let mut walk = Walk {
        modes: &modes,
        sizes,
        at: alloc::vec![0; sizes.len()],
        gap: &mut gap,
    };
    walk.level(modes.len(), 0);
    gap(side.places..side.places);
}

struct Walk<'a, F> {
    modes: &'a [Mode],
    sizes: &'a [usize],
    /// The coordinates by the values of the outer digits.
    at: alloc::vec::Vec<usize>,
    gap: &'a mut F,
}

impl<F: FnMut(Range<usize>)> Walk<'_, F> {
    /// The coordinates that are left in the dimension of a mode.
    fn left(&self, mode: &Mode) -> usize {
        self.sizes[mode.dim] - self.at[mode.dim]
    }

    /// How many values its digit takes there.
    fn rounds(&self, mode: &Mode) -> usize {
        mode.size.min(self.left(mode).div_ceil(mode.divisor))
    }

    /// Visits the elements of the digits below `level`, from the place `first` on.
    fn level(&mut self, level: usize, first: usize) {
        if let Some(len) = self.whole(level) {
            return (self.gap)(first..first + len);
        }
        // A level with padding has a digit: without digits there is a single element.
        let mode = self.modes[level - 1];
        for digit in 0..self.rounds(&mode) {
            self.at[mode.dim] += digit * mode.divisor;
            self.level(level - 1, first + digit * mode.stride);
            self.at[mode.dim] -= digit * mode.divisor;
        }
    }

    /// Returns the number of elements of the digits below `level`, if they have no padding between
    /// them.
    fn whole(&self, level: usize) -> Option<usize> {
        let mut len = 1;
        for (k, mode) in self.modes[..level].iter().enumerate() {
            if mode.stride != len {
                return None;
            }
            // The last values of this digit and of the lower digits of its dimension are in bounds.
            let below = self.modes[..k].iter().filter(|below| below.dim == mode.dim);
            let last: usize = below.map(|below| (below.size - 1) * below.divisor).sum();
            let rounds = self.rounds(mode);
            let inside = (rounds - 1) * mode.divisor + last < self.left(mode);
            // The edge may cut the outermost digit short.
            if inside && (rounds == mode.size || k + 1 == level) {
                len *= rounds;
                continue;
            }
            return None;
        }
        Some(len)
    }
}
