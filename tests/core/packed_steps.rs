//! Steps of either sign and slices of packed arrays, compared with an array that has a byte for
//! each element.
#![cfg(feature = "std")]

use proptest::prelude::*;
use xlayout::{Array, ArrayLayout, ArrayRef, DynLayout, LayoutError, Packed, ViewMut};

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

/// The elements are those of the other array. Each question about the layout has the same answer as
/// before.
fn same<L, M>(packed: &ArrayRef<Packed, L>, bytes: &ArrayRef<i8, M>)
where
    L: ArrayLayout<Coordinates = [usize; 2]>,
    M: ArrayLayout<Coordinates = [usize; 2]>,
{
    let mask = (1 << packed.layout().element_bits()) - 1;
    assert_eq!(packed.layout().shape(), bytes.layout().shape());
    assert!(packed.iter().eq(bytes.iter().copied()));
    assert!(
        packed
            .indexed_iter()
            .all(|(at, x)| (packed.get(at), packed.at(at)) == (Some(x), x))
    );
    let mut seen = 0;
    packed.for_each_in_memory(|&at, found| {
        assert_eq!(
            (found, packed.bits_at(at)),
            (bytes[at], bytes[at] as u8 & mask)
        );
        seen += 1;
    });
    assert_eq!(seen, bytes.layout().elements());
    let [m, n] = packed.layout().shape();
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
    parts: impl Iterator<Item = ViewMut<'a, Packed, L>>,
    len: usize,
    bytes: &(impl Fn([usize; 2]) -> i8 + Sync),
) {
    std::thread::scope(|scope| {
        for (n, mut part) in parts.enumerate() {
            scope.spawn(move || {
                part.for_each_in_memory_mut(|&[i, j], number| *number = bytes([i, j + n * len]));
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

    /// A part with steps of either sign has the elements of the same part of the other array. It is
    /// refused only if its lowest element is inside a byte, and cut only where no byte is shared.
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
        let a = a.min(n);
        let b = b.min(n);
        let range = a.min(b)..a.max(b);
        let expected = bytes.with_step::<1>(range.clone(), steps[0]).unwrap();
        let part = match packed.with_step::<1>(range.clone(), steps[0]) {
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
        let again = expected.with_step::<1>(.., steps[1]).unwrap();
        match part.with_step::<1>(.., steps[1]) {
            Ok(part) => same(&part, &again),
            Err(why) => prop_assert!(matches!(why, LayoutError::SharedByte { .. }), "{why}"),
        }
        let rows = expected.with_step::<0>(.., -1).unwrap();
        match part.with_step::<0>(.., -1) {
            Ok(part) => same(&part, &rows),
            Err(why) => prop_assert!(matches!(why, LayoutError::SharedByte { .. }), "{why}"),
        }
        // Cuts.
        let size = part.layout().shape()[1];
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
        written.with_step_mut::<1>(range.clone(), steps[0]).unwrap()
            .for_each_in_memory_mut(|&at, x| *x = value(at));
        let mut part = packed.with_step_mut::<1>(range, steps[0]).unwrap();
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
        let a = a.min(sizes[0]);
        let b = b.min(sizes[0]);
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
}
