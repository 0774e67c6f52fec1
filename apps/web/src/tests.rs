//! Every part of the page, every notation, and input that is wrong.

use std::io::Write;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::answer;
use crate::request::FIELDS;

fn ask(part: &str, fields: &[(&str, &str)]) -> Value {
    with_bytes(part, fields, b"")
}

fn with_bytes(part: &str, fields: &[(&str, &str)], bytes: &[u8]) -> Value {
    let fields: serde_json::Map<_, _> = fields
        .iter()
        .map(|&(name, text)| (name.to_owned(), json!(text)))
        .collect();
    let mut request = json!({"ask": part, "fields": fields})
        .to_string()
        .into_bytes();
    request.push(b'\n');
    request.extend(bytes);
    read(&answer(&request))
}

fn read(answer: &str) -> Value {
    let (json, text) = answer.split_once('\n').unwrap_or((answer, ""));
    let mut found: Value = serde_json::from_str(json).expect("the answer is JSON");
    if let Some(key) = found["behind"].as_str().map(str::to_owned) {
        found["answer"][key] = json!(text);
    }
    found
}

/// The answer to a request without mistakes.
fn shown(part: &str, fields: &[(&str, &str)]) -> Value {
    let mut found = ask(part, fields);
    assert_eq!(found["errors"], Value::Null, "{fields:?}");
    found["answer"].take()
}

#[test]
fn every_notation_is_read_and_named() {
    let sizes = [("sizes", "2,17,5,7"), ("type", "f32"), ("axes", "NCHW")];
    for (notation, text, given, title) in [
        ("XLA", "f32[2,3]{0,1}", &[][..], "f32[2,3]{0,1}"),
        (
            "MLIR",
            "memref<2x3xf32, strided<[1, 2]>>",
            &[],
            "f32[2,3]{0,1}",
        ),
        ("MLIR, tensor", "tensor<2x3xbf16>", &[], "bf16[2,3]{1,0}"),
        ("CuTe", "(2,3):(1,2)", &[("type", "f32")], "f32[2,3]{0,1}"),
        (
            "JAX",
            "Layout((1, 0), ((8, 128),))",
            &[("sizes", "2,3"), ("type", "bf16")],
            "bf16[2,3]{0,1:T(8,128)}",
        ),
        (
            "oneDNN, verbose log",
            "src_s8::blocked:AB8b64a2b::f0 64x13",
            &[],
            "s8[64,13]{1,0:T(64,16)(64,2)}",
        ),
        (
            "oneDNN",
            "nChw16c",
            &sizes[..2],
            "f32[2,17,5,7]{3,2,1,0:T(16,1,1)}",
        ),
        ("TVM", "NHWC8c", &sizes, "f32[2,17,5,7]{1,3,2,0:T(8)}"),
        (
            "by name",
            "FRACTAL_NZ",
            &[("sizes", "[20, 20]"), ("type", "f16")],
            "f16[20,20]{0,1:T(16,16)(16,1)}",
        ),
        (
            "NumPy",
            "shape=(2, 3), strides=(4, 8), dtype='float32', order='F'",
            &[],
            "f32[2,3]{0,1}",
        ),
        (
            "Mosaic",
            "#tpu.tiled<(8,128)(2,1),[2,1]>",
            &[("sizes", "16,256"), ("type", "bf16")],
            "bf16[16,256]{1,0:T(8,128)(2,1)}",
        ),
        (
            "PyTorch",
            "torch.Size([2, 3]), stride=(1, 2), dtype=torch.bfloat16",
            &[],
            "bf16[2,3]{0,1}",
        ),
        (
            "linalg.pack",
            "%0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [8] into %b : tensor<20x3xf32> \
             -> tensor<3x3x8xf32>",
            &[],
            "f32[20,3]{1,0:T(8,1)}",
        ),
        (
            "DLPack",
            "dtype={kDLFloat, 32, 1}, shape={2, 3}, strides={1, 2}, byte_offset=0",
            &[],
            "f32[2,3]{0,1}",
        ),
        (
            "ndarray",
            "shape=[2, 3], strides=[1, 2], layout=F (0x2), const ndim=2",
            &[("type", "f32")],
            "f32[2,3]{0,1}",
        ),
        (
            "XLA",
            "{0,1:T(8,128)}",
            &[("sizes", "2,3"), ("type", "f32")],
            "f32[2,3]{0,1:T(8,128)}",
        ),
        ("XLA", "%c = f32[2,3]{0,1} copy(%x)", &[], "f32[2,3]{0,1}"),
        (
            "CuTe",
            "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)",
            &[],
            "[8,64] of 16 bits each, swizzled",
        ),
        (
            "Triton",
            "#ttg.linear<{register=[[0,1]], lane=[[0,2],[1,0]], warp=[[2,0]], block=[]}>",
            &[],
            "[16]",
        ),
        (
            "a sharding",
            "f32[4,6], sharding={devices=[2,1]<=[2]}",
            &[],
            "f32[4,6], sharding={devices=[2,1]<=[2]}",
        ),
    ] {
        let found = shown("layout", &[&[("text", text)], given].concat());
        assert_eq!(found["notation"], notation, "{text}");
        assert_eq!(found["arrays"][0]["title"], title, "{text}");
        let svg = found["svg"].as_str().expect("a picture");
        assert!(svg.starts_with("<svg"), "{text}");
    }
}

