//! The kinds of random tests, for layouts that the run time knows.

use xlayout::types::Nat;
use xlayout::{
    Array, ArrayLayout, Coordinates, DynCoordinates, DynLayout, ElementType, StridedLayout,
    dtype::StoredAs,
};
use xlayout_model::{Model, indices};

use crate::any::{AnyArray, AnyArrayMut, at};
use crate::blocks::{blocks, in_blocks, transposed};
use crate::casts::casts;
use crate::cells::Cells;
use crate::check::{Value, check_array, check_layout, check_memory, write, written};
use crate::copies::{copies, from_part, in_place_of, to_part};
use crate::coverage::seen_type;
use crate::packed::packed;
use crate::parts::{broadcast, in_dimension, read_parts, write_parts};
use crate::random::Case;
use crate::trail;
use crate::typed::typed;

/// Each kind of case. A new kind of layout, array or operation gets its cases here or in one of
/// these.
pub(crate) const KINDS: [(&str, fn(&mut Case)); 9] = [
    ("layouts", layouts),
    ("parts", parts),
    ("bytes", bytes),
    ("strides", strides),
    ("blocks", blocks),
    ("packed", packed),
    ("typed", typed),
    ("copies", copies),
    ("casts", casts),
];

/// The cells of a layout that XLA's text describes.
pub(crate) fn cells_of<L: ArrayLayout>(layout: &L) -> Cells {
    let merges = layout.modes().any(|mode| mode.dim >= layout.rank());
    Cells::of(&Model::new(&layout.array_shape()), merges)
}

/// An array with a layout, its parts, and their parts: read, copied and written.
pub(crate) fn whole<L, T>(layout: &L, cells: &Cells, case: &mut Case)
where
    L: ArrayLayout<Type: StoredAs<T>>,
    T: Value,
{
    let mut expected: Vec<T> = (0..cells.memory).map(T::at).collect();
    let mut array =
        Array::new(layout.clone(), expected.clone()).expect("the model knows the length");
    read_parts(&array.as_view(), cells, case, 3);
    let put = write_parts(&mut array.as_view_mut(), cells, case, 3);
    put.into_iter()
        .for_each(|(place, value)| expected[place] = value);
    check_memory(array.memory(), &expected);
    array.fill_padding_with(written(3));
    if layout.owns_padding() {
        let padding = (0..cells.memory).filter(|place| !cells.places.contains(place));
        padding.for_each(|place| expected[place] = written(3));
    }
    check_memory(array.memory(), &expected);
}

/// An array in every kind of memory, and with a type of its own.
fn memories(layout: &DynLayout, cells: &Cells, case: &mut Case) {
    let mut expected: Vec<i32> = (0..cells.memory).map(i32::at).collect();
    let mut array = Array::new(layout, expected.clone()).expect("the model knows the length");
    match case.below(5) {
        0 => read_whole(&array, cells, case),
        1 => read_whole(&array.as_slice_view(), cells, case),
        2 => read_whole(&array.as_slice_view_mut(), cells, case),
        3 => read_whole(&array.as_view_mut(), cells, case),
        _ => xlayout::branded(layout, |layout| {
            whole::<_, i32>(&layout, cells, case);
            let view = xlayout::SliceView::new(layout, array.memory()).expect("it is long enough");
            broadcast(&view, cells, case);
        }),
    }
    let put = match case.below(4) {
        0 => write(&mut array, cells, case.below(6)),
        1 => to_part(&mut array, cells, case),
        2 => write(&mut array.as_slice_view_mut(), cells, case.below(6)),
        _ => to_part(&mut array.as_view_mut(), cells, case),
    };
    put.into_iter()
        .for_each(|(place, value)| expected[place] = value);
    check_memory(array.memory(), &expected);
}

pub(crate) fn write_or_copy(
    array: &mut dyn AnyArrayMut<i32>,
    cells: &Cells,
    case: &mut Case,
) -> Vec<(usize, i32)> {
    match case.chance(50) {
        true => write(array, cells, case.below(6)),
        false => to_part(array, cells, case),
    }
}

pub(crate) fn read_whole(array: &dyn AnyArray<i32>, cells: &Cells, case: &mut Case) {
    check_array(array, cells);
    from_part(array, cells, case);
}

