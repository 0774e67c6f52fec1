//! What XLA counts as the peak: `peak_memory_in_bytes` of `CompiledMemoryStats`.
//!
//! XLA's `ComputePeakMemory` reads the buffer assignment. It adds two figures:
//!
//! - the size of every allocation for the whole run: parameters, constants, results;
//! - the largest peak among the heap simulator's traces. Each memory space has its own trace of the
//!   temporary buffers in it. The traces of the other spaces are not added.
//!
//! Memory space assignment writes the trace of the fast memory. It has an event for each
//! `HloValue`, not for each buffer: the operand and the result of an update in place both count at
//! the step of the update.
//!
//! The rule was compared with the buffer assignments of 40 models (libtpu 0.0.51; v4, v5e, v5p,
//! v6e). It agrees with all of them except for the pointer tables of tuples.
//!
//! Where asynchronous collectives are, XLA may count less than it allocates. The fusion that begins
//! one has the operand's memory as a result, and the trace ends the operand there although it is
//! used again afterwards. A gradient step on a mesh of 2x2 (v5e, libtpu 0.0.52) has such an operand
//! of 2 MiB: the trace has 33 MiB at its peak and `peak_memory_in_bytes` is 45 MiB, but the
//! allocation of that space in the same buffer assignment has the 35 MiB that are counted here, so
//! that the sum is 47 MiB. This figure is kept, because the memory is needed.

use std::collections::BTreeMap;

use super::peak::{Buffer, Buffers, fast_values, is_fast, spaces};
use super::walk::Walk;

