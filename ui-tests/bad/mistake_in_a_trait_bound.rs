use xlayout::layout;

trait Kernel<L> {
    fn run(&self, layout: L);
}

fn launch<K: Kernel<layout!(f32[2,3]{0,1,2})>>(kernel: K) {
    kernel.run(layout!(f32[2,3]));
}

fn main() {}
