//! The sentences that say that memory ran out, of XLA and of what works beside it, as one table.
//!
//! A terminal wraps a sentence at any place, also inside of a word, so words are compared without
//! blanks, and in small letters.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use serde::Serialize;

use crate::size::parse_size;

/// What ran out of memory, or what else the sentence says: it decides what helps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A program that does not fit into the memory of the device.
    #[default]
    Program,
    /// The compiler could not make the program as small as it wanted to: a warning.
    Rematerialization,
    /// The arguments and results of a program alone are more than the compiler may use: a warning.
    Arguments,
    /// A kernel, in the memory of a core.
    Kernel,
    /// A running program that asked for memory.
    Request,
    /// A tensor of PyTorch's.
    Tensor,
    /// A compiled program that was to be loaded.
    Load,
    /// Memory of the host.
    Host,
    /// An allocator, which then tries something else: no failure yet.
    Attempt,
    /// A buffer of another size than the program expects: that of another layout.
    Buffer,
    /// A result is in the memory of the host, and the program says that of the device.
    HostResult,
    /// Figures of a program or of an allocator, without a failure.
    Figures,
}

impl Cause {
    /// Whether nothing has failed yet.
    #[must_use]
    pub fn is_warning(self) -> bool {
        matches!(
            self,
            Self::Rematerialization | Self::Arguments | Self::Attempt | Self::Figures
        )
    }

    /// Whether the limit is what is free, not what the device has.
    #[must_use]
    pub fn is_request(self) -> bool {
        matches!(self, Self::Request | Self::Tensor | Self::Load)
    }
}

/// What a sentence says at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Skipped,
    Used,
    /// Bytes beside those of `Used`.
    More,
    Limit,
    /// Bytes of the limit that are in use.
    Taken,
    Excess,
    Piece,
    /// Reserved, and not in use.
    Kept,
    Space,
    Module,
    Kernel,
    Shape,
    Got,
    /// The sizes and the type of an array of TensorFlow's.
    Sizes,
    Type,
    Tag,
}

/// A sentence.
pub(super) struct Form {
    /// The words at which it begins.
    pub(super) begins: &'static str,
    /// What it says from these words on, in any sequence, and behind a `<` what is before them. A
    /// name in braces is a field: bytes, without a unit behind a `#`, or what is before the next
    /// words. Without any, the words say it all.
    pub(super) says: &'static [&'static str],
    pub(super) cause: Cause,
    /// The memory, where the sentence does not name it.
    pub(super) space: &'static str,
}

const fn form(
    cause: Cause,
    space: &'static str,
    begins: &'static str,
    says: &'static [&'static str],
) -> Form {
    Form {
        begins,
        says,
        cause,
        space,
    }
}

