//! Which coordinates a device holds, against the definition: parts of the same width, rounded up.

use std::boxed::Box;
use std::vec::Vec;

use super::{Order, Rule, Tiles};

/// A sharding that cuts dimension 1 of two.
fn cuts(parts: i64) -> Rule {
    Rule::Tiled(Tiles {
        grid: Box::leak(Box::new([1, parts])),
        groups: 0,
        names: &[],
        order: Order::Iota {
            dims: Box::leak(Box::new([parts])),
            transpose: &[0],
        },
    })
}

#[test]
fn ranges_are_the_chunks_of_the_coordinates() {
    for parts in 1..=6 {
        let rule = cuts(parts);
        for size in 0..=20 {
            let all: Vec<usize> = (0..size).collect();
            let width = size.div_ceil(parts as usize).max(1);
            let mut chunks = all.chunks(width);
            let mut held = 0;
            for tile in 0..parts as usize {
                let (start, end) = rule.range(1, size, tile);
                let expected = chunks.next().unwrap_or(&[]);
                assert_eq!(all[start..end], *expected, "{size} in {parts}: {tile}");
                held += end - start;
                // A dimension in one part, and one that is not cut.
                assert_eq!(rule.range(0, size, 0), (0, size));
                assert_eq!(rule.range(2, size, 0), (0, size));
                assert_eq!(Rule::Replicated.range(0, size, 0), (0, size));
            }
            assert_eq!(held, size, "every coordinate is held once");
        }
    }
    // No overflow near the limits.
    let most = isize::MAX as usize;
    assert_eq!(cuts(2).range(1, most, 1), (most / 2 + 1, most));
    assert_eq!(cuts(2).range(1, usize::MAX, 1).1, usize::MAX);
    assert_eq!(cuts(i64::MAX).range(1, 3, most - 1), (3, 3));
    // More parts than a pointer of 32 bits counts.
    let (rule, mut tile) = (cuts(1 << 33), [0; 2]);
    assert_eq!(rule.range(1, 3, 2), (2, 3));
    assert!(rule.tile_index((1 << 32) + 1, &mut tile));
    assert_eq!(rule.range(1, 3, tile[1]), (3, 3));
}
