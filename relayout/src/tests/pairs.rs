//! Random pairs of layouts against a copy bit by bit: by all kernels, streamed and not, on all
//! alignments, there and back.

use std::prelude::v1::*;

use proptest::prelude::*;
use xlayout_core::{ArrayLayout, DynLayout};

use super::support::{self, Buffer, bytes, naive, pairs, tiled_pairs};
use super::{choices_of, with_all_instructions};
use crate::{Plan, RelayoutError};

/// The bytes of stack that each copy is tested with, in debug builds, too.
const STACK: usize = 512 * 1024;

/// Copies by a plan and bit by bit, and compares the whole destination with its surroundings.
fn check(src: &DynLayout, dst: &DynLayout, offsets: (usize, usize)) -> Vec<u8> {
    let plan = Plan::new(src, dst).unwrap();
    let input = bytes(src.bytes());
    let before = vec![0x5a; dst.bytes()];
    let mut expected = before.clone();
    naive(src, dst, &input, &mut expected);
    let case = format!("{src:?} -> {dst:?} at {offsets:?}: {plan}");
    with_all_instructions(|by| {
        for choice in choices_of(&plan) {
            let plan = plan.clone().with(choice);
            let mut from = Buffer::new(&input, offsets.0);
            let mut to = Buffer::new(&before, offsets.1);
            plan.run_bytes(from.get(input.len()), to.get(before.len()))
                .unwrap();
            assert!(
                to.checked(before.len()) == expected,
                "{by:?} {choice:?} {case}"
            );
            // Without anything around: for tools that see every byte, which run a release.
            if cfg!(debug_assertions) {
                continue;
            }
            let mut from = Buffer::exact(&input);
            let mut to = Buffer::exact(&before);
            plan.run_bytes(from.get(input.len()), to.get(before.len()))
                .unwrap();
            assert!(
                to.checked(before.len()) == expected,
                "exact {by:?} {choice:?} {case}"
            );
        }
    });
    for most in [1, 2, 3, 7, 1000] {
        let mut found = before.clone();
        let chunks: Vec<_> = plan
            .chunks_bytes(&input, &mut found, most)
            .unwrap()
            .collect();
        assert_eq!(
            chunks.iter().map(|chunk| chunk.bytes()).sum::<usize>(),
            plan.bytes(),
            "{case}"
        );
        // From the last to the first: their sequence does not matter.
        chunks.into_iter().rev().for_each(|chunk| chunk.run());
        assert!(found == expected, "{most} chunks {case}");
    }
    expected
}

/// Runs in a thread with a small stack: the kernels' buffers and registers fit into it, also
/// without optimisation.
fn with_small_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, run).unwrap();
        thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Where the buffers begin behind a line: the destination often at one, as some strategies ask for.
fn offsets() -> impl Strategy<Value = (usize, usize)> {
    (0..64_usize, prop_oneof![Just(0), 0..64_usize])
}

