//! Random maps with their offsets, which are computed without the crate.

use super::{Map, Random, Report, offsets};

const SIZES: [&[u64]; 3] = [&[2, 4, 8], &[2, 3, 4, 6], &[1, 2, 3, 4, 5, 7]];

type Mode = (u8, u64, u64, i64);

/// A map, its offsets, and a map that is often equal to it.
pub(super) fn pair(random: &mut Random, report: &mut Report) -> (Map, Vec<i64>, Map) {
    loop {
        let (map, values) = match random.below(4) {
            0 => modes(random),
            1 => strided(random),
            _ => composed(random, report),
        };
        if values.len() > 600 {
            continue;
        }
        let other = other(&map, random);
        return (map, values, other);
    }
}

fn extents(random: &mut Random, rank: u64) -> Vec<u64> {
    let sizes = random.pick(&SIZES);
    (0..rank).map(|_| random.pick(sizes)).collect()
}

/// Compact strides in a random sequence of the dimensions, some of them changed.
fn strides(random: &mut Random, extents: &[u64]) -> Vec<i64> {
    let mut order: Vec<usize> = (0..extents.len()).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i as u64 + 1) as usize);
    }
    let mut strides = vec![0; extents.len()];
    let mut stride = 1;
    for dim in order {
        strides[dim] = match random.below(12) {
            0 => random.below(20) as i64,
            1 => stride * 2,
            _ => stride,
        };
        stride *= extents[dim] as i64;
    }
    strides
}

fn strided(random: &mut Random) -> (Map, Vec<i64>) {
    let rank = 1 + random.below(4);
    let extents = extents(random, rank);
    let mut strides = strides(random, &extents);
    if random.below(4) == 0 {
        let dim = random.below(rank) as usize;
        strides[dim] = -strides[dim];
    }
    let map = Map::strided(&extents, &strides).expect("small sizes");
    let modes: Vec<Mode> = (0..extents.len())
        .map(|dim| (dim as u8, 1, 0, strides[dim]))
        .collect();
    (map, sum(&extents, &modes))
}

/// Digits that need not divide the sizes, or each other.
fn modes(random: &mut Random) -> (Map, Vec<i64>) {
    let rank = 1 + random.below(3);
    let extents: Vec<u64> = (0..rank).map(|_| 1 + random.below(16)).collect();
    let mut modes = Vec::new();
    let mut stride = 1;
    for (dim, &extent) in extents.iter().enumerate() {
        let mut divisor = 1;
        while divisor < extent {
            let size = random.pick(&[2, 3, 4, 8]);
            let last = divisor * size >= extent || random.below(3) == 0;
            let step = if random.below(8) == 0 {
                random.below(9) as i64 - 2
            } else {
                stride
            };
            modes.push((dim as u8, divisor, if last { 0 } else { size }, step));
            stride *= if last {
                extent.div_ceil(divisor) as i64
            } else {
                size as i64
            };
            divisor = match random.below(10) {
                0 => divisor + 1,
                _ if last => extent,
                _ => divisor * size,
            };
        }
    }
    let map = Map::from_modes(&extents, &modes).expect("few modes");
    (map, sum(&extents, &modes))
}

/// A layout of CuTe's after another one.
fn composed(random: &mut Random, report: &mut Report) -> (Map, Vec<i64>) {
    loop {
        let rank = 1 + random.below(4);
        let other_rank = 1 + random.below(4);
        let inner = extents(random, rank);
        let outer = extents(random, other_rank);
        let inner_strides = strides(random, &inner);
        let outer_strides = strides(random, &outer);
        if inner.iter().product::<u64>() > 600 {
            continue;
        }
        let b = Map::cute(&inner, &inner_strides).expect("small sizes");
        let indices = 1 + b.range().1 as u64;
        let a = Map::cute_extended(&outer, &outer_strides, indices).expect("small sizes");
        let map = a.after(&b);
        let values = cute(&inner, &inner_strides)
            .map(|k| cute_at(&outer, &outer_strides, k))
            .collect::<Vec<_>>();
        report.answer(
            "composition",
            &format_args!("{a} after {b}"),
            map.map(|map| offsets(&map)),
            |found| *found == values,
        );
        if let Ok(map) = map {
            return (map, values);
        }
    }
}

/// The offsets of a layout of CuTe's.
fn cute<'a>(shape: &'a [u64], strides: &'a [i64]) -> impl Iterator<Item = u64> + 'a {
    (0..shape.iter().product()).map(|index| cute_at(shape, strides, index) as u64)
}

fn cute_at(shape: &[u64], strides: &[i64], mut index: u64) -> i64 {
    let mut offset = 0;
    let last = shape.len() - 1;
    for (mode, (&size, &stride)) in shape.iter().zip(strides).enumerate() {
        let digit = if mode == last { index } else { index % size };
        offset += digit as i64 * stride;
        index /= size;
    }
    offset
}

/// The sum of the modes, for all indices.
fn sum(extents: &[u64], modes: &[Mode]) -> Vec<i64> {
    let size: u64 = extents.iter().product();
    (0..size)
        .map(|mut index| {
            let mut coordinates = vec![0; extents.len()];
            for (coordinate, &extent) in coordinates.iter_mut().zip(extents).rev() {
                *coordinate = index % extent;
                index /= extent;
            }
            let of_mode = |&(dim, divisor, size, stride): &Mode| {
                let digit = coordinates[dim as usize] / divisor;
                stride * if size == 0 { digit } else { digit % size } as i64
            };
            modes.iter().map(of_mode).sum()
        })
        .collect()
}

/// The same map in another form, or one that differs a little.
fn other(map: &Map, random: &mut Random) -> Map {
    let size = map.size();
    let mut extents = Vec::new();
    let mut rest = size;
    for factor in [2, 3, 5, 2, 3] {
        if rest.is_multiple_of(factor) && random.below(2) == 0 {
            extents.push(factor);
            rest /= factor;
        }
    }
    extents.push(rest);
    let same = match random.below(3) {
        0 => *map,
        1 => map.reshape(&extents).unwrap_or(*map),
        _ => map.flatten().unwrap_or(*map),
    };
    if random.below(2) == 0 {
        return same;
    }
    // A change that the first indices do not show.
    let rank = same.rank() as u64;
    let dim = random.below(rank) as usize;
    let mode = (
        dim as u8,
        1 + random.below(same.extents()[dim]),
        random.below(4),
        random.below(3) as i64,
    );
    let change = Map::from_modes(same.extents(), &[mode]).expect("one mode");
    change.times_plus(1, &same).unwrap_or(same)
}
