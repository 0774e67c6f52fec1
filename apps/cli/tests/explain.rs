//! Goldens of `xlayout explain`, each looked at in a terminal of 80 columns. They lie in
//! `explain/`, as printed.

use crate::program::{answer, answer_to, expect_file, run};
use unicode_width::UnicodeWidthStr;

fn check(name: &str, shape: &str) {
    let text = answer(&["explain", shape]);
    // What is to be copied is on one line, and the title is the reader's own.
    let lines = text
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with("In other"));
    let wide: Vec<&str> = lines.filter(|line| line.width() > 80).collect();
    assert!(wide.is_empty(), "more than 80 columns: {wide:#?}");
    golden(name, &text);
}

fn golden(name: &str, text: &str) {
    expect_file![format!("explain/{name}")].assert_eq(text);
}

#[test]
fn a_matrix() {
    check("row_major.txt", "f32[2,3]");
    check("column_major.txt", "f32[2,3]{0,1}");
}

#[test]
fn a_matrix_on_a_tpu() {
    check("tpu.txt", "bf16[100,3]{1,0:T(8,128)(2,1)}");
}

#[test]
fn a_scalar() {
    check("scalar.txt", "f32[]");
}

#[test]
fn an_empty_array() {
    check("empty.txt", "f32[0,3]");
}

#[test]
fn padded_dimensions_in_our_own_notation() {
    check(
        "padded_dimensions.txt",
        "f32[2,3] <0,1>, padded_dimensions = [3, 5], padding_value = zero",
    );
}

#[test]
fn packed_elements_and_a_size_that_changes() {
    check("packed.txt", "s4[5,<=7]{1,0:E(4)S(5)}");
    check("unpacked.txt", "s4[5]");
}

#[test]
fn merged_dimensions_and_a_tail() {
    check("merged.txt", "f32[9,7,5]{2,0,1:T(*,2,3)(2,2)L(100)S(1)}");
}

#[test]
fn splits_and_metadata() {
    check("splits.txt", "f32[64,48]{0,1:SC(0:30)M(8)}");
}

#[test]
fn many_dimensions() {
    check("rank_20.txt", "s8[1,2,3,1,2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2]");
}

#[test]
fn sizes_near_the_largest() {
    check("huge.txt", "u8[3037000499,3037000499]{0,1}");
}

#[test]
fn a_tuple() {
    check(
        "tuple.txt",
        "(f32[2,3], (token[], b(pred[300]{0:T(1024)(128)(4,1)})))",
    );
    let many = format!("({})", ["f32[2]"; 9].join(", "));
    check("tuple_of_many.txt", &many);
    check("nil.txt", "()");
    check("token.txt", "token[]");
    check("buffer.txt", "b(f32[2])");
}

#[test]
fn places_of_memory() {
    let tpu = "bf16[100,3]{1,0:T(8,128)(2,1)}";
    let places = [
        "explain",
        tpu,
        "--at",
        "3,2",
        "--offset",
        "12549",
        "--offset=6",
    ];
    golden("at.txt", &answer(&places));
    let packed = "s4[5,7]{1,0:E(4)}";
    golden(
        "byte_offset.txt",
        &answer(&["explain", packed, "--byte-offset", "3"]),
    );
    // A coordinate that tiles merge of several.
    let merged = "f32[9,7,5]{2,0,1:T(*,2,3)(2,2)}";
    golden(
        "at_merged.txt",
        &answer(&["explain", merged, "--at", "(8, 6, 4)"]),
    );
    golden("at_scalar.txt", &answer(&["explain", "f32[]", "--at", ""]));
}

#[test]
fn json() {
    let tpu = "bf16[100,3]{1,0:T(8,128)(2,1)}";
    golden(
        "at.json",
        &answer(&["explain", tpu, "--json", "--at", "3,2"]),
    );
    golden(
        "tuple.json",
        &answer(&["explain", "(f32[2], token[])", "--json"]),
    );
    // Several positions are only listed.
    let several = answer(&[
        "explain",
        "f32[2]{0:T(4)}",
        "--json",
        "--offset=0",
        "--offset=3",
    ]);
    let value: serde_json::Value = serde_json::from_str(&several).unwrap();
    assert_eq!(value["positions"][0]["index"], serde_json::json!([0]));
    assert_eq!(value["positions"][1]["index"], serde_json::Value::Null);
    assert_eq!(value.get("index"), None);
}

#[test]
fn a_shape_from_the_standard_input() {
    let text = answer_to(&["explain", "-", "--json"], "f32[2,3]{0,1}\n");
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["shape"], "f32[2,3]{0,1}");
}

