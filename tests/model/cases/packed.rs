//! Arrays of elements narrower than a byte.

use xlayout::types::nat;
use xlayout::{Array, ArrayLayout, DynLayout, ElementType, Packed};

use crate::cells::{Cells, check_apart};
use crate::check::{check_memory, check_packed, packed_value, write_packed};
use crate::parts::{in_dimension, read_packed_parts, write_packed_parts};
use crate::random::Case;
use crate::rows::of_packed_rows;
use crate::trail;

/// Packed arrays and their parts.
pub(crate) fn packed(case: &mut Case) {
    let (name, bits) = case.pick(&[
        ("s4", 4),
        ("u4", 4),
        ("u2", 2),
        ("s2", 2),
        ("u1", 1),
        ("s1", 1),
    ]);
    let rank = case.below(5);
    let sizes = case.sizes(rank);
    let element_type: ElementType = name.parse().expect("it is a type");
    let (layout, model) = case.layout_of(element_type, &sizes, Some(bits as i64));
    let cells = Cells::of(&model, !layout.terms().is_empty());
    of_packed(&layout, &cells, case);
    if rank == 2 {
        let layout = layout.ranked::<2>().expect("the rank is 2");
        of_packed(&layout, &cells, case);
        packed_blocks(&layout, &cells, case);
        packed_rows(&layout, &cells, case);
    } else if rank > 0 {
        let array = packed_array(&layout, &cells);
        let dim = case.below(rank.min(3));
        let range = case.range(sizes[dim]);
        let coordinates: Vec<usize> = range.clone().collect();
        trail(|| format!("slice {range:?} of dimension {dim}"));
        let view: xlayout::SliceView<'_, Packed, DynLayout> = (&array).into();
        if let Ok(part) = in_dimension!(dim, DIM => view.into_slice::<DIM>(range)) {
            check_packed(&part, &cells.with(dim, &coordinates));
        }
    }
}

/// The bytes of packed elements whose values are their positions.
fn packed_memory(places: usize, bits: usize, value: impl Fn(usize) -> u8) -> Vec<u8> {
    let mut bytes = vec![0; (places * bits).div_ceil(8)];
    for place in 0..places {
        bytes[place * bits / 8] |= value(place) << (place * bits % 8);
    }
    bytes
}

fn packed_array<L: ArrayLayout>(layout: &L, cells: &Cells) -> Array<Packed, L> {
    let bits = layout.element_bits();
    let memory = packed_memory(cells.memory, bits, |place| packed_value(place, bits));
    Array::packed(layout.clone(), memory).expect("the model knows the length")
}

pub(crate) fn of_packed<L: ArrayLayout>(layout: &L, cells: &Cells, case: &mut Case) {
    let bits = layout.element_bits();
    let mut array = packed_array(layout, cells);
    check_packed(&array, cells);
    read_packed_parts(&array.as_view(), cells, case, 3);
    let unit = cells.sizes.first() == Some(&1);
    if let (true, Ok(rows)) = (unit, array.broadcast::<0>(3)) {
        check_packed(&rows, &cells.with(0, &[0, 0, 0]));
    }
    let put = match case.chance(30) {
        true => write_packed(&mut array, cells, case.below(4)),
        false => write_packed_parts(&mut array.as_view_mut(), cells, case, 3),
    };
    let mut expected: Vec<u8> = (0..cells.memory)
        .map(|place| packed_value(place, bits))
        .collect();
    put.into_iter()
        .for_each(|(place, value)| expected[place] = value);
    let bytes = packed_memory(cells.memory, bits, |place| expected[place]);
    check_memory(array.as_bytes(), &bytes);
    array.fill_padding_with(1);
    if layout.owns_padding() {
        let padding = (0..cells.memory).filter(|place| !cells.places.contains(place));
        padding.for_each(|place| expected[place] = 1);
    }
    let bytes = packed_memory(cells.memory, bits, |place| expected[place]);
    let used = cells.memory * bits / 8;
    check_memory(&array.as_bytes()[..used], &bytes[..used]);
}

/// The bytes of an array have what was put into it.
fn check_put(array: &Array<Packed, DynLayout<[usize; 2]>>, cells: &Cells, put: Vec<(usize, u8)>) {
    let bits = array.layout().element_bits();
    let places = 0..cells.memory;
    let mut expected: Vec<u8> = places.map(|place| packed_value(place, bits)).collect();
    put.into_iter()
        .for_each(|(place, value)| expected[place] = value);
    let bytes = packed_memory(cells.memory, bits, |place| expected[place]);
    check_memory(array.as_bytes(), &bytes);
}

/// The rows of a matrix, and of every second or third row of it.
fn packed_rows(layout: &DynLayout<[usize; 2]>, cells: &Cells, case: &mut Case) {
    let mut array = packed_array(layout, cells);
    let put = of_packed_rows(&mut array, cells, case);
    check_put(&array, cells, put);
    let mut array = packed_array(layout, cells);
    let step = 1 + case.below(4);
    let rows: Vec<usize> = (0..cells.sizes[0]).step_by(step).collect();
    if let Ok(mut part) = array.with_step_mut::<0>(.., step as isize) {
        trail(|| format!("every row number {step}"));
        let put = of_packed_rows(&mut part, &cells.with(0, &rows), case);
        check_put(&array, cells, put);
    }
    let mut array = packed_array(layout, cells);
    let columns: Vec<usize> = (0..cells.sizes[1]).rev().step_by(step).collect();
    if let Ok(mut part) = array.with_step_mut::<1>(.., -(step as isize)) {
        trail(|| format!("every column number -{step}"));
        let put = of_packed_rows(&mut part, &cells.with(1, &columns), case);
        check_put(&array, cells, put);
    }
}

fn packed_blocks(layout: &DynLayout<[usize; 2]>, cells: &Cells, case: &mut Case) {
    let mut array = packed_array(layout, cells);
    let region = |[i, j]: [usize; 2]| {
        let sizes = [
            (cells.sizes[0] - 2 * i).min(2),
            (cells.sizes[1] - 4 * j).min(4),
        ];
        cells.region(&[2 * i, 4 * j], &sizes)
    };
    let Ok(tiles) = array.try_tiles(nat![2, 4]) else {
        return;
    };
    trail(|| "packed blocks of 2 and 4".to_owned());
    for (number, tile) in tiles {
        let cells = region(number);
        read_packed_parts(&tile.as_view(), &cells, case, 1);
        if let Some(block) = tile.whole() {
            read_packed_parts(&block, &cells, case, 1);
        }
    }
    let tiles = array.try_tiles_mut(nat![2, 4]).expect("as above");
    let (numbers, mut tiles): (Vec<_>, Vec<_>) = tiles.unzip();
    let of_tiles: Vec<Cells> = numbers.into_iter().map(region).collect();
    check_apart(&of_tiles, layout.element_bits());
    let mut put = Vec::new();
    for (tile, cells) in tiles.iter_mut().zip(&of_tiles).rev() {
        put.extend(match (case.chance(50), tile.whole_mut()) {
            (true, Some(mut block)) => write_packed_parts(&mut block, cells, case, 1),
            _ => write_packed_parts(&mut tile.as_view_mut(), cells, case, 1),
        });
    }
    check_put(&array, cells, put);
}
