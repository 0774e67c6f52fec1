//! Pairs the instructions of two modules.
//!
//! ```text
//! the two ENTRY computations are a pair
//! for each pair of computations:
//!     pair their instructions: by number (parameters only), then those that are left by name and
//!         kind, then by op_name and kind, then by kind; of equal ones the first with the first
//!     for each pair of instructions, but not for fusions: the computations that they call are
//!         pairs, the first with the first, and so on
//! ```
//!
//! The kind of an instruction is its opcode, and the element types and sizes of its result. Left is
//! the first HLO module, right the second one.

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
    /// The computation of the first module.
    left: u32,
    /// The computation of the second module.
    right: u32,
    /// In the order of the first computation.
    instructions: Vec<(u32, u32)>,
}

impl Paired {
    pub(super) fn values(&self) -> impl Iterator<Item = (Value, Value)> {
        self.instructions
            .iter()
            .map(|&(left, right)| (Value::new(self.left, left), Value::new(self.right, right)))
    }
}

/// Pairs the instructions of ENTRY, and of the loops and branches in it.
pub(super) fn pairs(
    left: &Context<'_>,
    right: &Context<'_>,
    texts: &RefCell<Texts>,
) -> Vec<Paired> {
    let mut all = Vec::new();
    let (Some(left_entry), Some(right_entry)) = (left.module.entry, right.module.entry) else {
        return all;
    };
    let mut left_side = Side::new(left, texts);
    let mut right_side = Side::new(right, texts);
    let mut next = VecDeque::from([(left_entry, right_entry)]);
    // Computations of the first module: each is paired once.
    let mut seen = HashSet::from([left_entry]);
    while let Some((left_number, right_number)) = next.pop_front() {
        let instructions = computations(&mut left_side, left_number, &mut right_side, right_number);
        let paired = Paired {
            left: left_number,
            right: right_number,
            instructions,
        };
        for (left_value, right_value) in paired.values() {
            if left.opcode(left_value) == Opcode::Fusion {
                continue;
            }
            let left_called = left.module.all_called(left.instruction(left_value));
            let right_called = right.module.all_called(right.instruction(right_value));
            for ((_, left_callee), (_, right_callee)) in left_called.zip(right_called) {
                if seen.insert(left_callee) {
                    next.push_back((left_callee, right_callee));
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
    /// The kinds that were made, by opcode and shape.
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
fn computations(
    left_side: &mut Side<'_>,
    left_number: u32,
    right_side: &mut Side<'_>,
    right_number: u32,
) -> Vec<(u32, u32)> {
    let left = left_side.context;
    let right = right_side.context;
    let all = |context: &Context<'_>, computation: u32| {
        0..context.computation(computation).instructions.len() as u32
    };
    let mut rest = Rest {
        left: all(left, left_number).collect(),
        right: all(right, right_number).collect(),
        pairs: Vec::new(),
    };
    let left_value = |k| Value::new(left_number, k);
    let right_value = |k| Value::new(right_number, k);
    // Parameters are paired by their numbers.
    rest.matched(
        |k| left.number(left_value(k)),
        |k| right.number(right_value(k)),
    );
    // A text that the first module lacks matches nothing in it.
    let known = |text: &str| left.module.texts.known(text);
    // By name and kind.
    rest.matched(
        |k| {
            let value = left_value(k);
            Some((left.instruction(value).name, left_side.kind(value)))
        },
        |k| {
            let value = right_value(k);
            Some((known(right.text(value))?, right_side.kind(value)))
        },
    );
    let op_name = |context: &Context<'_>, value| {
        let name = context.module.op_name_text(context.instruction(value));
        (name != Text::default()).then_some(name)
    };
    // By the name that the program gives, and kind.
    rest.matched(
        |k| {
            let value = left_value(k);
            Some((op_name(left, value)?, left_side.kind(value)))
        },
        |k| {
            let value = right_value(k);
            let name = right.module.texts.get(op_name(right, value)?);
            Some((known(name)?, right_side.kind(value)))
        },
    );
    // By kind alone.
    rest.matched(
        |k| Some(left_side.kind(left_value(k))),
        |k| Some(right_side.kind(right_value(k))),
    );
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
        // Places in both lists, which are sorted by key.
        let mut x = 0;
        let mut y = 0;
        let count_before = self.pairs.len();
        while let (Some((left_key, left_number)), Some((right_key, right_number))) =
            (left.get(x), right.get(y))
        {
            match left_key.cmp(right_key) {
                Ordering::Less => x += 1,
                Ordering::Greater => y += 1,
                Ordering::Equal => {
                    self.pairs.push((*left_number, *right_number));
                    x += 1;
                    y += 1;
                }
            }
        }
        let new = self.pairs[count_before..].iter().copied();
        let (paired_left, paired_right) = new.unzip();
        remove(&mut self.left, paired_left);
        remove(&mut self.right, paired_right);
    }
}

/// The instructions that have a key, sorted by key, and those of one key by their number.
fn keyed<K: Ord>(all: &[u32], mut key: impl FnMut(u32) -> Option<K>) -> Vec<(K, u32)> {
    let mut keyed = Vec::with_capacity(all.len());
    keyed.extend(
        all.iter()
            .filter_map(|&number| Some((key(number)?, number))),
    );
    keyed.sort_unstable();
    keyed
}

/// Removes some numbers from an ascending list that contains them.
fn remove(all: &mut Vec<u32>, mut unwanted: Vec<u32>) {
    unwanted.sort_unstable();
    let mut unwanted = unwanted.into_iter().peekable();
    all.retain(|number| unwanted.next_if_eq(number).is_none());
}
