use xlayout::{LayoutError, SliceView, layout};

fn part(a: SliceView<f32, layout!(f32[2,3])>) -> Result<f32, LayoutError> {
    Ok(a.region(0..1, 1..3)?[[0, 0]])
}

fn main() {}
