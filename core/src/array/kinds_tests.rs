//! Laws of every kind of array of rank 2, walked by one list: `each_kind`. A law gets an array, and
//! what its elements are.

mod iterators;

use std::fmt::Debug;
use std::format;
use std::vec::Vec;

use crate::array_layout::law_tests::check;
use crate::dtype::StoredAs;
use crate::layouts::types::{
    MinorToMajor, MixedLayout, Nat, Padded, Permute, Rearrange, RunTime, StaticLayout, Tile, nat,
};
use crate::{
    Array, ArrayLayout, ArrayRef, DynLayout, Element, LayoutError, Rank, SliceView, StridedLayout,
    TileBy, branded,
};

type Rows = MinorToMajor<(Nat<1>, Nat<0>)>;
type Columns = MinorToMajor<(Nat<0>, Nat<1>)>;
type Of<O, A> = StaticLayout<i32, (Nat<4>, Nat<6>), O, A>;
type Block = (Nat<2>, Nat<2>);
type Two = nat![1, 0];

/// What the layouts of all kinds can.
trait Kind: TileBy<Block> + Rearrange<Permute<Two>, Layout: Rank<2>> + Rank<2> {}
impl<L: TileBy<Block> + Rearrange<Permute<Two>, Layout: Rank<2>> + Rank<2>> Kind for L {}

/// What layouts can that have no blocks.
trait Permuted: Rearrange<Permute<Two>, Layout: Rank<2>> + Rank<2> {}
impl<L: Rearrange<Permute<Two>, Layout: Rank<2>> + Rank<2>> Permuted for L {}

trait Law {
    fn of<L: Permuted>(&self, array: &ArrayRef<i32, L>);

    /// Of arrays in which no dimension is repeated: others have no lines.
    fn of_unique<L: Permuted>(&self, array: &ArrayRef<i32, L>) {
        self.of(array);
    }
}

fn value([i, j]: [usize; 2]) -> i32 {
    (100 * i + j) as i32
}

/// Whole arrays, and each kind of part of them.
fn each_kind(law: &impl Law) {
    each_part(law, Of::<Rows, ()>::NEW);
    each_part(law, Of::<Columns, ()>::NEW);
    each_part(law, Of::<Rows, (Tile<Block>,)>::NEW);
    each_part(
        law,
        Of::<Columns, (Tile<(Nat<4>, Nat<2>)>, Tile<(Nat<2>, Nat<1>)>)>::NEW,
    );
    each_part(law, Of::<Rows, (Padded<(Nat<5>, Nat<8>)>,)>::NEW);
    type Mixed<A> = MixedLayout<i32, (RunTime, Nat<6>), Columns, A>;
    each_part(law, Mixed::<()>::with_sizes([3, 6]).unwrap());
    each_part(law, Mixed::<(Tile<Block>,)>::with_sizes([5, 6]).unwrap());
    for text in [
        "s32[4,6]{0,1}",
        "s32[5,3]{1,0:T(2,2)}",
        "s32[1,4]",
        "s32[0,3]",
    ] {
        let layout = DynLayout::new(text).unwrap().ranked::<2>().unwrap();
        each_part(law, layout.clone());
        each_part::<&DynLayout<_>>(law, std::boxed::Box::leak(layout.clone().into()));
        if let Ok(strided) = StridedLayout::<[usize; 2]>::of(&layout) {
            each_part(law, strided);
        }
    }
    for strides in [[9, 2], [-9, 2], [9, -2], [-9, -2], [-2, 9]] {
        each_part(law, StridedLayout::new::<i32>([4, 4], strides).unwrap());
    }
    let slices = Array::from_fn(Of::<Rows, ()>::NEW, |at| value(*at)).unwrap();
    law.of(&slices.as_view().into_const_slice::<1, 2, 3>());
    law.of(&slices.as_view().into_slice::<0>(1..3).unwrap());
    branded(Of::<Columns, ()>::NEW, |layout| {
        let array = Array::<i32, _>::zeros(layout).unwrap();
        law.of(&array);
    });
}

