//! Laws of shapes, for random ones.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use proptest::prelude::*;
use xlayout::shape::{Dim, List, MinorToMajor, Shape, ShapeIndex, SplitConfigs};
use xlayout::xla::ShapeError;
use xlayout::xla::shape_util;
use xlayout::xla::shape_util::IterationSpace;
use xlayout::xla::{index_util, layout_util};
use xlayout::{ArrayLayout, ArrayShape, DynCoordinates, DynLayout, ElementType, Layout};

/// A static or dynamic size that is not negative.
fn dim() -> impl Strategy<Value = Dim> {
    prop_oneof![
        4 => (0i64..5).prop_map(Dim::Static),
        1 => Just(Dim::Static(1)),
        1 => (0i64..5).prop_map(Dim::Bounded),
    ]
}

/// Shapes whose layout fits, with all that a layout can say.
fn shapes(tiles: &'static [&'static str]) -> impl Strategy<Value = ArrayShape> {
    let order = (0usize..5).prop_flat_map(|rank| {
        let order = Just((0..rank as i64).collect::<Vec<_>>()).prop_shuffle();
        (prop::collection::vec(dim(), rank), order)
    });
    let splits = prop::collection::vec((0i64..5, 1i64..4), 0..3);
    let attributes = (prop::sample::select(tiles), splits, any::<bool>(), 0i64..4);
    (order, attributes).prop_map(|((dims, order), (tiles, splits, padded, more))| {
        let mut shape = ArrayShape::from_parts(
            ElementType::F32,
            List::try_from_iter(dims.iter().copied()).expect("there is a heap"),
            None,
        );
        let mut layout: Layout = tiles.parse().expect("it is a layout");
        layout.minor_to_major = MinorToMajor::new(&order).expect("there is a heap");
        for (dimension, at) in splits {
            if dimension < dims.len() as i64 {
                layout
                    .split_configs
                    .push(dimension, &[at])
                    .expect("there is a heap");
            }
        }
        if padded && layout.tiles.is_empty() {
            for dim in &dims {
                let width = dim.bound().unwrap_or(0) + more;
                layout
                    .padded_dimensions
                    .try_push(width)
                    .expect("there is a heap");
            }
        }
        shape.layout = Some(layout);
        shape
    })
}

const DENSE: &[&str] = &["{}", "{:S(1)}", "{:L(8)E(32)}", "{:M(16)}"];
const ALL: &[&str] = &[
    "{}",
    "{:S(1)}",
    "{:L(8)}",
    "{:T(2,3)}",
    "{:T(2,4)(2,1)}",
    "{:T(8)M(4)}",
];

/// A permutation of the dimensions of a shape.
fn permuted() -> impl Strategy<Value = (ArrayShape, Vec<i64>)> {
    shapes(ALL).prop_flat_map(|shape| {
        let identity: Vec<i64> = (0..shape.rank() as i64).collect();
        (Just(shape), Just(identity).prop_shuffle())
    })
}

/// The size of the `k`-th most minor dimension.
fn dimension_minor(shape: &ArrayShape, k: usize) -> Option<Dim> {
    let minor_to_major = &shape.layout.as_ref()?.minor_to_major;
    Some(shape.dims[*minor_to_major.get(k)? as usize])
}

/// The place in memory of each index, all tiles and padding counted.
fn places(shape: &ArrayShape) -> Vec<(Vec<usize>, usize)> {
    let mut shape = shape.clone();
    if let Some(layout) = &mut shape.layout {
        // They move no element, and a `DynLayout` refuses the random ones that do not fit.
        layout.split_configs = SplitConfigs::new();
    }
    let layout = DynLayout::new(shape).expect("it is addressable");
    let indices = layout.indices().map(|index| index.coordinates().to_vec());
    let place = |at: Vec<usize>| (layout.linear_index(&DynCoordinates::from(&at[..])), at);
    indices.map(place).map(|(place, at)| (at, place)).collect()
}

