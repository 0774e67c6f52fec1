//! Tests of the rules of learning, of lessons and of plans. Their clock is made up, so that what is
//! tried and what is learned is the same in each run of them.

pub(crate) mod simulated;

use std::cell::Cell;
use std::prelude::v1::*;
use std::rc::Rc;
use std::time::Duration;
use std::vec;

use xlayout_core::DynLayout;

use self::simulated::in_process;
use super::lesson::{EARLY, FIRST, Lesson, PERIOD, SLOW_RUNS, TRIES};
use super::{forget_wisdom, load_wisdom, wisdom};
use crate::kernels::cost::{Along, Choice, Shape, Strategy, candidates};
use crate::machine::LINE;
use crate::machine::simulated::{ALL, ZEN_4};
use crate::{Machine, Measurement, Plan, RelayoutError};

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

/// Runs a lesson `count` times, where a copy by candidate k takes `microseconds(k)`. Returns which
/// candidate each run used, and which of the runs were timed.
fn runs(
    lesson: &Lesson,
    count: u32,
    mut microseconds: impl FnMut(usize) -> u64 + 'static,
) -> (Vec<usize>, Vec<usize>) {
    let choices: Vec<_> = lesson.candidates.iter().map(|of| of.choice).collect();
    let number = move |choice| choices.iter().position(|of| *of == choice).unwrap();
    let number_of_timed = number.clone();
    let clock = move |choice| Duration::from_micros(microseconds(number_of_timed(choice)));
    let mut used = Vec::new();
    let timed = in_process(clock, || {
        for _ in 0..count {
            lesson.run(BYTES, |choice| used.push(number(choice)));
        }
    });
    (used, timed.into_iter().map(number).collect())
}

/// A clock by which candidate k always takes the same time.
fn fixed<const N: usize>(microseconds: [u64; N]) -> impl Fn(usize) -> u64 {
    move |k| microseconds[k]
}

#[test]
fn the_fastest_candidate_is_found_and_stays() {
    let lesson = Lesson::new(&choices());
    assert_eq!(lesson.learned(), None);
    let times = [100, 140, 60, 900];
    let (used, timed) = runs(&lesson, 1 + FIRST, fixed(times));
    // Each candidate once, then those near the best again, then the others again, because a slow
    // run may be noise.
    let expected = [0, 1, 2, 3, 2, 2, 0, 1, 3, 2, 2, 2, 2, 2, 2, 2];
    assert_eq!(timed, expected);
    // The first run is not timed.
    assert_eq!(used, [&[0], &expected[..]].concat());
    assert_eq!(lesson.tried(), 4);
    assert_eq!(lesson.learned(), Some(choices()[2]));
    let (used, timed) = runs(&lesson, 1000, fixed(times));
    assert_eq!(used, [2; 1000]);
    // Runs 64, 128 and so on, up to 960.
    assert_eq!(timed, [2; 15]);
}

#[test]
fn noise_does_not_replace_the_estimate() {
    let lesson = Lesson::new(&choices());
    runs(&lesson, 1 + FIRST, fixed([100, 98, 99, 100]));
    assert_eq!(lesson.learned(), Some(choices()[0]));
    // A disturbed run does not hide the best candidate: its least time counts.
    let lesson = Lesson::new(&choices());
    for (k, time) in [(0, 100), (1, 130), (2, 120), (1, 80)] {
        lesson.record(k, Duration::from_micros(time), BYTES);
    }
    assert_eq!(lesson.best(), choices()[1]);
}

/// One run of each candidate takes ten times as long as its others. Whichever it is, the best is
/// found.
#[test]
fn a_disturbed_run_does_not_rule_a_candidate_out() {
    for disturbed in 0..3 {
        let lesson = Lesson::new(&choices());
        let mut runs_of = [0; 4];
        let noisy = move |k: usize| {
            runs_of[k] += 1;
            let factor = if runs_of[k] == 1 + disturbed { 10 } else { 1 };
            factor * [100, 140, 60, 900][k]
        };
        let (_, timed) = runs(&lesson, 1 + FIRST, noisy);
        assert_eq!(timed[..4], [0, 1, 2, 3]);
        assert_eq!(lesson.learned(), Some(choices()[2]), "{disturbed}");
    }
}

