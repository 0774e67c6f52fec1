//! Reductions along a dimension: the same bits for every layout, typed or not.
#![cfg(feature = "std")]

use proptest::prelude::*;
use xlayout::{Array, ArrayLayout, ArrayRef, DynLayout, LayoutError, layout};

const SIZES: [usize; 3] = [5, 70, 3];

/// A sum whose bits depend on the order of the elements.
fn sum(line: &[f32]) -> f32 {
    line.iter().sum()
}

/// Numbers whose sums depend on the order.
fn number(index: &[usize]) -> f32 {
    let k = (index[0] * SIZES[1] + index[1]) * SIZES[2] + index[2];
    ((k * 37 % 101) as f32 - 50.0) * 1.1
}

/// The sums of all lines along a dimension, from slices that are written out here.
fn expected(dimension: usize) -> Vec<u32> {
    let others: Vec<usize> = (0..3).filter(|d| *d != dimension).collect();
    let mut sums = Vec::new();
    for i in 0..SIZES[others[0]] {
        for j in 0..SIZES[others[1]] {
            let line: Vec<f32> = (0..SIZES[dimension])
                .map(|k| {
                    let mut index = [0; 3];
                    (index[others[0]], index[others[1]], index[dimension]) = (i, j, k);
                    number(&index)
                })
                .collect();
            sums.push(sum(&line).to_bits());
        }
    }
    sums
}

fn check<L: ArrayLayout>(x: &ArrayRef<f32, L>, layout: &str) {
    for dimension in 0..3 {
        let mut sizes = SIZES.to_vec();
        sizes.remove(dimension);
        let out: DynLayout = format!("f32[{},{}]", sizes[0], sizes[1]).parse().unwrap();
        let mut sums = Array::<f32, _>::zeros(out).unwrap();
        in_dimension!(dimension, DIM => x.along::<DIM>().reduce(&mut sums, sum)).unwrap();
        let found: Vec<u32> = sums.memory().iter().map(|sum| sum.to_bits()).collect();
        assert_eq!(
            found,
            expected(dimension),
            "{layout}, dimension {dimension}"
        );

        let mut largest = sums;
        in_dimension!(dimension, DIM => x.along::<DIM>().reduce_both(x, &mut largest, |a, b| {
            assert_eq!(a, b);
            a.iter().copied().fold(f32::MIN, f32::max)
        }))
        .unwrap();
        assert!(largest.memory().iter().all(|x| *x <= 55.0));
    }
    let all = || (0..SIZES.iter().product()).map(|k| ((k * 37 % 101) as f32 - 50.0) * 1.1);
    let extremes = (all().reduce(f32::min), all().reduce(f32::max));
    assert_eq!((x.min(), x.max()), extremes, "{layout}");
}

#[test]
fn every_layout_has_the_same_bits() {
    for text in [
        "f32[5,70,3]{2,1,0}",
        "f32[5,70,3]{0,1,2}",
        "f32[5,70,3]{1,0,2}",
        "f32[5,70,3]{2,1,0:T(8,128)}",
        "f32[5,70,3]{0,1,2:T(2,4)(2,1)}",
    ] {
        let layout: DynLayout = text.parse().unwrap();
        let x = Array::from_fn(layout, |index| number(&index[..])).unwrap();
        check(&x, text);
    }
}

#[test]
fn typed_layouts_have_the_same_bits() {
    let fixed = layout!(f32[5,70,3]{0,2,1:T(2,4)});
    check(
        &Array::from_fn(fixed, |index| number(index)).unwrap(),
        "fixed",
    );
    let mixed = <layout!(f32[?,70,?]{1,0,2})>::with_sizes(SIZES).unwrap();
    check(&Array::from_fn(mixed, |index| number(index)).unwrap(), "?");
}

