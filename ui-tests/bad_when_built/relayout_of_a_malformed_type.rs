use xlayout::types::{Nat, StaticLayout, MinorToMajor, Padded, Tile};
use xlayout::{View, ViewMut, layout};
use xlayout_relayout::relayout_static;

// Padding and tiles exclude each other.
type Both = StaticLayout<f32, (Nat<2>,), MinorToMajor<(Nat<0>,)>, (Tile<(Nat<2>,)>, Padded<(Nat<4>,)>)>;

fn copy(from: &View<'_, f32, layout!(f32[2])>, to: &mut ViewMut<'_, f32, Both>) {
    relayout_static(from, to);
}

fn main() {
    let call: fn(&_, &mut _) = copy;
    std::hint::black_box(call);
}
