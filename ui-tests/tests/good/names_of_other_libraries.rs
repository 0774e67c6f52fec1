//! Names that ndarray and mdspan have for the same things.

use xlayout::{Array, ArrayRef, DynLayout, LinearIndex, Rank, SliceView, layout};

type A = layout!(f32[2,3]{0,1});

fn own(a: SliceView<f32, A>) -> Array<f32, A> {
    a.to_owned()
}

fn triangle(a: SliceView<f32, impl Rank<2>>) -> Result<f32, xlayout::LayoutError> {
    let mut sum = 0.0;
    for i in a.axis::<0>() {
        for j in a.axis::<1>().range(i..) {
            sum += a[(i, j)];
        }
        sum += a.axis::<1>().range(..=1).map(|j| a[(i, j)]).sum::<f32>();
    }
    Ok(sum)
}

fn twice<L: Rank<2>>(a: &ArrayRef<f32, L>) -> Result<Array<f32, L::Owned>, xlayout::LayoutError> {
    let mut zeros = a.zeros_like()?;
    zeros.assign(&a.map(|x| 2.0 * x)?)?;
    Ok(zeros.to_owned())
}

#[test]
fn works() {
    let a = Array::from_fn(<A as xlayout::ConstLayout>::NEW, |&[i, j]| {
        (3 * i + j) as f32
    })
    .unwrap();
    let mut b = own(a.as_slice_view());
    b[[0, 0]] = 7.0;
    assert_eq!(
        (a[[0, 0]], b.shape(), b.len(), b.is_empty()),
        (0.0, [2, 3], 6, false)
    );
    assert_eq!(
        (b.shape(), b.rank(), b.strides()),
        ([2, 3], 2, Some([1, 2]))
    );
    assert_eq!(b.array_shape().to_string(), "f32[2,3]{0,1}");
    assert_eq!(twice(&b.t()).unwrap()[[2, 1]], 2.0 * b[[1, 2]]);
    assert_eq!(b.slice::<1>(1..).unwrap()[[0, 1]], b[[0, 2]]);
    b.assign(&a).unwrap();
    assert_eq!(b.to_owned().into_vec(), a.memory());
    assert_eq!(a.rank(), 2);
    assert!(
        a.rows().map(|row| row[0]).eq([0.0, 3.0])
            && a.columns().map(|column| column[1]).eq([3.0, 4.0, 5.0])
    );
    assert_eq!(
        (a.get([1, 2]), a.get((1, 2)), a.get([2, 0])),
        (Some(&5.0), Some(&5.0), None)
    );
    let rounded = a.map_to(layout!(s32[2,3]), |x| *x as i32).unwrap();
    assert_eq!(rounded.memory(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(
        a.to_layout(layout!(f32[2,3])).unwrap().memory(),
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    );
    for (n, mut row) in a.to_owned().chunks_mut::<0>(1).enumerate() {
        row.fill(n as f32);
    }
    b.swap([0, 1], (1, 2));
    assert_eq!((b[[0, 1]], b[[1, 2]], b[[0, 0]]), (5.0, 1.0, 0.0));
    let copied: Array<f32, A> = a.as_slice_view().into();
    let read: Array<f32, DynLayout> =
        Array::from_row_major(DynLayout::new("f32[2,3]{0,1}").unwrap(), &[7.0; 6]).unwrap();
    let place = vec![1, 2];
    assert_eq!((read[&place[..]], read.get(&[2, 0][..])), (7.0, None));
    let weights = Array::packed_from_row_major(layout!(s4[2,2]{1,0:E(4)}), &[1, 2, 15, 4]).unwrap();
    let halves = weights
        .map_to(layout!(f32[2,2]{0,1}), |number| 0.5 * f32::from(number))
        .unwrap();
    assert_eq!(halves, [[0.5, 1.0], [-0.5, 2.0]]);
    let typed: Array<f32, A> = read.try_into().unwrap();
    assert_eq!(
        LinearIndex::<A>::new(5).map(|at| copied[at] + typed[at]),
        Some(12.0)
    );
    assert_eq!(
        triangle(a.as_slice_view()).unwrap(),
        0.0 + 1.0 + 2.0 + 0.0 + 1.0 + 4.0 + 5.0 + 3.0 + 4.0
    );
}
