use xlayout::types::{
    DeleteUnit, Nat, Permute, Permuted, Rearrange, RunTime, SliceDimension, SliceLayout, Sliced,
    nat,
};
use xlayout::types::{WithUnit, WithoutUnit};
use xlayout::{Array, ConstLayout, SliceView, SliceViewMut, layout};

type A = layout!(f32[24,256]{1,0:T(8,128)});

/// A kernel names what it makes of its layout.
struct Kernel<L: Rearrange<Permute<(Nat<1>, Nat<0>)>>> {
    transposed: Permuted<L, (Nat<1>, Nat<0>)>,
}

const KERNEL: Kernel<A> = Kernel {
    transposed: <layout!(f32[256,24]{0,1:T(8,128)})>::NEW,
};

static ROWS: [f32; <Sliced<A, 0, 8> as ConstLayout>::BUFFER_LEN] = [0.0; 2048];

fn generic<const M: usize, const N: usize>(
    view: SliceView<f32, layout!(f32[M,N])>,
) -> SliceView<f32, layout!(f32[N,1,M]{0,2,1})> {
    view.permute(nat![1, 0]).insert_unit::<1>()
}

fn blocks<const N: usize>(mut view: SliceViewMut<f32, layout!(f32[8,N])>) {
    for block in 0..4 {
        let mut rows: SliceViewMut<f32, layout!(f32[2,N])> = view
            .as_slice_view_mut()
            .into_slice_at::<0, 2>(2 * block)
            .unwrap();
        rows.for_each_in_memory_mut(|_, x| *x += 1.0);
    }
}

fn any_with_a_unit<L: ConstLayout + Rearrange<DeleteUnit<0>>>(_: L) -> WithoutUnit<L, 0> {
    L::NEW.rearranged()
}

#[test]
fn works() {
    let _: layout!(f32[256,24]{0,1:T(8,128)}) = KERNEL.transposed;
    let rows: SliceView<f32, layout!(f32[8,256]{1,0:T(8,128)})> =
        SliceView::new(Default::default(), &ROWS[..]).unwrap();
    let _: SliceView<f32, layout!(f32[1,8,256]{2,1,0:T(8,128)})> = rows.insert_unit::<0>();
    let mut array = Array::<f32, _>::zeros(layout!(f32[8,3])).unwrap();
    blocks(array.as_slice_view_mut());
    let view = generic(array.as_slice_view());
    assert_eq!(view[[2, 0, 7]], 1.0);
    let _: layout!(f32[8,3]) = any_with_a_unit(layout!(f32[1,8,3]));
    let _: WithUnit<layout!(f32[8,3]), 0> = layout!(f32[1,8,3]);
    let columns: SliceView<f32, SliceLayout<layout!(f32[8,2] <1,0>, padded_dimensions = [8, 3])>> =
        array.as_slice_view().into_const_slice::<1, 1, 2>();
    assert_eq!(columns.as_view().into_slice::<0>(3..).unwrap()[[4, 1]], 1.0);
    let _: <layout!(f32[8,3]) as SliceDimension<0, RunTime>>::Layout =
        layout!(f32[?,3])([4, 3]).unwrap();
}
