//! Steps of either sign, slices and reductions of packed arrays, compared with an array that has a byte for each
//! element.
#![cfg(feature = "std")]

use proptest::prelude::*;
use xlayout::{Array, ArrayLayout, ArrayRef, DynLayout, LayoutError, Packed, PartMut, layout};

type Ranked = Array<Packed, DynLayout<[usize; 2]>>;
type Bytes = Array<i8, DynLayout<[usize; 2]>>;

/// A packed array with tiles or without, and the same numbers in bytes.
fn both(of: &str, [m, n]: [usize; 2], order: &str, bits: usize) -> Option<(Ranked, Bytes)> {
    let ranked = |text: &str| text.parse::<DynLayout>().ok()?.ranked().ok();
    let packed = ranked(&format!("{of}{bits}[{m},{n}]{{{order}E({bits})}}"))?;
    let packed = Array::packed_from_fn(packed, |&[i, j]| (5 * i + 3 * j + i * j) as i8).unwrap();
    let bytes = ranked(&format!("s8[{m},{n}]")).unwrap();
    let bytes = Array::from_fn(bytes, |&at| number(of, packed.bits_at(at), bits)).unwrap();
    Some((packed, bytes))
}

/// What the low bits of an element mean.
fn number(of: &str, low: u8, bits: usize) -> i8 {
    let high = (low << (8 - bits)) as i8;
    match of {
        "s" => high >> (8 - bits),
        _ => (high as u8 >> (8 - bits)) as i8,
    }
}

/// The elements are those of the other array. Each question about the layout has the same answer as before.
fn same<L, M>(packed: &ArrayRef<Packed, L>, bytes: &ArrayRef<i8, M>)
where
    L: ArrayLayout<Coordinates = [usize; 2]>,
    M: ArrayLayout<Coordinates = [usize; 2]>,
{
    let mask = (1 << packed.layout().element_bits()) - 1;
    assert_eq!(packed.layout().sizes(), bytes.layout().sizes());
    assert!(packed.iter().eq(bytes.iter().copied()));
    assert!(
        packed
            .indexed_iter()
            .all(|(at, x)| (packed.get(at), packed.at(at)) == (Some(x), x))
    );
    let mut seen = 0;
    packed.for_each(|&at, found| {
        assert_eq!(
            (found, packed.bits_at(at)),
            (bytes[at], bytes[at] as u8 & mask)
        );
        seen += 1;
    });
    assert_eq!(seen, bytes.layout().elements());
    let [m, n] = packed.layout().sizes();
    for i in 0..m {
        match packed.row(i) {
            Ok(row) => assert!(row.iter().eq((0..n).map(|j| packed.at([i, j])))),
            Err(LayoutError::SharedByte { .. } | LayoutError::NotStrided) => {}
            Err(why) => panic!("{why}"),
        }
    }
}

/// Whether two elements on different sides of a boundary of a dimension share a byte.
fn shares_byte<L: ArrayLayout<Coordinates = [usize; 2]>>(
    packed: &ArrayRef<Packed, L>,
    dimension: usize,
    at: usize,
) -> bool {
    let mut sides = std::collections::HashMap::new();
    packed.layout().indices().any(|index| {
        let at_index = *index.coordinates();
        let (byte, _) = packed
            .layout()
            .bit_offset(packed.layout().linear_index(&at_index));
        let side = at_index[dimension] < at;
        *sides.entry(byte).or_insert(side) != side
    })
}

/// Writes the other array's numbers to the parts of a packed array, each in a thread.
fn write_parts<'a, L: ArrayLayout<Coordinates = [usize; 2]> + Send + 'a>(
    parts: impl Iterator<Item = PartMut<'a, Packed, L>>,
    len: usize,
    bytes: &(impl Fn([usize; 2]) -> i8 + Sync),
) {
    std::thread::scope(|scope| {
        for (n, mut part) in parts.enumerate() {
            scope.spawn(move || {
                part.for_each_mut(|&[i, j], number| *number = bytes([i, j + n * len]));
            });
        }
    });
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: if cfg!(miri) { 3 } else { 256 },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn orders() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        Just("1,0:"),
        Just("0,1:"),
        Just("1,0:T(2,4)"),
        Just("0,1:T(4,8)(2,1)")
    ]
}

fn step() -> impl Strategy<Value = isize> {
    prop_oneof![-3..=-1_isize, 1..=3_isize]
}

