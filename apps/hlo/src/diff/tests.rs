//! What differs between two modules.

use super::super::graph::tests::graphs;
use super::*;

fn side(text: &str) -> Side {
    let (mut modules, tally, told) = graphs(text);
    assert_eq!((modules.len(), told.join("\n")), (1, String::new()));
    let module = modules.remove(0);
    Side::new(Path::new("x.hlo"), module, &tally)
}

fn diff(a: &str, b: &str) -> Diff {
    Diff::of(side(a), side(b)).unwrap()
}

/// Two texts without a number would count as equal.
#[test]
fn more_texts_than_numbers_are_an_error() {
    let other = TEXT.replace("negate", "abs");
    let compare = |most| Diff::by(side(TEXT), side(&other), Texts::below(most));
    assert!(!compare(40).unwrap().differs());
    let failure = compare(4).err().unwrap().to_string();
    assert!(failure.contains("more than 2^32 distinct"), "{failure}");
}

const TEXT: &str = "HloModule m, is_scheduled=true\n\n\
    ENTRY %e (p: f32[8,100], q: f32[8,100]) -> (f32[8,100], f32[8,100]) {\n  \
    %p = f32[8,100]{1,0:T(8,128)} parameter(0)\n  \
    %q = f32[8,100]{1,0:T(8,128)} parameter(1)\n  \
    %sum = f32[8,100]{1,0:T(8,128)} add(%p, %q), metadata={op_name=\"sum\"}\n  \
    %copy.1 = f32[8,100]{0,1:T(8,128)} copy(%sum), metadata={op_name=\"sum\"}\n  \
    %twice = f32[8,100]{1,0:T(8,128)} add(%sum, %sum), metadata={op_name=\"twice\"}\n  \
    ROOT %t = (f32[8,100]{0,1:T(8,128)}, f32[8,100]{1,0:T(8,128)}) tuple(%copy.1, %twice)\n}\n";

#[test]
fn a_module_does_not_differ_from_itself() {
    let same = diff(TEXT, TEXT);
    assert!(!same.differs() && !same.is_worse(0));
    // Nor if its instructions have other names.
    let renamed = TEXT.replace("%sum", "%add.7").replace("%twice", "%add.9");
    let renamed = diff(TEXT, &renamed);
    assert!(!renamed.differs(), "{:?}", renamed.layouts);
}

#[test]
fn what_changed_is_told() {
    // The second result needs no copy; the first parameter has another layout.
    let other = TEXT
        .replace(
            "%copy.1 = f32[8,100]{0,1:T(8,128)} copy",
            "%copy.1 = f32[8,100]{1,0:T(8,128)} negate",
        )
        .replace("(f32[8,100]{0,1:T(8,128)}, ", "(f32[8,100]{1,0:T(8,128)}, ")
        .replace("%p = f32[8,100]{1,0", "%p = f32[8,100]{0,1");
    let changed = diff(TEXT, &other);
    let places: Vec<_> = changed
        .layouts
        .iter()
        .map(|one| one.place.clone())
        .collect();
    assert_eq!(
        places,
        [
            ChangedArray::Parameter { parameter: 0 },
            ChangedArray::Result { result: 0 }
        ]
    );
    assert_eq!(
        changed.layouts[0].shape_b.as_deref(),
        Some("f32[8,100]{0,1:T(8,128)}")
    );
    let removed: Vec<_> = changed
        .removed
        .iter()
        .map(|one| &*one.instruction)
        .collect();
    assert_eq!((removed, changed.added.len()), (vec!["copy.1"], 0));
    // f32[8,100]{1,0:T(8,128)} takes 4096 bytes, 896 of them padding; {0,1} takes 104 x 128
    // elements.
    let row = 4096 - 3200;
    let column = 104 * 128 * 4 - 3200;
    assert_eq!(
        (changed.a.figures.padding, changed.b.figures.padding),
        (Some(4 * row + column), Some(4 * row + column))
    );
    assert_eq!(
        (changed.a.figures.copied, changed.b.figures.copied),
        (4096 + 104 * 128 * 4, 0)
    );
    assert!(changed.differs() && !changed.is_worse(0));
    let back = diff(&other, TEXT);
    assert_eq!((back.added.len(), back.removed.len()), (1, 0));
    assert!(back.is_worse(0) && back.is_worse(57_343) && !back.is_worse(57_344));
}