/// Layouts of every rank, as every type that can be one.
fn layouts(case: &mut Case) {
    fn ranked<const N: usize>(layout: &DynLayout, cells: &Cells) {
        let of_rank = layout.clone().ranked::<N>().expect("the rank is N");
        check_layout(&of_rank, cells);
        check_layout(&&of_rank, cells);
        assert!(layout.clone().ranked::<9>().is_err());
        let strided = match StridedLayout::<[usize; N]>::of(layout) {
            Ok(strided) => strided,
            Err(_) => {
                return assert!(
                    cells.merges || cells.strides().is_none(),
                    "there are strides"
                );
            }
        };
        check_layout(&strided, cells);
        let narrow = strided.narrow().expect("the array is small");
        seen_type::<StridedLayout<[u32; N]>>("index");
        for index in indices(&cells.sizes) {
            let at: [u32; N] = std::array::from_fn(|d| index[d] as u32);
            assert_eq!(
                narrow.linear_index(&at) as usize,
                cells.place(&index),
                "32 bits, {index:?}"
            );
        }
    }
    let rank = if case.chance(3) {
        17 + case.below(4)
    } else {
        case.below(9)
    };
    let sizes = case.sizes(rank);
    let element_type = case.pick(&[
        ElementType::F32,
        ElementType::U8,
        ElementType::S4,
        ElementType::Pred,
    ]);
    let bits = case.pick(&[None, None, Some(4), Some(12), Some(32)]);
    let (layout, model) = case.layout_of(element_type, &sizes, bits);
    let cells = Cells::of(&model, !layout.terms().is_empty());
    assert_eq!(
        (layout.element_bits(), layout.bytes()),
        (model.bits, model.bytes())
    );
    check_layout(&layout, &cells);
    check_layout(&&layout, &cells);
    xlayout::branded(&layout, |layout| check_layout(&layout, &cells));
    match rank {
        0 => ranked::<0>(&layout, &cells),
        1 => ranked::<1>(&layout, &cells),
        2 => ranked::<2>(&layout, &cells),
        3 => ranked::<3>(&layout, &cells),
        4 => ranked::<4>(&layout, &cells),
        5 => ranked::<5>(&layout, &cells),
        6 => ranked::<6>(&layout, &cells),
        _ => {}
    }
}

pub(crate) fn random<T: Value>(rank: usize, case: &mut Case) -> (DynLayout, Cells)
where
    T::Type: xlayout::dtype::DType,
{
    let sizes = case.sizes(rank);
    let (layout, model) = case.layout_of(<T::Type as xlayout::dtype::DType>::TYPE, &sizes, None);
    let cells = Cells::of(&model, !layout.terms().is_empty());
    (layout, cells)
}

/// Arrays of `i32` with layouts that the run time knows.
fn parts(case: &mut Case) {
    match case.below(10) {
        0..=3 => {
            let rank = case.below(7);
            let (layout, cells) = random::<i32>(rank, case);
            whole::<_, i32>(&layout, &cells, case);
            let array = Array::new(layout.clone(), (0..cells.memory).map(i32::at).collect())
                .expect("it is long enough");
            broadcast(&array, &cells, case);
            let sizes: Vec<usize> = cells.sizes.iter().map(|&n| n.min(1)).collect();
            let origin = vec![0; rank];
            if let Ok(part) =
                array.region(at::<DynCoordinates>(&origin), at::<DynCoordinates>(&sizes))
            {
                broadcast(&part, &cells.region(&origin, &sizes), case);
            }
            slice(&array, &cells, case);
            two(&layout, &cells, case);
            memories(&layout, &cells, case);
        }
        4 => {
            let rank = case.below(5);
            let (layout, cells) = random::<i32>(rank, case);
            whole::<_, i32>(&&layout, &cells, case);
            let array = Array::new(&layout, (0..cells.memory).map(i32::at).collect())
                .expect("it is long enough");
            broadcast(&array, &cells, case);
        }
        5 | 6 => ranked::<2>(case),
        7 => ranked::<3>(case),
        8 => ranked::<1>(case),
        _ => {
            let (layout, cells) = random::<i32>(2, case);
            if let Ok(layout) = StridedLayout::<[usize; 2]>::of(&layout) {
                whole::<_, i32>(&layout, &cells, case);
                let array = Array::new(layout, (0..cells.memory).map(i32::at).collect())
                    .expect("it is long enough");
                broadcast(&array, &cells, case);
            }
        }
    }
}

fn ranked<const N: usize>(case: &mut Case) {
    let (layout, cells) = random::<i32>(N, case);
    let layout = layout.ranked::<N>().expect("the rank is N");
    match case.chance(50) {
        true => whole::<_, i32>(&layout, &cells, case),
        false => whole::<_, i32>(&&layout, &cells, case),
    }
    let values = (0..cells.memory).map(i32::at).collect();
    let array = Array::new(&layout, values).expect("it is long enough");
    broadcast(&array, &cells, case);
    let values = array.into_vec();
    let array = Array::new(layout, values).expect("it is long enough");
    broadcast(&array, &cells, case);
}

