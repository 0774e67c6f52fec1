use xlayout::{ConstLayout, layout};

type A = layout!(f32[2,3]{0,1:T(2,2)});

static BUFFER: [f32; A::BUFFER_LEN] = [0.0; A::BUFFER_LEN];
const BYTES: usize = <layout!(bf16[16,256]{1,0:T(8,128)(2,1)})>::BYTES;
const VALUE: A = layout!(f32[2,3]{0,1:T(2,2)});

const fn last_stride<L: ConstLayout>() -> usize {
    L::STRIDES[L::STRIDES.len() - 1]
}

struct Page([u8; BYTES]);

#[test]
fn works() {
    let _ = VALUE;
    assert_eq!(BUFFER.len(), 8);
    assert_eq!(size_of::<Page>(), 8192);
    const { assert!(last_stride::<layout!(u8[4,5]<0,1>)>() == 4) }
    let _ = [0_u8; { <layout!(u8[4,5])>::BUFFER_LEN + 1 }];
}