/// Whatever the noise, 17 to 33 runs settle, and what they settle on is the candidate of the least
/// time that the clock told, or the estimate.
#[test]
fn every_lesson_settles() {
    let of = |(k, strategy)| Choice {
        strategy,
        past: k % 2 == 0,
    };
    let blocks = [Along::Rows, Along::Columns].map(Strategy::Blocks);
    let strategies = [Strategy::Pack, Strategy::Elements].into_iter();
    let choices: Vec<_> = strategies.chain(blocks).enumerate().map(of).collect();
    for seed in 1..500_u64 {
        let lesson = Lesson::new(&choices);
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let noise = Rc::new(Cell::new([u64::MAX; 4]));
        let least_told = Rc::clone(&noise);
        let clock = move |k: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let time = 50 + state % 1000;
            let mut least = least_told.get();
            least[k] = least[k].min(time);
            least_told.set(least);
            time
        };
        let (used, timed) = runs(&lesson, 1 + 2 * FIRST, clock);
        let learned = lesson.learned();
        assert!(used.len() > timed.len() && timed.len() >= FIRST as usize);
        let least = noise.get();
        let fastest = (0..4).min_by_key(|k| least[*k]).unwrap();
        let is_better = (least[fastest] as f64) < 0.97 * least[0] as f64;
        let expected = if is_better { fastest } else { 0 };
        assert_eq!(learned, Some(choices[expected]), "{seed}: {timed:?}");
    }
}

/// A copy through the cache takes three times as long after one that wrote past it. It is not timed
/// then.
#[test]
fn a_copy_through_the_cache_is_not_timed_after_one_past_it() {
    let of = |past| Choice {
        strategy: Strategy::Pack,
        past,
    };
    for first in [false, true] {
        let lesson = Lesson::new(&[of(first), of(!first)]);
        let was_past = Rc::new(Cell::new(true));
        let before = Rc::clone(&was_past);
        let clock = move |choice: Choice| {
            assert!(choice.past || !before.get());
            Duration::from_micros(if choice.past { 150 } else { 100 })
        };
        let timed = in_process(clock, || {
            for _ in 0..10 * PERIOD {
                // The clock tells the time while the run before is still known.
                let mut past = false;
                lesson.run(BYTES, |choice| past = choice.past);
                was_past.set(past);
            }
        });
        assert_eq!(lesson.learned(), Some(of(false)));
        assert_eq!(timed.len(), FIRST as usize + 9);
    }
}

#[test]
fn what_became_slow_is_learned_again() {
    let lesson = Lesson::new(&choices());
    let before = [100, 140, 60, 900];
    runs(&lesson, 1 + FIRST, fixed(before));
    // A single slow run is noise.
    lesson.record(2, Duration::from_micros(600), BYTES);
    runs(&lesson, 10 * PERIOD, fixed(before));
    assert_eq!(lesson.learned(), Some(choices()[2]));
    // Four slow runs in a row are not: then all candidates are tried again.
    let after = [100, 50, 600, 900];
    let (_, timed) = runs(&lesson, SLOW_RUNS * PERIOD + FIRST, fixed(after));
    assert_eq!(timed[..4], [2; 4]);
    assert_eq!(timed[4..8], [0, 1, 2, 3]);
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
        })
    });
    let choices: Vec<_> = shapes.map(of(true)).collect();
    let lesson = Lesson::new(&choices);
    let timed = |count: u32| runs(&lesson, count, |k| 100 - k as u64).1.len();
    assert_eq!((timed(1 + FIRST), lesson.tried()), (FIRST as usize, EARLY));
    assert_eq!(timed(200 * PERIOD), 200);
    assert_eq!((lesson.tried(), lesson.best()), (20, choices[19]));
}

