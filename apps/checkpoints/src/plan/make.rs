//! Makes a plan.
//!
//! ```text
//! for each tensor: the entry of the specification that is for it, the sequence of its files,
//!     where its pieces lie in it
//!     the parts that devices hold, each once: its layout, its bytes, the bytes that are read for
//!         it
//!     (tensors with the same pieces and the same entry share all that: a template)
//! the parts become objects, and the units get them (`objects`)
//! ```

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xlayout::ArrayLayout;

use super::options::PlanOptions;
use super::template::{self, Part, Template};
use super::{Head, Stated, VERSION, place};
use crate::array::Array;
use crate::checkpoint::{Kind, Source};
use crate::error::{Error, Outcome};
use crate::names::{in_sequence, some};
use crate::spec::{Entry, Spec};
use crate::store::{self, Store};
use xlayout_words::{joined, short};

/// The numbers of a tensor and of its part.
pub(super) type Key = (u32, u32);

/// A plan that is not written yet.
#[derive(Debug)]
pub struct Draft {
    pub(super) head: Head,
    pub(super) tensors: Vec<Tensor>,
    pub(super) templates: Vec<Template>,
    pub(super) objects: Vec<DraftObject>,
    /// The objects of each unit.
    pub(super) units: Vec<Vec<usize>>,
    /// Files without tensors: their names and contents.
    pub(super) texts: Vec<(String, String)>,
    pub(super) options: PlanOptions,
    /// The number of tensors without an entry.
    pub(super) without_entry: usize,
    /// The number of tensors that are left out.
    pub(super) skipped: usize,
}

#[derive(Debug)]
pub(super) struct Tensor {
    pub(super) name: String,
    /// In the sequence of the devices of `from`, if the specification states it.
    pub(super) pieces: Vec<Array>,
    pub(super) template: usize,
    /// The number of the statement about its files.
    pub(super) stated: Option<usize>,
}

#[derive(Debug)]
pub(super) struct DraftObject {
    pub(super) name: String,
    pub(super) parts: Vec<Key>,
    pub(super) bytes: u64,
    pub(super) read: u64,
}

impl Draft {
    /// Plans the copy of the tensors of one folder to another one.
    ///
    /// # Errors
    /// When the source or the specification is wrong, or they do not fit each other.
    pub fn new(from: &Path, to: &Path, spec: &Path, options: PlanOptions) -> Outcome<Self> {
        let real = |path: &Path| path.canonicalize().ok();
        if from == to || real(from).is_some_and(|from| Some(from) == real(to)) {
            let folder = to.display();
            let what = format_args!("`{folder}` is the folder that is read");
            let help = "name another one: a unit would replace files that another one reads";
            return Err(Error::usage(what).help(help));
        }
        let text =
            std::fs::read_to_string(spec).map_err(|error| Error::of_file("read", spec, &error))?;
        let spec = Spec::read(&text, spec)?;
        let source = Source::open(from, &spec)?;
        let source_kind = source.kind;
        let absolute = |path: &Path| -> Outcome<PathBuf> {
            let failed = |error| Error::of_file("find", path, &error);
            let found = match store::url(path) {
                Some(_) => path.to_owned(),
                None => std::path::absolute(path).map_err(failed)?,
            };
            let shown = path.display();
            let what = format_args!("`{shown}` is not UTF-8, as a plan is");
            match found.to_str() {
                Some(_) => Ok(found),
                None => Err(Error::usage(what)),
            }
        };
        let head = Head {
            xlayout_plan: VERSION,
            units: options.units.max(1),
            source: absolute(from)?,
            destination: absolute(to)?,
            format: spec.kind.unwrap_or(source.kind),
            devices: 1,
            metadata: source.metadata,
            files: source.files,
            stated: Vec::new(),
        };
        let mut draft = Self {
            tensors: Vec::new(),
            templates: Vec::new(),
            objects: Vec::new(),
            units: vec![Vec::new(); head.units],
            texts: Vec::new(),
            options,
            without_entry: 0,
            skipped: 0,
            head,
        };
        let mut used = vec![false; spec.entries.len()];
        draft.skip_unreadable(source.unreadable, &spec, &mut used)?;
        draft.add_tensors(source.tensors, source_kind, &spec, &mut used)?;
        let is_unused = |(entry, used): (&Entry, bool)| !used && !entry.optional;
        let mut entries = spec.entries.iter().zip(used);
        if let Some(unused) = entries.position(is_unused) {
            let help = "look at the name, at `rank`, and at the entries before it: the first one \
                that fits counts; if it may be for none, write `optional = true` in it";
            let wrong = Error::usage("this entry is for no tensor");
            return Err(wrong.at(spec.entries[unused].place.clone()).help(help));
        }
        draft.make_objects()?;
        draft.assign();
        Ok(draft)
    }

