//! The scanner on texts of all forms, in one process.

mod damaged;
mod random;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;
use std::rc::Rc;

use super::findings::Findings;
use super::findings::{Extent, Scope};
use super::mistake::{Mistake, Mistakes};
use super::modules::Modules;
use super::scan::Scanner;
use super::source::Source;
use super::tally::Tally;

const ALL: Scope = Scope {
    entry: false,
    views: true,
};

/// The result of scanning a text.
#[derive(Debug)]
struct Scan {
    tally: Tally,
    modules: Modules,
    extent: Extent,
    mistakes: usize,
    is_hlo: bool,
    /// The mistakes as they are shown, without colours.
    told: Vec<String>,
}

impl Scan {
    fn counts(&self) -> BTreeMap<String, u64> {
        let arrays = self.tally.counted();
        arrays.map(|a| (a.shape.to_string(), a.count)).collect()
    }
}

fn scan_with(input: impl Read, scope: Scope) -> Scan {
    let told = Rc::new(RefCell::new(Vec::new()));
    let telling = told.clone();
    let tell = move |file: &Path, mistake: &Mistake| telling.borrow_mut().push(mistake.told(file));
    let mut findings = Findings::new(scope, Mistakes::new(20, false, Box::new(tell)));
    findings.mistakes.open(Path::new("x.hlo"));
    let mut source = Source::new(input);
    source.rest(16).unwrap();
    source.skip_mark();
    let extent = Scanner::new(source, &mut findings).run().unwrap();
    let is_hlo = findings.mistakes.close();
    Scan {
        tally: findings.tally,
        modules: findings.modules,
        extent,
        is_hlo,
        mistakes: findings.mistakes.count,
        told: told.take(),
    }
}

fn scan(text: &[u8]) -> Scan {
    scan_with(text, ALL)
}

/// Without a graph, too.
#[test]
fn a_second_entry_computation_is_a_mistake() {
    let entry = "ENTRY %e () -> f32[2] {\n  ROOT %x = f32[2]{0} parameter(0)\n}\n";
    let found = scan(format!("HloModule m\n\n{entry}{entry}").as_bytes());
    assert_eq!((found.mistakes, found.extent.computations), (1, 2));
    assert!(found.told[0].starts_with("error: the module has a second ENTRY computation"));
    assert_eq!(found.tally.counted().next().unwrap().in_entry, 1);
}

/// A reader that returns a limited number of bytes at a time.
struct Drops<'a>(&'a [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(buffer.len());
        (&mut self.0).take(len as u64).read(buffer)
    }
}

const SMALL: &[u8] = include_bytes!("../../cli/tests/data/hlo/rank6_transpose.v5e.hlo");
const LARGE: &[u8] = include_bytes!("../../cli/tests/data/hlo/transformer_grad.v5e.hlo");
const TUPLES: &[u8] = include_bytes!("../../cli/tests/data/hlo/while_bool.v5e.hlo");

fn counts(pairs: &[(&str, u64)]) -> BTreeMap<String, u64> {
    let pairs = pairs.iter().map(|&(text, count)| (text.to_owned(), count));
    pairs.collect()
}

#[test]
fn all_that_instructions_look_like() {
    let text = r#"
// A comment.  %no = f32[1]{0} add(%a)
HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[2,3]{1,0}, /*index=1*/(s32[], (u8[4]{0}, token[])))->(f32[2,3]{0,1}, u32[]{:S(2)})}, frontend_attributes={a="}, x={"}

FileNames
1 "a.py"

StackFrames
1 {file_location_id=1 parent_frame_id=1}

%fused (p: f32[2,3], q: (f32[2]{0}, s32[])) -> f32[2,3]{1,0} {
  %p = f32[2,3]{1,0:T(8,128)S(1)} parameter(0), metadata={op_name="f32[9]{0} \" } \\" source_line=3}
  ROOT %e.1 = f32[2,3]{1,0} add(f32[2,3]{1,0} %p, f32[2,3]{1,0} %p), metadata={op_name="é"}, backend_config={"a":{"b":"}\n{"},"c":[1,2]}
}, execution_thread="host"

short { a = s4[3]{0:E(4)} parameter(0) ROOT b = s4[3]{0:E(4)} negate(a), x={1} }

