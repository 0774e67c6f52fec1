//! The kind of a file that is not HLO text, by its first bytes.

use super::error::Error;

/// The number of bytes of a file that are examined.
pub(crate) const LOOKED_AT: usize = 4 << 10;

/// Returns an error that says what the file is, if it is not HLO text. `name` is the name of the
/// file, `rest` its first bytes.
pub(crate) fn other_than_hlo(name: &str, rest: &[u8]) -> Option<Error> {
    let rest = &rest[..rest.len().min(LOOKED_AT)];
    let error = |what: &str| Error::new(format_args!("`{name}` is {what}"));
    let piped = |program: &str| {
        let is_file = name != "standard input";
        let file = if is_file { name } else { "FILE" };
        format!("unpack it on the way: `{program} {file} | xlayout hlo -`")
    };
    Some(match rest {
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
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => error("text in UTF-16, not in UTF-8")
            .help(piped("iconv -f UTF-16 -t UTF-8").replace("unpack it on the way", "convert it")),
        [b'M', b'L', 0xef, b'R', ..] => error("bytecode of MLIR, not HLO text").and_how(),
        [b'\x93', b'N', b'U', b'M', b'P', b'Y', ..] => {
            error("an array of NumPy, not HLO text").help("`xlayout convert` reads `.npy` files")
        }
        _ if is_binary(rest) => error("a binary file that holds no module").and_how(),
        _ => match first_word(rest) {
            b"module"
            | b"#loc"
            | b"func.func"
            | b"\"builtin.module\""
            | b"builtin.module"
            | b"#map"
            | b"sdy.mesh" => {
                let what = if rest.windows(10).any(|w| w == b"stablehlo.") {
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

/// Words of texts that another command reads, and what to do.
const READ_ELSEWHERE: [(&str, &str); 14] = [
    ("full rematerialization", MOVES),
    ("{devices=", SHARDING),
    ("sdy.sharding", SHARDING),
    ("PartitionSpec(", SHARDING),
    ("Shard(", SHARDING),
    ("KV cache", SERVER),
    ("bfc_allocator", ALLOCATOR),
    ("VmemOom", NAME),
    ("_verbose,", LAYOUT),
    ("memref<", LAYOUT),
    ("torch.Size(", LAYOUT),
    ("#ttg.", LAYOUT),
    ("stride", LAYOUT),
    ("minor_to_major", LAYOUT),
];

/// What to do with a text that holds no HLO, if another command reads it.
pub(crate) fn read_elsewhere(first: &[u8]) -> Option<&'static str> {
    let has = |words: &str| memchr::memmem::find(first, words.as_bytes()).is_some();
    let row = READ_ELSEWHERE.iter().find(|row| has(row.0))?;
    Some(row.1)
}

/// Whether these first bytes are those of a text.
pub(crate) fn is_text(rest: &[u8]) -> bool {
    !is_binary(&rest[..rest.len().min(LOOKED_AT)])
}

/// Whether this is not text: more than one byte of 32 is one that text does not contain.
fn is_binary(rest: &[u8]) -> bool {
    let mut bad = 0;
    let mut at = rest;
    while !at.is_empty() {
        let valid = at.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        bad += valid
            .bytes()
            // The escape of colours.
            .filter(|&b: &u8| b < b' ' && !b"\t\n\r\x0c\x1b".contains(&b))
            .count();
        at = &at[valid.len()..];
        // A character that is cut at the end of the examined bytes is not a mistake.
        if at.len() > 3 || (!at.is_empty() && rest.len() < LOOKED_AT) {
            bad += 1;
        }
        at = at.get(1..).unwrap_or_default();
    }
    bad * 32 > rest.len()
}

/// Whether the bytes begin as `HloProto` and `HloModuleProto` do: with field 1, of bytes. A text
/// may begin with this byte (an empty line), but is not binary.
pub(crate) fn may_be_proto(rest: &[u8]) -> bool {
    let rest = &rest[..rest.len().min(LOOKED_AT)];
    rest.first() == Some(&0x0a) && is_binary(rest)
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
