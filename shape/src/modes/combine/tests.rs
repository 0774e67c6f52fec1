//! Digits of merged coordinates, in tables that are full and in tables with old entries behind.

use super::*;
use crate::dims::Dim;

/// Coordinate 1 is `dimension 0 × 1`: a digit of it is a digit of the dimension, or none.
#[test]
fn expansion_looks_at_what_is_in_use() {
    let dims = [Dim::Static(12)];
    let whole = Term {
        coordinate: 1,
        digit: Mode::new(0, 1, 12, 1),
    };
    // What a dropped term leaves behind: it must not count.
    let old = Term {
        coordinate: 1,
        digit: Mode::new(0, 1, 5, 7),
    };
    let other = Mode::new(0, 2, 6, 100);
    for terms in [&[whole][..], &[whole, old]] {
        // A digit above all values has one value: it is dropped.
        let mut modes = [Mode::new(1, 12, 2, 50), other];
        assert_eq!(expand(&dims, terms, &mut modes, 2, 1), Ok((1, true)));
        assert_eq!(modes[0], other);
        let mut modes = [Mode::new(1, 3, 4, 50), other];
        assert_eq!(expand(&dims, terms, &mut modes, 2, 1), Ok((2, true)));
        assert_eq!(modes, [Mode::new(0, 3, 4, 50), other]);
        let mut modes = [other, other];
        assert_eq!(expand(&dims, terms, &mut modes, 2, 1), Ok((2, false)));
        assert_eq!(parts_of(Mode::new(1, 3, 4, 50), terms, 1), Some(1));
    }
}
