//! Checks liveness against a simple generator that knows the memories, and by hand.

mod aliases;
mod entry;
mod large;
mod malformed;
mod spaces;

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::graph::tests::graphs;
use super::*;

fn memory(text: &str) -> Answer {
    let (modules, tally, told) = graphs(text);
    assert_eq!(
        (modules.len(), told.join("\n")),
        (1, String::new()),
        "{text}"
    );
    answer(&modules[0], &tally, None, Rows::at_peak(usize::MAX))
        .unwrap_or_else(|stop| panic!("{stop:?}\n{text}"))
}

/// In each part, the bytes of the lasting buffers add up to the timeline.
fn check_over_time(text: &str) {
    let (modules, tally, _) = graphs(text);
    let all = answer(
        &modules[0],
        &tally,
        None,
        Rows {
            at_peak: 1,
            lasting: usize::MAX,
        },
    )
    .unwrap();
    for space in all.spaces {
        assert_eq!(space.instructions.len(), space.timeline.len());
        for (k, bytes) in space.timeline.iter().enumerate() {
            let part = k as u32;
            let alive = (space.lasting.iter())
                .filter(|one| one.parts.iter().any(|&(a, b)| (a..=b).contains(&part)));
            let sum: u128 = alive.map(|one| u128::from(one.buffer.bytes)).sum();
            assert_eq!(sum, *bytes, "part {k}\n{text}");
        }
    }
}

#[test]
fn what_lasts_makes_the_timeline() {
    for text in [
        include_str!("../../../cli/tests/data/copies/scan_transposed.default.v5e.hlo"),
        include_str!("../../../cli/tests/data/copies/kv_cache_update.default.v5e.hlo"),
        include_str!("../../../cli/tests/data/copies/attention_bshd.default.v5e.hlo"),
    ] {
        check_over_time(text);
    }
}

fn peaks(text: &str) -> Vec<(i8, u128)> {
    let spaces = memory(text).spaces.into_iter();
    spaces.map(|space| (space.space, space.live)).collect()
}

/// An instruction of a random module. Operands are numbers of arrays that were made before.
#[derive(Clone, Debug)]
enum Made {
    /// An array of this many bytes in a space, made from operands that are read.
    New(u16, i8, Vec<prop::sample::Index>),
    Bitcast(prop::sample::Index),
    Update(prop::sample::Index),
    /// Into a tuple and out of it.
    Tuple(prop::sample::Index, prop::sample::Index),
    /// A copy to another space and back, with other instructions between start and end.
    Copy(prop::sample::Index, i8),
    /// A part of a tuple, updated in place as a part of another tuple.
    Alias(prop::sample::Index, prop::sample::Index),
}

fn made() -> impl Strategy<Value = Made> {
    let of = any::<prop::sample::Index>;
    prop_oneof![
        4 => (1..500_u16, 0..2_i8, prop::collection::vec(of(), 0..3))
            .prop_map(|(size, space, operands)| Made::New(size, space, operands)),
        1 => of().prop_map(Made::Bitcast),
        2 => of().prop_map(Made::Update),
        1 => (of(), of()).prop_map(|(a, b)| Made::Tuple(a, b)),
        2 => (of(), 0..2_i8).prop_map(|(a, space)| Made::Copy(a, space)),
        2 => (of(), of()).prop_map(|(a, b)| Made::Alias(a, b)),
    ]
}

/// The memory that an array takes, by its number, as the generator knows it.
#[derive(Clone, Debug)]
struct Array {
    name: String,
    memory: usize,
}

#[derive(Default)]
struct Generator {
    text: String,
    step: usize,
    arrays: Vec<Array>,
    /// For each memory: size, space, the first and the last step.
    memories: Vec<(u16, i8, usize, usize)>,
}

impl Generator {
    fn shape(&self, memory: usize) -> String {
        let (size, space, ..) = self.memories[memory];
        shape(size, space)
    }

    fn line(&mut self, line: &str) {
        self.text += &format!("  {line}\n");
        self.step += 1;
    }

    fn memory(&mut self, size: u16, space: i8) -> usize {
        self.memories.push((size, space, self.step, self.step));
        self.memories.len() - 1
    }

    fn read(&mut self, memory: usize) {
        self.memories[memory].3 = self.memories[memory].3.max(self.step);
    }

