//! Reshapes and transposes that move no element.

use xlayout::bitcast::ElementTypes;
use xlayout::bitcast::{
    deduce_transpose_dimensions_for_bitcast, reshape_obstacle, transpose_obstacle,
};
use xlayout::xla::shape_util;
use xlayout::{Array, ArrayShape, DynLayout, ElementType};
use xlayout_model::Model;

use crate::cells::Cells;
use crate::check::{Value, check_array};
use crate::coverage::seen_type;
use crate::random::Case;
use crate::trail;

/// Two arrays, and whether each element of one has the place of an element of the other.
struct Pair<'a> {
    a: (&'a DynLayout, &'a Cells),
    b: (&'a DynLayout, &'a Cells),
}

impl Pair<'_> {
    /// Whether the cells are equal if `b` has the elements of `a` in this sequence.
    fn expected(&self, of_a: &Cells) -> bool {
        let [a, b] = [self.a.0, self.b.0]
            .map(|layout| layout.array_shape().layout.as_ref().expect("it has one"));
        of_a.places == self.b.1.places
            && of_a.memory == self.b.1.memory
            && a.memory_space == b.memory_space
    }

    /// Whether a layout has properties that the model does not have: dynamic sizes, memory spaces,
    /// headers.
    fn has_more(&self) -> bool {
        let more = |layout: &DynLayout| {
            let shape = layout.array_shape();
            let of = shape.layout.as_ref().expect("it has one");
            !of.split_configs.is_empty()
                || of.dynamic_shape_metadata_prefix_bytes > 0
                || shape
                    .dims
                    .iter()
                    .any(|dim| !matches!(dim, xlayout::shape::Dim::Static(_)))
        };
        more(self.a.0) || more(self.b.0)
    }

    fn compare(&self, found: bool, expected: bool, what: &str) {
        assert!(expected || !found, "{what} is no bitcast");
        assert!(found || !expected || self.has_more(), "{what} is a bitcast");
    }

    fn reshape(&self) {
        let from = self.a.0.array_shape();
        let to = self.b.0.array_shape();
        let expected = self.a.1.places.len() == self.b.1.places.len() && self.expected(self.a.1);
        let obstacle = reshape_obstacle(from, to, ElementTypes::Compared).expect("both are valid");
        self.compare(obstacle.is_none(), expected, "the reshape");
        let xla = shape_util::reshape_is_bitcast(from, to, ElementTypes::Compared);
        assert_eq!(xla, Ok(obstacle.is_none()));
        let array = array(self.a.0, self.a.1);
        match array.try_reshape(self.b.0) {
            Ok(array) => {
                assert!(obstacle.is_none());
                seen_type::<DynLayout>("reshape");
                seen_type::<&DynLayout>("reshape");
                check_array(
                    &array,
                    &Cells {
                        places: self.a.1.places.clone(),
                        ..self.b.1.clone()
                    },
                );
            }
            Err(_) => assert!(obstacle.is_some()),
        }
    }

    fn transpose(&self, permutation: &[usize]) {
        let from = self.a.0.array_shape();
        let to = self.b.0.array_shape();
        let fits =
            permutation
                .iter()
                .map(|&d| self.a.1.sizes[d])
                .eq(self.b.1.sizes.iter().copied());
        let expected = fits && self.expected(&self.a.1.permuted(permutation));
        let permutation_of: Vec<i64> = permutation.iter().map(|&d| d as i64).collect();
        let types = ElementTypes::Compared;
        let obstacle =
            transpose_obstacle(from, to, &permutation_of, types).expect("both are valid");
        self.compare(obstacle.is_none(), expected, "the transpose");
        let deduced = deduce_transpose_dimensions_for_bitcast(from, to).expect("both are valid");
        if let Some(found) = deduced {
            let found: Vec<usize> = found.iter().map(|&d| d as usize).collect();
            assert!(
                self.expected(&self.a.1.permuted(&found)),
                "{found:?} is no bitcast"
            );
        } else {
            assert!(obstacle.is_some(), "{permutation:?} is not deduced");
        }
        match array(self.a.0, self.a.1).try_transpose(permutation, self.b.0) {
            Ok(array) => {
                assert!(obstacle.is_none());
                seen_type::<DynLayout>("transpose");
                seen_type::<&DynLayout>("transpose");
                check_array(&array, &self.a.1.permuted(permutation));
            }
            Err(_) => assert!(obstacle.is_some()),
        }
    }
}

fn array<'a>(layout: &'a DynLayout, cells: &Cells) -> Array<i32, &'a DynLayout> {
    Array::new(layout, (0..cells.memory).map(i32::at).collect())
        .expect("the model knows the length")
}

