//! What a text says of arrays: words that name a part, and the values behind them.

use std::ops::Range;

use xlayout::ElementType;
use xlayout::interop::{TypeStr, from_numpy_name};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Part {
    MinorToMajor,
    MajorToMinor,
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

pub(super) const ORDERS: &[Part] = &[
    Part::Order,
    Part::MinorToMajor,
    Part::MajorToMinor,
    Part::RowMajor,
    Part::ColumnMajor,
];

/// What a part is called, and the words that name it; of two in one word the first row holds.
#[rustfmt::skip]
pub(super) const NAMES: &[(Part, &str, &str)] = &[
    (Part::Other, "", "fortran_order kernel window grid block batch buffer pool cache mesh"),
    (Part::MinorToMajor, "order", "minor_to_major"),
    (Part::MajorToMinor, "order", "major_to_minor"),
    (Part::RowMajor, "order", "row_major rowmajor c_contiguous"),
    (Part::ColumnMajor, "order", "column_major col_major colmajor fortran f_contiguous"),
    (Part::Type, "type", "dtype type format typestr descr datatype"),
    (Part::Order, "order", "order layout perm permutation"),
    (Part::LeftOut, "", "offset tile tiles tiling padded padding"),
    (Part::Strides, "strides", "stride strides lstride rstride"),
    (Part::Sizes, "sizes", "shape shapes shaped size sizes dims dim dimensions extent extents lengths"),
];

/// Words between a name and its value.
const FILLERS: &str = "value of is are be the has get got gets to should would";

/// Names of types that are neither NumPy's nor XLA's, and NumPy's; of one letter as Python's
/// `format`.
const TYPES: &str = "half=float16 float=float32 double=float64 int=int32 long=int64 fp16=float16 \
                     fp32=float32 i8=int8 i16=int16 i32=int32 i64=int64 f=float32 d=float64 B=uint8 i=int32 size_t=uint64";

/// What a text says of an array, and where.
pub(super) struct Fact {
    pub(super) part: Part,
    pub(super) value: Value,
    pub(super) at: Range<usize>,
}

#[derive(PartialEq)]
pub(super) enum Value {
    /// A list of numbers, which is empty where the part says all, as "row-major".
    Numbers(Vec<i64>),
    /// A list with names among its numbers.
    Names,
    Type(ElementType),
}

impl Fact {
    pub(super) fn numbers(&self) -> &[i64] {
        match &self.value {
            Value::Numbers(numbers) => numbers,
            _ => &[],
        }
    }

    /// Whether the numbers are there; a size of -1 stands for any.
    pub(super) fn is_known(&self) -> bool {
        let is_open = self.part == Part::Sizes && self.numbers().iter().any(|size| *size < 0);
        self.value != Value::Names && !is_open
    }
}

/// The most facts that are found, and the most numbers of a list.
const MOST: usize = 64;

pub(super) fn of_parts<'f>(facts: &'f [Fact], parts: &[Part]) -> Vec<&'f Fact> {
    let own = facts.iter().filter(|fact| parts.contains(&fact.part));
    own.collect()
}

/// The part that a word names, also inside: `smemShape` is as `smem_shape`.
fn part_of(word: &str) -> Option<Part> {
    let mut parts = "_".to_owned();
    for letter in word.chars() {
        if letter.is_ascii_uppercase() && parts.ends_with(LOWER) {
            parts.push('_');
        }
        parts.push(letter);
    }
    let parts = parts.to_ascii_lowercase() + "_";
    let is_in = |name: &str| {
        let mut places = parts.match_indices(name);
        places
            .any(|(at, _)| parts[..at].ends_with('_') && parts[at + name.len()..].starts_with('_'))
    };
    let row = NAMES.iter().find(|row| row.2.split(' ').any(is_in))?;
    Some(row.0)
}

/// A kind of letters: a pointer, so that what takes it is compiled once.
type Is = fn(char) -> bool;

