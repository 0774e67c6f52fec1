//! No input controls the depth of the stack or the number of visits: these modules are read, and
//! all subcommands are run, on a stack of 512 KiB, of which the compression of pictures takes 200
//! KiB in a debug build. Code that follows each of 2^60 paths would never end.

mod modules;

use std::sync::LazyLock;

use modules::{ARRAY, CONDITION, chain, innermost_condition, looped, proto, sums};

use super::in_memory::{Request, Response};

const STACK: usize = 512 << 10;
/// The depth of nested calls. Recursion with frames of 100 bytes would overflow the stack.
const DEEP: usize = 5000;

static REQUESTS: LazyLock<[Request; 9]> = LazyLock::new(|| {
    let words = [
        "-",
        "- --json",
        "copies - --all-mistakes",
        "copies - --json --bandwidth 819GB/s",
        "memory -",
        "memory - --json",
        "- --html -",
        "diff - -",
        "diff - - --json",
    ];
    words.map(|words| Request::new(&words.split(' ').collect::<Vec<_>>()))
});

/// The answers, each for people and as JSON, and what is wrong.
#[derive(Debug)]
struct Module {
    copies: [String; 2],
    memory: [String; 2],
    diff: [String; 2],
    page: String,
    mistakes: Vec<String>,
}

/// Runs `hlo` and its subcommands for a module, in a thread with a small stack.
fn asked_of(bytes: Vec<u8>) -> Result<Module, String> {
    // Parsing the command line needs the larger stack of the program.
    LazyLock::force(&REQUESTS);
    let thread = std::thread::Builder::new().stack_size(STACK);
    let ask = move || {
        REQUESTS
            .each_ref()
            .map(|request| request.answer(&[&bytes, &bytes]))
    };
    let answers = thread.spawn(ask).unwrap().join().unwrap();
    let [
        report,
        json,
        copies,
        copies_json,
        memory,
        memory_json,
        page,
        diff,
        diff_json,
    ] = answers;
    if report.text.is_empty() {
        assert_eq!(json.text, "");
        return Err(report.failure.unwrap());
    }
    let text = |of: [Response; 2]| of.map(|answer| answer.text);
    let mut mistakes = copies.told.clone();
    if mistakes.is_empty() {
        let all = [&report, &copies, &memory];
        mistakes.extend(all.into_iter().filter_map(|answer| answer.failure.clone()));
    }
    Ok(Module {
        copies: text([copies, copies_json]),
        memory: text([memory, memory_json]),
        diff: text([diff, diff_json]),
        page: page.text,
        mistakes,
    })
}

fn asked(text: &str) -> Module {
    asked_of(text.as_bytes().to_vec()).unwrap()
}

/// Checks that a module has no mistakes, and that all subcommands answer.
fn followed(text: &str) -> Module {
    let found = asked(text);
    assert_eq!(found.mistakes, [""; 0]);
    assert!(found.memory[0].contains("step"), "{}", found.memory[0]);
    assert!(found.memory[1].contains("\"steps\""));
    for answer in [&found.page, &found.diff[0], &found.diff[1]] {
        assert!(!answer.is_empty());
    }
    found
}

#[test]
fn calls_are_nested_to_any_depth() {
    let rest = format!("  ROOT %y = {ARRAY} call(%x), to_apply=CALLED\n");
    let found = followed(&chain(DEEP, ARRAY, &rest));
    assert!(found.memory[1].contains(&format!("\"steps\": {}", 2 * DEEP + 1)));
}

#[test]
fn loops_are_nested_to_any_depth() {
    let rest = format!("  ROOT %y = {ARRAY} while(%x), condition=%yes, body=CALLED\n");
    let found = followed(&chain(DEEP, ARRAY, &rest));
    assert!(found.memory[1].contains(&format!("\"steps\": {}", 4 * DEEP + 1)));
}

#[test]
fn branches_are_nested_to_any_depth() {
    let rest = format!(
        "  %p = pred[] constant(true)\n  ROOT %y = {ARRAY} conditional(%p, %x, %x), branch_computations={{CALLED, %c0}}\n"
    );
    let found = followed(&chain(DEEP, ARRAY, &rest));
    assert!(found.memory[1].contains(&format!("\"steps\": {}", 4 * DEEP + 1)));
}

