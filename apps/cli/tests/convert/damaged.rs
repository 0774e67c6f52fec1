//! The errors for damaged headers, with carets.

use expect_test::expect;

use crate::convert::goldens::said;
use crate::convert::{Folder, recorded_bytes};

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
        ("[0,24]", "[24,0]"),
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
        error: the header is not NumPy's: unknown field `dexcr`, expected one of `descr`, `fortran_order`, `shape`
         --> bad.npy:1:8
          |
        1 | {'dexcr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
          |        ^
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
        error: the header is not NumPy's: expected value
         --> bad.npy:1:12
          |
        1 | {'descr':  <f4 , 'fortran_order': False, 'shape': (2, 3), }
          |            ^
          |
          = help: NumPy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`; is the file damaged?

        $ xlayout convert bad.npy out.bin
        error: the header is not NumPy's: expected `True` or `False`
         --> bad.npy:1:36
          |
        1 | {'descr': '<f4', 'fortran_order': Felse, 'shape': (2, 3), }
          |                                    ^
          |
          = help: NumPy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`; is the file damaged?

        $ xlayout convert bad.npy out.bin
        error: the header is not NumPy's: expected `,` or `)`
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
        error: the header is not NumPy's: EOF while parsing a value
         --> bad.npy:1:58
          |
        1 | {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 
          |                                                          ^
          |
          = help: NumPy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`; is the file damaged?

        $ xlayout convert bad.npy out.bin
        error: the header is not NumPy's: trailing characters
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
        error: the type "F65" of tensor `scalar` is none that XLA has in files
         --> bad.safetensors:1:62
          |
        1 | …:"I64","shape":[3],"data_offsets":[0,24]},"scalar":{"dtype":"F65","shape":[],"data_offsets":[24,32]},"weight":{"dtype":"F32",…
          |                                                              ^^^^^
          |
          = help: known are BOOL, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64, C64, F8_E5M2, F8_E4M3, F8_E5M2FNUZ, F8_E4M3FNUZ, F8_E8M0 and F4
          = help: other tensors can be read, one at a time: `--tensor` `bias`, `weight`, `empty`, `cube` and `mask`

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
        error: tensor `bias`: unknown field `shops`, expected one of `dtype`, `shape`, `data_offsets`
         --> bad.safetensors:1:62
          |
        1 | …rmat":"np","by":"é \"quoted\""},"bias":{"dtype":"I64","shops":[3],"data_offsets":[0,24]},"scalar":{"dtype":"F64","shape":…
          |                                                              ^
          |
          = help: it is damaged, or no safetensors file

        $ xlayout convert bad.safetensors out.safetensors
        error: `mask` is given twice
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
        error: the place of tensor `bias` ends at 0, before it begins at 24
         --> bad.safetensors:1:62
          |
        1 | …quoted\""},"bias":{"dtype":"I64","shape":[3],"data_offsets":[24,0]},"scalar":{"dtype":"F64","shape":[],"data_offsets":[24,32]}…
          |                                                              ^^^^^^
          |
          = help: write the beginning first, `[0,24]`; or is the file damaged?

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
