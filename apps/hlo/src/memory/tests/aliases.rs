//! `input_output_alias`.

use super::*;

/// Each alias is found by its number; 20,000 of them are not compared with 20,000 parameters.
#[test]
fn many_results_take_the_memory_of_parameters() {
    let count = 20_000;
    let aliases: Vec<_> = (0..count)
        .map(|k| format!("{{{k}}}: ({k}, {{}}, may-alias)"))
        .collect();
    let parameters: String = (0..count)
        .map(|k| format!("  %p{k} = u8[1]{{0}} parameter({k})\n"))
        .collect();
    let operands: Vec<_> = (0..count).rev().map(|k| format!("%p{k}")).collect();
    let text = format!(
        "HloModule m, is_scheduled=true, input_output_alias={{ {} }}\n\nENTRY %e {{\n{parameters}  ROOT %t = ({}) tuple({})\n}}\n",
        aliases.join(", "),
        vec!["u8[1]{0}"; count].join(", "),
        operands.join(", ")
    );
    let answer = memory(&text);
    // Result k is parameter count - 1 - k, and has the memory of parameter k.
    assert_eq!(answer.live, count as u128 / 2);
    let buffers = &answer.spaces[0].buffers;
    assert!(buffers.iter().all(|one| one.kind == "donated"));
}

/// XLA's alias analysis: the first item of `send` is the array that is sent.
#[test]
fn an_array_that_is_sent_is_counted_once() {
    let text = "HloModule m, is_scheduled=true

ENTRY %e (p: u8[100]) -> token[] {
  %p = u8[100]{0} parameter(0)
  %x = u8[100]{0} negate(%p)
  %t = token[] after-all()
  %s = (u8[100]{0}, u32[], token[]) send(%x, %t), channel_id=1, is_host_transfer=true
  ROOT %d = token[] send-done(%s), channel_id=1, is_host_transfer=true
}
";
    assert_eq!(peaks(text), [(0, 204)]);
}

/// The end of `send` gives a token, which has no memory.
#[test]
fn the_end_of_a_send_lists_no_array() {
    let text = "HloModule m, is_scheduled=true

ENTRY %e (p: u8[1]) -> token[] {
  %p = u8[1]{0} parameter(0)
  %t = token[] after-all()
  %s = (u8[1]{0}, u32[], token[]) send(%p, %t), channel_id=1, is_host_transfer=true
  ROOT %d = token[] send-done(%s), channel_id=1, is_host_transfer=true
}
";
    let answer = memory(text);
    let buffers = answer.spaces[0].buffers.iter();
    let results = buffers.filter(|one| one.kind == "result");
    assert_eq!(results.count(), 0);
}

/// The part of an operand has an index.
#[test]
fn a_result_takes_the_memory_of_a_part_of_an_operand() {
    let text = "HloModule m, is_scheduled=true

ENTRY %e (p: u8[8]) -> u8[8] {
  %p = u8[8]{0} parameter(0)
  %x = u8[8]{0} negate(%p)
  %t = (u8[8]{0}, u8[8]{0}) tuple(%p, %x)
  ROOT %r = u8[8]{0} custom-call(%t), custom_call_target=\"f\", output_to_operand_aliasing={{}: (0, {1})}
}
";
    assert_eq!(peaks(text), [(0, 16)]);
}

/// A buffer is the array in it, so kernels that work in place have one.
#[test]
fn buffers_have_the_memory_of_their_operand() {
    let pinned = "custom_call_target=\"k\", output_to_operand_aliasing={{}: (0, {})}";
    let text = format!(
        "HloModule m, is_scheduled=true

ENTRY %e (p: u8[100]) -> u8[100] {{
  %p = u8[100]{{0}} parameter(0)
  %x = u8[100]{{0}} negate(%p)
  %a = b(u8[100]{{0}}) custom-call(%x), {pinned}
  %b = b(u8[100]{{0}}) custom-call(%a), {pinned}
  ROOT %y = u8[100]{{0}} custom-call(%b), {pinned}
}}
"
    );
    assert_eq!(memory(&text).live, 200);
}
