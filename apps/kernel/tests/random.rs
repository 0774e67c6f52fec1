//! Random calls against random declarations: exactly the right ones are accepted, by a second
//! reading of the rules, and nothing else happens. Both checks give the same result.
#![allow(unsafe_code, elided_lifetimes_in_paths)]

use crate::support::expand::{FULL_CHECK_TOO, kernel};
use crate::support::{Array, Call, Value};
use proptest::prelude::*;
use xlayout::layout;
use xlayout_kernel::abi::Handler;
use xlayout_kernel::{In, InOut, Out, Scalar};

/// The declaration of an array: numbers are sizes, letters names, `?` and `_` as in a layout.
type Declared = (char, i32, &'static [&'static str]);

fn nothing<T>(_: T) {}

type F1 = layout!(f32[?]{0});
type P1 = layout!(pred[?]{0});
type N1 = layout!(s4[?]{0:E(4)});
type F0 = layout!(f64[]);

fn a(_: In<F1>, y: Out<F1>) {
    nothing(y);
}
kernel!(kernel_a = a(x: In<F1>, y: Out<F1>));
fn b(_: Scalar<f32>, _: In<layout!(f32[?N,2]{1,0})>, _: In<layout!(s32[2,?N]{0,1})>, _: Out<F0>) {}
kernel!(kernel_b = b(
    s: Scalar<f32>, x: In<layout!(f32[?N,2]{1,0})>, y: In<layout!(s32[2,?N]{0,1})>, z: Out<F0>,
));
fn c(_: InOut<P1>, _: Option<Scalar<i64>>, _: In<F1>) {}
kernel!(kernel_c = c(x: InOut<P1>, n: Option<Scalar<i64>>, y: In<F1>));
fn d(_: In<layout!(s4[?_]{0:E(4)})>, _: Out<layout!(f32[?_,2]{1,0})>, _: In<layout!(f32[?_]{0})>) {}
kernel!(kernel_d = d(
    x: In<layout!(s4[?_]{0:E(4)})>, y: Out<layout!(f32[?_,2]{1,0})>, z: In<layout!(f32[?_]{0})>,
));

fn e(
    _: Option<&str>,
    _: Scalar<f32>,
    _: Out<layout!(f32[?M]{0})>,
    _: Option<Scalar<i64>>,
    _: InOut<layout!(f32[?M,2]{1,0})>,
    _: Out<F0>,
) {
}
kernel!(kernel_e = e(
    c: Option<&str>, b: Scalar<f32>, x: Out<layout!(f32[?M]{0})>, a: Option<Scalar<i64>>,
    y: InOut<layout!(f32[?M,2]{1,0})>, z: Out<F0>,
));
fn f(_: In<F1>, _: InOut<P1>, _: Out<N1>) {}
kernel!(kernel_f = f batch = true (x: In<F1>, y: InOut<P1>, z: Out<N1>));

fn g(
    _: In<layout!(f32[2*?N - 3]{0})>,
    _: Out<layout!(s32[?N]{0})>,
    _: Out<layout!(f32[?K, ?N - ?K + 3]{1,0})>,
) {
}
kernel!(kernel_g = g(
    x: In<layout!(f32[2*?N - 3]{0})>, y: Out<layout!(s32[?N]{0})>, z: Out<layout!(f32[?K, ?N - ?K + 3]{1,0})>,
));

type ThreeBLessA = layout!(f32[3*?B - ?A]{0});

fn h(
    _: In<layout!(f32[?R + 1]{0})>,
    _: In<ThreeBLessA>,
    _: Out<layout!(f32[2*?A + 1]{0})>,
    _: Out<layout!(f32[?R + ?R - ?A]{0})>,
) {
}
kernel!(kernel_h = h(
    x: In<layout!(f32[?R + 1]{0})>, y: In<ThreeBLessA>, z: Out<layout!(f32[2*?A + 1]{0})>,
    w: Out<layout!(f32[?R + ?R - ?A]{0})>,
));

/// Kernel, arrays, attributes with their types and whether they must be there; whether it runs
/// batches.
type Case = (
    Handler,
    &'static [Declared],
    &'static [(&'static str, i32, bool)],
    bool,
);

