//! A blocked matrix product over `T(8,128)`, as the book shows it (`book/src/arrays.md`).

use xlayout::types::nat;
use xlayout::{
    Array, ArrayRef, ConstTiles, DynLayout, LayoutError, Rank, SliceView, SliceViewMut, layout,
};

/// c += a * b
#[inline(never)]
fn multiply<A: Rank<2>, B: Rank<2>, C: Rank<2>>(
    a: &ArrayRef<f32, A>,
    b: &ArrayRef<f32, B>,
    c: &mut ArrayRef<f32, C>,
) {
    for i in c.axis::<0>() {
        for k in a.axis::<1>() {
            let x = a[(i, k)];
            c.axis::<1>().for_each(|j| c[(i, j)] += x * b[(k, j)]);
        }
    }
}

/// c = a * b, block by block.
#[inline(always)]
fn blocked<A, B, C>(
    a: SliceView<'_, f32, A>,
    b: SliceView<'_, f32, B>,
    mut c: SliceViewMut<'_, f32, C>,
) where
    A: Rank<2> + ConstTiles<nat![8, 128]>,
    B: Rank<2> + ConstTiles<nat![128, 128]>,
    C: Rank<2> + ConstTiles<nat![8, 128]>,
{
    c.for_each_in_memory_mut(|_, c| *c = 0.0);
    let a = a.tiles(nat![8, 128]);
    let b = b.tiles(nat![128, 128]);
    for ([i, j], mut c) in c.tiles_mut(nat![8, 128]) {
        for k in 0.. {
            let (Some(a), Some(b)) = (a.get([i, k]), b.get([k, j])) else {
                break;
            };
            match (a.whole(), b.whole(), c.whole_mut()) {
                (Some(a), Some(b), Some(mut c)) => multiply(&a, &b, &mut c),
                _ => edge(&a, &b, &mut c),
            }
        }
    }
}

/// Blocks at the edge.
#[inline(never)]
fn edge<A: Rank<2>, B: Rank<2>, C: Rank<2>>(
    a: &ArrayRef<f32, A>,
    b: &ArrayRef<f32, B>,
    c: &mut ArrayRef<f32, C>,
) {
    multiply(a, b, c);
}

pub type A = layout!(f32[64,256]{1,0:T(8,128)});
pub type B = layout!(f32[256,384]{1,0:T(8,128)});
pub type C = layout!(f32[64,384]{1,0:T(8,128)});

pub type Unknown = layout!(f32[?,?]{1,0:T(8,128)});

#[inline(never)]
pub fn fixed(a: SliceView<'_, f32, A>, b: SliceView<'_, f32, B>, c: SliceViewMut<'_, f32, C>) {
    blocked(a, b, c);
}

/// The first step of the book: indices, as a product is written first.
#[inline(never)]
pub fn indices(a: &ArrayRef<f32, A>, b: &ArrayRef<f32, B>, c: &mut ArrayRef<f32, C>) {
    let [rows, columns] = c.shape();
    for i in 0..rows {
        for j in 0..columns {
            for k in 0..a.shape()[1] {
                c[[i, j]] += a[[i, k]] * b[[k, j]];
            }
        }
    }
}

/// The second step: axes.
#[inline(never)]
pub fn axes(a: &ArrayRef<f32, A>, b: &ArrayRef<f32, B>, c: &mut ArrayRef<f32, C>) {
    for i in c.axis::<0>() {
        for j in c.axis::<1>() {
            c[(i, j)] = a.axis::<1>().map(|k| a[(i, k)] * b[(k, j)]).sum();
        }
    }
}

/// The third step: the inner loop along the minor dimension.
#[inline(never)]
pub fn minor(a: &ArrayRef<f32, A>, b: &ArrayRef<f32, B>, c: &mut ArrayRef<f32, C>) {
    multiply(a, b, c);
}

/// The same with sizes that are `?`.
#[inline(never)]
pub fn minor_mixed(
    a: &ArrayRef<f32, Unknown>,
    b: &ArrayRef<f32, Unknown>,
    c: &mut ArrayRef<f32, Unknown>,
) {
    multiply(a, b, c);
}

#[inline(never)]
pub fn mixed(
    a: SliceView<'_, f32, Unknown>,
    b: SliceView<'_, f32, Unknown>,
    c: SliceViewMut<'_, f32, Unknown>,
) {
    blocked(a, b, c);
}

/// The product of layouts that are known at run time, by blocks in which each dimension has one
/// stride.
#[inline(never)]
pub fn dynamic(
    a: SliceView<'_, f32, DynLayout<[usize; 2]>>,
    b: SliceView<'_, f32, DynLayout<[usize; 2]>>,
    mut c: SliceViewMut<'_, f32, DynLayout<[usize; 2]>>,
) -> Result<(), LayoutError> {
    c.for_each_in_memory_mut(|_, c| *c = 0.0);
    let a = a.try_tiles(nat![8, 8])?;
    let b = b.try_tiles(nat![8, 128])?;
    for ([i, j], mut c) in c.try_tiles_mut(nat![8, 128])? {
        for k in 0.. {
            let (Some(a), Some(b)) = (a.get([i, k]), b.get([k, j])) else {
                break;
            };
            match (a.whole(), b.whole(), c.whole_mut()) {
                (Some(a), Some(b), Some(mut c)) => multiply(&a, &b, &mut c),
                _ => edge(&a, &b, &mut c),
            }
        }
    }
    Ok(())
}

