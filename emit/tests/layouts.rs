//! Layouts of all kinds: dense, permuted, padded, tiled once and twice, merged, ragged.

use proptest::prelude::*;
use xlayout_algebra::{Map, Swizzle};
use xlayout_core::DynLayout;

/// Sizes with their minor_to_major.
const SHAPES: [&str; 20] = [
    "[]{",
    "[1]{0",
    "[7]{0",
    "[64]{0",
    "[2,3]{1,0",
    "[2,3]{0,1",
    "[1,5]{1,0",
    "[5,1]{0,1",
    "[16,16]{1,0",
    "[10,17]{1,0",
    "[17,10]{0,1",
    "[12,9]{1,0",
    "[2,3,4]{2,1,0",
    "[2,3,4]{0,2,1",
    "[3,1,5]{1,2,0",
    "[4,6,5]{2,1,0",
    "[3,9,6]{2,0,1",
    "[2,3,2,5]{3,2,1,0",
    "[2,3,2,5]{1,3,0,2",
    "[2,1,2,1,3]{4,0,3,1,2",
];

const TILES: [&str; 18] = [
    "}",
    ":T(4)}",
    ":T(8)}",
    ":T(3)}",
    ":T(2,4)}",
    ":T(4,8)}",
    ":T(8,4)(2,1)}",
    ":T(4,4)(2,1)}",
    ":T(2,8)(4)}",
    ":T(3,5)}",
    ":T(3,4)(2,3)}",
    ":T(6,4)(3,2)(2)}",
    ":T(*,4)}",
    ":T(2,*,4)}",
    ":T(*,3)(2)}",
    ":T(2,3,2)}",
    ":T(4)(2)(8)}",
    ":T(5,3)(4)}",
];

/// All of them that are layouts.
pub(crate) fn all() -> Vec<DynLayout> {
    let texts = SHAPES
        .iter()
        .flat_map(|shape| TILES.iter().map(move |tiles| format!("f32{shape}{tiles}")));
    texts.filter_map(|text| text.parse().ok()).collect()
}

/// Up to four dimensions, and up to three tiles.
pub(crate) fn random() -> impl Strategy<Value = DynLayout> {
    let entry =
        prop_oneof![6 => (1_u32..6).prop_map(|n| n.to_string()), 1 => Just("*".to_string())];
    let tile =
        prop::collection::vec(entry, 1..4).prop_map(|entries| format!("({})", entries.join(",")));
    let sizes = prop::collection::vec(1_usize..8, 1..5);
    let tiles = prop::collection::vec(tile, 0..4);
    let parts = (sizes, tiles, any::<u64>());
    parts.prop_filter_map("no layout", |(sizes, tiles, seed)| {
        let mut minor_to_major: Vec<usize> = (0..sizes.len()).collect();
        let mut seed = seed as usize;
        for last in (1..sizes.len()).rev() {
            minor_to_major.swap(last, seed % (last + 1));
            seed /= last + 1;
        }
        let list = |numbers: &[usize]| {
            let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            texts.join(",")
        };
        let tiles = if tiles.is_empty() {
            String::new()
        } else {
            format!(":T{}", tiles.concat())
        };
        format!("f32[{}]{{{}{tiles}}}", list(&sizes), list(&minor_to_major))
            .parse()
            .ok()
    })
}

/// Maps whose index needs an inverse of the algebra: strides that cross, and merged coordinates,
/// also negative ones.
pub(crate) fn crossed() -> Vec<Map> {
    let strided = |sizes: &[u64], strides: &[i64]| Map::strided(sizes, strides).unwrap();
    let mut maps = vec![
        strided(&[7, 3], &[3, 7]),
        strided(&[3, 7], &[7, 3]),
        strided(&[2, 7, 3], &[65, 6, 14]),
        strided(&[5, 4], &[4, 5]),
        strided(&[8, 8], &[17, 4]),
        strided(&[5, 9], &[-9, 5]).scale(1, 36).unwrap(),
        strided(&[2, 3, 5], &[15, 10, 6]),
        strided(&[3, 2], &[2, 5]),
        strided(&[4, 3], &[3, 4]).reshape(&[2, 6]).unwrap(),
        strided(&[6, 4], &[4, 1]).reshape(&[3, 8]).unwrap(),
        strided(&[4, 5], &[1, 4]).reshape(&[10, 2]).unwrap(),
    ];
    let swizzle = Swizzle::new(2, 1, 3).unwrap();
    maps.push(strided(&[8, 16], &[16, 1]).swizzle(swizzle).unwrap());
    // Each composition of two bijections is one.
    let rows = strided(&[24], &[1]);
    for (sizes, strides) in [
        ([4, 6], [1, 4]),
        ([8, 3], [1, 8]),
        ([3, 8], [1, 3]),
        ([2, 12], [1, 2]),
    ] {
        let inner = strided(&sizes, &strides);
        for outer in [[6, 4], [3, 8], [12, 2]] {
            let columns = strided(&outer, &[1, outer[0] as i64]).flatten().unwrap();
            maps.push(columns.after(&inner).unwrap());
        }
        maps.push(rows.scale(-1, 23).unwrap().after(&inner).unwrap());
    }
    maps
}
