//! Finds another layout, for the same hardware, that allocates fewer bytes.

use std::sync::Arc;

use serde::Serialize;
use xlayout::shape::{MinorToMajor, TileDim, Tiles};
use xlayout::{ArrayLayout, ArrayShape, DynLayout, Layout};

use super::tally::text;

/// A layout that allocates fewer bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Better {
    /// The array with this layout.
    #[serde(serialize_with = "text")]
    pub shape: Arc<ArrayShape>,
    /// Bytes that one array with this layout allocates.
    pub allocated_bytes: u64,
    /// How the layout differs.
    pub change: Change,
}

/// How the layout differs, and who would choose it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The tile that the TPU compiler itself gives to an array of these sizes and this
    /// minor_to_major.
    Tile,
    /// Another minor_to_major, with the tile that the compiler gives to it.
    MinorToMajor,
    /// A tile of fewer rows than the compiler would choose: it fills fewer rows of a vector
    /// register.
    SmallerTile,
}

/// The lanes of a TPU's vector register: all of its tiles are as wide, or a multiple for rank 1.
const LANES: i64 = 128;
/// The sublanes of a register: tiles have as many rows or fewer; those of packed types may have
/// more.
const SUBLANES: i64 = 8;

/// Returns the layout that allocates fewest bytes, if one allocates fewer than that of `shape`.
///
/// If the array has tiles as a TPU has, the candidates are the layouts that the TPU compiler
/// chooses by itself, for each choice of the two most minor dimensions. If none of them is smaller,
/// tiles of fewer rows are candidates. If the tiles are those of other hardware, the candidates
/// have the same tiles and another minor_to_major.
pub fn better(shape: &ArrayShape) -> Option<Better> {
    let layout = shape.layout.as_ref()?;
    let now = DynLayout::new(shape.clone()).ok()?;
    if now.padding() == 0 || layout.tiles.is_empty() || !layout.split_configs.is_empty() {
        return None;
    }
    let sizes: Vec<i64> = now.dims().iter().map(|&n| n as i64).collect();
    let bits = now.element_bits() as i64;
    let is_tpu = is_tpu(layout);
    let bytes = now.bytes() as u64;
    // The array with this layout, if it allocates less than `limit` bytes.
    let offer = |layout: Layout, limit: u64, change| {
        let array = DynLayout::new(with_layout(shape, layout)).ok()?;
        let allocated = array.bytes() as u64;
        (allocated < limit).then(|| Better {
            shape: Arc::new(array.array_shape().clone()),
            allocated_bytes: allocated,
            change,
        })
    };
    let mut best: Option<Better> = None;
    for minor_to_major in orders(&layout.minor_to_major) {
        let change = if minor_to_major == layout.minor_to_major[..] {
            Change::Tile
        } else {
            Change::MinorToMajor
        };
        let tiles = if is_tpu {
            tpu_tiles(&physical(&sizes, &minor_to_major), bits)
        } else {
            Some(layout.tiles.clone())
        };
        let (Ok(order), Some(tiles)) = (MinorToMajor::new(&minor_to_major), tiles) else {
            continue;
        };
        let mut candidate = layout.clone();
        (candidate.minor_to_major, candidate.tiles) = (order, tiles);
        let limit = best.as_ref().map_or(bytes, |best| best.allocated_bytes);
        best = offer(candidate, limit, change).or(best);
    }
    if best.is_none() && is_tpu && sizes.len() > 1 {
        let mut rows = packing(bits);
        while rows < SUBLANES {
            let mut candidate = layout.clone();
            candidate.tiles = rows_tiles(rows, bits)?;
            // Of the tiles that save as much, the one with the most rows wins.
            let limit = best.as_ref().map_or(bytes, |best| best.allocated_bytes + 1);
            best = offer(candidate, limit, Change::SmallerTile).or(best);
            rows *= 2;
        }
    }
    best
}

