use xlayout::{LayoutError, StridedLayout};

fn layout(sizes: Vec<usize>, strides: Vec<isize>) -> Result<usize, LayoutError> {
    let layout = StridedLayout::new::<f32>(sizes, strides)?;
    Ok(size_of_val(&layout))
}

fn main() {}
