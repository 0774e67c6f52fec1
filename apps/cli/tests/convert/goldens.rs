//! Recorded outputs of the program. Read each as a new user would.

use expect_test::{Expect, expect};

use crate::convert::{Folder, recorded_bytes, text};

/// Returns the output on both streams, without times.
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

pub(crate) fn check(words: &[&str], expected: &Expect) {
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
        "dates",
        "long_double",
    ] {
        folder.write(
            &format!("{name}.npy"),
            recorded_bytes(&format!("{name}.npy")),
        );
    }
    folder.write("model.safetensors", recorded_bytes("model.safetensors"));
    folder.write("a.bin", vec![0; 120_000]);
    folder.write("mib.bin", vec![0; 1 << 20]);
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
              f32[100,300]{1,0:T(8,128)} -> f32[100,300]{1,0}: runs of 512 bytes, and 3 smaller boxes at the edges

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
            "mib.bin c.bin --from u8[1024,1024] --to F --memory 1 --threads 3 --dry-run",
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
              f32[100,300]{1,0:T(8,128)} -> f32[100,300]{0,1}: transpose in registers, 96 x 128 elements of 4 bytes, and 3 smaller boxes at the edges
                in one block

            $ xlayout convert mib.bin c.bin --from u8[1024,1024] --to F --memory 1 --threads 3 --dry-run
            would write `c.bin`: 1,048,576 bytes (1.00 MiB)
              u8[1024,1024]{1,0} -> u8[1024,1024]{0,1}: transpose in registers, 1024 x 1024 elements of 1 bytes
                in 8 blocks of [512,256] for 3 threads, read in runs of 256 B and written in runs of 512 B
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
              = note: the type that was named, f32, is no such type
              = help: name the type: `--from bf16`

            $ xlayout convert records.npy a2.bin
            error: the elements are records with fields
             --> records.npy:1:11
              |
            1 | {'descr': [('a', '<f4'), ('b', '<i2')], 'fortran_order': False, 'shape': (2,), }
              |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
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
            error: the elements are texts, NumPy's `<U3`, which XLA does not have
             --> text.npy:1:11
              |
            1 | {'descr': '<U3', 'fortran_order': False, 'shape': (1,), }
              |           ^^^^^
              |
              = help: save numbers: the number of each text, `np.unique(a, return_inverse=True)[1]`, or its characters, `a.view('uint32')`

            $ xlayout convert long_double.npy a2.bin
            error: the elements are long doubles, NumPy's `<f16`, which XLA does not have
             --> long_double.npy:1:11
              |
            1 | {'descr': '<f16', 'fortran_order': False, 'shape': (2,), }
              |           ^^^^^^
              |
              = help: save numbers of 64 bits: `a.astype('float64')`
        "#]],
    );
}
