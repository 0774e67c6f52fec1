//! The specification of the new checkpoint: a text in TOML that a person writes.
//!
//! ```toml
//! format = "safetensors"               # of what is written: or "npy", "zarr"; that of the source
//!                                      # if not given
//!
//! [[tensor]]                           # the first entry that is for a tensor counts
//! name = "model.layers.*.experts.*"    # * is any text, ? one character
//! rank = 2                             # only tensors with 2 dimensions
//! layout = "{1,0}"                     # or C, F, or the text of another notation, as oneDNN's
//! type = "bf16"                        # of what is written: bf16, f16, f32 and f64 become each
//!                                      # other; also says what the elements of a .npy are that
//!                                      # says only how wide they are
//! sharding = "{devices=[16,1]<=[16]}"  # of what is written
//! from = "{devices=[1,8]<=[8]}"        # of the source, where its files do not say it
//! # also '{mesh[x=2,y=4], [{x}, {y}]}' and '#sdy.sharding<mesh<["x"=2]>, [{"x"}]>'
//! files = "tp_{1}_dp_{0}.safetensors"  # which file is that of which device of `from`, where their
//!                                      # names have more than one number: {0} counts most; or all
//!                                      # names in sequence, ["a.npy", "b.npy"]
//! opaque = true                        # store in safetensors as bytes what that format cannot
//!                                      # say, which is an error otherwise
//! skip = true                          # left out
//! optional = true                      # may be for no tensor, which is an error otherwise
//! ```

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

use serde::Deserialize;
use toml::Spanned;
use wildmatch::WildMatch;
use xlayout::shape::Explain;
use xlayout::shape::ParseError;
use xlayout::sharding::Sharding;
use xlayout::{DynLayout, ElementType};

use crate::array;
use crate::checkpoint::Kind;
use crate::error::{Error, Outcome, TextSpan};
use crate::layout_for::{LayoutFor, Mistake, mistake};
use crate::names::FileOrder;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    format: Option<Spanned<String>>,
    #[serde(default)]
    tensor: Vec<EntryText>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryText {
    name: Spanned<String>,
    rank: Option<usize>,
    layout: Option<Spanned<String>>,
    r#type: Option<Spanned<String>>,
    sharding: Option<Spanned<String>>,
    from: Option<Spanned<String>>,
    files: Option<Spanned<FileOrder>>,
    opaque: Option<bool>,
    #[serde(default)]
    skip: bool,
    #[serde(default)]
    optional: bool,
}

/// A specification.
#[derive(Debug, Default)]
pub(crate) struct Spec {
    /// The format that is written, if the text states one.
    pub(crate) kind: Option<Kind>,
    pub(crate) entries: Vec<Entry>,
}

/// The new sharding, layout and type of the tensors that match.
#[derive(Debug)]
pub(crate) struct Entry {
    name: WildMatch,
    /// Its place in the text, for messages.
    pub(crate) place: TextSpan,
    rank: Option<usize>,
    layout: Option<LayoutFor>,
    pub(crate) element_type: Option<ElementType>,
    pub(crate) sharding: Sharding,
    pub(crate) from: Option<Sharding>,
    /// Which file has the part of which device of `from`.
    pub(crate) files: Option<FileOrder>,
    /// Whether safetensors may have bytes in place of elements.
    pub(crate) opaque: Option<bool>,
    /// Whether the tensors are not written.
    pub(crate) skip: bool,
    /// Whether it may be for no tensor.
    pub(crate) optional: bool,
}

impl Spec {
    /// # Errors
    /// With carets in the text, of which the file is only named.
    pub(crate) fn read(text: &str, path: &Path) -> Outcome<Self> {
        let read: Text = toml::from_str(text).map_err(|error| {
            let help = "a specification has entries `[[tensor]]` with `name`, `rank`, `layout`, \
                `type`, `sharding`, `from`, `files`, `opaque`, `skip` and `optional`";
            let place = place(path, text, error.span().unwrap_or(0..0));
            Error::usage(error.message().trim_end())
                .at(place)
                .help(help)
        })?;
        let kind = |name: &str| {
            serde_json::from_value(name.into()).map_err(|_| Mistake {
                message: format!("no format is called `{name}`"),
                help: "write `safetensors`, `npy` or `zarr`".to_owned(),
                span: None,
            })
        };
        let kind = value(path, text, read.format.as_ref(), kind)?;
        let entry = |entry: EntryText| {
            if let Some(files) = &entry.files {
                let at = place(path, text, files.span());
                let wrong = |what| Error::usage(what).at(at);
                let checked = match entry.from {
                    Some(_) => files.get_ref().check(),
                    None => Err(
                        "`files` says which file is that of which device of `from`; write `from`, \
                         too"
                        .to_owned(),
                    ),
                };
                checked.map_err(wrong)?;
            }
            Ok(Entry {
                place: place(path, text, entry.name.span()),
                layout: value(path, text, entry.layout.as_ref(), str::parse)?,
                element_type: value(path, text, entry.r#type.as_ref(), parsed)?,
                sharding: value(path, text, entry.sharding.as_ref(), parsed)?
                    .unwrap_or_else(Sharding::replicated),
                from: value(path, text, entry.from.as_ref(), parsed)?,
                name: WildMatch::new(entry.name.get_ref()),
                rank: entry.rank,
                files: entry.files.map(Spanned::into_inner),
                opaque: entry.opaque,
                skip: entry.skip,
                optional: entry.optional,
            })
        };
        let entries = read.tensor.into_iter().map(entry).collect::<Outcome<_>>()?;
        Ok(Self { kind, entries })
    }

    /// The number of the first entry that matches a tensor. No entry with a rank matches one whose
    /// rank is not known.
    pub(crate) fn find(&self, name: &str, rank: Option<usize>) -> Option<usize> {
        let fits = |entry: &Entry| entry.rank.is_none() || entry.rank == rank;
        let mut entries = self.entries.iter();
        entries.position(|entry| fits(entry) && entry.is_for(name))
    }

    /// The type of the first entry that matches a name.
    pub(crate) fn element_type(&self, name: &str) -> Option<ElementType> {
        let mut entries = self.entries.iter().filter(|entry| entry.is_for(name));
        entries.find_map(|entry| entry.element_type)
    }
}

impl Entry {
    fn is_for(&self, name: &str) -> bool {
        self.name.matches(name)
    }

