//! The results of every layout and every array, compared with the model.

use std::fmt::Debug;

use xlayout::Element;
use xlayout_model::{Operation, indices};

use crate::any::{AnyArray, AnyArrayMut, AnyLayout, AnyPacked, AnyPackedMut, Visit};
use crate::cells::Cells;
use crate::coverage::{seen, seen_memory};

/// An element whose value is its position.
pub(crate) trait Value: Element + PartialEq + Debug + Send + Sync {
    fn at(place: usize) -> Self;
}

impl Value for i32 {
    fn at(place: usize) -> Self {
        place as i32 + 1000
    }
}

impl Value for u8 {
    fn at(place: usize) -> Self {
        (place as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .to_be_bytes()[1]
    }
}

/// The memory of the whole is as expected.
pub(crate) fn check_memory<T: PartialEq + Debug>(found: &[T], expected: &[T]) {
    assert_eq!(found.len(), expected.len(), "the length of the memory");
    let differs = (0..found.len()).find(|&place| found[place] != expected[place]);
    if let Some(place) = differs {
        panic!(
            "place {place} has {:?}, expected {:?}",
            found[place], expected[place]
        );
    }
}

/// The written value, not the one before.
pub(crate) fn written<T: Value>(k: usize) -> T {
    T::at(1_000_003 + 7 * k)
}

/// Every answer of a layout that is about indices. `cells` are of an array in whose memory the
/// layout's linear index 0 is somewhere.
pub(crate) fn check_layout(layout: &dyn AnyLayout, cells: &Cells) {
    seen(layout.name(), "index");
    let count = cells.places.len();
    let [rank, elements, places, bytes, bits, padding] = layout.numbers();
    assert_eq!(
        (rank, elements),
        (cells.sizes.len(), count),
        "rank and elements"
    );
    assert_eq!(layout.sizes(), cells.sizes, "sizes");
    let bounds: Vec<_> = layout.shape().dims.iter().map(|dim| dim.bound()).collect();
    assert!(
        bounds
            .iter()
            .zip(&cells.sizes)
            .all(|(of, &n)| *of == Some(n as i64)),
        "shape"
    );

    let all: Vec<Vec<usize>> = indices(&cells.sizes).collect();
    let linear: Vec<usize> = all.iter().map(|index| layout.linear_index(index)).collect();
    let base = linear
        .first()
        .map_or(0, |first| cells.places[0].wrapping_sub(*first));
    for ((index, &linear), &place) in all.iter().zip(&linear).zip(&cells.places) {
        assert_eq!(base.wrapping_add(linear), place, "place of {index:?}");
        assert!(
            linear < places && layout.in_bounds(index),
            "bounds of {index:?}"
        );
        assert_eq!(
            layout.typed_index(index),
            Some(linear),
            "typed index {index:?}"
        );
    }
    // Unchecked access relies on this: a part is inside the memory of the whole.
    assert!(
        base.wrapping_add(places) <= cells.memory || count == 0,
        "{base} + {places} of {}",
        cells.memory
    );
    assert!(
        !cells.whole || places == cells.memory,
        "{places} of {} places",
        cells.memory
    );
    assert_eq!(bytes, (places * bits).div_ceil(8), "bytes");
    let [unique, exhaustive, contiguous, _] = layout.is();
    assert!(
        cells.is_unique() || !unique,
        "several elements have one place"
    );

    // The inverse, also in padding and beyond the end.
    let mut expected: Vec<Option<&Vec<usize>>> = vec![None; places];
    for (index, &linear) in all.iter().zip(&linear).rev() {
        expected[linear] = Some(index);
    }
    for beyond in [0, 1, places + 7, usize::MAX / 2, usize::MAX - places] {
        assert_eq!(
            layout.multi_index(places + beyond),
            None,
            "index of {places} + {beyond}"
        );
    }
    for (place, expected) in expected.iter().enumerate() {
        assert_eq!(
            layout.multi_index(place).as_ref(),
            *expected,
            "index of linear index {place}"
        );
        assert_eq!(
            layout.has_linear(place),
            expected.is_some(),
            "typed linear index {place}"
        );
        assert_eq!(
            layout.bit_offset(place),
            (place * bits / 8, (place * bits % 8) as u32),
            "bit offset"
        );
    }
    for d in 0..rank {
        for beyond in [cells.sizes[d], usize::MAX] {
            let mut index = vec![0; rank];
            index[d] = beyond;
            assert!(!layout.in_bounds(&index), "{index:?} is out of bounds");
            assert_eq!(
                layout.typed_index(&index),
                None,
                "{index:?} is out of bounds"
            );
        }
    }

    strides(layout, cells, &all, &linear);
    sequences(layout, &all, &linear);
    // Elements without a gap from linear index 0 on; a repeated dimension has several at one place.
    let span = linear.iter().max().map_or(0, |last| last + 1);
    let dense = cells.is_unique() && (span == count || places == count);
    let used = cells.used();
    assert_eq!(
        (contiguous, exhaustive, padding),
        (dense, places == used, places - used),
        "contiguous, exhaustive, padding"
    );
}

/// Strides, and the modes, give the same linear indices.
fn strides(layout: &dyn AnyLayout, cells: &Cells, all: &[Vec<usize>], linear: &[usize]) {
    let rank = cells.sizes.len();
    let reversed = (0..rank).any(|d| layout.is_reversed(d));
    assert_eq!(layout.is()[3], layout.strides().is_some());
    match layout.strides() {
        Some(strides) => {
            for (index, &linear) in all.iter().zip(linear) {
                let sum: usize = index
                    .iter()
                    .zip(&strides)
                    .map(|(i, stride)| i * stride)
                    .sum();
                assert_eq!(sum, linear, "strides {strides:?}, {index:?}");
            }
        }
        // An array without elements may have strides or none.
        None => assert!(
            reversed || cells.merges || all.is_empty() || cells.strides().is_none(),
            "there are strides"
        ),
    }
    let modes = layout.modes();
    if reversed || modes.iter().any(|mode| mode.dim >= rank) {
        return;
    }
    for (index, &linear) in all.iter().zip(linear) {
        let digit = |mode: &xlayout::shape::Mode| {
            let digit = index[mode.dim] / mode.divisor;
            (if mode.top { digit } else { digit % mode.size }) * mode.stride
        };
        assert_eq!(
            modes.iter().map(digit).sum::<usize>(),
            linear,
            "modes, {index:?}"
        );
    }
}

/// Visits in the sequence of the indices, and in that of memory.
fn sequences(layout: &dyn AnyLayout, all: &[Vec<usize>], linear: &[usize]) {
    for visited in layout.visited() {
        assert_eq!(visited, all, "logical sequence");
    }
    let mut expected: Vec<Visit> = linear.iter().copied().zip(all.iter().cloned()).collect();
    expected.sort_unstable();
    let [visited, stepped, rest] = layout.in_memory();
    let of_rest: Vec<Visit> = stepped.iter().skip(1).cloned().collect();
    assert_eq!(rest, of_rest, "memory, all but the first");
    for mut visits in [visited, stepped] {
        assert!(
            visits.windows(2).all(|pair| pair[0].0 <= pair[1].0),
            "the sequence of memory rises"
        );
        // Several indices of one element are visited in any sequence.
        visits.sort_unstable();
        assert_eq!(visits, expected, "memory");
    }
}

/// Every element of an array or a part, read in every way.
pub(crate) fn check_array<T: Value>(array: &dyn AnyArray<T>, cells: &Cells) {
    seen_memory(array.memory_name(), "read");
    check_layout(array.any_layout(), cells);
    let values: Vec<T> = cells.places.iter().map(|&place| T::at(place)).collect();
    for (index, value) in indices(&cells.sizes).zip(&values) {
        assert_eq!(array.get(&index), Some(*value), "element {index:?}");
    }
    for all in array.all() {
        assert_eq!(all, values, "all elements");
    }
    seen(array.any_layout().name(), "copy");
    let layout = array.any_layout();
    let places = if layout.owns_padding() {
        layout.numbers()[2]
    } else {
        values.len()
    };
    assert_eq!(array.places_of_copy(), places, "places of a copy");
    let [indexed, mut visited] = array.indexed();
    visited.sort_by(|a, b| a.0.cmp(&b.0));
    let expected: Vec<_> = indices(&cells.sizes).zip(values).collect();
    assert_eq!(indexed, expected, "indexed_iter");
    assert_eq!(visited, expected, "for_each");
    for (d, &size) in cells.sizes.iter().enumerate() {
        let mut beyond = vec![0; cells.sizes.len()];
        beyond[d] = size;
        assert_eq!(array.get(&beyond), None, "{beyond:?} is out of bounds");
    }
    slice(array, cells);
}

/// The memory is a slice if all of it is the array's, or if it is that of a part whose elements are
/// all of it, one for each index.
fn slice<T: Value>(array: &dyn AnyArray<T>, cells: &Cells) {
    let layout = array.any_layout();
    let [unique, ..] = layout.is();
    let [_, count, places, ..] = layout.numbers();
    let (owns_memory, slice) = array.slice();
    let all = unique && cells.used() == places;
    assert_eq!(slice.is_some(), owns_memory || all, "as_slice");
    let Some(slice) = slice else { return };
    assert_eq!(slice.len(), places, "as_slice");
    if !owns_memory {
        assert_eq!(count, places, "as_slice has each element once");
        let first = cells.places.iter().min().copied().unwrap_or(0);
        let expected: Vec<T> = (first..first + places).map(T::at).collect();
        assert_eq!(slice, expected, "as_slice");
    }
}

/// The number of an element in the sequence of the indices.
fn number(cells: &Cells, index: &[usize]) -> usize {
    let digits = index.iter().zip(&cells.sizes);
    digits.fold(0, |number, (i, size)| number * size + i)
}

/// The way to write by lines as slices.
pub(crate) const LINES: usize = 4;

/// Writes every element of an array or a part, in one of the ways. The answer is what has to be in
/// the memory of the whole.
pub(crate) fn write<T: Value>(
    array: &mut dyn AnyArrayMut<T>,
    cells: &Cells,
    way: usize,
) -> Vec<(usize, T)> {
    seen(array.any_layout().name(), "writes");
    seen_memory(array.memory_name(), "written");
    let mut values: Vec<T> = (0..cells.places.len()).map(written).collect();
    match way % 6 {
        0 => array.visit(&mut |index, value| *value = values[number(cells, index)]),
        1 => {
            for (index, value) in indices(&cells.sizes).zip(&values) {
                assert!(array.set(&index, *value), "{index:?} is in bounds");
            }
        }
        2 => array.set_all(&values),
        3 => array
            .copy_from_row_major(&values)
            .expect("there are as many"),
        LINES => {
            // Where no dimension has adjacent elements, in another way.
            let lines = |dim: &usize| array.set_lines(*dim, &values).is_ok();
            match (0..cells.sizes.len().min(3)).find(lines) {
                Some(_) => seen(array.any_layout().name(), Operation::Slices.column()),
                None => array.set_all(&values),
            }
        }
        _ => {
            values.fill(written(0));
            array.fill(written(0));
        }
    }
    cells.places.iter().copied().zip(values).collect()
}

/// The bits of a packed element whose value is its position.
pub(crate) fn packed_value(place: usize, bits: usize) -> u8 {
    u8::at(place) & ((1 << bits) - 1)
}

/// Every element of a packed array or part.
pub(crate) fn check_packed(array: &dyn AnyPacked, cells: &Cells) {
    let layout = array.any_layout();
    check_layout(layout, cells);
    seen(layout.name(), "packed");
    seen_memory(array.memory_name(), "packed");
    let bits = layout.numbers()[4];
    let has_sign = layout.shape().element_type.to_string().starts_with('s');
    let number = |value: u8| match has_sign {
        true => ((value << (8 - bits)) as i8) >> (8 - bits),
        false => value as i8,
    };
    let values: Vec<u8> = cells
        .places
        .iter()
        .map(|&place| packed_value(place, bits))
        .collect();
    for (index, &value) in indices(&cells.sizes).zip(&values) {
        assert_eq!(
            array.get(&index),
            (Some(value), Some(number(value))),
            "element {index:?}"
        );
    }
    let values: Vec<i8> = values.into_iter().map(number).collect();
    for all in array.all() {
        assert_eq!(all, values, "all elements");
    }
    let [indexed, mut visited] = array.indexed();
    visited.sort_unstable();
    let expected: Vec<_> = indices(&cells.sizes).zip(values).collect();
    assert_eq!(indexed, expected, "indexed_iter");
    assert_eq!(visited, expected, "for_each");
}

/// Writes every element of a packed array or part.
pub(crate) fn write_packed(
    array: &mut dyn AnyPackedMut,
    cells: &Cells,
    way: usize,
) -> Vec<(usize, u8)> {
    let mask = (1 << array.element_bits()) - 1;
    let mut values: Vec<u8> = (0..cells.places.len())
        .map(|k| (5 * k + 3) as u8 & mask)
        .collect();
    match way % 4 {
        0 => {
            for (index, &value) in indices(&cells.sizes).zip(&values) {
                // Higher bits are dropped.
                let number = (value | !mask) as i8;
                assert!(array.set(&index, number), "{index:?} is in bounds");
            }
        }
        1 => array.visit(&mut |index, value| *value = values[number(cells, index)] as i8),
        2 => {
            let numbers: Vec<i8> = values.iter().map(|&value| value as i8).collect();
            let copied = array.copy_from_row_major(&numbers);
            copied.expect("there are as many");
        }
        _ => {
            values.fill(1);
            array.fill(1);
        }
    }
    cells.places.iter().copied().zip(values).collect()
}