fn each_part<L: Kind>(law: &impl Law, layout: L)
where
    L::Type: StoredAs<i32>,
    for<'a> L::Region<'a>: Permuted,
    L::Block: Permuted,
{
    let [rows, columns] = layout.shape();
    let array = Array::from_fn(layout, |at| value(*at)).unwrap();
    law.of_unique(&array);
    for (origin, sizes) in [
        ([0, 0], [rows, columns.min(2)]),
        ([rows / 2, columns / 2], [rows.min(1), columns.min(1)]),
        ([rows / 2, 0], [0, columns]),
    ] {
        if let Ok(part) = array.region(origin, sizes) {
            law.of_unique(&part);
        }
    }
    for step in [1, -1, 2, -2] {
        if let Ok(part) = array.with_step::<0>(.., step) {
            law.of_unique(&part);
            law.of_unique(&part.with_step::<1>(.., -1).unwrap());
        }
    }
    if let Ok(tiles) = array.try_tiles(nat![2, 2]) {
        for (_, tile) in tiles {
            law.of_unique(&tile);
            if let Some(whole) = tile.whole() {
                law.of_unique(&whole);
            }
        }
    }
    if let Ok(row) = array.region([0, 0], [rows.min(1), columns])
        && let Ok(repeated) = row.with_step::<1>(.., -1)
        && let Ok(repeated) = repeated.broadcast::<0>(3)
    {
        law.of(&repeated);
        law.of(&repeated.region([1, 0], [2, columns.min(2)]).unwrap());
    }
}

/// The elements, by their indices.
fn elements<L: Rank<2>>(array: &ArrayRef<i32, L>) -> Vec<Vec<i32>> {
    let [rows, columns] = array.shape();
    let row = |i: usize| (0..columns).map(move |j| array[[i, j]]);
    (0..rows).map(|i| row(i).collect()).collect()
}

fn transposed(rows: &[Vec<i32>], columns: usize) -> Vec<Vec<i32>> {
    let column = |j: usize| rows.iter().map(move |row| row[j]);
    (0..columns).map(|j| column(j).collect()).collect()
}

struct Transposes;

impl Law for Transposes {
    fn of<L: Permuted>(&self, array: &ArrayRef<i32, L>) {
        let [rows, columns] = array.shape();
        let turned = array.t();
        assert_eq!(turned.shape(), [columns, rows]);
        assert_eq!(
            elements(&turned),
            transposed(&elements(array), columns),
            "{:?}",
            array.layout().array_shape()
        );
        check(turned.layout());
        let mut memory_order = Vec::new();
        turned.for_each_in_memory(|&[j, i], element| memory_order.push(([i, j], *element)));
        let mut of_array = Vec::new();
        array.for_each_in_memory(|&at, element| of_array.push((at, *element)));
        memory_order.sort_unstable();
        of_array.sort_unstable();
        assert_eq!(memory_order, of_array);
    }
}

#[test]
fn every_kind_is_transposed() {
    each_kind(&Transposes);
    let mut array =
        Array::<i32, _>::zeros(StridedLayout::<[usize; 2]>::row_major::<i32>([2, 3]).unwrap())
            .unwrap();
    let mut columns = array.slice_mut::<1>(1..).unwrap().permute(nat![1, 0]);
    columns[[1, 0]] = 7;
    assert_eq!(array, [[0, 0, 7], [0, 0, 0]]);
    let cube = DynLayout::new("s32[2,3,4]{1,2,0:T(2,2)}")
        .unwrap()
        .ranked::<3>()
        .unwrap();
    let cube = Array::from_fn(cube, |&[i, j, k]| (100 * i + 10 * j + k) as i32).unwrap();
    let turned = cube.permute(nat![2, 0, 1]);
    check(turned.layout());
    assert_eq!((turned.shape(), turned[[3, 1, 2]]), ([4, 2, 3], 123));
    assert_eq!(
        format!("{}", turned.array_shape()),
        "s32[4,2,3]{2,0,1:T(2,2)}"
    );
    let same: DynLayout = turned.layout().clone().into();
    assert_eq!(same, DynLayout::new(turned.array_shape()).unwrap());
}

