//! Copies of the given modules, counted a second time by other code, and of modules whose copies are known.

use std::fmt::Write as _;
use std::path::Path;

use proptest::prelude::*;

use super::super::graph::tests::graphs;
use super::cure::Entry;
use super::find::Kind;
use super::*;

/// The modules of the tests, by name.
fn texts() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for folder in ["copies", "hlo", "cpu"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data")
            .join(folder);
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.ends_with(".hlo") {
                all.push((name, std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    all.sort();
    assert_eq!(all.len(), 34);
    all
}

fn found(text: &str) -> Found {
    let (modules, tally, told) = graphs(text);
    assert_eq!((modules.len(), told.join("\n")), (1, String::new()));
    examine(Path::new("x.hlo"), &modules[0], &tally, usize::MAX)
}

// ---- a second count, line by line

/// The bytes of an array that is written `bf16[2,3]{1,0:T(8,128)(2,1)S(1)}`: sizes rounded up to the first tile. In
/// the modules of the tests later tiles divide the first one.
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

/// The arrays in a text, as they stand in it.
fn shapes_by_hand(text: &str) -> Vec<String> {
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

/// Copies and parts of arrays as lines show them: name, opcode, bytes read and written in all. Not fusions, whose
/// bodies one has to read, and not what is free.
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

// ---- what XLA chose by itself

/// The arrays of `entry_computation_layout`, parameters and results.
fn entry_by_hand(text: &str) -> [Vec<String>; 2] {
    let line = text.lines().next().unwrap();
    let begin = line.find("entry_computation_layout={").unwrap();
    let line = &line[begin..];
    let line = &line[..line.find("}, allow_").or(line.find("}, frontend")).unwrap()];
    let (parameters, results) = line.split_once("->").unwrap();
    [parameters, results].map(shapes_by_hand)
}

/// A layout without its dimensions of size 1.
fn order_by_hand(shape: &str) -> String {
    let (_, rest) = shape.split_once('[').unwrap();
    let (sizes, layout) = rest.split_once(']').unwrap();
    let sizes: Vec<&str> = sizes.split(',').collect();
    let layout = layout.trim_start_matches('{');
    let order = layout.split([':', '}']).next().unwrap();
    let order = order.split(',').filter(|dim| {
        dim.parse::<usize>()
            .is_ok_and(|dim| sizes.get(dim).is_some_and(|size| *size != "1"))
    });
    order.collect::<Vec<_>>().join(",")
}

/// Advice names the layouts with which XLA's own choice has fewer copies, and no others.
#[test]
fn advice_names_the_layouts_that_xla_chose() {
    let all = texts();
    let mut named = 0;
    for (file, text) in &all {
        let Some(model) = file.strip_suffix(".default.v5e.hlo") else {
            continue;
        };
        let auto = format!("{model}.auto.v5e.hlo");
        let (_, auto) = all.iter().find(|one| one.0 == auto).unwrap();
        let (before, after) = (entry_by_hand(text), entry_by_hand(auto));
        let mut expected = Vec::new();
        for (side, (before, after)) in before.iter().zip(&after).enumerate() {
            for (k, (now, then)) in before.iter().zip(after).enumerate() {
                if order_by_hand(now) != order_by_hand(then) {
                    expected.push((side, k, json::layout(then).to_owned()));
                }
            }
        }
        let cures = found(text).cures;
        let changes = cures.iter().flat_map(|cure| {
            assert!(!cure.removes.is_empty() && cure.saved > 0, "{file}");
            &cure.changes
        });
        let mut advised: Vec<_> = changes
            .map(|change| match change.entry {
                Entry::Parameter(k) => (0, k as usize, json::layout(&change.then).to_owned()),
                Entry::Result(k) => (
                    1,
                    k.unwrap_or(0) as usize,
                    json::layout(&change.then).to_owned(),
                ),
            })
            .collect();
        advised.sort();
        assert_eq!(advised, expected, "{file}");
        named += advised.len();
    }
    assert_eq!(named, 8);
}

#[test]
fn causes_and_places_are_told() {
    let text = include_str!("../../../tests/data/copies/mla_projection.default.v5e.hlo");
    let found = found(text);
    let one = found
        .copies
        .iter()
        .find(|copy| copy.instruction == "copy.1")
        .unwrap();
    assert_eq!(one.kind, Kind::Layout);
    assert_eq!(
        one.cause,
        "convolution %convolution.4 fixes the layout before it, entry result 1 the one after it"
    );
    assert_eq!(
        (&*one.producer, &*one.consumers),
        ("bitcast.22", &["tuple".to_owned()][..])
    );
    assert_eq!(
        (one.read, one.written, one.executions),
        (2 << 20, 2 << 20, Some(1))
    );
    let fetch = found
        .copies
        .iter()
        .find(|copy| copy.instruction == "copy-start")
        .unwrap();
    assert_eq!(fetch.kind, Kind::MemorySpace);
    assert!(fetch.cause.contains("convolution"), "{}", fetch.cause);
    let text = include_str!("../../../tests/data/copies/scan_transposed.default.v5e.hlo");
    let found = self::found(text);
    let one = found
        .copies
        .iter()
        .find(|copy| copy.instruction == "copy.13")
        .unwrap();
    assert_eq!((one.kind, one.executions), (Kind::Rearrange, Some(20)));
    assert!(
        one.cause.starts_with("loop state of %while"),
        "{}",
        one.cause
    );
    let one = found
        .copies
        .iter()
        .find(|copy| copy.instruction == "broadcast_in_dim.4")
        .unwrap();
    assert_eq!(one.source.as_deref(), Some("model.py:50"));
    let text = include_str!("../../../tests/data/copies/kv_cache_update.default.v5e.hlo");
    let found = self::found(text);
    let one = found
        .copies
        .iter()
        .find(|copy| copy.instruction == "copy")
        .unwrap();
    assert!(one.cause.contains("donated"), "{}", one.cause);
    assert_eq!(found.cures[0].paste.len(), 2);
    assert_eq!(
        found.cures[0].paste[0],
        "in_shardings=(Format(Layout(major_to_minor=(2, 0, 1, 3)), s), s, s)"
    );
}

// ---- modules whose copies are known

/// An array of a generated module.
#[derive(Clone, Debug)]
struct Array {
    name: String,
    order: Vec<usize>,
    space: u8,
}

const SIZES: [usize; 3] = [5, 128, 24];

impl Array {
    fn shape(&self) -> String {
        let order: Vec<_> = self.order.iter().map(ToString::to_string).collect();
        let space = match self.space {
            0 => String::new(),
            space => format!("S({space})"),
        };
        format!("f32[5,128,24]{{{}:T(8,128){space}}}", order.join(","))
    }

    fn bytes(&self) -> u128 {
        let up = |size: usize, to: usize| size.div_ceil(to) * to;
        let [minor, second, major] = [0, 1, 2].map(|k| SIZES[self.order[k]]);
        (4 * up(minor, 128) * up(second, 8) * major) as u128
    }
}

/// A step of a generated computation.
#[derive(Clone, Debug)]
enum Make {
    /// A copy of an earlier array in another order, to a memory space.
    Copy(usize, usize, u8),
    /// The same, asynchronously.
    Start(usize, usize, u8),
    Negate(usize),
    /// A fusion that only copies, and one that computes.
    Fusion(usize, usize, bool),
    Slice(usize),
}

fn make() -> impl Strategy<Value = Make> {
    let (from, order, space) = (0..8_usize, 0..6_usize, 0..2_u8);
    prop_oneof![
        (from.clone(), order.clone(), space.clone()).prop_map(|(a, b, c)| Make::Copy(a, b, c)),
        (from.clone(), order.clone(), space).prop_map(|(a, b, c)| Make::Start(a, b, c)),
        from.clone().prop_map(Make::Negate),
        (from.clone(), order, any::<bool>()).prop_map(|(a, b, c)| Make::Fusion(a, b, c)),
        from.prop_map(Make::Slice),
    ]
}

const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// What is known of a copy: name, kind, bytes read, bytes written, executions.
type Known = (String, Kind, u128, u128, Option<u64>);

/// A computation of these steps; its text, the bodies of its fusions, and its copies.
fn computation(
    prefix: &str,
    steps: &[Make],
    times: Option<u64>,
    parameter: &str,
) -> (String, String, String, Vec<Known>) {
    let first = Array {
        name: format!("{prefix}p"),
        order: vec![2, 1, 0],
        space: 0,
    };
    let mut text = format!("  %{} = {} {parameter}\n", first.name, first.shape());
    let mut bodies = String::new();
    let mut arrays = vec![first];
    let mut known = Vec::new();
    for (k, step) in steps.iter().enumerate() {
        let name = format!("{prefix}{k}");
        let (Make::Copy(from, ..)
        | Make::Start(from, ..)
        | Make::Negate(from)
        | Make::Fusion(from, ..)
        | Make::Slice(from)) = step;
        let from = arrays[from % arrays.len()].clone();
        let (a, before) = (&from.name, from.shape());
        let mut to = Array {
            name: name.clone(),
            ..from.clone()
        };
        let kind = |to: &Array| match (to.order == from.order, to.space == from.space) {
            (false, _) => Kind::Layout,
            (true, false) => Kind::MemorySpace,
            (true, true) => Kind::Rearrange,
        };
        match *step {
            Make::Copy(_, order, space) => {
                (to.order, to.space) = (ORDERS[order].to_vec(), space);
                let _ = writeln!(text, "  %{name} = {} copy({before} %{a})", to.shape());
                known.push((name, kind(&to), from.bytes(), to.bytes(), times));
            }
            Make::Start(_, order, space) => {
                (to.order, to.space) = (ORDERS[order].to_vec(), space);
                let after = to.shape();
                let _ = writeln!(
                    text,
                    "  %{name}s = ({after}, {before}, u32[]{{:S(2)}}) copy-start(%{a})\n  %{name} = {after} copy-done(%{name}s)"
                );
                known.push((
                    format!("{name}s"),
                    kind(&to),
                    from.bytes(),
                    to.bytes(),
                    times,
                ));
            }
            Make::Negate(_) => {
                let _ = writeln!(
                    text,
                    "  %{name} = {before} negate(%{a}), metadata={{op_name=\"n\"}}"
                );
            }
            Make::Fusion(_, order, moves) => {
                to.order = ORDERS[order].to_vec();
                let after = to.shape();
                let middle = match moves {
                    true => "bitcast",
                    false => "negate",
                };
                let _ = writeln!(
                    bodies,
                    "%f{name} (x: f32[5,128,24]) -> f32[5,128,24] {{\n  %x = {before} parameter(0)\n  \
                    %y = {before} {middle}(%x)\n  ROOT %z = {after} copy(%y)\n}}\n"
                );
                let _ = writeln!(
                    text,
                    "  %{name} = {after} fusion(%{a}), kind=kLoop, calls=%f{name}"
                );
                if moves {
                    known.push((name, kind(&to), from.bytes(), to.bytes(), times));
                }
            }
            Make::Slice(_) => {
                let _ = writeln!(
                    text,
                    "  %{name} = {before} slice(%{a}), slice={{[0:5], [0:128], [0:24]}}"
                );
                known.push((name, Kind::Rearrange, from.bytes(), from.bytes(), times));
            }
        }
        arrays.push(to);
    }
    let last = arrays.last().unwrap().name.clone();
    (text, bodies, last, known)
}

/// A loop of `trips` rounds, whose body copies, and an entry computation around it.
fn module(entry: &[Make], body: &[Make], trips: u16, config: bool) -> (String, Vec<Known>) {
    let times = u64::from(trips);
    let (inner, fusions, last, mut known) =
        computation("b", body, Some(times), "get-tuple-element(%state), index=1");
    let (outer, more, _, others) = computation("e", entry, Some(1), "parameter(0)");
    known.extend(others);
    known.sort_by(|a, b| a.0.cmp(&b.0));
    let array = "f32[5,128,24]{2,1,0:T(8,128)}";
    let state = format!("(s32[], {array})");
    let config = match config {
        true => format!(", backend_config={{\"known_trip_count\":{{\"n\":\"{trips}\"}}}}"),
        false => String::new(),
    };
    // Only the counter is passed on, so that the copies of the body do not have to end in one layout.
    let text = format!(
        "HloModule m, is_scheduled=true\n\n{fusions}{more}\
        %body (s: (s32[], f32[5,128,24])) -> (s32[], f32[5,128,24]) {{\n  %state = {state} parameter(0)\n  \
        %i = s32[] get-tuple-element(%state), index=0\n  %one = s32[] constant(1)\n  %next = s32[] add(%i, %one)\n{inner}  \
        %unused = f32[5,128,24]{{2,1,0:T(8,128)}} custom-call(%{last}), custom_call_target=\"x\"\n  \
        ROOT %t = {state} tuple(%next, %bp)\n}}\n\n\
        %condition (s: (s32[], f32[5,128,24])) -> pred[] {{\n  %state = {state} parameter(0)\n  \
        %i = s32[] get-tuple-element(%state), index=0\n  %n = s32[] constant({trips})\n  \
        ROOT %less = pred[] compare(%i, %n), direction=LT\n}}\n\n\
        ENTRY %main (p: f32[5,128,24]) -> (s32[], f32[5,128,24]) {{\n{outer}  %zero = s32[] constant(0)\n  \
        %begin = {state} tuple(%zero, %ep)\n  ROOT %w = {state} while(%begin), condition=%condition, body=%body{config}\n}}\n"
    );
    (text, known)
}

proptest! {
    #[test]
    fn the_copies_of_generated_modules_are_found(
        entry in proptest::collection::vec(make(), 0..8),
        body in proptest::collection::vec(make(), 0..8),
        trips in 1..1000_u16,
        config in any::<bool>(),
    ) {
        let (text, known) = module(&entry, &body, trips, config);
        let found = found(&text);
        let mut copies: Vec<Known> = found
            .copies
            .iter()
            .map(|copy| {
                (copy.instruction.clone(), copy.kind, copy.read, copy.written, copy.executions)
            })
            .collect();
        copies.sort_by(|a, b| a.0.cmp(&b.0));
        prop_assert_eq!(copies, known, "{}", text);
        // What is advised removes copies that are there, and gives each entry one layout.
        let mut entries = Vec::new();
        for cure in &found.cures {
            for name in &cure.removes {
                let written = format!("%{name} ");
                let is_there = text.contains(&written);
                prop_assert!(is_there);
            }
            entries.extend(cure.changes.iter().map(|change| change.entry));
        }
        let count = entries.len();
        entries.sort();
        entries.dedup();
        prop_assert_eq!(count, entries.len());
    }

    /// A text that is cut, or has other bytes, gives mistakes and copies, but no panic.
    #[test]
    fn broken_texts_are_no_danger(
        file in 0..34_usize,
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<bool>(),
    ) {
        let mut text = texts().swap_remove(file).1.into_bytes();
        let at = at.index(text.len());
        match cut {
            true => text.truncate(at),
            false => text[at] = byte,
        }
        let (modules, tally, _) = graphs(&String::from_utf8_lossy(&text));
        for module in &modules {
            examine(Path::new("x.hlo"), module, &tally, usize::MAX);
        }
    }
}

#[test]
fn loops_run_as_often_as_they_do() {
    let text = |direction: &str, begin: i64, step: &str, limit: i64| {
        format!(
            "HloModule m\n%b {{\n  s = (s32[]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  \
            k = s32[] constant(3)\n  n = s32[] {step}(i, k)\n  c = s32[] copy(n)\n  ROOT t = (s32[]) tuple(c)\n}}\n\
            %c {{\n  s = (s32[]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  l = s32[] constant({limit})\n  \
            ROOT r = pred[] compare(i, l), direction={direction}\n}}\n\
            ENTRY e {{\n  z = s32[] constant({begin})\n  t = (s32[]) tuple(z)\n  \
            ROOT w = (s32[]) while(t), condition=%c, body=%b\n}}\n"
        )
    };
    for (direction, begin, step, limit) in [
        ("LT", 0, "add", 10),
        ("LT", 5, "add", 5),
        ("LE", 0, "add", 9),
        ("GT", 10, "subtract", -1),
        ("GE", 9, "subtract", 0),
        ("NE", 0, "add", 9),
    ] {
        let mut rounds = 0;
        let mut i = begin;
        while match direction {
            "LT" => i < limit,
            "LE" => i <= limit,
            "GT" => i > limit,
            "GE" => i >= limit,
            _ => i != limit,
        } {
            rounds += 1;
            i += if step == "add" { 3 } else { -3 };
        }
        let found = found(&text(direction, begin, step, limit));
        let executions = found
            .copies
            .iter()
            .find(|copy| copy.instruction == "c")
            .map(|copy| copy.executions);
        match rounds {
            0 => assert_eq!(executions, None),
            _ => assert_eq!(executions, Some(Some(rounds)), "{direction}"),
        }
    }
    // It never ends, or ends by a comparison with something else.
    for (direction, begin, step, limit) in [
        ("LT", 0, "subtract", 10),
        ("NE", 0, "add", 10),
        ("EQ", 0, "add", 10),
    ] {
        let found = found(&text(direction, begin, step, limit));
        let one = found
            .copies
            .iter()
            .find(|copy| copy.instruction == "c")
            .unwrap();
        assert_eq!(one.executions, None, "{direction}");
    }
}

/// What reads a module does not take longer than the module is long.
#[test]
fn large_modules_are_no_danger() {
    let array = "f32[8,128]{1,0:T(8,128)}";
    let other = "f32[8,128]{0,1:T(8,128)}";
    let count = 20_000;
    // Copies that one tuple takes; a chain of computations; a parameter that everything uses.
    let mut text =
        String::from("HloModule m\n%f0 {\n  ROOT x = f32[8,128]{1,0:T(8,128)} parameter(0)\n}\n");
    for k in 1..count {
        let _ = writeln!(
            text,
            "%f{k} {{\n  x = {array} parameter(0)\n  ROOT y = {array} fusion(x), kind=kLoop, calls=%f{}\n}}",
            k - 1
        );
    }
    text += "ENTRY %e {\n  p = f32[8,128]{1,0:T(8,128)} parameter(0)\n";
    let _ = writeln!(
        text,
        "  deep = {array} fusion(p), kind=kLoop, calls=%f{}",
        count - 1
    );
    for k in 0..count {
        let _ = writeln!(text, "  c{k} = {other} copy(p)");
    }
    let names: Vec<_> = (0..count).map(|k| format!("c{k}")).collect();
    let shapes = vec![other; count];
    let _ = writeln!(
        text,
        "  ROOT t = ({}) tuple({})\n}}",
        shapes.join(", "),
        names.join(", ")
    );
    let found = found(&text);
    assert_eq!(found.copies.len(), count + 1);
}