/// The pairs of the tests: what XLA's own choice removed and added.
#[test]
fn the_pairs_differ_in_what_xla_chose() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/data/copies");
    let mut all = Vec::new();
    for model in [
        "attention_bshd",
        "conv_nchw",
        "embedding_tied",
        "kv_cache_update",
        "mla_projection",
        "narrow_minor",
        "rope_interleave",
        "scan_transposed",
    ] {
        let [a, b] = ["default", "auto"].map(|variant| {
            std::fs::read_to_string(folder.join(format!("{model}.{variant}.v5e.hlo"))).unwrap()
        });
        let diff = diff(&a, &b);
        let entry = diff
            .layouts
            .iter()
            .filter(|one| !matches!(one.place, ChangedArray::Instruction { .. }));
        let layouts =
            |copies: &[Copy]| copies.iter().filter(|one| one.kind == Kind::Layout).count();
        all.push((
            model,
            entry.count(),
            layouts(&diff.removed),
            layouts(&diff.added),
            diff.differs(),
        ));
    }
    assert_eq!(
        all,
        [
            ("attention_bshd", 0, 0, 0, false),
            ("conv_nchw", 2, 1, 0, true),
            ("embedding_tied", 0, 0, 0, false),
            ("kv_cache_update", 3, 1, 0, true),
            ("mla_projection", 2, 2, 0, true),
            ("narrow_minor", 0, 0, 0, false),
            ("rope_interleave", 2, 2, 0, true),
            ("scan_transposed", 0, 0, 0, false),
        ]
    );
}

/// B has a parameter and a result more, which changes neither copies nor padding nor the peak.
#[test]
fn parameters_and_results_that_one_side_lacks() {
    let text = |parameter: &str, shape: &str, root: &str| {
        format!(
            "HloModule m, is_scheduled=true\n\nENTRY %e {{\n  %p = f32[128]{{0:T(128)}} parameter(0)\n  {parameter}\n  \
             ROOT %t = {shape} tuple({root})\n}}\n"
        )
    };
    let array = "f32[128]{0:T(128)}";
    let one = text("", &format!("({array})"), "%p");
    let two = text(
        "%q = f32[0]{0:T(128)} parameter(1)",
        &format!("({array}, {array}, token[])"),
        "%p, %p, %x",
    )
    .replace("  ROOT", "  %x = token[] after-all()\n  ROOT");
    let more = diff(&one, &two);
    assert!(more.added.is_empty() && more.removed.is_empty());
    let expected = [
        (ChangedArray::Parameter { parameter: 1 }, "f32[0]{0:T(128)}"),
        (ChangedArray::Result { result: 1 }, array),
        (
            ChangedArray::Result { result: 2 },
            "a token or an opaque value",
        ),
    ];
    let expected = expected.map(|(place, words)| (place, [None, Some(words.to_owned())]));
    let changed = |(place, shapes)| Changed::new(place, shapes);
    let expected_more = expected.clone().map(changed);
    assert_eq!(more.layouts, expected_more);
    assert!(more.differs());
    let less = diff(&two, &one);
    let swapped = expected.map(|(place, [a, b])| changed((place, [b, a])));
    assert_eq!(less.layouts, swapped);
    assert_eq!(
        serde_json::to_value(&more.layouts[0]).unwrap(),
        serde_json::json!({
            "parameter": 1, "a": null, "b": "{0:T(128)}", "shape_a": null, "shape_b": "f32[0]{0:T(128)}",
        })
    );
}
