//! Blocks of arrays of known rank, and rows of matrices.

use std::collections::HashMap;

use xlayout::part::TileBy;
use xlayout::storage::{Storage, StorageMut};
use xlayout::types::{Nat, Permute, Rearrange, nat};
use xlayout::{Array, ArrayBase, ArrayLayout, Rank, StridedLayout, types};
use xlayout_model::{Operation, indices};

use crate::any::{AnyLayout, at};
use crate::cells::Cells;
use crate::check::{LINES, Value, check_array, write};
use crate::coverage::{seen, seen_type};
use crate::kinds::{random, read_whole, write_or_copy};
use crate::random::Case;
use crate::rows::of_rows;
use crate::trail;

/// The blocks of an array: each is a region of it.
pub(crate) fn in_blocks<B, L, S, const N: usize>(
    array: &mut ArrayBase<S, L>,
    cells: &Cells,
    case: &mut Case,
) where
    B: types::StaticDimensions<Coordinates = [usize; N]>,
    L: TileBy<B> + ArrayLayout<Coordinates = [usize; N]>,
    S: StorageMut<Item = i32> + Send,
    L::Block: ArrayLayout,
{
    trail(|| format!("blocks of {:?}", B::SIZES));
    let region = |number: [usize; N]| {
        let origin: Vec<usize> = number
            .iter()
            .zip(B::SIZES)
            .map(|(k, block)| k * block)
            .collect();
        let left = cells.sizes.iter().zip(&origin).zip(B::SIZES);
        let sizes: Vec<usize> = left
            .map(|((size, start), block)| (size - start).min(*block))
            .collect();
        cells.region(&origin, &sizes)
    };
    let Ok(tiles) = array.try_tiles(B::NEW) else {
        return;
    };
    seen_type::<L>(Operation::Blocks.column());
    let count: usize = cells
        .sizes
        .iter()
        .zip(B::SIZES)
        .map(|(size, block)| size.div_ceil(*block))
        .product();
    assert_eq!(tiles.len(), count, "blocks");
    for (number, tile) in tiles {
        let cells = region(number);
        assert_eq!(
            tile.is_whole(),
            cells.sizes == B::SIZES,
            "{number:?} is whole"
        );
        read_whole(&tile.as_view(), &cells, case);
        if let Some(block) = tile.whole() {
            read_whole(&block, &cells, case);
            let ranges: Vec<_> = cells.sizes.iter().map(|&n| case.range(n)).collect();
            let origin: Vec<_> = ranges.iter().map(|range| range.start).collect();
            let sizes: Vec<_> = ranges.iter().map(|range| range.len()).collect();
            if let Ok(part) = block.region(at::<[usize; N]>(&origin), at::<[usize; N]>(&sizes)) {
                trail(|| format!("region {origin:?} {sizes:?}"));
                seen(AnyLayout::name(block.layout()), "region");
                read_whole(&part, &cells.region(&origin, &sizes), case);
            }
        }
    }
    let mut put = Vec::new();
    let mut tiles: Vec<_> = array.try_tiles_mut(B::NEW).expect("as above").collect();
    for (number, tile) in tiles.iter_mut().rev() {
        let cells = region(*number);
        put.extend(match (case.chance(50), tile.whole_mut()) {
            (true, Some(mut block)) => write_or_copy(&mut block, &cells, case),
            _ => write_or_copy(&mut tile.as_view_mut(), &cells, case),
        });
    }
    drop(tiles);
    check_written(array, cells, &put);
    // By number, in any sequence.
    let mut tiles = array.try_tiles_mut(B::NEW).expect("as above");
    let numbers: Vec<[usize; N]> = block_numbers(&cells.sizes, B::SIZES);
    for number in numbers.into_iter().rev() {
        let mut tile = tiles.get(number).expect("there is such a block");
        put.extend(write(
            &mut tile.as_view_mut(),
            &region(number),
            case.below(6),
        ));
    }
    drop(tiles);
    check_written(array, cells, &put);
}

/// The numbers of all blocks.
fn block_numbers<const N: usize>(sizes: &[usize], blocks: &[usize]) -> Vec<[usize; N]> {
    let counts: Vec<usize> = sizes
        .iter()
        .zip(blocks)
        .map(|(n, block)| n.div_ceil(*block))
        .collect();
    indices(&counts).map(|number| at(&number)).collect()
}

/// An array whose elements had the values of their places has what was put into it since then.
fn check_written<S, L>(array: &ArrayBase<S, L>, cells: &Cells, put: &[(usize, i32)])
where
    S: Storage<Item = i32>,
    L: ArrayLayout,
{
    let mut expected: HashMap<usize, i32> = cells
        .places
        .iter()
        .map(|&place| (place, i32::at(place)))
        .collect();
    for (place, value) in put {
        let slot = expected.get_mut(place);
        *slot.expect("it is a place of an element") = *value;
    }
    for (index, place) in indices(&cells.sizes).zip(&cells.places) {
        let found = array.get(&at::<L::Coordinates>(&index)).copied();
        assert_eq!(found, Some(expected[place]), "element {index:?}");
    }
}

