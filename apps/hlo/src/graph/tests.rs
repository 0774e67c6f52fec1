//! Graphs of texts.

use std::path::Path;

use super::super::findings::Findings;
use super::super::findings::Scope;
use super::super::mistake::{Mistake, Mistakes};
use super::super::scan::Scanner;
use super::super::source::Source;
use super::super::tally::Tally;
use super::super::whole::Take;
use super::*;

struct Graphs(Vec<Module>);

impl Take for Graphs {
    fn module(&mut self, _: &Path, module: Module, _: &Tally) {
        self.0.push(module);
    }

    fn end_file(&mut self, _: bool) {}
}

/// The modules of a text, and the mistakes in it, without colours.
pub(crate) fn graphs(text: &str) -> (Vec<Module>, Tally, Vec<String>) {
    let told = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let telling = told.clone();
    let tell = move |file: &Path, mistake: &Mistake| telling.borrow_mut().push(mistake.told(file));
    let mut graphs = Graphs(Vec::new());
    let mut findings = Findings::new(Scope::ALL, Mistakes::new(20, false, Box::new(tell)));
    findings.mistakes.open(Path::new("x.hlo"));
    findings.take = Some(&mut graphs);
    let source = Source::new(text.as_bytes());
    Scanner::new(source, &mut findings).run().unwrap();
    findings.mistakes.close();
    let tally = findings.tally;
    (graphs.0, tally, told.take())
}

fn one(text: &str) -> (Module, Tally) {
    let (mut modules, tally, told) = graphs(text);
    assert_eq!((modules.len(), told.join("\n")), (1, String::new()));
    (modules.pop().unwrap(), tally)
}

const SCAN: &str = include_str!("../../../cli/tests/data/copies/scan_transposed.default.v5e.hlo");

#[test]
fn a_loop_as_the_compiler_prints_it() {
    let (module, tally) = one(SCAN);
    assert_eq!((&*module.name, module.is_scheduled), ("jit_f", true));
    let entry = module.entry().unwrap();
    assert_eq!(entry.name, "main.6");
    let find = |computation: &Computation, name: &str| {
        let mut all = computation.instructions.iter();
        all.position(|one| module.name(one) == name).unwrap()
    };
    let number = find(entry, "while");
    let instruction = &entry.instructions[number];
    assert_eq!(module.opcode(instruction), Opcode::While);
    let body = module.called(instruction, "body").unwrap();
    let body = &module.computations[body as usize];
    assert_eq!(body.name, "wide.region_0.4.sunk");
    let root = body.root();
    assert_eq!(
        (module.opcode(root), module.operands(root).len()),
        (Opcode::Tuple, 6)
    );
    let last = &body.instructions[module.operands(root)[5] as usize];
    assert_eq!(
        (module.name(last), module.index(last)),
        ("get-tuple-element.64", Some(5))
    );
    let leaves = module.leaves(root);
    let Leaf::Array(array) = leaves[3] else {
        panic!("{leaves:?}");
    };
    let shape = &*tally.arrays[array as usize].shape;
    assert_eq!(shape, "bf16[384,384]{1,0:T(8,128)(2,1)S(1)}");
    let reshape = &body.instructions[find(body, "broadcast_in_dim.4")];
    let place = module.source(reshape).unwrap();
    assert_eq!((place.file, place.line), ("model.py", 50));
    assert!(module.op_name(reshape).ends_with("/broadcast_in_dim"));
    let parameter = &entry.instructions[find(entry, "w.1")];
    assert_eq!(module.parameter(parameter), Some(1));
    let constant = &body.instructions[find(body, "constant.3..sunk")];
    assert_eq!(module.value(constant), Some("1"));
    let users = module.users(entry);
    assert_eq!(users.of(number as u32).len(), 2);
}

