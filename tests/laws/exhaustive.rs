//! Every layout with rank up to 4 and sizes up to 4, in every sequence of dimensions, with a grid
//! of tiles, paddings and alignments.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use xlayout::shape::TileDim::{self, Combine, Size};
use xlayout::shape::{List, MinorToMajor, Mode, Tiles};
use xlayout::{ArrayShape, ElementType};

use crate::laws::check::check;

/// What makes one layout of a shape and an order another.
#[derive(Clone, Debug, Default)]
struct Extra {
    tiles: Vec<Vec<TileDim>>,
    /// How much wider each dimension is allocated.
    wider: Option<[i64; 4]>,
    alignment: i64,
}

/// All tiles of this length with these entries; 0 means `*`, which ends no tile.
fn tiles_of(len: usize, entries: &[i64]) -> Vec<Vec<TileDim>> {
    let mut tiles = vec![vec![]];
    for k in 0..len {
        let with = |tile: &Vec<TileDim>, entry: i64| {
            let mut tile = tile.clone();
            tile.push(if entry == 0 { Combine } else { Size(entry) });
            tile
        };
        let usable = entries.iter().filter(|entry| **entry != 0 || k + 1 < len);
        let usable: Vec<i64> = usable.copied().collect();
        tiles = tiles
            .iter()
            .flat_map(|tile| usable.iter().map(|&e| with(tile, e)))
            .collect();
    }
    tiles
}

/// The grid for a rank: the lower the rank, the finer.
fn extras(rank: usize) -> Vec<Extra> {
    let mut stacks: Vec<Vec<Vec<TileDim>>> = vec![vec![]];
    let (longest, entries): (usize, &[i64]) = match rank {
        0..=2 => (3, &[0, 1, 2, 3, 4, 5]),
        3 => (4, &[0, 2, 3]),
        _ => (2, &[0, 2, 3]),
    };
    for len in 1..=longest {
        stacks.extend(tiles_of(len, entries).into_iter().map(|tile| vec![tile]));
    }
    // Two levels: the second shorter, as long, and longer than the first.
    let short = |entries: &[i64]| [tiles_of(1, entries), tiles_of(2, entries)].concat();
    let (firsts, seconds) = match rank {
        0..=2 => (short(&[0, 1, 2, 3, 4]), short(&[0, 1, 2, 3])),
        3 => (short(&[0, 2, 3]), short(&[0, 1, 2])),
        _ => (
            vec![vec![Size(2), Size(4)], vec![Combine, Size(4)]],
            vec![vec![Size(3)], vec![Size(2), Size(1)]],
        ),
    };
    for first in &firsts {
        stacks.extend(
            seconds
                .iter()
                .map(|second| vec![first.clone(), second.clone()]),
        );
    }
    // Longer than rank 4, twice the same tile, and three levels.
    if rank == 4 {
        stacks.push(vec![vec![Size(2), Combine, Size(1), Size(2), Size(3)]]);
        stacks.push(vec![vec![Size(3), Combine, Size(2)]]);
    } else {
        let last = vec![Size(2)];
        stacks.push(vec![vec![Size(2), Size(4)], vec![Size(2), Size(1)], last]);
    }
    let mut extras: Vec<Extra> = stacks
        .into_iter()
        .map(|tiles| Extra {
            tiles,
            wider: None,
            alignment: 1,
        })
        .collect();
    let coarse = rank == 4;
    let widths = [[0, 1, 0, 2], [2, 1, 1, 1], [1, 0, 0, 0], [0, 0, 3, 0]];
    for wider in &widths[..if coarse { 2 } else { 4 }] {
        extras.push(Extra {
            tiles: vec![],
            wider: Some(*wider),
            alignment: 1,
        });
    }
    for alignment in if coarse { &[5][..] } else { &[5, 64] } {
        let alignment = *alignment;
        extras.push(Extra {
            tiles: vec![],
            wider: None,
            alignment,
        });
        let tiles = vec![vec![Size(2), Size(2)]];
        extras.push(Extra {
            tiles,
            wider: None,
            alignment,
        });
        extras.push(Extra {
            tiles: vec![],
            wider: Some([1, 1, 0, 1]),
            alignment,
        });
    }
    extras
}