proptest! {
    #![proptest_config(support::config())]

    #[test]
    fn random_pairs((a, b) in pairs(20_000), offsets in offsets()) {
        match Plan::new(&a, &b) {
            // `E(7)` of a type that has 8 bits, and of another width on the other side.
            Err(RelayoutError::Narrow { .. }) => prop_assert_ne!(a.element_bits(), b.element_bits()),
            Err(error) => prop_assert!(false, "{}", error),
            Ok(_) => {
                let there = with_small_stack(|| {
                    check(&b, &a, offsets);
                    check(&a, &b, offsets)
                });
                // Law 5: there and back is the identity.
                let narrow = b.element_bits().min(a.element_bits());
                if narrow >= a.element_type().bits().unwrap() as usize && a.element_bits() <= narrow {
                    let mut back = vec![0x5a; a.bytes()];
                    Plan::new(&b, &a).unwrap().run_bytes(&there, &mut back).unwrap();
                    let mut elements = vec![0x5a; a.bytes()];
                    naive(&a, &a, &bytes(a.bytes()), &mut elements);
                    prop_assert_eq!(back, elements);
                }
            }
        }
    }

    #[test]
    fn tiles_on_both_sides((a, b) in tiled_pairs(), offsets in offsets()) {
        with_small_stack(|| {
            check(&a, &b, offsets);
            check(&b, &a, offsets);
        });
    }

    /// Chunks may run at the same time.
    #[test]
    fn chunks_share_no_byte((a, b) in pairs(20_000)) {
        if let Ok(plan) = Plan::new(&a, &b) {
            support::check_chunks(&plan);
        }
    }

    /// Only padding is filled, and all of it.
    #[test]
    fn padding_is_filled((a, b) in pairs(20_000)) {
        let Ok(plan) = Plan::new(&a, &b) else { return Ok(()) };
        let plan = match b.element_bits().div_ceil(8) {
            1 => plan.fill_padding(if b.element_bits() == 8 { 0x3c_u8 } else { 1 }),
            2 => plan.fill_padding(0x1234_u16),
            4 => plan.fill_padding(0x1234_5678_u32),
            8 => plan.fill_padding(0x1234_5678_9abc_def0_u64),
            _ => return Ok(()),
        };
        if b.element_type().name() == "pred" && b.element_bits() == 8 {
            let refused = matches!(plan, Err(RelayoutError::NotPred { .. }));
            prop_assert!(refused);
            return Ok(());
        }
        let plan = plan.unwrap();
        let bits = b.element_bits();
        let value: u64 = match bits.div_ceil(8) {
            1 if bits == 8 => 0x3c,
            1 => 1,
            2 => 0x1234,
            4 => 0x1234_5678,
            _ => 0x1234_5678_9abc_def0,
        };
        let input = bytes(a.bytes());
        let mut expected = vec![0x5a; b.bytes()];
        for place in 0..b.buffer_len() {
            for bit in 0..bits {
                support::set_bit(&mut expected, place * bits + bit, value >> bit & 1 == 1);
            }
        }
        naive(&a, &b, &input, &mut expected);
        let mut found = vec![0x5a; b.bytes()];
        plan.run_bytes(&input, &mut found).unwrap();
        prop_assert_eq!(&found, &expected, "{:?} -> {:?}", a, b);
        let mut found = vec![0x5a; b.bytes()];
        for chunk in plan.chunks_bytes(&input, &mut found, 3).unwrap() {
            chunk.run();
        }
        prop_assert_eq!(&found, &expected);
    }
}

/// Packed rows of an odd length: the last element of one shares a byte with the first element of
/// the next one.
#[test]
fn chunks_of_packed_rows_share_no_byte() {
    for (element_type, bits) in [("u4", 4), ("u2", 2), ("u1", 1)] {
        for (from, to) in [
            ("{1,0", "{0,1:"),
            ("{0,1", "{1,0:"),
            ("{1,0:T(4)", "{0,1:T(3)"),
        ] {
            let read = |layout: &str| {
                format!("{element_type}[301,{}]{layout}", 403 / bits)
                    .parse::<DynLayout>()
                    .unwrap()
            };
            let plan = Plan::new(
                &read(&format!("{from}}}")),
                &read(&format!("{to}E({bits})}}")),
            )
            .unwrap();
            assert!(plan.bytes() > 4096);
            support::check_chunks(&plan);
        }
    }
}

/// So few elements that a table copies them, in tiles that pair rows on one side and columns on the
/// other: larger arrays of these layouts move cells of several elements.
#[test]
fn few_elements_in_cells() {
    for (a, b) in [
        (
            "u16[16,4]{0,1:T(8,128)(2,1)}",
            "u16[16,4]{1,0:T(8,128)(2,1)}",
        ),
        (
            "u16[16,5]{0,1:T(8,128)(2,1)}",
            "u16[16,5]{1,0:T(8,128)(2,1)}",
        ),
        ("u16[10,12]{0,1:T(2,4)}", "u16[10,12]{1,0:T(4,2)(2,1)}"),
        (
            "u8[11,7]{1,0:T(16,128)(4,1)}",
            "u8[11,7]{0,1:T(8,128)(2,1)}",
        ),
    ] {
        let (a, b): (DynLayout, DynLayout) = (a.parse().unwrap(), b.parse().unwrap());
        check(&a, &b, (0, 0));
        check(&b, &a, (2, 6));
    }
}

