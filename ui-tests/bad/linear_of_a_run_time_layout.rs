use xlayout::{ArrayLayout, SliceView, layout};

fn main() {
    let layout = layout!(f32[?,3])([2, 3]).unwrap();
    let other = layout!(f32[?,3])([4, 3]).unwrap();
    let linear = other.linear(11).unwrap();
    let view = SliceView::new(layout, &[0.0_f32; 6][..]).unwrap();
    let _ = view[linear];
    let _ = linear.to_index(view.layout());
}
