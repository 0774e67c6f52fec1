use xlayout::{Array, LayoutError, layout};

fn main() -> Result<(), LayoutError> {
    let a = Array::<f32, _>::zeros(layout!(f32[?,3])([2, 3]))?;
    drop(a);
    Ok(())
}
