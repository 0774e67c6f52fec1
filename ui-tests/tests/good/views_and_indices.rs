use xlayout::{ArrayLayout, SliceView, index, layout};

type A = layout!(f32[2,3]{0,1});

fn sum<L: ArrayLayout>(view: SliceView<'_, f32, L>) -> f32 {
    let mut sum = 0.0;
    view.for_each_in_memory(|_, element| sum += element);
    sum
}

#[test]
fn works() {
    let data = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let view = SliceView::new(A::NEW, &data).unwrap();
    assert_eq!(view[index!(A[1, 0])], 2.0);
    assert_eq!(sum(view), 21.0);
}
