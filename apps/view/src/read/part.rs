//! The layout in a line of a log, of a program or of an error: the part of a text that is one.
//!
//! ```text
//! a part begins at a word of BEGINNINGS, a type before `[`, the numbers of a layout in braces, a
//! bracket before `:(`, or the keys of an array interface, and ends behind a bracket that closes
//! its first one: the longest one that is read
//! ```

use std::borrow::Cow;

use xlayout::ElementType;
use xlayout::interop::{Given, Notation, from_numpy_name};

use super::facts;
use super::known::is_of_registers;
use super::{of_instruction, read_any};
use crate::error::{Error, TextSpan};
use crate::maps::map_text::MapText;
use crate::maps::{candidates, resolved};
use crate::session::arrays;

#[rustfmt::skip]
const BEGINNINGS: [&str; 45] = [
    "memref<", "tensor<", "tensor(", "vector<", "!ttg.memdesc<", "#ttg.", "#tpu.tiled<", "#tpu.vpad<",
    "torch.Size(", "Layout(", "DeviceLocalLayout(", "PjRtLayout(", "composition(",
    "ComposedLayout<", "make_layout(", "Layout<", "Swizzle<", "Sw<", "smem_ptr[", "raw_ptr(",
    "make_composed_layout(", "FixedLayout(", "np.lib.stride_tricks.as_strided(", "torch.as_strided(",
    "torch.empty_strided(", "torch.float", "torch.bfloat16", "torch.int", "gmem_ptr[", "rmem_ptr[",
    "assert_size_stride(", "np.ndarray(", "Tensor[(", "StridedLayoutAttr(", "make_tensor(",
    "empty_strided(", "rand_strided(", "empty_strided_cuda(", "empty_strided_cpu(",
    "!migraphx.shaped<", "T.Buffer((", "R.Tensor((", ".as_strided((", ".as_strided([", ".as_strided({",
];

/// How IREE uses a tensor, before its type.
const ACCESS: [&str; 3] = ["tensor<readonly:", "tensor<writeonly:", "tensor<readwrite:"];

/// The longest part that is tried, and how many of its ends are.
const LONGEST: usize = 4 << 10;
const MOST_ENDS: usize = 16;
/// The most parts that are told, and the most beginnings that are tried.
const MOST: usize = 8;
const MOST_TRIES: usize = 64;

const SEVERAL: &str = "the text holds several layouts, and it is not clear which one is meant";

