//! The code that `#[xlayout_kernel::kernel]` writes, found through the description and called like
//! XLA.
#![allow(unsafe_code)]

use crate::support::{Array, Call, Value, described};
use serde_json::Value as Json;
use xlayout_kernel::abi::Handler;

const S32: i32 = 4;
const F32: i32 = 11;

#[warn(clippy::pedantic, clippy::nursery, clippy::undocumented_unsafe_blocks)]
mod kernels {
    use xlayout::layout;
    use xlayout_kernel::{In, InOut, Out, Pool, Result, Scalar};

    /// y = a * x
    ///
    ///     in code
    #[xlayout_kernel::kernel]
    fn scale(
        a: Scalar<f32>,
        x: In<layout!(f32[?,2]{1,0})>,
        mut y: Out<layout!(f32[?,2]{1,0})>,
    ) -> Result<()> {
        for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
            *y = *a * x;
        }
        Ok(())
    }

    #[xlayout_kernel::kernel]
    fn product(
        left: In<layout!(f32[?M,?K]{1,0})>,
        right: In<layout!(f32[?K,?N]{0,1})>,
        mut out: Out<xlayout::layout!(f32[?M,?N]{1,0})>,
    ) {
        let left = left.memory();
        let right = right.memory();
        let out = out.memory_mut();
        let inner = (left.len() * right.len() / out.len()).isqrt();
        let rows = left.chunks(inner);
        let pairs = rows.flat_map(|row| right.chunks(inner).map(move |column| (row, column)));
        for (out, (row, column)) in out.iter_mut().zip(pairs) {
            *out = row.iter().zip(column).map(|(a, b)| a * b).sum();
        }
    }

    type Columns = layout!(f32[?A,?B]{0,1});

    /// Behind an alias, `?B` is the same size; `?_` is any.
    #[xlayout_kernel::kernel(name = "mixed", batch)]
    fn mixes(
        mut z: InOut<Columns>,
        free: In<layout!(s32[?_,?B]{1,0})>,
        r#type: Option<&str>,
        list: &[i32],
        pool: Pool,
    ) -> std::result::Result<(), std::num::ParseIntError> {
        assert!(free.memory().iter().all(|n| *n >= 0), "a negative number");
        let add = list.iter().sum::<i32>() + r#type.unwrap_or("0").parse::<i32>()?;
        for z in z.memory_mut() {
            *z += f32::from(i16::try_from(add).unwrap_or(0));
        }
        let _ = pool.threads();
        Ok(())
    }
}

fn found(name: &str) -> Json {
    let mut kernels = described(module_path!()).into_iter();
    kernels.find(|kernel| kernel["name"] == name).unwrap()
}

/// The function at the address that the description has.
fn handler(name: &str) -> Handler {
    let address = usize::try_from(found(name)["handler"].as_u64().unwrap()).unwrap();
    let address: *const () = std::ptr::with_exposed_provenance(address);
    // SAFETY: the description has the addresses of handlers, which are functions of this program.
    unsafe { std::mem::transmute(address) }
}

fn array(dtype: i32, dims: &[i64], data: &mut [f32]) -> Array {
    Array::at(dtype, dims, data.as_mut_ptr())
}

#[test]
fn all_are_found_with_what_the_macro_saw() {
    let described = described(module_path!());
    let names: Vec<_> = described.iter().map(|k| k["name"].clone()).collect();
    assert_eq!(names, ["mixed", "product", "scale"]);
    let scale = found("scale");
    assert_eq!(scale["doc"], "y = a * x\n\n    in code");
    assert_eq!(scale["batch"], false);
    assert_eq!(scale["module"], "main::attribute::kernels");
    let line = 1 + include_str!("attribute.rs")
        .lines()
        .position(|line| line.trim_start().starts_with("fn scale("))
        .unwrap();
    let source = scale["source"].as_str().unwrap();
    assert!(
        source.ends_with(&format!("tests/attribute.rs:{line}")),
        "{source}"
    );
    assert_eq!(found("mixed")["batch"], true);
    // Exported programs hold it, so that no compiler and no machine may change it. Another program
    // computed these from `x: in f32[?,2]{1,0}; y: out f32[?,2]{1,0}; a = f32`, from
    // `left: in f32[?M,?K]{1,0}; right: in f32[?K,?N]{0,1}; out: out f32[?M,?N]{1,0}`, and from
    // `batch; z: in out f32[?A,?B]{0,1}; free: in s32[?_,?B]{1,0}; list = [s32]; type = string?`.
    assert_eq!(scale["declaration"], "4d3a4116d7b860b0");
    assert_eq!(found("product")["declaration"], "3bc334db91c38bc6");
    assert_eq!(found("mixed")["declaration"], "2a46c0c84843dd82");

    let dimensions = |kernel: &str| -> Vec<_> {
        let parameters = found(kernel)["parameters"].as_array().unwrap().clone();
        let shown = |p: &Json| format!("{} {} {}", p["name"], p["kind"], p["dimensions"]);
        parameters.iter().map(shown).collect()
    };
    assert_eq!(
        dimensions("scale"),
        [
            r#""a" "scalar" null"#,
            r#""x" "in" ["?0",2]"#,
            r#""y" "out" ["?0",2]"#
        ]
    );
    assert_eq!(
        dimensions("product"),
        [
            r#""left" "in" ["M","K"]"#,
            r#""right" "in" ["K","N"]"#,
            r#""out" "out" ["M","N"]"#
        ]
    );
    assert_eq!(
        dimensions("mixed"),
        [
            r#""z" "in_out" ["A","B"]"#,
            r#""free" "in" [null,"B"]"#,
            r#""type" "string" null"#,
            r#""list" "array" null"#,
            r#""pool" "context" null"#
        ]
    );
}

