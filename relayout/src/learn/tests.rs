//! Tests of the rules of learning, with made-up times and with real runs.

use std::prelude::v1::*;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::vec;

use xlayout_core::DynLayout;

use super::{EARLY, FIRST, Lesson, PERIOD, TRIES, forget_wisdom, load_wisdom, wisdom};
use crate::kernels::cost::{Along, Choice, Shape, Strategy};
use crate::{Plan, RelayoutError};

const BYTES: usize = 1 << 20;

fn choices() -> [Choice; 4] {
    let of = |strategy| Choice {
        strategy,
        past: false,
    };
    let blocks = |along| of(Strategy::Blocks(along));
    [
        of(Strategy::Pack),
        blocks(Along::Rows),
        blocks(Along::Columns),
        of(Strategy::Elements),
    ]
}

/// Runs a lesson `count` times, if candidate k takes `microseconds[k]`, and returns which candidate each run used.
fn runs(lesson: &Lesson, count: u32, microseconds: [u64; 4]) -> Vec<usize> {
    let run = |_| match lesson.turn() {
        (k, false) => k,
        (k, true) => {
            lesson.record(k, Duration::from_micros(microseconds[k]), BYTES);
            k
        }
    };
    (0..count).map(run).collect()
}

#[test]
fn the_fastest_candidate_is_found_and_stays() {
    let lesson = Lesson::new(&choices());
    assert_eq!(lesson.learned(), None);
    let first = runs(&lesson, 1 + FIRST, [100, 140, 60, 900]);
    // First the untimed run, then each candidate once, then those near the best again.
    assert_eq!(first[..7], [0, 0, 1, 2, 3, 2, 2]);
    // Candidates that are clearly slower were tried twice: the first time may be noise.
    for slow in [1, 3] {
        assert_eq!(first.iter().filter(|k| **k == slow).count(), 2);
    }
    assert_eq!(lesson.tried(), 4);
    assert_eq!(lesson.learned(), Some(choices()[2]));
    assert_eq!(runs(&lesson, 1000, [100, 140, 60, 900]), [2; 1000]);
}

#[test]
fn noise_does_not_replace_the_estimate() {
    let lesson = Lesson::new(&choices());
    runs(&lesson, 1 + FIRST, [100, 98, 99, 100]);
    assert_eq!(lesson.learned(), Some(choices()[0]));
    // A disturbed run does not hide the best candidate: its least time counts.
    let lesson = Lesson::new(&choices());
    for (k, time) in [(0, 100), (1, 130), (2, 120), (1, 80)] {
        lesson.record(k, Duration::from_micros(time), BYTES);
    }
    assert_eq!(lesson.best(), choices()[1]);
}

/// The first timed run of the best candidate takes ten times as long as its others.
#[test]
fn a_disturbed_run_does_not_rule_a_candidate_out() {
    let lesson = Lesson::new(&choices());
    let mut disturbed = true;
    for _ in 0..=FIRST {
        let (k, is_timed) = lesson.turn();
        let time = match k {
            2 if std::mem::take(&mut disturbed) => 600,
            2 => 60,
            _ => 100 + k as u64,
        };
        if is_timed {
            lesson.record(k, Duration::from_micros(time), BYTES);
        }
    }
    assert_eq!(lesson.learned(), Some(choices()[2]));
}

/// A copy through the cache takes three times as long after one that wrote past it. It is not timed then.
#[test]
fn a_copy_through_the_cache_is_not_timed_after_one_past_it() {
    let of = |past| Choice {
        strategy: Strategy::Pack,
        past,
    };
    for first in [false, true] {
        let lesson = Lesson::new(&[of(first), of(!first)]);
        let (mut was_past, mut timed) = (true, 0);
        for _ in 0..10 * PERIOD {
            let (k, is_timed) = lesson.turn();
            let past = lesson.choice(k).past;
            let time = match past {
                true => 150,
                false if was_past => 300,
                false => 100,
            };
            if is_timed {
                assert!(past || !was_past);
                lesson.record(k, Duration::from_micros(time), BYTES);
            }
            was_past = past;
            timed += u32::from(is_timed);
        }
        assert_eq!(lesson.learned(), Some(of(false)));
        assert!(
            (FIRST..FIRST + 10).contains(&timed),
            "{timed} runs were timed"
        );
    }
}

#[test]
fn what_became_slow_is_learned_again() {
    let lesson = Lesson::new(&choices());
    let before = [100, 140, 60, 900];
    runs(&lesson, 1 + FIRST, before);
    // A single slow run is noise.
    lesson.record(2, Duration::from_micros(600), BYTES);
    runs(&lesson, 10 * PERIOD, before);
    assert_eq!(lesson.learned(), Some(choices()[2]));
    let after = [100, 50, 600, 900];
    runs(&lesson, 5 * PERIOD + FIRST, after);
    assert_eq!(lesson.learned(), Some(choices()[1]));
}

