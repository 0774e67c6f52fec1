//! Each operation against all offsets.

use std::collections::{HashMap, HashSet};

use super::{Map, Random, Report, offsets};
use xlayout_algebra::{Banks, Bits, Budget, MapError, Swizzle, best_swizzle, refine};

pub(super) fn check(map: &Map, values: &[i64], random: &mut Random, report: &mut Report) {
    rewriting(map, values, random, report);
    parts(map, values, random, report);
    widths(map, values, random, report);
    inverses(map, values, report);
    tiles(map, values, random, report);
    swizzles(map, values, random, report);
    if random.below(16) == 0 {
        banks(random, report);
    }
}

/// The offsets of an operation's map.
fn all(map: Result<Map, MapError>) -> Result<Vec<i64>, MapError> {
    map.map(|map| offsets(&map))
}

fn rewriting(map: &Map, values: &[i64], random: &mut Random, report: &mut Report) {
    report.answer("flatten", map, all(map.flatten()), |found| found == values);
    report.answer("coalesce", map, all(map.coalesce()), |found| {
        found == values
    });
    let divisor = 1 + random.below(6);
    let size = random.below(6);
    let about = format_args!("({map}) / {divisor} % {size}").to_string();
    report.answer("digit", &about, all(map.digit(divisor, size)), |found| {
        let digit = |value: &i64| {
            let digit = value.div_euclid(divisor as i64);
            if size == 0 {
                digit
            } else {
                digit.rem_euclid(size as i64)
            }
        };
        values.iter().map(digit).eq(found.iter().copied())
    });
}

fn parts(map: &Map, values: &[i64], random: &mut Random, report: &mut Report) {
    let rank = map.rank();
    let mut order: Vec<usize> = (0..rank).collect();
    for i in (1..rank).rev() {
        order.swap(i, random.below(i as u64 + 1) as usize);
    }
    let permuted = map.permute(&order);
    report.answer("permute", map, permuted, |found| {
        each_index(found.extents(), |index| {
            let mut old = vec![0; rank];
            for (i, &dim) in order.iter().enumerate() {
                old[dim] = index[i];
            }
            found.at(index) == map.at(&old)
        })
    });
    let mut start = Vec::new();
    let mut sizes = Vec::new();
    let mut steps = Vec::new();
    for &extent in map.extents() {
        let first = random.below(extent);
        let step: i64 = random.pick(&[-2, -1, 1, 1, 2, 3]);
        let most = if step < 0 {
            first / step.unsigned_abs()
        } else {
            (extent - 1 - first) / step as u64
        };
        start.push(first);
        steps.push(step);
        sizes.push(1 + random.below(most + 1));
    }
    report.answer("slice", map, map.slice(&start, &sizes, &steps), |found| {
        each_index(found.extents(), |index| {
            let old = |dim: usize| (start[dim] as i64 + index[dim] as i64 * steps[dim]) as u64;
            let old: Vec<u64> = (0..rank).map(old).collect();
            found.at(index) == map.at(&old)
        })
    });
    let other = Map::strided(&[3, 2], &[100, 7]).expect("small sizes");
    report.answer("concat", map, all(map.concat(&other)), |found| {
        let both = values
            .iter()
            .flat_map(|a| offsets(&other).into_iter().map(move |b| a + b));
        both.eq(found.iter().copied())
    });
    let changed = map
        .permute(&(0..rank).collect::<Vec<_>>())
        .and_then(|same| refine(map, &same));
    report.answer("refine", map, changed, |found| {
        // The loops give all offsets, for indices below the extents.
        each_index(map.extents(), |index| {
            let steps = found.as_slice().iter().map(|block| {
                (index[block.dim] / block.divisor % block.size) as i64 * block.strides[0]
            });
            map.at(index) == Some(values[0] + steps.sum::<i64>())
        })
    });
}

fn each_index(extents: &[u64], mut right: impl FnMut(&[u64]) -> bool) -> bool {
    let size: u64 = extents.iter().product();
    (0..size).all(|mut number| {
        let mut index = vec![0; extents.len()];
        for (coordinate, &extent) in index.iter_mut().zip(extents).rev() {
            *coordinate = number % extent;
            number /= extent;
        }
        right(&index)
    })
}

