//! Goldens of `xlayout diff`, each looked at. They lie in `diff/`.

use std::collections::BTreeMap;

use crate::program::{command, expect_file, refusal, run};
use roxmltree::Document;
use serde_json::Value;
use xlayout_relayout::{Machine, Plan};

/// The answer, of which the exit code is this.
fn answer(code: i32, arguments: &[&str]) -> String {
    let output = run(&[&["diff", "--width", "100"], arguments].concat());
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    String::from_utf8(output.stdout).unwrap()
}

fn check(name: &str, code: i32, a: &str, b: &str) {
    expect_file![format!("diff/{name}")].assert_eq(&answer(code, &[a, b]));
}

#[test]
fn the_same_layout() {
    check("equal.txt", 0, "f32[4,6]", "f32[4,6] <1,0>");
}

#[test]
fn nothing_moves() {
    check("notations.txt", 1, "f32[1,5]{0,1}", "f32[1,5]{1,0}");
    check("reshape_is_bitcast.txt", 1, "f32[2,3]", "f32[6]");
    check(
        "transpose_is_bitcast.txt",
        1,
        "f32[2,3,4]{2,1,0}",
        "f32[4,2,3]{0,2,1}",
    );
}

#[test]
fn elements_move() {
    check("copy.txt", 1, "f32[4,6]{1,0}", "f32[4,6]{0,1}");
    check(
        "tiles.txt",
        1,
        "bf16[5,6]{1,0}",
        "bf16[5,6]{1,0:T(4,4)S(1)}",
    );
    check(
        "large.txt",
        1,
        "bf16[4096,4096]{1,0}",
        "bf16[4096,4096]{1,0:T(8,128)(2,1)}",
    );
    check("packed.txt", 1, "s4[2,3]{1,0}", "s4[2,3]{1,0:E(4)}");
    check("transpose.txt", 1, "f32[2,3]{1,0}", "f32[3,2]{1,0:T(2,2)}");
    check("reshape.txt", 1, "f32[2,6]{0,1}", "f32[3,4]{0,1}");
    check("memory_space.txt", 1, "f32[3]{0}", "f32[3]{0:S(5)}");
}

#[test]
fn elements_stay_and_yet_it_is_no_bitcast() {
    for (a, b, words) in [
        (
            "f32[<=8,3]",
            "f32[8,3]",
            "copy: every element has the same place in memory, but other sizes are known at run time only",
        ),
        (
            "f32[2,3]{1,0:S(1)SC(0:1)}",
            "f32[2,3]{1,0:M(8)}",
            "copy: every element has the same place in memory, but the array moves to another memory, it is \
             cut into other parts for several memories and the header with the sizes is another one",
        ),
        (
            "f32[3,<=8]",
            "f32[24]",
            "reshape: a reshape for which no element moves, and yet no bitcast: sizes that only the run time \
             knows would mean something else",
        ),
    ] {
        let text = answer(1, &[a, b]).replace('\n', " ");
        assert!(text.contains(words), "{text}");
        assert!(text.contains("same bytes          no"));
    }
}

#[test]
fn no_copy_does_it() {
    check("convert.txt", 1, "f32[2,2]", "bf16[2,2]{0,1}");
    check("different.txt", 1, "f32[2,2]", "f32[5]");
    check("narrow.txt", 1, "s8[2]{0}", "s8[2]{0:E(4)}");
    check("empty.txt", 1, "f32[0,3]{1,0}", "f32[0,3]{0,1}");
}

#[test]
fn huge_arrays_answer_at_once() {
    check(
        "huge.txt",
        1,
        "u8[2147483648,4294967295]",
        "u8[2147483648,4294967295]{0,1}",
    );
}

/// What depends on the sizes of caches is told for a machine that is named; for this one with
/// `--here`.
#[test]
fn the_copy_is_described_on_a_machine() {
    let a = "f32[2048,2048]{1,0}";
    let b = "f32[2048,2048]{0,1}";
    let layout = |text: &str| text.parse::<xlayout::DynLayout>().unwrap();
    let plan = Plan::new(&layout(a), &layout(b)).unwrap();
    let there =
        "on the reference machine (caches of 1.00 MiB and 32.0 MiB; `--here`: on this machine):";
    for (flags, machine, name, line) in [
        (&[][..], Machine::REFERENCE, "reference", there),
        (&["--here"], Machine::here(), "here", "on this machine ("),
    ] {
        let traffic = plan.on(machine).traffic();
        let text = answer(1, &[&[a, b], flags].concat());
        let (_, told) = text.split_once(line).expect("the machine is named");
        assert_eq!(told.contains(", past the cache"), traffic.fetched == 0);

        let text = answer(1, &[&[a, b, "--json"], flags].concat());
        let json: Value = serde_json::from_str(&text).unwrap();
        let expected = serde_json::json!({
            "name": name,
            "second_cache_bytes": machine.second_cache,
            "last_cache_bytes": machine.last_cache,
        });
        assert_eq!(json["machine"], expected);
        let copy = &json["relayout"][0];
        assert_eq!(copy["fetched_bytes"], traffic.fetched);
        assert_eq!(copy["plan"], plan.on(machine).to_string());
    }
}

