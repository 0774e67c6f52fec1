//! Lines of oneDNN's verbose log, and the descriptions of arrays in them.
//!
//! ```text
//! line:    …,src_f32::blocked:abcd::f0 dst_f32::blocked:aBcd8b::f0,attributes,auxiliary,problem,time
//! array:   name_type:properties:blocked:tag:strides:flags, or name:type:properties:…
//! problem: 2x16x7x7          the sizes of every array
//!          2x3:3x4           those of one array after the other; of a matmul, its result's follow
//!          mb2_ic16oc32_ih7… a convolution and the like: sizes by name
//! ```

use super::error::{Error, about, expected, full};
use super::tags::onednn_tag;
use super::{BoundaryError, Given, Library};
use xlayout_shape::dims::INLINE_RANK;
use xlayout_shape::error::Excerpt;
use xlayout_shape::list::List;
use xlayout_shape::primitive::PrimitiveType;
use xlayout_shape::shape::ArrayShape;

type Sizes = List<i64, INLINE_RANK>;

const LIBRARY: Library = Library::OneDnn;

/// oneDNN's names of types that are not XLA's.
const TYPES: [(&str, PrimitiveType); 3] = [
    ("f8_e5m2", PrimitiveType::F8e5m2),
    ("f8_e4m3", PrimitiveType::F8e4m3fn),
    ("boolean", PrimitiveType::Pred),
];

fn is_line(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("onednn_verbose,") || text.starts_with("dnnl_verbose,")
}

pub(super) fn is_verbose(text: &str, _: &Given<'_>) -> bool {
    is_line(text) || text.contains(":blocked:")
}

fn unexpected(text: &str, part: &str, what: &'static str) -> Error {
    expected(LIBRARY, text, part, what)
}

fn unread(text: &str, part: &str, form: &'static str) -> Error {
    let (library, found) = (LIBRARY, Excerpt::new(part));
    about(
        text,
        part,
        BoundaryError::Unread {
            library,
            form,
            found,
        },
    )
}

pub(super) fn read(
    text: &str,
    given: &Given<'_>,
    each: &mut dyn FnMut(ArrayShape) -> Result<(), Error>,
) -> Result<(), Error> {
    if !is_line(text) {
        // Arrays, and behind them the sizes of all.
        let end = text.trim_end();
        let last = end.rsplit_once(' ').filter(|(_, last)| !last.contains(':'));
        let (arrays, sizes) = last.unwrap_or((end, ""));
        for array in arrays.split_whitespace() {
            let array = Array::read(text, array)?;
            let own = match sizes {
                "" => None,
                sizes => Some(crosses(text, sizes)?),
            };
            array
                .shape(text, own.as_deref(), given)?
                .map_or(Ok(()), &mut *each)?;
        }
        return Ok(());
    }
    let mut fields = text.trim_end().split(',');
    let kind = fields
        .clone()
        .find(|field| KINDS.contains(field))
        .unwrap_or_default();
    let arrays = fields.find(|field| field.contains("::") || field.contains(":blocked:"));
    let arrays = arrays.ok_or_else(|| unexpected(text, text, "a field of arrays"))?;
    // Behind it are attributes and auxiliary fields.
    let problem = fields.nth(2).unwrap_or_default();
    for (k, array) in arrays.split_whitespace().enumerate() {
        let array = Array::read(text, array)?;
        if array.kind != "undef" {
            let sizes = array.sizes(text, kind, problem, k)?;
            array
                .shape(text, Some(&sizes), given)?
                .map_or(Ok(()), &mut *each)?;
        }
    }
    Ok(())
}

/// The kinds of primitives whose sizes are worked out.
const KINDS: [&str; 8] = [
    "convolution",
    "deconvolution",
    "pooling",
    "inner_product",
    "batch_normalization",
    "matmul",
    "lrn",
    "shuffle",
];

