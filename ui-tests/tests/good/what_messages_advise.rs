//! What the messages of mistakes with views say to write.
#![allow(unused, clippy::clone_on_copy)]

use xlayout::{
    Array, ArrayLayout, ArrayRef, Packed, Rank, Raw, SliceView, SliceViewMut, dtype, layout,
};

type A = layout!(f32[2,3]{1,0});

fn sum<L: ArrayLayout>(a: SliceView<f32, L>) -> f32 {
    a.memory().iter().sum()
}

fn clear<L: ArrayLayout>(mut a: SliceViewMut<f32, L>) {
    a.memory_mut().fill(0.0);
}

// A function for any layout of two dimensions.
fn first_of_second_row<L: Rank<2>>(a: SliceView<f32, L>) -> f32 {
    a[[1, 0]]
}

// What arrays have in place of methods of other libraries.
fn methods_of_other_libraries() -> std::result::Result<(), xlayout::LayoutError> {
    let mut a = Array::from_row_major(layout!(f32[2,3]), &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    let b = a.t();
    let c = layout!(f32[2,2]);
    let product = Array::from_fn(c, |&[i, j]| {
        a.axis::<1>().map(|k| a[(i, k)] * b[(k, j)]).sum()
    })?;
    assert_eq!(product, [[14.0, 32.0], [32.0, 77.0]]);
    assert!(
        (0..product.shape()[0])
            .map(|i| product[[i, i]])
            .eq([14.0, 77.0])
    );
    assert_eq!(a.iter().copied().reduce(f32::max), Some(6.0));
    assert_eq!(a.iter().sum::<f32>() / a.len() as f32, 3.5);
    assert_eq!(a.iter().fold(0.0, |sum, x| sum + x), 21.0);
    assert!(a.iter().any(|x| *x == 1.0) && a.shape()[0] == 2);
    assert_eq!((a.iter().next(), a.iter().last()), (Some(&1.0), Some(&6.0)));
    let flipped = Array::from_fn(a.layout().clone(), |&[i, j]| a[[a.shape()[0] - 1 - i, j]])?;
    assert_eq!(flipped, [[4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]);
    assert_eq!(a.as_view().try_reshape(layout!(f32[6]))?.iter().count(), 6);
    assert!(
        a.rows().map(|row| row[1]).eq([2.0, 5.0])
            && a.columns().map(|column| column[1]).eq([4.0, 5.0, 6.0])
    );
    assert!(a.chunks::<0>(1).map(|part| part[[0, 2]]).eq([3.0, 6.0]));
    for (at, x) in a.indexed_iter() {
        assert_eq!(a[at], *x);
    }
    for i in a.axis::<0>() {
        assert!(a.axis::<1>().all(|j| a[(i, j)] > 0.0));
    }
    assert_eq!(a.region([0, 1], [2, 2])?, [[2.0, 3.0], [5.0, 6.0]]);
    assert_eq!(a.slice::<0>(1..2)?.row(0)?, [4.0, 5.0, 6.0]);
    let unit = SliceView::new(layout!(f32[1,2]), &[1.0_f32, 2.0][..])?;
    assert_eq!(unit.as_view().delete_unit::<0>(), [1.0, 2.0]);
    let mut larger = Array::zeros(layout!(f32[4,3]))?;
    larger.region_mut([0, 0], a.shape())?.assign(&a)?;
    assert_eq!(larger.iter().sum::<f32>(), 21.0);
    let rows = [[6.0, 5.0, 4.0], [3.0, 2.0, 1.0]];
    let mut b = Array::from_nested(layout!(f32[2,3]), rows)?;
    assert_eq!(SliceView::new(layout!(f32[2,3]), rows.as_flattened())?, b);
    for row in b.lines_mut::<1>()? {
        row.sort_by(f32::total_cmp);
    }
    assert_eq!(b, [[4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]);
    a.copy_from_row_major(&[0.0; 6])?;
    a.memory_mut().copy_from_slice(&[1.0; 6]);
    assert_eq!(
        (a.iter().copied().collect::<Vec<_>>(), a.memory().to_vec()),
        (vec![1.0; 6], a.into_vec())
    );
    Ok(())
}

fn methods_of_array_libraries() -> std::result::Result<(), xlayout::LayoutError> {
    let a = Array::from_row_major(layout!(f32[2,3]), &[1.0_f32, 2.0, 3.0, 4.0, 6.0, 5.0])?;
    let b = a.map(|x| x + 1e-7)?;
    assert!(a.iter().zip(b.iter()).all(|(x, y)| (x - y).abs() <= 1e-6));
    assert_eq!(
        a.indexed_iter().max_by(|x, y| x.1.total_cmp(y.1)),
        Some(([1, 1], &6.0))
    );
    assert_eq!(a.map_to(layout!(f64[2,3]), |x| f64::from(*x))?[[1, 2]], 5.0);
    assert_eq!(
        a.map_to(layout!(u32[2,3]), |x| x.to_bits())?[[0, 0]],
        0x3f80_0000
    );
    assert_eq!(
        a.map(|x| x.clamp(2.0, 4.0))?,
        [[2.0, 2.0, 3.0], [4.0, 4.0, 4.0]]
    );
    assert_eq!(
        (a.layout().element_type(), a.layout().bytes()),
        (xlayout::ElementType::F32, 24)
    );
    assert_eq!(a.as_view().insert_unit::<0>().shape(), [1, 2, 3]);
    assert_eq!(
        (a.row(1)?[0], a.column(1)?[0], a.slice::<0>(1..2)?[[0, 1]]),
        (4.0, 2.0, 6.0)
    );
    assert!(a.layout().is_contiguous() && a.as_slice().is_some() && a.shape()[1] == 3);
    assert!(
        a.with_step::<1>(.., 2)?.layout().shape() == [2, 2]
            && !a.slice::<1>(0..2)?.layout().is_contiguous()
    );
    assert_eq!((a.iter().product::<f32>(), a.get([2, 0])), (720.0, None));
    assert_eq!(
        (
            a.t()[[2, 1]],
            a.as_view().permute(xlayout::types::nat![1, 0])[[2, 1]]
        ),
        (5.0, 5.0)
    );
    for i in 0..a.shape()[0] - 1 {
        assert_eq!(a.region([i, 0], [2, a.shape()[1]])?, a);
    }
    let arrays: Vec<Array<f32, xlayout::DynLayout>> = vec![a.as_view().to_owned().into(), b.into()];
    assert_eq!(arrays[1].shape(), [2, 3].into());
    assert_eq!(
        a.try_reshape(layout!(f32[3,2]))?,
        [[1.0, 2.0], [3.0, 4.0], [6.0, 5.0]]
    );
    Ok(())
}

fn names_of_array_libraries() -> std::result::Result<(), xlayout::LayoutError> {
    let mut a = Array::from_nested(layout!(f32[2,3]), [[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]])?;
    let sums = a.columns().map(|column| column.iter().sum::<f32>());
    let means: Vec<f32> = sums.map(|sum| sum / a.shape()[0] as f32).collect();
    let mut means = Array::from_row_major(layout!(f32[3]), &means)?;
    assert_eq!(means, [2.5, 3.5, 4.5]);
    let bytes = [0, 1, 1];
    assert_eq!(
        xlayout::SliceView::<u8, _>::from_bytes(layout!(u8[3]), &bytes)?,
        [0, 1, 1]
    );
    let one = means.as_view().insert_unit::<0>();
    assert_eq!(one.broadcast::<0>(2)?, [[2.5, 3.5, 4.5], [2.5, 3.5, 4.5]]);
    let mut sum = 0.0;
    for x in &mut means {
        sum += *x;
        *x = sum;
    }
    assert_eq!(
        (means[[2]], a.iter().map(|x| x * x).sum::<f32>().sqrt()),
        (10.5, 91_f32.sqrt())
    );
    for j in 0..a.shape()[1] {
        a.swap([0, j], [1, j]);
        a.column_mut(j)?[0] += 1.0;
    }
    assert_eq!(a, [[5.0, 6.0, 7.0], [1.0, 2.0, 3.0]]);
    let b = Array::full(layout!(f32[2,3]{0,1}), 1.0)?.to_layout(layout!(f32[2,3]))?;
    a.iter_mut().zip(&b).for_each(|(x, y)| *x += y);
    a.for_each_in_memory_mut(|_, x| *x = x.exp());
    a.for_each_in_memory_mut(|&[i, j], x| *x = (3 * i + j) as f32);
    let rows = [1, 0];
    assert_eq!(
        Array::from_fn(layout!(f32[2,3]), |&[i, j]| a[[rows[i], j]])?,
        [[3.0, 4.0, 5.0], [0.0, 1.0, 2.0]]
    );
    assert_eq!(
        a.indexed_iter().min_by(|x, y| x.1.total_cmp(y.1)),
        Some(([0, 0], &0.0))
    );
    for row in a.lines_mut::<1>()? {
        row.reverse();
    }
    a.memory_mut().sort_by(f32::total_cmp);
    let identity = Array::from_fn(layout!(f32[2,2]), |&[i, j]| if i == j { 1.0 } else { 0.0 })?;
    assert_eq!(
        identity,
        Array::new(layout!(f32[2,2]), vec![1.0_f32, 0.0, 0.0, 1.0])?
    );
    let mut packed = Array::<Packed, _>::zeros(layout!(s4[4]{0:E(4)}))?;
    packed.for_each_in_memory_mut(|_, x| *x = 1);
    assert!(packed.layout().is_contiguous() && packed.layout().strides().is_some());
    Ok(())
}

// A trait of a program may have methods of these names.
trait Statistics {
    fn mean(&self) -> f32;
}
impl<L: Rank<2>> Statistics for ArrayRef<f32, L> {
    fn mean(&self) -> f32 {
        self.iter().sum::<f32>() / self.len() as f32
    }
}
fn mean_of(a: &ArrayRef<f32, impl Rank<2>>) -> f32 {
    a.mean()
}

#[test]
fn works() {
    let mut a = Array::<f32, A>::from_fn(A::NEW, |index| index[0] as f32).unwrap();
    assert_eq!((sum(a.as_slice_view()), sum((&a).into())), (3.0, 3.0));
    assert_eq!(first_of_second_row(a.as_slice_view()), 1.0);
    clear(a.as_slice_view_mut());
    clear((&mut a).into());
    assert_eq!(sum(a.as_slice_view()), 0.0);

    let bits = [0x80, 0x3f, 0, 0];
    let raw = SliceView::<Raw<dtype::bf16>, _>::from_bytes(layout!(bf16[2]{0}), &bits);
    let raw = raw.map(|raw| raw[[0]].to_bits());
    // Bytes on the stack may begin where no element may.
    assert!(raw.is_err() || raw == Ok(0x3f80));
    let packed = SliceView::packed(layout!(s4[2]{0:E(4)}), &[0x21]).unwrap();
    assert_eq!(packed.get(&[1]), Some(2));

    let b = Array::<f32, A>::from_fn(A::NEW, |at| at[1] as f32).unwrap();
    a.for_each_in_memory_mut(|_, x| *x *= 2.0);
    let twice = b.map(|x| x * 2.0).unwrap();
    let sum_of_both = Array::from_fn(a.layout().clone(), |at| a[at] + twice[at]).unwrap();
    assert_eq!(sum_of_both[[1, 2]], 4.0);
    let collected = Array::from_row_major(A::NEW, &vec![1.0; 6]).unwrap();
    assert_eq!(collected.region([0, 1], [1, 2]).unwrap().len(), 2);
    methods_of_other_libraries().unwrap();
    names_of_array_libraries().unwrap();
    methods_of_array_libraries().unwrap();
    assert_eq!(
        (
            collected.mean(),
            mean_of(&collected),
            collected.as_view().mean()
        ),
        (1.0, 1.0, 1.0)
    );
}
