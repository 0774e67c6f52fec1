//! Law 3: a layout's type and [`DynLayout::new`] accept the same specifications, well formed or
//! not.

use std::vec::Vec;
use std::{format, vec};

use xlayout_shape::lowering::check;

use crate::TileDim::{Combine, Size};
use crate::modes::NotLowered;
use crate::{
    ArrayLayout, ArrayShape, Dim, DynLayout, ElementType, Layout, LayoutError, List, MinorToMajor,
    TileDim,
};

/// The largest size of a layout that is addressed.
const MAX: i64 = isize::MAX as i64;

/// One attribute, right or wrong.
#[derive(Clone, Copy, Debug)]
enum Extra {
    None,
    Tiles(&'static [&'static [TileDim]]),
    /// Widths: the sizes and so much more in each dimension.
    Padded(i64),
    Widths(&'static [i64]),
    Tail(i64),
    Bits(i64),
    Prefix(i64),
    Splits(&'static [(i64, &'static [i64])]),
}
use Extra::{Bits, Padded, Prefix, Splits, Tail, Tiles, Widths};

const EXTRAS: [Extra; 43] = [
    Extra::None,
    Tiles(&[&[Size(2)]]),
    Tiles(&[&[Size(2), Size(2)]]),
    Tiles(&[&[Size(2), Size(4)], &[Size(2), Size(1)]]),
    Tiles(&[&[Size(3), Size(4)], &[Size(2), Size(3)]]),
    Tiles(&[&[Combine, Size(2)]]),
    Tiles(&[&[Size(2), Combine]]),
    Tiles(&[&[Combine]]),
    Tiles(&[&[]]),
    Tiles(&[&[Size(0)]]),
    Tiles(&[&[Size(-1)]]),
    Tiles(&[&[Size(2)], &[Size(0), Size(2)]]),
    Tiles(&[&[Size(1 << 40)]]),
    Tiles(&[&[Size(MAX)]]),
    Padded(0),
    Padded(1),
    Padded(-1),
    Padded(1 << 31),
    Widths(&[MAX, 2, 0]),
    Widths(&[3]),
    Widths(&[3, 3]),
    Widths(&[0, MAX, 2]),
    Tail(0),
    Tail(-1),
    Tail(4),
    Tail(1 << 60),
    Tail(MAX),
    Bits(-1),
    Bits(4),
    Bits(64),
    Bits(1 << 40),
    Bits(MAX),
    Prefix(8),
    Prefix(-1),
    Prefix(i64::MIN),
    Splits(&[(0, &[1])]),
    Splits(&[(1, &[1, 2])]),
    Splits(&[(99, &[1])]),
    Splits(&[(-1, &[1])]),
    Splits(&[(0, &[2, 1])]),
    Splits(&[(0, &[0])]),
    Splits(&[(0, &[3])]),
    Splits(&[(0, &[1]), (0, &[1])]),
];

fn list<T: Copy + Default>(items: impl IntoIterator<Item = T>) -> List<T, 16> {
    List::try_from_iter(items).unwrap()
}

impl Extra {
    fn add(self, layout: &mut Layout, sizes: &[i64]) {
        match self {
            Extra::None => {}
            Tiles(tiles) => {
                for tile in tiles {
                    layout.tiles.push(tile).unwrap();
                }
            }
            Padded(more) => {
                layout.padded_dimensions = list(sizes.iter().map(|n| n.saturating_add(more)));
            }
            Widths(widths) => layout.padded_dimensions = list(widths.iter().copied()),
            Tail(n) => layout.tail_padding_alignment_in_elements = n,
            Bits(n) => layout.element_size_in_bits = n,
            Prefix(n) => layout.dynamic_shape_metadata_prefix_bytes = n,
            Splits(splits) => {
                for (dimension, indices) in splits {
                    layout.split_configs.push(*dimension, indices).unwrap();
                }
            }
        }
    }
}

/// Sizes of arrays: empty, small, and near the limits.
fn sizes() -> Vec<Vec<i64>> {
    let mut all = vec![
        vec![],
        vec![2, 3, 4],
        vec![0, MAX, 2],
        vec![MAX, 2, 0],
        vec![3, 1, 0],
    ];
    // Half of a pointer's bits, and all but the last few.
    let (half, most) = (1 << (isize::BITS / 2 - 1), 1 << (isize::BITS - 4));
    for a in [0, 1, 3, most, MAX, -1] {
        all.push(vec![a]);
        for b in [0, 3, half, MAX] {
            all.push(vec![a, b]);
        }
    }
    all
}

fn orders(rank: usize) -> Vec<Vec<i64>> {
    let ascending: Vec<i64> = (0..rank as i64).collect();
    let mut all = vec![ascending.iter().rev().copied().collect(), ascending.clone()];
    if rank > 0 {
        all.push(vec![0; rank]); // the same one again, where there are more
        all.push(ascending.iter().map(|d| d - 1).collect());
        all.push(ascending[1..].to_vec());
    }
    all.push([&ascending[..], &[0]].concat());
    all
}

