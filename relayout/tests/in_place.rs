//! Copies within one buffer against a copy to another.
use crate::support::{bytes, naive, pairs};
use proptest::prelude::*;
use xlayout_core::{ArrayLayout, DynLayout};
use xlayout_relayout::{RelayoutError, relayout_bytes_in_place};

/// Compares the elements; what is padding afterwards may hold anything.
fn check(a: &DynLayout, b: &DynLayout) {
    let input = bytes(a.bytes());
    let mut found = input.clone();
    if let Err(error) = relayout_bytes_in_place(&mut found, a, b) {
        let differ = a.bytes() != b.bytes() || a.element_bits() != b.element_bits();
        assert!(
            matches!(error, RelayoutError::InPlace { .. }) && differ,
            "{error}"
        );
        assert_eq!(found, input);
        return;
    }
    let mut expected = found.clone();
    naive(a, b, &input, &mut expected);
    assert!(found == expected, "{a:?} -> {b:?}");
}

proptest! {
    #![proptest_config(crate::support::config())]

    #[test]
    fn random_pairs((a, b) in pairs(5_000)) {
        check(&a, &b);
        check(&b, &a);
        if a.rank() == 0 {
            return Ok(());
        }
        // Other sequences of the same dimensions always fit.
        let dense = |reverse: bool| -> DynLayout {
            let mut order: Vec<_> = (0..a.rank()).map(|dim| dim.to_string()).collect();
            if reverse {
                order.reverse();
            }
            let text = a.array_shape().to_string();
            let shape = &text[..=text.find(']').unwrap()];
            let bits = if a.element_bits() < 8 { format!(":E({})", a.element_bits()) } else { String::new() };
            format!("{shape}{{{}{bits}}}", order.join(",")).parse().unwrap()
        };
        check(&dense(true), &dense(false));
    }
}

#[test]
fn by_name() {
    for (a, b) in [
        ("f32[40,40]{1,0}", "f32[40,40]{0,1}"),
        ("u8[3,33,33]{2,1,0}", "u8[3,33,33]{1,2,0}"),
        ("u16[33,3,33]{2,1,0}", "u16[33,3,33]{0,1,2}"),
        ("c128[17,17,5]{2,1,0}", "c128[17,17,5]{2,0,1}"),
        ("f32[16,256]{1,0}", "f32[16,256]{1,0:T(8,128)}"),
        ("f32[15,256]{1,0:T(8,128)}", "f32[15,256]{0,1:T(8,16)}"),
        (
            "f32[5,6]<0,1>, padded_dimensions = [6, 8]",
            "f32[5,6]<0,1>, padded_dimensions = [8, 6]",
        ),
        ("u4[5,6]{1,0:E(4)}", "u4[5,6]{0,1:E(4)}"),
        ("f32[]", "f32[]"),
        ("f32[0,3]{1,0}", "f32[0,3]{0,1}"),
    ] {
        check(&a.parse().unwrap(), &b.parse().unwrap());
        check(&b.parse().unwrap(), &a.parse().unwrap());
    }
}
