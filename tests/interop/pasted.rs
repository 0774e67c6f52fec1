//! What people paste: one small text for each form of a notation, and what is read of it.

use xlayout::ElementType::F32;
use xlayout::interop::{Given, Notation};

/// The key of the notation, a text, and the arrays with what is said beside them: `@4` is an offset
/// of 4, `@?` one that only the run time knows, `!` a note.
const TEXTS: &[(&str, &str, &str)] = &[
    (
        "ndarray",
        "shape=[2, 3], strides=[1, 2], layout=F (0x2), const ndim=2",
        "f32[2,3]{0,1}",
    ),
    (
        "ndarray",
        "[[0.0, 1.0]], shape=[1, 2], strides=[2, 1], layout=CFcf (0xf), dynamic ndim=2",
        "f32[1,2]{1,0}",
    ),
    (
        "ndarray",
        "shape=[1, 2, 3, 4], strides=[24, 1, 8, 2], layout=Custom (0x0), const ndim=4",
        "f32[1,2,3,4]{1,3,2,0}",
    ),
    (
        "numpy",
        "shape: (2, 3), strides: (12, 4), dtype: float32",
        "f32[2,3]{1,0}",
    ),
    (
        "numpy",
        "np.ndarray(shape=(2, 3), dtype='<f4', order='F')",
        "f32[2,3]{0,1}",
    ),
    (
        "numpy",
        "np.ndarray(dtype='f4', shape=(2, 3), strides=(4, 8))",
        "f32[2,3]{0,1}",
    ),
    (
        "numpy",
        "class:  ndarray\nshape:  (2, 3)\nstrides:  (12, 4)\ncontiguous:  True\n\
         data pointer: 0x55\nbyteorder:  little\ntype: float32",
        "f32[2,3]{1,0}",
    ),
    (
        "numpy",
        "dtype=dtype('float32'), shape=(1, 2, 3, 4), strides=(96, 4, 32, 8)",
        "f32[1,2,3,4]{1,3,2,0}",
    ),
    (
        "numpy",
        "np.lib.stride_tricks.as_strided(a, (2, 3), (4, 8))",
        "f32[2,3]{0,1}",
    ),
    (
        "numpy",
        "ShapeDtypeStruct(shape=(2, 3), dtype=float32)",
        "f32[2,3]{1,0}",
    ),
    (
        "numpy",
        "{'shape': (2,), 'typestr': '<f4', 'offset': 8}",
        "f32[2]{0} @8",
    ),
    ("numpy", "strides=(12, 4), shape=(2, 3)", "f32[2,3]{1,0}"),
    (
        "torch",
        "x.shape\ntorch.Size([2, 3])\nx.stride()\n(1, 2)",
        "f32[2,3]{0,1}",
    ),
    (
        "torch",
        "torch.as_strided(x, (2, 3), (4, 1), 5)",
        "f32[2,3]{1,0}, padded_dimensions = [2, 4] @5",
    ),
    (
        "torch",
        "torch.Size([2, 3, 20]) (60, 1, 3)",
        "f32[2,3,20]{1,2,0}",
    ),
    (
        "torch",
        "torch.Size([1, 2, 3, 4]), stride=(24, 1, 8, 2)",
        "f32[1,2,3,4]{1,3,2,0}",
    ),
    (
        "torch",
        "torch.Size([2, 3]) torch.float32 (3, 1)",
        "f32[2,3]{1,0}",
    ),
    (
        "torch",
        "size=(2, 3), stride=(3, 1), storage_offset=4, device=cuda:0",
        "f32[2,3]{1,0} @4",
    ),
    (
        "torch",
        "Layout { shape: [2, 3], stride: [1, 2], start_offset: 4 }",
        "f32[2,3]{0,1} @4",
    ),
    ("torch", "f32[2, 3][1, 2]cuda:0", "f32[2,3]{0,1}"),
    (
        "torch",
        "empty_strided_cuda((2, 3), (1, 2), torch.float32)",
        "f32[2,3]{0,1}",
    ),
    ("torch", "arg0_1: \"f32[2, 3][1, 2]cpu\"", "f32[2,3]{0,1}"),
    (
        "torch",
        "assert_size_stride(arg0_1, (2, 3), (1, 2))",
        "f32[2,3]{0,1}",
    ),
    (
        "torch",
        "FixedLayout('cuda:0', torch.float32, size=[2, 3], stride=[3, 1])",
        "f32[2,3]{1,0}",
    ),
    (
        "dlpack",
        "DLTensor{data=0x7f00, device={kDLCUDA, 0}, ndim=2, dtype={kDLFloat, 32, 1}, shape={2, 3}, \
         strides=nullptr, byte_offset=64}",
        "f32[2,3]{1,0} @64",
    ),
    (
        "dlpack",
        "{.data = p, .dtype = {.code = kDLFloat, .bits = 32, .lanes = 1}, .shape = {2, 3}, \
         .strides = {1, 2}, .byte_offset = 0}",
        "f32[2,3]{0,1}",
    ),
    (
        "dlpack",
        "dtype={2, 32, 1}, shape={2, 3}, strides=NULL",
        "f32[2,3]{1,0}",
    ),
    (
        "memref",
        "memref<3x4xf32, strided<[4, 1], offset: ?>>",
        "f32[3,4]{1,0} @?",
    ),
    (
        "memref",
        "memref<3x4xf32, affine_map<(d0, d1)[s0] -> (d0 * 4 + s0 + d1)>>",
        "f32[3,4]{1,0} @?",
    ),
    (
        "memref",
        "memref<3x4xf32, affine_map<(d0, d1) -> (d0 * 4 + d1 + 3)>>",
        "f32[3,4]{1,0} @3",
    ),
    (
        "memref",
        "memref<2x3xf32, #gpu.address_space<workgroup>>",
        "f32[2,3]{1,0} !",
    ),
    (
        "memref",
        "memref<2x3xf32, strided<[3, 1]>, #hal.descriptor_type<storage_buffer>>",
        "f32[2,3]{1,0} !",
    ),
    (
        "memref",
        "memref<2x3xf32, #tpu.memory_space<vmem>>",
        "f32[2,3]{1,0:S(1)}",
    ),
    (
        "pack",
        "%18 = iree_linalg_ext.pack {config = #a<t = [[8, 64]]>} %16#0 inner_dims_pos = [0, 1] \
         inner_tiles = [8, 1] into %17 : (tensor<16x4xf32> tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32>",
        "f32[16,4]{1,0:T(8,1)}",
    ),
    (
        "pack",
        "%0 = linalg.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 2] \
         into %b : tensor<8x16x8x2xf32> -> tensor<128x16xf32>",
        "f32[128,16]{0,1:T(2,8)(2,1)}",
    ),
    (
        "mosaic",
        "#tpu.vpad<\"32,{0,0},(8,128)\">",
        "f32[16,256]{1,0:T(8,128)} !",
    ),
    (
        "mosaic",
        "memref<16x256xf32, #tpu.tiled<(8,128),[2,1]>, #tpu.memory_space<smem>>",
        "f32[16,256]{1,0:T(8,128)} !",
    ),
    (
        "jax",
        "Format(layout=Layout(major_to_minor=(1, 0), tiling=None), sharding=SingleDeviceSharding(x))",
        "f32[16,256]{0,1} !",
    ),
    (
        "jax",
        "Layout(DeviceLocalLayout(major_to_minor=(0, 1), _tiling=((8, 128),)), NamedSharding(mesh=Mesh('x': 8)))",
        "f32[16,256]{1,0:T(8,128)} !",
    ),
    ("named", "fractal nz", "?"),
    ("named", "k_HWC", "?"),
    ("named", "torch.contiguous_format", "?"),
    (
        "onednn_verbose",
        "onednn_verbose,exec,cpu,gemm_api,,undef,src_f32::blocked:ab:f0 wei_f32::blocked:ba:f0 \
         dst_f32::blocked:ab:f0,,2x3:3x4,35.502",
        "f32[2,3]{1,0}; f32[3,4]{0,1}; f32[2,4]{1,0}",
    ),
    (
        "onednn_verbose",
        "onednn_verbose,v1,primitive,create:dispatch,gemm,gpu,gemm,jit:any,undef,src_a:f32::blocked:ab::f0 \
         src_b:f32::blocked:ba::f0 dst:f32::blocked:ab::f0,,,2x3:3x4,skipping",
        "f32[2,3]{1,0}; f32[3,4]{0,1}; f32[2,4]{1,0}",
    ),
    (
        "onednn_verbose",
        "dnnl_verbose,exec,cpu,matmul,ref:any,undef,src_f32::blocked:ab:f0 wei_f32::blocked:ab:f0 \
         bia_f32::blocked:ab:f0_mask2 dst_f32::blocked:ab:f0,post_ops:'eltwise_relu;';,,2x3:3x4:2x4,0.2",
        "f32[2,3]{1,0}; f32[3,4]{1,0}; f32[1,4]{1,0}; f32[2,4]{1,0}",
    ),
    (
        "onednn_verbose",
        "[0] onednn_verbose,v1,primitive,exec,cpu,matmul,jit,undef,src:f32::blocked:ab:8x1:f0 \
         wei:f32::blocked:ba::f104:s8m1:zpm2 bia:f32::blocked:ab::f0_mask0 dst:f32::blocked:ab::f0,\
         attr-post-ops:eltwise_relu+sum:1 attr-scales:src0:0:f32,,2x3:3x4,0.2",
        "f32[2,3]{1,0}, padded_dimensions = [2, 8]; f32[3,4]{0,1} !; f32[1,1]{1,0}; f32[2,4]{1,0}",
    ),
    (
        "onednn_verbose",
        "onednn_verbose,v1,primitive,exec,cpu,concat,simple:any,undef,src:f32::blocked:ab::f0 \
         src:f32::blocked:ab::f0 dst:f32::blocked:ab::f0,,axis:1,2x3:2x5,0.01",
        "f32[2,3]{1,0}; f32[2,5]{1,0}; f32[2,8]{1,0}",
    ),
    (
        "onednn_verbose",
        "onednn_verbose,v1,primitive,exec,cpu,binary,jit:uni,undef,src:f32::blocked:ab::f0 \
         src:f32::blocked:ab::f0 dst:f32::blocked:ab::f0,,alg:binary_add,2x3:1x3,0.01",
        "f32[2,3]{1,0}; f32[1,3]{1,0}; f32[2,3]{1,0}",
    ),
    (
        "onednn_verbose",
        "mkldnn_verbose,exec,reorder,jit:uni,undef,in:f32_goihw out:f32_gOhwi8o,num:1,1x16x3x7x7,0.9",
        "f32[1,16,3,7,7]{4,3,2,1,0}; f32[1,16,3,7,7]{2,4,3,1,0:T(8,1,1,1)}",
    ),
];

