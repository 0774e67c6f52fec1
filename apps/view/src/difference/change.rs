//! The operations that convert one array to the other.

use std::fmt::Display;

use xlayout::bitcast;
use xlayout::bitcast::{ElementTypes, NotBitcast};
use xlayout::shape::{Dim, SplitConfigs};
use xlayout::xla::Compare;
use xlayout::xla::shape_util;
use xlayout::{ArrayLayout, ArrayShape, DynLayout, Layout};
use xlayout_relayout::Plan;

use crate::words::{counted, grouped, joined};

/// What kind of change it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The same layout.
    Equal,
    /// Another shape or layout of the same bytes.
    Bitcast,
    /// The same dimensions, and elements move.
    Copy,
    /// The dimensions in another sequence, and elements move.
    Transpose,
    /// Other dimensions, and elements move.
    Reshape,
    /// Elements of another type.
    Convert,
    /// Arrays of different numbers of elements.
    Different,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Bitcast => "bitcast",
            Self::Copy => "copy",
            Self::Transpose => "transpose",
            Self::Reshape => "reshape",
            Self::Convert => "convert",
            Self::Different => "different",
        }
    }
}

/// How elements of B are matched with elements of A.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Matching {
    /// The element of the same index.
    Index,
    /// Dimension `i` of B is dimension `permutation[i]` of A.
    Permuted(Vec<i64>),
    /// The element of the same row-major index.
    RowMajor,
    /// None.
    Nothing,
}

/// The operations that convert A to B.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) kind: Kind,
    pub(crate) words: String,
    pub(crate) matching: Matching,
    /// Copies, one after the other.
    pub(crate) plans: Vec<Plan>,
    /// Why there is no plan, if elements move.
    pub(crate) no_plan: Option<String>,
    /// Why the change is not a bitcast.
    pub(crate) obstacle: Option<NotBitcast>,
}

impl Change {
    fn new(kind: Kind, matching: Matching, words: impl Into<String>) -> Self {
        Self {
            kind,
            words: words.into(),
            matching,
            plans: Vec::new(),
            no_plan: None,
            obstacle: None,
        }
    }

    fn planned(mut self, plans: Result<Vec<Plan>, String>) -> Self {
        match plans {
            Ok(plans) => self.plans = plans,
            Err(why) => self.no_plan = Some(why),
        }
        self
    }

    pub(crate) fn of(a: &DynLayout, b: &DynLayout) -> Self {
        let mut change = Self::without_obstacle(a, b);
        if !matches!(change.kind, Kind::Equal | Kind::Bitcast) {
            let from = a.array_shape();
            let to = b.array_shape();
            let obstacle = match &change.matching {
                Matching::Permuted(permutation) => {
                    bitcast::transpose_obstacle(from, to, permutation, ElementTypes::Compared)
                }
                _ => bitcast::reshape_obstacle(from, to, ElementTypes::Compared),
            };
            change.obstacle = obstacle.ok().flatten();
        }
        change
    }

    fn without_obstacle(a: &DynLayout, b: &DynLayout) -> Self {
        let from = a.array_shape();
        let to = b.array_shape();
        if a.element_type() != b.element_type() {
            let (kind, matching) = if a.dims() == b.dims() {
                (Kind::Convert, Matching::Index)
            } else {
                (Kind::Different, Matching::Nothing)
            };
            let of_a = a.element_type();
            let of_b = b.element_type();
            let words = format!(
                "the elements are {of_a} and {of_b}: a relayout copies elements as they are, so \
                 they have to be converted"
            );
            return Self::new(kind, matching, words);
        }
        if a.elements() != b.elements() {
            let of_a = counted(a.elements(), "element");
            let of_b = grouped(b.elements());
            let words = format!(
                "{of_a} and {of_b}: neither a reshape nor a transpose makes one of the other"
            );
            return Self::new(Kind::Different, Matching::Nothing, words);
        }
        if a.dims() == b.dims() {
            return Self::of_same_dimensions(a, b);
        }
        let bitcast = shape_util::reshape_is_bitcast(from, to, ElementTypes::Compared);
        if bitcast.unwrap_or(false) {
            let words = "a reshape that moves nothing: every element, by its row-major index, \
                         keeps its place in memory";
            return Self::new(Kind::Bitcast, Matching::RowMajor, words);
        }
        if let Ok(Some(permutation)) = bitcast::deduce_transpose_dimensions_for_bitcast(from, to) {
            let permutation = permutation.to_vec();
            let list = joined(&permutation, ", ");
            let words = format!(
                "a transpose that moves nothing: permutation [{list}], every element keeps its \
                 place in memory"
            );
            return Self::new(Kind::Bitcast, Matching::Permuted(permutation), words);
        }
        Self::of_other_dimensions(a, b)
    }

