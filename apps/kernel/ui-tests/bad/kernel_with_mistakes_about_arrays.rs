use xlayout::layout;
use xlayout_kernel::{In, Out, Pool, Scalar, kernel};

type Row = layout!(f32[?N]{0});

#[kernel]
fn a_number_behind(a: Scalar<f32>, x: In<Row>, mut y: Out<Row>) {
    y[[0]] = x[[0]] * a;
}

#[kernel]
fn writes_an_argument(x: In<Row>, mut y: Out<Row>) {
    x.memory_mut().fill(0.0);
    y.memory_mut().fill(0.0);
}

#[kernel]
fn assigns_an_argument(x: In<Row>, mut y: Out<Row>) {
    x[[0]] = 1.0;
    y.memory_mut().fill(0.0);
}

#[kernel]
fn shares_a_result(pool: Pool, x: In<Row>, mut y: Out<Row>) {
    pool.for_each(0..x.memory().len(), |i| y[[i]] = x[[i]]);
}

fn main() {}