/// If there are more candidates than the first runs try, later runs try the others.
#[test]
fn all_candidates_are_tried_in_the_end() {
    let of = |past| move |strategy| Choice { strategy, past };
    let shapes = (1..=20).map(|down| {
        Strategy::Lines(Shape {
            down,
            across: 4,
            direct: true,
            along: Along::Rows,
        })
    });
    let choices: Vec<_> = shapes.map(of(true)).collect();
    let lesson = Lesson::new(&choices);
    let timed = |runs: u32| {
        let run = |_: &u32| match lesson.turn() {
            (_, false) => false,
            (k, true) => {
                lesson.record(k, Duration::from_micros(100 - k as u64), BYTES);
                true
            }
        };
        (0..runs).filter(run).count()
    };
    assert_eq!((timed(1 + FIRST), lesson.tried()), (FIRST as usize, EARLY));
    assert_eq!(timed(200 * PERIOD), 200);
    assert_eq!((lesson.tried(), lesson.best()), (20, choices[19]));
}

/// The reported caches change only the estimate, not which candidates a plan tries.
#[test]
fn all_machines_try_the_same() {
    use crate::kernels::cost::candidates;
    use crate::machine::simulated::ALL;

    for (a, b) in [
        ("u8[2048,2048]{1,0}", "u8[2048,2048]{0,1}"),
        ("f32[1000,3000]{1,0}", "f32[1000,3000]{0,1}"),
        ("f64[300,300]{1,0}", "f64[300,300]{1,0:T(8,128)}"),
    ] {
        let plan = plan(a, b);
        let task = plan.way.largest_task().unwrap();
        for aligned in [false, true] {
            let of = |machine| candidates(&task, aligned, plan.bytes(), machine);
            let first = of(ALL[0].1);
            for (name, machine) in ALL {
                let all = of(machine);
                let mut others = all
                    .iter()
                    .filter(|choice| choice.strategy != all[0].strategy);
                assert!(
                    others.all(|choice| first.contains(choice)),
                    "{a} -> {b} on {name}"
                );
            }
        }
    }
}

/// Wrong sizes of caches, by a factor of four either way, change the estimate but not what is learned. With
/// made-up times, the strategy that a class settles on takes at most 3% longer than the best.
#[test]
fn a_wrong_estimate_is_corrected() {
    use crate::kernels::cost::candidates;
    use crate::machine::{Machine, simulated::ZEN_4};

    // Random times for each strategy, from 100 to 355 microseconds, the same on all machines.
    let time = |choice: &Choice, seed: u64| {
        let text = std::format!("{choice:?}");
        let mix = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        100 + (text.bytes().fold(seed, mix) >> 32) % 256
    };
    let mut wrong = 0;
    for (a, b) in [
        ("u8[2048,2048]{1,0}", "u8[2048,2048]{0,1}"),
        ("f32[700,600]{1,0}", "f32[700,600]{0,1}"),
        ("f32[3000,1000]{1,0}", "f32[3000,1000]{0,1}"),
        ("f64[1024,1024]{1,0}", "f64[1024,1024]{1,0:T(8,128)}"),
    ] {
        let plan = plan(a, b);
        let task = plan.way.largest_task().unwrap();
        for seed in 0..20 {
            for (l2, l3) in [(4, 4), (4, 1), (1, 4), (16, 16), (16, 1), (1, 16)] {
                // A quarter of the caches of this machine.
                let told = Machine {
                    second_cache: ZEN_4.second_cache * l2 / 4,
                    last_cache: ZEN_4.last_cache * l3 / 4,
                    ..ZEN_4
                };
                let choices = candidates(&task, true, plan.bytes(), told);
                wrong += usize::from(choices[0] != candidates(&task, true, plan.bytes(), ZEN_4)[0]);
                let lesson = Lesson::new(&choices);
                for _ in 0..40 * PERIOD * TRIES {
                    if let (k, true) = lesson.turn() {
                        let time = Duration::from_micros(time(&choices[k], seed));
                        lesson.record(k, time, BYTES);
                    }
                }
                let best = choices
                    .iter()
                    .map(|choice| time(choice, seed))
                    .min()
                    .unwrap();
                let learned = time(&lesson.best(), seed);
                assert!(
                    learned as f64 <= 1.031 * best as f64,
                    "{a} -> {b}, {told:?}: {learned} and {best}"
                );
            }
        }
    }
    assert!(wrong > 100, "the estimates depend on the caches: {wrong}");
}

