//! Any maps: no operation panics, overflows or loses a number, and no decision is wrong.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use xlayout_algebra::{
    Banks, Bits, Budget, Map, Swizzle, View, bank_conflicts, best_swizzle, refine,
};

#[derive(Arbitrary, Debug)]
struct Numbers {
    extents: Vec<Size>,
    modes: Vec<(u8, Size, Size, Stride)>,
}

#[derive(Arbitrary, Debug)]
enum Size {
    Small(u8),
    Any(u64),
}

#[derive(Arbitrary, Debug)]
enum Stride {
    Small(i8),
    Any(i64),
}

#[derive(Arbitrary, Debug)]
struct Input {
    first: Numbers,
    second: Numbers,
    swizzle: (u8, u8, i8),
    cotarget: Size,
    dim: u8,
    widths: (u8, u8),
    columns: Vec<u64>,
    banks: (u8, u8, u8),
}

impl Size {
    fn get(&self) -> u64 {
        match self {
            Self::Small(n) => u64::from(n % 17),
            Self::Any(n) => *n,
        }
    }
}

impl Stride {
    fn get(&self) -> i64 {
        match self {
            Self::Small(n) => i64::from(*n),
            Self::Any(n) => *n,
        }
    }
}

fn map(numbers: &Numbers) -> Option<Map> {
    let extents: Vec<u64> = numbers.extents.iter().take(18).map(Size::get).collect();
    let modes = numbers.modes.iter().take(70);
    let modes: Vec<_> = modes
        .map(|(dim, divisor, size, stride)| {
            (
                dim % extents.len().max(1) as u8,
                divisor.get(),
                size.get(),
                stride.get(),
            )
        })
        .collect();
    Map::from_modes(&extents, &modes).ok()
}

/// All offsets of a small map.
fn offsets(map: &Map) -> Option<Vec<i64>> {
    (map.size() <= 512).then(|| {
        (0..map.size())
            .map(|k| map.at_index(k).expect("in bounds"))
            .collect()
    })
}

fuzz_target!(|input: Input| {
    let (Some(a), Some(b)) = (map(&input.first), map(&input.second)) else {
        return;
    };
    let a = &a;
    let b = &b;
    let budget = Budget(1 << 10);
    decide(a, b, budget);
    for made in [
        a.after(b),
        a.concat(b),
        a.flatten(),
        a.coalesce(),
        a.reshape(b.extents()),
        a.digit(input.cotarget.get(), u64::from(input.dim)),
        a.times_plus(3, b),
        a.scale(-5, 7),
        a.complement(input.cotarget.get()),
        a.divide(b),
        a.product(b),
        a.right_inverse(budget),
        a.left_inverse(budget),
        a.recast(
            usize::from(input.dim),
            input.widths.0.into(),
            input.widths.1.into(),
        ),
    ]
    .into_iter()
    .flatten()
    {
        decide(&made, a, budget);
    }
    let (bits, base, shift) = input.swizzle;
    if let Ok(swizzle) = Swizzle::new(bits, base, shift)
        && let Ok(swizzled) = a.swizzle(swizzle)
        && let (Some(before), Some(after)) = (offsets(a), offsets(&swizzled))
        && before.iter().all(|&offset| (0..1 << 61).contains(&offset))
    {
        assert!(
            before
                .iter()
                .zip(after)
                .all(|(&x, y)| swizzle.at(x as u64) as i64 == y)
        );
    }
    let _ = (
        a.vector(usize::from(input.dim)),
        refine(a, b).map(|blocks| blocks.as_slice().len()),
    );
    if let Ok(bits) = Bits::new(&input.columns) {
        assert!(
            bits.kernel()
                .is_none_or(|vector| vector != 0 && bits.at(vector) == 0)
        );
        if let Ok(inverse) = bits.inverse() {
            assert_eq!(
                inverse.after(&bits).map(|both| both
                    .first_difference(&Bits::identity(input.columns.len()).expect("few"))),
                Ok(None)
            );
        }
        let _ = bits.to_map::<64>();
    }
    let banks = Banks {
        banks: input.banks.0.into(),
        width: input.banks.1.into(),
        phase_bytes: input.banks.2.into(),
    };
    let _ = bank_conflicts(a, input.widths.0.into(), banks);
    let _ = best_swizzle(&[*a, *b], input.widths.0.into(), banks, Budget(100));
});

fn decide(a: &Map, b: &Map, budget: Budget) {
    let difference = a.first_difference(b, budget);
    let collision = a.collision(budget);
    let hole = a.first_hole(budget);
    let descent = a.first_descent(budget);
    let overlap = a.overlap(b, budget);
    let view = a.view_as(b.extents(), budget);
    let _ = a.to_string();
    if let (Some(first), Some(second)) = (offsets(a), offsets(b)) {
        if let Ok(difference) = difference {
            let expected =
                (0..first.len().max(second.len())).find(|&k| first.get(k) != second.get(k));
            assert_eq!(difference, expected.map(|k| k as u64));
        }
        match collision {
            Ok(Some((x, y))) => assert!(x != y && first[x as usize] == first[y as usize]),
            Ok(None) => {
                let mut sorted = first.clone();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!(sorted.len(), first.len());
            }
            Err(_) => {}
        }
        if let Ok(hole) = hole {
            assert_eq!(Some(hole), (0..).find(|v| !first.contains(&(*v as i64))));
        }
        if let Ok(descent) = descent {
            let expected = (1..first.len()).find(|&k| first[k] < first[k - 1]);
            assert_eq!(descent, expected.map(|k| k as u64));
        }
        match overlap {
            Ok(Some((x, y))) => assert_eq!(first[x as usize], second[y as usize]),
            Ok(None) => assert!(!first.iter().any(|v| second.contains(v))),
            Err(_) => {}
        }
        if let (Ok(View::Strides(strides)), Some(zero)) = (view, first.first())
            && let Ok(strided) = Map::strided(b.extents(), &strides[..b.rank()])
            && let Some(found) = offsets(&strided)
        {
            assert!(
                found
                    .iter()
                    .zip(&first)
                    .all(|(x, y)| x.wrapping_add(*zero) == *y)
            );
        }
    }
}