    fn make(&mut self, made: &Made) {
        let k = self.arrays.len();
        let name = format!("a{k}");
        let pick = |index: &prop::sample::Index| self.arrays[index.index(k)].clone();
        let memory = match made {
            Made::New(size, space, operands) => {
                let operands: Vec<Array> = operands.iter().map(pick).collect();
                for operand in &operands {
                    self.read(operand.memory);
                }
                let memory = self.memory(*size, *space);
                let names: Vec<_> = operands
                    .iter()
                    .map(|one| format!("%{}", one.name))
                    .collect();
                let line = format!(
                    "%{name} = {} custom-call({}), custom_call_target=\"x\"",
                    self.shape(memory),
                    names.join(", ")
                );
                self.line(&line);
                memory
            }
            Made::Bitcast(of) => {
                let of = pick(of);
                let line = format!("%{name} = {} bitcast(%{})", self.shape(of.memory), of.name);
                self.line(&line);
                of.memory
            }
            Made::Update(of) => {
                let of = pick(of);
                self.read(of.memory);
                let shape = self.shape(of.memory);
                let line = format!(
                    "%{name} = {shape} dynamic-update-slice(%{0}, %{0}, %{0})",
                    of.name
                );
                self.line(&line);
                of.memory
            }
            Made::Tuple(a, b) => {
                let a = pick(a);
                let b = pick(b);
                let first = self.shape(a.memory);
                let second = self.shape(b.memory);
                let line = format!(
                    "%t{k} = ({first}, {second}) tuple(%{}, %{})",
                    a.name, b.name
                );
                self.line(&line);
                let line = format!("%{name} = {second} get-tuple-element(%t{k}), index=1");
                self.line(&line);
                b.memory
            }
            Made::Alias(of, other) => {
                let of = pick(of);
                let other = pick(other);
                let [shape, beside] = [of.memory, other.memory].map(|one| self.shape(one));
                let line = format!(
                    "%o{k} = ({beside}, {shape}) tuple(%{}, %{})",
                    other.name, of.name
                );
                self.line(&line);
                let new = self.memory(3, 0);
                for memory in [of.memory, other.memory, new] {
                    self.read(memory);
                }
                let line = format!(
                    "%c{k} = (u8[3]{{0}}, ({shape})) custom-call(%o{k}), custom_call_target=\"x\", \
                     output_to_operand_aliasing={{{{1,0}}: (0, {{1}})}}"
                );
                self.line(&line);
                let line = format!("%i{k} = ({shape}) get-tuple-element(%c{k}), index=1");
                self.line(&line);
                let line = format!("%{name} = {shape} get-tuple-element(%i{k}), index=0");
                self.line(&line);
                of.memory
            }
            Made::Copy(of, space) => {
                let of = pick(of);
                self.read(of.memory);
                let memory = self.memory(self.memories[of.memory].0, *space);
                let to = self.shape(memory);
                let from = self.shape(of.memory);
                let line = format!("%s{k} = ({to}, {from}, u32[]) copy-start(%{})", of.name);
                // The number of the copy counts as an array, too.
                let context = self.memory(4, 0);
                self.line(&line);
                self.line(&format!("%n{k} = u8[1]{{0}} constant({{1}})"));
                for memory in [of.memory, memory, context] {
                    self.read(memory);
                }
                let line = format!("%{name} = {to} copy-done(%s{k})");
                self.line(&line);
                memory
            }
        };
        self.arrays.push(Array { name, memory });
    }

    /// The peaks, found by asking at each step which memories are needed.
    fn peaks(&self, constants: u128) -> BTreeMap<i8, u128> {
        let mut peaks = BTreeMap::new();
        for step in 0..self.step {
            let mut taken: BTreeMap<i8, u128> = BTreeMap::from([(0, constants)]);
            for &(size, space, from, to) in &self.memories {
                if (from..=to).contains(&step) {
                    *taken.entry(space).or_default() += u128::from(size);
                }
            }
            for (space, bytes) in taken {
                let peak = peaks.entry(space).or_default();
                *peak = bytes.max(*peak);
            }
        }
        peaks.retain(|_, bytes| *bytes > 0);
        peaks
    }
}

fn shape(size: u16, space: i8) -> String {
    match space {
        0 => format!("u8[{size}]{{0}}"),
        space => format!("u8[{size}]{{0:S({space})}}"),
    }
}

