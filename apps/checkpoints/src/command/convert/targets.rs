//! Which arrays are written, and in which layout.

use xlayout::interop::NumpyOrder;
use xlayout::{ArrayLayout, DynLayout, Layout};

use crate::array::{self, Array};
use crate::formats::{npy, safetensors};
use crate::{Format, Input, Job};

use super::arguments::ConvertArguments;
use super::ask::Ask;
use xlayout_command::{Failure, Outcome, TextSpan};
use xlayout_words as words;

/// The request of the command line.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) arguments: &'a ConvertArguments,
    pub(super) formats: (Format, Format),
    pub(super) from: Option<&'a Ask>,
    pub(super) to: Option<&'a Ask>,
}

impl Wanted<'_> {
    /// The arrays to write, in the sequence of the output. Their offsets are not set.
    ///
    /// # Errors
    /// When it is not clear which array is meant, there is no array of this name, or the output
    /// cannot store the layout.
    pub(super) fn jobs(&self, input: &Input) -> Outcome<Vec<Job>> {
        let arrays = self.chosen(input)?;
        let said = self.from.filter(|_| self.formats.0 != Format::Raw);
        for array in &arrays {
            said.map_or(Ok(()), |said| said.check(&array.layout))?;
        }
        // A layout of matrices does not apply to vectors of the same file.
        let applies = |to: &Ask, array: &Array| arrays.len() == 1 || to.is_for(array.layout.rank());
        if let Some(to) = self.to
            && !arrays.is_empty()
            && !arrays.iter().any(|array| applies(to, array))
        {
            return Err(to.for_none().into());
        }
        let mut jobs = Vec::new();
        for array in arrays.iter().copied() {
            let to = self.to.filter(|to| applies(to, array));
            let layout = self.layout(array, to)?;
            jobs.push(Job::new(self.name(array), array, layout, 0));
        }
        if self.formats.1 == Format::Safetensors {
            // As the reference implementation: every tensor is aligned to its elements.
            jobs.sort_by_key(|job| std::cmp::Reverse(safetensors::width(&job.layout)));
        }
        Ok(jobs)
    }

    /// The selected arrays of the input.
    fn chosen<'i>(&self, input: &'i Input) -> Outcome<Vec<&'i Array>> {
        let all: Vec<&Array> = input.arrays.iter().collect();
        let file = self.arguments.input.display();
        let names = || {
            let names = all.iter().filter_map(|array| array.name.as_deref());
            let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
            match names.len() {
                ..=8 => words::listed(&names),
                n => format!("{} and {} more", words::joined(&names[..8], ", "), n - 8),
            }
        };
        let to_one = self.formats.1 != Format::Safetensors;
        // A tensor that cannot be read is no reason to refuse another one.
        let unreadable = match &self.arguments.tensor {
            Some(wanted) => input.unreadable.get(wanted),
            None => input.unreadable.values().next(),
        };
        if let Some(error) = unreadable {
            let help = match names() {
                none if none.is_empty() => return Err(error.clone().into()),
                names => format!("other tensors can be read, one at a time: `--tensor` {names}"),
            };
            return Err(error.clone().help(help).into());
        }
        let Some(wanted) = &self.arguments.tensor else {
            let is_named = to_one || self.formats.0.has_names();
            if !is_named && crate::is_standard(&self.arguments.input) {
                let what = "the tensor has no name: the standard input has none to take";
                let help = "say the name of the tensor in the output: `--tensor NAME`";
                return Err(Failure::usage(what).help(help));
            }
            return match all.len() {
                0 if to_one => Err(Failure::file(format_args!("`{file}` holds no tensor"))),
                n @ 2.. if to_one => {
                    let what =
                        format_args!("`{file}` holds {n} tensors, and the output has room for one");
                    let names = names();
                    let help = format_args!("say which one by `--tensor`: {names}");
                    let place = TextSpan::of_whole("", &file);
                    Err(Failure::usage(what).at(place).help(help))
                }
                _ => Ok(all),
            };
        };
        let wrong = |what: String| Failure::usage(what).at(TextSpan::of_whole("--tensor", wanted));
        if !self.formats.0.has_names() {
            let failure = wrong("neither of the files has tensors with names".to_owned());
            return if to_one {
                Err(failure.help("leave `--tensor` out; it is for safetensors files"))
            } else {
                Ok(all)
            };
        }
        let meant = all.iter().find(|array| array.name.as_ref() == Some(wanted));
        meant.map(|array| vec![*array]).ok_or_else(|| {
            let failure = wrong(format!("`{file}` has no tensor `{wanted}`"));
            let known = all.iter().filter_map(|array| array.name.as_deref());
            failure.help(match (all.is_empty(), words::nearest(wanted, known)) {
                (true, _) => "it has none at all".to_owned(),
                (false, Some(name)) => format!("did you mean `{name}`?"),
                (false, None) => format!("it has {}", names()),
            })
        })
    }

    /// The name of the array in a safetensors file: its name in the input, that of `--tensor`, or
    /// else the name of the input file.
    fn name(&self, array: &Array) -> Option<String> {
        let input = &self.arguments.input;
        let stem = || {
            // The standard input has no name.
            let named = Some(input).filter(|input| !crate::is_standard(input));
            Some(named?.file_stem()?.to_string_lossy().into_owned())
        };
        let given = self.arguments.tensor.clone();
        let name = array.name.clone().or(given).or_else(stem);
        name.filter(|_| self.formats.1 == Format::Safetensors || array.name.is_some())
    }

    /// The layout of the output.
    fn layout(&self, array: &Array, to: Option<&Ask>) -> Outcome<DynLayout> {
        let wanted = to.map(|to| to.apply(&array.layout)).transpose()?;
        let said = wanted.is_some();
        let layout = wanted.unwrap_or_else(|| (*array.layout).clone());
        let shape = array::text(&layout);
        let refused = |message: String| match to {
            Some(to) => to.layout_failure(message).into(),
            None => Failure::usage(message),
        };
        Err(match self.formats.1 {
            Format::Raw if said || self.formats.0 != Format::Raw => return Ok(layout),
            Format::Raw => {
                let what = "both files are raw and `--to` is not given: nothing would change";
                let place = TextSpan::of_whole("", self.arguments.output.display());
                let help = "say the layout of the output: --to '{0,1}'";
                Failure::usage(what).at(place).help(help)
            }
            // Unchanged, if the file can store the layout; else row-major.
            Format::Npy if npy::order(&layout).is_some() => return Ok(layout),
            Format::Npy if !said => {
                let dense = array::in_order(&layout, NumpyOrder::C);
                return dense.ok_or_else(|| Failure::usage("the row-major array is too large"));
            }
            Format::Npy => {
                let orders =
                    [Layout::row_major, Layout::column_major].map(|order| order(layout.rank()));
                let text = |layout: Layout| layout.to_string();
                let [c, f] = orders.map(|layout| layout.map_or(String::new(), text));
                let what = format!("a `.npy` file cannot say that its array is `{shape}`");
                refused(what).help(format_args!(
                    "NumPy knows dense arrays in two orders: --to '{c}' (C) and --to '{f}' (F); \
                     any layout goes into a raw file, `.bin`"
                ))
            }
            Format::Safetensors => {
                let Some(name) = self.name(array) else {
                    unreachable!("`chosen` refuses arrays that get no name");
                };
                let ty = layout.element_type();
                let what = match safetensors::plain(&layout) {
                    Some((_, plain)) if !said => return Ok(plain),
                    Some((_, plain)) if array::same_memory(&plain, &layout) => return Ok(layout),
                    _ if self.arguments.opaque => return Ok(layout),
                    Some(_) => format!("cannot say that tensor `{name}` is `{shape}`"),
                    None => format!("has no name for the elements of tensor `{name}`, {ty}"),
                };
                let failure = refused(format!("a safetensors file {what}")).help(
                    "its tensors are row-major; `--opaque` stores this one as bytes, with its \
                     shape in the metadata for `xlayout` to read",
                );
                failure.help("any layout goes into a raw file, `.bin`")
            }
            _ => unreachable!("other formats were refused for the output"),
        })
    }
}