ENTRY %main (a.1: f32[<=2,3]) -> (f32[2,3], u32[]) {
  %big = s32[2,2]{1,0} constant({
    { 1, 2 },
    { 3, /*i=1*/ 4 }
})
  %cut = s32[2,2]{1,0} constant({...}), origin={{"a"}}
  %t = (f32[<=2,3]{1,0}, /*index=1*/((u8[4]{0}, token[]), opaque[], b(f32[7]{0})), ()) custom-call(%a.1), custom_call_target="x(", called_computations={%fused}, replica_groups=[2,2]<=[4]T(1,0)
  %bare = f32[5] parameter(0)
  %open = f32[?,3]{1,0} parameter(1)
  ROOT %r = f32[2,3]{0,1} while(%t), condition=%c, body=%b
}"#;
    let found = scan(text.as_bytes());
    assert_eq!((found.mistakes, found.told.join("\n")), (0, String::new()));
    let expected = counts(&[
        ("f32[2,3]{1,0:T(8,128)S(1)}", 1),
        ("f32[2,3]{1,0}", 1),
        ("s4[3]{0:E(4)}", 2),
        ("s32[2,2]{1,0}", 2),
        ("f32[<=2,3]{1,0}", 1),
        ("u8[4]{0}", 1),
        ("f32[7]{0}", 1),
        ("f32[2,3]{0,1}", 1),
    ]);
    assert_eq!(found.counts(), expected);
    assert_eq!(found.tally.without_layout.count, 1);
    assert_eq!(found.tally.without_size, 1);
    assert_eq!(
        (found.extent.computations, found.extent.instructions),
        (3, 10)
    );
    assert_eq!(found.extent.bytes, text.len() as u64);
    let [module] = &found.modules.all[..] else {
        panic!("{:?}", found.modules);
    };
    let parameters = module.parameters.iter();
    let parameters: Vec<_> = parameters.map(|p| (p.number, p.index.to_vec())).collect();
    assert_eq!(parameters, [(0, vec![]), (1, vec![0]), (1, vec![1, 0])]);
    let results: Vec<_> = module.results.iter().map(|p| p.index.to_vec()).collect();
    assert_eq!(results, [[0], [1]]);

    // Of ENTRY, without the arrays that share memory.
    let entry = |views| {
        let scope = Scope { entry: true, views };
        scan_with(text.as_bytes(), scope).counts()
    };
    assert_eq!(entry(true).len(), 5);
    assert_eq!(entry(false).len(), 4);
    assert!(!entry(false).contains_key("f32[2,3]{0,1}"));
}

/// Without an ENTRY the last computation is it, as in XLA's reader; so are instructions alone.
#[test]
fn the_last_computation_is_the_entry() {
    let add = "%add (a: f32[8], b: f32[8]) -> f32[8] {\n  %a = f32[8]{0} parameter(0)\n  %b = f32[8]{0} parameter(1)\n  \
        ROOT %c = f32[8]{0} add(%a, %b)\n}\n";
    let copy = "%more (p: f32[2]) -> f32[2] {\n  %p = f32[2]{0} parameter(0)\n  %t = (f32[2]{0}) tuple(%p)\n  ROOT %q = f32[2]{0} copy(%p)\n}\n";
    let alone = "%p = f32[4]{0} parameter(0)\nROOT %q = f32[4]{0} copy(%p)\n";
    for head in ["", "HloModule m\n\n"] {
        for (text, expected, assumed) in [
            (add.to_owned(), counts(&[("f32[8]{0}", 3)]), 1),
            (format!("{add}\n{copy}"), counts(&[("f32[2]{0}", 3)]), 1),
            (alone.to_owned(), counts(&[("f32[4]{0}", 2)]), 0),
            (format!("{add}\n{alone}"), counts(&[("f32[4]{0}", 2)]), 0),
            (
                copy.replace("%more", "ENTRY %more") + add,
                counts(&[("f32[2]{0}", 3)]),
                0,
            ),
        ] {
            let text = format!("{head}{text}");
            let entry = |views, entry| {
                let found = scan_with(text.as_bytes(), Scope { entry, views });
                let arrays = found.tally.counted();
                let arrays = arrays.filter(|array| array.in_entry > 0);
                let arrays: BTreeMap<String, u64> = arrays
                    .map(|array| (array.shape.to_string(), array.in_entry))
                    .collect();
                let moved: u64 = found.tally.arrays.iter().map(|array| array.moved).sum();
                assert_eq!(moved, u64::from(text.contains("copy(")), "{text}");
                assert_eq!(found.extent.entries_assumed, assumed, "{text}");
                arrays
            };
            let without_views = |all: &BTreeMap<String, u64>| {
                let less = |(name, count): (&String, &u64)| {
                    let views = u64::from(name == "f32[2]{0}");
                    (name.clone(), count - views)
                };
                all.iter().map(less).collect::<BTreeMap<_, _>>()
            };
            for in_entry in [true, false] {
                assert_eq!(entry(true, in_entry), expected, "{text}");
                assert_eq!(entry(false, in_entry), without_views(&expected), "{text}");
            }
        }
    }
    // An entry of one module is none of the next.
    let two = format!("HloModule m\nENTRY {copy}\nHloModule n\n{add}");
    let found = scan(two.as_bytes());
    let in_entry: u64 = found.tally.arrays.iter().map(|array| array.in_entry).sum();
    assert_eq!((in_entry, found.extent.entries_assumed), (6, 1));
}

