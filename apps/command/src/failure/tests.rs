//! Failures as a person reads them.

use super::*;
use expect_test::{Expect, expect};

fn check(failure: &Failure, expected: Expect) {
    let plain = anstream::adapter::strip_str(&failure.render()).to_string();
    expected.assert_eq(&plain);
}

#[test]
fn a_line_of_a_file_has_its_number_and_column() {
    let file = Path::new("module.txt");
    let place = TextSpan::of_line(file, 1207, "  x = f33[2]{0} add(y, z)", 6..9).label("here");
    let failure = Failure::new(Code::Answer, "unknown element type `f33`").at(place);
    check(
        &failure
            .note("the line is left out")
            .help("did you mean `f32`?"),
        expect![[r#"
            error: unknown element type `f33`
                --> module.txt:1207:7
                 |
            1207 |   x = f33[2]{0} add(y, z)
                 |       ^^^ here
                 |
                 = note: the line is left out
                 = help: did you mean `f32`?"#]],
    );
}

#[test]
fn several_places_and_several_mistakes() {
    let shapes = Failure::usage("the arrays differ in dimension 1")
        .at(TextSpan::of_argument("A", "bf16[2,3]", 7..8).label("here"))
        .at(TextSpan::of_argument("B", "f16[2,3]", 6..7).label("and here"));
    let file = Failure::file("the file has 5 bytes, and 24 are expected");
    let both = shapes.and(file);
    assert_eq!(both.code, Code::File);
    check(
        &both,
        expect![[r#"
            error: the arrays differ in dimension 1
             |
             | bf16[2,3]
             |        ^ here
             | f16[2,3]
             |       ^ and here

            error: the file has 5 bytes, and 24 are expected"#]],
    );
}

#[test]
fn places_may_lie_anywhere() {
    let places = [0..0, 5..5, 3..99, 99..100, 1..2];
    let all = places
        .into_iter()
        .fold(Failure::usage("wrong"), |failure, span| {
            failure.at(TextSpan::of_argument("--at", "aüb\tc", span))
        });
    check(
        &all,
        expect![[r#"
            error: wrong
             |
             | --at aüb    c
             |      ^^^^^^^^^"#]],
    );
}

#[test]
fn files_that_cannot_be_read_say_what_to_do() {
    let errors = ["/none/here", "/", "/dev/null/x"].map(|path| {
        let path = Path::new(path);
        let error = std::fs::read_to_string(path).unwrap_err();
        Failure::of_file("read", path, &error)
    });
    let all = errors.into_iter().reduce(Failure::and).unwrap();
    check(
        &all,
        expect![[r#"
            error: cannot read `/none/here`: there is no such file or folder
             |
             = help: look at the name; a name without a folder is looked for in the current one

            error: cannot read `/`: it is a folder
             |
             = help: name a file in it

            error: cannot read `/dev/null/x`: a part of the path is a file, not a folder
             |
             = help: look at the path"#]],
    );
    let full = io::Error::from(io::ErrorKind::StorageFull);
    let rare = io::Error::other("the tape ran out");
    let odd = Path::new("a\nb\u{1b}[31m.npy");
    check(
        &Failure::of_file("write", odd, &full).and(Failure::of_file("write", odd, &rare)),
        expect![[r#"
            error: cannot write `a�b�[31m.npy`: no space is left on the device
             |
             = help: free some, or name a file on another device

            error: cannot write `a�b�[31m.npy`: the tape ran out"#]],
    );
}
