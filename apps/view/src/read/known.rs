//! Texts that people paste and that say of no array where its elements lie: why, and what to give
//! in their place. They are asked when a text is not read.

use crate::error::{Error, TextSpan};

const HLO: &str = "`xlayout hlo -` reads it from the standard input";
const PRINT: &str = "paste what the session prints: `x.shape, x.strides, x.dtype` of NumPy's, \
                     `x.size(), x.stride()` of PyTorch's, `x.format` or `x.sharding` of JAX's";
const REGISTERS: &str =
    "it says which register of a lane holds which element, not where elements lie in memory";
const PROGRAM: &str = "this is a program or a sentence, and not what a session prints";
pub(super) const NAMES: &str = "the text has names for sizes, and does not say their values";
pub(super) const NUMBERS: &str =
    "write numbers: `torch.Size([1, 8, 1, 4]), stride=(32, 4, 4, 1)` with --type f32";
const GGML: &str = "write both in the other sequence, as NumPy's: `shape=(3, 4), strides=(16, 4), dtype='float32'`";
const TILES: &str = "elements in tiles of Tenstorrent's have a layout that MLIR does not say";
const TRITON: &str = "give the layout in shared memory, or a `#ttg.blocked` or `#ttg.linear` one";
const CUTE_PRINTS: &str =
    "paste what `print(tensor)` prints: `gmem_ptr[32b](0x7f00) o (_128,_8):(_8,_1)`";
const TAGGED: &str = "the text names a layout of oneDNN's, and says the sizes apart";
const TAG: &str = "write the name with the sizes: `ABcd16b16a` --sizes 32,64,1,1 --type f32";
const SHARDING: &str = "`xlayout shard explain - SHAPE --mesh x=2,y=4` reads it from the standard \
                        input";