#[test]
fn all_that_instructions_look_like() {
    let big = "{ 1, 2 },\n    ".repeat(1000);
    let text = format!(
        "HloModule m, input_output_alias={{ {{0}}: (1, {{}}, may-alias), {{1,0}}: (2, {{3}}, must-alias) }}, \
        frontend_attributes={{a=\"}}, is_scheduled=true\"}}\n\n\
        FileNames\n1 \"a b.py\"\n\nFunctionNames\n1 \"é\"\n\nFileLocations\n1 {{file_name_id=1 function_name_id=1 line=7}}\n\n\
        StackFrames\n2 {{file_location_id=1 parent_frame_id=1}}\n\n\
        %f (p: f32[2]) -> f32[2] {{\n  ROOT %p = f32[2]{{0}} parameter(0)\n}}\n\n\
        ENTRY %e {{\n  %a = (f32[2]{{0}}, (), (s32[],\n    token[])) parameter(0), metadata={{op_name=\"é/x=\\\"1\\\", y\" stack_frame_id=2}}\n  \
        g = (s32[], token[]) get-tuple-element((f32[2]{{0}}, (), (s32[], token[])) %a), index=2\n  \
        c = s32[1000,2]{{1,0}} constant({{\n    {big} {{ 3, 4 }}}}), metadata={{source_file=\"x.py\" source_line=12}}\n  \
        k = s32[] constant(20), sharding={{replicated}}\n  \
        h = f32[2]{{0}} get-tuple-element(a), index=0\n  \
        w = f32[2]{{0}} fusion(%h, /*index=1*/h,\n    f32[2]{{0}} %h), kind=kLoop, calls=%f, \
        backend_config={{\"known_trip_count\":{{\"n\":\"20\"}},\"x\":\"{}\"}}, dimensions={{1,0}}\n}}\n",
        "y".repeat(100_000)
    );
    let (module, tally) = one(&text);
    assert!(!module.is_scheduled);
    assert_eq!(module.aliases.len(), 2);
    let alias = &module.aliases[1];
    assert_eq!(
        (&*alias.result, alias.parameter, &*alias.index),
        (&[1, 0][..], 2, &[3][..])
    );
    let entry = module.entry().unwrap();
    let [a, g, c, k, h, w] = &entry.instructions[..] else {
        panic!("{entry:?}");
    };
    assert_eq!(module.leaves(a).len(), 3);
    assert_eq!(module.shapes.items(a.shape).len(), 3);
    assert_eq!(module.shapes.item(a.shape, 2), Some(g.shape));
    assert_eq!(module.op_name(a), "é/x=\\\"1\\\", y");
    let place = module.source(a).unwrap();
    assert_eq!((place.file, place.function, place.line), ("a b.py", "é", 7));
    let place = module.source(c).unwrap();
    assert_eq!((place.file, place.line), ("x.py", 12));
    assert_eq!(module.value(k), Some("20"));
    assert_eq!(module.value(c), Some("..."));
    let line = text
        .lines()
        .position(|line| line.starts_with("  h = "))
        .unwrap();
    assert_eq!(
        (module.operands(w), h.line),
        (&[4, 4, 4][..], line as u32 + 1)
    );
    assert_eq!(module.called(w, "calls"), Some(0));
    assert_eq!(module.attribute(w, "known_trip_count"), Some("20"));
    assert_eq!(module.numbers(w, "dimensions"), Some(vec![1, 0]));
    assert_eq!(entry.root().name, w.name);
    assert!(
        tally
            .arrays
            .iter()
            .any(|array| &*array.shape == "f32[2]{0}")
    );
}

/// XLA's canonical text prints called computations inside instructions.
#[test]
fn bodies_inside_of_instructions() {
    let text = include_str!("../../../cli/tests/data/cpu/switch.canonical.hlo");
    let (module, _) = one(text);
    let entry = module.entry().unwrap();
    let mut all = entry.instructions.iter();
    let conditional = all
        .find(|one| module.opcode(one) == Opcode::Conditional)
        .unwrap();
    assert_eq!(module.all_called(conditional).len(), 3);
    for (k, (role, body)) in module.all_called(conditional).enumerate() {
        assert_eq!(module.texts.get(role), "branch_computations");
        let body = &module.computations[body as usize];
        let root = body.root();
        assert_eq!((&*body.name, module.opcode(root)), ("tmp_6", Opcode::Tuple));
        let inner = &body.instructions[module.operands(root)[0] as usize];
        assert_eq!(
            module.opcode(inner),
            if k == 0 { Opcode::Copy } else { Opcode::Fusion }
        );
        assert_eq!(module.all_called(inner).len(), usize::from(k > 0));
    }
}

#[test]
fn what_is_wrong_is_told_once_and_the_rest_is_there() {
    let text = "HloModule m\n\n%f {\n  ROOT p = f32[2]{0} parameter(0)\n}\n\nENTRY %e {\n  \
        a = f32[2]{0} parameter(0)\n  a = f32[2]{0} negate(b)\n  c = f32[2]{7} negate(a)\n  \
        d = f32[2]{0} add(c, later)\n  later = f32[2]{0} add(later, d)\n  h = f32[2]{0} call(a), to_apply=%g\n}\n\n%f {\n}\n";
    let (modules, _, told) = graphs(text);
    let told = told.join("\n");
    for (message, place) in [
        (
            "no instruction above in this computation is named `b`",
            "x.hlo:9:3",
        ),
        ("x.hlo:10", "x.hlo:10"),
        ("is named `later`", "x.hlo:11:3"),
        (
            "two instructions of the computation are named `later`",
            "x.hlo:12:3",
        ),
        ("no computation above is named `g`", "x.hlo:13:3"),
        ("two computations are named `f`", "x.hlo:16:1"),
    ] {
        assert!(
            told.contains(message) && told.contains(place),
            "{message}\n{told}"
        );
    }
    let entry = modules[0].entry().unwrap();
    for (number, instruction) in entry.instructions.iter().enumerate() {
        assert!(
            modules[0]
                .operands(instruction)
                .iter()
                .all(|&operand| (operand as usize) < number)
        );
    }
}

