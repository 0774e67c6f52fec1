//! Why an array is copied in the layout that it has, and causes that are neither a loop nor the
//! entry.

use super::*;

const ARRAY: &str = "f32[512,512]{1,0}";

/// The cause of the copy `%c` in a module with these computations.
fn cause_of(text: &str) -> String {
    let text = text.replace("ARRAY", ARRAY);
    let copies = found(&format!("HloModule m, is_scheduled=true\n\n{text}")).copies;
    let copy = copies.into_iter().find(|copy| copy.instruction == "c");
    copy.expect("the copy is found").cause
}

/// A conditional in a loop. `branch` gives the copy `c`.
fn in_branch(branch: &str) -> String {
    format!(
        "%one (a: (ARRAY, ARRAY)) -> (ARRAY, ARRAY) {{
  a = (ARRAY, ARRAY) parameter(0)
  a0 = ARRAY get-tuple-element(a), index=0
  a1 = ARRAY get-tuple-element(a), index=1
  n = ARRAY negate(a0)
  ROOT at = (ARRAY, ARRAY) tuple(n, a1)
}}
%two (b: (ARRAY, ARRAY)) -> (ARRAY, ARRAY) {{
  b = (ARRAY, ARRAY) parameter(0)
  b0 = ARRAY get-tuple-element(b), index=0
  b1 = ARRAY get-tuple-element(b), index=1
  {branch}
  ROOT bt = (ARRAY, ARRAY) tuple(c, b1)
}}
%body (s: (s32[], ARRAY, ARRAY)) -> (s32[], ARRAY, ARRAY) {{
  s = (s32[], ARRAY, ARRAY) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = ARRAY get-tuple-element(s), index=1
  y = ARRAY get-tuple-element(s), index=2
  o = s32[] constant(1)
  j = s32[] add(i, o)
  q = pred[] compare(i, o), direction=EQ
  t = (ARRAY, ARRAY) tuple(x, y)
  d = (ARRAY, ARRAY) conditional(q, t, t), true_computation=%one, false_computation=%two
  d0 = ARRAY get-tuple-element(d), index=0
  d1 = ARRAY get-tuple-element(d), index=1
  ROOT st = (s32[], ARRAY, ARRAY) tuple(j, d0, d1)
}}
%condition (s: (s32[], ARRAY, ARRAY)) -> pred[] {{
  s = (s32[], ARRAY, ARRAY) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  h = s32[] constant(100)
  ROOT l = pred[] compare(i, h), direction=LT
}}
ENTRY %e (p: ARRAY) -> ARRAY {{
  p = ARRAY parameter(0)
  z = s32[] constant(0)
  n1 = ARRAY negate(p)
  n2 = ARRAY abs(p)
  init = (s32[], ARRAY, ARRAY) tuple(z, n1, n2)
  w = (s32[], ARRAY, ARRAY) while(init), condition=%condition, body=%body
  ROOT r = ARRAY get-tuple-element(w), index=1
}}
"
    )
}

/// The conditional asks for the copy, and not the loop around it.
#[test]
fn a_branch_that_returns_its_operand_copies_it() {
    assert_eq!(
        cause_of(&in_branch("c = ARRAY copy(b0)")),
        "result of %d: the branch returns its operand, and the result has memory of its own"
    );
    assert_eq!(
        cause_of(&in_branch("m = ARRAY negate(b0)\n  c = ARRAY copy(m)")),
        "result of %d: a second copy, and the result has memory of its own"
    );
}

/// A loop in which `body` gives the state `c` or another name.
#[test]
fn the_state_of_a_loop_is_the_nearest_reason() {
    let text = in_branch("c = ARRAY copy(b0)")
        .replace(" c = ARRAY copy(b0)\n", " e = ARRAY abs(b0)\n")
        .replace("tuple(c, b1)", "tuple(e, b1)")
        .replace("tuple(j, d0, d1)", "tuple(j, c, d1)")
        .replace("  ROOT st", "  c = ARRAY copy(d1)\n  ROOT st");
    assert_eq!(cause_of(&text), "loop state of %w: a second copy");
}

/// What is overwritten is a copy, because the first one is used afterwards, also inside a fusion.
#[test]
fn an_update_in_place_is_the_reason() {
    let update = "ARRAY dynamic-update-slice(c, u, k, k)";
    let fusion = "%f {
  f0 = ARRAY parameter(0)
  f1 = f32[1,512]{1,0} parameter(1)
  f2 = s32[] parameter(2)
  ROOT fd = ARRAY dynamic-update-slice(f0, f1, f2, f2)
}
";
    let aliased = "ARRAY custom-call(c, u), custom_call_target=\"f\", \
        output_to_operand_aliasing={{}: (0, {})}";
    for (before, by) in [
        ("", update),
        (fusion, "ARRAY fusion(c, u, k), kind=kLoop, calls=%f"),
        ("", aliased),
    ] {
        let text = format!(
            "{before}ENTRY %e {{
  p = ARRAY parameter(0)
  u = f32[1,512]{{1,0}} parameter(1)
  k = s32[] constant(0)
  n = ARRAY negate(p)
  c = ARRAY copy(n)
  d = {by}
  ROOT r = (ARRAY, ARRAY) tuple(d, n)
}}
"
        );
        assert_eq!(
            cause_of(&text),
            "update in place by %d: a second copy, which is overwritten",
            "{by}"
        );
    }
}

/// The reason is not that a parameter or a result is far away behind operations that compute.
#[test]
fn a_reason_that_is_not_found_is_not_known() {
    let text = "ENTRY %e {
  p = ARRAY parameter(0)
  n = ARRAY negate(p)
  c = ARRAY copy(n)
  ROOT r = ARRAY add(c, n)
}
";
    assert_eq!(
        cause_of(text),
        "not known: a second copy in the same layout"
    );
}

#[test]
fn what_the_entry_takes_and_gives_is_copied() {
    let text = "ENTRY %e {
  p = ARRAY parameter(0)
  c = ARRAY copy(p)
  ROOT r = (ARRAY, ARRAY) tuple(c, p)
}
";
    assert_eq!(cause_of(text), "entry parameter 0: a second copy");
    let text = text.replace("copy(p)", "copy(n)");
    let text = text.replace("  c =", "  n = ARRAY negate(p)\n  c =");
    assert_eq!(cause_of(&text), "entry result 0: a second copy");
}

/// Operations that fix layouts without a class of their own are named, too.
#[test]
fn an_operation_beside_a_change_of_layout_is_named() {
    let text = |opcode: &str| {
        format!(
            "ENTRY %e {{
  p = f32[8,6]{{1,0}} parameter(0)
  k = s32[] parameter(1)
  o = f32[8,6]{{1,0}} {opcode}(p, k, k)
  c = f32[8,6]{{0,1}} copy(o)
  ROOT r = f32[8,6]{{0,1}} {opcode}(c, k, k)
}}
"
        )
    };
    assert_eq!(
        cause_of(&text("dynamic-reshape")),
        "dynamic reshape %o fixes the layout before it, dynamic reshape %r the one after it"
    );
    assert_eq!(
        cause_of(&text("an-operation-of-tomorrow")),
        "an-operation-of-tomorrow %o fixes the layout before it, \
         an-operation-of-tomorrow %r the one after it"
    );
}
