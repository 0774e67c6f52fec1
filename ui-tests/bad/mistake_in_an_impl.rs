use xlayout::layout;

trait Kernel {
    type Input;
    fn run(input: Self::Input) -> usize;
}

struct Sum;

impl Kernel for Sum {
    type Input = layout!(f32[2,3]{1,1});

    fn run(input: Self::Input) -> usize {
        use xlayout::ArrayLayout;
        input.elements() + <layout!(f32[])>::BUFFER_LEN
    }
}

fn main() {}
