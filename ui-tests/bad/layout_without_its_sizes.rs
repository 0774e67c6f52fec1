use xlayout::{Array, LayoutError, layout};

fn main() -> Result<(), LayoutError> {
    let _array = Array::<f32, _>::zeros(layout!(f32[?,3]))?;
    Ok(())
}
