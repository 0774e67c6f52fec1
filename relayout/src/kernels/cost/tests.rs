//! Which strategy is chosen for which array, on machines of several sizes of caches.

use alloc::format;

use xlayout_core::DynLayout;

use super::{Along, Choice, Strategy, estimate, fits, lines};
use crate::Plan;
use crate::machine::Machine;
use crate::machine::simulated::ZEN_4;
use crate::way::Way;

fn estimated(a: &str, b: &str, aligned: bool, machine: Machine) -> Choice {
    let (a, b): (DynLayout, DynLayout) = (a.parse().unwrap(), b.parse().unwrap());
    let plan = Plan::new(&a, &b).unwrap();
    let Way::Task(task, _) = &plan.way else {
        panic!("one nest");
    };
    let choice = estimate(task, aligned && task.keeps_lines, plan.bytes(), machine);
    assert!(
        fits(choice, task, aligned && task.keeps_lines),
        "{choice:?}"
    );
    choice
}

/// The strategy for each size relative to the caches, for each alignment of columns, and for each
/// width. The second cache has 1 MiB, the last one 32 MiB.
#[test]
fn every_strategy_is_chosen() {
    for (shape, aligned, expected, past) in [
        ("u8[11,13]", true, Strategy::Blocks(Along::Columns), false),
        ("f32[12,12]", true, Strategy::Blocks(Along::Columns), false),
        ("f32[60,60]", true, Strategy::Blocks(Along::Rows), false),
        ("u8[2000,7]", true, Strategy::Pack, false),
        ("f32[1024,1040]", true, lines(8, 2, true), true),
        ("f32[4096,1040]", true, lines(8, 2, true), true),
        ("u8[4096,4096]", true, lines(8, 4, false), true),
        ("u16[4096,4096]", true, lines(8, 4, false), true),
        ("f32[1024,1040]", false, lines(16, 2, true), false),
        ("f32[3001,1001]", true, lines(4, 2, true), true),
        ("f32[4096,1040]", false, lines(4, 2, true), true),
        ("f32[5,999999]", true, Strategy::Pack, true),
    ] {
        let a = format!("{shape}{{1,0}}");
        let b = format!("{shape}{{0,1}}");
        let found = estimated(&a, &b, aligned, ZEN_4);
        assert_eq!((found.strategy, found.past), (expected, past), "{shape}");
    }
    // Of two loops on each side, the innermost ones may hold a block.
    for (shape, expected) in [
        ("u8[8,3,5,9]", Strategy::Elements),
        ("f64[4,4,4,4]", Strategy::Blocks(Along::Columns)),
        ("f64[3,4,4,4]", Strategy::Elements),
    ] {
        let a = format!("{shape}{{3,2,1,0}}");
        let b = format!("{shape}{{0,1,2,3}}");
        let found = estimated(&a, &b, true, ZEN_4);
        assert_eq!(found.strategy, expected, "{shape}");
    }
}

/// Images of three channels are written past the cache if both sides do not fit into it.
#[test]
fn small_images_stay_in_the_last_cache() {
    for (image, past) in [
        ("u8[8,224,224,3]", false),
        ("f32[8,224,224,3]", false),
        ("f32[32,224,224,3]", true),
    ] {
        let a = format!("{image}{{3,2,1,0}}");
        let b = format!("{image}{{2,1,3,0}}");
        assert_eq!(estimated(&a, &b, true, ZEN_4).past, past, "{image}");
        // A last cache of unknown size may be too small for anything.
        let unknown = Machine {
            last_cache: 0,
            ..ZEN_4
        };
        assert!(estimated(&a, &b, true, unknown).past, "{image}");
    }
}

/// The number of threads for a copy if starting a thread takes 50 microseconds.
#[cfg(feature = "std")]
#[test]
fn threads_have_more_work_than_their_start_takes() {
    use super::threads::{STARTED, Work, nanoseconds, worth};

    let of = |work, bytes: usize, most| {
        let time = nanoseconds(work, bytes, bytes / 4, ZEN_4);
        worth(most, time, STARTED)
    };
    // Zen 5 gains 1.3 at 8 MiB, and loses a fifth at 4 MiB.
    assert_eq!(of(Work::Panels, 4 << 20, 2), 1);
    assert_eq!(of(Work::Panels, 8 << 20, 2), 2);
    // Copies of runs take less time: 16 MiB are worth a second thread.
    assert_eq!(of(Work::Runs, 8 << 20, 2), 1);
    assert_eq!(of(Work::Runs, 32 << 20, 2), 2);
    // Copies with more work for each element are worth a thread earlier.
    assert_eq!(of(Work::General, 1 << 20, 2), 2);
    assert_eq!(of(Work::Bits, 16 << 20, 2), 2);
    // At most the allowed threads, and at most those that have work.
    assert_eq!(of(Work::Panels, 1 << 30, 3), 3);
    assert_eq!(of(Work::Panels, 64 << 20, 1000), 30);
    assert!(of(Work::General, usize::MAX, usize::MAX) > 1000);
    assert_eq!(of(Work::Runs, 0, 8), 1);
    // A processor that does not report the size of its last cache: 5 MiB may fit into it.
    let unknown = Machine {
        last_cache: 0,
        ..ZEN_4
    };
    let time = nanoseconds(Work::Panels, 5 << 20, 5 << 18, unknown);
    assert_eq!(worth(2, time, STARTED), 1);
    // The copies in the test of threads and parts are worth two threads.
    let time = nanoseconds(Work::Elements, 3_600_000, 1_800_000, ZEN_4);
    assert_eq!(worth(2, time, STARTED), 2);
}

fn task(a: &str, b: &str) -> crate::kernels::task::Task {
    let (a, b): (DynLayout, DynLayout) = (a.parse().unwrap(), b.parse().unwrap());
    match &Plan::new(&a, &b).unwrap().way {
        Way::Task(task, _) => *task,
        _ => panic!("one nest"),
    }
}

/// Runs of 128 bytes whose neighbours are far away on the other side are copied in tiles.
#[test]
fn short_runs_are_copied_in_tiles() {
    let to = "{0,4,2,1,3}";
    for (dims, tiled) in [
        ("64,48,28,28,48", true),
        ("32,48,28,28,48", true),
        // Runs of 64 bytes are collected.
        ("16,48,28,28,48", false),
    ] {
        let from = format!("f32[{dims}]{{0,1,2,3,4}}");
        assert_eq!(
            task(&from, &format!("f32[{dims}]{to}")).tiled,
            tiled,
            "{dims}"
        );
    }
}

/// Arrays of at most two lines are permuted in two registers.
#[cfg(target_arch = "x86_64")]
#[test]
fn arrays_of_two_lines_have_a_table() {
    for (dims, line, two) in [
        ("f64[2,4]", true, true),
        ("f64[3,5]", false, true),
        ("u16[7,9]", false, true),
        ("f64[4,4]", false, true),
        ("f64[3,6]", false, false),
        ("f64[8,8]", false, false),
    ] {
        let tiny = task(&format!("{dims}{{1,0}}"), &format!("{dims}{{0,1}}")).tiny;
        assert_eq!((tiny.is_line(), tiny.written[0] > 0), (line, two), "{dims}");
    }
}
