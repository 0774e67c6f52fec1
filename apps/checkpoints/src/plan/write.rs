//! The text of a plan.

use std::io::{self, Write};

use super::make::{Draft, DraftObject, Key};
use super::{Object, Unit};
use crate::pieces::Job;

impl Draft {
    /// Writes the plan.
    ///
    /// # Errors
    /// Those of writing.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, &self.head)?;
        for (k, unit) in self.units.iter().enumerate() {
            out.write_all(b"\n")?;
            serde_json::to_writer(&mut *out, &self.unit(k, unit))?;
        }
        out.write_all(b"\n")
    }

    fn unit(&self, number: usize, objects: &[usize]) -> Unit {
        let found = objects.iter().map(|k| &self.objects[*k]);
        let texts = self.texts.iter().skip(number).step_by(self.units.len());
        let texts = texts.map(|(name, text)| Object {
            name: name.clone(),
            bytes: text.len() as u64,
            text: Some(text.clone()),
            parts: Vec::new(),
        });
        let written = found.clone().map(|object| self.object(object));
        Unit {
            memory: self.memory(objects),
            read: found.clone().map(|object| object.read).sum(),
            written: found.map(|object| object.bytes).sum(),
            objects: written.chain(texts).collect(),
        }
    }

    fn object(&self, object: &DraftObject) -> Object {
        let mut at = 0;
        let part = |key: &Key| {
            let tensor = &self.tensors[key.0 as usize];
            let part = self.part(*key);
            let mut job = Job {
                tensor: Some(tensor.name.clone()),
                offset: at,
                stated: tensor.stated,
                ..part.job.clone()
            };
            at += part.bytes;
            for piece in &mut job.pieces {
                let stored = &tensor.pieces[piece.file];
                (piece.file, piece.offset) = (stored.file, stored.offset);
            }
            for [file, first, ..] in &mut job.reads {
                let stored = &tensor.pieces[*file as usize];
                (*file, *first) = (stored.file as u64, stored.offset + *first);
            }
            job
        };
        Object {
            name: object.name.clone(),
            bytes: object.bytes,
            text: None,
            parts: object.parts.iter().map(part).collect(),
        }
    }
}