/// Returns the bytes that XLA counts in each memory space; their sum is XLA's peak.
pub(super) fn counted(walk: &Walk, buffers: &Buffers) -> BTreeMap<i8, u128> {
    let mut is_result = vec![false; walk.values.len()];
    for &value in &walk.results {
        is_result[value as usize] = true;
    }
    let lasts = |buffer: &Buffer<'_>| {
        let mut values = buffer.values.iter().map(|&value| value as usize);
        values.any(|value| walk.values[value].fixed || is_result[value])
    };
    let mut counted: BTreeMap<i8, u128> = BTreeMap::new();
    let mut lasting = vec![false; walk.values.len()];
    for buffer in buffers.iter(walk) {
        let sum = counted.entry(buffer.space).or_default();
        if lasts(&buffer) {
            *sum += u128::from(buffer.bytes);
            for &value in buffer.values {
                lasting[value as usize] = true;
            }
        }
    }
    let fast = fast_values(walk);
    let is_temporary =
        |buffer: &Buffer<'_>| !buffer.values.iter().any(|&value| lasting[value as usize]);
    let temporary = buffers
        .iter(walk)
        .filter(|buffer| !is_fast(buffer.space))
        .chain(fast.iter(walk))
        .filter(is_temporary);
    let largest = spaces(temporary, walk.steps.len());
    if let Some(largest) = largest.iter().max_by_key(|space| space.peak) {
        *counted.entry(largest.space).or_default() += largest.peak;
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::super::super::graph::tests::graphs;
    use super::super::{Answer, Rows, answer};

    fn memory(instructions: &str) -> Answer {
        let text = format!(
            "HloModule m, is_scheduled=true\n\nENTRY %e (a: u8[100]) -> u8[7] {{\n{instructions}}}\n"
        );
        let (modules, tally, told) = graphs(&text);
        assert_eq!(told, [""; 0], "{text}");
        answer(&modules[0], &tally, None, Rows::at_peak(usize::MAX))
            .unwrap_or_else(|stop| panic!("{stop:?}"))
    }

    /// Returns, for each space: its number, the bytes that are alive, and the bytes that XLA
    /// counts.
    fn spaces(instructions: &str) -> Vec<(i8, u128, u128)> {
        let spaces = memory(instructions).spaces.into_iter();
        spaces
            .map(|space| (space.space, space.live, space.peak))
            .collect()
    }

    const UPDATE: &str = "  %a = u8[100]{0} parameter(0)
  %b = u8[100]{0:S(1)} custom-call(%a), custom_call_target=\"b\"
  %c = u8[100]{0:S(1)} dynamic-update-slice(%b, %a, %a)
  ROOT %r = u8[7]{0} custom-call(%c), custom_call_target=\"r\"
";

    #[test]
    fn an_update_in_place_has_two_values_in_the_fast_memory() {
        assert_eq!(spaces(UPDATE), [(0, 107, 107), (1, 100, 200)]);
        let elsewhere = UPDATE.replace(":S(1)", "");
        assert_eq!(spaces(&elsewhere), [(0, 207, 207)]);
    }

    /// Two outputs that alias one operand are one value; the operand is a second value.
    #[test]
    fn outputs_that_alias_one_operand_are_counted_once() {
        let text = |aliases: &str| {
            let shape = "u8[100]{0:S(1)}";
            format!(
                "  %a = u8[100]{{0}} parameter(0)
  %b = {shape} custom-call(%a), custom_call_target=\"b\"
  %c = {shape} custom-call(%a), custom_call_target=\"c\"
  %f = ({shape}, {shape}) custom-call(%b, %c), custom_call_target=\"f\", output_to_operand_aliasing={{{aliases}}}
  %x = {shape} get-tuple-element(%f), index=0
  %y = {shape} get-tuple-element(%f), index=1
  ROOT %r = u8[7]{{0}} custom-call(%x, %y), custom_call_target=\"r\"
"
            )
        };
        let fast = |aliases: &str| spaces(&text(aliases))[1];
        // Both operands and one output.
        assert_eq!(fast("{0}: (0, {}), {1}: (0, {})"), (1, 200, 300));
        assert_eq!(fast("{0}: (0, {}), {1}: (1, {})"), (1, 200, 400));
        assert_eq!(fast("{0}: (0, {})"), (1, 300, 400));
    }

    #[test]
    fn temporaries_of_the_largest_space_are_counted() {
        let text = |fast: u32| {
            format!(
                "  %a = u8[100]{{0}} parameter(0)
  %b = u8[50]{{0}} custom-call(%a), custom_call_target=\"b\"
  %c = u8[{fast}]{{0:S(1)}} custom-call(%b), custom_call_target=\"c\"
  ROOT %r = u8[7]{{0}} custom-call(%c), custom_call_target=\"r\"
"
            )
        };
        assert_eq!(spaces(&text(60)), [(0, 150, 107), (1, 60, 60)]);
        assert_eq!(spaces(&text(40)), [(0, 150, 157), (1, 40, 0)]);
    }

    /// `%c` may take the memory of `%b`, whose last use it is.
    #[test]
    fn a_result_takes_the_memory_of_an_operand_that_ends() {
        let chain = |then: &str| {
            let text = format!(
                "  %a = u8[100]{{0}} parameter(0)
  %b = u8[100]{{0}} custom-call(%a), custom_call_target=\"b\"
  {then}
  ROOT %r = u8[7]{{0}} custom-call(%c), custom_call_target=\"r\"
"
            );
            spaces(&text)[0].1
        };
        assert_eq!(chain("%c = u8[100]{0} negate(%b)"), 207);
        assert_eq!(chain("%c = u8[100]{0} add(%b, %a)"), 207);
        assert_eq!(chain("%c = u8[100]{0} sort(%b), dimensions={0}"), 207);
        // An element of the result needs other elements, the shape differs, or the parameter is
        // needed to the end.
        assert_eq!(chain("%c = u8[100]{0} reverse(%b), dimensions={0}"), 300);
        assert_eq!(chain("%c = s8[100]{0} convert(%b)"), 300);
        assert_eq!(
            chain(
                "%d = u8[100]{0} custom-call(%b), custom_call_target=\"d\"\n  %c = u8[100]{0} negate(%a)"
            ),
            300
        );
    }

    /// A fusion takes the memory of a parameter that only elementwise operations use.
    #[test]
    fn a_fusion_takes_the_memory_of_an_operand() {
        let text = |operation: &str| {
            format!(
                "HloModule m, is_scheduled=true

%f (x: u8[100], y: u8[100]) -> u8[100] {{
  %x = u8[100]{{0}} parameter(0)
  %y = u8[100]{{0}} parameter(1)
  %z = u8[100]{{0}} {operation}
  ROOT %w = u8[100]{{0}} add(%z, %y)
}}

ENTRY %e (a: u8[100]) -> u8[7] {{
  %a = u8[100]{{0}} parameter(0)
  %b = u8[100]{{0}} custom-call(%a), custom_call_target=\"b\"
  %c = u8[100]{{0}} fusion(%b, %a), kind=kLoop, calls=%f
  ROOT %r = u8[7]{{0}} custom-call(%c), custom_call_target=\"r\"
}}
"
            )
        };
        for (operation, most) in [
            ("negate(%x)", 207),
            ("reverse(%x), dimensions={0}", 300),
            // The result does not depend on this value.
            ("negate(%y)", 300),
        ] {
            let (modules, tally, _) = graphs(&text(operation));
            let answer = answer(&modules[0], &tally, None, Rows::at_peak(1)).unwrap();
            assert_eq!(answer.live, most, "{operation}");
        }
    }

    /// In the fast memory, the input, the parameter of the body and the result follow each other.
    #[test]
    fn what_a_loop_carries_is_counted_once() {
        let text = "HloModule m, is_scheduled=true

%body (s: u8[100]) -> u8[100] {
  %s = u8[100]{0:S(1)} parameter(0)
  %t = u8[30]{0:S(1)} custom-call(%s), custom_call_target=\"f\"
  ROOT %z = u8[100]{0:S(1)} custom-call(%t), custom_call_target=\"g\"
}

%more (s: u8[100]) -> pred[] {
  %s = u8[100]{0:S(1)} parameter(0)
  ROOT %p = pred[] custom-call(%s), custom_call_target=\"p\"
}

ENTRY %e (a: u8[100]) -> u8[7] {
  %a = u8[100]{0} parameter(0)
  %c = u8[100]{0:S(1)} custom-call(%a), custom_call_target=\"c\"
  %w = u8[100]{0:S(1)} while(%c), condition=%more, body=%body
  ROOT %o = u8[7]{0} custom-call(%w), custom_call_target=\"o\"
}
";
        let (modules, tally, _) = graphs(text);
        let answer = answer(&modules[0], &tally, None, Rows::at_peak(1)).unwrap();
        let fast = answer.spaces.iter().find(|space| space.space == 1).unwrap();
        assert_eq!((fast.live, fast.peak), (130, 130));
    }
}
