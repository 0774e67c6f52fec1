use xlayout::{Array, LayoutError, layout};

layout! {
    type Rows<const N: usize> = f32[N,3] <1,0>, padded_dimensions = [4, 3];
}

fn main() -> Result<(), LayoutError> {
    let rows = Array::<f32, _>::zeros(Rows::<5>::NEW)?;
    assert_eq!(rows.len(), 15);
    Ok(())
}