/// A scalar has one layout, which XLA does not print.
#[test]
fn scalars_are_counted() {
    let text = b"HloModule m, entry_computation_layout={(s32[])->(f32[], f32[2])}\nENTRY e {\n  \
        a = s32[] parameter(0)\n  b = f32[]{:T(128)} convert(a)\n  c = f32[2] broadcast(b)\n  \
        ROOT t = (f32[], f32[2]) tuple(b, c)\n}\n";
    let found = scan(text);
    assert_eq!((found.mistakes, found.told.join("\n")), (0, String::new()));
    let expected = counts(&[("f32[]", 1), ("f32[]{:T(128)}", 1), ("s32[]", 1)]);
    assert_eq!(found.counts(), expected);
    assert_eq!(found.tally.without_layout.count, 2);
    assert!(!found.tally.layouts_missing());
    let module = &found.modules.all[0];
    assert_eq!((module.parameters.len(), module.results.len()), (1, 1));
}

/// XLA treats a line break as a blank.
#[test]
fn an_instruction_may_be_wrapped() {
    let lines = "HloModule m, is_scheduled=true,\n  entry_computation_layout={(f32[2]{0},\n  s32[])->\n  \
        f32[2]{0}},\n  replica_count=2\n\n%f (p: f32[2],\n    q: s32[])\n  -> f32[2] {\n  \
        ROOT %p =\n    f32[2]{0}\n    parameter(0),\n    metadata=\n    {op_name=\"x\"}\n}\n\n\
        ENTRY %e (a: f32[2]) -> f32[2] {\n  %a\n    = f32[2]{0} parameter\n    (0)\n    , sharding={replicated}\n  \
        %t = (f32[2]{0},\n    s32[],\n    (\n    )) tuple(%a,\n    %a)\n  \
        ROOT %c = f32[2]{0} copy(%a),\n    frontend_attributes=\n    {x=\"y\"},\n    \
        metadata={op_name=\"z\"}\n}\n";
    let expected = counts(&[("f32[2]{0}", 4), ("s32[]", 1)]);
    for text in [lines.to_owned(), lines.replace('\n', "\r\n")] {
        let found = scan(text.as_bytes());
        assert_eq!((found.mistakes, found.told.join("\n")), (0, String::new()));
        assert_eq!(found.counts(), expected);
        let extent = found.extent;
        assert_eq!((extent.computations, extent.instructions), (2, 4));
        let module = &found.modules.all[0];
        assert_eq!((module.parameters.len(), module.results.len()), (2, 1));
    }
    // A line that is cut short affects no other line.
    for cut in [
        "%b =",
        "%b",
        "%b = f32[2]{0}",
        "%b = f32[2]{0} add",
        "%b = (f32[2]{0},",
    ] {
        let text = format!("%a = f32[2]{{0}} parameter(0)\n{cut}\n%c = f32[3]{{0}} copy(%a)\n");
        let found = scan(text.as_bytes());
        assert_eq!((found.mistakes, found.extent.instructions), (1, 2), "{cut}");
    }
}