/// Arrays above the size from which on the cache is bypassed, by themselves.
#[test]
fn large_arrays() {
    // Under valgrind and without optimisation they take minutes; `choices` and `machines` send
    // small arrays the same way.
    if cfg!(debug_assertions) || std::env::var_os("RELAYOUT_SMALL").is_some() {
        support::left_out(
            "copies of large arrays; `cargo test --release -p xlayout-relayout` has them",
        );
        return;
    }
    for (a, b) in [
        ("f32[700,900]{1,0}", "f32[700,900]{0,1}"),
        ("u8[1200,1100]{1,0}", "u8[1200,1100]{0,1}"),
        ("bf16[1030,700]{1,0}", "bf16[1030,700]{1,0:T(8,128)(2,1)}"),
        ("u8[400,1000,3]{2,1,0}", "u8[400,1000,3]{1,0,2}"),
        ("f32[64,3,50,60]{3,2,1,0}", "f32[64,3,50,60]{1,3,2,0}"),
        ("u4[1500,900]{1,0:E(4)}", "u4[1500,900]{1,0}"),
        (
            "u4[600,901]{1,0:E(4)}",
            "u4[600,901]{1,0:T(8,128)(8,1)E(4)}",
        ),
        ("f32[1000,300]{1,0:T(6,10)}", "f32[1000,300]{1,0:T(4,8)}"),
    ] {
        let (a, b): (DynLayout, DynLayout) = (a.parse().unwrap(), b.parse().unwrap());
        for offsets in [(0, 0), (4, 12), (1, 63)] {
            check(&a, &b, offsets);
            check(&b, &a, offsets);
        }
    }
}

/// Arrays whose columns begin at lines of the destination, in all widths: whole blocks, and blocks
/// that are cut off at both edges.
#[test]
fn columns_at_lines() {
    for (shape, from, to) in [
        ("f32[48,35]", "{1,0}", "{0,1}"),
        ("f32[37,50]", "{1,0}", "<0,1>, padded_dimensions = [48, 50]"),
        (
            "u8[130,70]",
            "{1,0}",
            "<0,1>, padded_dimensions = [192, 70]",
        ),
        ("u8[128,131]", "{1,0}", "{0,1}"),
        ("u16[64,100]", "{1,0}", "{0,1}"),
        ("f64[24,9]", "{1,0}", "{0,1}"),
        ("f64[19,17]", "{1,0}", "<0,1>, padded_dimensions = [24, 17]"),
        ("c128[12,7]", "{1,0}", "{0,1}"),
        ("c128[20,9,2]", "{2,1,0}", "{2,0,1}"),
        // Its rows are 512 bytes apart, and its columns are longer than a strip.
        ("c128[37,32]", "{1,0}", "{0,1}"),
        ("f32[4,8,5,6,33]", "{4,3,2,1,0}", "{1,0,4,3,2}"),
        ("u16[64,256]", "{1,0:T(8,128)(2,1)}", "{0,1:T(8,128)(2,1)}"),
    ] {
        let read = |layout| format!("{shape}{layout}").parse::<DynLayout>().unwrap();
        let a = read(from);
        let b = read(to);
        for offsets in [(0, 0), (3, 0), (7, 40), (1, 1)] {
            with_small_stack(|| {
                check(&a, &b, offsets);
                check(&b, &a, offsets);
            });
        }
    }
}

/// More columns than one band has, which begin anywhere in a line: lines that the tiles above left
/// over wait until the tiles of all columns were copied.
#[test]
fn columns_of_two_bands() {
    let read = |layout| {
        let text = format!("u8[133,1030]{layout}");
        text.parse::<DynLayout>().unwrap()
    };
    for offsets in [(0, 0), (1, 1)] {
        with_small_stack(|| check(&read("{1,0}"), &read("{0,1}"), offsets));
    }
}

/// Columns shorter than a line that are put together to one run and to several, in more than one
/// panel, and panels that end inside a run; runs of bytes whose rows have two loops, in more than
/// one band; a few rows and columns of an interleave that are too short for one; and panels of
/// fewer columns than a line has, in whole lanes and others.
#[test]
fn short_columns_and_runs() {
    for (src, order) in [
        ("u32[2,5,40,4]", "{1,2,3,0}"),
        ("u32[5,3,7,30]", "{0,3,2,1}"),
        ("u8[6,8,50,8]", "{0,1,2,3}"),
        ("u16[11,9,3,40]", "{0,2,1,3}"),
        ("u16[30,300]", "{0,1}"),
        ("u64[5,9,16]", "{0,1,2}"),
        ("u64[7,3,17]", "{0,2,1}"),
        ("c128[3,40,5]", "{0,1,2}"),
        ("u8[9,4,60,20,7]", "{4,1,2,0,3}"),
        ("u8[5,90,40,3]", "{3,0,1,2}"),
        ("u8[400,21,3]", "{2,0,1}"),
        ("u16[9,4,70,7]", "{1,3,0,2}"),
        ("u16[70,9,7,4]", "{2,0,3,1}"),
        ("u8[3,20,3,60,5]", "{2,4,1,3,0}"),
        ("u32[10,3,50,3]", "{1,3,0,2}"),
        ("u8[2,200,16]", "{1,2,0}"),
        ("u8[192,20]", "{0,1}"),
        ("u16[96,4,4]", "{0,1,2}"),
        ("u16[2,40,5,2,24]", "{2,3,1,4,0}"),
        ("u32[2,60,5,2,8]", "{2,3,1,4,0}"),
        ("u32[3,65,12]", "{1,2,0}"),
        ("u64[3,100,6]", "{1,2,0}"),
    ] {
        let from: DynLayout = src.parse().unwrap();
        let to: DynLayout = format!("{src}{order}").parse().unwrap();
        with_small_stack(|| check(&from, &to, (0, 3)));
        with_small_stack(|| check(&from, &to, (3, 0)));
    }
}

