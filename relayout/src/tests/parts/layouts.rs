//! The layouts of the tests: random ones, and types.

use super::*;

/// A layout of an array with its sizes, with at most `most` allocated elements; and the rank.
pub(super) fn wholes(most: usize) -> impl Strategy<Value = (String, usize)> {
    let dims = (1..4_usize).prop_flat_map(|rank| {
        let most = if cfg!(miri) {
            [9_usize, 6, 4]
        } else {
            [1500, 50, 14]
        }[rank - 1];
        prop::collection::vec(
            prop_oneof![1 => Just(0), 2 => Just(1), 12 => 1..=most],
            rank,
        )
    });
    dims.prop_flat_map(|dims| (Just(dims.clone()), layouts(dims)))
        .prop_filter_map("it is no layout, or a large one", move |(dims, layout)| {
            let sizes: Vec<_> = dims.iter().map(usize::to_string).collect();
            let text = format!("[{}]{layout}", sizes.join(","));
            let layout = format!("u8{text}").parse::<DynLayout>().ok()?;
            (layout.buffer_len() <= most).then_some((text, dims.len()))
        })
}

/// A layout for an array with these sizes. Many have tiles that do not divide each other, or merge
/// dimensions.
pub(super) fn layouts(dims: Vec<usize>) -> impl Strategy<Value = String> {
    let order = Just((0..dims.len()).collect::<Vec<_>>()).prop_shuffle();
    let tiles = prop::sample::select(vec![
        "T(3,1)(2)(*,2,1)",
        "T(4,5,4)(2,3)",
        "T(3,4)(2,3)",
        "T(3)(2)",
        "T(4)(6)",
        "T(2,3)(4)",
        "T(*,3)(2)",
        "T(2,*,3)",
        "T(2,3)(3,2)(*,2)",
    ]);
    let terms = (order, tiles).prop_map(|(order, tiles)| {
        let order: Vec<_> = order.iter().map(usize::to_string).collect();
        format!("{{{}:{tiles}}}", order.join(","))
    });
    prop_oneof![terms, layout(dims, None)]
}

/// The layout of the other side, without sizes.
pub(super) fn others(rank: usize) -> impl Strategy<Value = String> {
    let order = Just((0..rank).collect::<Vec<_>>()).prop_shuffle();
    let tiles = prop::sample::select(vec![
        "",
        "",
        "",
        ":T(2,4)",
        ":T(8,32)(2,1)",
        ":T(3,2)(2)",
        ":T(4)",
    ]);
    (order, tiles).prop_map(|(order, tiles)| {
        let order: Vec<_> = order.iter().map(usize::to_string).collect();
        format!("{{{}{tiles}}}", order.join(","))
    })
}

pub(super) fn config() -> ProptestConfig {
    let cases = if cfg!(miri) {
        2
    } else {
        support::config().cases
    };
    ProptestConfig {
        cases,
        ..support::config()
    }
}

pub(super) fn most() -> usize {
    if cfg!(miri) { 100 } else { 12_000 }
}

pub(super) fn read(name: &str, text: &str) -> DynLayout {
    format!("{name}{text}").parse().unwrap()
}

/// The array, its cuts, the layout of the other side, and the way.
pub(super) fn cases() -> impl Strategy<Value = (String, usize, Vec<Cut>, String, By)> {
    wholes(most())
        .prop_flat_map(|(text, rank)| (Just(text), Just(rank), cuts(), others(rank), ways()))
}

pub(super) type Order10 = MinorToMajor<(Nat<1>, Nat<0>)>;
pub(super) type Order01 = MinorToMajor<(Nat<0>, Nat<1>)>;
pub(super) type Dense = StaticLayout<u32, (Nat<7>, Nat<9>), Order01, ()>;
pub(super) type PaddedRows =
    StaticLayout<u32, (Nat<6>, Nat<9>), Order10, (Padded<(Nat<8>, Nat<11>)>,)>;
pub(super) type Tiled =
    StaticLayout<u32, (Nat<7>, Nat<12>), Order10, (Tile<(Nat<4>, Nat<8>)>, Tile<(Nat<2>, Nat<1>)>)>;
/// A tile that does not divide the tile before it.
pub(super) type Uneven =
    StaticLayout<u32, (Nat<8>, Nat<9>), Order10, (Tile<(Nat<4>, Nat<3>)>, Tile<(Nat<2>, Nat<2>)>)>;
pub(super) type Merged = StaticLayout<
    u32,
    (Nat<3>, Nat<4>),
    Order01,
    (
        Tile<(Nat<3>, Nat<1>)>,
        Tile<(Nat<2>,)>,
        Tile<(Star, Nat<2>, Nat<1>)>,
    ),
>;
pub(super) type MixedRows = MixedLayout<u32, (RunTime, Nat<12>), Order01, ()>;
pub(super) type MixedTiles =
    MixedLayout<u32, (RunTime, Nat<12>), Order10, (Tile<(Nat<2>, Nat<4>)>,)>;
