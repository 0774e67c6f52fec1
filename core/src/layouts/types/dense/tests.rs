//! Law 6: the short ways and the general way give the same table, or leave it to the general way.

use std::boxed::Box;
use std::vec;
use std::vec::Vec;

use super::tiles;
use crate::TileDim::{self, Combine, Size};
use crate::layouts::types::parts::AttributeValue;
use crate::modes::{Mode, Source, StaticTable, dense_strides, typed};
use crate::tile::TilesRef;
use crate::{Dim, ElementType};

const TYPES: [ElementType; 4] = [
    ElementType::S4,
    ElementType::Pred,
    ElementType::F32,
    ElementType::C128,
];

/// What a way answers: modes, strides, elements, places, bits of an element, bytes.
#[derive(Debug, PartialEq)]
struct Answer {
    modes: Vec<crate::Mode>,
    strides: Option<Vec<usize>>,
    numbers: crate::modes::ElementCounts,
    bytes: usize,
}

fn bytes_of(element_type: ElementType) -> Option<usize> {
    element_type.bytes().map(|bytes| bytes as usize)
}

fn general(
    element_type: ElementType,
    dims: &[Dim],
    order: &[i64],
    tiled: &[Vec<TileDim>],
) -> Option<Answer> {
    let entries = tiled.concat();
    let ends = tiled.iter().scan(0, |end, tile| {
        *end += tile.len();
        Some(*end)
    });
    let ends: Vec<usize> = ends.collect();
    let source = Source {
        dims,
        minor_to_major: order,
        tiles: TilesRef {
            entries: &entries,
            ends: &ends,
        },
        padded_dimensions: &[],
        tail_alignment: 1,
        element_bits: 8 * bytes_of(element_type)? as i64,
        type_bits: 8 * bytes_of(element_type)? as i64,
        metadata_prefix: 0,
        splits: &[],
        split_indices: &[],
    };
    let table = typed(element_type, &source, 0).ok()?;
    assert_eq!(table.filled.run_time, 0);
    Some(Answer {
        modes: table.modes[..table.filled.modes].to_vec(),
        strides: table.strided.then(|| table.strides[..dims.len()].to_vec()),
        numbers: table.numbers,
        bytes: table.numbers.bytes(),
    })
}

fn dense<const N: usize>(element_type: ElementType, dims: &[Dim], order: &[i64]) -> Option<Answer> {
    let table = StaticTable::<[Mode; N]>::dense(dims, order, bytes_of(element_type));
    let strides = || dense_strides::<N>(dims, order).to_vec();
    answer(&table, table.taken.then(strides))
}

fn answer(table: &StaticTable, strides: Option<Vec<usize>>) -> Option<Answer> {
    table.taken.then(|| Answer {
        modes: table.used().to_vec(),
        strides,
        numbers: table.numbers,
        bytes: table.bytes,
    })
}

fn dense_of_rank(element_type: ElementType, dims: &[Dim], order: &[i64]) -> Option<Answer> {
    match dims.len() {
        0 => dense::<0>(element_type, dims, order),
        1 => dense::<1>(element_type, dims, order),
        2 => dense::<2>(element_type, dims, order),
        3 => dense::<3>(element_type, dims, order),
        4 => dense::<4>(element_type, dims, order),
        _ => dense::<5>(element_type, dims, order),
    }
}

fn tiled(
    element_type: ElementType,
    dims: &[Dim],
    order: &[i64],
    all: &[Vec<TileDim>],
) -> Option<Answer> {
    let attribute =
        |tile: &Vec<TileDim>| AttributeValue::TileSizes(Box::leak(Box::from(&tile[..])));
    let attributes: Vec<_> = all.iter().map(attribute).collect();
    let table = tiles::<16>(dims, order, &attributes, bytes_of(element_type));
    answer(&table, None)
}

fn permutations(rank: i64) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for n in 0..rank {
        let insert = |order: &Vec<i64>| {
            let order = order.clone();
            (0..=order.len()).map(move |at| {
                let mut order = order.clone();
                order.insert(at, n);
                order
            })
        };
        all = all.iter().flat_map(insert).collect();
    }
    all
}

fn sizes(rank: u32, base: i64) -> impl Iterator<Item = Vec<Dim>> {
    (0..base.pow(rank)).map(move |number| {
        let digit = |d| number / base.pow(d) % base;
        let dim = |d: u32| match d % 2 {
            0 => Dim::Static(digit(d)),
            _ => Dim::Bounded(digit(d)),
        };
        (0..rank).map(dim).collect()
    })
}

