//! Texts in no notation that name the parts of an array, in words or fields of any tool: the
//! question which array is meant.
//!
//! ```text
//! name   a word of NAMES, also inside of another word: `smemShape`, `strides_of_a`, `x.dtype`
//! value  behind it, past marks, classes and words such as `of`: a list, a type, a letter
//! list   [2, 3]   {2, 3}   torch.Size([2, 3])   2 x 3   3, 2 and 1
//! ```
//!
//! As many lists without a name as names without a value belong to each other: a program, and
//! below it what it printed. Nothing is guessed: each array that the parts may describe is a
//! command to run.

use std::ops::Range;

use xlayout::interop::{Given, StridedArray, TypeStr, from_numpy_name};
use xlayout::{DynLayout, ElementType};

use super::known;
use crate::error::{Error, TextSpan};
use crate::words::joined;

#[derive(Clone, Copy, PartialEq)]
enum Part {
    MinorToMajor,
    RowMajor,
    ColumnMajor,
    Type,
    Order,
    Strides,
    Sizes,
    /// What no command here says.
    LeftOut,
    /// No part of an array in memory.
    Other,
}

/// What a part is called, and the words that name it; of two in one word the first row holds.
#[rustfmt::skip]
const NAMES: &[(Part, &str, &str)] = &[
    (Part::Other, "", "kernel window grid block batch buffer pool cache mesh"),
    (Part::MinorToMajor, "order", "minor_to_major"),
    (Part::RowMajor, "order", "row_major rowmajor"),
    (Part::ColumnMajor, "order", "column_major col_major colmajor"),
    (Part::Type, "type", "dtype type format typestr descr datatype"),
    (Part::Order, "order", "order layout perm permutation"),
    (Part::LeftOut, "", "offset tile tiles tiling"),
    (Part::Strides, "strides", "stride strides"),
    (Part::Sizes, "sizes", "shape shapes shaped size sizes dims dim dimensions extent extents lengths"),
];

/// Words between a name and its value.
const FILLERS: &str = "of is are be the has get got gets to should would";

/// Names of types that are neither NumPy's nor XLA's, and NumPy's; of one letter as Python's
/// `format`.
const TYPES: &str = "half=float16 float=float32 double=float64 int=int32 long=int64 fp16=float16 \
                     fp32=float32 i8=int8 i16=int16 i32=int32 i64=int64 f=float32 d=float64 B=uint8 i=int32";

/// What a text says of an array, and where.
struct Fact {
    part: Part,
    value: Value,
    at: Range<usize>,
}

#[derive(PartialEq)]
enum Value {
    /// None of what the part says alone.
    Numbers(Vec<i64>),
    /// A list of numbers and names.
    Names,
    Type(ElementType),
}

impl Fact {
    fn numbers(&self) -> &[i64] {
        match &self.value {
            Value::Numbers(numbers) => numbers,
            _ => &[],
        }
    }

    /// Whether the numbers are there; a size of -1 stands for any.
    fn is_known(&self) -> bool {
        let is_open = self.part == Part::Sizes && self.numbers().iter().any(|size| *size < 0);
        self.value != Value::Names && !is_open
    }
}

/// The longest text that is searched, the most facts that are found, and commands that are told.
const LONGEST: usize = 16 << 10;
const MOST_FACTS: usize = 64;
const MOST: usize = 4;

/// Which array is meant?
pub(super) struct Question {
    pub(super) error: Error,
    /// Whether the text says sizes and how they lie.
    pub(super) says_both: bool,
    /// Of how many arrays.
    pub(super) arrays: usize,
}

