//! How much memory a message takes once it is decoded, counted before it is: two bytes of a file may be a message of more than a
//! hundred.

use std::io;

use xlayout_proto::{LayoutProto, ShapeProto, SplitConfigProto, TileProto};

use super::messages::{AliasEntryProto, FileLocation, OutputOperandAliasing, SliceDimensions};
use super::messages::{LiteralProto, Metadata, StackFrame};
use super::store::{Field, Fields, Store};

/// What one instruction, or the module without its computations, may take.
const MOST: u64 = 128 << 20;
/// No message is nested deeper: the limit of all implementations of protos.
const DEEPEST: usize = 100;

/// A message, with those of its fields that take more memory than their bytes.
pub(super) struct Kind {
    size: usize,
    fields: &'static [(u64, FieldSize)],
}

enum FieldSize {
    Message(&'static Kind),
    /// A list of numbers, of which each takes one byte of the file or more.
    Numbers,
}
use FieldSize::{Message, Numbers};

const fn kind<T>(fields: &'static [(u64, FieldSize)]) -> Kind {
    let size = size_of::<T>();
    Kind { size, fields }
}

static SHAPE: Kind = kind::<ShapeProto>(&[
    (3, Numbers),
    (4, Message(&SHAPE)),
    (5, Message(&LAYOUT)),
    (6, Numbers),
]);
static LAYOUT: Kind = kind::<LayoutProto>(&[
    (1, Numbers),
    (2, Numbers),
    (6, Message(&TILE)),
    (9, Numbers),
    (10, Message(&SHAPE)),
    (13, Numbers),
    (14, Numbers),
    (17, Message(&SPLIT)),
]);
static TILE: Kind = kind::<TileProto>(&[(1, Numbers)]);
static SPLIT: Kind = kind::<SplitConfigProto>(&[(2, Numbers)]);

/// `HloInstructionProto`.
pub(super) static INSTRUCTION: Kind = kind::<()>(&[
    (3, Message(&SHAPE)),
    (7, Message(&METADATA)),
    (8, Message(&LITERAL)),
    (14, Numbers),
    (17, Message(&SLICE)),
    (20, Numbers),
    (36, Numbers),
    (38, Numbers),
    (74, Message(&OPERAND_ALIAS)),
]);
static METADATA: Kind = kind::<Metadata>(&[]);
static LITERAL: Kind = kind::<LiteralProto>(&[
    (2, Numbers),
    (4, Numbers),
    (5, Numbers),
    (6, Numbers),
    (7, Numbers),
]);
static SLICE: Kind = kind::<SliceDimensions>(&[]);
static OPERAND_ALIAS: Kind = kind::<OutputOperandAliasing>(&[(1, Numbers), (3, Numbers)]);

/// `HloModuleProto`, without its computations and its schedule.
pub(super) static HEAD: Kind = kind::<()>(&[
    (4, Message(&PROGRAM)),
    (8, Message(&ALIASES)),
    (17, Message(&FRAMES)),
]);
static PROGRAM: Kind = kind::<()>(&[(1, Message(&SHAPE)), (2, Message(&SHAPE))]);
static ALIASES: Kind = kind::<()>(&[(1, Message(&ALIAS))]);
static ALIAS: Kind = kind::<AliasEntryProto>(&[(1, Numbers), (3, Numbers)]);
static FRAMES: Kind = kind::<()>(&[(3, Message(&LOCATION)), (4, Message(&FRAME))]);
static LOCATION: Kind = kind::<FileLocation>(&[]);
static FRAME: Kind = kind::<StackFrame>(&[]);

/// What may still be decoded.
pub(super) struct Room(u64);

impl Room {
    pub(super) fn new() -> Self {
        Self(MOST)
    }

    /// Takes the memory of these fields of a message away.
    ///
    /// # Errors
    /// If there is not so much, or if the fields cannot be read. `what` is what has them.
    pub(super) fn take(
        &mut self,
        store: &mut Store,
        fields: Fields,
        kind: &Kind,
        what: &dyn Fn() -> String,
    ) -> io::Result<()> {
        // The message that is read, and those that it is in.
        let mut open = vec![(fields, kind)];
        while let Some((fields, kind)) = open.last_mut() {
            let Some((tag, field)) = store.next(fields)? else {
                open.pop();
                continue;
            };
            let part = kind.fields.iter().find(|(known, _)| *known == tag);
            let part = part.map(|(_, part)| part);
            // A list that grows takes up to twice its length.
            let taken = match (part, &field) {
                (Some(Message(inner)), Field::Bytes(_)) => 2 * inner.size as u64,
                (Some(Numbers), Field::Bytes(range)) => 16 * (range.end - range.start),
                (Some(Numbers), Field::Number(_)) => 16,
                // A text, which may be one of many.
                (_, Field::Bytes(range)) => {
                    2 * size_of::<String>() as u64 + range.end - range.start
                }
                _ => 0,
            };
            self.0 = self.0.checked_sub(taken).ok_or_else(|| {
                let most = MOST >> 20;
                io::Error::other(format!(
                    "{} would take more than {most} MiB of memory",
                    what()
                ))
            })?;
            if let (Some(Message(inner)), Field::Bytes(range)) = (part, field) {
                if open.len() > DEEPEST {
                    let message = format!("{} is nested more than {DEEPEST} deep", what());
                    return Err(io::Error::other(message));
                }
                open.push((Fields(range), inner));
            }
        }
        Ok(())
    }
}
