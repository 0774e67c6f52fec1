//! Which calls are refused, and the messages that the caller gets. `contract/errors.txt`
//! has every text; with `UPDATE_EXPECT=1` it is written anew, to be looked at.
#![allow(unsafe_code, elided_lifetimes_in_paths)]

mod accepted;
mod kernels;

use std::fmt::Write as _;
use std::ptr::null_mut;

use crate::support::{Array, Call, Value};
use kernels::*;
use xlayout_kernel::abi::{self, Handler};

const PRED: i32 = 1;
const S32: i32 = 4;
const S64: i32 = 5;
const F32: i32 = 11;
const F64: i32 = 12;
const S4: i32 = 21;
/// The calls that are refused, and their texts.
#[derive(Default)]
struct Texts(String);

impl Texts {
    fn refused(&mut self, case: &str, handler: Handler, call: &mut Call) {
        let (code, message) = call.run(handler).expect_err(case);
        let _ = write!(self.0, "{case} [{code}]\n    {message}\n");
    }
}

fn call(arguments: Vec<Array>, results: Vec<Array>) -> Call {
    Call {
        arguments,
        results,
        ..Call::default()
    }
}

#[test]
fn refused() {
    // A panic of a kernel is printed to standard error, which is right but long.
    let mut texts = Texts::default();
    let mut a = [0.0_f32; 64];
    let mut b = [0.0_f32; 64];
    let x = a.as_mut_ptr();
    let y = b.as_mut_ptr();
    let rows = |n: i64, at: *mut f32| Array::at(F32, &[n, 4], at);

    texts.refused("no arguments", plain, &mut call(vec![], vec![rows(3, y)]));
    texts.refused(
        "too many of both",
        plain,
        &mut call(vec![rows(3, x), rows(3, x)], vec![rows(3, y), rows(3, y)]),
    );
    texts.refused(
        "an argument to one without",
        knows,
        &mut call(vec![rows(3, x)], vec![rows(3, y)]),
    );
    for (case, dtype, dims) in [
        ("other element type", S32, &[3, 4][..]),
        ("unknown element type", 99, &[3, 4]),
        ("rank too high", F32, &[2, 3, 4]),
        ("rank too low", F32, &[4]),
        ("other size", F32, &[3, 5]),
        ("negative size", F32, &[-3, 4]),
        ("too large", F32, &[i64::MAX, 4]),
        ("too large in bytes", F32, &[1 << 60, 4]),
    ] {
        let arguments = vec![Array::at(dtype, dims, x)];
        texts.refused(case, plain, &mut call(arguments, vec![rows(3, y)]));
    }
    let results = vec![Array::at(F64, &[3, 4], y)];
    texts.refused(
        "other element type of a result",
        plain,
        &mut call(vec![rows(3, x)], results),
    );
    texts.refused(
        "sizes differ",
        plain,
        &mut call(vec![rows(3, x)], vec![rows(4, y)]),
    );
    texts.refused(
        "named sizes differ",
        named,
        &mut call(vec![rows(3, x)], vec![rows(4, y)]),
    );
    texts.refused(
        "a size that is computed",
        wide,
        &mut call(vec![rows(3, x)], vec![rows(5, y)]),
    );
    let arguments = vec![Array::at(F32, &[3, 4], x)];
    texts.refused("a size of one array", square, &mut call(arguments, vec![]));
    texts.refused(
        "no memory",
        plain,
        &mut call(vec![rows(3, null_mut())], vec![rows(3, y)]),
    );
    let odd = x.wrapping_byte_add(2);
    texts.refused(
        "misaligned",
        plain,
        &mut call(vec![rows(3, odd)], vec![rows(3, y)]),
    );
    let within = x.wrapping_add(11);
    texts.refused(
        "overlap",
        plain,
        &mut call(vec![rows(3, x)], vec![rows(3, within)]),
    );

    let mut truths = [0_u8, 1, 2, 1];
    let mut other = [7_u8; 4];
    let pred = |n: i64, at: *mut u8| Array::at(PRED, &[n], at);
    let t = truths.as_mut_ptr();
    let o = other.as_mut_ptr();
    texts.refused(
        "no pred",
        negate,
        &mut call(vec![pred(4, t)], vec![pred(4, o)]),
    );
    texts.refused(
        "no pred to overwrite",
        in_place,
        &mut call(vec![pred(4, t)], vec![pred(4, t)]),
    );
    texts.refused(
        "not aliased",
        in_place,
        &mut call(vec![pred(2, t)], vec![pred(2, o)]),
    );
    texts.refused(
        "aliased in part",
        in_place,
        &mut call(vec![pred(2, t)], vec![pred(3, t)]),
    );
    assert_eq!((truths, other), ([0, 1, 2, 1], [7; 4]));

    let mut out = [0.0_f64; 4];
    let half = 0.5_f32;
    let double = 0.5_f64;
    let weights = [1_i64, 2];
    let text = [b'a', 0xff];
    let bad = 2_u8;
    let needed = || {
        vec![
            ("a", Value::scalar(F32, &half)),
            ("weights", Value::array(S64, &weights)),
        ]
    };
    let mut attributes = |case: &str, wrong: Vec<(&str, Value)>| {
        let mut all = needed();
        all.retain(|(name, _)| wrong.iter().all(|(other, _)| other != name));
        all.extend(wrong);
        let mut call = Call {
            results: vec![Array::at(F64, &[4], out.as_mut_ptr())],
            attributes: all
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            ..Call::default()
        };
        texts.refused(case, passes, &mut call);
    };
    attributes(
        "unknown attribute, near",
        vec![("weigths", Value::scalar(F32, &half))],
    );
    attributes(
        "unknown attribute",
        vec![("zzz", Value::scalar(F32, &half))],
    );
    attributes(
        "other type of number",
        vec![("a", Value::scalar(F64, &double))],
    );
    attributes("string for a number", vec![("a", Value::string(b"x"))]);
    attributes("dictionary for a number", vec![("a", Value::Dictionary)]);
    attributes(
        "number for an array",
        vec![("weights", Value::scalar(S64, &weights[0]))],
    );
    attributes(
        "array of another type",
        vec![("weights", Value::array(F32, &[1.0_f32]))],
    );
    attributes("no UTF-8", vec![("mode", Value::string(&text))]);
    attributes("no word", vec![("word", Value::string(b"hal"))]);
    attributes(
        "number for a word",
        vec![("word", Value::scalar(F32, &half))],
    );
    attributes(
        "number for a string",
        vec![("mode", Value::scalar(F32, &half))],
    );
    attributes("no bool", vec![("flag", Value::scalar(PRED, &bad))]);
    let null = abi::ScalarValue {
        dtype: F32,
        value: std::ptr::null(),
    };
    attributes("null for a number", vec![("a", Value::Scalar(null))]);
    let null = abi::Array {
        dtype: S64,
        size: 2,
        data: std::ptr::null(),
    };
    attributes("null for an array", vec![("weights", Value::Array(null))]);
    let null = abi::ByteSpan {
        data: std::ptr::null(),
        len: 3,
    };
    attributes("null for a string", vec![("mode", Value::String(null))]);
    let long = abi::ByteSpan {
        data: text.as_ptr(),
        len: isize::MAX as usize + 1,
    };
    attributes(
        "a string beyond memory",
        vec![("mode", Value::String(long))],
    );
    attributes("no number", vec![("a", Value::Null(abi::SCALAR))]);
    attributes("no array", vec![("weights", Value::Null(abi::ARRAY))]);
    attributes("no string", vec![("mode", Value::Null(abi::STRING))]);
    let mut missing = Call {
        results: vec![Array::at(F64, &[4], out.as_mut_ptr())],
        attributes: vec![("a".into(), Value::scalar(F32, &half))],
        ..Call::default()
    };
    texts.refused("missing array", passes, &mut missing);
    missing.attributes = vec![("weights".into(), Value::array(S64, &weights))];
    texts.refused("missing number", passes, &mut missing);
    let mut extra = call(vec![rows(3, x)], vec![rows(3, y)]);
    extra.attributes = vec![("a".into(), Value::scalar(F32, &half))];
    texts.refused("an attribute to one without", plain, &mut extra);
    let mut numbers = [0_i64; 2];
    let results = vec![Array::at(S64, &[2], numbers.as_mut_ptr())];
    texts.refused("XLA does not tell", knows, &mut call(vec![], results));

    for n in 0..4 {
        let arguments = vec![Array::at(F32, &[n], x)];
        texts.refused(
            &format!("the kernel fails, {n}"),
            unlucky,
            &mut call(arguments, vec![]),
        );
    }

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/contract/errors.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &texts.0).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap();
    for (found, expected) in texts.0.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(texts.0.lines().count(), expected.lines().count());
}
/// Such an array takes no bytes, but there are no strides for its sizes.
#[test]
fn no_elements_and_sizes_beyond_memory() {
    for sizes in [[0, i64::MAX, i64::MAX], [i64::MAX, i64::MAX, 0]] {
        let mut call = call(vec![Array::at(F32, &sizes, null_mut::<f32>())], vec![]);
        let (code, message) = call.run(empties).unwrap_err();
        assert!(message.contains("larger than memory can be"), "{message}");
        assert_eq!(code, 3);
    }
}
