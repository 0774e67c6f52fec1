//! What fixes the layout of a value, before it or after it.
//!
//! ```text
//! step(value) = what fixes the layout at the value itself, and the values that have its layout
//! fixed(value) = the sum of step(value) and of fixed(next), for each next value of its step
//!
//! to find fixed(value):
//!     list the values that can be reached and are not known, each after those that it reaches
//!     until nothing changes, for each of them:
//!         fixed = the sum of its step and of what is known of the next values
//! ```
//!
//! The sum does not count a side twice, so values that are reached on several ways do no harm, and
//! neither do circles: one computation that two operations call, one after the other. Each value is
//! listed once for all questions, and without circles it changes once.

#[cfg(test)]
mod tests;

use super::context::{Context, same_but_for_space};
use super::ties::beside;
use super::value::{Fixed, Known, Side, Value};
use crate::opcode::Opcode;

/// The class of an operation without ties, as the report calls it.
fn class(context: &Context<'_>, at: Value, opcode: Opcode) -> &'static str {
    match opcode {
        Opcode::Convolution => "convolution",
        Opcode::Dot | Opcode::RaggedDot | Opcode::ScaledDot => "dot",
        Opcode::Sort => "sort",
        Opcode::TopK => "top-k",
        Opcode::Gather => "gather",
        Opcode::Scatter | Opcode::SelectAndScatter => "scatter",
        Opcode::Reduce => "reduce",
        Opcode::ReduceWindow => "reduce-window",
        Opcode::Fft => "fft",
        Opcode::DynamicReshape => "dynamic reshape",
        Opcode::Cholesky => "cholesky",
        Opcode::TriangularSolve => "triangular solve",
        Opcode::Infeed
        | Opcode::Outfeed
        | Opcode::Send
        | Opcode::Recv
        | Opcode::Done(Opcode::Send | Opcode::Recv) => "host transfer",
        Opcode::CustomCall | Opcode::Start(Opcode::CustomCall) => {
            match context.module.target(context.instruction(at)) {
                "TopK" | "PartialReduce" | "ApproxTopK" => "top-k",
                "Sort" => "sort",
                target if target.contains("gemm") || target.contains("matmul") => "dot",
                target if target.contains("conv") => "convolution",
                target if target.to_ascii_lowercase().contains("fft") => "fft",
                "MoveToHost" | "MoveToDevice" => "host transfer",
                "AllocateBuffer" => "allocation",
                _ => "custom call",
            }
        }
        Opcode::While => "loop state",
        Opcode::Start(Opcode::AllReduce) => "collective",
        _ => match opcode.begun() {
            Opcode::AllGather
            | Opcode::AllToAll
            | Opcode::CollectivePermute
            | Opcode::ReduceScatter
            | Opcode::CollectiveBroadcast => "collective",
            _ => "",
        },
    }
}

impl Side {
    /// The rank of a side: the lowest decides first.
    fn strength(&self) -> u8 {
        match self {
            Self::Operation("reduce", _) => 5,
            Self::Operation("allocation", _) => 7,
            Self::Operation(..) => 0,
            Self::Result { .. } => 1,
            Self::Parameter { .. } => 2,
            Self::Loop(_) => 3,
            Self::Copy(_) => 6,
            Self::Other(_) => 8,
        }
    }

    /// What fixes a value that the entry takes (if `back`) or gives.
    pub(super) fn of_entry(context: &Context<'_>, value: Value, back: bool) -> Option<Self> {
        if !context.is_entry(value.computation) {
            return None;
        }
        if back {
            // A parameter without a number is a mistake in the text, so it fixes nothing.
            let number = context.number(value)?;
            let donated = context.module.is_donated(number);
            return Some(Self::Parameter { number, donated });
        }
        let item = value.item;
        let donated = context
            .module
            .aliases
            .iter()
            .any(|alias| alias.result.first().copied() == item);
        context
            .is_root(value)
            .then_some(Self::Result { item, donated })
    }

    /// `convolution %x`, `entry result 0`.
    pub(super) fn words(&self, context: &Context<'_>) -> String {
        let of_donated = |donated| if donated { " (donated)" } else { "" };
        match self {
            Self::Operation(class, at) => format!("{class} {}", context.name(*at)),
            Self::Result { item, donated } => {
                let item = item.map_or(String::new(), |item| format!(" {item}"));
                format!("entry result{item}{}", of_donated(*donated))
            }
            Self::Parameter { number, donated } => {
                format!("entry parameter {number}{}", of_donated(*donated))
            }
            Self::Loop(at) => format!("loop state of {}", context.name(*at)),
            Self::Copy(at) => format!("another copy {}", context.name(*at)),
            Self::Other(at) => format!("{} {}", context.opcode_text(*at), context.name(*at)),
        }
    }
}

/// One step from a value to those that have its layout.
#[derive(Default)]
struct Step {
    sides: Vec<Side>,
    /// Whether an operation there does more than move data.
    works: bool,
    next: Vec<Value>,
}

impl Step {
    fn of(context: &Context<'_>, value: Value, back: bool) -> Self {
        let mut step = Self::default();
        step.sides.extend(Side::of_entry(context, value, back));
        for (by, there) in beside(context, value, back) {
            let opcode = context.opcode(by);
            let class = class(context, by, opcode);
            step.works = step.works
                || there
                    .as_ref()
                    .is_none_or(|there| !there.is_empty() && !opcode.passes_on());
            let all = match class {
                "loop state" => {
                    step.sides.push(Side::Loop(by));
                    continue;
                }
                // `top-k` keeps the layout of its operand, but it does not only pass data on.
                "top-k" => None,
                _ => there,
            };
            let Some(all) = all else {
                step.sides.extend(match class {
                    "" if opcode.whole().passes_on() => None,
                    "" => Some(Side::Other(by)),
                    class => Some(Side::Operation(class, by)),
                });
                continue;
            };
            let changes = opcode == Opcode::Copy && changes_layout(context, by);
            for there in all {
                if context.array(there).is_none() {
                    continue;
                }
                if changes {
                    step.sides.push(Side::Copy(by))
                } else {
                    step.next.push(there)
                }
            }
        }
        step
    }
}

fn changes_layout(context: &Context<'_>, at: Value) -> bool {
    context
        .sides(at)
        .is_some_and(|(a, b)| match (&a.layout, &b.layout) {
            (Some(a), Some(b)) => !same_but_for_space(a, b),
            _ => false,
        })
}

impl Fixed {
    pub(super) fn strongest(&self) -> Option<Side> {
        self.strongest.map(|(side, _)| side)
    }

    /// Whether there are sides, and all of them are of the entry.
    pub(super) fn is_entry(&self) -> bool {
        self.at_entry && !self.elsewhere
    }

    fn of(context: &Context<'_>, step: &Step) -> Self {
        let mut fixed = Self {
            works: step.works,
            ..Self::default()
        };
        for side in &step.sides {
            let is_entry = matches!(side, Side::Parameter { .. } | Side::Result { .. });
            fixed.at_entry |= is_entry;
            fixed.elsewhere |= !is_entry;
            fixed.is_used |= match side {
                Side::Result { .. } => false,
                // Another copy reads the value in place.
                Side::Copy(at) => !context.runs(at.computation),
                _ => true,
            };
            fixed.take((*side, 0));
        }
        fixed
    }

    /// Takes a side that is stronger, or as strong and nearer.
    fn take(&mut self, other: (Side, u32)) {
        let rank = |(side, distance): &(Side, u32)| (side.strength(), *distance);
        if self
            .strongest
            .as_ref()
            .is_none_or(|own| rank(&other) < rank(own))
        {
            self.strongest = Some(other);
        }
    }

    /// Adds what fixes the layout of a next value.
    fn add(&mut self, next: &Self) {
        self.at_entry |= next.at_entry;
        self.elsewhere |= next.elsewhere;
        self.is_used |= next.is_used;
        self.works |= next.works;
        if let Some((side, distance)) = next.strongest {
            self.take((side, distance.saturating_add(1)));
        }
    }
}

impl Context<'_> {
    /// What fixes the layout of a value, before it (`back`) or after it.
    pub(super) fn fixed(&self, value: Value, back: bool) -> Fixed {
        self.known.borrow_mut().fixed(self, value, back)
    }
}

