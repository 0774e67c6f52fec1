//! Laws of shardings, for all small ones and for random ones.

use proptest::prelude::*;
use xlayout::ArrayShape;
use xlayout::sharding::{Sharding, SubgroupType, TileAssignment};

use super::any::{TYPES, any_sharding};

/// All lists of this number of numbers from 1 to `most`.
fn lists(rank: usize, most: i64) -> Vec<Vec<i64>> {
    (0..rank).fold(vec![vec![]], |lists, _| {
        let longer = |list: Vec<i64>| (1..=most).map(move |n| [&list[..], &[n]].concat());
        lists.into_iter().flat_map(longer).collect()
    })
}

/// All permutations of this length.
fn permutations(rank: usize) -> Vec<Vec<i64>> {
    let mut all = lists(rank, rank as i64);
    all.retain(|list| (1..=rank as i64).all(|n| list.contains(&n)));
    for list in &mut all {
        list.iter_mut().for_each(|n| *n -= 1);
    }
    all
}

/// The devices 0, 1, 2, … reshaped and transposed, element by element.
fn reference(dims: &[i64], perm: &[i64]) -> Vec<i64> {
    let mut devices = Vec::new();
    let turned: Vec<i64> = perm.iter().map(|&p| dims[p as usize]).collect();
    let total: i64 = dims.iter().product();
    for mut place in 0..total {
        let mut index = vec![0; dims.len()];
        for (&size, &p) in turned.iter().zip(perm).rev() {
            index[p as usize] = place % size;
            place /= size;
        }
        devices.push(index.iter().zip(dims).fold(0, |sum, (k, n)| sum * n + k));
    }
    devices
}

#[test]
fn iotas_are_what_they_say() {
    for rank in 1..=4 {
        for dims in lists(rank, 3) {
            for perm in permutations(rank) {
                let total: i64 = dims.iter().product();
                let tiles = TileAssignment::transposed(&[total], &dims, &perm).unwrap();
                let devices = reference(&dims, &perm);
                assert_eq!(
                    tiles.devices().collect::<Vec<_>>(),
                    devices,
                    "{dims:?} {perm:?}"
                );
                for (place, &device) in devices.iter().enumerate() {
                    assert_eq!(tiles.place_of(device), Some(place as i64));
                    assert_eq!(tiles.device_at(place as i64), Some(device));
                }
                assert_eq!((tiles.place_of(total), tiles.place_of(-1)), (None, None));
                assert_eq!((tiles.device_at(total), tiles.device_at(-1)), (None, None));
                if total > 1 {
                    assert_eq!(tiles, TileAssignment::listed(&[total], &devices).unwrap());
                }
            }
        }
    }
}

/// A rule and its list give the same sharding, whatever the subgroups: XLA's ways with iotas are
/// short cuts. And what is canonical stays.
#[test]
fn subgroups_by_rule_and_by_list() {
    let groups: Vec<Vec<SubgroupType>> = (0..=2)
        .flat_map(|count| lists(count, 4))
        .map(|list| list.iter().map(|&n| TYPES[n as usize - 1]).collect())
        .collect();
    let iotas: &[(&[i64], &[i64])] = &[
        (&[24], &[0]),
        (&[4, 6], &[1, 0]),
        (&[2, 3, 4], &[2, 1, 0]),
        (&[2, 3, 4], &[1, 0, 2]),
        (&[2, 2, 6], &[1, 0, 2]),
        (&[2, 2, 2, 3], &[3, 1, 0, 2]),
        (&[12, 2], &[1, 0]),
    ];
    for (dims, perm) in iotas {
        for grid in lists(4, 6) {
            if grid.iter().product::<i64>() != 24 {
                continue;
            }
            let rule = TileAssignment::transposed(&grid, dims, perm).unwrap();
            let list = TileAssignment::listed(&grid, &reference(dims, perm)).unwrap();
            for groups in &groups {
                let by_rule = Sharding::subgroup(rule.clone(), groups).unwrap();
                let by_list = Sharding::subgroup(list.clone(), groups).unwrap();
                let what = format!("{rule} {groups:?}: {by_rule} {by_list}");
                assert_eq!(by_rule, by_list, "{what}");
                for made in [by_rule, by_list] {
                    let again: Sharding = made.to_string().parse().unwrap();
                    assert_eq!(again.to_string(), made.to_string(), "{what}");
                }
            }
        }
    }
}

