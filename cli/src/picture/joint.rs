//! Box drawing: where lines meet.

use super::tiles::Line;

/// The character at which four lines meet.
pub(super) fn joint(up: Line, down: Line, left: Line, right: Line) -> char {
    // Up, right, down, left, each absent, thin or thick; as Unicode has them from U+2500 on.
    const JOINTS: [(&str, char); 49] = [
        ("0110", '┌'),
        ("0220", '┏'),
        ("0120", '┎'),
        ("0210", '┍'),
        ("0011", '┐'),
        ("0022", '┓'),
        ("0021", '┒'),
        ("0012", '┑'),
        ("1100", '└'),
        ("2200", '┗'),
        ("2100", '┖'),
        ("1200", '┕'),
        ("1001", '┘'),
        ("2002", '┛'),
        ("2001", '┚'),
        ("1002", '┙'),
        ("1110", '├'),
        ("2220", '┣'),
        ("2120", '┠'),
        ("1210", '┝'),
        ("1011", '┤'),
        ("2022", '┫'),
        ("2021", '┨'),
        ("1012", '┥'),
        ("0111", '┬'),
        ("0222", '┳'),
        ("0121", '┰'),
        ("0212", '┯'),
        ("1101", '┴'),
        ("2202", '┻'),
        ("2101", '┸'),
        ("1202", '┷'),
        ("1111", '┼'),
        ("2222", '╋'),
        ("2121", '╂'),
        ("1212", '┿'),
        ("1010", '│'),
        ("2020", '┃'),
        ("0101", '─'),
        ("0202", '━'),
        // Corners of one array: its frame is of one strength, and so these are not met.
        ("1120", '┟'),
        ("2110", '┞'),
        ("1021", '┧'),
        ("2011", '┦'),
        ("0211", '┮'),
        ("0112", '┭'),
        ("1201", '┶'),
        ("1102", '┵'),
        ("1211", '┾'),
    ];
    let key: String = [up, right, down, left]
        .iter()
        .map(|line| match line {
            Line::None => '0',
            Line::Thin => '1',
            Line::Thick => '2',
        })
        .collect();
    let found = JOINTS.iter().find(|(of, _)| *of == key);
    found.map_or('+', |&(_, joint)| joint)
}
