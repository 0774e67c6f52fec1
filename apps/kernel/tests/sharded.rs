//! Arrays that are spread over devices: a kernel gets the part of its device.
#![allow(unsafe_code, elided_lifetimes_in_paths)]

use crate::support::expand::kernel;
use crate::support::{Array, Call, described};
use xlayout::layout;
use xlayout_kernel::{In, Out};

const F32: i32 = 11;

// Eight rows over four devices: each has two.
type Spread = layout!(f32[8,3]{1,0}, sharding = {devices=[4,1]<=[4]});
// Columns over two devices, of any number of rows.
type Columns = layout!(f32[?,6]{1,0}, sharding = {devices=[1,2]<=[2]});

fn rows(x: In<Spread>, mut y: Out<Spread>) {
    assert_eq!(x.layout().to_string(), "f32[2,3]{1,0}");
    y.memory_mut().copy_from_slice(x.memory());
}
kernel!(by_rows = rows(x: In<Spread>, y: Out<Spread>));

fn columns(x: In<Columns>) {
    assert_eq!(x.layout().to_string(), "f32[5,3]{1,0}");
}
kernel!(by_columns = columns(x: In<Columns>));

#[test]
fn the_part_of_a_device() {
    let mut x = [1.0_f32; 15];
    let mut y = [0.0_f32; 15];
    let array = |dims: &[i64], at: &mut [f32; 15]| vec![Array::at(F32, dims, at.as_mut_ptr())];
    let mut call = Call {
        arguments: array(&[2, 3], &mut x),
        results: array(&[2, 3], &mut y),
        ..Call::default()
    };
    assert_eq!(call.run(by_rows), Ok(()));
    assert_eq!(y[..7], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0]);
    let mut call = Call {
        arguments: array(&[5, 3], &mut x),
        ..Call::default()
    };
    assert_eq!(call.run(by_columns), Ok(()));
    call.arguments = array(&[2, 6], &mut x);
    assert_eq!(
        call.run(by_columns).unwrap_err().1,
        "kernel `by_columns`: argument `x` is declared as f32[?,3]{1,0}, and the call has f32[2,6]; \
         dimension 1 must be 3, not 6 (f32[?,6]{1,0} is the whole, of which this is the part of a \
         device: {devices=[1,2]<=[2]})"
    );
}

#[test]
fn is_described() {
    let text = serde_json::Value::from(described(module_path!())).to_string();
    for part in [
        r#""global_shape":"f32[8,3]{1,0}""#,
        r#""sharding":"{devices=[4,1]<=[4]}""#,
        r#""shape":"f32[2,3]{1,0}""#,
        r#""global_shape":"f32[?,6]{1,0}""#,
        r#""shape":"f32[?,3]{1,0}""#,
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}
