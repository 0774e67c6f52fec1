//! CuTe's swizzled layouts and tensors, as its programs print and write them.
//!
//! ```text
//! printed = parts with " o " between them: a pointer, a swizzle, an offset, a layout
//!           Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)
//!           tensor<ptr<f16, smem, align<128>, S<3,4,3>> o (8,64):(64,1)>, of Python
//! written = ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, Layout<Shape<_8,_64>, Stride<_64,_1>>>
//!
//! before a pointer, a swizzle counts bytes: Swizzle<B,M,S> is Swizzle<B,M-log2(bytes),S> of elements
//! ```

use xlayout::algebra::{Map, MapError, Swizzle};
use xlayout::interop::CuteLayout;
use xlayout::{ArrayShape, ElementType};

use super::atoms;
use super::brackets::{integer, split};
use super::map_text::{MapText, failure};
use crate::error::{Error, Outcome, TextSpan};
use crate::words::counted;
use xlayout::interop::Given;

const HELP: &str = "write a swizzle, an offset and a layout: `Sw<3,3,3> o 0 o (8,64):(64,1)`";

/// What a text of CuTe's says.
#[derive(Default)]
struct Parts {
    swizzle: Option<(u8, u8, i8)>,
    /// Of an element, where a pointer or a type is.
    bits: Option<u64>,
    /// Whether the swizzle is one of bytes.
    of_bytes: bool,
    element_type: Option<ElementType>,
    offset: i64,
    layout: String,
    notes: Vec<String>,
}

/// Whether the text has more than `(shape):(stride)`.
fn is_own(text: &str) -> bool {
    let text = text.trim();
    let swizzles = [
        "Sw<",
        "S<",
        "Swizzle<",
        "cute::Swizzle<",
        "tlx.swizzled_layout(",
    ];
    let written = [
        "Layout<",
        "ComposedLayout<",
        "make_layout(",
        "make_tensor(",
        "composition(",
        "compose(",
        "make_composed_layout(",
        "ptr[",
        "ptr<",
        "raw_ptr(",
        "Layout_K_",
        "Layout_MN_",
        "SmemLayoutAtomKind.",
    ];
    swizzles.iter().any(|begin| text.starts_with(begin))
        || written.iter().any(|word| text.contains(word)) && !text.contains("major_to_minor")
        || is_of_python(text)
}

/// Whether it is `Layout((2, 3), (3, 1))` of Python or Mojo. That of JAX has an order, in which
/// there is a dimension 0.
fn is_of_python(text: &str) -> bool {
    let inner = text
        .strip_prefix("Layout(")
        .and_then(|inner| inner.strip_suffix(')'));
    let parts = inner.map_or_else(Vec::new, |inner| split(inner, ','));
    let is_size = |size: &str| !matches!(size, "" | "0");
    let mut sizes = parts
        .first()
        .into_iter()
        .flat_map(|first| first.split(['(', ')', ',', ' ']));
    let has_sizes = sizes.clone().any(is_size) && sizes.all(|size| size != "0");
    parts.len() == 2 && has_sizes && !text.contains('=')
}

/// The shape of a text that has a layout without a swizzle; `None` for another text.
pub(crate) fn layout_of(
    origin: &str,
    text: &str,
    given: &Given<'_>,
) -> Option<Outcome<ArrayShape>> {
    if !is_own(text) {
        return None;
    }
    let parts = match parts(origin, text, given) {
        Ok(parts) if parts.swizzle.is_none() && parts.offset == 0 => parts,
        Ok(_) => return None,
        Err(error) => return Some(Err(error)),
    };
    let of_text = |error: &xlayout::interop::Error| {
        Error::new(error.message())
            .at(TextSpan::of_whole(origin, text))
            .help(error.help())
    };
    // Without a type it is a map.
    let element_type = given.element_type.or(parts.element_type)?;
    let layout = parts.layout.parse::<CuteLayout>();
    let shape = layout.and_then(|layout| layout.to_shape(element_type));
    Some(shape.map_err(|error| of_text(&error)))
}

