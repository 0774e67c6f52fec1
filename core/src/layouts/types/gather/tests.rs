//! Each attribute in its place, and the sequence that XLA's text has.

use std::boxed::Box;
use std::panic::catch_unwind;
use std::vec::Vec;

use super::*;
use crate::layouts::types::parts::AttributeValue as A;

/// One attribute of each kind, in the sequence of the text.
const KINDS: [AttributeValue; 8] = [
    A::TileSizes(&[TileDim::Size(8), TileDim::Combine]),
    A::Number(Known::TailAlignment, 5),
    A::Number(Known::ElementSize, 4),
    A::Number(Known::MemorySpace, -3),
    A::Split(1, &[2, 7]),
    A::Number(Known::Metadata, 16),
    A::Padded(&[9, 10]),
    A::Fill(PaddingValue::Lowest),
];

#[test]
fn attributes_stand_in_the_sequence_of_the_text() {
    for (a, &first) in KINDS.iter().enumerate() {
        assert!(a == 0 || place(&KINDS[a - 1]).0 < place(&first).0);
        for (b, &second) in KINDS.iter().enumerate() {
            for (c, &third) in KINDS.iter().enumerate() {
                let list = [first, second, third];
                let repeats = |k| k == 0 || k == 4;
                let follows = |k, next| k < next || k == next && repeats(k);
                let expected = follows(a, b) && follows(b, c);
                let found = catch_unwind(|| gather(&list)).is_ok();
                assert_eq!(found, expected, "{a} {b} {c}");
            }
        }
    }
}

#[test]
fn every_attribute_is_kept() {
    let all = gather(&KINDS);
    assert_eq!(
        all.tile_entries[..all.tile_entries_len],
        [TileDim::Size(8), TileDim::Combine]
    );
    assert_eq!(all.tile_ends[..all.tiles], [2]);
    assert_eq!(all.splits[..all.splits_len], [(1, 2)]);
    assert_eq!(all.split_indices[..all.split_indices_len], [2, 7]);
    assert_eq!((all.tail_alignment, all.element_bits), (5, 4));
    assert_eq!((all.memory_space, all.metadata_prefix), (-3, 16));
    assert_eq!(
        (all.padded, all.padding_value),
        (&[9, 10][..], Some(PaddingValue::Lowest))
    );
    let none = gather(&[]);
    assert_eq!(
        (
            none.tiles,
            none.splits_len,
            none.tail_alignment,
            none.element_bits
        ),
        (0, 0, 1, 0)
    );
}

/// Tiles of 1, 2, 3, … entries, and splits of as many indices.
#[test]
fn lists_follow_each_other_up_to_32_entries() {
    for lens in [
        &[1, 2, 3][..],
        &[16, 16],
        &[32],
        &[31, 1],
        &[5, 0, 6],
        &[33],
        &[32, 1],
        &[16, 17],
    ] {
        let entries: Vec<i64> = (1..=lens.iter().sum::<usize>() as i64).collect();
        let entries: &'static [i64] = Box::leak(entries.into_boxed_slice());
        let sizes: Vec<TileDim> = entries.iter().map(|&n| TileDim::Size(n)).collect();
        let sizes: &'static [TileDim] = Box::leak(sizes.into_boxed_slice());
        let mut tiles = Vec::new();
        let mut splits = Vec::new();
        let mut ends = Vec::new();
        let mut end = 0;
        for (k, len) in lens.iter().enumerate() {
            tiles.push(A::TileSizes(&sizes[end..end + len]));
            splits.push(A::Split(k as i64, &entries[end..end + len]));
            end += len;
            ends.push(end);
        }
        let fits = entries.len() <= 32;
        assert_eq!(catch_unwind(|| gather(&tiles)).is_ok(), fits, "{lens:?}");
        assert_eq!(catch_unwind(|| gather(&splits)).is_ok(), fits, "{lens:?}");
        if fits {
            let tiled = gather(&tiles);
            let split = gather(&splits);
            assert_eq!(tiled.tile_entries[..tiled.tile_entries_len], *sizes);
            assert_eq!(tiled.tile_ends[..tiled.tiles], ends);
            assert_eq!(split.split_indices[..split.split_indices_len], *entries);
            let expected: Vec<(i64, usize)> = (0..).zip(ends).collect();
            assert_eq!(split.splits[..split.splits_len], expected);
        }
    }
}

#[test]
fn without_a_heap_there_is_less_room() {
    let fits = |tiles: usize, entries: usize, splits: usize, indices: usize| {
        let mut all = gather(&[]);
        all.tiles = tiles;
        all.tile_entries_len = entries;
        all.splits_len = splits;
        all.split_indices_len = indices;
        fits_without_a_heap(&all)
    };
    assert!(fits(4, 12, 2, 8) && fits(0, 0, 0, 0));
    assert!(!fits(5, 12, 2, 8) && !fits(4, 13, 2, 8) && !fits(4, 12, 3, 8) && !fits(4, 12, 2, 9));
}
