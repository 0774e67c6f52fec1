//! Layouts that are carried into the computations that an operation calls and out of them, and to
//! aliased results.

use super::super::change::Entry;
use super::found;

/// The entry's arrays that the advice for the copy `c` changes; nothing where there is no advice.
fn changed(module: &str) -> Vec<Entry> {
    let cures = found(module).cures.into_iter();
    let mut of_copy = cures.filter(|cure| cure.removes.iter().any(|copy| copy == "c"));
    let changes = of_copy.next().map_or(Vec::new(), |cure| cure.changes);
    changes.into_iter().map(|change| change.entry).collect()
}

const A: &str = "f32[64,32]{1,0}";
/// A sort keeps its layout, so that the arrays before the copy have to change.
const LESS: &str = "%less {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  \
                    ROOT z = pred[] compare(x, y), direction=LT\n}\n";
const SORTED: &str = "c = f32[64,32]{0,1} copy(r)\n  \
                      ROOT s = f32[64,32]{0,1} sort(c), dimensions={0}, to_apply=%less\n";

#[test]
fn branches_have_the_layouts_of_their_operands() {
    let branch = |name: &str, opcode: &str| {
        format!("%{name} {{\n  p = {A} parameter(0)\n  ROOT n = {A} {opcode}(p)\n}}\n")
    };
    let module = format!(
        "HloModule m, is_scheduled=true, entry_computation_layout={{(pred[], {A}, {A})->f32[64,32]{{0,1}}}}\n\n{LESS}{}{}\
         ENTRY %e {{\n  q = pred[] parameter(0)\n  a = {A} parameter(1)\n  b = {A} parameter(2)\n  \
         r = {A} conditional(q, a, b), true_computation=%t, false_computation=%f\n  {SORTED}}}\n",
        branch("t", "negate"),
        branch("f", "abs")
    );
    assert_eq!(changed(&module), [Entry::Parameter(1), Entry::Parameter(2)]);
}

#[test]
fn loops_have_the_layouts_of_their_bodies() {
    let module = |round: &str| {
        format!(
            "HloModule m, is_scheduled=true, entry_computation_layout={{({A})->f32[64,32]{{0,1}}}}\n\n{LESS}\
             %b {{\n  s = (s32[], {A}) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  \
             x = {A} get-tuple-element(s), index=1\n  k = s32[] constant(1)\n  j = s32[] add(i, k)\n  \
             n = {A} {round}\n  ROOT t = (s32[], {A}) tuple(j, n)\n}}\n\
             %w {{\n  s = (s32[], {A}) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  \
             l = s32[] constant(9)\n  ROOT r = pred[] compare(i, l), direction=LT\n}}\n\
             ENTRY %e {{\n  a = {A} parameter(0)\n  z = s32[] constant(0)\n  t = (s32[], {A}) tuple(z, a)\n  \
             v = (s32[], {A}) while(t), condition=%w, body=%b\n  r = {A} get-tuple-element(v), index=1\n  {SORTED}}}\n"
        )
    };
    assert_eq!(changed(&module("negate(x)")), [Entry::Parameter(0)]);
    // What a round leaves has a layout that a sort fixes, whatever the loop begins with.
    let fixed =
        "iota(), iota_dimension=0\n  n = f32[64,32]{1,0} sort(m), dimensions={0}, to_apply=%less";
    let fixed = module("?").replace("n = f32[64,32]{1,0} ?", &format!("m = {A} {fixed}"));
    assert_eq!(changed(&fixed), []);
}

/// A parameter whose memory a result takes has the layout of that result.
#[test]
fn aliased_arrays_change_together() {
    let module = |alias: &str| {
        format!(
            "HloModule m, is_scheduled=true{alias}, entry_computation_layout={{({A})->{A}}}\n\n{LESS}\
             ENTRY %e {{\n  r = {A} parameter(0)\n  c = f32[64,32]{{0,1}} copy(r)\n  \
             s = f32[64,32]{{0,1}} sort(c), dimensions={{0}}, to_apply=%less\n  \
             ROOT d = {A} copy(s)\n}}\n"
        )
    };
    let alias = ", input_output_alias={ {}: (0, {}, may-alias) }";
    assert_eq!(
        changed(&module(alias)),
        [Entry::Parameter(0), Entry::Result(None)]
    );
    assert_eq!(changed(&module("")), [Entry::Parameter(0)]);
}