    /// The layout of an array of this type and these sizes, if the entry states one.
    pub(crate) fn layout(
        &self,
        element_type: ElementType,
        sizes: &[usize],
    ) -> Option<Result<DynLayout, String>> {
        let layout = self.layout.as_ref()?;
        let shape = array::shape(element_type, sizes).ok_or("the array is too large".to_owned());
        Some(shape.and_then(|shape| {
            let in_words = |mistake: Mistake| format!("{}; {}", mistake.message, mistake.help);
            layout.apply(&shape).map_err(in_words)
        }))
    }

    /// The error that this entry is wrong for a tensor.
    pub(crate) fn wrong(&self, tensor: &str, what: impl Display) -> Error {
        let tensor = xlayout_words::short(tensor);
        Error::usage(format_args!("tensor `{tensor}`: {what}")).at(self.place.clone())
    }
}

fn parsed<T: FromStr<Err = ParseError<K>>, K: Explain>(text: &str) -> Result<T, Mistake> {
    text.parse().map_err(mistake)
}

/// Reads a value of an entry.
fn value<T>(
    path: &Path,
    text: &str,
    value: Option<&Spanned<String>>,
    read: impl Fn(&str) -> Result<T, Mistake>,
) -> Outcome<Option<T>> {
    let Some(value) = value else { return Ok(None) };
    let wrong = |mistake: Mistake| {
        let whole = value.span();
        // Inside of the quotes, if there is no escape.
        let inner = whole.start + 1..whole.end.saturating_sub(1);
        let marked = match mistake.span {
            Some(span) if text.get(inner.clone()) == Some(value.get_ref()) => {
                inner.start + span.start..inner.start + span.end
            }
            _ => whole,
        };
        Error::usage(mistake.message)
            .at(place(path, text, marked))
            .help(mistake.help)
    };
    read(value.get_ref()).map(Some).map_err(wrong)
}

/// A part of the text as a part of its line.
fn place(path: &Path, text: &str, span: Range<usize>) -> TextSpan {
    let start = xlayout_words::floor_boundary(text, span.start);
    let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[begin..].lines().next().unwrap_or_default();
    let number = text[..begin].matches('\n').count() + 1;
    let end = (span.end.max(start) - begin).min(line.len());
    TextSpan::of_line(path, number, line, start - begin..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let is = |pattern: &str, name: &str| WildMatch::new(pattern).matches(name);
        assert!(is("*", "") && is("*", "a.b") && is("a.*.b", "a.1.2.b") && is("a?c", "abc"));
        assert!(is("*a*b*", "xxaybaab") && is("**", "a") && is("", ""));
        assert!(!is("a", "ab") && !is("a.*.b", "a.b") && !is("?", "") && !is("*c", "ab"));
    }

    #[test]
    fn layouts_in_other_notations() {
        let text = "[[tensor]]\nname = '*'\nlayout = ";
        for (layout, expected) in [
            ("'ba'", "f32[4,8]{0,1}"),
            ("'F'", "f32[4,8]{0,1}"),
            ("'{1,0:T(2,4)}'", "f32[4,8]{1,0:T(2,4)}"),
            ("'AB2a4b'", "f32[4,8]{1,0:T(2,4)}"),
        ] {
            let spec = Spec::read(&format!("{text}{layout}"), Path::new("spec.toml")).unwrap();
            let found = spec.entries[0].layout(ElementType::F32, &[4, 8]).unwrap();
            assert_eq!(found.unwrap().array_shape().to_string(), expected);
            let of_rank_1 = spec.entries[0].layout(ElementType::F32, &[4]).unwrap();
            assert_eq!(of_rank_1.is_ok(), layout == "'F'", "{of_rank_1:?}");
        }
    }

    #[test]
    fn mistakes_have_their_place() {
        let mistake = |text: &str| {
            let error = Spec::read(text, Path::new("spec.toml")).unwrap_err();
            let place = &error.places[0];
            let marked = place.text[place.span.clone()].to_owned();
            (error.to_string(), place.line, marked)
        };
        let head = "[[tensor]]\nname = '*'\n";
        let (message, line, marked) =
            mistake(&format!("{head}sharding = '{{devices=[2]<=[4]}}'\n"));
        assert!(
            message.starts_with("there are 2 tiles, but 4 devices"),
            "{message}"
        );
        assert_eq!((line, marked.as_str()), (3, "[2]<=[4]"));
        let (message, line, marked) = mistake(&format!("{head}layout = \"{{1,x}}\""));
        assert!(message.starts_with("expected"), "{message}");
        assert_eq!((line, marked.as_str()), (3, "x"));
        let (message, line, _) = mistake(&format!("{head}layuot = ''"));
        assert!(message.contains("layuot"), "{message}");
        assert_eq!(line, 3);
        let (message, _, marked) = mistake("format = 'npz'");
        assert!(message.contains("`npz`"), "{message}");
        assert_eq!(marked, "'npz'");
    }
}
