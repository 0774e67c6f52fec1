//! Lowering of a shape: its layout as a source of modes, and whether it can be lowered.

use crate::constant::INLINE_RANK;
use crate::error::NotLowered;
use crate::layout::Layout;
use crate::modes::{Digits, Mode, Source, Table, can_be_lowered, type_bits, typed};
use crate::shape::ArrayShape;

impl<'a> Source<'a> {
    /// What a shape and its layout say. A `?` stays one.
    pub fn of(shape: &'a ArrayShape, layout: &'a Layout) -> Self {
        let (split_indices, splits) = layout.split_configs.as_slices();
        Self {
            dims: &shape.dims,
            minor_to_major: &layout.minor_to_major,
            tiles: layout.tiles.as_tiles(),
            padded_dimensions: &layout.padded_dimensions,
            tail_alignment: layout.tail_padding_alignment_in_elements,
            element_bits: shape.element_size_in_bits(),
            type_bits: type_bits(shape.element_type),
            metadata_prefix: layout.dynamic_shape_metadata_prefix_bytes,
            splits,
            split_indices,
        }
    }
}

/// Whether a valid shape can be lowered into the constant table of a type. A `?` is a size that
/// only the run time knows.
///
/// # Errors
/// Why it cannot.
#[doc(hidden)]
pub fn check(shape: &ArrayShape) -> Result<(), NotLowered> {
    let Some(layout) = &shape.layout else {
        return Err(NotLowered::NotAPermutation);
    };
    let source = Source::of(shape, layout);
    if layout.element_size_in_bits == 0 && is_plain(&source) {
        return Ok(());
    }
    typed(shape.element_type, &source, layout.element_size_in_bits).map(|_| ())
}

/// Whether index arithmetic works for a shape with every value of its `?`.
pub fn check_addressable(shape: &ArrayShape, layout: &Layout) -> Result<(), NotLowered> {
    let source = Source::of(shape, layout);
    if is_plain(&source) {
        return Ok(());
    }
    can_be_lowered(&source)
}

/// Whether two valid shapes without `?` have the same element type, the same sizes and the same
/// memory map, as `specialize!` compares them. `false` for a layout that a type cannot have.
#[doc(hidden)]
pub fn same_memory(a: &ArrayShape, b: &ArrayShape) -> bool {
    let (Some(of_a), Some(of_b)) = (&a.layout, &b.layout) else {
        return false;
    };
    if a.element_type != b.element_type || of_a.memory_space != of_b.memory_space {
        return false;
    }
    if !same(&a.dims, &b.dims, |dim| dim.bound()) {
        return false;
    }
    match (
        Table::new(&Source::of(a, of_a)),
        Table::new(&Source::of(b, of_b)),
    ) {
        (Ok(a), Ok(b)) => {
            a.numbers.element_bits == b.numbers.element_bits
                && a.numbers.buffer_len == b.numbers.buffer_len
                && a.used_terms() == b.used_terms()
                && same_map(a.used_modes(), b.used_modes())
        }
        _ => false,
    }
}

/// Whether two tables are the same map. A table with run-time sizes may keep a digit as inner that
/// these very sizes make the top one, so the flag `top` does not count.
#[inline]
pub fn same_map(a: &[Mode], b: &[Mode]) -> bool {
    let key = |mode: &Mode| (mode.dim, mode.divisor, mode.size, mode.stride);
    same(a, b, key)
}

/// Whether two lists have the same keys. `Iterator::eq` generates much code for each pair of lists.
#[inline]
fn same<T, K: PartialEq>(a: &[T], b: &[T], key: impl Fn(&T) -> K) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| key(a) == key(b))
}

/// Whether a layout has tiles only, and the short way of `tiled.rs` takes it. The short way accepts
/// less than the general way, so such a layout can be lowered. `layout!` asks this for each layout,
/// and most layouts are plain.
fn is_plain(source: &Source<'_>) -> bool {
    let tiles_only = source.padded_dimensions.is_empty()
        && source.tail_alignment == 1
        && source.metadata_prefix == 0
        && source.splits.is_empty()
        && source.element_bits == source.type_bits;
    if !tiles_only || source.type_bits <= 0 {
        return false;
    }
    let Some(mut digits) = Digits::<INLINE_RANK>::new(source.dims, source.minor_to_major) else {
        return false;
    };
    let mut k = 0;
    while let Some(tile) = source.tiles.get(k) {
        if !digits.cut(tile) {
            return false;
        }
        k += 1;
    }
    digits.bytes(source.type_bits as usize / 8).is_some()
}

#[cfg(test)]
mod tests {
    use std::format;

    use super::*;
    use crate::modes::Lowered;

    #[test]
    fn a_plain_layout_can_be_lowered() {
        let sizes = [
            "0",
            "1",
            "2",
            "3",
            "5",
            "8",
            "?",
            "<=3",
            "65536",
            "2147483647",
            "4294967296",
            "1152921504606846975",
            "2305843009213693951",
            "9223372036854775807",
        ];
        let orders = ["1,0", "0,1"];
        let attributes = [
            "",
            ":T(2)",
            ":T(4)",
            ":T(2,2)",
            ":T(8,128)(2,1)",
            ":T(3)(2)",
            ":T(4)(2)",
            ":T(*,2)",
            ":T(2,9223372036854775807)",
            ":T(65536,65536)",
            ":L(4)",
            ":E(4)",
            ":E(32)",
            ":M(8)",
            ":SC(0:1)",
            ":S(1)",
        ];
        let mut plain = 0;
        let mut refused = 0;
        for element_type in ["u8", "f32", "c128", "pred"] {
            for a in sizes {
                for b in sizes {
                    for (order, attributes) in orders
                        .iter()
                        .flat_map(|o| attributes.iter().map(move |a| (o, a)))
                    {
                        let text = format!("{element_type}[{a},{b}]{{{order}{attributes}}}");
                        let Ok(shape) = ArrayShape::read_xla(&text) else {
                            continue;
                        };
                        let layout = shape.layout.as_ref().expect("the text has a layout");
                        let source = Source::of(&shape, layout);
                        let general =
                            typed(shape.element_type, &source, layout.element_size_in_bits);
                        if is_plain(&source) {
                            plain += 1;
                            assert!(general.is_ok(), "{text}");
                            assert!(Lowered::new(&source).is_ok(), "{text}");
                        } else if general.is_err() {
                            refused += 1;
                        }
                        assert_eq!(check(&shape), general.map(|_| ()), "{text}");
                    }
                }
            }
        }
        assert!(plain > 1000 && refused > 1000, "{plain} {refused}");
    }
}