/// The question of a text; `None` if it names neither sizes nor strides.
pub(super) fn question(origin: &str, text: &str, given: &Given<'_>) -> Option<Question> {
    let facts = match text.len() {
        ..LONGEST => found(text, given.sizes),
        _ => Vec::new(),
    };
    let of = |part: Part| facts.iter().filter(move |fact| fact.part == part);
    let asked = |what: &str, shown: &[&Fact], help: &str| {
        let shown = shown.iter().take(2 * MOST);
        let error = shown.fold(Error::new(what), |error, fact| {
            let place = TextSpan::of_argument(origin, text, fact.at.clone());
            let name = NAMES.iter().find(|row| row.0 == fact.part);
            error.at(place.label(name.map_or("", |row| row.1)))
        });
        error.help(help)
    };
    let parts = [Part::Sizes, Part::Strides, Part::Type];
    let [own, strides, types] = parts.map(|part| of(part).collect::<Vec<_>>());
    let has_names =
        |list: &&Vec<&Fact>| !list.is_empty() && !list.iter().any(|fact| fact.is_known());
    if let Some(names) = [&own, &strides].into_iter().find(has_names) {
        let error = asked(known::NAMES, names, known::NUMBERS);
        return Some(Question {
            error,
            says_both: true,
            arrays: 1,
        });
    }
    if own.is_empty() && strides.is_empty() {
        return None;
    }
    let lies = if strides.is_empty() {
        let orders = [
            Part::Order,
            Part::MinorToMajor,
            Part::RowMajor,
            Part::ColumnMajor,
        ];
        orders.into_iter().flat_map(of).collect()
    } else {
        strides
    };
    let shown = [&own[..], &lies, &types].concat();
    let sizes: Vec<&[i64]> = match given.sizes {
        Some(given) if own.is_empty() => vec![given],
        _ => own.iter().map(|fact| fact.numbers()).collect(),
    };
    let pairs: Vec<(&[i64], Option<&Fact>)> = match (sizes.len(), lies.len()) {
        (0, _) => {
            let help = "write all: `torch.Size([2, 3]), stride=(3, 1)` in elements, or \
                        `shape=(2, 3), strides=(12, 4), dtype='float32'` in bytes";
            let error = asked("the text says strides and no sizes", &shown, help);
            return Some(Question {
                error,
                says_both: false,
                arrays: 0,
            });
        }
        (_, 0) => sizes.iter().map(|sizes| (*sizes, None)).collect(),
        (all, own) if all == own => sizes
            .into_iter()
            .zip(lies.iter().copied().map(Some))
            .collect(),
        (1, _) => lies.iter().map(|own| (sizes[0], Some(*own))).collect(),
        (_, 1) => sizes.iter().map(|sizes| (*sizes, Some(lies[0]))).collect(),
        _ => Vec::new(),
    };
    let element_type = given.element_type.or(match types[..] {
        [
            Fact {
                value: Value::Type(only),
                ..
            },
        ] => Some(*only),
        _ => None,
    });
    let mut arrays: Vec<(&str, String)> = Vec::new();
    let mut reason = None;
    let all = pairs
        .iter()
        .flat_map(|(sizes, lies)| meanings(sizes, element_type, *lies));
    for (meaning, array) in all {
        match array {
            Err(error) => reason = reason.or(Some(error)),
            Ok(array) if arrays.iter().any(|own| own.1 == array) => {}
            Ok(array) => arrays.push((meaning, array)),
        }
    }
    let commands = arrays.iter().take(MOST);
    let commands = commands.map(|(of, array)| format!("`xlayout explain '{array}'` ({of})"));
    let commands = joined(commands.collect::<Vec<_>>(), "; ");
    let mut help = match reason {
        _ if !arrays.is_empty() => format!("run what is meant: {commands}"),
        Some(reason) => format!("no array has them: {reason}"),
        None => "give one array alone".to_owned(),
    };
    if element_type.is_none() && !arrays.is_empty() {
        help += "; the text does not say the type: write it in place of that one";
    }
    if of(Part::LeftOut).any(|fact| fact.numbers() != [0]) {
        help += "; the offset or the tiles that it names are left out";
    }
    let what = "the text is in no notation that is known, but names parts of an array";
    let says_both = !lies.is_empty();
    Some(Question {
        error: asked(what, &shown, &help),
        says_both,
        arrays: if says_both { arrays.len() } else { 0 },
    })
}

