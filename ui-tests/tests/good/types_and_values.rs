//! One path is a type and a value, wherever either is expected.
use xlayout::{ArrayLayout, layout};

fn column_major() -> layout!(f32[2,3]{0,1}) {
    layout!(f32[2,3]{0,1})
}

#[test]
fn works() {
    let a: layout!(f32[2,3] <0,1>) = column_major();
    let b = layout!(f32[2,3]{1,0});
    assert_eq!(a.linear_index(&[1, 0]), 1);
    assert_eq!(b.linear_index(&[1, 0]), 3);
    assert_eq!(layout!(f32[2,3]).bytes(), 24);
    assert_eq!(size_of::<layout!(f32[2,3])>(), 0);
}
