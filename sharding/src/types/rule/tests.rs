//! Which coordinates a device holds, against the definition: parts of the same width, rounded up;
//! and which sharding is one of which dimensions.

use std::boxed::Box;
use std::vec;
use std::vec::Vec;

use super::{DeviceRule, Node, Rule, Tiles, Unfit};
use xlayout_core::Dim;

use crate::SubgroupType;

/// A sharding that cuts dimension 1 of two.
fn cuts(parts: i64) -> Rule {
    Rule::Tiled(Tiles {
        grid: Box::leak(Box::new([1, parts])),
        groups: 0,
        types: &[],
        order: DeviceRule::Iota {
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
    // A dimension that the grid does not have is not cut.
    let mut tile = [0; 3];
    assert!(cuts(4).tile_index(3, &mut tile));
    assert_eq!(tile, [0, 3, 0]);
}

/// Leaks a list, as the constants of a type are.
fn leak<T: Clone>(items: &[T]) -> &'static [T] {
    Box::leak(items.to_vec().into_boxed_slice())
}

/// All lists of this many numbers from `first` to `last`.
fn lists(len: usize, first: i64, last: i64) -> Vec<Vec<i64>> {
    (0..len).fold(vec![vec![]], |shorter, _| {
        let longer = |list: &Vec<i64>| {
            let list = list.clone();
            (first..=last).map(move |n| [&list[..], &[n]].concat())
        };
        shorter.iter().flat_map(longer).collect()
    })
}

/// The devices of `iota(dims)`, transposed, row-major: NumPy's
/// `arange(n).reshape(dims).transpose(t)`.
fn devices(dims: &[i64], transpose: &[usize]) -> Vec<i64> {
    let mut all = vec![];
    let count = |d: &usize| dims[*d];
    for place in 0..dims.iter().product::<i64>() {
        let mut rest = place;
        let mut index = vec![0; dims.len()];
        for d in transpose.iter().rev() {
            index[*d] = rest % count(d);
            rest /= count(d);
        }
        all.push((0..dims.len()).fold(0, |device, d| device * dims[d] + index[d]));
    }
    all
}

#[test]
fn an_iota_order_is_numpys() {
    for rank in 0..=3 {
        for dims in lists(rank, 0, 3) {
            for transpose in lists(rank, 0, rank as i64)
                .iter()
                .chain(&lists(rank + 1, 0, 0))
            {
                let transpose: Vec<usize> = transpose.iter().map(|&d| d as usize).collect();
                let order = DeviceRule::Iota {
                    dims: leak(&dims),
                    transpose: leak(&transpose),
                };
                let distinct = (0..rank).all(|d| transpose.contains(&d));
                let lists_each = distinct && transpose.len() == rank;
                let product: i64 = dims.iter().product();
                let name = std::format!("{dims:?} {transpose:?}");
                for count in -1..=28 {
                    let expected = lists_each && !dims.contains(&0) && count == product;
                    assert_eq!(order.is_of(count), expected, "{name} {count}");
                }
                if !lists_each {
                    continue;
                }
                let devices = devices(&dims, &transpose);
                for device in -1..=28 {
                    let expected = devices.iter().position(|d| *d == device);
                    let found = order.position_of(device);
                    assert_eq!(found, expected.map(|p| p as i64), "{name} {device}");
                }
            }
        }
    }
}

#[test]
fn listed_devices_are_counted_through_all_rows() {
    let last: &'static Node = Box::leak(Box::new(Node {
        row: &[7],
        rest: None,
    }));
    let empty: &'static Node = Box::leak(Box::new(Node {
        row: &[],
        rest: Some(last),
    }));
    let first: &'static Node = Box::leak(Box::new(Node {
        row: &[3, 0, 5],
        rest: Some(empty),
    }));
    for (rows, all) in [
        (None, &[][..]),
        (Some(last), &[7]),
        (Some(empty), &[7]),
        (Some(first), &[3, 0, 5, 7]),
    ] {
        let order = DeviceRule::Listed(rows);
        for n in 0..10 {
            assert_eq!(order.is_of(n), n as usize == all.len(), "{all:?} {n}");
            let expected = all.iter().position(|d| *d == n).map(|p| p as i64);
            assert_eq!(order.position_of(n), expected, "{all:?} {n}");
        }
    }
}

/// A sharding over devices 0, 1, 2, … of which the last `groups` numbers are subgroups.
fn tiled(grid: &[i64], groups: usize) -> Rule {
    let count: i64 = grid.iter().product();
    Rule::Tiled(Tiles {
        grid: leak(grid),
        groups,
        types: &[],
        order: DeviceRule::Iota {
            dims: leak(&[count]),
            transpose: &[0],
        },
    })
}

#[test]
fn a_device_has_the_tile_of_its_place() {
    for rank in 0..=3 {
        for grid in lists(rank, 1, 3) {
            for groups in 0..=rank {
                let rule = tiled(&grid, groups);
                let count: i64 = grid.iter().product();
                assert_eq!(rule.parts(), &grid[..rank - groups]);
                assert_eq!(rule.devices(), Some(count));
                for device in -1..=count {
                    let mut index = vec![9; rank - groups];
                    let held = rule.tile_index(device, &mut index);
                    assert_eq!(held, device >= 0 && device < count, "{grid:?} {device}");
                    if held {
                        let weight = |d: usize| grid[d + 1..].iter().product::<i64>();
                        let expected: Vec<usize> = (0..index.len())
                            .map(|d| (device / weight(d) % grid[d]) as usize)
                            .collect();
                        assert_eq!(index, expected, "{grid:?} {device}");
                    }
                }
            }
        }
    }
    for (rule, devices, holds) in [
        (Rule::Replicated, None, [true, true]),
        (Rule::Unreduced, None, [true, true]),
        (Rule::Maximal(1), Some(1), [false, true]),
        (Rule::Manual, None, [false, false]),
        (Rule::Unknown, None, [false, false]),
    ] {
        assert_eq!((rule.devices(), rule.parts()), (devices, &[][..]));
        assert_eq!([0, 1].map(|device| rule.tile_index(device, &mut [])), holds);
    }
}

