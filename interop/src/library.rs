//! Whose notations are read and written.

/// How many dimensions an array of another library may have: as many as NumPy's.
pub const MAX_RANK: usize = 64;

xlayout_shape::worded! {
    /// Whose notation it is.
    ///
    /// ```
    /// use xlayout_interop::{ArrayInterface, BoundaryError, Library};
    /// use xlayout_core::ArrayShape;
    ///
    /// let split: ArrayShape = "f32[9]{0:SC(0:3)}".parse()?;
    /// let error = ArrayInterface::new(&split).unwrap_err();
    /// let numpy = matches!(
    ///     error.kind(),
    ///     BoundaryError::NoPlace { library: Library::Numpy, .. },
    /// );
    /// assert!(numpy);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub enum Library, words: [&'static str; 3] {
        /// Sizes and strides, without a library's notation.
        Strides => [
            "a list of strides", "a list of strides",
            "`shape`, `strides` in elements and `byte_offset`"
        ];
        /// `__array_interface__`
        Numpy => [
            "NumPy", "an array interface",
            "`{'shape': (2, 3), 'typestr': '<f4', 'strides': (4, 8), 'version': 3}`"
        ];
        /// `DLTensor`
        DlPack => [
            "DLPack", "a DLTensor",
            "`dtype={kDLFloat, 32, 1}, shape={2, 3}, strides={3, 1}`"
        ];
        /// MLIR's `memref`
        MemRef => ["MLIR", "a memref", "`memref<2x3xf32, strided<[1, 2], offset: 0>>`"];
        /// MLIR's `tensor`, whose text has no layout
        Tensor => [
            "MLIR", "a tensor type",
            "`tensor<2x3xf32>`, `tensor<?x3xf32, #stablehlo.bounds<8, ?>>` and \
             `tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}`"
        ];
        /// `#ttg.linear<…>`
        Triton => ["Triton", "a layout of Triton's", "nothing that is an array"];
        /// `(shape):(stride)`
        Cute => ["CuTe", "a CuTe layout", "`((2,4),3):((1,6),2)`"];
        /// `Layout(major_to_minor=…)`
        Jax => [
            "JAX", "a layout of JAX's",
            "`Layout(major_to_minor=(1, 0), tiling=((8, 128), (2, 1)))`"
        ];
        /// `aBcd16b`
        OneDnn => ["oneDNN", "a tag of oneDNN's", BLOCKED];
        /// `NCHW16c`
        Tvm => ["TVM", "a layout of TVM's", "`NCHW16c`"];
        /// `outer_dims_perm = […] inner_dims_pos = […] inner_tiles = […]`
        LinalgPack => [
            "linalg.pack", "a `linalg.pack`",
            "`outer_dims_perm = [0, 1] inner_dims_pos = [1, 0] inner_tiles = [16, 8]`"
        ];
        /// `#tpu.tiled<…>`
        Mosaic => [
            "Mosaic", "a layout of Mosaic's",
            "`memref<16x256xbf16, #tpu.tiled<(8,128)(2,1),[2,1]>>`"
        ];
        /// `shape=[2, 3], strides=[3, 1], layout=C (0x1), const ndim=2`
        Ndarray => [
            "ndarray", "ndarray's Debug output",
            "`shape=[2, 3], strides=[3, 1], layout=C (0x1), const ndim=2`"
        ];
        /// `torch.Size([…]), stride=(…)`
        Torch => ["PyTorch", "a stride of PyTorch's", "`torch.Size([2, 3]), stride=(1, 2)`"];
        /// `FRACTAL_NZ`
        Named => ["a layout with a name", "a name", "`FRACTAL_NZ` or `torch.channels_last`"];
        /// A [`BlockedLayout`]
        Blocked => ["a blocked layout", "a blocked layout", BLOCKED];
    }
}

const BLOCKED: &str = "`aBcd16b`, or `src_f32::blocked:aBcd16b::f0 2x17x5x7`";

impl Library {
    pub(crate) const fn name(self) -> &'static str {
        self.words()[0]
    }

    /// What it calls what it writes.
    pub(crate) const fn notation(self) -> &'static str {
        self.words()[1]
    }

    pub(crate) const fn example(self) -> &'static str {
        self.words()[2]
    }

    /// Which types it may name.
    pub(crate) const fn types(self) -> &'static str {
        match self {
            Self::Numpy => "it knows `|b1`, `<i4`, `<u4`, `<f4`, `<c8` and other widths of them",
            Self::MemRef | Self::Tensor | Self::Mosaic | Self::LinalgPack => {
                "it knows `i32`, `ui32`, `f32`, `bf16`, `f8E4M3FN`, `complex<f32>` and other \
                 widths of them; `index` has none"
            }
            Self::OneDnn => "it knows `f32`, `bf16`, `s8`, `f8_e5m2` and other types of XLA's",
            Self::Torch => "it knows `torch.float32`, `torch.bfloat16`, `torch.int8` and others",
            _ => "name one that XLA has",
        }
    }
}
