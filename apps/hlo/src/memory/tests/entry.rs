//! What ENTRY allocates: by hand, and the sums that connect it with what is alive at the peak.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

/// What ENTRY allocates, checked against the list of its arrays, and against the bytes that are
/// alive.
pub(super) fn of_entry(text: &str) -> OfEntry {
    let (modules, tally, _) = graphs(text);
    let answer = answer(&modules[0], &tally, None, Rows::at_peak(0)).unwrap();
    connected(&modules[0], &tally, &answer);
    answer.entry
}

fn connected(module: &Module, tally: &Tally, answer: &Answer) {
    let entry = answer.entry;
    let sum = entry.bytes.allocated + entry.without_layout + entry.inner - entry.idle;
    assert_eq!(sum, answer.live, "{entry:?}");
    let mut listed = crate::Bytes::default();
    allocated(Path::new("x"), module, tally, |array, _| {
        listed += tally.arrays[array as usize].times(1);
    })
    .unwrap();
    assert_eq!(listed, entry.bytes);
}

fn module(aliases: &str, before: &str, entry: &str) -> String {
    format!(
        "HloModule m, is_scheduled=true{aliases}\n\n{before}\nENTRY %e (p: u8[100]) -> u8[100] {{\n  \
         %p = u8[100]{{0}} parameter(0)\n{entry}}}\n"
    )
}

/// Returns the count and the bytes of what ENTRY allocates.
fn entry(before: &str, entry: &str) -> (u128, u128) {
    let bytes = of_entry(&module("", before, entry)).bytes;
    (bytes.count, bytes.allocated)
}

/// A chain of updates in place has one memory: the parameter, the chain, the result.
#[test]
fn results_in_the_memory_of_operands_are_counted_once() {
    let chain = |update: &str, before: &str| {
        let lines = format!(
            "  %x = u8[100]{{0}} custom-call(%p), custom_call_target=\"x\"\n{update}  \
             ROOT %r = u8[100]{{0}} custom-call(%z, %p), custom_call_target=\"r\"\n"
        );
        entry(before, &lines)
    };
    let updated = "%u (a: u8[100], b: u8[1]) -> u8[100] {
  %a = u8[100]{0} parameter(0)
  %b = u8[1]{0} parameter(1)
  %c = s32[] constant(0)
  %d = u8[100]{0} bitcast(%a)
  ROOT %e = u8[100]{0} dynamic-update-slice(%d, %b, %c)
}
";
    // An inner fusion that updates in place, and results that are items of items.
    let nested = "%inner (a: u8[100]) -> u8[100] {
  %a = u8[100]{0} parameter(0)
  %c = s32[] constant(0)
  ROOT %e = u8[100]{0} dynamic-update-slice(%a, %a, %c)
}

%several (a: u8[100], b: u8[100]) -> (u8[5], (u8[100], u8[100])) {
  %a = u8[100]{0} parameter(0)
  %b = u8[100]{0} parameter(1)
  %c = s32[] constant(0)
  %five = u8[5]{0} constant({1,2,3,4,5})
  %f = u8[100]{0} fusion(%a), kind=kLoop, calls=%inner
  %s = (u8[100]{0}, u8[100]{0}) scatter(%b, %f, %c, %b, %f), to_apply=%inner
  %s0 = u8[100]{0} get-tuple-element(%s), index=0
  %s1 = u8[100]{0} get-tuple-element(%s), index=1
  %in = (u8[100]{0}, u8[100]{0}) tuple(%s1, %s0)
  ROOT %t = (u8[5]{0}, (u8[100]{0}, u8[100]{0})) tuple(%five, %in)
}
";
    for (update, before, expected) in [
        ("%z = u8[100]{0} custom-call(%x), custom_call_target=\"k\"", "", (4, 400)),
        ("%z = u8[100]{0} dynamic-update-slice(%x, %p, %p)", "", (3, 300)),
        ("%z = u8[100]{0} scatter(%x, %p, %p), to_apply=%u", updated, (3, 300)),
        ("%z = u8[100]{0} opt-barrier(%x)", "", (3, 300)),
        ("%z = u8[100]{0} fusion(%x, %p), kind=kLoop, calls=%u", updated, (3, 300)),
        (
            "%z = u8[100]{0} custom-call(%p, %x), custom_call_target=\"k\", output_to_operand_aliasing={{}: (1, {})}",
            "",
            (3, 300),
        ),
        // A fusion has the aliases that are written, and those of its root.
        (
            "%y = (u8[5]{0}, (u8[100]{0}, u8[100]{0})) fusion(%x, %p), kind=kLoop, calls=%several, output_to_operand_aliasing={{1,1}: (1, {})}
  %i = (u8[100]{0}, u8[100]{0}) get-tuple-element(%y), index=1
  %z = u8[100]{0} get-tuple-element(%i), index=0",
            nested,
            (4, 305),
        ),
        // Target, source and offsets; the second operand is updated.
        (
            "%z = u8[100]{0} collective-permute(%p, %x, %p, %p), source_target_pairs={{0,1}}",
            "",
            (3, 300),
        ),
        (
            "%y = (u8[100]{0}, u8[100]{0}, u32[], u32[]) collective-permute-start(%p, %x, %p, %p), source_target_pairs={{0,1}}
  %z = u8[100]{0} collective-permute-done(%y)",
            "",
            (6, 408),
        ),
        (
            "%y = u8[100]{0} all-reduce-start(%x), to_apply=%u\n  %z = u8[100]{0} all-reduce-done(%y)",
            updated,
            (3, 300),
        ),
        ("%z = u8[100]{0} ragged-all-to-all(%p, %x, %p, %p, %p, %p)", "", (3, 300)),
        // Operands of an asynchronous operation, and a result in the memory of one of them.
        (
            "%y = ((u8[100]{0}, u8[100]{0}), u8[100]{0}, u32[]) async-start(%p, %x), output_to_operand_aliasing={{1}: (1, {})}, calls=%u
  %z = u8[100]{0} async-done(%y)",
            updated,
            (4, 304),
        ),
        (
            "%y = (u8[100]{0}, u8[100]{0}, u32[]) copy-start(%x)\n  %z = u8[100]{0} copy-done(%y)",
            "",
            (5, 404),
        ),
    ] {
        assert_eq!(chain(&format!("  {update}\n"), before), expected, "{update}");
    }
    // An operand whose last use it is gives its memory to a result.
    let elementwise = "  %x = u8[100]{0} negate(%p)
  %y = u8[100]{0} add(%x, %p)
  ROOT %r = u8[100]{0} custom-call(%y), custom_call_target=\"r\"
