use xlayout::{ConstLayout, SliceView, layout};

type A = layout!(f32[2,3]);

fn main() {
    let view = SliceView::new(A::NEW, &[0.0_f32; 6][..]).unwrap();
    for (i, j) in A::axis::<0>().zip(A::axis::<2>()) {
        let _ = view[(i, j)];
    }
}
