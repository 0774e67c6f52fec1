//! Copies on simulated machines: what is chosen, what is said of it, and that each choice copies
//! right. None of these tests asks which processor runs it.

use std::prelude::v1::*;

use proptest::prelude::*;
use xlayout_core::{ArrayLayout, DynLayout};

use super::support::{self, Buffer, bytes, naive, pairs, tiled_pairs};
use super::with_all_instructions;
use crate::Plan;
use crate::kernels::cost::{Along, Strategy as Chosen};
use crate::machine::{Machine, simulated};
use crate::way::Way;

/// The same machine with caches that are `times` times smaller: small arrays are copied as large
/// ones are.
fn smaller(machine: Machine, times: usize) -> Machine {
    Machine {
        second_cache: machine.second_cache / times,
        last_cache: machine.last_cache / times,
        ..machine
    }
}

fn check(src: &DynLayout, dst: &DynLayout, machine: Machine, offset: usize) {
    let input = bytes(src.bytes());
    let before = vec![0x5a; dst.bytes()];
    let mut expected = before.clone();
    naive(src, dst, &input, &mut expected);
    machine.simulate(|| {
        let Ok(plan) = Plan::new(src, dst) else {
            return;
        };
        with_all_instructions(|by| {
            let mut to = Buffer::new(&before, offset);
            plan.run_bytes(&input, to.get(before.len())).unwrap();
            let found = to.checked(before.len());
            assert!(found == expected, "{by:?} {machine:?} {plan}");
        });
    });
}

proptest! {
    #![proptest_config(support::config())]

    #[test]
    fn estimated_copies_are_right(
        (a, b) in prop_oneof![pairs(20_000), tiled_pairs()],
        (_, machine) in prop::sample::select(simulated::ALL.to_vec()),
        times in prop::sample::select(vec![1, 32, 256, 2048]),
        offset in prop_oneof![Just(0), 0..64_usize],
    ) {
        check(&a, &b, smaller(machine, times), offset);
        check(&b, &a, smaller(machine, times), offset);
    }
}

fn transpose(shape: &str) -> Plan {
    let read = |order: &str| format!("{shape}{order}").parse::<DynLayout>().unwrap();
    Plan::new(&read("{1,0}"), &read("{0,1}")).unwrap()
}

/// The strategy for a destination that begins at a line.
fn strategy(shape: &str) -> Chosen {
    let plan = transpose(shape);
    let Way::Task(task, _) = &plan.way else {
        unreachable!("a transpose is one nest")
    };
    plan.current().call(task, core::ptr::null()).choice.strategy
}

/// One letter for each machine of `simulated::ALL`.
#[test]
fn each_machine_has_its_strategies() {
    for (shape, expected) in [
        // In the second cache of all.
        ("f32[60,60]", "RRRRRR"),
        ("f32[300,300]", "RRRRRR"),
        // 768 KiB: a second cache of 512 KiB has no room.
        ("f32[480,400]", "LRRRRR"),
        // 4 MiB, in the last cache of all but one.
        ("f32[1024,1024]", "LLLLLL"),
        // Columns that begin anywhere, and 36 MB.
        ("f32[3001,3003]", "LLLLLL"),
    ] {
        let found: String = simulated::ALL
            .iter()
            .map(|(_, machine)| match machine.simulate(|| strategy(shape)) {
                Chosen::Elements => 'E',
                Chosen::Blocks(Along::Rows) => 'R',
                Chosen::Blocks(Along::Columns) => 'C',
                Chosen::Pack => 'P',
                Chosen::Lines(_) => 'L',
            })
            .collect();
        assert_eq!(found, expected, "{shape}");
    }
}

/// 16 MiB are written past the caches, unless they stay in the last one; a plan says which.
#[test]
fn what_is_fetched_depends_on_the_last_cache() {
    let layout = |order| {
        format!("f32[2048,2048]{order}")
            .parse::<DynLayout>()
            .unwrap()
    };
    let plan = Plan::new(&layout("{1,0}"), &layout("{1,0:T(8,128)}")).unwrap();
    for (name, machine) in simulated::ALL {
        let is_of_many = machine.last_cache > 64 * machine.second_cache;
        let stays = machine.last_cache >= 64 << 20 && !is_of_many;
        let on = plan.on(machine);
        let traffic = on.traffic();
        assert_eq!(traffic.fetched, if stays { 1 << 24 } else { 0 }, "{name}");
        assert_eq!(traffic.total(), (1 << 25) + traffic.fetched, "{name}");
        let said = if stays { "" } else { " past the cache" };
        assert_eq!(on.to_string(), format!("{plan}{said}"), "{name}");
        // What is told of a machine is what runs there do.
        machine.simulate(|| assert_eq!(plan.on(Machine::here()).traffic(), traffic));
        let Way::Task(task, _) = &plan.way else {
            unreachable!("both sides are multiples of the tiles")
        };
        let call = machine.simulate(|| plan.current().call(task, core::ptr::null()));
        assert_eq!(call.choice.past, !stays, "{name}");
    }
}

/// What was learned changes neither the text of a plan nor what is told of a machine.
#[test]
fn the_text_does_not_depend_on_the_past() {
    let plan = transpose("f32[600,600]");
    let told = |plan: &Plan| {
        simulated::ALL.map(|(_, machine)| (plan.to_string(), plan.on(machine).to_string()))
    };
    let before = told(&plan);
    let (from, to) = plan.buffers();
    let src = vec![1; from];
    let mut dst = vec![0; to];
    for _ in 0..40 {
        plan.run_bytes(&src, &mut dst).unwrap();
    }
    assert!(plan.measurement().is_some());
    assert_eq!(told(&plan), before);
    // A strategy that is set is part of the plan.
    let streamed = "lines 4 x 8 direct, streamed".parse().unwrap();
    let plan = plan.with_measurement(streamed);
    let text = plan.on(Machine::REFERENCE).to_string();
    assert!(text.contains(&format!("measured: {streamed}")), "{text}");
    assert!(text.ends_with("past the cache"), "{text}");
}

/// A machine that is simulated is that of this thread, and of no other one.
#[test]
fn a_simulated_machine_is_left() {
    let here = Machine::here();
    let other = Machine {
        second_cache: 1,
        ..simulated::ARM
    };
    other.simulate(|| {
        assert_eq!(Machine::here(), other);
        simulated::ZEN_3.simulate(|| assert_eq!(Machine::here(), simulated::ZEN_3));
        assert_eq!(Machine::here(), other);
        std::thread::scope(|scope| {
            scope.spawn(|| assert_eq!(Machine::here(), here));
        });
    });
    assert_eq!(Machine::here(), here);
}
