//! Whatever the tokens are, there is an answer.

use proc_macro2::TokenStream;

use crate::expand;

/// A small generator of numbers: the same ones in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % n
    }
}

const PIECES: [&str; 59] = [
    "f32",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "(",
    ")",
    "2",
    "3,",
    "<=",
    "?",
    "?M",
    "name =",
    "->",
    "where",
    "self",
    "mut",
    "&",
    "f",
    "fn",
    "M",
    "type",
    "U2",
    "_",
    "'a",
    "\"x\"",
    "-",
    "+",
    "*",
    "::",
    ":",
    ";",
    "=",
    "=>",
    "|",
    ",",
    "pub",
    "type A =",
    "#[x]",
    "const",
    "if",
    "T(8,128)",
    "L(1)",
    "S(1)",
    "{1,0}",
    "[2,3]",
    "<0,1>",
    "padding_value = zero",
    "padded_dimensions = [3, 5]",
    "x",
    "x,",
    "_ =>",
    "f(x)",
    "2.5",
    "99999999999999999999",
    "types(T = f32, f64),",
    "T",
];

#[test]
fn nothing_panics() {
    let mut dice = Dice(1);
    let mut read = 0;
    for _ in 0..30_000 {
        let pieces: Vec<_> = (0..1 + dice.below(9))
            .map(|_| PIECES[dice.below(PIECES.len())])
            .collect();
        let Ok(tokens) = pieces.join(" ").parse::<TokenStream>() else {
            continue;
        };
        let _ = expand(tokens.clone(), tokens.clone());
        let item = format!("fn f({}) {{}}", pieces.join(" ")).parse();
        let _ = item.map(|item| expand(tokens, item));
        read += 1;
    }
    assert!(read > 5_000, "{read}");
}
