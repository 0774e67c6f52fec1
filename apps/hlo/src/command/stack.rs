//! No input controls the depth of the stack or the number of visits: these modules are read, and
//! all subcommands are run, on a stack of 512 KiB, of which the compression of pictures takes 200
//! KiB in a debug build. Code that follows each of 2^60 paths would never end.

use std::sync::LazyLock;

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

/// A chain of computations `%c0` to `%cN`, of which each but the first has `rest`, in which
/// `CALLED` is the one before; the entry is the next one of the chain.
fn chain(depth: usize, shape: &str, rest: &str) -> String {
    let mut text = format!(
        "HloModule m, is_scheduled=true\n\n%yes {{\n  %x = {shape} parameter(0)\n  ROOT %p = pred[] constant(true)\n}}\n\n\
         %c0 {{\n  ROOT %x = {shape} parameter(0)\n}}\n"
    );
    for k in 1..=depth {
        let begin = match k == depth {
            true => "ENTRY %e".to_owned(),
            false => format!("%c{k}"),
        };
        let rest = rest.replace("CALLED", &format!("%c{}", k - 1));
        text += &format!("\n{begin} {{\n  %x = {shape} parameter(0)\n{rest}}}\n");
    }
    text
}

const ARRAY: &str = "u8[1]{0}";

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

fn innermost_condition(depth: usize, fusion: &str) -> String {
    let mut text = chain(depth, "s32[]", fusion);
    text = text.replacen(
        "%c0 {\n  ROOT %x = s32[] parameter(0)\n",
        "%c0 {\n  %x = s32[] parameter(0)\n  %n = s32[] constant(9)\n  ROOT %y = pred[] compare(%x, %n), direction=LT\n",
        1,
    );
    let entry = text.find("ENTRY").unwrap();
    text.truncate(entry);
    text += &format!(
        "%condition {{\n  %s = (s32[], f32[8,8]{{1,0}}) parameter(0)\n  %i = s32[] get-tuple-element(%s), index=0\n  \
         ROOT %y = pred[] fusion(%i), kind=kLoop, calls=%c{}\n}}\n\n",
        depth - 1
    );
    text + &looped("s32[] constant(1)", "%condition")
}

/// A module with a loop that copies and whose counter grows by `step`.
fn looped(step: &str, condition: &str) -> String {
    let state = "(s32[], f32[8,8]{1,0})";
    format!(
        "%body {{\n  %s = {state} parameter(0)\n  %i = s32[] get-tuple-element(%s), index=0\n  \
         %a = f32[8,8]{{1,0}} get-tuple-element(%s), index=1\n  %b = f32[8,8]{{0,1}} copy(%a)\n  %c = f32[8,8]{{1,0}} copy(%b)\n  \
         %step = {step}\n  %j = s32[] add(%i, %step)\n  ROOT %r = {state} tuple(%j, %c)\n}}\n\n\
         ENTRY %e {{\n  %a = f32[8,8]{{1,0}} parameter(0)\n  %zero = s32[] constant(0)\n  %s = {state} tuple(%zero, %a)\n  \
         ROOT %w = {state} while(%s), condition={condition}, body=%body\n}}\n"
    )
}

const CONDITION: &str = "%condition {\n  %s = (s32[], f32[8,8]{1,0}) parameter(0)\n  %i = s32[] get-tuple-element(%s), index=0\n  \
                         %n = s32[] constant(12)\n  ROOT %y = pred[] compare(%i, %n), direction=LT\n}\n\n";

/// Sums of sums, each of which adds the one before to itself: 2^N paths lead to the constant.
fn sums(count: usize, of: u32) -> String {
    let mut text = format!("s32[] constant({of})\n");
    for k in 0..count {
        let before = match k {
            0 => "step".to_owned(),
            k => format!("k{}", k - 1),
        };
        text += &format!("  %k{k} = s32[] add(%{before}, %{before})\n");
    }
    text.trim_end().to_owned()
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
    let (mut text, mut end) = ("HloModule m\n\nENTRY %e {\n".to_owned(), String::new());
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

/// A field of a proto that holds bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut all = vec![number << 3 | 2];
    let mut length = bytes.len();
    while length >= 0x80 {
        all.push(length as u8 | 0x80);
        length >>= 7;
    }
    all.push(length as u8);
    all.extend_from_slice(bytes);
    all
}

/// A binary module of a parameter nested in `depth` tuples. Its instruction has `more` further
/// bytes that no reader needs.
fn proto(depth: usize, more: usize) -> Vec<u8> {
    let of_number = |number: u8, value: u8| vec![number << 3, value];
    // `f32[2]{0}`
    let layout = field(5, &field(1, &[0]));
    let mut shape = [of_number(2, 11), field(3, &[2]), layout].concat();
    for _ in 0..depth {
        shape = [of_number(2, 13), field(4, &shape)].concat();
    }
    let instruction = [
        field(1, b"p"),
        field(2, b"parameter"),
        field(3, &shape),
        field(15, &vec![0; more]),
    ];
    let computation = [
        field(1, b"e"),
        field(2, &instruction.concat()),
        of_number(5, 1),
    ];
    let module = [
        field(1, b"m"),
        field(3, &computation.concat()),
        of_number(6, 1),
    ];
    module.concat()
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
