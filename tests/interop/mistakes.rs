//! The words of every mistake, as people see them.

use std::fmt::Write as _;

use xlayout::interop::{
    ArrayInterface, CuteLayout, Error, Given, JaxLayout, MemRef, Notation, NumpyOrder,
    StridedArray, TypeStr,
};
use xlayout::{ArrayShape, ElementType};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/interop/mistakes.txt");

/// Each line is read by what its text begins with.
const TEXTS: &[&str] = &[
    // MLIR
    "memref",
    "tensor<2x3xf32>",
    "tensor<2x3xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>",
    "tensor<?x3xf32, #stablehlo.bounds<8>>",
    "tensor<2x3xf32> {mhlo.layout_mode = \"{0}\"}",
    "tensor<2x3xf32> {mhlo.sharding = \"{replicated}\"}",
    "#ttg.linear<{register = [[1]], lane = [], warp = [], block = []}>",
    "memref<2x3f32>",
    "memref<2,3xf32>",
    "memref<2x-3xf32>",
    "memref<*xf32>",
    "memref<2x3xindex>",
    "memref<2xvector<4xf32>>",
    "memref<2x>",
    "memref<99999999999999999999x3xf32>",
    "memref<9223372036854775807x9xf32>",
    "memref<2x3xf32, strided<[1, 2]>",
    "memref<2x3xf32, strided<[1]>>",
    "memref<2x3xf32, strided<[1, x]>>",
    "memref<2x3xf32, strided<[1, 2], offset = 0>>",
    "memref<2x3xf32, strided<[1, ?]>>",
    "memref<?x3xf32, strided<[4, 1]>>",
    "memref<2x3xf32, strided<[6, 2]>>",
    "memref<2x3xf32, strided<[2, 1]>>",
    "memref<2x3xf32, strided<[4, 3]>>",
    "memref<2x3x2xf32, strided<[5, 2, 1]>>",
    "memref<2x3xf32, #gpu.address_space<workgroup>>",
    "memref<2x3xf32, #map>",
    "memref<2x3xf32, \"vmem\">",
    "memref<2x3xf32, 1, strided<[1, 2]>>",
    "memref<2x3xf32, 300>",
    "memref<2x3xf32, affine_map<(d0, d1) -> (d0)>>",
    "memref<2x3xf32, affine_map<(d0, d1) -> (d1, d2)>>",
    "memref<2x3xf32, affine_map<(d0, d1) -> (d0 * 3 + d1)>>",
    "memref<2x3xf32, affine_map<(d0, d1)[s0] -> (d1, d0)>>",
    "memref<2x3xf32, affine_map<(i, i) -> (i, i)>>",
    "memref<2x3xf32, affine_map<(i, j) -> (i, k)>>",
    "memref<2x3xf32> x",
    // NumPy
    "{}",
    "{'shape': (2, 3)}",
    "{'shape': (2, 3), 'typestr': '<f4', 'typestr': '<f4'}",
    "{'shape': (2, 3), 'typestr': '>f4'}",
    "{'shape': (2, 3), 'typestr': '<V2'}",
    "{'shape': (2, 3), 'typestr': '|V8'}",
    "{'shape': (2, 3), 'typestr': 'float32'}",
    "{'shape': (2, 3), 'typestr': '<M8[s]'}",
    "{'shape': (2, 3), 'typestr': '<f16'}",
    "{'shape': 6, 'typestr': '<f4'}",
    "{'shape': (2, 3.5), 'typestr': '<f4'}",
    "{'shape': (2, 3), 'typestr': '<f4', 'strides': (4,)}",
    "{'shape': (2, 3), 'typestr': '<f4', 'strides': (6, 2)}",
    "{'shape': (2, 3), 'typestr': '<f4', 'mask': [1]}",
    "{'shape': (2, 3), 'typestr': '<f4', 'stride': (12, 4)}",
    "{'shape': (-2, 3), 'typestr': '<f4'}",
    "{shape: (2, 3)}",
    "{'data': (1, False}",
    "order=A",
    "order=rows",
    "typestr=f4",
    "typestr=",
    // CuTe
    "(2,3)",
    "(2,3):(1)",
    "(2,3):(1,2",
    "(2,3):(1,2))",
    "((2,4),3):(1,2)",
    "(2,3):((1,2),4)",
    "(2,3):(1,-)",
    "(2,-3):(1,2)",
    "(2,?):(1,2)",
    "Sw<3,4,3> o (8,8):(8,1)",
    "(2,3):(E<0>,E<1>)",
    "(2,3):(0,1)",
    "(2,3):(1,-2)",
    "(2,3):(2,1)",
    "(2,3):(6,2)",
    "((4,2),3):((6,1),2)",
    "((2,2),3):((1,2),8)",
    "((2,2),3):((1,4),8)",
    "((2,2),3):((2,24),4)",
    "((2,4),3):((1,6),0)",
    "((2,4),3):((1,5),2)",
    "(99999999999999999999):(1)",
    "(9223372036854775807,9223372036854775807):(1,9223372036854775807)",
    // JAX
    "Layout()",
    "Layout(1, 0)",
    "Layout(major_to_minor=(1, 1))",
    "Layout(major_to_minor=(1, 2))",
    "Layout(major_to_minor=(0, 1), tiles=((8, 128),))",
    "Layout(major_to_minor=(0, 1), tiling=(8, 128))",
    "Layout(major_to_minor=(0, 1), tiling=((8, 0),))",
    "Layout(major_to_minor=(0, 1), tiling=((8, -1),))",
    "Layout((0, 1), major_to_minor=(0, 1))",
    "Layout((0, 1), None, 0, 1)",
    "Layout((0, 1), None, -4)",
    "Layout(major_to_minor=(0, 1)",
    "Format(layout=Layout(major_to_minor=(0, 1)), sharding=None)",
    "DeviceLocalLayout(minor_to_major=(0, 1))",
    // Other projects' notations, with `~`, the sizes, the type and TVM's axes
    "aBcd16b~",
    "aBcd16b~2,17,5,7",
    "aBcd16b~2,17,5 f32",
    "aBcd16b~9223372036854775807,17,5,7 f32",
    "aBcd0b~2,17,5,7 f32",
    "aBcd16e~2,17,5,7 f32",
    "aBcd16B~2,17,5,7 f32",
    "abcd16b~2,17,5,7 f32",
    "acBdd16b~2,17,5,7 f32",
    "src_f32::blocked:aBcd16b::f0~",
    "src_f32::blocked:aBcd16b::f8 2x17x5x7~",
    "src_f32:0:blocked:aBcd16b::f0 2x17x5x7~",
    "src_f32::any:::f0 2x17x5x7~",
    "src_f33::blocked:ab::f0 2x17~",
    "src_f32::blocked:aBcd16b::f0 2x17xx7~",
    "onednn_verbose,v1,primitive,exec,cpu,lrn,ref,forward,src_f32::blocked:ab::f0 ws_f32::blocked:ab::f0,,,mb2ic3,0.1~",
    "NCHW16c~2,17,5,7 f32",
    "NCHW16k~2,17,5,7 f32 NCHW",
    "NCHw16c~2,17,5,7 f32 NCHW",
    "NCHW16c~2,17,5,7 f32 NCDHW",
    "inner_dims_pos = [0]~20,3 f32",
    "inner_dims_pos = [0, 0] inner_tiles = [8, 2]~20,3 f32",
    "inner_dims_pos = [2] inner_tiles = [8]~20,3 f32",
    "inner_dims_pos = [0] inner_tiles = [0]~20,3 f32",
    "linalg.pack %a {x} inner_dims_pos = [0] inner_tiles = [8]~20,3 f32",
    "linalg.pack %a inner_dims_pos = [0] inner_tiles = [8] into %b : tensor<20x3xf32> -> tensor<2x3x8xf32>~",
    "inner_dims_pos = [0] inner_tiles = [8] x~20,3 f32",
    "memref<16x256xbf16, #tpu.tiled<(8,128),[4,1]>>~",
    "memref<16x256xbf16, #tpu.tiled<(8,128),[2]>>~",
    "memref<16x256xbf16, #tpu.tiled<(8,0),[2,1]>>~",
    "memref<16x256xbf16, #tpu.tiled<(8,128),[2,1]>, #tpu.memory_space<smem>>~",
    "memref<16x256xbf16, #tpu.tiled<(8,128),[2,1]>, affine_map<()>>~",
    "shape=(2, 3), strides=(12, 4)~",
    "shape=(2, 3), strides=(12, 4), dtype='float33'~",
    "shape=(2, 3), strides=(12, 4), dtype='float32', order='F'~",
    "shape=(2, 3), strides=(12, 4), dtype='float32', order='K'~",
    "shape=(2, 3), strides=(12, 4), dtype='float32', base=None~",
    "shape=(2, 3), dtype='float32'~",
    "#tpu.tiled<(8,128),[2,1]>~f32",
    "src_f32::blocked:aBcd16b:f8:scm1 2x17x5x7~",
    "torch.Size([2, 3])~f32",
    "torch.Size([2, 3]), stride=(3, 1)~",
    "torch.Size([2, 3]), stride=(3, 1)~3,2 f32",
    "torch.Size([2, 3]), stride=(3, 1), storage_offset=4~f32",
    "torch.Size([2, 3]), stride=(3, 1), device='cpu'~f32",
    "torch.Size([2, 3]), stride=(3, 1), dtype=torch.qint8~",
    "FRACTAL_NZ~20,20 f32",
    "NC1HWC0~20,20 f16",
    "memref<8x3xf32, affine_map<(d0, d1) -> (d0 mod 3, d1)>>~",
    "memref<8x3xf32, affine_map<(d0, d1) -> (d0 * d1)>>~",
    "memref<8x3xf32, affine_map<(d0, d1) -> (d0 floordiv 0, d1)>>~",
    "memref<8x3xf32, affine_map<(d0, d1) -> ((d0 + d1) floordiv 2, d1)>>~",
    "memref<8x3xf32, affine_map<(d0, d1) -> (d0 * 3 + d1 + 5)>>~",
    "memref<8x3xf32, affine_map<(d0, d1) -> (d0 ceildiv 2, d1)>>~",
    "memref<8x3xf32, affine_map<(d0) -> (d0)>>~",
    "dtype={kDLFloat, 32, 1}, shape={2, 3}~",
    "dtype={kDLFloat, 32, 1}, shape={2, 3}, strides=NULL, flags=DLPACK_FLAG_BITMASK_READ_ONLY~",
    "dtype={kDLFloat, 32, 4}, shape={2, 3}~",
    "dtype={kDLFloat, 320, 1}, shape={2, 3}~",
    "dtype={kDLFloat, 33, 1}, shape={2, 3}~",
    "dtype={float, 32, 1}, shape={2, 3}~",
    "dtype={kDLFloat, 32, 1}, strides={2, 3}~",
    "dtype={kDLFloat, 32, 1}, shape={2, 3}, strides={0, 1}~",
    "dtype={kDLFloat, 32, 1}, shape={2, 3}, strides={1}~",
    "dtype={kDLFloat, 32, 1}, shape={2, 3}, strides={1, 2}, strides={1, 2}~",
    "dtype={kDLFloat, 32, 1}, shape={2, 3}, byte_offset=64~",
    // Strides in bytes
    "f32 [2, 3] (8, 1)",
    "f32 [2, 3] (-12, 4)",
    "f32 [2, 3] (0, 4)",
    "f32 [2, 3] (24, 8)",
    "f32 [2, 3, 1] (24, 8, 4)",
    "f32 [2, 3] (16, 4)",
    "f32 [4, 3] (8, 4)",
    "f32 [2, 3] (14, 4)",
    "f32 [2, 3, 2] (20, 8, 4)",
    "f32 [3, 3] (4, 4)",
    "f32 [2, 3] (4,)",
    "tuple [2] (4,)",
];