/// The map of a text with a swizzle or without a type; `None` for another text.
pub(super) fn read(origin: &str, text: &str, given: &Given<'_>) -> Option<Outcome<MapText>> {
    if !is_own(text) {
        return without_layout(origin, text, given).map(Ok);
    }
    let parts = match parts(origin, text, given) {
        Ok(parts)
            if parts.swizzle.is_some()
                || parts.offset != 0
                || given.element_type.or(parts.element_type).is_none() =>
        {
            parts
        }
        Ok(_) => return None,
        Err(error) => return Some(Err(error)),
    };
    Some(parts.map(origin, text, given))
}

/// The map of `(shape):(stride)` that no layout of XLA's has.
fn without_layout(origin: &str, text: &str, given: &Given<'_>) -> Option<MapText> {
    use xlayout::interop::BoundaryError as B;
    let cute = text.parse::<CuteLayout>().ok()?;
    let reason = cute.to_shape(given.element_type?).err()?;
    let is_map = matches!(
        reason.kind(),
        B::CuteDigits { .. }
            | B::NoLayout
            | B::ZeroStride { .. }
            | B::NegativeStride { .. }
            | B::Overlap { .. }
            | B::Uneven { .. }
    );
    let parts = Parts {
        layout: text.trim().to_owned(),
        notes: vec![format!(
            "No layout of XLA's has this map: {}.",
            reason.message()
        )],
        ..Parts::default()
    };
    parts.map(origin, text, given).ok().filter(|_| is_map)
}

/// The map of a layout of CuTe's: a coordinate for each of its dimensions.
pub(crate) fn map_of<const T: usize>(cute: &CuteLayout) -> Result<Map<T>, MapError> {
    let mut sizes = Vec::new();
    let mut digits = Vec::new();
    for dimension in 0..cute.rank() {
        let mut divisor = 1_u64;
        for (size, stride) in cute.digits(dimension) {
            let size = size.unsigned_abs();
            digits.push((dimension as u8, divisor, size, stride));
            divisor = divisor.checked_mul(size).ok_or(MapError::Overflow)?;
        }
        sizes.push(divisor);
    }
    Map::from_modes(&sizes, &digits)
}

impl Parts {
    fn map(self, origin: &str, text: &str, given: &Given<'_>) -> Outcome<MapText> {
        let whole = || TextSpan::of_whole(origin, text);
        let cute = self.layout.parse::<CuteLayout>();
        let cute =
            cute.map_err(|error| Error::new(error.message()).at(whole()).help(error.help()))?;
        let of_map = |error| failure(error, origin, text);
        let base = map_of(&cute)
            .and_then(|map| map.scale(1, self.offset))
            .map_err(of_map)?;
        let element_type = given.element_type.or(self.element_type);
        let mut map = MapText {
            element_type,
            bits: self.bits,
            notes: self.notes,
            ..MapText::new("CuTe", base)
        };
        map.cute = Some(cute);
        map.offset = self.offset;
        let of_type = element_type.and_then(ElementType::bits).map(u64::from);
        if let (Some(bits), Some(own)) = (self.bits, of_type)
            && bits != own
        {
            let what = format!("the text has elements of {bits} bits, and the type has {own}");
            return Err(Error::new(what)
                .at(whole())
                .help("leave out --type, or correct it"));
        }
        let Some((bits, mut low, shift)) = self.swizzle else {
            return Ok(map);
        };
        if self.of_bytes {
            let own = self.bits.or(of_type).filter(|own| own.is_power_of_two());
            let Some(own) = own else {
                let what =
                    "the swizzle counts bytes, and the text does not say the bits of an element";
                return Err(Error::new(what)
                    .at(whole())
                    .help("give its type: --type f16"));
            };
            let Some(of_elements) = (low + 3).checked_sub(own.ilog2() as u8) else {
                let what = "the swizzle moves parts of an element";
                return Err(Error::new(what).at(whole()).help(HELP));
            };
            if of_elements != low {
                let size = match own {
                    8.. => counted(own / 8, "byte"),
                    _ => counted(own, "bit"),
                };
                map.notes.push(format!(
                    "Before a pointer to elements of {size} a swizzle counts bytes: of \
                     elements, Swizzle<{bits},{low},{shift}> is Swizzle<{bits},{of_elements},{shift}>. \
                     The pointer is taken as a multiple of all bytes that are swizzled together."
                ));
            }
            low = of_elements;
        }
        let swizzle = Swizzle::new(bits, low, shift).map_err(of_map)?;
        map.swizzled(swizzle).map_err(of_map)
    }
}

