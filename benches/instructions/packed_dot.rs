//! The dot product of rows of 4-bit numbers.

use xlayout::{ArrayRef, Packed, Rank, SliceView, layout};

pub const ELEMENTS: usize = 4_001;

type Row = layout!(s4[?]{0:E(4)});
type FixedRow = layout!(s4[4001]{0:E(4)});

/// The loop that the documentation of [`Packed`] shows.
#[inline(always)]
fn along(a: &ArrayRef<Packed, impl Rank<1>>, b: &ArrayRef<Packed, impl Rank<1>>) -> i32 {
    let products = a
        .axis::<0>()
        .map(|i| i32::from(a.at((i,))) * i32::from(b.at((i.get(),))));
    products.sum()
}

#[inline(never)]
pub fn axis(a: SliceView<'_, Packed, Row>, b: SliceView<'_, Packed, Row>) -> i32 {
    along(&a, &b)
}

#[inline(never)]
pub fn fixed(a: SliceView<'_, Packed, FixedRow>, b: SliceView<'_, Packed, FixedRow>) -> i32 {
    along(&a, &b)
}

#[inline(never)]
pub fn zip(a: SliceView<'_, Packed, Row>, b: SliceView<'_, Packed, Row>) -> i32 {
    let products = a
        .iter()
        .zip(b.iter())
        .map(|(x, y)| i32::from(x) * i32::from(y));
    products.sum()
}

/// Runs all on the same numbers, and `hand` on their memory, and compares the results.
pub fn run(hand: fn(&[u8], &[u8], usize) -> i32) {
    let bytes = |seed: usize| -> Vec<u8> {
        (0..ELEMENTS.div_ceil(2))
            .map(|n| (n * 37 + seed) as u8)
            .collect()
    };
    let [a, b] = [bytes(0), bytes(5)];
    let elements = std::hint::black_box(ELEMENTS);
    let expected = hand(&a, &b, elements);

    let row = Row::with_sizes([elements]).unwrap();
    let view = |bytes| SliceView::packed(row, bytes).unwrap();
    assert_eq!(axis(view(&a), view(&b)), expected);
    assert_eq!(zip(view(&a), view(&b)), expected);

    let view = |bytes| SliceView::packed(FixedRow::NEW, bytes).unwrap();
    assert_eq!(fixed(view(&a), view(&b)), expected);
}
