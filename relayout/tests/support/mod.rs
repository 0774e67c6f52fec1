//! What the tests share: a copy that cannot be wrong, random layouts, buffers between canaries.
#![allow(dead_code)]

use std::prelude::v1::*;

use proptest::prelude::*;
use xlayout_core::{ArrayLayout, DynCoordinates, DynLayout};

use super::Plan;

/// Every index of an array, the last dimension fastest.
pub(crate) fn indices(sizes: &[usize]) -> Vec<DynCoordinates> {
    let mut all = vec![vec![]];
    for &size in sizes {
        all = all
            .iter()
            .flat_map(|index: &Vec<usize>| {
                (0..size).map(move |i| index.iter().copied().chain([i]).collect())
            })
            .collect();
    }
    all.iter()
        .map(|index| DynCoordinates::from(&index[..]))
        .collect()
}

/// Copies bit by bit, index by index.
pub(crate) fn naive<A, B>(src: &A, dst: &B, input: &[u8], output: &mut [u8])
where
    A: ArrayLayout,
    B: ArrayLayout<Coordinates = A::Coordinates>,
{
    let from = src.element_bits();
    let to = dst.element_bits();
    dst.for_each_index(|index| {
        let first = src.linear_index(index) * from;
        let target = dst.linear_index(index) * to;
        if from == to && from.is_multiple_of(8) {
            let len = from / 8;
            output[target / 8..][..len].copy_from_slice(&input[first / 8..][..len]);
            return;
        }
        for bit in 0..to {
            let value = bit < from && input[(first + bit) / 8] >> ((first + bit) % 8) & 1 == 1;
            set_bit(output, target + bit, value);
        }
    });
}

/// No byte of the destination is written by two chunks: then threads may run them at the same time.
/// Each chunk runs alone, and writes zeros to ones and ones to zeros.
pub(crate) fn check_chunks(plan: &Plan) {
    let (src, dst) = plan.buffers();
    for most in [2, 3, 5, 64] {
        let mut chunk_of_byte = vec![None; dst];
        for (from, to) in [(0xff_u8, 0), (0, 0xff)] {
            let input = vec![from; src];
            let mut output = vec![to; dst];
            let count = plan.chunks_bytes(&input, &mut output, most).unwrap().len();
            for k in 0..count {
                output.fill(to);
                let mut chunks = plan.chunks_bytes(&input, &mut output, most).unwrap();
                chunks.nth(k).unwrap().run();
                for (byte, _) in output.iter().enumerate().filter(|(_, bits)| **bits != to) {
                    let other = chunk_of_byte[byte].replace(k);
                    assert!(
                        other.is_none_or(|other| other == k),
                        "byte {byte} is written by chunks {other:?} and {k} of {most}: {plan}"
                    );
                }
            }
        }
    }
}

pub(crate) fn set_bit(bytes: &mut [u8], bit: usize, value: bool) {
    let (byte, mask) = (&mut bytes[bit / 8], 1 << (bit % 8));
    *byte = if value { *byte | mask } else { *byte & !mask };
}