fn trees() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        Just(Shape::Token),
        Just(Shape::Opaque),
        shapes(ALL).prop_map(Shape::Array),
        shapes(ALL).prop_map(Shape::Buffer),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop::collection::vec(inner, 0..4).prop_map(Shape::Tuple)
    })
}

proptest! {
    // Each failing input becomes a separate test.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// A permutation leaves every element where it is, and its inverse takes it back.
    #[test]
    fn permuting_moves_nothing((shape, permutation) in permuted()) {
        let permuted = shape_util::permute_dimensions(&shape, &permutation).expect("it is a permutation");
        let mut inverse = permutation.clone();
        for (i, &d) in permutation.iter().enumerate() {
            inverse[d as usize] = i as i64;
        }
        prop_assert_eq!(&shape_util::permute_dimensions(&permuted, &inverse).expect("it is one, too"), &shape);
        let there: BTreeSet<_> = places(&permuted).into_iter().collect();
        let here = places(&shape).into_iter().map(|(at, place)| {
            (permutation.iter().map(|&d| at[d as usize]).collect(), place)
        });
        prop_assert_eq!(here.collect::<BTreeSet<(Vec<usize>, usize)>>(), there);
    }

    /// One permutation after another is their composition, whatever becomes of the layout.
    #[test]
    fn permutations_compose((shape, first) in permuted(), seed in any::<u64>()) {
        let rank = first.len();
        let mut second: Vec<i64> = (0..rank as i64).collect();
        for k in 1..rank {
            second.swap(k, (seed >> (8 * k)) as usize % (k + 1));
        }
        let composed: Vec<i64> = second.iter().map(|&d| first[d as usize]).collect();
        let by = [
            shape_util::permute_dimensions,
            shape_util::permute_dimensions_ignoring_layout,
        ];
        for permute in by {
            let [once, twice] = [permute(&shape, &first), permute(&shape, &composed)];
            let once = permute(&once.expect("it is a permutation"), &second);
            prop_assert_eq!(once.expect("it is one, too").dims, twice.expect("it is one").dims);
        }
        let once = shape_util::permute_dimensions(&shape, &first).expect("it is a permutation");
        prop_assert_eq!(shape_util::permute_dimensions(&once, &second), shape_util::permute_dimensions(&shape, &composed));
    }

    /// The descending twin describes the same bytes, and is its own twin.
    #[test]
    fn descending_twins((shape, _) in permuted()) {
        let twin = shape_util::with_descending_layout_and_same_physical_layout(&shape);
        let twin = twin.expect("it has a layout");
        prop_assert!(twin.layout.as_ref().is_some_and(layout_util::is_monotonic_with_dim0_major));
        let of = |shape: &ArrayShape| places(shape).into_iter().map(|(_, place)| place);
        let [here, there]: [BTreeSet<usize>; 2] = [&shape, &twin].map(|s| of(s).collect());
        prop_assert_eq!(here, there);
        let again = shape_util::with_descending_layout_and_same_physical_layout(&twin);
        prop_assert_eq!(again.expect("it has a layout"), twin);
    }

    /// What is put in can be taken out again: nothing else changes.
    #[test]
    fn inserting_and_deleting(shape in shapes(ALL), at in 0usize..6, size in dim()) {
        let rank = shape.rank();
        let at = at.min(rank);
        let longer = shape_util::insert_dimensions(&shape, at, &[size]).expect("it fits");
        prop_assert_eq!(longer.dims[at], size);
        prop_assert_eq!(&shape_util::delete_dimensions(&longer, &[at]).expect("it is there"), &shape);
        // Inserting several dimensions at once equals inserting them one by one, the last one
        // first.
        let two = shape_util::insert_dimensions(&shape, at, &[Dim::Static(2), size]).expect("they fit");
        prop_assert_eq!(&two, &shape_util::insert_dimensions(&longer, at, &[Dim::Static(2)]).expect("it fits"));
        // The new dimension is one step more major than the one that had its number.
        let order = |d: usize| {
            let mut order = longer.layout.as_ref().expect("it has one").minor_to_major.iter();
            order.position(|&entry| entry == d as i64).expect("it is listed")
        };
        prop_assert_eq!(order(at), if at < rank { order(at + 1) + 1 } else { 0 });
        let appended = shape_util::append_major_dimension(&shape, size).expect("it fits");
        prop_assert_eq!(dimension_minor(&appended, rank), Some(size));
        prop_assert_eq!(&shape_util::delete_dimensions(&appended, &[rank]).expect("it is there"), &shape);
        let appended = shape_util::append_minor_dimension(&shape, size).expect("it fits");
        prop_assert_eq!(dimension_minor(&appended, 0), Some(size));
        prop_assert_eq!(&shape_util::delete_dimensions(&appended, &[rank]).expect("it is there"), &shape);
        let prepended = shape_util::prepend_major_dimension(&shape, size).expect("it fits");
        prop_assert_eq!(dimension_minor(&prepended, rank), Some(size));
        prop_assert_eq!(&shape_util::delete_dimensions(&prepended, &[0]).expect("it is there"), &shape);
    }

    /// A split cuts the same dimension before and after others are taken out.
    #[test]
    fn splits_keep_their_dimensions(
        shape in shapes(DENSE),
        gone in prop::collection::vec(any::<bool>(), 5),
    ) {
        let parts = |shape: &ArrayShape| -> Vec<_> {
            (0..shape.rank()).map(|d| shape_util::max_split_size(shape, d)).collect()
        };
        let kept = shape_util::filter_dimensions(&shape, |d| !gone[d]).expect("it fits");
        let expected = parts(&shape).into_iter().zip(&gone).filter(|(_, gone)| !**gone);
        prop_assert_eq!(parts(&kept), expected.map(|(part, _)| part).collect::<Vec<_>>());
    }

    /// Without the dimensions of size 1, dense elements lie where they lay.
    #[test]
    fn degenerate_dimensions_take_no_place(shape in shapes(&["{}", "{:L(8)}"])) {
        let mut shape = shape;
        shape.layout.as_mut().expect("it has one").padded_dimensions = List::new();
        let dropped = shape_util::drop_degenerate_dimensions(&shape).expect("it has a layout");
        prop_assert!(dropped.dims.iter().all(|dim| dim.bound() != Some(1)));
        prop_assert_eq!(dropped.rank(), shape_util::true_num_dimensions(&dropped));
        prop_assert_eq!(shape_util::true_num_dimensions(&dropped), shape_util::true_num_dimensions(&shape));
        let of = |shape: &ArrayShape| places(shape).into_iter().map(|(_, place)| place);
        prop_assert_eq!(of(&dropped).collect::<Vec<_>>(), of(&shape).collect::<Vec<_>>());
    }

    /// Iteration visits the indices in the sequence of XLA's linear index, each once; in parts the
    /// same ones.
    #[test]
    fn iteration_follows_minor_to_major(shape in shapes(DENSE), parts in 1usize..5) {
        let mut next = 0;
        for index in shape_util::indices(&shape).expect("it has a layout") {
            prop_assert_eq!(index_util::multidimensional_index_to_linear_index(&shape, &index), Some(next));
            next += 1;
        }
        prop_assert_eq!(shape_util::elements_in(&shape), Some(next));
        let mut visited = BTreeSet::new();
        let parts = NonZeroUsize::new(parts).expect("it is not 0");
        let whole = IterationSpace::whole(&shape).expect("it has bounds");
        let divided = shape_util::indices_in_parts(&shape, &whole, parts).expect("it has a layout");
        for (number, part) in divided.enumerate() {
            prop_assert!(number < parts.get());
            for index in part {
                prop_assert!(visited.insert(index.to_vec()), "visited twice");
            }
        }
        prop_assert_eq!(visited.len() as i64, next);
    }

    /// Leaves, counts and paths agree.
    #[test]
    fn trees_and_paths(shape in trees()) {
        let leaves: Vec<_> = shape_util::leaf_shapes(&shape).collect();
        prop_assert_eq!(leaves.len(), shape.leaves().count());
        let flat: Vec<&Shape> = leaves.iter().map(|leaf| leaf.1).collect();
        prop_assert_eq!(flat, shape.leaves().collect::<Vec<_>>());
        for (index, leaf) in &leaves {
            prop_assert_eq!(shape_util::subshape(&shape, index), Ok(*leaf));
            prop_assert_eq!(shape_util::subshape(&shape, index).map(Shape::is_tuple), Ok(false));
        }
        let mut before: Vec<ShapeIndex> = shape_util::subshapes(&shape).map(|(path, _)| path).collect();
        let mut after: Vec<ShapeIndex> = shape_util::subshapes_post_order(&shape).map(|(path, _)| path).collect();
        // The shape itself, and each member of each tuple.
        let members = shape_util::subshapes(&shape).filter_map(|(_, found)| found.tuple_shapes());
        prop_assert_eq!(before.len(), 1 + members.map(<[Shape]>::len).sum::<usize>());
        // A path sorts before those that it leads to.
        prop_assert!(before.windows(2).all(|pair| pair[0][..] < pair[1][..]));
        before.sort_by(|a, b| a[..].cmp(&b[..]));
        after.sort_by(|a, b| a[..].cmp(&b[..]));
        prop_assert_eq!(before, after);
    }

    /// Each path leads to its shape, in both sequences; what may change leaves visits the same ones
    /// in the same sequence.
    #[test]
    fn changing_visits_are_the_same(shape in trees()) {
        for (path, found) in shape_util::subshapes(&shape).chain(shape_util::subshapes_post_order(&shape)) {
            prop_assert_eq!(shape_util::subshape(&shape, &path), Ok(found));
        }
        // A tuple comes after its members: after each path that is longer and begins with its own.
        let after: Vec<_> = shape_util::subshapes_post_order(&shape).map(|(path, _)| path).collect();
        for (at, path) in after.iter().enumerate() {
            prop_assert!(!after[at..].iter().any(|later| later.len() > path.len() && later.starts_with(path)));
        }
        let mut copy = shape.clone();
        let changed: Vec<_> = shape_util::leaf_shapes_mut(&mut copy).map(|(path, leaf)| (path, leaf.clone())).collect();
        let leaves = shape_util::leaf_shapes(&shape).map(|(path, leaf)| (path, leaf.clone()));
        prop_assert_eq!(&changed, &leaves.collect::<Vec<_>>());
        prop_assert_eq!(&copy, &shape);
        // The replacement of a leaf is not visited again.
        for (_, leaf) in shape_util::leaf_shapes_mut(&mut copy) {
            *leaf = Shape::Tuple(vec![]);
        }
        prop_assert_eq!(shape_util::leaf_shapes(&copy).count(), copy.leaves().count());
        prop_assert_eq!(shape_util::leaf_shapes(&copy).count(), 0);
    }

    /// A tuple cut in two and put together again is the same tuple.
    #[test]
    fn tuples_are_put_together(members in prop::collection::vec(trees(), 1..6), at in any::<prop::sample::Index>()) {
        let whole = Shape::Tuple(members.clone());
        let at = at.index(members.len());
        let mut built = Shape::Tuple(members[..at].to_vec());
        built.tuple_shapes_mut().expect("it is a tuple").extend_from_slice(&members[at..]);
        prop_assert_eq!(&built, &whole);
        *shape_util::subshape_mut(&mut built, &[at as i64]).expect("there is one") = Shape::Token;
        prop_assert_eq!(shape_util::subshape(&built, &[at as i64]), Ok(&Shape::Token));
        *shape_util::subshape_mut(&mut built, &[at as i64]).expect("there is one") = members[at].clone();
        prop_assert_eq!(&built, &whole);
        let leaves = members.iter().map(|member| member.leaves().count()).sum::<usize>();
        prop_assert_eq!(whole.leaves().count(), leaves);
        let parts = members.iter().flat_map(Shape::leaves);
        prop_assert_eq!(whole.leaves().collect::<Vec<_>>(), parts.collect::<Vec<_>>());
    }

    /// A host's shape stays as it is; a static one, too.
    #[test]
    fn host_and_static_shapes(shape in trees()) {
        let host = shape_util::device_shape_to_host_shape(&shape);
        prop_assert_eq!(&shape_util::device_shape_to_host_shape(&host), &host);
        let fixed = shape_util::to_static(&shape).expect("no dimension is without a bound");
        prop_assert!(!fixed.is_dynamic());
        prop_assert!(shape_util::dynamic_shape_is_compatible(&fixed, &shape));
        prop_assert!(shape_util::dynamic_shape_is_compatible(&shape, &shape));
        prop_assert_eq!(crate::conformance::as_xla::shapes::dynamic_shape_is_compatible(&shape, &shape), Some(true));
    }

    /// Whatever is in a shape, every question is answered or refused, without a panic.
    #[test]
    fn rubbish_is_refused(
        sizes in prop::collection::vec(prop_oneof![any::<i64>(), -1i64..3], 0..4),
        order in prop::collection::vec(prop_oneof![any::<i64>(), -1i64..4], 0..4),
        padded in prop::collection::vec(any::<i64>(), 0..4),
        split in (any::<i64>(), any::<i64>()),
        at in any::<usize>(),
        number in prop_oneof![any::<i64>(), -1i64..5],
    ) {
        let mut shape = ArrayShape::new(ElementType::S4, &sizes).expect("there is a heap");
        let mut layout = Layout::new(MinorToMajor::new(&order).expect("there is a heap"));
        for width in padded {
            layout.padded_dimensions.try_push(width).expect("there is a heap");
        }
        layout.split_configs.push(split.0, &[split.1]).expect("there is a heap");
        shape.layout = Some(layout);
        for at in [at, at % 4] {
            let _ = shape_util::delete_dimensions(&shape, &[at]);
            let _ = shape_util::insert_dimensions(&shape, at, &[Dim::Static(number)]);
            let _ = shape_util::move_dim_to_major(&shape, at);
            let _ = shape_util::is_effectively_most_major_dimension(&shape, at);
            let mut shape = shape.clone();
            let _ = shape_util::set_dimension(&mut shape, at, number);
            let _ = shape_util::set_dynamic_dimension(&mut shape, at, true);
        }
        let _ = shape_util::append_major_dimension(&shape, number);
        let _ = shape_util::append_minor_dimension(&shape, number);
        let _ = shape_util::prepend_major_dimension(&shape, number);
        let _ = shape_util::drop_degenerate_dimensions(&shape);
        let _ = shape_util::permute_dimensions(&shape, &order);
        let _ = shape_util::permute_dimensions_ignoring_layout(&shape, &order);
        let _ = shape_util::with_descending_layout_and_same_physical_layout(&shape);
        let _ = shape_util::static_extent_product(&shape);
        let _ = shape_util::last_dim_is_minor_most(&shape);
        let _ = shape_util::to_static(&shape);
        let _ = shape_util::validated(ElementType::S4, &sizes);
        let steps = vec![number; sizes.len()];
        let space = IterationSpace::new(&sizes, &sizes, &steps).expect("they fit");
        if let Ok(indices) = shape_util::indices_in(&shape, &space) {
            let _ = indices.take(100).count();
        }
        let tree = Shape::Tuple(vec![Shape::Array(shape), Shape::Tuple(vec![])]);
        let error = shape_util::subshape(&tree, &sizes).err();
        let nowhere = matches!(error, Some(ShapeError::NoSuchSubshape { .. }));
        prop_assert!(error.is_none() || nowhere);
    }
}
