//! Modules that no compiler writes. Missing parts are not guessed.

use super::super::stop::{
    ALIASING, Fault, NO_ARGUMENT, NO_ITEM, NO_NUMBER, NO_OPERAND, OTHER_OPERANDS, SECOND_PARAMETER,
};
use super::*;

/// Why the module with these instructions in ENTRY cannot be followed. `%p` is an array, `%t` a
/// tuple of two.
fn stop(instructions: &str) -> Option<Stop> {
    stop_of(&format!(
        "HloModule m, is_scheduled=true

%one {{
  ROOT %x = f32[2]{{0}} parameter(0)
}}

%two {{
  %x = f32[2]{{0}} parameter(0)
  ROOT %y = f32[2]{{0}} parameter(1)
}}

%pair {{
  ROOT %x = (f32[2]{{0}}, f32[2]{{0}}) parameter(0)
}}

%yes {{
  %x = f32[2]{{0}} parameter(0)
  ROOT %y = pred[] constant(true)
}}

ENTRY %e {{
  %p = f32[2]{{0}} parameter(0)
  %t = (f32[2]{{0}}, f32[2]{{0}}) tuple(%p, %p)
  {instructions}
}}
"
    ))
}

fn stop_of(text: &str) -> Option<Stop> {
    let (modules, tally, told) = graphs(text);
    assert_eq!((modules.len(), told.join("\n")), (1, String::new()));
    answer(&modules[0], &tally, None, Rows::at_peak(1)).err()
}

#[test]
fn instructions_that_lack_a_part() {
    const ENTRY: u32 = 4;
    let at = |by, fault| Some(Stop::Instruction(Box::new((by, fault))));
    let entry = |fault| at((ENTRY, 2), fault);
    let arrays = |given, shape| entry(Fault::Arrays { given, shape });
    for (text, expected) in [
        ("ROOT %r = f32[2]{0} negate(%p)", None),
        ("ROOT %r = f32[2]{0} bitcast()", entry(NO_OPERAND)),
        (
            "ROOT %r = f32[2]{0} get-tuple-element(), index=0",
            entry(NO_OPERAND),
        ),
        ("ROOT %r = f32[2]{0} copy-done()", entry(NO_OPERAND)),
        ("ROOT %r = f32[2]{0} all-reduce-done()", entry(NO_OPERAND)),
        ("ROOT %r = f32[2]{0} get-tuple-element(%t), index=1", None),
        (
            "ROOT %r = f32[2]{0} get-tuple-element(%t), index=2",
            entry(NO_ITEM),
        ),
        ("ROOT %r = f32[2]{0} get-tuple-element(%t)", entry(NO_ITEM)),
        ("ROOT %r = f32[2]{0} bitcast(%t)", arrays(2, 1)),
        (
            "ROOT %r = (f32[2]{0}, f32[2]{0}, u32[]) copy-start(%p)",
            None,
        ),
        ("ROOT %r = f32[2]{0} copy-start(%p)", entry(NO_ITEM)),
        (
            "ROOT %r = (f32[2]{0}, f32[2]{0}, u32[]) copy-start()",
            entry(OTHER_OPERANDS),
        ),
        (
            "ROOT %r = (f32[3]{0}, f32[3]{0}, u32[]) copy-start(%p)",
            entry(OTHER_OPERANDS),
        ),
        (
            "ROOT %r = (f32[2]{0}, f32[2]{0}, u32[], u32[]) collective-permute-start(%p, %p, %p, %p)",
            None,
        ),
        ("ROOT %r = f32[2]{0} copy-done(%p)", entry(NO_ITEM)),
        (
            "ROOT %r = (f32[2]{0}, f32[2]{0}) copy-done(%t)",
            arrays(1, 2),
        ),
        ("ROOT %r = f32[2]{0} conditional()", entry(NO_OPERAND)),
        (
            "ROOT %r = f32[2]{0} conditional(%p)",
            entry(Fault::NoCallee("branch_computations")),
        ),
        (
            "ROOT %r = f32[2]{0} while(%p, %p), condition=%yes, body=%one",
            entry(Fault::Operands { given: 2, taken: 1 }),
        ),
        (
            "ROOT %r = f32[2]{0} call(%p, %p), to_apply=%one",
            entry(Fault::Operands { given: 2, taken: 1 }),
        ),
        ("ROOT %r = f32[2]{0} parameter()", entry(NO_NUMBER)),
        ("ROOT %r = f32[2]{0} call(%p), to_apply=%one", None),
        (
            "ROOT %r = f32[2]{0} call(%p), to_apply=%pair",
            at((2, 0), Fault::Arrays { given: 1, shape: 2 }),
        ),
        (
            "ROOT %r = f32[2]{0} call(%p), to_apply=%two",
            at((1, 1), NO_ARGUMENT),
        ),
        (
            "ROOT %r = f32[2]{0} call(%p)",
            entry(Fault::NoCallee("to_apply")),
        ),
        (
            "ROOT %r = f32[2]{0} while(%p), condition=%yes, body=%one",
            None,
        ),
        (
            "ROOT %r = f32[2]{0} while(%p), body=%one",
            entry(Fault::NoCallee("condition")),
        ),
        (
            "ROOT %r = f32[2]{0} while(%p), condition=%yes",
            entry(Fault::NoCallee("body")),
        ),
        (
            "ROOT %r = f32[2]{0} while(%t), condition=%yes, body=%one",
            arrays(2, 1),
        ),
        (
            "ROOT %r = f32[2]{0} conditional(%p, %p, %p), branch_computations={%one, %one}",
            None,
        ),
        (
            "ROOT %r = f32[2]{0} conditional(%p, %p), branch_computations={%one, %one}",
            entry(Fault::Branches {
                branches: 2,
                operands: 1,
            }),
        ),
        (
            "ROOT %r = f32[2]{0} conditional(%p, %t), branch_computations={%pair}",
            arrays(2, 1),
        ),
        ("ROOT %r = s32[2]{0} parameter(0)", entry(SECOND_PARAMETER)),
        (
            "ROOT %r = f32[2]{0} custom-call(%p), output_to_operand_aliasing={{}: (1, {})}",
            entry(NO_OPERAND),
        ),
        (
            "ROOT %r = f32[2]{0} custom-call(%p), output_to_operand_aliasing={{3}: (0, {})}",
            entry(NO_ITEM),
        ),
        (
            "ROOT %r = f32[2]{0} custom-call(%t), output_to_operand_aliasing={{}: (0, {1})}",
            None,
        ),
        (
            "ROOT %r = f32[2]{0} custom-call(%t), output_to_operand_aliasing={{}: (0, {2})}",
            entry(NO_ITEM),
        ),
        (
            "ROOT %r = f32[2]{0} custom-call(%p), output_to_operand_aliasing={nonsense}",
            entry(ALIASING),
        ),
    ] {
        assert_eq!(stop(text), expected, "{text}");
    }
}

