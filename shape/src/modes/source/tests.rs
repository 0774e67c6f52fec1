//! The attributes that no digit is made of, right and wrong.

use super::*;
use crate::TileDim;

const DIMS: [Dim; 3] = [Dim::Static(3), Dim::Unbounded, Dim::Bounded(2)];

const RIGHT: Source<'static> = Source {
    dims: &DIMS,
    minor_to_major: &[1, 0, 2],
    tiles: TilesRef {
        entries: &[],
        ends: &[],
    },
    padded_dimensions: &[],
    tail_alignment: 1,
    element_bits: 0,
    type_bits: 8,
    metadata_prefix: 0,
    splits: &[],
    split_indices: &[],
};

#[test]
fn attributes_have_their_ranges() {
    for n in -2..=2 {
        let found = [
            Source {
                tail_alignment: n,
                ..RIGHT
            },
            Source {
                element_bits: n,
                ..RIGHT
            },
            Source {
                metadata_prefix: n,
                ..RIGHT
            },
        ]
        .map(|source| source.check().is_ok());
        assert_eq!(found, [n >= 1, n >= 0, n >= 0], "{n}");
    }
    let tiles = TilesRef {
        entries: &[TileDim::Size(2)],
        ends: &[1],
    };
    for (padded_dimensions, tiles, right) in [
        (&[][..], RIGHT.tiles, true),
        (&[3, 9, 2], RIGHT.tiles, true),
        (&[], tiles, true),
        (&[3, 9, 2], tiles, false),
    ] {
        let source = Source {
            padded_dimensions,
            tiles,
            ..RIGHT
        };
        assert_eq!(source.check().is_ok(), right, "{padded_dimensions:?}");
    }
}

/// Two splits of up to two indices, at all dimensions and places.
#[test]
fn splits_rise_inside_of_their_dimensions() {
    // Physical dimension 0 is the most major one, which is the last of minor_to_major.
    let sizes = [Some(2), Some(3), None];
    let right = |dimension: i64, indices: &[i64]| {
        usize::try_from(dimension)
            .ok()
            .and_then(|d| sizes.get(d))
            .is_some_and(|size| {
                indices
                    .iter()
                    .all(|&n| n >= 1 && size.is_none_or(|size| n < size))
                    && indices.windows(2).all(|pair| pair[0] < pair[1])
            })
    };
    let numbers = [0, 1, 2, 3];
    for first in -1..=3 {
        for second in -1..=3 {
            for a in numbers {
                for b in numbers {
                    for c in numbers {
                        for cut in 0..=3 {
                            let indices = [a, b, c];
                            let splits = [(first, cut), (second, 3)];
                            let source = Source {
                                splits: &splits,
                                split_indices: &indices,
                                ..RIGHT
                            };
                            let expected = first != second
                                && right(first, &indices[..cut])
                                && right(second, &indices[cut..]);
                            assert_eq!(source.check().is_ok(), expected, "{splits:?} {indices:?}");
                        }
                    }
                }
            }
        }
    }
    for number in [-1, 3, i64::MAX] {
        let source = Source {
            minor_to_major: &[1, 0, number],
            splits: &[(0, 0)],
            ..RIGHT
        };
        assert_eq!(source.check(), Err(NotLowered::NotAPermutation), "{number}");
    }
}