/// `2x16x7x7`
fn crosses(text: &str, sizes: &str) -> Result<Sizes, Error> {
    let mut list = Sizes::new();
    for size in sizes.split('x') {
        let number = size
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| size.parse().ok());
        let number = number
            .flatten()
            .ok_or_else(|| unexpected(text, sizes, "sizes such as `2x16x7x7`"))?;
        list.try_push(number).map_err(full)?;
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
        let known = |name: &str| {
            TYPES.iter().any(|row| row.0 == name) || name.parse::<PrimitiveType>().is_ok()
        };
        let named =
            |row: &(&'static str, PrimitiveType)| first.strip_suffix(row.0)?.strip_suffix('_');
        let short = TYPES
            .iter()
            .find_map(named)
            .or_else(|| Some(first.rsplit_once('_')?.0));
        let short =
            short.filter(|name| known(&first[name.len() + 1..]) || first.ends_with("_undef"));
        let (name, type_name, rest) = match short {
            Some(name) => (name, &first[name.len() + 1..], rest),
            None => {
                let (type_name, rest) = rest.split_once(':').unwrap_or((rest, ""));
                (first, type_name, rest)
            }
        };
        let mut fields = rest.split(':');
        let mut field = || fields.next().unwrap_or(&whole[whole.len()..]);
        let (properties, kind, tag, strides, flags) = (field(), field(), field(), field(), field());
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
            return Err(unexpected(
                text,
                if kind.is_empty() { whole } else { kind },
                "`blocked`: its tag says where elements lie",
            ));
        }
        // `a`: any layout was asked for; `p`: there is padding, as the tag says.
        let forms = [
            (
                properties.trim_matches(['a', 'p']),
                "a property that moves elements",
            ),
            (strides, "a list of strides beside a tag"),
            (
                flags.trim_start_matches("f0"),
                "extra data behind the elements",
            ),
            (more, "behind the end of the description"),
        ];
        match forms.into_iter().find(|(part, _)| !part.is_empty()) {
            Some((part, form)) => Err(unread(text, part, form)),
            None => Ok(array),
        }
    }

    fn shape(
        &self,
        text: &str,
        sizes: Option<&[i64]>,
        given: &Given<'_>,
    ) -> Result<Option<ArrayShape>, Error> {
        if self.kind == "undef" {
            return Ok(None);
        }
        let own = TYPES
            .iter()
            .find(|row| row.0 == self.type_name)
            .map(|row| row.1);
        let Some(element_type) = own.or_else(|| self.type_name.parse().ok()) else {
            let found = Excerpt::new(self.type_name);
            let error = BoundaryError::UnknownType {
                library: LIBRARY,
                found,
            };
            return Err(about(text, self.type_name, error));
        };
        let library = LIBRARY;
        let sizes = sizes
            .or(given.sizes)
            .ok_or(BoundaryError::NoSizes { library })?;
        let shape = onednn_tag(text, self.tag)?.to_shape(element_type, sizes)?;
        given.check(library, &shape)?;
        Ok(Some(shape))
    }

    /// The sizes of array `k` of a primitive.
    fn sizes(&self, text: &str, kind: &str, problem: &str, k: usize) -> Result<Sizes, Error> {
        if problem.starts_with(|c: char| c.is_ascii_digit()) {
            let Some((first, second)) = problem.split_once(':') else {
                return crosses(text, problem);
            };
            let (first, second) = (crosses(text, first)?, crosses(text, second)?);
            match (kind, self.name) {
                ("matmul", "dst") => {
                    let mut sizes = first.clone();
                    for (d, size) in sizes.iter_mut().enumerate() {
                        // Batches are broadcast; the last two are rows of one and columns of the other.
                        let other = second.get(d).copied().unwrap_or(1);
                        *size = match d + 2 == first.len() {
                            true => *size,
                            false if d + 1 == first.len() => other,
                            false => (*size).max(other),
                        };
                    }
                    return Ok(sizes);
                }
                ("matmul", "bia") => {}
                _ if k == 0 => return Ok(first),
                _ if k == 1 => return Ok(second),
                _ if first == second => return Ok(first),
                _ => {}
            }
        } else if KINDS.contains(&kind)
            && let Some(sizes) = self.by_name(problem)?
        {
            return Ok(sizes);
        }
        let form =
            "an array whose sizes the line does not say; give it alone, with its sizes behind it";
        Err(unread(text, self.name, form))
    }

    /// The sizes by the names of the problem; nothing if one is missing.
    fn by_name(&self, problem: &str) -> Result<Option<Sizes>, Error> {
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
        let mut sizes = Sizes::new();
        for size in first.into_iter().flatten().take(rank) {
            sizes.try_push(size).map_err(full)?;
        }
        // The last ones of depth, height and width.
        let spatial = rank.saturating_sub(sizes.len()).min(3);
        for name in &space[3 - spatial..] {
            let Some(size) = number(name) else {
                return Ok(None);
            };
            sizes.try_push(size).map_err(full)?;
        }
        Ok((sizes.len() == rank && first[0].is_some()).then_some(sizes))
    }
}
