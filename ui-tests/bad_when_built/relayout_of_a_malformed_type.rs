use xlayout::types::{Nat, StaticLayout, MinorToMajor, Padded, Tile};
use xlayout::{SliceView, SliceViewMut, layout};
use xlayout_relayout::relayout_static;

// Padding and tiles exclude each other.
type Both = StaticLayout<f32, (Nat<2>,), MinorToMajor<(Nat<0>,)>, (Tile<(Nat<2>,)>, Padded<(Nat<4>,)>)>;

fn copy(from: &SliceView<'_, f32, layout!(f32[2])>, to: &mut SliceViewMut<'_, f32, Both>) {
    relayout_static(from, to);
}

fn main() {
    let call: fn(&_, &mut _) = copy;
    std::hint::black_box(call);
}