/// Each sentence. Where two begin at one place, the first one counts.
pub(super) const FORMS: &[Form] = &[
    // The TPU compiler.
    form(
        Cause::Program,
        "",
        "Ran out of memory in memory space ",
        &[
            "memory space {space}",
            "Used {used} of {limit}",
            "capacity by {excess}",
            "Scoped allocation with size {used} and limit {limit}",
            "Scoped allocation of {used} exceeded",
            "limit by {excess}",
            "on stack for {kernel}",
        ],
    ),
    form(
        Cause::Program,
        "vmem",
        "Scoped allocation ",
        &[
            "allocation with size {used} and limit {limit}",
            "allocation of {used} exceeded",
            "limit by {excess}",
        ],
    ),
    form(
        Cause::Program,
        "hbm",
        "Ran out of memory on HBM",
        &[
            "HLO temporaries ({used}",
            "available HBM ({limit}",
            "HLO module: {module}.",
        ],
    ),
    form(
        Cause::Program,
        "hbm",
        "TensorCore Hbm usage",
        &[
            "TensorCore Hbm usage: {used}",
            "TensorCore Hbm usage {used}",
            "SparseCore Hbm usage: {more}",
            "SparseCore Hbm usage {more}",
            "available bytes: {limit}",
        ],
    ),
    form(
        Cause::Program,
        "hbm",
        "TC Hbm usage",
        &[
            "TC Hbm usage: {used}",
            "SC Hbm usage: {more}",
            "SC Hbm usage {more}",
            "available bytes: {limit}",
        ],
    ),
    form(
        Cause::Program,
        "",
        "unlikely to have enough memory. Requires ",
        &["Requires {used}, has {limit} available"],
    ),
    form(
        Cause::Program,
        "",
        "would exceed memory (size=",
        &[
            "<Allocation (size={used#}) would",
            "exceed memory (size={limit#})",
            "shape = '{shape}'",
            "space={space},",
            "tag = '{tag}'",
        ],
    ),
    form(
        Cause::Rematerialization,
        "",
        "Can't reduce memory use below ",
        &[
            "below {limit}",
            "below {}({limit})",
            "reduced to {used}",
            "reduced to {}({used})",
        ],
    ),
    form(
        Cause::Arguments,
        "",
        "byte size of input/output arguments (",
        &["arguments ({used#})", "base limit ({limit#})"],
    ),
    // Running programs on TPUs.
    form(
        Cause::Request,
        "",
        "Attempting to allocate ",
        &[
            "allocate {used}",
            "There are {limit} free",
            "region of free memory is {piece}",
            "_HBM",
        ],
    ),
    form(
        Cause::Load,
        "hbm",
        "Attempting to reserve ",
        &[
            "<Error loading program '{module}'",
            "reserve {used}",
            "There are {limit} free",
            "and {piece} reservable",
        ],
    ),
    form(
        Cause::Request,
        "",
        "Could not allocate ",
        &[
            "allocate {used} in",
            "pinned host memory of size: {used#}",
            "; {piece} allocatable",
            ", {limit} available",
            "_HBM",
        ],
    ),
    form(
        Cause::Buffer,
        "",
        "but got buffer with incompatible size ",
        &[
            "<Executable({module}) expected",
            "<of size {used#} ({shape}) but",
            "incompatible size {limit#} ({got}):",
        ],
    ),
    form(
        Cause::HostResult,
        "",
        "is returned from the entry computation but the layout for this output is not set to host memory",
        &[],
    ),
    // Allocators of GPUs.
    form(
        Cause::Request,
        "",
        "ran out of memory trying to allocate ",
        &["allocate {used}", "(rounded to {used#})"],
    ),
    // Without figures.
    form(Cause::Request, "", "CUDA error: out of memory", &[]),
    form(
        Cause::Request,
        "",
        "TPU backend error (ResourceExhausted)",
        &[],
    ),
    form(
        Cause::Tensor,
        "",
        "would exceed allowed memory",
        &["Requested: {used} Device", "CUDA): {limit} PyTorch"],
    ),
    form(
        Cause::Request,
        "",
        "failed to alloc",
        &[
            "alloc {used} on host",
            "allocate {used}",
            "allocate request for {used}",
            "({used}) on device",
            "({used}) from device",
            "Free memory/Total memory: {limit#}/",
            "Memory limit: {limit}. Used",
        ],
    ),
    form(
        Cause::Request,
        "",
        "Out of memory while trying to allocate ",
        &["allocate {used}", "executable_name='{module}'"],
    ),
    form(
        Cause::Request,
        "",
        "Out of memory allocating ",
        &["allocating {used}"],
    ),
    form(
        Cause::Tensor,
        "",
        "out of memory. Tried to allocate ",
        &[
            "allocate {used}",
            "already allocated; {limit} free",
            "of which {limit} is free",
            "of which {limit} bytes is free",
            "{limit} allowed; Of the allocated memory {taken} is allocated",
            "by PyTorch, and {kept} is reserved",
            "Graphs), and {kept} is reserved",
        ],
    ),
    form(
        Cause::Tensor,
        "",
        "MPS backend out of memory",
        &[
            "MPS allocated: {taken}, other",
            "allocations: {taken}, max",
            "max allowed: {limit})",
            "to allocate {used} on",
        ],
    ),
    form(
        Cause::Request,
        "",
        "OOM when allocating tensor with shape[",
        &["shape[{sizes}]", "and type {type} on /", "/device:{}:"],
    ),
    // Kernels of GPUs.
    form(
        Cause::Kernel,
        "shared memory",
        "Shared memory size limit exceeded",
        &["requested {used#}, available", "available: {limit#}"],
    ),
    form(
        Cause::Kernel,
        "shared memory",
        "out of resource: shared memory",
        &[
            "Required: {used#}, Hardware",
            "Hardware limit: {limit#}",
            "Hardware limitation: {limit#}",
        ],
    ),
    form(
        Cause::Kernel,
        "shared memory",
        "exceeds available shared memory: smem_bytes=",
        &["smem_bytes={used#}>", "max_smem_bytes={limit#}"],
    ),
    form(
        Cause::Kernel,
        "shared memory",
        "Shared memory requested exceeds device resources",
        &[],
    ),
];

