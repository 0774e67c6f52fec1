use typenum::Unsigned;
use xlayout::layout;

fn rows<N: Unsigned>(_: layout!(f32[N,3])) {}

fn main() {}
