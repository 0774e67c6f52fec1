//! What new users write at first, and what the messages of their mistakes propose.

use xlayout::types::{Permute, Rearrange, nat};
use xlayout::{
    Array, ArrayRef, DynLayout, LayoutError, Rank, Raw, View, dtype, layout, specialize,
};
use xlayout_relayout::relayout;

layout! {
    type A = f32[2,3]{0,1};
    type Rows = f32[?,3];
}

const PLACE: usize = A.linear_index(&[1, 2]);
const SIZES: [usize; 2] = A.shape();
const ZEROS: [u8; A.bytes()] = [0; 4 * A.elements()];

struct Both<'a, L>(View<'a, f32, L>, View<'a, f32, L>);

fn both<L: Rank<2>>(a: &ArrayRef<f32, L>) -> Both<'_, L> {
    Both(a.as_view(), a.as_view())
}

fn corner<L>(a: &ArrayRef<f32, L>) -> f32
where
    L: Rearrange<Permute<nat![1, 0]>, Layout: Rank<2>>,
{
    a.t()[[2, 1]] + a.permute(nat![1, 0])[[0, 0]]
}

/// Errors of layouts and of copies, by one `?`.
fn copied(
    a: &ArrayRef<f32, DynLayout>,
    columns: usize,
) -> Result<Array<f32, DynLayout>, LayoutError> {
    let mut b = Array::zeros(DynLayout::new(format!("f32[2,{columns}]{{1,0}}"))?)?;
    relayout(a, &mut b)?;
    Ok(b)
}

/// Of a borrowed array whose layout the run time knows.
fn at(a: &ArrayRef<f32, DynLayout>, coordinates: &[usize]) -> f32 {
    specialize!(a, { f32[2,3]{0,1} => a[[coordinates[0], coordinates[1]]], _ => a[coordinates] })
}

fn negate(a: &mut ArrayRef<f32, DynLayout>) {
    specialize!(mut a = a.as_view_mut(), {
        f32[2,3]{0,1} => a.for_each_in_memory_mut(|_, x| *x = -*x),
        f32[0] => {}
        _ => a.for_each_in_memory_mut(|_, x| *x = -*x),
    });
}

#[test]
fn works() -> Result<(), LayoutError> {
    let mut a = Array::from_fn(A, |&[i, j]| (3 * i + j) as f32)?;
    assert_eq!((PLACE, SIZES, ZEROS.len()), (5, [2, 3], 24));
    assert_eq!(a, [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
    assert_eq!(both(&a).0, both(&a).1);
    assert_eq!(corner(&a), 5.0);
    assert_eq!(a.split_at::<1>(1)?.1.as_view()[[0, 0]], 1.0);
    for mut row in a.rows_mut() {
        row[0] = 7.0;
    }
    let of_run_time = Array::<f32, Rows>::zeros(Rows([4, 3])?)?;
    assert_eq!(of_run_time.shape(), [4, 3]);

    let any = Array::<f32, _>::from_row_major(A.into(), &[1.0; 6])?;
    assert_eq!(any.region([0, 1], [2, 2])?.shape(), [2, 2].into());
    assert!(*any.layout() == A && A == *any.layout());
    let by_reference = &any;
    assert_eq!(
        specialize!(by_reference, { f32[2,3]{0,1} => by_reference[[1, 2]], _ => 0.0 }),
        1.0
    );
    assert_eq!(copied(&any, 3)?, any);
    let mut negative = any.to_owned();
    negate(&mut negative);
    assert_eq!((at(&any, &[1, 2]), at(&negative, &vec![1, 2])), (1.0, -1.0));
    assert!(
        copied(&any, 4)
            .unwrap_err()
            .to_string()
            .starts_with("dimension 1 is 3 in the source and 4")
    );
    assert!(
        a.axis::<1>()
            .all(|j| u64::from(j) < 3 && usize::from(j) == j.get())
    );

    let half: Array<_, layout!(bf16[2])> =
        Array::from_fn(layout!(bf16[2]), |&[i]| Raw::from_f32(i as f32))?;
    assert_eq!(
        half.iter().map(|x| x.to_f32()).sum::<f32>() + f32::from(Raw::<dtype::f16>::from_f32(0.5)),
        1.5
    );
    Ok(())
}
