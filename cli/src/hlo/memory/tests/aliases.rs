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
    assert_eq!(answer.live(), count as u128 / 2);
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
