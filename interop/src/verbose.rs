//! Lines of oneDNN's verbose log, and the descriptions of arrays in them.
//!
//! ```text
//! line:    …,src_f32::blocked:abcd::f0
//!          dst_f32::blocked:aBcd8b::f0,attributes,auxiliary,problem,time
//! array:   name_type:properties:blocked:tag:strides:flags, or name:type:properties:…; older
//!          versions have no strides
//! problem: 2x16x7x7          the sizes of every array
//!          2x3:3x4           those of one array after the other; of a matmul, its result's follow
//!          mb2_ic16oc32_ih7… a convolution and the like: sizes by name
//! ```

use super::error::{self, Error, Numbers, expected, list, push};
use super::tags::onednn_tag;
use super::{Given, Library};
use xlayout_shape::{ArrayShape, ElementType};

const LIBRARY: Library = Library::OneDnn;

/// oneDNN's names of types that are not XLA's.
const TYPES: [(&str, ElementType); 3] = [
    ("f8_e5m2", ElementType::F8e5m2),
    ("f8_e4m3", ElementType::F8e4m3fn),
    ("boolean", ElementType::Pred),
];

fn is_line(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("onednn_verbose,") || text.starts_with("dnnl_verbose,")
}

pub(super) fn is_verbose(text: &str, _: &Given<'_>) -> bool {
    is_line(text) || text.contains(":blocked:") || text.contains(":any:")
}

fn unexpected(text: &str, part: &str, what: &'static str) -> Error {
    expected(LIBRARY, text, part, what)
}

fn unread(text: &str, part: &str, form: &'static str) -> Error {
    error::unread(LIBRARY, text, part, form)
}

/// The type that oneDNN calls by this name.
fn type_of(name: &str) -> Option<ElementType> {
    let own = TYPES.iter().find(|row| row.0 == name);
    own.map_or_else(|| name.parse().ok(), |row| Some(row.1))
}

pub(super) fn read(
    text: &str,
    given: &Given<'_>,
    each: &mut dyn FnMut(ArrayShape) -> Result<(), Error>,
) -> Result<(), Error> {
    let end = text.trim_end();
    // Without a line around them: arrays, and behind them the sizes of all.
    let last = end.rsplit_once(' ').filter(|(_, last)| !last.contains(':'));
    let (mut arrays, mut problem) = last.unwrap_or((end, ""));
    let line = is_line(text);
    if line {
        let mut fields = end.split(',');
        let field = fields.find(|field| field.contains("::") || field.contains(":blocked:"));
        arrays = field.ok_or_else(|| unexpected(text, text, "a field of arrays"))?;
        // Behind it are attributes and auxiliary fields.
        problem = fields.nth(2).unwrap_or_default();
    }
    for (k, array) in arrays.split_whitespace().enumerate() {
        let array = Array::read(text, array)?;
        if array.kind == "undef" {
            continue;
        }
        let sizes = if line || !problem.is_empty() {
            Some(array.sizes(text, problem, k)?)
        } else {
            None
        };
        let what = "a type such as `f32`";
        let element_type = type_of(array.type_name);
        let element_type = element_type.ok_or_else(|| unexpected(text, array.type_name, what))?;
        let own = given.beside(sizes.as_deref(), Some(element_type));
        let shape = own.shape(LIBRARY, &onednn_tag(text, array.tag)?)?;
        given.check(LIBRARY, &shape)?;
        each(shape)?;
    }
    Ok(())
}

/// `2x16x7x7`
fn crosses(text: &str, sizes: &str) -> Result<Numbers, Error> {
    let digits = |size: &str| size.bytes().all(|byte| byte.is_ascii_digit());
    let number = |size: &str| size.parse().ok().filter(|_| digits(size));
    let mut list = Numbers::new();
    for size in sizes.split('x') {
        let what = "sizes such as `2x16x7x7`";
        let number = number(size).ok_or_else(|| unexpected(text, sizes, what))?;
        push(&mut list, number)?;
    }
    Ok(list)
}

/// What a description says of an array.
struct Array<'t> {
    name: &'t str,
    type_name: &'t str,
    kind: &'t str,
    tag: &'t str,
}

