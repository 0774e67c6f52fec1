//! Values in different memory spaces never share memory, whatever a text says.

use super::*;

/// An alias of a parameter in host memory and a result on the device.
#[test]
fn an_alias_of_another_memory_space_shares_nothing() {
    let text = |space: &str| {
        format!(
            "HloModule m, is_scheduled=true, input_output_alias={{ {{}}: (0, {{}}, may-alias) }}\n\n\
             ENTRY %e {{\n  %a = u8[100]{{0{space}}} parameter(0)\n  \
             ROOT %r = u8[100]{{0}} custom-call(%a), custom_call_target=\"f\"\n}}\n"
        )
    };
    assert_eq!(peaks(&text("")), [(0, 100)]);
    assert_eq!(peaks(&text(":S(5)")), [(0, 100), (5, 100)]);
    let answer = memory(&text(":S(5)"));
    let kinds: Vec<_> = (answer.spaces.iter())
        .map(|space| space.buffers[0].kind)
        .collect();
    assert_eq!(kinds, ["result", "parameter"]);
}

/// The result of a branch is in another space than the result of the conditional.
#[test]
fn a_branch_of_another_memory_space_shares_nothing() {
    let text = "HloModule m, is_scheduled=true

%c {
  %p = u8[100]{0} parameter(0)
  ROOT %r = u8[100]{0:S(1)} custom-call(%p), custom_call_target=\"f\"
}

ENTRY %e {
  %i = s32[] parameter(0)
  %p = u8[100]{0} parameter(1)
  ROOT %r = u8[100]{0} conditional(%i, %p), branch_computations={%c}
}
";
    assert_eq!(peaks(text), [(0, 204), (1, 100)]);
}
