//! XLA's rule, against wide arithmetic.

use super::*;

const SIZES: [i64; 6] = [0, 1, 3, 1 << 31, 1 << 62, i64::MAX];

/// The product from the left, which is not larger again after a size of 0.
fn product(widths: &[Option<i64>]) -> Result<i64, usize> {
    let mut product = 1_i128;
    for (dimension, width) in widths.iter().enumerate() {
        product *= i128::from(width.unwrap_or(1));
        if product > i128::from(i64::MAX) {
            return Err(dimension);
        }
    }
    Ok(product as i64)
}

#[test]
fn widths_multiply_from_the_left() {
    for (a, b) in SIZES.iter().flat_map(|a| SIZES.map(|b| (*a, b))) {
        for c in SIZES {
            let widths = Widths::Padded(&[a, b, c]);
            assert_eq!(widths.rank(), 3);
            assert_eq!(widths.elements(), product(&[Some(a), Some(b), Some(c)]));
        }
        let dims = [Dim::Static(a), Dim::Unbounded, Dim::Bounded(b)];
        let widths = Widths::Sizes(&dims);
        assert_eq!((widths.rank(), widths.get(1)), (3, None));
        assert_eq!(widths.elements(), product(&[Some(a), None, Some(b)]));
    }
}

#[test]
fn bits_are_whole_bytes() {
    for (elements, bits) in (0..20).flat_map(|n| (-1..20).map(move |bits| (n, bits))) {
        let all = (elements * bits.max(0)) as usize;
        assert_eq!(bytes(elements, bits), all.div_ceil(8) as i128);
    }
    assert_eq!(
        bytes(i64::MAX, i64::MAX),
        (i128::from(i64::MAX).pow(2) + 7) / 8
    );
    assert_eq!(type_bits(ElementType::F32), 32);
    assert_eq!(type_bits(ElementType::C128), 128);
    assert_eq!(type_bits(ElementType::S4), 8);
    assert_eq!(type_bits(ElementType::Token), 0);
}

/// Elements and bytes, with and without `E`, of the array and of its padding, are at most 2^63 - 1.
#[test]
fn an_array_is_countable_up_to_the_largest_number_of_bytes() {
    let most = i64::MAX;
    for (size, padded, bits, expected) in [
        (most, None, 0, true),
        (most, None, 8, true),
        (most, None, 9, false),
        (1, Some(most), 0, true),
        (1, Some(most), 16, false),
        (most / 2, Some(most / 2), 16, true),
        (most / 2 + 1, Some(1), 16, false),
    ] {
        let dims = [Dim::Static(size)];
        let padded = padded.map(|width| [width]);
        let padded = padded.as_ref().map_or(&[][..], |widths| &widths[..]);
        let found = countable(ElementType::U8, &dims, padded, bits);
        let expected = if expected {
            Ok(())
        } else {
            Err(NotLowered::TooLarge)
        };
        assert_eq!(found, expected, "{size} {padded:?} {bits}");
    }
    let two = [Dim::Static(most), Dim::Static(2)];
    assert_eq!(
        countable(ElementType::U8, &two, &[], 0),
        Err(NotLowered::TooLarge)
    );
    let wide = [Dim::Static(most / 4 + 1)];
    assert_eq!(
        countable(ElementType::F32, &wide, &[], 0),
        Err(NotLowered::TooLarge)
    );
    assert_eq!(
        countable(ElementType::F32, &[Dim::Static(most / 4)], &[], 0),
        Ok(())
    );
}