proptest! {
    #![proptest_config(config())]

    /// A part with steps of either sign has the elements of the same part of the other array. It is refused only if its
    /// lowest element is inside a byte, and cut only where no byte is shared.
    #[test]
    fn steps_of_either_sign(
        (m, n) in (0..5_usize, 0..13_usize),
        order in prop_oneof![Just("1,0:"), Just("0,1:")],
        bits in prop_oneof![Just(1_usize), Just(2), Just(4)],
        (a, b) in (0..14_usize, 0..14_usize),
        steps in [step(), step()],
        (at, len) in (0..14_usize, 1..9_usize),
    ) {
        let (mut packed, bytes) = both("s", [m, n], order, bits).unwrap();
        let (a, b) = (a.min(n), b.min(n));
        let range = a.min(b)..a.max(b);
        let expected = bytes.with_signed_step::<1>(range.clone(), steps[0]).unwrap();
        let part = match packed.with_signed_step::<1>(range.clone(), steps[0]) {
            Ok(part) => part,
            Err(LayoutError::SharedByte { dimension: 1, at, .. }) => {
                let first = packed.layout().linear_index(&[0, at]);
                prop_assert!(range.contains(&at) && packed.layout().bit_offset(first).1 != 0);
                return Ok(());
            }
            Err(why) => return Err(TestCaseError::fail(why.to_string())),
        };
        same(&part, &expected);
        // Steps of what has steps.
        let again = expected.with_signed_step::<1>(.., steps[1]).unwrap();
        match part.with_signed_step::<1>(.., steps[1]) {
            Ok(part) => same(&part, &again),
            Err(why) => prop_assert!(matches!(why, LayoutError::SharedByte { .. }), "{why}"),
        }
        let rows = expected.with_signed_step::<0>(.., -1).unwrap();
        match part.with_signed_step::<0>(.., -1) {
            Ok(part) => same(&part, &rows),
            Err(why) => prop_assert!(matches!(why, LayoutError::SharedByte { .. }), "{why}"),
        }
        // Cuts.
        let size = part.layout().sizes()[1];
        let at = at.min(size);
        let (left, right) = expected.split_at::<1>(at).unwrap();
        match part.split_at::<1>(at) {
            Ok((a, b)) => {
                prop_assert!(!shares_byte(&part, 1, at));
                same(&a, &left);
                same(&b, &right);
            }
            Err(LayoutError::SharedByte { multiple: Some(multiple), beyond, .. }) => {
                prop_assert!(at % multiple != beyond);
                // The code that the error advises is accepted.
                let advised = (beyond..=size).step_by(multiple);
                for at in advised {
                    prop_assert!(part.split_at::<1>(at).is_ok(), "{at}");
                }
            }
            Err(why) => prop_assert!(matches!(why, LayoutError::SharedByte { .. }), "{why}"),
        }
        // Threads write to the parts, and nothing else is written.
        let mut written = bytes.clone();
        let value = |[i, j]: [usize; 2]| number("s", (7 * i + j) as u8, bits);
        written.with_signed_step_mut::<1>(range.clone(), steps[0]).unwrap()
            .for_each_mut(|&at, x| *x = value(at));
        let mut part = packed.with_signed_step_mut::<1>(range, steps[0]).unwrap();
        if let Ok(chunks) = part.try_chunks_mut::<1>(len) {
            write_parts(chunks, len, &value);
            same(&packed, &written);
        }
    }

    /// A slice has the elements of the same region, and its layout is that of an array of its own.
    #[test]
    fn slices(
        sizes in [0..9_usize, 0..19_usize],
        order in orders(),
        bits in prop_oneof![Just(1_usize), Just(2), Just(4)],
        (a, b) in (0..9_usize, 0..9_usize),
    ) {
        let Some((packed, bytes)) = both("u", sizes, order, bits) else { return Ok(()) };
        let layout: DynLayout = packed.layout().clone().into();
        let dynamic = Array::packed_from_fn(layout, |at| packed.at([at[0], at[1]])).unwrap();
        let (a, b) = (a.min(sizes[0]), b.min(sizes[0]));
        let range = a.min(b)..a.max(b);
        let whole = dynamic.as_view();
        match whole.into_slice::<0>(range.clone()) {
            Ok(slice) => {
                let lengths = [range.len(), sizes[1]];
                let expected = bytes.region([range.start, 0], lengths).unwrap();
                prop_assert!(slice.iter().eq(expected.iter().copied()));
                // What has a layout of its own is a region, too.
                prop_assert!(packed.region([range.start, 0], lengths).is_ok());
            }
            Err(LayoutError::SharedByte { at, multiple: Some(multiple), .. }) => {
                prop_assert!(at % multiple != 0 && (at == range.start || at == range.end));
                prop_assert!(shares_byte(&packed, 0, at));
            }
            // Rows of any size: `region` refuses them, too.
            Err(LayoutError::SharedByte { .. }) => {
                prop_assert!(packed.region([range.start, 0], [range.len(), sizes[1]]).is_err());
            }
            Err(why) => prop_assert!(matches!(why, LayoutError::NoSlice(_)), "{why}"),
        }
    }

    /// The lines are those of the other array, for every layout and both ways to combine arrays.
    #[test]
    fn lines(
        sizes in [0..6_usize, 0..19_usize],
        order in orders(),
        of in prop_oneof![Just("s"), Just("u")],
        bits in prop_oneof![Just(1_usize), Just(2), Just(4)],
    ) {
        let Some((packed, bytes)) = both(of, sizes, order, bits) else { return Ok(()) };
        for dimension in 0..2 {
            let layout: DynLayout = format!("s32[{}]", sizes[1 - dimension]).parse().unwrap();
            let zeros = || Array::<i32, _>::zeros(layout.clone()).unwrap();
            let sum = |x: &[i8]| x.iter().map(|&x| i32::from(x)).sum::<i32>();
            let dot = |x: &[i8], y: &[i8]| x.iter().zip(y).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum::<i32>();
            let (mut found, mut expected) = (zeros(), zeros());
            in_dimension!(dimension, DIM => packed.along::<DIM>().reduce(&mut found, sum)).unwrap();
            in_dimension!(dimension, DIM => bytes.along::<DIM>().reduce(&mut expected, sum)).unwrap();
            prop_assert_eq!(&found, &expected);
            let max = |x: &[i8]| x.iter().max().map_or(-100, |&x| i32::from(x));
            in_dimension!(dimension, DIM => packed.along::<DIM>().reduce(&mut found, max)).unwrap();
            in_dimension!(dimension, DIM => bytes.along::<DIM>().reduce(&mut expected, max)).unwrap();
            prop_assert_eq!(&found, &expected);
            in_dimension!(dimension, DIM => bytes.along::<DIM>().reduce_both(&bytes, &mut expected, dot)).unwrap();
            in_dimension!(dimension, DIM => packed.along::<DIM>().reduce_both(&packed, &mut found, dot)).unwrap();
            prop_assert_eq!(&found, &expected);
            in_dimension!(dimension, DIM => packed.along::<DIM>().reduce_both(&bytes, &mut found, dot)).unwrap();
            prop_assert_eq!(&found, &expected);
            in_dimension!(dimension, DIM => bytes.along::<DIM>().reduce_both(&packed, &mut found, dot)).unwrap();
            prop_assert_eq!(&found, &expected);
            // Lines of a part that is reversed.
            let (back, expected_back) =
                (packed.with_signed_step::<1>(.., -1), bytes.with_signed_step::<1>(.., -1).unwrap());
            if let (Ok(back), 1) = (back, dimension) {
                let first = |x: &[i8]| x.first().map_or(-100, |&x| i32::from(x));
                in_dimension!(dimension, DIM => back.along::<DIM>().reduce(&mut found, first)).unwrap();
                in_dimension!(dimension, DIM => expected_back.along::<DIM>().reduce(&mut expected, first)).unwrap();
                prop_assert_eq!(&found, &expected);
            }
        }
    }
}

