use xlayout::layout;

trait Kernel<Input> {
    fn run(&self, input: Input);
}

struct Transpose;

impl Kernel<layout!(f32[2,3]{1,0})> for Transpose {
    fn run(&self, _: layout!(f32[2,3]{1,0})) {}
}

fn main() {
    Transpose.run(layout!(f32[2,3]{0,1}));
}
