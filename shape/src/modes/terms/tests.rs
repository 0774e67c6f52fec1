//! Digits that continue each other, and terms that nothing uses, against what they mean.

use std::vec;
use std::vec::Vec;

use super::*;

fn digit(dim: usize, divisor: usize, size: usize, stride: usize, top: bool) -> Mode {
    let mode = Mode::new(dim, divisor, size, stride);
    if top { mode } else { mode.inner() }
}

/// Two digits are one where they follow each other, in the coordinate and in the sum.
#[test]
fn a_digit_continues_the_one_below_it() {
    let small = [1, 2, 3, 4, 6];
    let range = 12;
    let dims = [Dim::Static(range), Dim::Static(range)];
    let mut found = 0;
    for number in 0..small.len().pow(3) {
        let nth = |k: u32| small[number / small.len().pow(k) % small.len()];
        let divisor = nth(0);
        let size = nth(1);
        let stride = nth(2);
        for (next_divisor, next_stride) in [1, 2, 3, 4, 6, 8, 9, 12, 18, 36].iter().flat_map(|a| {
            [1, 2, 3, 4, 6, 8, 9, 12, 18, 36]
                .iter()
                .map(move |b| (*a, *b))
        }) {
            for (top, next_top, dim) in [
                (false, false, 0),
                (false, true, 0),
                (true, false, 0),
                (false, false, 1),
            ] {
                let before = digit(0, divisor, size, stride, top);
                let next = digit(dim, next_divisor, 2, next_stride, next_top);
                let table = [Term {
                    coordinate: 2,
                    digit: before,
                }];
                let follows = dim == 0
                    && !top
                    && divisor * size == next_divisor
                    && stride * size == next_stride;
                let answer = continued(&dims, &table, 1, next);
                assert_eq!(answer.is_some(), follows, "{before:?} {next:?}");
                let Some(both) = answer else { continue };
                found += 1;
                let mut largest = 0;
                for i in 0..range as usize {
                    let sum = before.digit(i) * stride + next.digit(i) * next_stride;
                    assert_eq!(both.digit(i) * both.stride, sum, "{before:?} {next:?} {i}");
                    largest = largest.max(both.digit(i));
                }
                // The size is that of the range for the most major digit, and else all places.
                let expected = if next_top { largest + 1 } else { size * 2 };
                assert_eq!(both.size, expected, "{before:?} {next:?}");
                assert_eq!((both.dim, both.top), (0, next_top));
            }
        }
    }
    assert!(found > 20, "{found}");
}

/// Tables of up to three merged coordinates, each of one or two terms, in all ways in which modes
/// and later terms can name them.
#[test]
fn terms_are_kept_where_something_names_their_coordinate() {
    let rank = 2;
    for shape in [
        vec![1],
        vec![2],
        vec![1, 1],
        vec![2, 1],
        vec![1, 2],
        vec![1, 2, 1],
        vec![2, 1, 2],
    ] {
        let count = shape.len();
        let coordinates: Vec<usize> = (0..count).flat_map(|c| vec![rank + c; shape[c]]).collect();
        // The first term of each coordinate may be of the one before it.
        for nested in 0..1_u32 << count {
            for named in 0..1_u32 << count {
                let mut first = usize::MAX;
                let mut table: Vec<Term> = coordinates
                    .iter()
                    .enumerate()
                    .map(|(k, &coordinate)| {
                        let begins = first != coordinate;
                        first = coordinate;
                        let c = coordinate - rank;
                        let inner = begins && c > 0 && nested >> c & 1 != 0;
                        let dim = if inner { coordinate - 1 } else { k % rank };
                        Term {
                            coordinate,
                            digit: digit(dim, 1, 2, 10 + k, true),
                        }
                    })
                    .collect();
                let before = table.clone();
                let mut modes = vec![digit(0, 1, 2, 1, true)];
                modes.extend(
                    (0..count)
                        .filter(|c| named >> c & 1 != 0)
                        .map(|c| digit(rank + c, 1, 2, 5, true)),
                );
                let modes_before = modes.clone();
                let len = modes.len();
                let uses = |c: usize| {
                    modes_before.iter().any(|mode| mode.dim == c)
                        || before
                            .iter()
                            .any(|term| term.coordinate > c && term.digit.dim == c)
                };
                // Their new numbers, without a gap.
                let kept: Vec<usize> = (rank..rank + count).filter(|c| uses(*c)).collect();
                let number = |dim: usize| match kept.iter().position(|c| *c == dim) {
                    Some(at) => rank + at,
                    None => dim,
                };
                let expected: Vec<Term> = before
                    .iter()
                    .filter(|term| uses(term.coordinate))
                    .map(|term| Term {
                        coordinate: number(term.coordinate),
                        digit: Mode {
                            dim: number(term.digit.dim),
                            ..term.digit
                        },
                    })
                    .collect();
                let terms = table.len();
                let found = keep_used_terms(rank, &mut table, terms, &mut modes, len);
                assert_eq!(table[..found], expected, "{before:?} {modes_before:?}");
                let renumbered: Vec<Mode> = modes_before
                    .iter()
                    .map(|mode| Mode {
                        dim: number(mode.dim),
                        ..*mode
                    })
                    .collect();
                assert_eq!(modes, renumbered, "{before:?} {modes_before:?}");
            }
        }
    }
    assert_eq!(next_coordinate(2, &[], 0), 2);
    let table = [Term {
        coordinate: 4,
        digit: Mode::NONE,
    }];
    assert_eq!(next_coordinate(2, &table, 1), 5);
}