const CASES: [Case; 8] = [
    (
        kernel_a,
        &[('i', 11, &["?"]), ('o', 11, &["?"])],
        &[],
        false,
    ),
    (
        kernel_b,
        &[
            ('i', 11, &["N", "2"]),
            ('i', 4, &["2", "N"]),
            ('o', 12, &[]),
        ],
        &[("s", 11, true)],
        false,
    ),
    (
        kernel_c,
        &[('b', 1, &["?"]), ('i', 11, &["?"])],
        &[("n", 5, false)],
        false,
    ),
    (
        kernel_d,
        &[('i', 21, &["_"]), ('o', 11, &["_", "2"]), ('i', 11, &["_"])],
        &[],
        false,
    ),
    (
        kernel_e,
        &[('o', 11, &["M"]), ('b', 11, &["M", "2"]), ('o', 12, &[])],
        &[("a", 5, false), ("b", 11, true), ("c", TEXT, false)],
        false,
    ),
    (
        kernel_f,
        &[('i', 11, &["?"]), ('b', 1, &["?"]), ('o', 21, &["?"])],
        &[],
        true,
    ),
    (
        kernel_g,
        &[
            ('i', 11, &["2*N-3"]),
            ('o', 4, &["N"]),
            ('o', 11, &["K", "N-K+3"]),
        ],
        &[],
        false,
    ),
    (
        kernel_h,
        &[
            ('i', 11, &["R+1"]),
            ('i', 11, &["3*B-A"]),
            ('o', 11, &["2*A+1"]),
            ('o', 11, &["R+R-A"]),
        ],
        &[],
        false,
    ),
];

/// The value of a sum; a name without a size is one of `tried`, in the order of the letters.
fn sum(text: &str, known: &[(String, i64)], tried: &[(char, i64)]) -> i64 {
    let of = |name: &str| {
        let known = known.iter().find(|(other, _)| other == name);
        let tried = tried.iter().find(|(other, _)| name == other.to_string());
        known.map(|row| row.1).or(tried.map(|row| row.1)).unwrap()
    };
    let of_term = |term: &str| match term.split_once('*') {
        Some((factor, name)) => factor.parse::<i64>().unwrap() * of(name),
        None => term.parse().unwrap_or_else(|_| of(term)),
    };
    let added = text.split('+').map(|part| {
        let (first, rest) = part.split_once('-').unwrap_or((part, ""));
        let taken = rest.split('-').filter(|term| !term.is_empty());
        of_term(first) - taken.map(of_term).sum::<i64>()
    });
    added.sum()
}

/// Whether there are sizes of names which are no dimension's that make all sums the sizes of their
/// dimensions.
fn has_solution(sums: &[(&str, i64)], known: &[(String, i64)]) -> bool {
    let letters = sums.iter().flat_map(|(text, _)| text.chars());
    let mut unknown: Vec<char> = letters.filter(char::is_ascii_uppercase).collect();
    unknown.sort_unstable();
    unknown.dedup();
    unknown.retain(|name| !known.iter().any(|(other, _)| *other == name.to_string()));
    // No size of these tests is as large.
    let most = 12_i64;
    (0..most.pow(unknown.len() as u32)).any(|number| {
        let digit = |(place, &name): (usize, &char)| (name, number / most.pow(place as u32) % most);
        let tried: Vec<(char, i64)> = unknown.iter().enumerate().map(digit).collect();
        sums.iter()
            .all(|(text, size)| sum(text, known, &tried) == *size)
    })
}

/// In place of an element type: a string.
const TEXT: i32 = -1;

fn bits(dtype: i32) -> i64 {
    match dtype {
        21 => 4,
        1 => 8,
        4 | 11 => 32,
        _ => 64,
    }
}

#[derive(Clone, Debug)]
struct Given {
    dtype: i32,
    dims: Vec<i64>,
    /// In units of 8 bytes; `None` is null.
    place: Option<usize>,
}

/// The rules once more, over all arrays at once.
fn is_right(case: &Case, given: &[Given], attributes: &[(&str, i32)]) -> bool {
    let mut known: Vec<(String, i64)> = Vec::new();
    let mut sums = Vec::new();
    for ((_, dtype, sizes), given) in case.1.iter().zip(given) {
        if given.dtype != *dtype || given.dims.len() != sizes.len() {
            return false;
        }
        for (d, (&size, declared)) in given.dims.iter().zip(*sizes).enumerate() {
            let name = match *declared {
                "_" => None,
                "?" => Some(format!("?{d}")),
                sum if sum.contains(['+', '-', '*']) => {
                    sums.push((sum, size));
                    None
                }
                number if number.parse::<i64>().is_ok() => {
                    if number.parse() != Ok(size) {
                        return false;
                    }
                    None
                }
                name => Some(name.to_owned()),
            };
            if let Some(name) = name {
                if known.iter().any(|(other, n)| *other == name && *n != size) {
                    return false;
                }
                known.push((name, size));
            }
            if size < 0 {
                return false;
            }
        }
    }
    if !has_solution(&sums, &known) {
        return false;
    }
    let range = |k: usize| {
        let elements: i64 = given[k].dims.iter().product();
        let bytes = (elements * bits(given[k].dtype)).div_euclid(8)
            + i64::from(elements * bits(given[k].dtype) % 8 != 0);
        (given[k].place, bytes as usize)
    };
    for k in 0..given.len() {
        let (place, bytes) = range(k);
        if bytes > 0 && place.is_none() {
            return false;
        }
        for j in 0..k {
            let written = case.1[k].0 != 'i' || case.1[j].0 != 'i';
            if let ((Some(a), m), (Some(b), n)) = ((place, bytes), range(j))
                && written
                && m > 0
                && n > 0
                && 8 * a < 8 * b + n
                && 8 * b < 8 * a + m
            {
                return false;
            }
        }
    }
    attributes.iter().all(|(name, dtype)| {
        case.2
            .iter()
            .any(|(other, expected, _)| other == name && expected == dtype)
    }) && case
        .2
        .iter()
        .all(|(name, _, needed)| !needed || attributes.iter().any(|(other, _)| other == name))
}