fn plan(a: &str, b: &str) -> Plan {
    let (a, b): (DynLayout, DynLayout) = (a.parse().unwrap(), b.parse().unwrap());
    Plan::new(&a, &b).unwrap()
}

/// Locks what the process has learned, so that one test at a time uses it.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    forget_wisdom();
    alone
}

/// Every run writes the same bytes, whatever strategy it tries.
#[test]
fn plans_learn_and_copy_the_same() {
    let _alone = alone();
    for (a, b) in [
        ("f32[70,130]{1,0}", "f32[70,130]{0,1}"),
        ("u8[300,200]{1,0}", "u8[300,200]{0,1}"),
        ("u16[64,256]{1,0}", "u16[64,256]{1,0:T(8,128)(2,1)}"),
        ("f32[100,130]{1,0:T(6,10)}", "f32[100,130]{0,1:T(5,2)}"),
        ("f32[40,50,60]{2,1,0}", "f32[40,50,60]{0,2,1}"),
    ] {
        let plan = plan(a, b);
        let (from, to) = plan.buffers();
        let src: Vec<u8> = (0..from).map(|k| (k % 251) as u8).collect();
        let mut expected = vec![9; to];
        plan.clone()
            .without_learning()
            .run_bytes(&src, &mut expected)
            .unwrap();
        for offset in [0, 1] {
            for _ in 0..40 {
                let mut found = vec![9; to + offset];
                plan.run_bytes(&src, &mut found[offset..]).unwrap();
                assert_eq!(found[offset..], expected, "{a} -> {b}: {plan}");
            }
        }
        assert!(plan.tried() > 1, "{a} -> {b}: {}", plan.tried());
        assert!(plan.measurement().is_some());
        // A new plan begins with what was learned.
        assert!(self::plan(a, b).measurement().is_some());
    }
}

/// Copies on two threads learn separately.
#[test]
fn copies_on_threads_learn() {
    let _alone = alone();
    let plan = plan("f64[1024,1024]{1,0}", "f64[1024,1024]{0,1}");
    let src: Vec<f64> = (0..1 << 20).map(f64::from).collect();
    let mut expected = vec![0.0; 1 << 20];
    plan.clone()
        .without_learning()
        .run(&src, &mut expected)
        .unwrap();
    // One buffer: the alignment of the destination is part of the class.
    let mut found = vec![0.0; 1 << 20];
    for _ in 0..20 {
        found.fill(0.0);
        plan.run_threads(&src, &mut found, 2).unwrap();
        assert_eq!(found, expected);
    }
    // Other tests may learn meanwhile, but not about copies of this class.
    let text = wisdom();
    assert!(
        text.contains("[3, 3, 0, ") && text.contains(", 2, 0]: "),
        "{text}"
    );
    assert_eq!(plan.tried(), 0);
}

#[test]
fn small_copies_and_fixed_plans_do_not_learn() {
    let _alone = alone();
    let small = plan("f32[32,32]{1,0}", "f32[32,32]{0,1}");
    let fixed = plan("f32[128,128]{1,0}", "f32[128,128]{0,1}").without_learning();
    for plan in [small, fixed] {
        let (from, to) = plan.buffers();
        for _ in 0..30 {
            plan.run_bytes(&vec![1; from], &mut vec![0; to]).unwrap();
        }
        assert_eq!((plan.tried(), plan.measurement()), (0, None));
    }
}

#[test]
fn wisdom_is_written_and_read() {
    let _alone = alone();
    let known = "[3, 2, 0, 1, 9, 10, 0, 10, 7, 33, 1, 0]";
    let processor = wisdom().lines().next().unwrap().to_owned();
    let text = format!("{processor}\n\n{known}: lines 4 x 4 direct along columns, streamed\n");
    load_wisdom(&text).unwrap();
    assert!(wisdom().contains(&format!(
        "{known}: lines 4 x 4 direct along columns, streamed\n"
    )));
    for (line, error) in [
        (
            "[3]: packed, stored",
            "is no line of what plans have learned",
        ),
        (&*format!("{known} 1: packed, stored"), "is no line"),
        (&*format!("{known}: fast"), "is no line"),
        (known, "is no line"),
    ] {
        let found = load_wisdom(&format!("{processor}\n{line}\n"))
            .unwrap_err()
            .to_string();
        assert!(found.contains(error) && found.contains(line), "{found}");
    }
    for text in ["", "another processor\n"] {
        let error = load_wisdom(text).unwrap_err();
        assert!(
            matches!(error, RelayoutError::OtherProcessor { .. }),
            "{error}"
        );
    }
    forget_wisdom();
    assert!(!wisdom().contains(known));
}
