//! Whether the elements and the bytes of an array can be counted, by XLA's rule.

use super::{Source, Table, type_bits};
use crate::dims::Dim;
use crate::element_type::ElementType;
use crate::error::NotLowered;

/// The widths of the dimensions, dimension 0 first.
#[derive(Clone, Copy)]
pub enum Widths<'a> {
    /// Their sizes. A `?` has none.
    Sizes(&'a [Dim]),
    /// `padded_dimensions`
    Padded(&'a [i64]),
}

impl Widths<'_> {
    pub const fn rank(self) -> usize {
        match self {
            Self::Sizes(dims) => dims.len(),
            Self::Padded(widths) => widths.len(),
        }
    }

    pub const fn get(self, dimension: usize) -> Option<i64> {
        match self {
            Self::Sizes(dims) => dims[dimension].bound(),
            Self::Padded(widths) => Some(widths[dimension]),
        }
    }

    /// The product of the widths, or the first dimension at which it overflows. XLA's overflow is
    /// sticky from the left, so that `[0,MAX,2]` passes and `[MAX,2,0]` does not.
    pub const fn elements(self) -> Result<i64, usize> {
        let mut elements = 1_i64;
        each!(dimension, 0..self.rank(), {
            if let Some(width) = self.get(dimension) {
                elements = match elements.checked_mul(width) {
                    Some(elements) => elements,
                    None => return Err(dimension),
                };
            }
        });
        Ok(elements)
    }
}

/// The bytes that `elements` elements of `bits` bits take.
pub const fn bytes(elements: i64, bits: i64) -> i128 {
    let bits = if bits > 0 { bits } else { 0 };
    (elements as i128 * bits as i128 + 7) / 8
}

/// The rule for the type of a layout, whose other rules lowering checks. `element_size` is what
/// `E` says, or 0.
///
/// # Errors
/// [`NotLowered::TooLarge`].
pub const fn countable(
    element_type: ElementType,
    dims: &[Dim],
    padded_dimensions: &[i64],
    element_size: i64,
) -> Result<(), NotLowered> {
    let mut widths = Widths::Sizes(dims);
    loop {
        let Ok(elements) = widths.elements() else {
            return Err(NotLowered::TooLarge);
        };
        let limit = i64::MAX as i128;
        if bytes(elements, type_bits(element_type)) > limit || bytes(elements, element_size) > limit
        {
            return Err(NotLowered::TooLarge);
        }
        if padded_dimensions.is_empty() || matches!(widths, Widths::Padded(_)) {
            return Ok(());
        }
        widths = Widths::Padded(padded_dimensions);
    }
}

/// Lowers what a type says. `element_size` is what `E` says, or 0.
///
/// Law 3: it accepts what `DynLayout::new` accepts, as far as a constant table has room.
pub const fn typed(
    element_type: ElementType,
    source: &Source<'_>,
    element_size: i64,
) -> Result<Table, NotLowered> {
    let table = tri!(Table::new(source));
    tri!(countable(
        element_type,
        source.dims,
        source.padded_dimensions,
        element_size,
    ));
    Ok(table)
}

#[cfg(test)]
mod tests;