#[test]
fn json() {
    let text = answer(1, &["f32[2,3]{1,0}", "f32[3,2]{1,0:T(2,2)}", "--json"]);
    expect_file!["diff/transpose.json"].assert_eq(&text);
    let equal: Value = serde_json::from_str(&answer(0, &["f32[2]", "f32[2]", "--json"])).unwrap();
    assert_eq!(equal["equal"], true);
    assert_eq!(equal["change"], "equal");
}

#[test]
fn a_picture_of_both() {
    let svg = answer(1, &["f32[2,3]{1,0}", "f32[2,3]{0,1}", "--svg", "-"]);
    expect_file!["diff/both.svg"].assert_eq(&svg);
    // The same element has the same colour wherever it is drawn.
    let document = Document::parse(&svg).unwrap();
    let mut colours: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for cell in document.descendants() {
        if let Some(key) = cell.attribute("data-k") {
            let colour = cell
                .last_element_child()
                .unwrap()
                .attribute("fill")
                .unwrap();
            colours.entry(key).or_default().push(colour);
        }
    }
    assert_eq!(colours.len(), 6);
    for (key, colours) in colours {
        // In the grid and in memory, of A and of B.
        assert_eq!(colours, [colours[0]; 4], "{key}");
    }
}

/// The keys of the elements in each of the two grids, by index.
fn keys(a: &str, b: &str) -> Vec<BTreeMap<Vec<usize>, String>> {
    let svg = answer(1, &[a, b, "--svg", "-"]);
    let document = Document::parse(&svg).unwrap();
    let mut panels = vec![BTreeMap::new(), BTreeMap::new()];
    let mut panel = 0;
    for node in document.descendants() {
        if node.text() == Some("B") {
            panel = 1;
        }
        if node.attribute("class") == Some("cell") {
            let title = node.first_element_child().unwrap().text().unwrap();
            let index = title[1..title.find(']').unwrap()].split(", ");
            let index = index.map(|i| i.parse().unwrap()).collect();
            let key = node.attribute("data-k").unwrap().to_owned();
            panels[panel].insert(index, key);
        }
    }
    panels
}

#[test]
fn elements_are_matched() {
    // B's dimension i is A's dimension permutation[i]: 1, 0 and 2, 0, 1.
    let panels = keys("f32[2,3]{1,0}", "f32[3,2]{1,0:T(2,2)}");
    assert_eq!(panels[1].len(), 6);
    for (index, key) in &panels[1] {
        assert_eq!(panels[0][&vec![index[1], index[0]]], *key);
    }
    let panels = keys("f32[2,3,4]{2,1,0}", "f32[4,2,3]{0,2,1}");
    assert_eq!(panels[1].len(), 24);
    for (index, key) in &panels[1] {
        assert_eq!(panels[0][&vec![index[1], index[2], index[0]]], *key);
    }
    // The same row-major index.
    let panels = keys("f32[2,6]{0,1}", "f32[3,4]{0,1}");
    assert_eq!(panels[1].len(), 12);
    for (index, key) in &panels[1] {
        let row_major = 4 * index[0] + index[1];
        assert_eq!(panels[0][&vec![row_major / 6, row_major % 6]], *key);
    }
}

#[test]
fn a_picture_and_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("both.svg");
    let words = answer(1, &["f32[2]", "f32[1,2]", "--svg", path.to_str().unwrap()]);
    assert!(words.contains("bitcast"));
    assert!(std::fs::read_to_string(path).unwrap().starts_with("<svg"));
}

#[test]
fn mistakes() {
    let cases: &[&[&str]] = &[
        &["f32[2,", "g32[3]"],
        &["f32[2]", "f32[?]"],
        &["f32[2]"],
        &["f32[2]", "f32[3]", "--json", "--svg", "-"],
        &["f32[2]", "f32[3]", "--svg", "no/such/folder.svg"],
    ];
    let mut text = String::new();
    for case in cases {
        let refused = refusal(&[&["diff"], *case].concat());
        text += &format!("$ xlayout diff {}\n{refused}\n", case.join(" "));
    }
    expect_file!["diff/mistakes.txt"].assert_eq(&text);
}

#[test]
fn a_closed_pipe_is_no_mistake() {
    use std::process::Stdio;
    let mut child = command(&["diff", "f32[99,9]", "f32[99,9]{0,1}"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty());
    // By its own exit code or the one for an answer that nobody reads; no panic.
    assert!(matches!(output.status.code(), Some(0 | 1)));
}
