//! No text makes `explain` panic, and its numbers are those of a count without modes.

use proptest::prelude::*;
use serde_json::Value;

use super::{ExplainArguments, run};

/// Returns the answer, or the text of the error.
fn explain(
    shape: &str,
    at: &[&str],
    offset: &[&str],
    byte: &[&str],
    json: bool,
) -> Result<String, String> {
    let own = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let arguments = ExplainArguments {
        given: crate::shape::Given::default(),
        shape: shape.to_owned(),
        at: own(at),
        offset: own(offset),
        byte_offset: own(byte),
        json,
    };
    let mut out = Vec::new();
    match run(&arguments, &mut out) {
        Ok(()) => Ok(String::from_utf8(out).unwrap()),
        Err(failure) => Err(failure.render()),
    }
}

/// Checks that nothing panics, and that errors have carets.
fn survives(shape: &str, at: &str) {
    // `-` reads the standard input.
    let shape = if shape == "-" { "" } else { shape };
    for json in [false, true] {
        if let Err(error) = explain(shape, &[], &[], &[], json) {
            assert!(
                error.contains('^') || shape.trim().is_empty(),
                "{shape:?}: {error}"
            );
        }
        for (at, offset, byte) in [
            (&[at][..], &[][..], &[][..]),
            (&[], &[at], &[]),
            (&[], &[], &[at]),
        ] {
            if let Err(error) = explain(shape, at, offset, byte, json) {
                assert!(error.contains("error"), "{error}");
            }
        }
    }
}

/// Pieces of shapes, so that random texts come close to them.
const PIECES: [&str; 36] = [
    "f32",
    "bf16",
    "s4",
    "pred",
    "c64",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ",",
    "0",
    "1",
    "2",
    "3",
    "8",
    "128",
    "*",
    ":",
    "T",
    "(8,128)",
    "(2,1)",
    "L(",
    "E(4)",
    "S(1)",
    "M(8)",
    "SC(0:1)",
    "<=",
    "?",
    "<0,1>",
    ", padded_dimensions = [3, 5]",
    "token[]",
    "b(",
    "ü",
    "9223372036854775807",
];

proptest! {
    #[test]
    fn no_text_makes_it_panic(shape in ".{0,40}", at in ".{0,12}") {
        survives(&shape, &at);
    }

    #[test]
    fn no_text_like_a_shape_makes_it_panic(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..16),
        at in "[-0-9,e.x()\\[\\] ]{0,10}",
    ) {
        survives(&pieces.concat(), &at);
    }

    #[test]
    fn no_number_makes_it_panic(
        dims in prop::collection::vec(prop_oneof![0..4_u64, any::<u64>()], 0..4),
        tile in prop_oneof![1..200_u64, any::<u64>()],
        tail in prop_oneof![1..200_u64, any::<u64>()],
        at in any::<u64>(),
    ) {
        let sizes = xlayout_words::joined(&dims, ",");
        let order = xlayout_words::joined((0..dims.len()).collect::<Vec<_>>(), ",");
        survives(&format!("f64[{sizes}]{{{order}:T({tile})L({tail})}}"), &at.to_string());
    }
}

/// A part of which the length ends inside a letter at the beginning of the text, and sizes of which
/// the product is zero only with those that count buffers.
#[test]
fn texts_that_once_panicked() {
    survives("[[E(4)ü{token[]", "");
    let buffers = "4611686018427387904";
    let shared = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>";
    let text = format!("!ttg.memdesc<0x{buffers}x{buffers}xf16, {shared}, #smem>");
    survives(&text, "");
}

#[test]
fn sizes_beside_a_zero_have_strides_or_are_refused() {
    for tiles in ["", ":T(3)", ":T(*,*,*,3)", ":L(9)"] {
        let text = |size: i64| format!("f32[0,{size},{size},{size}]{{0,1,2,3{tiles}}}");
        let small = text(1 << 19);
        let value: Value =
            serde_json::from_str(&explain(&small, &[], &[], &[], true).unwrap()).unwrap();
        assert_eq!(value["allocated_bytes"], 0, "{small}");
        survives(&small, "0,0,0,0");
        let large = text(i64::MAX);
        let refused = explain(&large, &[], &[], &[], true).unwrap_err();
        assert!(
            refused.contains("the product of its other sizes"),
            "{refused}"
        );
        survives(&large, "0,0,0,0");
    }
}

