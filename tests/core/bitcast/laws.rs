//! Laws of the functions about reshapes and transposes, for random dense shapes; every element is
//! followed.

use proptest::collection::vec;
use proptest::prelude::*;
use xlayout::bitcast;
use xlayout::bitcast::ElementTypes;
use xlayout::shape::MinorToMajor;
use xlayout::xla::index_util;
use xlayout::xla::shape_util;
use xlayout::{ArrayShape, ElementType, Layout};

/// A row-major shape.
fn shape(dims: &[i64]) -> ArrayShape {
    ArrayShape::new(ElementType::F32, dims).expect("there is a heap")
}

fn with_order(dims: &[i64], minor_to_major: &[i64]) -> ArrayShape {
    let mut shape = shape(dims);
    let order = MinorToMajor::new(minor_to_major).expect("there is a heap");
    shape.layout = Some(Layout::new(order));
    shape
}

/// Sizes, few of them 1, and permutations of as many numbers.
fn permuted() -> impl Strategy<Value = (Vec<i64>, Vec<i64>, Vec<i64>)> {
    vec(prop_oneof![1 => Just(1), 3 => 1i64..5], 0..6).prop_flat_map(|dims| {
        let numbers: Vec<i64> = (0..dims.len() as i64).collect();
        let numbers = || Just(numbers.clone()).prop_shuffle();
        (Just(dims), numbers(), numbers())
    })
}

/// One shape, and another of as many elements: the same prime factors, put together anew.
fn reshaped() -> impl Strategy<Value = (Vec<i64>, Vec<i64>)> {
    let cuts = || vec(0u8..3, 7);
    (
        vec(prop::sample::select(vec![2i64, 2, 3, 5]), 0..6),
        cuts(),
        cuts(),
    )
        .prop_map(|(factors, first, second)| {
            let dims = |cuts: Vec<u8>| {
                let mut dims = Vec::new();
                for (k, &cut) in cuts.iter().enumerate() {
                    let factor = factors.get(k).copied().unwrap_or(1);
                    match (cut, dims.last_mut()) {
                        (0, Some(last)) => *last *= factor,
                        // A dimension of its own, sometimes with one of size 1 before it.
                        (2, _) => dims.extend([1, factor]),
                        _ => dims.push(factor),
                    }
                }
                dims
            };
            (dims(first), dims(second))
        })
}

/// The index of the element with this row-major number.
fn index(mut number: i64, dims: &[i64]) -> Vec<i64> {
    let mut index = vec![0; dims.len()];
    for (i, n) in index.iter_mut().zip(dims).rev() {
        *i = number % n;
        number /= n;
    }
    index
}

fn number(index: &[i64], dims: &[i64]) -> i64 {
    index
        .iter()
        .zip(dims)
        .fold(0, |number, (i, n)| number * n + i)
}

