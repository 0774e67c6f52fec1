//! What is emitted: where each element of an array lies.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use xlayout_core::{ArrayLayout, DynLayout};
use xlayout_shape::Mode;

use crate::error::EmitError;

/// What a digit is taken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The coordinate of a dimension.
    Dimension(usize),
    /// A sum of the map, counted from 0, that is before the one with the digit.
    Sum(usize),
}

/// One summand: `(source / divisor) % size * weight`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) source: Source,
    pub(crate) divisor: u64,
    /// How many values the digit takes.
    pub(crate) size: u64,
    /// Whether the digit has no `% size`, because it is the most major one of its source.
    pub(crate) top: bool,
    pub(crate) weight: u64,
}

/// CuTe's `Swizzle<bits, base, shift>`, applied to the linear index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Swizzle {
    pub(crate) bits: u32,
    pub(crate) base: u32,
    pub(crate) shift: i32,
}

/// Where each element of an array lies: a sum of weighted digits of its indices, in elements.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_emit::{Functions, IndexMap};
///
/// let layout: DynLayout = "f32[8,8]{1,0}".parse().unwrap();
/// let swizzled = IndexMap::of(&layout)?.swizzled(3, 0, 3)?;
/// let functions = Functions::new(&swizzled)?;
/// assert_eq!(functions.linear_index(&[3, 5]), 3 * 8 + (5 ^ 3));
/// # Ok::<(), xlayout_emit::EmitError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexMap {
    /// What the comment of the code calls it.
    pub(crate) title: String,
    pub(crate) sizes: Vec<u64>,
    /// Merged coordinates, each a sum, and the linear index behind them.
    pub(crate) sums: Vec<Vec<Term>>,
    pub(crate) swizzle: Option<Swizzle>,
    pub(crate) elements: u64,
    /// How many elements the memory has room for; a swizzle may need more.
    pub(crate) allocated: u64,
}

impl IndexMap {
    /// The map of a layout.
    ///
    /// # Errors
    /// If the array has no elements.
    pub fn of(layout: &DynLayout) -> Result<Self, EmitError> {
        let rank = layout.dims().len();
        let term = |digit: &Mode| Term {
            source: match digit.dim.checked_sub(rank) {
                None => Source::Dimension(digit.dim),
                Some(sum) => Source::Sum(sum),
            },
            divisor: digit.divisor as u64,
            size: digit.size as u64,
            top: digit.top,
            weight: digit.stride as u64,
        };
        let merged = layout.terms().iter().map(|term| term.coordinate + 1 - rank);
        let mut sums = alloc::vec![Vec::new(); merged.max().unwrap_or(0)];
        for summand in layout.terms() {
            sums[summand.coordinate - rank].push(term(&summand.digit));
        }
        sums.push(layout.mode_table().iter().map(term).collect());
        if layout.elements() == 0 {
            return Err(EmitError::NoElements);
        }
        Ok(Self {
            title: layout.shape().to_string(),
            sizes: layout.dims().iter().map(|&size| size as u64).collect(),
            sums,
            swizzle: None,
            elements: layout.elements() as u64,
            allocated: layout.buffer_len() as u64,
        })
    }

    /// The same map, and then CuTe's `Swizzle<bits, base, shift>` of the linear index: `bits` bits from `base + shift` on are
    /// combined by exclusive or with those from `base` on.
    ///
    /// Source: `include/cute/swizzle.hpp` of CUTLASS.
    ///
    /// # Errors
    /// If the shift is shorter than the bits, or bits are beyond the 63rd one.
    pub fn swizzled(mut self, bits: u32, base: u32, shift: i32) -> Result<Self, EmitError> {
        let distance = shift.unsigned_abs();
        let end = bits
            .checked_add(base)
            .and_then(|end| end.checked_add(distance));
        if distance < bits || end.is_none_or(|end| end > 63) {
            return Err(EmitError::Swizzle { bits, base, shift });
        }
        self.title = alloc::format!("Swizzle<{bits},{base},{shift}> of {}", self.title);
        // Both halves of the bits may change a block of this length, and nothing beyond it.
        let block = 1_u64 << (bits + base + distance);
        if bits > 0 {
            let blocks = self.allocated.div_ceil(block);
            let whole = blocks.checked_mul(block);
            self.allocated = whole.ok_or(EmitError::TooLarge { bits: 64 })?;
        }
        self.swizzle = Some(Swizzle { bits, base, shift });
        Ok(self)
    }
}
