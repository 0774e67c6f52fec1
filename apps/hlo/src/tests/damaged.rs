//! A module with single changed bytes, or without its end.

use super::*;

/// Every byte of a small module is changed in several ways: the unchanged lines are counted all the
/// same.
#[test]
fn flipped_bytes_lose_a_line_at_most() {
    let whole = scan(SMALL);
    let instructions = whole.extent.instructions;
    let mut text = SMALL.to_vec();
    for at in 0..text.len() {
        let byte = text[at];
        let changes = [byte ^ 1, byte ^ 0x80, 0, b'\n', b'"', b'}'];
        for changed in changes {
            text[at] = changed;
            let found = scan(&text);
            assert!(found.is_hlo, "{at} {changed}");
            assert!(
                found.extent.instructions + 3 >= instructions
                    && found.extent.instructions <= instructions + 1,
                "{at} {changed}: {:?}",
                found.extent
            );
            assert!(found.mistakes <= 8, "{at} {changed}: {:?}", found.told);
            // A byte that no text contains is always noticed.
            if changed == 0 || (changed ^ 0x80 == byte) {
                assert!(found.mistakes > 0, "{at} {changed}");
            }
        }
        text[at] = byte;
    }
}

/// Cut anywhere before the end, the text gives a mistake, and nothing is counted that it does not
/// contain.
#[test]
fn cut_short_is_noticed() {
    let whole = scan(SMALL);
    let end = SMALL.trim_ascii_end().len();
    for cut in 1..SMALL.len() {
        let found = scan(&SMALL[..cut]);
        let complete = cut >= end;
        let in_computation = SMALL[..cut].windows(2).fold(false, |open, two| match two {
            b"{\n" => true,
            b"\n}" => false,
            _ => open,
        });
        if complete {
            assert_eq!((found.mistakes, found.counts()), (0, whole.counts()));
        } else if in_computation {
            assert!(found.mistakes > 0, "{cut}");
        }
        for (shape, count) in found.counts() {
            assert!(
                count <= whole.counts().get(&shape).copied().unwrap_or(1),
                "{cut} {shape}"
            );
        }
    }
}
