use xlayout::{Array, LayoutError, layout};

fn main() -> Result<(), LayoutError> {
    let array = Array::from_fn(layout!(f32[2,3]), |&[i, j]| (3 * i + j) as f32)?;
    println!("{:?}", array.permute((1, 0)));
    Ok(())
}