/// XLA's canonical text repeats computations inside of instructions.
#[test]
fn repeated_computations_are_not_counted_again() {
    let plain = scan(include_bytes!("../../cli/tests/data/cpu/switch.hlo"));
    let canonical = scan(include_bytes!(
        "../../cli/tests/data/cpu/switch.canonical.hlo"
    ));
    for found in [&plain, &canonical] {
        assert_eq!((found.mistakes, found.told.join("\n")), (0, String::new()));
    }
    let both =
        [&plain, &canonical].map(|found| (found.extent.computations, found.extent.instructions));
    assert_eq!(both[0], both[1]);
    assert_eq!(plain.counts(), canonical.counts());
    // A broken body affects only itself.
    let text = include_str!("../../cli/tests/data/cpu/switch.canonical.hlo");
    for (at, _) in text.match_indices("    tmp_1 = f32[]") {
        let broken = format!("{}    tmp_1 = f99[]{}", &text[..at], &text[at + 17..]);
        let found = scan(broken.as_bytes());
        assert_eq!(found.mistakes, 1);
        let counts = found.counts();
        assert_eq!(counts, canonical.counts());
    }
    for end in (0..text.len()).step_by(7) {
        assert!(scan(&text.as_bytes()[..end]).mistakes <= 2, "{end}");
    }
}

#[test]
fn line_ends_and_marks_change_nothing() {
    let text = std::str::from_utf8(TUPLES).unwrap();
    let whole = scan(TUPLES);
    assert_eq!(whole.mistakes, 0);
    let variants = [
        text.replace('\n', "\r\n"),
        format!("\u{feff}{text}"),
        text.trim_end().to_owned(),
        text.replace("  ", "\t"),
    ];
    for variant in variants {
        let found = scan(variant.as_bytes());
        assert_eq!((found.mistakes, found.counts()), (0, whole.counts()));
    }
    // Two modules are two modules.
    let twice = scan(format!("{text}{text}").as_bytes());
    assert_eq!((twice.mistakes, twice.modules.count), (0, 2));
    assert!(
        twice
            .counts()
            .iter()
            .all(|(shape, n)| *n == 2 * whole.counts()[shape])
    );
}

/// The result does not depend on the pieces in which the text arrives.
#[test]
fn pieces_make_the_whole() {
    let constant = "{ 1.5, -2, 3e9 }, ".repeat(40_000);
    let name = "n".repeat(50_000);
    let tuple = "f32[2]{0:T(128)}, ".repeat(20_000);
    let text = format!(
        "HloModule m\n\nENTRY %e () -> f32[1] {{\n  %c = f32[1]{{0}} constant({{ {constant} }})\n  \
         %{name} = s32[1]{{0}} constant({{\n{}\n}})\n  %t = ({tuple}u8[1]{{0}}) tuple()\n}}\n",
        constant.replace(", {", ",\n{")
    );
    let expected = counts(&[
        ("f32[1]{0}", 1),
        ("s32[1]{0}", 1),
        ("f32[2]{0:T(128)}", 20_000),
        ("u8[1]{0}", 1),
    ]);
    for size in [97, 4096, 1 << 30] {
        let found = scan_with(Drops(text.as_bytes(), size), ALL);
        assert_eq!((found.mistakes, found.counts()), (0, expected.clone()));
    }
    let whole = scan(LARGE);
    for size in [1, 7, 1000] {
        let found = scan_with(Drops(LARGE, size), ALL);
        assert_eq!((found.mistakes, found.counts()), (0, whole.counts()));
    }
}

/// A position beyond the buffer is reported by line and column.
#[test]
fn mistakes_far_to_the_right_have_their_column() {
    let constant = "1, ".repeat(200_000);
    let text =
        format!("%c = s32[1]{{0}} constant({{ {constant} 2 ]}})\n%d = s32[1]{{0}} copy(%c)\n");
    let found = scan(text.as_bytes());
    assert_eq!((found.mistakes, found.counts().len()), (1, 1));
    let column = text.find(" ]}").map(|at| at + 2);
    assert!(
        found.told[0].contains(&format!(" --> x.hlo:1:{}\n", column.unwrap())),
        "{}",
        found.told[0]
    );
}

/// A text that begins as a computation is HLO, even if no instruction can be read.
#[test]
fn a_bad_header_is_told_with_its_place() {
    for text in [
        "%f (p: f32[2]) -> f32[2]\n",
        "ENTRY %f (p: f32[2]) -> f32[2]\n",
        "%f (p: f32[2]",
    ] {
        let found = scan(text.as_bytes());
        assert!(found.is_hlo, "{text}");
        let told = found.told.join("\n");
        assert!(
            told.contains("expected `{`") && told.contains("x.hlo:1:"),
            "{told}"
        );
    }
    // Names that HLO does not have belong to another text.
    assert!(!scan(b"main (int argc) {\n}\n% a comment (of TeX)\n").is_hlo);
}
