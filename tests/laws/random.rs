//! Larger layouts, drawn by proptest: rank to 8, sizes to 50, up to three tiles of any entries, and
//! texts of our own notation.

use proptest::collection::vec;
use proptest::prelude::*;
use xlayout::shape::TileDim::{self, Combine, Size};
use xlayout::shape::{Dim, List, MinorToMajor, NotLowered, PaddingValue, Shape, Tiles};
use xlayout::{
    ArrayLayout, ArrayShape, DynCoordinates, DynLayout, ElementType, Layout, LayoutError,
};

use xlayout_model::Model;

use crate::laws::check::check;

fn config(cases: u32) -> ProptestConfig {
    // A failure prints its input; nothing is written beside the sources.
    ProptestConfig {
        cases: if crate::laws::small() {
            cases / 15
        } else {
            cases
        },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn entry() -> impl Strategy<Value = TileDim> {
    prop_oneof![
        3 => Just(Combine),
        10 => (1..=9_i64).prop_map(Size),
        3 => prop_oneof![Just(16), Just(32), Just(128)].prop_map(Size),
    ]
}

/// A tile that does not end in `*`.
fn tile(longest: usize) -> impl Strategy<Value = Vec<TileDim>> {
    (vec(entry(), 0..longest), 1..=9_i64).prop_map(|(mut tile, last)| {
        tile.push(Size(last));
        tile
    })
}

#[derive(Clone, Debug)]
struct Parts {
    sizes: Vec<i64>,
    order: Vec<i64>,
    tiles: Vec<Vec<TileDim>>,
    wider: Option<Vec<i64>>,
    alignment: i64,
    bits: i64,
}

fn parts(ranks: std::ops::RangeInclusive<usize>, largest: i64) -> impl Strategy<Value = Parts> {
    ranks.prop_flat_map(move |rank| {
        let order: Vec<i64> = (0..rank as i64).collect();
        let padding = prop_oneof![
            3 => vec(tile(rank + 2), 0..=3).prop_map(|tiles| (tiles, None)),
            1 => vec(0..=3_i64, rank).prop_map(|wider| (vec![], Some(wider))),
        ];
        let size = prop_oneof![1 => Just(0), 20 => 1..=largest, 5 => Just(1)];
        let alignment = prop_oneof![3 => Just(1), 1 => 1..=300_i64];
        let bits = prop_oneof![3 => Just(0), 1 => 1..=40_i64];
        (
            vec(size, rank),
            Just(order).prop_shuffle(),
            padding,
            alignment,
            bits,
        )
            .prop_map(|(sizes, order, (tiles, wider), alignment, bits)| Parts {
                sizes,
                order,
                tiles,
                wider,
                alignment,
                bits,
            })
    })
}

fn shape(parts: &Parts) -> ArrayShape {
    let mut shape = ArrayShape::new(ElementType::U8, &parts.sizes).expect("there is a heap");
    let layout = shape.layout.as_mut().expect("a new shape has a layout");
    layout.minor_to_major = MinorToMajor::new(&parts.order).expect("there is a heap");
    let tiles: Vec<&[TileDim]> = parts.tiles.iter().map(Vec::as_slice).collect();
    layout.tiles = Tiles::from_tiles(&tiles).expect("there is a heap");
    layout.tail_padding_alignment_in_elements = parts.alignment;
    layout.element_size_in_bits = parts.bits;
    if let Some(wider) = &parts.wider {
        let widths = parts
            .sizes
            .iter()
            .zip(wider)
            .map(|(size, wider)| size + wider);
        layout.padded_dimensions = List::try_from_iter(widths).expect("there is a heap");
    }
    shape
}

proptest! {
    #![proptest_config(config(400))]

    /// Small enough to look at every place.
    #[test]
    fn every_place(parts in parts(0..=6, 6)) {
        let mut shape = shape(&Parts { bits: 0, ..parts });
        shape.element_type = ElementType::U8;
        let places = DynLayout::new(shape.clone()).map_or(usize::MAX, |layout| layout.buffer_len());
        if places > 20_000 {
            return Ok(());
        }
        // Values of the views' test are bytes.
        let thorough = DynLayout::new(shape.clone()).is_ok_and(|layout| layout.elements() < 250);
        check(&shape, thorough);
    }
}

/// Some elements and some places, chosen by `seeds`, against the model.
fn some_places(parts: &Parts, seeds: &[u64]) -> Result<(), TestCaseError> {
    let shape = shape(parts);
    let layout = match DynLayout::new(shape.clone()) {
        Ok(layout) => layout,
        // Rightly so: tiles of 128 on every side.
        Err(
            LayoutError::Lower(NotLowered::TooLarge | NotLowered::EmptyTooLarge)
            | LayoutError::Invalid(_),
        ) => {
            prop_assert!(at_most(parts) > isize::MAX as f64, "{shape} is refused");
            return Ok(());
        }
        Err(error) => return Err(TestCaseError::fail(format!("{shape}: {error}"))),
    };
    let model = Model::new(&shape);
    prop_assert_eq!(layout.buffer_len(), model.places);
    let bits = layout.buffer_len() as u128 * layout.element_bits() as u128;
    prop_assert_eq!(layout.bytes() as u128, bits.div_ceil(8));
    let sizes = layout.dims();
    for &seed in seeds {
        if !sizes.contains(&0) {
            let coordinate =
                |(d, size): (usize, &usize)| seed.rotate_left(11 * d as u32) as usize % size;
            let index: Vec<usize> = sizes.iter().enumerate().map(coordinate).collect();
            let index = DynCoordinates::from(&index[..]);
            let place = layout.linear_index(&index);
            prop_assert_eq!(place, model.place(&index), "{} {:?}", shape, index);
            prop_assert!(place < layout.buffer_len());
            prop_assert_eq!(layout.multi_index(place), Some(index));
        }
        if layout.buffer_len() > 0 {
            let place = seed as usize % layout.buffer_len();
            let found = layout.multi_index(place);
            let expected = model.element(place);
            prop_assert_eq!(found.as_deref(), expected.as_deref(), "{} {}", shape, place);
        }
    }
    Ok(())
}

/// A number that the bits which a layout allocates do not exceed.
fn at_most(parts: &Parts) -> f64 {
    let tiles = parts.tiles.iter().flatten().map(|entry| match entry {
        Size(n) => *n as f64,
        Combine => 1.0,
    });
    let sizes = parts.sizes.iter().map(|size| (size.max(&1) + 3) as f64);
    tiles.chain(sizes).product::<f64>() * 300.0 * 40.0
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn large(parts in parts(0..=8, 50), seeds in vec(any::<u64>(), 20)) {
        some_places(&parts, &seeds)?;
    }

    /// A layout of more than 16 dimensions is on the heap.
    #[test]
    fn many_dimensions(parts in parts(17..=40, 2), seeds in vec(any::<u64>(), 5)) {
        some_places(&parts, &seeds)?;
    }
}

fn dim() -> impl Strategy<Value = Dim> {
    prop_oneof![
        8 => (0..=5000_i64).prop_map(Dim::Static),
        2 => (0..=5000_i64).prop_map(Dim::Bounded),
        1 => Just(Dim::Unbounded),
    ]
}

/// Any array that is valid.
fn array() -> impl Strategy<Value = ArrayShape> {
    let types: Vec<_> = ElementType::all().filter(|t| t.is_array()).collect();
    // Some of them are valid in a tuple.
    let near = || prop_oneof![4 => 0..=5_i64, 1 => any::<i64>()];
    let splits = vec((near(), vec(near(), 1..4)), 0..3);
    let numbers = (any::<i8>(), -3..=300_i64, 0..=300_i64, splits);
    let padding = prop_oneof![3 => Just(None), 1 => Just(PaddingValue::NAMES.map(|row| row.1)[2]).prop_map(Some)];
    (
        proptest::sample::select(types),
        parts(0..=5, 40),
        vec(dim(), 5),
        numbers,
        padding,
    )
        .prop_map(
            |(element_type, parts, dims, (space, metadata, bits, splits), value)| {
                let mut array = shape(&parts);
                array.element_type = element_type;
                let layout = array.layout.as_mut().expect("a new shape has a layout");
                layout.memory_space = space;
                layout.dynamic_shape_metadata_prefix_bytes = metadata.max(0);
                layout.element_size_in_bits = bits;
                layout.padding_value = value;
                for (dimension, at) in splits {
                    layout
                        .split_configs
                        .push(dimension, &at)
                        .expect("there is a heap");
                }
                if layout.padded_dimensions.is_empty() {
                    array.dims.copy_from_slice(&dims[..parts.sizes.len()]);
                }
                array
            },
        )
}

/// Any valid shape that XLA's text can write in a tuple.
fn any_shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        8 => array().prop_map(Shape::Array),
        1 => array().prop_map(Shape::Buffer),
        1 => Just(Shape::Token),
        1 => Just(Shape::Opaque),
    ];
    leaf.prop_recursive(4, 40, 12, |inner| vec(inner, 0..12).prop_map(Shape::Tuple))
}

