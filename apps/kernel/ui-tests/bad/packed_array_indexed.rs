use xlayout::{Packed, SliceView, SliceViewMut, layout};
use xlayout_kernel::{In, Out};

fn first<'a>(view: SliceView<'a, Packed, layout!(s4[2,3]{1,0:E(4)})>) -> u8 {
    view[[0, 1]]
}

fn write(view: &mut SliceViewMut<'_, Packed, layout!(s4[2,3]{1,0:E(4)})>) {
    view[[0, 1]] = 3;
}

#[xlayout_kernel::kernel]
fn unpack(x: In<layout!(s4[?]{0:E(4)})>, mut y: Out<layout!(s8[?]{0})>) {
    y[[0]] = x[[0]] as i8;
}

fn main() {}