/// For each element of the output of a transpose, row-major, its number in the input.
fn transposed(output: &[i64], permutation: &[i64]) -> Vec<i64> {
    let mut input = vec![0; output.len()];
    for (&d, &n) in permutation.iter().zip(output) {
        input[d as usize] = n;
    }
    let elements = output.iter().product();
    let moved = (0..elements).map(|k| {
        let mut at = vec![0; output.len()];
        for (&d, i) in permutation.iter().zip(index(k, output)) {
            at[d as usize] = i;
        }
        number(&at, &input)
    });
    moved.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// A normalized transpose moves the elements as the transpose does, and no two of its
    /// dimensions could be one.
    #[test]
    fn normalized_transposes_move_alike((dims, permutation, _) in permuted()) {
        let output: Vec<i64> = permutation.iter().map(|&d| dims[d as usize]).collect();
        let found = shape_util::get_normalized_logical_transpose_shape(&shape(&dims), &shape(&output), &permutation);
        let found = found.expect("it is a transpose of row-major shapes");
        prop_assert_eq!(transposed(&found.dims, &found.permutation), transposed(&output, &permutation));
        prop_assert!(found.permutation.windows(2).all(|two| two[1] != two[0] + 1));
        prop_assert!(found.dims.len() == 1 || found.dims.iter().all(|&n| n != 1));
        // Another output is no such transpose.
        let mut other = output.clone();
        if let Some(size) = other.first_mut() {
            *size += 1;
            let other = shape_util::get_normalized_logical_transpose_shape(&shape(&dims), &shape(&other), &permutation);
            prop_assert_eq!(other, None);
        }
    }

    /// A change of layout that is one transpose of three dimensions moves memory as that does.
    #[test]
    fn normalized_changes_of_layout_move_alike((dims, from, to) in permuted()) {
        let input = with_order(&dims, &from);
        let output = with_order(&dims, &to);
        let elements: i64 = dims.iter().product();
        let place = |shape: &ArrayShape, at: &[i64]| {
            index_util::multidimensional_index_to_linear_index(shape, at).expect("it is inside")
        };
        let mut moved = vec![0; elements as usize];
        for k in 0..elements {
            let at = index(k, &dims);
            moved[place(&output, &at) as usize] = place(&input, &at);
        }
        for permutation in [[0, 2, 1], [2, 1, 0], [1, 0, 2], [1, 2, 0], [2, 0, 1]] {
            if let Some(found) = shape_util::get_normalized_transpose_shape(&input, &output, permutation) {
                prop_assert_eq!(transposed(&found, &permutation), &moved[..], "{:?}", permutation);
            }
        }
    }

    /// Along a dimension that a reshape leaves as it is, every element keeps its coordinate; the
    /// pairs ascend on both sides, and the reshape back leaves the same ones.
    #[test]
    fn unmodified_dimensions_keep_their_coordinates((a, b) in reshaped()) {
        let pairs = shape_util::dimensions_unmodified_by_reshape(&shape(&a), &shape(&b));
        let pairs = pairs.expect("they have as many elements");
        for k in 0..a.iter().product() {
            let of_a = index(k, &a);
            let of_b = index(k, &b);
            prop_assert!(pairs.iter().all(|&(i, j)| of_a[i as usize] == of_b[j as usize]));
        }
        prop_assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
        let [left, right]: [Vec<i64>; 2] =
            [pairs.iter().map(|pair| pair.0).collect(), pairs.iter().map(|pair| pair.1).collect()];
        let kept = shape_util::reshape_leaves_dimensions_unmodified(&shape(&a), &shape(&b), &left);
        prop_assert_eq!(kept.as_deref(), Some(&right[..]));
        let all = |dims: &[i64]| (0..dims.len() as i64).collect::<Vec<_>>();
        let identity = shape_util::reshape_leaves_dimensions_unmodified(&shape(&a), &shape(&a), &all(&a));
        prop_assert_eq!(identity.as_deref(), Some(&all(&a)[..]));
    }

    /// Without what is deleted and what is inserted, both shapes are one; and wherever that is so,
    /// it is found.
    #[test]
    fn deleted_and_inserted_dimensions((a, b) in reshaped()) {
        let ones = shape_util::inserted_or_deleted_1_sized_dimensions(&shape(&a), &shape(&b));
        let without = |dims: &[i64], gone: &[i64]| {
            let kept = (0..dims.len()).filter(|&d| !gone.contains(&(d as i64)));
            kept.map(|d| dims[d]).collect::<Vec<_>>()
        };
        if let Some(ones) = &ones {
            prop_assert_eq!(without(&a, &ones.deleted), without(&b, &ones.inserted));
            prop_assert!(ones.deleted.iter().all(|&d| a[d as usize] == 1));
            prop_assert!(ones.inserted.iter().all(|&d| b[d as usize] == 1));
        }
        let significant = |dims: &[i64]| dims.iter().copied().filter(|&n| n != 1).collect::<Vec<_>>();
        prop_assert_eq!(ones.is_some(), significant(&a) == significant(&b));
    }

    /// A dense array is a bitcast of what it is aligned to, and both ways around the answer about
    /// a reshape is the same.
    #[test]
    fn aligned_layouts_are_bitcasts((a, b) in reshaped(), (_, order, _) in permuted()) {
        let types = ElementTypes::Compared;
        let numbers = order.iter().copied().filter(|&d| d < a.len() as i64);
        let mut order: Vec<i64> = numbers.collect();
        order.extend((order.len() as i64)..a.len() as i64);
        let a = with_order(&a, &order);
        let b = shape(&b);
        prop_assume!(a.validate().is_ok());
        if let Some(aligned) = shape_util::align_layouts(&a, &b).expect("they are valid") {
            prop_assert_eq!(shape_util::reshape_is_bitcast(&a, &aligned, types), Ok(true));
            prop_assert_eq!(shape_util::reshape_is_bitcast(&aligned, &a, types), Ok(true));
        } else {
            prop_assert_eq!(shape_util::reshape_is_bitcast(&a, &b, types), Ok(false));
        }
        prop_assert_eq!(shape_util::reshape_is_bitcast(&a, &b, types), shape_util::reshape_is_bitcast(&b, &a, types));
    }

    /// A transpose that is a bitcast is deduced, and is undone by its inverse.
    #[test]
    fn transposes_are_deduced((dims, order, permutation) in permuted()) {
        let types = ElementTypes::Compared;
        let input = with_order(&dims, &order);
        let output = shape_util::permute_dimensions(&input, &permutation).expect("it is a permutation");
        prop_assert_eq!(shape_util::transpose_is_bitcast(&input, &output, &permutation, types), Ok(true));
        let mut inverse = permutation.clone();
        for (k, &d) in permutation.iter().enumerate() {
            inverse[d as usize] = k as i64;
        }
        prop_assert_eq!(shape_util::transpose_is_bitcast(&output, &input, &inverse, types), Ok(true));
        let deduced = bitcast::deduce_transpose_dimensions_for_bitcast(&input, &output).expect("it is valid");
        let deduced = deduced.expect("there is one");
        prop_assert_eq!(shape_util::transpose_is_bitcast(&input, &output, &deduced, types), Ok(true));
        let trt = shape_util::decompose_bitcast_to_trt(&input, &output).expect("it is valid").expect("it is one");
        // Each part of the decomposition begins where the one before it ends.
        let first = shape_util::permute_dimensions(&input, &trt.transpose1_dims).expect("it is a permutation");
        prop_assert_eq!(&first, &trt.transpose1_shape);
        prop_assert_eq!(shape_util::reshape_is_bitcast(&first, &trt.reshape_shape, types), Ok(true));
        let last = shape_util::permute_dimensions(&trt.reshape_shape, &trt.transpose2_dims);
        prop_assert_eq!(last.expect("it is a permutation").dims, output.dims);
    }
}