#[test]
fn every_small_dense_layout() {
    let mut taken = 0;
    for rank in 0..=5 {
        for order in permutations(rank.into()) {
            for dims in sizes(rank, 4) {
                let known = dims.iter().all(|dim| dim.bound() != Some(0));
                let element_type = TYPES[taken % TYPES.len()];
                let short = dense_of_rank(element_type, &dims, &order);
                assert_eq!(short.is_some(), known, "{dims:?} {order:?}");
                if let Some(short) = short {
                    let general = general(element_type, &dims, &order, &[]);
                    assert_eq!(Some(short), general, "{dims:?} {order:?}");
                    taken += 1;
                }
            }
        }
    }
    // Of each rank: permutations times 3^rank.
    assert_eq!(taken, 1 + 3 + 2 * 9 + 6 * 27 + 24 * 81 + 120 * 243);
}

#[test]
fn every_small_tiled_layout() {
    let mut lists: Vec<Vec<Vec<TileDim>>> = vec![];
    let tile = |entries: &[i64]| entries.iter().map(|&n| Size(n)).collect::<Vec<_>>();
    for a in 1..=4 {
        lists.push(vec![tile(&[a])]);
        for b in 1..=4 {
            lists.push(vec![tile(&[a, b])]);
            lists.push(vec![tile(&[a]), tile(&[b])]);
            for c in 1..=3 {
                lists.push(vec![tile(&[a, b]), tile(&[c])]);
                lists.push(vec![tile(&[a, b]), tile(&[c, 2])]);
                lists.push(vec![tile(&[a, b]), tile(&[2, 1]), tile(&[c])]);
            }
        }
    }
    lists.push(vec![vec![Combine, Size(2)]]);
    lists.push(vec![vec![Size(0)]]);
    lists.push(vec![vec![]]);
    let mut taken = 0;
    let mut asked = 0;
    for rank in 1..=3 {
        for order in permutations(rank.into()) {
            for dims in sizes(rank, 6) {
                // Of rank 3 a part.
                let (first, step) = if rank < 3 { (0, 1) } else { (asked % 7, 7) };
                for list in lists.iter().skip(first).step_by(step) {
                    let element_type = TYPES[asked % TYPES.len()];
                    if let Some(short) = tiled(element_type, &dims, &order, list) {
                        let general = general(element_type, &dims, &order, list);
                        assert_eq!(Some(short), general, "{dims:?} {order:?} {list:?}");
                        taken += 1;
                    }
                    asked += 1;
                }
            }
        }
    }
    // The others have a size of 0, or a tile that is longer than the rank.
    assert!(taken > 8_000, "{taken} of {asked}");
}

#[test]
fn what_is_wrong_or_rare_is_left_to_the_general_way() {
    let dims = [Dim::Static(2), Dim::Static(3)];
    for order in [&[0, 0][..], &[1, 1], &[0], &[0, 2], &[-1, 0], &[0, 1, 2]] {
        assert!(dense::<2>(ElementType::F32, &dims, order).is_none());
        let tile = [vec![Size(2), Size(2)]];
        assert!(tiled(ElementType::F32, &dims, order, &tile).is_none());
    }
    assert!(dense::<1>(ElementType::F32, &dims, &[0, 1]).is_none());
    assert!(dense::<1>(ElementType::F32, &[Dim::Unbounded], &[0]).is_none());
    assert!(dense::<1>(ElementType::Token, &dims[..1], &[0]).is_none());
    for size in [i64::MAX, i64::MAX / 4 + 1] {
        assert!(dense::<1>(ElementType::F32, &[Dim::Static(size)], &[0]).is_none());
    }
    let negative = [Dim::Static(-2)];
    assert!(dense::<1>(ElementType::F32, &negative, &[0]).is_none());
    assert!(tiled(ElementType::F32, &negative, &[0], &[vec![Size(2)]]).is_none());
}

/// Numbers without a rule (xorshift), the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

#[test]
fn random_layouts() {
    const TILE_SIZES: [i64; 8] = [1, 2, 3, 4, 8, 16, 100, 128];
    let mut random = Random(12);
    let mut dense = 0;
    let mut cut = 0;
    for _ in 0..20_000 {
        let rank = 1 + random.below(5);
        let dims: Vec<_> = (0..rank)
            .map(|_| Dim::Static(1 + random.below(3_000) as i64))
            .collect();
        let mut order: Vec<i64> = (0..rank as i64).collect();
        for k in (1..rank).rev() {
            order.swap(k, random.below(k + 1));
        }
        let list: Vec<Vec<_>> = (0..random.below(4))
            .map(|_| {
                let entries = 1 + random.below(3);
                (0..entries)
                    .map(|_| Size(TILE_SIZES[random.below(8)]))
                    .collect()
            })
            .collect();
        let element_type = TYPES[random.below(TYPES.len())];
        let (short, counter) = if list.is_empty() {
            (dense_of_rank(element_type, &dims, &order), &mut dense)
        } else {
            (tiled(element_type, &dims, &order, &list), &mut cut)
        };
        if short.is_some() {
            *counter += 1;
            let general = general(element_type, &dims, &order, &list);
            assert_eq!(short, general, "{dims:?} {order:?} {list:?}");
        }
    }
    // Many of them are too large for 32-bit pointers.
    assert!(dense > 1_500 && cut > 1_500, "{dense} dense, {cut} tiled");
}