proptest! {
    #![proptest_config(config(1500))]

    /// Law 2, for all that is valid.
    #[test]
    fn print_and_read(shape in any_shape()) {
        let printed = shape.to_string();
        let read = printed.parse::<Shape>();
        match shape.validate() {
            Ok(()) => prop_assert_eq!(read.as_ref(), Ok(&shape), "{}", printed),
            // Too many elements or bytes, or wrong splits in a tuple: the reader agrees.
            Err(error) => prop_assert!(read.is_err(), "{} {}", printed, error),
        }
        if let Shape::Array(array) = &shape {
            let layout = array.layout.as_ref().expect("it has one");
            let text = layout.to_string();
            let read = text.parse::<Layout>();
            prop_assert_eq!(read.as_ref(), Ok(layout), "{}", text);
        }
    }

    /// Whatever is read and printed, nothing panics.
    #[test]
    fn any_text(text in "[a-z0-9\\[\\]{}()<>=?*,:#. TLESCMDP\u{e9}-]{0,40}") {
        if let Ok(shape) = text.parse::<Shape>() {
            prop_assert_eq!(shape.to_string().parse::<Shape>(), Ok(shape));
        }
        if let Err(error) = Shape::read_xla(&text) {
            prop_assert!(!error.render(&text).to_string().is_empty());
        }
    }
}