/// The rows and columns of a matrix, and its lines as slices.
pub(crate) fn in_rows<S, L>(array: &mut ArrayBase<S, L>, cells: &Cells, case: &mut Case)
where
    S: Storage<Item = i32> + StorageMut + Send + Sync,
    L: Rank<2>,
{
    let mut put = of_rows(array, cells, case);
    check_written(array, cells, &put);
    put.extend(write(array, cells, LINES));
    check_written(array, cells, &put);
}

/// The transpose of a matrix.
pub(crate) fn transposed<S, L>(array: &ArrayBase<S, L>, cells: &Cells)
where
    S: Storage<Item = i32>,
    L: Rearrange<Permute<nat![1, 0]>, Layout: ArrayLayout> + ArrayLayout<Coordinates = [usize; 2]>,
{
    seen_type::<L>("transpose");
    check_array(&array.t(), &cells.permuted(&[1, 0]));
}

pub(crate) fn blocks(case: &mut Case) {
    fn memory(cells: &Cells) -> Vec<i32> {
        (0..cells.memory).map(i32::at).collect()
    }
    macro_rules! of_any {
        ($array:expr, $cells:expr, $case:expr, [$($block:ty),*]) => {{
            let array = &mut $array;
            let cells = $cells;
            let all: &[fn(&mut Array<i32, _>, &Cells, &mut Case)] = &[$(in_blocks::<$block, _, _, _>),*];
            $case.pick(all)(array, cells, $case)
        }};
    }
    let (layout, cells) = random::<i32>(if case.chance(70) { 2 } else { 3 }, case);
    if cells.sizes.len() == 3 {
        let layout = layout.ranked::<3>().expect("the rank is 3");
        let mut array = Array::new(&layout, memory(&cells)).expect("it is long enough");
        return of_any!(array, &cells, case, [(Nat<1>, Nat<2>, Nat<2>)]);
    }
    let strided = StridedLayout::<[usize; 2]>::of(&layout);
    let layout = layout.ranked::<2>().expect("the rank is 2");
    let mut array = Array::new(&layout, memory(&cells)).expect("it is long enough");
    transposed(&array, &cells);
    in_rows(&mut array, &cells, case);
    let mut array = Array::new(layout.clone(), memory(&cells)).expect("it is long enough");
    transposed(&array, &cells);
    in_rows(&mut array, &cells, case);
    let mut array = Array::new(layout, memory(&cells)).expect("it is long enough");
    of_any!(array, &cells, case, [(Nat<2>, Nat<2>), (Nat<3>, Nat<5>), (Nat<8>, Nat<128>)]);
    // The blocks of a region are those of the whole.
    let layout = array.layout().clone();
    let mut array = Array::new(layout, memory(&cells)).expect("it is long enough");
    let [m, n] = [cells.sizes[0] / 2 * 2, cells.sizes[1]];
    if let Ok(mut part) = array.region_mut([0, 0], [m, n]) {
        transposed(&part, &cells.region(&[0, 0], &[m, n]));
        in_blocks::<(Nat<2>, Nat<2>), _, _, 2>(&mut part, &cells.region(&[0, 0], &[m, n]), case);
    }
    let layout = array.layout().clone();
    let mut array = Array::new(layout, memory(&cells)).expect("it is long enough");
    if let Ok(mut part) = array.region_mut([0, 0], [m, n]) {
        in_rows(&mut part, &cells.region(&[0, 0], &[m, n]), case);
    }
    if let Ok(strided) = strided {
        let mut array = Array::new(strided, memory(&cells)).expect("it is long enough");
        transposed(&array, &cells);
        of_any!(array, &cells, case, [(Nat<2>, Nat<3>)]);
        let mut array = Array::new(strided, memory(&cells)).expect("it is long enough");
        let mut part = array
            .with_step_mut::<1>(1.min(cells.sizes[1]).., 2)
            .expect("there are strides");
        let columns: Vec<usize> = (1.min(cells.sizes[1])..cells.sizes[1]).step_by(2).collect();
        in_blocks::<(Nat<2>, Nat<2>), _, _, 2>(&mut part, &cells.with(1, &columns), case);
        let mut array = Array::new(strided, memory(&cells)).expect("it is long enough");
        in_rows(&mut array, &cells, case);
        let mut array = Array::new(strided, memory(&cells)).expect("it is long enough");
        let mut part = array.with_step_mut::<0>(.., -2).expect("there are strides");
        let rows: Vec<usize> = (0..cells.sizes[0]).rev().step_by(2).collect();
        in_rows(&mut part, &cells.with(0, &rows), case);
    }
}
