//! The laws of one layout.

use std::collections::HashSet;

use xlayout::shape::Mode;
use xlayout::{
    Array, ArrayLayout, ArrayShape, DynCoordinates, DynLayout, SliceViewMut, StridedLayout,
};
use xlayout_model::{Model, indices};

/// The modes and the linear indices of a checked layout, with which others are compared.
pub(crate) struct Checked {
    pub(crate) modes: Vec<Mode>,
    /// Whether the table has merged coordinates.
    pub(crate) merged: bool,
    /// The linear index of each element, in row-major sequence.
    pub(crate) map: Vec<usize>,
}

/// Checks all laws that are about a single layout.
pub(crate) fn check(shape: &ArrayShape, thorough: bool) -> Checked {
    let layout = DynLayout::new(shape.clone()).unwrap_or_else(|error| panic!("{shape}: {error}"));
    let model = Model::new(shape);
    let sizes = layout.dims();
    let elements: Vec<DynCoordinates> = indices(sizes).map(|index| index[..].into()).collect();
    let map: Vec<usize> = elements.iter().map(|index| model.place(index)).collect();
    let places = model.places;
    assert_eq!(layout.buffer_len(), places, "{shape}");
    assert_eq!(layout.elements(), elements.len(), "{shape}");

    // Law 1: there and back, no two at one place, all of them allocated.
    let mut at_place: Vec<Option<&DynCoordinates>> = vec![None; places];
    for (index, &place) in elements.iter().zip(&map) {
        assert_eq!(layout.linear_index(index), place, "{shape} {index:?}");
        assert!(
            at_place[place].replace(index).is_none(),
            "{shape} {index:?} {place}"
        );
    }
    for (place, index) in at_place.iter().enumerate() {
        assert_eq!(
            layout.multi_index(place).as_ref(),
            *index,
            "{shape} place {place}"
        );
        debug_assert_eq!(
            model.element(place).as_deref(),
            index.map(|index| &index[..])
        );
    }
    assert_eq!(layout.multi_index(places), None, "{shape}");

    // Memory order is complete and increasing.
    let in_memory = at_place
        .iter()
        .enumerate()
        .filter_map(|(place, index)| Some(((*index)?, place)));
    let mut expected = in_memory.clone();
    layout.for_each_in_memory(|index, place| {
        assert_eq!(Some((index, place)), expected.next(), "{shape}");
    });
    assert_eq!(expected.next(), None, "{shape}");

    predicates(shape, &layout, &elements, &map);
    strides(shape, &layout, &elements, &map);
    // Law 2.
    let printed = shape.to_string();
    assert_eq!(printed.parse().as_ref(), Ok(shape));
    if thorough {
        iterators(shape, &layout, &elements, in_memory);
        narrow(&layout, &elements, &map);
        out_of_bounds(shape, &layout);
        memory(shape, &layout, &elements, &map);
        assert_eq!(printed.parse::<DynLayout>().expect("it was built"), layout);
    }
    Checked {
        modes: layout.mode_table().to_vec(),
        merged: !layout.terms().is_empty(),
        map,
    }
}

/// Density questions by brute force.
fn predicates(shape: &ArrayShape, layout: &DynLayout, elements: &[DynCoordinates], map: &[usize]) {
    let count = elements.len();
    let places: HashSet<usize> = elements.iter().map(|i| layout.linear_index(i)).collect();
    assert_eq!(layout.is_unique(), places.len() == count, "{shape}");
    let places = layout.buffer_len();
    assert_eq!(layout.is_exhaustive(), count == places, "{shape}");
    let span = map.iter().max().map_or(0, |last| last + 1);
    assert_eq!(layout.is_contiguous(), span == count, "{shape}");
    assert_eq!(layout.padding(), places - count, "{shape}");
    let waste = if places == 0 {
        1.0
    } else {
        places as f64 / count as f64
    };
    assert_eq!(layout.expansion_ratio(), waste, "{shape}");
    let bits = layout.element_bits();
    assert_eq!(layout.bytes(), (places * bits).div_ceil(8), "{shape}");
    assert_eq!(
        layout.bit_offset(places),
        (places * bits / 8, (places * bits % 8) as u32)
    );
}

/// Strides are right where they are given, and given where there are any.
fn strides(shape: &ArrayShape, layout: &DynLayout, elements: &[DynCoordinates], map: &[usize]) {
    let dot = |index: &DynCoordinates, strides: &[usize]| -> usize {
        index
            .iter()
            .zip(strides)
            .map(|(i, stride)| i * stride)
            .sum()
    };
    // A step along each dimension from the origin, if there are two.
    let step = |d: usize| {
        let one = |index: &DynCoordinates| {
            index
                .iter()
                .enumerate()
                .all(|(k, &i)| i == usize::from(k == d))
        };
        elements
            .iter()
            .position(one)
            .map_or(0, |number| map[number])
    };
    let steps: Vec<usize> = (0..layout.rank()).map(step).collect();
    let linear = |strides: &[usize]| {
        elements
            .iter()
            .zip(map)
            .all(|(i, &place)| dot(i, strides) == place)
    };
    match layout.strides() {
        Some(strides) => assert!(linear(&strides), "{shape} {strides:?}"),
        None => assert!(
            !layout.terms().is_empty() || !linear(&steps),
            "{shape} {steps:?}"
        ),
    }
    assert_eq!(layout.is_strided(), layout.strides().is_some());
}

