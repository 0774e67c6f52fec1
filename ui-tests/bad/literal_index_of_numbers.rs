use xlayout::{Array, index, layout};

fn main() -> Result<(), xlayout::LayoutError> {
    let a = Array::<f32, _>::zeros(layout!(f32[2,3]))?;
    let x = a[index!(1, 2)];
    Ok(())
}
