//! Products of few factors, against wide arithmetic.

use super::*;

#[test]
fn a_product_is_counted_or_too_large() {
    let factors = [0, 1, 2, 3, MAX / 2, MAX / 2 + 1, MAX, usize::MAX];
    for (a, b, c) in factors.iter().flat_map(|a| {
        let pairs = factors.iter().flat_map(|b| factors.map(|c| (*b, c)));
        pairs.map(|(b, c)| (*a, b, c))
    }) {
        let count = Count::ONE.times(a).times(b).times(c);
        let one = |n: usize| n.max(1) as u128;
        let empty = [a, b, c].contains(&0);
        let expected = match one(a)
            .checked_mul(one(b))
            .and_then(|ab| ab.checked_mul(one(c)))
        {
            Some(product) if product <= MAX as u128 => Ok(if empty { 0 } else { product as usize }),
            _ if empty => Err(NotLowered::EmptyTooLarge),
            _ => Err(NotLowered::TooLarge),
        };
        assert_eq!(count.checked(), expected, "{a} {b} {c}");
        if let Ok(value) = expected {
            assert_eq!(count.value(), value, "{a} {b} {c}");
        }
    }
}