/// What an array of these sizes may be, in XLA's notation, or why it is none.
fn meanings(
    sizes: &[i64],
    element_type: Option<ElementType>,
    lies: Option<&Fact>,
) -> Vec<(&'static str, Result<String, String>)> {
    let ordered = |meaning, order: &[i64]| {
        let element_type = element_type.unwrap_or(ElementType::F32);
        let [sizes, order] = [sizes, order].map(|list| joined(list, ","));
        let array = format!("{element_type}[{sizes}]{{{order}}}").parse::<DynLayout>();
        let other = |_| "they are not its sizes and its order".to_owned();
        (meaning, array.map(|array| array.to_string()).map_err(other))
    };
    let ascending: Vec<i64> = (0..sizes.len() as i64).collect();
    let turned = |order: &[i64]| order.iter().rev().copied().collect::<Vec<_>>();
    let numbers = lies.map_or(&[][..], Fact::numbers);
    match lies.map(|fact| fact.part) {
        None => vec![ordered(
            "row-major: the text says no order",
            &turned(&ascending),
        )],
        Some(Part::RowMajor) => vec![ordered("row-major", &turned(&ascending))],
        Some(Part::ColumnMajor) => vec![ordered("column-major", &ascending)],
        Some(Part::MinorToMajor) => vec![ordered("minor to major", numbers)],
        Some(Part::Order) => vec![
            ordered("the order from the fastest dimension on", numbers),
            ordered("the order from the slowest dimension on", &turned(numbers)),
        ],
        Some(_) => {
            // Where no type is said, the least stride in bytes is that of an element.
            let used = sizes.iter().zip(numbers).filter(|(size, _)| **size > 1);
            let of_bytes = match used.map(|(_, stride)| *stride).min() {
                Some(1) => ElementType::U8,
                Some(2) => ElementType::F16,
                Some(8) => ElementType::F64,
                _ => ElementType::F32,
            };
            let bytes = StridedArray::new(element_type.unwrap_or(of_bytes), sizes, numbers);
            let of_elements = element_type.unwrap_or(ElementType::F32);
            let elements = StridedArray::from_element_strides(of_elements, sizes, numbers);
            let both = [
                ("strides in elements", elements),
                ("strides in bytes", bytes),
            ];
            let both = both.map(|(meaning, array)| {
                let array = array.and_then(|array| array.padded());
                let array = array.map(|array| array.to_string());
                (meaning, array.map_err(|error| error.message().to_string()))
            });
            // Of some type, strides in elements are also those in bytes.
            let all = if element_type.is_none() && both[0].1.is_ok() {
                1
            } else {
                2
            };
            both.into_iter().take(all).collect()
        }
    }
}

