//! Lines of oneDNN's verbose log, and the descriptions of arrays in them.
//!
//! ```text
//! line:    …,src_f32::blocked:abcd::f0
//!          dst_f32::blocked:aBcd8b::f0,attributes,auxiliary,problem,time
//! array:   name_type:properties:blocked:tag:strides:flags, or name:type:properties:…; older
//!          versions have no strides, and the oldest ones in:type_tag or fsrc:tag
//! flags:   f0, behind it the dimensions that a bias has: f0_mask2, or what lies behind the
//!          elements: f104:s8m1:zpm2
//! problem: 2x16x7x7          the sizes of every array
//!          2x3:3x4:2x4       those of one array after the other without the bias; the result may
//!                            be left out
//!          mb2_ic16oc32_ih7… a convolution and the like: sizes by name
//! ```

use super::described::Each;
use super::error::{self, Error, Numbers, expected, list, push};
use super::tags::onednn_tag;
use super::{Described, Given, Library, StridedArray};
use xlayout_shape::ElementType;

const LIBRARY: Library = Library::OneDnn;

/// oneDNN's names of types that are not XLA's.
const TYPES: [(&str, ElementType); 3] = [
    ("f8_e5m2", ElementType::F8e5m2),
    ("f8_e4m3", ElementType::F8e4m3fn),
    ("boolean", ElementType::Pred),
];

/// The line from its marker on, without the prefix of a log.
fn line(text: &str) -> Option<&str> {
    let markers = ["mkldnn_verbose,", "dnnl_verbose,", "onednn_verbose,"];
    let start = markers.iter().find_map(|marker| text.find(marker));
    start.map(|start| text[start..].trim_end())
}

pub(super) fn is_verbose(text: &str, _: &Given<'_>) -> bool {
    line(text).is_some() || text.contains(":blocked:") || text.contains(":any:")
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

/// The arrays of a text, and the sizes of them.
struct Listed<'t> {
    arrays: &'t str,
    /// `None` where the text says no sizes.
    problem: Option<&'t str>,
}

impl<'t> Listed<'t> {
    fn new(text: &'t str) -> Result<Self, Error> {
        let Some(line) = line(text) else {
            // Without a line around them: arrays, and behind them the sizes of all.
            let end = text.trim_end();
            let last = end.rsplit_once(' ').filter(|(_, last)| !last.contains(':'));
            return Ok(Self {
                arrays: last.map_or(end, |(arrays, _)| arrays),
                problem: last.map(|(_, problem)| problem),
            });
        };
        let mut fields = line.split(',');
        let is_oldest = line.starts_with("mkldnn");
        let has_arrays = |field: &&str| {
            let is_old = is_oldest && (field.starts_with("in:") || field.starts_with("fsrc:"));
            is_old || field.contains("::") || field.contains(":blocked:")
        };
        let field = fields.find(has_arrays);
        let arrays = field.ok_or_else(|| unexpected(text, line, "a field of arrays"))?;
        // Behind it are attributes and auxiliary fields; a `gemm_api` has no attributes.
        let has_one = is_oldest || line.contains(",gemm_api,");
        let between = if has_one { 1 } else { 2 };
        Ok(Self {
            arrays,
            problem: Some(fields.nth(between).unwrap_or_default()),
        })
    }
}

pub(super) fn read(text: &str, given: &Given<'_>, each: Each<'_>) -> Result<(), Error> {
    let listed = Listed::new(text)?;
    // The number of the array among those whose sizes are listed.
    let mut k = 0;
    for array in listed.arrays.split_whitespace() {
        let array = Array::read(text, array)?;
        if array.kind == "undef" {
            continue;
        }
        let sizes = listed.problem.map(|problem| array.sizes(text, problem, k));
        let sizes = sizes.transpose()?;
        k += usize::from(array.name != "bia");
        let what = "a type such as `f32`";
        let element_type = match array.type_name {
            "" => given.element_type,
            name => Some(type_of(name).ok_or_else(|| unexpected(text, name, what))?),
        };
        let own = given.beside(sizes.as_deref(), element_type);
        let blocked = onednn_tag(text, array.tag)?;
        let mut shape = own.shape(LIBRARY, &blocked)?;
        if !array.strides.is_empty() {
            if !blocked.blocks.is_empty() {
                return Err(unread(
                    text,
                    array.strides,
                    "a list of strides beside blocks",
                ));
            }
            let strides = crosses(text, array.strides)?;
            let (sizes, element_type) = own.both(LIBRARY)?;
            let host = StridedArray::from_element_strides(element_type, sizes, &strides);
            let padded = host.and_then(|host| host.padded());
            shape = padded.map_err(|error| error::about(text, array.strides, *error.kind()))?;
        }
        given.check(LIBRARY, &shape)?;
        let mut described = Described::from(shape);
        if array.has_extra {
            described = described.with_note(EXTRA);
        }
        each(described)?;
    }
    Ok(())
}

/// What is said of the bytes that flags other than `f0` stand for.
const EXTRA: &str = "Behind the elements lies compensation data for quantized weights, which is \
                     not counted here";