/// Parts of a larger array: ranges, steps, reversed dimensions and blocks of tiles.
#[test]
fn parts_have_the_same_bits() {
    for text in [
        "f32[9,140,8]{2,1,0}",
        "f32[9,140,8]{1,0,2}",
        "f32[9,140,8]{0,1,2}",
    ] {
        let layout: DynLayout = text.parse().unwrap();
        let mut whole = Array::<f32, _>::zeros(layout).unwrap();
        let mut part = whole.region_mut([2, 4, 1], [5, 70, 3]).unwrap();
        part.for_each_mut(|at, x| *x = number(&at[..]));
        check(&part, text);
        for dimension in 0..3 {
            whole.fill(f32::NAN);
            let mut steps = match dimension {
                0 => whole.with_signed_step_mut::<0>(.., -2).unwrap(),
                1 => whole.with_signed_step_mut::<1>(.., -2).unwrap(),
                _ => whole.with_signed_step_mut::<2>(.., -1).unwrap(),
            };
            let mut part = steps.region_mut([0, 0, 2], [5, 70, 3]).unwrap();
            part.for_each_mut(|at, x| *x = number(&at[..]));
            check(&part, text);
        }
    }
    let tiled: DynLayout = "f32[10,72,8]{2,1,0:T(8,4)}".parse().unwrap();
    let mut whole = Array::<f32, _>::zeros(tiled).unwrap();
    let mut part = whole.region_mut([5, 0, 4], [5, 70, 3]).unwrap();
    part.for_each_mut(|at, x| *x = number(&at[..]));
    check(&part, "a part of tiles");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 2 } else { 256 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Parts of layouts of every kind, also where tiles do not divide each other, or merge dimensions.
    #[test]
    fn random_parts_have_the_same_bits(
        sizes in [1..7_usize, 1..40_usize, 1..6_usize],
        order in prop::sample::select(vec!["2,1,0", "0,1,2", "1,0,2", "2,0,1"]),
        tiles in prop::sample::select(vec![
            "", "T(2,4)", "T(8,4)(2,1)", "T(3,1)(2)(*,2,1)", "T(4,5,4)(2,3)", "T(3,4)(2,2)", "T(4)(6)", "T(*,3)(2)", "T(2,*,3)",
        ]),
        from in [0..7_usize, 0..40_usize, 0..6_usize],
        len in [0..7_usize, 0..40_usize, 0..6_usize],
        dimension in 0..3_usize,
        reversed in any::<bool>(),
    ) {
        let [m, n, k] = sizes;
        let text = format!("f32[{m},{n},{k}]{{{order}:{tiles}}}");
        let Ok(layout) = text.parse::<DynLayout>() else { return Ok(()) };
        let (mut origin, mut part) = ([0; 3], sizes);
        for d in 0..3 {
            // A dimension that is merged is not divided.
            if layout.terms().iter().all(|term| term.digit.dim != d) {
                origin[d] = from[d] % sizes[d];
                part[d] = 1 + len[d] % (sizes[d] - origin[d]);
            }
        }
        let whole = Array::from_fn(layout, |index| number(&index[..])).unwrap();
        let lines = |part: [usize; 3], place: &dyn Fn([usize; 3]) -> [usize; 3]| {
            let mut sums = Vec::new();
            let mut sizes = part;
            sizes[dimension] = 1;
            for i in 0..sizes[0] {
                for j in 0..sizes[1] {
                    for l in 0..sizes[2] {
                        let line = (0..part[dimension]).map(|at| {
                            let mut index = [i, j, l];
                            index[dimension] = at;
                            number(&place(index))
                        });
                        sums.push(sum(&line.collect::<Vec<_>>()).to_bits());
                    }
                }
            }
            sums
        };
        let kept: Vec<_> = (0..3).filter(|d| *d != dimension).map(|d| part[d].to_string()).collect();
        let out: DynLayout = format!("f32[{}]", kept.join(",")).parse().unwrap();
        let mut sums = Array::<f32, _>::zeros(out).unwrap();
        let Ok(region) = whole.region(origin, part) else { return Ok(()) };
        in_dimension!(dimension, DIM => region.along::<DIM>().reduce(&mut sums, sum)).unwrap();
        let there = |[i, j, l]: [usize; 3]| [origin[0] + i, origin[1] + j, origin[2] + l];
        let found: Vec<_> = sums.memory().iter().map(|sum| sum.to_bits()).collect();
        prop_assert_eq!(found, lines(part, &there), "{} from {:?} of {:?}", text, origin, part);
        if reversed && let Ok(back) = region.with_signed_step::<1>(.., -1) {
            in_dimension!(dimension, DIM => back.along::<DIM>().reduce(&mut sums, sum)).unwrap();
            let there = |[i, j, l]: [usize; 3]| there([i, part[1] - 1 - j, l]);
            let found: Vec<_> = sums.memory().iter().map(|sum| sum.to_bits()).collect();
            prop_assert_eq!(found, lines(part, &there), "{} reversed", text);
        }
    }
}

/// Of a NaN nothing is less or greater, at the beginning, between and at the end.
#[test]
fn a_nan_is_the_least_and_the_greatest_element() {
    let array = |text: &str| Array::<f32, _>::zeros(text.parse::<DynLayout>().unwrap()).unwrap();
    for at in 0..3 {
        let mut x = array("f32[3]");
        x.copy_from_row_major(&[2.0, 3.0, 1.0]).unwrap();
        assert_eq!((x.min(), x.max()), (Some(1.0), Some(3.0)));
        x[[at]] = f32::NAN;
        let both = (x.min(), x.max());
        assert!(
            both.0.is_some_and(f32::is_nan) && both.1.is_some_and(f32::is_nan),
            "{at}"
        );
    }
    assert_eq!(
        (array("f32[0]").min(), array("f32[3,0]").max()),
        (None, None)
    );
    let integers = Array::from_row_major(layout!(s8[3]), &[-128_i8, 127, 0]).unwrap();
    assert_eq!((integers.min(), integers.max()), (Some(-128), Some(127)));
}

#[test]
fn a_line_may_have_no_elements() {
    let x = Array::<f32, DynLayout>::zeros("f32[2,0]".parse().unwrap()).unwrap();
    let mut sums = Array::<f32, DynLayout>::zeros("f32[2]".parse().unwrap()).unwrap();
    sums.fill(1.0);
    x.along::<1>().reduce(&mut sums, sum).unwrap();
    assert_eq!(sums.memory(), [0.0, 0.0]);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let array = |text: &str| Array::<f32, DynLayout>::zeros(text.parse().unwrap()).unwrap();
    let x = array("f32[2,3]");
    let reduced = |dimension, out: &str| {
        let mut out = array(out);
        in_dimension!(dimension, DIM => x.along::<DIM>().reduce(&mut out, sum)).unwrap_err()
    };
    assert_eq!(
        reduced(2, "f32[2]").to_string(),
        "there is no dimension 2: the layout has 2 dimensions; dimensions count from 0"
    );
    assert_eq!(
        reduced(1, "f32[3]"),
        LayoutError::Size {
            dimension: 0,
            expected: 2,
            found: 3
        }
    );
    assert_eq!(
        reduced(1, "f32[2,1]"),
        LayoutError::Rank {
            expected: 1,
            found: 2
        }
    );
    let other = array("f32[2,4]");
    let found = x
        .along::<1>()
        .reduce_both(&other, &mut array("f32[2]"), |_, _| 0.0);
    assert_eq!(
        found,
        Err(LayoutError::Size {
            dimension: 1,
            expected: 3,
            found: 4
        })
    );
}