fn widths(map: &Map, values: &[i64], random: &mut Random, report: &mut Report) {
    let dim = random.below(map.rank() as u64) as usize;
    let inner: u64 = map.extents()[dim + 1..].iter().product();
    let extent = map.extents()[dim];
    report.answer("vector", map, map.vector(dim), |&width| {
        extent % width == 0
            && each_index(map.extents(), |index| {
                let number = index
                    .iter()
                    .zip(map.extents())
                    .fold(0, |n, (i, e)| n * e + i);
                let lane = index[dim] % width;
                let first = values[(number - lane * inner) as usize];
                values[number as usize] == first + lane as i64 && first % width as i64 == 0
            })
    });
    let ratio = random.pick(&[2, 3, 4]);
    report.answer(
        "recast to narrower",
        map,
        map.recast(dim, 8 * ratio, 8),
        |found| {
            each_index(found.extents(), |index| {
                let mut old = index.to_vec();
                old[dim] /= u64::from(ratio);
                let part = index[dim] % u64::from(ratio);
                found.at(index)
                    == map
                        .at(&old)
                        .map(|offset| offset * i64::from(ratio) + part as i64)
            })
        },
    );
    report.answer(
        "recast to wider",
        map,
        map.recast(dim, 8, 8 * ratio),
        |found| {
            each_index(map.extents(), |index| {
                let mut new = index.to_vec();
                new[dim] /= u64::from(ratio);
                let part = index[dim] % u64::from(ratio);
                map.at(index)
                    == found
                        .at(&new)
                        .map(|offset| offset * i64::from(ratio) + part as i64)
            })
        },
    );
}

fn inverses(map: &Map, values: &[i64], report: &mut Report) {
    let image: HashSet<i64> = values.iter().copied().collect();
    let hole = (0..).find(|v| !image.contains(v)).expect("finitely many");
    report.answer(
        "right_inverse",
        map,
        all(map.right_inverse(Budget::DEFAULT)),
        |found| {
            found.len() as i64 == hole
                && (0..hole).all(|offset| values[found[offset as usize] as usize] == offset)
        },
    );
    let inverse = map.left_inverse(Budget::DEFAULT);
    if let Err(MapError::NotInjective { first, second }) = inverse {
        report.answer("not injective", map, Ok(()), |()| {
            first != second && values[first as usize] == values[second as usize]
        });
        return;
    }
    report.answer("left_inverse", map, inverse, |found| {
        (0..)
            .zip(values)
            .all(|(index, &offset)| found.at(&[offset as u64]) == Some(index))
    });
}

fn tiles(map: &Map, values: &[i64], random: &mut Random, report: &mut Report) {
    let image: HashSet<i64> = values.iter().copied().collect();
    let cotarget = map.size() * (1 + random.below(3));
    if let Some(expected) = translations(&image, cotarget as i64) {
        report.answer("complement", map, all(map.complement(cotarget)), |found| {
            let below = found
                .iter()
                .copied()
                .filter(|&offset| offset < cotarget as i64);
            below.eq(expected.iter().copied())
        });
    } else {
        report.answer(
            "no complement",
            map,
            Ok(map.complement(cotarget)),
            |found| found.is_err(),
        );
    }
    let times = random.pick(&[2, 3, 4]);
    let copies = Map::strided(&[times], &[1 + random.below(2) as i64]).expect("small");
    report.answer("product", map, map.product(&copies), |found| {
        let all = offsets(found);
        let places = translations(&image, (map.size() * times * 2) as i64);
        places.is_some_and(|places| {
            let place = |copy: u64| places[copies.at(&[copy]).expect("in bounds") as usize];
            let expected = (0..times).flat_map(|copy| values.iter().map(move |v| place(copy) + v));
            expected.eq(all.iter().copied())
        })
    });
    let size = random.pick(&[2, 3, 4]);
    let step = random.pick(&[1, 1, 2, 3]);
    let tile = Map::cute(&[size], &[step]).expect("small");
    report.answer("divide", map, map.divide(&tile), |found| {
        let all = offsets(found);
        let mut once: Vec<_> = all.clone();
        let mut expected = values.to_vec();
        once.sort_unstable();
        expected.sort_unstable();
        // The first tile has the indices of `tile`; each index is in one tile.
        let first = (0..size).all(|i| all[i as usize] == values[(i as i64 * step) as usize]);
        once == expected && first
    });
}

/// The translations of a set that fill an interval from 0 to at least `cotarget`.
fn translations(image: &HashSet<i64>, cotarget: i64) -> Option<Vec<i64>> {
    if image.iter().any(|offset| *offset < 0) || !image.contains(&0) {
        return None;
    }
    let mut filled = HashSet::new();
    let mut translations = Vec::new();
    for first in 0..cotarget {
        if !filled.contains(&first) {
            if image.iter().any(|offset| !filled.insert(first + offset)) {
                return None;
            }
            translations.push(first);
        }
    }
    Some(translations)
}

