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
