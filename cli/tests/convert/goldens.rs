//! What the program says: read every one as a newcomer would.

use expect_test::{Expect, expect};

use crate::{Folder, recorded_bytes, text};

/// What is said, on both streams, without times.
fn said(folder: &Folder, words: &str) -> String {
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
             ::: 
              | --from f32
              |        ^^^ no such type of 2 bytes
              |
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

/// Headers that are damaged, with carets in them.
#[test]
fn damaged_headers() {
    let folder = Folder::new();
    let mut all = Vec::new();
    let npy = recorded_bytes("float32.npy");
    let changed = |find: &str, by: &str, whole: &[u8]| {
        let text: String = whole.iter().map(|byte| char::from(*byte)).collect();
        let changed = text.replacen(find, by, 1);
        changed.chars().map(|c| c as u8).collect::<Vec<_>>()
    };
    for (find, by) in [
        ("NUMPY", "BUMPY"),
        ("\u{1}\0", "\u{7}\0"),
        ("'descr'", "'dexcr'"),
        ("'<f4'", "'?f4'"),
        ("'<f4'", " <f4 "),
        ("False", "Felse"),
        ("(2, 3)", "(2; 3)"),
        ("(2, 3)", "(2, 4)"),
        ("(2, 3)", "(2, 2)"),
        (" }", "  "),
        ("}  ", "} x"),
    ] {
        folder.write("bad.npy", changed(find, by, &npy));
        all.push(said(&folder, "bad.npy out.bin"));
    }
    folder.write("bad.npy", b"");
    all.push(said(&folder, "bad.npy out.bin"));
    folder.write("bad.npy", &npy[..60]);
    all.push(said(&folder, "bad.npy out.bin"));
    folder.write("bad.npy", &npy[..140]);
    all.push(said(&folder, "bad.npy out.bin"));
    let tensors = recorded_bytes("model.safetensors");
    for (find, by) in [
        ("{\"__", "[\"__"),
        ("\"F64\"", "\"F65\""),
        ("[4,3]", "[4,2]"),
        ("[4,3]", "[4,-]"),
        ("\"shape\"", "\"shops\""),
        ("\"bias\"", "\"mask\""),
        ("[0,24]", "[8,32]"),
        ("\"cube\":{", "\"cube\":"),
        ("\"np\"", "1234"),
    ] {
        folder.write("bad.safetensors", changed(find, by, &tensors));
        all.push(said(&folder, "bad.safetensors out.safetensors"));
    }
    folder.write("bad.safetensors", &tensors[..300]);
    all.push(said(&folder, "bad.safetensors out.safetensors"));
    folder.write("bad.safetensors", &tensors[..540]);
    all.push(said(&folder, "bad.safetensors out.safetensors"));
    expect![[r#"
        $ xlayout convert bad.npy out.bin
        error: `bad.npy` is no `.npy` file: it begins with `\x93BUMPY`, not with `\x93NUMPY`
         |
         = help: if it holds elements and nothing else, say `--input-format raw` and its shape by `--from`

        $ xlayout convert bad.npy out.bin
        error: `bad.npy` is written in version 7.0 of the format
         |
         = help: versions 1.0, 2.0 and 3.0 are known; save it again with a current NumPy

        $ xlayout convert bad.npy out.bin
        error: `dexcr` is no key of this header
         --> bad.npy:1:2
          |
        1 | {'dexcr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
          |  ^^^^^^^ expected `descr`, `fortran_order` or `shape`
          |
          = help: NumPy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`; is the file damaged?

        $ xlayout convert bad.npy out.bin
        error: `?f4` is no type of NumPy's
         --> bad.npy:1:11
          |
        1 | {'descr': '?f4', 'fortran_order': False, 'shape': (2, 3), }
          |           ^^^^^
          |
          = help: NumPy writes types as `<f4`, `>i8` or `|b1`; is the file damaged?

        $ xlayout convert bad.npy out.bin
        error: expected the name of a type in quotes, found `<`
         --> bad.npy:1:12
          |
        1 | {'descr':  <f4 , 'fortran_order': False, 'shape': (2, 3), }
          |            ^
          |
          = help: NumPy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`; is the file damaged?

        $ xlayout convert bad.npy out.bin
        error: expected `True` or `False`, found `Felse`
         --> bad.npy:1:35
          |
        1 | {'descr': '<f4', 'fortran_order': Felse, 'shape': (2, 3), }
          |                                   ^^^^^
          |
          = help: NumPy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`; is the file damaged?

        $ xlayout convert bad.npy out.bin
        error: expected `,` or `)`, found `;`
         --> bad.npy:1:53
          |
        1 | {'descr': '<f4', 'fortran_order': False, 'shape': (2; 3), }
          |                                                     ^
          |
          = help: NumPy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`; is the file damaged?

        $ xlayout convert bad.npy out.bin
        error: `bad.npy` ends too early: `f32[2,4]{1,0}` takes 32 bytes, and 24 bytes follow the header
         |
         = help: it was cut short; copy or save it again

        $ xlayout convert bad.npy out.bin
        error: `bad.npy` goes on after its array: `f32[2,2]{1,0}` takes 16 bytes, and 24 bytes follow the header
         |
         = help: several arrays in one file are not read: save each to a file of its own

        $ xlayout convert bad.npy out.bin
        error: expected a key in quotes, found the end of the header
         --> bad.npy:1:58
          |
        1 | {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3),
          |                                                          ^
          |
          = help: NumPy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`; is the file damaged?

        $ xlayout convert bad.npy out.bin
        error: expected the end of the header, found `x`
         --> bad.npy:1:61
          |
        1 | {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } x
          |                                                             ^
          |
          = help: NumPy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`; is the file damaged?

        $ xlayout convert bad.npy out.bin
        error: `bad.npy` is no `.npy` file: it is empty
         |
         = help: if it holds elements and nothing else, say `--input-format raw` and its shape by `--from`

        $ xlayout convert bad.npy out.bin
        error: `bad.npy` ends in its header: it has 60 bytes, the header 128 bytes
         |
         = help: it was cut short; copy or save it again

        $ xlayout convert bad.npy out.bin
        error: `bad.npy` ends too early: `f32[2,3]{1,0}` takes 24 bytes, and 12 bytes follow the header
         |
         = help: it was cut short; copy or save it again

        $ xlayout convert bad.safetensors out.safetensors
        error: the header is no valid JSON: invalid type: sequence, expected an object
         --> bad.safetensors:1:1
          |
        1 | ["__metadata__":{"format":"np","by":"é \"quoted\""},"bias":{"…
          | ^
          |
          = help: it is damaged, or no safetensors file

        $ xlayout convert bad.safetensors out.safetensors
        error: tensor `scalar` has elements of type "F65", which XLA does not have in files
         --> bad.safetensors:1:62
          |
        1 | …:"I64","shape":[3],"data_offsets":[0,24]},"scalar":{"dtype":"F65","shape":[],"data_offsets":[24,32]},"weight":{"dtype":"F32",…
          |                                                              ^^^^^
          |
          = help: known are BOOL, F4, U8, I8, F8_E5M2, F8_E4M3, F8_E8M0, F8_E4M3FNUZ, F8_E5M2FNUZ, I16, U16, F16, BF16, I32, U32, F32, C64, F64, I64 and U64

        $ xlayout convert bad.safetensors out.safetensors
        error: tensor `weight`, f32[4,2]{1,0}, takes 32 bytes, but its place has 48 bytes
         --> bad.safetensors:1:62
          |
        1 | …4,32]},"weight":{"dtype":"F32","shape":[4,2],"data_offsets":[32,80]},"empty":{"dtype":"F16","shape":[0,3],"data_offsets":[80,80…
          |                                                              ^^^^^^^
          |
          = help: is the file damaged?

        $ xlayout convert bad.safetensors out.safetensors
        error: the header is no valid JSON: invalid number
         --> bad.safetensors:1:62
          |
        1 | …"data_offsets":[24,32]},"weight":{"dtype":"F32","shape":[4,-],"data_offsets":[32,80]},"empty":{"dtype":"F16","shape":[0,3…
          |                                                              ^
          |
          = help: it is damaged, or no safetensors file

        $ xlayout convert bad.safetensors out.safetensors
        error: tensor `bias` has a `shops`, which is unknown
         --> bad.safetensors:1:62
          |
        1 | …at":"np","by":"é \"quoted\""},"bias":{"dtype":"I64","shops":[3],"data_offsets":[0,24]},"scalar":{"dtype":"F64","shape":[],"…
          |                                                              ^^^
          |
          = help: a tensor has `dtype`, `shape` and `data_offsets`

        $ xlayout convert bad.safetensors out.safetensors
        error: `mask` stands there twice
         --> bad.safetensors:1:62
          |
        1 | …dtype":"U8","shape":[2,3,4],"data_offsets":[80,104]},"mask":{"dtype":"BOOL","shape":[2,3],"data_offsets":[104,110]}}
          |                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          |
          = help: one of the two would be lost; write the file again

        $ xlayout convert bad.safetensors out.safetensors
        error: no tensor has the 8 bytes before `bias`
         --> bad.safetensors:1:62
          |
        1 | …quoted\""},"bias":{"dtype":"I64","shape":[3],"data_offsets":[8,32]},"scalar":{"dtype":"F64","shape":[],"data_offsets":[24,32]}…
          |                                                              ^^^^^^
          |
          = help: safetensors follow each other without a gap; is the file damaged?

        $ xlayout convert bad.safetensors out.safetensors
        error: the header is no valid JSON: expected `,` or `}`
         --> bad.safetensors:1:62
          |
        1 | …":"F16","shape":[0,3],"data_offsets":[80,80]},"cube":"dtype":"U8","shape":[2,3,4],"data_offsets":[80,104]},"mask":{"dtype…
          |                                                              ^
          |
          = help: it is damaged, or no safetensors file

        $ xlayout convert bad.safetensors out.safetensors
        error: the metadata of `format` is no text
         --> bad.safetensors:1:27
          |
        1 | {"__metadata__":{"format":1234,"by":"é \"quoted\""},"bias":{"dtype":"I64","shape":[3],"dat…
          |                           ^^^^
          |
          = help: safetensors' metadata are texts in quotes

        $ xlayout convert bad.safetensors out.safetensors
        error: `bad.safetensors` says that its header has 424 bytes, but the file has 300 bytes
         |
         = help: it was cut short, or it is no safetensors file

        $ xlayout convert bad.safetensors out.safetensors
        error: tensor `mask` lies beyond the end of the file: 108 bytes follow the header
         --> bad.safetensors:1:62
          |
        1 | …0,104]},"mask":{"dtype":"BOOL","shape":[2,3],"data_offsets":[104,110]}}
          |                                                              ^^^^^^^^^
          |
          = help: the file was cut short; copy or save it again
    "#]].assert_eq(&all.join("\n"));
}

#[test]
fn help() {
    let folder = Folder::new();
    expect![[r#"
        Convert files of arrays from one layout to another.

        Elements are moved and never changed: both files hold the same logical array, of
        the same type and sizes. To transpose, change the layout. Formats go by the
        extension:

          .npy          NumPy's: a dense array, row-major (C) or column-major (F).
                        Big-endian files are read, little-endian ones written.
                        bfloat16 and its like are only `V2` there: say --from bf16.
          .safetensors  dense arrays, row-major, each with a name; see --opaque.
          .raw .bin .dat
                        the elements and nothing else: tiles, padding, packed
                        elements, anything. Such a file says nothing itself, so
                        that --from is a full shape.

        Without --to the output has the input's layout, if its format can say that, and
        is row-major otherwise. Padding is written as zeros.

        Files may be larger than memory. Sizes and the space on the device are checked
        before anything is written. The output appears whole or not at all: it is
        written under another name in the same folder and renamed at the end. A file
        that exists is replaced only with --force; OUTPUT may be INPUT then.

        Usage: xlayout convert [OPTIONS] <INPUT> <OUTPUT>

        Arguments:
          <INPUT>
                  The file to read

          <OUTPUT>
                  The file to write

        Options:
              --from <LAYOUT>
                  What INPUT holds
          
                  A raw file needs a full shape, 'f32[2,3]{0,1}'; without a layout it is
                  row-major. Other files say it themselves: what is given must agree,
                  and a type alone is enough where `.npy` says only `V2`: --from bf16.

              --to <LAYOUT>
                  The layout that OUTPUT gets
          
                  A layout, '{0,1:T(8,128)}'; a shape with one, 'f32[2,3]{0,1}', which
                  must be INPUT's; or C (row-major) or F (column-major) for any number
                  of dimensions. Of several tensors it goes to those with as many
                  dimensions.

              --tensor <NAME>
                  The tensor of a safetensors file to read, or its name in the one that
                  is written

              --input-format <FORMAT>
                  The format of INPUT, whatever its extension says

                  Possible values:
                  - npy:         NumPy's `.npy`
                  - safetensors: `.safetensors`
                  - raw:         The elements and nothing else: `.raw`, `.bin`, `.dat`

              --output-format <FORMAT>
                  The format of OUTPUT, whatever its extension says

                  Possible values:
                  - npy:         NumPy's `.npy`
                  - safetensors: `.safetensors`
                  - raw:         The elements and nothing else: `.raw`, `.bin`, `.dat`

              --opaque
                  Store in a safetensors file as bytes what that format cannot say
          
                  Safetensors are row-major, and have no name for some types. Such a
                  tensor is stored as `U8[bytes]`, with its shape and layout in the
                  metadata (`xlayout.shape.NAME`), where xlayout finds it again. Other
                  programs see bytes, and not numbers in the wrong sequence.

          -f, --force
                  Replace OUTPUT if it exists

          -n, --dry-run
                  Check everything and say what would be done, but write nothing

          -q, --quiet
                  Neither a progress bar nor a line at the end

              --threads <N>
                  How many threads; as many as there are processors, up to 4, if not
                  given

              --memory <MIB>
                  About how many MiB of memory to use; more makes longer runs on the
                  disk
          
                  [default: 256]

              --color <WHEN>
                  Colours: on a terminal only, always, or never
          
                  `auto` is: on a terminal, unless NO_COLOR is set; CLICOLOR_FORCE=1
                  turns them on everywhere.
          
                  [default: auto]
                  [possible values: auto, always, never]

          -h, --help
                  Print help (see a summary with '-h')

        Examples:
          xlayout convert a.npy b.npy --to F
              From NumPy's order C to order F; '{0,1}' says the same of a matrix
          xlayout convert a.npy a.bin --to '{1,0:T(8,128)}'
              The tiles of a TPU, as the device holds them
          xlayout convert a.bin a.npy --from 'f32[100,300]{1,0:T(8,128)}'
              And back, without the padding
          xlayout convert model.safetensors w.npy --tensor embed.weight
              One tensor for NumPy
          xlayout convert w.npy w.safetensors --from bf16 --tensor embed.weight
              And back, of a type that NumPy has no name for
          xlayout convert a.bin b.bin --from 's4[64,64]' --to '{1,0:E(4)}'
              From a byte for each element to half a byte
          xlayout convert big.npy big-f.npy --to F --dry-run
              What would be done, and how, without writing
    "#]]
    .assert_eq(&text(&folder.convert("--help").stdout));
}
