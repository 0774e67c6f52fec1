//! Box drawing: where lines meet.

use crate::tiles::Line;

/// For the lines up, right, down and left, each absent (0), thin (1) or thick (2), the character where they meet. The
/// last line has corners of one array, whose frame is of one strength.
const JOINTS: &str = "
        0110┌ 0220┏ 0120┎ 0210┍ 0011┐ 0022┓ 0021┒ 0012┑
        1100└ 2200┗ 2100┖ 1200┕ 1001┘ 2002┛ 2001┚ 1002┙
        1110├ 2220┣ 2120┠ 1210┝ 1011┤ 2022┫ 2021┨ 1012┥
        0111┬ 0222┳ 0121┰ 0212┯ 1101┴ 2202┻ 2101┸ 1202┷
        1111┼ 2222╋ 2121╂ 1212┿ 1010│ 2020┃ 0101─ 0202━
        1120┟ 2110┞ 1021┧ 2011┦ 0211┮ 0112┭ 1201┶ 1102┵ 1211┾";

/// The character at which four lines meet.
pub(super) fn joint(up: Line, down: Line, left: Line, right: Line) -> char {
    let key: String = [up, right, down, left]
        .iter()
        .map(|line| match line {
            Line::None => '0',
            Line::Thin => '1',
            Line::Thick => '2',
        })
        .collect();
    let mut joints = JOINTS.split_whitespace();
    let found = joints.find_map(|joint| joint.strip_prefix(&key)?.chars().next());
    found.unwrap_or('+')
}
