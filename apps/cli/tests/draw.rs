//! Goldens of `xlayout draw`, each looked at: text in a terminal, SVG and HTML as headless Chromium
//! shows them. They lie in `draw/`.

use crate::program::{answer, answer_to, command, expect_file, refusal};
use unicode_width::UnicodeWidthStr;

/// As a pipe gets it, in 80 columns.
fn check(name: &str, arguments: &[&str]) {
    let text = answer(&[&["draw", "--width", "80"], arguments].concat());
    for line in text.lines() {
        assert!(line.width() <= 80, "{} columns: {line}", line.width());
        assert_eq!(line, line.trim_end(), "blanks at the end");
    }
    assert!(!text.contains('\u{1b}'), "colours in a pipe");
    expect_file![format!("draw/{name}")].assert_eq(&text);
}

#[test]
fn two_dimensions() {
    check("row_major.txt", &["f32[4,6]{1,0}"]);
    check("column_major.txt", &["f32[4,6]{0,1}"]);
}

#[test]
fn tiles() {
    check("tiles.txt", &["bf16[5,6]{1,0:T(4,4)}"]);
    check("tiles_of_tiles.txt", &["bf16[16,256]{1,0:T(8,128)(2,1)}"]);
    check("tiles_of_one_row.txt", &["f32[3,6]{1,0:T(4)}"]);
}

#[test]
fn tiles_that_share_no_grid_with_the_array() {
    check("tiles_that_do_not_divide.txt", &["f32[9]{0:T(3,4)(2,3)}"]);
    check("merged.txt", &["f32[3,5]{1,0:T(*,4)}"]);
    check("tile_of_more_dimensions.txt", &["f32[5]{0:T(8,128)}"]);
}

#[test]
fn ranks() {
    check("rank_0.txt", &["f32[]"]);
    check("rank_1.txt", &["f32[7]{0}"]);
    check("rank_3.txt", &["f32[2,3,4]{2,1,0}"]);
    check("rank_4.txt", &["f32[2,5,2,3]{0,1,2,3}"]);
    check("rank_5.txt", &["u8[2,2,2,2,2]", "--slice", "1,:,0,:,1"]);
}

#[test]
fn other_padding() {
    check(
        "padded_dimensions.txt",
        &["f32[2,3] <0,1>, padded_dimensions = [3, 5]"],
    );
    check("tail.txt", &["f32[7]{0:L(10)}"]);
}

#[test]
fn packed_elements() {
    check("packed.txt", &["s4[4,6]{1,0:E(4)}"]);
}

#[test]
fn nothing_to_draw() {
    check("empty.txt", &["f32[0,3]"]);
}

#[test]
fn tuples() {
    check("tuple.txt", &["(f32[2,3], (s8[4]{0:E(4)}, token[]))"]);
    let text = answer_to(&["draw", "-", "--width", "80"], "f32[4,6]{1,0}\n");
    expect_file!["draw/row_major.txt"].assert_eq(&text);
}

#[test]
fn large_arrays_are_cut() {
    check(
        "huge.txt",
        &["f32[1000000,1000000]{1,0:T(8,128)}", "--rows", "12"],
    );
    check("longest.txt", &["u8[9223372036854775807]"]);
    check("long.txt", &["f32[104,3]{0,1}", "--rows", "10"]);
    check("few_columns.txt", &["f32[3,300]{1,0}", "--columns", "8"]);
    check("many_slices.txt", &["f32[1000,1000,2,2]", "--slices", "2"]);
}

#[test]
fn chosen_dimensions() {
    check(
        "dimensions.txt",
        &["f32[2,3,4]{2,1,0}", "--dims", "0,2", "--slices", "1"],
    );
    check("turned.txt", &["f32[2,3]{1,0}", "--dims", "1,0"]);
    check("slice.txt", &["f32[2,3,4]{2,1,0}", "--slice", "[1, :, :]"]);
}

