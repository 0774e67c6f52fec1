//! One layout, in every notation, and two that are compared.

use serde_json::{Value, json};

use super::{ask, shown};

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