/// Bytes that differ from their neighbours near and far.
pub(crate) fn bytes(len: usize) -> Vec<u8> {
    (0..len)
        .map(|k| (k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()[1] | 1)
        .collect()
}

/// A buffer that begins `offset` bytes behind a multiple of 64 and ends where its memory ends, so
/// that tools see what is read or written beyond it; before it lie canaries.
pub(crate) struct Buffer {
    memory: Vec<u8>,
    begin: usize,
}

const CANARY: u8 = 0xa5;

impl Buffer {
    pub(crate) fn new(content: &[u8], offset: usize) -> Self {
        let mut memory: Vec<u8> = Vec::with_capacity(content.len() + 192 + offset);
        let begin = 64 + (memory.as_ptr().addr().wrapping_neg() % 64) + offset;
        memory.resize(begin, CANARY);
        memory.extend_from_slice(content);
        // To the end of the allocation, or as near as the alignment allows.
        memory.resize(memory.capacity(), CANARY);
        Self { memory, begin }
    }

    /// As [`new`](Self::new), without anything behind the content.
    pub(crate) fn exact(content: &[u8]) -> Self {
        Self {
            memory: content.to_vec().into_boxed_slice().into_vec(),
            begin: 0,
        }
    }

    pub(crate) fn get(&mut self, len: usize) -> &mut [u8] {
        &mut self.memory[self.begin..self.begin + len]
    }

    /// The content, after a look at the canaries.
    pub(crate) fn checked(&self, len: usize) -> &[u8] {
        let (before, rest) = self.memory.split_at(self.begin);
        let (content, behind) = rest.split_at(len);
        assert!(
            before.iter().all(|byte| *byte == CANARY),
            "written before the buffer"
        );
        assert!(
            behind.iter().all(|byte| *byte == CANARY),
            "written behind the buffer"
        );
        content
    }
}

/// A layout's text for an array with these sizes.
pub(crate) fn layout(dims: Vec<usize>, packs: Option<usize>) -> impl Strategy<Value = String> {
    let rank = dims.len();
    let order = Just((0..rank).collect::<Vec<_>>()).prop_shuffle();
    let entry = prop_oneof![4 => (1..6_usize).prop_map(Some), 2 => Just(Some(8)), 1 => Just(Some(16)), 1 => Just(None)];
    let tile = prop::collection::vec(entry, 1..4);
    let known = prop::sample::select(vec![
        "T(8,128)",
        "T(8,128)(2,1)",
        "T(8,128)(4,1)",
        "T(4,6)(2,3)",
        "T(16)",
        "T(3,5)",
        "T(2,4)(2,1)",
        "T(*,4)",
        "T(2,*,3)",
        "T(4)(6)",
        "T(256)(128)(2,1)",
        "T(128)",
    ]);
    let tiles = prop_oneof![
        3 => Just(String::new()),
        3 => known.prop_map(str::to_owned),
        2 => prop::collection::vec(tile, 1..3).prop_map(|tiles| {
            let entries = |tile: Vec<Option<usize>>| {
                let last = tile.len() - 1;
                let text = |(k, entry): (usize, &Option<usize>)| match entry {
                    None if k < last => "*".to_owned(),
                    entry => entry.unwrap_or(2).to_string(),
                };
                let texts: Vec<_> = tile.iter().enumerate().map(text).collect();
                format!("({})", texts.join(","))
            };
            let tiles: Vec<_> = tiles.into_iter().map(entries).collect();
            format!("T{}", tiles.concat())
        }),
    ];
    let padded = prop::collection::vec(0..4_usize, rank);
    let bits = match packs {
        None => Just(String::new()).boxed(),
        Some(bits) => prop_oneof![
            2 => Just(String::new()),
            3 => Just(format!("E({bits})")),
            1 => prop::sample::select(vec!["E(8)", "E(16)", "E(7)", "E(32)"]).prop_map(str::to_owned),
        ]
        .boxed(),
    };
    let tail = prop_oneof![5 => Just(String::new()), 1 => Just("L(7)".to_owned()), 1 => Just("L(64)".to_owned())];
    (order, tiles, padded, bits, tail, 0..8_u8).prop_map(
        move |(order, tiles, padded, bits, tail, kind)| {
            let order: Vec<_> = order.iter().map(usize::to_string).collect();
            if kind == 0 && bits.is_empty() && rank > 0 {
                let widths: Vec<_> = dims
                    .iter()
                    .zip(&padded)
                    .map(|(size, more)| (size + more).to_string())
                    .collect();
                return format!(
                    "<{}>, padded_dimensions = [{}]",
                    order.join(","),
                    widths.join(", ")
                );
            }
            let attributes = format!("{tiles}{tail}{bits}");
            let colon = if attributes.is_empty() { "" } else { ":" };
            format!("{{{}{colon}{attributes}}}", order.join(","))
        },
    )
}

/// Two layouts of one array with at most `most` places each.
pub(crate) fn pairs(most: usize) -> impl Strategy<Value = (DynLayout, DynLayout)> {
    let types = prop::sample::select(vec![
        ("u8", None),
        ("pred", Some(1)),
        ("bf16", None),
        ("f32", None),
        ("f64", None),
        ("c128", None),
        ("s4", Some(4)),
        ("u2", Some(2)),
        ("u1", Some(1)),
        ("u16", None),
        ("f32", None),
    ]);
    let dims = (0..9_usize).prop_flat_map(|rank| {
        let most = [1, 700, 90, 24, 12, 8, 5, 4, 3][rank];
        prop::collection::vec(
            prop_oneof![1 => Just(1), 12 => 1..=most, 4 => Just(8.min(most)), 2 => Just(16.min(most))],
            rank,
        )
    });
    let dims = (dims, 0..40_u8).prop_map(|(mut dims, zero)| {
        if zero == 0
            && let Some(size) = dims.last_mut()
        {
            *size = 0;
        }
        dims
    });
    (types, dims)
        .prop_flat_map(|((name, packs), dims)| {
            let numbers: Vec<_> = dims.iter().map(usize::to_string).collect();
            let shape = format!("{name}[{}]", numbers.join(","));
            (
                Just(shape),
                layout(dims.clone(), packs),
                layout(dims, packs),
            )
        })
        .prop_filter_map("too large", move |(shape, a, b)| {
            let read = |layout: &str| format!("{shape}{layout}").parse::<DynLayout>().ok();
            let a = read(&a)?;
            let b = read(&b)?;
            (a.buffer_len() <= most && b.buffer_len() <= most).then_some((a, b))
        })
}

/// Small arrays in the tiles that processors use, of other kinds on both sides: here tables of a
/// few elements, cells of several and panels meet.
pub(crate) fn tiled_pairs() -> impl Strategy<Value = (DynLayout, DynLayout)> {
    let types = prop::sample::select(vec!["u8", "u16", "u32"]);
    let size = || prop::sample::select(vec![2, 3, 4, 5, 8, 9, 12, 16, 24, 40]);
    let side = || {
        let sequence = prop::sample::select(vec!["1,0", "0,1"]);
        let outer = prop::sample::select(vec!["(8,128)", "(8,32)", "(4,4)", "(4,1)", "(2,4)"]);
        let inner = prop::sample::select(vec!["", "(2,1)", "(4,1)", "(4,2)"]);
        (sequence, outer, inner)
            .prop_map(|(sequence, outer, inner)| format!("{{{sequence}:T{outer}{inner}}}"))
    };
    (types, size(), size(), side(), side()).prop_map(|(name, rows, columns, a, b)| {
        let read = |layout: &str| {
            let text = format!("{name}[{rows},{columns}]{layout}");
            text.parse::<DynLayout>().unwrap()
        };
        (read(&a), read(&b))
    })
}

/// Says what a test leaves out, also if it passes.
pub(crate) fn left_out(what: &str) {
    use std::io::Write;
    // The macros write into the output of a test, which is shown if it fails.
    let said = writeln!(std::io::stderr(), "LEFT OUT: {what}");
    said.expect("the standard error output can be written to");
}

/// How many cases: fewer without optimisation, and under tools that make everything slow.
pub(crate) fn config() -> ProptestConfig {
    let cases = std::env::var("RELAYOUT_CASES").ok();
    let usual = if cfg!(debug_assertions) { 40 } else { 200 };
    ProptestConfig {
        cases: cases.and_then(|cases| cases.parse().ok()).unwrap_or(usual),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
