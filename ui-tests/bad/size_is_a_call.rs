const fn rows() -> usize {
    3
}

type A = xlayout::layout!(f32[rows(),3]);

fn main() {}