fn swizzles(map: &Map, values: &[i64], random: &mut Random, report: &mut Report) {
    let shift = random.below(7) as i8 - 3;
    let swizzle =
        Swizzle::new(random.below(4) as u8, random.below(3) as u8, shift).expect("few bits");
    if values.iter().all(|&offset| offset >= 0) {
        let about = format_args!("{map} with {swizzle:?}").to_string();
        report.answer("swizzle", &about, all(map.swizzle(swizzle)), |found| {
            values
                .iter()
                .map(|&v| swizzle.at(v as u64) as i64)
                .eq(found.iter().copied())
        });
    }
    let linear = map.size().is_power_of_two()
        && values.iter().all(|&value| value >= 0)
        && (0..values.len()).all(|k| {
            let columns = (0..64)
                .filter(|bit| k >> bit & 1 == 1)
                .map(|bit| values[1 << bit]);
            columns.fold(0, |a, b| a ^ b) == values[k]
        });
    match Bits::of_map(map, Budget::DEFAULT) {
        Err(MapError::NotLinear) => report.answer("not linear", map, Ok(()), |()| !linear),
        found => report.answer("matrix", map, found, |bits| linear && matrix(bits, values)),
    }
}

/// Rank, kernel and inverse of a matrix, against all its values.
fn matrix(bits: &Bits, values: &[i64]) -> bool {
    let image: HashMap<i64, usize> = values.iter().enumerate().map(|(k, &v)| (v, k)).collect();
    let kernel = match bits.kernel() {
        None => image.len() == values.len(),
        Some(vector) => vector != 0 && bits.at(vector) == 0,
    };
    let inverse = match bits.inverse() {
        Ok(inverse) => (0..values.len()).all(|k| inverse.at(values[k] as u64) == k as u64),
        Err(_) => image.len() < values.len() || values.iter().any(|&v| v as usize >= values.len()),
    };
    image.len() == 1 << bits.rank() && kernel && inverse
}

/// The best swizzle against all matrices, for small banks.
fn banks(random: &mut Random, report: &mut Report) {
    let (low, high) = random.pick(&[(1, 2), (2, 2), (2, 3), (3, 2)]);
    let lanes = 1_u64 << low;
    let banks = Banks {
        banks: 1 << low,
        width: 4,
        phase_bytes: 4 << low,
    };
    let size = 1_u64 << (low + high);
    let access = |random: &mut Random| {
        let modes: Vec<_> = (0..low)
            .map(|bit| (0, 1 << bit, 2, random.below(size / lanes) as i64))
            .collect();
        let strided = Map::strided(&[lanes], &[random.below(size / lanes) as i64]);
        if random.below(2) == 0 {
            strided
        } else {
            Map::from_modes(&[lanes], &modes)
        }
        .expect("small")
    };
    let accesses: Vec<Map> = (0..1 + random.below(4)).map(|_| access(random)).collect();
    let about = format_args!("{accesses:?} on {banks:?}").to_string();
    report.answer(
        "best_swizzle",
        &about,
        best_swizzle(&accesses, 4, banks, Budget::DEFAULT),
        |best| {
            let cost = |columns: &dyn Fn(u64) -> u64| -> u32 {
                let of_access = |access: &Map| {
                    let units: HashSet<u64> =
                        offsets(access).into_iter().map(|v| v as u64).collect();
                    let mut counts = vec![0; 1 << low];
                    for unit in units {
                        counts[(columns(unit) % lanes) as usize] += 1;
                    }
                    counts.into_iter().max().unwrap_or(0)
                };
                accesses.iter().map(of_access).sum()
            };
            let all = (0..1_u64 << (low * high)).map(|matrix| {
                cost(&|unit| {
                    let bits = (0..high).filter(|bit| unit >> (low + bit) & 1 == 1);
                    bits.fold(unit % lanes, |bank, bit| {
                        bank ^ ((matrix >> (low * bit)) % lanes)
                    })
                })
            });
            let fewest = all.min().unwrap_or(0);
            let named = best
                .swizzle
                .is_none_or(|swizzle| cost(&|unit| swizzle.at(unit)) == fewest);
            best.optimal
                && best.wavefronts.wavefronts == fewest
                && cost(&|unit| best.bits.at(unit)) == fewest
                && named
        },
    );
}
