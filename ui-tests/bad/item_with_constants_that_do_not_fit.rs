use xlayout::layout;

const LARGE: usize = 1 << 40;
const ROWS: usize = 9;

layout! {
    pub type Large = f32[LARGE,LARGE];
    pub type Padded = f32[ROWS,3], padded_dimensions = [8, 3];
}

fn main() {}
