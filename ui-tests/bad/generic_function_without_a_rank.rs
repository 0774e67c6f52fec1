use xlayout::{ArrayLayout, SliceView};

fn first_of_second_row<L: ArrayLayout>(a: SliceView<f32, L>) -> f32 {
    a[[1, 0]]
}

fn main() {
    let _ = first_of_second_row::<xlayout::DynLayout>;
}
