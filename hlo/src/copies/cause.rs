//! Why an operation moves data: what fixes the layout before it, and what fixes the one after it.

use std::collections::VecDeque;

use hashbrown::HashSet;

use super::context::{Context, Value, same_but_for_space};
use super::find::{Kind, Move};
use super::second;
use super::ties::beside;
use crate::opcode::{self, Flag};

/// What fixes a layout.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// The largest number of values that are followed on one side.
const MOST: usize = 128;

/// The class of an operation without ties, as the report calls it.
fn class(context: &Context<'_>, at: Value, opcode: &str) -> &'static str {
    match opcode {
        "convolution" => "convolution",
        "dot" | "ragged-dot" | "scaled-dot" => "dot",
        "sort" => "sort",
        "topk" | "top-k" => "top-k",
        "gather" => "gather",
        "scatter" | "select-and-scatter" => "scatter",
        "reduce" => "reduce",
        "reduce-window" => "reduce-window",
        "fft" => "fft",
        "dynamic-reshape" => "dynamic reshape",
        "cholesky" => "cholesky",
        "triangular-solve" => "triangular solve",
        "infeed" | "outfeed" | "send" | "recv" | "send-done" | "recv-done" => "host transfer",
        "custom-call" | "custom-call-start" => {
            let target = (context.module).attribute(context.instruction(at), "custom_call_target");
            match target.map_or("", |target| target.trim_matches('"')) {
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
        "while" => "loop state",
        "all-reduce-start" => "collective",
        opcode => match opcode.strip_suffix("-start").unwrap_or(opcode) {
            "all-gather"
            | "all-to-all"
            | "collective-permute"
            | "reduce-scatter"
            | "collective-broadcast" => "collective",
            _ => "",
        },
    }
}

/// Whether an operation, or the asynchronous one that it is a part of, passes its operands on.
fn passes(opcode: &str) -> bool {
    let part = ["-start", "-update", "-done"].map(|part| opcode.strip_suffix(part));
    let whole = part.into_iter().flatten().next().unwrap_or(opcode);
    whole == "async" || opcode::has(whole, Flag::Passes)
}

/// Returns what fixes the layout of a value, the strongest first. `back` follows the operations
/// that give the value, else those that use it.
pub(super) fn sides(context: &Context<'_>, value: Value, back: bool) -> Vec<Side> {
    sides_and_work(context, value, back).0
}

/// Returns [`sides`], and whether the way there meets an operation that does more than move data,
/// or is too long to follow.
pub(super) fn sides_and_work(context: &Context<'_>, value: Value, back: bool) -> (Vec<Side>, bool) {
    let mut found = Vec::new();
    let mut works = false;
    let mut seen = HashSet::new();
    seen.insert(value);
    let mut next = VecDeque::from([value]);
    while let Some(value) = next.pop_front() {
        if seen.len() > MOST {
            works = true;
            break;
        }
        let way = context.way(value, back);
        found.extend_from_slice(&way.sides);
        works |= way.works;
        for &there in &way.next {
            if seen.insert(there) {
                next.push_back(there);
            }
        }
    }
    found.sort_by_key(strength);
    found.dedup();
    (found, works)
}

/// One step from a value to those that have its layout. Many copies of a chain take the same steps,
/// so each is computed once.
#[derive(Debug, Default)]
pub(super) struct Way {
    sides: Vec<Side>,
    /// Whether an operation there does more than move data.
    works: bool,
    next: Vec<Value>,
}

impl Way {
    pub(super) fn of(context: &Context<'_>, value: Value, back: bool) -> Self {
        let mut way = Self::default();
        way.sides.extend(Side::of_entry(context, value, back));
        for (by, there) in beside(context, value, back) {
            let opcode = context.opcode(by);
            let class = class(context, by, opcode);
            way.works = way.works
                || (there.as_ref())
                    .is_none_or(|there| !there.is_empty() && !opcode::has(opcode, Flag::Passes));
            let all = match class {
                "loop state" => {
                    way.sides.push(Side::Loop(by));
                    continue;
                }
                // `top-k` keeps the layout of its operand, but it does not only pass data on.
                "top-k" => None,
                _ => there,
            };
            let Some(all) = all else {
                way.sides.extend(match class {
                    "" if passes(opcode) => None,
                    "" => Some(Side::Other(by)),
                    class => Some(Side::Operation(class, by)),
                });
                continue;
            };
            let changes = opcode == "copy" && changes_layout(context, by);
            for there in all {
                if context.array(there).is_none() {
                    continue;
                }
                match changes {
                    true => way.sides.push(Side::Copy(by)),
                    false => way.next.push(there),
                }
            }
        }
        way
    }
}

/// The rank of a side: the lowest decides first.
fn strength(side: &Side) -> u8 {
    match side {
        Side::Operation("reduce", _) => 5,
        Side::Operation("allocation", _) => 7,
        Side::Operation(..) => 0,
        Side::Result { .. } => 1,
        Side::Parameter { .. } => 2,
        Side::Loop(_) => 3,
        Side::Copy(_) => 6,
        Side::Other(_) => 8,
    }
}

fn changes_layout(context: &Context<'_>, at: Value) -> bool {
    let sides = context.sides(at);
    sides.is_some_and(|(a, b)| match (&a.layout, &b.layout) {
        (Some(a), Some(b)) => !same_but_for_space(a, b),
        _ => false,
    })
}

/// Why a move is there.
#[derive(Clone, Debug, Default)]
pub(super) struct Cause {
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    /// The cause in words.
    pub(super) words: String,
}

impl Side {
    /// What fixes a value that the entry takes (if `back`) or gives.
    pub(super) fn of_entry(context: &Context<'_>, value: Value, back: bool) -> Option<Self> {
        if !context.is_entry(value.computation) {
            return None;
        }
        let mut aliases = context.module.aliases.iter();
        if back {
            // A parameter without a number is a mistake in the text, so it fixes nothing.
            let number = context.number(value)?;
            let donated = aliases.any(|alias| alias.parameter == number);
            return Some(Self::Parameter { number, donated });
        }
        let item = value.item;
        let donated = aliases.any(|alias| alias.result.first().copied() == item);
        let is_result = context.is_root(value);
        is_result.then_some(Self::Result { item, donated })
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
            Self::Other(at) => format!("{} {}", context.opcode(*at), context.name(*at)),
        }
    }
}

/// The cause that is not found.
pub(super) const NOT_KNOWN: &str = "not known";

pub(super) fn cause(context: &Context<'_>, one: &Move) -> Cause {
    let before = sides(context, one.source, true).into_iter().next();
    let after = sides(context, one.target, false).into_iter().next();
    let [from, to] = [&before, &after].map(|side| Some(side.as_ref()?.words(context)));
    let space = |array: u32| context.tallied(array).memory_space;
    let words = match one.kind {
        Kind::Layout => match (&from, &to) {
            (None, None) => NOT_KNOWN.to_owned(),
            (Some(from), None) => format!("{from} fixes the layout before it"),
            (None, Some(to)) => format!("{to} fixes the layout after it"),
            (Some(from), Some(to)) => {
                format!("{from} fixes the layout before it, {to} the one after it")
            }
        },
        Kind::MemorySpace => {
            let what = match (space(one.from), space(one.to)) {
                (5, _) | (_, 5) => "host transfer".to_owned(),
                (_, 0) => "write back to memory space 0".to_owned(),
                (0, space) => format!("fetch into memory space {space}"),
                (from, to) => format!("move from memory space {from} to {to}"),
            };
            match &to {
                Some(to) => format!("{what}, for {to}"),
                None => what,
            }
        }
        Kind::Rearrange => match context.opcode(one.at) {
            "copy" | "copy-start" => second::words(context, one),
            opcode => format!("the program: {opcode}"),
        },
    };
    Cause {
        before: from,
        after: to,
        words,
    }
}
