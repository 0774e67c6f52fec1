//! Calls that succeed, and what their kernels get.

use std::ptr::null_mut;

use xlayout_kernel::abi::{self, Handler};

use super::kernels::*;
use super::{F32, F64, PRED, S4, S64, call};
use crate::support::{Array, Call, Value};

#[test]
fn accepted() {
    let mut a = [0.0_f32; 64];
    let mut b = [0.0_f32; 64];
    let x = a.as_mut_ptr();
    let y = b.as_mut_ptr();
    let rows = |n: i64, at: *mut f32| Array::at(F32, &[n, 4], at);
    let ok = |handler: Handler, mut call: Call| assert_eq!(call.run(handler), Ok(()));
    ok(plain, call(vec![rows(3, x)], vec![rows(3, y)]));
    ok(
        plain,
        call(vec![rows(3, x)], vec![rows(3, x.wrapping_add(12))]),
    );
    ok(named, call(vec![rows(3, x)], vec![rows(3, y)]));
    ok(free, call(vec![rows(3, x)], vec![rows(4, y)]));
    ok(square, call(vec![Array::at(F32, &[4, 4], x)], vec![]));
    // An array without elements needs no memory: its pointer may be null or unaligned.
    ok(
        plain,
        call(vec![rows(0, null_mut())], vec![rows(0, null_mut())]),
    );
    ok(
        plain,
        call(
            vec![rows(0, x.wrapping_byte_add(1))],
            vec![rows(0, x.wrapping_byte_add(1))],
        ),
    );
    ok(
        in_place,
        call(
            vec![Array::at(PRED, &[0], x)],
            vec![Array::at(PRED, &[0], y)],
        ),
    );
}

#[test]
fn stages_before_execution_do_nothing() {
    for stage in [0, 1, 2, 4, -1] {
        let mut call = call(vec![], vec![]);
        call.stage = stage;
        assert_eq!(call.run(plain), Ok(()));
    }
}

#[test]
fn truths() {
    let mut x = [0_u8, 1, 1];
    let mut y = [7_u8, 0x80, 0xff];
    let pred = |at: &mut [u8; 3]| Array::at(PRED, &[3], at.as_mut_ptr());
    assert_eq!(
        call(vec![pred(&mut x)], vec![pred(&mut y)]).run(negate),
        Ok(())
    );
    assert_eq!(y, [1, 0, 0]);
    let at = y.as_mut_ptr();
    let array = || vec![Array::at(PRED, &[3], at)];
    assert_eq!(call(array(), array()).run(in_place), Ok(()));
    assert_eq!(y, [0, 1, 1]);
}

#[test]
fn narrow_elements_and_raw_ones() {
    let mut x = [0x21_u8, 0x0f];
    let mut y = [0_i8; 3];
    let arguments = vec![Array::at(S4, &[3], x.as_mut_ptr())];
    let results = vec![Array::at(2, &[3], y.as_mut_ptr())];
    assert_eq!(call(arguments, results).run(unpack), Ok(()));
    assert_eq!(y, [1, 2, -1]);
    let mut x = [3_u8, 4];
    let mut y = [0_u8; 2];
    let arguments = vec![Array::at(23, &[2], x.as_mut_ptr())];
    let results = vec![Array::at(23, &[2], y.as_mut_ptr())];
    assert_eq!(call(arguments, results).run(bits), Ok(()));
    assert_eq!(y, [4, 0x58]);
}

#[test]
fn attributes_are_optional() {
    let mut y = [0.0_f64; 4];
    let half = 0.5_f32;
    let weights = [1_i64, 2];
    let yes = true;
    let mut run = |more: Vec<(String, Value)>| {
        let mut attributes = vec![
            ("a".into(), Value::scalar(F32, &half)),
            ("weights".into(), Value::array(S64, &weights)),
        ];
        attributes.extend(more);
        let mut call = Call {
            results: vec![Array::at(F64, &[4], y.as_mut_ptr())],
            attributes,
            ..Call::default()
        };
        assert_eq!(call.run(passes), Ok(()));
        y
    };
    let flag = || ("flag".into(), Value::scalar(PRED, &yes));
    let mode = || ("mode".into(), Value::string("größer".as_bytes()));
    assert_eq!(run(vec![]), [0.5, -1.0, -1.0, 3.0]);
    assert_eq!(run(vec![flag()]), [0.5, 1.0, -1.0, 3.0]);
    assert_eq!(run(vec![mode()]), [0.5, -1.0, 8.0, 3.0]);
    assert_eq!(run(vec![flag(), mode()]), [0.5, 1.0, 8.0, 3.0]);
    // An empty array has no place, a string neither.
    let nothing: [i64; 0] = [];
    let mut call = Call {
        results: vec![Array::at(F64, &[4], y.as_mut_ptr())],
        attributes: vec![
            ("a".into(), Value::scalar(F32, &half)),
            ("mode".into(), Value::string(&[])),
            ("weights".into(), Value::array(S64, &nothing)),
        ],
        ..Call::default()
    };
    assert_eq!(call.run(passes), Ok(()));
    assert_eq!(y, [0.5, -1.0, 0.0, 0.0]);
}

#[test]
fn a_thousand_calls() {
    let mut x = vec![0_u8; 300];
    let mut y = vec![1_u8; 300];
    for k in 0..1000_usize {
        let n = (k % 300) as i64;
        let arguments = vec![Array::at(PRED, &[n], x.as_mut_ptr())];
        let results = vec![Array::at(PRED, &[n], y.as_mut_ptr())];
        let mut call = call(arguments, results);
        if k % 7 == 3 {
            call.attributes = vec![("k".into(), Value::scalar(S64, &7_i64))];
            assert_eq!(call.run(negate).unwrap_err().0, 3);
        } else {
            assert_eq!(call.run(negate), Ok(()));
        }
    }
}

#[test]
fn a_string_without_letters() {
    let mut out = [0.0_f64; 4];
    let half = 0.5_f32;
    let weights = [1_i64];
    let empty = abi::ByteSpan {
        data: std::ptr::null(),
        len: 0,
    };
    let attributes = vec![
        ("a".to_owned(), Value::scalar(F32, &half)),
        ("mode".to_owned(), Value::String(empty)),
        ("weights".to_owned(), Value::array(S64, &weights)),
    ];
    let mut call = Call {
        results: vec![Array::at(F64, &[4], out.as_mut_ptr())],
        attributes,
        ..Call::default()
    };
    assert_eq!(call.run(passes), Ok(()));
    assert_eq!(out, [0.5, -1.0, 0.0, 1.0]);
}
