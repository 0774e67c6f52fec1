//! Copies between layouts: of arrays and of their parts, in both directions, in every way.

use xlayout::{Array, ArrayLayout, DynLayout, Element, ElementType, dtype::DType};
use xlayout_model::{Model, indices};
use xlayout_relayout::{Measurement, Plan, RelayoutError, relayout_bytes_in_place};

use crate::any::{AnyArray, AnyArrayMut};
use crate::cells::Cells;
use crate::check::{Value, check_memory, written};
use crate::coverage::{seen, seen_memory, seen_type};
use crate::random::Case;
use crate::trail;

/// The plan, with a random strategy in half of the cases.
fn planned(plan: Plan, case: &mut Case) -> Plan {
    if case.chance(50) {
        return plan;
    }
    // One counts where it fits.
    let all: Vec<Measurement> = Measurement::all().collect();
    let measurement = case.pick(&all);
    trail(|| measurement.to_string());
    plan.with_measurement(measurement)
}

/// Copies an array or a part to an array with another layout.
pub(crate) fn from_part<T: Value>(array: &dyn AnyArray<T>, cells: &Cells, case: &mut Case) {
    if case.chance(30) {
        return;
    }
    let (layout, model) = case.layout_of(T::Type::TYPE, &cells.sizes, None);
    let before: Vec<T> = (0..model.places).map(|_| written(17)).collect();
    let mut out = Array::new(layout.clone(), before.clone()).expect("the model knows the length");
    let way = case.below(4);
    trail(|| format!("copied to it in way {way}"));
    let copied = match way {
        0 | 1 => array.copy_to(&mut out),
        way => array.plan_to(&layout).and_then(|plan| {
            let plan = planned(plan, case);
            if way == 2 {
                array.run_to(&plan, &mut out)
            } else {
                array.chunks_to(&plan, &mut out, 1 + case.below(5))
            }
        }),
    };
    copied.expect("it is the same array");
    let mut expected = before;
    for (to, &from) in model.map().into_iter().zip(&cells.places) {
        expected[to] = T::at(from);
    }
    check_memory(out.memory(), &expected);
    seen(array.any_layout().name(), "copied from");
    seen_memory(array.memory_name(), "copied from");
}

/// Copies an array with another layout to an array or a part. The answer is what has to be in the
/// memory of the whole.
pub(crate) fn to_part<T: Value>(
    array: &mut dyn AnyArrayMut<T>,
    cells: &Cells,
    case: &mut Case,
) -> Vec<(usize, T)> {
    let (layout, model) = case.layout_of(T::Type::TYPE, &cells.sizes, None);
    let mut memory: Vec<T> = (0..model.places).map(|_| written(17)).collect();
    let mut put = Vec::new();
    for (k, (from, &to)) in model.map().into_iter().zip(&cells.places).enumerate() {
        memory[from] = written(k);
        put.push((to, written(k)));
    }
    let from = Array::new(layout.clone(), memory).expect("the model knows the length");
    // The padding of a whole array is all that is not an element. Parts have none, and a plan that
    // fills padding is not run on them.
    let is_slice = !array.memory_name().contains("PartItems");
    let may = cells.whole || !array.any_layout().owns_padding();
    let fill = may && case.chance(30) && (is_slice || case.chance(10));
    let way = case.below(4);
    trail(|| format!("copied from it in way {way}; padding is filled: {fill}"));
    let copied = match way {
        0 | 1 if !fill => array.copy_from(&from),
        way => array.plan_from(&layout).and_then(|plan| {
            let plan = planned(
                if fill {
                    plan.fill_padding(written::<T>(5))?
                } else {
                    plan
                },
                case,
            );
            if way == 2 {
                array.run_from(&plan, &from)
            } else {
                array.chunks_from(&plan, &from, 1 + case.below(5))
            }
        }),
    };
    match copied {
        Ok(()) => {
            assert!(
                is_slice || !fill || !array.any_layout().owns_padding(),
                "a part has no padding"
            );
            seen(array.any_layout().name(), "copied to");
            seen_memory(array.memory_name(), "copied to");
            if fill && cells.whole && array.any_layout().owns_padding() {
                let padding = (0..cells.memory).filter(|place| !cells.places.contains(place));
                put.extend(padding.map(|place| (place, written(5))));
            }
            put
        }
        Err(RelayoutError::Reversed { dimension }) => {
            assert!(
                array.any_layout().is_reversed(dimension),
                "dimension {dimension} is not reversed"
            );
            assert!(!from.layout().is_strided(), "the source has strides");
            Vec::new()
        }
        Err(RelayoutError::PartPadding) if fill && !is_slice => Vec::new(),
        Err(why) => panic!("{why}"),
    }
}