fn coloured(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = command(arguments);
    for name in ["COLORTERM", "TERM"] {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn colours() {
    let draw = ["draw", "f32[2,3]{0,1:T(2,2)}", "--width", "80"];
    let forced = ("CLICOLOR_FORCE", "1");
    let all = coloured(&draw, &[forced, ("COLORTERM", "truecolor")]);
    expect_file!["draw/colours.txt"].assert_eq(&all);
    let few = coloured(&draw, &[forced, ("TERM", "xterm-256color")]);
    expect_file!["draw/256_colours.txt"].assert_eq(&few);
    assert!(!few.contains(";2;"), "24 bits where there are 256 colours");
    let none = coloured(&draw, &[("NO_COLOR", "1"), ("COLORTERM", "truecolor")]);
    assert!(!none.contains('\u{1b}'));
    let always = [&draw[..], &["--color", "always"]].concat();
    assert_eq!(coloured(&always, &[("COLORTERM", "truecolor")]), all);
    // Only the legend depends on colours.
    let plain = anstream::adapter::strip_str(&all).to_string();
    let plain: Vec<&str> = plain.lines().map(str::trim_end).collect();
    assert!(plain.join("\n").starts_with(none.trim_end()));
}

/// A file is replaced only with `--force`, as `convert` does it.
#[test]
fn pictures_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let svg = path("a.svg");
    let html = path("a.html");
    let draw = |files: &[&str]| answer(&[&["draw", "f32[2,3]{0,1:T(2,2)}"], files].concat());
    std::fs::write(&svg, "mine").unwrap();
    let said = refusal(&["draw", "f32[2,3]", "--svg", &svg]);
    assert!(said.starts_with("exit code 3\n"), "{said}");
    assert!(said.contains("it exists"), "{said}");
    assert!(said.contains("`--force` to replace it"), "{said}");
    assert_eq!(std::fs::read_to_string(&svg).unwrap(), "mine");
    std::fs::write(&svg, "x".repeat(100_000)).unwrap();
    assert_eq!(draw(&["--svg", &svg, "--html", &html, "--force"]), "");
    assert_eq!(std::fs::read_to_string(svg).unwrap(), draw(&["--svg", "-"]));
    assert_eq!(
        std::fs::read_to_string(html).unwrap(),
        draw(&["--html", "-"])
    );
}

#[test]
fn mistakes() {
    let long: Vec<&str> = vec!["f32[1]"; 65];
    let long = format!("({})", long.join(","));
    let cases: &[&[&str]] = &[
        &["f32[2,3,4]", "--slice", "2,:,:"],
        &["f32[2,0,4]", "--slice", ":,0,:"],
        &["f32[2,3,4]", "--slice", "1,:"],
        &["f32[2,3,4]", "--slice", ":,:,:"],
        &["f32[2,3,4]", "--slice", "1,x,:"],
        &["f32[2,3,4]", "--slice", "1,2,3,4"],
        &["f32[2,3,4]", "--slice", ""],
        &["f32[2,3,4]", "--slice", ":,1,:", "--dims", "0,1"],
        &["f32[2,3,4]", "--dims", "0,3"],
        &["f32[2,3,4]", "--dims", "0,0"],
        &["f32[2,3,4]", "--dims", "0,1,2"],
        &["f32[2,3,4]", "--dims", "a"],
        &["f32[]", "--dims", "0"],
        &["token[]"],
        &["f32[2,?]"],
        &[&long],
        &[
            "f32[999,9999,99]",
            "--rows",
            "999",
            "--columns",
            "999",
            "--slices",
            "6",
        ],
        &["f32[2]", "--svg", "-", "--html", "-"],
        &["f32[2]", "--svg", "no/such/folder.svg"],
        &["f32[2]", "--html", "src"],
        &["f32[2]", "--rows", "0"],
    ];
    let mut text = String::new();
    for case in cases {
        let refused = refusal(&[&["draw"], *case].concat());
        let words: Vec<String> = (case.iter())
            .map(|word| format!("'{}'", shortened(word)))
            .collect();
        text += &format!("$ xlayout draw {}\n{refused}\n", words.join(" "));
    }
    expect_file!["draw/mistakes.txt"].assert_eq(&text);
}

fn shortened(word: &str) -> String {
    match word.len() {
        ..60 => word.to_owned(),
        _ => format!("{}…", &word[..20]),
    }
}
