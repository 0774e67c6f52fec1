use xlayout::{kernel, layout};
use xlayout_kernel::{DeviceIn, DeviceOut};

#[kernel]
fn double(x: DeviceIn<layout!(f32[8])>, mut y: DeviceOut<layout!(f32[8])>) {
    y[[0]] = 2.0 * x[[0]];
}

fn main() {}
