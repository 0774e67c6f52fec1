//! Tests of the race: cases are read correctly, and all rivals make the same copy.

use xlayout_core::ArrayLayout;

use crate::buffers::{Buffer, compare, expected};
use crate::case::Case;
use crate::cases::CASES;
use crate::options::Options;
use crate::permute::Permutation;
use crate::rivals;
use crate::suites::{Drawn, SUITES, suite as drawn_suite};
use crate::value::Value;

fn suite(name: &str) -> Option<Vec<String>> {
    drawn_suite(name, Drawn::default())
}

fn case(text: &str) -> Case {
    Case::read(text).unwrap_or_else(|error| panic!("{error}"))
}

fn permutation(text: &str) -> Option<(Vec<usize>, Vec<usize>)> {
    let case = case(text);
    Permutation::of(&case.src, &case.dst).map(|of| (of.dims, of.axes))
}

#[test]
fn the_built_in_cases_are_read() {
    for text in CASES {
        let case = case(text);
        assert!(Permutation::of(&case.src, &case.dst).is_some(), "{text}");
    }
}

/// Each suite has the published number of cases, and all their permutations differ.
#[test]
fn the_suites_are_read() {
    for (name, count) in SUITES.into_iter().zip([36, 56, 57, 12, 15, 200]) {
        let texts = suite(name).expect("it is in the list");
        let distinct: std::collections::BTreeSet<_> = texts.iter().collect();
        assert_eq!((texts.len(), distinct.len()), (count, count), "{name}");
        for text in &texts {
            assert!(permutation(text).is_some(), "{text}");
        }
    }
    // As in HPTT's script: `5 2 0 4 1 3 48 4 352 28 28`.
    let ttc = suite("ttc").expect("it is in the list");
    let case = "f32[48,4,352,28,28]{0,1,2,3,4} -> {2,0,4,1,3}";
    assert!(ttc.iter().any(|text| text == case));
    // The strides of the scattered source that tenferro-benchmark publishes.
    let tenferro = suite("tenferro").expect("it is in the list");
    let mut strides: Vec<usize> = [1, 2, 4, 8, 1 << 22, 16, 1 << 23].into();
    strides.extend((5..22).map(|k| 1 << k));
    assert_eq!(
        self::case(&tenferro[14]).src.strides().as_deref(),
        Some(&strides[..])
    );
    assert_eq!(suite("eigen"), None);
}