proptest! {
    #[test]
    fn random_schedules_have_the_peaks_of_a_simple_count(
        parameters in prop::collection::vec((1..500_u16, 0..2_i8), 1..4),
        made in prop::collection::vec(made(), 1..40),
        donated in any::<bool>(),
    ) {
        let mut generator = Generator::default();
        for (k, &(size, space)) in parameters.iter().enumerate() {
            let memory = generator.memory(size, space);
            generator.line(&format!("%a{k} = {} parameter({k})", shape(size, space)));
            generator.arrays.push(Array { name: format!("a{k}"), memory });
        }
        for one in &made {
            generator.make(one);
        }
        let root = generator.arrays.last().unwrap().clone();
        let last = generator.step - 1;
        let of_root = generator.shape(root.memory);
        // The last instruction gives the result.
        let at = generator.text.trim_end().rfind("\n  %").map_or(0, |at| at + 1);
        generator.text.insert_str(at + 2, "ROOT ");
        generator.memories[root.memory].3 = last;
        for memory in 0..parameters.len() {
            generator.memories[memory].2 = 0;
            generator.memories[memory].3 = last;
        }
        // A result of the same size as a parameter may take its memory.
        let first = generator.shape(0);
        let donated = donated && of_root == first && root.memory != 0;
        if donated {
            generator.memories.remove(root.memory);
        }
        let alias = if donated { ", input_output_alias={ {}: (0, {}, may-alias) }" } else { "" };
        let text = format!("HloModule m, is_scheduled=true{alias}\n\nENTRY %e () -> u8[] {{\n{}}}\n", generator.text);
        let constants = made.iter().filter(|one| matches!(one, Made::Copy(..))).count();
        let expected: Vec<_> = generator.peaks(constants as u128).into_iter().collect();
        prop_assert_eq!(peaks(&text), expected, "{}", text);
        // All memories are of ENTRY.
        let sizes = generator.memories.iter().map(|memory| u128::from(memory.0));
        let sum: u128 = sizes.sum();
        let of_entry = entry::of_entry(&text);
        prop_assert_eq!(of_entry.bytes.allocated, sum + constants as u128, "{}", text);
        prop_assert_eq!(of_entry.inner, 0);
    }
}

#[test]
fn a_loop_and_what_it_carries_are_counted_once() {
    let text = "HloModule m, is_scheduled=true

%body (s: (u8[100], u8[10])) -> (u8[100], u8[10]) {
  %s = (u8[100]{0}, u8[10]{0}) parameter(0)
  %x = u8[100]{0} get-tuple-element(%s), index=0
  %y = u8[10]{0} get-tuple-element(%s), index=1
  %t = u8[30]{0} custom-call(%x), custom_call_target=\"f\"
  %z = u8[100]{0} custom-call(%t), custom_call_target=\"g\"
  ROOT %r = (u8[100]{0}, u8[10]{0}) tuple(%z, %y)
}

%more (s: (u8[100], u8[10])) -> pred[] {
  %s = (u8[100]{0}, u8[10]{0}) parameter(0)
  ROOT %p = pred[] custom-call(), custom_call_target=\"p\"
}

ENTRY %e (a: u8[100]) -> u8[100] {
  %a = u8[100]{0} parameter(0)
  %c = u8[100]{0} copy(%a)
  %b = u8[10]{0} custom-call(), custom_call_target=\"b\"
  %t = (u8[100]{0}, u8[10]{0}) tuple(%c, %b)
  %w = (u8[100]{0}, u8[10]{0}) while(%t), condition=%more, body=%body
  ROOT %o = u8[100]{0} get-tuple-element(%w), index=0
}
";
    // The parameter, the loop state, and in the body %t with %x or %z: the new value takes the
    // memory of the old one.
    assert_eq!(peaks(text), [(0, 100 + 100 + 10 + 30)]);
    let answer = memory(text);
    let space = &answer.spaces[0];
    assert_eq!((&*space.at, &*space.computation), ("t", "body"));
    let alive: Vec<_> = space
        .buffers
        .iter()
        .map(|one| (&*one.instruction, one.kind, one.bytes))
        .collect();
    let expected = [
        ("a", "parameter", 100),
        ("c", "result", 100),
        ("t", "temporary", 30),
        ("b", "temporary", 10),
    ];
    assert_eq!(alive, expected);
}