/// The parts of the devices cover each element once for each device that holds its tile.
#[test]
fn parts_cover_the_array() {
    let subgroups: &[&[SubgroupType]] = &[
        &[],
        &[SubgroupType::Replicated],
        &[SubgroupType::Manual],
        &[SubgroupType::Manual, SubgroupType::Replicated],
    ];
    for rank in 0..=2 {
        for sizes in lists(rank, 6) {
            // Sizes from 0 on.
            let sizes: Vec<i64> = sizes.iter().map(|n| n - 1).collect();
            let shape = ArrayShape::new(xlayout::ElementType::F32, &sizes).unwrap();
            for groups in subgroups {
                for grid in lists(rank + groups.len(), 3) {
                    let devices: i64 = grid.iter().product();
                    if devices < 2 {
                        continue;
                    }
                    let backwards: Vec<i64> = (0..devices).rev().collect();
                    let tiles = TileAssignment::listed(&grid, &backwards).unwrap();
                    let sharding = Sharding::subgroup(tiles, groups).unwrap();
                    covers(&sharding, &shape, &sizes);
                }
            }
        }
    }
}

fn covers(sharding: &Sharding, shape: &ArrayShape, sizes: &[i64]) {
    let Some(tiling) = sharding.as_tiled() else {
        return;
    };
    let mut holders = vec![0; sizes.iter().product::<i64>() as usize];
    let tile = sharding.tile_shape(shape).unwrap();
    for device in tiling.tile_assignment().devices() {
        let ranges = sharding.index_ranges(shape, device).unwrap();
        let own = sharding.tile_shape_for_device(shape, device).unwrap();
        for (range, (own, most)) in ranges.iter().zip(own.dims.iter().zip(&tile.dims[..])) {
            assert_eq!(own.bound(), Some(range.end - range.start));
            assert!(own.bound() <= most.bound());
        }
        let index = sharding.tile_index_for_device(device).unwrap();
        let first = sharding.device_for_tile_index(&index).unwrap();
        assert_eq!(sharding.tile_index_for_device(first).unwrap(), index);
        let full = tiling.tile_assignment().index_of(device).unwrap();
        assert_eq!(sharding.device_for_tile_index(&full), Ok(device));
        for (element, holders) in holders.iter_mut().enumerate() {
            let mut rest = element as i64;
            let inside = ranges.iter().zip(sizes).rev().all(|(range, size)| {
                let k = rest % size;
                rest /= size;
                range.contains(&k)
            });
            *holders += i64::from(inside);
        }
    }
    let each = sharding.total_num_tiles().unwrap() / sharding.num_tiles().unwrap();
    assert!(
        holders.iter().all(|n| *n == each),
        "{sharding} {shape}: {holders:?}"
    );
}

proptest! {
    #[test]
    fn read_is_the_inverse_of_print(sharding in any_sharding()) {
        let text = sharding.to_string();
        let again: Sharding = text.parse().unwrap();
        prop_assert_eq!(&again, &sharding);
        prop_assert_eq!(again.to_string(), text);
        let text = format!("{sharding:#}");
        let again: Sharding = text.parse().unwrap();
        prop_assert_eq!(format!("{:#}", again), text);
        prop_assert_eq!(again.metadata(), sharding.metadata());
    }

    /// No text panics; each error has a place.
    #[test]
    fn any_text(text in "[{}\\[\\]()<=,T0-9 a-z_\"\\\\é-]{0,40}") {
        if let Err(error) = text.parse::<Sharding>() {
            let span = error.span().unwrap();
            prop_assert!(span.start <= span.end && span.end <= text.len());
            prop_assert!(!error.render(&text).to_string().is_empty());
        }
    }

    /// One change to a right text.
    #[test]
    fn nearly_right_texts(sharding in any_sharding(), at in any::<prop::sample::Index>(), c in "[ -~]?") {
        let mut text = format!("{sharding:#}");
        let at = at.index(text.len());
        prop_assume!(text.is_char_boundary(at) && text.is_char_boundary(at + 1));
        text.replace_range(at..=at, &c);
        if let Ok(read) = text.parse::<Sharding>() {
            let again: Sharding = read.to_string().parse().unwrap();
            prop_assert_eq!(again, read);
        }
    }
}