/// The number in brackets behind a word: `ptr[16b]`, `flag_bits<16>`.
fn number_behind(text: &str, word: &str) -> Option<u64> {
    let (_, rest) = text.split_once(word)?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    rest[..digits].parse().ok()
}

/// The numbers between the brackets of a swizzle, and what is behind them.
fn swizzle(text: &str) -> Option<((u8, u8, i8), &str)> {
    let (name, rest) = text.split_once(['<', '('])?;
    let name = name.rsplit([':', '.']).next().unwrap_or(name).trim();
    if !matches!(
        name,
        "Sw" | "S" | "Swizzle" | "make_swizzle" | "swizzled_layout"
    ) {
        return None;
    }
    let (numbers, rest) = rest.split_once(['>', ')'])?;
    let mut numbers = numbers
        .split(',')
        .map(|number| number.trim().trim_start_matches('_'));
    let [bits, base, shift] = [numbers.next()?, numbers.next()?, numbers.next()?];
    let all = (bits.parse().ok()?, base.parse().ok()?, shift.parse().ok()?);
    let rest = rest.trim_start_matches("{}").trim_start_matches("()");
    numbers.next().is_none().then_some((all, rest))
}

/// The row-major layout of these sizes.
fn row_major(sizes: &[i64]) -> Option<String> {
    let mut strides = products(sizes.iter().rev().map(|&size| u64::try_from(size).ok()))?;
    strides.reverse();
    let [sizes, strides] = [
        crate::words::joined(sizes, ","),
        crate::words::joined(&strides, ","),
    ];
    Some(format!("({sizes}):({strides})"))
}

fn parts(origin: &str, text: &str, given: &Given<'_>) -> Outcome<Parts> {
    if let Some(atom) = atoms::printed(origin, text, given.element_type) {
        return parts(origin, &atom?, given);
    }
    // `make_tensor(make_gmem_ptr(p), shape, stride)`
    let tensor = text.trim().strip_prefix("make_tensor(");
    if let Some(inner) = tensor.and_then(|inner| inner.strip_suffix(')'))
        && let [_, layout @ ..] = &split(inner, ',')[..]
    {
        let layout = match layout {
            [layout] => layout.trim().to_owned(),
            _ => format!("make_layout({})", crate::words::joined(layout, ",")),
        };
        return parts(origin, &layout, given);
    }
    let wrong = |what: &str, part: &str| {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        let at = TextSpan::of_argument(origin, text, start..start + part.len());
        Error::new(format_args!("expected {what}, found `{part}`"))
            .at(at)
            .help(HELP)
    };
    let text = text.trim();
    // `tensor(raw_ptr(0x0: f16, smem) o (8,8):(8,1), data=`
    let tensor = text.strip_prefix("tensor").filter(|_| text.contains("ptr"));
    let text = tensor.map_or(text, |inner| {
        let inner = inner.trim_start_matches(['<', '(']);
        let end = || inner.strip_suffix(['>', ')']);
        let shown = inner.split_once(", data=").map(|(shown, _)| shown);
        shown.or_else(end).unwrap_or(inner)
    });
    let mut found = Parts {
        bits: number_behind(text, "ptr[").or_else(|| number_behind(text, "flag_bits<")),
        ..Parts::default()
    };
    let inside = [
        "make_composed_layout(",
        "composition(",
        "compose(",
        "ComposedLayout<",
    ];
    let head = inside.iter().find_map(|begin| {
        let text = text
            .trim_start_matches("cute::")
            .trim_start_matches("cute.");
        let rest = text.strip_prefix(begin)?;
        rest.trim_end_matches("{}")
            .trim_end_matches("()")
            .strip_suffix([')', '>'])
    });
    let written = head.map_or_else(Vec::new, |inner| split(inner, ','));
    let parts: Vec<&str> = match head {
        Some(_) => written,
        None => text.split(" o ").map(str::trim).collect(),
    };
    for part in parts {
        let part = part.trim();
        if let Some((numbers, rest)) = swizzle(part) {
            if found.swizzle.replace(numbers).is_some() {
                return Err(wrong("one swizzle", part));
            }
            found.of_bytes = rest.contains("ptr");
            if !rest.is_empty() && !found.of_bytes {
                return Err(wrong("` o ` behind the swizzle", rest));
            }
        } else if part == "smem_ptr_flag" {
            // That of one bit.
            found.bits = Some(1);
            found.of_bytes = found.swizzle.is_some();
        } else if part.contains("ptr") && !part.contains("):(") {
            // `ptr<f16, smem, align<128>, S<3,4,3>>`
            let own = part.find("S<").and_then(|at| swizzle(&part[at..]));
            found.swizzle = found.swizzle.or(own.map(|own| own.0));
            found.of_bytes = found.swizzle.is_some();
            let mut words = part.split(['<', '(', ',', ' ']);
            found.element_type = words.find_map(|word| word.parse().ok());
            let bits = found.element_type.and_then(ElementType::bits);
            found.bits = found.bits.or(bits.map(u64::from));
        } else if let Some(offset) = integer(part) {
            found.offset = offset;
        } else if found.layout.is_empty() {
            found.layout = plain(part).ok_or_else(|| wrong("a layout: `(8,64):(64,1)`", part))?;
        } else {
            return Err(wrong("one layout", part));
        }
    }
    if found.layout.is_empty() {
        found.layout = given.sizes.and_then(row_major).ok_or_else(|| {
            let what = "a swizzle alone says neither the sizes nor the strides";
            Error::new(what)
                .at(TextSpan::of_whole(origin, text))
                .help(HELP)
        })?;
    }
    Ok(found)
}

