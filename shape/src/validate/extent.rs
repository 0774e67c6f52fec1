//! Whether the elements and the bytes of an array can be counted.

use super::{Report, ShapePart};
use crate::element_type::ElementType;
use crate::error::{ErrorKind, Product};
use crate::layout::Layout;
use crate::modes::extent::{Widths, bytes};
use crate::modes::type_bits;

/// Elements and bytes can be counted: neither may overflow. Bytes are counted with the size that
/// the type has, and with that of the layout.
pub(super) fn extent(
    element_type: ElementType,
    widths: Widths<'_>,
    layout: Option<&Layout>,
    report: Report<'_>,
) {
    let rank = widths.rank();
    let (place, padded) = match widths {
        Widths::Sizes(_) => (ShapePart::Dims, false),
        Widths::Padded(_) => (ShapePart::Padded, true),
    };
    let elements = match widths.elements() {
        Ok(elements) => elements,
        Err(dimension) => {
            // The whole product, unless a 0 further on would hide the overflow.
            let mut prefix = rank;
            for d in dimension + 1..rank {
                if widths.get(d) == Some(0) {
                    prefix = dimension + 1;
                }
            }
            let mut product = Product::ONE;
            for d in 0..prefix {
                if let Some(n) = widths.get(d) {
                    product = product.times(n.unsigned_abs().into());
                }
            }
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
    for bits in [type_bits(element_type), own] {
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