fn bit(bytes: &[u8], at: usize) -> u8 {
    bytes[at / 8] >> (at % 8) & 1
}

fn set_bit(bytes: &mut [u8], at: usize, value: u8) {
    bytes[at / 8] = bytes[at / 8] & !(1 << (at % 8)) | value << (at % 8);
}

/// The copy of the model: bit by bit. What the source does not have of a wider element is 0.
fn copied(from: (&[usize], usize), to: (&[usize], usize), src: &[u8], dst: &mut [u8]) {
    for (source, target) in from.0.iter().zip(to.0) {
        for k in 0..to.1 {
            let value = if k < from.1 {
                bit(src, source * from.1 + k)
            } else {
                0
            };
            set_bit(dst, target * to.1 + k, value);
        }
    }
}

fn bytes(len: usize, case: &mut Case) -> Vec<u8> {
    (0..len).map(|_| case.next() as u8).collect()
}

/// Two layouts of one array of any element type, also packed, as bytes.
pub(crate) fn copies(case: &mut Case) {
    let (name, packed) = case.pick(&[
        ("u8", None),
        ("pred", None),
        ("bf16", None),
        ("f32", None),
        ("f64", None),
        ("c128", None),
        ("s4", Some(4)),
        ("u2", Some(2)),
        ("u1", Some(1)),
        ("f6e3m2fn", Some(6)),
    ]);
    let element_type: ElementType = name.parse().expect("it is a type");
    let sizes = if case.most >= 300 && case.chance(10) {
        vec![1 + case.below(150), 1 + case.below(90)]
    } else {
        let rank = case.below(8);
        case.sizes(rank)
    };
    let most = std::mem::replace(&mut case.most, sizes.iter().product::<usize>().max(20));
    let width = |case: &mut Case| packed.filter(|_| case.chance(60));
    let bits = width(case);
    let (a, from) = case.layout_of(element_type, &sizes, bits);
    let bits = width(case);
    let (b, to) = case.layout_of(element_type, &sizes, bits);
    case.most = most;
    let src = bytes(from.bytes(), case);
    let before = bytes(to.bytes(), case);
    let plan = Plan::new(&a, &b).expect("both have all bits of an element");
    let mut expected = before.clone();
    let from_map = from.map();
    let to_map = to.map();
    copied(
        (&from_map, from.bits),
        (&to_map, to.bits),
        &src,
        &mut expected,
    );
    let plan = planned(plan, case);
    // At any address.
    let offsets = [case.below(64), case.below(64)];
    let shifted = [vec![0xa5; offsets[0]], src.clone()].concat();
    let mut found = [vec![0xa5; offsets[1]], before.clone()].concat();
    let input = &shifted[offsets[0]..];
    let output = &mut found[offsets[1]..];
    match case.below(4) {
        0 => {
            let chunks = plan
                .chunks_bytes(input, output, 1 + case.below(6))
                .expect("the lengths are the layouts'");
            chunks.for_each(|chunk| chunk.run());
        }
        1 if from.bits == 8 && to.bits == 8 => {
            plan.run_threads(input, output, 1 + case.below(4))
                .expect("the lengths are the layouts'");
        }
        2 if from.bits == 8 && to.bits == 8 => {
            // The padding is not that of `output`.
            let fresh = plan.run_to_vec_threads(input, 1 + case.below(4));
            let fresh = fresh.expect("the lengths are the layouts'");
            plan.run_bytes(input, output)
                .expect("the lengths are the layouts'");
            for &place in &to_map {
                assert_eq!(fresh[place], output[place], "{plan}");
            }
        }
        _ => plan
            .run_bytes(input, output)
            .expect("the lengths are the layouts'"),
    }
    assert!(
        found[..offsets[1]].iter().all(|&byte| byte == 0xa5),
        "written before the destination"
    );
    assert!(found[offsets[1]..] == expected, "{plan}");
    in_place((&a, &from), (&b, &to), &src);
    if from.bits.is_multiple_of(8) && case.chance(30) {
        strided(element_type, (&b, &to), case);
    }
}

