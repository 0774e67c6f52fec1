//! There and back, by the program: dense, tiled, packed, in one block and in many.

use proptest::prelude::*;
use xlayout::{ArrayLayout, DynLayout};

use crate::convert::Folder;

/// Returns `count` bytes of varied values.
fn bytes(count: usize) -> Vec<u8> {
    (0..count)
        .map(|k| (k.wrapping_mul(167) ^ (k >> 8)) as u8)
        .collect()
}

/// A layout of an array with these sizes.
fn layouts(sizes: Vec<usize>) -> impl Strategy<Value = (String, String, String)> {
    let dims: Vec<usize> = (0..sizes.len()).collect();
    let layout = || {
        let tiles = ["", "", ":T(8,128)", ":T(8,128)(2,1)", ":T(2,4)", ":T(4)"];
        (
            Just(dims.clone()).prop_shuffle(),
            prop::sample::select(tiles.to_vec()),
        )
            .prop_map(|(order, tiles)| format!("{{{}{tiles}}}", join(&order)))
    };
    (Just(format!("[{}]", join(&sizes))), layout(), layout())
}

fn join(numbers: &[usize]) -> String {
    numbers
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn raw_there_and_back(
        (sizes, a, b) in prop::collection::vec(1_usize..40, 1..4).prop_flat_map(layouts),
        element in prop::sample::select(vec!["u8", "bf16", "f32", "c64", "c128"]),
    ) {
        let folder = Folder::new();
        let dense: DynLayout = format!("{element}{sizes}").parse().unwrap();
        folder.write("0.bin", bytes(dense.bytes()));
        folder.works(&format!("0.bin 1.bin --from {element}{sizes} --to {a}"));
        folder.works(&format!("1.bin 2.bin --from {element}{sizes}{a} --to {b}"));
        folder.works(&format!("2.bin 3.bin --from {element}{sizes}{b} --to C"));
        prop_assert_eq!(folder.read("0.bin"), folder.read("3.bin"));
        // The padding is zero, all of it, whatever is converted to it.
        let tiled: DynLayout = format!("{element}{sizes}{a}").parse().unwrap();
        let mut expected = vec![0; tiled.bytes()];
        let from = folder.read("0.bin");
        let width = dense.element_bits() / 8;
        dense.for_each_in_memory(|index, at| {
            let to = tiled.linear_index(index) * width;
            expected[to..to + width].copy_from_slice(&from[at * width..][..width]);
        });
        prop_assert_eq!(folder.read("1.bin"), expected);
    }
}

/// Larger than the memory that is allowed, by several threads.
#[test]
fn by_blocks() {
    let folder = Folder::new();
    folder.write("0.bin", bytes(4 * 500 * 330));
    for (k, to) in ["{0,1}", "{1,0:T(8,128)}", "{0,1:T(8,128)(2,1)}", "{1,0}"]
        .iter()
        .enumerate()
    {
        let from = ["{1,0}", "{0,1}", "{1,0:T(8,128)}", "{0,1:T(8,128)(2,1)}"][k];
        let next = k + 1;
        folder.works(&format!(
            "{k}.bin {next}.bin --from f32[500,330]{from} --to {to} --memory 1 --threads 3"
        ));
    }
    assert_eq!(folder.read("0.bin"), folder.read("4.bin"));
    let transposed = folder.read("1.bin");
    let first = folder.read("0.bin");
    assert_eq!(transposed[4..8], first[4 * 330..][..4]);
    assert_eq!(
        transposed[4 * 500 * 7 + 4 * 5..][..4],
        first[4 * 330 * 5 + 4 * 7..][..4]
    );
}

#[test]
fn packed_elements() {
    let folder = Folder::new();
    folder.write("bytes.bin", (0..35_u8).map(|k| k % 16).collect::<Vec<_>>());
    folder.works("bytes.bin packed.bin --from s4[5,7] --to {1,0:E(4)}");
    let packed = folder.read("packed.bin");
    // The first element lies in the low bits; half a byte is left over.
    assert_eq!((packed.len(), packed[0], packed[17]), (18, 0x10, 0x02));
    folder.works("packed.bin back.bin --from s4[5,7]{1,0:E(4)} --to C");
    assert_eq!(folder.read("back.bin"), folder.read("bytes.bin"));
    folder.works("packed.bin columns.bin --from s4[5,7]{1,0:E(4)} --to {0,1:E(4)}");
    folder.works("columns.bin rows.bin --from s4[5,7]{0,1:E(4)} --to {1,0:E(4)}");
    assert_eq!(folder.read("rows.bin"), packed);
}

#[test]
fn input_may_be_output() {
    let folder = Folder::new();
    folder.write("a.bin", bytes(24));
    folder.works("a.bin b.bin --from f32[2,3] --to {0,1}");
    folder.works("a.bin a.bin --from f32[2,3] --to {0,1} --force");
    assert_eq!(folder.read("a.bin"), folder.read("b.bin"));
    assert_eq!(folder.names(), ["a.bin", "b.bin"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_modes_kept() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("a.bin", bytes(24));
    let target = folder.write("target.bin", b"old");
    std::fs::set_permissions(&target, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink(&target, folder.path("link.bin")).unwrap();
    folder.works("a.bin link.bin --from f32[2,3] --to {0,1} --force");
    assert!(folder.path("link.bin").is_symlink());
    assert_eq!(folder.read("target.bin").len(), 24);
    let mode = |name| {
        std::fs::metadata(folder.path(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode("target.bin"), 0o600);
    // A new file is as any other program makes it.
    folder.works("a.bin new.bin --from f32[2,3] --to {0,1}");
    assert_eq!(mode("new.bin"), mode("a.bin"));
}

/// `-` is the standard input and the standard output: the same bytes as with files.
#[test]
fn pipes_are_as_good_as_files() {
    use std::process::Stdio;
    let folder = Folder::new();
    let numbers: Vec<u8> = (0..24).collect();
    let input = folder.write("a.bin", &numbers);
    let arguments = ["--from", "u8[4,6]", "--to", "{0,1}"];
    let run = |paths: [&str; 2], more: &[&str]| {
        let mut command = folder.command(&[&paths, &arguments[..], more].concat());
        command.stdin(std::fs::File::open(&input).unwrap());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.output().unwrap()
    };
    let formats = ["--input-format", "raw", "--output-format", "npy"];
    assert!(run(["a.bin", "b.npy"], &[]).status.success());
    let expected = folder.read("b.npy");
    for (paths, formats) in [(["-", "-"], &formats[..]), (["a.bin", "-"], &formats[2..])] {
        let output = run(paths, formats);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(output.stdout, expected);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("standard output"), "{told}");
        assert_eq!(run(paths, &[formats, &["--quiet"]].concat()).stderr, b"");
    }
    let output = run(["-", "c.npy"], &formats[..2]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(folder.read("c.npy"), expected);
    // Nothing else was left in the folder, above all no file `-`.
    assert_eq!(folder.names().len(), 3);
}
