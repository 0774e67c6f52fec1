//! Lowering against XLA's formula, computed step by step, for every index of small layouts.

use std::string::String;
use std::vec::Vec;
use std::{format, vec};

use xlayout_shape::modes::inside::assert_inside;

use super::{Count, Mode, NotLowered, Resolved, Source, Table, masks};
use crate::ArrayLayout as _;
use crate::TileDim::{self, Combine, Size};
use crate::dims::Dim;
use crate::tile::TilesRef;

/// The linear index of physical coordinates in physical widths, the most major first, and the
/// number of places ("Tiled layout" in XLA's documentation).
fn formula(mut at: Vec<usize>, mut widths: Vec<usize>, tiles: &[Vec<TileDim>]) -> (usize, usize) {
    for tile in tiles {
        while at.len() < tile.len() {
            at.insert(0, 0);
            widths.insert(0, 1);
        }
        let untouched = at.len() - tile.len();
        let cut_at = at.split_off(untouched);
        let cut_widths = widths.split_off(untouched);
        let mut i = 0;
        let mut w = 1;
        let mut inside = vec![];
        let mut inside_widths = vec![];
        for (k, entry) in tile.iter().enumerate() {
            (i, w) = (i * cut_widths[k] + cut_at[k], w * cut_widths[k]);
            if let Size(size) = *entry {
                let size = size as usize;
                at.push(i / size);
                widths.push(w.div_ceil(size));
                inside.push(i % size);
                inside_widths.push(size);
                (i, w) = (0, 1);
            }
        }
        at.extend(inside);
        widths.extend(inside_widths);
    }
    let linear = at.iter().zip(&widths).fold(0, |sum, (i, w)| sum * w + i);
    (linear, widths.iter().product())
}

/// Every index below the sizes, the last dimension fastest.
fn indices(sizes: &[usize]) -> Vec<Vec<usize>> {
    sizes.iter().fold(vec![vec![]], |shorter, &size| {
        let longer = |index: &Vec<usize>| {
            let index = index.clone();
            (0..size).map(move |i| [&index[..], &[i]].concat())
        };
        shorter.iter().flat_map(longer).collect()
    })
}

fn permutations(rank: usize) -> Vec<Vec<usize>> {
    let all = indices(&vec![rank; rank]);
    let distinct = |order: &Vec<usize>| (0..rank).all(|d| order.contains(&d));
    all.into_iter().filter(distinct).collect()
}

/// Tiles as texts: `2,3;*,2` is `(2,3)(*,2)`.
fn tiles(text: &str) -> Vec<Vec<TileDim>> {
    let entry = |entry: &str| entry.parse().map_or(Combine, Size);
    let tile = |tile: &str| tile.split(',').map(entry).collect();
    text.split(';')
        .filter(|t| !t.is_empty())
        .map(tile)
        .collect()
}

struct Lowered {
    table: Table,
    sizes: Vec<usize>,
}

impl Lowered {
    fn resolved(&self) -> Resolved<'_> {
        Resolved {
            sizes: &self.sizes,
            modes: &self.table.modes[..self.table.filled.modes],
            terms: &self.table.terms[..self.table.filled.terms],
            numbers: self.table.numbers,
        }
    }
}

fn lowered(
    sizes: &[usize],
    order: &[usize],
    tiles: &[Vec<TileDim>],
    padded: &[i64],
) -> Result<Lowered, NotLowered> {
    let dims: Vec<Dim> = sizes.iter().map(|&n| Dim::Static(n as i64)).collect();
    let order: Vec<i64> = order.iter().map(|&d| d as i64).collect();
    let entries = tiles.concat();
    let ends: Vec<usize> = (1..=tiles.len())
        .map(|k| tiles[..k].concat().len())
        .collect();
    let table = Table::new(&Source {
        dims: &dims,
        minor_to_major: &order,
        tiles: TilesRef {
            entries: &entries,
            ends: &ends,
        },
        padded_dimensions: padded,
        tail_alignment: 1,
        element_bits: 8,
        type_bits: 8,
        metadata_prefix: 0,
        splits: &[],
        split_indices: &[],
    })?;
    Ok(Lowered {
        table,
        sizes: sizes.to_vec(),
    })
}

