//! Array layouts in the notations of other libraries: NumPy, DLPack, PyTorch, JAX, MLIR, CuTe,
//! oneDNN, TVM and others.
//!
//! A layout becomes strides, and strides become a layout. Each notation is printed and, where it
//! holds all that a layout holds, read. Programs use it as `xlayout::interop`, with the feature
//! `interop` of the facade [`xlayout`](https://docs.rs/xlayout). This crate converts descriptions
//! only: the crate `xlayout-dlpack` passes arrays.
//!
//! | library | `f32[2,3]{0,1}` there | type |
//! |---|---|---|
//! | strides | `(4, 8)`, in bytes | [`StridedArray`] |
//! | NumPy | `order='F'` | [`NumpyOrder`], [`Contiguity`] |
//! | NumPy | `{'shape': (2, 3), 'typestr': '<f4', 'strides': (4, 8), 'version': 3}` | [`ArrayInterface`] |
//! | DLPack | `strides = {1, 2}`, in elements | [`DlTensor`], [`DlDataType`] |
//! | MLIR | `memref<2x3xf32, strided<[1, 2]>>` | [`MemRef`] |
//! | CuTe | `(2,3):(1,2)` | [`CuteLayout`] |
//! | JAX | `Layout(major_to_minor=(1, 0), tiling=None, sub_byte_element_size_in_bits=0)` | [`JaxLayout`] |
//! | oneDNN, TVM, `linalg.pack`, Mosaic, PyTorch, ndarray, layouts that have a name | see below | [`Notation`], [`BlockedLayout`] |
//!
//! ```
//! use xlayout_interop::{CuteLayout, StridedArray, MemRef};
//! use xlayout_core::{ArrayShape, ElementType};
//!
//! // What NumPy says of `np.zeros((2, 3), 'f4', order='F')`:
//! let host = StridedArray::new(ElementType::F32, &[2, 3], &[4, 8])?;
//! assert_eq!(host.dense()?.to_string(), "f32[2,3]{0,1}");
//! assert_eq!(MemRef::new(&host.dense()?)?.to_string(), "memref<2x3xf32, strided<[1, 2]>>");
//!
//! let tiled: ArrayShape = "bf16[1000,3000]{1,0:T(8,128)(2,1)}".parse()?;
//! assert_eq!(
//!     CuteLayout::new(&tiled)?.to_string(),
//!     "((2,4,125),(128,24)):((1,256,24576),(2,1024))",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Every notation
//! [`Notation`] is a table of all of them: which one a text is of, what it says, and the text of a
//! layout. What a text leaves out, as the sizes of a tag of oneDNN, is [`Given`]. A part of a text
//! that is not understood is an error, and so is a layout that a notation cannot say.
//!
//! | key | texts | printed where |
//! |---|---|---|
//! | `onednn` | `aBcd16b`, `nChw16c` | tiles divide each other, and blocks of a dimension become finer |
//! | `onednn_verbose` | `src_f32::blocked:aBcd16b::f0 2x17x5x7`, whole lines of the log of versions 1 to 3 | read only |
//! | `tvm` | `NCHW16c`, with the axes of the sizes | as `onednn` |
//! | `pack` | `outer_dims_perm = […] inner_dims_pos = […] inner_tiles = […]`, or the operation, `linalg.unpack`, too | as `onednn`, one block for each dimension |
//! | `memref` | `strided<…>`, affine maps of `+`, `*`, `floordiv` and `mod` | strides, or as `onednn` |
//! | `mosaic` | `#tpu.tiled<(8,128)(2,1),[2,1]>`, `#tpu.vpad<"32,{0,0},(8,128)">` | row-major with tiles, or as `onednn` |
//! | `tensor` | `tensor<2x3xf32>`, with bounds and `mhlo.layout_mode` | read only |
//! | `triton` | `#ttg.linear<…>`, which says of no array where it lies | neither |
//! | `torch` | `torch.Size([2, 3]), stride=(1, 2)` | strides |
//! | `named` | `FRACTAL_NZ`, `NC1HWC0`, `COL32`, `TILE_LAYOUT`, `kCHW32`, `kHWC8`, `torch.channels_last`, … | it is one of these |
//! | `dlpack` | `dtype={kDLFloat, 32, 1}, shape={2, 3}, strides={1, 2}`, with all members of a `DLTensor` | strides |
//! | `numpy` | the array interface, and `shape=(2, 3), strides=(4, 8), dtype='float32', order='F'` | the latter |
//! | `ndarray` | `shape=[2, 3], strides=[1, 2], layout=F (0x2), const ndim=2`, with elements before it | read only |
//! | `cute`, `jax`, `memref_buffer` | the types above | as these say |
//!
//! ```
//! use xlayout_core::ElementType::F32;
//! use xlayout_interop::{Given, Notation};
//!
//! let given = Given { sizes: Some(&[2, 17, 5, 7]), element_type: Some(F32), ..Given::default() };
//! let text = "aBcd16b";
//! let shape = Notation::of(text, &given).expect("a tag of oneDNN").read(text, &given)?;
//! assert_eq!(shape.to_string(), "f32[2,17,5,7]{3,2,1,0:T(16,1,1)}");
//! let memref = Notation::with_key("memref").unwrap().print(&shape, &given)?.to_string();
//! assert_eq!(
//!     memref,
//!     "memref<2x17x5x7xf32, affine_map<(d0, d1, d2, d3) -> \
//!      (d0, d1 floordiv 16, d2, d3, d1 mod 16)>>",
//! );
//! # Ok::<(), xlayout_interop::Error>(())
//! ```
//!
//! # Dimensions of size 1
//! No element depends on the stride of a dimension of size 1, and still it names a sequence: a
//! batch of one image in `channels_last` has the strides `(24, 1, 8, 2)` and is `{1,3,2,0}`. So:
//!
//! 1. An array without elements is row-major.
//! 2. A dimension of size 1 is above those dimensions that its stride steps over as a whole, and
//!    below those whose strides are not smaller. Where several of them have one stride, the last
//!    one is the lowest, or the first one if so all dimensions are column-major.
//! 3. Some libraries write 0, 1 or another number there that fits at no place. Such a dimension
//!    is where the others suggest: if they are column-major among themselves, all are: `{0,1,2}`.
//!    Otherwise the first dimensions are the most major ones, and another one is just above the
//!    dimension after it. So what is row-major becomes exactly `{2,1,0}`.
//!
//! In DLPack a stride of 1 is such a number: PyTorch writes it for each dimension of size 1.
//!
//! # What is left out
//! The begin of the array in its buffer (`byte_offset`, `offset`) and the kind of memory are not
//! part of every notation; the documentation of each type says so. [`Notation::read_each`] gives
//! the offset that a text says beside the shape, as a [`Described`]. Everything else that a
//! notation cannot hold is a [`BoundaryError`].

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "std")]
extern crate std;

mod affine;
mod blocked;
mod codes;
mod cute;
mod described;
mod dlpack;
mod element_types;
mod error;
mod fields;
mod given;
mod jax;
mod layout;
mod library;
mod lists;
mod memref;
mod memref_read;
mod mosaic;
mod notation;
mod numpy;
mod numpy_read;
mod numpy_types;
mod pack;
mod read;
mod strides;
mod tags;
mod tensor;
mod torch;
mod verbose;

pub use blocked::{Block, BlockedLayout};
pub use cute::CuteLayout;
pub use described::{Described, Offset};
pub use dlpack::{DlDataType, DlTensor};
pub use error::{BoundaryError, Error, LayoutPart, StrideUnit};
pub use given::Given;
pub use jax::JaxLayout;
pub use library::{Library, MAX_RANK};
pub use memref::{MemRef, MemRefLayout};
pub use notation::Notation;
pub use numpy::{ArrayInterface, Contiguity, NumpyOrder};
pub use numpy_types::{TypeStr, from_numpy_name, numpy_name};
pub use strides::{StridedArray, StridesKind};
