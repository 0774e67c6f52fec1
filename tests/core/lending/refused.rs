//! What is refused because two things that are lent at the same time would share a byte: law 3.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::some;
use xlayout::{Array, DynLayout, LayoutError, Packed};
use xlayout_model::Model;

/// What a call panics with.
fn panic_of<R>(call: impl FnOnce() -> R) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(|| drop(call()))).err()?;
    panic.downcast_ref::<String>().cloned()
}

/// Rows of which two share a byte, or which begin inside a byte, are refused before the first one
/// is lent.
#[test]
fn rows_share_no_byte() {
    let ranked = |text: &str| {
        let layout = text.parse::<DynLayout>().unwrap().ranked::<2>().unwrap();
        Array::packed_from_fn(layout, |&[i, j]| (i + j) as i8).unwrap()
    };
    let shares =
        "a part that begins or ends at 1 in dimension 0 may share a byte with another part";
    // Rows 0 and 1 have the linear indices 0, 3 and 2, 5: both have elements in byte 1.
    let mut three = ranked("s4[3,2]{0,1:E(4)}");
    let mut two = three.with_step_mut::<0>(.., 2).unwrap();
    // To read, rows may share bytes.
    assert!(two.rows().map(|row| row.at([1])).eq([1, 3]));
    let why = panic_of(|| two.rows_mut()).expect("the rows share byte 1");
    assert!(why.starts_with(shares), "{why}");
    let mut twelve = ranked("u1[12,3]{0,1:E(1)}");
    let mut two = twelve.with_step_mut::<0>(.., 8).unwrap();
    let why = panic_of(|| two.rows_mut()).expect("the rows share byte 1");
    assert!(why.starts_with(shares), "{why}");
    // Row 1 begins inside a byte, and so does column 1 of the other array.
    let columns = ranked("u1[3,12]{1,0:E(1)}");
    for why in [
        panic_of(|| twelve.rows()),
        panic_of(|| twelve.rows_mut()),
        panic_of(|| columns.columns()),
    ] {
        let why = why.expect("a line begins inside a byte");
        assert!(why.contains("share a byte with another part"), "{why}");
    }
    // One row shares nothing. Rows of whole bytes share nothing.
    let mut whole = twelve.slice_mut::<0>(..).unwrap();
    let mut one_row = whole.with_step_mut::<0>(.., 12).unwrap();
    one_row.rows_mut().for_each(|mut row| row.fill(1));
    assert!(one_row.iter().eq([1, 1, 1]));
    let mut bytes = ranked("u4[3,4]{1,0:E(4)}");
    let rows: Vec<_> = bytes.rows_mut().collect();
    std::thread::scope(|scope| {
        for (i, mut row) in rows.into_iter().enumerate() {
            scope.spawn(move || row.fill(i as i8));
        }
    });
    assert_eq!(bytes.as_bytes(), [0, 0, 0x11, 0x11, 0x22, 0x22]);
    // Without elements, rows share nothing, and there may be some.
    assert_eq!(ranked("u4[3,0]{1,0:E(4)}").rows_mut().len(), 3);
    assert_eq!(ranked("u4[0,3]{0,1:E(4)}").rows_mut().len(), 0);
}

/// Every split of every array of one dimension in two levels of tiles: one that is accepted divides
/// no byte.
#[test]
fn splits_divide_no_byte() {
    let mut accepted = 0;
    let all: Vec<_> = all_of([[4, 2, 1], [6, 5, 8], [3, 2, 4], [4, 1, 2]]).collect();
    for &(bits, size, outer, inner) in some(&all, 4) {
        let text = format!("u{bits}[{size}]{{0:T({outer})({inner})E({bits})}}");
        let Ok(layout) = text.parse::<DynLayout>() else {
            continue;
        };
        let model = Model::new(layout.array_shape());
        let byte = |i: usize| model.place(&[i]) * model.bits / 8;
        let array = Array::<Packed, _>::zeros(layout).unwrap();
        for at in 1..size {
            let shares = (0..at).any(|left| (at..size).any(|right| byte(left) == byte(right)));
            match array.split_at::<0>(at) {
                Ok(_) => assert!(!shares, "{text} at {at}"),
                Err(LayoutError::SharedByte { .. } | LayoutError::NoSlice(_)) => continue,
                Err(why) => panic!("{text} at {at}: {why}"),
            }
            accepted += 1;
        }
    }
    let expected = if cfg!(miri) { 1 } else { 20 };
    assert!(accepted >= expected, "only {accepted} splits are accepted");
    // Elements 3 and 4 are in byte 2.
    let mut array =
        Array::<Packed, _>::zeros("s4[6]{0:T(3)(4)E(4)}".parse::<DynLayout>().unwrap()).unwrap();
    let why = array.split_at_mut::<0>(4).unwrap_err();
    assert!(matches!(why, LayoutError::SharedByte { .. }), "{why}");
}

/// All choices of four numbers.
fn all_of([a, b, c, d]: [[usize; 3]; 4]) -> impl Iterator<Item = (usize, usize, usize, usize)> {
    let digits = (0..81).map(|n: usize| [n / 27, n / 9 % 3, n / 3 % 3, n % 3]);
    digits.map(move |[i, j, k, l]| (a[i], b[j], c[k], d[l]))
}