/// The iterators give the results of the loops.
fn iterators<'a>(
    shape: &ArrayShape,
    layout: &DynLayout,
    elements: &[DynCoordinates],
    in_memory: impl Iterator<Item = (&'a DynCoordinates, usize)> + Clone,
) {
    let mut visited = Vec::new();
    layout.for_each_index(|index| visited.push(index.clone()));
    assert_eq!(visited, elements, "{shape}");
    let stepped = layout.indices();
    assert_eq!(stepped.len(), elements.len(), "{shape}");
    assert!(
        stepped
            .map(|index| index.coordinates().clone())
            .eq(elements.iter().cloned()),
        "{shape}"
    );
    let mut stepped = layout.indices_in_memory();
    assert_eq!(stepped.len(), elements.len(), "{shape}");
    for (index, place) in in_memory.clone() {
        let (found, linear) = stepped
            .next()
            .unwrap_or_else(|| panic!("{shape} ends before {index:?}"));
        assert_eq!(
            (found.coordinates(), linear.get()),
            (index, place),
            "{shape}"
        );
    }
    assert!(stepped.next().is_none(), "{shape}");
    let folded = layout
        .indices_in_memory()
        .fold(vec![], |mut all, (index, linear)| {
            all.push((index.coordinates().clone(), linear.get()));
            all
        });
    assert!(
        folded
            .into_iter()
            .eq(in_memory.map(|(i, place)| (i.clone(), place))),
        "{shape}"
    );
}

/// The arithmetic in 32 bits, and with known rank.
fn narrow(layout: &DynLayout, elements: &[DynCoordinates], map: &[usize]) {
    fn known<const N: usize>(layout: &DynLayout, elements: &[DynCoordinates], map: &[usize]) {
        let Ok(strided) = StridedLayout::<[usize; N]>::of(layout) else {
            assert!(!layout.is_strided(), "{layout}");
            return;
        };
        let narrow = strided.narrow();
        for (index, &place) in elements.iter().zip(map) {
            let index: [usize; N] = index[..].try_into().expect("the rank is known");
            assert_eq!(strided.linear_index(&index), place, "{layout}");
            // Strides of empty arrays may be too large for 32 bits.
            let narrow = narrow.as_ref().expect("the array is small");
            assert_eq!(
                narrow.linear_index(&index.map(|i| i as u32)),
                place as u32,
                "{layout}"
            );
        }
        for place in 0..=layout.buffer_len() {
            let expected = layout.multi_index(place);
            let found = strided.multi_index(place);
            assert_eq!(
                found.as_ref().map(|i| &i[..]),
                expected.as_deref(),
                "{layout} {place}"
            );
        }
        let mut visited = Vec::new();
        strided.for_each_in_memory(|index, place| visited.push((index.to_vec(), place)));
        let mut expected = Vec::new();
        layout.for_each_in_memory(|index, place| expected.push((index.to_vec(), place)));
        assert_eq!(visited, expected, "{layout}");
    }
    match layout.rank() {
        0 => known::<0>(layout, elements, map),
        1 => known::<1>(layout, elements, map),
        2 => known::<2>(layout, elements, map),
        3 => known::<3>(layout, elements, map),
        4 => known::<4>(layout, elements, map),
        _ => {}
    }
}

/// Out of bounds there is no answer, and no panic.
fn out_of_bounds(shape: &ArrayShape, layout: &DynLayout) {
    for d in 0..layout.rank() {
        for beyond in [layout.dims()[d], usize::MAX] {
            let mut index = vec![0; layout.rank()];
            index[d] = beyond;
            let index = DynCoordinates::from(&index[..]);
            assert!(!layout.in_bounds(&index), "{shape}");
            assert!(layout.index(index.clone()).is_err(), "{shape}");
            let _ = layout.linear_index(&index);
        }
    }
    for place in [layout.buffer_len() + 1, usize::MAX / 2, usize::MAX] {
        assert_eq!(layout.multi_index(place), None, "{shape}");
        assert!(layout.linear(place).is_err(), "{shape}");
    }
}

/// Views read and write the elements, and fill the padding without touching them.
fn memory(shape: &ArrayShape, layout: &DynLayout, elements: &[DynCoordinates], map: &[usize]) {
    let mut expected = vec![0xff; layout.buffer_len()];
    let values: Vec<u8> = (0..elements.len()).map(|number| number as u8).collect();
    for (&place, &value) in map.iter().zip(&values) {
        expected[place] = value;
    }
    let mut data = vec![0x77; layout.buffer_len()];
    let mut view = SliceViewMut::new(layout, &mut data[..]).expect("it is as long as it must be");
    view.copy_from_row_major(&values)
        .expect("there are as many");
    view.fill_padding_with(0xff);
    for (index, value) in elements.iter().zip(&values) {
        assert_eq!(view.get(index), Some(value), "{shape}");
    }
    let mut read = vec![0; values.len()];
    view.to_row_major(&mut read).expect("there are as many");
    assert_eq!((&read, &data), (&values, &expected), "{shape}");
    let zeros = Array::<u8, _>::zeros(layout).expect("it is u8");
    assert_eq!(zeros.memory(), vec![0; layout.buffer_len()], "{shape}");
}
