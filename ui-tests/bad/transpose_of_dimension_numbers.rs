use xlayout::{Array, layout};

fn main() -> Result<(), xlayout::LayoutError> {
    let a = Array::<f32, _>::zeros(layout!(f32[2,3]))?;
    let b = a.transpose([1, 0]);
    Ok(())
}