    /// Whether the destination folder is empty.
    ///
    /// # Errors
    /// When that cannot be read.
    pub fn is_for_empty_folder(&self) -> Outcome<bool> {
        Store::new(&self.head.destination)?.is_empty()
    }

    /// Leaves out what cannot be read, if the specification says so.
    ///
    /// # Errors
    /// The reason why a tensor that is wanted cannot be read.
    fn skip_unreadable(
        &mut self,
        unreadable: BTreeMap<String, Error>,
        spec: &Spec,
        used: &mut [bool],
    ) -> Outcome {
        let mut wanted = Vec::new();
        for (name, error) in unreadable {
            match spec.find(&name, None) {
                Some(entry) if spec.entries[entry].skip => {
                    used[entry] = true;
                    self.skipped += 1;
                }
                _ => wanted.push((name, error)),
            }
        }
        let mut wanted = wanted.into_iter();
        let Some((name, error)) = wanted.next() else {
            return Ok(());
        };
        let name = short(&name);
        let others = wanted.map(|(name, _)| format!("`{}`", short(&name)));
        let others = joined(others, ", ");
        let mut error = error.note(format_args!("array `{name}` cannot be read"));
        if !others.is_empty() {
            error = error.note(format_args!("these cannot be read either: {others}"));
        }
        Err(error.help(format_args!(
            "to leave it out, begin the specification with an entry `[[tensor]]` that has `name = \
             \"{name}\"` and `skip = true`"
        )))
    }

    /// The error that a tensor of these pieces is wrong, or its entry is wrong for it.
    fn wrong_tensor(
        &self,
        name: &str,
        entry: Option<&Entry>,
        pieces: &[Array],
        what: String,
    ) -> Error {
        let error = match entry {
            Some(entry) => entry.wrong(name, what),
            None => Error::file(format_args!("tensor `{}`: {what}", short(name))),
        };
        let files = (pieces.iter()).map(|piece| &self.head.files[piece.file].name);
        let files = some(4, files.map(|file| format!("`{file}`")));
        error.note(format_args!("it is in {files}"))
    }

    /// The number of a statement in the plan, which has each once.
    fn number_of(&mut self, statement: Stated) -> usize {
        let all = &mut self.head.stated;
        let found = all.iter().position(|stated| *stated == statement);
        found.unwrap_or_else(|| {
            all.push(statement);
            all.len() - 1
        })
    }

    fn add_tensors(
        &mut self,
        tensors: BTreeMap<String, Vec<Array>>,
        source_kind: Kind,
        spec: &Spec,
        used: &mut [bool],
    ) -> Outcome {
        let mut known_templates = HashMap::new();
        let mut known_sequences = HashMap::new();
        for (name, mut pieces) in tensors {
            let number = spec.find(&name, Some(pieces[0].layout.rank()));
            let entry = number.map(|entry| &spec.entries[entry]);
            match number {
                Some(entry) => used[entry] = true,
                None => self.without_entry += 1,
            }
            if entry.is_some_and(|entry| entry.skip) {
                self.skipped += 1;
                continue;
            }
            let is_placed = pieces.iter().all(|piece| piece.is_placed);
            let stating = entry.filter(|_| !is_placed);
            let stating = stating.and_then(|entry| Some((entry.from.as_ref()?, &entry.files)));
            let mut stated = None;
            if let Some((from, files)) = stating {
                let numbers: Vec<usize> = pieces.iter().map(|piece| piece.file).collect();
                let names = numbers.iter().map(|file| &*self.head.files[*file].name);
                let names: Vec<&str> = names.collect();
                let sequence = known_sequences.entry((number, numbers));
                let sequence = sequence
                    .or_insert_with(|| place::sequence(&names, from, files.as_ref()))
                    .clone();
                let places =
                    sequence.map_err(|what| self.wrong_tensor(&name, entry, &pieces, what))?;
                pieces = in_sequence(places, pieces);
                stated = Some(self.number_of(Stated {
                    from: from.to_string(),
                    files: files.clone(),
                }));
            }
            // The key of a template: all data except names and offsets in files.
            let stored = |piece: &Array| {
                let at = piece.is_placed.then(|| piece.origin.clone());
                let encoded = (piece.swap, piece.encoded.clone());
                (Arc::as_ptr(&piece.layout), encoded, at, piece.whole.clone())
            };
            let stored: Vec<_> = pieces.iter().map(stored).collect();
            let next = self.templates.len();
            let template = *known_templates.entry((number, stored)).or_insert(next);
            if template == next {
                let made =
                    template::make(&pieces, entry, source_kind, self.head.format, self.options);
                let made = made.map_err(|what| self.wrong_tensor(&name, entry, &pieces, what))?;
                self.templates.push(made);
            }
            self.tensors.push(Tensor {
                name,
                pieces,
                template,
                stated,
            });
        }
        Ok(())
    }

    pub(super) fn part(&self, (tensor, part): Key) -> &Part {
        &self.templates[self.tensors[tensor as usize].template].parts[part as usize]
    }
}
