use xlayout::fixed::{D, Fixed, MinorToMajor, Padded, T};
use xlayout::{View, ViewMut, layout};
use xlayout_relayout::relayout_fixed;

// Padding and tiles exclude each other.
type Both = Fixed<f32, (D<2>,), MinorToMajor<(D<0>,)>, (T<(D<2>,)>, Padded<(D<4>,)>)>;

fn copy(from: &View<'_, f32, layout!(f32[2])>, to: &mut ViewMut<'_, f32, Both>) {
    relayout_fixed(from, to);
}

fn main() {
    let call: fn(&_, &mut _) = copy;
    std::hint::black_box(call);
}
