//! What the program says of damaged headers, with carets in them; and its help.

use expect_test::expect;

use crate::goldens::said;
use crate::{Folder, recorded_bytes, text};

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
    let help = text(&Folder::new().convert("--help").stdout);
    // clap leaves blanks on empty lines.
    let lines: Vec<_> = help.lines().map(str::trim_end).collect();
    let help = lines.join("\n") + "\n";
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
    .assert_eq(&help);
}