fn given() -> impl Strategy<Value = Given> {
    let size =
        prop_oneof![4 => Just(2_i64), 4 => Just(3), 1 => Just(0), 1 => Just(1), 1 => Just(-1)];
    let dtype = prop::sample::select(vec![1, 4, 11, 11, 12, 21, 0, 77]);
    let place = prop_oneof![1 => Just(None), 9 => (0_usize..20).prop_map(Some)];
    (dtype, prop::collection::vec(size, 0..4), place).prop_map(|(dtype, dims, place)| Given {
        dtype,
        dims,
        place,
    })
}

/// Arrays that are near to what is declared: all of it random would rarely be right.
fn near(declared: &'static [Declared]) -> impl Strategy<Value = Vec<Given>> {
    let one = |index: usize, declared: Declared| {
        let dims: Vec<_> = declared
            .2
            .iter()
            .map(|size| match size.parse::<i64>() {
                Ok(n) => Just(n).boxed(),
                Err(_) => prop_oneof![12 => Just(3_i64), 1 => Just(0), 1 => Just(5)].boxed(),
            })
            .collect();
        let apart = Just(Some(20 * index));
        let place = prop_oneof![8 => apart, 1 => Just(None), 1 => (0_usize..60).prop_map(Some)];
        let right = (Just(declared.1), dims, place).prop_map(|(dtype, dims, place)| Given {
            dtype,
            dims,
            place,
        });
        prop_oneof![15 => right, 1 => given()]
    };
    declared
        .iter()
        .enumerate()
        .map(|(index, declared)| one(index, *declared))
        .collect::<Vec<_>>()
}

fn case() -> impl Strategy<Value = (Case, Vec<Given>, Vec<(&'static str, i32)>)> {
    (0..CASES.len()).prop_flat_map(|index| {
        let case = CASES[index];
        let attribute = |(name, dtype, _): (&'static str, i32, bool)| {
            prop_oneof![
                6 => Just(Some((name, dtype))),
                1 => Just(None),
                1 => Just(Some((name, 12))),
                1 => Just(Some(("other", dtype))),
            ]
        };
        let attributes: Vec<_> = case.2.iter().map(|row| attribute(*row)).collect();
        let attributes = attributes.prop_map(|all| all.into_iter().flatten().collect());
        (Just(case), near(case.1), attributes)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(
        std::env::var("KERNEL_CASES").map_or(4000, |n| n.parse().unwrap())
    ))]

    #[test]
    fn exactly_the_right_calls_are_accepted((case, given, attributes) in case()) {
        // Zeros, which are values of every type.
        let mut memory = vec![0_u64; 400];
        let memory = memory.as_mut_ptr();
        let number = 0_u64;
        let mut call = Call::default();
        for ((kind, ..), given) in case.1.iter().zip(&given) {
            let at = match given.place {
                Some(place) => memory.wrapping_add(place),
                None => std::ptr::null_mut(),
            };
            let array = || Array::at(given.dtype, &given.dims, at);
            if *kind != 'o' {
                call.arguments.push(array());
            }
            if *kind != 'i' {
                call.results.push(array());
            }
        }
        for (name, dtype) in &attributes {
            let value = match *dtype {
                TEXT => Value::string(b"text"),
                dtype => Value::scalar(dtype, &number),
            };
            call.attributes.push(((*name).to_owned(), value));
        }
        let outcome = call.run(case.0);
        FULL_CHECK_TOO.set(true);
        let by_full_check = call.run(case.0);
        FULL_CHECK_TOO.set(false);
        prop_assert_eq!(&outcome, &by_full_check);
        let leading = given.iter().zip(case.1).any(|(given, row)| given.dims.len() != row.2.len());
        // A batch has rules of its own.
        if !case.3 || !leading {
            let right = is_right(&case, &given, &attributes);
            prop_assert_eq!(outcome.is_ok(), right, "{:?}", outcome);
        }
        if let Err((code, message)) = outcome {
            prop_assert_eq!(code, 3);
            prop_assert!(message.starts_with("kernel `kernel_"), "{}", message);
        }
    }
}