const OF_WORD: Is = |letter| letter.is_ascii_alphanumeric() || letter == '_';
const LOWER: Is = |letter| letter.is_ascii_lowercase();
const DIGIT: Is = |letter| letter.is_ascii_digit();
const NOT_OF_WORD: Is = |letter| !OF_WORD(letter);
const MARK: Is = |letter| letter.is_whitespace() || ":=\"'`|*#".contains(letter);
const OPEN: Is = |letter| "([{<".contains(letter);
const CLOSE: Is = |letter| ")]}>".contains(letter);
const OF_LIST: Is = |letter| OF_WORD(letter) || ", *+-/?×.\n".contains(letter);
const COMMA: Is = |letter| letter == ',';
const BLANK: Is = |letter| letter == ' ';
const BLANK_OR_QUOTE: Is = |letter| letter != '\n' && MARK(letter);
const BETWEEN: Is = |letter| ", \n".contains(letter);
const CROSS: Is = |letter| "x×".contains(letter);
const CROSS_OR_BLANK: Is = |letter| CROSS(letter) || BLANK(letter);
const LINE: Is = |letter| letter == '_';
const ANGLE: Is = |letter| "<>|".contains(letter);
const OF_PATH: Is = |letter| ".:!".contains(letter);
/// Between the words of the name of a class, and behind it.
const OF_CLASS: Is = |letter| "([{<.:!".contains(letter);

/// The text behind all such letters.
fn past(text: &str, is: Is) -> &str {
    text.trim_start_matches(is)
}

/// The text behind one such letter.
fn behind_one(text: &str, is: Is) -> Option<&str> {
    text.strip_prefix(is)
}

/// The first word, and what is behind it.
fn split_word(text: &str) -> (&str, &str) {
    text.split_at(text.len() - past(text, OF_WORD).len())
}

