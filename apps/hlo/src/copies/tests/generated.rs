//! Modules whose copies are known, and texts that are broken.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::super::super::graph::tests::graphs;
use super::*;

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
    let from = 0..8_usize;
    let order = 0..6_usize;
    let space = 0..2_u8;
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
        let a = &from.name;
        let before = from.shape();
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
    // Only the counter is passed on, so that the copies of the body do not have to end in one
    // layout.
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
