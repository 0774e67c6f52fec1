use xlayout::{Array, DynLayout, LayoutError, layout};

fn main() -> Result<(), LayoutError> {
    let array = Array::<f32, DynLayout>::zeros("f32[2,3]".parse()?)?;
    let place = vec![0, 1];
    println!("{}", array[place]);
    let typed = Array::<f32, _>::zeros(layout!(f32[2,3]))?;
    for i in 0..2_i32 {
        println!("{}", typed[[i, 0]]);
    }
    Ok(())
}
