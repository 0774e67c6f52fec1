use xlayout::{ArrayLayout, ConstLayout, Rank, layout};

type RowMajor = layout!(f32[2,3]{1,0});

trait Kernel<Input> {
    fn bytes(&self, input: Input) -> usize;
}

struct Sum;

impl Kernel<layout!(f32[2,3]{0,1})> for Sum {
    fn bytes(&self, input: layout!(f32[2,3]{0,1})) -> usize {
        input.bytes()
    }
}

impl Kernel<RowMajor> for Sum {
    fn bytes(&self, input: RowMajor) -> usize {
        input.bytes() + 1
    }
}

fn launch<K>(kernel: &K) -> usize
where
    K: Kernel<layout!(f32[2,3]{0,1})> + Kernel<RowMajor>,
{
    kernel.bytes(layout!(f32[2,3]{0,1})) + kernel.bytes(layout!(f32[2,3]))
}

fn any<L: ConstLayout + Rank<2>>(_: L) -> [usize; 2] {
    [L::STRIDES[0], L::STRIDES[1]]
}

#[test]
fn works() {
    assert_eq!(launch(&Sum), 49);
    assert_eq!(any(layout!(f32[2,3])), [3, 1]);
    let layouts: [&dyn Kernel<RowMajor>; 1] = [&Sum];
    assert_eq!(layouts[0].bytes(RowMajor::NEW), 25);
}