/// All that the text says, in its sequence, and nothing twice. Beside given sizes, lists of their
/// rank are strides.
pub(super) fn found(text: &str, given: Option<&[i64]>) -> Vec<Fact> {
    // `row-major`, `column major`: the text keeps its length.
    let text = &text.replace("-major", "_major").replace(" major", "_major");
    let mut facts: Vec<Fact> = Vec::new();
    let mut without_value = Vec::new();
    let mut without_name = Vec::new();
    // `a 2x3 array`; of `<2x3xf32, 3x1>` the rank
    let mut of_types = Vec::new();
    // `x.stride(0) = 3`, one dimension after the other
    let mut of_indices = Vec::new();
    let mut is_whole = true;
    let mut crosses = Vec::new();
    let mut rank = 0;
    // Where `size` would be that of a kernel.
    let mut behind_other = None;
    let mut rest = text.as_str();
    while let Some(letter) = rest.chars().next() {
        let here = rest;
        let start = text.len() - here.len();
        let at = |rest: &str| start..text.len() - rest.len();
        let (word, behind) = split_word(here);
        if word.is_empty() {
            rest = &here[letter.len_utf8()..];
            // `zeros(2)`; `Half(2, 3)` are sizes
            let is_of_name =
                letter == '<' || text[..start].chars().next_back().is_some_and(OF_WORD);
            let name = text[..start].rsplit(NOT_OF_WORD).next();
            let of_name = name
                .filter(|_| letter == '(' && is_of_name)
                .and_then(|name| type_of(name, ""));
            if let Some(element_type) = of_name
                && let Some((value @ Value::Numbers(_), behind)) = list(here, false)
            {
                rest = behind;
                add(
                    &mut facts,
                    (Part::Type, Value::Type(element_type), at(rest)),
                );
                of_types.push((Part::Sizes, value, at(rest)));
                continue;
            }
            if let (false, Some((value, behind))) = (is_of_name, list(here, false)) {
                rest = behind;
                let is_alone = !is_nested(behind);
                without_name.extend(is_alone.then(|| (value, at(rest))));
            }
            continue;
        }
        rest = behind;
        let is_flag = word.to_ascii_lowercase().ends_with("_contiguous");
        let is_said = !is_flag || past(rest, MARK).starts_with("True");
        let part = part_of(word).filter(|_| is_said && behind_other != Some(start));
        if part == Some(Part::Other) {
            behind_other = Some(at(rest).end + 1);
        }
        if let Some(part) = part {
            if let Some((place, number, behind)) = indexed(rest) {
                rest = behind;
                is_whole &= add_to(&mut of_indices, part, (place, number, at(rest)));
                continue;
            }
            // Names first, and then a line for each value.
            let is_alone =
                !without_value.is_empty() && past(rest, BLANK_OR_QUOTE).starts_with('\n');
            match value(part, rest).filter(|_| !is_alone) {
                Some((part, value, behind)) => {
                    rest = behind;
                    add(&mut facts, (part, value, at(rest)));
                }
                None if matches!(part, Part::Sizes | Part::Strides) => without_value.push(part),
                None => {}
            }
            continue;
        }
        // `padding=[[0, 0], [0, 1]]`
        if rest.starts_with("=[[") {
            rest = rest.split_once("]]").map_or("", |(_, behind)| behind);
            continue;
        }
        let (numbers, behind) = bare(here).unwrap_or((Vec::new(), here));
        let read = &here[..here.len() - behind.len()];
        let is_cross = read.contains(CROSS) || read.contains(" by ");
        let mut of_type = word;
        if is_cross {
            (of_type, rest) = split_word(behind);
        }
        let name = of_type.strip_prefix('x').unwrap_or(of_type);
        let is_name = (name.len() > 2 || name.ends_with('8')) && name.contains(DIGIT);
        let element_type = type_of(name, "").filter(|_| is_name);
        if let Some(element_type) = element_type {
            add(
                &mut facts,
                (Part::Type, Value::Type(element_type), at(rest)),
            );
        }
        if is_cross && (element_type.is_some() || of_type.is_empty()) {
            let part = if rank == numbers.len() {
                Part::Strides
            } else {
                Part::Sizes
            };
            rank = element_type.map_or(0, |_| numbers.len());
            crosses.push((part, Value::Numbers(numbers), at(rest)));
        }
    }
    of_indices.retain(|fact: &Fact| is_whole && fact.numbers().len() > 1);
    facts.append(&mut of_indices);
    if of_parts(&facts, &[Part::Sizes]).is_empty() {
        let sizes = of_types.into_iter().chain(crosses);
        sizes.for_each(|sizes| add(&mut facts, sizes));
    }
    let named: Vec<Part> = facts.iter().map(|fact| fact.part).collect();
    // Elements are printed in brackets in brackets.
    let begin = text.trim_start();
    let is_list = behind_one(begin, OPEN).is_some() && !begin.starts_with("[[");
    // An order is said in another way.
    let has_order = !of_parts(&facts, ORDERS).is_empty();
    let is_named =
        is_list || !without_value.is_empty() || named.iter().any(|part| *part != Part::Type);
    let is_printed = without_name.len() == without_value.len();
    // `strides are (2, 1) and (4, 1), of one shape`
    let is_of_strides = !is_printed && without_value.first() == Some(&Part::Strides);
    let is_pair = match &without_name[..] {
        [(Value::Numbers(first), _), (Value::Numbers(second), _)] => first.len() == second.len(),
        all => all.len() == 2,
    };
    let is_pair = is_pair && is_named && !is_of_strides && given.is_none();
    let lies = |fact: &&Fact| fact.part == Part::Strides || ORDERS.contains(&fact.part);
    let lies = facts.iter().find(lies);
    let lies = lies.map(|fact| (fact.numbers().len(), fact.at.start));
    let needs_sizes = given.is_none() && !named.contains(&Part::Sizes);
    for (k, (value, at)) in without_name.into_iter().enumerate() {
        // `x [2, 3] with strides [3, 1]`
        let is_before = needs_sizes
            && matches!((&value, lies), (Value::Numbers(list), Some((rank, start)))
                if list.len() == rank && at.end <= start);
        let is_strides = match (&value, given) {
            (Value::Numbers(list), Some(given)) => list.len() == given.len(),
            // `[s1*s0, 1]`
            (list, _) => is_pair || is_list && *list == Value::Names,
        };
        let part = match without_value.get(k) {
            Some(part) if is_printed && !named.contains(part) => *part,
            // `((2, 3), (12, 4))`
            _ if is_before || is_pair && k == 0 && needs_sizes => Part::Sizes,
            _ if is_strides && !has_order => Part::Strides,
            _ => continue,
        };
        add(&mut facts, (part, value, at));
    }
    facts
}

