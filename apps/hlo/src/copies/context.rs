//! Data that the analyses of a module share: shapes, users, callers.

use hashbrown::HashMap;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use smallvec::SmallVec;
use xlayout::{ArrayShape, Layout};

use super::times::{Times, times};
use super::value::{Known, Value};
use crate::graph::{Computation, Grouped, Instruction, Module, ShapeId, callees_first};
use crate::memory::Updates;
use crate::opcode::Opcode;
use crate::tally::{Array, Tally};

/// The largest number of names that are followed.
const MOST_NAMES: usize = 64;

/// A few values.
pub(crate) type Values = SmallVec<[Value; 4]>;

pub(crate) struct Context<'a> {
    pub(crate) module: &'a Module,
    pub(crate) tally: &'a Tally,
    users: RefCell<HashMap<u32, Grouped>>,
    /// For each computation: its parameters (instructions) by number.
    parameters: RefCell<HashMap<u32, HashMap<u32, u32>>>,
    /// For each instruction that gives a tuple: its users by the item that they take.
    items: RefCell<HashMap<Value, HashMap<Option<u32>, Vec<Value>>>>,
    /// For each instruction: the positions of its operands.
    places: RefCell<HashMap<Value, HashMap<u32, Vec<u32>>>>,
    /// For each computation: how many operations compute before each of its instructions.
    computing: RefCell<HashMap<u32, Rc<[u32]>>>,
    /// What fixes the layouts of values.
    pub(super) known: RefCell<Known>,
    /// What each instruction updates in place.
    updates: OnceCell<Updates>,
    /// For each computation: the instructions that call it.
    pub(crate) callers: Vec<Vec<Value>>,
    /// The computations that the entry reaches, in the order of the calls. This order does not
    /// depend on the order in the text, which differs between the text that XLA prints and a
    /// `.hlo.pb`.
    pub(super) sequence: Vec<u32>,
    /// How often each computation runs; 0 for a part of an instruction, such as the body of a
    /// fusion.
    pub(crate) times: Vec<Times>,
    /// How often each computation runs as the body of a fusion.
    pub(super) fused: Vec<Times>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(module: &'a Module, tally: &'a Tally) -> Self {
        let mut callers = vec![Vec::new(); module.computations.len()];
        for (number, computation) in module.computations.iter().enumerate() {
            for (k, instruction) in computation.instructions.iter().enumerate() {
                for (_, called) in module.all_called(instruction) {
                    let callers: &mut Vec<Value> = &mut callers[called as usize];
                    callers.push(Value::new(number as u32, k as u32));
                }
            }
        }
        let callees = |number: usize| {
            let called = module.computations[number]
                .instructions
                .iter()
                .flat_map(|instruction| module.all_called(instruction));
            called.map(|(_, called)| called as usize)
        };
        let mut seen = vec![false; module.computations.len()];
        let sequence = callees_first(module.entry.map(|entry| entry as usize), &mut seen, callees);
        let (times, fused) = times(module).into_iter().unzip();
        Self {
            module,
            tally,
            users: RefCell::default(),
            parameters: RefCell::default(),
            items: RefCell::default(),
            places: RefCell::default(),
            computing: RefCell::default(),
            known: RefCell::default(),
            updates: OnceCell::new(),
            callers,
            sequence: sequence.into_iter().map(|number| number as u32).collect(),
            times,
            fused,
        }
    }

    pub(crate) fn computation(&self, number: u32) -> &'a Computation {
        &self.module.computations[number as usize]
    }

    pub(crate) fn instruction(&self, value: Value) -> &'a Instruction {
        &self.computation(value.computation).instructions[value.instruction as usize]
    }

    /// The instruction that gives the result of a computation.
    pub(crate) fn root(&self, computation: u32) -> Value {
        Value::new(computation, self.computation(computation).root)
    }

    /// The number of a parameter.
    pub(crate) fn number(&self, value: Value) -> Option<u32> {
        self.module.parameter(self.instruction(value))
    }

    /// Whether a computation runs other than as a part of a fusion.
    pub(super) fn runs(&self, computation: u32) -> bool {
        self.times[computation as usize].count != Some(0)
    }

    /// An array of the tally.
    pub(crate) fn tallied(&self, array: u32) -> &'a Array {
        &self.tally.arrays[array as usize]
    }

    pub(crate) fn opcode(&self, value: Value) -> Opcode {
        self.module.opcode(self.instruction(value))
    }

    pub(crate) fn opcode_text(&self, value: Value) -> &'a str {
        self.module.opcode_text(self.instruction(value))
    }

    pub(crate) fn operand(&self, value: Value, number: usize) -> Option<Value> {
        let operands = self.module.operands(self.instruction(value));
        Some(Value::new(value.computation, *operands.get(number)?))
    }

    pub(crate) fn users(&self, value: Value) -> Values {
        let mut known = self.users.borrow_mut();
        let users = known
            .entry(value.computation)
            .or_insert_with(|| self.module.users(self.computation(value.computation)));
        let user = |&user: &u32| Value::new(value.computation, user);
        users.of(value.instruction).iter().map(user).collect()
    }

    /// The users of a value. Those of an item are the users that take it out of the tuple and those
    /// that use the whole tuple.
    pub(crate) fn users_of(&self, value: Value) -> Values {
        let Some(item) = value.item else {
            return self.users(value);
        };
        let own = value.whole();
        let mut known = self.items.borrow_mut();
        let items = known.entry(own).or_insert_with(|| {
            let mut items: HashMap<Option<u32>, Vec<Value>> = HashMap::new();
            for user in self.users(own) {
                let instruction = self.instruction(user);
                let item = match self.module.opcode(instruction) {
                    Opcode::GetTupleElement => self.module.index(instruction),
                    _ => None,
                };
                items.entry(item).or_default().push(user);
            }
            items
        });
        let users_of = |item| items.get(&item).into_iter().flatten().copied();
        users_of(Some(item)).chain(users_of(None)).collect()
    }

    /// The positions of a value among the operands of an instruction.
    pub(crate) fn places(&self, at: Value, operand: Value) -> Vec<u32> {
        if at.computation != operand.computation || operand.item.is_some() {
            return Vec::new();
        }
        let mut known = self.places.borrow_mut();
        known
            .entry(at)
            .or_insert_with(|| {
                let mut places: HashMap<u32, Vec<u32>> = HashMap::new();
                let operands = self.module.operands(self.instruction(at));
                for (place, &operand) in operands.iter().enumerate() {
                    places.entry(operand).or_default().push(place as u32);
                }
                places
            })
            .get(&operand.instruction)
            .cloned()
            .unwrap_or_default()
    }

    /// Whether an instruction updates a value in place.
    pub(super) fn overwrites(&self, at: Value, value: Value) -> bool {
        let places = self.places(at, value.whole());
        let updates = self.updates.get_or_init(|| Updates::new(self.module));
        // Aliases that cannot be read overwrite nothing that is known.
        let all = updates.of(self.module, self.instruction(at));
        all.iter().flat_map(|all| all.iter()).any(|alias| {
            let item = alias.index.first().copied();
            places.contains(&alias.parameter) && item == value.item
        })
    }

    /// How many operations that compute come before this one in its computation.
    pub(super) fn computing_before(&self, value: Value) -> u32 {
        let mut known = self.computing.borrow_mut();
        known.entry(value.computation).or_insert_with(|| {
            let instructions = &self.computation(value.computation).instructions;
            instructions
                .iter()
                .scan(0, |count, instruction| {
                    let before = *count;
                    *count += u32::from(self.module.opcode(instruction).computes());
                    Some(before)
                })
                .collect()
        })[value.instruction as usize]
    }

    /// A parameter of a computation.
    pub(crate) fn parameter(&self, computation: u32, number: u32) -> Option<Value> {
        let mut known = self.parameters.borrow_mut();
        let parameters = known.entry(computation).or_insert_with(|| {
            self.computation(computation)
                .instructions
                .iter()
                .enumerate()
                .filter_map(|(k, instruction)| {
                    Some((self.module.parameter(instruction)?, k as u32))
                })
                .collect()
        });
        Some(Value::new(computation, *parameters.get(&number)?))
    }

    /// The parameters of the entry that have a number.
    pub(crate) fn entry_parameters(&self) -> impl Iterator<Item = (u32, Value)> {
        let entry = self.module.entry;
        let all = entry.map_or(&[][..], |entry| &self.computation(entry).instructions);
        (0..).zip(all).filter_map(move |(number, instruction)| {
            Some((
                self.module.parameter(instruction)?,
                Value::new(entry?, number),
            ))
        })
    }

    pub(crate) fn is_entry(&self, computation: u32) -> bool {
        self.module.entry == Some(computation)
    }

    pub(crate) fn is_root(&self, value: Value) -> bool {
        self.computation(value.computation).root == value.instruction
    }

    pub(crate) fn shape(&self, value: Value) -> ShapeId {
        let shape = self.instruction(value).shape;
        match value.item {
            None => shape,
            Some(item) => self.module.shapes.item(shape, item).unwrap_or_default(),
        }
    }

    /// The number of the array in the tally, if the value is an array with a layout.
    pub(crate) fn array(&self, value: Value) -> Option<u32> {
        self.module.shapes.leaf(self.shape(value))?.array()
    }

    pub(crate) fn array_shape(&self, array: u32) -> &'a ArrayShape {
        &self.tallied(array).array
    }

    /// The number of the memory space of an array.
    pub(super) fn space(&self, array: u32) -> i8 {
        self.tallied(array).memory_space
    }

    /// The computation that an instruction calls in this role.
    pub(super) fn called(&self, caller: Value, role: &str) -> Option<u32> {
        self.module.called(self.instruction(caller), role)
    }

    pub(crate) fn value_shape(&self, value: Value) -> Option<&'a ArrayShape> {
        Some(self.array_shape(self.array(value)?))
    }

    /// The first operand of an instruction, and its result.
    pub(super) fn sides(&self, at: Value) -> Option<(&'a ArrayShape, &'a ArrayShape)> {
        self.value_shape(self.operand(at, 0)?)
            .zip(self.value_shape(at))
    }

    /// The value that is this result of the entry.
    pub(super) fn result(&self, item: Option<u32>) -> Option<Value> {
        let root = self.root(self.module.entry?);
        match item {
            None => Some(root),
            Some(item) if self.opcode(root) == Opcode::Tuple => self.operand(root, item as usize),
            Some(_) => None,
        }
    }

    /// Returns the values that are names of this one, through bitcasts and items of tuples, and the
    /// instruction that makes it. The value itself is first.
    pub(super) fn names(&self, value: Value) -> (Vec<Value>, Value) {
        let next = |&value: &Value| match self.opcode(value) {
            Opcode::Bitcast => self.operand(value, 0),
            Opcode::GetTupleElement => {
                let item = self.module.index(self.instruction(value))?;
                Some(self.operand(value, 0)?.of_item(item))
            }
            _ => None,
        };
        let names: Vec<Value> = std::iter::successors(Some(value), next)
            .take(MOST_NAMES)
            .collect();
        let maker = names[names.len() - 1].whole();
        (names, maker)
    }

    /// The bytes that an array allocates, with padding.
    pub(crate) fn allocated(&self, array: u32) -> u128 {
        self.tallied(array).allocated.into()
    }

    /// The name of the instruction.
    pub(crate) fn text(&self, value: Value) -> &'a str {
        self.module.name(self.instruction(value))
    }

    /// `%name` for people.
    pub(crate) fn name(&self, value: Value) -> String {
        format!("%{}", self.text(value))
    }
}

/// Whether two layouts differ at most in the memory space.
pub(super) fn same_but_for_space(a: &Layout, b: &Layout) -> bool {
    let mut a = a.clone();
    a.memory_space = b.memory_space;
    a == *b
}
