//! What the random tests do not tell apart: how the work is divided, where padding lies, what is
//! refused.

use std::prelude::v1::*;
use std::vec;

use xlayout_core::{ArrayLayout, DynLayout, StridedLayout};

use super::support::naive;
use crate::error::End;
use crate::padding;
use crate::side::Side;
use crate::way::Way;
use crate::{Plan, RelayoutError, relayout_bytes_in_place, relayout_in_place};

fn layout(text: &str) -> DynLayout {
    text.parse().unwrap()
}

/// A copy between merged dimensions is divided, too. No chunk has all elements, and together they
/// have each once.
#[test]
fn a_general_copy_has_several_chunks() {
    let from = layout("f32[256,2,3,2]{3,2,1,0:T(*,*,4)(3,2)}");
    let to = layout("f32[256,2,3,2]{0,1,2,3}");
    let plan = Plan::new(&from, &to).unwrap();
    assert!(matches!(plan.way, Way::General(_)));
    let src: Vec<f32> = (0..from.buffer_len()).map(|n| n as f32).collect();
    let mut dst = vec![0.0_f32; to.buffer_len()];
    let parts: Vec<usize> = plan
        .chunks(&src, &mut dst, 4)
        .unwrap()
        .map(|chunk| {
            let bytes = chunk.bytes();
            chunk.run();
            bytes
        })
        .collect();
    assert_eq!(parts.iter().sum::<usize>(), plan.bytes());
    assert!(
        parts.len() == 4 && parts.iter().all(|&bytes| bytes * 2 < plan.bytes()),
        "{parts:?}"
    );
    let mut expected = vec![0; to.bytes()];
    let bytes: Vec<u8> = src.iter().flat_map(|x| x.to_ne_bytes()).collect();
    naive(&from, &to, &bytes, &mut expected);
    assert!(dst.iter().flat_map(|x| x.to_ne_bytes()).eq(expected));
}

/// The runs of padding are those that the layout says, in its sequence; also where dimensions are
/// merged.
#[test]
fn padding_is_where_the_layout_says() {
    let mut has_merged = false;
    for text in [
        "f32[3,5]{1,0:T(2,4)}",
        "f32[3,5]{0,1:T(2,4)(2,1)}",
        "f32[5,7]{1,0:T(*,8)}",
        "f32[4,2,3]{2,1,0:T(*,*,4)(3,2)}",
        "f32[5,2,3,2]{3,2,1,0:T(*,*,4)(3,2)}",
        "f32[3,5,7]{2,1,0:T(*,4)(3)}",
        "f32[5,7]{1,0:T(4)(6)}",
        "f32[3,4]<0,1>, padded_dimensions = [5, 6]",
        "f32[2,3]{1,0:L(16)}",
        "f32[1,1]{1,0:T(8,128)}",
        "f32[0,3]{1,0:L(8)}",
        "f32[4,4]{1,0}",
    ] {
        let layout: DynLayout = text.parse().unwrap();
        let side = Side::of(&layout, End::Destination).unwrap();
        let mut found = Vec::new();
        padding::runs(
            &side,
            layout.array_shape(),
            layout.shape().as_ref(),
            |run| {
                found.extend(run);
            },
        );
        let expected: Vec<usize> = layout.padding_ranges().flatten().collect();
        assert_eq!(found, expected, "{text}");
        has_merged |= !side.terms.is_empty() && !found.is_empty();
    }
    assert!(has_merged);
}

/// Not every byte is a `bool`, so packed ones are not unpacked in memory of `bool`; numbers are.
#[test]
fn packed_truth_values_are_not_unpacked_in_place() {
    let packed = layout("pred[2]{0:L(4)E(4)}");
    let whole = layout("pred[2]{0}");
    assert_eq!((packed.bytes(), whole.bytes()), (2, 2));
    let found = relayout_in_place(&mut [true, false], &packed, &whole);
    assert!(
        matches!(
            found,
            Err(RelayoutError::ElementBits {
                end: End::Source,
                ..
            })
        ),
        "{found:?}"
    );
    assert_eq!(
        relayout_in_place(&mut [true, false], &whole, &whole),
        Ok(())
    );
    let packed = layout("u8[2]{0:L(4)E(4)}");
    let whole = layout("u8[2]{0}");
    let mut numbers = [0x21_u8, 0];
    let as_bytes = relayout_bytes_in_place(&mut [0x21, 0], &packed, &whole);
    assert_eq!(relayout_in_place(&mut numbers, &packed, &whole), as_bytes);
}

/// A reversed dimension that the source has in merged dimensions, or in several digits, is refused.
/// Another one is copied.
#[test]
fn reversed_dimensions_and_merged_ones() {
    let merged = layout("s32[4,2,3,2]{3,2,1,0:T(*,*,4)(3,2)}");
    assert!(!merged.terms().is_empty());
    let is_merged = |dimension| {
        merged
            .terms()
            .iter()
            .any(|term| term.digit.dim == dimension)
    };
    let digits = |dimension| merged.modes().filter(|mode| mode.dim == dimension).count();
    let merged = merged.clone().ranked::<4>().unwrap();
    let mut copied = [false; 4];
    for (dimension, copied) in copied.iter_mut().enumerate() {
        let mut strides = [12_isize, 6, 2, 1];
        strides[dimension] *= -1;
        let reversed = StridedLayout::new::<i32>([4, 2, 3, 2], strides).unwrap();
        let plan = Plan::new(&merged, &reversed);
        *copied = plan.is_ok();
        assert_eq!(
            *copied,
            !is_merged(dimension) && digits(dimension) == 1,
            "dimension {dimension}"
        );
        if !*copied {
            assert_eq!(plan.err(), Some(RelayoutError::Reversed { dimension }));
        }
    }
    assert!(
        copied.contains(&true) && copied.contains(&false),
        "{copied:?}"
    );
}