/// The layout inside of another text. `None` if the whole text is a layout, or holds none.
///
/// ```
/// use xlayout_view::{Given, part};
/// let line = "print(x)  # memref<2x3xf32, strided<[1, 2]>>";
/// assert_eq!(part(line, &Given::default())?, Some("memref<2x3xf32, strided<[1, 2]>>"));
/// assert_eq!(part("f32[2,3]", &Given::default())?, None);
/// # Ok::<(), xlayout_view::Error>(())
/// ```
///
/// # Errors
/// If several different parts may be meant.
pub fn part<'t>(text: &'t str, given: &Given<'_>) -> Result<Option<&'t str>, Error> {
    let lines = candidates(text);
    if lines.iter().any(|line| *line != lines[0]) {
        return Err(several(text, &lines));
    }
    if let [line] = lines.as_slice()
        && line.contains("_verbose,")
        && line.len() < text.trim().len()
    {
        return Ok(Some(line));
    }
    match resolved(text) {
        Cow::Borrowed(line) if line.len() < text.trim().len() => return Ok(Some(line)),
        Cow::Borrowed(_) => {}
        Cow::Owned(printed) if arrays(text).len() < 2 => {
            // What several lines say together is no part of them.
            let is_line = !text.trim().contains('\n');
            let start = text.find(&printed).filter(|_| is_line);
            return Ok(start.map(|start| &text[start..start + printed.len()]));
        }
        Cow::Owned(_) => {}
    }
    let printed = arrays(text);
    if let [first, _, ..] = printed.as_slice() {
        let place = TextSpan::of_whole("SHAPE", text);
        let help = format_args!("give one of them alone: '{first}'");
        return Err(Error::new(SEVERAL).at(place).help(help));
    }
    // Notations of several arrays, and of which the text says the reason.
    let is_whole = |row: &Notation| matches!(row.key, "pack" | "onednn_verbose" | "triton");
    // A tuple with a mistake in it.
    if text.trim_start().starts_with('(')
        || is_read(text, given)
        || of_instruction(text).is_some_and(|shape| shape.contains('[') && !shape.starts_with('['))
        || Notation::of(text, given).is_some_and(is_whole)
        || is_of_registers(text)
    {
        return Ok(None);
    }
    let mut parts: Vec<&str> = Vec::new();
    let mut at = 0;
    let mut tries = 0;
    while at < text.len() && parts.len() < MOST && tries < MOST_TRIES {
        let rest = &text[at..];
        let before = text[..at].chars().next_back();
        let is_inside = |c: char| c.is_alphanumeric() || "_#!<%]".contains(c);
        // What an operation does with dimensions is no layout.
        let is_argument = ["permutation=", "dimensions="]
            .iter()
            .any(|key| text[..at].ends_with(key));
        // `x.as_strided((2, 3), (3, 1))`
        let is_inside = before.is_some_and(is_inside) && !rest.starts_with('.');
        let is_begin = !is_inside && !is_argument && begins(rest);
        tries += usize::from(is_begin);
        match is_begin.then(|| longest(rest, given)).flatten() {
            Some(part) => {
                // `Swizzle<B, M, S>` explains a notation.
                let has_numbers = part.contains(|c: char| c.is_ascii_digit());
                parts.extend(has_numbers.then_some(part));
                at += part.len();
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    let start = |part: &str| part.as_ptr().addr() - text.as_ptr().addr();
    // A layout at the beginning is meant if its line has nothing else, as above a table of CuTe's.
    let is_part = |part: &&&str| {
        let is_first = start(part) == 0;
        let behind = || &text[part.len()..];
        !is_first || behind().starts_with('\n') || behind().starts_with(":\n")
    };
    let Some(first) = parts.first().filter(is_part) else {
        return Ok(None);
    };
    if parts.iter().all(|part| part == first) {
        // `torch.Size([2, 3]) and strides (3, 1)`
        let is_bare = first.starts_with("torch.Size(") && first.ends_with("])");
        let question = is_bare.then(|| facts::question("SHAPE", text, given));
        let question = question.flatten();
        if let Some(question) = question.filter(|own| own.says_both && own.arrays > 0) {
            return Err(question.error);
        }
        // Of a layout without its sizes the whole text says what is wrong.
        let is_told = !first.starts_with('{') || is_read(first, given);
        return Ok(is_told.then_some(first));
    }
    Err(several(text, &parts))
}

/// The question which part of a text is meant.
fn several(text: &str, parts: &[&str]) -> Error {
    let mut error = Error::new(SEVERAL);
    for part in parts.iter().take(MOST) {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        let place = TextSpan::of_argument("SHAPE", text, start..start + part.len());
        error = error.at(place);
    }
    error.help(format_args!("give one of them alone: '{}'", parts[0]))
}

fn is_read(text: &str, given: &Given<'_>) -> bool {
    match MapText::read("SHAPE", text, given) {
        Some(map) => map.is_ok(),
        None => read_any("SHAPE", text, given).is_ok(),
    }
}

/// Whether a text begins as a layout.
fn begins(text: &str) -> bool {
    let word = text.find(|c: char| !c.is_ascii_alphanumeric());
    let (word, behind) = text.split_at(word.unwrap_or(text.len()));
    let is_named = || word.parse::<ElementType>().is_ok() || from_numpy_name(word).is_some();
    // `half_type, {2, 3}, {1, 2}` of MIGraphX's
    let is_type = behind.starts_with('[') && is_named() || behind.starts_with("_type, {");
    let inner = text.strip_prefix('{').unwrap_or_default();
    let is_order = is_order(inner) || inner.starts_with(":T(");
    let is_interface = inner.starts_with('\'') && inner.contains("'typestr'");
    let is_map = text.starts_with('(')
        && ends(text)
            .next()
            .is_some_and(|end| text[end..].starts_with(":("));
    // `tensor([[1, 2]])` prints elements.
    let is_list = text.starts_with("tensor([") || ACCESS.iter().any(|own| text.starts_with(own));
    is_type
        || dense(text).is_some()
        || is_order
        || is_interface
        || is_map
        || !is_list && BEGINNINGS.iter().any(|begin| text.starts_with(begin))
}

/// Whether the numbers up to `:` or `}` are those of all dimensions: `{2, 3}` is no minor_to_major.
fn is_order(inner: &str) -> bool {
    let end = inner.find([':', '}']).unwrap_or(inner.len());
    let numbers = inner[..end].split(',').map(|number| number.trim().parse());
    let numbers: Vec<usize> = numbers.map_while(Result::ok).collect();
    !numbers.is_empty() && (0..numbers.len()).all(|dimension| numbers.contains(&dimension))
}

/// Where one layout of StableHLO's ends: `dense<[0, 1]> : tensor<2xindex>`.
fn dense(text: &str) -> Option<usize> {
    let (list, behind) = text.strip_prefix("dense<")?.split_once("> : tensor<")?;
    let (rank, _) = behind.split_once("xindex>")?;
    let is_layout = !list.contains('>') && rank.bytes().all(|byte| byte.is_ascii_digit());
    let end = "dense<> : tensor<xindex>".len() + list.len() + rank.len();
    is_layout.then_some(end)
}

/// Where brackets end that are in no other one; up to one that closes none.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let mut depth = 0_usize;
    let mut before = ' ';
    let mut letters = text.char_indices().take_while(|&(at, _)| at < LONGEST);
    std::iter::from_fn(move || {
        loop {
            let (at, letter) = letters.next()?;
            // `->`, and the sequence of bytes in `'<f4'`
            let is_bracket = !matches!((before, letter), ('-', '>') | ('\'', '<' | '>'));
            before = letter;
            match letter {
                '(' | '[' | '{' | '<' if is_bracket => depth += 1,
                ')' | ']' | '}' | '>' if is_bracket => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
    })
}

/// The longest part from here that is read, or else all of the first brackets, of both of a map.
fn longest<'t>(text: &'t str, given: &Given<'_>) -> Option<&'t str> {
    if let Some(end) = dense(text) {
        return Some(&text[..end]);
    }
    let ends: Vec<usize> = ends(text).take(MOST_ENDS).collect();
    let mut longest = ends.iter().rev().map(|&end| &text[..end]);
    let read = longest.find(|part| is_read(part, given));
    let is_map = ends
        .first()
        .is_some_and(|&end| text[end..].starts_with(":("));
    read.or_else(|| Some(&text[..*ends.get(usize::from(is_map))?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_is_meant() {
        for (text, meant) in [
            ("torch.Size([2, 3]) torch.float32 (3, 1)", None),
            (
                "x  # torch.Size([2, 3]) torch.float32 (3, 1)",
                Some("torch.Size([2, 3]) torch.float32 (3, 1)"),
            ),
            (
                "%a: tensor<2x3xf32> {x = 1}, dense<0>",
                Some("tensor<2x3xf32>"),
            ),
            (
                "using A = decltype(composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>, Stride<_64,_1>>{}));",
                Some("composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>, Stride<_64,_1>>{})"),
            ),
            // What is wrong in it is told of it.
            (
                "error: memref<?xf32, strided<[?]>>",
                Some("memref<?xf32, strided<[?]>>"),
            ),
            (
                "Sw<1,3,3> o _0 o (_8,_16):(_16,_1)\n   0  1  2\n +--+",
                Some("Sw<1,3,3> o _0 o (_8,_16):(_16,_1)"),
            ),
            (
                "ThrID:\n  TV: ((4,8),2):((32,1),16)\n",
                Some("((4,8),2):((32,1),16)"),
            ),
            (
                "desc = {'shape': (2, 3), 'typestr': '<f4', 'version': 2}",
                Some("{'shape': (2, 3), 'typestr': '<f4', 'version': 2}"),
            ),
            // One mistake has one place.
            ("tensor<2x3xf32> -> tensor<2x3xf32>", None),
            ("%c = f32[2,3]{1,1} copy(f32[2,3]{0,1} %x)", None),
            ("no layout", None),
            ("float32[2.3]{0,0}", None),
            ("(f33[3], f32[2])", None),
            ("order {0,1}", None),
            (
                "%0 = memref.cast %a : memref<2xf32> to memref<?xf32>",
                Some("memref<?xf32>"),
            ),
            (">>> x.shape\n(2, 3)", None),
            (
                "argument x has shape float32[4,8] on device 0",
                Some("float32[4,8]"),
            ),
            (
                "File \"a.py\", line 395\n  assert_size_stride(b, (2, 3), (1, 2))\nError: expected 2",
                Some("assert_size_stride(b, (2, 3), (1, 2))"),
            ),
            (
                ">>> a = np.ndarray(dtype='f8', shape=(2,), strides=(8,))\n>>> f(a)\nTraceback (most",
                Some("np.ndarray(dtype='f8', shape=(2,), strides=(8,))"),
            ),
            (
                "`Swizzle<3,3,3>` is `Swizzle<B, M, S>`",
                Some("Swizzle<3,3,3>"),
            ),
            (
                "load -> vector<8xf32> #xegpu.layout<lane_layout = [8]>",
                None,
            ),
            (
                "transpose[permutation={1, 0}](x) -> half_type, {2, 3}, {1, 2}",
                Some("half_type, {2, 3}, {1, 2}"),
            ),
            (
                "buf0 = empty_strided_cuda((2, 3), (1, 2), torch.float32)  # x",
                Some("empty_strided_cuda((2, 3), (1, 2), torch.float32)"),
            ),
            ("prints tensor([[1, 2]])", None),
            (
                "%0: Tensor[(2, 3), float32];",
                Some("Tensor[(2, 3), float32]"),
            ),
            (
                "K(name='a', layout=FixedLayout('cpu', torch.int64, size=[4, 2], stride=[2, 1]), b=[])",
                Some("FixedLayout('cpu', torch.int64, size=[4, 2], stride=[2, 1])"),
            ),
            (
                "to layout(#a.nested_layout<x = [1]>) : vector<64xf32>",
                None,
            ),
            (
                "dnnl_verbose,info,cpu\ndnnl_verbose,exec,cpu,sum,,undef,src_f32::blocked:a:f0,,,2,0.1",
                Some("dnnl_verbose,exec,cpu,sum,,undef,src_f32::blocked:a:f0,,,2,0.1"),
            ),
            (
                "#a = #ttg.slice<{dim = 0, parent = #b}>\n#b = #ttg.blocked<{order = [0]}>",
                None,
            ),
            ("", None),
        ] {
            assert_eq!(part(text, &Given::default()), Ok(meant), "{text}");
        }
        let several = part("from {0,1} to {1,0} of f32[2,3]", &Given::default());
        for text in [
            "operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>]",
            "#a = #ttg.blocked<{order = [0]}>\n#b = #ttg.blocked<{order = [1, 0]}>",
            "#s = #ttg.shared<{}>\n%0 = a : !ttg.memdesc<8xf16, #s>\n%1 = b : !ttg.memdesc<4xf16, #s>",
            "dnnl_verbose,exec,a,b,,c,src_f32::blocked:a:f0,,,2,0\ndnnl_verbose,exec,a,b,,c,src_f32::blocked:a:f0,,,3,0",
            "A = make_layout((32, 8), stride=(1, 32))\nB = make_composed_layout(S, 0, A)",
            "print(x.shape)  # (2,)\nprint(y.shape)  # (3,)",
        ] {
            let error = part(text, &Given::default()).expect_err(text).to_string();
            assert!(error.starts_with(SEVERAL), "{text}: {error}");
        }
        let error = several.expect_err("three layouts");
        let places = error.mistakes()[0].places.iter();
        let found: Vec<_> = places
            .map(|place| &place.text[place.span.clone()])
            .collect();
        assert_eq!(found, ["{0,1}", "{1,0}", "f32[2,3]"]);
    }
}