#[test]
fn of_branches_one_runs() {
    let branch = |name: &str, size: u32| {
        format!(
            "%{name} (x: u8[100]) -> u8[7] {{\n  %x = u8[100]{{0}} parameter(0)\n  \
             %t = u8[{size}]{{0}} custom-call(%x), custom_call_target=\"f\"\n  \
             ROOT %r = u8[7]{{0}} custom-call(%t), custom_call_target=\"g\"\n}}\n\n"
        )
    };
    let text = format!(
        "HloModule m, is_scheduled=true\n\n{}{}ENTRY %e (p: s32[]) -> u8[7] {{\n  %p = s32[] parameter(0)\n  \
         %a = u8[100]{{0}} custom-call(), custom_call_target=\"a\"\n  \
         %b = u8[100]{{0}} custom-call(), custom_call_target=\"b\"\n  \
         ROOT %c = u8[7]{{0}} conditional(%p, %a, %b), branch_computations={{%one, %two}}\n}}\n",
        branch("one", 50),
        branch("two", 60)
    );
    // %b is not needed in the first branch, nor %a in the second. Both are needed where the
    // conditional begins.
    assert_eq!(peaks(&text), [(0, 4 + 100 + 100)]);
    let text = text.replace("u8[50]", "u8[150]");
    assert_eq!(peaks(&text), [(0, 4 + 100 + 150)]);
}

#[test]
fn calls_cannot_make_a_module_endless() {
    let mut text =
        "HloModule m\n\n%c0 (x: u8[1]) -> u8[1] {\n  ROOT %x = u8[1]{0} parameter(0)\n}\n"
            .to_owned();
    for k in 1..80 {
        text += &format!(
            "\n%c{k} (x: u8[1]) -> u8[1] {{\n  %x = u8[1]{{0}} parameter(0)\n  \
             %y = u8[1]{{0}} call(%x), to_apply=%c{0}\n  ROOT %z = u8[1]{{0}} call(%y), to_apply=%c{0}\n}}\n",
            k - 1
        );
    }
    let entry = |callee: usize| {
        format!(
            "\nENTRY %e (x: u8[1]) -> u8[1] {{\n  %x = u8[1]{{0}} parameter(0)\n  \
             ROOT %y = u8[1]{{0}} call(%x), to_apply=%c{callee}\n}}\n"
        )
    };
    let stop = |text: &str| {
        let (modules, tally, _) = graphs(text);
        answer(&modules[0], &tally, None, Rows::at_peak(1)).map(|_| ())
    };
    assert_eq!(stop(&(text.clone() + &entry(10))), Ok(()));
    assert!(matches!(
        stop(&(text.clone() + &entry(79))),
        Err(Stop::Long(_))
    ));
    // Without an ENTRY the last computation is followed.
    assert!(matches!(stop(&text), Err(Stop::Long(_))));
    assert!(matches!(stop("HloModule m\n"), Err(Stop::NoEntry)));
}

#[test]
fn parts_of_the_schedule_keep_the_peak() {
    use super::peak::{buffers, spaces};
    use super::walk::{Value, Walk};

    let parts = |buffers_of: &[(u32, u32, u64)], steps: usize| {
        let value = |&(made, used, bytes): &(u32, u32, u64)| Value {
            array: None,
            space: 0,
            bytes,
            by: (0, 0),
            made,
            used,
            fixed: false,
            in_entry: false,
        };
        let walk = Walk {
            values: buffers_of.iter().map(value).collect(),
            steps: vec![(0, 0); steps],
            ..Walk::default()
        };
        spaces(buffers(&walk).iter(&walk), steps).remove(0)
    };
    let short = parts(&[(0, 1, 5), (2, 2, 9)], 4);
    assert_eq!(
        (short.timeline, short.peak, short.at),
        (vec![5, 5, 9, 0], 9, 2)
    );
    // Memory that is last used at a step is free at the next one, where the other buffer begins.
    let long = parts(
        &[(0, 9_999, 1), (5_000, 5_000, 76), (5_001, 9_999, 1)],
        10_000,
    );
    assert_eq!((long.peak, long.at), (77, 5_000));
    let long = long.timeline;
    assert_eq!((long.len(), long[0], long[120], long[239]), (240, 1, 77, 2));
}
