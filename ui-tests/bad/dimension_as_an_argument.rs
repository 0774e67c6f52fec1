use xlayout::{ArrayRef, LayoutError, layout};

type A = layout!(f32[2,3]);

fn rows(a: &ArrayRef<f32, A>) -> usize {
    a.axis(0).count()
}

fn any(a: &ArrayRef<f32, A>) -> usize {
    a.axis().count()
}

fn first_row(a: &ArrayRef<f32, A>) -> Result<f32, LayoutError> {
    let row = a.slice(0, 0..1)?;
    Ok(row[[0, 2]])
}

fn main() {}
