use xlayout::{ArrayLayout, ElementType, layout};

#[test]
fn works() {
    let bits = [
        layout!(pred[1]).element_bits(),
        layout!(s8[1]).element_bits(),
        layout!(s16[1]).element_bits(),
        layout!(s32[1]).element_bits(),
        layout!(s64[1]).element_bits(),
        layout!(u8[1]).element_bits(),
        layout!(u16[1]).element_bits(),
        layout!(u32[1]).element_bits(),
        layout!(u64[1]).element_bits(),
        layout!(f16[1]).element_bits(),
        layout!(bf16[1]).element_bits(),
        layout!(f32[1]).element_bits(),
        layout!(f64[1]).element_bits(),
        layout!(c64[1]).element_bits(),
        layout!(c128[1]).element_bits(),
        layout!(f8e5m2[1]).element_bits(),
        layout!(f8e4m3fn[1]).element_bits(),
        layout!(f8e4m3b11fnuz[1]).element_bits(),
        layout!(f8e5m2fnuz[1]).element_bits(),
        layout!(f8e4m3fnuz[1]).element_bits(),
        layout!(f8e4m3[1]).element_bits(),
        layout!(f8e3m4[1]).element_bits(),
        layout!(f8e8m0fnu[1]).element_bits(),
        layout!(f4e2m1fn[1]).element_bits(),
        layout!(f6e3m2fn[1]).element_bits(),
        layout!(f6e2m3fn[1]).element_bits(),
        layout!(s4[1]).element_bits(),
        layout!(u4[1]).element_bits(),
        layout!(s2[1]).element_bits(),
        layout!(u2[1]).element_bits(),
        layout!(s1[1]).element_bits(),
        layout!(u1[1]).element_bits(),
    ];
    assert_eq!(
        bits.len(),
        ElementType::all().filter(|t| t.is_array()).count()
    );
    assert_eq!(layout!(s4[3]{0:E(4)}).bytes(), 2);
}
