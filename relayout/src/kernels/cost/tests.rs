//! Which strategy is chosen for which array, on machines of several sizes of caches.

use alloc::format;

use xlayout_core::DynLayout;

use super::{Along, Shape, Strategy, Walk, estimate, fits};
use crate::Plan;
use crate::machine::Machine;
use crate::machine::simulated::{
    XEON as LARGE_CACHES, ZEN_4 as SMALL_FIRST_CACHE, ZEN_5 as SMALL_CACHES,
};
use crate::way::Way;

fn estimated(a: &str, b: &str, aligned: bool, machine: Machine) -> Strategy {
    let (a, b): (DynLayout, DynLayout) = (a.parse().unwrap(), b.parse().unwrap());
    let plan = Plan::new(&a, &b).unwrap();
    let Way::Task(task) = plan.way() else {
        panic!("one nest");
    };
    let choice = estimate(task, aligned && task.keeps_lines, plan.bytes(), machine);
    assert!(
        fits(choice, task, aligned && task.keeps_lines),
        "{choice:?}"
    );
    choice.strategy
}

/// Each strategy is chosen for some array, on the machines that it is for.
#[test]
fn every_strategy_is_chosen() {
    let large = ("f32[4096,1040]{1,0}", "f32[4096,1040]{0,1}");
    let far = ("f32[1040,8192]{1,0}", "f32[1040,8192]{0,1}");
    let narrow = ("u8[8192,4096]{1,0}", "u8[8192,4096]{0,1}");
    let uneven = ("f32[3001,3000]{1,0}", "f32[3001,3000]{0,1}");
    let tiles = ("f32[4096,1024]{1,0:T(8,128)}", "f32[4096,1024]{0,1}");
    let few = ("f32[64,100000]{1,0}", "f32[64,100000]{0,1}");
    let of = |(a, b), aligned, machine| estimated(a, b, aligned, machine);
    for (arrays, rows, columns, direct, walk) in [
        (large, 128, 16, true, Walk::Rows),
        (far, 128, 32, true, Walk::Right),
        (narrow, 512, 64, false, Walk::Columns),
        (tiles, 32, 64, true, Walk::Down),
        (few, 64, 128, true, Walk::Right),
    ] {
        let shape = Shape {
            rows,
            columns,
            direct,
            walk,
        };
        let strategy = of(arrays, true, SMALL_CACHES);
        assert_eq!(strategy, Strategy::Lines(shape), "{arrays:?}");
    }
    for (arrays, aligned) in [(uneven, true), (large, false)] {
        let strategy = of(arrays, aligned, SMALL_CACHES);
        assert!(matches!(strategy, Strategy::Finish(_)), "{strategy:?}");
    }
    for arrays in [large, far, narrow, uneven] {
        assert_eq!(of(arrays, true, LARGE_CACHES), Strategy::Pack);
    }
    let packed = ("f32[256,256]{1,0}", "f32[256,256]{0,1}");
    assert_eq!(of(packed, true, LARGE_CACHES), Strategy::Pack);
    for (a, b, expected) in [
        (
            "f32[12,12]{1,0}",
            "f32[12,12]{0,1}",
            Strategy::Blocks(Along::Columns),
        ),
        (
            "f32[60,60]{1,0}",
            "f32[60,60]{0,1}",
            Strategy::Blocks(Along::Rows),
        ),
        (
            "u8[1000,3000]{1,0}",
            "u8[1000,3000]{0,1}",
            Strategy::Blocks(Along::Rows),
        ),
        ("f32[3,5]{1,0}", "f32[3,5]{0,1}", Strategy::Elements),
    ] {
        assert_eq!(of((a, b), true, SMALL_CACHES), expected, "{a} -> {b}");
    }
}

/// A first cache of 32 KiB has no room for what is prefetched: tiles that prefetch into the second one, of
/// fewer rows the fewer of them stay there.
#[test]
fn small_first_caches_are_left_to_the_tile() {
    let through = |rows, columns| {
        Strategy::Lines(Shape {
            rows,
            columns,
            direct: true,
            walk: Walk::Right,
        })
    };
    let staged = |rows, columns| {
        Strategy::Lines(Shape {
            rows,
            columns,
            direct: false,
            walk: Walk::Down,
        })
    };
    for (shape, expected) in [
        ("f32[4096,4096]", through(128, 32)),
        // From one row to the next: 128 KiB, which leaves room for 8 rows of a column.
        ("f32[512,32768]", through(32, 64)),
        ("f64[512,16384]", through(16, 32)),
        // Narrow elements, with and without collisions.
        ("u16[4096,4096]", staged(64, 128)),
        ("u8[4096,4096]", staged(64, 128)),
        ("u16[4096,4128]", through(128, 64)),
        ("u8[4096,4160]", through(256, 128)),
        // Rows of 3 lines, and of 5, are one tile wide; of 9 they are three.
        ("f32[65536,48]", through(64, 48)),
        ("f32[65536,80]", through(64, 80)),
        ("f32[65536,144]", through(64, 48)),
        // Bands of equal height.
        ("f32[288,65552]", through(144, 32)),
        // Columns that begin anywhere.
        ("f32[3001,3003]", Strategy::Finish(Shape::finish(64, 256))),
        ("u8[5001,8003]", Strategy::Finish(Shape::finish(64, 256))),
        ("f32[1001,16384]", Strategy::Finish(Shape::finish(16, 256))),
    ] {
        let (a, b) = (format!("{shape}{{1,0}}"), format!("{shape}{{0,1}}"));
        let found = estimated(&a, &b, true, SMALL_FIRST_CACHE);
        assert_eq!(found, expected, "{shape}");
    }
}