#[test]
fn computations_and_aliases_of_nothing() {
    let aliased = |alias: &str| {
        stop_of(&format!(
            "HloModule m, input_output_alias={{ {alias} }}\n\nENTRY %e {{\n  ROOT %p = f32[2]{{0}} parameter(0)\n}}\n"
        ))
    };
    assert_eq!(aliased("{}: (0, {}, may-alias)"), None);
    for (alias, parameter) in [
        ("{}: (1, {}, may-alias)", 1),
        ("{0}: (0, {}, may-alias)", 0),
        ("{}: (0, {2}, may-alias)", 0),
    ] {
        assert_eq!(aliased(alias), Some(Stop::Alias(parameter)), "{alias}");
    }
}

/// The reader reports a mistake in the text. The rest of the module is followed.
#[test]
fn what_the_reader_told_is_not_told_again() {
    let text = "HloModule m\n\nENTRY %e {\n  %p = f32[2]{0} parameter(0)\n  \
                %wrong = (f32[2]{7}) tuple(%p)\n  ROOT %r = f32[2]{0} get-tuple-element(%wrong), index=1\n}\n";
    let (modules, tally, told) = graphs(text);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(answer(&modules[0], &tally, None, Rows::at_peak(1)).is_ok());
}

#[test]
fn a_fault_says_where_it_is() {
    let text = "HloModule m\n\nENTRY %e {\n  ROOT %r = f32[2]{0} bitcast()\n}\n";
    let (modules, ..) = graphs(text);
    let fault = Stop::Instruction(Box::new(((0, 0), NO_OPERAND)));
    let failure = fault.error(Path::new("x.hlo"), &modules[0]).to_string();
    assert!(
        failure
            .contains("`x.hlo`: `r = bitcast(…)` on line 4 needs an operand that it does not have"),
        "{failure}"
    );
}

#[test]
fn a_long_list_of_aliases_is_read() {
    let aliases = "{3}: (0, {}), ".repeat(8000);
    let text =
        format!("ROOT %r = f32[2]{{0}} custom-call(%p), output_to_operand_aliasing={{{aliases}}}");
    let fault = Stop::Instruction(Box::new(((4, 2), NO_ITEM)));
    assert_eq!(stop(&text), Some(fault));
}

#[test]
fn two_parameters_of_a_computation_have_different_numbers() {
    let text = "HloModule m\n\n%f {\n  %a = f32[2]{0} parameter(0)\n  ROOT %b = f32[2]{0} parameter(0)\n}\n\nENTRY %e {\n  \
                %p = f32[2]{0} parameter(0)\n  ROOT %r = f32[2]{0} call(%p, %p), to_apply=%f\n}\n";
    let fault = Stop::Instruction(Box::new(((0, 1), SECOND_PARAMETER)));
    assert_eq!(stop_of(text), Some(fault));
}