/// With a copy above them, that is followed into the fusions, and an update in place at the end.
#[test]
fn fusions_are_nested_to_any_depth() {
    let shape = "f32[8,128]{1,0}";
    for (rest, root) in [
        (
            format!("  ROOT %y = {shape} fusion(%x), kind=kLoop, calls=CALLED\n"),
            "parameter(0)",
        ),
        (
            format!(
                "  %b = {shape} bitcast(%x)\n  ROOT %y = {shape} fusion(%b), kind=kLoop, calls=CALLED\n"
            ),
            "dynamic-update-slice(%p, %p, %p)",
        ),
    ] {
        let mut text = chain(DEEP, shape, &rest);
        if root != "parameter(0)" {
            let first = format!("  ROOT %x = {shape} parameter(0)\n");
            let update = format!("  %p = {shape} parameter(0)\n  ROOT %x = {shape} {root}\n");
            text = text.replacen(&first, &update, 1);
        }
        let entry = text.find("ENTRY").unwrap();
        let end = text.split_off(entry);
        let end = end.replace(
            &format!("  %x = {shape} parameter(0)\n"),
            "  %a = f32[8,128]{0,1} parameter(0)\n  %x = f32[8,128]{1,0} copy(%a)\n",
        );
        let found = followed(&(text + &end));
        assert!(
            found.copies[0].contains("%x  8.00 KiB: layout, copy in e"),
            "{}",
            found.copies[0]
        );
    }
}

/// The condition of a loop compares in the innermost fusion.
#[test]
fn the_condition_of_a_loop_may_be_in_fusions() {
    let fusion = "  ROOT %y = pred[] fusion(%x), kind=kLoop, calls=CALLED\n";
    // Two instructions are looked at in each fusion, and no more than 4096 in all.
    for (depth, executions) in [(2000, "9"), (DEEP, "null")] {
        let text = innermost_condition(depth, fusion);
        let found = followed(&text);
        let expected = format!("\"executions\": {executions}");
        assert!(found.copies[1].contains(&expected), "{}", found.copies[1]);
    }
}

#[test]
fn sums_of_sums_are_evaluated_once() {
    for count in [25, 60, 1000] {
        let loops = looped(&sums(count, 0), "%condition");
        let loops = loops.replace("add(%i, %step)", &format!("subtract(%i, %k{})", count - 1));
        let text = format!("HloModule m, is_scheduled=true\n\n{CONDITION}{loops}");
        let found = followed(&text);
        // The counter does not move.
        assert!(found.copies[1].contains("\"executions\": null"), "{count}");
    }
    // 2^2 is added each time, up to 12.
    let loops = looped(&sums(2, 1), "%condition").replace("add(%i, %step)", "add(%i, %k1)");
    let found = followed(&format!(
        "HloModule m, is_scheduled=true\n\n{CONDITION}{loops}"
    ));
    assert!(
        found.copies[1].contains("\"executions\": 3"),
        "{}",
        found.copies[1]
    );
}

/// Each body calls the one before twice: 2^N of them run.
#[test]
fn doubled_calls_end() {
    let array = format!(
        "  %y = {ARRAY} call(%x), to_apply=CALLED\n  ROOT %z = {ARRAY} call(%y), to_apply=CALLED\n"
    );
    let found = asked(&chain(69, ARRAY, &array));
    let told = found.mistakes.join("\n");
    assert!(told.contains("more than 8"), "{told}");
    assert!(told.contains("steps"), "{told}");
    // The step of a loop, in fusions.
    let fusion = "  %y = s32[] fusion(%x), kind=kLoop, calls=CALLED\n  ROOT %z = s32[] fusion(%y), kind=kLoop, calls=CALLED\n";
    let text = chain(70, "s32[]", fusion);
    let (text, _) = text.split_at(text.find("ENTRY").unwrap());
    let step = "s32[] constant(1)\n  %f = s32[] fusion(%i), kind=kLoop, calls=%c69";
    let loops = looped(step, "%condition").replace("add(%i, %step)", "add(%f, %step)");
    let found = followed(&format!("{text}\n{CONDITION}{loops}"));
    assert!(found.copies[1].contains("\"executions\": null"));
    // The users of a copy, in fusions: nothing uses the parameter of the innermost one.
    let shape = "f32[8,128]{1,0}";
    let fusion = format!(
        "  %y = {shape} fusion(%x), kind=kLoop, calls=CALLED\n  %z = {shape} fusion(%x), kind=kLoop, calls=CALLED\n  \
         ROOT %w = {shape} constant({{...}})\n"
    );
    let text = chain(40, shape, &fusion);
    let text = text.replacen("ROOT %x", "%x", 1).replacen(
        &format!("{shape} parameter(0)\n}}\n\n%c1"),
        &format!("{shape} parameter(0)\n  ROOT %y = {shape} constant({{...}})\n}}\n\n%c1"),
        1,
    );
    let entry = text.find("ENTRY").unwrap();
    let end = text[entry..].replace(
        &format!("  %x = {shape} parameter(0)\n"),
        "  %a = f32[8,128]{0,1} parameter(0)\n  %x = f32[8,128]{1,0} copy(%a)\n",
    );
    followed(&(text[..entry].to_owned() + &end));
    // Fusions whose result is a tuple of fusions.
    let tuple = format!(
        "  %y = {ARRAY} fusion(%x), kind=kLoop, calls=CALLED\n  %z = {ARRAY} fusion(%x), kind=kLoop, calls=CALLED\n  \
         ROOT %t = ({ARRAY}, {ARRAY}) tuple(%y, %z)\n"
    );
    followed(&chain(69, ARRAY, &tuple));
}

