use xlayout::{Array, LayoutError, layout};

fn main() -> Result<(), LayoutError> {
    let array = Array::from_fn(layout!(s4[2,2]{1,0:E(4)}), |&[i, j]| (2 * i + j) as i8)?;
    println!("{array:?}");
    Ok(())
}