/// Equal memory maps have equal tables (law 6): the size of a digit is the number of values that it
/// takes, and the most major digit of a coordinate, and no other, has no `%`. Where a `*` merges
/// coordinates, a digit may keep a `%` that changes nothing (the known limit of law 6).
fn canonical(of: &Resolved<'_>, merges: bool, name: &str) {
    let terms = of.terms.iter().map(|term| term.digit);
    let digits: Vec<Mode> = of.modes.iter().copied().chain(terms).collect();
    for digit in &digits {
        if let Some(&size) = of.sizes.get(digit.dim) {
            let values = (0..size).map(|i| digit.digit(i) + 1).max().unwrap_or(0);
            assert_eq!(digit.size, values, "{name} {digit:?}");
        }
        let mut others = digits.iter().filter(|other| other.dim == digit.dim);
        let major = others.all(|other| other.divisor <= digit.divisor);
        assert!(merges || digit.top == major, "{name} {digit:?}");
    }
}

/// Compares one layout; returns whether it has merged coordinates.
fn compare(sizes: &[usize], order: &[usize], tiles: &[Vec<TileDim>], padded: &[i64]) -> bool {
    let name: String = format!("{sizes:?} {order:?} {tiles:?} {padded:?}");
    let lowered = lowered(sizes, order, tiles, padded).unwrap_or_else(|e| panic!("{name}: {e}"));
    let resolved = lowered.resolved();
    let physical = |of: &[usize]| -> Vec<usize> { order.iter().rev().map(|&d| of[d]).collect() };
    let widths: Vec<usize> = match padded {
        [] => sizes.to_vec(),
        padded => padded.iter().map(|&n| n as usize).collect(),
    };
    let (_, buffer_len) = formula(vec![0; sizes.len()], physical(&widths), tiles);
    assert_eq!(resolved.numbers.buffer_len, buffer_len, "{name}");
    assert_eq!(
        resolved.numbers.elements,
        sizes.iter().product::<usize>(),
        "{name}"
    );
    canonical(&resolved, tiles.concat().contains(&Combine), &name);
    let mut elements = vec![None; buffer_len];
    for index in indices(sizes) {
        let (linear, _) = formula(physical(&index), physical(&widths), tiles);
        assert_eq!(resolved.linear_index(&index), linear, "{name} {index:?}");
        let in_const = resolved.linear_index_in_const(&index);
        assert_eq!(in_const, linear, "{name} {index:?}");
        assert!(elements[linear].replace(index).is_none(), "{name}");
    }
    for (linear, index) in elements.iter().enumerate() {
        let found = resolved.multi_index::<crate::DynCoordinates>(linear);
        assert_eq!(
            found.as_ref().map(|i| &i[..]),
            index.as_deref(),
            "{name} {linear}"
        );
        macro_rules! in_const {
            ($($rank:literal)*) => {
                match sizes.len() {
                    $($rank => resolved.multi_index_in_const::<$rank>(linear).map(Vec::from),)*
                    rank => unreachable!("no case of the tests has {rank} dimensions"),
                }
            };
        }
        let in_const = in_const!(0 1 2 3 4 5 6 16);
        assert_eq!(&in_const, index, "{name} {linear}");
    }
    let last = elements
        .iter()
        .rposition(Option::is_some)
        .map_or(0, |last| last + 1);
    let gapless = last == resolved.numbers.elements;
    assert_eq!(
        resolved.is_contiguous::<crate::DynCoordinates>(),
        gapless,
        "{name}"
    );
    // The walk visits each element once, in the sequence of memory.
    let mut expected = elements
        .iter()
        .enumerate()
        .filter_map(|(l, i)| Some((l, i.as_ref()?)));
    resolved.for_each(|index: &crate::DynCoordinates, linear| {
        assert_eq!(Some((linear, &index.to_vec())), expected.next(), "{name}");
    });
    assert_eq!(expected.next(), None, "{name}");
    // Strides are given where, and only where, the linear index is made of them.
    let strides = &lowered.table.strides[..sizes.len()];
    if lowered.table.strided {
        for index in indices(sizes) {
            let by_strides = index.iter().zip(strides).map(|(i, s)| i * s).sum::<usize>();
            assert_eq!(resolved.linear_index(&index), by_strides, "{name}");
        }
    }
    !resolved.terms.is_empty()
}

