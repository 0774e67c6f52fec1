//! The fields of the page, and what is read of them.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde_json::Value;
use xlayout::ElementType;
use xlayout_view::{Error, Given, Mistake, PictureOptions, read_element_type, read_sizes};
use xlayout_words::error::TextSpan;

/// What is wrong with a request: at least one mistake.
pub(crate) type Mistakes = Vec<Mistake>;
/// The result of what reads a request.
pub(crate) type Outcome<T> = Result<T, Mistakes>;

/// What errors call a text, the field of the page that holds it, and what the page calls that.
pub(crate) const FIELDS: [(&str, &str, &str); 21] = [
    ("SHAPE", "text", "Layout"),
    ("SHARDING", "text", "Layout"),
    ("A", "a", "A"),
    ("B", "b", "B"),
    ("ACCESS", "a", "A"),
    ("--sizes", "sizes", "Sizes"),
    ("--type", "type", "Type"),
    ("--axes", "axes", "Axes"),
    ("--mesh", "mesh", "Mesh"),
    ("--at", "at", "Index"),
    ("--offset", "offset", "Place"),
    ("--slice", "slice", "Slice"),
    ("--dims", "dims", "Dimensions"),
    ("--rows", "rows", "Rows"),
    ("--columns", "columns", "Columns"),
    ("--slices", "slices", "Slices"),
    ("--swizzle", "swizzle", "Swizzle"),
    ("--bytes", "bytes", "Bytes"),
    ("--banks", "banks", "Banks"),
    ("--width", "width", "Width"),
    ("--size", "size", "Size"),
];

/// What the page asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) ask: String,
    fields: BTreeMap<String, String>,
    /// Whether only mistakes are asked for.
    pub(crate) is_check: bool,
    /// The bytes of a module.
    pub(crate) module: Vec<u8>,
}

/// What a text may leave out.
#[derive(Default)]
pub(crate) struct GivenFields {
    sizes: Option<Box<[i64]>>,
    element_type: Option<ElementType>,
    axes: Option<String>,
}

impl GivenFields {
    pub(crate) fn of_notation(&self) -> Given<'_> {
        Given {
            sizes: self.sizes.as_deref(),
            element_type: self.element_type,
            axes: self.axes.as_deref(),
        }
    }

    /// An array of these sizes and this type, if both are given.
    pub(crate) fn shape(&self) -> Option<String> {
        let sizes = xlayout_words::joined(self.sizes.as_deref()?, ",");
        Some(format!("{}[{sizes}]", self.element_type?))
    }
}

impl Request {
    pub(crate) fn read(input: &[u8]) -> Outcome<Self> {
        let end = input.iter().position(|&byte| byte == b'\n');
        let (header, module) = match end {
            Some(end) => (&input[..end], &input[end + 1..]),
            None => (input, &input[input.len()..]),
        };
        let wrong = |what: &str| {
            let mistake = Mistake::usage(format_args!("the request is wrong: {what}"));
            vec![mistake.help("load the page again: its parts do not fit together")]
        };
        let header: Value =
            serde_json::from_slice(header).map_err(|error| wrong(&error.to_string()))?;
        let Some(ask) = header["ask"].as_str() else {
            return Err(wrong("it asks nothing"));
        };
        let mut fields = BTreeMap::new();
        for (name, value) in header["fields"].as_object().into_iter().flatten() {
            let Some(value) = value.as_str() else {
                return Err(wrong("a field is no text"));
            };
            fields.insert(name.clone(), value.to_owned());
        }
        Ok(Self {
            ask: ask.to_owned(),
            fields,
            is_check: false,
            module: module.to_vec(),
        })
    }

    /// The text of a field; empty if the page has no such field or nothing is in it.
    pub(crate) fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", |text| text.trim())
    }

    /// The same if something is in it.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        Some(self.field(name)).filter(|text| !text.is_empty())
    }

    /// The request with another text in a field, to find its mistakes.
    pub(crate) fn corrected(&self, name: &str, text: &str) -> Self {
        let mut fields = self.fields.clone();
        fields.insert(name.to_owned(), text.to_owned());
        Self {
            ask: self.ask.clone(),
            fields,
            is_check: true,
            module: Vec::new(),
        }
    }

    pub(crate) fn given(&self) -> Outcome<GivenFields> {
        let wrong = |flag, text, why: &str| {
            let mistake = Mistake::usage(format_args!("`{text}` is not understood"));
            vec![mistake.at(TextSpan::of_whole(flag, text)).help(why)]
        };
        let sizes = self.filled("sizes").map(|text| {
            let sizes = text.trim_matches(['[', ']', '(', ')']);
            read_sizes(sizes).map_err(|why| wrong("--sizes", text, why))
        });
        let element_type = self
            .filled("type")
            .map(|text| read_element_type(text).map_err(|why| wrong("--type", text, why)));
        Ok(GivenFields {
            sizes: sizes.transpose()?,
            element_type: element_type.transpose()?,
            axes: self.filled("axes").map(str::to_owned),
        })
    }

    /// A number in a field; `None` if nothing is in it.
    pub(crate) fn number<N: FromStr>(&self, flag: &str, name: &str) -> Outcome<Option<N>> {
        let Some(text) = self.filled(name) else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|_| {
            let mistake = Mistake::usage(format_args!("`{text}` is no number that fits here"));
            let place = TextSpan::of_whole(flag, text);
            vec![mistake.at(place).help("write a whole number, such as `16`")]
        })
    }

    /// The same of a field that has to be filled.
    pub(crate) fn needed<N: FromStr>(&self, flag: &str, name: &str) -> Outcome<N> {
        self.number(flag, name)?.ok_or_else(|| {
            let mistake = Mistake::usage("a number is missing");
            let place = TextSpan::of_whole(flag, "");
            vec![mistake.at(place).help("write a whole number, such as `32`")]
        })
    }

    /// Which part of an array is drawn.
    pub(crate) fn picture(&self) -> Outcome<PictureOptions<'_>> {
        let default = PictureOptions::default();
        Ok(PictureOptions {
            slice: self.filled("slice"),
            dims: self.filled("dims"),
            rows: self.number("--rows", "rows")?.unwrap_or(default.rows),
            columns: self.number("--columns", "columns")?,
            slices: self.number("--slices", "slices")?,
            ..default
        })
    }
}

/// The mistakes of an error, in their sequence.
pub(crate) fn mistakes(error: Error) -> Mistakes {
    error.mistakes().to_vec()
}