/// Adds what is not said before.
fn add(facts: &mut Vec<Fact>, (part, value, at): (Part, Value, Range<usize>)) {
    let is_same = |own: &Fact| own.part == part && own.value == value;
    if facts.len() < MOST && !facts.iter().any(is_same) {
        facts.push(Fact { part, value, at });
    }
}

/// Adds the number of one dimension to the list that lacks it; returns whether there is one.
fn add_to(facts: &mut Vec<Fact>, part: Part, (place, number, at): Indexed) -> bool {
    if place == 0 && facts.len() < MOST {
        let value = Value::Numbers(vec![number]);
        facts.push(Fact { part, value, at });
        return true;
    }
    let lacks = |fact: &&mut Fact| fact.part == part && fact.numbers().len() == place;
    let Some(fact) = facts.iter_mut().rfind(lacks) else {
        return false;
    };
    fact.at.end = at.end;
    fact.value = Value::Numbers([fact.numbers(), &[number]].concat());
    true
}

/// A dimension, its number, and where both are.
type Indexed = (usize, i64, Range<usize>);

/// A dimension in brackets behind a name, and its number: `(1) = 3`, `[1], 3`, `(1), 3)`.
fn indexed(text: &str) -> Option<(usize, i64, &str)> {
    let inner = behind_one(text, |letter| "([".contains(letter))?;
    let (place, behind) = inner.split_once([')', ']'])?;
    let number = past(behind, |letter| " =:,".contains(letter));
    let behind = past(number, DIGIT);
    let number = number[..number.len() - behind.len()].parse().ok()?;
    let is_whole = !behind.starts_with(|letter: char| OF_WORD(letter) || letter == '.');
    is_whole.then_some((place.trim().parse().ok()?, number, behind))
}

/// The value behind a name, and what is behind it.
fn value(part: Part, text: &str) -> Option<(Part, Value, &str)> {
    let mut rest = text;
    // `order[3] = {2, 0, 1}`
    if let Some(declared) = behind_one(text, |letter| letter == '[')
        && let Some(value) = past(declared, DIGIT).strip_prefix(']')
        && past(value, MARK).starts_with('{')
    {
        rest = value;
    }
    let mut is_inside = false;
    if matches!(part, Part::RowMajor | Part::ColumnMajor) {
        return Some((part, Value::Numbers(Vec::new()), rest));
    }
    loop {
        let past_call = rest.strip_prefix("->").or(rest.strip_prefix("()"));
        let from = past(past_call.unwrap_or(rest), MARK);
        let (word, behind) = split_word(from);
        if part == Part::Type {
            let name = past(from, ANGLE);
            let mut marks = &from[..from.len() - name.len()];
            if marks.is_empty() && rest[..rest.len() - from.len()].ends_with('\'') {
                marks = "<";
            }
            let (name, behind) = split_word(name);
            if let Some(read) = type_of(name, marks) {
                return Some((part, Value::Type(read), behind));
            }
            if let Some(inner) = from.strip_prefix('(') {
                rest = inner;
                continue;
            }
        } else if word.starts_with(DIGIT) {
            let (numbers, behind) = bare(from)?;
            let is_whole = part == Part::LeftOut || numbers.len() > 1;
            return is_whole.then_some((part, Value::Numbers(numbers), behind));
        } else if let Some(inner) = behind_one(from, OPEN) {
            // `(&[2, 3])`, `(such as [2, 3])`
            let Some((value, behind)) = list(from, true) else {
                rest = inner.strip_prefix('&').unwrap_or(inner);
                is_inside = true;
                continue;
            };
            // `with_strides(data, 2, 3)` is a call of a program.
            let arguments = text.strip_prefix('(').unwrap_or_default();
            let is_call = value == Value::Names && arguments.starts_with(OF_WORD);
            if is_inside && is_nested(behind) || is_call {
                return None;
            }
            let is_order = matches!(&value, Value::Numbers(all)
                if (0..all.len() as i64).all(|dimension| all.contains(&dimension)));
            let is_whole = is_order || !ORDERS.contains(&part);
            return is_whole.then_some((part, value, behind));
        } else if let (Part::Order, "C" | "F") = (part, word) {
            let order = if word == "C" {
                Part::RowMajor
            } else {
                Part::ColumnMajor
            };
            return Some((order, Value::Numbers(Vec::new()), behind));
        }
        let is_class = behind_one(behind, OF_CLASS).is_some();
        if word.is_empty() || !is_class && !FILLERS.split(' ').any(|filler| filler == word) {
            return None;
        }
        // `std::vector<int>{2, 3}`
        let of_class = behind
            .strip_prefix('<')
            .and_then(|inner| inner.split_once('>'));
        rest = of_class.map_or(behind, |(_, rest)| rest);
        rest = past(rest, OF_PATH);
    }
}

