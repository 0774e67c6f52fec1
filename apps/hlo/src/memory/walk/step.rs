//! What an instruction does next, and what waits for it.

use super::places::Places;

/// What an instruction does next.
pub(super) enum NextStep {
    /// It gives its arrays.
    Gives(Places),
    /// The computation with this number runs first, with these arguments.
    Runs(u32, Vec<Places>, Wait),
}

/// What happens to the result of the computation that runs.
pub(super) enum Wait {
    /// It is the result of the call.
    Call,
    /// The condition of a loop ran with these arguments; the body is next.
    Condition(Places),
    Body(Loop),
    Branch(Box<Branches>),
}

/// A loop whose body runs.
pub(super) struct Loop {
    /// The input.
    pub(super) init: Places,
    /// The parameter of the body.
    pub(super) carried: Places,
    /// The number of items held before the loop.
    pub(super) held: usize,
}

/// A conditional, one of whose branches runs.
pub(super) struct Branches {
    /// The argument of each branch.
    pub(super) arguments: Vec<Places>,
    /// The results of the branches that ran.
    pub(super) results: Vec<Places>,
    /// The first step of the branch that runs.
    pub(super) begin: u32,
    /// The values in its argument, and their last uses before it.
    pub(super) before: Vec<(u32, u32)>,
    /// The number of items held before the first branch.
    pub(super) held: usize,
}