/// Asks both. Answers whether they accept it.
fn alike(shape: &ArrayShape) -> bool {
    let typed = check(shape);
    let dynamic = DynLayout::new(shape.clone());
    assert_eq!(
        typed.is_ok(),
        dynamic.is_ok(),
        "{shape:?}: {typed:?}, {:?}",
        dynamic.as_ref().err(),
    );
    if let Ok(layout) = &dynamic {
        // What is accepted is printed, and what is printed is read: nothing was malformed.
        let text = format!("{layout}");
        assert_eq!(
            text.parse::<DynLayout>().map(|read| read.bytes()),
            Ok(layout.bytes()),
            "{text}"
        );
    }
    dynamic.is_ok()
}

#[test]
fn a_type_and_a_dynamic_layout_accept_the_same() {
    let mut accepted = 0;
    let mut refused = 0;
    for element_type in [ElementType::F32, ElementType::S4] {
        for sizes in sizes() {
            for (k, order) in orders(sizes.len()).iter().enumerate() {
                for (i, one) in EXTRAS.iter().enumerate() {
                    // One wrong list and two attributes at a time.
                    let others = if k < 2 { &EXTRAS[..=i] } else { &EXTRAS[..1] };
                    for other in others {
                        let order = MinorToMajor::new(order).unwrap();
                        let mut layout = Layout::new(order);
                        one.add(&mut layout, &sizes);
                        other.add(&mut layout, &sizes);
                        let shape = ArrayShape::from_parts(
                            element_type,
                            list(sizes.iter().map(|&n| Dim::Static(n))),
                            Some(layout),
                        );
                        *(if alike(&shape) {
                            &mut accepted
                        } else {
                            &mut refused
                        }) += 1;
                    }
                }
            }
        }
    }
    // Neither side accepts all or nothing.
    assert!(accepted > 5_000 && refused > 5_000, "{accepted} {refused}");
}

#[test]
fn each_rule_has_its_error() {
    let error = |extra: Extra, sizes: &[i64]| {
        let rank = sizes.len();
        let mut layout = Layout::new(MinorToMajor::row_major(rank).unwrap());
        extra.add(&mut layout, sizes);
        let shape = ArrayShape::from_parts(
            ElementType::F32,
            list(sizes.iter().map(|&n| Dim::Static(n))),
            Some(layout),
        );
        check(&shape).err()
    };
    for (extra, sizes, expected) in [
        (Extra::None, &[2, 3][..], None),
        // A size of 0 counts as 1, whatever the sequence.
        (Extra::None, &[MAX, 2, 0], Some(NotLowered::EmptyTooLarge)),
        (Extra::None, &[0, MAX], None),
        (Extra::None, &[0, MAX, 2], Some(NotLowered::EmptyTooLarge)),
        (Bits(4), &[1 << 62], Some(NotLowered::TooLarge)),
        (Bits(MAX), &[2], None),
        (Bits(MAX), &[9], Some(NotLowered::TooLarge)),
        (
            Widths(&[MAX, 2, 0]),
            &[0, 0, 0],
            Some(NotLowered::EmptyTooLarge),
        ),
        (Tail(0), &[2], Some(NotLowered::BadAttribute)),
        (Prefix(-1), &[2], Some(NotLowered::BadAttribute)),
        (Splits(&[(0, &[1])]), &[2], None),
        (Splits(&[(0, &[1]), (1, &[1, 2])]), &[2, 3], None),
        // Physical dimension 0 is the most major one.
        (Splits(&[(0, &[2])]), &[2, 3], Some(NotLowered::BadSplit)),
        (Splits(&[(1, &[2])]), &[2, 3], None),
        (Splits(&[(1, &[3])]), &[2, 3], Some(NotLowered::BadSplit)),
        (Splits(&[(2, &[1])]), &[2, 3], Some(NotLowered::BadSplit)),
        (Splits(&[(1, &[1, 1])]), &[2, 3], Some(NotLowered::BadSplit)),
        (
            Splits(&[(1, &[1]), (1, &[2])]),
            &[2, 3],
            Some(NotLowered::BadSplit),
        ),
    ] {
        assert_eq!(error(extra, sizes), expected, "{extra:?} {sizes:?}");
    }
    let both: ArrayShape = "f32[2]{0:T(2)}".parse().unwrap();
    let mut both = both;
    both.layout.as_mut().unwrap().padded_dimensions = list([4]);
    assert_eq!(check(&both), Err(NotLowered::PaddedTiles));
    assert!(matches!(DynLayout::new(both), Err(LayoutError::Invalid(_))));
}
