//! Runs each task once with each library, and checks that all give the same elements.

use ::mdarray::{Array, Const, Shape};
use ::ndarray::{Array2, ShapeBuilder};
use ::xlayout::{SliceView, SliceViewMut};
use xlayout_compare::xlayout::{B, C, Columns, Rows, Sums, Tiles};
use xlayout_compare::{COLUMNS, INNER, ROWS, TILE, TILES, hand, mdarray, ndarray, xlayout};

const LEN: usize = ROWS * COLUMNS;
const IN_TILES: usize = TILES[0] * TILES[1] * TILE[0] * TILE[1];

/// An array of mdarray with these elements in the sequence of memory.
fn array<S: Shape>(shape: S, elements: &[f32]) -> Box<Array<f32, S>> {
    let mut array = Box::new(Array::from_elem(shape, 0.0));
    array
        .iter_mut()
        .zip(elements)
        .for_each(|(to, from)| *to = *from);
    array
}

fn by_hand(elements: &[f32]) -> &[f32; LEN] {
    elements.try_into().unwrap()
}

fn main() {
    let a: Vec<f32> = (0..LEN).map(|n| (n % 17) as f32).collect();
    let b: Vec<f32> = (0..COLUMNS * INNER).map(|n| (n % 5) as f32).collect();
    let theirs = |elements: &[f32]| Array2::from_shape_vec((ROWS, COLUMNS), elements.to_vec());
    let rows = array((Const::<ROWS>, Const::<COLUMNS>), &a);

    let mut transposed = vec![0.0; LEN];
    hand::transpose(by_hand(&a), (&mut transposed[..]).try_into().unwrap());
    let mut result = vec![0.0; LEN];
    let to = SliceViewMut::new(Columns::NEW, &mut result[..]).unwrap();
    xlayout::transpose(SliceView::new(Rows::NEW, &a[..]).unwrap(), to);
    assert_eq!(result, transposed);
    let mut result = Array2::zeros((ROWS, COLUMNS).f());
    ndarray::transpose(theirs(&a).unwrap().view(), result.view_mut());
    assert_eq!(result.as_slice_memory_order().unwrap(), transposed);
    let mut result = array((Const::<COLUMNS>, Const::<ROWS>), &[]);
    mdarray::transpose(&rows, &mut result);
    assert!(result.iter().eq(&transposed));

    let mut product = vec![0.0; ROWS * INNER];
    let inner = (&b[..]).try_into().unwrap();
    hand::product(by_hand(&a), inner, (&mut product[..]).try_into().unwrap());
    let mut result = vec![0.0; ROWS * INNER];
    xlayout::product(
        SliceView::new(Rows::NEW, &a[..]).unwrap(),
        SliceView::new(B::NEW, &b[..]).unwrap(),
        SliceViewMut::new(C::NEW, &mut result[..]).unwrap(),
    );
    assert_eq!(result, product);
    let mut result = Array2::zeros((ROWS, INNER));
    let inner = Array2::from_shape_vec((COLUMNS, INNER), b.clone()).unwrap();
    ndarray::product(theirs(&a).unwrap().view(), inner.view(), result.view_mut());
    assert_eq!(result.as_slice().unwrap(), product);
    let mut result = array((Const::<ROWS>, Const::<INNER>), &[]);
    mdarray::product(
        &rows,
        &array((Const::<COLUMNS>, Const::<INNER>), &b),
        &mut result,
    );
    assert!(result.iter().eq(&product));

    let mut blurred = vec![0.0; LEN];
    hand::blur(by_hand(&a), (&mut blurred[..]).try_into().unwrap());
    let mut result = vec![0.0; LEN];
    let to = SliceViewMut::new(Rows::NEW, &mut result[..]).unwrap();
    xlayout::blur(SliceView::new(Rows::NEW, &a[..]).unwrap(), to);
    assert_eq!(result, blurred);
    let mut result = Array2::zeros((ROWS, COLUMNS));
    ndarray::blur(theirs(&a).unwrap().view(), result.view_mut());
    assert_eq!(result.as_slice().unwrap(), blurred);
    let mut result = array((Const::<ROWS>, Const::<COLUMNS>), &[]);
    mdarray::blur(&rows, &mut result);
    assert!(result.iter().eq(&blurred));

    let mut sums = vec![0.0; ROWS];
    hand::sums(by_hand(&transposed), (&mut sums[..]).try_into().unwrap());
    let mut result = vec![0.0; ROWS];
    let to = SliceViewMut::new(Sums::NEW, &mut result[..]).unwrap();
    xlayout::sums(SliceView::new(Columns::NEW, &transposed[..]).unwrap(), to);
    assert_eq!(result, sums);
    let mut result = ::ndarray::Array1::zeros(ROWS);
    let columns = Array2::from_shape_vec((ROWS, COLUMNS).f(), transposed.clone()).unwrap();
    ndarray::sums(columns.view(), result.view_mut());
    assert_eq!(result.as_slice().unwrap(), sums);
    let mut result = array((Const::<ROWS>,), &[]);
    mdarray::sums(
        &array((Const::<COLUMNS>, Const::<ROWS>), &transposed),
        &mut result,
    );
    assert!(result.iter().eq(&sums));

    let mut tiles = vec![0.0; IN_TILES];
    hand::tiles(by_hand(&a), (&mut tiles[..]).try_into().unwrap());
    let mut result = vec![0.0; IN_TILES];
    let to = SliceViewMut::new(Tiles::NEW, &mut result[..]).unwrap();
    xlayout::tiles(SliceView::new(Rows::NEW, &a[..]).unwrap(), to);
    assert_eq!(result, tiles);
    let mut result = ::ndarray::Array4::zeros((TILES[0], TILES[1], TILE[0], TILE[1]));
    ndarray::tiles(theirs(&a).unwrap().view(), result.view_mut());
    assert_eq!(result.as_slice().unwrap(), tiles);
    let shape = (
        Const::<{ TILES[0] }>,
        Const::<{ TILES[1] }>,
        Const::<{ TILE[0] }>,
        Const::<{ TILE[1] }>,
    );
    let mut result = array(shape, &[]);
    mdarray::tiles(&rows, &mut result);
    assert!(result.iter().eq(&tiles));
}
