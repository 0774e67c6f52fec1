//! What decides whether two layouts are a bitcast of each other: one rule for layouts that the
//! compiler knows and for those that it does not.
//!
//! A function named `…_obstacle` returns the first reason why there is no bitcast, and `None` if
//! there is one.

use super::equal::{by_index, memory_map_obstacle, same_place, second_index};
use super::{ElementTypes, NotBitcast};
use crate::array_layout::{ArrayLayout, sealed};
use crate::dims::Dim;
use crate::modes::MemoryMap;

/// Calls `use_` with the memory map of a layout.
pub(super) fn with_map<L: ArrayLayout, R>(layout: &L, use_: impl FnOnce(&MemoryMap<'_>) -> R) -> R {
    let mut shape = layout.array_shape();
    let Some(own_layout) = shape.layout.take() else {
        unreachable!("the shape of what is laid out has a layout");
    };
    let (split_indices, splits) = own_layout.split_configs.as_slices();
    layout.with_resolved(sealed::Token, |table| {
        use_(&MemoryMap {
            element_type: shape.element_type,
            dims: &shape.dims,
            minor_to_major: &own_layout.minor_to_major,
            table,
            memory_space: own_layout.memory_space,
            metadata_prefix: own_layout.dynamic_shape_metadata_prefix_bytes,
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
    // The header `M(n)` lists the sizes. A transpose would need them in another sequence.
    if input.metadata_prefix > 0 && !is_identity(permutation) {
        return Some(NotBitcast::DynamicDimensions);
    }
    memory_map_obstacle(input, permutation, output)
}

/// Fills in the permutation with which a transpose is a bitcast, if there is one.
///
/// No two elements lie in one place. So the second index of a dimension lies in a place that no
/// other dimension has, and a dimension of `output` fits at most one dimension of `input`.
/// Dimensions with one index have no second one; they are matched in ascending sequence.
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
    let (Ok(input_map), Ok(output_map)) = (by_index(input, &[]), by_index(output, &[])) else {
        return Some(NotBitcast::MemoryMap);
    };
    each!(d, 0..output.dims.len(), {
        let (matched_dims, _) = permutation.split_at(d);
        let output_place = second_index(&output_map, output.table.sizes, d);
        // The first dimension of `input` that is left and fits.
        let mut input_dim = 0;
        while input_dim < input.dims.len() {
            let is_left = !contains(matched_dims, input_dim as i64);
            if is_left && same_dim(input.dims[input_dim], output.dims[d]) {
                let input_place = second_index(&input_map, input.table.sizes, input_dim);
                if same_place(output_place, input_place) {
                    break;
                }
            }
            input_dim += 1;
        }
        if input_dim == input.dims.len() {
            return Some(NotBitcast::MemoryMap);
        }
        permutation[d] = input_dim as i64;
    });
    transpose_obstacle(input, output, permutation, element_types)
}

/// What keeps two layouts from sharing a buffer, whether they are reshaped or transposed.
#[inline]
const fn buffer_obstacle(
    input: &MemoryMap<'_>,
    output: &MemoryMap<'_>,
    element_types: ElementTypes,
) -> Option<NotBitcast> {
    let input_counts = &input.table.numbers;
    let output_counts = &output.table.numbers;
    if matches!(element_types, ElementTypes::Compared)
        && input.element_type as u8 != output.element_type as u8
    {
        let input = input.element_type;
        let output = output.element_type;
        return Some(NotBitcast::ElementType { input, output });
    }
    if input_counts.elements != output_counts.elements {
        return Some(NotBitcast::Elements {
            input: input_counts.elements,
            output: output_counts.elements,
        });
    }
    if input_counts.element_bits != output_counts.element_bits {
        return Some(NotBitcast::ElementBits {
            input: input_counts.element_bits,
            output: output_counts.element_bits,
        });
    }
    if input.memory_space != output.memory_space {
        let input = input.memory_space;
        let output = output.memory_space;
        return Some(NotBitcast::MemorySpace { input, output });
    }
    if input_counts.buffer_len != output_counts.buffer_len {
        return Some(NotBitcast::Places {
            input: input_counts.buffer_len,
            output: output_counts.buffer_len,
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
        let (a_dim, a_indices_end) = a.splits[k];
        let (b_dim, b_indices_end) = b.splits[k];
        same &= a_dim == b_dim && a_indices_end == b_indices_end;
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

/// Whether a reshape means the same for all run-time sizes of bounded dimensions.
///
/// Storage is laid out for the bound, but the row-major index counts the run-time sizes. Both sides
/// are divided into factors: the shortest runs of dimensions with equal products of sizes. In a
/// factor only the most major dimension may be bounded, and then it is so on both sides. Where a
/// header lists the sizes, no dimension may change.
#[inline]
const fn dynamic_dims_fit(input: &MemoryMap<'_>, output: &MemoryMap<'_>) -> bool {
    let from = input.dims;
    let to = output.dims;
    let from_sizes = input.table.sizes;
    let to_sizes = output.table.sizes;
    if input.metadata_prefix > 0 {
        let mut same = from.len() == to.len();
        each!(d, 0..from.len(), {
            same = same && same_dim(from[d], to[d]);
        });
        return same;
    }
    if !has_dynamic(from) && !has_dynamic(to) || input.table.numbers.elements == 0 {
        return true;
    }
    // How many dimensions of each side are left. They are taken from the minor end.
    let mut from_left = from.len();
    let mut to_left = to.len();
    loop {
        from_left = skip_units(from, from_left);
        to_left = skip_units(to, to_left);
        if from_left == 0 || to_left == 0 {
            return from_left == to_left;
        }
        // The next factor. The side with the smaller product takes one dimension more, which is
        // more major: so the dimensions that it has already must not be dynamic.
        let mut from_product = from_sizes[from_left - 1];
        let mut to_product = to_sizes[to_left - 1];
        while from_product != to_product {
            if from_product < to_product {
                if from_left < 2 || from[from_left - 1].is_dynamic() {
                    return false;
                }
                from_left -= 1;
                from_product *= from_sizes[from_left - 1];
            } else {
                if to_left < 2 || to[to_left - 1].is_dynamic() {
                    return false;
                }
                to_left -= 1;
                to_product *= to_sizes[to_left - 1];
            }
        }
        if from[from_left - 1].is_dynamic() != to[to_left - 1].is_dynamic() {
            return false;
        }
        from_left -= 1;
        to_left -= 1;
    }
}

/// How many of the first `len` dimensions are left without the static ones of size 1 at their end.
#[inline]
const fn skip_units(dims: &[Dim], mut len: usize) -> usize {
    while len > 0 && matches!(dims[len - 1], Dim::Static(1)) {
        len -= 1;
    }
    len
}

#[inline]
const fn has_dynamic(dims: &[Dim]) -> bool {
    let mut any_dynamic = false;
    each!(dim, dims, {
        any_dynamic |= dim.is_dynamic();
    });
    any_dynamic
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
    let mut is_identity = true;
    each!(k, 0..permutation.len(), {
        is_identity &= permutation[k] == k as i64;
    });
    is_identity
}

/// Whether every number below `rank` is in the list once.
#[inline]
#[doc(hidden)]
pub const fn is_permutation(list: &[i64], rank: usize) -> bool {
    let mut has_all = list.len() == rank;
    each!(n, 0..rank, {
        has_all = has_all && contains(list, n as i64);
    });
    has_all
}