/// The words at which the forms begin, as they are compared.
pub(super) static BEGINNINGS: LazyLock<Vec<Finder<'static>>> = LazyLock::new(|| {
    let finders = FORMS.iter().map(|form| squeezed(form.begins));
    finders
        .map(|words| Finder::new(&words).into_owned())
        .collect()
});

/// A text as it is compared.
pub(super) fn squeezed(text: &str) -> String {
    let chars = text.chars().filter(|char| !char.is_whitespace());
    chars.map(|char| char.to_ascii_lowercase()).collect()
}

/// A text, and where each of its characters is in the text without blanks.
pub(super) struct Squeezed<'a> {
    text: &'a str,
    compared: String,
    /// The place in the text of each byte that is compared.
    places: Vec<usize>,
}

impl<'a> Squeezed<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let chars = text
            .char_indices()
            .filter(|(_, char)| !char.is_whitespace());
        let places = chars.flat_map(|(at, char)| (0..char.len_utf8()).map(move |byte| at + byte));
        Self {
            text,
            compared: squeezed(text),
            places: places.collect(),
        }
    }

    /// Where the text has these words, with where each begins and ends.
    pub(super) fn places_of(&self, words: &Finder<'_>) -> impl Iterator<Item = (usize, usize)> {
        let length = words.needle().len();
        let starts = words.find_iter(self.compared.as_bytes());
        let end = |last: usize| {
            let next = self.places.get(last).copied();
            next.unwrap_or(self.text.len())
        };
        starts.map(move |at| (self.places[at], end(at + length)))
    }

    pub(super) fn has(&self, words: &str) -> bool {
        self.compared.contains(words)
    }

    /// The text between two places of what is compared.
    fn between(&self, from: usize, to: usize) -> &'a str {
        match (self.places.get(from), self.places.get(to)) {
            (Some(&from), Some(&to)) => self.text[from..to].trim(),
            (Some(&from), None) => self.text[from..].trim(),
            (None, _) => "",
        }
    }

    /// Calls `put` with the fields of what a form says whose words begin at `begin`; returns
    /// whether the text says it. At the end of a text a number may go on in the next line, unless
    /// this is the end.
    pub(super) fn read(
        &self,
        (says, begin): (&str, usize),
        is_end: bool,
        mut put: impl FnMut(Field, &'a str, Option<u64>),
    ) -> bool {
        let begin = self.places.partition_point(|&place| place < begin);
        let before = says.strip_prefix('<');
        let mut words = before.unwrap_or(says).split('{');
        let first = squeezed(words.next().unwrap_or_default());
        let parts: Vec<Part> = words.map(part).collect();
        let is_there = |at: usize| (at < begin) == before.is_some();
        let mut starts = self
            .compared
            .match_indices(&first)
            .filter(|(at, _)| is_there(*at));
        let found = starts.find_map(|(at, _)| self.fields(at + first.len(), &parts, is_end));
        for (field, value, bytes) in found.iter().flatten() {
            put(*field, value, *bytes);
        }
        found.is_some()
    }

    /// Whether what was taken for the unit of a number is the first letter of a word: in
    /// `49.34⏎Error` the unit is cut off.
    fn begins_a_word(&self, from: usize, to: usize) -> bool {
        let places = self.places[from..to].windows(2);
        let is_apart = places.into_iter().any(|pair| pair[1] > pair[0] + 1);
        let next = self.text[self.places[to - 1] + 1..].chars().next();
        is_apart && next.is_some_and(|next| next.is_ascii_alphabetic())
    }

    /// The fields that begin at a place, with the words behind each.
    fn fields(
        &self,
        mut at: usize,
        parts: &[Part],
        is_end: bool,
    ) -> Option<Vec<(Field, &'a str, Option<u64>)>> {
        let mut found = Vec::new();
        for Part {
            field,
            has_unit,
            behind,
        } in parts
        {
            let rest = &self.compared[at..];
            let mut bytes = None;
            let length = match field {
                Field::Used
                | Field::More
                | Field::Limit
                | Field::Taken
                | Field::Excess
                | Field::Piece
                | Field::Kept => {
                    let (size, mut length) = leading_size(rest, *has_unit, is_end)?;
                    // `6.04 GB` of 1024 MB
                    let is_behind = |at: usize| rest[at..].starts_with(behind.as_str());
                    let is_byte = rest[length..].starts_with('b') && is_behind(length + 1);
                    length += usize::from(is_byte && !is_behind(length));
                    if self.begins_a_word(at, at + length) {
                        return None;
                    }
                    bytes = Some(size);
                    rest[length..]
                        .starts_with(behind.as_str())
                        .then_some(length)?
                }
                Field::Space => {
                    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                    let end = rest
                        .find(|c| !is_name(c))
                        .or(is_end.then_some(rest.len()))?;
                    let end = ["while", "used"]
                        .into_iter()
                        .fold(end, |end, word| rest[..end].find(word).unwrap_or(end));
                    rest[end..].starts_with(behind.as_str()).then_some(end)?
                }
                Field::Kernel => rest.len(),
                _ => rest.find(behind.as_str())?,
            };
            found.push((*field, self.between(at, at + length), bytes));
            at += length + behind.len();
        }
        Some(found)
    }
}

