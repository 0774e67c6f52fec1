//! Iotas: their shortest form, and what can be done to them without writing them out.

use alloc::vec;
use alloc::vec::Vec;

use super::ShardingErrorKind as Kind;

/// The permutation that a canonical transpose means. For two dimensions XLA knows one transpose
/// only, and does it whatever the entries say: `T(0,0)` and `T(1,1)` are `T(1,0)`.
pub(super) fn effective(perm: &[usize]) -> &[usize] {
    match perm {
        [a, b] if a == b => &[1, 0],
        _ => perm,
    }
}

/// The first entry that is listed again.
fn repeated(perm: &[usize]) -> Option<usize> {
    let mut seen = vec![false; perm.len()];
    let again = |p: &usize| seen.get_mut(*p).is_none_or(|s| core::mem::replace(s, true));
    perm.iter().copied().find(again)
}

/// The shortest way to write `<=[dims]T(perm)`: dimensions of size 1 fall away, and neighbours
/// that stay neighbours are one (XLA: `CanonicalizeIotaDims`).
///
/// The entries are in range. An entry that is listed again is an error unless the transpose has a
/// meaning for XLA all the same, see [`effective`].
pub(super) fn canonical(dims: &[i64], perm: &[usize]) -> Result<(Vec<i64>, Vec<usize>), Kind> {
    let twice = || Kind::TransposeTwice {
        entry: repeated(perm).unwrap_or(0),
    };
    let mut dims = dims.to_vec();
    let mut perm_now = perm.to_vec();
    if dims.len() <= 1 {
        return Ok((dims, perm_now));
    }
    loop {
        remove_ones(&mut dims, &mut perm_now).ok_or_else(twice)?;
        let mut changed = false;
        let mut base = 0;
        for k in 1..dims.len() {
            let first = perm_now[base];
            let d = perm_now[k];
            if first + (k - base) == d {
                dims[first] *= dims[d];
                dims[d] = 1;
                changed = true;
            } else {
                base = k;
            }
        }
        if !changed {
            break;
        }
    }
    if dims.is_empty() {
        return Ok((vec![1], vec![0]));
    }
    let square = matches!(dims[..], [a, b] if a == b);
    if square || repeated(&perm_now).is_none() {
        Ok((dims, perm_now))
    } else {
        Err(twice())
    }
}

/// Leaves out dimensions of size 1. Nothing where entries are missing then.
fn remove_ones(dims: &mut Vec<i64>, perm: &mut Vec<usize>) -> Option<()> {
    let mut left = 0;
    let place = |&d: &i64| {
        let place = left;
        left += usize::from(d != 1);
        (d != 1).then_some(place)
    };
    let places: Vec<Option<usize>> = dims.iter().map(place).collect();
    dims.retain(|d| *d != 1);
    *perm = perm.iter().filter_map(|&p| places[p]).collect();
    perm.truncate(left);
    (perm.len() == left).then_some(())
}

/// An iota whose last `group` devices of each row are in ascending sequence, if it can be had from
/// this one by ordering (XLA: `GroupMinorIotaDimsSorted`). Not canonical.
pub(super) fn sort_minor(
    dims: &[i64],
    perm: &[usize],
    group: i64,
) -> Option<(Vec<i64>, Vec<usize>)> {
    let mut rest = group;
    let mut grouped = 0;
    let mut split = None;
    for &d in perm.iter().rev() {
        if rest == 1 && dims[d] != 1 {
            break;
        }
        grouped += 1;
        if dims[d] <= rest {
            if rest % dims[d] != 0 {
                return None;
            }
            rest /= dims[d];
        } else {
            if dims[d] % rest != 0 {
                return None;
            }
            split = Some((d, rest));
            break;
        }
    }
    let mut dims = dims.to_vec();
    let mut perm = perm.to_vec();
    if let Some((d, minor)) = split {
        // Only the minor part of this dimension belongs to the group.
        dims[d] /= minor;
        dims.insert(d + 1, minor);
        for p in &mut perm {
            *p += usize::from(*p > d);
        }
        let place = perm.iter().position(|p| *p == d)?;
        perm.insert(place + 1, d + 1);
    }
    let start = perm.len() - grouped;
    perm[start..].sort_unstable();
    Some((dims, perm))
}

/// Transposes the grid of an iota: `grid` are its dimensions, the rest is canonical. Nothing where
/// the dimensions of the grid cut across those of the iota (XLA: `IotaTileAssignment::Transpose`).
pub(super) fn transpose_grid(
    grid: &[i64],
    dims: &[i64],
    perm: &[usize],
    permutation: &[usize],
) -> Option<(Vec<i64>, Vec<usize>)> {
    // Dimensions of size 1 move freely.
    let moved: Vec<usize> = permutation
        .iter()
        .copied()
        .filter(|&d| grid[d] != 1)
        .collect();
    if moved.is_sorted() {
        return Some((dims.to_vec(), perm.to_vec()));
    }
    if dims.len() == 1 {
        return Some((grid.to_vec(), permutation.to_vec()));
    }
    let sizes = grid.iter().enumerate().filter(|(_, n)| **n != 1);
    let (rows, sizes): (Vec<usize>, Vec<i64>) = sizes.unzip();
    let row = |d: &usize| rows.iter().position(|r| r == d);
    if sizes.len() == perm.len() && sizes.iter().zip(perm).all(|(n, &p)| dims[p] == *n) {
        let perm = moved.iter().map(|d| row(d).map(|r| perm[r]));
        return Some((dims.to_vec(), perm.collect::<Option<_>>()?));
    }

    // Take the iota's dimensions apart into primes, and make the grid's from them.
    let mut primes = Vec::new();
    let mut dimension_of = Vec::new();
    for (d, &size) in dims.iter().enumerate() {
        factors(size, &mut primes);
        dimension_of.resize(primes.len(), d);
    }
    let mut sequence = Vec::new();
    for &p in effective(perm) {
        sequence.extend((0..primes.len()).filter(|&k| dimension_of[k] == p));
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); sizes.len()];
    let mut next = 0;
    for (group, &size) in groups.iter_mut().zip(&sizes) {
        let mut rest = size;
        while let Some(&k) = sequence.get(next) {
            if rest % primes[k] != 0 {
                // A later prime of the same dimension may come first.
                let later = sequence[next + 1..].iter();
                let swap = later
                    .copied()
                    .find(|&j| dimension_of[j] == dimension_of[k] && rest % primes[j] == 0);
                match swap {
                    Some(j) => primes.swap(k, j),
                    None => break,
                }
            }
            rest /= primes[k];
            group.push(k);
            next += 1;
        }
        if rest != 1 {
            return None;
        }
    }
    let mut transposed = Vec::new();
    for d in &moved {
        transposed.extend_from_slice(&groups[row(d)?]);
    }
    (transposed.len() == primes.len()).then_some((primes, transposed))
}

/// Adds the prime factors, smallest first. What has none below a million stays whole.
fn factors(mut size: i64, primes: &mut Vec<i64>) {
    let mut p = 2;
    while p <= 1 << 20 && p * p <= size {
        while size % p == 0 {
            primes.push(p);
            size /= p;
        }
        p += if p == 2 { 1 } else { 2 };
    }
    if size > 1 {
        primes.push(size);
    }
}
