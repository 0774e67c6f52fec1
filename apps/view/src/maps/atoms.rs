//! CuTe's atoms of shared memory by name, and the tiles that fill a shape with one.
//!
//! ```text
//! GMMA::Layout_K_SW128_Atom<half_t>     rows of 128 bytes: Sw<3,4,3> o smem_ptr[16b] o (8,64):(64,1)
//! UMMA::Layout_MN_SW32_Atom<float>      columns of 32 bytes: Sw<1,4,3> o smem_ptr[32b] o (8,8):(1,8)
//! tile_to_shape(atom, shape, step)      the atom as often as it fits, along the dimension whose
//!                                       step is the smallest first
//! ```

use super::brackets::{inside, integer, split};
use crate::error::{Error, Outcome, TextSpan};
use crate::words::joined;
use xlayout::ElementType;

const HELP: &str = "write what CuTe's `print(layout)` prints: \
                    `Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)`";

/// The kinds of atoms: the bits of the swizzle, and the bytes of a row.
const KINDS: [(&str, u8, u64); 4] = [
    ("INTER", 0, 16),
    ("SW32", 1, 32),
    ("SW64", 2, 64),
    ("SW128", 3, 128),
];
/// The rows of every atom.
const ROWS: u64 = 8;

/// CuTe's names of element types.
#[rustfmt::skip]
const TYPES: [(&str, ElementType); 12] = [
    ("half_t", ElementType::F16), ("bfloat16_t", ElementType::Bf16), ("float", ElementType::F32),
    ("tfloat32_t", ElementType::F32), ("double", ElementType::F64),
    ("float_e4m3_t", ElementType::F8e4m3fn), ("float_e5m2_t", ElementType::F8e5m2),
    ("int8_t", ElementType::S8), ("uint8_t", ElementType::U8), ("Float16", ElementType::F16),
    ("BFloat16", ElementType::Bf16), ("Float32", ElementType::F32),
];

/// The text that CuTe prints of an atom, or of tiles of one; `None` if the text names none.
pub(super) fn printed(
    origin: &str,
    text: &str,
    given: Option<ElementType>,
) -> Option<Outcome<String>> {
    let names = ["Layout_", "SmemLayoutAtomKind."];
    let start = names
        .iter()
        .find_map(|name| Some(text.find(name)? + name.len()))?;
    let (major, rest) = text[start..].split_once('_')?;
    let rows_are_contiguous = match major {
        "K" => true,
        "MN" => false,
        _ => return None,
    };
    let wrong = |what: &str, help: &str| {
        Some(Err(Error::new(what)
            .at(TextSpan::of_whole(origin, text))
            .help(help)))
    };
    if names.iter().any(|name| rest.contains(name)) {
        return wrong("the text names several atoms", "give one of them alone");
    }
    let kind = rest.split(|c: char| !c.is_ascii_alphanumeric()).next();
    let behind = &rest[kind.map_or(0, str::len)..];
    let known = KINDS.iter().find(|row| Some(row.0) == kind);
    let is_whole = behind.starts_with("_Atom<") || !behind.starts_with('_');
    let Some(&(_, bits, bytes)) = known.filter(|_| is_whole) else {
        return wrong("this atom is not one of those that are read", HELP);
    };
    let argument = behind
        .trim_start_matches("_Atom")
        .trim_start_matches(['<', ',', ' ']);
    let end = argument.find(['>', ',', ')']).unwrap_or(argument.len());
    let name = argument[..end]
        .rsplit([':', '.'])
        .next()
        .unwrap_or_default()
        .trim();
    let own = TYPES.iter().find(|row| row.0 == name).map(|row| row.1);
    let Some(of_element) = own.or(given).and_then(ElementType::bits) else {
        let what = format!("`{name}` is no type of an element that is known");
        return wrong(&what, "give the type of an element: --type f16");
    };
    let of_element = u64::from(of_element);
    let row = bytes * 8 / of_element;
    let (sizes, strides) = if rows_are_contiguous {
        ([ROWS, row], [row, 1])
    } else {
        ([row, ROWS], [1, row])
    };
    let head = format!("Sw<{bits},4,3> o smem_ptr[{of_element}b](unset) o ");
    let Some((_, arguments)) = text.split_once("tile_to_shape(") else {
        let [sizes, strides] = [sizes, strides].map(|list| joined(list, ","));
        return Some(Ok(format!("{head}({sizes}):({strides})")));
    };
    let arguments = split(inside(arguments), ',');
    let mut arguments = arguments.into_iter().skip(1);
    let shape = arguments.next().and_then(numbers);
    let step = arguments.next().map(numbers);
    let is_step = |step: &Vec<i64>| {
        shape
            .as_ref()
            .is_some_and(|shape| shape.len() == step.len())
    };
    let (Some(shape), true) = (
        &shape,
        step.iter().all(|step| step.as_ref().is_some_and(is_step)),
    ) else {
        let help = "write numbers: `tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_128,_64>{})`";
        return wrong("the shape or the steps of the tiles are no numbers", help);
    };
    let atom = |dim: usize| {
        let size = sizes.get(dim).copied().unwrap_or(1);
        (size, strides.get(dim).copied().unwrap_or(0))
    };
    let mut order: Vec<usize> = (0..shape.len()).collect();
    if let Some(Some(step)) = step {
        order.sort_by_key(|&dim| step[dim]);
    }
    let mut counts = vec![0; shape.len()];
    let mut outer = vec![0; shape.len()];
    let mut next = sizes[0] * sizes[1];
    for dim in order {
        let size = shape[dim].unsigned_abs();
        let count = size / atom(dim).0;
        if shape.len() < 2 || count * atom(dim).0 != size {
            let what = format!(
                "the atom of {} × {} elements does not divide the shape",
                sizes[0], sizes[1]
            );
            return wrong(&what, HELP);
        }
        let Some(after) = next.checked_mul(count) else {
            return wrong("the tiles have more elements than a number counts", HELP);
        };
        counts[dim] = count;
        outer[dim] = next;
        next = after;
    }
    let pairs = |inner: &dyn Fn(usize) -> u64, outer: &[u64]| {
        joined(
            outer
                .iter()
                .enumerate()
                .map(|(dim, outer)| format!("({},{outer})", inner(dim))),
            ",",
        )
    };
    let sizes = pairs(&|dim| atom(dim).0, &counts);
    let strides = pairs(&|dim| atom(dim).1, &outer);
    Some(Ok(format!("{head}({sizes}):({strides})")))
}

/// `Shape<_128,_64>{}`, `make_shape(Int<128>{}, _64{})`, `(128, 64)`
fn numbers(text: &str) -> Option<Vec<i64>> {
    let text = text.trim().trim_end_matches("{}").trim_end_matches("()");
    let (_, inner) = text.split_once(['<', '('])?;
    let inner = inner.strip_suffix(['>', ')'])?;
    let sizes = split(inner, ',')
        .into_iter()
        .map(|size| integer(size.trim()));
    sizes.map(|size| size.filter(|&size| size > 0)).collect()
}
