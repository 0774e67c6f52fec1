//! Values, and what fixes their layouts.

use hashbrown::HashMap;

/// A result of an instruction, or an item of its tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Value {
    pub(crate) computation: u32,
    pub(crate) instruction: u32,
    /// The item, if the result is a tuple.
    pub(crate) item: Option<u32>,
}

impl Value {
    pub(crate) fn new(computation: u32, instruction: u32) -> Self {
        Self {
            computation,
            instruction,
            item: None,
        }
    }

    /// The result of the instruction, without the item.
    pub(crate) fn whole(self) -> Self {
        Self::new(self.computation, self.instruction)
    }

    pub(crate) fn of_item(self, item: u32) -> Self {
        Self {
            item: Some(item),
            ..self
        }
    }
}

/// What fixes a layout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    /// An operation of this kind.
    Operation(&'static str, Value),
    Result {
        item: Option<u32>,
        donated: bool,
    },
    Parameter {
        number: u32,
        donated: bool,
    },
    /// The state carried by a loop.
    Loop(Value),
    /// Another operation that moves data, which changes a layout.
    Copy(Value),
    /// An operation of which it is not known what it asks for.
    Other(Value),
}

/// What fixes the layout of a value in one direction: the sum over all values with its layout.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Fixed {
    /// The strongest side, and of equal ones the nearest: the side and its distance in steps.
    pub(super) strongest: Option<(Side, u32)>,
    /// Whether a parameter or a result of the entry is among the sides.
    pub(super) at_entry: bool,
    /// Whether something else is.
    pub(super) elsewhere: bool,
    /// Whether something else than a result, or than a copy that runs, is.
    pub(super) is_used: bool,
    /// Whether the way there meets an operation that does more than move data.
    pub(super) works: bool,
}

/// What is known of the values in each direction.
#[derive(Default)]
pub(super) struct Known {
    pub(super) fixed: HashMap<(Value, bool), Fixed>,
    /// How many sums were made.
    pub(super) sums: usize,
}