/// The sizes of the result, where those of the operands are listed.
fn result_sizes(text: &str, problem: &str) -> Result<Option<Numbers>, Error> {
    let mut parts = problem.split(':');
    let mut next = || parts.next().map(|part| crosses(text, part)).transpose();
    let (Some(first), Some(second)) = (next()?, next()?) else {
        return Ok(None);
    };
    let rank = first.len();
    let third = next()?;
    if text.contains(",sdpa,") {
        // Rows of the queries, columns of the values.
        let last = third.and_then(|values| values.last().copied());
        let rows = first.iter().take(rank.max(1) - 1);
        return last
            .map(|last| list(rows.copied().chain([last])))
            .transpose();
    }
    if let Some((_, axis)) = text
        .split_once("axis:")
        .filter(|_| text.contains(",concat,"))
    {
        let digits = axis.bytes().take_while(u8::is_ascii_digit).count();
        let axis = axis[..digits]
            .parse::<usize>()
            .ok()
            .filter(|&axis| axis < rank);
        let Some(axis) = axis else {
            return Ok(None);
        };
        let mut all = first.clone();
        for part in problem.split(':').skip(1) {
            let size = crosses(text, part)?.get(axis).copied().unwrap_or(0);
            all[axis] = all[axis].saturating_add(size);
        }
        return Ok(Some(all));
    }
    if third.is_some() {
        return Ok(third.filter(|_| text.contains(",matmul,")));
    }
    if second.len() != rank {
        return Ok(None);
    }
    // Of a matmul: rows of one and columns of the other. What works on elements is broadcast.
    let is_one_of = |kinds: &[&str]| kinds.iter().any(|kind| text.contains(kind));
    let is_matmul = is_one_of(&[",matmul,", ",gemm_api,", ",gemm,"]);
    if !is_matmul && !is_one_of(&[",binary,", ",sum,"]) {
        return Ok(None);
    }
    let size = |d: usize| match rank - d {
        1 if is_matmul => second[d],
        2 if is_matmul => first[d],
        _ => first[d].max(second[d]),
    };
    list((0..rank).map(size)).map(Some)
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
    /// The name in the text.
    place: &'t str,
    type_name: &'t str,
    kind: &'t str,
    tag: &'t str,
    strides: &'t str,
    /// The dimensions that a bias has.
    mask: Option<u32>,
    has_extra: bool,
}

impl<'t> Array<'t> {
    /// `in:f32_goihw`, `fsrc:nchw`
    fn oldest(whole: &'t str) -> Option<Self> {
        let (place, described) = whole.split_once(':')?;
        let name = match place {
            "in" => "src",
            "out" => "dst",
            _ => place
                .strip_prefix('f')
                .filter(|name| ["src", "wei", "bia", "dst"].contains(name))?,
        };
        let typed = described
            .split_once('_')
            .filter(|(name, _)| type_of(name).is_some());
        let (type_name, tag) = typed.unwrap_or(("", described));
        let kind = if tag == "undef" { tag } else { "blocked" };
        Some(Self {
            name,
            place,
            type_name,
            kind,
            tag,
            strides: "",
            mask: None,
            has_extra: false,
        })
    }

    fn read(text: &'t str, whole: &'t str) -> Result<Self, Error> {
        if let Some(array) = Self::oldest(whole) {
            return Ok(array);
        }
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
        let (flags, mask) = match flags.split_once("_mask") {
            Some((flags, mask)) => {
                let number = mask.parse().ok();
                let what = "the number of a mask";
                (
                    flags,
                    Some(number.ok_or_else(|| unexpected(text, mask, what))?),
                )
            }
            None => (flags, None),
        };
        // `f104:s8m1:zpm2:sa0.5`: the flags as a number, then what each of them has.
        let mut behind = core::iter::from_fn(|| fields.next());
        let known = |field: &&str| {
            ["s8m", "zpm", "sa", "scm", "rr"]
                .iter()
                .any(|own| field.starts_with(own))
        };
        let more = behind.find(|field| !known(field)).unwrap_or_default();
        let is_hex = |flags: &str| flags.bytes().all(|byte| byte.is_ascii_hexdigit());
        let has_extra = flags.len() > 1 && flags != "f0";
        let array = Self {
            name,
            place: name,
            type_name,
            kind,
            tag,
            strides,
            mask,
            has_extra,
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
        let extra = if flags.strip_prefix('f').is_none_or(is_hex) {
            ""
        } else {
            flags
        };
        let forms = [
            (moved, "a property that moves elements"),
            (extra, "no number of flags"),
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
        } else if problem.contains(':') {
            if self.name != "bia"
                && let Some(own) = problem.split(':').nth(k)
            {
                return crosses(text, own);
            }
            let result = matches!(self.name, "bia" | "dst");
            if let Some(sizes) = result_sizes(text, problem)?.filter(|_| result) {
                return self.masked(&sizes);
            }
        } else {
            let all = crosses(text, problem)?;
            // Of a normalization: numbers for each row, or for each column.
            return match self.name {
                "stats" | "mean" | "variance" => list(all[..all.len().max(1) - 1].iter().copied()),
                "scale" | "shift" => list(all.last().copied()),
                _ => self.masked(&all),
            };
        }
        let form =
            "an array whose sizes the line does not say; give it alone, with its sizes behind it";
        Err(unread(text, self.place, form))
    }

    /// The sizes of a bias: 1 where the mask does not have the dimension.
    fn masked(&self, sizes: &[i64]) -> Result<Numbers, Error> {
        let has = |d: usize| {
            self.mask
                .is_none_or(|mask| mask.checked_shr(d as u32).unwrap_or(0) & 1 == 1)
        };
        let sizes = sizes.iter().enumerate();
        list(sizes.map(|(d, &size)| if has(d) { size } else { 1 }))
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
