use xlayout::{ArrayLayout, layout};

type Many = layout!(u8[2,1,2,1,2,1,2,1,2,1,2,1,2,1,2,3]);

#[test]
fn works() {
    assert_eq!(layout!(f64[]).bytes(), 8);
    assert_eq!(layout!(f64[]{:T(128)}).bytes(), 1024);
    assert_eq!(<Many>::BUFFER_LEN, 256 * 3);
    assert_eq!(layout!(f32[0,3]).elements(), 0);
}
