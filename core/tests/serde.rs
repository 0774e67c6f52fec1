//! serde in a build without a heap: what fits inside is read and written, what does not is an
//! error. (More is tested from the facade.)
#![cfg(feature = "serde")]

#[cfg(not(feature = "alloc"))]
use xlayout_core::MinorToMajor;
use xlayout_core::{ArrayLayout, ArrayShape, DynLayout, Layout};

#[test]
fn what_fits_is_read() {
    let text = "\"f32[1,2,1,1,1,1,1,1,1,1,1,1,1,1,1,3]{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}\"";
    let array: ArrayShape = serde_json::from_str(text).expect("rank 16 needs no heap");
    assert_eq!(serde_json::to_string(&array).expect("it has a text"), text);
    let layout: DynLayout = serde_json::from_str(text).expect("rank 16 needs no heap");
    assert_eq!(layout.elements(), 6);
    let text = "\"{1,0:T(8,128)(2,1)SC(0:4)}\"";
    let layout: Layout = serde_json::from_str(text).expect("it is short");
    assert_eq!(serde_json::to_string(&layout).expect("it has a text"), text);
}

#[cfg(not(feature = "alloc"))]
#[test]
fn what_does_not_fit_is_an_error() {
    let error = |text: &str| {
        serde_json::from_str::<ArrayShape>(text)
            .unwrap_err()
            .to_string()
    };
    let ones = ["1"; 17].join(",");
    let words = error(&format!("\"f32[{ones}]\""));
    assert!(
        words.contains("help: ") && words.contains("alloc"),
        "{words}"
    );
    let tiles = "(1)".repeat(5);
    let words = error(&format!("\"f32[1]{{0:T{tiles}}}\""));
    assert!(words.contains("alloc"), "{words}");
    let words = serde_json::from_str::<MinorToMajor>(&format!("[{ones}]")).unwrap_err();
    let words = words.to_string();
    assert!(
        words.starts_with("more than 16 entries; turn on the feature `alloc`"),
        "{words}"
    );
}
