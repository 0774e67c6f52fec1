use xlayout::{ArrayLayout, layout};

type Padded = layout!(f32[2,3] <0,1>, padded_dimensions = [3, 5], padding_value = zero);

#[test]
fn works() {
    assert_eq!(<Padded>::STRIDES, [1, 3]);
    assert_eq!(<Padded>::BUFFER_LEN, 15);
    assert_eq!(<Padded>::ELEMENTS, 6);
    let _ = layout!(f32[2,3]{1,0}, padding_value = lowest, padded_dimensions = [2, 4]);
    for value in [
        layout!(s8[3], padding_value = one).bytes(),
        layout!(s8[3], padding_value = highest).bytes(),
        layout!(s8[3], padding_value = unknown).bytes(),
    ] {
        assert_eq!(value, 3);
    }
}