/// In place, between two kinds of layouts.
fn two(layout: &DynLayout, cells: &Cells, case: &mut Case) {
    let (other, model) = case.layout_of(ElementType::S32, &cells.sizes, None);
    in_place_of::<_, _, i32>((layout, cells), (&other, &Cells::of(&model, false)));
    in_place_of::<_, _, i32>((&layout, cells), (&&other, &Cells::of(&model, false)));
    let array = Array::new(layout.clone(), (0..cells.memory).map(i32::at).collect())
        .expect("it is long enough");
    let ranges: Vec<_> = cells.sizes.iter().map(|&n| case.range(n)).collect();
    let origin: Vec<_> = ranges.iter().map(|range| range.start).collect();
    let sizes: Vec<_> = ranges.iter().map(|range| range.len()).collect();
    if let Ok(part) = array.region(at::<DynCoordinates>(&origin), at::<DynCoordinates>(&sizes)) {
        let cells = cells.region(&origin, &sizes);
        in_place_of::<_, _, i32>((part.layout(), &cells), (part.layout(), &cells));
        let (other, model) = case.layout_of(ElementType::S32, &sizes, None);
        in_place_of::<_, _, i32>((part.layout(), &cells), (&other, &Cells::of(&model, false)));
    }
    if cells.sizes.len() == 2 {
        let ranked = layout.clone().ranked::<2>().expect("the rank is 2");
        in_place_of::<_, _, i32>((&ranked, cells), (&other, &Cells::of(&model, false)));
        let array = Array::new(ranked, (0..cells.memory).map(i32::at).collect())
            .expect("it is long enough");
        let [m, n] = ArrayLayout::shape(array.layout());
        if let (Ok(rows), Ok(columns)) =
            (array.with_step::<0>(.., -1), array.with_step::<1>(.., -1))
        {
            let reversed = |size: usize| (0..size).rev().collect::<Vec<_>>();
            let rows_cells = cells.with(0, &reversed(m));
            let columns_cells = cells.with(1, &reversed(n));
            in_place_of::<_, _, i32>(
                (rows.layout(), &rows_cells),
                (columns.layout(), &columns_cells),
            );
            let forwards = array.with_step::<0>(.., 1).expect("there are strides");
            in_place_of::<_, _, i32>(
                (rows.layout(), &rows_cells),
                (
                    forwards.layout(),
                    &cells.with(0, &(0..m).collect::<Vec<_>>()),
                ),
            );
        }
    }
}

/// A slice of the most major dimension is an array of its own.
fn slice<T: Value>(array: &Array<T, DynLayout>, cells: &Cells, case: &mut Case) {
    if cells.sizes.is_empty() {
        return;
    }
    let dim = case.below(cells.sizes.len().min(3));
    let range = case.range(cells.sizes[dim]);
    trail(|| format!("slice {range:?} of dimension {dim}"));
    let coordinates: Vec<usize> = range.clone().collect();
    if let Ok(part) = in_dimension!(dim, DIM => array.as_view().into_slice::<DIM>(range)) {
        seen_type::<DynLayout>("slice");
        read_parts(&part, &cells.with(dim, &coordinates), case, 1);
    }
}

/// Arrays of bytes: other widths are copied by other kernels.
fn bytes(case: &mut Case) {
    let rank = case.below(5);
    let (layout, cells) = random::<u8>(rank, case);
    whole::<_, u8>(&layout, &cells, case);
}

/// A transpose and a reshape of an array of strides, to another one: each is a bitcast exactly
/// where no element moves.
fn casts_of<L: ArrayLayout>(
    array: &Array<i32, L>,
    signed: Vec<isize>,
    cells: &Cells,
    case: &mut Case,
) {
    type Of = StridedLayout<DynCoordinates, isize>;
    // The strides of an array without elements mean nothing.
    if cells.places.is_empty() {
        return;
    }
    let permutation = case.permutation(signed.len());
    trail(|| format!("permutation {permutation:?} of strides {signed:?}"));
    let taken = |turned: Option<usize>| {
        let sizes: Vec<usize> = permutation.iter().map(|&d| cells.sizes[d]).collect();
        let strides = permutation
            .iter()
            .map(|&d| signed[d] * if turned == Some(d) { -1 } else { 1 });
        let strides: Vec<isize> = strides.collect();
        Of::new::<i32>(at(&sizes), &strides[..]).expect("no two overlap")
    };
    let view = array.as_view();
    let same = taken(None);
    if let Ok(found) = view.clone().try_transpose(&permutation[..], same.clone()) {
        seen_type::<L>("transpose");
        check_array(&found, &cells.permuted(&permutation));
    } else {
        assert_ne!(
            same.buffer_len(),
            array.layout().buffer_len(),
            "nothing moves"
        );
    }
    if let Some(d) = (0..signed.len()).find(|&d| cells.sizes[d] > 1) {
        let turned = view.clone().try_transpose(&permutation[..], taken(Some(d)));
        assert!(turned.is_err(), "dimension {d} is reversed");
    }
    // One dimension more, or two that are one.
    let mut sizes = cells.sizes.clone();
    let mut strides = signed;
    if case.chance(50) {
        let k = case.below(sizes.len() + 1);
        sizes.insert(k, 1);
        strides.insert(k, 0);
    } else if let Some(k) = (1..sizes.len()).find(|&k| {
        sizes[k] > 1 && strides[k - 1] == strides[k] * sizes[k] as isize && sizes[k - 1] > 1
    }) {
        sizes[k - 1] *= sizes.remove(k);
        strides[k - 1] = strides.remove(k);
    }
    let Ok(other) = Of::new::<i32>(at(&sizes), &strides[..]) else {
        return;
    };
    if let Ok(found) = view.try_reshape(other.clone()) {
        seen_type::<L>("reshape");
        check_array(&found, &cells.reshaped(sizes));
    } else {
        assert_ne!(
            other.buffer_len(),
            array.layout().buffer_len(),
            "nothing moves"
        );
    }
}

