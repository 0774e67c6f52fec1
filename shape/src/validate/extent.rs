//! Whether the elements and the bytes of an array can be counted.

use super::{Place, Report};
use crate::dims::Dim;
use crate::error::{ErrorKind, Product};
use crate::layout::Layout;
use crate::modes::LowerError;
use crate::primitive::PrimitiveType;

/// The widths of the dimensions, dimension 0 first.
#[derive(Clone, Copy)]
pub(super) enum Widths<'a> {
    /// Their sizes. A `?` has none.
    Sizes(&'a [Dim]),
    /// `padded_dimensions`
    Padded(&'a [i64]),
}

impl Widths<'_> {
    const fn len(self) -> usize {
        match self {
            Self::Sizes(dims) => dims.len(),
            Self::Padded(widths) => widths.len(),
        }
    }

    const fn get(self, dimension: usize) -> Option<i64> {
        match self {
            Self::Sizes(dims) => dims[dimension].bound(),
            Self::Padded(widths) => Some(widths[dimension]),
        }
    }

    /// The product of the widths, or the first dimension at which it overflows. XLA's overflow is
    /// sticky from the left, so that `[0,MAX,2]` passes and `[MAX,2,0]` does not.
    const fn elements(self) -> Result<i64, usize> {
        let mut elements = 1_i64;
        let mut dimension = 0;
        while dimension < self.len() {
            if let Some(width) = self.get(dimension) {
                elements = match elements.checked_mul(width) {
                    Some(elements) => elements,
                    None => return Err(dimension),
                };
            }
            dimension += 1;
        }
        Ok(elements)
    }
}

/// The bits that the elements of a type take in memory without `E`: whole bytes.
const fn natural_bits(element_type: PrimitiveType) -> i64 {
    match element_type.bytes() {
        Some(bytes) => 8 * bytes as i64,
        // A type of no array, which is another mistake.
        None => 0,
    }
}

/// The bytes that elements of so many bits take.
const fn bytes(elements: i64, bits: i64) -> i128 {
    let bits = if bits > 0 { bits } else { 0 };
    (elements as i128 * bits as i128 + 7) / 8
}

/// Elements and bytes can be counted: neither may overflow. Bytes are counted with the size that the
/// type has, and with that of the layout.
pub(super) fn extent(
    element_type: PrimitiveType,
    widths: Widths<'_>,
    layout: Option<&Layout>,
    report: Report<'_>,
) {
    let rank = widths.len();
    let (place, padded) = match widths {
        Widths::Sizes(_) => (Place::Dims, false),
        Widths::Padded(_) => (Place::Padded, true),
    };
    let elements = match widths.elements() {
        Ok(elements) => elements,
        Err(dimension) => {
            // The whole product, unless a 0 further on would hide the overflow.
            let mut further = (dimension + 1..rank).filter_map(|d| widths.get(d));
            let whole = further.all(|n| n != 0);
            let prefix = if whole { rank } else { dimension + 1 };
            let product = (0..prefix)
                .filter_map(|d| widths.get(d))
                .fold(Product::ONE, |product, n| {
                    product.times(n.unsigned_abs().into())
                });
            return report(
                place,
                ErrorKind::ElementsOverflow {
                    product,
                    prefix,
                    rank,
                    padded,
                },
            );
        }
    };
    let own = layout.map_or(0, |layout| layout.element_size_in_bits);
    for bits in [natural_bits(element_type), own] {
        let bytes = bytes(elements, bits);
        if bytes > i128::from(i64::MAX) {
            let bytes = Product::ONE.times(bytes.unsigned_abs());
            return report(
                place,
                ErrorKind::BytesOverflow {
                    elements,
                    bits,
                    bytes,
                    padded,
                },
            );
        }
    }
}

/// The same rule for the type of a layout, whose other rules lowering checks. `element_size` is what
/// `E` says, or 0.
///
/// # Errors
/// [`LowerError::TooLarge`].
pub const fn countable(
    element_type: PrimitiveType,
    dims: &[Dim],
    padded_dimensions: &[i64],
    element_size: i64,
) -> Result<(), LowerError> {
    let mut widths = Widths::Sizes(dims);
    loop {
        let Ok(elements) = widths.elements() else {
            return Err(LowerError::TooLarge);
        };
        let most = i64::MAX as i128;
        if bytes(elements, natural_bits(element_type)) > most
            || bytes(elements, element_size) > most
        {
            return Err(LowerError::TooLarge);
        }
        if padded_dimensions.is_empty() || matches!(widths, Widths::Padded(_)) {
            return Ok(());
        }
        widths = Widths::Padded(padded_dimensions);
    }
}
