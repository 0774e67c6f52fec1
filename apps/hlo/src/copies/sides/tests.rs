//! What is known of all values at once is what a search from each alone finds.

use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;

use super::super::tests::texts;
use super::*;
use crate::graph::tests::graphs;

/// What fixes the layout of a value, breadth first from it alone.
fn by_search(context: &Context<'_>, value: Value, back: bool) -> Fixed {
    let mut sum = Fixed::default();
    let mut seen = HashSet::from([value]);
    let mut next = VecDeque::from([(value, 0)]);
    while let Some((value, distance)) = next.pop_front() {
        let step = Step::of(context, value, back);
        let mut own = Fixed::of(context, &step);
        own.strongest = own.strongest.map(|(side, _)| (side, distance));
        let nearest = sum.strongest;
        sum.add(&own);
        sum.strongest = nearest;
        own.strongest.into_iter().for_each(|side| sum.take(side));
        for there in step.next {
            if seen.insert(there) {
                next.push_back((there, distance + 1));
            }
        }
    }
    sum
}

/// In both directions from all values of a module; returns how many were not without sides.
fn compare(text: &str) -> usize {
    let (modules, tally, _) = graphs(text);
    let context = Context::new(&modules[0], &tally);
    let mut fixed = 0;
    for (number, computation) in (0..).zip(&modules[0].computations) {
        for k in 0..computation.instructions.len() as u32 {
            let whole = Value::new(number, k);
            let items = modules[0].shapes.items(context.shape(whole)).len() as u32;
            let items = (0..items.min(8)).map(|item| whole.of_item(item));
            for value in std::iter::once(whole).chain(items) {
                for back in [false, true] {
                    let found = context.fixed(value, back);
                    assert_eq!(found, by_search(&context, value, back), "{value:?}");
                    fixed += usize::from(found.strongest.is_some());
                }
            }
        }
    }
    fixed
}

#[test]
fn what_is_known_is_what_a_search_finds() {
    let mut fixed = 0;
    for (_, text) in texts() {
        if text.len() < 60_000 {
            fixed += compare(&text);
        }
    }
    assert!(fixed > 1000, "{fixed}");
    // A circle: what the first call gives is what the second one takes.
    let circle = "HloModule m
%f {
  p = ARRAY parameter(0)
  ROOT n = ARRAY negate(p)
}
ENTRY %e {
  a = ARRAY parameter(0)
  x = ARRAY call(a), to_apply=%f
  y = ARRAY call(x), to_apply=%f
  s = ARRAY sort(y)
  ROOT z = ARRAY call(y), to_apply=%f
}
";
    assert!(compare(&circle.replace("ARRAY", "f32[8]{0}")) > 0);
}

/// Each copy of a chain was followed to the end of the chain.
#[test]
fn a_chain_takes_as_many_steps_as_it_is_long() {
    let chain = |operation: &str, length: usize| {
        let mut text =
            String::from("HloModule m\n\nENTRY %e {\n  c0 = f32[8,8]{1,0} parameter(0)\n");
        for k in 1..=length {
            let root = if k == length { "ROOT " } else { "" };
            let before = k - 1;
            let operation = operation.replace('X', &format!("c{before}"));
            let _ = writeln!(text, "  {root}c{k} = f32[8,8]{{1,0}} {operation}");
        }
        text + "}\n"
    };
    for operation in ["copy(X)", "transpose(X), dimensions={1,0}", "negate(X)"] {
        for length in [500, 1000, 2000] {
            let (modules, tally, _) = graphs(&chain(operation, length));
            let context = Context::new(&modules[0], &tally);
            for k in 0..=length as u32 {
                context.fixed(Value::new(0, k), true);
                context.fixed(Value::new(0, k), false);
            }
            let sums = context.known.borrow().sums;
            // The first pass, and one that changes nothing, in each direction.
            let expected = 2 * length..=4 * length;
            assert!(
                expected.contains(&sums),
                "{operation}: {sums} of {expected:?}"
            );
        }
    }
}