/// The reported caches change only the estimate, not which candidates a plan tries.
#[test]
fn all_machines_try_the_same() {
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

/// Wrong sizes of caches, by a factor of four either way, change the estimate but not what is
/// learned. With made-up times, the strategy that a class settles on takes at most 3% longer than
/// the best.
#[test]
fn a_wrong_estimate_is_corrected() {
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
                let machine = Machine {
                    second_cache: ZEN_4.second_cache * l2 / 4,
                    last_cache: ZEN_4.last_cache * l3 / 4,
                    ..ZEN_4
                };
                let choices = candidates(&task, true, plan.bytes(), machine);
                wrong += usize::from(choices[0] != candidates(&task, true, plan.bytes(), ZEN_4)[0]);
                let lesson = Lesson::new(&choices);
                let clock = move |choice: Choice| Duration::from_micros(time(&choice, seed));
                in_process(clock, || {
                    for _ in 0..40 * PERIOD * TRIES {
                        lesson.run(BYTES, |_| {});
                    }
                });
                let best = choices
                    .iter()
                    .map(|choice| time(choice, seed))
                    .min()
                    .unwrap();
                let learned = time(&lesson.best(), seed);
                assert!(
                    learned as f64 <= 1.031 * best as f64,
                    "{a} -> {b}, {machine:?}: {learned} and {best}"
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

/// A clock by which all copies take the same time.
pub(crate) fn steady(_: Choice) -> Duration {
    Duration::from_micros(100)
}

/// Bytes that begin at a line of the cache, or at this offset behind one.
fn behind_a_line(bytes: &mut [u8], offset: usize, len: usize) -> &mut [u8] {
    let line = bytes.as_ptr().addr().wrapping_neg() % LINE;
    &mut bytes[line + offset..][..len]
}

/// Each run of a plan writes the same bytes, whatever strategy it tries. What it tries first are
/// the likely candidates, one after the other, for each kind of destination.
#[test]
fn plans_learn_and_copy_the_same() {
    for (a, b) in [
        ("f32[70,130]{1,0}", "f32[70,130]{0,1}"),
        ("u8[300,200]{1,0}", "u8[300,200]{0,1}"),
        ("u16[64,256]{1,0}", "u16[64,256]{1,0:T(8,128)(2,1)}"),
        ("f32[100,130]{1,0:T(6,10)}", "f32[100,130]{0,1:T(5,2)}"),
        ("f32[40,50,60]{2,1,0}", "f32[40,50,60]{0,2,1}"),
    ] {
        for offset in [0, 1] {
            learns_and_copies_the_same(a, b, offset);
        }
    }
}

fn learns_and_copies_the_same(a: &str, b: &str, offset: usize) {
    let fastest = Rc::new(Cell::new(None));
    let seen = Rc::clone(&fastest);
    let clock = move |choice| {
        let is_fastest = seen.get().is_none_or(|fastest| fastest == choice);
        Duration::from_micros(if is_fastest { 50 } else { 100 })
    };
    let mut expected_trials = Vec::new();
    let timed = in_process(clock, || {
        ZEN_4.simulate(|| {
            let plan = plan(a, b);
            let task = plan.way.largest_task().unwrap();
            let first = offset.wrapping_add_signed(task.dst);
            let aligned = task.keeps_lines && first.is_multiple_of(LINE);
            let candidates = candidates(&task, aligned, plan.bytes(), ZEN_4);
            let early = EARLY.min(candidates.len());
            fastest.set(Some(candidates[early - 1]));

            let (from, to) = plan.buffers();
            let src: Vec<u8> = (0..from).map(|k| (k % 251) as u8).collect();
            let mut expected = vec![9; to];
            let fixed = plan.clone().without_learning();
            fixed.run_bytes(&src, &mut expected).unwrap();
            let mut bytes = vec![9; to + 2 * LINE];
            let found = behind_a_line(&mut bytes, offset, to);
            // The first run, and at most two for each of the first timed ones.
            for _ in 0..=2 * FIRST {
                found.fill(9);
                plan.run_bytes(&src, found).unwrap();
                assert!(found == expected, "{a} -> {b}, offset {offset}: {plan}");
            }
            let learned = Some(Measurement(candidates[early - 1]));
            assert_eq!(plan.measurement(), learned);
            assert_eq!(plan.tried(), early);
            // A new plan begins with what was learned.
            assert_eq!(self::plan(a, b).measurement(), learned);
            expected_trials = candidates[..early].to_vec();
        });
    });
    assert_eq!(timed[..expected_trials.len()], expected_trials);
}

/// When the strategy that was the fastest becomes slow, all are tried again.
#[test]
fn plans_that_become_slow_learn_again() {
    let fastest = Rc::new(Cell::new(Choice::ELEMENTS));
    let seen = Rc::clone(&fastest);
    let clock = move |choice| Duration::from_micros(if choice == seen.get() { 50 } else { 100 });
    let mut all = Vec::new();
    let timed = in_process(clock, || {
        ZEN_4.simulate(|| {
            let plan = plan("f32[64,128]{1,0}", "f32[64,128]{0,1}");
            let task = plan.way.largest_task().unwrap();
            all = candidates(&task, true, plan.bytes(), ZEN_4);
            let (from, to) = plan.buffers();
            let src = vec![1; from];
            let mut bytes = vec![0; to + LINE];
            let found = behind_a_line(&mut bytes, 0, to);
            let mut run = |count| {
                for _ in 0..count {
                    plan.run_bytes(&src, found).unwrap();
                }
            };
            fastest.set(all[3]);
            run(1 + 2 * FIRST);
            assert_eq!(plan.measurement(), Some(Measurement(all[3])));
            // Later runs try the candidates that the first ones left out, before they time the best
            // again.
            let left_out = (all.len() - EARLY) as u32;
            run((left_out + 1) * PERIOD);
            assert_eq!(plan.tried(), all.len());
            fastest.set(all[0]);
            run(SLOW_RUNS * PERIOD + 2 * FIRST);
            assert_eq!(plan.measurement(), Some(Measurement(all[0])));
        });
    });
    let first = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 3, 3, 0, 1, 2].map(|k| all[k]);
    assert_eq!(timed[..FIRST as usize], first);
    let left_out = &all[EARLY..];
    assert!(timed[FIRST as usize..].starts_with(left_out));
    // Four slow runs of the best, and all begins again.
    let again = [3, 3, 3, 3, 0, 1, 2].map(|k| all[k]);
    let mut windows = timed.windows(again.len());
    assert!(windows.any(|window| window == again), "{timed:?}");
}

/// Copies on two threads learn separately.
#[test]
fn copies_on_threads_learn() {
    let fastest = Rc::new(Cell::new(Choice::ELEMENTS));
    let seen = Rc::clone(&fastest);
    let clock = move |choice| Duration::from_micros(if choice == seen.get() { 100 } else { 200 });
    let mut all = Vec::new();
    let timed = in_process(clock, || {
        ZEN_4.simulate(|| {
            let plan = plan("f64[1024,1024]{1,0}", "f64[1024,1024]{0,1}");
            let task = plan.way.largest_task().unwrap();
            all = candidates(&task, true, plan.bytes(), ZEN_4);
            fastest.set(all[5]);
            let (from, to) = plan.buffers();
            let src: Vec<u8> = (0..from).map(|k| (k % 251) as u8).collect();
            let mut expected = vec![0; to];
            let fixed = plan.clone().without_learning();
            fixed.run_bytes(&src, &mut expected).unwrap();
            let mut bytes = vec![0; to + LINE];
            let found = behind_a_line(&mut bytes, 0, to);
            for _ in 0..=2 * FIRST {
                found.fill(0);
                plan.run_bytes_threads(&src, found, 2).unwrap();
                assert!(found == expected);
            }
            assert_eq!((plan.tried(), plan.measurement()), (0, None));
            let wisdom = wisdom();
            let lines: Vec<&str> = wisdom.lines().skip(1).collect();
            let learned = format!(", 2, 0]: {}", Measurement(all[5]));
            assert!(lines.len() == 1 && lines[0].ends_with(&learned), "{wisdom}");
        });
    });
    // Each of the first candidates, the fastest twice more, and then others again.
    let first = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 5, 5, 0, 1, 2];
    assert_eq!(timed[..FIRST as usize], first.map(|k| all[k]));
}

#[test]
fn small_copies_and_fixed_plans_do_not_learn() {
    let timed = in_process(steady, || {
        let small = plan("f32[32,32]{1,0}", "f32[32,32]{0,1}");
        let fixed = plan("f32[128,128]{1,0}", "f32[128,128]{0,1}").without_learning();
        for plan in [small, fixed] {
            let (from, to) = plan.buffers();
            for _ in 0..30 {
                plan.run_bytes(&vec![1; from], &mut vec![0; to]).unwrap();
            }
            assert_eq!((plan.tried(), plan.measurement()), (0, None));
        }
    });
    assert_eq!(timed, []);
}

#[test]
fn wisdom_is_written_and_read() {
    in_process(steady, || {
        let known = "[3, 2, 0, 1, 9, 10, 0, 10, 7, 33, 1, 0]";
        let processor = wisdom().lines().next().unwrap().to_owned();
        let text = format!("{processor}\n\n{known}: lines 4 x 8 direct, streamed\n");
        load_wisdom(&text).unwrap();
        assert!(wisdom().contains(&format!("{known}: lines 4 x 8 direct, streamed\n")));
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
    });
}