/// Sizes and strides from elsewhere, of either sign: with gaps, and in any sequence.
fn strides(case: &mut Case) {
    let rank = case.below(5);
    let sizes = case.sizes(rank);
    let mut strides = vec![0; rank];
    let mut reached = 0;
    for d in case.permutation(rank) {
        let gap = if case.chance(50) { 0 } else { case.below(4) };
        strides[d] = match sizes[d] {
            // Not looked at.
            0 | 1 => case.below(50) as isize,
            _ => (reached + 1 + gap) as isize,
        };
        reached += sizes[d].saturating_sub(1) * strides[d] as usize;
    }
    let mut signed = strides.clone();
    for stride in &mut signed {
        if case.chance(50) {
            *stride = -*stride;
        }
    }
    trail(|| format!("sizes {sizes:?}, strides {strides:?} or {signed:?}"));
    let memory = if sizes.contains(&0) { 0 } else { reached + 1 };
    let cells = |strides: &[isize]| {
        let below = |d: usize| {
            if sizes[d] > 1 {
                (strides[d].min(0) * (sizes[d] as isize - 1)).unsigned_abs()
            } else {
                0
            }
        };
        let origin: usize = (0..rank).map(below).sum();
        let place = |index: Vec<usize>| {
            let steps = index
                .iter()
                .zip(strides)
                .map(|(&i, stride)| i as isize * stride);
            origin.wrapping_add_signed(steps.sum())
        };
        Cells {
            sizes: sizes.clone(),
            places: indices(&sizes).map(place).collect(),
            memory,
            whole: true,
            merges: false,
        }
    };
    fn of<C: Coordinates>(
        sizes: &[usize],
        strides: &[isize],
        signed: &[isize],
        cells: [Cells; 2],
        case: &mut Case,
    ) {
        let [forwards, backwards] = &cells;
        let gapped = StridedLayout::<C, isize>::new::<i32>(at(sizes), strides)
            .and_then(StridedLayout::forwards)
            .expect("no two overlap");
        whole::<_, i32>(&gapped, forwards, case);
        let array = Array::new(gapped.clone(), (0..forwards.memory).map(i32::at).collect())
            .expect("it is long enough");
        broadcast(&array, forwards, case);
        let layout =
            StridedLayout::<C, isize>::new::<i32>(at(sizes), signed).expect("no two overlap");
        whole::<_, i32>(&layout, backwards, case);
        let array = Array::new(layout.clone(), (0..backwards.memory).map(i32::at).collect())
            .expect("it is long enough");
        broadcast(&array, backwards, case);
        casts_of(&array, layout.signed_strides().collect(), backwards, case);
        let values = (0..forwards.memory).map(i32::at).collect();
        if let Ok(array) = Array::new(gapped.clone(), values) {
            casts_of(&array, gapped.signed_strides().collect(), forwards, case);
        }
        in_place_of::<_, _, i32>((&gapped, forwards), (&layout, backwards));
        in_place_of::<_, _, i32>((&layout, backwards), (&gapped, forwards));
    }
    let both = [cells(&strides), cells(&signed)];
    if rank == 2 {
        let sizes: [usize; 2] = at(&sizes);
        let layout = StridedLayout::new::<i32>(sizes, &signed[..]).expect("no two overlap");
        let mut array =
            Array::new(layout, (0..memory).map(i32::at).collect()).expect("it is long enough");
        transposed(&array, &both[1]);
        in_blocks::<(Nat<2>, Nat<2>), _, _, 2>(&mut array, &both[1], case);
    }
    if rank == 2 {
        of::<[usize; 2]>(&sizes, &strides, &signed, both, case);
    } else {
        of::<DynCoordinates>(&sizes, &strides, &signed, both, case);
    }
}