/// A mistake, or the shape that it was taken for.
fn answer(text: &str) -> Result<String, Error> {
    let ty = ElementType::F32;
    let shape = |shape: ArrayShape| shape.to_string();
    if let Some(order) = text.strip_prefix("order=") {
        return order.parse::<NumpyOrder>().map(|order| order.to_string());
    }
    if let Some(typestr) = text.strip_prefix("typestr=") {
        return typestr
            .parse::<TypeStr>()?
            .element_type()
            .map(|ty| ty.to_string());
    }
    if let Some((ty @ ("f32" | "tuple"), rest)) = text.split_once(" [") {
        let (sizes, strides) = rest.split_once("] ").expect("sizes and strides");
        let list = |text: &str| {
            let numbers = text
                .split(',')
                .filter_map(|n| n.trim_matches([' ', '(', ')']).parse().ok());
            numbers.collect::<Vec<i64>>()
        };
        let ty = ElementType::all()
            .find(|row| row.name() == ty)
            .expect("a type");
        return StridedArray::new(ty, &list(sizes), &list(strides))?
            .dense()
            .map(shape);
    }
    if let Some((text, rest)) = text.rsplit_once('~') {
        let mut sizes = None;
        let mut given = Given::default();
        for word in rest.split_whitespace() {
            if word.starts_with(|c: char| c.is_ascii_digit()) {
                let numbers = word.split(',').map(|size| size.parse().expect("a size"));
                sizes = Some(numbers.collect::<Vec<i64>>());
            } else if let Ok(ty) = word.parse() {
                given.element_type = Some(ty);
            } else {
                given.axes = Some(word);
            }
        }
        given.sizes = sizes.as_deref();
        let notation = Notation::of(text, &given).expect(text);
        return notation.read(text, &given).map(shape);
    }
    match text.as_bytes()[0] {
        b'm' => text.parse::<MemRef>()?.to_shape().map(shape),
        b't' | b'#' => {
            let given = Given::default();
            let notation = Notation::of(text, &given).expect(text);
            notation.read(text, &given).map(shape)
        }
        b'{' => text.parse::<ArrayInterface>()?.to_shape().map(shape),
        b'(' | b'S' => text.parse::<CuteLayout>()?.to_shape(ty).map(shape),
        _ => text.parse::<JaxLayout>()?.to_shape(ty, &[2, 3]).map(shape),
    }
}

/// Renewed with `UPDATE_EXPECT=1`.
#[test]
fn every_mistake_says_what_to_do() {
    let mut seen = String::new();
    for text in TEXTS {
        let read = match text.split_once('=') {
            Some(("order" | "typestr", rest)) => rest,
            _ => text.rsplit_once('~').map_or(*text, |(text, _)| text),
        };
        let shown = match answer(text) {
            Ok(shape) => format!("is {shape}"),
            Err(error) => error.render(read).to_string(),
        };
        writeln!(seen, "> {text}\n{shown}\n").unwrap();
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(FILE, &seen).unwrap();
    }
    let expected = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        seen == expected,
        "these read differently now; UPDATE_EXPECT=1 renews them:\n{seen}"
    );
    let mistakes = seen
        .lines()
        .filter(|line| line.starts_with("error: "))
        .count();
    let helped = seen
        .lines()
        .filter(|line| line.starts_with("help: "))
        .count();
    assert!(
        mistakes > 80 && helped + 2 >= mistakes,
        "{mistakes} mistakes, {helped} with help"
    );
}