/// Words that are all in the text, what it is, and what to do.
#[rustfmt::skip]
const KNOWN: &[(&[&str], &str, &str)] = &[
    (&["HloModule "], "this is a module of HLO, and no layout", HLO),
    (&["RESOURCE_EXHAUSTED"], "this is a report of running out of memory, and no layout", HLO),
    (&["OOM when "], "this is a report of running out of memory, and no layout", HLO),
    (&["ut of memory"], "this is a report of running out of memory, and no layout", HLO),
    (&["bfc_allocator"], "this is a log of an allocator, and no layout", HLO),
    (&["┌", "│"], "this is a picture of a sharding, which says neither the array nor the mesh",
        "paste what `print(x.sharding)` prints"),
    (&["mesh.annotate"], "MLIR's mesh dialect names axes of a mesh by numbers, and is not read",
        "write Shardy's `#sdy.sharding<mesh<[\"x\"=2]>, [{\"x\"}, {}]>`"),
    (&["PositionalSharding(", "devices)"], "this is a program, and does not say the devices",
        "paste what `print(x.sharding)` prints"),
    (&["Shard("], "this is a sharding of PyTorch's", SHARDING),
    (&["sdy.sharding"], "this is a sharding of Shardy's", SHARDING),
    (&["TileLayout("], REGISTERS, "give the layout in memory: `(32,4):(4,1)`"),
    (&["TiledLayout("], REGISTERS, "give the layout in memory: `#tpu.tiled<(8,128),[2,1]>`"),
    (&["FragLayout"], REGISTERS, "give the layout in memory: `#tpu.tiled<(8,128),[2,1]>`"),
    (&["VectorLayout("], REGISTERS, "give the layout in memory: `#tpu.tiled<(8,128),[2,1]>`"),
    (&["MmaLayout("], REGISTERS, TRITON),
    (&["MFMALayout("], REGISTERS, TRITON),
    (&["SliceLayout("], REGISTERS, TRITON),
    (&["WGMMA"], REGISTERS, "give the layout in memory: `#tpu.tiled<(8,128),[2,1]>`"),
    (&["nested_layout<"], REGISTERS, "give the type in memory: `memref<8x32xf16, strided<[32, 1]>>`"),
    (&["lane_layout"], REGISTERS, "give the type in memory: `memref<8x32xf16, strided<[32, 1]>>`"),
    (&["sg_map<"], REGISTERS, "give the type in memory: `memref<8x32xf16, strided<[32, 1]>>`"),
    (&["wg_map<"], "it divides a tile among the threads of a work group, and says no places in memory",
        "give the type in memory: `memref<8x32xf16, strided<[32, 1]>>`"),
    (&["ctaLayout ="], REGISTERS, TRITON),
    (&["dpas<"], REGISTERS, TRITON),
    (&["TilingTransform("], "the transforms of a Pallas kernel do not say the array",
        "write tiles as CuTe's, with the swizzle of bytes: `Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)`"),
    (&["ttcore."], TILES, "give the array alone: `tensor<64x64xbf16>`"),
    (&["tt.tile<"], TILES, "give the array alone: `tensor<64x64xbf16>`"),
    (&["rematerialization", "{devices="], "this is a log about shardings, and says no layout",
        "`xlayout shard diff A B SHAPE` says what moves between two of them"),
    (&["{devices="], "this is a sharding: how an array is divided, not how its parts lie", SHARDING),
    (&["\"{\"sharding_type"], "these are shardings as Orbax writes them, each in quotes",
        "give one of them alone: `{\"sharding_type\": \"NamedSharding\", …}`"),
    (&["ShardSpec("], "this divides an array among the cores of one chip, in units of elements",
        "write each core as a device: `{devices=[1,8]<=[8]}` with `f32[32,512]` is 8 shards of [32,64]"),
    (&["TensorLayout("], "Keras' layout of a tensor names an axis of the mesh for each dimension",
        "write it as JAX's: `P(None, 'model')`, with the sizes of the axes: --mesh batch=2,model=4"),
    (&["ttnn.TILE_LAYOUT"], "TTNN's words are read where the text has no other ones",
        "write the name with the sizes: `TILE_LAYOUT` --sizes 1,2,64,96 --type bf16"),
    (&["ne=["], "ggml lists sizes and strides with the fastest dimension first", GGML),
    (&["nb = "], "ggml lists sizes and strides with the fastest dimension first",
        GGML),
    (&["nb["], "ggml lists sizes and strides with the fastest dimension first", GGML),
    (&["blk."], "ggml lists sizes and strides with the fastest dimension first", GGML),
    (&["->nb"], "ggml lists sizes and strides with the fastest dimension first", GGML),
    (&["--in_layout"], "MIOpen's driver says the sizes of a layout as options",
        "give a layout with its sizes, in its sequence of letters: `NHWC --axes NHWC --sizes 128,28,28,512`"),
    (&["dask.array<"], "each chunk of dask's is an array of its own", "write a chunk: `f64[100,100]{1,0}`"),
    (&["DATASPACE"], "an array of HDF5's is row-major, or in chunks that are", "write it: `f32[100,100]{1,0}`"),
    (&["array(", "d, F)"], "numba's type has no sizes", "write them: `f64[3,4]{0,1}` for the order F"),
    (&["make_swizzle"], PROGRAM,
        "write the map as CuTe prints it: `Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)`"),
    (&["IncompatibleLayout"], "the error says neither the sizes nor the strides",
        "paste what `println!(\"{array:?}\")` prints at its end: `shape=[2, 3], strides=[1, 2]`"),
    (&["non-contiguous"], "the error says neither the sizes nor the strides", PRINT),
    (&["non contiguous"], "the error says neither the sizes nor the strides", PRINT),
    (&["capsule object"], "a capsule does not print what it holds", PRINT),
    (&["C_CONTIGUOUS"], "flags say neither the sizes nor the strides", PRINT),
    (&["zarr"], "this is the metadata of a Zarr array: its chunks are files, and each chunk is an array",
        "write a chunk: `f64[10,10]{1,0}` for the order C, `{0,1}` for F; `xlayout convert` reads the array"),
    (&["inner chunk"], "this is an error about the chunks of a Zarr array", "write one of them: `f32[10,10]{1,0}`"),
    (&["minor_to_major: "], "this is a proto of XLA's, printed as text", "write it as XLA's text: `f32[2,3]{0,1:T(8,128)}`"),
    (&["data_offsets"], "this is the header of a safetensors file, in which each array is row-major",
        "write an array: `f32[2,3]{1,0}`; `xlayout convert` reads the file"),
    (&["BlockSpec("], "a block's sizes and a map of a grid say not how the array lies",
        "write the block with TPU's tiles: `f32[1,128,128]{2,1,0:T(8,128)}`"),
    (&["pltpu.VMEM("], "this is a program, with names for sizes",
        "write numbers, with TPU's tiles: `f32[1,128,128]{2,1,0:T(8,128)}`"),
    (&["src_layout"], "this names two layouts", "give one of them alone: `NCHW4c`"),
    (&["lambda ", ": ["], "this is a function of Python, as of TVM's `transform_layout`",
        "write TVM's name of the layout, `NCHW4c`, with the sizes: --sizes 1,64,56,56"),
    (&["stride", "mismatch"], "strides alone say neither the sizes nor the type",
        "write both: `torch.Size([1, 3, 224, 224]), stride=(3, 1, 672, 3)` with --type f32"),
    (&["has stride"], "the error says neither the sizes nor all strides", PRINT),
    (&["]@["], NAMES, NUMBERS),
    (&["layout_stride"], "this is a program, with the strides apart from the sizes",
        "write both: `torch.Size([3, 4]), stride=(1, 3)` with --type f64"),
    (&["logical domain"], NAMES, "write numbers: `f32[8,16]{0,1}`, with the dimensions from the fastest one on"),
    (&["inner_blks"], "of an array in blocks, the strides of oneDNN's descriptor are those of blocks", TAG),
    (&["format_tag"], TAGGED, TAG),
    (&["dims", ", format: "], TAGGED, TAG),
    (&["format: ["], "the text says strides as a format",
        "write both, in elements: `torch.Size([2, 2, 3, 2]), stride=(48, 24, 8, 3)` with --type f32"),
    (&["prim_kind"], "a table of benchdnn's and its converter says no tags, and so no layouts",
        "give a line of the log: `onednn_verbose,…,src_f32::blocked:acdb::f0 …`"),
    (&["extent=", "stride="], "Halide lists extents and strides of dimensions, of which the first one is the fastest",
        "write both, in elements: `torch.Size([100, 100]), stride=(1, 100)` with --type u8"),
    (&["Format/Datatype"], "TensorRT says a format and sizes apart, and the format in words",
        "write the format's name, with both: `kHWC8` --sizes 1,64,160,160 --type f16"),
    (&["Channel major"], "TensorRT says a format in words",
        "write its name, with the sizes: `kHWC8` --sizes 1,64,160,160 --type f16"),
    (&["NamedSharding(", "(:"], "this is Julia, whose first dimension is XLA's last one",
        "write what `@code_hlo` prints: `{devices=[2,2]<=[4]}`"),
    (&["ArithTuple("], "a layout of coordinates, as of TMA's tensors, says no offsets in memory", CUTE_PRINTS),
    (&["local_tile("], PROGRAM, CUTE_PRINTS),
    (&["local_partition("], PROGRAM, CUTE_PRINTS),
    (&["get_slice("], PROGRAM, CUTE_PRINTS),
    (&["00000000: "], "these are the bytes of a file", "`xlayout convert` reads safetensors and .npy files"),
    (&["benchdnn"], "the line says no tags, and so no layouts",
        "give tags, `--stag=abx --dtag=aBx8b`, or a line of `ONEDNN_VERBOSE=1`"),
];

