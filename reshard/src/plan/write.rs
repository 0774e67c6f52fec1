//! The text of a plan.

use std::borrow::Cow;
use std::io::{self, Write};

use super::make::{Draft, DraftObject};
use super::{Object, ObjectPart, PlannedPiece, Unit};
use crate::array;
use crate::pieces::Runs;

impl Draft {
    /// Writes the plan.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = serde_json::to_string(&self.head)?;
        let open = head.strip_suffix('}').unwrap_or(&head);
        write!(out, "{open},\"units\":[")?;
        for (k, unit) in self.units.iter().enumerate() {
            out.write_all(if k == 0 { b"\n" } else { b",\n" })?;
            serde_json::to_writer(&mut *out, &self.unit(k, unit))?;
        }
        out.write_all(b"\n]}\n")
    }

    fn unit(&self, number: usize, objects: &[usize]) -> Unit<'_> {
        let found = objects.iter().map(|k| &self.objects[*k]);
        let texts = self.texts.iter().skip(number).step_by(self.units.len());
        let texts = texts.map(|(name, text)| Object {
            name: name.into(),
            bytes: text.len() as u64,
            text: Some(text.into()),
            parts: Vec::new(),
        });
        Unit {
            memory: self.memory(objects),
            read: found.clone().map(|object| object.read).sum(),
            written: found.clone().map(|object| object.bytes).sum(),
            objects: found
                .map(|object| self.object(object))
                .chain(texts)
                .collect(),
        }
    }

    fn object<'a>(&'a self, object: &'a DraftObject) -> Object<'a> {
        let mut at = 0;
        let part = |key: &(u32, u32)| {
            let tensor = &self.tensors[key.0 as usize];
            let template = &self.templates[tensor.template];
            let part = self.part(*key);
            let begin = at;
            at += part.bytes;
            let piece = |k: &usize| {
                let ((file, at), piece) = (tensor.pieces[*k], &template.pieces[*k]);
                PlannedPiece {
                    file,
                    at,
                    layout: self.layouts[piece.stored.layout as usize].as_str().into(),
                    origin: piece.origin.as_slice().into(),
                    swap: piece.stored.swap,
                    encoded: piece.stored.encoded.as_ref().map(Cow::Borrowed),
                }
            };
            let read = |(k, [first, bytes, count, stride]): &(usize, Runs)| {
                let (file, at) = tensor.pieces[*k];
                [u64::from(file), at + first, *bytes, *count, *stride]
            };
            ObjectPart {
                tensor: tensor.name.as_str().into(),
                layout: array::text(&part.layout).into(),
                origin: part.origin.as_slice().into(),
                at: begin,
                pieces: part.pieces.iter().map(piece).collect(),
                reads: part.reads.iter().map(read).collect(),
            }
        };
        Object {
            name: object.name.as_str().into(),
            bytes: object.bytes,
            text: None,
            parts: object.parts.iter().map(part).collect(),
        }
    }
}
