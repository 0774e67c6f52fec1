//! Small texts whose arrays, calls included, do not fit in memory.

use super::super::super::graph::tests::graphs;
use super::super::stop::NO_ITEM;
use super::*;

fn stop(text: &str) -> Option<Stop> {
    let (modules, tally, told) = graphs(text);
    assert_eq!(told, [""; 0]);
    answer(&modules[0], &tally, None, Rows::at_peak(1)).err()
}

fn many() -> Option<Stop> {
    Some(Stop::Many(16_000_000))
}

/// The shape of a tuple of `count` arrays.
fn tuple(count: usize) -> String {
    format!("({})", vec!["f32[1]{0}"; count].join(", "))
}

/// The same operand `count` times.
fn operands(count: usize) -> String {
    vec!["%p"; count].join(", ")
}

/// Calls of calls: the last of `depth` computations makes 2^depth tuples.
fn calls(depth: u32, shape: &str) -> String {
    let mut text = format!(
        "HloModule m, is_scheduled=true\n\n%c0 {{\n  ROOT %x = {shape} custom-call(), custom_call_target=\"a\"\n}}\n"
    );
    for k in 0..depth {
        text += &format!(
            "\n%c{} {{\n  %x = {shape} call(), to_apply=%c{k}\n  ROOT %y = {shape} call(), to_apply=%c{k}\n}}\n",
            k + 1
        );
    }
    text + &format!("\nENTRY %e {{\n  ROOT %x = {shape} call(), to_apply=%c{depth}\n}}\n")
}

#[test]
fn arrays_that_calls_make() {
    assert_eq!(stop(&calls(3, &tuple(1000))), None);
    assert_eq!(stop(&calls(16, &tuple(1000))), many());
}

/// Each branch gives the same arrays: pairs that share memory.
#[test]
fn arrays_that_branches_share() {
    let text = |branches: usize, arrays: usize| {
        let shape = tuple(arrays);
        format!(
            "HloModule m, is_scheduled=true\n\n%c {{\n  ROOT %p = {shape} parameter(0)\n}}\n\n\
             ENTRY %e {{\n  %i = s32[]{{:T(128)}} parameter(0)\n  %p = {shape} parameter(1)\n  \
             ROOT %r = {shape} conditional(%i, {}), branch_computations={{{}}}\n}}\n",
            operands(branches),
            vec!["%c"; branches].join(", ")
        )
    };
    assert_eq!(stop(&text(10, 1000)), None);
    assert_eq!(stop(&text(9000, 9000)), many());
}

/// An operand that is a tuple, named many times.
#[test]
fn arrays_of_operands() {
    let text = |count: usize, operation: &str| {
        format!(
            "HloModule m, is_scheduled=true\n\nENTRY %e {{\n  %p = {} parameter(0)\n  \
             ROOT %r = f32[1]{{0}} {operation}-start({})\n}}\n",
            tuple(count),
            operands(count)
        )
    };
    // An array has no item for the operands.
    let fault = Stop::Instruction(Box::new(((0, 1), NO_ITEM)));
    for (operation, few) in [("all-gather", Some(fault)), ("all-reduce", None)] {
        assert_eq!(stop(&text(100, operation)), few);
        assert_eq!(stop(&text(9000, operation)), many());
    }
}

/// Each array of an elementwise operation whose result is a tuple may take the memory of each
/// operand.
#[test]
fn arrays_that_may_take_memory() {
    let text = |count: usize| {
        format!(
            "HloModule m, is_scheduled=true\n\nENTRY %e {{\n  %p = f32[1]{{0}} parameter(0)\n  \
             ROOT %r = {} add({})\n}}\n",
            tuple(count),
            operands(count)
        )
    };
    assert_eq!(stop(&text(100)), None);
    assert_eq!(stop(&text(9000)), many());
}

/// Without the error, 30 such tuples have 2^30 arrays.
#[test]
fn a_tuple_has_the_arrays_of_its_operands() {
    let mut text =
        "HloModule m, is_scheduled=true\n\nENTRY %e {\n  %t0 = f32[1]{0} parameter(0)\n".to_owned();
    for k in 1..40 {
        text += &format!("  %t{k} = f32[1]{{0}} tuple(%t{0}, %t{0})\n", k - 1);
    }
    text += "}\n";
    let (modules, tally, told) = graphs(&text);
    assert!(
        told[0].starts_with("error: the shape is no tuple, and `tuple` has 2 operands"),
        "{}",
        told[0]
    );
    assert!(told[0].contains("x.hlo:5:3"), "{}", told[0]);
    let answer = answer(&modules[0], &tally, None, Rows::at_peak(1)).unwrap();
    assert_eq!(answer.steps, 40);
    for (shape, message) in [
        (
            "(f32[1]{0})",
            "the shape has 1 item, and `tuple` has 2 operands",
        ),
        (
            "(f32[1]{0}, f32[1]{0})",
            "item 1 of the shape has 1 array, and the operand `b` has 2 arrays",
        ),
        (
            "(f32[1]{0}, (f32[1]{0}, f32[1]{0}, f32[1]{0}))",
            "item 1 of the shape has 3 arrays, and the operand `b` has 2 arrays",
        ),
        ("(f32[1]{0}, (f32[1]{0}, f32[2]{0}))", ""),
    ] {
        let text = format!(
            "HloModule m\n\nENTRY %e {{\n  %a = f32[1]{{0}} parameter(0)\n  %b = (f32[1]{{0}}, f32[1]{{0}}) tuple(%a, %a)\n  \
             ROOT %c = {shape} tuple(%a, %b)\n}}\n"
        );
        let (_, _, told) = graphs(&text);
        assert_eq!(told.is_empty(), message.is_empty(), "{told:?}");
        assert!(told.concat().contains(message), "{told:?}");
    }
}

#[test]
fn the_error_says_what_is_too_many() {
    let (modules, ..) = graphs(&calls(0, "f32[1]{0}"));
    let text = Stop::Many(16_000_000).error(Path::new("x.hlo"), &modules[0]);
    let text = text.to_string();
    assert!(
        text.contains("`x.hlo`: with all calls at their places, `m` has more than 16"),
        "{text}"
    );
    assert!(
        text.contains("`xlayout hlo --all` counts the arrays of modules of any size"),
        "{text}"
    );
}
