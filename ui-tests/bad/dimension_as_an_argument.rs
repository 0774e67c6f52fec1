use xlayout::{Array, LayoutError, layout};

fn main() -> Result<(), LayoutError> {
    let array = Array::from_fn(layout!(f32[2,3]), |&[i, j]| (3 * i + j) as f32)?;
    for i in array.axis(0) {
        println!("{i}");
    }
    println!("{:?}", array.slice(0, 0..1)?);
    Ok(())
}
