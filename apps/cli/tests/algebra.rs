//! `xlayout algebra`: each word, with its steps.

use crate::program::{answer, expect_file, run, words};

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
        "algebra between (8,64):(64,1) 'Sw<3,3,3> o 0 o (8,64):(64,1)'",
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

/// CuTe's index counts the first mode first, and that of other texts the last dimension.
#[test]
fn a_swizzle_of_coordinates_is_that_of_diff() {
    let maps = ["f16[8,64]{1,0}", "Sw<3,3,3> o 0 o (8,64):(64,1)"];
    for (command, said) in [
        (
            &["algebra", "between"][..],
            "no swizzle of the offset turns A into B, index by index; `xlayout diff A B`",
        ),
        (&["diff"], "Swizzle<3,3,3> of the offset turns A into B"),
    ] {
        let output = run(&[command, &maps].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(said), "{text}");
        assert_eq!(output.status.code(), Some(1));
    }
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

/// The picture of a command, alone on stdout.
fn picture(arguments: &[&str]) -> String {
    answer(&[&["algebra"], arguments, &["--svg", "-"]].concat())
}

#[test]
fn a_picture_shows_the_offset_of_each_index() {
    let svg = picture(&["divide", "(4,6):(6,1)", "4:1"]);
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    // A, B, the rest and the result, which has tile 5 and its index 3: offset 23.
    for words in [
        "[20] · offset 5",
        "[3] · offset 3",
        "[5] · offset 20",
        "[5, 3] · offset 23",
    ] {
        assert!(svg.contains(words), "{words}: {svg}");
    }
    assert_eq!(svg.matches(" · offset ").count(), 24 + 4 + 6 + 24);
}

#[test]
fn a_picture_of_conflicts_has_the_colour_of_a_bank() {
    let colours = |arguments: &[&str]| {
        let svg = picture(arguments);
        assert!(
            svg.contains("bank: 0") || !svg.contains("url(#places)"),
            "{svg}"
        );
        let cells = svg.split("· offset ").count() - 1;
        let fills = svg.split("fill=\"").map(|rest| &rest[..7]);
        let fills: std::collections::BTreeSet<_> =
            fills.filter(|fill| fill.starts_with('#')).collect();
        (cells, fills.len())
    };
    let (cells, one_bank) = colours(&["conflicts", "32:32", "--bytes", "4"]);
    assert_eq!(cells, 32);
    let (cells, both) = colours(&["conflicts", "32:32", "--bytes", "4", "--swizzle", "5,0,5"]);
    assert_eq!(cells, 64);
    assert!(both >= one_bank + 31, "{one_bank} and {both} colours");
}

#[test]
fn a_picture_of_a_large_map_says_what_it_leaves_out() {
    let svg = picture(&["complement", "4000000:1", "--size", "4000000000"]);
    assert!(svg.contains("are shown"), "{svg}");
    assert!(svg.len() < 1_000_000, "{}", svg.len());
    let svg = picture(&["invert", "(4,8):(9,1)"]);
    assert!(svg.contains("· offset 31"), "{svg}");
}
