//! The errors for files and layouts that do not fit each other. Read each as a new user would.

use expect_test::expect;

use crate::convert::goldens::check;

#[test]
fn words_that_are_nearly_right() {
    check(
        &[
            "model.safetensors b.npy --tensor Bias",
            "model.safetensors b.npy --tensor bais",
            "model.safetensors b.npy --tensor nothing_like_it",
            "a.bin b.npy --from tensor<100x300xf32>",
            "a.bin b.npy --from memref<100x300xf32>",
            "dates.npy b.npy",
            "- b.npy",
            "float32.npy -",
            "- b.npy --input-format npy",
            "- b.safetensors --input-format raw --from f32[0]",
        ],
        &expect![[r#"
            $ xlayout convert model.safetensors b.npy --tensor Bias
            error: `model.safetensors` has no tensor `Bias`
             |
             | --tensor Bias
             |          ^^^^
             |
             = help: did you mean `bias`?

            $ xlayout convert model.safetensors b.npy --tensor bais
            error: `model.safetensors` has no tensor `bais`
             |
             | --tensor bais
             |          ^^^^
             |
             = help: did you mean `bias`?

            $ xlayout convert model.safetensors b.npy --tensor nothing_like_it
            error: `model.safetensors` has no tensor `nothing_like_it`
             |
             | --tensor nothing_like_it
             |          ^^^^^^^^^^^^^^^
             |
             = help: it has `bias`, `scalar`, `weight`, `empty`, `cube` and `mask`

            $ xlayout convert a.bin b.npy --from tensor<100x300xf32>
            wrote `b.npy`: 120,128 bytes
              f32[100,300]{1,0}, copied as it is

            $ xlayout convert a.bin b.npy --from memref<100x300xf32>
            error: `b.npy` exists, and was not touched
             |
             = help: name another file, or say `--force` to replace it

            $ xlayout convert dates.npy b.npy
            error: the elements are dates, NumPy's `<M8[s]`, which XLA does not have
             --> dates.npy:1:11
              |
            1 | {'descr': '<M8[s]', 'fortran_order': False, 'shape': (2,), }
              |           ^^^^^^^^
              |
              = help: save the count of units since 1970: `a.astype('int64')`

            $ xlayout convert - b.npy
            error: `-` has no extension that would say its format
             |
             | -
             | ^
             |
             = help: say --input-format: npy, npz, safetensors or raw

            $ xlayout convert float32.npy -
            error: `-` has no extension that would say its format
             |
             | -
             | ^
             |
             = help: say --output-format: npy, npz, safetensors or raw

            $ xlayout convert - b.npy --input-format npy
            error: `standard input` is no `.npy` file: it is empty
             |
             = help: if it holds elements and nothing else, say `--input-format raw` and its shape by `--from`

            $ xlayout convert - b.safetensors --input-format raw --from f32[0]
            error: the tensor has no name: the standard input has none to take
             |
             = help: say the name of the tensor in the output: `--tensor NAME`
        "#]],
    );
}

#[test]
fn shapes_that_do_not_fit() {
    check(
        &[
            "a.bin b.npy",
            "a.bin b.npy --from f32[100,301]",
            "a.bin b.npy --from f32[100,300]{1,0:T(8,128)}",
            "tiles.bin b.npy --from f32[100,300]",
            "a.bin b.npy --from f32[100,300",
            "a.bin b.npy --from {0,1}",
            "a.bin b.bin --from f32[100,300]",
            "float32.npy b.npy --from f32[3,2]",
            "float32.npy b.npy --from {0,1}",
            "float32.npy b.npy --to bf16[2,3]",
            "float32.npy b.npy --to f32[3,2]{0,1}",
            "float32.npy b.npy --to {0,2}",
            "float32.npy b.npy --to {0,1,2}",
            "float32.npy b.npy --to bf16",
            "float32.npy b.npy --to column",
            "float32.npy b.bin --to {1,0:M(8)}",
        ],
        &expect![[r#"
            $ xlayout convert a.bin b.npy
            error: `a.bin` is a raw file: it does not say what is in it
             |
             | a.bin
             | ^^^^^
             |
             = help: say the shape and the layout of its 120,000 bytes (117 KiB): --from 'f32[2,3]{0,1}'

            $ xlayout convert a.bin b.npy --from f32[100,301]
            error: `a.bin` has 120,000 bytes (117 KiB)
             |
             | --from f32[100,301]
             |        ^^^^^^^^^^^^ takes 120,400 bytes (118 KiB)
             |
             = help: a file of this length would be `f32[100,300]{1,0}`

            $ xlayout convert a.bin b.npy --from f32[100,300]{1,0:T(8,128)}
            error: `a.bin` has 120,000 bytes (117 KiB)
             |
             | --from f32[100,300]{1,0:T(8,128)}
             |        ^^^^^^^^^^^^^^^^^^^^^^^^^^ takes 159,744 bytes (156 KiB)
             |
             = help: a file of this length would be `f32[100,300]{1,0}`

            $ xlayout convert tiles.bin b.npy --from f32[100,300]
            error: `tiles.bin` has 159,744 bytes (156 KiB)
             |
             | --from f32[100,300]
             |        ^^^^^^^^^^^^ takes 120,000 bytes (117 KiB)
             |
             = help: a file of this length would be `f32[100,300]{1,0:T(8,128)}`

            $ xlayout convert a.bin b.npy --from f32[100,300
            error: this `[` is never closed
             |
             | --from f32[100,300
             |           ^
             |
             = help: write `]` where it ends

            $ xlayout convert a.bin b.npy --from {0,1}
            error: a raw file says neither the type of its elements nor their number
             |
             | --from {0,1}
             |        ^^^^^
             |
             = help: write a full shape: --from 'f32[2,3]{0,1}', or give --sizes and --type, too

            $ xlayout convert a.bin b.bin --from f32[100,300]
            error: both files are raw and `--to` is not given: nothing would change
             |
             | b.bin
             | ^^^^^
             |
             = help: say the layout of the output: --to '{0,1}'

            $ xlayout convert float32.npy b.npy --from f32[3,2]
            error: the file says otherwise
             |
             | --from f32[3,2]
             |        ^^^^^^^^ the file has f32[2,3]{1,0}
             |
             = help: leave `--from` out: the file's own header is used

            $ xlayout convert float32.npy b.npy --from {0,1}
            error: the file says otherwise
             |
             | --from {0,1}
             |        ^^^^^ the file has f32[2,3]{1,0}
             |
             = help: leave `--from` out: the file's own header is used

            $ xlayout convert float32.npy b.npy --to bf16[2,3]
            error: `convert` moves elements and never changes them: f32 stays f32
             |
             | --to bf16[2,3]
             |      ^^^^ the array is `f32[2,3]{1,0}`
             |
             = help: write `f32` here, or only the layout

            $ xlayout convert float32.npy b.npy --to f32[3,2]{0,1}
            error: the sizes are not those of the array
             |
             | --to f32[3,2]{0,1}
             |         ^^^^^ the array is `f32[2,3]{1,0}`
             |
             = help: both sides are the same logical array: keep the dimensions, and transpose by the layout, '{0,1}'

            $ xlayout convert float32.npy b.npy --to {0,2}
            error: the layout does not fit `f32[2,3]`: minor_to_major lists dimension 2, but the shape has dimensions 0 and 1
             |
             | --to {0,2}
             |      ^^^^^
             |
             = help: dimensions count from 0; write `{1,0}` (row-major) or `{0,1}` (column-major); the dimension that varies fastest comes first

            $ xlayout convert float32.npy b.npy --to {0,1,2}
            error: the layout is for 3 dimensions, but `f32[2,3]` has 2 dimensions
             |
             | --to {0,1,2}
             |      ^^^^^^^
             |
             = help: list every dimension once, the one that varies fastest first

            $ xlayout convert float32.npy b.npy --to bf16
            error: a type is no layout
             |
             | --to bf16
             |      ^^^^
             |
             = help: the elements are f32 and stay what they are; write a layout: '{0,1}'. `convert` never changes values

            $ xlayout convert float32.npy b.npy --to column
            error: `column` is no layout
             |
             | --to column
             |      ^^^^^^
             |
             = help: write a shape with a layout, 'f32[2,3]{0,1}', a layout alone, '{0,1}', or C (row-major) or F (column-major)

            $ xlayout convert float32.npy b.bin --to {1,0:M(8)}
            error: the bytes before the data, `M(n)`, are not converted; leave it out
             |
             | --to {1,0:M(8)}
             |      ^^^^^^^^^^
        "#]],
    );
}

#[test]
fn layouts_that_a_format_cannot_say() {
    check(
        &[
            "float32.npy b.npy --to {1,0:T(8,128)}",
            "fortran.npy b.npy --to {1,2,0}",
            "fortran.npy b.safetensors --to {0,1,2}",
            "float32.npy b.npz",
            "float32.npy b",
            "weights.pt b.npy",
        ],
        &expect![[r#"
            $ xlayout convert float32.npy b.npy --to {1,0:T(8,128)}
            error: a `.npy` file cannot say that its array is `f32[2,3]{1,0:T(8,128)}`
             |
             | --to {1,0:T(8,128)}
             |      ^^^^^^^^^^^^^^
             |
             = help: NumPy knows dense arrays in two orders: --to '{1,0}' (C) and --to '{0,1}' (F); any layout goes into a raw file, `.bin`

            $ xlayout convert fortran.npy b.npy --to {1,2,0}
            error: a `.npy` file cannot say that its array is `f32[2,3,4]{1,2,0}`
             |
             | --to {1,2,0}
             |      ^^^^^^^
             |
             = help: NumPy knows dense arrays in two orders: --to '{2,1,0}' (C) and --to '{0,1,2}' (F); any layout goes into a raw file, `.bin`

            $ xlayout convert fortran.npy b.safetensors --to {0,1,2}
            error: a safetensors file cannot say that tensor `fortran` is `f32[2,3,4]{0,1,2}`
             |
             | --to {0,1,2}
             |      ^^^^^^^
             |
             = help: its tensors are row-major; `--opaque` stores this one as bytes, with its shape in the metadata for `xlayout` to read
             = help: any layout goes into a raw file, `.bin`

            $ xlayout convert float32.npy b.npz
            error: files of this format are read, not written
             |
             | b.npz
             | ^^^^^
             |
             = help: write all arrays to a `.safetensors`, or one to a `.npy` with `--tensor`

            $ xlayout convert float32.npy b
            error: the file has no extension that would say its format
             |
             | b
             |  ^
             |
             = help: known are .npy, .npz, .safetensors, .safetensors.index.json, and .raw, .bin and .dat for elements without a header; or say --output-format

            $ xlayout convert weights.pt b.npy
            error: no format that is known goes by `.pt`
             |
             | weights.pt
             |        ^^^
             |
             = help: PyTorch's own files are Python programs: save them as safetensors
        "#]],
    );
}

#[test]
fn tensors() {
    check(
        &[
            "model.safetensors b.npy",
            "model.safetensors b.npy --tensor wieght",
            "model.safetensors b.safetensors --to {0,1,2,3}",
            "float32.npy b.npy --tensor a",
            "model.safetensors b.safetensors --to {0,1}",
        ],
        &expect![[r#"
            $ xlayout convert model.safetensors b.npy
            error: `model.safetensors` holds 6 tensors, and the output has room for one
             |
             | model.safetensors
             | ^^^^^^^^^^^^^^^^^
             |
             = help: say which one by `--tensor`: `bias`, `scalar`, `weight`, `empty`, `cube` and `mask`

            $ xlayout convert model.safetensors b.npy --tensor wieght
            error: `model.safetensors` has no tensor `wieght`
             |
             | --tensor wieght
             |          ^^^^^^
             |
             = help: did you mean `weight`?

            $ xlayout convert model.safetensors b.safetensors --to {0,1,2,3}
            error: no tensor of the file has as many dimensions as this layout
             |
             | --to {0,1,2,3}
             |      ^^^^^^^^^
             |
             = help: `xlayout convert … --dry-run` without `--to` lists the tensors

            $ xlayout convert float32.npy b.npy --tensor a
            error: neither of the files has tensors with names
             |
             | --tensor a
             |          ^
             |
             = help: leave `--tensor` out; it is for safetensors files

            $ xlayout convert model.safetensors b.safetensors --to {0,1}
            error: a safetensors file cannot say that tensor `weight` is `f32[4,3]{0,1}`
             |
             | --to {0,1}
             |      ^^^^^
             |
             = help: its tensors are row-major; `--opaque` stores this one as bytes, with its shape in the metadata for `xlayout` to read
             = help: any layout goes into a raw file, `.bin`
        "#]],
    );
}

#[test]
fn existing_files() {
    check(
        &["float32.npy fortran.npy", "float32.npy float32.npy"],
        &expect![[r#"
            $ xlayout convert float32.npy fortran.npy
            error: `fortran.npy` exists, and was not touched
             |
             = help: name another file, or say `--force` to replace it

            $ xlayout convert float32.npy float32.npy
            error: `float32.npy` exists, and was not touched
             |
             = help: name another file, or say `--force` to replace it
        "#]],
    );
}
