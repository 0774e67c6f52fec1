//! The check of a finished table: it stops at tables that break the invariant, and at no others.

use std::panic::catch_unwind;
use std::vec;

use super::*;
use crate::modes::Count;

fn passes(dims: &[Dim], modes: &[Mode], terms: &[Term], buffer_len: usize) -> bool {
    let filled = FilledLengths {
        modes: modes.len(),
        terms: terms.len(),
        run_time: 0,
        buffer_len: Count::ONE.times(buffer_len),
    };
    catch_unwind(|| assert_inside(dims, modes, terms, &filled)).is_ok()
}

/// All tables of one mode, and each of them with another mode, against the digits of all
/// coordinates.
#[test]
fn a_table_passes_if_every_linear_index_is_inside() {
    let other = Mode::new(1, 1, 3, 4);
    let numbers = |n: usize| (1..=4).map(move |k| n / 4_usize.pow(k) % 4 + 1);
    for number in 0..4_usize.pow(5) {
        let [size, divisor, digits, stride] = numbers(number).collect::<vec::Vec<_>>()[..] else {
            unreachable!("there are four numbers");
        };
        for top in [true, false] {
            let mode = Mode::new(0, divisor, digits, stride - 1);
            let mode = if top { mode } else { mode.inner() };
            // An inner digit takes all its values.
            if !top && size < divisor * digits {
                continue;
            }
            let largest = (0..size).map(|i| mode.digit(i)).max().unwrap_or(0);
            let last = largest * mode.stride;
            let dims = [Dim::Static(size as i64), Dim::Bounded(3)];
            for len in [0, last, last + 1, last + 8, last + 9] {
                let fits = largest < digits;
                let found = passes(&dims[..1], &[mode], &[], len);
                assert_eq!(found, fits && last < len, "{mode:?} of {size}, {len}");
                let found = passes(&dims, &[mode, other], &[], len);
                assert_eq!(found, fits && last + 8 < len, "{mode:?} of {size}, {len}");
            }
        }
    }
}

/// Coordinate 1 is merged: twice dimension 0, whose digit has this many values.
#[test]
fn a_digit_of_a_merged_coordinate_is_below_its_size() {
    let dims = [Dim::Static(4)];
    for (digits, range) in (1..=6).flat_map(|digits| (1..=9).map(move |range| (digits, range))) {
        let digit = Mode::new(0, 1, digits, 2);
        let terms = [Term {
            coordinate: 1,
            digit,
        }];
        let mode = Mode::new(1, 1, range, 1);
        for len in 0..=12 {
            let last = 2 * (digits - 1);
            let expected = digits >= 4 && last < range && last < len;
            let found = passes(&dims, &[mode], &terms, len);
            assert_eq!(found, expected, "{digits} {range} {len}");
        }
    }
}

#[test]
fn nothing_is_outside_where_no_index_is_in_bounds_or_known() {
    let wrong = [Mode::new(0, 1, 1, 9)];
    assert!(!passes(&[Dim::Static(5)], &wrong, &[], 1));
    for dim in [Dim::Static(0), Dim::Bounded(0), Dim::Unbounded] {
        assert!(passes(&[Dim::Static(5), dim], &wrong, &[], 1));
        assert!(passes(&[dim, Dim::Static(5)], &wrong, &[], 1));
    }
}

#[test]
fn an_index_beyond_a_pointer_is_outside() {
    let dims = [Dim::Static(3), Dim::Static(2)];
    let far = |dim| Mode::new(dim, 1, 3, usize::MAX);
    assert!(!passes(&dims, &[far(0)], &[], usize::MAX));
    assert!(!passes(&dims, &[far(1), far(1)], &[], usize::MAX));
}
