//! A unit as it is run: nothing of the text is believed that would lead out of a file or leave an element unwritten.

use std::collections::HashSet;
use std::fmt::Display;

use xlayout::{ArrayLayout, DynLayout, LayoutError};

use super::place::cover;
use super::{Head, Object, ObjectPart, Unit};
use crate::array::{self, Array, Encoding, Part, area};
use crate::checkpoint::Kind;
use crate::copy::Job;
use crate::error::{Error, Outcome};
use crate::numbers;
use crate::words::short;

impl Head {
    /// Whether an object may have this name: it lies in the folder, or in a folder in it if the format has some.
    pub(crate) fn is_name(&self, name: &str) -> bool {
        let plain = |part: &str| {
            let starts = !part.is_empty() && !part.starts_with('.');
            starts && !part.contains(['/', '\\', '\0']) && part.len() <= 255
        };
        match self.format {
            Kind::Zarr => name.split('/').all(plain),
            Kind::Safetensors | Kind::Npy => plain(name),
        }
    }
}

/// The error that a plan cannot be run.
pub(crate) fn damaged(what: impl Display) -> Error {
    Error::file(format_args!("the plan is damaged: {what}")).help("make the plan again")
}

impl Unit<'_> {
    /// # Errors
    /// When an object has no name of a file, or the name of another one.
    pub(crate) fn check_names(&self, head: &Head) -> Outcome {
        let mut names = HashSet::new();
        for Object { name, .. } in &self.objects {
            let what = match (head.is_name(name), names.insert(name)) {
                (true, true) => continue,
                (true, false) => "two objects of one unit have the name",
                (false, _) => "this is no name of an object:",
            };
            return Err(damaged(format_args!("{what} `{}`", short(name))));
        }
        Ok(())
    }
}

impl Object<'_> {
    /// The parts of the object, in the sequence of its bytes; their places are counted from the end of its header.
    ///
    /// # Errors
    /// When a part is not what its text says, or its pieces do not have its elements.
    pub(crate) fn check(&self, head: &Head) -> Outcome<Vec<Job>> {
        let name = &self.name;
        let mut at = 0_u64;
        let mut all = Vec::new();
        for part in &self.parts {
            let tensor = short(&part.tensor);
            let wrong = |what| damaged(format_args!("tensor `{tensor}` of `{name}`: {what}"));
            let checked = part.check(head, at).map_err(wrong)?;
            at = at
                .checked_add(checked.part.layout.bytes() as u64)
                .filter(|end| *end <= i64::MAX as u64)
                .ok_or_else(|| wrong("it ends behind 2^63 - 1 bytes".to_owned()))?;
            all.push(checked);
        }
        if self.text.is_none() && at != self.bytes {
            let says = self.bytes;
            let what = format_args!("`{name}` has {says} bytes, and its parts {at}");
            return Err(damaged(what));
        }
        Ok(all)
    }
}

impl ObjectPart<'_> {
    fn check(&self, head: &Head, at: u64) -> Result<Job, String> {
        let read = |text: &str| -> Result<DynLayout, String> {
            let wrong = |error: LayoutError| format!("`{}`: {error}", short(text));
            let layout = text.parse().map_err(wrong)?;
            array::addressable(&layout)?;
            Ok(layout)
        };
        let layout = read(&self.layout)?;
        if at != self.at {
            let says = self.at;
            let what = format!("it begins at {says}, and the part before it ends at {at}");
            return Err(what);
        }
        if !array::fits(&self.origin, &layout) {
            return Err("its origin does not fit its shape".to_owned());
        }
        let mut pieces = Vec::new();
        for piece in &self.pieces {
            let source = read(&piece.layout)?;
            let same = source.rank() == layout.rank()
                && numbers::converts(source.element_type(), layout.element_type());
            if !same || !array::fits(&piece.origin, &source) {
                return Err("a piece has another type or rank".to_owned());
            }
            let file = head.files.get(piece.file as usize);
            let file = file.ok_or_else(|| format!("there is no file {}", piece.file))?;
            let bits = source.element_bits();
            let array = Array {
                file: piece.file as usize,
                origin: piece.origin.to_vec(),
                swap: piece.swap,
                encoded: piece.encoded.as_deref().cloned(),
                ..Array::new(source, piece.at)
            };
            let end = piece.at.checked_add(array.stored_bytes());
            if end.is_none_or(|end| end > file.bytes) {
                return Err(format!("a piece lies beyond the end of `{}`", file.name));
            }
            let whole = |width: usize| width > 0 && bits.is_multiple_of(8 * width.min(64));
            if !piece.swap.is_none_or(whole) {
                return Err("the bytes of a number are not those of its type".to_owned());
            }
            let fills = |encoding: &Encoding| match encoding {
                Encoding::Fill(element) => element.len() == bits.div_ceil(8),
                _ => true,
            };
            if !(piece.encoded.iter()).all(|found| found.1.iter().all(fills)) {
                return Err("the value of an element is not one of its type".to_owned());
            }
            pieces.push(array);
        }
        let own = |piece: &Array| area(&piece.origin, piece.layout.dims());
        let areas: Vec<_> = pieces.iter().map(own).collect();
        let covered = cover(&area(&self.origin, layout.dims()), &areas);
        covered.map_err(|what| format!("its pieces have {what}"))?;
        Ok(Job {
            tensor: Some(self.tensor.to_string()),
            pieces,
            part: Part {
                layout,
                origin: self.origin.to_vec(),
                offset: at,
            },
        })
    }
}
