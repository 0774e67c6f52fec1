//! A second count, line by line, by other code.

use super::*;

/// The bytes of an array that is written `bf16[2,3]{1,0:T(8,128)(2,1)S(1)}`: sizes rounded up to
/// the first tile. In the modules of the tests later tiles divide the first one.
fn bytes_by_hand(shape: &str) -> u128 {
    let (kind, rest) = shape.split_once('[').unwrap();
    let (sizes, layout) = rest.split_once(']').unwrap();
    let bits: u128 = match kind {
        "pred" => 8,
        _ => {
            let digits: String = kind.chars().skip_while(|c| !c.is_ascii_digit()).collect();
            let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().unwrap()
        }
    };
    let sizes: Vec<u128> = sizes.split(',').filter_map(|n| n.parse().ok()).collect();
    let layout = layout.trim_matches(['{', '}']);
    let (order, attributes) = layout.split_once(':').unwrap_or((layout, ""));
    let order: Vec<usize> = order.split(',').filter_map(|n| n.parse().ok()).collect();
    let mut major: Vec<u128> = order.iter().rev().map(|&dim| sizes[dim]).collect();
    let tile = attributes
        .strip_prefix("T(")
        .and_then(|rest| rest.split_once(')'));
    let tile: Vec<u128> = tile.map_or(Vec::new(), |(tile, _)| {
        tile.split(',').map(|n| n.parse().unwrap()).collect()
    });
    while major.len() < tile.len() {
        major.insert(0, 1);
    }
    let first = major.len() - tile.len();
    for (size, tile) in major[first..].iter_mut().zip(&tile) {
        *size = size.div_ceil(*tile) * tile;
    }
    let elements: u128 = major.iter().product();
    let bits = if attributes.contains("E(4)") { 4 } else { bits };
    (elements * bits).div_ceil(8)
}

/// The arrays of a text, in the sequence of the text.
pub(super) fn shapes_by_hand(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (at, _) in text.match_indices('[') {
        let begin = text[..at]
            .rfind(|c: char| !c.is_ascii_alphanumeric())
            .map_or(0, |k| k + 1);
        let mut end = at + text[at..].find(']').unwrap() + 1;
        if text[end..].starts_with('{') {
            end += text[end..].find('}').unwrap() + 1;
        }
        all.push(text[begin..end].to_owned());
    }
    all
}

/// `name = shape opcode(operands…)` of a line.
fn line_by_hand(line: &str) -> Option<(&str, &str, &str, &str)> {
    let line = line.trim().trim_start_matches("ROOT ");
    let (name, rest) = line.split_once(" = ")?;
    let at = rest.match_indices('(').map(|(at, _)| at).find(|&at| {
        at > 0 && rest[..at].ends_with(|c: char| c.is_ascii_lowercase()) && rest[..at].contains(' ')
    })?;
    let begin = rest[..at].rfind(' ')? + 1;
    let operands = &rest[at + 1..];
    Some((
        name.trim_start_matches('%'),
        &rest[..begin],
        &rest[begin..at],
        operands,
    ))
}

/// How often the computations besides ENTRY run, by reading the modules.
const LOOPS: [(&str, &str, u64); 6] = [
    (
        "scan_transposed.default.v5e.hlo",
        "wide.region_0.4.sunk",
        20,
    ),
    ("scan_transposed.auto.v5e.hlo", "wide.region_0.4.sunk", 20),
    ("lstm.v5e.hlo", "wide.region_0.4.clone.sunk", 50),
    // These end when a sum is large, or after as many rounds as a parameter says: they count once.
    ("while_bool.v5e.hlo", "wide.region_0.1.sunk", 1),
    ("while.hlo", "region_0.1", 1),
    ("switch.hlo", "region_0.1", 1),
];