struct Copies;

impl Law for Copies {
    fn of<L: Permuted>(&self, array: &ArrayRef<i32, L>) {
        let expected = elements(array);
        // The type says that it is no part.
        let copy: Array<i32, L::Owned> = array.as_view().to_owned();
        let mapped: Array<i32, L::Owned> = array.map(|x| x + 1).unwrap();
        let zeros: Array<i32, L::Owned> = array.zeros_like().unwrap();
        let more = |row: &Vec<i32>| row.iter().map(|x| x + 1).collect::<Vec<_>>();
        assert_eq!(elements(&copy), expected);
        assert_eq!(
            elements(&mapped),
            expected.iter().map(more).collect::<Vec<_>>()
        );
        assert!(zeros.iter().all(|x| *x == 0) && zeros.shape() == array.shape());
        check(copy.layout());
        let places = match array.layout().owns_padding() {
            true => array.layout().buffer_len(),
            false => array.len(),
        };
        assert_eq!(
            copy.memory().len(),
            places,
            "{:?}",
            array.layout().array_shape()
        );
        let [of_copy, of_array] =
            [copy.array_shape(), array.array_shape()].map(|shape| shape.layout.unwrap());
        // A dimension of one index lies anywhere.
        if array.shape().iter().all(|&size| size > 1) {
            assert_eq!(of_copy.minor_to_major, of_array.minor_to_major);
        }
        assert!(copy.layout().is_unique());
        let again: Array<i32, L::Owned> = copy.to_owned();
        assert!(again.layout() == copy.layout() && again.memory() == copy.memory());
    }
}

#[test]
fn every_kind_is_copied() {
    each_kind(&Copies);
    let mut padded = Array::<i32, _>::zeros(Of::<Rows, (Padded<(Nat<5>, Nat<8>)>,)>::NEW).unwrap();
    padded.memory_mut().fill(7);
    assert_eq!(padded.to_owned().memory(), padded.memory());
    let column = StridedLayout::<[usize; 2]>::row_major::<i32>([1000, 1000]).unwrap();
    let matrix = Array::<i32, _>::zeros(column).unwrap();
    assert_eq!(matrix.column(3).unwrap().to_owned().memory().len(), 1000);
    let layout = DynLayout::new("s4[4,6]{1,0:E(4)}").unwrap();
    let packed = Array::packed_from_fn(layout, |at| (3 * at[0] + at[1]) as i8 % 8).unwrap();
    let part = packed.slice::<1>(2..4).unwrap();
    let copy: Array<crate::Packed, _> = part.to_owned();
    assert!(copy.iter().eq(part.iter()) && copy.as_bytes().len() == 4);
    assert!(part.map(|x| -x).unwrap().iter().eq(part.iter().map(|x| -x)));
}

