//! The code that `#[xlayout_kernel::kernel]` writes, written by hand and called like XLA.
#![allow(unsafe_code, elided_lifetimes_in_paths)]

use crate::support::{Array, Call, Value, described};
use xlayout::layout;
use xlayout_kernel::{In, Out, Result, Scalar};

const F32: i32 = 11;

/// y = a * x
fn scale(
    a: Scalar<f32>,
    x: In<'_, layout!(f32[?, 128]{1,0})>,
    mut y: Out<'_, layout!(f32[?, 128]{1,0})>,
) -> Result<()> {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = *a * x;
    }
    Ok(())
}

mod by_hand {
    use super::*;
    use ::xlayout_kernel::__private::Parameter as Is;

    type A = Scalar<f32>;
    type X<'call> = In<'call, layout!(f32[?, 128]{1,0})>;
    type Y<'call> = Out<'call, layout!(f32[?, 128]{1,0})>;

    pub(crate) enum Table {}
    impl ::xlayout_kernel::__private::Declares for Table {
        const KERNEL: ::xlayout_kernel::__private::Kernel =
            ::xlayout_kernel::__private::Kernel::new(::xlayout_kernel::__private::Source {
                name: "scale",
                doc: "y = a * x",
                module: module_path!(),
                file: file!(),
                line: line!(),
                batch: false,
                parameters: &[
                    ::xlayout_kernel::__private::Declared::new("a", <A as Is<'_>>::KIND),
                    ::xlayout_kernel::__private::Declared::new("x", <X as Is<'_>>::KIND),
                    ::xlayout_kernel::__private::Declared::new("y", <Y as Is<'_>>::KIND),
                ],
                independent: &[],
                vjp: "",
                handlers: ::xlayout_kernel::__private::Handlers::baseline(handler),
            });
        fn passes(fast_check: &::xlayout_kernel::__private::FastCheck<'_, Self>) -> bool {
            <A as Is<'_>>::passes::<Self, 0>(fast_check)
                && <X<'_> as Is<'_>>::passes::<Self, 1>(fast_check)
                && <Y<'_> as Is<'_>>::passes::<Self, 2>(fast_check)
        }
    }
    pub(crate) static KERNEL: ::xlayout_kernel::__private::Kernel =
        <Table as ::xlayout_kernel::__private::Declares>::KERNEL;

    pub(crate) unsafe extern "C" fn handler(
        frame: *mut ::xlayout_kernel::__private::CallFrame,
    ) -> *mut ::xlayout_kernel::__private::XlaError {
        enum Run {}
        impl ::xlayout_kernel::__private::Runs for Run {
            fn run(call: &::xlayout_kernel::__private::Call<'_>) -> Result<()> {
                // SAFETY: each parameter is taken once, as the type that it was declared with.
                let (a, x, y) = unsafe {
                    (
                        <A as Is<'_>>::take(call, &KERNEL, 0)?,
                        <X<'_> as Is<'_>>::take(call, &KERNEL, 1)?,
                        <Y<'_> as Is<'_>>::take(call, &KERNEL, 2)?,
                    )
                };
                call.caught(move || ::xlayout_kernel::__private::into_result(scale(a, x, y)))
            }
        }
        // SAFETY: XLA's frame; each parameter is taken once, as the type that it was declared with.
        unsafe { ::xlayout_kernel::__private::handle::<Table, Run>(frame, &KERNEL) }
    }
    ::xlayout_kernel::__private::submit!(KERNEL);
}

#[test]
fn computes() {
    for rows in [0_i64, 1, 7] {
        let n = 128 * rows as usize;
        let mut x: Vec<f32> = (0..n).map(|k| k as f32).collect();
        let mut y = vec![f32::NAN; n];
        let a = 2.5_f32;
        let mut call = Call {
            arguments: vec![Array::at(F32, &[rows, 128], x.as_mut_ptr())],
            results: vec![Array::at(F32, &[rows, 128], y.as_mut_ptr())],
            attributes: vec![("a".into(), Value::scalar(F32, &a))],
            ..Call::default()
        };
        assert_eq!(call.run(by_hand::handler), Ok(()));
        assert!(y.iter().enumerate().all(|(k, &y)| y == 2.5 * k as f32));
    }
}

#[test]
fn refuses_other_sizes() {
    let mut x = [0.0_f32; 512];
    let mut y = [0.0_f32; 512];
    let a = 1.0_f32;
    let mut call = Call {
        arguments: vec![Array::at(F32, &[3, 128], x.as_mut_ptr())],
        results: vec![Array::at(F32, &[4, 128], y.as_mut_ptr())],
        attributes: vec![("a".into(), Value::scalar(F32, &a))],
        ..Call::default()
    };
    let (code, message) = call.run(by_hand::handler).unwrap_err();
    assert_eq!(code, 3);
    assert!(
        message.contains("`y`") && message.contains("f32[4,128]"),
        "{message}"
    );
}

#[test]
fn answers_for_every_version() {
    for (minor, expected) in [(1, 1), (2, 2), (3, 3), (9, 3)] {
        assert_eq!(
            crate::support::metadata(by_hand::handler, 0, minor),
            Ok((0, expected))
        );
    }
    assert!(crate::support::metadata(by_hand::handler, 1, 0).is_err());
}

#[test]
fn is_described() {
    let text = serde_json::Value::from(described(module_path!())).to_string();
    assert!(text.contains(r#""name":"scale""#), "{text}");
    assert!(text.contains(r#""dimensions":["?0",128]"#), "{text}");
    assert!(text.contains(&format!(
        r#""handler":{}"#,
        by_hand::handler as *const () as usize
    )));
}
