//! Pairs the instructions of two modules.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet, VecDeque};

use crate::copies::{Context, Value};
use crate::graph::{ShapeId, Text, Texts};
use crate::opcode::Opcode;
use crate::tally::Array;

/// Paired instructions of two computations. These are numbers only: a module may have millions of
/// instructions.
pub(super) struct Paired {
    a: u32,
    b: u32,
    /// In the order of the first computation.
    instructions: Vec<(u32, u32)>,
}

impl Paired {
    pub(super) fn values(&self) -> impl Iterator<Item = (Value, Value)> {
        self.instructions
            .iter()
            .map(|&(left, right)| (Value::new(self.a, left), Value::new(self.b, right)))
    }
}

/// Pairs the instructions of ENTRY, and of the loops and branches in it.
pub(super) fn pairs(a: &Context<'_>, b: &Context<'_>, texts: &RefCell<Texts>) -> Vec<Paired> {
    let mut all = Vec::new();
    let (Some(x), Some(y)) = (a.module.entry, b.module.entry) else {
        return all;
    };
    let mut left = Side::new(a, texts);
    let mut right = Side::new(b, texts);
    let mut next = VecDeque::from([(x, y)]);
    let mut seen = HashSet::from([x]);
    while let Some((x, y)) = next.pop_front() {
        let instructions = computations((&mut left, x), (&mut right, y));
        let paired = Paired {
            a: x,
            b: y,
            instructions,
        };
        for (left, right) in paired.values() {
            if a.opcode(left) == Opcode::Fusion {
                continue;
            }
            let left = a.module.all_called(a.instruction(left));
            let right = b.module.all_called(b.instruction(right));
            for ((_, p), (_, q)) in left.zip(right) {
                if seen.insert(p) {
                    next.push_back((p, q));
                }
            }
        }
        all.push(paired);
    }
    all
}

/// A module, and the opcodes and dimensions of its instructions as texts that both modules share.
struct Side<'a> {
    context: &'a Context<'a>,
    kinds: HashMap<(Text, ShapeId), Text>,
    /// The texts of both modules.
    texts: &'a RefCell<Texts>,
}

impl<'a> Side<'a> {
    fn new(context: &'a Context<'a>, texts: &'a RefCell<Texts>) -> Self {
        Self {
            context,
            texts,
            kinds: HashMap::new(),
        }
    }

    /// The opcode, and the element types and sizes of the result.
    fn kind(&mut self, at: Value) -> Text {
        let context = self.context;
        let instruction = context.instruction(at);
        let key = (instruction.opcode, instruction.shape);
        *self.kinds.entry(key).or_insert_with(|| {
            let mut text = context.opcode_text(at).to_owned();
            for leaf in context.module.leaves(instruction) {
                text.push(' ');
                match context.tally.of(leaf) {
                    Some(Array { array, .. }) => {
                        text += &array.display_without_layout().to_string();
                    }
                    None => text += &format!("{leaf:?}"),
                }
            }
            self.texts.borrow_mut().add(&text)
        })
    }
}

/// Pairs the instructions of two computations, in the order of the first one.
fn computations((a, x): (&mut Side<'_>, u32), (b, y): (&mut Side<'_>, u32)) -> Vec<(u32, u32)> {
    let left = a.context;
    let right = b.context;
    let all = |context: &Context<'_>, computation: u32| {
        0..context.computation(computation).instructions.len() as u32
    };
    let mut rest = Rest {
        left: all(left, x).collect(),
        right: all(right, y).collect(),
        pairs: Vec::new(),
    };
    let x = |k| Value::new(x, k);
    let y = |k| Value::new(y, k);
    // Parameters are paired by their numbers.
    rest.matched(|k| left.number(x(k)), |k| right.number(y(k)));
    // A text that the first module lacks matches nothing in it.
    let known = |text: &str| left.module.texts.known(text);
    rest.matched(
        |k| Some((left.instruction(x(k)).name, a.kind(x(k)))),
        |k| Some((known(right.text(y(k)))?, b.kind(y(k)))),
    );
    let op_name = |context: &Context<'_>, at| {
        let name = context.module.op_name_text(context.instruction(at));
        (name != Text::default()).then_some(name)
    };
    rest.matched(
        |k| Some((op_name(left, x(k))?, a.kind(x(k)))),
        |k| {
            Some((
                known(right.module.texts.get(op_name(right, y(k))?))?,
                b.kind(y(k)),
            ))
        },
    );
    rest.matched(|k| Some(a.kind(x(k))), |k| Some(b.kind(y(k))));
    rest.pairs.sort_unstable();
    rest.pairs
}

/// The instructions of two computations that have no pair yet, and the pairs.
struct Rest {
    left: Vec<u32>,
    right: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

impl Rest {
    /// Moves instructions with equal keys into `pairs`: the first with the first, and so on.
    fn matched<K: Ord>(
        &mut self,
        of_left: impl FnMut(u32) -> Option<K>,
        of_right: impl FnMut(u32) -> Option<K>,
    ) {
        let left = keyed(&self.left, of_left);
        let right = keyed(&self.right, of_right);
        let mut x = 0;
        let mut y = 0;
        let before = self.pairs.len();
        while let (Some((a, p)), Some((b, q))) = (left.get(x), right.get(y)) {
            match a.cmp(b) {
                Ordering::Less => x += 1,
                Ordering::Greater => y += 1,
                Ordering::Equal => {
                    self.pairs.push((*p, *q));
                    (x, y) = (x + 1, y + 1);
                }
            }
        }
        let new = &self.pairs[before..];
        remove(&mut self.left, new.iter().map(|pair| pair.0).collect());
        remove(&mut self.right, new.iter().map(|pair| pair.1).collect());
    }
}

/// The instructions that have a key, sorted by key; the sort is stable.
fn keyed<K: Ord>(all: &[u32], mut key: impl FnMut(u32) -> Option<K>) -> Vec<(K, u32)> {
    let mut keyed = Vec::with_capacity(all.len());
    keyed.extend(all.iter().filter_map(|&k| Some((key(k)?, k))));
    keyed.sort_unstable();
    keyed
}

/// Removes some numbers from an ascending list.
fn remove(all: &mut Vec<u32>, mut some: Vec<u32>) {
    some.sort_unstable();
    let mut some = some.into_iter().peekable();
    all.retain(|&k| some.next_if_eq(&k).is_none());
}