/// Rows of packed elements become columns: whole tiles of them, tiles that are cut off, and columns
/// or rows that begin inside a byte.
#[test]
fn packed_rows_become_columns() {
    for (element_type, bits) in [("u4", 4), ("u2", 2), ("u1", 1)] {
        for (rows, columns) in [(16, 16), (130, 17), (129, 136)] {
            let read = |layout: &str| {
                let text = format!("{element_type}[{rows},{columns}]{layout}");
                text.parse::<DynLayout>().unwrap()
            };
            let a = read("{1,0}");
            let b = read("{0,1}");
            let packed_a = read(&format!("{{1,0:E({bits})}}"));
            let packed_b = read(&format!("{{0,1:E({bits})}}"));
            for (src, dst) in [(&a, &packed_b), (&packed_a, &b), (&packed_a, &packed_b)] {
                check(src, dst, (0, 0));
                check(dst, src, (3, 5));
            }
        }
        // Several loops on each side, whole bytes or not, and groups of rows that are not whole:
        // all of them where the code is optimised.
        let groups: &[usize] = if cfg!(debug_assertions) {
            &[24, 21]
        } else {
            &[24, 23, 21, 17]
        };
        for (rows, tiles) in groups.iter().flat_map(|rows| {
            [
                "{1,0:T(8,32)E}",
                "{0,1:T(8,32)E}",
                "{1,0:T(8,32)(4,1)E}",
                "{1,0:T(8,32)(8,1)E}",
                "{1,0:T(8,6)E}",
                "{1,0:T(1,71)E}",
            ]
            .map(|tiles| (rows, tiles))
        }) {
            let read = |layout: &str| {
                let text = format!("{element_type}[{rows},70]{layout}");
                let packed = text.replace('E', &format!("E({bits})"));
                packed.parse::<DynLayout>().unwrap()
            };
            let tiled = read(tiles);
            for other in [
                "{1,0}",
                "{0,1}",
                "{1,0:E}",
                "{0,1:E}",
                "{0,1:T(8,16)(8,1)E}",
            ]
            .map(read)
            {
                check(&other, &tiled, (0, 0));
                check(&tiled, &other, (3, 5));
            }
        }
    }
}

/// Rows in turn, a power of two of them and others: several registers of each, and what is left.
#[test]
fn rows_in_turn() {
    for (shape, tiled) in [
        ("u8[6,400]", "{1,0:T(6,400)(2,1)}"),
        ("u8[32,256]", "{1,0:T(32,128)(4,1)}"),
        ("u8[16,90]", "{1,0:T(16,90)(8,1)}"),
        ("u8[9,70]", "{1,0:T(9,70)(3,1)}"),
        ("u16[16,256]", "{1,0:T(8,128)(2,1)}"),
        ("u16[8,99]", "{1,0:T(8,99)(4,1)}"),
        ("f32[16,300]", "{1,0:T(8,100)(2,1)}"),
        ("f32[9,77]", "{1,0:T(9,77)(3,1)}"),
        // With elements of padding between the groups.
        ("u8[6,400]", "{1,0:T(8,128)(4,1)}"),
        ("u8[3,2100]", "{1,0:T(4,128)(4,1)}"),
        ("u8[7,300]", "{1,0:T(8,128)(8,1)}"),
        ("u8[13,90]", "{1,0:T(16,90)(8,1)}"),
        ("u16[3,400]", "{1,0:T(4,128)(4,1)}"),
        ("f32[4,100]", "{1,0:T(3,100)(3,1)}"),
    ] {
        let read = |layout: &str| format!("{shape}{layout}").parse::<DynLayout>().unwrap();
        let a = read("{1,0}");
        let b = read(tiled);
        for offsets in [(0, 0), (5, 0), (1, 63)] {
            check(&a, &b, offsets);
            check(&b, &a, offsets);
        }
    }
}