/// The part that a word names, also inside: `smemShape` is as `smem_shape`.
fn part_of(word: &str) -> Option<Part> {
    let mut parts = "_".to_owned();
    for letter in word.chars() {
        if letter.is_uppercase() && parts.ends_with(char::is_lowercase) {
            parts.push('_');
        }
        parts.push(letter);
    }
    let parts = parts.to_lowercase() + "_";
    let is_in = |name: &str| parts.contains(&format!("_{name}_"));
    let row = NAMES.iter().find(|row| row.2.split(' ').any(is_in))?;
    Some(row.0)
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// The first word, and what is behind it.
fn split_word(text: &str) -> (&str, &str) {
    text.split_at(
        text.find(|letter| !is_of_word(letter))
            .unwrap_or(text.len()),
    )
}

/// All that the text says, in its sequence, and nothing twice. Beside given sizes, lists of their
/// rank are strides.
fn found(text: &str, given: Option<&[i64]>) -> Vec<Fact> {
    // `row-major`, `column major`: the text keeps its length.
    let text = &text.replace("-major", "_major").replace(" major", "_major");
    let mut facts: Vec<Fact> = Vec::new();
    let mut without_value = Vec::new();
    let mut without_name = Vec::new();
    // `a 2x3 array`; of `<2x3xf32, 3x1>` the rank
    let mut crosses = Vec::new();
    let mut rank = 0;
    // Where `size` would be that of a kernel.
    let mut behind_other = None;
    let mut rest = text.as_str();
    while let Some(letter) = rest.chars().next() {
        let start = text.len() - rest.len();
        let at = |rest: &str| start..text.len() - rest.len();
        let (word, behind) = split_word(rest);
        if word.is_empty() {
            rest = &rest[letter.len_utf8()..];
            // `zeros(2)`, `f32[2]`
            let is_of_name = letter == '<' || text[..start].ends_with(is_of_word);
            let list = list(&text[start..], false).filter(|_| !is_of_name);
            if let Some((value, behind)) = list {
                rest = behind;
                without_name.push((value, at(rest)));
            }
            continue;
        }
        rest = behind;
        let part = part_of(word).filter(|_| behind_other != Some(start));
        if part == Some(Part::Other) {
            behind_other = Some(at(rest).end + 1);
        }
        if let Some(part) = part {
            match value(part, rest) {
                Some((part, value, behind)) => {
                    rest = behind;
                    add(&mut facts, part, value, at(rest));
                }
                None if matches!(part, Part::Sizes | Part::Strides) => without_value.push(part),
                None => {}
            }
            continue;
        }
        let (numbers, behind) = bare(&text[start..]).unwrap_or((Vec::new(), &text[start..]));
        let is_cross = text[start..text.len() - behind.len()].contains(['x', '×']);
        let (of_type, behind) = split_word(behind);
        rest = if is_cross { behind } else { rest };
        let of_type = if is_cross { of_type } else { word };
        let name = of_type.strip_prefix('x').unwrap_or(of_type);
        let is_name = (name.len() > 2 || name.ends_with('8')) && name.contains(is_digit);
        let element_type = type_of(name, "").filter(|_| is_name);
        if let Some(element_type) = element_type {
            add(&mut facts, Part::Type, Value::Type(element_type), at(rest));
        }
        if is_cross && (element_type.is_some() || of_type.is_empty()) {
            let is_behind = rank == numbers.len();
            rank = element_type.map_or(0, |_| numbers.len());
            let part = if is_behind {
                Part::Strides
            } else {
                Part::Sizes
            };
            crosses.push((part, Value::Numbers(numbers), at(rest)));
        }
    }
    let of_rank = |value: &Value| match (value, given) {
        (Value::Numbers(list), Some(given)) => list.len() == given.len(),
        // `[s1*s0, 1]`
        (Value::Names, _) => text.trim_start().starts_with(['(', '[']),
        _ => false,
    };
    if !facts.iter().any(|fact| fact.part == Part::Sizes) {
        for (part, value, at) in crosses {
            add(&mut facts, part, value, at);
        }
    }
    let named: Vec<Part> = facts.iter().map(|fact| fact.part).collect();
    let is_printed = without_name.len() == without_value.len();
    let is_named = named.iter().any(|part| *part != Part::Type)
        || !without_value.is_empty()
        || text.trim_start().starts_with(['(', '[']);
    let is_pair = is_named && given.is_none() && without_name.len() == 2;
    for (k, (value, at)) in without_name.into_iter().enumerate() {
        let part = match without_value.get(k) {
            Some(part) if is_printed && !named.contains(part) => *part,
            // `((2, 3), (12, 4))`
            _ if is_pair && k == 0 && !named.contains(&Part::Sizes) => Part::Sizes,
            _ if is_pair || of_rank(&value) => Part::Strides,
            _ => continue,
        };
        add(&mut facts, part, value, at);
    }
    facts
}

/// Adds what is not said before.
fn add(facts: &mut Vec<Fact>, part: Part, value: Value, at: Range<usize>) {
    let is_same = |own: &Fact| own.part == part && own.value == value;
    if facts.len() < MOST_FACTS && !facts.iter().any(is_same) {
        facts.push(Fact { part, value, at });
    }
}

/// The value behind a name, and what is behind it.
fn value(part: Part, text: &str) -> Option<(Part, Value, &str)> {
    let mut rest = text;
    if matches!(part, Part::RowMajor | Part::ColumnMajor) {
        return Some((part, Value::Numbers(Vec::new()), rest));
    }
    loop {
        let marks = |letter: char| letter.is_whitespace() || ":=\"'`|*#".contains(letter);
        let past = rest
            .strip_prefix("->")
            .or(rest.strip_prefix("()"))
            .unwrap_or(rest);
        let from = past.trim_start_matches(marks);
        let (word, behind) = split_word(from);
        if part == Part::Type {
            let mark = from
                .find(is_of_word)
                .filter(|at| from[..*at].ends_with(['<', '>', '|']));
            let (name, behind) = split_word(&from[mark.unwrap_or(0)..]);
            let marks = match mark {
                Some(mark) => &from[..mark],
                None if rest[..rest.len() - from.len()].ends_with('\'') => "<",
                None => "",
            };
            if let Some(read) = type_of(name, marks) {
                return Some((part, Value::Type(read), behind));
            }
            if let Some(inner) = from.strip_prefix('(') {
                rest = inner;
                continue;
            }
        } else if word.starts_with(is_digit) {
            let (numbers, behind) = bare(from)?;
            let is_whole = part == Part::LeftOut || numbers.len() > 1;
            return is_whole.then_some((part, Value::Numbers(numbers), behind));
        } else if from.starts_with(['(', '[', '{', '<']) {
            // `(&[2, 3])`, `(such as [2, 3])`
            let Some((value, behind)) = list(from, true) else {
                rest = from[1..].trim_start_matches('&');
                continue;
            };
            let is_order = |value: &Value| match value {
                Value::Numbers(all) => {
                    (0..all.len() as i64).all(|dimension| all.contains(&dimension))
                }
                _ => false,
            };
            let is_whole = !matches!(part, Part::Order | Part::MinorToMajor) || is_order(&value);
            return is_whole.then_some((part, value, behind));
        } else if let (Part::Order, "C" | "F") = (part, word) {
            let order = if word == "C" {
                Part::RowMajor
            } else {
                Part::ColumnMajor
            };
            return Some((order, Value::Numbers(Vec::new()), behind));
        }
        let is_class = behind.starts_with(['(', '[', '{', '<', '.', ':', '!']);
        if word.is_empty() || !is_class && !FILLERS.split(' ').any(|filler| filler == word) {
            return None;
        }
        // `std::vector<int>{2, 3}`
        let of_class = behind
            .strip_prefix('<')
            .and_then(|inner| inner.split_once('>'));
        rest = of_class
            .map_or(behind, |(_, rest)| rest)
            .trim_start_matches(['.', ':', '!']);
    }
}

/// The type that a word means; with marks, as `<`, it is NumPy's: `<f4`.
fn type_of(word: &str, marks: &str) -> Option<ElementType> {
    let numpy = || {
        format!("{marks}{word}")
            .parse::<TypeStr>()
            .ok()?
            .element_type()
            .ok()
    };
    let lower = word.to_lowercase();
    let rows = || TYPES.split(' ').filter_map(|row| row.split_once('='));
    let other = rows().find(|row| row.0 == word || row.0.len() > 1 && row.0 == lower);
    let xla = || {
        lower
            .parse()
            .ok()
            .filter(|read: &ElementType| read.is_array())
    };
    let named = || from_numpy_name(other.map_or(&lower, |row| row.1)).or_else(xla);
    numpy().or_else(named)
}

/// The numbers without brackets: `128 x 32`, `3, 2 and 1`.
fn bare(text: &str) -> Option<(Vec<i64>, &str)> {
    let mut numbers = Vec::new();
    let mut rest = text;
    let mut separators = &[", and ", ",", "and ", "by ", "x", "×", ""][..];
    loop {
        let behind = rest.trim_start_matches(is_digit);
        numbers.push(rest[..rest.len() - behind.len()].parse().ok()?);
        let blank = behind.trim_start_matches(' ');
        let strip = |separator: &&str| blank.strip_prefix(separator);
        let found = separators
            .iter()
            .position(|separator| strip(separator).is_some());
        let next = found.and_then(|at| strip(&separators[at]));
        match next.map(|next| next.trim_start_matches(' ')) {
            Some(next) if next.starts_with(is_digit) => rest = next,
            _ => return Some((numbers, behind)),
        }
        // `1x2, 3x4` are two; without a mark, blanks are between.
        let is_one = found.is_some_and(|at| separators.len() - at < 4);
        separators = if is_one {
            &separators[found.unwrap_or(0)..][..1]
        } else {
            separators
        };
    }
}

/// The list in the brackets at the beginning, or in those inside of them, and what is behind.
fn list(text: &str, is_named: bool) -> Option<(Value, &str)> {
    const OPEN: [char; 4] = ['(', '[', '{', '<'];
    const CLOSE: [char; 4] = [')', ']', '}', '>'];
    let outer = text.strip_prefix(OPEN)?.trim_start();
    let inner = outer.strip_prefix(OPEN).unwrap_or(outer);
    let end = inner.find(|letter| !is_of_word(letter) && !", *+-/?×.\n".contains(letter))?;
    let mut behind = inner[end..].strip_prefix(CLOSE)?;
    if inner.len() < outer.len() {
        behind = behind
            .trim_start_matches([',', ' ', '\n'])
            .strip_prefix(CLOSE)?;
    }
    let inner = inner[..end].trim();
    let has_commas = inner.contains(',');
    let separates = |letter| letter == ',' || !has_commas && "x× ".contains(letter);
    let entries = inner
        .split(separates)
        .map(str::trim)
        .filter(|entry| !entry.is_empty());
    let number = |entry: &str| {
        entry
            .trim_start_matches('_')
            .trim_end_matches('L')
            .parse()
            .ok()
    };
    let numbers: Vec<i64> = entries.clone().filter_map(number).collect();
    // Words in prose are no names, and names alone a list behind its name only.
    let has_number = is_named || !numbers.is_empty();
    let is_list = has_commas && has_number && !entries.clone().any(|entry| entry.contains(' '));
    // `extent(0)` asks for one.
    let is_call = numbers.len() == 1 && !has_commas && text.starts_with('(');
    match entries.count() {
        0 => None,
        _ if is_call => None,
        all if all == numbers.len() => Some((Value::Numbers(numbers), behind)),
        _ => is_list.then_some((Value::Names, behind)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is asked: the commands, or the help.
    fn asked(text: &str, given: &Given<'_>) -> String {
        let Some(Question { error, .. }) = question("SHAPE", text, given) else {
            return String::new();
        };
        let error = error.to_string();
        let commands: Vec<&str> = error.split("xlayout explain '").skip(1).collect();
        let arrays = commands.iter().filter_map(|rest| rest.split_once('\''));
        match commands.len() {
            0 => error,
            _ => joined(arrays.map(|(array, _)| array).collect::<Vec<_>>(), " or "),
        }
    }

    proptest! {
        /// And each place is in the text.
        #[test]
        fn no_text_panics(text in "(shape|stride|size=|dtype: |'[<>]f4'|row-major|[0-9x×,. ]{1,4}|[(\\[{<>}\\])]|[a-zA-Zé_&\n-]{1,3}|2x3xf32| of ){0,24}") {
            for sizes in [None, Some(&[2, 3][..])] {
                let given = Given { sizes, ..Given::default() };
                if let Some(question) = question("SHAPE", &text, &given) {
                    for place in &question.error.mistakes()[0].places {
                        prop_assert!(text.get(place.span.clone()).is_some(), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn parts_in_words_and_fields() {
        for (text, arrays) in [
            (
                "x shape:[2, 3], stride:[1, 2], is_contiguous:false",
                "f32[2,3]{0,1}",
            ),
            ("dims = [2, 3], strides = [24, 8]", "f64[2,3]{1,0}"),
            (
                "a tensor of shape 2 x 3 with strides of 3 and 1, float16",
                "f16[2,3]{1,0}",
            ),
            (
                "print(y.shape, y.strides)\n((2, 3), (1, 2))",
                "f32[2,3]{0,1}",
            ),
            (
                "{\"dims\": [2, 3], \"dtype\": \"F16\", \"stride\": [1, 2]}",
                "f16[2,3]{0,1}",
            ),
            (
                "shape: (2, 3)\nstrides: (24, 8)\nitemsize: 8\nformat: 'd'",
                "f64[2,3]{1,0}",
            ),
            (
                "Buf { extents: vec![2, 3], scalarType: DataType::Float32 }",
                "f32[2,3]{1,0}",
            ),
            (
                "std::vector<int64_t> sizes = {2, 3}; auto stride = std::array<int, 2>{1, 2};",
                "f32[2,3]{0,1}",
            ),
            ("a column-major 2x3 matrix of int32", "s32[2,3]{0,1}"),
            (
                "Tensor(shape=(2, 3), order='F', dtype='<f8')",
                "f64[2,3]{0,1}",
            ),
            (
                "minor_to_major: [0, 1], dimensions: [2, 3]",
                "f32[2,3]{0,1}",
            ),
            (
                "shape (2, 3, 4), perm (2, 0, 1)",
                "f32[2,3,4]{2,0,1} or f32[2,3,4]{1,0,2}",
            ),
            (
                "shape=(2, 4), strides=(16, 4), dtype=dtype('u4')",
                "u32[2,4]{1,0}",
            ),
            (
                "%1 : <2x3xf16, 3x1> -> <2x3xf16, 1x2>",
                "f16[2,3]{1,0} or f16[2,3]{0,1}",
            ),
            (
                "shapeA: 2 x 3\nshapeB: 4 x 5",
                "f32[2,3]{1,0} or f32[4,5]{1,0}",
            ),
            (
                "size (2, 3) but stride [3, 1], expected stride [1, 2]",
                "f32[2,3]{1,0} or f32[2,3]{0,1}",
            ),
            ("(2, 3) (1, 2)", "f32[2,3]{0,1}"),
            // A kernel has no place in memory.
            (
                "kernel_size=(2, 2), stride=(1, 1)",
                "the text says strides and no sizes",
            ),
            (
                "assert_eq!(row_major_strides(&[2, 3]), &[3, 1])",
                "f32[2,3]{1,0}",
            ),
            ("extents (e.g. [2, 3] for a 2×3 matrix)", "f32[2,3]{1,0}"),
            ("a 2 × 3 array, strides 1 2", "f32[2,3]{0,1}"),
            (
                "from_shape_vec::<u8>((2, 3).strides((1, 2)), vec![0; 6])",
                "u8[2,3]{0,1}",
            ),
            (
                "block_ptr(shape=(a, b), strides=(b, 1))",
                "the text has names for sizes",
            ),
            ("x.extent(0) == 2 && x.stride(1) == 3", ""),
            ("np.array([[1, 2], [3, 4]], dtype=np.int32)", ""),
            (
                "stride (1, 2) and (2, 1)",
                "the text says strides and no sizes",
            ),
            (
                "sizes: (2, 3), strides: (4, 2)",
                "no array has them: dimension 1 varies",
            ),
            ("shape (2, 3) stride (1, 1)", "no array has them: "),
            ("shape [2, 3], order (0, 1, 2)", "no array has them: "),
            (
                "sizes 1x2, sizes 3x4, sizes 5x6, stride (1, 1), stride (2, 1)",
                "give one array alone",
            ),
            (
                "size=[s0, 28], stride=[28, 1]",
                "the text has names for sizes",
            ),
            ("[s1**2*s0, 1]", "the text has names for sizes"),
            (
                "shape=[-1, 2], stride=[2, 1]",
                "the text has names for sizes",
            ),
            ("shape (2, 3), stride (3, 1), offset 4", "f32[2,3]{1,0}"),
            ("the size of it all is 5", ""),
            ("no layout", ""),
            ("((((((", ""),
            ("", ""),
        ] {
            let asked = asked(text, &Given::default());
            let is_right = match arrays {
                "" => asked.is_empty(),
                _ => asked.contains(arrays),
            };
            assert!(is_right, "{text}: {asked}");
        }
        let given = Given {
            sizes: Some(&[2, 3]),
            element_type: Some(ElementType::S64),
            axes: None,
        };
        for (text, arrays) in [
            (
                "eager (1, 2)  meta (3, 1)",
                "s64[2,3]{0,1} or s64[2,3]{1,0}",
            ),
            ("strides are (8, 16)", "s64[2,3]{0,1}"),
        ] {
            assert_eq!(asked(text, &given), arrays, "{text}");
        }
        let question = question("SHAPE", "shape (2, 3), offset 4", &Given::default());
        let error = question.unwrap().error;
        assert!(
            error.to_string().ends_with("it names are left out"),
            "{error}"
        );
    }
}
