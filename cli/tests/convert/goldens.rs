//! What the program says: read every one as a newcomer would.

use expect_test::{Expect, expect};

use crate::{Folder, recorded_bytes, text};

/// What is said, on both streams, without times.
pub(crate) fn said(folder: &Folder, words: &str) -> String {
    let output = folder.convert(words);
    let timed = text(&output.stdout);
    let out: Vec<_> = timed
        .lines()
        .map(
            |line| match line.find(" bytes").filter(|_| line.starts_with("wrote")) {
                Some(at) => format!("{} bytes", &line[..at]),
                None => line.to_owned(),
            },
        )
        .collect();
    let mut all = format!("$ xlayout convert {words}\n{}", out.join("\n"));
    if !out.is_empty() {
        all.push('\n');
    }
    all + &text(&output.stderr)
}

fn check(words: &[&str], expected: &Expect) {
    let folder = Folder::new();
    for name in [
        "float32",
        "fortran",
        "big_endian",
        "bfloat16",
        "float8_e4m3fn",
        "records",
        "objects",
        "text",
        "long_double",
    ] {
        folder.write(
            &format!("{name}.npy"),
            recorded_bytes(&format!("{name}.npy")),
        );
    }
    folder.write("model.safetensors", recorded_bytes("model.safetensors"));
    folder.write("a.bin", vec![0; 120_000]);
    folder.write("tiles.bin", vec![0; 159_744]);
    let all: Vec<_> = words.iter().map(|words| said(&folder, words)).collect();
    expected.assert_eq(&all.join("\n"));
}