#[test]
fn tuples_are_nested_as_deeply_as_may_be() {
    let depth = xlayout::shape::text::MAX_DEPTH;
    let shape = format!("{}{ARRAY}{}", "(".repeat(depth), ")".repeat(depth));
    let rest = format!("  ROOT %y = {shape} while(%x), condition=%yes, body=CALLED\n");
    followed(&chain(3, &shape, &rest));
    let deeper = format!("({shape})");
    let found = asked(&chain(3, &deeper, &rest));
    assert!(
        found.mistakes[0].contains("nested more than"),
        "{}",
        found.mistakes[0]
    );
}

/// Brackets of an attribute, and computations that are printed inside of instructions.
#[test]
fn brackets_and_bodies_are_nested_as_deeply_as_may_be() {
    let brackets = format!("{}{}", "{".repeat(60_000), "}".repeat(60_000));
    let text = format!(
        "HloModule m\n\nENTRY %e {{\n  ROOT %x = {ARRAY} parameter(0), statistics={brackets}\n}}\n"
    );
    followed(&text);
    let mut text = "HloModule m\n\nENTRY %e {\n".to_owned();
    let mut end = String::new();
    for k in 0..100 {
        text += &format!(
            "  %x{k} = {ARRAY} parameter(0)\n  ROOT %y{k} = {ARRAY} call(%x{k}), to_apply=\n  {{\n"
        );
        end += "  }\n";
    }
    text += &format!("  ROOT %x = {ARRAY} parameter(0)\n{end}}}\n");
    followed(&text);
}

/// XLA never prints these. The builder of the graph reports the mistake, and each command still
/// answers.
#[test]
fn a_computation_without_instructions_is_a_mistake() {
    let fusion = "HloModule m

%fc (p: f32[8,128]) -> f32[8,128] {
}

ENTRY %m (x: f32[8,128]) -> f32[8,128] {
  %x = f32[8,128]{1,0} parameter(0)
  %f = f32[8,128]{1,0} fusion(%x), kind=kLoop, calls=%fc
  ROOT %c = f32[8,128]{0,1} copy(%f)
}
";
    for (text, name, line) in [
        (fusion.to_owned(), "fc", 3),
        (
            fusion.replace("fusion(%x), kind=kLoop, calls", "call(%x), to_apply"),
            "fc",
            3,
        ),
        (
            fusion.replace(
                "fusion(%x), kind=kLoop, calls=%fc",
                "while(%x), condition=%fc, body=%fc",
            ),
            "fc",
            3,
        ),
        (
            fusion.replace(
                "fusion(%x), kind=kLoop, calls=%fc",
                "conditional(%x, %x), branch_computations={%fc}",
            ),
            "fc",
            3,
        ),
        ("HloModule m\n\nENTRY %e {\n}\n".to_owned(), "e", 3),
    ] {
        let found = asked(&text);
        let [told] = &found.mistakes[..] else {
            panic!("{:?}\n{text}", found.mistakes)
        };
        let message =
            format!("the computation `{name}` has no instruction, and therefore no result");
        assert!(told.contains(&message), "{told}");
        assert!(told.contains(&format!("standard input:{line}:1")), "{told}");
        for answer in [&found.copies, &found.memory, &found.diff] {
            assert!(!answer[0].is_empty() && !answer[1].is_empty(), "{text}");
        }
        assert!(found.page.contains("</html>"), "{text}");
    }
}

#[test]
fn protos_are_nested_as_deeply_as_may_be() {
    for more in [0, 1 << 17] {
        let found = asked_of(proto(90, more)).unwrap();
        assert_eq!(found.mistakes, [""; 0]);
        assert!(
            found.memory[1].contains("\"steps\": 1"),
            "{}",
            found.memory[1]
        );
        for depth in [110, 3000] {
            let told = asked_of(proto(depth, more)).unwrap_err();
            assert!(told.contains("error"), "{told}");
        }
    }
}