/// Whether a list is part of another one, by what is behind it: `((2, 2), 3)`.
fn is_nested(behind: &str) -> bool {
    behind.starts_with(',') && past(behind, BETWEEN).starts_with(DIGIT)
}

/// The type that a word means; with marks, as `<`, it is NumPy's: `<f4`.
fn type_of(word: &str, marks: &str) -> Option<ElementType> {
    if let ("<" | ">" | "|", Ok(numpy)) = (marks, format!("{marks}{word}").parse::<TypeStr>()) {
        return numpy.element_type().ok();
    }
    let lower = word.to_ascii_lowercase();
    let mut rows = TYPES.split(' ').filter_map(|row| row.split_once('='));
    let of_tool = rows.find(|row| row.0 == word || row.0.len() > 1 && row.0 == lower);
    let name = of_tool.map_or(&*lower, |row| row.1);
    let xla = || {
        name.parse()
            .ok()
            .filter(|read: &ElementType| read.is_array())
    };
    from_numpy_name(name).or_else(xla)
}

/// The numbers without brackets: `128 x 32`, `3, 2 and 1`.
fn bare(text: &str) -> Option<(Vec<i64>, &str)> {
    let mut numbers = Vec::new();
    let mut rest = text;
    let mut separators = &[", and ", ",", "and ", "by ", "x", "×", ""][..];
    loop {
        let behind = past(rest, DIGIT);
        numbers.push(rest[..rest.len() - behind.len()].parse().ok()?);
        if numbers.len() > MOST {
            return None;
        }
        let blank = past(behind, BLANK);
        let mut tried = separators.iter().enumerate();
        let found = tried.find_map(|(at, separator)| Some((at, blank.strip_prefix(separator)?)));
        let Some((at, next)) = found else {
            return Some((numbers, behind));
        };
        rest = past(next, BLANK);
        if !rest.starts_with(DIGIT) {
            return Some((numbers, behind));
        }
        // `1x2, 3x4` are two; without a mark, blanks are between.
        if separators.len() - at < 4 {
            separators = &separators[at..=at];
        }
    }
}

/// The list in the brackets at the beginning, or in those inside of them, and what is behind.
fn list(text: &str, is_named: bool) -> Option<(Value, &str)> {
    let outer = behind_one(text, OPEN)?.trim_start();
    let inner = behind_one(outer, OPEN).unwrap_or(outer);
    let after = past(inner, OF_LIST);
    let mut behind = behind_one(after, CLOSE)?;
    if inner.len() < outer.len() {
        behind = behind_one(past(behind, BETWEEN), CLOSE)?;
    }
    let inner = &inner[..inner.len() - after.len()];
    // `extents<int, 2, 3>`
    let inner = match inner.split_once(',') {
        Some((first, sizes)) if text.starts_with('<') && type_of(first, "").is_some() => sizes,
        _ => inner,
    };
    let has_commas = inner.contains(',');
    let mut numbers: Vec<i64> = Vec::new();
    let mut entries = 0;
    let mut is_prose = false;
    for entry in inner
        .trim()
        .split(if has_commas { COMMA } else { CROSS_OR_BLANK })
    {
        let entry = entry.trim();
        let number = past(entry, LINE).parse::<i64>();
        numbers.extend(number.ok());
        entries += usize::from(!entry.is_empty());
        is_prose |= entry.contains(' ');
    }
    // `extent(0)` asks for one.
    let is_call = entries == 1 && !has_commas && text.starts_with('(');
    // Names alone are a list behind its name only.
    let has_number = is_named || !numbers.is_empty();
    match entries - numbers.len() {
        _ if entries == 0 || is_call => None,
        0 => Some((Value::Numbers(numbers), behind)),
        _ => (has_commas && has_number && !is_prose).then_some((Value::Names, behind)),
    }
}