    /// A transpose or a reshape for which elements move.
    fn of_other_dimensions(a: &DynLayout, b: &DynLayout) -> Self {
        if let Some((permutation, is_only)) = permutation_of(a.dims(), b.dims()) {
            let list = joined(&permutation, ", ");
            let mut words =
                format!("a transpose by permutation [{list}], and elements move in memory");
            if !is_only {
                words += "; dimensions of one size may be matched in other ways, too";
            }
            let plans = transposed(a, b, &permutation);
            return Self::new(Kind::Transpose, Matching::Permuted(permutation), words)
                .planned(plans);
        }
        let plans = reshaped(a, b);
        let words = match plans.as_ref().map_or(1, Vec::len) {
            0 => {
                "a reshape for which no element moves, and yet no bitcast: sizes that only the run \
                 time knows would mean something else"
            }
            1 => "a reshape for which elements move in memory",
            _ => "a reshape for which elements move in memory twice, by way of the row-major array",
        };
        Self::new(Kind::Reshape, Matching::RowMajor, words).planned(plans)
    }

    fn of_same_dimensions(a: &DynLayout, b: &DynLayout) -> Self {
        let from = a.array_shape();
        let to = b.array_shape();
        if Compare::new().equal(from, to) && from == to {
            let words = "the same layout: every element is where it was";
            return Self::new(Kind::Equal, Matching::Index, words);
        }
        let bitcast = |from: &ArrayShape, to| {
            shape_util::reshape_is_bitcast(from, to, ElementTypes::Compared).unwrap_or(false)
        };
        if bitcast(from, to) {
            if a.elements() == 0 {
                let words = "there are no elements: nothing moves";
                return Self::new(Kind::Bitcast, Matching::Index, words);
            }
            let words = "two notations of one layout: every element has the same place in memory, \
                         so that nothing moves";
            return Self::new(Kind::Bitcast, Matching::Index, words);
        }
        let plans = Plan::new(a, b).map(|plan| vec![plan]).map_err(text_of);
        let words = if bitcast(&bare(from), &bare(to)) {
            let beside = beside_the_elements(from, to);
            format!("every element has the same place in memory, but {beside}")
        } else if a.element_bits() != b.element_bits() {
            let bits = counted(b.element_bits(), "bit");
            let before = a.element_bits();
            format!("every element keeps its index, and takes {bits} instead of {before}")
        } else {
            let how = transposed_in_memory(a, b);
            format!("every element keeps its index and moves in memory{how}")
        };
        Self::new(Kind::Copy, Matching::Index, words).planned(plans)
    }

    /// The index in A of the element that has this one in B.
    pub(crate) fn index_in_a(
        &self,
        a: &DynLayout,
        b: &DynLayout,
        index: &[usize],
    ) -> Option<Vec<usize>> {
        match &self.matching {
            Matching::Index => Some(index.to_vec()),
            Matching::Permuted(permutation) => {
                let mut there = vec![0; index.len()];
                for (&to, &i) in permutation.iter().zip(index) {
                    *there.get_mut(usize::try_from(to).ok()?)? = i;
                }
                Some(there)
            }
            Matching::RowMajor => {
                let digits = b.dims().iter().zip(index);
                let mut rest = digits.fold(0_usize, |n, (size, i)| n.wrapping_mul(*size) + i);
                let mut there = vec![0; a.rank()];
                for (i, &size) in there.iter_mut().zip(a.dims()).rev() {
                    *i = rest.checked_rem(size)?;
                    rest /= size;
                }
                Some(there)
            }
            Matching::Nothing => None,
        }
    }
}

/// The shape, reduced to the parts that determine where elements are stored.
fn bare(shape: &ArrayShape) -> ArrayShape {
    let mut bare = shape.clone();
    for dim in bare.dims.iter_mut() {
        *dim = dim.bound().map_or(*dim, Dim::Static);
    }
    if let Some(layout) = &mut bare.layout {
        layout.memory_space = 0;
        layout.split_configs = SplitConfigs::new();
        layout.dynamic_shape_metadata_prefix_bytes = 0;
    }
    bare
}

