//! A conversion by blocks gives the same result as one of the whole array.

use proptest::prelude::*;
use xlayout::{ArrayLayout, DynLayout, ElementType};
use xlayout_relayout::Plan;

use super::{Blocks, Grid, PackedView};

/// Tiles for any rank. Those with more dimensions than the array are not used.
const TILES: [&str; 14] = [
    "",
    "",
    "",
    "",
    ":T(4)",
    ":T(2,4)",
    ":T(8,128)",
    ":T(8,128)(2,1)",
    ":T(4,2)(2,1)",
    ":T(3,5)",
    ":T(2,2,2)",
    ":L(7)",
    ":T(4,4)L(64)",
    ":T(*,4)",
];

fn side(sizes: &[usize], permutation: &[usize], tiles: &str, element: &str) -> Option<DynLayout> {
    let list = |items: &[usize]| {
        items
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(",")
    };
    format!("{element}[{}]{{{}{tiles}}}", list(sizes), list(permutation))
        .parse()
        .ok()
}

/// Two layouts of one array.
fn pairs() -> impl Strategy<Value = (DynLayout, DynLayout)> {
    let sizes = prop_oneof![
        6 => prop::collection::vec(1_usize..20, 0..4),
        3 => prop::collection::vec(1_usize..7, 4),
        2 => prop::collection::vec(1_usize..200, 2),
        1 => prop::collection::vec(0_usize..3, 0..4),
    ];
    sizes
        .prop_flat_map(|sizes| {
            let dims: Vec<usize> = (0..sizes.len()).collect();
            let permutation = Just(dims).prop_shuffle();
            let tiles = prop::sample::select(&TILES[..]);
            let side = (permutation, tiles, prop::sample::select(&["", "E(4)"][..]));
            (Just(sizes), side.clone(), side, prop::bool::weighted(0.2))
        })
        .prop_filter_map("both are layouts", |(sizes, a, b, packed)| {
            let of = |(permutation, tiles, bits): (Vec<usize>, &str, &str)| {
                let tail = match (packed, tiles.is_empty()) {
                    (false, _) => tiles.to_owned(),
                    (true, true) if !bits.is_empty() => format!(":{bits}"),
                    // `L` comes before `E`, tiles before both.
                    (true, _) => format!("{tiles}{bits}"),
                };
                side(
                    &sizes,
                    &permutation,
                    &tail,
                    if packed { "s4" } else { "u16" },
                )
            };
            Some((of(a)?, of(b)?))
        })
}

/// The array in the other layout, by blocks of about so many bytes, along a grid if there is one.
fn by_blocks(
    (src, dst): (&DynLayout, &DynLayout),
    bytes: &[u8],
    grid: Option<Grid<'_>>,
    budget: usize,
) -> (Vec<u8>, usize) {
    let blocks = Blocks::new(src.clone(), dst, grid, budget);
    let mut all = vec![0; dst.bytes()];
    for k in 0..blocks.count() {
        let block = blocks.get(k);
        let view = |whole| PackedView::new(whole, &block).expect("every block lies in runs");
        let from = view(src);
        let to = view(dst);
        let mut here = vec![0xAA; from.layout.bytes()];
        let mut there = vec![0; to.layout.bytes()];
        for (run, at) in from.runs(src) {
            let len = run.len();
            here[run].copy_from_slice(&bytes[at..at + len]);
        }
        let plan = Plan::new(&from.layout, &to.layout).unwrap();
        plan.run_bytes(&here, &mut there).unwrap();
        for (run, at) in to.runs(dst) {
            let len = run.len();
            all[at..at + len].copy_from_slice(&there[run]);
        }
    }
    (all, blocks.count())
}

/// The array in the other layout, bit by bit, without `relayout`.
fn one_by_one(src: &DynLayout, dst: &DynLayout, bytes: &[u8], out: &mut [u8]) {
    src.for_each_in_memory(|index, from| {
        let to = dst.linear_index(index);
        for bit in 0..src.element_bits().min(dst.element_bits()) {
            let from = from * src.element_bits() + bit;
            let to = to * dst.element_bits() + bit;
            out[to / 8] |= (bytes[from / 8] >> (from % 8) & 1) << (to % 8);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn blocks_are_the_array((src, dst) in pairs(), budget in 100_usize..5000, chunk in 0_usize..9, seed in any::<u64>()) {
        let mut state = seed | 1;
        // An element that is not packed has zeros above its bits.
        let mask = if src.element_type() == ElementType::S4 && src.element_bits() == 8 { 15 } else { 255 };
        let bytes: Vec<u8> = (0..src.bytes()).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8 & mask
        }).collect();
        let mut expected = vec![0; dst.bytes()];
        one_by_one(&src, &dst, &bytes, &mut expected);
        // Chunks of other sizes along each dimension, of which the first ones begin before the
        // array.
        let sizes: Vec<usize> = (0..src.rank()).map(|dim| chunk + dim).collect();
        let grid = (chunk > 0).then(|| Grid {
            sizes: &sizes,
            before: sizes.iter().map(|size| seed as usize % size).collect(),
        });
        let (found, _) = by_blocks((&src, &dst), &bytes, grid, budget);
        prop_assert!(
            found == expected, "{} -> {} in blocks of {} bytes, chunks of {:?}", src.array_shape(), dst.array_shape(), budget, sizes
        );
    }
}

/// Checks sizes of blocks and the lengths of their runs on disk.
#[test]
fn blocks_have_long_runs_on_both_sides() {
    let cut = |src: &str, dst: &str, budget| {
        let (src, dst): (DynLayout, DynLayout) = (src.parse().unwrap(), dst.parse().unwrap());
        let blocks = Blocks::new(src, &dst, None, budget);
        (
            blocks.sizes().to_vec(),
            blocks.count(),
            blocks.runs().unwrap(),
        )
    };
    // A transpose: as many rows as columns.
    assert_eq!(
        cut("f32[32768,32768]{1,0}", "f32[32768,32768]{0,1}", 64 << 20),
        (vec![4096, 4096], 64, (16384, 16384)),
    );
    // The same dimension is the most major one on both sides: one run.
    assert_eq!(
        cut(
            "f32[32768,32768]{1,0}",
            "f32[32768,32768]{1,0:T(8,128)}",
            64 << 20
        ),
        (vec![512, 32768], 64, (64 << 20, 64 << 20)),
    );
    // Tiles stay whole.
    assert_eq!(
        cut(
            "bf16[4096,4096]{1,0:T(8,128)(2,1)}",
            "bf16[4096,4096]{0,1:T(8,128)(2,1)}",
            1 << 20
        ),
        (vec![128, 4096], 32, (1 << 20, 2048)),
    );
    // An array that fits is not cut.
    assert_eq!(
        cut("f32[8,8]{1,0}", "f32[8,8]{0,1}", 256),
        (vec![8, 8], 1, (256, 256))
    );
}
