use typenum::{U2, U3, Unsigned};
use xlayout::{ArrayLayout, layout};

fn by_type<N: Unsigned>() -> usize {
    <layout!(f32[type N, 3])>::BUFFER_LEN
}

#[test]
fn works() {
    // The name of a number is that number, so this is the same type.
    let _: layout!(f32[2,3]) = layout!(f32[U2, U3]);
    let _: layout!(f32[1024]) = layout!(f32[typenum::U1024]);
    let _: layout!(f32[<=8]) = layout!(f32[<=typenum::U8]);
    assert_eq!(by_type::<U2>(), 6);
    assert_eq!(by_type::<typenum::Sum<U2, U3>>(), 15);
    assert_eq!(layout!(f32[type typenum::Sum<U2, U3>, 3]).bytes(), 60);
}