/// The differences between two shapes whose elements are stored alike.
fn beside_the_elements(from: &ArrayShape, to: &ArrayShape) -> String {
    let mut words = Vec::new();
    if from.dims != to.dims {
        words.push("other sizes are known at run time only");
    }
    if let (Some(from), Some(to)) = (&from.layout, &to.layout) {
        if from.memory_space != to.memory_space {
            words.push("the array moves to another memory");
        }
        if from.split_configs != to.split_configs {
            words.push("it is cut into other parts for several memories");
        }
        if from.dynamic_shape_metadata_prefix_bytes != to.dynamic_shape_metadata_prefix_bytes {
            words.push("the header with the sizes is another one");
        }
    }
    crate::words::listed(&words)
}

/// The first permutation with `to[i] = from[permutation[i]]`, and whether it is the only one.
fn permutation_of(from: &[usize], to: &[usize]) -> Option<(Vec<i64>, bool)> {
    if from.len() != to.len() {
        return None;
    }
    let mut taken = vec![false; from.len()];
    let mut is_only = true;
    let mut permutation = Vec::new();
    for size in to {
        let mut free = (0..from.len()).filter(|&d| !taken[d] && from[d] == *size);
        let d = free.next()?;
        // Dimensions of size 1 can be matched in any way, with the same result.
        is_only &= *size == 1 || free.next().is_none();
        taken[d] = true;
        permutation.push(i64::try_from(d).ok()?);
    }
    Some((permutation, is_only))
}

fn text_of(error: impl Display) -> String {
    error.to_string()
}

fn transposed(a: &DynLayout, b: &DynLayout, permutation: &[i64]) -> Result<Vec<Plan>, String> {
    let there = shape_util::permute_dimensions(a.array_shape(), permutation).map_err(text_of)?;
    let there = DynLayout::new(there).map_err(text_of)?;
    Ok(vec![Plan::new(&there, b).map_err(text_of)?])
}

/// The plans from A to the row-major array, which has the same elements for both lists of
/// dimensions, and from there to B.
fn reshaped(a: &DynLayout, b: &DynLayout) -> Result<Vec<Plan>, String> {
    let dense = |array: &DynLayout| -> Result<DynLayout, String> {
        let mut shape = array.array_shape().clone();
        let mut layout = Layout::row_major(array.rank()).map_err(text_of)?;
        let bits = b.array_shape().layout.as_ref();
        layout.element_size_in_bits = bits.map_or(0, |layout| layout.element_size_in_bits);
        shape.layout = Some(layout);
        DynLayout::new(shape).map_err(text_of)
    };
    let mut plans = Vec::new();
    for (from, to) in [(a, &dense(a)?), (&dense(b)?, b)] {
        let from_shape = from.array_shape();
        let to_shape = to.array_shape();
        let stays = shape_util::reshape_is_bitcast(from_shape, to_shape, ElementTypes::Compared);
        if !stays.unwrap_or(false) {
            plans.push(Plan::new(from, to).map_err(text_of)?);
        }
    }
    Ok(plans)
}

/// Describes a change of minor_to_major as a transpose in memory:
/// `: there it is a transpose of 4 × 6 by permutation [1, 0]`.
fn transposed_in_memory(a: &DynLayout, b: &DynLayout) -> String {
    let major_to_minor = |array: &DynLayout| -> Option<Vec<i64>> {
        let layout = array.array_shape().layout.as_ref()?;
        (array.is_strided() && array.is_contiguous())
            .then(|| layout.minor_to_major.iter().rev().copied().collect())
    };
    let (Some(from), Some(to)) = (major_to_minor(a), major_to_minor(b)) else {
        return String::new();
    };
    // For each dimension in B's order, its position in A's order.
    let permutation = to
        .iter()
        .filter_map(|d| from.iter().position(|dim| dim == d));
    let permutation: Vec<usize> = permutation.collect();
    if permutation.is_sorted() {
        return String::new();
    }
    let sizes = from
        .iter()
        .filter_map(|&d| a.dims().get(usize::try_from(d).ok()?));
    let sizes = joined(sizes, " × ");
    let permutation = joined(&permutation, ", ");
    format!(": there it is a transpose of {sizes} by permutation [{permutation}]")
}
