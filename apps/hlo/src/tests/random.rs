//! Random bytes, and pieces of HLO in any order.

use proptest::prelude::*;

use super::*;

const PIECES: [&str; 44] = [
    "HloModule ",
    "ENTRY ",
    "ROOT ",
    "%a",
    "b.1",
    " = ",
    "f32",
    "[2,3]",
    "{1,0}",
    "{1,0:T(8,128)S(1)}",
    "fp32",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ",",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\"",
    "\\",
    "/*",
    "*/",
    "//",
    "->",
    "=",
    "<=",
    "constant(",
    "add(%a, %b)",
    "parameter(0)",
    ", metadata={op_name=\"x\"}",
    "é",
    "\u{0}",
    "token[]",
    "opaque[]",
    "?",
    "9999999999999999999",
    "entry_computation_layout={(",
    ")->",
    "T(0)",
    "b(",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn junk_is_no_danger(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let found = scan(&bytes);
        prop_assert_eq!(found.extent.bytes, bytes.len() as u64);
    }

    #[test]
    fn pieces_of_hlo_in_any_sequence_are_no_danger(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60),
    ) {
        let text = pieces.concat();
        let found = scan(text.as_bytes());
        prop_assert_eq!(found.extent.bytes, text.len() as u64);
        // The same in small pieces.
        let again = scan_with(Drops(text.as_bytes(), 3), ALL);
        prop_assert_eq!(again.mistakes, found.mistakes);
        prop_assert_eq!(again.counts(), found.counts());
        prop_assert_eq!(again.told, found.told);
    }

    /// Good lines are found among bad ones.
    #[test]
    fn good_lines_survive(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12),
    ) {
        // A bracket, string or comment ends at the end of its line; `=` could make an instruction
        // of the line.
        let junk = pieces.concat().replace(['\n', '\r'], "");
        let text = format!("HloModule m\n{junk}\n%good = pred[77]{{0}} compare(%a, %b)\n");
        let found = scan(text.as_bytes());
        prop_assert_eq!(found.counts().get("pred[77]{0}").copied(), Some(1), "{:?}", text);
    }
}