const STACKS: [&str; 30] = [
    "",
    "1",
    "2",
    "3",
    "7",
    "2,2",
    "2,3",
    "3,1",
    "1,4",
    "*,2",
    "*,3",
    "*,4",
    "*,*,2",
    "2,*,2",
    "*,2,2",
    "2;2",
    "3;2",
    "4;2",
    "2,4;2,1",
    "2,2;3",
    "3,4;2,3",
    "4;3;2",
    "*,4;2",
    "*,3;2",
    "*,6;2,3",
    "2,2;*,2",
    "3,2;*,3",
    "2,3;*,*,2",
    "*,4;*,3",
    "2,2;2,2,2",
];

#[test]
fn every_small_layout_is_xlas_formula() {
    let mut merged = 0;
    for (rank, sizes) in [
        (0, &[][..]),
        (1, &[0, 1, 2, 5, 7]),
        (2, &[0, 1, 3, 4]),
        (3, &[1, 2, 3]),
    ] {
        for number in indices(&vec![sizes.len(); rank]) {
            let sizes: Vec<usize> = number.iter().map(|&k| sizes[k]).collect();
            for order in permutations(rank) {
                for stack in STACKS {
                    merged += usize::from(compare(&sizes, &order, &tiles(stack), &[]));
                }
                for wider in [0, 1, 3] {
                    let padded: Vec<i64> = sizes
                        .iter()
                        .enumerate()
                        .map(|(d, &n)| (n + wider * (d % 2)) as i64)
                        .collect();
                    compare(&sizes, &order, &[], &padded);
                }
            }
        }
    }
    // Merged coordinates that no rewriting removes are among them.
    assert!(merged > 100, "{merged}");
}

/// Coordinates that are merged of merged ones, and tables that are longer than small layouts have.
#[test]
fn larger_layouts_are_xlas_formula() {
    let mut merged = 0;
    for (sizes, stack) in [
        (&[2, 3, 4, 3][..], "2,*,5;*,4"),
        (&[5, 4, 3], "4,3;*,5"),
        (&[5, 4, 3], "*,4;3,3;*,2"),
        (&[2, 7, 2, 3, 2], "*,*,2,*,3"),
        (&[7, 9], "5,4;3,3;2"),
        (&[3, 5, 4], "*,3,4;*,5;2"),
        (&[4, 3, 5], "*,*,7;*,3;4"),
        (&[3, 4, 5], "2,*,6;*,*,5;*,3"),
        (&[2, 2, 3, 2, 2], "*,2,*,2;3,2"),
        (&[33], "8;3;2"),
        (&[20, 3], "*,7;5;2"),
        // A digit that is neither the most major one nor the most minor one is cut.
        (&[40], "12;4;2,4"),
        (&[40], "12;2;4,2"),
    ] {
        let rank = sizes.len();
        let orders = permutations(rank);
        // All sequences of few dimensions, a few of many.
        for order in orders.iter().step_by(if rank > 3 { 7 } else { 1 }) {
            merged += usize::from(compare(sizes, order, &tiles(stack), &[]));
        }
    }
    assert!(merged > 20, "{merged}");
    // As many dimensions as a table known at compile time has strides for.
    let mut sizes = [1; 16];
    let descending = (0..16).rev().collect::<Vec<usize>>();
    (sizes[3], sizes[14], sizes[15]) = (2, 3, 5);
    compare(&sizes, &descending, &tiles("*,4;*,3"), &[]);
}

/// No index is in bounds, so each dimension counts as one coordinate: its stride is that inside a
/// tile.
#[test]
fn strides_of_an_array_without_elements() {
    for (stack, strides) in [
        ("", [5, 1]),
        ("2", [6, 1]),
        ("2,2", [2, 1]),
        ("3,1", [1, 1]),
        ("2,4;2,2", [2, 1]),
    ] {
        let table = lowered(&[0, 5], &[1, 0], &tiles(stack), &[]).unwrap().table;
        assert!(table.strided && table.filled.modes == 0, "{stack}");
        assert_eq!(table.strides[..2], strides, "{stack}");
    }
}