/// A copy in the memory of the array itself.
fn in_place((a, from): (&DynLayout, &Model), (b, to): (&DynLayout, &Model), src: &[u8]) {
    let mut found = src.to_vec();
    match relayout_bytes_in_place(&mut found, a, b) {
        Ok(()) => {
            let from_map = from.map();
            let to_map = to.map();
            let mut expected = found.clone();
            copied(
                (&from_map, from.bits),
                (&to_map, to.bits),
                src,
                &mut expected,
            );
            assert!(found == expected, "in place");
            seen_type::<DynLayout>("in place");
        }
        Err(why) => assert!(from.bytes() != to.bytes() || from.bits != to.bits, "{why}"),
    }
}

/// A source at any strides of bytes.
fn strided(element_type: ElementType, (b, to): (&DynLayout, &Model), case: &mut Case) {
    let width =
        Model::new(&xlayout::ArrayShape::new(element_type, &[]).expect("it is a type")).bits / 8;
    if to.bits != 8 * width {
        return;
    }
    let strides: Vec<isize> = to
        .sizes
        .iter()
        .map(|_| case.below(40) as isize - 16)
        .collect();
    let offset = |index: &[usize]| {
        index
            .iter()
            .zip(&strides)
            .map(|(&i, stride)| i as isize * stride)
            .sum::<isize>()
    };
    let offsets: Vec<isize> = indices(&to.sizes).map(|index| offset(&index)).collect();
    let first = -offsets.iter().copied().min().unwrap_or(0).min(0) as usize + case.below(3);
    let plan = Plan::from_strided(&to.sizes, &strides, first, element_type, b)
        .expect("no byte is before the first one");
    let len = offsets
        .iter()
        .map(|&offset| first.wrapping_add_signed(offset) + width)
        .max()
        .unwrap_or(0);
    trail(|| format!("strides {strides:?} from {first}"));
    let src = bytes(len, case);
    let before = bytes(to.bytes(), case);
    let mut expected = before.clone();
    for (target, &offset) in to.map().iter().zip(&offsets) {
        let source = &src[first.wrapping_add_signed(offset)..][..width];
        expected[target * width..][..width].copy_from_slice(source);
    }
    let mut found = before;
    plan.run_bytes(&src, &mut found)
        .expect("the source has all bytes");
    assert!(found == expected, "{plan}");
}

/// A copy of an array to another layout in its own memory: of any kinds of layouts.
pub(crate) fn in_place_of<A, B, T>(from: (&A, &Cells), to: (&B, &Cells))
where
    A: ArrayLayout,
    B: ArrayLayout,
    T: Value + Element,
{
    let first = |layout: (&A, &Cells)| layout.1.places.iter().copied().min().unwrap_or(0);
    let start = first(from);
    let mut memory: Vec<T> = (0..from.0.buffer_len())
        .map(|place| T::at(start + place))
        .collect();
    let copied = xlayout_relayout::relayout_in_place(&mut memory, from.0, to.0);
    if from.0.bytes() != to.0.bytes() {
        assert!(copied.is_err(), "the lengths differ");
        return;
    }
    let to_start = to.1.places.iter().copied().min().unwrap_or(0);
    // Only the elements of a part are written.
    let is_own = |place: &usize| from.1.places.contains(&(place - to_start + start));
    if !from.0.owns_padding() && !to.1.places.iter().all(is_own) {
        assert_eq!(copied, Err(RelayoutError::OutsideSlice));
        let before = (0..memory.len()).map(|place| T::at(start + place));
        assert!(before.eq(memory), "refused, and written");
        return;
    }
    copied.expect("the lengths are equal");
    for (&target, &source) in to.1.places.iter().zip(&from.1.places) {
        assert_eq!(memory[target - to_start], T::at(source), "in place");
    }
    seen_type::<A>("in place");
    seen_type::<B>("in place");
}