fn cells(layout: &DynLayout) -> Cells {
    Cells::of(
        &Model::new(layout.array_shape()),
        !layout.terms().is_empty(),
    )
}

/// Sizes with the same product: neighbours merged, sizes divided, dimensions of size 1 put between.
fn other_sizes(sizes: &[usize], case: &mut Case) -> Vec<usize> {
    let mut sizes = sizes.to_vec();
    for _ in 0..1 + case.below(3) {
        let k = case.below(sizes.len());
        match case.below(3) {
            0 if k + 1 < sizes.len() => {
                let next = sizes.remove(k + 1);
                sizes[k] *= next;
            }
            1 if !sizes.is_empty() => {
                let divisors: Vec<usize> = (1..=sizes[k])
                    .filter(|n| sizes[k].is_multiple_of(*n))
                    .collect();
                if !divisors.is_empty() {
                    let divisor = case.pick(&divisors);
                    sizes[k] /= divisor;
                    sizes.insert(k + 1, divisor);
                }
            }
            _ => sizes.insert(k, 1),
        }
    }
    sizes
}

/// The shape with its dimensions in another sequence and the same memory.
fn permuted(shape: &ArrayShape, permutation: &[usize]) -> ArrayShape {
    let mut of = shape.clone();
    let layout = of.layout.as_mut().expect("it has one");
    let from = shape.layout.as_ref().expect("it has one");
    for (k, &d) in permutation.iter().enumerate() {
        of.dims[k] = shape.dims[d];
        if let Some(width) = from.padded_dimensions.get(d) {
            layout.padded_dimensions[k] = *width;
        }
    }
    let position = |d: i64| {
        permutation
            .iter()
            .position(|&of| of as i64 == d)
            .expect("it is a permutation")
    };
    let order: Vec<i64> = from
        .minor_to_major
        .iter()
        .map(|&d| position(d) as i64)
        .collect();
    layout.minor_to_major = xlayout::shape::MinorToMajor::new(&order).expect("the rank is small");
    of
}

/// A reshape and a transpose of a random array, to a layout that keeps its memory and to a random
/// one.
pub(crate) fn casts(case: &mut Case) {
    let rank = case.below(6);
    let sizes = case.sizes(rank);
    let (a, model) = case.layout_of(ElementType::S32, &sizes, None);
    let of_a = Cells::of(&model, !a.terms().is_empty());

    let permutation = case.permutation(rank);
    trail(|| format!("permutation {permutation:?}"));
    let kept =
        DynLayout::new(permuted(a.array_shape(), &permutation)).expect("it has the same memory");
    Pair {
        a: (&a, &of_a),
        b: (&kept, &cells(&kept)),
    }
    .transpose(&permutation);
    let permuted_sizes: Vec<usize> = permutation.iter().map(|&d| sizes[d]).collect();
    let (b, model) = case.layout_of(ElementType::S32, &permuted_sizes, None);
    Pair {
        a: (&a, &of_a),
        b: (&b, &Cells::of(&model, !b.terms().is_empty())),
    }
    .transpose(&permutation);

    let reshaped = other_sizes(&sizes, case);
    if reshaped.len() > 9 {
        return;
    }
    let (b, model) = match case.chance(50) {
        true => case.layout_of(ElementType::S32, &reshaped, None),
        false => {
            let dims: Vec<i64> = reshaped.iter().map(|&n| n as i64).collect();
            let shape = ArrayShape::new(ElementType::S32, &dims).expect("it is small");
            trail(|| shape.to_string());
            (
                DynLayout::new(shape.clone()).expect("it is small"),
                Model::new(&shape),
            )
        }
    };
    let of_b = Cells::of(&model, !b.terms().is_empty());
    Pair {
        a: (&a, &of_a),
        b: (&b, &of_b),
    }
    .reshape();
    Pair {
        a: (&b, &of_b),
        b: (&a, &of_a),
    }
    .reshape();
    // Row-major arrays of the same elements are reshaped.
    let dense = |sizes: &[usize]| {
        let dims: Vec<i64> = sizes.iter().map(|&n| n as i64).collect();
        DynLayout::new(ArrayShape::new(ElementType::S32, &dims).expect("it is small"))
            .expect("it is small")
    };
    let a = dense(&sizes);
    let b = dense(&reshaped);
    let of_a = cells(&a);
    let of_b = cells(&b);
    assert_eq!(of_a.reshaped(reshaped).places, of_b.places);
    Pair {
        a: (&a, &of_a),
        b: (&b, &of_b),
    }
    .reshape();
}
