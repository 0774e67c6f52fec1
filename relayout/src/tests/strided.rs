//! Sources at random strides of bytes: negative, zero, unaligned, overlapping.

use std::prelude::v1::*;

use proptest::prelude::*;
use xlayout_core::{ArrayLayout, DynLayout, ElementType};

use super::support::{self, Buffer, bytes, indices};
use super::{choices_of, with_all_instructions};
use crate::{End, Machine, Plan, RelayoutError};

fn check(strides: &[isize], offset: usize, more: usize, dst: &DynLayout) {
    let width = dst.element_type().bytes().unwrap() as usize;
    let plan = Plan::from_strided(dst.dims(), strides, offset, dst.element_type(), dst).unwrap();
    let (needed, len) = plan.buffers();
    let input = bytes(needed + more);
    let mut expected = vec![0x5a; len];
    for index in indices(dst.dims()) {
        let steps = index.iter().zip(strides);
        let from = steps.fold(offset as isize, |sum, (i, stride)| {
            sum + *i as isize * stride
        });
        let element = &input[from as usize..][..width];
        let bits = dst.element_bits();
        let target = dst.linear_index(&index) * bits;
        for bit in 0..bits {
            let value = bit < 8 * width && element[bit / 8] >> (bit % 8) & 1 == 1;
            support::set_bit(&mut expected, target + bit, value);
        }
    }
    with_all_instructions(|by| {
        for choice in choices_of(&plan) {
            let plan = plan.clone().with(choice);
            let mut from = Buffer::exact(&input);
            let mut to = Buffer::new(&vec![0x5a; len], 3);
            plan.run_bytes(from.get(input.len()), to.get(len)).unwrap();
            assert!(
                to.checked(len) == expected,
                "{by:?} {choice:?} {strides:?} {offset} {dst:?}: {plan}"
            );
        }
    });
    let mut found = vec![0x5a; len];
    plan.chunks_bytes(&input, &mut found, 3)
        .unwrap()
        .for_each(|chunk| chunk.run());
    assert!(found == expected, "{strides:?} {offset} {dst:?}");
    if needed > 0 {
        let short = plan.run_bytes(&input[..needed - 1], &mut found);
        assert_eq!(
            short,
            Err(RelayoutError::Short {
                end: End::Source,
                needed,
                found: needed - 1
            })
        );
    }
}

proptest! {
    #![proptest_config(support::config())]

    #[test]
    fn random_strides(
        (_, dst) in support::pairs(3_000),
        factors in prop::collection::vec((-3..4_isize, 0..3_u8), 8),
        slack in 0..9_usize,
        more in 0..3_usize,
    ) {
        // Products of the sizes, as a slice of a larger array has them, or any.
        let width = dst.element_type().bytes().unwrap() as isize;
        let mut step = width;
        let mut strides = vec![];
        for (size, (factor, kind)) in dst.dims().iter().zip(&factors) {
            strides.push(match kind {
                0 => *factor * width + factor % 2,
                _ if *factor < 0 => -step,
                _ => step,
            });
            step *= *size.max(&1) as isize;
        }
        let before: isize = dst.dims().iter().zip(&strides)
            .map(|(size, stride)| (*size as isize - 1).max(0) * (-stride).max(0)).sum();
        prop_assume!(!dst.dims().contains(&0));
        check(&strides, before as usize + slack, more, &dst);
        if before > 0 {
            let found = before as usize - 1;
            let error = Plan::from_strided(dst.dims(), &strides, found, dst.element_type(), &dst);
            prop_assert_eq!(error.unwrap_err(), RelayoutError::BeforeStart { needed: before as usize, found });
        }
    }

    /// No numbers make it panic.
    #[test]
    fn any_numbers(
        strides in prop::collection::vec(any::<isize>(), 0..4),
        offset in any::<usize>(),
        sizes in prop::collection::vec(0..1_000_000_000_usize, 0..4),
    ) {
        let numbers: Vec<_> = sizes.iter().map(usize::to_string).collect();
        let Ok(dst) = format!("f32[{}]", numbers.join(",")).parse::<DynLayout>() else { return Ok(()) };
        if let Ok(plan) = Plan::from_strided(&sizes, &strides, offset, ElementType::F32, &dst) {
            let _ = (plan.to_string(), plan.on(Machine::REFERENCE).traffic());
            let refused = plan.run_bytes(&[], &mut []).is_err();
            prop_assert_eq!(refused, plan.buffers() != (0, 0));
        }
    }
}

/// Numbers at which arithmetic of 64, 32 or fewer bits ends, and their neighbours.
fn near_limits() -> impl Strategy<Value = isize> {
    let limit = prop::sample::select(vec![
        isize::MIN,
        isize::MAX,
        isize::MAX / 2,
        isize::MIN / 2,
        isize::MAX / 4,
        isize::MIN / 4,
        isize::MAX / 3,
        isize::MIN / 5,
        1 << 31,
        1 << 16,
        0,
    ]);
    (limit, -9..10_isize).prop_map(|(limit, more)| limit.saturating_add(more))
}

