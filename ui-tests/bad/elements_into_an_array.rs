use xlayout::{ArrayOf, LayoutError, layout};

fn main() -> Result<(), LayoutError> {
    let vector: ArrayOf<layout!(f32[4])> = vec![1.0, 2.0, 3.0, 4.0].into();
    let matrix: ArrayOf<layout!(f32[2,2])> = [[1.0, 2.0], [3.0, 4.0]].into();
    println!("{vector:?} {matrix:?}");
    let elements: Vec<f32> = vector.into();
    Ok(())
}
