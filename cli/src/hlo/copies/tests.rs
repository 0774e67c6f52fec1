//! Copies of the given modules, counted a second time by other code, and of modules whose copies are known.

mod by_hand;
mod generated;

use std::path::Path;

use super::super::graph::tests::graphs;
use super::cure::Entry;
use super::find::Kind;
use super::*;

/// The modules of the tests, by name.
fn texts() -> Vec<(String, String)> {
    let all = texts_of(&["copies", "hlo", "cpu"]);
    assert_eq!(all.len(), 34);
    all
}

fn texts_of(folders: &[&str]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for folder in folders {
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

/// Advice names the layouts with which XLA's own choice has fewer copies, and no others. `pairs` holds models that
/// were compiled in the same way as those in `copies`: `two_results` and `int8_t` have copies that no choice removes.
#[test]
fn advice_names_the_layouts_that_xla_chose() {
    let all = texts_of(&["copies", "pairs"]);
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
    assert_eq!((all.len(), named), (40, 23));
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
