//! Layouts of XLA's as maps: the same offsets, and equal layouts are found equal whatever their
//! tiles are.

use std::collections::HashMap;

use crate::random::{Map, Random, offsets};
use xlayout_algebra::Budget;
use xlayout_core::bitcast::{ElementTypes, reshape_obstacle};
use xlayout_core::{ArrayLayout, DynLayout};

/// A stack of up to three tiles, also with `*`, which need not divide anything.
fn tiles(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(3) {
        let rank = 1 + random.below(2);
        let entries: Vec<String> = (0..rank)
            .map(|entry| match random.below(6) {
                0 if entry + 1 < rank => "*".into(),
                _ => random.pick(&[1, 2, 3, 4, 6]).to_string(),
            })
            .collect();
        text += &format!("({})", entries.join(","));
    }
    text
}

/// The limit of law 6: maps that are equal, but keep other modes and terms. Bitcasts know them,
/// too.
#[test]
fn layouts_with_other_terms_are_found_equal() {
    let mut random = Random::new(6);
    let mut seen: HashMap<Vec<i64>, Vec<(Map, DynLayout)>> = HashMap::new();
    let mut layouts = 0;
    let mut merged = 0;
    for _ in 0..6_000 {
        let (rows, columns) = random.pick(&[(4, 6), (6, 4), (3, 8), (5, 5)]);
        let text = format!("s32[{rows},{columns}]{{1,0:T{}}}", tiles(&mut random));
        let Ok(layout) = text.parse::<DynLayout>() else {
            continue;
        };
        let map = Map::of_modes(&layout.shape(), layout.mode_table(), layout.terms());
        let map = map.expect("few modes");
        let mut expected = Vec::new();
        layout.for_each_index(|index| expected.push(layout.linear_index(index) as i64));
        assert_eq!(offsets(&map), expected, "{text}");
        assert_eq!(map.collision(Budget::DEFAULT), Ok(None), "{text}");
        layouts += 1;
        merged += u32::from(!map.is_plain());
        let equal = seen.entry(expected).or_default();
        let text = map.to_string();
        if equal.iter().all(|(other, _)| other.to_string() != text) {
            equal.push((map, layout));
        }
    }
    let mut pairs = 0;
    for equal in seen.values() {
        let (first, of_first) = &equal[0];
        for (other, of_other) in &equal[1..] {
            pairs += 1;
            let difference = other.first_difference(first, Budget::DEFAULT);
            assert_eq!(difference, Ok(None), "{other} and {first}");
            let shape = of_first.array_shape();
            let of_shape = of_other.array_shape();
            if of_first.buffer_len() == of_other.buffer_len() {
                let obstacle = reshape_obstacle(shape, of_shape, ElementTypes::Compared);
                assert_eq!(obstacle, Ok(None), "{of_first} and {of_other}");
            }
        }
    }
    let count = format!("{layouts} layouts, {merged} merged, {pairs} pairs of other terms");
    assert!(layouts > 3_000 && merged > 100 && pairs > 0, "{count}");
}
