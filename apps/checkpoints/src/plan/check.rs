//! Checks a unit before it is run: no part of the text may lead outside of a file or leave an
//! element unwritten.

use std::collections::HashSet;
use std::fmt::Display;

use xlayout::ArrayLayout;

use super::place::cover;
use super::{Head, Object, Unit};
use crate::array::{self, Array, Encoding};
use crate::checkpoint::Kind;
use crate::error::{Error, Outcome};
use crate::numbers;
use crate::pieces::Job;
use xlayout_words::short;

impl Head {
    /// Whether an object may have this name: it is in the folder, or in a subfolder if the format
    /// has them.
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

impl Unit {
    /// # Errors
    /// When the name of an object is not valid, or is used twice.
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

impl Object {
    /// # Errors
    /// When a part does not match its text, or its pieces do not have its elements.
    pub(crate) fn check(&self, head: &Head) -> Outcome {
        let name = &self.name;
        let mut at = 0_u64;
        for part in &self.parts {
            let wrong = |what| {
                let tensor = part.name();
                damaged(format_args!("tensor `{tensor}` of `{name}`: {what}"))
            };
            if head.format == Kind::Safetensors && part.tensor.is_none() {
                return Err(damaged(format_args!("a tensor of `{name}` has no name")));
            }
            if at != part.offset {
                let says = part.offset;
                let what = format!("it begins at {says}, and the part before it ends at {at}");
                return Err(wrong(what));
            }
            part.check(head).map_err(wrong)?;
            at = at
                .checked_add(part.layout.bytes() as u64)
                .filter(|end| *end <= i64::MAX as u64)
                .ok_or_else(|| wrong("it ends behind 2^63 - 1 bytes".to_owned()))?;
        }
        if self.text.is_none() && at != self.bytes {
            let says = self.bytes;
            let what = format_args!("`{name}` has {says} bytes, and its parts {at}");
            return Err(damaged(what));
        }
        Ok(())
    }
}

impl Job {
    fn check(&self, head: &Head) -> Result<(), String> {
        if !array::fits(&self.origin, &self.layout) {
            return Err("its origin does not fit its shape".to_owned());
        }
        array::addressable(&self.layout)?;
        if let Some(stated) = self.stated.filter(|stated| *stated >= head.stated.len()) {
            return Err(format!("there is no statement {stated}"));
        }
        for piece in &self.pieces {
            let source = &piece.layout;
            let same = source.rank() == self.layout.rank()
                && numbers::converts(source.element_type(), self.layout.element_type());
            if !same || !array::fits(&piece.origin, source) {
                return Err("a piece has another type or rank".to_owned());
            }
            array::addressable(source)?;
            let file = head.files.get(piece.file);
            let file = file.ok_or_else(|| format!("there is no file {}", piece.file))?;
            let end = piece.offset.checked_add(piece.stored_bytes());
            if end.is_none_or(|end| end > file.bytes) {
                return Err(format!("a piece lies beyond the end of `{}`", file.name));
            }
            let bits = source.element_bits();
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
        }
        let areas: Vec<_> = self.pieces.iter().map(Array::area).collect();
        let covered = cover(&self.area(), &areas);
        covered.map_err(|what| format!("its pieces have {what}"))
    }
}
