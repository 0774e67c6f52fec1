use xlayout::{Array, LayoutError, Packed, layout};

fn main() -> Result<(), LayoutError> {
    let array = Array::<Packed, _>::zeros(layout!(s4[2,2]{1,0:E(4)}))?;
    println!("{array:?}");
    Ok(())
}
