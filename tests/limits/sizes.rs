//! One rule for the sizes of typed, partly typed and run-time layouts.

use xlayout::shape::NotLowered;
use xlayout::{ArrayLayout, ArrayShape, DynLayout, LayoutError, SliceView, layout};

use crate::limits::Draw;

const MAX: usize = isize::MAX as usize;

/// Sizes at the limits, on every width of pointers.
const SIZES: [usize; 12] = [
    0,
    1,
    2,
    3,
    1 << (usize::BITS / 2 - 2),
    1 << (usize::BITS / 2 - 1),
    1 << (usize::BITS - 3),
    1 << (usize::BITS - 2),
    MAX - 1,
    MAX,
    MAX + 1,
    usize::MAX,
];

/// The rule, in numbers that do not overflow.
fn fits(sizes: &[usize], bytes: u128) -> bool {
    let product = |sizes: &mut dyn Iterator<Item = usize>| {
        sizes.fold(1_u128, |product, n| product.saturating_mul(n as u128))
    };
    sizes.iter().all(|&n| n <= MAX)
        && product(&mut sizes.iter().map(|&n| n.max(1))) <= MAX as u128
        && product(&mut sizes.iter().copied()).saturating_mul(bytes) <= MAX as u128
}

/// A partly typed layout against its twin of the run time.
macro_rules! check {
    ($text:literal, $layout:ty, $sizes:expr, $bytes:expr) => {{
        let sizes = $sizes;
        let pattern: ArrayShape = $text.parse().expect("it is a shape");
        let typed = <$layout>::with_sizes(sizes);
        let run_time = DynLayout::with_sizes(&pattern, &sizes);
        assert_eq!(typed.is_ok(), fits(&sizes, $bytes), "{sizes:?}");
        match (typed, run_time) {
            (Ok(typed), Ok(run_time)) => {
                assert_eq!(DynLayout::from(typed), run_time);
                assert_eq!(typed.to_string(), run_time.to_string());
                assert_eq!(typed.elements(), run_time.elements());
                assert_eq!(typed.buffer_len(), run_time.buffer_len());
                assert_eq!(typed.bytes(), run_time.bytes());
                true
            }
            (Err(typed), Err(run_time)) => {
                // XLA's own rule speaks first where the sizes fit a shape.
                if !matches!(run_time, LayoutError::Invalid(_)) {
                    assert_eq!(typed, run_time, "{sizes:?}");
                }
                false
            }
            (typed, run_time) => panic!("{sizes:?}: {typed:?}, {run_time:?}"),
        }
    }};
}

#[test]
fn two_sizes_of_the_run_time() {
    let mut taken = 0;
    for (a, b) in SIZES.iter().flat_map(|&a| SIZES.map(|b| (a, b))) {
        taken += usize::from(check!("f32[?,?]{1,0}", layout!(f32[?,?]{1,0}), [a, b], 4));
        check!("f32[?,?]{0,1}", layout!(f32[?,?]{0,1}), [a, b], 4);
        check!("c128[?,?]{1,0}", layout!(c128[?,?]{1,0}), [a, b], 16);
        check!("u8[?,?]{0,1}", layout!(u8[?,?]{0,1}), [a, b], 1);
    }
    assert!(taken > 20 && taken < SIZES.len().pow(2) - 20, "{taken}");
}

#[test]
fn sizes_of_the_run_time_beside_others() {
    let mut draw = Draw(7);
    for _ in 0..3000 {
        let [a, b, c] = [0; 3].map(|_: usize| SIZES[draw.below(SIZES.len())]);
        check!(
            "f32[?,?,?]{2,1,0}",
            layout!(f32[?,?,?]{2,1,0}),
            [a, b, c],
            4
        );
        check!(
            "f32[?,?,?]{0,2,1}",
            layout!(f32[?,?,?]{0,2,1}),
            [a, b, c],
            4
        );
        check!(
            "f32[?,1000,?]{2,0,1}",
            layout!(f32[?,1000,?]{2,0,1}),
            [a, 1000, c],
            4
        );
        check!("u8[?,0,?]{2,0,1}", layout!(u8[?,0,?]{2,0,1}), [a, 0, c], 1);
    }
}

/// The text of an error is true.
#[test]
fn no_sizes_that_text_cannot_write() {
    let with = |sizes| <layout!(f32[?,?]{1,0})>::with_sizes(sizes).err();
    let empty = Some(LayoutError::Lower(NotLowered::EmptyTooLarge));
    assert_eq!(with([usize::MAX, 0]), empty);
    assert_eq!(with([0, usize::MAX]), empty);
    let large = Some(LayoutError::Lower(NotLowered::TooLarge));
    assert_eq!(with([usize::MAX, 1]), large);
    assert_eq!(with([MAX, 0]), None);
    let three = |sizes| <layout!(f32[?,?,?]{2,1,0})>::with_sizes(sizes).err();
    assert_eq!(three([0, MAX, MAX]), empty);
    assert_eq!(
        NotLowered::EmptyTooLarge.to_string(),
        "the array has no elements, but the product of its other sizes is more than this target can \
         address, so it has no strides; use smaller dimensions beside the one of size 0"
    );
}

/// 2^30 elements of 4 bytes: on a 32-bit target the bytes wrap to 0.
#[test]
fn bytes_that_wrap_in_32_bits() {
    type Matrix = layout!(f32[?,?]{1,0});
    let typed = Matrix::with_sizes([32768, 32768]);
    let run_time = "f32[32768,32768]".parse::<DynLayout>();
    if cfg!(target_pointer_width = "64") {
        assert_eq!(typed.expect("4 GiB").bytes() as u64, 1 << 32);
        assert_eq!(run_time.expect("4 GiB").bytes() as u64, 1 << 32);
    } else {
        let large = LayoutError::Lower(NotLowered::TooLarge);
        assert_eq!(typed.err(), Some(large.clone()));
        assert_eq!(run_time.err(), Some(large));
    }
    // The text and the shape are XLA's, in 64 bits on every target.
    let shape: ArrayShape = "f32[32768,32768]".parse().expect("it is a shape");
    assert_eq!(shape.to_string(), "f32[32768,32768]{1,0}");
    // The largest array of bytes.
    let most = <layout!(u8[?]{0})>::with_sizes([MAX]).expect("it can be addressed");
    assert_eq!(most.bytes(), MAX);
    assert!(SliceView::new(most, &[0_u8; 1][..]).is_err());
}

/// What a permuted or sliced layout has for sizes obeys the rule, too.
#[test]
fn permuted_and_sliced_empty_layouts() {
    use xlayout::types::nat;
    type Empty = layout!(u8[?,?,?]{2,1,0});
    for sizes in [[0, MAX, 1], [1, MAX, 0], [MAX / 2, 0, 2]] {
        let layout = Empty::with_sizes(sizes).expect("the product of the others fits");
        let view = SliceView::new(layout, &[0_u8; 0][..]).expect("it has no elements");
        let permuted = view.permute(nat![2, 0, 1]);
        let [a, b, c] = sizes;
        assert_eq!(permuted.layout().shape(), [c, a, b]);
        assert_eq!(DynLayout::from(*permuted.layout()).shape()[..], [c, a, b]);
        let part = view.into_slice::<0>(0..0).expect("nothing is a part");
        assert_eq!(DynLayout::from(*part.layout()).shape()[..], [0, b, c]);
    }
}
