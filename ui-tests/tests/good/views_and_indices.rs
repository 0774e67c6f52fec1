use xlayout::{ArrayLayout, View, index, layout};

type A = layout!(f32[2,3]{0,1});

fn sum<L: ArrayLayout>(view: View<'_, f32, L>) -> f32 {
    let mut sum = 0.0;
    view.for_each(|_, element| sum += element);
    sum
}

#[test]
fn works() {
    let data = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let view = View::new(&data, A::NEW).unwrap();
    assert_eq!(view[index!(A[1, 0])], 2.0);
    assert_eq!(sum(view), 21.0);
}
