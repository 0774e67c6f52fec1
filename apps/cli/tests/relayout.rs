//! `xlayout relayout calibrate`, and `xlayout convert --wisdom`.

use std::process::Output;

use crate::program::command;

/// Runs the program in a folder. Returns both outputs and the exit code.
fn said(folder: &tempfile::TempDir, words: &str) -> (String, String, Option<i32>) {
    let words: Vec<&str> = words.split(' ').collect();
    let Output {
        stdout,
        stderr,
        status,
    } = command(&words).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(stdout), text(stderr), status.code())
}

#[test]
fn what_is_measured_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (told, wrong, code) = said(&folder, "relayout calibrate wisdom.txt --time 1");
    assert_eq!((&*wrong, code), ("", Some(0)));
    assert!(
        told.starts_with("measured ") && told.ends_with(": wisdom.txt\n"),
        "{told}"
    );
    let wisdom = std::fs::read_to_string(at("wisdom.txt")).unwrap();
    assert!(wisdom.lines().count() > 1, "{wisdom}");

    let (_, wrong, code) = said(&folder, "relayout calibrate wisdom.txt");
    assert_eq!(
        wrong,
        "error: `wisdom.txt` exists\n |\n = help: `--force` replaces it\n"
    );
    assert_eq!(code, Some(3));
    let (_, wrong, code) = said(&folder, "relayout calibrate wisdom.txt --time 1 --force");
    assert_eq!((&*wrong, code), ("", Some(0)));
    let (text, _, _) = said(&folder, "relayout calibrate - --time 1");
    assert_eq!(text.lines().next(), wisdom.lines().next());

    let array: Vec<u8> = (0..64 * 64).map(|k| k as u8).collect();
    std::fs::write(at("a.bin"), &array).unwrap();
    let words = "convert a.bin b.bin --from u8[64,64] --to {0,1} --wisdom";
    let (_, wrong, code) = said(&folder, &format!("{words} wisdom.txt"));
    assert_eq!((&*wrong, code), ("", Some(0)));
    let turned = std::fs::read(at("b.bin")).unwrap();
    assert_eq!((turned[1], turned.len()), (array[64], array.len()));

    std::fs::write(at("other.txt"), format!("x{wisdom}")).unwrap();
    std::fs::write(at("junk.txt"), format!("{wisdom}junk\n")).unwrap();
    for (name, expected) in [
        (
            "other.txt",
            "cannot use `other.txt`: the text begins with `x",
        ),
        (
            "junk.txt",
            "cannot use `junk.txt`: `junk` is no line of what plans have learned",
        ),
        ("none.txt", "cannot read `none.txt`"),
    ] {
        let (_, wrong, code) = said(&folder, &format!("{words} {name} --force"));
        assert!(wrong.contains(expected), "{wrong}");
        assert_eq!(code, Some(3));
    }
    let (_, wrong, code) = said(&folder, "relayout");
    assert!(wrong.contains("write one of `calibrate`"), "{wrong}");
    assert_eq!(code, Some(2));
}