#[test]
fn what_was_done() {
    check(
        &[
            "float32.npy f.npy --to F",
            "fortran.npy a-c.npy --to C",
            "big_endian.npy le.npy",
            "float32.npy tiles2.bin --to {1,0:T(8,128)}",
            "tiles.bin dense.npy --from f32[100,300]{1,0:T(8,128)}",
            "model.safetensors tiled.safetensors --to {1,0:T(8,128)} --opaque",
            "float32.npy quiet.npy --to F --quiet",
        ],
        &expect![[r#"
            $ xlayout convert float32.npy f.npy --to F
            wrote `f.npy`: 152 bytes
              f32[2,3]{1,0} -> f32[2,3]{0,1}: 6 elements of 4 bytes, from a table

            $ xlayout convert fortran.npy a-c.npy --to C
            wrote `a-c.npy`: 224 bytes
              f32[2,3,4]{0,1,2} -> f32[2,3,4]{2,1,0}: 24 elements of 4 bytes, from a table

            $ xlayout convert big_endian.npy le.npy
            wrote `le.npy`: 152 bytes
              f32[2,3]{1,0}, copied as it is; from big-endian to little-endian

            $ xlayout convert float32.npy tiles2.bin --to {1,0:T(8,128)}
            wrote `tiles2.bin`: 4,096 bytes
              f32[2,3]{1,0} -> f32[2,3]{1,0:T(8,128)}: runs of 12 bytes; 1,018 elements of padding, zero

            $ xlayout convert tiles.bin dense.npy --from f32[100,300]{1,0:T(8,128)}
            wrote `dense.npy`: 120,128 bytes
              f32[100,300]{1,0:T(8,128)} -> f32[100,300]{1,0}: runs of 512 bytes

            $ xlayout convert model.safetensors tiled.safetensors --to {1,0:T(8,128)} --opaque
            wrote `tiled.safetensors`: 5,704 bytes
              bias: s64[3]{0}, copied as it is
              scalar: f64[], copied as it is
              empty: f16[0,3]{1,0:T(8,128)}, copied as it is
              weight: f32[4,3]{1,0} -> f32[4,3]{1,0:T(8,128)}: runs of 12 bytes; 1,012 elements of padding, zero
              cube: u8[2,3,4]{2,1,0}, copied as it is
              mask: pred[2,3]{1,0} -> pred[2,3]{1,0:T(8,128)}: runs of 3 bytes; 1,018 elements of padding, zero

            $ xlayout convert float32.npy quiet.npy --to F --quiet
        "#]],
    );
}

#[test]
fn what_would_be_done() {
    check(
        &[
            "a.bin b.bin --from f32[100,300] --to F --dry-run",
            "model.safetensors b.safetensors --dry-run",
            "tiles.bin c.bin --from f32[100,300]{1,0:T(8,128)} --to {0,1} --dry-run",
        ],
        &expect![[r#"
            $ xlayout convert a.bin b.bin --from f32[100,300] --to F --dry-run
            would write `b.bin`: 120,000 bytes (117 KiB)
              f32[100,300]{1,0} -> f32[100,300]{0,1}: transpose in registers, 100 x 300 elements of 4 bytes
                in one block

            $ xlayout convert model.safetensors b.safetensors --dry-run
            would write `b.safetensors`: 542 bytes
              bias: s64[3]{0}, copied as it is
                in one block
              scalar: f64[], copied as it is
                in one block
              weight: f32[4,3]{1,0}, copied as it is
                in one block
              empty: f16[0,3]{1,0}, copied as it is
              cube: u8[2,3,4]{2,1,0}, copied as it is
                in one block
              mask: pred[2,3]{1,0}, copied as it is
                in one block

            $ xlayout convert tiles.bin c.bin --from f32[100,300]{1,0:T(8,128)} --to {0,1} --dry-run
            would write `c.bin`: 120,000 bytes (117 KiB)
              f32[100,300]{1,0:T(8,128)} -> f32[100,300]{0,1}: transpose in registers, 96 x 128 elements of 4 bytes
                in one block
        "#]],
    );
}

#[test]
fn types_that_npy_does_not_say() {
    check(
        &[
            "bfloat16.npy a2.bin",
            "float8_e4m3fn.npy a2.bin",
            "bfloat16.npy a2.bin --from f32",
            "records.npy a2.bin",
            "objects.npy a2.bin",
            "text.npy a2.bin",
            "long_double.npy a2.bin",
        ],
        &expect![[r#"
            $ xlayout convert bfloat16.npy a2.bin
            error: `<V2` says only how many bytes an element takes, not what it is
             --> bfloat16.npy:1:11
              |
            1 | {'descr': '<V2', 'fortran_order': False, 'shape': (2, 3), }
              |           ^^^^^
              |
              = help: name the type: `--from bf16`

            $ xlayout convert float8_e4m3fn.npy a2.bin
            error: `<V1` says only how many bytes an element takes, not what it is
             --> float8_e4m3fn.npy:1:11
              |
            1 | {'descr': '<V1', 'fortran_order': False, 'shape': (2, 3), }
              |           ^^^^^
              |
              = help: name the type: `--from f8e4m3fn`, or 15 others of 1 byte, such as s4, u4 and f8e4m3b11fnuz

            $ xlayout convert bfloat16.npy a2.bin --from f32
            error: `<V2` says only how many bytes an element takes, not what it is
             --> bfloat16.npy:1:11
              |
            1 | {'descr': '<V2', 'fortran_order': False, 'shape': (2, 3), }
              |           ^^^^^
              |
              = note: `--from` says f32, which is no such type
              = help: name the type: `--from bf16`

            $ xlayout convert records.npy a2.bin
            error: the elements are records with fields
             --> records.npy:1:11
              |
            1 | {'descr': [('a', '<f4'), ('b', '<i2')], 'fortran_order': False, 'shape': (2,), }
              |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a structured type
              |
              = help: save each field as an array of its own: `np.save('field.npy', a['field'])`

            $ xlayout convert objects.npy a2.bin
            error: the elements are Python objects, in pickle's format
             --> objects.npy:1:11
              |
            1 | {'descr': '|O', 'fortran_order': False, 'shape': (2,), }
              |           ^^^^
              |
              = help: save an array of numbers: `a.astype('float32')`

            $ xlayout convert text.npy a2.bin
            error: XLA has no element type that NumPy calls `<U3`
             --> text.npy:1:11
              |
            1 | {'descr': '<U3', 'fortran_order': False, 'shape': (1,), }
              |           ^^^^^
              |
              = help: convert the elements to a type that XLA has: `a.astype('float32')`

            $ xlayout convert long_double.npy a2.bin
            error: XLA has no element type that NumPy calls `<f16`
             --> long_double.npy:1:11
              |
            1 | {'descr': '<f16', 'fortran_order': False, 'shape': (2,), }
              |           ^^^^^^
              |
              = help: convert the elements to a type that XLA has: `a.astype('float32')`
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
             = help: write a full shape: --from 'f32[2,3]{0,1}'

            $ xlayout convert a.bin b.bin --from f32[100,300]
            error: both files are raw and `--to` is not given: nothing would change
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
             = help: dimensions count from 0; write `{1,0}` (row-major) or `{0,1}` (column-major); the dimension that varies fastest stands first

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
            error: `b.npz`: no format that is known goes by `.npz`
             |
             = help: an `.npz` is a zip of `.npy` files: unpack it first

            $ xlayout convert float32.npy b
            error: `b`: it has no extension that would say its format
             |
             = help: known are .npy, .safetensors, and .raw, .bin and .dat for elements without a header; or say --output-format

            $ xlayout convert weights.pt b.npy
            error: `weights.pt`: no format that is known goes by `.pt`
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
             = help: say which one by `--tensor`: `bias`, `scalar`, `weight`, `empty`, `cube` and `mask`

            $ xlayout convert model.safetensors b.npy --tensor wieght
            error: `model.safetensors` has no tensor `wieght`
             |
             = help: it has `bias`, `scalar`, `weight`, `empty`, `cube` and `mask`

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
