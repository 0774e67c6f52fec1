//! Packed arrays have what other arrays have: axes, blocks, steps, repeated dimensions, padding.
#![cfg(feature = "std")]

use proptest::prelude::*;
use xlayout::types::nat;
use xlayout::{
    Array, ArrayLayout, ArrayRef, DynCoordinates, DynLayout, Index, LayoutError, Packed, SliceView,
    SliceViewMut, layout,
};

type Ranked = Array<Packed, DynLayout<[usize; 2]>>;

fn read(text: &str) -> DynLayout {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn value([i, j]: [usize; 2], bits: usize) -> i8 {
    ((5 * i + 3 * j) % 16) as i8 & ((1 << bits) - 1)
}

fn numbered(text: &str, bits: usize) -> Option<Ranked> {
    let layout = text.parse::<DynLayout>().ok()?.ranked().unwrap();
    Some(Array::packed_from_fn(layout, |&at| value(at, bits)).unwrap())
}

fn check<L>(
    part: &ArrayRef<Packed, L>,
    origin: [usize; 2],
    sizes: [usize; 2],
    step: usize,
    bits: usize,
) where
    L: ArrayLayout<Coordinates = [usize; 2]>,
{
    assert_eq!(part.layout().shape(), sizes);
    for i in part.axis::<0>() {
        for j in part.axis::<1>() {
            let there = [origin[0] + i.get(), origin[1] + step * j.get()];
            assert_eq!(
                part.at((i, j)),
                value(there, bits),
                "{}",
                part.layout().array_shape()
            );
        }
    }
    let mut seen = 0;
    part.for_each_in_memory(|&[i, j], found| {
        assert_eq!(found, value([origin[0] + i, origin[1] + step * j], bits));
        seen += 1;
    });
    assert_eq!(seen, sizes[0] * sizes[1]);
    let mut numbers = part.iter();
    for at in part.layout().indices() {
        assert_eq!(numbers.next(), Some(part.at(at)));
        seen -= 1;
        assert_eq!(numbers.len(), seen);
    }
    assert_eq!(numbers.next(), None);
    let mut sum = 0;
    for number in part {
        sum += i32::from(number);
    }
    assert_eq!(sum, part.iter().map(i32::from).sum::<i32>());
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 3 } else { 256 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Blocks are the whole, share no byte, and threads may write to them.
    #[test]
    fn blocks_and_steps(
        m in 0..9_usize,
        n in 0..19_usize,
        rows in any::<bool>(),
        tiles in prop_oneof![
            4 => prop::sample::select(vec!["", "T(2,4)", "T(4,8)(2,1)", "T(2,8)"]),
            // Tiles that do not divide each other, or merge dimensions.
            2 => prop::sample::select(vec!["T(3,8)(2,8)", "T(4)(6)", "T(3,1)(2)(*,2,1)", "T(*,8)(3)"]),
        ],
        bits in prop_oneof![Just(1_usize), Just(2), Just(4)],
        start in 0..9_usize,
        step in 1..5_usize,
    ) {
        let text = format!("u{bits}[{m},{n}]{{{}:{tiles}E({bits})}}", if rows { "1,0" } else { "0,1" });
        let Some(array) = numbered(&text, bits) else { return Ok(()) };
        let nested: Vec<Vec<i8>> = array.to_nested().unwrap();
        prop_assert_eq!(&Array::packed_from_nested(array.layout().clone(), nested).unwrap(), &array);
        let mut written = Array::<Packed, _>::zeros(array.layout().clone()).unwrap();
        match written.try_tiles_mut(nat![2, 8]) {
            Ok(blocks) => {
                std::thread::scope(|scope| {
                    for ([a, b], mut block) in blocks {
                        scope.spawn(move || {
                            let origin = [2 * a, 8 * b];
                            let bits_of = |&[i, j]: &[usize; 2]| value([origin[0] + i, origin[1] + j], bits);
                            match block.whole_mut() {
                                Some(mut block) => block.for_each_in_memory_mut(|at, x| *x = bits_of(at)),
                                None => block.for_each_in_memory_mut(|at, x| *x = bits_of(at)),
                            }
                        });
                    }
                });
                prop_assert_eq!(&written, &array);
                let mut seen = 0;
                for ([a, b], block) in array.try_tiles(nat![2, 8]).unwrap() {
                    let origin = [2 * a, 8 * b];
                    let sizes = [2.min(m - origin[0]), 8.min(n - origin[1])];
                    check(&block, origin, sizes, 1, bits);
                    prop_assert_eq!(block.is_whole(), sizes == [2, 8]);
                    if let Some(block) = block.whole() {
                        check(&block, origin, [2, 8], 1, bits);
                    }
                    seen += 1;
                }
                prop_assert_eq!(seen, m.div_ceil(2) * n.div_ceil(8));
            }
            Err(LayoutError::SharedByte { .. } | LayoutError::NotStrided | LayoutError::NoSlice(_)) => {}
            Err(why) => prop_assert!(false, "{text}: {why}"),
        }
        match array.with_step::<1>(start.min(n).., step as isize) {
            Ok(part) => {
                let len = (n - start.min(n)).div_ceil(step);
                check(&part, [0, start.min(n)], [m, len], step, bits);
            }
            Err(LayoutError::NotStrided) => prop_assert!(!array.layout().is_strided()),
            Err(LayoutError::SharedByte { at, .. }) => {
                let first = array.layout().linear_index(&[0, at]);
                prop_assert!(array.layout().bit_offset(first).1 != 0);
            }
            Err(why) => prop_assert!(false, "{text}: {why}"),
        }
    }
}

#[test]
fn blocks_of_a_typed_layout() {
    let mut array = Array::<Packed, _>::zeros(layout!(s4[5,12]{1,0:T(2,4)E(4)})).unwrap();
    for ([a, b], mut block) in array.try_tiles_mut(nat![2, 4]).unwrap() {
        match block.whole_mut() {
            Some(mut block) => block.fill((3 * a + b) as i8),
            None => block.fill(15),
        }
    }
    assert_eq!((array.at([3, 8]), array.get([4, 0])), (5, Some(-1)));
    assert_eq!(array.as_view(), array);
    let block = array.try_tiles(nat![2, 4]).unwrap().get([1, 1]);
    assert!(block.is_some_and(|block| block.is_whole() && block.at([1, 3]) == 4));
    assert!(array.try_tiles(nat![2, 4]).unwrap().get([3, 0]).is_none());
}

#[test]
fn steps_are_written_and_nothing_else() {
    let mut array = Array::<Packed, _>::zeros(layout!(u4[2,8]{1,0:E(4)})).unwrap();
    array.fill(1);
    let mut odd = array.with_step_mut::<1>(2.., 3).unwrap();
    odd.fill(7);
    assert!(
        array
            .iter()
            .eq([1, 1, 7, 1, 1, 7, 1, 1, 1, 1, 7, 1, 1, 7, 1, 1])
    );
    let why = array.with_step_mut::<1>(1.., 3).unwrap_err();
    assert!(matches!(
        why,
        LayoutError::SharedByte {
            dimension: 1,
            at: 1,
            multiple: Some(2),
            beyond: 0
        }
    ));
    // A part with steps is not cut inside a byte.
    let mut steps = array.with_step_mut::<1>(0.., 3).unwrap();
    assert!(matches!(
        steps.split_at_mut::<1>(1),
        Err(LayoutError::SharedByte { .. })
    ));
}

#[test]
fn a_repeated_dimension_and_padding() {
    let layout: DynLayout = "u4[1,3]{1,0:T(2,4)E(4)}".parse().unwrap();
    let mut array = Array::packed_from_fn(layout, |at| at[1] as i8).unwrap();
    array.fill_padding_with(9);
    assert_eq!(array.as_bytes(), [0x10, 0x92, 0x99, 0x99]);
    let rows = array.broadcast::<0>(3).unwrap();
    assert!(rows.iter().eq([0, 1, 2, 0, 1, 2, 0, 1, 2]));
    assert!(matches!(
        array.broadcast::<1>(2),
        Err(LayoutError::Size { found: 3, .. })
    ));
    let mut out = [0; 3];
    array.to_row_major(&mut out).unwrap();
    assert_eq!(out, [0, 1, 2]);
    assert!(array.to_row_major(&mut [0; 2]).is_err());
    array.copy_from_row_major(&[7, 6, 5]).unwrap();
    assert!(array.copy_from_row_major(&[7]).is_err());
    assert_eq!(array.as_bytes(), [0x67, 0x95, 0x99, 0x99]);
    assert!(matches!(
        Array::<Packed, _>::zeros("u4[3]".parse::<DynLayout>().unwrap()),
        Err(LayoutError::NotPacked { found: 8, .. })
    ));
}

#[test]
fn copies_to_other_layouts() {
    let texts = [
        "s4[3,4]{1,0:E(4)}",
        "s4[3,4]{0,1:E(4)}",
        "s4[3,4]{1,0:T(2,2)E(4)}",
        "s4[3,4]{0,1:T(4,2)(2,1)E(4)}",
    ];
    for (from, to) in texts.iter().flat_map(|from| texts.map(|to| (*from, to))) {
        let items: Vec<i8> = (0..12).map(|n| 5 * n % 16 - 8).collect();
        let array = Array::packed_from_row_major(read(from), &items).unwrap();
        let copy = array.to_layout(read(to)).unwrap();
        assert!(copy == array && copy.iter().eq(items), "{from} {to}");
        let negative = copy.map(|number| -number).unwrap();
        let layout = layout!(s32[3,4]);
        let numbers = negative.map_to(layout, i32::from).unwrap();
        assert!(
            numbers
                .indexed_iter()
                .all(|([i, j], &n)| { n == i32::from(array.at([i, j])).wrapping_neg() || n == -8 })
        );
        assert_eq!(numbers.len(), 12);
    }
    let array = Array::<Packed, _>::zeros(read(texts[0])).unwrap();
    assert_eq!(array.zeros_like().unwrap(), array);
    for (text, expected) in [
        (
            "s4[4,3]{1,0:E(4)}",
            "dimension 0 has size 3, but size 4 is needed",
        ),
        (
            "u4[3,4]{1,0:E(4)}",
            "expected elements of type u4, found s4",
        ),
    ] {
        let error = array.to_layout(read(text)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert!(matches!(
        Array::packed_from_row_major(read(texts[0]), &[0; 11]),
        Err(LayoutError::Elements { .. })
    ));
}

#[test]
fn bytes_of_views() {
    let layout = read("s4[3,5]{1,0:E(4)}");
    // The last four bits are padding, and stay.
    let mut bytes = [0xff_u8; 8];
    let wrong = SliceView::packed(&layout, &bytes[..7]).err();
    assert_eq!(
        wrong,
        Some(LayoutError::Bytes {
            expected: 8,
            found: 7
        })
    );
    let packed = |bits: u32, of| {
        format!(
            "write E({bits}) in the layout if a byte holds several elements of type {of}, else use a `SliceView`"
        )
    };
    for (text, found, help) in [
        ("s4[3]{0}", 8, packed(4, "s4")),
        ("pred[3]{0}", 8, packed(1, "pred")),
        ("f32[3]", 32, "use a `SliceView`".into()),
        ("f6e3m2fn[3]{0:E(6)}", 6, "use a `SliceView`".into()),
        ("u4[3]{0:E(3)}", 3, packed(4, "u4")),
    ] {
        let refused = SliceView::packed(read(text), &bytes[..3]).err();
        let found = format!(
            "packed views are for elements of 1, 2 or 4 bits, but the layout gives each {found}; {help}"
        );
        assert_eq!(refused.map(|why| why.to_string()), Some(found), "{text}");
    }
    let mut packed = SliceViewMut::packed(&layout, &mut bytes).expect("it is as long");
    // Neighbours in one byte do not disturb each other, and higher bits are dropped.
    let indices: Vec<Index<&DynLayout>> = packed.layout().indices().collect();
    for (number, index) in indices.iter().enumerate() {
        packed.set_at(index, number as i8 ^ 0x70);
    }
    for (number, index) in indices.iter().enumerate() {
        assert_eq!(packed.bits_at(index), number as u8);
        assert_eq!(packed.get_bits(index.coordinates()), Some(number as u8));
        let signed = if number < 8 {
            number as i8
        } else {
            number as i8 - 16
        };
        assert_eq!(
            (packed.get(index), packed.at(index)),
            (Some(signed), signed)
        );
    }
    let mut visited = 0;
    packed.for_each_in_memory(|index, number| {
        assert_eq!(packed.get(index), Some(number));
        visited += 1;
    });
    assert_eq!(visited, 15);
    let beyond = DynCoordinates::from([3, 0]);
    assert_eq!((packed.get(&beyond), packed.set(&beyond, 1)), (None, false));
    assert_eq!(bytes, [0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe]);
}

#[test]
fn packed_arrays_as_views_and_by_default() {
    type A = layout!(s4[2,3]{1,0:E(4)});
    fn last(x: SliceView<'_, Packed, A>) -> Option<i8> {
        x.get([1, 2])
    }
    fn clear(mut x: SliceViewMut<'_, Packed, A>) {
        x.fill(0);
    }
    let mut array = Array::<Packed, A>::default();
    array.set_at([1, 2], 15);
    assert_eq!(last((&array).into()), Some(-1));
    clear((&mut array).into());
    assert_eq!(array, Array::<Packed, A>::default());
}

/// All pairs of elements: those that share a byte, and an element with itself. Padding stays.
#[test]
fn swaps_exchange_two_elements_and_nothing_else() {
    for text in [
        "s4[3,2]{0,1:E(4)}",
        "u2[2,3]{1,0:T(2,4)E(2)}",
        "u1[3,3]{1,0:E(1)}",
    ] {
        let layout = read(text).ranked::<2>().unwrap();
        let [m, n] = layout.shape();
        let bits = layout.element_bits();
        let mut array = Array::packed_from_fn(layout, |&at| value(at, bits)).unwrap();
        array.fill_padding_with(1);
        for first in 0..m * n {
            for second in 0..m * n {
                let mut swapped = array.clone();
                swapped.swap([first / n, first % n], [second / n, second % n]);
                let mut expected: Vec<i8> = array.iter().collect();
                expected.swap(first, second);
                assert!(swapped.iter().eq(expected), "{text}: {first} and {second}");
                swapped.swap([first / n, first % n], [second / n, second % n]);
                assert_eq!(swapped.as_bytes(), array.as_bytes(), "{text}: the padding");
            }
        }
    }
}

#[test]
fn packed_arrays_are_compared_with_nested_ones() {
    let numbers = [1, 2, -1, 4];
    for text in ["s4[2,2]{1,0:E(4)}", "s4[2,2]{0,1:T(2,4)E(4)}"] {
        let layout = read(text).ranked::<2>().unwrap();
        let array = Array::packed_from_row_major(layout, &numbers).unwrap();
        assert_eq!(array, [[1, 2], [-1, 4]]);
        assert!(array != [[1, 2], [15, 4]] && array != [[1, 2, -1, 4]]);
    }
}