#[test]
fn colours_on_demand() {
    let forced = run(&["explain", "f32[2]", "--color", "always"]);
    let plain = answer(&["explain", "f32[2]"]);
    assert!(forced.stdout.contains(&0x1b) && !plain.contains('\x1b'));
    assert_eq!(
        anstream::adapter::strip_bytes(&forced.stdout).into_vec(),
        plain.as_bytes()
    );
    let forced = crate::program::command(&["explain", "f32[2]", "--color=never"])
        .env("CLICOLOR_FORCE", "1")
        .output()
        .unwrap();
    assert_eq!(forced.stdout, plain.as_bytes());
}

/// The lines to paste compile, and are what the program says.
#[test]
fn the_macro_line_is_rust() {
    use xlayout::{ArrayLayout, layout};
    let lines: [(String, usize); 4] = [
        (layout!(f32[2,3]{0,1}).array_shape().to_string(), 24),
        (
            layout!(bf16[100,3]{1,0:T(8,128)(2,1)})
                .array_shape()
                .to_string(),
            26_624,
        ),
        (
            layout!(f32[2,3]{0,1}, padded_dimensions = [3, 5], padding_value = zero)
                .array_shape()
                .to_string(),
            60,
        ),
        (
            layout!(s4[5,<=7]{1,0:E(4)S(5)}).array_shape().to_string(),
            18,
        ),
    ];
    for (shape, bytes) in lines {
        let value: serde_json::Value =
            serde_json::from_str(&answer(&["explain", &shape, "--json"])).unwrap();
        assert_eq!(value["layout_macro"], format!("layout!({shape})"));
        assert_eq!(value["allocated_bytes"], bytes);
    }
}

/// A whole line of HLO and types of MLIR are read as the shapes in them.
#[test]
fn what_people_paste() {
    for (pasted, shape) in [
        (
            "  ROOT %copy.1 = bf16[2,3]{1,0:T(8,128)(2,1)} copy(%x), metadata={op_name=\"a = b\"}",
            "bf16[2,3]{1,0:T(8,128)(2,1)}",
        ),
        (
            "%t = (f32[2]{0}, s32[]) tuple(%a, %b)",
            "(f32[2]{0}, s32[])",
        ),
    ] {
        assert_eq!(answer(&["explain", pasted]), answer(&["explain", shape]));
    }
    let of_sizes = ["--sizes", "2,17,5,7", "--type", "f32", "--axes", "NCHW"];
    for (notation, words, shape) in [
        (
            "MLIR",
            &["memref<2x3xf32, strided<[1, 2]>>"][..],
            "f32[2,3]{0,1}",
        ),
        ("MLIR, tensor", &["tensor<2x3xbf16>"], "bf16[2,3]"),
        (
            "MLIR, tensor",
            &["tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}"],
            "f32[2,3]{0,1}",
        ),
        ("CuTe", &["(2,3):(1,2)", "--type", "f32"], "f32[2,3]{0,1}"),
        (
            "JAX",
            &[
                "Layout((1, 0), ((8, 128),))",
                "--dims",
                "2,3",
                "--type",
                "bf16",
            ],
            "bf16[2,3]{0,1:T(8,128)}",
        ),
        (
            "oneDNN, verbose log",
            &["src_s8::blocked:AB8b64a2b::f0 64x13"],
            "s8[64,13]{1,0:T(64,16)(64,2)}",
        ),
        (
            "oneDNN",
            &[&["nChw16c"], &of_sizes[..4]].concat(),
            "f32[2,17,5,7]{3,2,1,0:T(16,1,1)}",
        ),
        (
            "TVM",
            &[&["NHWC8c"], &of_sizes[..]].concat(),
            "f32[2,17,5,7]{1,3,2,0:T(8)}",
        ),
        (
            "by name",
            &["FRACTAL_NZ", "--sizes", "20,20", "--type", "f16"],
            "f16[20,20]{0,1:T(16,16)(16,1)}",
        ),
        (
            "oneDNN, verbose log",
            &["dst_f32::blocked:aBcd16b:f0 2x17x5x7"],
            "f32[2,17,5,7]{3,2,1,0:T(16,1,1)}",
        ),
        (
            "NumPy",
            &["shape=(2, 3), strides=(4, 8), dtype='float32', order='F'"],
            "f32[2,3]{0,1}",
        ),
        (
            "MLIR",
            &["memref<8x3xf32, affine_map<(i, j) -> (i floordiv 4, j, i mod 4)>>"],
            "f32[8,3]{1,0:T(4,1)}",
        ),
        (
            "Mosaic",
            &[
                "#tpu.tiled<(8,128)(2,1),[2,1]>",
                "--sizes",
                "16,256",
                "--type",
                "bf16",
            ],
            "bf16[16,256]{1,0:T(8,128)(2,1)}",
        ),
        (
            "PyTorch",
            &["torch.Size([2, 3]), stride=(1, 2), dtype=torch.bfloat16"],
            "bf16[2,3]{0,1}",
        ),
        (
            "linalg.pack",
            &[
                "%0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [8] into %b : tensor<20x3xf32> -> tensor<3x3x8xf32>",
            ],
            "f32[20,3]{1,0:T(8,1)}",
        ),
        (
            "Mosaic",
            &["memref<16x256xbf16, #tpu.tiled<(8,128)(2,1),[1,2]>, #tpu.memory_space<vmem>>"],
            "bf16[16,256]{0,1:T(128,8)(128,2)S(1)}",
        ),
    ] {
        let read = answer(&[&["explain"], words].concat());
        let (line, rest) = read.split_once('\n').unwrap();
        match notation {
            "by name" => assert_eq!(line, "read as the name of a layout"),
            _ => assert_eq!(line, format!("read as the notation of {notation}")),
        }
        assert_eq!(rest, answer(&["explain", shape]));
    }
    // A tag has the sizes and the type of the other array.
    assert!(!answer(&["diff", "f32[2,17,5,7]{3,2,1,0:T(16,1,1)}", "aBcd16b"]).is_empty());
    let equal = [
        "diff",
        "memref<2x3xf32, strided<[1, 2]>>",
        "%x = f32[2,3]{0,1} add(%a, %b)",
    ];
    assert!(!answer(&equal).is_empty());
}

