use xlayout::{Array, layout};

fn main() -> Result<(), xlayout::LayoutError> {
    let a = Array::<f32, _>::zeros(layout!(f32[2,3]))?;
    let b = a.slice::<1>((0..3).step_by(2))?;
    Ok(())
}