/// What the issue asks for of one layout.
#[test]
fn a_layout_has_all_parts() {
    let found = shown(
        "layout",
        &[("text", "bf16[100,3]{1,0:T(8,128)(2,1)}"), ("at", "3,2")],
    );
    let sections = &found["arrays"][0]["sections"];
    let heading = |k: usize| sections[k]["heading"].as_str().unwrap_or_default();
    assert_eq!(
        [0, 1, 2, 3, 4].map(heading),
        ["", "Memory", "Padding", "Modes", "In other notations"]
    );
    let summary = sections[0]["parts"][0]["text"]
        .as_str()
        .expect("a sentence");
    assert!(summary.contains("97.7% is padding"), "{summary}");
    assert_eq!(sections[4]["is_copied"], true);
    let notations = sections[4]["parts"][0]["rows"].as_array().expect("rows");
    assert_eq!(
        notations[0],
        json!(["Rust", "layout!(bf16[100,3]{1,0:T(8,128)(2,1)})"])
    );
    assert!(notations.len() > 5);
    assert_eq!(found["asked"][0][0]["heading"], "Index [3,2]");
    let languages = found["code"]["languages"].as_array().expect("code");
    assert_eq!(languages.len(), 6);
    assert!(
        languages
            .iter()
            .all(|language| language["code"].is_string())
    );
}

#[test]
fn a_tuple_has_its_arrays_and_a_token_no_picture() {
    let tuple = shown("layout", &[("text", "(f32[2,3], s32[4])")]);
    assert_eq!(tuple["arrays"].as_array().map(Vec::len), Some(3));
    assert!(tuple["code"]["error"].is_string());
    let token = shown("layout", &[("text", "token[]")]);
    assert_eq!(token["svg"], Value::Null);
    assert!(
        token["without_picture"]
            .as_str()
            .is_some_and(|why| why.contains("no array"))
    );
    let part = shown(
        "layout",
        &[("text", "print(x)  # memref<2x3xf32, strided<[1, 2]>>")],
    );
    assert_eq!(part["part"], "memref<2x3xf32, strided<[1, 2]>>");
}

/// Each mistake is in its field, and each fix is a text that is read.
#[test]
fn mistakes_have_places_and_fixes() {
    for (fields, message, marked, fix) in [
        (
            &[("text", "f33[2,3]")][..],
            "unknown element type `f33`",
            "f33",
            Some("f32[2,3]"),
        ),
        (
            &[("text", "f32(2,3)")],
            "dimensions are written in square brackets",
            "(",
            Some("f32[2,3]"),
        ),
        (
            &[("text", "f32[2x3]")],
            "`2x3` is not one number",
            "2x3",
            Some("f32[2,3]"),
        ),
        (
            &[("text", "f32[2 3]")],
            "expected `,` or `]`",
            "3",
            Some("f32[2 ,3]"),
        ),
        (
            &[("text", "f32[2,3]{0,1")],
            "this `{` is never closed",
            "{",
            Some("f32[2,3]{0,1}"),
        ),
        (
            &[("text", "f32[2,3]{1,2}")],
            "counts dimensions from 1",
            "{1,2}",
            Some("f32[2,3]{0,1}"),
        ),
        (
            &[("text", "f32[2,3]{0}")],
            "lists 1 dimension",
            "{0}",
            Some("f32[2,3]{1,0}"),
        ),
        (
            &[("text", "f32[2,3]{1,0:T[8,128]}")],
            "expected `(` after `T`",
            "[",
            None,
        ),
        (
            &[("text", "f32[2,3]{1,0},")],
            "unexpected `,` after the shape",
            ",",
            None,
        ),
        (
            &[("text", "aBcd16b"), ("sizes", "2,17,5,7")],
            "does not say what the elements are",
            "aBcd16b",
            Some("f32"),
        ),
        (
            &[("text", "f32[2,3]"), ("sizes", "2;3")],
            "`2;3` is not understood",
            "2;3",
            None,
        ),
        (
            &[("text", "f32[4,3]"), ("at", "3x2")],
            "`3x2` is not a whole number",
            "3x2",
            Some("3,2"),
        ),
        (
            &[("text", "f32[2,3]"), ("rows", "0")],
            "--rows cannot be 0",
            "0",
            None,
        ),
        (
            &[("text", "f32[2,3]"), ("rows", "many")],
            "`many` is no number",
            "many",
            None,
        ),
    ] {
        let found = ask("layout", fields);
        let mistake = &found["errors"][0];
        let said = mistake["message"].as_str().unwrap_or_default();
        assert!(said.contains(message), "{fields:?}: {said}");
        assert_eq!(mistake["places"][0]["marked"][1], marked, "{said}");
        let first = &mistake["fixes"][0]["text"];
        if let Some(fix) = fix {
            assert_eq!(first, fix, "{mistake}");
        }
        for fix in mistake["fixes"].as_array().expect("a list") {
            let field = fix["field"].as_str().expect("a field");
            let text = fix["text"].as_str().expect("a text");
            let mut right = fields.to_vec();
            right.retain(|known| known.0 != field);
            right.push((field, text));
            let left = ask("layout", &right);
            assert_ne!(left["errors"][0]["message"], said, "{right:?}");
        }
    }
    // What is not answered is refused.
    let map = [("text", "Sw<3,3,3> o 0 o (8,64):(64,1)"), ("rows", "3")];
    let found = ask("layout", &map);
    let said = "Rows says nothing of a map, which is shown as a whole";
    assert_eq!(found["errors"][0]["message"], said);
    assert_eq!(
        found["errors"][0]["fixes"][0],
        json!({"field": "rows", "name": "Rows", "text": ""})
    );
    let words = ask("layout", &[("text", "aBcd16b")]).to_string();
    assert!(
        words.contains("Sizes 2,17,5,7") && !words.contains("--sizes"),
        "{words}"
    );
}