#[test]
fn each_form_is_read() {
    for &(key, text, expected) in TEXTS {
        // What has sizes and a type is read with neither.
        let sizes = [16, 256];
        let needs_sizes = matches!(key, "jax") || text.contains("vpad");
        let says_type = matches!(key, "dlpack" | "memref" | "pack" | "onednn_verbose");
        let given = Given {
            sizes: needs_sizes.then_some(&sizes[..]),
            element_type: (!says_type).then_some(F32),
            axes: None,
        };
        let notation = Notation::of(text, &given).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(notation.key, key, "{text}");
        if expected == "?" {
            continue;
        }
        let mut found = Vec::new();
        let read = notation.read_each(text, &given, &mut |array| {
            let mut said = array.shape.to_string();
            if let Some(offset) = array.offset {
                let number = offset
                    .number
                    .map_or("?".to_owned(), |number| number.to_string());
                said += &format!(" @{number}");
            }
            if array.note.is_some() {
                said += " !";
            }
            found.push(said);
            Ok(())
        });
        read.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(found.join("; "), expected, "{text}");
        // Cut anywhere, it is read or an error with a place in the text.
        for (cut, _) in text.char_indices() {
            let cut = &text[..cut];
            if let Err(error) = notation.read(cut, &given) {
                assert!(
                    cut.get(error.span().unwrap_or(0..0)).is_some(),
                    "{cut}: {error}"
                );
            }
        }
    }
}
