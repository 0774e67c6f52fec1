//! Binary modules that are written here byte by byte, read from a file and from a stream.

use std::io::{Read, Write};

use super::{assigned, read};

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

/// `%p`, `%c`, `%n`, of which the schedule has another sequence; `%c` is a constant of so many bytes.
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

/// The text, read as a stream, and as a file if it is one.
fn text(proto: &[u8]) -> Option<String> {
    let all = |text: Option<super::Text>| {
        text.map(|mut text| {
            let mut all = String::new();
            text.read_to_string(&mut all).unwrap();
            all
        })
    };
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(proto).unwrap();
    let of_file = all(read(std::io::empty(), Some(file)).unwrap());
    let of_stream = all(read(proto, None).unwrap());
    assert_eq!(of_file, of_stream);
    of_file
}

const TEXT: &str = "HloModule m, is_scheduled=true

ENTRY %main {
  %p = f32[2]{0} parameter(0)
  %c = f32[2]{0} constant({...})
  %n = f32[2]{0} negate(%p)
  ROOT %r = f32[2]{0} add(%n, %c)
}

";

#[test]
fn the_schedule_decides_the_sequence() {
    assert_eq!(text(&module(8)).as_deref(), Some(TEXT));
    // In a HloProto.
    assert_eq!(text(&bytes(1, &module(8))).as_deref(), Some(TEXT));
}

/// A large constant is passed over: this one would not fit into what is read of an instruction.
#[test]
fn a_large_constant_is_not_held() {
    for size in [60_000, 70_000, 65 << 20] {
        assert_eq!(text(&module(size)).as_deref(), Some(TEXT), "{size}");
    }
}

#[test]
fn a_proto_that_is_cut_is_none() {
    let proto = module(8);
    for length in 0..proto.len() {
        // Cut between two fields of the module, it is a module without its last fields.
        if let Some(text) = text(&proto[..length]) {
            assert!(text.starts_with("HloModule m"), "{length}: {text}");
        }
        assert_eq!(text(&bytes(1, &proto)[..length + 2]), None, "{length}");
    }
    // A name of 70 MiB is none.
    assert_eq!(text(&bytes(1, &vec![0; 70 << 20])), None);
}

#[test]
fn what_xla_assigned_is_summed_by_space() {
    let allocation = |size: u64, color: u64| {
        let parts = vec![7; 300];
        bytes(3, &[int(2, size), bytes(9, &parts), int(8, color)].concat())
    };
    let assignment = [allocation(100, 0), allocation(20, 1), allocation(3, 0)].concat();
    let proto = [bytes(1, &module(8)), bytes(3, &assignment)].concat();
    let spaces = assigned(&proto[..], None).unwrap().unwrap();
    assert_eq!(spaces.into_iter().collect::<Vec<_>>(), [(0, 103), (1, 20)]);
    assert_eq!(assigned(&proto[..proto.len() - 1], None).unwrap(), None);
    let wrong = bytes(3, &allocation(1, 300));
    assert!(assigned(&wrong[..], None).is_err());
}