/// A field of what a form says, and the words behind it.
struct Part {
    field: Field,
    /// Whether a number has a unit.
    has_unit: bool,
    behind: String,
}

/// Reads `used} of `.
fn part(text: &str) -> Part {
    let (name, behind) = text.split_once('}').unwrap_or((text, ""));
    let has_unit = !name.ends_with('#');
    let field = match name.trim_end_matches('#') {
        "used" => Field::Used,
        "more" => Field::More,
        "limit" => Field::Limit,
        "taken" => Field::Taken,
        "excess" => Field::Excess,
        "piece" => Field::Piece,
        "kept" => Field::Kept,
        "space" => Field::Space,
        "module" => Field::Module,
        "kernel" => Field::Kernel,
        "shape" => Field::Shape,
        "got" => Field::Got,
        "sizes" => Field::Sizes,
        "type" => Field::Type,
        "tag" => Field::Tag,
        _ => Field::Skipped,
    };
    Part {
        field,
        has_unit,
        behind: squeezed(behind),
    }
}

/// The bytes at the beginning of what is compared, `64.00gof15.48ghbm`, and their length. `None`
/// if the text may end inside of them.
fn leading_size(text: &str, has_unit: bool, is_end: bool) -> Option<(u64, usize)> {
    const UNITS: [&str; 14] = [
        "kib", "mib", "gib", "tib", "pib", "eib", "bytes", "byte", "k", "m", "g", "t", "p", "e",
    ];
    let is_group = |at: usize| {
        let group = text.as_bytes().get(at + 1..at + 4);
        let is_next = text[at..].starts_with(',') && at > 0;
        is_next && group.is_some_and(|group| group.iter().all(u8::is_ascii_digit))
    };
    let is_inside = |at: usize, c: char| c.is_ascii_digit() || c == '.' || is_group(at);
    let end = text.char_indices().find(|&(at, c)| !is_inside(at, c));
    let mut digits = end.map_or(text.len(), |(at, _)| at);
    // A sentence ends behind a number without a unit: `1024.`
    digits = text[..digits].trim_end_matches('.').len();
    let number = text[..digits].replace(',', "");
    let behind = &text[digits..];
    let unit = UNITS.into_iter().find(|unit| behind.starts_with(unit));
    let unit = match unit {
        Some(unit) => unit,
        None if behind.starts_with('b') => "b",
        // `64.00` has lost its unit, and the last digits of a number may be in the next line.
        None if has_unit || !is_end && behind.trim_start_matches('.').is_empty() => return None,
        None => "",
    };
    let written = match unit {
        "" | "b" | "byte" | "bytes" => number,
        _ => format!("{number}{}", unit[..1].to_ascii_uppercase()),
    };
    Some((parse_size(&written).ok()?, digits + unit.len()))
}
