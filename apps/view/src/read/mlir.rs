//! Types of MLIR, and errors for unsupported parts.

use super::{Given, Outcome, understood};

fn read(text: &str) -> Outcome<String> {
    understood("SHAPE", text, &Given::default(), false).map(|read| read.xla.into_owned())
}

#[test]
fn types_of_mlir_become_shapes() {
    for (text, expected) in [
        ("tensor<2x3xf32>", "f32[2,3]"),
        (" tensor< 2x3 x f32 > ", "f32[2,3]"),
        ("tensor<f32>", "f32[]"),
        ("tensor<?x3xi32>", "s32[?,3]"),
        ("tensor<4xi1>", "pred[4]"),
        ("tensor<4xui8>", "u8[4]"),
        ("tensor<4xsi8>", "s8[4]"),
        ("tensor<2xcomplex<f32>>", "c64[2]"),
        ("tensor<2xf8E4M3FN>", "f8e4m3fn[2]"),
        ("vector<2x3xf32>", "f32[2,3]"),
        ("tensor<?x3xbf16, #stablehlo.bounds<8, ?>>", "bf16[<=8,3]"),
        (
            "tensor<?x?xbf16, #mhlo.type_extensions<bounds = [?, 4]>>",
            "bf16[?,<=4]",
        ),
        (
            "tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}",
            "f32[2,3]{0,1}",
        ),
        (
            "tensor<2x3xf32> {\"mhlo.layout_mode\" = \"{0,1:T(2,2)}\"}",
            "f32[2,3]{0,1:T(2,2)}",
        ),
        (
            "tensor<2x3xf32> {mhlo.layout_mode = \"default\"}",
            "f32[2,3]",
        ),
        ("tensor<2x3xf32> {}", "f32[2,3]"),
        ("memref<2x3xf32, strided<[1, 2]>>", "f32[2,3]{0,1}"),
        (
            "memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>, 1>",
            "f32[2,3]{0,1:S(1)}",
        ),
        (
            "memref<2x3xf32, strided<[8, 1], offset: 0>>",
            "f32[2,3]{1,0}, padded_dimensions = [2, 8]",
        ),
        (
            "memref<2x3xf32, affine_map<(d0, d1) -> (d0 * 3 + d1)>>",
            "f32[2,3]{1,0}",
        ),
        (
            "memref<8x3xf32, affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)>>",
            "f32[8,3]{1,0:T(4,1)}",
        ),
    ] {
        assert_eq!(read(text).expect(text), expected, "{text}");
    }
}

/// An unsupported part is an error that names it, marks it, and says what to write.
#[test]
fn what_is_not_read_is_an_error() {
    for (text, found) in [
        (
            "tensor<32x32xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, \
             memref<1x1x!ttcore.tile<32x32, f32>, #dram>>>",
            "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, \
             memref<1x1x!ttcore.tile<32x32, f32>, #dram>>",
        ),
        (
            "tensor<2x3xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>",
            "#sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>",
        ),
        (
            "tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 4], order = [1, 0]}>>",
            "#ttg.blocked<{sizePerThread = [1, 4], order = [1, 0]}>",
        ),
        ("tensor<2x3xf32, #blocked>", "#blocked"),
        ("tensor<2x3xf32, \"column\">", "\"column\""),
        ("tensor<2x3xf32, dense<0>>", "dense<0>"),
        (
            "tensor<2x3xf32, dense<[0, 1]> : tensor<2xi64>>",
            "dense<[0, 1]> : tensor<2xi64>",
        ),
        (
            "tensor<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>>",
            "affine_map<(d0, d1) -> (d1, d0)>",
        ),
        ("tensor<2x3xf32, >", ">"),
        ("vector<2x3xf32, 1>", "1"),
        ("vector<2x[4]xf32>", "["),
        ("tensor<?xf32, #stablehlo.bounds<x>>", "x"),
        (
            "tensor<?xf32, #stablehlo.bounds<1, 2>>",
            "#stablehlo.bounds<1, 2>",
        ),
        (
            "tensor<2x3xbf16, #stablehlo.bounds<?, 3>>",
            "#stablehlo.bounds<?, 3>",
        ),
        ("tensor<*xf32>", "*"),
        ("tensor<2x3>", ">"),
        ("tensor<-2xf32>", "-2xf32"),
        ("tensor<2xtuple>", "tuple"),
        ("tensor<4x!quant.uniform<i8:f32, 0.1>>", "!"),
        ("tensor<2xf32", ""),
        ("tensor<", ""),
        ("tensor<2xf32)", ")"),
        ("tensor<2x3xf32> -> tensor<2x3xf32>", "-"),
        (
            "tensor<2x3xf32> {mhlo.sharding = \"{replicated}\"}",
            "mhlo.sharding = \"{replicated}\"",
        ),
        ("tensor<2x3xf32> {mhlo.layout_mode = \"auto\"}", "\"auto\""),
        ("tensor<2x3xf32> {mhlo.layout_mode = \"{0}\"}", "\"{0}\""),
        ("tensor<2x3xf32> {mhlo.layout_mode = \"{0,x}\"}", "x"),
        ("memref<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}", "{"),
        ("memref<2x3xf32, #map>", "#map"),
        ("memref<2x3xf32, affine_map<(d0, d1) -> (d0 - d1)>>", "-"),
        ("memref<2x", ""),
    ] {
        let error = read(text).expect_err(text);
        let mistake = &error.mistakes()[0];
        let place = mistake.places.last().expect(text);
        assert_eq!(&text[place.span.clone()], found, "{text}");
        assert!(!mistake.remarks.is_empty(), "{text}");
    }
}
