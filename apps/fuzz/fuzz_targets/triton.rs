//! Maps of Triton's and CuTe's, as `xlayout explain` and `xlayout algebra` read them, and the layouts
//! in other text: nothing panics, and what is found is a part of the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use xlayout_cli::fuzzing::{map, part};

fuzz_target!(|text: &str| {
    map(text);
    for begin in [
        "#ttg.linear<{",
        "#ttg.",
        "#ttg.blocked<{sizePerThread = [",
        "tensor<ptr<f16, smem, S<",
        "!ttg.memdesc<64x64xf16, #ttg.",
        "Sw<",
        "tlx.swizzled_layout(",
        "Layout((8, ",
        "make_tensor(p, ",
        "half_type, {2, 3}, {",
        "!migraphx.shaped<",
        "Tensor[(",
        "composition(",
        "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, ",
        "UMMA::Layout_MN_",
    ] {
        let text = format!("{begin}{text}");
        map(&text);
        for before in [
            "x = ",
            "E   memref<2x3xf32> to ",
            "// torch.Size([2, 3])\n",
            ">>> x.shape, x.strides\n",
        ] {
            part(&format!("{before}{text}"));
        }
    }
});