/// In the caches of Zen 4 blocks are stored as they come, or packed.
#[test]
fn small_first_caches_read_few_rows_at_once() {
    for (shape, expected) in [
        ("f32[300,300]", Strategy::Blocks(Along::Rows)),
        ("f32[256,256]", Strategy::Blocks(Along::Columns)),
        ("u16[256,256]", Strategy::Blocks(Along::Rows)),
        ("f32[1024,1024]", Strategy::Blocks(Along::Columns)),
        ("u8[2048,2048]", Strategy::Pack),
        ("u8[2048,1088]", Strategy::Blocks(Along::Rows)),
        ("f64[1000,1000]", Strategy::Blocks(Along::Rows)),
    ] {
        let (a, b) = (format!("{shape}{{1,0}}"), format!("{shape}{{0,1}}"));
        let found = estimated(&a, &b, true, SMALL_FIRST_CACHE);
        assert_eq!(found, expected, "{shape}");
    }
}

/// Where both sides stay in the last cache, blocks are stored as they come, unless lines collide.
#[test]
fn transposes_stay_in_the_last_cache() {
    let rows = Some(Along::Rows);
    for (shape, expected) in [
        // From one row to the next: 1080 bytes in the source, and 1920 in the destination.
        ("u8[1920,1080]", rows),
        ("u8[1920,1536]", rows),
        // 1088 and 2048.
        ("u8[2048,1088]", Some(Along::Columns)),
        // 2048 and 1088, and 2048 twice.
        ("u8[1088,2048]", None),
        ("u8[2048,2048]", None),
        // 2048 and 3008; 2176 and 4096.
        ("u16[1504,1024]", rows),
        ("u16[2048,1088]", None),
        // 5120 and 2880; 4096 and 5760; 6000 and 4096.
        ("f32[720,1280]", rows),
        ("f64[720,512]", rows),
        ("f32[1024,1500]", None),
        // 17 MB.
        ("u8[4160,4160]", None),
    ] {
        let (a, b) = (format!("{shape}{{1,0}}"), format!("{shape}{{0,1}}"));
        let along = match estimated(&a, &b, true, SMALL_CACHES) {
            Strategy::Blocks(along) => Some(along),
            _ => None,
        };
        assert_eq!(along, expected, "{shape}");
    }
    // A second cache of 2 MiB keeps a packed buffer.
    let (a, b) = ("f32[720,1280]{1,0}", "f32[720,1280]{0,1}");
    assert_eq!(estimated(a, b, true, LARGE_CACHES), Strategy::Pack);
}

/// Three channels are written past the cache where it has no room for both sides.
#[test]
fn small_images_stay_in_the_last_cache() {
    for (image, past) in [
        ("u8[8,224,224,3]", false),
        ("f32[8,224,224,3]", false),
        ("f32[32,224,224,3]", true),
    ] {
        let task = task(
            &format!("{image}{{3,2,1,0}}"),
            &format!("{image}{{2,1,3,0}}"),
        );
        let of = |machine| estimate(&task, true, task.bytes(), machine).past;
        assert_eq!(of(SMALL_CACHES), past, "{image}");
        // A last cache of unknown size may have room for nothing.
        let unknown = Machine {
            l3: 0,
            ..SMALL_CACHES
        };
        assert!(of(unknown), "{image}");
    }
}

/// The threads that a copy of so many bytes gets where starting one takes 50 microseconds.
#[cfg(feature = "std")]
#[test]
fn threads_have_more_work_than_their_start_takes() {
    use super::threads::{STARTED, Work, nanoseconds, worth};

    let of = |work, bytes: usize, most| {
        let time = nanoseconds(work, bytes, bytes / 4, SMALL_CACHES);
        worth(most, time, STARTED)
    };
    // Zen 5 gains 1.3 at 8 MiB, and loses a fifth at 4 MiB.
    assert_eq!(of(Work::Panels, 4 << 20, 2), 1);
    assert_eq!(of(Work::Panels, 8 << 20, 2), 2);
    // Copies of runs take less time: 16 MiB are worth a second thread.
    assert_eq!(of(Work::Runs, 8 << 20, 2), 1);
    assert_eq!(of(Work::Runs, 32 << 20, 2), 2);
    // What takes long for each element is worth it earlier.
    assert_eq!(of(Work::General, 1 << 20, 2), 2);
    assert_eq!(of(Work::Bits, 16 << 20, 2), 2);
    // Never more threads than were allowed, nor than have work.
    assert_eq!(of(Work::Panels, 1 << 30, 3), 3);
    assert_eq!(of(Work::Panels, 64 << 20, 1000), 30);
    assert!(of(Work::General, usize::MAX, usize::MAX) > 1000);
    assert_eq!(of(Work::Runs, 0, 8), 1);
    // A processor that does not say how large its last cache is: 5 MiB may be in it.
    let unknown = Machine {
        l3: 0,
        ..SMALL_CACHES
    };
    let time = nanoseconds(Work::Panels, 5 << 20, 5 << 18, unknown);
    assert_eq!(worth(2, time, STARTED), 1);
    // What the test of threads and parts copies is worth two threads.
    let time = nanoseconds(Work::Elements, 3_600_000, 1_800_000, SMALL_CACHES);
    assert_eq!(worth(2, time, STARTED), 2);
}

fn task(a: &str, b: &str) -> crate::kernels::task::Task {
    let (a, b): (DynLayout, DynLayout) = (a.parse().unwrap(), b.parse().unwrap());
    match Plan::new(&a, &b).unwrap().way() {
        Way::Task(task) => *task,
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
        assert_eq!((tiny.is_line(), tiny.is_two_lines()), (line, two), "{dims}");
    }
}