#[test]
fn a_reversed_dimension_is_cut_from_its_end() {
    let layout = layout!(u4[5]{0:E(4)});
    let mut array = Array::packed_from_fn(layout, |&[i]| i as i8).unwrap();
    let mut back = array.with_signed_step_mut::<0>(.., -1).unwrap();
    assert!(back.iter().eq([4, 3, 2, 1, 0]));
    let why = back.split_at_mut::<0>(2).unwrap_err();
    assert_eq!(
        why.to_string(),
        "a part that begins or ends at 2 in dimension 0 shares a byte with another part: the dimension is \
         reversed, and its bytes begin at its end; use 1 plus a multiple of 2",
    );
    let (mut left, mut right) = back.split_at_mut::<0>(3).unwrap();
    left.fill(9);
    right.fill(7);
    assert!(array.iter().eq([7, 7, 9, 9, 9]));
    let mut back = array.with_signed_step_mut::<0>(.., -1).unwrap();
    // 2 and 4 are inside bytes.
    assert!(matches!(
        back.try_chunks_mut::<0>(2),
        Err(LayoutError::SharedByte { at: 2, .. })
    ));
    assert!(matches!(
        back.try_chunks_mut::<0>(1),
        Err(LayoutError::SharedByte { at: 2, .. })
    ));
    assert_eq!(back.try_chunks_mut::<0>(3).unwrap().count(), 2);
}

