//! Copies of the given modules, counted a second time by other code, and of modules whose copies
//! are known.

mod advice;
mod by_hand;
mod calls;
mod generated;
mod loops;
mod rules;
mod second;
mod time;

use std::path::Path;

use super::super::graph::tests::graphs;
use super::change::Entry;
use super::find::Kind;
use super::*;

/// The modules of the tests, by name.
pub(super) fn texts() -> Vec<(String, String)> {
    let all = texts_of(&["copies", "hlo", "cpu"]);
    assert_eq!(all.len(), 34);
    all
}

fn texts_of(folders: &[&str]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for folder in folders {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../cli/tests/data")
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
    all
}

fn found(text: &str) -> Found {
    let (modules, tally, told) = graphs(text);
    assert_eq!((modules.len(), told.join("\n")), (1, String::new()));
    examine(Path::new("x.hlo"), &modules[0], &tally, usize::MAX)
}

/// The arrays of `entry_computation_layout`, parameters and results.
fn entry_by_hand(text: &str) -> [Vec<String>; 2] {
    let line = text.lines().next().unwrap();
    let begin = line.find("entry_computation_layout={").unwrap();
    let line = &line[begin..];
    let line = &line[..line.find("}, allow_").or(line.find("}, frontend")).unwrap()];
    let (parameters, results) = line.split_once("->").unwrap();
    [parameters, results].map(by_hand::shapes_by_hand)
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

#[test]
fn moves_between_memory_spaces_are_counted_apart() {
    for (file, text) in texts() {
        let found = found(&text);
        let moved = || {
            found
                .copies
                .iter()
                .filter(|copy| copy.kind == Kind::MemorySpace)
        };
        assert_eq!(moved().count(), found.sums.moved, "{file}");
        assert_eq!(
            moved().map(Copy::total).sum::<u128>(),
            found.sums.moved_bytes,
            "{file}"
        );
        // These are of the compiler for TPUs, but for those in `cpu`, of which some say how loops
        // are cut.
        let verified = ["T(", "\"outer_dimension_partitions\"", "__ynn"];
        let verified = verified.iter().any(|words| text.contains(words));
        assert_eq!(found.is_verified, verified, "{file}");
    }
}

/// A transpose of an argument is a bitcast and a copy. XLA's own choice has no copy either, but
/// changes three layouts.
#[test]
fn a_transpose_of_an_argument_is_in_its_layout() {
    let text = include_str!("../../../cli/tests/data/cures/kv_scatter.default.v5e.hlo");
    let cures = found(text).cures;
    let [cure] = &cures[..] else {
        panic!("{cures:?}")
    };
    let [change] = &cure.changes[..] else {
        panic!("{cure:?}")
    };
    assert_eq!(change.entry, Entry::Parameter(1));
    assert_eq!(change.order, [0, 2, 1, 3]);
    assert_eq!(cure.removes, ["copy"]);
}

#[test]
fn causes_and_places_are_told() {
    let text = include_str!("../../../cli/tests/data/copies/mla_projection.default.v5e.hlo");
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
    let text = include_str!("../../../cli/tests/data/copies/scan_transposed.default.v5e.hlo");
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
    let text = include_str!("../../../cli/tests/data/copies/kv_cache_update.default.v5e.hlo");
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

/// XLA prints computations in another sequence than a `.hlo.pb` has: the answers are the same.
#[test]
fn the_sequence_of_computations_is_no_matter() {
    let a = "f32[256,128]{1,0}";
    let b = "f32[256,128]{0,1}";
    let fusion = |name: &str| {
        format!("%{name} {{\n  p = {a} parameter(0)\n  ROOT {name}.c = {b} copy(p)\n}}\n")
    };
    let entry = format!(
        "ENTRY %e {{\n  p = {a} parameter(0)\n  n = {a} negate(p)\n  x = {b} fusion(n), kind=kLoop, calls=%f\n  \
        y = {b} fusion(n), kind=kLoop, calls=%g\n  ROOT t = ({b}, {b}) tuple(x, y)\n}}\n"
    );
    let [f, g] = ["f", "g"].map(fusion);
    let told = |first: &str, second: &str| {
        let found = found(&format!(
            "HloModule m, is_scheduled=true\n\n{first}{second}{entry}"
        ));
        let copies = found
            .copies
            .iter()
            .map(|one| (one.instruction.clone(), one.cause.clone()));
        let cures = found
            .cures
            .iter()
            .map(|one| (one.removes.clone(), one.paste.clone()));
        (copies.collect::<Vec<_>>(), cures.collect::<Vec<_>>())
    };
    let (copies, cures) = told(&f, &g);
    assert_eq!((copies.len(), cures.is_empty()), (2, false));
    assert_eq!(told(&g, &f), (copies, cures));
}

/// A sum is no copy, though its result is a scalar as an index is.
#[test]
fn a_fusion_that_sums_up_is_no_copy() {
    let body = |operation: &str| {
        format!(
            "HloModule m\n\n%add {{\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT z = f32[] add(x, y)\n}}\n\
            %f {{\n  p = f32[64,64]{{1,0}} parameter(0)\n  k = s32[] parameter(1)\n  {operation}\n}}\n\
            ENTRY %e {{\n  a = f32[64,64]{{1,0}} parameter(0)\n  i = s32[] parameter(1)\n  \
            ROOT r = f32[1,64]{{1,0}} fusion(a, i), kind=kLoop, calls=%f\n}}\n"
        )
    };
    let sum = "o = f32[] constant(0)\n  s = f32[] reduce(p, o), dimensions={0,1}, to_apply=%add\n  \
        ROOT b = f32[1]{0} bitcast(s)";
    assert_eq!(found(&body(sum)).sums.all().0, 0);
    let slice = "one = s32[] constant(1)\n  i = s32[] add(k, one)\n  o = s32[] constant(0)\n  \
        ROOT s = f32[1,64]{1,0} dynamic-slice(p, i, o), dynamic_slice_sizes={1,64}";
    assert_eq!(found(&body(slice)).sums.all().0, 1);
}

/// An operation whose layouts are not tied to those of others is named by its class.
#[test]
fn the_class_of_an_operation_is_the_cause() {
    for (opcode, class) in [
        ("convolution", "convolution"),
        ("dot", "dot"),
        ("ragged-dot", "dot"),
        ("sort", "sort"),
        ("topk", "top-k"),
        ("gather", "gather"),
        ("scatter", "scatter"),
        ("select-and-scatter", "scatter"),
        ("reduce-window", "reduce-window"),
        ("fft", "fft"),
        ("cholesky", "cholesky"),
        ("triangular-solve", "triangular solve"),
        ("recv", "host transfer"),
    ] {
        let text = format!(
            "HloModule m, is_scheduled=true

ENTRY %e (x: f32[8,6]) -> f32[8,6] {{
  %x = f32[8,6]{{1,0}} parameter(0)
  %o = f32[8,6]{{1,0}} {opcode}(%x, %x, %x)
  %c = f32[8,6]{{0,1}} copy(%o)
  ROOT %p = f32[8,6]{{0,1}} {opcode}(%c, %c, %c)
}}
"
        );
        let found = found(&text);
        let [copy] = &found.copies[..] else {
            panic!("{opcode}: {:?}", found.copies);
        };
        let expected = format!("{class} %o fixes the layout before it");
        assert!(
            copy.cause.starts_with(&expected),
            "{opcode}: {}",
            copy.cause
        );
    }
}

/// What an asynchronous operation runs is listed with it, or by itself, but not twice.
#[test]
fn an_asynchronous_operation_is_listed_once() {
    let module = |begin: &str, end: &str, body: &str| {
        let text = format!(
            "HloModule m, is_scheduled=true

%f (p: f32[8,6]) -> f32[8,6] {{
  %p = f32[8,6]{{1,0}} parameter(0)
  {body}
}}

ENTRY %e (x: f32[8,6]) -> f32[8,6] {{
  %x = f32[8,6]{{1,0}} parameter(0)
  %start = ((f32[8,6]{{1,0}}), f32[8,6]{{0,1}}, s32[]) {begin}
  ROOT %done = f32[8,6]{{0,1}} {end}(%start)
}}
"
        );
        let copies = found(&text).copies.into_iter();
        let one = |copy: Copy| (copy.instruction, copy.kind.name(), copy.read, copy.written);
        copies.map(one).collect::<Vec<_>>()
    };
    let copy = "ROOT %c = f32[8,6]{0,1} copy(%p)";
    let whole = [("start".to_owned(), "layout", 192, 192)];
    assert_eq!(
        module("async-start(%x), calls=%f", "async-done", copy),
        whole
    );
    let begin = "fusion-start(%x), kind=kLoop, calls=%f";
    assert_eq!(module(begin, "fusion-done", copy), whole);
    let begin = "call-start(%x), to_apply=%f";
    let inside = [("c".to_owned(), "layout", 192, 192)];
    assert_eq!(module(begin, "call-done", copy), inside);
    let computes = "%c = f32[8,6]{0,1} copy(%p)\n  ROOT %n = f32[8,6]{0,1} negate(%c)";
    assert_eq!(
        module("async-start(%x), calls=%f", "async-done", computes),
        inside
    );
}

/// Layouts are carried through all operations that XLA takes for elementwise ones.
#[test]
fn layouts_are_carried_through_elementwise_operations() {
    let advice = |operation: &str| -> usize {
        let other = format!(" {operation}(");
        let found = texts().into_iter().map(|(_, text)| {
            let text = text.replace(" multiply(", &other).replace(" add(", &other);
            found(&text).cures.len()
        });
        found.sum()
    };
    let expected = advice("multiply");
    assert_eq!((advice("cosh"), advice("popcnt")), (expected, expected));
    assert!(advice("unknown") < expected);
}
