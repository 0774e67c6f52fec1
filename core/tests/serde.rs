//! serde in a build without a heap: what fits inside is read and written, what does not is an
//! error. (More is tested from the facade.)
#![cfg(feature = "serde")]

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
    let fields = r#"[[1,0],[[8,128]],1,null,null,0,5,[[0,[4]]],0,[],"zero"]"#;
    let layout: Layout = serde_json::from_str(fields).expect("it is short");
    assert_eq!(
        layout.to_string(),
        "{1,0:T(8,128)S(5)SC(0:4)}, padding_value = zero"
    );
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
    let words = error(&format!(r#"["f32",[{ones}],null]"#));
    assert!(
        words.starts_with("the list is full; turn on the feature `alloc`"),
        "{words}"
    );
    let words = error(&format!("\"f32[{ones}]\""));
    assert!(
        words.contains("help: ") && words.contains("alloc"),
        "{words}"
    );
    let tiles = ["[1]"; 5].join(",");
    let words = error(&format!(
        r#"["f32",[1],[[0],[{tiles}],1,null,null,0,0,[],0,[],null]]"#
    ));
    assert!(words.starts_with("the list is full"), "{words}");
}
