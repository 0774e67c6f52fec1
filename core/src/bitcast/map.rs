//! What decides whether two layouts are a bitcast of each other: one rule for layouts that the
//! compiler knows and for those that it does not.

use super::equal::{by_index, memory_map_obstacle, same_place, second_index};
use super::{ElementTypes, NotBitcast};
use crate::array_layout::{ArrayLayout, sealed};
use crate::dims::Dim;
use crate::modes::MemoryMap;

/// Calls `use_` with the memory map of a layout.
pub(super) fn with_map<L: ArrayLayout, R>(layout: &L, use_: impl FnOnce(&MemoryMap<'_>) -> R) -> R {
    let mut shape = layout.array_shape();
    let Some(of) = shape.layout.take() else {
        unreachable!("the shape of what is laid out has a layout");
    };
    let (split_indices, splits) = of.split_configs.as_slices();
    layout.with_resolved(sealed::Token, |table| {
        use_(&MemoryMap {
            element_type: shape.element_type,
            dims: &shape.dims,
            minor_to_major: &of.minor_to_major,
            table,
            memory_space: of.memory_space,
            metadata_prefix: of.dynamic_shape_metadata_prefix_bytes,
            splits,
            split_indices,
        })
    })
}

/// What keeps a reshape from being a bitcast.
#[inline]
pub(super) const fn reshape_obstacle(
    input: &MemoryMap<'_>,
    output: &MemoryMap<'_>,
    element_types: ElementTypes,
) -> Option<NotBitcast> {
    if let Some(obstacle) = buffer_obstacle(input, output, element_types) {
        return Some(obstacle);
    }
    if !dynamic_dims_fit(input, output) {
        return Some(NotBitcast::DynamicDimensions);
    }
    memory_map_obstacle(input, &[], output)
}

/// What keeps a transpose, `output.dims[i] = input.dims[permutation[i]]`, from being a bitcast.
#[inline]
pub(super) const fn transpose_obstacle(
    input: &MemoryMap<'_>,
    output: &MemoryMap<'_>,
    permutation: &[i64],
    element_types: ElementTypes,
) -> Option<NotBitcast> {
    if !is_permutation(permutation, input.dims.len()) || output.dims.len() != input.dims.len() {
        return Some(NotBitcast::Permutation);
    }
    each!(d, 0..output.dims.len(), {
        if !same_dim(output.dims[d], input.dims[permutation[d] as usize]) {
            return Some(NotBitcast::Permutation);
        }
    });
    if let Some(obstacle) = buffer_obstacle(input, output, element_types) {
        return Some(obstacle);
    }
    // The header lists the sizes, which would be in another sequence.
    if input.metadata_prefix > 0 && !is_identity(permutation) {
        return Some(NotBitcast::DynamicDimensions);
    }
    memory_map_obstacle(input, permutation, output)
}

/// Fills in the permutation with which a transpose is a bitcast, if there is one. Of dimensions
/// with more than one index there is only one: no two elements lie in one place, so the second
/// index of each is in a place of its own. Others are matched in ascending sequence.
#[inline]
pub(super) const fn find_transpose(
    input: &MemoryMap<'_>,
    output: &MemoryMap<'_>,
    permutation: &mut [i64],
    element_types: ElementTypes,
) -> Option<NotBitcast> {
    if let Some(obstacle) = buffer_obstacle(input, output, element_types) {
        return Some(obstacle);
    }
    if output.dims.len() != input.dims.len() || permutation.len() != input.dims.len() {
        return Some(NotBitcast::Permutation);
    }
    let (Ok(of_input), Ok(of_output)) = (by_index(input, &[]), by_index(output, &[])) else {
        return Some(NotBitcast::MemoryMap);
    };
    each!(d, 0..output.dims.len(), {
        let place = second_index(&of_output, output.table.sizes, d);
        let mut from = 0;
        while from < input.dims.len()
            && (contains(permutation.split_at(d).0, from as i64)
                || !same_dim(input.dims[from], output.dims[d])
                || !same_place(place, second_index(&of_input, input.table.sizes, from)))
        {
            from += 1;
        }
        if from == input.dims.len() {
            return Some(NotBitcast::MemoryMap);
        }
        permutation[d] = from as i64;
    });
    transpose_obstacle(input, output, permutation, element_types)
}

/// What keeps two layouts from lying in one buffer, whatever becomes of the index.
#[inline]
const fn buffer_obstacle(
    input: &MemoryMap<'_>,
    output: &MemoryMap<'_>,
    element_types: ElementTypes,
) -> Option<NotBitcast> {
    let a = &input.table.numbers;
    let b = &output.table.numbers;
    if matches!(element_types, ElementTypes::Compared)
        && input.element_type as u8 != output.element_type as u8
    {
        let input = input.element_type;
        let output = output.element_type;
        return Some(NotBitcast::ElementType { input, output });
    }
    if a.elements != b.elements {
        return Some(NotBitcast::Elements {
            input: a.elements,
            output: b.elements,
        });
    }
    if a.element_bits != b.element_bits {
        return Some(NotBitcast::ElementBits {
            input: a.element_bits,
            output: b.element_bits,
        });
    }
    if input.memory_space != output.memory_space {
        let input = input.memory_space;
        let output = output.memory_space;
        return Some(NotBitcast::MemorySpace { input, output });
    }
    if a.buffer_len != b.buffer_len {
        return Some(NotBitcast::Places {
            input: a.buffer_len,
            output: b.buffer_len,
        });
    }
    if !same_splits(input, output) {
        return Some(NotBitcast::Splits);
    }
    if input.metadata_prefix != output.metadata_prefix {
        return Some(NotBitcast::DynamicDimensions);
    }
    None
}

/// Whether the parts of a split array are the same: the same physical sizes, cut alike.
#[inline]
const fn same_splits(a: &MemoryMap<'_>, b: &MemoryMap<'_>) -> bool {
    if a.splits.is_empty() && b.splits.is_empty() {
        return true;
    }
    if a.splits.len() != b.splits.len()
        || a.split_indices.len() != b.split_indices.len()
        || a.minor_to_major.len() != b.minor_to_major.len()
    {
        return false;
    }
    let mut same = true;
    each!(k, 0..a.splits.len(), {
        same &= a.splits[k].0 == b.splits[k].0 && a.splits[k].1 == b.splits[k].1;
    });
    each!(k, 0..a.split_indices.len(), {
        same &= a.split_indices[k] == b.split_indices[k];
    });
    each!(k, 0..a.minor_to_major.len(), {
        same &= a.table.sizes[a.minor_to_major[k] as usize]
            == b.table.sizes[b.minor_to_major[k] as usize];
    });
    same
}

/// Whether a reshape means the same whatever the run-time sizes of bounded dimensions: storage is
/// laid out for the bound, but the row-major index counts the run-time sizes. So a bounded
/// dimension must be the most major one of the dimensions that a factor of the index space is made
/// of, on both sides. Where a header lists the sizes, no dimension may change.
#[inline]
const fn dynamic_dims_fit(input: &MemoryMap<'_>, output: &MemoryMap<'_>) -> bool {
    let a = input.dims;
    let b = output.dims;
    if input.metadata_prefix > 0 {
        let mut same = a.len() == b.len();
        each!(d, 0..a.len(), {
            same = same && same_dim(a[d], b[d]);
        });
        return same;
    }
    if !has_dynamic(a) && !has_dynamic(b) || input.table.numbers.elements == 0 {
        return true;
    }
    let mut i = a.len();
    let mut j = b.len();
    loop {
        i = skip_units(a, i);
        j = skip_units(b, j);
        if i == 0 || j == 0 {
            return i == j;
        }
        // The next factor, from the minor end: only its last dimension may be dynamic.
        let mut x = input.table.sizes[i - 1];
        let mut y = output.table.sizes[j - 1];
        while x != y {
            if x < y {
                if i < 2 || a[i - 1].is_dynamic() {
                    return false;
                }
                i -= 1;
                x *= input.table.sizes[i - 1];
            } else {
                if j < 2 || b[j - 1].is_dynamic() {
                    return false;
                }
                j -= 1;
                y *= output.table.sizes[j - 1];
            }
        }
        if a[i - 1].is_dynamic() != b[j - 1].is_dynamic() {
            return false;
        }
        i -= 1;
        j -= 1;
    }
}

/// How many dimensions are left without the static ones of size 1 at the end.
#[inline]
const fn skip_units(dims: &[Dim], mut len: usize) -> usize {
    while len > 0 && matches!(dims[len - 1], Dim::Static(1)) {
        len -= 1;
    }
    len
}

#[inline]
const fn has_dynamic(dims: &[Dim]) -> bool {
    let mut dynamic = false;
    each!(dim, dims, {
        dynamic |= dim.is_dynamic();
    });
    dynamic
}

#[inline]
const fn same_dim(a: Dim, b: Dim) -> bool {
    match (a, b) {
        (Dim::Static(a), Dim::Static(b)) | (Dim::Bounded(a), Dim::Bounded(b)) => a == b,
        (Dim::Unbounded, Dim::Unbounded) => true,
        _ => false,
    }
}

#[inline]
const fn contains(list: &[i64], n: i64) -> bool {
    each!(listed, list, {
        if *listed == n {
            return true;
        }
    });
    false
}

#[inline]
const fn is_identity(permutation: &[i64]) -> bool {
    let mut identity = true;
    each!(k, 0..permutation.len(), {
        identity &= permutation[k] == k as i64;
    });
    identity
}

/// Whether every number below `rank` is in the list once.
#[inline]
#[doc(hidden)]
pub const fn is_permutation(list: &[i64], rank: usize) -> bool {
    let mut all = list.len() == rank;
    each!(n, 0..rank, {
        all = all && contains(list, n as i64);
    });
    all
}
