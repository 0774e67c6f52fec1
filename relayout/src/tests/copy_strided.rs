//! `copy_strided` against loops over all elements: random sizes, orders, gaps, signs, and many
//! dimensions.
#![allow(unsafe_code)]

use std::prelude::v1::*;
use std::vec;

use proptest::prelude::*;

use super::support::{self, Buffer, bytes};
use super::with_all_instructions;
use crate::copy_strided::copy;
use crate::{End, RelayoutError, copy_strided, strided_extent};

/// Strides of an array of these sizes: the dimensions follow each other in the order of `keys`,
/// with gaps, and some are reversed.
fn strides(sizes: &[usize], width: usize, keys: &[(u8, usize, bool)]) -> Vec<isize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|dim| keys[*dim].0);
    let mut strides = vec![0; sizes.len()];
    let mut span = width;
    for dim in order {
        let (_, gap, reversed) = keys[dim];
        let stride = (span + gap) as isize;
        strides[dim] = if reversed { -stride } else { stride };
        span += (sizes[dim].max(1) - 1) * (span + gap);
    }
    strides
}

/// The place of each element, the last dimension fastest, from the lowest address on.
fn places(sizes: &[usize], strides: &[isize]) -> Vec<usize> {
    let mut places = vec![0_isize];
    for (&size, &stride) in sizes.iter().zip(strides) {
        let first = if stride < 0 && size > 1 {
            -stride * (size as isize - 1)
        } else {
            0
        };
        let step = |place: &isize| {
            let place = *place;
            (0..size as isize).map(move |k| place + first + k * stride)
        };
        places = places.iter().flat_map(step).collect();
    }
    places.into_iter().map(|place| place as usize).collect()
}

fn check(sizes: &[usize], width: usize, src: &[isize], dst: &[isize]) {
    let len = |strides: &[isize], end| {
        let (before, behind) = strided_extent(sizes, strides, width, end).unwrap();
        before + behind
    };
    let from = len(src, End::Source);
    let to = len(dst, End::Destination);
    let input = bytes(from);
    let mut expected = vec![0x5a; to];
    if !sizes.contains(&0) {
        for (from, to) in places(sizes, src).into_iter().zip(places(sizes, dst)) {
            expected[to..to + width].copy_from_slice(&input[from..from + width]);
        }
    }
    with_all_instructions(|by| {
        for offset in [0, 3] {
            let mut input = Buffer::exact(&input);
            let mut output = Buffer::new(&vec![0x5a; to], offset);
            copy_strided(output.get(to), dst, input.get(from), src, sizes, width).unwrap();
            assert!(
                output.checked(to) == expected,
                "{by:?} {sizes:?} {width} {src:?} {dst:?}"
            );
        }
    });
    // With fewer loops in a nest than there are dimensions, the others run around it.
    for most_loops in 0..3 {
        let origin = |strides, end| strided_extent(sizes, strides, width, end).unwrap().0;
        let mut found = vec![0x5a; to];
        let read = input.as_ptr().wrapping_add(origin(src, End::Source));
        let written = found
            .as_mut_ptr()
            .wrapping_add(origin(dst, End::Destination));
        // SAFETY: the buffers have all bytes of both extents.
        unsafe { copy(written, dst, read, src, sizes, width, most_loops) }.unwrap();
        assert!(
            found == expected,
            "{most_loops} {sizes:?} {width} {src:?} {dst:?}"
        );
    }
    if to > 0 {
        let short = copy_strided(&mut vec![0; to - 1], dst, &input, src, sizes, width);
        let end = End::Destination;
        let needed = to;
        let found = to - 1;
        assert_eq!(short, Err(RelayoutError::Short { end, needed, found }));
    }
}

fn keys() -> impl Strategy<Value = Vec<(u8, usize, bool)>> {
    let key = (
        any::<u8>(),
        prop_oneof![4 => Just(0), 1 => 0..9_usize],
        any::<bool>(),
    );
    prop::collection::vec(key, 6)
}

