//! `xlayout emit`: each language, and README's example.

use crate::program::{answer, expect_file};

#[test]
fn languages() {
    for language in ["rust", "c", "cuda", "wgsl", "mlir", "python"] {
        let shape = "bf16[1000,3000]{1,0:T(8,128)(2,1)}";
        let text = answer(&["emit", shape, "--lang", language]);
        expect_file![format!("emit/{language}.txt")].assert_eq(&text);
        if language == "c" {
            let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"));
            assert!(readme.unwrap().contains(&format!("--lang c\n{text}```")));
        }
    }
}

#[test]
fn options() {
    let options = [
        "--lang",
        "c",
        "--bits",
        "32",
        "--name",
        "shared",
        "--swizzle",
        "3,3,3",
    ];
    let text = answer(&[&["emit", "f16[64,64]"], &options[..]].concat());
    expect_file!["emit/options.txt"].assert_eq(&text);
}

/// Strides that cross: digits do not give the index, so the inverse is the algebra's.
#[test]
fn a_map_of_cute() {
    let text = answer(&["emit", "(7,3):(3,7)", "--lang", "python"]);
    expect_file!["emit/crossed.txt"].assert_eq(&text);
}