/// Whether a text is about registers; types beside it are not what is asked.
pub(super) fn is_of_registers(text: &str) -> bool {
    let has = |words: &&str| text.contains(words);
    let mut rows = KNOWN.iter().filter(|row| row.1 == REGISTERS);
    rows.any(|row| row.0.iter().all(has))
}

/// A program or a sentence with words of a notation.
pub(super) fn no_values(place: TextSpan) -> Error {
    Error::new(PROGRAM).at(place).help(PRINT)
}

/// Words of programs, which a text in a notation may have, too.
const PROGRAMS: [&str; 6] = ["rray([", "[[", "np.", "torch.", "jax.", ".stride"];

/// Whether the reason is only that sizes or strides are missing.
pub(super) fn is_vague(failure: &Error) -> bool {
    let helps = failure
        .mistakes()
        .iter()
        .flat_map(|mistake| &mistake.remarks);
    helps.into_iter().any(|help| help.in_command() == PRINT)
}

/// Why a text that is not read says no layout; of a text in no notation, `is_other`, also that it
/// is a program.
pub(crate) fn known(text: &str, is_other: bool, place: TextSpan) -> Option<Error> {
    let has = |words: &&str| text.contains(words);
    // Where a sharding is read, that is no reason.
    let is_of_shard = place.origin == "SHARDING";
    let mut rows = KNOWN
        .iter()
        .filter(|row| !(is_of_shard && row.2 == SHARDING));
    let row = rows.find(|row| row.0.iter().all(has));
    let is_program = || is_other && PROGRAMS.iter().any(has);
    let is_error = is_other && (text.contains("Error: ") || text.contains("Exception: "));
    let (what, help) = match row {
        Some((_, what, help)) => (*what, *help),
        None if is_error => ("this is an error that says no layout", PRINT),
        None if is_program() => (PROGRAM, PRINT),
        None => return None,
    };
    Some(Error::new(what).at(place).help(help))
}
