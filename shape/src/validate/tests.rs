//! Every report of validation against the rules as XLA's documents state them, for all small
//! shapes.

use std::vec;
use std::vec::Vec;

use super::*;
use crate::error::Product;
use crate::modes::countable;
use crate::{List, MinorToMajor};

const MAX: i64 = i64::MAX;

/// All lists of this many of these items.
fn lists<T: Copy>(items: &[T], len: usize) -> Vec<Vec<T>> {
    (0..len).fold(vec![vec![]], |shorter, _| {
        let longer = |list: &Vec<T>| {
            let list = list.clone();
            items.iter().map(move |item| [&list[..], &[*item]].concat())
        };
        shorter.iter().flat_map(longer).collect()
    })
}

fn reports(check: impl FnOnce(Report<'_>)) -> Vec<(ShapePart, ErrorKind)> {
    let mut all = vec![];
    check(&mut |place, kind| all.push((place, kind)));
    all
}

fn product(numbers: impl IntoIterator<Item = i64>) -> Product {
    let times = |product: Product, n: i64| product.times(n.unsigned_abs().into());
    numbers.into_iter().fold(Product::ONE, times)
}

#[test]
fn minor_to_major_lists_each_dimension_once() {
    for len in 0..=4 {
        for order in lists(&[-1, 0, 1, 2, 3], len) {
            for rank in 0..=4_usize {
                let found = reports(|report| super::order(&order, rank, report));
                let mut expected = vec![];
                let mut sorted = order.clone();
                sorted.sort_unstable();
                if len != rank {
                    let kind = ErrorKind::MinorToMajorLength { listed: len, rank };
                    expected.push((ShapePart::MinorToMajor, kind));
                } else if rank > 0 && sorted.iter().copied().eq(1..=rank as i64) {
                    let Some(suggestion) = ShortOrder::from_one_based(&order) else {
                        panic!("{order:?} counts from 1");
                    };
                    expected.push((ShapePart::MinorToMajor, ErrorKind::OneBased { suggestion }));
                } else {
                    for (k, &dimension) in order.iter().enumerate() {
                        if !(0..rank as i64).contains(&dimension) {
                            let kind = ErrorKind::DimensionOutOfRange { dimension, rank };
                            expected.push((ShapePart::MinorToMajorEntry(k), kind));
                        }
                    }
                    for (k, &dimension) in order.iter().enumerate() {
                        let before = order[..k].iter().filter(|d| **d == dimension).count();
                        if before == 1 && (0..rank as i64).contains(&dimension) {
                            let missing = Missing::new(&order, rank);
                            let kind = ErrorKind::DuplicateDimension { dimension, missing };
                            expected.push((ShapePart::MinorToMajorEntry(k), kind));
                        }
                    }
                }
                assert_eq!(found, expected, "{order:?} {rank}");
            }
        }
    }
}

/// Dimensions around the one from which on they are counted on the heap.
#[test]
fn dimensions_are_counted_at_every_rank() {
    for dimension in [0, 1, 62, 63, 64, 65, 79] {
        let mut times = Times::new(80);
        let others = [0, 1, 31, 62, 63, 64, 65, 78, 79];
        for other in others.iter().filter(|other| **other != dimension) {
            assert_eq!(times.count(*other), 1);
        }
        for expected in [1, 2, 3, 3, 3] {
            assert_eq!(times.count(dimension), expected, "{dimension}");
        }
        for other in others.iter().filter(|other| **other != dimension) {
            assert_eq!(times.count(*other), 2, "{dimension} {other}");
        }
    }
}

#[test]
fn sizes_are_not_negative_and_can_be_counted() {
    let dims = [
        Dim::Static(-1),
        Dim::Static(0),
        Dim::Static(2),
        Dim::Static(1 << 60),
        Dim::Static(MAX),
        Dim::Bounded(-2),
        Dim::Bounded(3),
        Dim::Unbounded,
    ];
    let mut wide = Layout::new(MinorToMajor::default());
    wide.element_size_in_bits = 64;
    for layout in [None, Some(&wide)] {
        for dims in (0..=3).flat_map(|rank| lists(&dims, rank)) {
            let found = reports(|r| sizes(ElementType::F32, &dims, layout, r));
            let bounds: Vec<i64> = dims.iter().filter_map(|dim| dim.bound()).collect();
            let mut expected = vec![];
            for (dimension, dim) in dims.iter().enumerate() {
                if let Some(size) = dim.bound().filter(|size| *size < 0) {
                    let kind = ErrorKind::NegativeDimension { dimension, size };
                    expected.push((ShapePart::Dim(dimension), kind));
                }
            }
            if expected.is_empty() {
                let widths: Vec<Option<i64>> = dims.iter().map(|dim| dim.bound()).collect();
                expected.extend(counted(&widths, &[32, layout.map_or(0, |_| 64)], false));
            }
            assert_eq!(found, expected, "{dims:?} {bounds:?}");
        }
    }
    let tuple = ElementType::Tuple;
    let found = reports(|r| sizes(tuple, &[Dim::Static(-1)], None, r));
    let kind = ErrorKind::InvalidElementType {
        element_type: tuple,
    };
    assert_eq!(found, [(ShapePart::ElementType, kind)]);
}

/// The rule about elements and bytes: products from the left stay within 63 bits.
fn counted(widths: &[Option<i64>], bits: &[i64], padded: bool) -> Option<(ShapePart, ErrorKind)> {
    let place = if padded {
        ShapePart::Padded
    } else {
        ShapePart::Dims
    };
    let rank = widths.len();
    let mut elements = 1_i128;
    for (d, width) in widths.iter().enumerate() {
        elements *= i128::from(width.unwrap_or(1));
        if elements > i128::from(MAX) {
            let zero_behind = widths[d + 1..].contains(&Some(0));
            let prefix = if zero_behind { d + 1 } else { rank };
            let product = product(widths[..prefix].iter().flatten().copied());
            let kind = ErrorKind::ElementsOverflow {
                product,
                prefix,
                rank,
                padded,
            };
            return Some((place, kind));
        }
    }
    for &bits in bits {
        let bytes = (elements * i128::from(bits) + 7) / 8;
        if bytes > i128::from(MAX) {
            let bytes = Product::ONE.times(bytes.unsigned_abs());
            let kind = ErrorKind::BytesOverflow {
                elements: elements as i64,
                bits,
                bytes,
                padded,
            };
            return Some((place, kind));
        }
    }
    None
}

/// The same rule for types of layouts, and the edge of it: 2^63 - 1 bytes.
#[test]
fn a_type_counts_as_a_shape_does() {
    let sizes = [0, 1, 3, MAX / 4, MAX / 4 + 1, MAX / 8 + 1, MAX];
    for dims in (0..=2).flat_map(|rank| lists(&sizes, rank)) {
        for bits in [0, 4, 8, 64, MAX] {
            let of: Vec<Dim> = dims.iter().map(|&n| Dim::Static(n)).collect();
            let widths: Vec<Option<i64>> = dims.iter().map(|&n| Some(n)).collect();
            let fits = counted(&widths, &[32, bits], false).is_none();
            let found = countable(ElementType::F32, &of, &[], bits);
            assert_eq!(found.is_ok(), fits, "{dims:?} {bits}");
            // As widths of an array of no elements.
            let empty: Vec<Dim> = dims.iter().map(|_| Dim::Static(0)).collect();
            let found = countable(ElementType::F32, &empty, &dims, bits);
            assert_eq!(found.is_ok(), fits, "{dims:?} {bits}");
        }
    }
}

#[test]
fn attributes_are_in_their_ranges() {
    use TileDim::{Combine, Size};
    let entries = [Size(-1), Size(0), Size(1), Size(8), Combine];
    let tiles: Vec<Vec<TileDim>> = (0..=2).flat_map(|len| lists(&entries, len)).collect();
    for addressable in [true, false] {
        for first in &tiles {
            for second in &tiles {
                let mut layout = Layout::new(MinorToMajor::default());
                let both = [first, second];
                let mut expected = vec![];
                let mut at = 0;
                for (k, tile) in both.iter().enumerate() {
                    layout.tiles.push(tile).unwrap();
                    if tile.is_empty() {
                        expected.push((ShapePart::WholeTile(k), ErrorKind::EmptyTile));
                    }
                    for (j, entry) in tile.iter().enumerate() {
                        let last = j == tile.len() - 1;
                        let kind = match *entry {
                            Size(0) => Some(ErrorKind::ZeroTile),
                            Size(size) if size < 0 => Some(ErrorKind::NegativeTile { size }),
                            Combine if last && addressable => Some(ErrorKind::TrailingCombine),
                            _ => None,
                        };
                        expected.extend(kind.map(|kind| (ShapePart::TileEntry(at), kind)));
                        at += 1;
                    }
                }
                let found = reports(|r| attributes(&layout, addressable, r));
                assert_eq!(found, expected, "{both:?}");
            }
        }
    }
    for n in -2..=2 {
        let mut layout = Layout::new(MinorToMajor::default());
        layout.tail_padding_alignment_in_elements = n;
        layout.element_size_in_bits = n;
        let mut expected = vec![];
        if n < 1 {
            let kind = ErrorKind::TailAlignment { alignment: n };
            expected.push((ShapePart::TailAlignment, kind));
        }
        if n < 0 {
            expected.push((ShapePart::ElementSize, ErrorKind::ElementSize { bits: n }));
        }
        assert_eq!(reports(|r| attributes(&layout, true, r)), expected, "{n}");
    }
    let mut sparse = Layout::new(MinorToMajor::default());
    sparse.index_primitive_type = Some(ElementType::U32);
    sparse.pointer_primitive_type = Some(ElementType::U32);
    let kind = |attribute| ErrorKind::Sparse { attribute };
    let expected = [
        (ShapePart::IndexType, kind(Attribute::IndexType)),
        (ShapePart::PointerType, kind(Attribute::PointerType)),
    ];
    assert_eq!(reports(|r| attributes(&sparse, true, r)), expected);
}

#[test]
fn padded_widths_are_not_below_the_sizes() {
    let dims = [
        Dim::Static(0),
        Dim::Static(2),
        Dim::Bounded(3),
        Dim::Unbounded,
    ];
    for dims in (0..=2).flat_map(|rank| lists(&dims, rank)) {
        for widths in (0..=3).flat_map(|len| lists(&[-1, 0, 2, 3, MAX], len)) {
            for tiled in [false, true] {
                let mut layout = Layout::new(MinorToMajor::default());
                layout.padded_dimensions = List::try_from_iter(widths.iter().copied()).unwrap();
                if tiled {
                    layout.tiles.push(&[TileDim::Size(2)]).unwrap();
                }
                let found = reports(|r| padding(ElementType::F32, &dims, &layout, r));
                let listed = widths.len();
                let rank = dims.len();
                let mut expected = vec![];
                if !widths.is_empty() {
                    if tiled {
                        expected.push((ShapePart::Padded, ErrorKind::PaddedTiles));
                    }
                    if listed != rank {
                        let kind = ErrorKind::PaddedLength { listed, rank };
                        expected.push((ShapePart::Padded, kind));
                    } else {
                        let mut narrow = false;
                        for (dimension, (&padded, dim)) in widths.iter().zip(&dims).enumerate() {
                            let size = dim.bound().unwrap_or(0);
                            if padded < size {
                                let kind = ErrorKind::PaddedBelow {
                                    dimension,
                                    padded,
                                    size,
                                };
                                expected.push((ShapePart::PaddedEntry(dimension), kind));
                                narrow = true;
                            }
                        }
                        if !narrow {
                            let widths: Vec<Option<i64>> =
                                widths.iter().map(|&n| Some(n)).collect();
                            expected.extend(counted(&widths, &[32, 0], true));
                        }
                    }
                }
                assert_eq!(found, expected, "{dims:?} {widths:?}");
            }
        }
    }
}

#[test]
fn splits_cut_inside_of_their_dimensions() {
    let dims = [Dim::Static(3), Dim::Unbounded, Dim::Bounded(2)];
    // Physical dimension 0 is the most major one.
    let physical = [Dim::Bounded(2), Dim::Static(3), Dim::Unbounded];
    let rank = dims.len();
    let indices: Vec<Vec<i64>> = (0..=2).flat_map(|len| lists(&[0, 1, 2, 3], len)).collect();
    for numbers in lists(&[-1, 0, 1, 2, 3], 3) {
        for indices in &indices {
            let mut layout = Layout::new(MinorToMajor::new(&[1, 0, 2]).unwrap());
            let mut expected = vec![];
            let mut at = 0;
            for (k, &dimension) in numbers.iter().enumerate() {
                layout.split_configs.push(dimension, indices).unwrap();
                if !(0..rank as i64).contains(&dimension) {
                    let kind = ErrorKind::SplitDimension { dimension, rank };
                    expected.push((ShapePart::Split(k), kind));
                    at += indices.len();
                    continue;
                }
                if numbers[..k].iter().filter(|d| **d == dimension).count() == 1 {
                    expected.push((ShapePart::Split(k), ErrorKind::SplitTwice { dimension }));
                }
                let size = physical[dimension as usize].bound();
                for (j, &index) in indices.iter().enumerate() {
                    let place = ShapePart::SplitIndex(at);
                    if index < 1 || size.is_none_or(|size| index >= size) {
                        expected.push((place, ErrorKind::SplitIndex { index, size }));
                    } else if j > 0 && index <= indices[j - 1] {
                        let before = indices[j - 1];
                        expected.push((place, ErrorKind::SplitSequence { index, before }));
                    }
                    at += 1;
                }
            }
            let found = reports(|r| splits(&dims, &layout, r));
            assert_eq!(found, expected, "{numbers:?} {indices:?}");
        }
    }
    // What minor_to_major does not list, its own rule reports.
    let mut short = Layout::new(MinorToMajor::new(&[7, 0]).unwrap());
    short.split_configs.push(0, &[9]).unwrap();
    short.split_configs.push(2, &[9]).unwrap();
    let dimension = reports(|r| splits(&dims, &short, r));
    assert_eq!(dimension.len(), 1, "{dimension:?}");
}

/// The whole: sizes first, then the layout; inside of tuples the splits, too.
#[test]
fn a_shape_is_checked_as_a_whole() {
    let kind = |text: &str| {
        let mut shape: ArrayShape = "f32[2,3]{1,0}".parse().unwrap();
        let layout = shape.layout.as_mut().unwrap();
        match text {
            "size" => shape.dims = List::try_from_iter([Dim::Static(-1), Dim::Static(3)]).unwrap(),
            "order" => layout.minor_to_major = MinorToMajor::new(&[0, 0]).unwrap(),
            "tile" => layout.tiles.push(&[TileDim::Size(0)]).unwrap(),
            "star" => layout.tiles.push(&[TileDim::Combine]).unwrap(),
            "padded" => layout.padded_dimensions = List::try_from_iter([1, 3]).unwrap(),
            "split" => layout.split_configs.push(0, &[9]).unwrap(),
            "none" => shape.layout = None,
            _ => {}
        }
        let alone = (
            shape.validate().is_ok(),
            shape.validate_with_optional_layout().is_ok(),
        );
        let for_dims = shape
            .layout
            .as_ref()
            .map(|layout| layout.validate_for(shape.element_type, &shape.dims).is_ok());
        #[cfg(feature = "alloc")]
        {
            let one = crate::Shape::Array(shape.clone());
            let tuple = crate::Shape::Tuple(vec![crate::Shape::Token, one.clone()]);
            let answers = |of: &crate::Shape| {
                (
                    of.validate().is_ok(),
                    of.validate_with_optional_layout().is_ok(),
                )
            };
            assert_eq!(answers(&one), alone, "{text}");
            assert_eq!(answers(&crate::Shape::Buffer(shape)), alone, "{text}");
            let splits = text != "split";
            assert_eq!(
                answers(&tuple),
                (alone.0 && splits, alone.1 && splits),
                "{text}"
            );
        }
        (alone.0, alone.1, for_dims)
    };
    for (text, expected) in [
        ("", (true, true, Some(true))),
        ("size", (false, false, Some(true))),
        ("order", (false, false, Some(false))),
        ("tile", (false, false, Some(false))),
        ("star", (true, true, Some(true))),
        ("padded", (false, false, Some(false))),
        ("split", (true, true, Some(true))),
        ("none", (false, true, None)),
    ] {
        assert_eq!(kind(text), expected, "{text}");
    }
}
