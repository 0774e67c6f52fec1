//! Binary modules, written byte by byte.

use std::path::Path;

use super::{assigned, read};
use crate::{Findings, Mistakes, Module, Scope, Take, Tally};

fn number(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 127 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn int(tag: u64, value: u64) -> Vec<u8> {
    [number(tag << 3), number(value)].concat()
}

fn bytes(tag: u64, value: &[u8]) -> Vec<u8> {
    [
        number(tag << 3 | 2),
        number(value.len() as u64),
        value.to_vec(),
    ]
    .concat()
}

/// `f32[2]{0}`
fn shape() -> Vec<u8> {
    let layout = bytes(1, &[0]);
    bytes(3, &[int(2, 11), bytes(3, &[2]), bytes(5, &layout)].concat())
}

fn instruction(id: u64, name: &str, opcode: &str, rest: &[Vec<u8>]) -> Vec<u8> {
    let head = [
        bytes(1, name.as_bytes()),
        bytes(2, opcode.as_bytes()),
        shape(),
        int(35, id),
    ];
    bytes(2, &[head.concat(), rest.concat()].concat())
}

/// A module of `%p`, `%c`, `%n`, whose schedule has another order; `%c` is a constant of `constant`
/// bytes.
fn module(constant: usize) -> Vec<u8> {
    let operand = |id: u64| bytes(36, &number(id));
    let instructions = [
        instruction(1, "p", "parameter", &[]),
        instruction(2, "n", "negate", &[operand(1)]),
        instruction(
            7,
            "c",
            "constant",
            &[bytes(8, &bytes(9, &vec![1; constant]))],
        ),
        instruction(4, "r", "add", &[operand(2), operand(7)]),
    ];
    let computation = [
        bytes(1, b"main"),
        instructions.concat(),
        int(5, 9),
        int(6, 4),
    ];
    let sequence = bytes(1, &[1, 7, 2, 4]);
    let schedule = bytes(1, &[int(1, 9), bytes(2, &sequence)].concat());
    [
        bytes(1, b"m"),
        bytes(3, &computation.concat()),
        int(6, 9),
        bytes(7, &schedule),
    ]
    .concat()
}

/// The text of each module's graph, a line for each instruction, and the reported mistakes.
#[derive(Default)]
struct Lines(String);

impl Take for Lines {
    fn module(&mut self, _: &Path, module: Module, _: &Tally) {
        self.0 += &format!("{} {}\n", module.name, module.is_scheduled);
        for (k, computation) in (0..).zip(&module.computations) {
            let entry = if module.entry == Some(k) {
                "ENTRY "
            } else {
                ""
            };
            self.0 += &format!("{entry}%{}\n", computation.name);
            for (k, one) in (0..).zip(&computation.instructions) {
                let root = if computation.root == k { "ROOT " } else { "" };
                let operands = module.operands(one).iter();
                let operands =
                    operands.map(|&of| module.name(&computation.instructions[of as usize]));
                let mut operands: Vec<&str> = operands.collect();
                operands.extend(module.value(one));
                let name = module.name(one);
                let opcode = module.opcode_text(one);
                self.0 += &format!("  {root}%{name} = {opcode}({})\n", operands.join(", "));
            }
        }
    }

    fn end_file(&mut self, _: bool) {}
}

/// Reads a module, and returns the text.
fn lines(proto: &[u8]) -> Result<String, crate::Error> {
    let mut lines = Lines::default();
    let tell = |_: &Path, mistake: &crate::Mistake| panic!("{}", mistake.message);
    let mut findings = Findings::new(Scope::ALL, Mistakes::new(20, false, Box::new(tell)));
    findings.take = Some(&mut lines);
    let read = crate::read(proto, Path::new("x"), &mut findings)?;
    match read {
        crate::Read::Hlo(_) => Ok(lines.0),
        crate::Read::Other(error) => Err(error),
        crate::Read::OutOfMemory(found) => panic!("{found:?}"),
    }
}

/// Reads the module, and returns its text; otherwise the reason, and whether the bytes are cut
/// short.
fn text(proto: &[u8]) -> Result<String, (String, bool)> {
    match read(proto).unwrap() {
        super::Binary::Other { why, is_cut } => Err((why, is_cut)),
        super::Binary::Module(_) => Ok(lines(proto).unwrap()),
    }
}

/// The error of a damaged module.
fn error(proto: &[u8]) -> String {
    match read(proto) {
        Ok(super::Binary::Other { why, .. }) => panic!("no module: {why}"),
        Err(error) => return error.to_string(),
        Ok(_) => {}
    }
    let error = lines(proto).unwrap_err();
    error.input.unwrap().1.to_string()
}

const TEXT: &str = "m true
ENTRY %main
  %p = parameter(0)
  %c = constant({...})
  %n = negate(p)
  ROOT %r = add(n, c)
";

#[test]
fn the_schedule_decides_the_sequence() {
    assert_eq!(text(&module(8)).as_deref(), Ok(TEXT));
    // In a HloProto.
    assert_eq!(text(&bytes(1, &module(8))).as_deref(), Ok(TEXT));
}

/// A large constant is skipped.
#[test]
fn a_large_constant_is_left_out() {
    for size in [60_000, 65 << 20] {
        assert_eq!(text(&module(size)).as_deref(), Ok(TEXT), "{size}");
    }
}

#[test]
fn a_proto_that_is_cut_says_so() {
    let proto = module(8);
    for length in 0..proto.len() {
        match text(&proto[..length]) {
            // Cut between two fields, the module lacks its last fields.
            Ok(text) => assert!(text.starts_with("m "), "{length}: {text}"),
            Err((why, is_cut)) => {
                let is_whole = why == "it has no computation";
                let at = format!("it ends at byte {length}, ");
                assert!(
                    is_whole != is_cut && (is_whole || why.starts_with(&at)),
                    "{why}"
                );
            }
        }
        let length = length + 2;
        let (why, is_cut) = text(&bytes(1, &proto)[..length]).unwrap_err();
        assert!(
            is_cut && why.starts_with(&format!("it ends at byte {length}, ")),
            "{why}"
        );
    }
    let (why, _) = text(&bytes(1, &proto)[..100]).unwrap_err();
    assert_eq!(why, "it ends at byte 100, inside of a field");
    // A damaged module inside an intact file is damaged, not cut.
    let damaged = bytes(1, &[&proto[..], &[0x1a, 9]].concat());
    assert!(!text(&damaged).unwrap_err().1);
}

/// Computations are printed callees first. The number and the name are those of the file.
#[test]
fn a_damaged_computation_is_named() {
    let computation = |name: &str, id: u64, instructions: &[u8]| {
        let name = bytes(1, name.as_bytes());
        bytes(
            3,
            &[&name[..], instructions, &int(5, id), &int(6, 1)].concat(),
        )
    };
    let calls = instruction(1, "c", "call", &[bytes(38, &[2])]);
    // Field 9 is a number, not bytes.
    let wrong = instruction(1, "w", "parameter", &[bytes(9, &[0])]);
    let module = |computations: &[Vec<u8>]| {
        [&bytes(1, b"m")[..], &int(6, 1), &computations.concat()].concat()
    };
    let good = computation("main", 1, &calls);
    let whole = module(&[good.clone(), computation("callee", 2, &wrong)]);
    let start = module(std::slice::from_ref(&good)).len() + 2 + 8 + 2;
    let said = error(&whole);
    let at = format!(
        "computation 1 (`callee`) of the proto is damaged: the instruction at byte {start}: "
    );
    assert!(said.starts_with(&at), "{said}");
    for (computation, expected) in [
        (
            bytes(3, &[]),
            "computation 1 of the proto is damaged: it has no name",
        ),
        (
            computation("x", 2, &[]),
            "computation 1 (`x`) of the proto is damaged: it has no instruction",
        ),
        (
            computation("x", 2, &instruction(1, "", "parameter", &[])),
            "computation 1 (`x`) of the proto is damaged: the instruction at byte ",
        ),
    ] {
        let whole = module(&[good.clone(), computation]);
        for said in [error(&whole), error(&bytes(1, &whole))] {
            assert!(said.starts_with(expected), "{said}");
        }
    }
}

/// What the documentation of the messages says.
#[test]
fn a_message_takes_a_multiple_of_its_length() {
    use super::message::{Aliasing, BufferAllocation, FileLocation, SliceDimensions};
    assert_eq!(size_of::<prost::bytes::Bytes>(), 32);
    assert_eq!(size_of::<Aliasing>(), 56);
    assert_eq!(size_of::<SliceDimensions>(), 16);
    assert_eq!(size_of::<BufferAllocation>(), 16);
    assert_eq!(size_of::<FileLocation>(), 12);
}

fn parameter(shape: &[u8]) -> Vec<u8> {
    let parameter = instruction(1, "p", "parameter", &[bytes(3, shape)]);
    let computation = [&bytes(1, b"main")[..], &parameter, &int(5, 1), &int(6, 1)];
    [
        &bytes(1, b"m")[..],
        &int(6, 1),
        &bytes(3, &computation.concat()),
    ]
    .concat()
}

/// Four bytes of an array's message may take 1,200 of memory.
#[test]
fn the_message_of_an_array_is_short() {
    for wide in [
        bytes(3, &vec![1; 1 << 17]),
        bytes(5, &bytes(6, &[]).repeat(1 << 16)),
    ] {
        let said = error(&parameter(&wide));
        let begin = "computation 0 (`main`) of the proto is damaged: the instruction at byte ";
        let end = "has a message of more than 64 KiB";
        assert!(said.starts_with(begin) && said.ends_with(end), "{said}");
    }
}

#[test]
fn tuples_are_nested_100_deep() {
    let mut deep = int(2, 13);
    for depth in 1..200 {
        let member = bytes(4, &deep);
        deep = [&int(2, 13)[..], &member].concat();
        match depth {
            100 => assert!(text(&parameter(&deep)).is_ok()),
            101 => assert!(error(&parameter(&deep)).ends_with("is nested more than 100 deep")),
            _ => {}
        }
    }
}

#[test]
fn a_wide_tuple_is_read() {
    let token = int(2, 17);
    let wide = [int(2, 13), bytes(4, &token).repeat(1 << 20)].concat();
    assert!(text(&parameter(&wide)).is_ok());
    let sized = [int(2, 13), bytes(3, &[1])].concat();
    let said = error(&parameter(&sized));
    assert!(said.contains("`dimensions`"), "{said}");
}

/// Damage below the fields of the file names the fields, the innermost first.
#[test]
fn damage_is_in_a_field() {
    let alias = bytes(8, &bytes(1, &[0x10]));
    for (head, expected) in [
        (
            alias,
            "Aliasing.number: InputOutputAlias.entries: HloModuleProto.input_output_alias: invalid varint",
        ),
        (
            int(17, 1),
            "HloModuleProto.stack_frame_index: invalid wire type: Varint (expected LengthDelimited)",
        ),
    ] {
        let (why, is_cut) = text(&[module(8), head].concat()).unwrap_err();
        assert_eq!((&why[..], is_cut), (expected, false));
    }
}

#[test]
fn damage_in_the_shape_of_the_program_is_in_the_head() {
    let program = bytes(4, &bytes(1, &[0x22]));
    let said = error(&[module(8), program].concat());
    assert_eq!(
        said,
        "the head of the proto is damaged: Tuple.tuple_shapes: invalid varint"
    );
}

#[test]
fn the_length_of_a_file_is_limited() {
    assert_eq!(super::whole(&[1; 10][..], 10).unwrap(), [1; 10][..]);
    let error = super::whole(&[1; 11][..], 10).unwrap_err().to_string();
    assert!(error.starts_with("it has more than 0 MiB, "), "{error}");
}

#[test]
fn what_xla_assigned_is_summed_by_space() {
    let allocation = |size: u64, color: u64| {
        let parts = vec![7; 300];
        bytes(3, &[int(2, size), bytes(9, &parts), int(8, color)].concat())
    };
    let assignment = [allocation(100, 0), allocation(20, 1), allocation(3, 0)].concat();
    let proto = [bytes(1, &module(8)), bytes(3, &assignment)].concat();
    let spaces = assigned(&proto[..]).unwrap().unwrap();
    assert_eq!(spaces.into_iter().collect::<Vec<_>>(), [(0, 103), (1, 20)]);
    assert_eq!(assigned(&proto[..proto.len() - 1]).unwrap(), None);
    let wrong = bytes(3, &allocation(1, 300));
    assert!(assigned(&wrong[..]).is_err());
}
