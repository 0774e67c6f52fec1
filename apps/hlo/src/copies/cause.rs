//! Why an operation moves data: what fixes the layout before it, and what fixes the one after it.

use super::context::Context;
use super::find::{Kind, Move};
use super::second;
use super::time::HOST;
use super::value::Side;
use crate::opcode::Opcode;

/// Why a move is there.
#[derive(Default)]
pub(super) struct Cause {
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    /// The cause in words.
    pub(super) words: String,
}

pub(super) fn cause(context: &Context<'_>, copy: &Move) -> Cause {
    let words_of = |side: Option<Side>| Some(side?.words(context));
    let from = words_of(context.fixed(copy.source, true).strongest());
    let to = words_of(context.fixed(copy.target, false).strongest());
    let words = match copy.kind {
        Kind::Layout => match (&from, &to) {
            (None, None) => second::NOT_KNOWN.to_owned(),
            (Some(from), None) => format!("{from} fixes the layout before it"),
            (None, Some(to)) => format!("{to} fixes the layout after it"),
            (Some(from), Some(to)) => {
                format!("{from} fixes the layout before it, {to} the one after it")
            }
        },
        Kind::MemorySpace => {
            let what = match (context.space(copy.from), context.space(copy.to)) {
                (HOST, _) | (_, HOST) => "host transfer".to_owned(),
                (_, 0) => "write back to memory space 0".to_owned(),
                (0, space) => format!("fetch into memory space {space}"),
                (from, to) => format!("move from memory space {from} to {to}"),
            };
            match &to {
                Some(to) => format!("{what}, for {to}"),
                None => what,
            }
        }
        Kind::Rearrange => match context.opcode(copy.at) {
            Opcode::Copy | Opcode::Start(Opcode::Copy) => second::words(context, copy),
            _ => format!("the program: {}", context.opcode_text(copy.at)),
        },
    };
    Cause {
        before: from,
        after: to,
        words,
    }
}