/// An item that cannot be read is reported with its place.
#[test]
fn aliases_that_cannot_be_read_are_told() {
    let module = |aliases: &str| {
        let text = format!(
            "HloModule m, is_scheduled=true, input_output_alias={aliases}\n\nENTRY %e {{\n  ROOT %a = s32[] parameter(0)\n}}\n"
        );
        let (modules, _, told) = graphs(&text);
        (modules[0].aliases.len(), told.join("\n"))
    };
    assert_eq!(module("{ {}: (0, {}) }"), (1, String::new()));
    assert_eq!(module("{}"), (0, String::new()));
    for wrong in [
        "{}: (x, {})",
        "{-1}: (0, {})",
        "{}: 0",
        "{}: (0, {}, never)",
    ] {
        let (kept, told) = module(&format!("{{ {{0}}: (1, {{}}, may-alias), {wrong} }}"));
        assert_eq!(kept, 1, "{wrong}");
        assert!(
            told.contains(&format!("`{wrong}` in `input_output_alias` cannot be read")),
            "{told}"
        );
    }
}

/// A module of 100 MB of text has 656,000 instructions.
#[test]
fn an_instruction_takes_24_bytes() {
    assert_eq!(size_of::<Instruction>(), 24);
}

#[test]
fn a_body_inside_of_an_instruction_has_names_of_its_own() {
    let text = "HloModule m

ENTRY %e (x: f32[2]) -> f32[2] {
  %x = f32[2]{0} parameter(0)
  %y = f32[2]{0} negate(%x)
  %f = f32[2]{0} fusion(%y), kind=kLoop, calls=
  {
    %x = f32[2]{0} parameter(0)
    ROOT %y = f32[2]{0} add(%x, %x)
  }
  ROOT %z = f32[2]{0} add(%y, %x)
}
";
    let (modules, _, told) = graphs(text);
    assert_eq!(told, [""; 0]);
    let entry = modules[0].entry().unwrap();
    assert_eq!(modules[0].operands(entry.root()), [1, 0]);
}

/// A line of a log has the shapes of its operands.
#[test]
fn operands_of_lines_alone_may_be_left_out() {
    let text =
        "%c = f32[2]{0} add(f32[2]{0} %a, f32[2]{0} %a)\nd = f32[2]{0} negate(f32[2]{0} %c)\n";
    let (modules, _, told) = graphs(text);
    assert_eq!(told, [""; 0]);
    let entry = modules[0].entry().unwrap();
    assert_eq!(entry.instructions.len(), 3);
    assert_eq!(modules[0].operands(&entry.instructions[1]), [0, 0]);
    for text in [
        "c = f32[2]{0} negate(a)\n",
        "c = f32[2]{0} negate(f99[2] %a)\n",
    ] {
        let (_, _, told) = graphs(text);
        assert!(told[0].contains("is named `a`"), "{told:?}");
    }
    let inside = format!("HloModule m\n\nENTRY %e {{\n{text}}}\n");
    assert_eq!(graphs(&inside).2.len(), 1);
}

#[test]
fn a_parameter_has_a_number() {
    let text = "HloModule m

ENTRY %e (x: f32[2]) -> f32[2] {
  ROOT %x = f32[2]{0} parameter(99999999999)
}
";
    let (_, _, told) = graphs(text);
    assert!(told[0].starts_with("error: `99999999999` is no number of a parameter"));
}

#[test]
fn the_first_of_two_entry_computations_is_the_entry() {
    let entry = |name: &str| {
        format!(
            "ENTRY %{name} (x: f32[2]) -> f32[2] {{\n  ROOT %x = f32[2]{{0}} parameter(0)\n}}\n"
        )
    };
    let text = format!("HloModule m\n\n{}\n{}", entry("one"), entry("two"));
    let (modules, tally, told) = graphs(&text);
    assert_eq!(modules[0].entry().unwrap().name, "one");
    assert_eq!(modules[0].computations.len(), 2);
    assert_eq!(told.len(), 1, "{told:?}");
    for words in [
        "error: the module has a second ENTRY computation",
        "x.hlo:7:1",
        "the first one begins on line 3: did two modules get into one text",
    ] {
        assert!(told[0].contains(words), "{words}: {}", told[0]);
    }
    let counted: Vec<_> = tally.counted().map(|a| (a.count, a.in_entry)).collect();
    assert_eq!(counted, [(2, 1)]);
    // Each module of a text has its own tables.
    let text = format!(
        "HloModule m\n\n{}\nHloModule n\n\n{}",
        entry("one"),
        entry("two")
    );
    let (modules, _, told) = graphs(&text);
    assert_eq!((modules.len(), told), (2, vec![]));
}