/// One dimension of the physical array and of what tiles make of it: the index and the size.
type Digit = (usize, usize);

/// "Tiled layout" in XLA's documentation, word for word:
/// `linear_index((⌊e/t⌋, e mod t), (⌈d/t⌉, t))`, for each tile.
fn place(
    index: &[usize],
    dims: &[usize],
    minor_to_major: &[usize],
    tiles: &[&[usize]],
) -> (usize, usize) {
    let mut digits: Vec<Digit> = minor_to_major
        .iter()
        .rev()
        .map(|&d| (index[d], dims[d]))
        .collect();
    for tile in tiles {
        while digits.len() < tile.len() {
            digits.insert(0, (0, 1));
        }
        let cut = digits.split_off(digits.len() - tile.len());
        let pairs = || cut.iter().zip(*tile);
        let counts: Vec<Digit> = pairs()
            .map(|(&(e, d), &t)| (e / t, d.div_ceil(t)))
            .collect();
        let insides: Vec<Digit> = pairs().map(|(&(e, _), &t)| (e % t, t)).collect();
        digits.extend(counts.into_iter().chain(insides));
    }
    let linear = digits.iter().fold(0, |sum, (e, d)| sum * d + e);
    (linear, digits.iter().map(|digit| digit.1).product())
}

/// All indices, the last dimension fastest.
fn indices(dims: &[usize]) -> Vec<Vec<usize>> {
    dims.iter().fold(vec![Vec::new()], |all, &size| {
        let next = |index: &Vec<usize>| {
            (0..size)
                .map(|i| [index.as_slice(), &[i]].concat())
                .collect::<Vec<_>>()
        };
        all.iter().flat_map(next).collect()
    })
}

#[test]
fn every_index_and_every_place_is_where_a_plain_count_says() {
    type Case<'a> = (
        &'a str,
        &'a [usize],
        &'a [usize],
        &'a [&'a [usize]],
        usize,
        usize,
    );
    let cases: [Case<'_>; 8] = [
        ("f32[2,3]{0,1}", &[2, 3], &[0, 1], &[], 1, 32),
        (
            "bf16[5,6]{1,0:T(4,4)(2,1)}",
            &[5, 6],
            &[1, 0],
            &[&[4, 4], &[2, 1]],
            1,
            16,
        ),
        (
            "f32[5,6]{0,1:T(4,4)(3,1)L(7)}",
            &[5, 6],
            &[0, 1],
            &[&[4, 4], &[3, 1]],
            7,
            32,
        ),
        ("s4[5,7]{1,0:E(4)}", &[5, 7], &[1, 0], &[], 1, 4),
        (
            "u2[3,5,2]{1,2,0:T(2,2)L(9)E(2)}",
            &[3, 5, 2],
            &[1, 2, 0],
            &[&[2, 2]],
            9,
            2,
        ),
        (
            "pred[13]{0:T(8)(4)(2,1)}",
            &[13],
            &[0],
            &[&[8], &[4], &[2, 1]],
            1,
            8,
        ),
        (
            "c128[2,2]{1,0:T(3,3,3)}",
            &[2, 2],
            &[1, 0],
            &[&[3, 3, 3]],
            1,
            128,
        ),
        ("s4[3,3]", &[3, 3], &[1, 0], &[], 1, 8),
    ];
    for (text, dims, minor_to_major, tiles, tail, bits) in cases {
        let of = |at: &[&str], offset: &[&str]| -> Value {
            serde_json::from_str(&explain(text, at, offset, &[], true).unwrap()).unwrap()
        };
        let all = indices(dims);
        let places = place(&all[0], dims, minor_to_major, tiles)
            .1
            .next_multiple_of(tail);
        let mut memory = vec![None; places];
        for index in &all {
            let (linear, _) = place(index, dims, minor_to_major, tiles);
            memory[linear] = Some(index.clone());
            let value = of(&[&xlayout_words::joined(index, ",")], &[]);
            assert_eq!(value["linear_index"], linear, "{text} {index:?}");
            assert_eq!(value["byte_offset"], linear * bits / 8, "{text} {index:?}");
            assert_eq!(value["bit_offset"], linear * bits % 8, "{text} {index:?}");
            let digits = value["digits"].as_array().unwrap().iter();
            let sum: u64 = digits
                .map(|digit| digit["elements"].as_u64().unwrap())
                .sum();
            assert_eq!(sum, linear as u64, "{text} {index:?}");
        }
        for (linear, index) in memory.iter().enumerate() {
            let value = of(&[], &[&linear.to_string()]);
            assert_eq!(value["index"], serde_json::json!(index), "{text} {linear}");
        }
        let value = of(&[], &[]);
        let used = memory.iter().flatten().count();
        assert_eq!(value["elements"], used, "{text}");
        assert_eq!(value["places"], places, "{text}");
        assert_eq!(value["logical_bytes"], (used * bits).div_ceil(8), "{text}");
        assert_eq!(
            value["allocated_bytes"],
            (places * bits).div_ceil(8),
            "{text}"
        );
    }
}