/// Returns the array with its dimensions in this order, and with the tiles that the compiler then
/// gives to it.
pub fn with_order(shape: &ArrayShape, major_to_minor: &[usize]) -> Option<ArrayShape> {
    let mut layout = shape.layout.clone()?;
    let minor_to_major = major_to_minor.iter().rev().map(|&dim| dim as i64);
    layout.minor_to_major = MinorToMajor::new(&minor_to_major.collect::<Vec<_>>()).ok()?;
    if is_tpu(&layout) {
        with_tiles(shape, layout)
    } else {
        Some(with_layout(shape, layout))
    }
}

/// Returns the array with the tiles that the TPU compiler gives to it, if its layout has no tiles.
pub(crate) fn on_tpu(shape: &ArrayShape) -> Option<ArrayShape> {
    let layout = shape.layout.clone()?;
    with_tiles(
        shape,
        Some(layout).filter(|layout| layout.tiles.is_empty())?,
    )
}

fn with_tiles(shape: &ArrayShape, mut layout: Layout) -> Option<ArrayShape> {
    let array = DynLayout::new(shape.clone()).ok()?;
    let sizes: Vec<i64> = array.dims().iter().map(|&n| n as i64).collect();
    let physical = physical(&sizes, &layout.minor_to_major);
    layout.tiles = tpu_tiles(&physical, array.element_bits() as i64)?;
    Some(with_layout(shape, layout))
}

fn with_layout(shape: &ArrayShape, layout: Layout) -> ArrayShape {
    ArrayShape::from_parts(shape.element_type, shape.dims.clone(), Some(layout))
}

/// Every choice of the two most minor dimensions; the others keep their order. The present choice
/// comes first.
fn orders(now: &[i64]) -> Vec<Vec<i64>> {
    let others = choices(now)
        .map(|(minor, rest)| [minor.to_vec(), rest].concat())
        .filter(|order| order != now);
    std::iter::once(now.to_vec()).chain(others).collect()
}

/// Every choice of the two most minor dimensions, the most minor first, each with the other
/// dimensions in their order.
pub(crate) fn choices<T: Copy + PartialEq>(now: &[T]) -> impl Iterator<Item = ([T; 2], Vec<T>)> {
    now.iter().flat_map(move |&minor| {
        let others = now.iter().copied().filter(move |&dim| dim != minor);
        others.clone().map(move |second| {
            (
                [minor, second],
                others.clone().filter(|&dim| dim != second).collect(),
            )
        })
    })
}

/// The sizes of the dimensions, the most minor first.
fn physical(sizes: &[i64], minor_to_major: &[i64]) -> Vec<i64> {
    let size = |&dim: &i64| usize::try_from(dim).ok().and_then(|dim| sizes.get(dim));
    minor_to_major.iter().filter_map(size).copied().collect()
}

/// Whether the tiles are those of a TPU: the first one is `T(128)`, `T(1024)`, … or `T(8,128)`,
/// `T(4,128)`, …
fn is_tpu(layout: &Layout) -> bool {
    match layout.tiles.get(0) {
        Some([TileDim::Size(n)]) => n % LANES == 0,
        Some([TileDim::Size(rows), TileDim::Size(LANES)]) => {
            rows.count_ones() == 1 && *rows <= 8 * SUBLANES
        }
        _ => false,
    }
}

/// The number of elements that share 32 bits of a register.
fn packing(bits: i64) -> i64 {
    (32 / bits.max(1)).max(1)
}

