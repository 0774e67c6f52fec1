//! The kind of a file that is not HLO text, by its first bytes.

use super::error::Error;

/// The number of bytes of a file that are examined.
pub(crate) const LOOKED_AT: usize = 4 << 10;

/// The bytes that are examined of these first bytes of a file.
fn examined(begin: &[u8]) -> &[u8] {
    &begin[..begin.len().min(LOOKED_AT)]
}

/// Returns an error that says what the file is, if it is not HLO text. `name` is the name of the
/// file, `begin` its first bytes.
pub(crate) fn other_than_hlo(name: &str, begin: &[u8]) -> Option<Error> {
    let begin = examined(begin);
    let error = |what: &str| Error::new(format_args!("`{name}` is {what}"));
    let through = |program: &str| {
        let is_file = name != "standard input";
        let file = if is_file { name } else { "FILE" };
        format!("`{program} {file} | xlayout hlo -`")
    };
    let piped = |program: &str| format!("unpack it on the way: {}", through(program));
    Some(match begin {
        [] => error("empty").and_how(),
        [0x1f, 0x8b, ..] => error("compressed by gzip").help(piped("gzip -dc")),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => error("compressed by zstd").help(piped("zstd -dc")),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => error("compressed by xz").help(piped("xz -dc")),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => {
            error("compressed by bzip2").help(piped("bzip2 -dc"))
        }
        [b'P', b'K', 3, 4, ..] => {
            error("a zip archive").help("unpack it, and name the files in it")
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => error("text in UTF-16, not in UTF-8").help(
            format_args!("convert it: {}", through("iconv -f UTF-16 -t UTF-8")),
        ),
        [b'M', b'L', 0xef, b'R', ..] => error("bytecode of MLIR, not HLO text").and_how(),
        [b'\x93', b'N', b'U', b'M', b'P', b'Y', ..] => {
            error("an array of NumPy, not HLO text").help("`xlayout convert` reads `.npy` files")
        }
        _ if is_binary(begin) => error("a binary file that holds no module").and_how(),
        _ => match first_word(begin) {
            b"module"
            | b"#loc"
            | b"func.func"
            | b"\"builtin.module\""
            | b"builtin.module"
            | b"#map"
            | b"sdy.mesh" => {
                let is_stablehlo = begin.windows(10).any(|window| window == b"stablehlo.");
                let what = if is_stablehlo {
                    "StableHLO in MLIR, not HLO text"
                } else {
                    "MLIR, such as StableHLO, not HLO text"
                };
                error(what)
                    .note("its arrays have no layouts yet: the compiler chooses them")
                    .and_how()
            }
            b"hlo_module" | b"name:" | b"hlo" => {
                error("a proto printed as text, not HLO text").and_how()
            }
            b"<!DOCTYPE" | b"<html" | b"<html>" => error("a web page, not HLO text")
                .help("save the text itself (on GitHub: the button `Raw`)"),
            _ => return None,
        },
    })
}

const MOVES: &str =
    "it is about shardings: `xlayout shard diff A B SHAPE` says what moves between two of them";
const SHARDING: &str = "it is about shardings: `xlayout shard explain - SHAPE` reads one";
const LAYOUT: &str = "it is about the layout of an array: `xlayout explain -` reads one";
const SERVER: &str = "it says what a server has for its cache, which is no failure of a \
                      program: see `xlayout hlo memory`";
const ALLOCATOR: &str = "it is a part of an allocator's log: add the lines from `Stats:` on";
const NAME: &str =
    "it names a failure: add the sentence `Ran out of memory in memory space vmem. Used …`";
const STATE: &str = "it is the state of a memory, and no failure: add the sentence `Out of Memory: \
                     Not enough space to allocate …`";

/// Words of texts that another command reads, and what to do.
const READ_ELSEWHERE: [(&str, &str); 16] = [
    ("full rematerialization", MOVES),
    ("{devices=", SHARDING),
    ("sdy.sharding", SHARDING),
    ("PartitionSpec(", SHARDING),
    ("Shard(", SHARDING),
    ("KV cache", SERVER),
    ("KV Cache", SERVER),
    ("bfc_allocator", ALLOCATOR),
    ("VmemOom", NAME),
    ("MemoryView{", STATE),
    ("_verbose,", LAYOUT),
    ("memref<", LAYOUT),
    ("torch.Size(", LAYOUT),
    ("#ttg.", LAYOUT),
    ("stride", LAYOUT),
    ("minor_to_major", LAYOUT),
];

/// What to do with a text that holds no HLO, if another command reads it.
pub(crate) fn read_elsewhere(begin: &[u8]) -> Option<&'static str> {
    let has = |words: &str| memchr::memmem::find(begin, words.as_bytes()).is_some();
    let (_, help) = READ_ELSEWHERE.iter().find(|(words, _)| has(words))?;
    Some(help)
}

/// Whether these first bytes are those of a text.
pub(crate) fn is_text(begin: &[u8]) -> bool {
    !is_binary(examined(begin))
}

/// Whether this is not text: more than one byte of 32 is one that text does not contain.
fn is_binary(examined: &[u8]) -> bool {
    // The last one begins the sequences that colour a terminal's text.
    let is_control = |byte: &u8| *byte < b' ' && !b"\t\n\r\x0c\x1b".contains(byte);
    let mut bad = 0;
    let mut rest = examined;
    while !rest.is_empty() {
        let valid = rest.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        bad += valid
            .as_bytes()
            .iter()
            .filter(|byte| is_control(byte))
            .count();
        rest = &rest[valid.len()..];
        // A character that is cut at the end of the examined bytes is not a mistake.
        if rest.len() > 3 || (!rest.is_empty() && examined.len() < LOOKED_AT) {
            bad += 1;
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    bad * 32 > examined.len()
}

/// Whether the bytes begin as `HloProto` and `HloModuleProto` do: with field 1, of bytes. A text
/// may begin with this byte (an empty line), but is not binary.
pub(crate) fn may_be_proto(begin: &[u8]) -> bool {
    begin.first() == Some(&0x0a) && is_binary(examined(begin))
}

/// The first word outside comments.
fn first_word(mut rest: &[u8]) -> &[u8] {
    loop {
        rest = rest.trim_ascii_start();
        if !rest.starts_with(b"//") {
            break;
        }
        let line = rest.iter().take_while(|&&b| b != b'\n').count();
        rest = &rest[line..];
    }
    // `#loc1`, `#map0`
    if rest.starts_with(b"#loc") || rest.starts_with(b"#map") {
        return &rest[..4];
    }
    let is_end = |b: &u8| b.is_ascii_whitespace() || b"=({".contains(b);
    &rest[..rest.iter().position(is_end).unwrap_or(rest.len())]
}
