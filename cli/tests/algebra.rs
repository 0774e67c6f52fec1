//! `xlayout algebra`: each word, with its steps.

use crate::program::{answer, run, words};
use expect_test::expect_file;

/// Commands and what they say, as a terminal shows them.
#[test]
fn session() {
    let commands = [
        "algebra compose (6,2):(8,2) (4,3):(3,1)",
        "algebra compose (4,8):(8,1) (8,4):(4,1)",
        "algebra compose f32[4,6]{0,1} (6,4):(1,6)",
        "algebra divide 24:3 4:2",
        "algebra complement (4,2):(1,8) --size 64",
        "algebra invert (4,8):(8,1)",
        "algebra invert (4,8):(9,1)",
        "algebra invert (4,8):(9,1) --right",
        "algebra equal f32[16,256]{1,0:T(8,128)} (128,2,8,2):(1,1024,128,2048)",
        "algebra equal f32[3,5]{1,0:T(*,4)} 15:1",
        "algebra conflicts 32:32 --bytes 4",
        "algebra conflicts 32:32 --bytes 4 --swizzle 5,0,5",
        "algebra conflicts 64:64 --bytes 4 --banks 64",
        "algebra swizzle 32:1 32:32 --bytes 4",
        "algebra equal '#ttg.linear<{register=[[0,1]], lane=[[0,2],[1,0]], warp=[[2,0]], block=[]}>' 16:1",
        "algebra invert '#ttg.linear<{register=[[0,1]], lane=[[1,1],[0,2]], warp=[[2,0]], block=[]}>'",
    ];
    let mut text = String::new();
    for command in commands {
        let words = words(command);
        let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
        text += &format!("$ xlayout {command}\n{}\n", answer(&arguments));
    }
    expect_file!["algebra/session.txt"].assert_eq(&text);
}

#[test]
fn a_difference_has_an_index_and_an_exit_code() {
    let output = run(&["algebra", "equal", "4:1", "(2,2):(1,3)"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.ends_with("different: index 2 has 2 in A and 3 in B\n"),
        "{text}"
    );
    assert_eq!(output.status.code(), Some(1));
}