/// Copies and parts of arrays as lines show them: name, opcode, bytes read and written in all. Not
/// fusions, whose bodies one has to read, and not what is free.
fn count_by_hand(file: &str, text: &str) -> Vec<(String, String, u128)> {
    let mut all = Vec::new();
    let mut times = 0_u64;
    let mut shapes = std::collections::HashMap::new();
    for line in text.lines() {
        if line.ends_with('{') && !line.starts_with(' ') {
            let name = line.trim_start_matches("ENTRY ").trim_start_matches('%');
            let name = name.split([' ', '(']).next().unwrap();
            let known = LOOPS.iter().find(|one| one.0 == file && one.1 == name);
            times = known.map_or(u64::from(line.starts_with("ENTRY")), |one| one.2);
            continue;
        }
        let Some((name, shape, opcode, operands)) = line_by_hand(line) else {
            continue;
        };
        shapes.insert(name.to_owned(), shape.trim().to_owned());
        if times == 0 {
            continue;
        }
        let operand = operands.split([',', ')']).next().unwrap();
        let operand = operand.rsplit(' ').next().unwrap().trim_start_matches('%');
        let results = shapes_by_hand(shape);
        let moved = match opcode {
            "copy" => bytes_by_hand(&shapes[operand]) + bytes_by_hand(&results[0]),
            "copy-start" => bytes_by_hand(&results[1]) + bytes_by_hand(&results[0]),
            // The part in the layout of the whole, twice: in these modules both have one layout.
            "slice-start" => 2 * bytes_by_hand(&results[1]),
            "reshape" | "transpose" => bytes_by_hand(&shapes[operand]) + bytes_by_hand(&results[0]),
            _ => continue,
        };
        all.push((
            name.to_owned(),
            opcode.to_owned(),
            moved * u128::from(times),
        ));
    }
    all.sort();
    all
}

#[test]
fn a_count_line_by_line_gives_the_same() {
    let mut copies = 0;
    for (file, text) in texts() {
        if file.contains("canonical") {
            continue;
        }
        let counted = ["copy", "copy-start", "slice-start", "reshape", "transpose"];
        let mut these: Vec<_> = found(&text)
            .copies
            .iter()
            .filter(|copy| counted.contains(&&*copy.opcode))
            .map(|copy| (copy.instruction.clone(), copy.opcode.clone(), copy.total()))
            .collect();
        these.sort();
        assert_eq!(these, count_by_hand(&file, &text), "{file}");
        copies += these.len();
    }
    // So that the test cannot pass because nothing was found.
    assert!(copies > 100, "{copies}");
}

/// Fusions whose bodies only move, and operations that cut or join arrays: their names.
fn parts_by_hand(file: &str, text: &str) -> Vec<String> {
    let free = [
        "parameter",
        "constant",
        "bitcast",
        "copy",
        "transpose",
        "reshape",
        "tuple",
        "get-tuple-element",
        "slice",
        "dynamic-slice",
        "concatenate",
        "reverse",
    ];
    let mut computing = std::collections::HashSet::new();
    let mut here = String::new();
    let mut runs = false;
    let mut all = Vec::new();
    for line in text.lines() {
        if line.ends_with('{') && !line.starts_with(' ') {
            let name = line.trim_start_matches("ENTRY ").trim_start_matches('%');
            here = name.split([' ', '(']).next().unwrap().to_owned();
            let is_loop = LOOPS.iter().any(|one| one.0 == file && one.1 == here);
            runs = is_loop || line.starts_with("ENTRY") || here == "while.5_computation";
            continue;
        }
        let Some((name, shape, opcode, operands)) = line_by_hand(line) else {
            continue;
        };
        let body = operands
            .split_once("calls=%")
            .map(|(_, rest)| rest.split([',', ' ']).next().unwrap());
        let is_move = match body {
            Some(body) if opcode == "fusion" => !computing.contains(body),
            _ => ["slice", "dynamic-slice", "concatenate", "reverse"].contains(&opcode),
        };
        let scalar = shape.contains("[]") && !shape.contains('(');
        if !free.contains(&opcode) && !is_move && !scalar
            || line.trim().starts_with("ROOT") && scalar
        {
            computing.insert(here.clone());
        }
        if runs && is_move {
            all.push(name.to_owned());
        }
    }
    all.sort();
    all
}

#[test]
fn fusions_and_slices_are_those_that_only_move() {
    let mut count = 0;
    for (file, text) in texts() {
        if file.contains("canonical") {
            continue;
        }
        let these = found(&text).copies.into_iter();
        let these = these.filter(|copy| {
            ["fusion", "slice", "dynamic-slice", "concatenate", "reverse"].contains(&&*copy.opcode)
        });
        let mut these: Vec<_> = these.map(|copy| copy.instruction).collect();
        these.sort();
        assert_eq!(these, parts_by_hand(&file, &text), "{file}");
        count += these.len();
    }
    assert!(count > 5, "{count}");
}