#[test]
fn the_right_side_in_all_its_forms() {
    for right in ["{0,1}", "f32{0,1}", "f32[2,3]{0,1}", "<0,1>"] {
        let case = case(&format!("f32[2,3]{{1,0}} -> {right}"));
        assert_eq!(case.dst.array_shape().to_string(), "f32[2,3]{0,1}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    // With 32 bits no array can have this many bytes.
    let many = if usize::BITS > 32 {
        "4000000000000 bytes"
    } else {
        "error"
    };
    for (text, why) in [
        ("f32[2,3]{1,0}", "no `->`"),
        ("f32[2,3]{1,0} ->", "missing"),
        ("f32[2,3]{1,0} -> {0,1,2}", "lists 3 dimensions"),
        ("f33[2,3] -> {0,1}", "`f33`"),
        ("f32[2,3] -> u32{0,1}", "the destination u32"),
        ("f32[2,3] -> f32[3,2]{0,1}", "[3, 2]"),
        ("f32[?,3] -> {0,1}", "error"),
        ("s4[2,3]{1,0:E(4)} -> {0,1:E(4)}", "4 bits"),
        ("f32[9000000000000000000] -> {0}", "error"),
        ("f32[1000000,1000000] -> {0,1}", many),
        ("-> -> ->", "error"),
    ] {
        match Case::read(text) {
            Ok(_) => panic!("{text} is read"),
            Err(error) => assert!(error.to_string().contains(why), "{text}: {error}"),
        }
    }
}

#[test]
fn cases_as_permutations() {
    let of = |dims: &[usize], axes: &[usize]| Some((dims.to_vec(), axes.to_vec()));
    for (text, wanted) in [
        ("f32[4,6]{1,0} -> {0,1}", of(&[4, 6], &[1, 0])),
        ("f32[4,6]{1,0} -> {1,0}", of(&[24], &[0])),
        // Neighbours merge.
        ("f32[2,3,4]{2,1,0} -> {1,0,2}", of(&[6, 4], &[1, 0])),
        // Dimensions in the sequence of the source's memory.
        ("f32[2,3,4]{0,1,2} -> {1,0,2}", of(&[4, 3, 2], &[0, 2, 1])),
        (
            "f32[16,256]{1,0} -> {1,0:T(8,128)}",
            of(&[2, 8, 2, 128], &[0, 2, 1, 3]),
        ),
        (
            "f32[16,256]{1,0:T(8,128)} -> {1,0}",
            of(&[2, 2, 8, 128], &[0, 2, 1, 3]),
        ),
        (
            "u16[16,256]{1,0} -> {1,0:T(8,128)(2,1)}",
            of(&[2, 4, 2, 2, 128], &[0, 3, 1, 4, 2]),
        ),
        // Padding, and tiles that do not divide each other.
        ("f32[15,256]{1,0} -> {1,0:T(8,128)}", None),
        ("f32[12]{0:T(4)} -> {0:T(6)(3)}", of(&[12], &[0])),
        ("f32[4,6]{1,0:T(4,2)} -> {1,0:T(4,3)}", None),
        ("f32[0,6]{1,0} -> {0,1}", None),
    ] {
        assert_eq!(permutation(text), wanted, "{text}");
    }
}

#[test]
fn everyone_copies_alike() {
    fn check<T: Value>(text: &str) {
        let case = case(text);
        let options = Options::read([]).expect("no arguments are valid");
        let mut src = Buffer::new(case.buffer_len(), T::BEFORE, false);
        for (k, value) in src.get_mut().iter_mut().enumerate() {
            *value = T::nth(k);
        }
        let expected = expected(&case, src.get());
        let all = rivals::contestants::<T>(&case, &options).expect("a valid case");
        for mut one in all.into_iter().filter(|one| one.permutes()) {
            let mut dst = Buffer::new(case.buffer_len(), T::BEFORE, false);
            let result = one
                .time(src.get(), dst.get_mut(), 2)
                .and_then(|_| compare(&case, &expected, dst.get()));
            assert_eq!(result, Ok(()), "{text}: {}", one.name());
            let time = one.time_with_allocation(src.get(), case.buffer_len(), 2);
            assert!(time.is_ok(), "{text}: {time:?}");
        }
    }
    check::<f32>("f32[5,7]{1,0} -> {0,1}");
    check::<f32>("f32[3,5,7]{2,1,0} -> {0,2,1}");
    check::<f64>("f64[2,3,4,5]{3,2,1,0} -> {1,3,0,2}");
    check::<u8>("u8[2,3,4,5,6]{4,3,2,1,0} -> {1,3,0,4,2}");
    check::<u16>("u16[16,256]{1,0} -> {1,0:T(8,128)(2,1)}");
    check::<num_complex::Complex<f64>>("c128[2,2,3,2,3,2]{5,4,3,2,1,0} -> {0,1,2,3,4,5}");
    check::<f32>("f32[2,2,2,2,2,2,2]{6,5,4,3,2,1,0} -> {0,1,2,3,4,5,6}");
    check::<f32>("f32[15,250]{1,0} -> {1,0:T(8,128)}");
}

#[test]
fn the_script_is_understood() {
    let line =
        r#"{"case": "f32[2]", "bytes": 8, "ns": {"numpy": 12.5, "torch": null, "xla_jit": 7}}"#;
    let number = |name| rivals::python::number(line, name);
    assert_eq!(
        (number("numpy"), number("xla_jit")),
        (Some(12.5), Some(7.0))
    );
    assert_eq!((number("torch"), number("xla_device_put")), (None, None));
}

#[test]
fn options_are_checked() {
    let read = |line: &str| Options::read(line.split_whitespace().map(str::to_owned));
    let options =
        read("--rounds 9 --only ndarray,hptt --threads=2 --one-off --allocate").expect("valid");
    assert!(options.rounds == Some(9) && options.threads == 2 && options.one_off);
    assert!(options.allocate);
    assert!(options.wants("hptt") && !options.wants("mdarray"));
    assert!(options.json && options.markdown && options.suite().len() == 36);
    let options = read("--suite ttc --measured 20 --markdown").expect("valid");
    assert!(!options.json && options.markdown && options.suite().len() == 57);
    assert_eq!(options.measured, Some(std::time::Duration::from_millis(20)));
    for line in [
        "--rounds",
        "--rounds 0",
        "--threads x",
        "--only eigen",
        "--fast",
        "--suite",
        "--suite eigen",
        "--measured 0",
    ] {
        assert!(read(line).is_err(), "{line}");
    }
}

/// The random suite is the same on each machine; other seeds give other cases.
#[test]
fn the_random_suite_follows_from_its_seed() {
    let drawn = |seed, cases| drawn_suite("random", Drawn { seed, cases });
    let first = drawn(1, 200).expect("it is in the list");
    assert_eq!(drawn(1, 50).as_deref(), Some(&first[..50]));
    let second = drawn(2, 200).expect("it is in the list");
    let common = second.iter().filter(|text| first.contains(text)).count();
    assert!(common < 20, "{common} of 200");
    for text in first.iter().chain(&second) {
        let bytes = case(text).bytes();
        assert!((1 << 20..=64 << 20).contains(&bytes), "{text}: {bytes}");
    }
}