/// The blocks of an array with reversed dimensions, and a repeated dimension of one.
#[test]
fn reversed_arrays_have_blocks_and_are_repeated() {
    for strides in [[-9, 2], [9, -2], [-9, -2], [-2, 11]] {
        for sizes in [[4, 4], [5, 3], [1, 4], [3, 1], [2, 0]] {
            let layout = StridedLayout::new::<i32>(sizes, strides).unwrap();
            let mut array = Array::from_fn(layout, |at| value(*at)).unwrap();
            let mut seen = 0;
            for ([i, j], tile) in array.try_tiles(nat![2, 2]).unwrap() {
                check(tile.layout());
                for (at, x) in tile.indexed_iter() {
                    assert_eq!(*x, value([2 * i + at[0], 2 * j + at[1]]));
                    seen += 1;
                }
                let Some(whole) = tile.whole() else { continue };
                check(whole.layout());
                assert!(whole.indexed_iter().all(|(at, x)| *x == tile[at]));
                let part = whole.region([1, 0], [1, 2]).unwrap();
                check(part.layout());
                assert_eq!([part[[0, 0]], part[[0, 1]]], [whole[[1, 0]], whole[[1, 1]]]);
                for ([k, l], inner) in whole.try_tiles(nat![1, 1]).unwrap() {
                    assert_eq!(inner[[0, 0]], whole[[k, l]]);
                    assert_eq!(inner.whole().unwrap()[[0, 0]], whole[[k, l]]);
                }
            }
            assert_eq!(seen, array.len());
            for ([i, j], mut tile) in array.try_tiles_mut(nat![2, 2]).unwrap() {
                tile.for_each_in_memory_mut(|at, x| *x += value([2 * i + at[0], 2 * j + at[1]]));
            }
            assert!(array.indexed_iter().all(|(at, x)| *x == 2 * value(at)));
            let Ok(column) = array.slice::<1>(0..1) else {
                continue;
            };
            let Ok(repeated) = column.broadcast::<1>(3) else {
                continue;
            };
            check(repeated.layout());
            assert!(
                repeated
                    .indexed_iter()
                    .all(|([i, _], x)| *x == column[[i, 0]])
            );
        }
    }
}

/// Equal layouts have equal hashes.
#[test]
fn hashes_are_those_of_equal_layouts() {
    use std::collections::HashSet;
    let gaps: StridedLayout<[usize; 2]> =
        StridedLayout::of(&Of::<Rows, (Padded<(Nat<4>, Nat<6>)>,)>::NEW).unwrap();
    let dense: StridedLayout<[usize; 2]> = StridedLayout::row_major::<i32>([4, 6]).unwrap();
    assert!(gaps == dense && HashSet::from([gaps]).contains(&dense));
    let narrow = StridedLayout::new::<i32>([4, 6], [7, 1]).unwrap();
    assert!(
        !HashSet::from([narrow]).contains(&StridedLayout::new::<i32>([4, 6], [-7, 1]).unwrap())
    );
    type Mixed = MixedLayout<i32, (RunTime, Nat<6>), Columns, ()>;
    let [three, also, four] = [3, 3, 4].map(|rows| Mixed::with_sizes([rows, 6]).unwrap());
    let set = HashSet::from([three]);
    assert!(set.contains(&also) && !set.contains(&four));
}

/// Each array is printed by the name of its type.
#[test]
fn arrays_are_printed_by_their_names() {
    fn text<T: Element + Debug, L: ArrayLayout>(array: &ArrayRef<T, L>) -> std::string::String {
        format!("{array:?}")
    }
    let mut array = Array::from_row_major(DynLayout::new("s32[2]").unwrap(), &[1, 2]).unwrap();
    let rest = " { shape: s32[2]{0}, elements: [1, 2] }";
    assert_eq!(format!("{array:?}"), format!("Array{rest}"));
    assert_eq!(
        format!("{:?}", array.as_slice_view()),
        format!("SliceView{rest}")
    );
    assert_eq!(
        format!("{:?}", array.as_slice_view_mut()),
        format!("SliceViewMut{rest}")
    );
    assert_eq!(format!("{:?}", array.as_view()), format!("View{rest}"));
    assert_eq!(
        format!("{:?}", array.as_view_mut()),
        format!("ViewMut{rest}")
    );
    assert_eq!(text(&array), format!("ArrayRef{rest}"));
}

#[test]
fn a_view_of_no_dimensions_is_its_element() -> Result<(), LayoutError> {
    let layout: StridedLayout<[usize; 0]> = "s32[]".parse()?;
    assert_eq!(SliceView::new(layout, &[7][..])?.to_nested::<i32, 0>()?, 7);
    assert_eq!(Array::from_nested(layout, 7)?.memory(), [7]);
    const LEN: usize = Of::<Rows, (Padded<(Nat<5>, Nat<8>)>,)>::NEW.buffer_len();
    assert_eq!(LEN, 40);
    Ok(())
}