/// `nhwc` of oneDNN and `NHWC` of TVM take their sizes in two sequences: the answer says so where
/// the sizes look like those of the other one.
#[test]
fn two_notations_share_a_name() {
    let explained = |tag: &str, sizes: &str, more: &[&str]| {
        let arguments = ["explain", tag, "--type", "f32", "--sizes", sizes];
        answer(&[&arguments, more].concat())
    };
    for (sizes, channels, meant) in [
        ("1,224,224,3", 224, 3),
        ("8,480,640,3", 480, 3),
        ("2,56,56,64", 56, 64),
    ] {
        let words = explained("nhwc", sizes, &[]).replace('\n', " ");
        let this = format!("as N, C, H, W, so that C is {channels}.");
        assert!(words.contains(&this), "{sizes}: {words}");
        let other = format!("C is {meant}, write `NHWC --axes NHWC`");
        assert!(words.contains(&other), "{sizes}: {words}");
    }
    for sizes in [
        "1,3,224,224",
        "8,3,480,640",
        "1,512,7,7",
        "1,1,1,1",
        "0,3,4,5",
    ] {
        let words = explained("nhwc", sizes, &[]);
        assert!(!words.contains("--axes"), "{sizes}: {words}");
    }
    assert!(!explained("nchw", "1,224,224,3", &[]).contains("--axes"));
    // The axes are given, and oneDNN has its own.
    let words = explained("nhwc", "1,7,7,512", &["--axes", "NHWC"]);
    assert!(words.contains("write `NHWC --axes NHWC`"), "{words}");
    // What the note advises gives the other reading.
    let words = explained("NHWC", "1,224,224,3", &["--axes", "NHWC"]);
    assert!(words.contains("f32[1,224,224,3]{3,2,1,0}"), "{words}");
}

/// The sharding of a line of HLO is not passed over: what a device holds, or why that is not known.
#[test]
fn the_sharding_of_an_instruction() {
    let explained = |line: &str| answer(&["explain", line]).replace('\n', " ");
    let infeed = "%p = (token[], (f32[257152,2048]{1,0}, /*index=1*/f32[4]{0})) \
        infeed(%t), sharding={devices=[4,1]<=[4]}";
    for (line, expected) in [
        (
            infeed,
            "holds f32[64288,2048]{1,0} of {1,0} f32[257152,2048]{1,0}, \
             no part of {1,1} f32[4]{0}: the sharding cuts 2 dimensions, but",
        ),
        (
            "x = (f32[16,8]{1,0}, s32[3]{0}) tuple(a, b), \
             sharding={{devices=[2,2]<=[4]}, {replicated}}, metadata={}",
            "sharding={{devices=[2,2]<=[4]}, {replicated}} divides the result: a device holds \
             f32[8,4]{1,0} of {0} f32[16,8]{1,0}. If",
        ),
        (
            "%p = f32[16,8]{1,0} parameter(0), sharding={replicated}",
            "sharding={replicated} divides no array.",
        ),
        (
            "x = f32[16,8]{1,0} negate(a), sharding={devices=[2,2]<=[3]}",
            "The sharding is left aside: there are 4 tiles, but 3 devices.",
        ),
    ] {
        let words = explained(line);
        assert!(words.contains(expected), "{line}: {words}");
    }
    let without = explained("x = f32[16,8]{1,0} negate(a)");
    assert!(!without.contains("sharding"), "{without}");
}