/// Returns the tiles that the TPU compiler chooses for these sizes, the most minor dimension first.
///
/// Source: what it chose for 2,676 arrays on v4 and v5e (`tests/data/tpu_sizes.jsonl`). With `p`
/// elements in 32 bits:
/// - rank 0: `T(128p)`;
/// - rank 1: the power of two that holds it, from 128p to 1024, then `(128)(p,1)`;
/// - others: as many rows as the second dimension has, rounded up to a power of two, from `p` to 8,
///   and `(p,1)` in them. Types of 8 and 4 bits get 8p rows if 8p divides the dimension.
fn tpu_tiles(physical: &[i64], bits: i64) -> Option<Tiles> {
    let p = packing(bits);
    match *physical {
        [] => tiles(&[&[LANES * p]]),
        [size] => {
            let longest = 1024.max(LANES * p);
            let length = power_of_two(size).clamp(LANES * p, longest);
            match p {
                1 => tiles(&[&[length]]),
                _ => tiles(&[&[length], &[LANES], &[p, 1]]),
            }
        }
        [_, second, ..] => {
            let large = SUBLANES * p;
            let rows = if p >= 4 && second > 0 && second % large == 0 {
                large
            } else {
                power_of_two(second).clamp(p.min(SUBLANES), SUBLANES)
            };
            rows_tiles(rows, bits)
        }
    }
}

fn rows_tiles(rows: i64, bits: i64) -> Option<Tiles> {
    match packing(bits) {
        1 => tiles(&[&[rows, LANES]]),
        p => tiles(&[&[rows, LANES], &[p, 1]]),
    }
}

fn power_of_two(size: i64) -> i64 {
    // The limit keeps the power of two in range.
    (size.clamp(1, 1 << 20) as u64).next_power_of_two() as i64
}

fn tiles(sizes: &[&[i64]]) -> Option<Tiles> {
    let mut all = Tiles::new();
    for tile in sizes {
        let tile: Vec<_> = tile.iter().map(|&size| TileDim::Size(size)).collect();
        all.push(&tile).ok()?;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `tpu_tiles` makes the choices that the compiler made for real arrays.
    #[test]
    fn tiles_are_those_of_the_tpu_compiler() {
        let recorded = include_str!("../../../tests/data/tpu_sizes.jsonl");
        let mut lines = 0;
        for line in recorded.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let shape: ArrayShape = line["shape"].as_str().unwrap().parse().unwrap();
            let layout = shape.layout.as_ref().unwrap();
            let array = DynLayout::new(shape.clone()).unwrap();
            let sizes: Vec<i64> = array.dims().iter().map(|&n| n as i64).collect();
            let physical = physical(&sizes, &layout.minor_to_major);
            assert_eq!(
                tpu_tiles(&physical, array.element_bits() as i64).as_ref(),
                Some(&layout.tiles),
                "{shape}"
            );
            lines += 1;
        }
        assert_eq!(lines, 2676);
    }

    fn advice(shape: &str) -> Option<(String, Change)> {
        let better = better(&shape.parse().unwrap())?;
        Some((better.shape.to_string(), better.change))
    }

    #[test]
    fn advice_is_what_a_person_would_do() {
        let cases = [
            (
                "f32[1000,3]{1,0:T(8,128)}",
                Some(("f32[1000,3]{0,1:T(4,128)}", Change::MinorToMajor)),
            ),
            (
                "f32[3,256]{1,0:T(8,128)S(1)}",
                Some(("f32[3,256]{1,0:T(4,128)S(1)}", Change::Tile)),
            ),
            (
                "bf16[9,1000]{1,0:T(8,128)(2,1)}",
                Some(("bf16[9,1000]{1,0:T(2,128)(2,1)}", Change::SmallerTile)),
            ),
            (
                "f32[100]{0:T(1024)}",
                Some(("f32[100]{0:T(128)}", Change::Tile)),
            ),
            // No tile removes the padding of the lanes.
            ("f32[8,129]{1,0:T(8,128)}", None),
            ("f32[8,128]{1,0:T(8,128)}", None),
            ("f32[]{:T(128)}", None),
            ("f32[9,9]{1,0}", None),
            // Tiles of other hardware.
            (
                "f32[2,9]{1,0:T(4,1)}",
                Some(("f32[2,9]{0,1:T(4,1)}", Change::MinorToMajor)),
            ),
        ];
        for (shape, expected) in cases {
            let expected = expected.map(|(shape, change)| (shape.to_owned(), change));
            assert_eq!(advice(shape), expected, "{shape}");
        }
    }
}