/// What `check` says, as a word.
fn checked(rule: &Rule, global: &[Dim], per_device: &[Dim]) -> &'static str {
    match rule.check(global, per_device) {
        Ok(()) => "fits",
        Err(Unfit::Rank) => "rank",
        Err(Unfit::Numbers) => "numbers",
        Err(Unfit::Devices) => "devices",
        Err(Unfit::PerDevice) => "per device",
    }
}

#[test]
fn the_sizes_on_a_device_are_rounded_up() {
    let kinds = [Dim::Static, Dim::Bounded];
    for parts in 1..=4 {
        for size in 0..=9 {
            for part in 0..=9 {
                for (a, whole) in kinds.iter().enumerate() {
                    for (b, held) in kinds.iter().enumerate() {
                        let global = [Dim::Static(5), whole(size)];
                        let right = a == b && part == (size as u64).div_ceil(parts as u64) as i64;
                        let expected = if right { "fits" } else { "per device" };
                        let found = checked(&cuts(parts), &global, &[Dim::Static(5), held(part)]);
                        assert_eq!(found, expected, "{size} {parts} {part}");
                        // Nothing is cut: the sizes are the whole.
                        let expected = if a == b && part == size {
                            "fits"
                        } else {
                            "per device"
                        };
                        let found = checked(&Rule::Replicated, &global[1..], &[held(part)]);
                        assert_eq!(found, expected, "{size} {part}");
                    }
                }
            }
        }
        let unbounded = [Dim::Static(5), Dim::Unbounded];
        let expected = if parts == 1 { "fits" } else { "per device" };
        assert_eq!(checked(&cuts(parts), &unbounded, &unbounded), expected);
    }
    let five = [Dim::Static(5)];
    let two = [Dim::Static(5), Dim::Static(5)];
    assert_eq!(checked(&Rule::Replicated, &five, &two), "per device");
    assert_eq!(checked(&cuts(1), &five, &five), "rank");
    assert_eq!(checked(&tiled(&[1], 2), &five, &five), "rank");
    assert_eq!(checked(&tiled(&[1, 4], 1), &five, &five), "fits");
    assert_eq!(checked(&tiled(&[1, 4], 2), &[], &[]), "fits");
    assert_eq!(checked(&tiled(&[0, 1], 0), &two, &two), "numbers");
    assert_eq!(checked(&tiled(&[-1, -1], 0), &two, &two), "numbers");
    let overflow = Rule::Tiled(Tiles {
        grid: &[i64::MAX, 2],
        groups: 0,
        types: &[],
        order: DeviceRule::Listed(None),
    });
    assert_eq!(checked(&overflow, &two, &two), "numbers");
    let few = Rule::Tiled(Tiles {
        grid: &[1, 2],
        groups: 0,
        types: &[],
        order: DeviceRule::Listed(Some(&Node {
            row: &[0],
            rest: None,
        })),
    });
    assert_eq!(checked(&few, &two, &two), "devices");
}

#[test]
fn rules_are_printed_as_xla_prints_them() {
    let listed = DeviceRule::Listed(Some(&Node {
        row: &[1, 0],
        rest: Some(&Node {
            row: &[3, 2],
            rest: None,
        }),
    }));
    let iota =
        |dims: &'static [i64], transpose: &'static [usize]| DeviceRule::Iota { dims, transpose };
    let tiled = |grid, groups, types, order| {
        Rule::Tiled(Tiles {
            grid,
            groups,
            types,
            order,
        })
    };
    for (rule, text) in [
        (Rule::Replicated, "{replicated}"),
        (Rule::Manual, "{manual}"),
        (Rule::Unreduced, "{unreduced}"),
        (Rule::Unknown, "{unknown}"),
        (Rule::Maximal(3), "{maximal device=3}"),
        (tiled(&[2, 2], 0, &[], listed), "{devices=[2,2]1,0,3,2}"),
        (tiled(&[4], 0, &[], iota(&[4], &[0])), "{devices=[4]<=[4]}"),
        (
            tiled(&[2, 4], 0, &[], iota(&[4, 2], &[1, 0])),
            "{devices=[2,4]<=[4,2]T(1,0)}",
        ),
        (
            tiled(&[2, 4], 1, &[], iota(&[8], &[0])),
            "{devices=[2,4]<=[8] last_tile_dim_replicate}",
        ),
        (
            tiled(
                &[1, 2, 4],
                2,
                &[SubgroupType::Manual, SubgroupType::Replicated],
                iota(&[8], &[0]),
            ),
            "{devices=[1,2,4]<=[8] last_tile_dims={manual, replicated}}",
        ),
    ] {
        let sharding = rule.sharding().unwrap();
        assert_eq!(std::format!("{sharding}"), text);
        assert_eq!(sharding, text.parse().unwrap());
    }
}