#[test]
fn runs() {
    let mut x = [1.0, 2.0, 3.0, 4.0];
    let mut y = [0.0; 4];
    let a = 2.5_f32;
    let mut call = Call {
        arguments: vec![array(F32, &[2, 2], &mut x)],
        results: vec![array(F32, &[2, 2], &mut y)],
        attributes: vec![("a".into(), Value::scalar(F32, &a))],
        ..Call::default()
    };
    assert_eq!(call.run(handler("scale")), Ok(()));
    assert_eq!(y, [2.5, 5.0, 7.5, 10.0]);
}

#[test]
fn sizes_of_one_name_are_equal() {
    let product = |a: [i64; 2], b: [i64; 2], c: [i64; 2]| {
        let mut memory = [[1.0; 64], [2.0; 64], [0.0; 64]];
        let [of_a, of_b, of_c] = &mut memory;
        let mut call = Call {
            arguments: vec![array(F32, &a, of_a), array(F32, &b, of_b)],
            results: vec![array(F32, &c, of_c)],
            ..Call::default()
        };
        call.run(handler("product")).map(|()| memory[2][0])
    };
    assert_eq!(product([4, 3], [3, 5], [4, 5]), Ok(6.0));
    // Without names the dimensions 0 of `a` and `b` would have to be equal.
    assert_eq!(product([2, 8], [8, 2], [2, 2]), Ok(16.0));
    for (a, b, c, blamed) in [
        ([4, 3], [2, 5], [4, 5], "`right`"),
        ([4, 3], [3, 5], [3, 5], "`out`"),
        ([4, 3], [3, 5], [4, 4], "`out`"),
    ] {
        let (code, message) = product(a, b, c).unwrap_err();
        assert_eq!(code, 3);
        assert!(message.contains(blamed), "{message}");
    }
}

#[test]
fn what_a_kernel_answers_is_passed_on() {
    let run = |word: Option<&'static str>, list: &[i32], numbers: &mut [i32]| {
        let mut z = [1.0_f32, 2.0];
        let columns = i64::try_from(numbers.len()).unwrap();
        let mut attributes = vec![("list".into(), Value::array(S32, list))];
        attributes.extend(word.map(|word| ("type".into(), Value::string(word.as_bytes()))));
        let data = z.as_mut_ptr();
        let mut call = Call {
            arguments: vec![
                Array::at(F32, &[1, 2], data),
                Array::at(S32, &[1, columns], numbers.as_mut_ptr()),
            ],
            results: vec![Array::at(F32, &[1, 2], data)],
            attributes,
            ..Call::default()
        };
        call.run(handler("mixed")).map(|()| z)
    };
    assert_eq!(run(None, &[1, 2], &mut [0, 0]), Ok([4.0, 5.0]));
    assert_eq!(run(Some("-3"), &[], &mut [0, 0]), Ok([-2.0, -1.0]));
    let (_, message) = run(Some("x"), &[], &mut [0, 0]).unwrap_err();
    assert!(message.contains("invalid digit"), "{message}");
    let (code, message) = run(None, &[], &mut [0, -1]).unwrap_err();
    assert!(message.contains("a negative number"), "{message}");
    assert_eq!(code, 13);
    // `?B` is one size, though it is behind an alias in the one layout and visible in the other.
    assert_eq!(run(None, &[], &mut [0, 0, 0]).unwrap_err().0, 3);
}