proptest! {
    #![proptest_config(support::config())]

    #[test]
    fn any_strides(
        sizes in prop::collection::vec(prop_oneof![1 => 0..2_usize, 9 => 1..9_usize], 0..6),
        width in prop_oneof![4 => prop::sample::select(vec![1, 2, 4, 8, 16_usize]), 1 => 1..40_usize],
        (from, to) in (keys(), keys()),
        broadcast in 0..12_usize,
    ) {
        let mut src = strides(&sizes, width, &from);
        if let Some(stride) = src.get_mut(broadcast) {
            *stride = 0;
        }
        check(&sizes, width, &src, &strides(&sizes, width, &to));
    }

    /// Any strides of the destination: elements may lie between each other, and are refused where
    /// they overlap.
    #[test]
    fn elements_between_each_other(
        dims in prop::collection::vec((1..5_usize, -24..25_isize), 1..4),
        width in prop::sample::select(vec![1, 2, 3, 4, 8_usize]),
    ) {
        let (sizes, strides): (Vec<_>, Vec<_>) = dims.into_iter().unzip();
        let src = vec![width as isize; sizes.len()];
        let all_bytes = places(&sizes, &strides).into_iter().flat_map(|place| place..place + width);
        let mut bytes = 0;
        let mut distinct = std::collections::BTreeSet::new();
        for byte in all_bytes {
            bytes += 1;
            distinct.insert(byte);
        }
        if distinct.len() == bytes {
            check(&sizes, width, &src, &strides);
        } else {
            let result = copy_strided(&mut [0; 999], &strides, &[0; 999], &src, &sizes, width);
            prop_assert_eq!(result, Err(RelayoutError::Overlapping));
        }
    }

    /// No numbers make it panic, or read or write outside of the slices.
    #[test]
    fn any_numbers(
        sizes in prop::collection::vec(any::<usize>(), 0..4),
        src in prop::collection::vec(any::<isize>(), 0..4),
        dst in prop::collection::vec(any::<isize>(), 0..4),
        width in any::<usize>(),
    ) {
        let result = copy_strided(&mut [0; 64], &dst, &[0; 64], &src, &sizes, width);
        prop_assert!(result.is_err() || sizes.contains(&0) || width <= 64);
    }
}

#[test]
fn many_dimensions() {
    let sizes = vec![2; 13];
    let dense: Vec<isize> = (0..13).map(|dim| 1 << (12 - dim)).collect();
    let reversed: Vec<isize> = dense.iter().rev().copied().collect();
    check(&sizes, 1, &dense, &reversed);
    // 64 dimensions, of which 13 have two steps, at strides that do not merge.
    let mut sizes = vec![1; 64];
    let mut src = vec![isize::MAX; 64];
    let mut dst = vec![isize::MIN; 64];
    let mut step = 1;
    for dim in (0..64).step_by(5) {
        (sizes[dim], src[dim], dst[dim]) = (2, 3 * (dim as isize % 4), step);
        step = 2 * step + 1;
    }
    check(&sizes, 1, &src, &dst);
}

#[test]
fn what_is_refused() {
    let copy = |dst: &[isize], src: &[isize], sizes: &[usize]| {
        copy_strided(&mut [0; 99], dst, &[0; 99], src, sizes, 2)
    };
    for overlapping in [[0, 2], [2, 2], [4, 3], [-6, 6], [1, 8]] {
        assert_eq!(
            copy(&overlapping, &[0, 0], &[3, 2]),
            Err(RelayoutError::Overlapping)
        );
    }
    assert_eq!(copy(&[8, -2], &[0, 0], &[3, 2]), Ok(()));
    let error = RelayoutError::Strides {
        sizes: 2,
        strides: 1,
    };
    assert_eq!(copy(&[2], &[2, 2], &[3, 2]), Err(error.clone()));
    assert_eq!(copy(&[2, 6], &[2], &[3, 2]), Err(error));
    let end = End::Source;
    assert_eq!(
        copy(&[4, 2], &[isize::MIN, 2], &[3, 2]),
        Err(RelayoutError::TooLarge { end })
    );
}