";
    assert_eq!(entry("", elementwise), (3, 300));
}

/// The arrays that go through `send` and asynchronous operations are not memory of their own.
#[test]
fn what_asynchronous_operations_pass_on_is_counted_once() {
    let lines = "  %q = u8[50]{0} parameter(1)
  %t = token[] after-all()
  %s = (u8[100]{0}, u32[], token[]) send(%p, %t)
  %a = ((u8[100]{0}, u8[50]{0}), u8[70]{0}, u32[]) async-start(%p, %q)
  ROOT %g = ((u8[100]{0}, u8[50]{0}), (u8[20]{0}, u8[90]{0})) all-gather-start(%p, %q)
";
    assert_eq!(entry("", lines), (7, 100 + 50 + 20 + 90 + 70 + 4 + 4));
}

/// A donated parameter and the result in its memory are one array.
#[test]
fn a_donated_parameter_is_counted_once() {
    let lines = "  ROOT %r = u8[100]{0} reverse(%p), dimensions={0}\n";
    let sum = |aliases: &str| of_entry(&module(aliases, "", lines)).bytes.allocated;
    assert_eq!(sum(""), 200);
    assert_eq!(sum(", input_output_alias={ {}: (0, {}, must-alias) }"), 100);
}

/// What a loop allocates inside is not of ENTRY, and is alive at the peak.
#[test]
fn what_is_inside_of_a_loop_is_apart() {
    let before = "%body (s: u8[100]) -> u8[100] {
  %s = u8[100]{0} parameter(0)
  %t = u8[30]{0} custom-call(%s), custom_call_target=\"f\"
  ROOT %z = u8[100]{0} custom-call(%t), custom_call_target=\"g\"
}

%more (s: u8[100]) -> pred[] {
  %s = u8[100]{0} parameter(0)
  ROOT %q = pred[] custom-call(%s), custom_call_target=\"p\"
}
";
    let lines = "  %c = u8[100]{0} copy(%p)
  %w = u8[100]{0} while(%c), condition=%more, body=%body
  %late = u8[7]{0} custom-call(%w), custom_call_target=\"l\"
  ROOT %r = u8[100]{0} custom-call(%late), custom_call_target=\"r\"
";
    let found = of_entry(&module("", before, lines));
    assert_eq!((found.bytes.count, found.bytes.allocated), (4, 307));
    // At the end of the loop: %p, the state and %t, neither %late nor the result.
    assert_eq!((found.idle, found.inner), (107, 30));
    // An array without a layout is apart.
    let text = module(
        "",
        "",
        "  ROOT %r = u8[9] custom-call(%p), custom_call_target=\"r\"\n",
    );
    let found = of_entry(&text);
    assert_eq!((found.bytes.allocated, found.without_layout), (100, 9));
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, all);
        } else if path.extension().is_some_and(|end| end == "hlo") {
            all.push(path);
        }
    }
}

/// For every module of the tests the difference between both sums has names.
#[test]
fn of_each_module_both_sums_are_connected() {
    let mut all = Vec::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/data");
    files(&data, &mut all);
    assert!(all.len() > 60);
    for path in all {
        let (modules, tally, _) = graphs(&fs::read_to_string(&path).unwrap());
        for module in &modules {
            let answer = answer(module, &tally, None, Rows::at_peak(0)).unwrap();
            connected(module, &tally, &answer);
        }
    }
}