impl<'t> Array<'t> {
    fn read(text: &'t str, whole: &'t str) -> Result<Self, Error> {
        let (first, rest) = whole.split_once(':').unwrap_or((whole, ""));
        // `src_f32`, or with a colon in newer versions.
        let known = |name: &&str| *name == "undef" || type_of(name).is_some();
        let mut ends = first.match_indices('_').map(|(at, _)| &first[at + 1..]);
        let (name, type_name, rest) = match ends.find(known) {
            Some(ty) => (&first[..first.len() - ty.len() - 1], ty, rest),
            None => {
                let (ty, rest) = rest.split_once(':').unwrap_or((rest, ""));
                (first, ty, rest)
            }
        };
        let mut fields = rest.split(':');
        let mut field = || fields.next().unwrap_or(&whole[whole.len()..]);
        let [properties, kind, tag, strides] = core::array::from_fn(|_| field());
        let (strides, flags) = if strides.starts_with('f') {
            ("", strides)
        } else {
            (strides, field())
        };
        let more = field();
        let array = Self {
            name,
            type_name,
            kind,
            tag,
        };
        if kind == "undef" {
            return Ok(array);
        }
        if kind != "blocked" {
            let part = if kind.is_empty() { whole } else { kind };
            let what = "`blocked`: its tag says where elements lie";
            return Err(unexpected(text, part, what));
        }
        // `a`: any layout was asked for; `p`: there is padding, as the tag says.
        let moved = properties.trim_matches(['a', 'p']);
        let extra = flags.trim_start_matches("f0");
        let forms = [
            (moved, "a property that moves elements"),
            (strides, "a list of strides beside a tag"),
            (extra, "extra data behind the elements"),
            (more, "behind the end of the description"),
        ];
        match forms.into_iter().find(|(part, _)| !part.is_empty()) {
            Some((part, form)) => Err(unread(text, part, form)),
            None => Ok(array),
        }
    }

    /// The sizes of array `k` of a primitive.
    fn sizes(&self, text: &str, problem: &str, k: usize) -> Result<Numbers, Error> {
        if !problem.starts_with(|c: char| c.is_ascii_digit()) {
            if let Some(sizes) = self.by_name(problem)? {
                return Ok(sizes);
            }
        } else if let Some((first, second)) = problem.split_once(':') {
            let first = crosses(text, first)?;
            let second = crosses(text, second)?;
            let rank = first.len();
            match self.name {
                "bia" => {}
                _ if k == 0 => return Ok(first),
                _ if k == 1 => return Ok(second),
                // Of a matmul: batches are broadcast; rows of one and columns of the other.
                "dst" if text.contains(",matmul,") && second.len() == rank => {
                    let size = |d: usize| match rank - d {
                        1 => second[d],
                        2 => first[d],
                        _ => first[d].max(second[d]),
                    };
                    return list((0..rank).map(size));
                }
                _ if first == second => return Ok(first),
                _ => {}
            }
        } else {
            return crosses(text, problem);
        }
        let form =
            "an array whose sizes the line does not say; give it alone, with its sizes behind it";
        Err(unread(text, self.name, form))
    }

    /// The sizes by the names of the problem; nothing if one is missing.
    fn by_name(&self, problem: &str) -> Result<Option<Numbers>, Error> {
        // `ic16` or `_ic16`; before it is a digit, or nothing.
        let number = |name: &str| {
            problem.match_indices(name).find_map(|(at, _)| {
                let before = problem[..at].bytes().next_back();
                let rest = &problem[at + name.len()..];
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let own = before.is_none_or(|byte| !byte.is_ascii_alphabetic());
                rest[..digits].parse::<i64>().ok().filter(|_| own)
            })
        };
        let rank = self.tag.bytes().take_while(u8::is_ascii_alphabetic).count();
        let name = self.name.trim_start_matches("diff_");
        let groups = number("g").filter(|&groups| groups > 0);
        let [ic, oc, mb] = ["ic", "oc", "mb"].map(number);
        let oc = oc.or(ic);
        let of_group = |channels: Option<i64>| Some(channels? / groups.unwrap_or(1));
        let [input, output, kernel] = [["id", "ih", "iw"], ["od", "oh", "ow"], ["kd", "kh", "kw"]];
        let or_input = |own: [&'static str; 3]| if number(own[2]).is_some() { own } else { input };
        let (first, space) = match name {
            "src" => ([mb, ic, None], input),
            "dst" => ([mb, oc, None], or_input(output)),
            "wei" if groups.is_some() => ([groups, of_group(oc), of_group(ic)], kernel),
            "wei" => ([oc, ic, None], or_input(kernel)),
            "bia" => ([oc, None, None], input),
            _ => return Ok(None),
        };
        let mut sizes = Numbers::new();
        for size in first.into_iter().flatten().take(rank) {
            push(&mut sizes, size)?;
        }
        // The last ones of depth, height and width.
        let spatial = rank.saturating_sub(sizes.len()).min(3);
        for name in &space[3 - spatial..] {
            let Some(size) = number(name) else {
                return Ok(None);
            };
            push(&mut sizes, size)?;
        }
        Ok((sizes.len() == rank && first[0].is_some()).then_some(sizes))
    }
}