/// Nested tuples are read without recursion, because the text determines how deeply they are
/// nested.
#[test]
fn a_small_stack_is_enough_for_nested_tuples() {
    let text = |depth| ["(".repeat(depth), "f32[2,3]".into(), ")".repeat(depth)].concat();
    let deepest = text(xlayout::shape::text::MAX_DEPTH);
    let deeper = text(100_000);
    for words in [
        &["explain", &deepest][..],
        &["explain", "--json", &deepest],
        &["draw", &deepest],
        &["explain", &deeper],
        &["draw", &deeper],
    ] {
        let right = words.contains(&&*deepest);
        let program = [&["xlayout"], words].concat();
        let commands = crate::commands();
        let program = crate::program(&commands)
            .try_get_matches_from(program)
            .unwrap();
        let run = move || match crate::run(&program, &commands, &mut Vec::new()) {
            Ok(()) => assert!(right),
            Err(failure) => assert!(!right && failure.render().contains("nested")),
        };
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        thread.spawn(run).unwrap().join().unwrap();
    }
}

/// A linear layout of Triton's is a map; it has a layout where each bit of the index is one bit of
/// a coordinate.
#[test]
fn linear_layouts_are_maps() {
    let of = |register: &str, lane: &str| {
        let text = format!(
            "#ttg.linear<{{register = [{register}], lane = [{lane}], warp = [], block = []}}>"
        );
        explain(&text, &[], &[], &[], false).unwrap()
    };
    let said = of("[0, 1]", "[0, 2], [1, 0], [2, 0]");
    assert!(said.contains("[4,4]{1,0}"), "{said}");
    assert!(said.contains("0, 1, 2, 3, 4, 5"), "{said}");
    assert!(said.contains("yes"), "{said}");
    use xlayout::ArrayLayout;
    // The positions from the layout are the offsets of the map.
    let said = of("[0, 1]", "[1, 0], [0, 2], [2, 0]");
    let layout = said.rfind("[4,4]").map(|at| said[at..].trim_end()).unwrap();
    let layout: xlayout::DynLayout = format!("u8{layout}").parse().unwrap();
    let offsets = layout.indices().map(|index| {
        let coordinates: &[usize] = index.coordinates().as_ref();
        (
            layout.linear_index(index.coordinates()),
            coordinates[0] * 4 + coordinates[1],
        )
    });
    let offsets: std::collections::BTreeMap<usize, usize> = offsets.collect();
    let offsets: Vec<String> = offsets.values().map(usize::to_string).collect();
    assert!(said.contains(&offsets.join(", ")), "{said}");
    let said = of("[0, 1]", "[1, 1]");
    assert!(
        said.contains("yes") && said.contains("no layout has"),
        "{said}"
    );
    let said = of("[0, 1]", "[0, 1]");
    assert!(said.contains("have the same element"), "{said}");
    let said = of("[0, 2]", "");
    assert!(said.contains("some elements have no index"), "{said}");
}