fn permutations(rank: i64) -> Vec<Vec<i64>> {
    if rank == 0 {
        return vec![vec![]];
    }
    let shorter = permutations(rank - 1);
    let insert = |order: &Vec<i64>, at: usize| {
        let mut order = order.clone();
        order.insert(at, rank - 1);
        order
    };
    let places = |order: &Vec<i64>| {
        (0..=order.len())
            .map(|at| insert(order, at))
            .collect::<Vec<_>>()
    };
    shorter.iter().flat_map(places).collect()
}

fn shape(sizes: &[i64], order: &[i64], extra: &Extra) -> ArrayShape {
    let mut shape = ArrayShape::new(ElementType::U8, sizes).expect("the rank is small");
    let layout = shape.layout.as_mut().expect("a new shape has a layout");
    layout.minor_to_major = MinorToMajor::new(order).expect("the rank is small");
    let tiles: Vec<&[TileDim]> = extra.tiles.iter().map(Vec::as_slice).collect();
    layout.tiles = Tiles::from_tiles(&tiles).expect("there is a heap");
    layout.tail_padding_alignment_in_elements = extra.alignment;
    if let Some(wider) = extra.wider {
        let widths = sizes.iter().zip(wider).map(|(size, wider)| size + wider);
        layout.padded_dimensions = List::try_from_iter(widths).expect("the rank is small");
    }
    shape
}

/// For each memory map the modes of the first layout that has it (law 6).
type Maps = Mutex<HashMap<(u64, u64), (Vec<Mode>, String)>>;

/// Sizes and memory map, in twice 64 bits: two maps do not meet by chance.
fn key(sizes: &[i64], map: &[usize]) -> (u64, u64) {
    let hash = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        (seed, sizes, map).hash(&mut hasher);
        hasher.finish()
    };
    (hash(1), hash(2))
}

/// Checks all layouts of a rank, on all processors. Returns their number.
fn all_of(rank: usize) -> usize {
    let extras = extras(rank);
    let orders = permutations(rank as i64);
    let shapes: Vec<Vec<i64>> = (0..5_i64.pow(rank as u32))
        .map(|number| {
            (0..rank)
                .map(|d| number / 5_i64.pow(d as u32) % 5)
                .collect()
        })
        .collect();
    let maps = Maps::default();
    let next = AtomicUsize::new(0);
    let count = AtomicUsize::new(0);
    let work = || {
        while let Some(sizes) = shapes.get(next.fetch_add(1, Ordering::Relaxed)) {
            for (n, order) in orders.iter().enumerate() {
                for (k, extra) in extras.iter().enumerate() {
                    if rank == 3 && crate::laws::small() && !(n + k).is_multiple_of(4) {
                        continue;
                    }
                    let shape = shape(sizes, order, extra);
                    // The slower checks run for every ninth layout.
                    let thorough = rank < 3 || (n + k).is_multiple_of(9);
                    let checked = check(&shape, thorough);
                    count.fetch_add(1, Ordering::Relaxed);
                    // Known limit of law 6: merged coordinates may be kept in several ways.
                    if checked.merged {
                        continue;
                    }
                    let key = key(sizes, &checked.map);
                    let mut maps = maps.lock().expect("no thread panicked");
                    let (modes, first) = maps
                        .entry(key)
                        .or_insert_with(|| (checked.modes.clone(), shape.to_string()));
                    assert_eq!(
                        *modes, checked.modes,
                        "law 6: {first} and {shape} are one map"
                    );
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    count.into_inner()
}

#[test]
fn every_small_layout() {
    let mut total = 0;
    // A debug build takes two minutes for rank 4. CI runs the laws in a release build, too.
    let (ranks, least) = match crate::laws::small() || cfg!(debug_assertions) {
        true => (0..=3, 10_000),
        false => (0..=4, 400_000),
    };
    for rank in ranks {
        let start = std::time::Instant::now();
        let count = all_of(rank);
        println!("rank {rank}: {count} layouts ({:?})", start.elapsed());
        total += count;
    }
    println!("{total} layouts");
    assert!(total > least, "{total}");
}