impl Known {
    /// What fixes the layout of a value. `back` follows the operations that give the value, else
    /// those that use it.
    fn fixed(&mut self, context: &Context<'_>, value: Value, back: bool) -> Fixed {
        if let Some(known) = self.fixed.get(&(value, back)) {
            return *known;
        }
        let listed = self.list(context, value, back);
        let mut changes = true;
        while changes {
            changes = false;
            for (value, own, next) in &listed {
                let mut fixed = *own;
                for next in next {
                    fixed.add(&self.fixed[&(*next, back)]);
                    self.sums += 1;
                }
                let known = self.fixed.insert((*value, back), fixed);
                changes |= known != Some(fixed);
            }
        }
        self.fixed[&(value, back)]
    }

    /// Lists the values that can be reached and are not known, each after those that it reaches,
    /// unless there is a circle: with what fixes it at the value itself, and the next values.
    fn list(
        &mut self,
        context: &Context<'_>,
        value: Value,
        back: bool,
    ) -> Vec<(Value, Fixed, Vec<Value>)> {
        let mut listed = Vec::new();
        let mut open = vec![(value, self.begin(context, value, back), 0)];
        while let Some((value, step, done)) = open.last_mut() {
            match step.next.get(*done) {
                Some(&next) => {
                    *done += 1;
                    if !self.fixed.contains_key(&(next, back)) {
                        open.push((next, self.begin(context, next, back), 0));
                    }
                }
                None => {
                    let own = Fixed::of(context, step);
                    listed.push((*value, own, std::mem::take(&mut step.next)));
                    open.pop();
                }
            }
        }
        listed
    }

    /// Marks a value as met, with nothing known yet, and returns its step.
    fn begin(&mut self, context: &Context<'_>, value: Value, back: bool) -> Step {
        self.fixed.insert((value, back), Fixed::default());
        Step::of(context, value, back)
    }
}