#[test]
fn typed_layouts_and_bad_input() {
    let mut array =
        Array::packed_from_fn(layout!(s4[4,3]{0,1:E(4)}), |&[i, j]| (3 * i + j) as i8).unwrap();
    let part = array.as_view();
    let column = part.into_slice::<1>(1..2).unwrap();
    assert_eq!(column.layout().sizes(), [4, 1]);
    assert!(column.iter().eq([1, 4, 7, -6]));
    assert!(matches!(
        part.into_slice::<1>(2..4),
        Err(LayoutError::NoSlice(_))
    ));
    let mut writer = array.as_view_mut().into_slice::<1>(2..).unwrap();
    writer.fill(15);
    assert_eq!(array.get([0, 2]), Some(-1));
    assert!(matches!(
        array.with_signed_step::<0>(.., 0),
        Err(LayoutError::NoStep { dimension: 0 })
    ));
    assert!(matches!(
        array.with_signed_step::<0>(..9, -1),
        Err(LayoutError::NoSlice(_))
    ));
    let rows: DynLayout = "s32[3]".parse().unwrap();
    let mut rows = Array::<i32, _>::zeros(rows).unwrap();
    let why = array.along::<1>().reduce(&mut rows, |_| 0).unwrap_err();
    assert_eq!(
        why,
        LayoutError::Size {
            dimension: 0,
            expected: 4,
            found: 3
        }
    );
    assert!(matches!(
        array.along::<2>().reduce(&mut rows, |_| 0),
        Err(LayoutError::NoDimension { .. })
    ));
    let tiles = Array::packed_zeros(layout!(u4[4,8]{1,0:T(2,4)E(4)})).unwrap();
    assert_eq!(
        tiles.with_signed_step::<1>(.., -1).unwrap_err(),
        LayoutError::NotStrided
    );
    // A part without elements shares no byte.
    let row: DynLayout = "u4[4]{0:E(4)}".parse().unwrap();
    let mut row = Array::packed_zeros(row).unwrap();
    assert_eq!(
        row.as_view().into_slice::<0>(1..1).unwrap().iter().count(),
        0
    );
    assert!(row.region([1], [0]).is_ok());
    assert!(row.region_mut([3], [0]).is_ok());
    assert!(row.region([1], [1]).is_err());
    let no_dimension = LayoutError::NoDimension {
        dimension: 5,
        rank: 1,
    };
    assert_eq!(
        row.as_view().into_slice::<5>(0..1).unwrap_err(),
        no_dimension
    );
    assert_eq!(row.split_at::<5>(0).unwrap_err(), no_dimension);
    // Rows of five elements do not begin at bytes.
    let odd = Array::packed_zeros(layout!(u4[4,5]{1,0:E(4)})).unwrap();
    assert!(matches!(
        odd.as_view().into_slice::<0>(1..),
        Err(LayoutError::SharedByte {
            dimension: 0,
            at: 1,
            multiple: None,
            ..
        })
    ));
}

/// The bytes of a reversed dimension begin at its end: its parts end a multiple of a byte's elements before that.
#[test]
fn parts_of_reversed_bits() {
    for (text, in_byte) in [
        ("u1[11]{0:E(1)}", 8),
        ("u2[7]{0:E(2)}", 4),
        ("u4[5]{0:E(4)}", 2),
    ] {
        let layout: DynLayout = text.parse().unwrap();
        let mut array = Array::packed_zeros(layout).unwrap();
        let mut back = array.with_signed_step_mut::<0>(.., -1).unwrap();
        let size = back.layout().elements();
        for at in 0..=size {
            let shares = at != 0 && at != size && !(size - at).is_multiple_of(in_byte);
            assert_eq!(
                back.split_at_mut::<0>(at).is_err(),
                shares,
                "{text} at {at}"
            );
        }
    }
}
