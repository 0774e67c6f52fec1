use xlayout::{ArrayLayout, ConstLayout, layout};

fn rows<const M: usize, const K: usize>(layout: layout!(bf16[M, K]{1,0:T(8,128)})) -> usize {
    assert_eq!(layout.shape(), [M, K]);
    M
}

struct Weights<const M: usize> {
    layout: layout!(f32[M, 3]{0,1}),
}

impl<const M: usize> Weights<M> {
    const NEW: Self = Self {
        layout: layout!(f32[M, 3]{0,1}),
    };
    const BYTES: usize = <layout!(f32[M, 3])>::BYTES;
}

trait Kernel {
    type Input: ConstLayout;
}

impl<const M: usize> Kernel for Weights<M> {
    type Input = layout!(f32[M, 3]{0,1});
}

#[test]
fn works() {
    assert_eq!(rows(layout!(bf16[16, 256]{1,0:T(8,128)})), 16);
    assert_eq!(Weights::<4>::NEW.layout.bytes(), Weights::<4>::BYTES);
    assert_eq!(<Weights<4> as Kernel>::Input::BUFFER_LEN, 12);
}