#[test]
fn two_texts_are_compared() {
    let copy = shown("compare", &[("a", "f32[4,6]{1,0}"), ("b", "f32[4,6]{0,1}")]);
    assert_eq!(copy["verdict"], "copy");
    assert_eq!(
        copy["differences"][0]["difference"],
        "the minor_to_major lists differ"
    );
    let words = copy["sections"].to_string();
    assert!(words.contains("reads 96 bytes, writes 96 bytes"), "{words}");
    // The same element has the same key in both pictures.
    let svg = copy["svg"].as_str().expect("a picture");
    assert!(svg.matches("data-k=\"e5\"").count() >= 4);
    let tag = shown("compare", &[("a", "f32[4,32]"), ("b", "aB16b")]);
    assert_eq!(tag["titles"][1], "f32[4,32]{1,0:T(16)}");
    let equal = shown("compare", &[("a", "f32[4]"), ("b", "f32[4]{0}")]);
    assert_eq!(equal["verdict"], "equal");
    let maps = shown(
        "compare",
        &[
            ("a", "f16[8,64]{1,0}"),
            ("b", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
        ],
    );
    assert!(
        maps["text"]
            .as_str()
            .is_some_and(|text| text.contains("Swizzle<3,3,3>"))
    );
    let shardings = shown(
        "compare",
        &[
            ("a", "{devices=[2,1]<=[2]}"),
            ("b", "{devices=[1,2]<=[2]}"),
            ("sizes", "4,6"),
            ("type", "f32"),
        ],
    );
    assert_eq!(shardings["verdict"], "devices receive parts");
    let wrong = ask("compare", &[("a", "f32[4]"), ("b", "f33[4]")]);
    assert_eq!(wrong["errors"][0]["places"][0]["field"], "b");
    assert_eq!(wrong["errors"][0]["fixes"][0]["text"], "f32[4]");
}

#[test]
fn every_operation_of_algebra_has_steps_and_a_picture() {
    let memory = [("bytes", "4"), ("banks", "32"), ("width", "4")];
    for (operation, fields, said) in [
        (
            "compose",
            &[("a", "(6,2):(8,2)"), ("b", "(4,3):(3,1)")][..],
            "(2,2,3):(24,2,8)",
        ),
        (
            "divide",
            &[("a", "24:3"), ("b", "4:2")],
            "3 * (i0 % 2) + 24 * (i0 / 2) + 6 * i1",
        ),
        (
            "complement",
            &[("a", "(4,2):(1,8)"), ("size", "64")],
            "(2,4):(4,16)",
        ),
        ("invert", &[("a", "(4,8):(8,1)")], "(8,4):(4,1)"),
        ("right_invert", &[("a", "(4,8):(9,1)")], "8:4"),
        (
            "equal",
            &[("a", "4:1"), ("b", "(2,2):(1,3)")],
            "different: index 2",
        ),
        (
            "swizzle",
            &[("a", "32:1"), ("b", "32:32")],
            "Swizzle<5,0,5>",
        ),
        (
            "between",
            &[
                ("a", "(8,64):(64,1)"),
                ("b", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
            ],
            "Swizzle<3,3,3>",
        ),
        (
            "conflicts",
            &[("a", "32:32"), ("swizzle", "5,0,5")],
            "1 wavefront: no bank conflicts",
        ),
    ] {
        let all = [&[("operation", operation)], fields, &memory].concat();
        let found = shown("algebra", &all);
        assert!(found.to_string().contains(said), "{operation}: {found}");
        assert!(
            found["svg"]
                .as_str()
                .is_some_and(|svg| svg.starts_with("<svg"))
        );
        assert_eq!(found["is_no"], operation == "equal");
    }
    for fields in [
        &[("operation", "conflicts"), ("a", "32:32")][..],
        &[("operation", "compose"), ("a", "(6,2):(8,2")],
        &[("operation", "turn"), ("a", "4:1")],
        &[
            ("operation", "conflicts"),
            ("a", "32:32"),
            ("bytes", "0"),
            ("banks", "1"),
            ("width", "1"),
        ],
    ] {
        assert!(ask("algebra", fields)["errors"].is_array(), "{fields:?}");
    }
}

const MODULE: &[u8] = include_bytes!("../../cli/tests/data/copies/conv_nchw.default.v5e.hlo");

#[test]
fn a_module_is_a_page_packed_or_not() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(MODULE).expect("it is in memory");
    let packed = packed.finish().expect("it is in memory");
    let proto = include_bytes!(
        "../../cli/tests/data/dump/cpu/module_0000.jit_f.cpu_after_optimizations.hlo.pb"
    );
    for bytes in [MODULE, &packed, proto] {
        let found = with_bytes("module", &[("name", "m.hlo")], bytes);
        let page = found["answer"]["page"].as_str().expect("a page");
        assert!(page.contains("<title>Memory and copies of"), "{found}");
    }
    let wrong = [
        (&b""[..], "`m.hlo` is empty"),
        (b"\x89PNG\r\n\x1a\n", "m.hlo"),
        (b"\x1f\x8b\x08 not packed", "cannot read `m.hlo`"),
        (
            include_bytes!("../../cli/tests/data/oom/tpu.txt"),
            "ran out of memory",
        ),
    ];
    for (bytes, said) in wrong {
        let found = with_bytes("module", &[("name", "m.hlo")], bytes);
        let message = found["errors"][0]["message"].as_str().unwrap_or_default();
        assert!(message.contains(said), "{found}");
    }
    let text = String::from_utf8_lossy(MODULE).replacen("= f32[", "= f33[", 1);
    let found = with_bytes("module", &[("name", "m.hlo")], text.as_bytes());
    if text.as_bytes() != MODULE {
        assert_eq!(
            found["answer"]["mistakes"][0]["marked"][1], "f33",
            "{}",
            found["answer"]["mistakes"]
        );
    }
}

#[test]
fn a_request_that_is_none_is_answered() {
    for request in [
        &b""[..],
        b"{}",
        b"[1]",
        b"\xff",
        b"{\"ask\": 1}",
        b"{\"ask\": \"all\"}",
        b"{\"ask\": \"layout\", \"fields\": {\"text\": 1}}",
    ] {
        let found = read(&answer(request));
        assert!(found["errors"][0]["message"].is_string(), "{found}");
    }
}

/// Pieces of texts, so that many of them are read.
fn piece() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "f32",
        "bf16[",
        "[2,3]",
        "{1,0",
        ":T(8,128)",
        "(2,1)",
        "}",
        "]",
        ")",
        "(",
        ",",
        "0,1",
        "<=8",
        "?",
        ":(",
        "Sw<3,3,3> o ",
        "memref<",
        "xf32",
        ">",
        "aBcd16b",
        "NCHW",
        "shape=(2, 3)",
        "sharding={devices=[2,1]<=[2]}",
        "`",
        "\u{e4}",
        "\n",
        "\"",
        " ",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Whatever is in the fields, there is an answer or an error, and no panic.
    #[test]
    fn any_text_has_an_answer_or_an_error(
        part in prop::sample::select(vec!["layout", "compare", "algebra", "module"]),
        operation in prop::sample::select(vec!["compose", "divide", "invert", "conflicts"]),
        pieces in prop::collection::vec(
            (0..FIELDS.len(), prop::collection::vec(piece(), 1..6)),
            1..4,
        ),
    ) {
        let texts = pieces.into_iter().map(|(field, all)| (field, all.concat()));
        let texts: Vec<(usize, String)> = texts.collect();
        let mut fields = vec![("operation", operation)];
        fields.extend(texts.iter().map(|(field, text)| (FIELDS[*field].1, text.as_str())));
        let bytes = texts[0].1.as_bytes();
        let found = with_bytes(part, &fields, bytes);
        prop_assert!(found["answer"].is_object() || found["errors"][0]["message"].is_string());
    }
}