#[test]
fn low_bits_are_those_below_strides_that_are_their_multiples() {
    let strides = [1, 2, 3, 4, 6, 8];
    for len in 1..=3 {
        for choice in indices(&vec![strides.len(); len]) {
            for run_time in 0..2 {
                let mut modes: Vec<Mode> = Vec::new();
                for &k in &choice {
                    let mut mode = Mode::new(0, 1, 2, strides[k]);
                    mode.run_time = run_time;
                    modes.push(mode);
                }
                for k in 0..len {
                    let stride = modes[k].stride;
                    let expected = run_time == 0
                        && [1, 2, 4, 8].contains(&stride)
                        && modes[k + 1..]
                            .iter()
                            .all(|above| above.stride % stride == 0);
                    assert_eq!(masks(&modes, k), expected, "{modes:?} {k}");
                }
            }
        }
    }
}

/// Whether a table with one number changed stops the program.
fn stops(sizes: &[usize], stack: &str, change: impl Fn(&mut Table)) -> bool {
    let order: Vec<usize> = (0..sizes.len()).rev().collect();
    let mut table = lowered(sizes, &order, &tiles(stack), &[]).unwrap().table;
    change(&mut table);
    let dims: Vec<Dim> = sizes.iter().map(|&n| Dim::Static(n as i64)).collect();
    let check = || assert_inside(&dims, &table.modes, &table.terms, &table.filled);
    std::panic::catch_unwind(check).is_err()
}

#[test]
fn a_table_that_breaks_the_invariant_stops_the_program() {
    for (sizes, stack) in [
        (&[2, 3][..], ""),
        (&[4, 4], "2,2"),
        (&[9], "3,4;2,3"),
        (&[3, 5], "*,4"),
    ] {
        assert!(!stops(sizes, stack, |_| ()), "{sizes:?} {stack}");
        assert!(
            stops(sizes, stack, |t| t.filled.buffer_len = Count::ONE),
            "{sizes:?} {stack}"
        );
        let last = |t: &Table| t.filled.modes - 1;
        assert!(
            stops(sizes, stack, |t| t.modes[last(t)].stride *= 2),
            "{sizes:?} {stack}"
        );
        assert!(
            stops(sizes, stack, |t| t.modes[last(t)].stride = usize::MAX),
            "{sizes:?} {stack}"
        );
        assert!(
            stops(sizes, stack, |t| t.modes[last(t)].size -= 1),
            "{sizes:?} {stack}"
        );
    }
    // The number of places is exact: one less stops.
    assert!(stops(&[2, 3], "", |t| t.filled.buffer_len = Count::ONE.times(5)));
    // A digit of a merged coordinate, too.
    assert!(stops(&[9], "3,4;2,3", |t| t.terms[0].digit.top = true));
}

#[test]
fn what_has_no_element_or_no_size_yet_is_not_checked() {
    assert!(!stops(&[0, 3], "", |t| t.filled.buffer_len = Count::ONE.times(0)));
    let dims = [Dim::Unbounded, Dim::Static(3)];
    let mut table = lowered(&[2, 3], &[1, 0], &[], &[]).unwrap().table;
    table.filled.buffer_len = Count::ONE.times(0);
    assert_inside(&dims, &table.modes, &table.terms, &table.filled);
}

/// Memory that ends with padding has no gap before it.
#[test]
fn merged_coordinates_without_a_gap_are_contiguous() {
    for (tiles, contiguous) in [("T(*,*,4)(3,2)L(8)", true), ("T(*,*,4)(2,2)L(3)", false)] {
        let text = format!("f32[2,3,2]{{2,1,0:{tiles}}}");
        let layout: crate::DynLayout = text.parse().unwrap();
        assert!(!layout.terms().is_empty(), "{text}");
        assert!(layout.elements() < layout.buffer_len(), "{text}");
        assert_eq!(layout.is_contiguous(), contiguous, "{text}");
    }
}

#[test]
fn a_repeated_dimension_has_stride_0() {
    let layout: crate::DynLayout = "f32[1,3]{0,1}".parse().unwrap();
    let array = crate::Array::<f32, _>::zeros(layout).unwrap();
    let rows = array.broadcast::<0>(4).unwrap();
    assert_eq!(rows.layout().strides(), Some([0, 1].into()));
    let tiled: crate::DynLayout = "f32[1,3]{1,0:T(2,2)}".parse().unwrap();
    let tiled = crate::Array::<f32, _>::zeros(tiled).unwrap();
    assert_eq!(tiled.broadcast::<0>(4).unwrap().layout().strides(), None);
}