/// Panels of a few rows or columns, with two loops on the other side.
#[test]
fn panels_whose_first_loop_is_short() {
    for (shape, from, to) in [
        ("u8[12,1300]", "{0,1}", "{1,0:T(512)(128)(4,1)}"),
        ("u8[5,3,1300]", "{1,2,0}", "{2,1,0:T(512)(128)(4,1)}"),
        ("u8[2,7,700]", "{1,2,0}", "{0,2,1}"),
        ("u16[12,1300]", "{0,1}", "{1,0:T(512)(128)(2,1)}"),
        ("u16[4,7,101]", "{1,2,0}", "{0,2,1}"),
        ("f32[2,3,401]", "{1,2,0}", "{0,2,1}"),
        ("u4[12,1300]", "{0,1:E(4)}", "{1,0:T(512)(128)(4,1)E(4)}"),
    ] {
        let read = |layout: &str| format!("{shape}{layout}").parse::<DynLayout>().unwrap();
        let a = read(from);
        let b = read(to);
        for offsets in [(0, 0), (5, 0), (1, 63)] {
            check(&a, &b, offsets);
            check(&b, &a, offsets);
        }
    }
}

/// Single elements and short rows with gaps on both sides: tiles of them, whole and cut off.
#[test]
fn elements_with_gaps_become_columns() {
    for (shape, from, to) in [
        (
            "u16[33,1,150]",
            "{0,1,2:T(8,128)(2,1)}",
            "{2,1,0:T(8,128)(2,1)}",
        ),
        (
            "u8[20,1,301]",
            "{0,1,2:T(1,128)(4,1)}",
            "{2,1,0:T(1,512)(4,1)}",
        ),
        (
            "f32[21,1,37]",
            "{0,1,2:T(8,128)(2,1)}",
            "{2,1,0:T(8,128)(2,1)}",
        ),
        ("u8[150,20]", "{0,1}", "{1,0:T(512)(128)(4,1)}"),
        (
            "u8[20,3,40]",
            "{0,1,2:T(8,128)(4,1)}",
            "{2,1,0:T(8,128)(4,1)}",
        ),
        (
            "u16[20,3,40]",
            "{0,1,2:T(8,128)(4,1)}",
            "{2,1,0:T(8,128)(4,1)}",
        ),
        (
            "u8[9,7,21]",
            "{0,1,2:T(8,128)(8,1)}",
            "{2,1,0:T(8,128)(8,1)}",
        ),
    ] {
        let read = |layout: &str| format!("{shape}{layout}").parse::<DynLayout>().unwrap();
        let a = read(from);
        let b = read(to);
        check(&a, &b, (0, 0));
        check(&b, &a, (3, 5));
    }
}

/// Runs of all kinds of lengths below a line trade places: words beyond a run are written first,
/// and must not be seen afterwards.
#[test]
fn short_runs_trade_places() {
    for run in [3, 5, 6, 7, 9, 12, 15, 17, 24, 31, 33, 40, 48, 49, 63] {
        for (rows, columns) in [(2, 2), (3, 40), (7, 5), (18, 6), (33, 18)] {
            let read = |layout: &str| {
                let text = format!("u8[{rows},{columns},{run}]{layout}");
                text.parse::<DynLayout>().unwrap()
            };
            check(&read("{2,1,0}"), &read("{2,0,1}"), (1, 7));
        }
    }
    // More loops outside, and padding between the columns.
    for (from, to) in [
        ("f32[3,6,5,3]{3,2,1,0}", "f32[3,6,5,3]{3,1,2,0}"),
        ("f32[6,2,5,3]{3,2,1,0}", "f32[6,2,5,3]{3,0,1,2}"),
        ("u8[10,6,3]{2,1,0:T(1,3)}", "u8[10,6,3]{2,0,1:T(4,3)}"),
    ] {
        check(&from.parse().unwrap(), &to.parse().unwrap(), (0, 0));
    }
}