/// What C++ writes, as what CuTe prints: `Layout<Shape<_8,_64>, Stride<_64,_1>>` is
/// `(8,64):(64,1)`. Names are left out, and `Int<8>` is 8.
fn plain(text: &str) -> Option<String> {
    let is_printed = text.starts_with(['(', '_']) || text.starts_with(|c: char| c.is_ascii_digit());
    if is_printed {
        return text.contains(':').then(|| text.to_owned());
    }
    let bare = text
        .trim_start_matches("cute::")
        .trim_start_matches("cute.");
    if !["Layout<", "Layout(", "make_layout("]
        .iter()
        .any(|begin| bare.starts_with(begin))
    {
        return None;
    }
    let mut out = String::new();
    let mut word = String::new();
    // Whether each open bracket is one of a number.
    let mut open = Vec::new();
    for letter in text
        .chars()
        .filter(|c| !c.is_whitespace() && !"{}".contains(*c))
    {
        match letter {
            '<' | '(' => {
                let is_number = matches!(word.rsplit(':').next(), Some("Int" | "C"));
                if !is_number && !open.is_empty() {
                    out.push('(');
                }
                open.push(is_number);
                word.clear();
            }
            '>' | ')' | ',' => {
                out += word.trim_start_matches('_');
                word.clear();
                match letter {
                    ',' if open.len() == 1 => out.push(':'),
                    ',' => out.push(','),
                    _ if !open.pop()? && !open.is_empty() => out.push(')'),
                    _ => {}
                }
            }
            _ => word.push(letter),
        }
    }
    if !out.contains(':') {
        let sizes = out.trim_matches(['(', ')']).split(',');
        let strides = products(sizes.map(|size| size.parse().ok()))?;
        let strides = crate::words::joined(&strides, ",");
        out = if out.contains('(') {
            format!("{out}:({strides})")
        } else {
            format!("{out}:{strides}")
        };
    }
    let is_layout = |c: char| c.is_ascii_digit() || "(),:-".contains(c);
    (open.is_empty() && word.is_empty() && out.chars().all(is_layout)).then_some(out)
}

/// The strides of sizes of which the first one varies fastest.
fn products(sizes: impl Iterator<Item = Option<u64>>) -> Option<Vec<u64>> {
    let mut next = Some(1_u64);
    let stride = |size: Option<u64>| {
        let own = next;
        next = next
            .zip(size)
            .and_then(|(stride, size)| stride.checked_mul(size));
        own
    };
    sizes.map(stride).collect()
}