/// As the layouts above, in tiles that hang over all edges.
pub mod with_edges {
    use super::*;

    pub const SIZES: [usize; 3] = [60, 250, 380];
    pub type A = layout!(f32[60,250]{1,0:T(8,128)});
    pub type B = layout!(f32[250,380]{1,0:T(8,128)});
    pub type C = layout!(f32[60,380]{1,0:T(8,128)});
    pub type UnknownA = layout!(f32[?,250]{1,0:T(8,128)});
    pub type UnknownB = layout!(f32[250,?]{1,0:T(8,128)});
}

#[inline(never)]
pub fn edges(
    a: SliceView<'_, f32, with_edges::A>,
    b: SliceView<'_, f32, with_edges::B>,
    c: SliceViewMut<'_, f32, with_edges::C>,
) {
    blocked(a, b, c);
}

#[inline(never)]
pub fn mixed_edges(
    a: SliceView<'_, f32, with_edges::UnknownA>,
    b: SliceView<'_, f32, with_edges::UnknownB>,
    c: SliceViewMut<'_, f32, Unknown>,
) {
    blocked(a, b, c);
}

/// As [`run`], with tiles that hang over the edges.
pub fn run_with_edges(hand: fn(&[f32], &[f32], &mut [f32], [usize; 3])) {
    use with_edges::*;
    let at = |seed: usize| move |&[i, j]: &[usize; 2]| ((i * 7 + j * 3 + seed) % 5) as f32 - 2.0;
    let a = Array::from_fn(A::NEW, at(0)).unwrap();
    let b = Array::from_fn(B::NEW, at(1)).unwrap();
    let [m, k, n] = std::hint::black_box(SIZES);
    let mut expected = vec![0.0; C::BUFFER_LEN];
    hand(a.memory(), b.memory(), &mut expected, [m, k, n]);

    let mut c = Array::zeros(C::NEW).unwrap();
    edges(a.as_slice_view(), b.as_slice_view(), c.as_slice_view_mut());
    assert_eq!(c.memory(), expected);

    let mut c = Array::zeros(Unknown::with_sizes([m, n]).unwrap()).unwrap();
    let mixed_a = SliceView::new(UnknownA::with_sizes([m, k]).unwrap(), a.memory()).unwrap();
    let mixed_b = SliceView::new(UnknownB::with_sizes([k, n]).unwrap(), b.memory()).unwrap();
    mixed_edges(mixed_a, mixed_b, c.as_slice_view_mut());
    assert_eq!(c.memory(), expected);
}

/// Runs all products on the same numbers, and `hand` on their memory, and compares the results.
pub fn run(hand: fn(&[f32], &[f32], &mut [f32])) {
    let at = |seed: usize| move |&[i, j]: &[usize; 2]| ((i * 7 + j * 3 + seed) % 5) as f32 - 2.0;
    let a = Array::from_fn(A::NEW, at(0)).unwrap();
    let b = Array::from_fn(B::NEW, at(1)).unwrap();
    let mut expected = vec![0.0; C::BUFFER_LEN];
    hand(a.memory(), b.memory(), &mut expected);

    let mut c = Array::zeros(C::NEW).unwrap();
    fixed(a.as_slice_view(), b.as_slice_view(), c.as_slice_view_mut());
    assert_eq!(c.memory(), expected);

    // The numbers are small and whole, so sums in any sequence are equal.
    for step in [indices, axes, minor] {
        let mut c = Array::zeros(C::NEW).unwrap();
        step(&a, &b, &mut c);
        assert_eq!(c.memory(), expected);
    }

    let sizes = |m, n| Unknown::with_sizes(std::hint::black_box([m, n])).unwrap();
    let mut c = Array::zeros(sizes(64, 384)).unwrap();
    let mixed_a = SliceView::new(sizes(64, 256), a.memory()).unwrap();
    let mixed_b = SliceView::new(sizes(256, 384), b.memory()).unwrap();
    mixed(mixed_a, mixed_b, c.as_slice_view_mut());
    assert_eq!(c.memory(), expected);
    let mut c = Array::zeros(sizes(64, 384)).unwrap();
    minor_mixed(&mixed_a, &mixed_b, &mut c);
    assert_eq!(c.memory(), expected);

    let ranked = |text: &str| text.parse::<DynLayout>().unwrap().ranked().unwrap();
    let mut c = Array::zeros(ranked("f32[64,384]{1,0:T(8,128)}")).unwrap();
    let dynamic_a = SliceView::new(ranked("f32[64,256]{1,0:T(8,128)}"), a.memory()).unwrap();
    let dynamic_b = SliceView::new(ranked("f32[256,384]{1,0:T(8,128)}"), b.memory()).unwrap();
    dynamic(dynamic_a, dynamic_b, c.as_slice_view_mut()).unwrap();
    assert_eq!(c.memory(), expected);
}