/// What strides and an offset come to, without limits: the bytes before the first element, and
/// those up to the end of the last one.
fn reach(sizes: &[usize], strides: &[isize], offset: usize, width: usize) -> (i128, i128) {
    let mut before = 0;
    let mut behind = offset as i128 + width as i128;
    for (&size, &stride) in sizes.iter().zip(strides) {
        let span = (size as i128 - 1) * stride as i128;
        before += (-span).max(0);
        behind += span.max(0);
    }
    (before, behind)
}

fn check_extreme(sizes: &[usize], strides: &[isize], offset: usize) -> Result<(), TestCaseError> {
    let numbers: Vec<_> = sizes.iter().map(usize::to_string).collect();
    for (name, element_type) in [("u8", ElementType::U8), ("c128", ElementType::C128)] {
        let dst: DynLayout = format!("{name}[{}]", numbers.join(",")).parse().unwrap();
        let width = dst.element_bits() / 8;
        let plan = Plan::from_strided(sizes, strides, offset, element_type, &dst);
        if sizes.contains(&0) {
            prop_assert_eq!(plan.unwrap().buffers(), (0, 0));
            continue;
        }
        let (before, behind) = reach(sizes, strides, offset, width);
        let most = isize::MAX as i128;
        match plan {
            Err(RelayoutError::TooLarge { .. }) => prop_assert!(before > most || behind > most),
            Err(RelayoutError::BeforeStart { needed, found }) => {
                prop_assert!(behind <= most && before > offset as i128);
                prop_assert_eq!((needed as i128, found), (before, offset));
            }
            Err(error) => prop_assert!(false, "{}", error),
            Ok(plan) => {
                prop_assert!(before <= offset as i128 && behind <= most);
                prop_assert_eq!(plan.buffers(), (behind as usize, dst.bytes()));
                // Plans are printed, and shared out to threads, by the same numbers.
                prop_assert!(plan.to_string().starts_with("strides of bytes -> "));
                prop_assert_eq!(plan.on(Machine::REFERENCE).traffic().written, dst.bytes());
                prop_assert!(
                    plan.run_bytes(&[0; 7], &mut vec![0; dst.bytes()]).is_err() || behind <= 7
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..support::config() })]

    /// Strides and offsets near the limits of their types: the answer is the one of arithmetic
    /// without limits.
    #[test]
    fn extreme_strides(
        sizes in prop::collection::vec(0..6_usize, 0..5),
        strides in prop::collection::vec(near_limits(), 4),
        offset in near_limits(),
    ) {
        check_extreme(&sizes, &strides[..sizes.len()], offset as usize)?;
    }
}

/// Strides whose loops end behind what an `isize` counts, and strides that mean nothing.
#[test]
fn extreme_strides_by_name() {
    let far = isize::MAX / 4;
    let end = isize::MAX as usize;
    for (sizes, strides, offset) in [
        (&[5, 1, 5][..], &[0, -1, -far][..], end - 3),
        (&[5, 5], &[0, far], 0),
        (&[5, 5], &[far, 0], 1),
        (&[2, 2], &[isize::MAX, 0], 0),
        (&[2, 2], &[-(isize::MAX - 1), 1], end - 3),
        (&[1, 2], &[isize::MIN, 1], 0),
        (&[1], &[isize::MIN], usize::MAX),
        (&[0, 2], &[isize::MIN, isize::MAX], usize::MAX),
        (&[], &[], usize::MAX),
        (&[2], &[isize::MIN], end),
    ] {
        check_extreme(sizes, strides, offset).unwrap();
    }
}

#[test]
fn by_name() {
    let cases: [(&str, &[isize], usize); 10] = [
        ("f32[10]{0}", &[-4], 36),
        ("f32[300,270]{0,1}", &[1080, 4], 0),
        ("f32[300,270]{1,0}", &[-1080, -4], 323_996),
        ("u8[100,3]{1,0}", &[0, 1], 0),
        ("u8[300,200]{1,0:T(8,128)}", &[1, 0], 7),
        ("u16[30,40]{1,0}", &[3, 1], 1),
        ("s4[30,40]{1,0:E(4)}", &[40, 1], 1),
        ("f64[]", &[], 3),
        // Runs that trade places, from the last row to the first, and one row again and again.
        ("u8[40,30,3]{2,0,1}", &[-90, 3, 1], 3510),
        ("u8[40,30,3]{2,0,1}", &[0, 3, 1], 0),
    ];
    for (dst, strides, offset) in cases {
        check(strides, offset, 0, &dst.parse().unwrap());
    }
}
